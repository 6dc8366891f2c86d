//! Sentences about the figures, generated from the data.

use crate::analyze::{BaselineReason, ConfigurationSummary, IterationAnalysis, Note, Roles};
use crate::language::Language;
use crate::model::Iteration;
use crate::render::data::benchmark::figures::{self, MISSING, Measured};
use crate::text::count;
use crate::wording::notes::write_notes;

/// The notes in plain text: verdicts, then missing data, differences and notable findings.
pub(super) fn write(iteration: &Iteration, analysis: &IterationAnalysis) -> Vec<String> {
    let words = Language::default();
    let summaries = &analysis.configurations;
    let mut notes = verdicts(analysis);
    for summary in summaries.iter().filter(|summary| summary.ungraded_runs() > 0) {
        let (name, missing, runs) =
            (&summary.name, summary.ungraded_runs(), count(summary.runs, "run"));
        let left_out_of = if summary.graded_runs == 0 { "the pass rate" } else { "every mean" };
        notes.push(format!("{name}: {missing} of {runs} not graded and left out of {left_out_of}"));
    }
    for summary in summaries.iter().filter(|summary| summary.tally.ungraded > 0) {
        let (name, missing) = (&summary.name, count(summary.tally.ungraded, "expectation"));
        notes.push(format!("{name}: {missing} without a verdict, left out of the pass rate"));
    }
    notes.extend(missing(analysis, Measured::Seconds, "duration"));
    notes.extend(missing(analysis, Measured::Tokens, "tokens"));
    let models = figures::models(iteration);
    if models.len() > 1 {
        let list = models.iter().map(|(model, runs)| {
            format!("{} ({})", model.unwrap_or("not recorded"), count(*runs, "run"))
        });
        notes.push(format!("executing models: {}", list.collect::<Vec<_>>().join(", ")));
    }
    // Runs without a verdict are listed above.
    let found_notes = write_notes(iteration, analysis, &words).into_iter().zip(&analysis.notes);
    let found_notes = found_notes.filter(|(_, note)| !matches!(note, Note::Ungraded { .. }));
    notes.extend(found_notes.map(|(note, _)| note.line(&words)));
    notes
}

fn verdicts(analysis: &IterationAnalysis) -> Vec<String> {
    let mut notes = Vec::new();
    for (candidate, baseline) in figures::pairs(analysis) {
        let (candidate, baseline) = (share(candidate), share(baseline));
        notes.push(format!("{candidate} vs {baseline} expectations passed"));
    }
    if !notes.is_empty() {
        return notes;
    }
    for summary in &analysis.configurations {
        notes.push(format!("{} expectations passed", share(summary)));
    }
    if notes.len() > 1 {
        notes.push(format!("no delta: {}", reason(&analysis.roles)));
    }
    notes
}

/// A configuration with the checks it passed.
fn share(summary: &ConfigurationSummary) -> String {
    match figures::share(summary.tally) {
        Some(share) => format!("{} {share}", summary.name),
        None => format!("{} {MISSING} (no verdicts)", summary.name),
    }
}

pub(super) fn reason(roles: &Roles) -> String {
    match (roles.reason, &roles.baseline) {
        (BaselineReason::Flag, Some(name)) => format!("{name} was named as the baseline by a flag"),
        (BaselineReason::Settings, Some(name)) => format!("{name} is the baseline of the settings"),
        (BaselineReason::Recorded, Some(name)) => format!("{name} is recorded as the baseline"),
        (BaselineReason::KnownName, Some(name)) => format!("{name} is a known name of a baseline"),
        (BaselineReason::NoRun, _) => "no run was found".to_owned(),
        (BaselineReason::Alone, _) => "there is only one configuration".to_owned(),
        _ => "no name says which configuration is the baseline".to_owned(),
    }
}

fn missing(analysis: &IterationAnalysis, measure: Measured, word: &str) -> Vec<String> {
    let mut notes = Vec::new();
    let mut is_recorded = false;
    for summary in &analysis.configurations {
        let some = measure.spread(summary).map_or(0, |spread| spread.count);
        is_recorded |= some > 0;
        if some < summary.counted_runs() {
            let runs = count(summary.counted_runs(), "run");
            notes.push(format!("{}: {word} recorded for {some} of {runs}", summary.name));
        }
    }
    // One note is enough where no configuration has any.
    if !is_recorded && !analysis.configurations.is_empty() {
        return vec![format!("{word} not recorded")];
    }
    notes
}
