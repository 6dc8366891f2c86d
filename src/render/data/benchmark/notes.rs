//! What the figures say in sentences, each generated from the data.

use crate::analyze::{ConfigurationSummary, IterationAnalysis, Note, Reason, Roles};
use crate::language::Language;
use crate::model::{Iteration, Tally};
use crate::render::data::benchmark::sheet::{self, MISSING, Measure};
use crate::render::text::notes::told;
use crate::text::count;

/// The notes in plain text: the verdicts, then what is missing, what differs, what stands out.
pub(super) fn of(iteration: &Iteration, analysis: &IterationAnalysis) -> Vec<String> {
    let mut notes = verdicts(analysis);
    notes.extend(analysis.configurations.iter().filter_map(ungraded_runs));
    notes.extend(analysis.configurations.iter().filter_map(ungraded_expectations));
    notes.extend(missing(analysis, Measure::Seconds, "duration"));
    notes.extend(missing(analysis, Measure::Tokens, "tokens"));
    notes.extend(models(iteration));
    notes.extend(found(iteration, analysis));
    notes
}

/// What stands out in the data, without the runs that were not graded, which are told above.
fn found(iteration: &Iteration, analysis: &IterationAnalysis) -> Vec<String> {
    let words = Language::default();
    let told = told(iteration, analysis, &words).into_iter().zip(&analysis.notes);
    let told = told.filter(|(_, note)| !matches!(note, Note::Ungraded { .. }));
    told.map(|(told, _)| told.line(&words)).collect()
}

/// Every candidate against the baseline, or every configuration alone where none is named.
fn verdicts(analysis: &IterationAnalysis) -> Vec<String> {
    let against = |(candidate, baseline): (&ConfigurationSummary, &ConfigurationSummary)| {
        format!("{} vs {} expectations passed", share(candidate), share(baseline))
    };
    let pairs: Vec<String> = sheet::pairs(analysis).map(against).collect();
    if !pairs.is_empty() {
        return pairs;
    }
    let alone = analysis.configurations.iter();
    let mut notes: Vec<String> =
        alone.map(|summary| format!("{} expectations passed", share(summary))).collect();
    if notes.len() > 1 {
        notes.push(format!("no delta: {}", reason(&analysis.roles)));
    }
    notes
}

/// Why a configuration is the baseline, or none is, in one clause.
pub(super) fn reason(roles: &Roles) -> String {
    match (roles.reason, &roles.baseline) {
        (Reason::Flag, Some(name)) => format!("{name} was named as the baseline by a flag"),
        (Reason::Settings, Some(name)) => format!("{name} is the baseline of the settings"),
        (Reason::Recorded, Some(name)) => format!("{name} is recorded as the baseline"),
        (Reason::KnownName, Some(name)) => format!("{name} is a known name of a baseline"),
        (Reason::NoRun, _) => "no run was found".to_owned(),
        (Reason::Alone, _) => "there is only one configuration".to_owned(),
        _ => "no name among them says which one is the baseline".to_owned(),
    }
}

fn share(summary: &ConfigurationSummary) -> String {
    let Tally { passed, .. } = summary.tally;
    match summary.tally.graded() {
        0 => format!("{} {MISSING} (no verdicts)", summary.name),
        graded => format!("{} {passed}/{graded}", summary.name),
    }
}

fn ungraded_runs(summary: &ConfigurationSummary) -> Option<String> {
    let graded = summary.pass_rate.map_or(0, |spread| spread.count);
    let missing = summary.runs.saturating_sub(graded);
    (missing > 0).then(|| {
        let runs = count(summary.runs, "run");
        let of = if graded == 0 { "the pass rate" } else { "every mean" };
        format!("{}: {missing} of {runs} not graded and left out of {of}", summary.name)
    })
}

fn ungraded_expectations(summary: &ConfigurationSummary) -> Option<String> {
    let missing = summary.tally.ungraded;
    (missing > 0).then(|| {
        let expectations = count(missing, "expectation");
        format!("{}: {expectations} without a verdict, left out of the pass rate", summary.name)
    })
}

/// Which configurations lack `measure` in some or all of their runs.
fn missing(analysis: &IterationAnalysis, measure: Measure, word: &str) -> Vec<String> {
    let recorded =
        |summary: &ConfigurationSummary| measure.spread(summary).map_or(0, |spread| spread.count);
    let summaries = &analysis.configurations;
    if summaries.iter().all(|summary| recorded(summary) == 0) {
        let note = format!("{word} not recorded");
        return if summaries.is_empty() { Vec::new() } else { vec![note] };
    }
    let lacking = summaries.iter().filter(|summary| recorded(summary) < summary.counted_runs());
    lacking
        .map(|summary| {
            let (some, runs) = (recorded(summary), count(summary.counted_runs(), "run"));
            format!("{}: {word} recorded for {some} of {runs}", summary.name)
        })
        .collect()
}

/// Which models executed the runs, where that is more than one answer.
fn models(iteration: &Iteration) -> Option<String> {
    let models = sheet::models(iteration);
    (models.len() > 1).then(|| {
        let named = |(model, runs): (&Option<&str>, &usize)| {
            format!("{} ({})", model.unwrap_or("not recorded"), count(*runs, "run"))
        };
        let list: Vec<String> = models.iter().map(named).collect();
        format!("executing models: {}", list.join(", "))
    })
}
