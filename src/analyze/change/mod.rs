//! One side against another in every respect: gain, costs, what else differs.

mod comparability;
mod costs;
pub(super) mod gain;

pub use crate::analyze::change::comparability::Comparability;
pub use crate::analyze::change::costs::{Cost, Costs};
pub use crate::analyze::change::gain::{Gain, Verdict, gain};

use std::collections::BTreeMap;

use crate::analyze::best::Best;
use crate::analyze::flips::Side;
use crate::analyze::lines::CaseLine;
use crate::analyze::pairs::Against;
use crate::analyze::{Analysis, IterationAnalysis};
use crate::model::Workspace;
use crate::settings::Settings;
use crate::statistics::holm;

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

impl Change {
    /// Whether both sides are of one iteration, so that neither is earlier or later.
    pub fn is_beside(&self) -> bool {
        self.before.is_beside(&self.after)
    }
}

/// Compares `before` with `after`.
pub fn change(
    workspace: &Workspace,
    lines: &[CaseLine],
    before: &Side,
    after: &Side,
    settings: &Settings,
) -> Change {
    let gain = gain(workspace, lines, before, after);
    Change {
        against: Vec::new(),
        costs: costs::of(workspace, lines, &gain.shared, [before, after], settings),
        comparability: comparability::of(workspace, lines, [before, after]),
        before: before.clone(),
        after: after.clone(),
        gain,
    }
}

impl Analysis {
    /// What the sides of one iteration are compared with: each candidate with the baseline and with
    /// its earlier iterations.
    pub fn changes_in(&self, iteration: usize) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(move |change| change.after.iteration == iteration)
    }

    /// The change of `after` against what the word says; `None` where there is no such side.
    pub fn change(&self, after: &Side, against: Against) -> Option<&Change> {
        let is_it = |it: &&Change| it.after == *after && it.against.contains(&against);
        self.changes.iter().find(is_it)
    }

    /// The change that stands for `after`: against the baseline, else against what the settings
    /// name, else against the iteration before.
    pub fn lead(&self, after: &Side) -> Option<&Change> {
        let order = [Against::Baseline, Against::Pinned, Against::Previous];
        order.into_iter().find_map(|against| self.change(after, against))
    }
}

/// Every change of `workspace`, by the iteration of the later side.
pub(super) fn of(
    workspace: &Workspace,
    lines: &[CaseLine],
    iterations: &[IterationAnalysis],
    best: &BTreeMap<String, Best>,
    settings: &Settings,
) -> Vec<Change> {
    let pin = settings.against.as_deref().and_then(|name| Pin::of(workspace, name));
    let sides = Sides { iterations, best, pin };
    let mut found = Vec::new();
    for index in 0..iterations.len() {
        let change = |(before, after, against): (Side, Side, Vec<Against>)| Change {
            against,
            ..change(workspace, lines, &before, &after, settings)
        };
        let mut of_iteration: Vec<Change> =
            sides.of_iteration(index).into_iter().map(change).collect();
        adjust(&mut of_iteration);
        found.extend(of_iteration);
    }
    found
}

/// Adjusts the changes of an iteration for candidates that are held at once against the same kind
/// of side: of twenty that do nothing one would else be settled.
fn adjust(changes: &mut [Change]) {
    for kind in Against::ALL {
        let of_kind = changes.iter_mut().filter(|change| change.against.contains(&kind));
        look_at_once(of_kind.map(|change| &mut change.gain));
    }
}

/// Adjusts gains that are looked at together, by Holm. What is looked at in several such groups goes
/// by the one that asks for most.
pub fn look_at_once<'a>(gains: impl Iterator<Item = &'a mut Gain>) {
    let mut gains: Vec<&mut Gain> = gains.filter(|gain| gain.paired.is_some()).collect();
    let p: Vec<f64> = gains.iter().filter_map(|gain| Some(gain.paired?.p())).collect();
    let at_once = p.len();
    for (gain, p) in gains.iter_mut().zip(holm(&p).unwrap_or_default()) {
        let strictest = gain.adjusted_p.map_or(p, |known| known.max(p));
        gain.adjusted_p = Some(strictest);
        gain.at_once = gain.at_once.max(at_once);
    }
}

