//! One side against another in every respect: gain, costs and other differences.

mod compared_runs;
mod costs;
mod further_runs;
pub(super) mod gain;
mod side_rates;
mod sides;
mod undecided;
mod undoing;

pub(crate) use crate::analyze::change::compared_runs::{ComparedRun, compared_runs};
pub use crate::analyze::change::costs::{
    Cost, CostKind, Costs, RunCost, costs_before_grading, spent,
};
pub(super) use crate::analyze::change::further_runs::noise_of_runs;
pub use crate::analyze::change::further_runs::{FurtherRuns, More};
pub use crate::analyze::change::gain::{CasePasses, FallenCase, Gain, gain};
pub use crate::analyze::change::side_rates::{LOWEST_SCORE, Missing, SCORES};
pub use crate::analyze::change::sides::can_be_pinned;
pub use crate::analyze::change::undecided::MissingVerdicts;
pub use crate::analyze::change::undoing::Undoing;

use crate::analyze::change::gain::Comparison;
use crate::analyze::change::sides::{Sides, find_pin};
pub use statistics::{ClaimScope, Verdict};

use std::cmp::Ordering;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::OnceLock;

use rayon::prelude::*;

use crate::analyze::roles::{
    find_baseline, is_called, is_named_candidate, recorded_candidate, version_of,
};
use crate::analyze::{Analysis, CaseHistory, IterationAnalysis, Side};
use input::model::Workspace;
use input::settings::Settings;
use statistics::{LEAST_SHOWN, PValues, Rivals, adjusted, rivals};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Against {
    Baseline,
    /// The other baseline of the iteration: the old skill where the first one is no skill, or the side
    /// without a skill where the first one is the old skill.
    OtherBaseline,
    /// The same configuration in the last iteration before that ran the case.
    Previous,
    /// The same configuration in the first iteration that graded it.
    First,
    /// The same configuration in its best iteration.
    Best,
    Pinned,
    /// Another configuration of the iteration, where no name says which one is the baseline.
    Peer,
    /// Nothing: the side is reviewed alone. Only [`Choice`](crate::analyze::Choice)s have it.
    Nothing,
}

