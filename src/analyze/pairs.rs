//! Which sides of a case are compared: each candidate with the baseline, with itself in the last
//! iteration before that ran the case, and with the one pinned in the settings. A baseline is
//! compared with its own past only where no candidate ran. The older side comes first; within an
//! iteration the baseline.
//!
//! A side with nothing to compare with is a pair with itself: people read outputs before there is a
//! baseline, and they read them on the same page.

use std::collections::BTreeSet;

use crate::analyze::roles::is_earlier_name;
use crate::analyze::{Against, Analysis, CaseHistory, Change, IterationAnalysis, Roles, Side};
use input::model::{Run, Workspace};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    pub before: Side,
    /// The same as `before` if it is reviewed alone.
    pub after: Side,
}

impl Pair {
    pub fn is_alone(&self) -> bool {
        self.before == self.after
    }
}

/// Why a pair exists: the kind of side that one is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub side: Side,
    pub against: Against,
    pub pair: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CasePairs {
    pub pairs: Vec<Pair>,
    /// The side chosen for each iteration, configuration and kind.
    pub choices: Vec<Choice>,
}

impl CasePairs {
    pub fn in_iteration(&self, iteration: usize) -> impl Iterator<Item = &Choice> {
        self.choices.iter().filter(move |choice| choice.side.iteration == iteration)
    }

    pub fn for_side(&self, iteration: usize, configuration: &str) -> impl Iterator<Item = &Choice> {
        self.in_iteration(iteration)
            .filter(move |choice| choice.side.configuration == configuration)
    }

    fn add(&mut self, pair: Pair, against: Against) {
        let side = pair.after.clone();
        let known = self.pairs.iter().position(|other| *other == pair);
        if known.is_none() {
            self.pairs.push(pair);
        }
        let pair = known.unwrap_or(self.pairs.len() - 1);
        self.choices.push(Choice { side, against, pair });
    }
}

#[derive(Clone, Copy, Debug)]
pub struct RunPair<'w> {
    pub before: &'w Run,
    pub after: &'w Run,
}

pub(super) fn case_pairs(
    workspace: &Workspace,
    history: &CaseHistory,
    analyses: &[IterationAnalysis],
    changes: &[Change],
) -> CasePairs {
    let mut pairs = CasePairs::default();
    for appearance in &history.appearances {
        let iteration = appearance.iteration;
        let roles = &analyses[iteration].roles;
        let mut names: Vec<&String> = roles.candidates.iter().collect();
        names.retain(|name| has_run(workspace, history, &Side::new(iteration, name)));
        // A case that only the baseline ran would have no page to compare otherwise.
        if names.is_empty() {
            names.extend(&roles.baseline);
        }
        let has_peers = roles.has_peers() && names.len() > 1;
        let peers = names.clone();
        // Gradings and outputs that name no configuration.
        names.extend(&roles.apart);
        names.retain(|name| has_run(workspace, history, &Side::new(iteration, name)));
        for (at, name) in names.iter().enumerate() {
            let after = Side::new(iteration, name);
            let mut earlier = earlier_sides(workspace, history, roles, changes, &after);
            if has_peers && at == 0 {
                // The first with each of the others, so that no two are compared twice.
                for peer in &peers[1..] {
                    earlier.push((Side::new(iteration, peer), Against::Peer));
                }
            }
            // The baseline under a harness or model of its own is on the page of its candidate.
            let is_baseline = names.iter().any(|other| roles.baseline_of(other) == Some(name));
            let is_shown = is_baseline || has_peers && at < peers.len();
            if earlier.is_empty() && !is_shown {
                earlier.push((after.clone(), Against::Nothing));
            }
            for (before, against) in earlier {
                pairs.add(Pair { before, after: after.clone() }, against);
            }
        }
    }
    pairs
}

fn has_run(workspace: &Workspace, history: &CaseHistory, side: &Side) -> bool {
    history.runs(workspace, side).next().is_some()
}

