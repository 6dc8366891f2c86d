//! Names of cases: without the configuration at the end, as in `csv (with_skill)`, and never shared
//! by two cases, which are called by their folders instead.

use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::location::differ;
use input::discover::{Document, Kind, Section};
use input::model::{Case, Code, Iteration, Problem, Run, Workspace};
use input::names;
use text::{folded, folded_name, is_cut_off};

const DASHES: [char; 3] = ['-', '–', '—'];

/// The stated `name` of a case without `configuration` at its end; `None` if it does not end in it.
/// Runners write a copy of the metadata for each side, as in `csv (with_skill)`.
pub(super) fn strip_configuration<'n>(name: &'n str, configuration: &str) -> Option<&'n str> {
    let name = name.trim_end();
    let suffix = folded_name(configuration);
    if suffix.is_empty() {
        return None;
    }
    let head = before_bracket(name, &suffix).or_else(|| before_dash(name, &suffix))?;
    let head = head.trim_end_matches(|c: char| c.is_whitespace() || DASHES.contains(&c));
    if head.is_empty() { None } else { Some(head) }
}

/// `csv` of `csv (with_skill)`.
fn before_bracket<'n>(name: &'n str, suffix: &str) -> Option<&'n str> {
    let (head, inner) = name.strip_suffix(')')?.rsplit_once('(')?;
    if folded_name(inner.trim()) == suffix { Some(head) } else { None }
}

/// `csv` of `csv - with_skill` or `csv-with-skill`.
fn before_dash<'n>(name: &'n str, suffix: &str) -> Option<&'n str> {
    // No case ends in `with_skill` by chance, as `port-to-rust` does in `rust`.
    let is_beyond_doubt = names::is_configuration(suffix) && suffix.contains('_');
    // Folding never shortens a text, so longer ends need no check.
    let longest = suffix.chars().count();
    for (at, dash) in name.rmatch_indices(DASHES) {
        let (head, end) = (&name[..at], &name[at + dash.len()..]);
        if end.trim().chars().count() > longest {
            return None;
        }
        if folded_name(end.trim()) == suffix {
            let is_apart =
                head.ends_with(char::is_whitespace) && end.starts_with(char::is_whitespace);
            return if is_apart || is_beyond_doubt { Some(head) } else { None };
        }
    }
    None
}

/// Names cases by their folders where two of one iteration share a name.
pub(super) fn separate_names(workspace: &mut Workspace, section: &Section) {
    let mut shared: BTreeSet<String> = BTreeSet::new();
    let mut described: BTreeMap<&str, Vec<&Document>> = BTreeMap::new();
    for document in section.documents.iter().filter(|found| found.kind == Kind::CaseMetadata) {
        described.entry(document.place.case.as_deref().unwrap_or("")).or_default().push(document);
    }
    for iteration in &workspace.iterations {
        let mut by_name: BTreeMap<&str, &Case> = BTreeMap::new();
        let mut by_id: BTreeMap<&str, &Case> = BTreeMap::new();
        for case in iteration.cases.iter().filter(|case| !case.folder.is_empty()) {
            let first = *by_name.entry(case.name.as_str()).or_insert(case);
            let same_id = case.id.as_deref().map(|id| *by_id.entry(id).or_insert(case));
            if first.folder != case.folder {
                shared.insert(case.name.clone());
                workspace.problems.push(if is_other_case(first, case) {
                    let (name, folder) = (&case.name, &first.folder);
                    let message = format!("the case is called `{name}` as that in `{folder}`");
                    Problem::new(
                        Code::CaseContradicts,
                        described_in(&described, iteration, case),
                        message,
                    )
                    .assuming("each is called by its folder, because their ids or prompts differ")
                    .help("give every case a name of its own")
                } else {
                    stated_twice(first, described_in(&described, iteration, case))
                });
            } else if let Some(first) = same_id
                && is_repeated(first, case)
            {
                workspace
                    .problems
                    .push(stated_twice(first, described_in(&described, iteration, case)));
            }
        }
    }
    let cases = workspace.iterations.iter_mut().flat_map(|iteration| &mut iteration.cases);
    for case in cases.filter(|case| shared.contains(&case.name) && !case.folder.is_empty()) {
        case.name.clone_from(&case.folder);
    }
}

