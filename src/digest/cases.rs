//! The cases of a comparison with their runs and checks, the worst first.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::analyze::{Analysis, Change, Flip, FlipKind, Side, Statement, statements};
use crate::digest::{FlipCache, case_result::are_apart};
use crate::model::{Tally, Workspace};
use crate::statistics::mean;

/// One case of a candidate, compared with another side where there is one.
pub(crate) struct ComparedCase {
    /// Its line in the analysis.
    pub(crate) line: usize,
    /// What each graded run of the candidate counts, in 0..=1.
    pub(crate) candidate: Vec<f64>,
    /// The same of the other side; empty where it has no verdict.
    pub(crate) other: Vec<f64>,
    /// Whether both sides can be compared: the same prompt, and enough checks in common.
    pub(crate) is_compared: bool,
    /// Its checks.
    pub(crate) checks: Vec<ComparedCheck>,
}

/// A check of a case on both sides.
#[derive(Clone, Copy)]
pub(crate) struct ComparedCheck {
    pub(crate) candidate: Tally,
    pub(crate) other: Tally,
    /// `None` where there is no other side.
    pub(crate) kind: Option<FlipKind>,
}

impl ComparedCase {
    /// The candidate's mean minus that of the other side; `None` where they cannot be compared.
    pub(crate) fn difference(&self) -> Option<f64> {
        let both = mean(&self.candidate).zip(mean(&self.other)).filter(|_| self.is_compared);
        both.map(|(candidate, other)| candidate - other)
    }

    /// Whether the worst run of one side is better than the best run of the other.
    pub(crate) fn is_clear(&self) -> bool {
        are_apart(&self.candidate, &self.other)
    }

    /// How many checks fared so.
    pub(crate) fn count(&self, kind: FlipKind) -> usize {
        self.checks.iter().filter(|check| check.kind == Some(kind)).count()
    }

    /// Regressed cases first, then the smallest gain, then what cannot be compared by its rate.
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

/// Every line of the analysis in the order of the overview: the cases of the newest comparison, the
/// worst first, then those that it does not have.
pub(crate) fn case_order(known: &FlipCache<'_>) -> Vec<usize> {
    let FlipCache { workspace, analysis, .. } = *known;
    let mut order: Vec<usize> = Vec::new();
    if let Some(side) = analysis.newest_candidate() {
        order = match analysis.lead(&side) {
            Some(lead) => {
                let cases = compared_cases(known, lead);
                cases.iter().map(|case| case.line).collect()
            }
            None => cases_of(workspace, analysis, &side).iter().map(|case| case.line).collect(),
        };
    }
    let mut is_known = vec![false; analysis.lines.len()];
    order.iter().for_each(|line| is_known[*line] = true);
    order.extend((0..is_known.len()).filter(|line| !is_known[*line]));
    order
}

/// The cases of `change`, the worst first. A line that only the other side ran is no case of the
/// candidate.
pub(crate) fn compared_cases(known: &FlipCache<'_>, change: &Change) -> Vec<ComparedCase> {
    let FlipCache { workspace, analysis, .. } = *known;
    let flips = known.between(&change.before, &change.after);
    let runs: BTreeMap<usize, &[Vec<f64>; 2]> =
        change.gain.shared.iter().copied().zip(&change.gain.runs).collect();
    let mut found = Vec::new();
    for line in lines_of(workspace, analysis, &change.after) {
        let [other, candidate] = match runs.get(&line) {
            Some(runs) => (*runs).clone(),
            None => {
                [&change.before, &change.after].map(|side| rates(workspace, analysis, line, side))
            }
        };
        let checks = match flips.on(line) {
            [] => checks_of(workspace, analysis, line, &change.after, Some(FlipKind::New)),
            found => found.iter().map(compared_check).collect(),
        };
        let is_compared = runs.contains_key(&line);
        found.push(ComparedCase { line, candidate, other, is_compared, checks });
    }
    found.sort_by(ComparedCase::order);
    found
}

fn compared_check(flip: &Flip) -> ComparedCheck {
    ComparedCheck { candidate: flip.after, other: flip.before, kind: Some(flip.kind) }
}

/// The cases of `side` by itself, the lowest pass rate first.
pub(crate) fn cases_of(
    workspace: &Workspace,
    analysis: &Analysis,
    side: &Side,
) -> Vec<ComparedCase> {
    let mut found = Vec::new();
    for line in lines_of(workspace, analysis, side) {
        found.push(ComparedCase {
            line,
            candidate: rates(workspace, analysis, line, side),
            other: Vec::new(),
            is_compared: false,
            checks: checks_of(workspace, analysis, line, side, None),
        });
    }
    found.sort_by(ComparedCase::order);
    found
}

/// The checks of `side` by itself, each with that kind.
fn checks_of(
    workspace: &Workspace,
    analysis: &Analysis,
    line: usize,
    side: &Side,
    kind: Option<FlipKind>,
) -> Vec<ComparedCheck> {
    let case = analysis.lines[line].case(workspace, side.iteration);
    let checks = case.map(|case| statements(case, &side.configuration)).unwrap_or_default();
    let check = |statement: &Statement<'_>| ComparedCheck {
        candidate: statement.tally,
        other: Tally::default(),
        kind,
    };
    checks.iter().map(check).collect()
}

/// The lines that the configuration of `side` ran in its iteration.
fn lines_of(workspace: &Workspace, analysis: &Analysis, side: &Side) -> Vec<usize> {
    let lines = analysis.lines.iter().enumerate();
    lines
        .filter(|(_, line)| line.runs(workspace, side).next().is_some())
        .map(|(index, _)| index)
        .collect()
}

fn rates(workspace: &Workspace, analysis: &Analysis, line: usize, side: &Side) -> Vec<f64> {
    let runs = analysis.lines[line].runs(workspace, side);
    runs.filter_map(|run| run.tally().pass_rate()).collect()
}
