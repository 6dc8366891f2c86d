//! Runs that measured nothing, although their grader judged them: the model's service answered with
//! an error, or the run left nothing behind.

use crate::read::names_limit;
use input::model::{Code, Expectation, Iteration, Outcome, Problem, Run, Workspace};
use input::names;
use text::folded;

/// Bytes of an answer that can be an error of the service.
const ERROR_BYTES: u64 = 2048;

/// Marks the runs of `workspace` that were lost. `read` returns the text of a file by its path.
pub(crate) fn mark_lost(workspace: &mut Workspace, read: &dyn Fn(&str) -> Option<String>) {
    for iteration in &mut workspace.iterations {
        let are_counted = iteration.runs().any(|run| run.metrics.tokens.is_some());
        let leave_records = leaves_records(iteration);
        let runs = iteration.cases.iter_mut().flat_map(|case| &mut case.runs);
        for run in runs.filter(|run| run.reuse.is_none()) {
            let is_missing = leave_records && !has_record(run) && is_unverifiable(run);
            let error = if run.error.is_some() {
                None
            } else if let Some(limit) = reached_limit(run, read) {
                Some(limit)
            } else if is_missing {
                Some("the run left no record".to_owned())
            } else if are_counted && run.metrics.tokens.is_none() {
                service_error(run, read)
            } else {
                None
            };
            let measured_nothing = error.is_some();
            if let Some(error) = error {
                let message = format!("the run measured nothing: {error}");
                let problem = Problem::new(Code::RunError, &run.path, message);
                let problem = problem.assuming("its checks are not counted").help("run it again");
                workspace.problems.push(problem);
                run.error = Some(format!("error: {error}"));
            }
            let is_lost = run.is_lost();
            for check in run.gradings.iter_mut().flat_map(|grading| &mut grading.expectations) {
                // What was judged before a run stopped stays recorded, as agentv does. That nothing
                // could be verified is no failure.
                if measured_nothing || (is_lost && says_unverifiable(check)) {
                    check.outcome = Outcome::Ungraded;
                }
            }
        }
    }
}

/// The limit of the account that is the only answer of a run, or the reason for each of its failures.
fn reached_limit(run: &Run, read: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let checks = run.expectations();
    if checks.is_empty() || checks.iter().any(|check| check.outcome == Outcome::Passed) {
        return None;
    }
    let mut reasons = checks.iter().map(|check| check.evidence.as_deref().unwrap_or_default());
    if reasons.all(names_limit) {
        return checks[0].evidence.clone();
    }
    let [only] = &run.outputs[..] else { return None };
    let answer = if only.bytes <= ERROR_BYTES { read(&only.path) } else { None };
    answer.map(|answer| answer.trim().to_owned()).filter(|answer| names_limit(answer))
}

/// The error that is the only answer of a run, as agent-skills-eval keeps it: `ERROR: 529 …`.
fn service_error(run: &Run, read: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let mut answers = run.outputs.iter().filter(|output| !output.name.ends_with(".json"));
    let (first, others) = (answers.next()?, answers);
    // `response.txt` may repeat `output.txt`.
    if first.bytes > ERROR_BYTES || others.into_iter().any(|other| other.bytes != first.bytes) {
        return None;
    }
    let text = read(&first.path)?;
    let message = text.trim().strip_prefix("ERROR:")?.trim();
    if message.is_empty() { None } else { Some(message.chars().take(300).collect()) }
}

/// Whether most runs of an iteration left more than their grading.
fn leaves_records(iteration: &Iteration) -> bool {
    let own = iteration.runs().filter(|run| run.reuse.is_none());
    let (with, without): (Vec<&Run>, Vec<&Run>) = own.partition(|run| has_record(run));
    with.len() > without.len()
}

fn has_record(run: &Run) -> bool {
    !run.metrics.is_empty()
        || run.transcript.is_some()
        || run.outputs.iter().any(|output| !names::file_name(&output.name).starts_with("grading"))
}

/// Whether the grader says of every check that there was nothing to verify it with.
fn is_unverifiable(run: &Run) -> bool {
    let checks = run.expectations();
    !checks.is_empty() && checks.iter().all(says_unverifiable)
}

fn says_unverifiable(check: &Expectation) -> bool {
    let evidence = check.evidence.as_deref().unwrap_or_default();
    check.outcome != Outcome::Passed && folded(evidence).contains("unverifiable")
}
