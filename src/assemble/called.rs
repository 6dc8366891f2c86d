//! Names of cases that stand for two: they stand for none, and the folders name the cases. Folders
//! of one iteration that state the same case are told.

use std::collections::{BTreeMap, BTreeSet};

use crate::discover::{Kind, Section};
use crate::model::{Case, Code, Iteration, Problem, Workspace};

/// Calls cases by their folders where two of one iteration have one name.
pub(super) fn apart(workspace: &mut Workspace, section: &Section) {
    let mut shared: BTreeSet<String> = BTreeSet::new();
    let mut problems = Vec::new();
    for iteration in &workspace.iterations {
        let mut known: BTreeMap<&str, &Case> = BTreeMap::new();
        let mut by_id: BTreeMap<&str, &Case> = BTreeMap::new();
        for case in iteration.cases.iter().filter(|case| !case.folder.is_empty()) {
            let path = || described_in(section, iteration, case);
            let first = *known.entry(case.name.as_str()).or_insert(case);
            let same_id = case.id.as_deref().map(|id| *by_id.entry(id).or_insert(case));
            if first.folder != case.folder {
                shared.insert(case.name.clone());
                problems.push(match is_other(first, case) {
                    true => shares_name(case, first, path()),
                    false => stated_twice(first, path()),
                });
            } else if let Some(first) = same_id.filter(|first| is_told_twice(first, case)) {
                problems.push(stated_twice(first, path()));
            }
        }
    }
    let cases = workspace.iterations.iter_mut().flat_map(|iteration| &mut iteration.cases);
    for case in cases.filter(|case| shared.contains(&case.name) && !case.folder.is_empty()) {
        case.name.clone_from(&case.folder);
    }
    workspace.problems.append(&mut problems);
}

/// Whether two cases say that they are not the same.
fn is_other(a: &Case, b: &Case) -> bool {
    let differs = |a: &Option<String>, b: &Option<String>| match (a, b) {
        (Some(a), Some(b)) => a.trim() != b.trim(),
        _ => false,
    };
    differs(&a.id, &b.id) || differs(&a.prompt, &b.prompt)
}

/// Whether the second of two folders with one id says nothing else than the first.
fn is_told_twice(first: &Case, second: &Case) -> bool {
    let is_unnamed = |case: &Case| case.name == case.folder;
    first.folder != second.folder
        && (is_unnamed(first) || is_unnamed(second))
        && !is_other(first, second)
}

/// The metadata of a case; its first run where there is none.
fn described_in(section: &Section, iteration: &Iteration, case: &Case) -> String {
    let mut metadata = section.documents.iter().filter(|it| it.kind == Kind::CaseMetadata);
    let found = metadata.find(|document| {
        let place = &document.place;
        place.iteration.is_of(iteration) && place.case.as_ref() == Some(&case.folder)
    });
    let run = || case.runs.first().map(|run| run.path.clone()).unwrap_or_default();
    found.map_or_else(run, |document| document.path.clone())
}

fn shares_name(case: &Case, first: &Case, path: String) -> Problem {
    let message = format!("the case is called `{}` as that in `{}`", case.name, first.folder);
    Problem::new(Code::CaseContradicts, path, message)
        .assuming("each is called by its folder, because their ids or prompts differ")
        .help("give every case a name of its own")
}

fn stated_twice(first: &Case, path: String) -> Problem {
    let message = format!("the folder states the same case as `{}`, with other runs", first.folder);
    Problem::new(Code::CaseContradicts, path, message)
        .assuming("each is counted as a case of its own")
        .help("put the runs of a case into one folder, as `run-1`, `run-2`, …")
}
