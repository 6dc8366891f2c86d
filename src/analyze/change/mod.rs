//! One side against another in every respect: gain, costs and other differences.

mod costs;
pub(super) mod gain;

pub use crate::analyze::change::costs::{Cost, Costs, RunCost, spent};
pub use crate::analyze::change::gain::{Gain, SCORES, gain};

use crate::analyze::change::gain::Comparison;
pub use crate::statistics::{ClaimScope, Verdict};

use std::cmp::Ordering;
use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::analyze::roles::find_baseline;
use crate::analyze::{
    Analysis, Best, CaseHistory, ConfigurationSummary, IterationAnalysis, Side, previous_iteration,
};
use crate::model::Workspace;
use crate::settings::Settings;
use crate::statistics::{PValues, adjusted};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Against {
    Baseline,
    /// The same configuration in the last iteration before that ran the case.
    Previous,
    /// The same configuration in the first iteration that graded it.
    First,
    /// The same configuration in its best iteration.
    Best,
    Pinned,
}

impl Against {
    /// In the order of the variants, with their words, which are also keys in the tables of words.
    const WORDS: [(Self, &'static str); 5] = [
        (Self::Baseline, "baseline"),
        (Self::Previous, "previous"),
        (Self::First, "first"),
        (Self::Best, "best"),
        (Self::Pinned, "pinned"),
    ];

    pub fn word(self) -> &'static str {
        Self::WORDS[self as usize].1
    }
}

/// A side compared with an earlier one, or with the baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Why the two are compared: every relation of the earlier side to the later one.
    pub against: Vec<Against>,
    pub before: Side,
    pub after: Side,
    pub gain: Gain,
    /// Its cost as a multiple of the earlier one's, on the cases of the gain.
    pub costs: Costs,
}

impl Change {
    pub fn sides(&self) -> [&Side; 2] {
        [&self.before, &self.after]
    }

    pub fn is_within_iteration(&self) -> bool {
        self.before.is_within_iteration(&self.after)
    }
}

pub fn change(
    workspace: &Workspace,
    lines: &[CaseHistory],
    before: &Side,
    after: &Side,
    settings: &Settings,
) -> Change {
    let gain = gain(workspace, lines, before, after);
    Change {
        against: Vec::new(),
        costs: costs::compare_costs(workspace, lines, &gain.shared, [before, after], settings),
        before: before.clone(),
        after: after.clone(),
        gain,
    }
}

impl Analysis {
    /// The comparisons of the sides of one iteration: each candidate with the baseline and with its
    /// earlier iterations.
    pub fn changes_in(&self, iteration: usize) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(move |change| change.after.iteration == iteration)
    }

    /// The change of `after` against that side; `None` where there is none.
    pub fn change(&self, after: &Side, against: Against) -> Option<&Change> {
        let mut changes = self.changes.iter();
        changes.find(|change| change.after == *after && change.against.contains(&against))
    }

    /// The leading change of `after`. The worst news comes first, so that a fall is not hidden by a
    /// baseline that fell as well. Else it is the change against the baseline, the side pinned in
    /// the settings, or the iteration before.
    pub fn lead(&self, after: &Side) -> Option<&Change> {
        let order = [Against::Baseline, Against::Pinned, Against::Previous];
        let changes: Vec<&Change> =
            order.into_iter().filter_map(|against| self.change(after, against)).collect();
        let bad = changes.iter().filter(|change| change.gain.verdict().is_worse());
        bad.min_by_key(|change| change.gain.verdict().rank()).or(changes.first()).copied()
    }

    /// Puts the best candidate of each iteration first: by its verdict against the baseline, else
    /// against the iteration before, then by its gain. An order set by the user stays. A candidate
    /// named like a baseline represents an iteration only where no other does.
    pub(super) fn order_candidates(&mut self, settings: &Settings) {
        if !settings.order.is_empty() {
            return;
        }
        for at in 0..self.iterations.len() {
            let place = |name: &str| {
                let side = Side::new(at, name);
                let change = self
                    .change(&side, Against::Baseline)
                    .or_else(|| self.change(&side, Against::Previous));
                let gain = change.map(|change| &change.gain);
                let is_baseline = find_baseline(&[name.to_owned()], settings).is_some();
                let rank = gain.map_or(0, |gain| gain.verdict().rank());
                let mean = gain.and_then(Gain::paired).map_or(0.0, |paired| paired.mean);
                (self.iterations[at].is_graded(name), !is_baseline, rank, mean)
            };
            let mut candidates: Vec<_> = self.iterations[at].roles.candidates.clone();
            candidates.sort_by(|a, b| place(b).partial_cmp(&place(a)).unwrap_or(Ordering::Equal));
            let analysis = &mut self.iterations[at];
            analysis.roles.candidates = candidates;
            let order: Vec<&str> = analysis.roles.order().collect();
            let place = |summary: &ConfigurationSummary| {
                order.iter().position(|name| *name == summary.name)
            };
            analysis.configurations.sort_by_key(place);
        }
    }
}

