//! The cases of a comparison with their runs and checks, the worst first, and the result of a case
//! run by run.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::analyze::{
    CaseHistory, Change, Flip, FlipKind, Flips, Measure, Side, Statement, statements,
};
use crate::digest::Comparisons;
use input::model::{Run, Tally};
use statistics::mean;

/// One case of a candidate, compared with another side if there is one.
pub(crate) struct ComparedCase<'a> {
    pub(crate) case_index: usize,
    /// The score of each graded run of the candidate, in 0..=1.
    pub(crate) candidate: Vec<f64>,
    /// The scores of the other side; empty without a verdict.
    pub(crate) other: Vec<f64>,
    /// Whether both sides are comparable: same prompt, and enough checks in common.
    pub(crate) is_compared: bool,
    pub(crate) checks: Vec<ComparedCheck<'a>>,
}

#[derive(Clone, Copy)]
pub(crate) struct ComparedCheck<'a> {
    pub(crate) text: &'a str,
    pub(crate) candidate: Tally,
    pub(crate) other: Tally,
    /// `None` without another side.
    pub(crate) kind: Option<FlipKind>,
}

impl ComparedCase<'_> {
    /// The candidate's mean minus that of the other side; `None` if they are not comparable.
    pub(crate) fn difference(&self) -> Option<f64> {
        if !self.is_compared {
            return None;
        }
        Some(mean(&self.candidate)? - mean(&self.other)?)
    }

    /// Whether the worst run of one side beats the best of the other; never with one run on a side.
    pub(crate) fn is_clear(&self) -> bool {
        do_not_overlap(&self.candidate, &self.other)
    }

    /// Whether no run of either side has a verdict.
    pub(crate) fn is_ungraded(&self) -> bool {
        self.candidate.is_empty() && self.other.is_empty()
    }

    /// Whether a side ran the case several times.
    pub(crate) fn has_runs(&self) -> bool {
        self.candidate.len().max(self.other.len()) > 1
    }

    /// Whether a graded side ran the case once.
    pub(crate) fn has_single_side(&self) -> bool {
        self.candidate.len() == 1 || self.other.len() == 1
    }

    pub(crate) fn count(&self, kind: FlipKind) -> usize {
        self.checks.iter().filter(|check| check.kind == Some(kind)).count()
    }

    /// Regressed cases first, then by gain, lowest first, then cases that are not comparable, then
    /// those without a verdict.
    fn order(&self, other: &Self) -> Ordering {
        self.rank().partial_cmp(&other.rank()).unwrap_or(Ordering::Equal)
    }

    fn rank(&self) -> (u8, f64, f64) {
        let Some(rate) = mean(&self.candidate) else { return (3, 0.0, 0.0) };
        match self.difference() {
            // A check that got worse is news even in a case that gained on the whole.
            Some(gain) if self.count(FlipKind::Regressed) > 0 => (0, gain, rate),
            Some(gain) => (1, gain, rate),
            None => (2, 0.0, rate),
        }
    }
}

/// All cases in the order of the overview: the cases of the newest comparison, the worst
/// first, then the others.
pub(crate) fn case_order(comparisons: &Comparisons<'_>) -> Vec<usize> {
    let analysis = comparisons.analysis;
    let mut order = Vec::new();
    if let Some(side) = analysis.shown_side() {
        let cases = compared_cases(comparisons, &side, analysis.lead(&side));
        order.extend(cases.iter().map(|case| case.case_index));
    }
    let compared: BTreeSet<usize> = order.iter().copied().collect();
    order.extend((0..analysis.cases.len()).filter(|case_index| !compared.contains(case_index)));
    order
}

/// The cases that the candidate `after` ran, the worst first, compared as in `lead` if there is
/// one. Cases that only the other side ran are left out.
pub(crate) fn compared_cases<'a>(
    comparisons: &Comparisons<'a>,
    after: &Side,
    lead: Option<&Change>,
) -> Vec<ComparedCase<'a>> {
    let mut scores = BTreeMap::new();
    if let Some(lead) = lead {
        scores.extend(lead.gain.shared.iter().copied().zip(&lead.gain.runs));
    }
    let flips = lead.map(|lead| comparisons.between(&lead.before, after));
    let comparison = CaseComparison { comparisons, after, lead, scores, flips };
    let mut cases = Vec::new();
    for (case_index, history) in comparisons.analysis.cases.iter().enumerate() {
        if history.runs(comparisons.workspace, after).next().is_some() {
            cases.push(comparison.case(case_index, history));
        }
    }
    cases.sort_by(ComparedCase::order);
    cases
}

