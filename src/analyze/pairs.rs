//! Which sides of a case are compared: each candidate with the baseline, with itself in the last
//! iteration before that ran the case, and with the one pinned in the settings. A baseline is
//! compared with its own past only where no candidate ran. The older side comes first; within an
//! iteration the baseline.

use crate::analyze::{Against, CaseHistory, Change, IterationAnalysis, Side};
use crate::model::{Run, Snapshot, Workspace};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    pub before: Side,
    pub after: Side,
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
        let existing = self.pairs.iter().position(|other| *other == pair);
        let pair = existing.unwrap_or_else(|| {
            self.pairs.push(pair);
            self.pairs.len() - 1
        });
        self.choices.push(Choice { side, against, pair });
    }
}

#[derive(Clone, Copy, Debug)]
pub struct RunPair<'w> {
    pub before: &'w Run,
    pub after: &'w Run,
}

pub(super) fn pairs_of_line(
    workspace: &Workspace,
    line: &CaseHistory,
    analyses: &[IterationAnalysis],
    changes: &[Change],
) -> CasePairs {
    let mut pairs = CasePairs::default();
    let has_run = |side: &Side| line.runs(workspace, side).next().is_some();
    for appearance in &line.appearances {
        let (here, roles) = (appearance.iteration, &analyses[appearance.iteration].roles);
        let is_candidate_run = roles.candidates.iter().any(|name| has_run(&Side::new(here, name)));
        let baseline = roles.baseline.iter().filter(|_| !is_candidate_run);
        for name in roles.candidates.iter().chain(baseline) {
            let after = Side::new(here, name);
            if !has_run(&after) {
                continue;
            }
            let baseline = roles.baseline_of(name).map(|baseline| Side::new(here, baseline));
            let baseline = baseline.filter(has_run).map(|side| (side, Against::Baseline));
            let earlier = line.appearances.iter().rev().map(|appearance| appearance.iteration);
            let mut earlier = earlier.skip_while(|at| *at >= here).map(|at| Side::new(at, name));
            let previous = earlier.find(has_run).map(|side| (side, Against::Previous));
            let pinned = changes.iter().filter(|change| {
                change.against.contains(&Against::Pinned)
                    && change.after == after
                    && has_run(&change.before)
            });
            let pinned = pinned.map(|change| (change.before.clone(), Against::Pinned));
            for (before, against) in baseline.into_iter().chain(previous).chain(pinned) {
                pairs.add(Pair { before, after: after.clone() }, against);
            }
        }
    }
    pairs
}

/// Each run of the newer side with the run of the older one that has its number, else the nearest;
/// of two equally near, the lower.
pub fn run_pairs<'w>(
    workspace: &'w Workspace,
    line: &CaseHistory,
    pair: &Pair,
) -> Vec<RunPair<'w>> {
    let before: Vec<&'w Run> = line.runs(workspace, &pair.before).collect();
    let pairs = line.runs(workspace, &pair.after).filter_map(|after| {
        let distance = |run: &&&Run| (run.number.abs_diff(after.number), run.number);
        Some(RunPair { before: before.iter().min_by_key(distance)?, after })
    });
    pairs.collect()
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
    let pair = |after: usize| {
        let before = parent(workspace, after).unwrap_or(after - 1);
        let iterations = [before, after].map(|copy| workspace.snapshots[copy].iteration);
        let sides = match iterations {
            [Some(old), Some(new)] if old != new => sides(analyses, old, new),
            _ => None,
        };
        SkillPair { before, after, sides }
    };
    (1..workspace.snapshots.len()).map(pair).collect()
}

