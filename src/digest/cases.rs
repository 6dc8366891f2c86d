//! The cases of a comparison with their runs and checks, the worst first, and the result of a case
//! run by run.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::{Change, Flip, FlipKind, Side, Statement, statements};
use crate::digest::FlipCache;
use crate::model::{Run, Tally};
use crate::statistics::mean;

/// One case of a candidate, compared with another side if there is one.
pub(crate) struct ComparedCase {
    pub(crate) line: usize,
    /// The score of each graded run of the candidate, in 0..=1.
    pub(crate) candidate: Vec<f64>,
    /// The scores of the other side; empty without a verdict.
    pub(crate) other: Vec<f64>,
    /// Whether both sides are comparable: same prompt, and enough checks in common.
    pub(crate) is_compared: bool,
    pub(crate) checks: Vec<ComparedCheck>,
}

#[derive(Clone, Copy)]
pub(crate) struct ComparedCheck {
    pub(crate) candidate: Tally,
    pub(crate) other: Tally,
    /// `None` without another side.
    pub(crate) kind: Option<FlipKind>,
}

impl ComparedCase {
    /// The candidate's mean minus that of the other side; `None` if they are not comparable.
    pub(crate) fn difference(&self) -> Option<f64> {
        let both = mean(&self.candidate).zip(mean(&self.other)).filter(|_| self.is_compared);
        both.map(|(candidate, other)| candidate - other)
    }

    /// Whether the worst run of one side is better than the best run of the other.
    pub(crate) fn is_clear(&self) -> bool {
        do_not_overlap(&self.candidate, &self.other)
    }

    /// Whether a side ran the case several times.
    pub(crate) fn has_runs(&self) -> bool {
        self.candidate.len().max(self.other.len()) > 1
    }

    pub(crate) fn count(&self, kind: FlipKind) -> usize {
        self.checks.iter().filter(|check| check.kind == Some(kind)).count()
    }

    /// Regressed cases first, then by gain, lowest first, then cases that are not comparable.
    fn order(&self, other: &Self) -> Ordering {
        let key = |case: &Self| {
            let rate = mean(&case.candidate).unwrap_or(2.0);
            match case.difference() {
                Some(gain) => (u8::from(case.count(FlipKind::Regressed) == 0), gain, rate),
                None if case.candidate.is_empty() => (3, 0.0, rate),
                None => (2, 0.0, rate),
            }
        };
        key(self).partial_cmp(&key(other)).unwrap_or(Ordering::Equal)
    }
}

/// All case lines in the order of the overview: the cases of the newest comparison, the worst
/// first, then the others.
pub(crate) fn case_order(cache: &FlipCache<'_>) -> Vec<usize> {
    let analysis = cache.analysis;
    let side = analysis.newest_candidate();
    let cases =
        side.map_or_else(Vec::new, |side| compared_cases(cache, &side, analysis.lead(&side)));
    let mut order: Vec<usize> = cases.iter().map(|case| case.line).collect();
    let compared: BTreeSet<usize> = order.iter().copied().collect();
    order.extend((0..analysis.cases.len()).filter(|line| !compared.contains(line)));
    order
}

/// The cases that the candidate `after` ran, the worst first, compared as in `lead` if there is
/// one. Cases that only the other side ran are left out.
pub(crate) fn compared_cases(
    cache: &FlipCache<'_>,
    after: &Side,
    lead: Option<&Change>,
) -> Vec<ComparedCase> {
    let FlipCache { workspace, analysis, .. } = *cache;
    let flips = lead.map(|lead| cache.between(&lead.before, after));
    let gains = lead.into_iter().flat_map(|lead| lead.gain.shared.iter().zip(&lead.gain.runs));
    let runs: BTreeMap<&usize, &[Vec<f64>; 2]> = gains.collect();
    let mut cases = Vec::new();
    for (at, line) in analysis.cases.iter().enumerate() {
        if line.runs(workspace, after).next().is_none() {
            continue;
        }
        let rates = |side: &Side| rates(line.runs(workspace, side));
        let [other, candidate] = match runs.get(&at) {
            Some(runs) => (*runs).clone(),
            None => [lead.map(|lead| rates(&lead.before)).unwrap_or_default(), rates(after)],
        };
        let new_check = |statement: Statement<'_>| ComparedCheck {
            candidate: statement.tally,
            other: Tally::default(),
            kind: lead.map(|_| FlipKind::New),
        };
        let flipped_check = |flip: &Flip| ComparedCheck {
            candidate: flip.after,
            other: flip.before,
            kind: Some(flip.kind),
        };
        let case = line.case(workspace, after.iteration);
        let checks = match flips.as_ref().map_or(&[][..], |flips| flips.on(at)) {
            [] => case
                .map(|case| statements(case, &after.configuration))
                .unwrap_or_default()
                .into_iter()
                .map(new_check)
                .collect(),
            flips => flips.iter().map(flipped_check).collect(),
        };
        let is_compared = runs.contains_key(&at);
        cases.push(ComparedCase { line: at, candidate, other, is_compared, checks });
    }
    cases.sort_by(ComparedCase::order);
    cases
}

fn rates<'r>(runs: impl Iterator<Item = &'r Run>) -> Vec<f64> {
    runs.filter_map(|run| run.tally().pass_rate()).collect()
}

/// The result of two sides of a case, by the pass rates of their runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CaseResult {
    /// Mean pass rate of each side, the candidate first.
    pub(crate) means: [f64; 2],
    pub(crate) runs: [usize; 2],
    /// Whether the candidate did better or worse on average.
    pub(crate) order: Ordering,
    /// Whether the worst run of the better side beats the best of the other.
    pub(crate) is_clear: bool,
}

impl CaseResult {
    /// Compares a candidate's runs with those of the other side; `None` if a side has no graded
    /// run.
    pub(crate) fn new<'r>(
        candidate: impl Iterator<Item = &'r Run>,
        other: impl Iterator<Item = &'r Run>,
    ) -> Option<Self> {
        let (ours, theirs) = (rates(candidate), rates(other));
        let means = [mean(&ours)?, mean(&theirs)?];
        let order = match (means[0] - means[1]).abs() < 1e-9 {
            true => Ordering::Equal,
            false => means[0].total_cmp(&means[1]),
        };
        let is_clear = order != Ordering::Equal && do_not_overlap(&ours, &theirs);
        Some(Self { means, runs: [ours.len(), theirs.len()], order, is_clear })
    }
}

/// Whether the worst run of one side beats the best of the other.
fn do_not_overlap(ours: &[f64], theirs: &[f64]) -> bool {
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
            let result = CaseResult::new(runs(ours).iter(), runs(theirs).iter())?;
            Some((result.order, result.is_clear))
        };
        assert_eq!(result(&[3, 4], &[1, 2]), Some((Ordering::Greater, true)));
        assert_eq!(result(&[2, 4], &[1, 2]), Some((Ordering::Greater, false)));
        assert_eq!(result(&[0], &[1, 2]), Some((Ordering::Less, true)));
        assert_eq!(result(&[1, 3], &[2, 2]), Some((Ordering::Equal, false)));
        assert_eq!(result(&[], &[2]), None);
    }
}
