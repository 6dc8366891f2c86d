//! On what the runs of a round were measured: whether skill, prompts or checks changed since, which runs are
//! those of an earlier round, which are missing and which are left out.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::Side;
use input::discover::kinds;
use input::model::{Iteration, Run, Workspace};
use input::names;

/// What changed since a side was measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stale {
    /// Whether the skill is another one today.
    pub(crate) is_skill_edited: bool,
    /// The newest earlier iteration that ran this side with the skill as it is today: the edit was taken back.
    pub(crate) measured_in: Option<usize>,
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
    let runs = iteration.runs().filter(|run| run.configuration == after.configuration);
    let skills: BTreeSet<&String> = runs.filter_map(|run| run.measured.skill.as_ref()).collect();
    if let Some(digest) = &today.digest
        && !skills.is_empty()
        && !skills.contains(digest)
    {
        stale.is_skill_edited = true;
        stale.lines = skills.iter().find_map(|skill| today.lines.get(*skill)).copied();
        let earlier = &workspace.iterations[..after.iteration];
        stale.measured_in = earlier.iter().rposition(|round| {
            let mut runs = round.runs().filter(|run| run.configuration == after.configuration);
            runs.any(|run| run.is_graded() && run.measured.skill.as_ref() == Some(digest))
        });
    }
    for case in &iteration.cases {
        let position = today.cases.iter().position(|planned| planned.is_same_as(case));
        let Some(position) = position else { continue };
        // Runs that were added later may have been asked something else than the first.
        let measured = || case.runs_of(&after.configuration).map(|run| &run.measured);
        let asked = &today.asked[position];
        let is_other = measured()
            .any(|then| differs(&asked.prompt, &then.prompt) || differs(&asked.files, &then.files));
        stale.prompts += usize::from(is_other);
        let known: Vec<BTreeSet<&String>> =
            measured().filter_map(|then| Some(then.checks.as_ref()?.iter().collect())).collect();
        for check in asked.checks.iter().flatten() {
            stale.checks += usize::from(known.iter().any(|then| !then.contains(check)));
        }
    }
    if stale == Stale::default() { None } else { Some(stale) }
}

fn differs(now: &Option<String>, then: &Option<String>) -> bool {
    now.is_some() && then.is_some() && now != then
}

/// The file in a run of `after` without a grading that is one under a slip of its name.
pub(crate) fn misnamed_grading<'a>(workspace: &'a Workspace, after: &Side) -> Option<&'a str> {
    let runs = workspace.iterations[after.iteration].runs();
    let open: BTreeSet<&str> =
        runs.filter(|run| !run.is_graded()).map(|run| run.path.as_str()).collect();
    let mut paths = workspace.problems.iter().map(|problem| problem.path.as_str());
    paths.find(|path| {
        open.contains(names::folder(path)) && kinds::misspelt(path) == Some("grading.json")
    })
}

/// Whether every run of `after` is known to have had the skill, the prompt and the checks of today.
pub(crate) fn is_measured_today(workspace: &Workspace, after: &Side) -> bool {
    let Some(today) = &workspace.today else { return false };
    let mut runs = 0;
    for run in workspace.iterations[after.iteration].runs() {
        if run.configuration != after.configuration {
            continue;
        }
        let measured = &run.measured;
        let is_of_today = measured.skill.is_some() && measured.skill == today.digest;
        if !is_of_today || measured.prompt.is_none() || measured.checks.is_none() {
            return false;
        }
        runs += 1;
    }
    runs > 0 && !today.cases.is_empty() && stale(workspace, after).is_none()
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
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let counts = RunCounts::new(iteration);
    let missing = iteration.cases.iter().flat_map(|case| &case.missing);
    let missing = missing.map(|run| run.configuration.as_str());
    for name in iteration.configurations.iter().map(String::as_str).chain(missing) {
        if places.contains_key(name) {
            continue;
        }
        places.insert(name, sides.len());
        let missing = counts.missing(name);
        let configuration = name.to_owned();
        sides.push(SideRuns { configuration, missing, planned: missing, ..SideRuns::default() });
    }
    for run in iteration.runs() {
        let Some(at) = places.get(run.configuration.as_str()) else { continue };
        let side = &mut sides[*at];
        side.planned += 1;
        if let Some(reuse) = &run.reuse {
            *side.reused.entry(reuse.iteration.clone()).or_default() += 1;
            side.graded_again += usize::from(reuse.is_graded_again);
            side.regraded += usize::from(reuse.regraded > 0);
        }
    }
    sides
}

/// The runs of a case by side.
#[derive(Default)]
struct CaseCounts<'a> {
    /// Runs that were planned and left nothing.
    planned: BTreeMap<&'a str, usize>,
    runs: BTreeMap<&'a str, usize>,
    /// Those that count: a run that was repeated leaves the one that stopped.
    counted: BTreeMap<&'a str, usize>,
    /// By the most runs that a side has of any case: the most that such a side has of this one.
    highest: BTreeMap<usize, usize>,
}

/// How many runs each side has of each case, counted in one pass: a sweep has hundreds of sides.
struct RunCounts<'a> {
    cases: Vec<CaseCounts<'a>>,
    /// The most counted runs that a side has of any case.
    most: BTreeMap<&'a str, usize>,
}

impl<'a> RunCounts<'a> {
    fn new(iteration: &'a Iteration) -> Self {
        let mut counts = Self { cases: Vec::new(), most: BTreeMap::new() };
        for case in &iteration.cases {
            let mut found = CaseCounts::default();
            for run in &case.missing {
                *found.planned.entry(&run.configuration).or_default() += 1;
            }
            for run in &case.runs {
                *found.runs.entry(&run.configuration).or_default() += 1;
                *found.counted.entry(&run.configuration).or_default() +=
                    usize::from(!run.is_lost());
            }
            for (name, number) in &found.counted {
                let most = counts.most.entry(name).or_default();
                *most = (*most).max(*number);
            }
            counts.cases.push(found);
        }
        for case in &mut counts.cases {
            for (name, number) in &case.counted {
                let highest = case.highest.entry(counts.most[name]).or_default();
                *highest = (*highest).max(*number);
            }
        }
        counts
    }

    /// How many runs a side lacks: those that were planned and left nothing, and those of a case that it has
    /// fewer of than another side which has as many of other cases.
    fn missing(&self, name: &str) -> usize {
        let most = self.most.get(name).copied().unwrap_or_default();
        let mut missing = 0;
        for case in &self.cases {
            let planned = case.planned.get(name).copied().unwrap_or_default();
            let own = case.runs.get(name).copied().unwrap_or_default();
            let highest = case.highest.get(&most).copied().unwrap_or_default();
            // That a side has no run of a case at all is news of its own.
            let lacking = if own > 0 { highest.saturating_sub(own) } else { 0 };
            missing += planned.max(lacking);
        }
        missing
    }
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

/// How many rounds up to the one at `index` share a run with its side `name`, this one among them: already
/// one makes them evidence that is not independent.
pub(crate) fn rounds_sharing_runs(workspace: &Workspace, index: usize, name: &str) -> usize {
    let own = origins(&workspace.iterations[index], name);
    let rounds = workspace.iterations[..=index].iter();
    rounds.filter(|round| !own.is_disjoint(&origins(round, name))).count()
}

/// Where the runs of a side were made.
fn origins<'w>(iteration: &'w Iteration, name: &str) -> BTreeSet<&'w str> {
    let runs = iteration.runs().filter(|run| run.configuration == name);
    runs.map(Run::origin).filter(|origin| !origin.is_empty()).collect()
}
