//! How two sides of one case did, run by run.

use std::cmp::Ordering;

use crate::model::Run;
use crate::statistics::mean;

/// Two sides of a case by the pass rates of their runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CaseResult {
    /// The mean pass rate of the runs of each side, the candidate first.
    pub(crate) means: [f64; 2],
    /// How many graded runs each has.
    pub(crate) runs: [usize; 2],
    /// Whether the candidate did better or worse on average.
    pub(crate) order: Ordering,
    /// Whether the worst run of the better side beats the best of the other.
    pub(crate) is_apart: bool,
}

impl CaseResult {
    /// The result of a candidate's runs and those of the other side; `None` where a side has no
    /// graded run.
    pub(crate) fn of<'r>(
        candidate: impl Iterator<Item = &'r Run>,
        other: impl Iterator<Item = &'r Run>,
    ) -> Option<Self> {
        let rates = |runs: &mut dyn Iterator<Item = &'r Run>| -> Vec<f64> {
            runs.filter_map(|run| run.tally().pass_rate()).collect()
        };
        let [ours, theirs] = [rates(&mut { candidate }), rates(&mut { other })];
        let means = [mean(&ours)?, mean(&theirs)?];
        let order = match (means[0] - means[1]).abs() < 1e-9 {
            true => Ordering::Equal,
            false => means[0].total_cmp(&means[1]),
        };
        let is_apart = order != Ordering::Equal && are_apart(&ours, &theirs);
        Some(Self { means, runs: [ours.len(), theirs.len()], order, is_apart })
    }
}

/// Whether the worst run of one side beats the best of the other.
pub(super) fn are_apart(ours: &[f64], theirs: &[f64]) -> bool {
    let least = |rates: &[f64]| rates.iter().copied().fold(f64::INFINITY, f64::min);
    let most = |rates: &[f64]| rates.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    least(ours) > most(theirs) || most(ours) < least(theirs)
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::CaseResult;
    use crate::model::{Expectation, Grading, Outcome, Run};

    fn runs(passed: &[usize]) -> Vec<Run> {
        let run = |passed: &usize| {
            let outcome = |at| if at < *passed { Outcome::Passed } else { Outcome::Failed };
            let check = |at| Expectation { outcome: outcome(at), ..Expectation::default() };
            let expectations = (0..4).map(check).collect();
            Run { gradings: vec![Grading { expectations, ..Grading::default() }], ..Run::default() }
        };
        passed.iter().map(run).collect()
    }

    #[test]
    fn a_side_is_apart_where_its_worst_run_beats_the_best_of_the_other() {
        let result = |ours: &[usize], theirs: &[usize]| {
            let result = CaseResult::of(runs(ours).iter(), runs(theirs).iter())?;
            Some((result.order, result.is_apart))
        };
        assert_eq!(result(&[3, 4], &[1, 2]), Some((Ordering::Greater, true)));
        assert_eq!(result(&[2, 4], &[1, 2]), Some((Ordering::Greater, false)));
        assert_eq!(result(&[0], &[1, 2]), Some((Ordering::Less, true)));
        assert_eq!(result(&[1, 3], &[2, 2]), Some((Ordering::Equal, false)));
        assert_eq!(result(&[], &[2]), None);
    }
}