struct CaseComparison<'c, 'a> {
    comparisons: &'c Comparisons<'a>,
    after: &'c Side,
    lead: Option<&'c Change>,
    /// The scores of the runs of both sides by case, the earlier side first.
    scores: BTreeMap<usize, &'c [Vec<f64>; 2]>,
    flips: Option<Arc<Flips<'a>>>,
}

impl<'a> CaseComparison<'_, 'a> {
    fn case(&self, case_index: usize, history: &CaseHistory) -> ComparedCase<'a> {
        let workspace = self.comparisons.workspace;
        let checks = self.checks(case_index, history);
        // The gain counts only checks that both sides have, and scores where all checks have one.
        if let Some([other, candidate]) = self.scores.get(&case_index) {
            let (candidate, other) = (candidate.clone(), other.clone());
            return ComparedCase { case_index, candidate, other, is_compared: true, checks };
        }
        let mut other = Vec::new();
        if let Some(lead) = self.lead {
            other = rates(history.runs(workspace, &lead.before));
        }
        let candidate = rates(history.runs(workspace, self.after));
        ComparedCase { case_index, candidate, other, is_compared: false, checks }
    }

    fn checks(&self, case_index: usize, history: &CaseHistory) -> Vec<ComparedCheck<'a>> {
        if let Some(flips) = &self.flips
            && !flips.on(case_index).is_empty()
        {
            return flips.on(case_index).iter().map(ComparedCheck::changed).collect();
        }
        let Some(case) = history.case(self.comparisons.workspace, self.after.iteration) else {
            return Vec::new();
        };
        let kind = if self.lead.is_some() { Some(FlipKind::New) } else { None };
        let statements = statements(case, &self.after.configuration);
        statements.iter().map(|statement| ComparedCheck::alone(statement, kind)).collect()
    }
}

impl<'a> ComparedCheck<'a> {
    fn changed(flip: &Flip<'a>) -> Self {
        let (candidate, other) = (flip.after, flip.before);
        Self { text: flip.text, candidate, other, kind: Some(flip.kind) }
    }

    /// A check that only the candidate has.
    fn alone(statement: &Statement<'a>, kind: Option<FlipKind>) -> Self {
        let (text, candidate) = (statement.text, statement.tally);
        Self { text, candidate, other: Tally::default(), kind }
    }
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
    /// Whether the worst run of the better side beats the best of the other; never with one run on a
    /// side.
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
        let order = Measure::PassRate.direction(means[0] - means[1]);
        let is_clear = order != Ordering::Equal && do_not_overlap(&ours, &theirs);
        Some(Self { means, runs: [ours.len(), theirs.len()], order, is_clear })
    }
}

/// Whether the worst run of one side beats the best of the other. One run on a side shows nothing of
/// how much its runs vary.
fn do_not_overlap(ours: &[f64], theirs: &[f64]) -> bool {
    if ours.len().min(theirs.len()) < 2 {
        return false;
    }
    lowest(ours) > highest(theirs) || highest(ours) < lowest(theirs)
}

fn lowest(rates: &[f64]) -> f64 {
    rates.iter().copied().fold(f64::INFINITY, f64::min)
}

fn highest(rates: &[f64]) -> f64 {
    rates.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::CaseResult;
    use input::model::{Expectation, Grading, Outcome, Run};

    /// A run that passes the first `passed` of four checks.
    fn run(passed: &usize) -> Run {
        let mut grading = Grading::default();
        for at in 0..4 {
            let outcome = if at < *passed { Outcome::Passed } else { Outcome::Failed };
            grading.expectations.push(Expectation { outcome, ..Expectation::default() });
        }
        Run { gradings: vec![grading], ..Run::default() }
    }

    #[test]
    fn a_result_is_clear_if_the_worst_run_of_a_side_beats_the_best_of_the_other() {
        let table: [(&[usize], &[usize], Option<(Ordering, bool)>); 6] = [
            (&[3, 4], &[1, 2], Some((Ordering::Greater, true))),
            (&[2, 4], &[1, 2], Some((Ordering::Greater, false))),
            (&[0, 0], &[1, 2], Some((Ordering::Less, true))),
            (&[0], &[1, 2], Some((Ordering::Less, false))),
            (&[1, 3], &[2, 2], Some((Ordering::Equal, false))),
            (&[], &[2], None),
        ];
        for (ours, theirs, expected) in table {
            let runs = [ours, theirs].map(|side| side.iter().map(run).collect::<Vec<Run>>());
            let result = CaseResult::new(runs[0].iter(), runs[1].iter());
            assert_eq!(result.map(|result| (result.order, result.is_clear)), expected);
        }
    }
}
