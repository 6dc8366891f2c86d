//! Which sides are compared: each candidate with the baseline, with the other baseline of a round that
//! ran no skill, the old skill and the new one, and with itself in the previous, the first, the best
//! and the pinned iteration.

use std::collections::BTreeMap;

use crate::analyze::roles::{find_baseline, is_earlier_version};
use crate::analyze::{Against, IterationAnalysis, Side};
use input::model::Workspace;
use input::settings::Settings;

/// What the settings pin as the earlier side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pin {
    /// The side that is `best`, `first` or `previous` for the later one.
    Relation(Against),
    Iteration(usize),
}

/// A relation by its word, else an iteration by its name, ignoring case; exact names go first.
pub(super) fn find_pin(workspace: &Workspace, name: &str) -> Option<Pin> {
    for relation in [Against::Best, Against::First, Against::Previous] {
        if relation.word() == name {
            return Some(Pin::Relation(relation));
        }
    }
    // Two folders may differ in case only; then the exact name is meant.
    let lower = name.to_lowercase();
    let rounds = &workspace.iterations;
    rounds
        .iter()
        .position(|known| known.name == name)
        .or_else(|| rounds.iter().position(|known| known.name.to_lowercase() == lower))
        .map(Pin::Iteration)
}

/// Whether iterations of `workspace` can be compared with `name`: `best`, `first`, `previous` or
/// the name of an iteration.
pub fn can_be_pinned(workspace: &Workspace, name: &str) -> bool {
    find_pin(workspace, name).is_some()
}

pub(super) struct Sides<'a> {
    pub(super) iterations: &'a [IterationAnalysis],
    pub(super) best: &'a BTreeMap<String, usize>,
    pub(super) pin: Option<Pin>,
    pub(super) settings: &'a Settings,
}

/// Two sides to compare, with every reason for it.
pub(super) struct SidePair {
    pub(super) before: Side,
    pub(super) after: Side,
    pub(super) against: Vec<Against>,
}

impl Sides<'_> {
    /// Each pair of sides once.
    pub(super) fn pairs(&self, iteration: usize) -> Vec<SidePair> {
        let analysis = &self.iterations[iteration];
        let candidates = analysis.roles.candidates.iter().filter(|name| analysis.is_graded(name));
        let candidates: Vec<Side> = candidates.map(|name| Side::new(iteration, name)).collect();
        let mut pairs: Vec<SidePair> = Vec::new();
        for after in &candidates {
            if let Some(baseline) = analysis.roles.baseline_of(&after.configuration)
                && analysis.is_graded(baseline)
            {
                let (before, after) = (Side::new(iteration, baseline), after.clone());
                pairs.push(SidePair { before, after, against: vec![Against::Baseline] });
            }
        }
        for after in &candidates {
            if let Some(before) = self.other_baseline(after, &candidates) {
                let (before, after) = (before.clone(), after.clone());
                pairs.push(SidePair { before, after, against: vec![Against::OtherBaseline] });
            }
        }
        for after in candidates {
            for (before, relation) in self.earlier(&after) {
                let known =
                    pairs.iter_mut().find(|pair| pair.before == before && pair.after == after);
                match known {
                    Some(pair) => pair.against.push(relation),
                    None => pairs.push(SidePair {
                        before,
                        after: after.clone(),
                        against: vec![relation],
                    }),
                }
            }
        }
        pairs
    }

    /// The candidate that is a baseline by its name and answers the question that the baseline of `after`
    /// leaves open: does the skill help, or did its last change?
    fn other_baseline<'c>(&self, after: &Side, candidates: &'c [Side]) -> Option<&'c Side> {
        let roles = &self.iterations[after.iteration].roles;
        let name = roles.baseline_of(&after.configuration)?;
        if self.is_named_baseline(after) {
            return None;
        }
        let baseline = Side::new(after.iteration, name);
        candidates.iter().find(|other| {
            // Under several models each has its own baselines.
            roles.baseline_of(&other.configuration) == Some(name)
                && self.is_named_baseline(other)
                && is_earlier_version(other, after) != is_earlier_version(&baseline, after)
        })
    }

    fn is_named_baseline(&self, side: &Side) -> bool {
        // In `opus/old_skill` the condition says nothing about the version.
        let arm = side.configuration.rsplit('/').next().unwrap_or_default();
        find_baseline(&[arm.to_owned()], self.settings).is_some()
    }

    /// The earlier sides of `after`, by their relation to it.
    fn earlier(&self, after: &Side) -> Vec<(Side, Against)> {
        let Side { iteration, configuration } = after;
        let mut earlier = self.iterations[..*iteration].iter();
        let first = earlier.position(|earlier| earlier.is_graded(configuration));
        let best = self.best.get(configuration).copied();
        let current = self.iterations[*iteration].configuration(configuration);
        let previous = current.and_then(|current| current.previous.clone());
        let mut sides: Vec<(Side, Against)> = Vec::new();
        sides.extend(previous.map(|previous| (previous, Against::Previous)));
        for (index, relation) in
            [(first, Against::First), (best.filter(|best| best < iteration), Against::Best)]
        {
            sides.extend(index.map(|index| (Side::new(index, configuration), relation)));
        }
        let pinned = match self.pin {
            Some(Pin::Relation(wanted)) => {
                sides.iter().find(|(_, relation)| *relation == wanted).map(|(side, _)| side.clone())
            }
            Some(Pin::Iteration(pinned)) if pinned < *iteration => {
                self.counterpart(pinned, configuration)
            }
            _ => None,
        };
        sides.extend(pinned.map(|side| (side, Against::Pinned)));
        sides
    }

    /// The same configuration in another iteration, else the first candidate there.
    fn counterpart(&self, iteration: usize, name: &str) -> Option<Side> {
        let found = &self.iterations[iteration];
        // A renamed candidate is compared with the one that led the pinned iteration.
        if found.is_graded(name) {
            return Some(Side::new(iteration, name));
        }
        let lead = &found.candidate()?.name;
        if found.is_graded(lead) { Some(Side::new(iteration, lead)) } else { None }
    }
}