/// The sides with a run of the case that `after` is compared with.
fn earlier_sides(
    workspace: &Workspace,
    history: &CaseHistory,
    roles: &Roles,
    changes: &[Change],
    after: &Side,
) -> Vec<(Side, Against)> {
    let mut sides = Vec::new();
    if !has_run(workspace, history, after) {
        return sides;
    }
    if let Some(baseline) = roles.baseline_of(&after.configuration) {
        sides.push((Side::new(after.iteration, baseline), Against::Baseline));
    }
    if let Some(previous) = previous_side(workspace, history, changes, after) {
        sides.push((previous, Against::Previous));
    }
    for change in changes.iter().filter(|change| change.after == *after) {
        for against in [Against::OtherBaseline, Against::Pinned] {
            if change.against.contains(&against) {
                sides.push((change.before.clone(), against));
            }
        }
    }
    sides.retain(|(side, _)| has_run(workspace, history, side));
    sides
}

/// The previous iteration, else the last before that ran the case.
fn previous_side(
    workspace: &Workspace,
    history: &CaseHistory,
    changes: &[Change],
    after: &Side,
) -> Option<Side> {
    let change = changes
        .iter()
        .find(|change| change.after == *after && change.against.contains(&Against::Previous));
    if let Some(change) = change
        && has_run(workspace, history, &change.before)
    {
        return Some(change.before.clone());
    }
    // The previous iteration may have skipped this case.
    let earlier = history.appearances.iter().rev().map(|appearance| appearance.iteration);
    earlier
        .filter(|iteration| *iteration < after.iteration)
        .map(|iteration| Side::new(iteration, &after.configuration))
        .find(|side| has_run(workspace, history, side))
}

/// Each run of the newer side with the run of the older one that has its number, else the nearest;
/// of two equally near, the lower.
pub fn run_pairs<'w>(
    workspace: &'w Workspace,
    history: &CaseHistory,
    pair: &Pair,
) -> Vec<RunPair<'w>> {
    let before: Vec<&'w Run> = history.runs(workspace, &pair.before).collect();
    let mut pairs = Vec::new();
    for after in history.runs(workspace, &pair.after) {
        let nearest =
            before.iter().min_by_key(|run| (run.number.abs_diff(after.number), run.number));
        if let Some(before) = nearest {
            pairs.push(RunPair { before, after });
        }
    }
    pairs
}

impl Analysis {
    /// Whether both sides are one configuration of two iterations that keep equal copies of the skill, so
    /// that no edit can have moved a check.
    pub fn have_same_skill(&self, before: &Side, after: &Side) -> bool {
        let [old, new] = [before, after].map(|side| &self.iterations[side.iteration].copies);
        new.is_some()
            && old == new
            && !before.is_within_iteration(after)
            && before.configuration == after.configuration
    }
}

