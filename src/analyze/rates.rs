//! Tallies and rates of one case under one configuration.

use crate::analyze::{CaseHistory, Side};
use input::model::{Case, Expectation, Outcome, Run, Tally, Workspace};
use statistics::mean;

pub fn tally(workspace: &Workspace, history: &CaseHistory, side: &Side) -> Tally {
    history.runs(workspace, side).map(Run::tally).sum()
}

pub fn tally_of(case: &Case, configuration: &str) -> Tally {
    case.runs_of(configuration).map(Run::tally).sum()
}

/// The judged expectations of a run whose grading uses scores from 1 to 5; `None` for any other.
pub(super) fn scored_expectations(run: &Run) -> Option<impl Iterator<Item = &Expectation>> {
    let scored = run.grading().filter(|grading| grading.is_scored)?;
    Some(scored.expectations.iter().filter(|found| found.outcome != Outcome::Ungraded))
}

/// The value of a case in every rate and gain: the mean pass rate of the graded runs of one
/// configuration, in 0..=1, however many checks each has. `None` without a verdict.
// The skill-creator takes the mean over runs instead: a case that ran thrice weighs three times.
pub fn case_rate(case: &Case, configuration: &str) -> Option<f64> {
    let rates = case.runs_of(configuration).filter_map(|run| run.tally().pass_rate());
    mean(&rates.collect::<Vec<_>>())
}