impl Against {
    /// In the order of the variants, with their words, which are also keys in the tables of words.
    const WORDS: [(Self, &'static str); 8] = [
        (Self::Baseline, "baseline"),
        (Self::OtherBaseline, "other_baseline"),
        (Self::Previous, "previous"),
        (Self::First, "first"),
        (Self::Best, "best"),
        (Self::Pinned, "pinned"),
        (Self::Peer, "peer"),
        (Self::Nothing, "alone"),
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
    /// See [`Self::what_more_runs_buy`]: known once it was asked for, as many pages do.
    bought: OnceLock<Option<[FurtherRuns; 3]>>,
}

impl Change {
    pub fn sides(&self) -> [&Side; 2] {
        [&self.before, &self.after]
    }

    /// Whether neither side is known as the baseline.
    pub fn is_between_peers(&self) -> bool {
        self.against.contains(&Against::Peer)
    }

    pub fn is_within_iteration(&self) -> bool {
        self.before.is_within_iteration(&self.after)
    }
}

pub fn change(
    workspace: &Workspace,
    cases: &[CaseHistory],
    before: &Side,
    after: &Side,
    settings: &Settings,
) -> Change {
    let gain = gain(workspace, cases, before, after);
    Change {
        against: Vec::new(),
        costs: costs::compare_costs(workspace, cases, &gain.shared, [before, after], settings),
        before: before.clone(),
        after: after.clone(),
        gain,
        bought: OnceLock::new(),
    }
}

/// A change in the same workspace with other verdicts, among the candidates that are compared at once.
pub(crate) fn change_with(
    workspace: &Workspace,
    analysis: &Analysis,
    sides: [&Side; 2],
    settings: &Settings,
) -> Option<Change> {
    let mut changes = Vec::new();
    for known in analysis.changes_in(sides[1].iteration) {
        let again = change(workspace, &analysis.cases, &known.before, &known.after, settings);
        changes.push(Change { against: known.against.clone(), ..again });
    }
    adjust_by_kind(&mut changes);
    changes.into_iter().find(|change| change.sides() == sides)
}

impl Analysis {
    /// The comparisons of the sides of one iteration: each candidate with the baseline and with its
    /// earlier iterations.
    pub fn changes_in(&self, iteration: usize) -> impl Iterator<Item = &Change> {
        // They are in the order of the iterations, of which there may be hundreds.
        let start = self.changes.partition_point(|change| change.after.iteration < iteration);
        self.changes[start..].iter().take_while(move |change| change.after.iteration == iteration)
    }

    /// The change of `after` against that side; `None` where there is none.
    pub fn change(&self, after: &Side, against: Against) -> Option<&Change> {
        let mut changes = self.changes_in(after.iteration);
        changes.find(|change| change.after == *after && change.against.contains(&against))
    }

    /// The change of `after` since the previous iteration, if both ran under one condition.
    pub fn since_previous(&self, after: &Side) -> Option<&Change> {
        let change = self.change(after, Against::Previous)?;
        if self.are_under_one_condition(change.sides()) { Some(change) } else { None }
    }

    /// The leading change of `after`. The worst news comes first, so that a fall is not hidden by a
    /// baseline that fell as well. Else it is the change against the baseline, the side pinned in
    /// the settings, or the iteration before.
    pub fn lead(&self, after: &Side) -> Option<&Change> {
        let changes: Vec<&Change> = [
            self.change(after, Against::Baseline),
            self.change(after, Against::Pinned),
            self.since_previous(after),
        ]
        .into_iter()
        .flatten()
        .collect();
        // Equal to a baseline that fell as well looks like no news, and is a fall.
        let bad = changes.iter().filter(|change| change.gain.verdict().is_worse());
        bad.min_by_key(|change| change.gain.verdict().rank()).or(changes.first()).copied()
    }

    /// Puts the candidate first that represents an iteration: the one that its benchmark compares,
    /// then `with_skill` and `new_skill`, then the newest by its version, then the best by its verdict
    /// against the baseline, else against the previous iteration, then by its gain. An order set by the
    /// user stays.
    ///
    /// The best of several is a biased pick, and another one in each iteration, so roles go first.
    /// A candidate named like a baseline represents an iteration only where no other does.
    pub(super) fn order_candidates(&mut self, workspace: &Workspace, settings: &Settings) {
        // Who orders configurations by hand has chosen what leads.
        if !settings.order.is_empty() {
            return;
        }
        for index in 0..self.iterations.len() {
            let mut candidates = self.iterations[index].roles.candidates.clone();
            candidates.sort_by(|a, b| {
                let [a, b] =
                    [a, b].map(|name| self.candidate_place(workspace, index, name, settings));
                b.partial_cmp(&a).unwrap_or(Ordering::Equal)
            });
            let analysis = &mut self.iterations[index];
            analysis.roles.candidates = candidates;
            let order: Vec<&str> = analysis.roles.order().collect();
            analysis
                .configurations
                .sort_by_key(|summary| order.iter().position(|name| *name == summary.name));
        }
    }

    fn candidate_place(
        &self,
        workspace: &Workspace,
        iteration: usize,
        name: &str,
        settings: &Settings,
    ) -> CandidatePlace {
        let side = Side::new(iteration, name);
        let on_baseline = self.change(&side, Against::Baseline);
        let change = on_baseline.or_else(|| self.change(&side, Against::Previous));
        let gain = change.map(|change| &change.gain);
        let recorded = recorded_candidate(&workspace.iterations[iteration]);
        CandidatePlace {
            is_graded: self.iterations[iteration].is_graded(name),
            is_no_baseline: find_baseline(&[name.to_owned()], settings).is_none(),
            is_recorded: recorded.is_some_and(|recorded| is_called(name, recorded, settings)),
            is_named: is_named_candidate(name, settings),
            version: version_of(name).map(|(_, version)| version),
            has_baseline: on_baseline.is_some(),
            rank: gain.map_or(0, |gain| gain.verdict().rank()),
            mean: gain.and_then(Gain::paired).map_or(0.0, |paired| paired.mean),
        }
    }
}

/// What candidates are ordered by, field by field; the greatest comes first.
#[derive(PartialEq, PartialOrd)]
struct CandidatePlace {
    is_graded: bool,
    is_no_baseline: bool,
    is_recorded: bool,
    is_named: bool,
    /// Of `with_skill_v1` and `with_skill_v2` the newer one is tried, also where the older is better.
    version: Option<Vec<u32>>,
    has_baseline: bool,
    rank: usize,
    mean: f64,
}

/// Every change of each iteration; `best` has the best iteration of each configuration.
pub(super) fn changes(
    workspace: &Workspace,
    cases: &[CaseHistory],
    iterations: &[IterationAnalysis],
    best: &BTreeMap<String, usize>,
    settings: &Settings,
) -> Vec<Change> {
    let pin = settings.against.as_deref().and_then(|name| find_pin(workspace, name));
    let sides = Sides { iterations, best, pin, settings };
    let by_iteration = (0..iterations.len()).into_par_iter().map(|index| {
        let mut changes: Vec<Change> = Vec::new();
        for pair in sides.pairs(index) {
            let change = change(workspace, cases, &pair.before, &pair.after, settings);
            changes.push(Change { against: pair.against, ..change });
        }
        adjust_by_kind(&mut changes);
        changes
    });
    by_iteration.flatten_iter().collect()
}

/// Otherwise one of twenty candidates that do nothing would be settled.
fn adjust_by_kind(changes: &mut [Change]) {
    for (kind, _) in Against::WORDS {
        let same_kind = changes.iter_mut().filter(|change| change.against.contains(&kind));
        adjust_together(same_kind.map(|change| &mut change.gain));
    }
}

/// The comparisons of the first two candidates of an iteration, each with the other as the baseline;
/// empty unless both have verdicts and no name says which one is the baseline.
pub(super) fn peers(
    workspace: &Workspace,
    cases: &[CaseHistory],
    iteration: usize,
    analysis: &IterationAnalysis,
    settings: &Settings,
) -> Vec<Change> {
    let [first, second, ..] = &*analysis.roles.candidates else { return Vec::new() };
    if !analysis.roles.has_peers() || !analysis.is_graded(first) || !analysis.is_graded(second) {
        return Vec::new();
    }
    let mut peers = Vec::new();
    for (before, after) in [(second, first), (first, second)] {
        let [before, after] = [before, after].map(|name| Side::new(iteration, name));
        let change = change(workspace, cases, &before, &after, settings);
        peers.push(Change { against: vec![Against::Peer], ..change });
    }
    peers
}

/// Adjusts gains that are looked at together, by Holm. A gain in several groups keeps the strictest
/// adjustment.
pub fn adjust_together<'a>(gains: impl Iterator<Item = &'a mut Gain>) {
    let mut gains: Vec<&mut Gain> = gains.filter(|gain| gain.comparison.is_some()).collect();
    let counted: Vec<PValues> = gains.iter().filter_map(|gain| own_p(gain)).collect();
    // With missing verdicts counted against it, a comparison has as many rivals.
    let worst =
        gains.iter().filter_map(|gain| gain.worst.as_deref().and_then(own_p).or(own_p(gain)));
    let worst: Vec<PValues> = worst.collect();
    let at_once = gains.len();
    let [counted, worst] =
        [counted, worst].map(|p| adjusted(&p).unwrap_or_default().into_iter().zip(rivals(&p)));
    for (gain, (counted, worst)) in gains.iter_mut().zip(counted.zip(worst)) {
        adjust(&mut gain.comparison, counted, at_once);
        if let Some(gain) = &mut gain.worst {
            adjust(&mut gain.comparison, worst, at_once);
        }
    }
}

fn own_p(gain: &Gain) -> Option<PValues> {
    Some(gain.comparison.as_ref()?.evidence.p())
}

fn adjust(comparison: &mut Option<Comparison>, (p, rivals): (PValues, Rivals), at_once: usize) {
    let Some(comparison) = comparison else { return };
    comparison.adjusted_p = comparison.adjusted_p.max(p);
    comparison.rivals = comparison.rivals.max(rivals);
    comparison.at_once = comparison.at_once.max(at_once);
}

/// What sides are compared by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub enum Measure {
    /// Passed over graded checks.
    #[default]
    #[serde(rename = "pass rate")]
    PassRate,
    /// The mean score, 1 to 5, where every compared check has one.
    #[serde(rename = "score")]
    Score,
}