/// What is compared with what.
struct Sides<'a> {
    iterations: &'a [IterationAnalysis],
    best: &'a BTreeMap<String, Best>,
    pin: Option<Pin>,
}

/// What the settings hold every iteration against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pin {
    /// The side that plays this part for the iteration.
    Part(Against),
    /// The iteration of that index.
    Iteration(usize),
}

impl Pin {
    /// The words stand above names; names count however they are capitalized.
    fn of(workspace: &Workspace, name: &str) -> Option<Self> {
        match name {
            "best" => Some(Self::Part(Against::Best)),
            "first" => Some(Self::Part(Against::First)),
            "previous" => Some(Self::Part(Against::Previous)),
            name => iteration_named(workspace, name).map(Self::Iteration),
        }
    }
}

/// The iteration of that name, however it is capitalized; exact names go first.
fn iteration_named(workspace: &Workspace, name: &str) -> Option<usize> {
    let exact = workspace.iterations.iter().position(|it| it.name == name);
    let near =
        || workspace.iterations.iter().position(|it| it.name.to_lowercase() == name.to_lowercase());
    exact.or_else(near)
}

/// Whether `name` says what iterations of `workspace` are to be held against: `best`, `first`,
/// `previous` or the name of one of them.
pub fn can_be_pinned(workspace: &Workspace, name: &str) -> bool {
    Pin::of(workspace, name).is_some()
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
        for name in candidates {
            let after = side(name);
            for (before, against) in self.earlier(iteration, name) {
                match found.iter_mut().find(|(b, a, _)| *b == before && *a == after) {
                    Some((_, _, known)) => known.push(against),
                    None => found.push((before, after.clone(), vec![against])),
                }
            }
        }
        found
    }

    /// The earlier sides that `name` is held against in `iteration`.
    fn earlier(&self, iteration: usize, name: &str) -> Vec<(Side, Against)> {
        let at = |iteration| Side { iteration, configuration: name.to_owned() };
        let graded: Vec<usize> = (0..iteration).filter(|at| self.is_graded(*at, name)).collect();
        let best = self.best.get(name).map(|best| best.iteration).filter(|best| *best < iteration);
        let last = graded.last().map(|last| (at(*last), Against::Previous));
        let first = graded.first().map(|first| (at(*first), Against::First));
        let best = best.map(|best| (at(best), Against::Best));
        let mut found: Vec<(Side, Against)> = last.into_iter().chain(first).chain(best).collect();
        let pinned = match self.pin {
            Some(Pin::Part(part)) => {
                found.iter().find(|(_, against)| *against == part).map(|(side, _)| side.clone())
            }
            Some(Pin::Iteration(pinned)) if pinned < iteration => self.stand_in(pinned, name),
            _ => None,
        };
        found.extend(pinned.map(|side| (side, Against::Pinned)));
        found
    }

    /// The same configuration in another iteration, else what is the first candidate there.
    fn stand_in(&self, iteration: usize, name: &str) -> Option<Side> {
        let same = self.is_graded(iteration, name).then_some(name);
        let lead = self.iterations[iteration].candidate().map(|found| found.name.as_str());
        let lead = lead.filter(|name| self.is_graded(iteration, name));
        Some(Side { iteration, configuration: same.or(lead)?.to_owned() })
    }

    fn is_graded(&self, iteration: usize, name: &str) -> bool {
        let found = self.iterations[iteration].configuration(name);
        found.is_some_and(|summary| summary.tally.graded() > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::Against;
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
        let found = analysis(&workspace, &Settings::read(&toml).unwrap());
        let side = |side: &Side| format!("{} {}", side.iteration, side.configuration);
        let changes = found.changes.iter().map(|change| {
            let words: Vec<&str> = change.against.iter().map(|it| it.word()).collect();
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
        assert_eq!(Against::ALL.len(), 5);
    }
}
