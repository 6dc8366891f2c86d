//! Sentences about the figures, generated from the data.

use crate::analyze::{ConfigurationSummary, IterationAnalysis, RecordedMeasure};
use crate::language::Language;
use crate::render::data::benchmark::Subject;
use crate::render::data::benchmark::figures::{self, MISSING};
use crate::wording::{configurations, news};
use text::count;

/// The notes in plain text: verdicts, missing data, models, then the news of the iteration.
pub(super) fn write(subject: Subject<'_>) -> Vec<String> {
    let (iteration, analysis) = subject.iteration();
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
    notes.extend(missing(analysis, RecordedMeasure::Time, "duration"));
    notes.extend(missing(analysis, RecordedMeasure::Tokens, "tokens"));
    let models = figures::models(iteration);
    if models.len() > 1 {
        let mut list = Vec::new();
        for (model, runs) in models {
            list.push(format!("{} ({})", model.unwrap_or("not recorded"), count(runs, "run")));
        }
        notes.push(format!("executing models: {}", list.join(", ")));
    }
    notes.extend(news::listed(subject.comparisons, subject.index, "", &Language::default()));
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
        let reason = configurations::roles(&analysis.roles, &Language::default());
        notes.push(format!("no delta: {reason}"));
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

fn missing(analysis: &IterationAnalysis, measure: RecordedMeasure, word: &str) -> Vec<String> {
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
