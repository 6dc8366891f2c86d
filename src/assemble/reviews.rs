//! Which iteration a review, comparison or benchmark belongs to, and whether the runs it names
//! are there.

use crate::discover::{IterationKey, names};
use crate::model::{Case, Code, Iteration, Problem, Run, Workspace};

/// The two versions in a folder's name: `v1-vs-v0` is (`v1`, `v0`).
pub(super) fn versions_in(path: &str) -> Option<(String, String)> {
    let folder = names::file_name(names::folder(path));
    let (first, second) = folder.split_once("-vs-").or_else(|| folder.split_once("_vs_"))?;
    (!first.is_empty() && !second.is_empty()).then(|| (first.to_owned(), second.to_owned()))
}

/// The index of the iteration: the folder's own, the version a comparison is about, or the last.
pub(super) fn iteration_of(
    workspace: &Workspace,
    key: &IterationKey,
    versions: Option<&(String, String)>,
) -> Option<usize> {
    let (path, implicit) = match key {
        IterationKey::Folder(path) => (path, false),
        IterationKey::Group(path) => (path, true),
    };
    let all = &workspace.iterations;
    let own = all.iter().position(|it| it.path == *path && it.implicit == implicit);
    let by_version = || {
        let (first, second) = versions?;
        let named = |name: &String| all.iter().position(|it| it.name == *name);
        named(first).max(named(second))
    };
    own.or_else(by_version).or_else(|| all.len().checked_sub(1))
}

/// The problem of a document beside runs in a workspace that has none.
pub(super) fn homeless(path: &str) -> Problem {
    let message = "there is no iteration that this document could belong to";
    Problem::new(Code::UnknownRun, path, message)
        .assuming("not shown")
        .help("put it into the iteration's folder")
}

/// Reviews that name no run of the iteration.
pub(super) fn check(iteration: &Iteration) -> Vec<Problem> {
    let mut problems = Vec::new();
    for feedback in &iteration.feedback {
        for review in &feedback.reviews {
            let id = folded_id(&review.run_id, iteration);
            if !iteration.cases.iter().any(|case| is_about(&id, case)) {
                let message =
                    format!("the review names the run `{}`, which is not there", review.run_id);
                problems.push(
                    Problem::new(Code::UnknownRun, &feedback.path, message)
                        .assuming("shown with the iteration")
                        .help("name the run by its path below the iteration, with `-` for `/`"),
                );
            }
        }
    }
    problems
}

/// The run's name in one spelling, without the iteration.
fn folded_id(run_id: &str, iteration: &Iteration) -> String {
    let id = names::fold(run_id).replace('/', "_");
    let above = format!("{}_", names::fold(&iteration.name).replace('/', "_"));
    id.strip_prefix(&above).map_or(id.clone(), str::to_owned)
}

/// Whether `id` names the case or one of its runs.
fn is_about(id: &str, case: &Case) -> bool {
    let own = [names::fold(&case.folder), names::fold(&case.name)];
    let by_number = case.id.as_ref().map(|id| format!("eval_{}", names::fold(id)));
    own.iter().any(|name| name == id)
        || by_number.as_deref() == Some(id)
        || case.runs.iter().any(|run| matches(id, case, run, by_number.as_deref()))
}

fn matches(id: &str, case: &Case, run: &Run, by_number: Option<&str>) -> bool {
    let configuration = names::fold(&run.configuration);
    let folders = [
        Some(names::fold(&case.folder)),
        Some(names::fold(&case.name)),
        by_number.map(str::to_owned),
    ];
    folders.iter().flatten().any(|folder| {
        let flat = format!("{folder}_{configuration}");
        let numbered = format!("{flat}_run_{}", run.number);
        id == flat || id == numbered
    })
}
