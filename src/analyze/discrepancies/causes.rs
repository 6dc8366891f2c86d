//! Why a benchmark has another pass rate than the graded runs, as far as anybody would look for it.

use crate::analyze::discrepancies::runs::{ConfigurationRuns, RunFigures};
use crate::analyze::{Cause, RecordedFigure, RecordedMeasure};
use input::model::Tally;
use statistics::Spread;

/// Why `figure` of a measure is recorded as `stated`: the first cause that yields it.
pub(super) fn cause_of(
    found: &ConfigurationRuns<'_>,
    measure: RecordedMeasure,
    figure: RecordedFigure,
    stated: f64,
) -> Option<Cause> {
    let yields = |values: &[f64]| {
        let spread = Spread::new(values)?;
        let value = match figure {
            RecordedFigure::Mean(_) => Some(spread.mean),
            RecordedFigure::Least(_) => Some(spread.min),
            RecordedFigure::Most(_) => Some(spread.max),
            _ => spread.stddev,
        };
        value.filter(|value| measure.yields(stated, *value))
    };
    if measure == RecordedMeasure::PassRate {
        let runs = &found.runs;
        let of_runs: Vec<f64> = runs.iter().map(|run| run.rate.unwrap_or(0.0)).collect();
        let of_checks: Vec<f64> = runs.iter().map(rate_if_failed).collect();
        let is_any_ungraded = runs.iter().any(|run| run.rate.is_none() || run.tally.ungraded > 0);
        if is_any_ungraded && (yields(&of_runs).is_some() || yields(&of_checks).is_some()) {
            return Some(Cause::UngradedAsZero);
        }
    }
    let listed: Vec<f64> = found.list.iter().filter_map(|run| run.value(measure)).collect();
    if found.has_other_cases && yields(&listed).is_some() {
        return Some(other_cases(found));
    }
    None
}

/// Why checks passed and checks in all are recorded as `stated`.
pub(super) fn cause_of_counts(found: &ConfigurationRuns<'_>, stated: (f64, f64)) -> Option<Cause> {
    let own = found.tally();
    if own.ungraded > 0 && stated == (own.passed as f64, own.total() as f64) {
        return Some(Cause::UngradedAsZero);
    }
    let listed = found.list.iter().map(|run| run.tally).sum::<Tally>();
    if found.has_other_cases && stated == (listed.passed as f64, listed.graded() as f64) {
        return Some(other_cases(found));
    }
    None
}

fn other_cases(found: &ConfigurationRuns<'_>) -> Cause {
    Cause::OtherCases { listed: found.list.len(), found: found.graded().count() }
}

/// The pass rate of a run whose missing verdicts are failures; 0 without any.
fn rate_if_failed(run: &RunFigures<'_>) -> f64 {
    match run.tally.total() {
        0 => run.rate.unwrap_or(0.0),
        total => run.tally.passed as f64 / total as f64,
    }
}
