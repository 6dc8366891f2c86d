//! On what the runs of a round were measured: whether skill, prompts or checks changed since, which runs are
//! those of an earlier round, which are missing and which are left out.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::Side;
use input::model::{Case, Iteration, Run, Workspace};

/// What changed since a side was measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stale {
    /// Whether the skill is another one today.
    pub(crate) is_skill_edited: bool,
    /// Lines added to and removed from its `SKILL.md`, where a copy of what ran is there.
    pub(crate) lines: Option<[usize; 2]>,
    /// Checks that were reworded or added, and cases whose prompt or input files changed.
    pub(crate) checks: usize,
    pub(crate) prompts: usize,
}

/// What changed since `after` was measured; `None` if nothing did, or nobody can tell.
pub(crate) fn stale(workspace: &Workspace, after: &Side) -> Option<Stale> {
    let today = workspace.today.as_ref()?;
    let iteration = &workspace.iterations[after.iteration];
    let mut stale = Stale::default();
    let of_side = |run: &&Run| run.configuration == after.configuration;
    let skills: BTreeSet<&String> =
        iteration.runs().filter(of_side).filter_map(|run| run.measured.skill.as_ref()).collect();
    if let Some(digest) = &today.digest
        && !skills.is_empty()
        && !skills.contains(digest)
    {
        stale.is_skill_edited = true;
        stale.lines = skills.iter().find_map(|skill| today.lines.get(*skill)).copied();
    }
    for case in &iteration.cases {
        let position = today.cases.iter().position(|planned| planned.is_same_as(case));
        let (Some(position), Some(run)) = (position, case.runs_of(&after.configuration).next())
        else {
            continue;
        };
        let (asked, measured) = (&today.asked[position], &run.measured);
        let differs = |now: &Option<String>, then: &Option<String>| {
            now.is_some() && then.is_some() && now != then
        };
        let is_other =
            differs(&asked.prompt, &measured.prompt) || differs(&asked.files, &measured.files);
        stale.prompts += usize::from(is_other);
        if let (Some(now), Some(then)) = (&asked.checks, &measured.checks) {
            stale.checks += now.iter().filter(|check| !then.contains(check)).count();
        }
    }
    if stale == Stale::default() { None } else { Some(stale) }
}

/// Whether every run of `after` is known to have had the skill, the prompt and the checks of today.
pub(crate) fn is_measured_today(workspace: &Workspace, after: &Side) -> bool {
    let Some(today) = &workspace.today else { return false };
    let mut runs = workspace.iterations[after.iteration].runs();
    let mut runs_of_side = runs.by_ref().filter(|run| run.configuration == after.configuration);
    let is_known = |run: &Run| {
        run.measured.skill.is_some()
            && run.measured.skill == today.digest
            && run.measured.prompt.is_some()
            && run.measured.checks.is_some()
    };
    !today.cases.is_empty() && runs_of_side.all(is_known) && stale(workspace, after).is_none()
}

/// The runs of one side of a round, by where they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SideRuns {
    pub(crate) configuration: String,
    /// All that were planned, as far as that is known.
    pub(crate) planned: usize,
    /// How many are of an earlier round, by its name.
    pub(crate) reused: BTreeMap<String, usize>,
    pub(crate) graded_again: usize,
    /// Reused runs with checks that were judged in this round.
    pub(crate) regraded: usize,
    /// Planned runs that left nothing.
    pub(crate) missing: usize,
}

impl SideRuns {
    /// The earlier round that all its runs are of.
    pub(crate) fn made_in(&self) -> Option<&str> {
        let (name, number) = self.reused.first_key_value()?;
        let is_only = *number + self.missing == self.planned;
        if is_only { Some(name) } else { None }
    }
}

/// The sides of a round in the order of its configurations.
pub(crate) fn sides(iteration: &Iteration) -> Vec<SideRuns> {
    let mut sides: Vec<SideRuns> = Vec::new();
    let missing = iteration.cases.iter().flat_map(|case| &case.missing);
    let mut names: Vec<&String> = iteration.configurations.iter().collect();
    names.extend(missing.clone().map(|run| &run.configuration));
    for name in names {
        if sides.iter().any(|side| side.configuration == *name) {
            continue;
        }
        let own = most_runs(iteration, name);
        let others = iteration.configurations.iter();
        let alike: Vec<&String> =
            others.filter(|other| *other != name && most_runs(iteration, other) == own).collect();
        let missing = iteration.cases.iter().map(|case| missing_runs(case, name, &alike)).sum();
        let mut side = SideRuns {
            configuration: name.clone(),
            missing,
            planned: missing,
            ..SideRuns::default()
        };
        for run in iteration.runs().filter(|run| run.configuration == *name) {
            side.planned += 1;
            if let Some(reuse) = &run.reuse {
                *side.reused.entry(reuse.iteration.clone()).or_default() += 1;
                side.graded_again += usize::from(reuse.is_graded_again);
                side.regraded += usize::from(reuse.regraded > 0);
            }
        }
        sides.push(side);
    }
    sides
}

/// How many runs of a case a side lacks: those that were planned and left nothing, and those that it has
/// fewer of than a side of `alike`, which has as many of other cases.
fn missing_runs(case: &Case, name: &str, alike: &[&String]) -> usize {
    let planned = case.missing.iter().filter(|run| run.configuration == *name).count();
    let own = case.runs_of(name).count();
    let mut lacking = 0;
    // That a side has no run of a case at all is news of its own.
    for other in alike.iter().filter(|_| own > 0) {
        // A run that was repeated leaves the one that stopped.
        let others = case.runs_of(other).filter(|run| !run.is_lost()).count();
        lacking = others.saturating_sub(own).max(lacking);
    }
    planned.max(lacking)
}

/// The most runs that a side has of any case.
fn most_runs(iteration: &Iteration, name: &str) -> usize {
    let cases = iteration.cases.iter();
    let counts = cases.map(|case| case.runs_of(name).filter(|run| !run.is_lost()).count());
    counts.max().unwrap_or(0)
}

/// Runs of a round that do not count, each with its case and the reason that its files give.
pub(crate) fn left_out(iteration: &Iteration) -> Vec<(&str, &Run, &str)> {
    let mut runs = Vec::new();
    for case in &iteration.cases {
        for run in case.runs.iter().filter(|run| run.is_lost()) {
            runs.push((case.name.as_str(), run, run.error.as_deref().unwrap_or_default()));
        }
    }
    runs
}

/// How many rounds up to the one at `index` have the same runs on a side, this one among them.
pub(crate) fn rounds_with_same_runs(workspace: &Workspace, index: usize, name: &str) -> usize {
    let origins = |at: usize| -> BTreeSet<&str> {
        let runs = workspace.iterations[at].runs().filter(|run| run.configuration == name);
        runs.map(Run::origin).filter(|origin| !origin.is_empty()).collect()
    };
    let own = origins(index);
    (0..=index).filter(|at| !own.is_disjoint(&origins(*at))).count()
}
