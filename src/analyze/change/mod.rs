//! One side against another in every respect: gain, costs, what else differs.

mod comparability;
mod costs;
pub(super) mod gain;

pub use crate::analyze::change::comparability::{Comparability, Names};
pub use crate::analyze::change::costs::{Cost, Costs};
pub use crate::analyze::change::gain::{Gain, Verdict, gain};

use std::collections::BTreeMap;

use crate::analyze::best::Best;
use crate::analyze::flips::Side;
use crate::analyze::lines::CaseLine;
use crate::analyze::pairs::Against;
use crate::analyze::{Analysis, IterationAnalysis};
use crate::model::Workspace;

/// A side and what became of an earlier one, or of the baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Why the two are compared: everything that the earlier side is to the later one.
    pub against: Vec<Against>,
    /// The earlier side, or the baseline.
    pub before: Side,
    /// The later side, or the candidate.
    pub after: Side,
    /// How much more the later side passes.
    pub gain: Gain,
    /// What it costs in times of the earlier one, on the cases of the gain.
    pub costs: Costs,
    /// What else differs.
    pub comparability: Comparability,
}

/// Compares `before` with `after`.
pub fn change(workspace: &Workspace, lines: &[CaseLine], before: &Side, after: &Side) -> Change {
    let gain = gain(workspace, lines, before, after);
    Change {
        against: Vec::new(),
        costs: costs::of(workspace, lines, &gain.shared, [before, after]),
        comparability: comparability::of(workspace, lines, [before, after]),
        before: before.clone(),
        after: after.clone(),
        gain,
    }
}

impl Analysis {
    /// What the sides of one iteration are compared with: each candidate with the baseline, the
    /// first candidate with earlier iterations.
    pub fn changes_in(&self, iteration: usize) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(move |change| change.after.iteration == iteration)
    }

    /// The change of `after` against what the word says; `None` where there is no such side.
    pub fn change(&self, after: &Side, against: Against) -> Option<&Change> {
        let is_it = |it: &&Change| it.after == *after && it.against.contains(&against);
        self.changes.iter().find(is_it)
    }
}

/// Every change of `workspace`, by the iteration of the later side.
pub(super) fn of(
    workspace: &Workspace,
    lines: &[CaseLine],
    iterations: &[IterationAnalysis],
    best: &BTreeMap<String, Best>,
) -> Vec<Change> {
    let sides = Sides { iterations, best };
    let mut found = Vec::new();
    for index in 0..iterations.len() {
        for (before, after, against) in sides.of_iteration(index) {
            let change = change(workspace, lines, &before, &after);
            found.push(Change { against, ..change });
        }
    }
    found
}

/// What is compared with what.
struct Sides<'a> {
    iterations: &'a [IterationAnalysis],
    best: &'a BTreeMap<String, Best>,
}

impl Sides<'_> {
    /// Each pair of sides once, with every reason for it.
    fn of_iteration(&self, iteration: usize) -> Vec<(Side, Side, Vec<Against>)> {
        let roles = &self.iterations[iteration].roles;
        let side = |name: &String| Side { iteration, configuration: name.clone() };
        let candidates = roles.candidates.iter().filter(|name| self.is_graded(iteration, name));
        let baseline = roles.baseline.as_ref().filter(|name| self.is_graded(iteration, name));
        let mut found: Vec<(Side, Side, Vec<Against>)> = Vec::new();
        for name in candidates.clone() {
            let baseline = baseline.map(side);
            found.extend(baseline.map(|base| (base, side(name), vec![Against::Baseline])));
        }
        let Some(first) =
            candidates.clone().next().filter(|it| Some(*it) == roles.candidates.first())
        else {
            return found;
        };
        for (at, against) in self.earlier(iteration, first) {
            let before = Side { iteration: at, configuration: first.clone() };
            match found.iter_mut().find(|(known, _, _)| *known == before) {
                Some((_, _, known)) => known.push(against),
                None => found.push((before, side(first), vec![against])),
            }
        }
        found
    }

    /// The earlier iterations that `name` is held against in `iteration`.
    fn earlier(&self, iteration: usize, name: &str) -> Vec<(usize, Against)> {
        let graded: Vec<usize> = (0..iteration).filter(|at| self.is_graded(*at, name)).collect();
        let best = self.best.get(name).map(|best| best.iteration).filter(|best| *best < iteration);
        let last = graded.last().map(|at| (*at, Against::Previous));
        let first = graded.first().map(|at| (*at, Against::First));
        last.into_iter().chain(first).chain(best.map(|at| (at, Against::Best))).collect()
    }

    fn is_graded(&self, iteration: usize, name: &str) -> bool {
        let found = self.iterations[iteration].configuration(name);
        found.is_some_and(|summary| summary.tally.graded() > 0)
    }
}
