//! What went wrong in the runs of a comparison, so that its verdict says little about the skill.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::{Analysis, Change, Side};
use input::model::{Code, LoadingState, Run, Workspace};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Trouble {
    /// Runs of at least one side stopped with an error: the sides, the candidate first.
    Stopped(Vec<StoppedRuns>),
    /// Runs of a side finished and left nothing but empty files.
    NoAnswer { side: Side, runs: usize, total: usize },
    /// Runs of the candidate did without the skill. A skill that was not there cannot have failed.
    NotLoaded {
        runs: usize,
        total: usize,
        /// The mean pass rates of the other runs and of the other side on the same cases, the other
        /// side first, in 0..=1; `None` without another run.
        others: Option<[f64; 2]>,
    },
}

/// Runs of a side, at least one, that saw what their result depends on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReadingRuns {
    pub(crate) side: Side,
    pub(crate) runs: usize,
    pub(crate) total: usize,
    /// Whether they read the checks that grade them, else what other runs left.
    pub(crate) read_checks: bool,
}

/// The runs of `after`, and of the side that `lead` compares it with, that read the checks that grade
/// them or what other runs left.
pub(crate) fn reading_runs(
    workspace: &Workspace,
    after: &Side,
    lead: Option<&Change>,
) -> Vec<ReadingRuns> {
    let mut sides = vec![after];
    sides.extend(lead.map(|lead| &lead.before));
    let mut found = Vec::new();
    for (code, read_checks) in [(Code::AnswerKeyRead, true), (Code::OtherRunRead, false)] {
        let problems = workspace.problems.iter().filter(|problem| problem.code == code);
        let records: BTreeSet<&str> = problems.map(|problem| problem.path.as_str()).collect();
        for side in &sides {
            let runs = runs_of(workspace, side);
            let total = runs.len();
            let runs = runs.iter().filter(|run| is_among(run, &records)).count();
            if runs > 0 {
                found.push(ReadingRuns { side: (*side).clone(), runs, total, read_checks });
            }
        }
    }
    found
}

/// Whether one of `records` is of `run`: its transcript, or a file in its folder.
fn is_among(run: &Run, records: &BTreeSet<&str>) -> bool {
    let folder = format!("{}/", run.path);
    let next = records.range(folder.as_str()..).next();
    let transcript = run.transcript.as_ref().map_or("", |transcript| &transcript.path);
    records.contains(transcript) || next.is_some_and(|path| path.starts_with(&folder))
}

/// The runs of a side that stopped with an error, at least one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StoppedRuns {
    pub(crate) side: Side,
    pub(crate) runs: usize,
    pub(crate) total: usize,
    /// Whether any of them has a verdict, so that it counts.
    pub(crate) is_any_graded: bool,
    /// The most frequent first.
    pub(crate) errors: Vec<(String, usize)>,
}

/// The first kind of trouble in the runs of `after`, or of the side that `lead` compares it with.
pub(crate) fn trouble(
    workspace: &Workspace,
    analysis: &Analysis,
    after: &Side,
    lead: Option<&Change>,
) -> Option<Trouble> {
    let within = lead.filter(|lead| analysis.opposite(after).as_ref() == Some(&lead.before));
    // A baseline that broke off makes a gain as doubtful as a candidate that did.
    let mut sides = vec![after];
    sides.extend(within.map(|lead| &lead.before));
    let stopped: Vec<_> = sides.iter().filter_map(|side| stopped(workspace, side)).collect();
    if !stopped.is_empty() {
        return Some(Trouble::Stopped(stopped));
    }
    let silent = sides.iter().find_map(|side| no_answer(workspace, side));
    silent.or_else(|| not_loaded(workspace, after, lead))
}

fn stopped(workspace: &Workspace, side: &Side) -> Option<StoppedRuns> {
    let runs = runs_of(workspace, side);
    let is_any_graded = runs.iter().any(|run| run.error.is_some() && run.is_graded());
    let errors: Vec<&str> = runs.iter().filter_map(|run| run.error.as_deref()).collect();
    // A run that a rate limit stopped fails all its checks.
    if errors.is_empty() {
        return None;
    }
    let (stopped, total) = (errors.len(), runs.len());
    let (side, errors) = (side.clone(), by_frequency(&errors));
    Some(StoppedRuns { side, runs: stopped, total, is_any_graded, errors })
}

fn no_answer(workspace: &Workspace, side: &Side) -> Option<Trouble> {
    let runs = runs_of(workspace, side);
    let silent = runs.iter().filter(|run| run.answered_nothing()).count();
    if silent == 0 {
        return None;
    }
    Some(Trouble::NoAnswer { side: side.clone(), runs: silent, total: runs.len() })
}

fn by_frequency(errors: &[&str]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for error in errors {
        *counts.entry(error).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> =
        counts.into_iter().map(|(error, number)| (error.to_owned(), number)).collect();
    counts.sort_by_key(|(_, number)| Reverse(*number));
    counts
}

fn not_loaded(workspace: &Workspace, after: &Side, lead: Option<&Change>) -> Option<Trouble> {
    // Some cases test that the skill stays out.
    let cases = workspace.iterations[after.iteration].cases.iter();
    let cases = cases.filter(|case| case.should_load != Some(false));
    let runs: Vec<&Run> = cases.flat_map(|case| case.runs_of(&after.configuration)).collect();
    let missing = runs.iter().filter(|run| run.loading.state == LoadingState::NotLoaded).count();
    if missing == 0 {
        return None;
    }
    let others = lead.and_then(|lead| lead.gain.means_with_skill);
    Some(Trouble::NotLoaded { runs: missing, total: runs.len(), others })
}

fn runs_of<'a>(workspace: &'a Workspace, side: &Side) -> Vec<&'a Run> {
    let cases = workspace.iterations[side.iteration].cases.iter();
    cases.flat_map(|case| case.runs_of(&side.configuration)).collect()
}
