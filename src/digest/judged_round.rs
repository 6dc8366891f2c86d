//! Which round a gate judges, and why it cannot be judged: a newer one has no run or no verdict, the skill was
//! edited since, or nothing was measured.

use crate::analyze::Analysis;
use crate::digest::{Comparisons, graded_before, stale};
use crate::gate::NotCheckable;
use input::discover::iteration_order;
use input::model::{Code, Iteration, Workspace};
use input::names;

/// The iteration that is judged, and why it cannot be: the newest that ran. Where an edit was taken back, that is
/// an earlier one, which ran the skill as it is: what somebody discarded is no longer what a change brings.
pub(crate) fn judged_round(
    workspace: &Workspace,
    analysis: &Analysis,
    newest: usize,
) -> (usize, Option<NotCheckable<'static>>) {
    let obstacle = obstacle(workspace, analysis, newest);
    if matches!(obstacle, Some(NotCheckable::EditedSince(_)))
        && let Some(after) = analysis.newest_candidate()
        && let Some(measured) = stale(workspace, &after).and_then(|stale| stale.measured_in)
    {
        return (measured, None);
    }
    (newest, obstacle)
}

/// Why the iteration at `judged` cannot be judged.
fn obstacle(
    workspace: &Workspace,
    analysis: &Analysis,
    judged: usize,
) -> Option<NotCheckable<'static>> {
    if let Some(newer) = newer(workspace, analysis, judged) {
        return Some(newer);
    }
    let after = analysis.newest_candidate().filter(|side| side.iteration == judged)?;
    if stale(workspace, &after).is_some_and(|stale| stale.is_skill_edited) {
        return Some(NotCheckable::EditedSince(workspace.iterations[judged].name.clone()));
    }
    // The other side may have run anew.
    let round = &workspace.iterations[judged];
    let mut own = round.runs().filter(|run| run.configuration == after.configuration);
    if own.all(|run| run.reused_from.is_some()) {
        return Some(NotCheckable::NewerCopied(round.name.clone()));
    }
    let comparisons = Comparisons::empty(workspace, analysis);
    comparisons.is_unmeasured(&after).then_some(NotCheckable::Unmeasured)
}

/// The iteration that should be judged instead of the one at `judged`, and cannot be: it was planned,
/// run in part, or not graded. A gate that passes because nothing ran lets every change through.
fn newer(
    workspace: &Workspace,
    analysis: &Analysis,
    judged: usize,
) -> Option<NotCheckable<'static>> {
    // Which one is the newest is not known then.
    if analysis.iterations[judged].is_unordered {
        return Some(NotCheckable::UnknownOrder);
    }
    let round = &workspace.iterations[judged];
    if graded_before(workspace, round).is_some() {
        return Some(NotCheckable::NewerCopied(round.name.clone()));
    }
    if let Some(copied) = newer_copy(workspace, &workspace.iterations[judged]) {
        return Some(NotCheckable::NewerCopied(copied.to_owned()));
    }
    let iterations = workspace.iterations.iter().zip(&analysis.iterations).enumerate();
    for (at, (iteration, found)) in iterations.rev() {
        if at <= judged {
            return None;
        }
        let holds_anything = !iteration.cases.is_empty() || !iteration.benchmarks.is_empty();
        // `iteration-main` is there to be compared with, and comes last by its name.
        if found.is_reference || !holds_anything {
            continue;
        }
        let name = iteration.name.clone();
        return Some(if found.candidates().any(|candidate| candidate.runs > 0) {
            NotCheckable::NewerUngraded(name)
        } else {
            NotCheckable::NewerWithoutRun(name)
        });
    }
    None
}

/// The folder of a newer iteration whose runs are all copies: it was left out of the workspace, since
/// copies count once. Somebody copied the folder for the next round and ran nothing.
fn newer_copy<'w>(workspace: &'w Workspace, judged: &Iteration) -> Option<&'w str> {
    for problem in &workspace.problems {
        let is_copy = problem.code == Code::DuplicateGrading
            && names::is_iteration(names::file_name(&problem.path))
            && workspace.iterations.iter().all(|iteration| iteration.path != problem.path);
        if is_copy && iteration_order(&problem.path, &judged.path).is_gt() {
            return Some(&problem.path);
        }
    }
    None
}
