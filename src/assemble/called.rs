//! Names of cases that stand for two: they stand for none, and the folders name the cases. Folders
//! of one iteration that state the same case are told.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::index::differ;
use crate::discover::{Kind, Section};
use crate::model::{Case, Code, Iteration, Problem, Run, Workspace};
use crate::text::folded;

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

/// Marks every case with prompt and input files of one before it in its iteration; where the checks differ,
/// one prompt was made two cases, which is a problem.
pub(super) fn mark_same_prompts(workspace: &mut Workspace) {
    let mut problems = Vec::new();
    for iteration in &mut workspace.iterations {
        let mut known: BTreeMap<(String, Vec<String>), usize> = BTreeMap::new();
        for at in 0..iteration.cases.len() {
            let prompt = iteration.cases[at].prompt.as_deref().map(folded);
            // What only says where the prompt is written is no prompt.
            let is_prompt =
                |prompt: &Cow<'_, str>| !prompt.is_empty() && !prompt.contains("evals.json");
            let Some(prompt) = prompt.filter(is_prompt) else { continue };
            let asked = (prompt.into_owned(), iteration.cases[at].files.clone());
            let first = *known.entry(asked).or_insert(at);
            if first == at {
                continue;
            }
            let (case, first) = (&iteration.cases[at], &iteration.cases[first]);
            if statements(case) != statements(first) {
                problems.push(same_prompt(case, first, iteration));
            }
            iteration.cases[at].same_prompt_as = Some(first.name.clone());
        }
    }
    workspace.problems.append(&mut problems);
}

/// What is checked of a case: as planned, else as its first graded run lists it.
fn statements(case: &Case) -> Vec<&str> {
    let graded = || case.runs.iter().find(|run| run.is_graded()).map(Run::expectations);
    if case.planned.is_empty() {
        return graded().unwrap_or_default().iter().map(|found| found.text.as_str()).collect();
    }
    case.planned.iter().map(|planned| planned.text.as_str()).collect()
}

fn same_prompt(case: &Case, first: &Case, iteration: &Iteration) -> Problem {
    let path = case.runs.first().map_or(&iteration.path, |run| &run.path);
    let message = format!("`{}` has the prompt of `{}`, with other checks", case.name, first.name);
    Problem::new(Code::SamePrompt, path, message)
        .assuming("each is shown as a case of its own, but they are not independent")
        .help("put all checks of one prompt into one case")
}

fn is_other(a: &Case, b: &Case) -> bool {
    differ(&a.id, &b.id) || differ(&a.prompt, &b.prompt)
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
    let mut metadata =
        section.documents.iter().filter(|document| document.kind == Kind::CaseMetadata);
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
