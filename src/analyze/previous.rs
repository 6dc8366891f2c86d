//! Which iteration is the previous one of a configuration.
//!
//! Of the earlier ones that graded it, those on the same models go first, as far as models are
//! recorded; of these the one that shares most cases, then the last. A folder that only repeats runs
//! of an earlier iteration is none, and one that ran a single case again shares less than the whole
//! iteration before it. A candidate that is called otherwise in each round follows the one before it.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::{CaseHistory, ConfigurationSummary, IterationAnalysis, Roles, Side};
use input::model::Workspace;
use input::names;

/// Cases that a configuration ran: indices of their histories, with the number of prompts that each
/// had before. Cases with another prompt are not shared.
type CasesRun = BTreeSet<(usize, usize)>;

#[derive(Default)]
struct IterationRuns<'w> {
    cases: BTreeMap<&'w str, CasesRun>,
    /// Those with a run that was made in this iteration.
    fresh: BTreeMap<&'w str, CasesRun>,
    /// Configurations with a run that is not a copy of an earlier one.
    original: BTreeSet<&'w str>,
}

/// Sets the previous iteration of every configuration.
pub(super) fn find_previous(
    workspace: &Workspace,
    cases: &[CaseHistory],
    iterations: &mut [IterationAnalysis],
) {
    let runs = iteration_runs(workspace, cases);
    for index in 1..iterations.len() {
        // Where nothing says their order, none is the one before.
        if iterations[index].is_unordered {
            continue;
        }
        let (earlier, rest) = iterations.split_at_mut(index);
        let IterationAnalysis { roles, configurations, .. } = &mut rest[0];
        for summary in configurations {
            // A round with the gradings of an earlier one would only be compared with itself.
            if !runs[index].original.contains(&*summary.name) {
                continue;
            }
            let rounds = EarlierRounds { earlier, roles, runs: &runs };
            let last = rounds.previous_side(index, summary);
            let kept = last.as_ref().and_then(|last| {
                let round = kept_round(workspace, [last, &Side::new(index, &summary.name)])?;
                if rounds.is_graded(&round) { Some(round) } else { None }
            });
            summary.previous = kept.or(last);
        }
    }
}

fn iteration_runs<'w>(workspace: &'w Workspace, cases: &[CaseHistory]) -> Vec<IterationRuns<'w>> {
    let mut iterations: Vec<IterationRuns<'w>> = Vec::new();
    iterations.resize_with(workspace.iterations.len(), IterationRuns::default);
    for (index, history) in cases.iter().enumerate() {
        let mut prompt = 0;
        for appearance in &history.appearances {
            prompt += usize::from(appearance.prompt_changed);
            let iteration = &mut iterations[appearance.iteration];
            for run in &appearance.case(workspace).runs {
                iteration.cases.entry(&run.configuration).or_default().insert((index, prompt));
                if run.reuse.is_none() {
                    iteration.fresh.entry(&run.configuration).or_default().insert((index, prompt));
                }
                if run.reused_from.is_none() && run.reuse.is_none() {
                    iteration.original.insert(&run.configuration);
                }
            }
        }
    }
    iterations
}

/// The round that `after` is compared with in place of `last`, where the copies of the skill show that the
/// version of `last` was thrown away: first, second, first again, and then that of `after`.
fn kept_round(workspace: &Workspace, [last, after]: [&Side; 2]) -> Option<Side> {
    let [thrown_away, own] = [skill_of(workspace, last)?, skill_of(workspace, after)?];
    let copies: Vec<&str> =
        workspace.snapshots.iter().filter_map(|copy| copy.skill.as_deref()).collect();
    let edited = copies.iter().rposition(|copy| *copy == own)?;
    let kept = copies[..edited].iter().rfind(|copy| **copy != own)?;
    let thrown_at = copies[..edited].iter().rposition(|copy| *copy == thrown_away)?;
    if *kept == thrown_away || !copies[..thrown_at].contains(kept) {
        return None;
    }
    let rounds = (0..last.iteration).rev().map(|round| Side::new(round, &last.configuration));
    rounds.into_iter().find(|round| skill_of(workspace, round) == Some(kept))
}

/// The skill that all runs of a side had; `None` where that is not known, or differs.
fn skill_of<'w>(workspace: &'w Workspace, side: &Side) -> Option<&'w str> {
    let runs = workspace.iterations[side.iteration].runs();
    let mut skills = runs
        .filter(|run| run.configuration == side.configuration)
        .map(|run| run.measured.skill.as_deref());
    let first = skills.next()??;
    if skills.all(|skill| skill == Some(first)) { Some(first) } else { None }
}

/// The rounds before one that has `roles`.
struct EarlierRounds<'a> {
    earlier: &'a [IterationAnalysis],
    roles: &'a Roles,
    runs: &'a [IterationRuns<'a>],
}