impl Measure {
    /// Whether a gain, in shares of 1, is shown as more or less than nothing.
    pub fn direction(self, gain: f64) -> Ordering {
        let least = match self {
            Self::PassRate => LEAST_SHOWN,
            // Two decimals on a scale of four.
            Self::Score => LEAST_SHOWN / SCORES,
        };
        if gain.abs() < least { Ordering::Equal } else { gain.total_cmp(&0.0) }
    }
}

#[cfg(test)]
mod tests {
    use crate::analyze::analysis;
    use crate::tests::workspaces::{case, iteration, run, workspace};
    use input::settings::Settings;
    use testing::gradings::verdicts;

    /// `3 a previous+best 1 a` for every change.
    fn changes(against: Option<&str>) -> Vec<String> {
        let mut workspace = workspace(Vec::new());
        for (name, configurations) in [
            ("one", &[("a", "pfff"), ("baseline", "pfff")][..]),
            ("two", &[("a", "pppf")]),
            ("three", &[("c", "ppff")]),
            ("four", &[("a", "ppff"), ("baseline", "pfff")]),
        ] {
            let runs = configurations.iter().map(|(name, letters)| run(name, 1, verdicts(letters)));
            workspace.iterations.push(iteration(name, vec![case("a", runs.collect())]));
        }
        let toml = against.map_or(String::new(), |name| format!("against = '{name}'"));
        let mut lines = Vec::new();
        for change in
            analysis(&workspace, &Settings::read_file(&toml, "evalbook.toml").unwrap()).changes
        {
            let words: Vec<&str> = change.against.iter().map(|against| against.word()).collect();
            let [before, after] =
                change.sides().map(|side| format!("{} {}", side.iteration, side.configuration));
            lines.push(format!("{after} {} {before}", words.join("+")));
        }
        lines
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
        assert_eq!(changes(None), expected);
        assert_eq!(changes(Some("best"))[3], "3 a previous+best+pinned 1 a");
        assert_eq!(changes(Some("ONE")).last().unwrap(), "3 a first+pinned 0 a");
        assert_eq!(changes(Some("three")).last().unwrap(), "3 a pinned 2 c");
        assert_eq!(changes(Some("four")), expected, "nothing is held against itself");
    }

    #[test]
    fn roles_choose_the_candidate_that_leads_and_not_results() {
        let table: [(&[(&str, &str)], &str); 4] = [
            (
                &[("with_skill", "ppf"), ("zeta_mode", "ppp"), ("without_skill", "pff")],
                "with_skill",
            ),
            (&[("alpha", "ppf"), ("zeta_mode", "ppp"), ("without_skill", "pff")], "zeta_mode"),
            (
                &[
                    ("with_skill_haiku", "ppp"),
                    ("with_skill_gpt_5", "ppf"),
                    ("old_skill_gpt_5", "pff"),
                ],
                "with_skill_gpt_5",
            ),
            (&[("with_skill", "???"), ("alpha", "ppp"), ("without_skill", "pff")], "alpha"),
        ];
        for (runs, expected) in table {
            let runs = runs.iter().map(|(name, letters)| run(name, 1, verdicts(letters)));
            let workspace = workspace(vec![vec![case("a", runs.collect())]]);
            let analysis = analysis(&workspace, &Settings::default());
            let candidate = analysis.newest_candidate().unwrap();
            assert_eq!(candidate.configuration, expected);
        }
    }
}