pub(super) fn changes(
    workspace: &Workspace,
    lines: &[CaseHistory],
    iterations: &[IterationAnalysis],
    best: &BTreeMap<String, Best>,
    settings: &Settings,
) -> Vec<Change> {
    let pin = settings.against.as_deref().and_then(|name| find_pin(workspace, name));
    let sides = Sides { iterations, best, pin };
    let changes_in_iteration = |index: usize| {
        let mut all_changes: Vec<Change> = Vec::new();
        for (before, after, against) in sides.pairs_of(index) {
            let change = change(workspace, lines, &before, &after, settings);
            all_changes.push(Change { against, ..change });
        }
        // Otherwise one of twenty candidates that do nothing would be settled.
        for (kind, _) in Against::WORDS {
            let same_kind = all_changes.iter_mut().filter(|change| change.against.contains(&kind));
            adjust_together(same_kind.map(|change| &mut change.gain));
        }
        all_changes
    };
    (0..iterations.len()).into_par_iter().flat_map_iter(changes_in_iteration).collect()
}

/// Adjusts gains that are looked at together, by Holm. A gain in several groups keeps the strictest
/// adjustment.
pub fn adjust_together<'a>(gains: impl Iterator<Item = &'a mut Gain>) {
    let mut comparisons: Vec<&mut Comparison> =
        gains.filter_map(|gain| gain.comparison.as_mut()).collect();
    let p: Vec<PValues> = comparisons.iter().map(|comparison| comparison.evidence.p()).collect();
    for (comparison, adjusted) in comparisons.iter_mut().zip(adjusted(&p).unwrap_or_default()) {
        comparison.adjusted_p = comparison.adjusted_p.max(adjusted);
        comparison.at_once = comparison.at_once.max(p.len());
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pin {
    /// The side in this role for the iteration.
    Part(Against),
    Iteration(usize),
}

/// A role by its word, else an iteration by its name, ignoring case; exact names go first.
fn find_pin(workspace: &Workspace, name: &str) -> Option<Pin> {
    let parts = [Against::Best, Against::First, Against::Previous];
    if let Some(part) = parts.into_iter().find(|part| part.word() == name) {
        return Some(Pin::Part(part));
    }
    let place = |is_meant: &dyn Fn(&str) -> bool| {
        workspace.iterations.iter().position(|found| is_meant(&found.name))
    };
    let lower = name.to_lowercase();
    let exact = place(&|known| known == name);
    exact.or_else(|| place(&|known| known.to_lowercase() == lower)).map(Pin::Iteration)
}

/// Whether iterations of `workspace` can be compared with `name`: `best`, `first`, `previous` or
/// the name of an iteration.
pub fn can_be_pinned(workspace: &Workspace, name: &str) -> bool {
    find_pin(workspace, name).is_some()
}

struct Sides<'a> {
    iterations: &'a [IterationAnalysis],
    best: &'a BTreeMap<String, Best>,
    pin: Option<Pin>,
}

impl Sides<'_> {
    /// Each pair of sides once, with every reason for it.
    fn pairs_of(&self, iteration: usize) -> Vec<(Side, Side, Vec<Against>)> {
        let analysis = &self.iterations[iteration];
        let candidates = analysis.roles.candidates.iter().filter(|name| analysis.is_graded(name));
        let candidates: Vec<Side> = candidates.map(|name| Side::new(iteration, name)).collect();
        let baselines = candidates.iter().filter_map(|after| {
            let name = analysis.roles.baseline_of(&after.configuration)?;
            let before = Side::new(iteration, name);
            analysis.is_graded(name).then_some((before, after, Against::Baseline))
        });
        let earlier = candidates.iter().flat_map(|after| {
            self.earlier(after).into_iter().map(move |(before, against)| (before, after, against))
        });
        let mut pairs: Vec<(Side, Side, Vec<Against>)> = Vec::new();
        for (before, after, against) in baselines.chain(earlier) {
            match pairs.iter_mut().find(|(b, a, _)| *b == before && a == after) {
                Some((_, _, known)) => known.push(against),
                None => pairs.push((before, after.clone(), vec![against])),
            }
        }
        pairs
    }

    fn earlier(&self, after: &Side) -> Vec<(Side, Against)> {
        let Side { iteration, configuration } = after;
        let mut earlier = self.iterations[..*iteration].iter();
        let best = self.best.get(configuration).map(|best| best.iteration);
        let parts = [
            (previous_iteration(self.iterations, after), Against::Previous),
            (earlier.position(|earlier| earlier.is_graded(configuration)), Against::First),
            (best.filter(|best| best < iteration), Against::Best),
        ];
        let side = |(at, against): (Option<usize>, Against)| {
            Some((Side::new(at?, configuration), against))
        };
        let mut found: Vec<(Side, Against)> = parts.into_iter().filter_map(side).collect();
        let pinned = match self.pin {
            Some(Pin::Part(part)) => {
                found.iter().find(|(_, against)| *against == part).map(|(side, _)| side.clone())
            }
            Some(Pin::Iteration(pinned)) if pinned < *iteration => {
                self.counterpart(pinned, configuration)
            }
            _ => None,
        };
        found.extend(pinned.map(|side| (side, Against::Pinned)));
        found
    }

    /// The same configuration in another iteration, else the first candidate there.
    fn counterpart(&self, iteration: usize, name: &str) -> Option<Side> {
        let found = &self.iterations[iteration];
        let lead = found.candidate().map(|found| found.name.as_str());
        let mut names = [Some(name), lead].into_iter().flatten();
        names.find(|name| found.is_graded(name)).map(|name| Side::new(iteration, name))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    PassRate,
    /// The mean score, 1 to 5.
    Score,
}

impl Measure {
    pub fn word(self) -> &'static str {
        match self {
            Self::PassRate => "pass rate",
            Self::Score => "score",
        }
    }

    /// The measure with this word; reports without one knew only the pass rate.
    pub fn from_word(word: &str) -> Self {
        if word == Self::Score.word() { Self::Score } else { Self::PassRate }
    }
}

