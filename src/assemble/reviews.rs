//! Which iteration a review, comparison or benchmark belongs to, and whether the runs it names
//! are there.

use crate::discover::{IterationKey, names};
use crate::model::{About, Case, Code, Iteration, Problem, Run, Workspace};

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

/// Finds what each review of the iteration is about; those that name nothing of it are problems.
pub(super) fn attach(iteration: &mut Iteration) -> Vec<Problem> {
    let mut all = std::mem::take(&mut iteration.feedback);
    let mut problems = Vec::new();
    for feedback in &mut all {
        for review in &mut feedback.reviews {
            review.about = about(&review.run_id, iteration);
            if review.about == About::Unknown {
                problems.push(unknown(&feedback.path, &review.run_id));
            }
        }
    }
    iteration.feedback = all;
    problems
}

fn unknown(path: &str, run_id: &str) -> Problem {
    let message = format!("the review names the run `{run_id}`, which is not there");
    Problem::new(Code::UnknownRun, path, message)
        .assuming("shown with the iteration")
        .help("name the run by its path below the iteration, with `-` for `/`")
}

/// The first case that `run_id` means, and its run where the name says which or there is only one.
fn about(run_id: &str, iteration: &Iteration) -> About {
    let id = folded_id(run_id, iteration);
    let found = iteration.cases.iter().enumerate();
    found
        .map(|(at, case)| about_case(&id, at, case))
        .find(|about| *about != About::Unknown)
        .unwrap_or_default()
}

/// The run's name in one spelling, without the iteration.
fn folded_id(run_id: &str, iteration: &Iteration) -> String {
    let id = names::fold(run_id).replace('/', "_");
    let above = format!("{}_", names::fold(&iteration.name).replace('/', "_"));
    id.strip_prefix(&above).map_or(id.clone(), str::to_owned)
}

fn about_case(id: &str, at: usize, case: &Case) -> About {
    let by_number = case.id.as_ref().map(|id| format!("eval_{}", names::fold(id)));
    let own = [names::fold(&case.folder), names::fold(&case.name)];
    let own: Vec<String> =
        own.into_iter().chain(by_number).filter(|name| !name.is_empty()).collect();
    if own.iter().any(|name| name == id) {
        return About::Case { case: at };
    }
    let rest: Vec<&str> =
        own.iter().filter_map(|name| id.strip_prefix(name)?.strip_prefix('_')).collect();
    let is_meant = |run: &Run, with_number: bool| {
        let name = names::fold(&run.configuration);
        let name = if with_number { format!("{name}_run_{}", run.number) } else { name };
        rest.contains(&name.as_str())
    };
    if let Some(run) = case.runs.iter().position(|run| is_meant(run, true)) {
        return About::Run { case: at, run };
    }
    let mut unnumbered = case.runs.iter().enumerate().filter(|(_, run)| is_meant(run, false));
    match (unnumbered.next(), unnumbered.next()) {
        (Some((run, _)), None) => About::Run { case: at, run },
        (Some(_), Some(_)) => About::Case { case: at },
        (None, _) => About::Unknown,
    }
}
