//! What a case counts for: from this every level and every gain by case is made.

use crate::model::Case;
use crate::statistics::mean;

/// Mean pass rate of the graded runs of one configuration of a case, in 0..=1, however many checks
/// each has. `None` without a verdict.
pub(super) fn rate_of(case: &Case, configuration: &str) -> Option<f64> {
    let runs = case.runs.iter().filter(|run| run.configuration == configuration);
    let rates: Vec<f64> = runs.filter_map(|run| run.tally().pass_rate()).collect();
    mean(&rates)
}
