//! Why a benchmark has another pass rate than the graded runs, as far as anybody would look for it.

use crate::analyze::discrepancies::listed_runs::{ConfigurationRuns, RunFigures};
use crate::analyze::{Cause, RecordedMeasure};
use statistics::mean;

/// Why the mean of a measure is recorded as `stated`: the first cause that yields it.
pub(super) fn cause_of(
    found: &ConfigurationRuns<'_>,
    measure: RecordedMeasure,
    stated: f64,
) -> Option<Cause> {
    let yields = |values: &[f64]| mean(values).is_some_and(|value| measure.yields(stated, value));
    if measure == RecordedMeasure::PassRate {
        let runs = &found.runs;
        let of_runs: Vec<f64> = runs.iter().map(|run| run.rate.unwrap_or(0.0)).collect();
        let of_checks: Vec<f64> = runs.iter().map(rate_if_failed).collect();
        let is_any_ungraded = runs.iter().any(|run| run.rate.is_none() || run.tally.ungraded > 0);
        if is_any_ungraded && (yields(&of_runs) || yields(&of_checks)) {
            return Some(Cause::UngradedAsZero);
        }
    }
    let listed: Vec<f64> = found.list.iter().filter_map(|run| run.value(measure)).collect();
    let (listed_runs, found_runs) = (found.list.len(), found.graded().count());
    let is_of_list = found.has_other_cases && yields(&listed);
    is_of_list.then_some(Cause::OtherCases { listed: listed_runs, found: found_runs })
}

/// The pass rate of a run whose missing verdicts are failures; 0 without any.
fn rate_if_failed(run: &RunFigures<'_>) -> f64 {
    match run.tally.total() {
        0 => run.rate.unwrap_or(0.0),
        total => run.tally.passed as f64 / total as f64,
    }
}