/// The digests of the copies of the candidate's skill in an iteration; `None` without one, or where one is
/// unknown.
pub(super) fn copies_of(workspace: &Workspace, iteration: usize) -> Option<BTreeSet<String>> {
    // The skill-creator copies the skill before it edits it: beside an `old_skill` its `skill-snapshot` is
    // what that side ran.
    let names = &workspace.iterations[iteration].configurations;
    let has_old = names.iter().any(|name| is_earlier_name(name));
    let copies = workspace.snapshots.iter().filter(|copy| {
        let folder = copy.path.rsplit('/').next().unwrap_or_default();
        let is_of_old_side = has_old && folder.starts_with("skill-snapshot");
        copy.iteration == Some(iteration) && !is_of_old_side
    });
    let digests: Option<BTreeSet<String>> = copies.map(|copy| copy.digest.clone()).collect();
    digests.filter(|digests| !digests.is_empty())
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillPair {
    pub before: usize,
    pub after: usize,
    /// The candidates of both iterations, where both are known and differ.
    pub sides: Option<[Side; 2]>,
}

/// The pairs of copies of `workspace`, in the order of the newer ones.
pub(super) fn pair_copies(workspace: &Workspace, analyses: &[IterationAnalysis]) -> Vec<SkillPair> {
    let mut pairs = Vec::new();
    for after in 1..workspace.snapshots.len() {
        let before = parent(workspace, after).unwrap_or(after - 1);
        let iterations = [before, after].map(|copy| workspace.snapshots[copy].iteration);
        let sides = match iterations {
            [Some(old), Some(new)] if old != new => sides(analyses, old, new),
            _ => None,
        };
        pairs.push(SkillPair { before, after, sides });
    }
    pairs
}

/// The copy of the version that the one at `index` was made from.
fn parent(workspace: &Workspace, index: usize) -> Option<usize> {
    let own = &workspace.snapshots[index].name;
    let mut versions = workspace.histories.iter().flat_map(|history| &history.versions);
    let parent = versions.find(|version| version.name == *own)?.parent.as_ref()?;
    // A version that names itself as its parent would be compared with itself.
    if parent == own {
        return None;
    }
    workspace.snapshots.iter().position(|copy| copy.name == *parent)
}

/// The candidate of the newer iteration, with the same one in the older iteration, else the first.
fn sides(analyses: &[IterationAnalysis], old: usize, new: usize) -> Option<[Side; 2]> {
    let new_name = analyses[new].roles.candidates.first()?;
    let candidates = &analyses[old].roles.candidates;
    let old_name = candidates.iter().find(|name| *name == new_name).or(candidates.first())?;
    Some([Side::new(old, old_name), Side::new(new, new_name)])
}

#[cfg(test)]
mod tests {
    use super::{Against, run_pairs};
    use crate::analyze::analysis;
    use crate::tests::workspaces::{case, run, workspace};
    use input::model::{History, Snapshot, Version, Workspace};
    use input::settings::Settings;
    use testing::gradings::verdicts;

    #[test]
    fn a_baseline_is_compared_with_its_past_only_where_no_candidate_ran() {
        let iterations = [
            &[("with_skill", "pp"), ("without_skill", "pf")][..],
            &[("with_skill", "pp")],
            &[("without_skill", "pf")],
            &[("with_skill", "pp")],
            &[("with_skill", "pp"), ("without_skill", "pf")],
        ];
        let cases = iterations.map(|runs| {
            let runs = runs.iter().map(|(name, letters)| run(name, 1, verdicts(letters)));
            vec![case("a", runs.collect())]
        });
        let analysis = analysis(&workspace(cases.to_vec()), &Settings::default());
        let pairs = &analysis.pairs[0];
        let mut actual = Vec::new();
        for choice in &pairs.choices {
            let pair = &pairs.pairs[choice.pair];
            assert_eq!(choice.side, pair.after);
            let [before, after] = [&pair.before, &pair.after]
                .map(|side| format!("{} {}", side.iteration, side.configuration));
            actual.push(format!("{}: {before} → {after}", choice.against.word()));
        }
        let expected = [
            "baseline: 0 without_skill → 0 with_skill",
            "previous: 0 with_skill → 1 with_skill",
            "previous: 0 without_skill → 2 without_skill",
            "previous: 1 with_skill → 3 with_skill",
            "baseline: 4 without_skill → 4 with_skill",
            "previous: 3 with_skill → 4 with_skill",
        ];
        assert_eq!(actual, expected);
        assert_eq!(pairs.for_side(4, "with_skill").count(), 2);
        assert_eq!(pairs.choices[5].against, Against::Previous);
    }

    #[test]
    fn runs_are_paired_with_the_run_of_their_number_or_the_nearest() {
        let runs = |numbers: &[u32]| {
            let runs = numbers.iter().map(|number| run("s", *number, verdicts("pf")));
            vec![case("a", runs.collect())]
        };
        let workspace = workspace(vec![runs(&[1, 4]), runs(&[2])]);
        let analysis = analysis(&workspace, &Settings::default());
        // The first pair is the older side alone, which has nothing to be compared with.
        let pair = analysis.pairs[0].pairs.last().unwrap();
        let actual = run_pairs(&workspace, &analysis.cases[0], pair);
        let numbers: Vec<(u32, u32)> =
            actual.iter().map(|found| (found.before.number, found.after.number)).collect();
        assert_eq!(numbers, [(1, 2)], "run 4 of the older side is nobody's nearest");
    }

    #[test]
    fn copies_follow_their_parents_else_the_order() {
        let snapshot = |name: &str| Snapshot { name: name.to_owned(), ..Snapshot::default() };
        let version = |name: &str, parent: &str| Version {
            name: name.to_owned(),
            parent: Some(parent.to_owned()),
            ..Version::default()
        };
        let versions = vec![version("v2", "v0"), version("v3", "lost")];
        let workspace = Workspace {
            snapshots: ["v0", "v1", "v2", "v3"].map(snapshot).into(),
            histories: vec![History { versions, ..History::default() }],
            ..Workspace::default()
        };
        let pairs = analysis(&workspace, &Settings::default()).skill;
        let found: Vec<(usize, usize)> =
            pairs.iter().map(|pair| (pair.before, pair.after)).collect();
        assert_eq!(found, [(0, 1), (0, 2), (2, 3)]);
    }
}