/// The copy of the version that the one at `index` was made from.
fn parent(workspace: &Workspace, index: usize) -> Option<usize> {
    let own = &workspace.snapshots[index].name;
    let mut versions = workspace.histories.iter().flat_map(|history| &history.versions);
    let parent = versions.find(|version| version.name == *own)?.parent.as_ref()?;
    let is_parent = |found: &Snapshot| found.name == *parent && found.name != *own;
    workspace.snapshots.iter().position(is_parent)
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
    use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
    use crate::settings::Settings;

    fn run(configuration: &str, number: u32, passed: usize) -> Run {
        let verdict = |at: usize| Expectation {
            text: format!("x{at}"),
            outcome: if at < passed { Outcome::Passed } else { Outcome::Failed },
            ..Expectation::default()
        };
        let grading = Grading { expectations: (0..4).map(verdict).collect(), ..Grading::default() };
        Run {
            configuration: configuration.to_owned(),
            number,
            gradings: vec![grading],
            ..Run::default()
        }
    }

    fn workspace(iterations: Vec<Vec<Run>>) -> Workspace {
        let iterations = iterations.into_iter().map(|runs| {
            let mut configurations: Vec<String> =
                runs.iter().map(|run| run.configuration.clone()).collect();
            configurations.dedup();
            let cases = vec![Case { name: "a".to_owned(), runs, ..Case::default() }];
            Iteration { cases, configurations, ..Iteration::default() }
        });
        Workspace { iterations: iterations.collect(), ..Workspace::default() }
    }

    /// `2 with previous: 1 → 2` for each choice.
    fn written(workspace: &Workspace) -> Vec<String> {
        let pairs = analysis(workspace, &Settings::default()).pairs.remove(0);
        let write = |choice: &super::Choice| {
            let pair = &pairs.pairs[choice.pair];
            format!(
                "{} {} {}: {} {} → {} {}",
                choice.side.iteration,
                choice.side.configuration,
                choice.against.word(),
                pair.before.iteration,
                pair.before.configuration,
                pair.after.iteration,
                pair.after.configuration,
            )
        };
        pairs.choices.iter().map(write).collect()
    }

    #[test]
    fn a_baseline_is_compared_with_its_past_only_where_no_candidate_ran() {
        let workspace = workspace(vec![
            vec![run("with_skill", 1, 2), run("without_skill", 1, 1)],
            vec![run("with_skill", 1, 4)],
            vec![run("without_skill", 1, 1)],
            vec![run("with_skill", 1, 4)],
            vec![run("with_skill", 1, 3), run("without_skill", 1, 1)],
        ]);
        let expected = [
            "0 with_skill baseline: 0 without_skill → 0 with_skill",
            "1 with_skill previous: 0 with_skill → 1 with_skill",
            "2 without_skill previous: 0 without_skill → 2 without_skill",
            "3 with_skill previous: 1 with_skill → 3 with_skill",
            "4 with_skill baseline: 4 without_skill → 4 with_skill",
            "4 with_skill previous: 3 with_skill → 4 with_skill",
        ];
        assert_eq!(written(&workspace), expected);
        let pairs = &analysis(&workspace, &Settings::default()).pairs[0];
        assert_eq!(pairs.for_side(4, "with_skill").count(), 2);
        assert_eq!(pairs.choices[5].against, Against::Previous);
    }

    #[test]
    fn runs_are_paired_with_the_run_of_their_number_or_the_nearest() {
        let workspace = workspace(vec![vec![run("s", 1, 1), run("s", 4, 1)], vec![run("s", 2, 1)]]);
        let analysis = analysis(&workspace, &Settings::default());
        let pair = &analysis.pairs[0].pairs[0];
        let actual = run_pairs(&workspace, &analysis.cases[0], pair);
        let numbers: Vec<(u32, u32)> =
            actual.iter().map(|found| (found.before.number, found.after.number)).collect();
        assert_eq!(numbers, [(1, 2)], "run 4 of the older side is nobody's nearest");
    }
}

#[cfg(test)]
mod versions_tests {
    use crate::analyze::analysis;
    use crate::model::{History, Snapshot, Version, Workspace};
    use crate::settings::Settings;

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
