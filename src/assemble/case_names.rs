//! Names of cases: without the configuration behind them, as in `csv (with_skill)`, and none for
//! two cases, which are called by their folders instead.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::index::differ;
use crate::discover::{Kind, Section, names};
use crate::model::{Case, Code, Iteration, Problem, Run, Workspace};
use crate::read::Record;
use crate::text::{folded, folded_name};

const DASHES: [char; 3] = ['-', '–', '—'];

/// A name in the metadata of a case, and the configuration whose folder that lies in; none is empty.
#[derive(Clone, Copy, Debug)]
struct CaseName<'r> {
    path: &'r str,
    configuration: &'r str,
    name: &'r str,
    head: Option<Head<'r>>,
}

/// What stands before the configuration at the end of a name.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Head<'n> {
    text: &'n str,
    /// Whether the configuration stands apart, in brackets or behind a dash between spaces.
    is_apart: bool,
}

/// The configurations by what their metadata calls a case.
type Configurations<'r> = BTreeMap<&'r str, BTreeSet<&'r str>>;

/// The names that end in their configuration without it, by the path of the metadata. What one
/// iteration says of a case holds in all: a case whose name changed between them would be two.
pub(super) fn cut(section: &Section, records: &[Record]) -> BTreeMap<String, String> {
    let mut cases: BTreeMap<&str, Vec<CaseName<'_>>> = BTreeMap::new();
    for (document, record) in section.documents.iter().zip(records) {
        let place = &document.place;
        let name = record.case.as_ref().and_then(Case::stated_name);
        let Some((case, name)) = place.case.as_deref().zip(name) else { continue };
        let configuration = place.configuration.as_deref().unwrap_or_default();
        let head = without_configuration(name, configuration);
        let found = CaseName { path: &document.path, configuration, name, head };
        cases.entry(case).or_default().push(found);
    }
    let cut = |(path, head): (&str, &str)| (path.to_owned(), head.to_owned());
    cases.values().flat_map(|all| cut_names(all)).map(cut).collect()
}

/// The paths of the metadata of one case whose names are cut, and what is left of them.
fn cut_names<'r>(all: &[CaseName<'r>]) -> Vec<(&'r str, &'r str)> {
    let (mut names, mut heads) = (Configurations::new(), Configurations::new());
    for found in all {
        names.entry(found.name).or_default().insert(found.configuration);
        if let Some(head) = found.head {
            heads.entry(head.text).or_default().insert(found.configuration);
        }
    }
    let cut = |found: &CaseName<'r>| {
        let has_other = |users: &Configurations<'_>, name: &str| {
            users.get(name).is_some_and(|configurations| {
                configurations.iter().any(|configuration| *configuration != found.configuration)
            })
        };
        // What several sides say alike is the name of the case, whatever it ends in.
        let head = found.head.filter(|_| !has_other(&names, found.name))?;
        let has_other_head = has_other(&names, head.text) || has_other(&heads, head.text);
        let is_cut = head.is_apart || has_other_head || is_beyond_doubt(found.configuration);
        is_cut.then_some((found.path, head.text))
    };
    all.iter().filter_map(cut).collect()
}

/// Whether no case would end in the configuration by chance, as `port-to-rust` does in `rust`.
fn is_beyond_doubt(configuration: &str) -> bool {
    names::is_configuration(configuration) && folded_name(configuration).contains('_')
}

/// What stands before the configuration at the end of a name; `None` where that is not its end.
fn without_configuration<'n>(name: &'n str, configuration: &str) -> Option<Head<'n>> {
    let name = name.trim_end();
    let own = folded_name(configuration);
    let is_own = |text: &str| !own.is_empty() && folded_name(text.trim()) == own;
    let bracketed = || {
        let (head, inner) = name.strip_suffix(')')?.rsplit_once('(')?;
        is_own(inner).then_some((head, true))
    };
    // Folding a text never leaves fewer characters, so that no longer end is looked at.
    let longest = own.chars().count();
    let dashed = || {
        let ends = name.rmatch_indices(DASHES).map(|(at, dash)| (at, &name[at + dash.len()..]));
        let mut short = ends.take_while(|(_, end)| end.trim().chars().count() <= longest);
        let (at, end) = short.find(|(_, end)| is_own(end))?;
        let head = &name[..at];
        let is_apart = head.ends_with(char::is_whitespace) && end.starts_with(char::is_whitespace);
        Some((head, is_apart))
    };
    let is_joint = |c: char| c.is_whitespace() || DASHES.contains(&c);
    let (head, is_apart) = bracketed().or_else(dashed)?;
    let text = head.trim_end_matches(is_joint);
    (!text.is_empty()).then_some(Head { text, is_apart })
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_many_dashes_is_looked_at_from_its_end_alone() {
        let dashes = "-a".repeat(200_000);
        assert_eq!(without_configuration(&dashes, "with_skill"), None);
        let name = format!("{dashes} - With Skill");
        let head = Head { text: &dashes, is_apart: true };
        assert_eq!(without_configuration(&name, "with_skill"), Some(head));
        assert_eq!(without_configuration(&"- ".repeat(200_000), "-"), None);
    }
}