fn is_other_case(a: &Case, b: &Case) -> bool {
    differ(&a.id, &b.id) || differ(&a.prompt, &b.prompt)
}

/// Whether a second folder has the id of the first and states nothing that the first does not.
fn is_repeated(first: &Case, second: &Case) -> bool {
    let is_unnamed = first.name == first.folder || second.name == second.folder;
    first.folder != second.folder && is_unnamed && !is_other_case(first, second)
}

fn stated_twice(first: &Case, path: &str) -> Problem {
    let folder = &first.folder;
    let message = format!("the folder states the same case as `{folder}`, with other runs");
    Problem::new(Code::CaseContradicts, path, message)
        .assuming("each is counted as a case of its own")
        .help("put the runs of a case into one folder, as `run-1`, `run-2`, …")
}

/// Marks every case with prompt, input files and checks of an earlier one in its iteration: both are
/// one task. With other checks it is a case of its own, and a note names it.
pub(super) fn mark_same_prompts(workspace: &mut Workspace) {
    for iteration in &mut workspace.iterations {
        let mut known: BTreeMap<(String, Vec<String>), usize> = BTreeMap::new();
        for at in 0..iteration.cases.len() {
            let case = &iteration.cases[at];
            let Some(prompt) = case.prompt.as_deref().map(folded) else { continue };
            // A pointer to a file with the prompt is not a prompt. Neither is the beginning of one:
            // runners cut the same instructions off before they come to the task.
            if prompt.is_empty() || prompt.contains("evals.json") || is_cut_off(&prompt) {
                continue;
            }
            let asked = (prompt.into_owned(), case.files.clone());
            let first = *known.entry(asked).or_insert(at);
            if first == at {
                continue;
            }
            let first = &iteration.cases[first];
            if statements(case) != statements(first) {
                let path = case.runs.first().map_or(&iteration.path, |run| &run.path);
                let (name, other) = (&case.name, &first.name);
                let message = format!("`{name}` has the prompt of `{other}`, with other checks");
                let assumed = "each counts as a case of its own";
                workspace.problems.push(
                    Problem::new(Code::SamePrompt, path, message)
                        .assuming(assumed)
                        .help("put all checks of one prompt into one case"),
                );
                continue;
            }
            iteration.cases[at].same_prompt_as = Some(first.name.clone());
        }
    }
}

/// The checks of a case: as planned, else those of its first graded run.
fn statements(case: &Case) -> Vec<&str> {
    if !case.planned.is_empty() {
        return case.planned.iter().map(|planned| planned.text.as_str()).collect();
    }
    let graded = case.runs.iter().find(|run| run.is_graded()).map(Run::expectations);
    graded.unwrap_or_default().iter().map(|found| found.text.as_str()).collect()
}

/// The metadata of a case, or its first run without one.
fn described_in<'w>(
    described: &BTreeMap<&str, Vec<&'w Document>>,
    iteration: &Iteration,
    case: &'w Case,
) -> &'w str {
    let mut documents = described.get(case.folder.as_str()).into_iter().flatten();
    match documents.find(|document| document.place.iteration.is_of(iteration)) {
        Some(document) => &document.path,
        None => case.runs.first().map_or("", |run| run.path.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_many_dashes_is_looked_at_from_its_end_alone() {
        let dashes = "-a".repeat(200_000);
        assert_eq!(strip_configuration(&dashes, "with_skill"), None);
        let name = format!("{dashes} - With Skill");
        assert_eq!(strip_configuration(&name, "with_skill"), Some(&*dashes));
        assert_eq!(strip_configuration(&"- ".repeat(200_000), "-"), None);
    }
}
