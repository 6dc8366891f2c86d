//! What the first screen of a workspace is about: a comparison, or what there is instead.

use std::collections::BTreeSet;

use crate::analyze::{Analysis, BaselineReason, Side};
use crate::digest::is_only_recorded;
use input::model::{Code, Iteration, Run, Severity, Workspace};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// The newest candidate is compared with another side.
    Compared,
    /// Only one side has verdicts.
    OneSide,
    /// Several configurations have verdicts, and nothing says which one is the baseline.
    UnknownBaseline,
    /// No candidate has a verdict, but runs are there to be graded.
    NotGraded,
    /// The verdicts are gone; figures about them are left.
    OnlyRecorded,
    /// Only whether the skill triggers was tested.
    OnlyTriggers,
    Nothing,
}

impl State {
    pub(crate) fn new(workspace: &Workspace, analysis: &Analysis) -> Self {
        if let Some(after) = analysis.newest_candidate() {
            return Self::with_verdicts(analysis, &after);
        }
        // Many keep the benchmark and throw the gradings away.
        if is_only_recorded(workspace) {
            Self::OnlyRecorded
        } else if workspace.iterations.iter().flat_map(Iteration::runs).next().is_some() {
            Self::NotGraded
        } else if !workspace.trigger_rounds.is_empty() {
            Self::OnlyTriggers
        } else {
            Self::Nothing
        }
    }

    fn with_verdicts(analysis: &Analysis, after: &Side) -> Self {
        if analysis.lead(after).is_some() {
            Self::Compared
        } else if unnamed_sides(analysis, after.iteration).len() > 1 {
            Self::UnknownBaseline
        } else {
            Self::OneSide
        }
    }

    /// In lower-case words, for programs.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Compared => "compared",
            Self::OneSide => "one side",
            Self::UnknownBaseline => "unknown baseline",
            Self::NotGraded => "not graded",
            Self::OnlyRecorded => "only recorded",
            Self::OnlyTriggers => "only triggers",
            Self::Nothing => "nothing",
        }
    }
}

/// The graded configurations of an iteration in which no name says which one is the baseline, such as
/// `config_a` and `config_b`, in the order of the iteration; empty in any other.
pub(crate) fn unnamed_sides(analysis: &Analysis, iteration: usize) -> Vec<Side> {
    let found = &analysis.iterations[iteration];
    if found.roles.baseline.is_some() || found.roles.reason != BaselineReason::NoName {
        return Vec::new();
    }
    let names = found.roles.order().filter(|name| found.is_graded(name));
    names.map(|name| Side::new(iteration, name)).collect()
}

/// Runs of the workspace without any verdict.
pub(crate) fn ungraded_runs(workspace: &Workspace) -> impl Iterator<Item = &Run> {
    let runs = workspace.iterations.iter().flat_map(Iteration::runs);
    runs.filter(|run| !run.is_graded())
}

/// The paths of files that look like results and were not understood, each once.
pub(crate) fn unread_results(workspace: &Workspace) -> BTreeSet<&str> {
    let unread = workspace.problems.iter().filter(|problem| {
        matches!(problem.code, Code::ResultsNotRead | Code::UnknownShape)
            || problem.severity() == Severity::Error
    });
    unread.map(|problem| problem.path.as_str()).collect()
}
