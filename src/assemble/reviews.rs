//! Which iteration a review, comparison or benchmark belongs to, and whether the runs it names
//! are there.

use crate::discover::{IterationKey, is_about, names};
use crate::model::{Code, Iteration, Problem, Workspace};

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
            let is_here = |case| is_about(&review.run_id, iteration, case);
            if !iteration.cases.iter().any(is_here) {
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