impl EarlierRounds<'_> {
    fn previous_side(&self, index: usize, current: &ConfigurationSummary) -> Option<Side> {
        let (name, runs) = (current.name.as_str(), self.runs);
        // Runs that count again would be compared with themselves.
        let own = runs[index].fresh.get(name)?;
        let has_reused = runs[index].cases.get(name) != Some(own);
        let mut best: Option<((bool, usize), Side)> = None;
        for (at, iteration) in self.earlier.iter().enumerate() {
            let Some(before) = self.followed(iteration, name) else { continue };
            // Loops copy the last round and grade it again: that is no round of its own.
            let is_original = runs[at].original.contains(&*before.name);
            if before.tally.graded() == 0 || !is_original || iteration.is_unordered {
                continue;
            }
            let cases = runs[at].cases.get(&*before.name);
            let shared = cases.map_or(0, |cases| cases.intersection(own).count());
            if has_reused && shared == 0 {
                continue;
            }
            let is_alike = before.conditions.has_same_models(&current.conditions);
            // A rerun of one case lies between two rounds of all cases and shares least.
            if best.as_ref().is_none_or(|(most, _)| (is_alike, shared) >= *most) {
                best = Some(((is_alike, shared), Side::new(at, &before.name)));
            }
        }
        best.map(|(_, side)| side)
    }

    fn is_graded(&self, side: &Side) -> bool {
        let summary = self.earlier[side.iteration].configuration(&side.configuration);
        summary.is_some_and(|summary| summary.tally.graded() > 0)
    }

    /// What `name` was in an earlier round: `skill_v1` for `skill_v2`, where each is the only candidate
    /// beside the same baseline.
    fn followed<'i>(
        &self,
        earlier: &'i IterationAnalysis,
        name: &str,
    ) -> Option<&'i ConfigurationSummary> {
        if let Some(same) = earlier.configuration(name) {
            return Some(same);
        }
        let ([only], [before]) = (&*self.roles.candidates, &*earlier.roles.candidates) else {
            return None;
        };
        let baselines = [self.roles.baseline.as_ref()?, earlier.roles.baseline.as_ref()?];
        let [given, given_before] = baselines.map(|name| names::given_skill(name));
        let is_one_baseline =
            baselines[0] == baselines[1] || given.is_some() && given == given_before;
        if only == name && is_one_baseline { earlier.configuration(before) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use crate::analyze::{Side, analysis};
    use crate::tests::workspaces::{case, run, workspace};
    use input::model::{Case, Run};
    use input::settings::Settings;
    use testing::gradings::verdicts;

    /// One run of each case, all on one model.
    fn cases(names: &str, model: Option<&str>) -> Vec<Case> {
        let mut found = Vec::new();
        for name in names.split(' ') {
            let mut run = run("with_skill", 1, verdicts("pf"));
            run.metrics.model = model.map(str::to_owned);
            found.push(case(name, vec![run]));
        }
        found
    }

    #[test]
    fn the_previous_iteration_shares_condition_and_cases() {
        let table: [(&[(&str, Option<&str>)], Option<usize>); 6] = [
            (&[("a b c", None), ("a b c", None)], Some(0)),
            // A rerun of a single case.
            (&[("a b c", None), ("b", None), ("a b c", None)], Some(0)),
            (&[("a b c", None), ("a b c", None), ("a b c", None)], Some(1)),
            (&[("a b", Some("m")), ("a b", Some("n")), ("a b", Some("m"))], Some(0)),
            // Unknown with known is compared.
            (&[("a b", Some("m")), ("a b", None), ("a b", Some("m"))], Some(1)),
            (&[("a", None), ("b", None)], Some(0)),
        ];
        for (iterations, expected) in table {
            let found = iterations.iter().map(|(names, model)| cases(names, *model)).collect();
            let analysis = analysis(&workspace(found), &Settings::default());
            let last = Side::new(iterations.len() - 1, "with_skill");
            let previous = analysis.summary(&last).unwrap().previous.as_ref();
            assert_eq!(previous.map(|side| side.iteration), expected, "{iterations:?}");
        }
    }

    #[test]
    fn a_renamed_candidate_follows_the_only_one_beside_the_same_baseline() {
        fn round(names: &[&str]) -> Vec<Case> {
            let runs = names.iter().map(|name| run(name, 1, verdicts("pf"))).collect();
            vec![case("a", runs)]
        }
        let v2 = ["skill_v2", "without_skill"];
        let table: [(&[&str], Option<&str>); 4] = [
            (&["skill_v1", "without_skill"], Some("skill_v1")),
            (&["skill_v1", "no_skill"], Some("skill_v1")),
            // One of two, or one beside another thing, may not be what was changed.
            (&["skill_v1", "short_v1", "without_skill"], None),
            (&["skill_v1", "gpt_4"], None),
        ];
        for (first, expected) in table {
            let found = vec![round(first), round(&v2)];
            let analysis = analysis(&workspace(found), &Settings::default());
            let previous = analysis.previous(&Side::new(1, "skill_v2"));
            assert_eq!(previous.as_ref().map(|side| &*side.configuration), expected, "{first:?}");
        }
    }

    #[test]
    fn a_copy_is_not_the_previous_iteration_and_another_model_no_earlier_version() {
        let mut copied = cases("a b", None);
        for run in copied.iter_mut().flat_map(|case| &mut case.runs) {
            *run = Run { reused_from: Some("iteration-1".to_owned()), ..run.clone() };
        }
        let found = workspace(vec![cases("a b", None), copied, cases("a b", None)]);
        let copy = analysis(&found, &Settings::default());
        assert_eq!(copy.previous(&Side::new(2, "with_skill")), Some(Side::new(0, "with_skill")));

        let found = workspace(vec![cases("a b", Some("m")), cases("a b", Some("n"))]);
        let other_model = analysis(&found, &Settings::default());
        let side = Side::new(1, "with_skill");
        assert_eq!(other_model.previous(&side), None);
        assert!(other_model.since_previous(&side).is_none());
        assert_eq!(other_model.changes.len(), 1, "it is still compared");
        assert!(other_model.lead(&side).is_none());
    }
}