#[cfg(test)]
mod tests {
    use crate::analyze::{Side, analysis};
    use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
    use crate::settings::Settings;

    fn iteration(name: &str, configurations: &[(&str, usize)]) -> Iteration {
        let run = |(configuration, passed): &(&str, usize)| {
            let expectation = |at: usize| Expectation {
                text: format!("x{at}"),
                outcome: if at < *passed { Outcome::Passed } else { Outcome::Failed },
                ..Expectation::default()
            };
            let expectations = (0..4).map(expectation).collect();
            let gradings = vec![Grading { expectations, ..Grading::default() }];
            Run { configuration: (*configuration).to_owned(), gradings, ..Run::default() }
        };
        let runs = configurations.iter().map(run).collect();
        Iteration {
            name: name.to_owned(),
            configurations: configurations.iter().map(|(name, _)| (*name).to_owned()).collect(),
            cases: vec![Case { name: "a".to_owned(), runs, ..Case::default() }],
            ..Iteration::default()
        }
    }

    /// `3: baseline 3 b, previous+best 2 a` for every change.
    fn written(against: Option<&str>) -> Vec<String> {
        let workspace = Workspace {
            iterations: vec![
                iteration("one", &[("a", 1), ("baseline", 1)]),
                iteration("two", &[("a", 3)]),
                iteration("three", &[("c", 2)]),
                iteration("four", &[("a", 2), ("baseline", 1)]),
            ],
            ..Workspace::default()
        };
        let toml = against.map_or(String::new(), |name| format!("against = '{name}'"));
        let actual = analysis(&workspace, &Settings::read(&toml).unwrap());
        let side = |side: &Side| format!("{} {}", side.iteration, side.configuration);
        let changes = actual.changes.iter().map(|change| {
            let words: Vec<&str> = change.against.iter().map(|against| against.word()).collect();
            format!("{} {} {}", side(&change.after), words.join("+"), side(&change.before))
        });
        changes.collect()
    }

    #[test]
    fn every_pair_of_sides_once_with_all_its_reasons() {
        let expected = [
            "0 a baseline 0 baseline",
            "1 a previous+first 0 a",
            "3 a baseline 3 baseline",
            "3 a previous+best 1 a",
            "3 a first 0 a",
        ];
        assert_eq!(written(None), expected);
        assert_eq!(written(Some("best"))[3], "3 a previous+best+pinned 1 a");
        assert_eq!(written(Some("ONE")).last().unwrap(), "3 a first+pinned 0 a");
        assert_eq!(written(Some("three")).last().unwrap(), "3 a pinned 2 c");
        assert_eq!(written(Some("four")), expected, "nothing is held against itself");
    }
}
