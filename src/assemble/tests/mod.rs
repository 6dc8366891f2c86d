//! Whole workspaces in memory: which source wins, and what is a problem.

mod cases;
mod copies;
mod facts;
mod figures;
mod found_twice;
mod other_documents;
mod recorded;
mod runs;
mod silence;
mod snapshots;
mod spellings;

use std::sync::Arc;

use crate::files::Memory;
use crate::model::{Case, Run, Workspace};
use crate::pipeline::{self, Input};
use crate::settings::Settings;
use crate::tests::gradings::verdicts;

/// Two verdicts, the first passed and the second failed.
const GRADING: &str = r#"{"expectations": [
    {"text": "a", "passed": true, "evidence": "e"}, {"text": "b", "passed": false}]}"#;

/// The workspace made of these files.
fn workspace(files: &[(&str, &str)]) -> Workspace {
    let source = Memory::new(files.iter().map(|(path, text)| (*path, *text)));
    let flags = Settings { no_redact: true, ..Settings::default() };
    let mut loaded = pipeline::load(Input::new(Arc::new(source), "ws", &flags)).unwrap();
    assert_eq!(loaded.workspaces.len(), 1);
    loaded.workspaces.remove(0).workspace
}

/// `iteration/case/configuration/number` of every run, with passed and failed of each grading.
fn runs(workspace: &Workspace) -> Vec<String> {
    let mut lines = Vec::new();
    for iteration in &workspace.iterations {
        for case in &iteration.cases {
            for run in &case.runs {
                let tallies = run.gradings.iter().map(|grading| {
                    let tally = grading.tally();
                    format!(" {}:{}", tally.passed, tally.failed)
                });
                let tallies: String = tallies.collect();
                let place = format!("{}/{}", iteration.name, case.folder);
                lines.push(format!("{place}/{}/{}{tallies}", run.configuration, run.number));
            }
        }
    }
    lines
}

/// `code path` of every problem except the notes on ungraded runs.
fn problems(workspace: &Workspace) -> Vec<String> {
    let reported =
        workspace.problems.iter().filter(|problem| problem.code.word() != "ungraded-run");
    reported.map(|problem| format!("{} {}", problem.code.word(), problem.path)).collect()
}

/// Checks blocks of a name, files (a path, and a content: letters are verdicts as in
/// [`verdicts`](crate::tests::gradings::verdicts)), `>` runs as in [`runs`] and `!` problems as in
/// [`problems`].
fn check(table: &str) {
    for block in table.split("\n\n") {
        let mut lines = block.lines().map(str::trim);
        let name = lines.next().unwrap();
        let (mut files, mut expected) = (Vec::new(), [Vec::new(), Vec::new()]);
        for line in lines {
            let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
            match first {
                ">" => expected[0].push(rest),
                "!" => expected[1].push(rest),
                path => files.push((path, content(path, rest))),
            }
        }
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, &**text)).collect();
        let actual = workspace(&files);
        assert_eq!(runs(&actual), expected[0], "{name}");
        assert_eq!(problems(&actual), expected[1], "{name}");
    }
}

fn content(path: &str, text: &str) -> String {
    let items = r#""expectations": [{"text": "a", "passed": true}]"#;
    match text {
        "" if path.contains("grading") => GRADING.to_owned(),
        "" => "x".to_owned(),
        letters if letters.chars().all(|letter| "pf".contains(letter)) => verdicts(letters).json(),
        text => text.replace("WITH", "\"config\": \"with_skill\", ITEMS").replace("ITEMS", items),
    }
}

fn only_case(workspace: &Workspace) -> &Case {
    let [iteration] = &workspace.iterations[..] else { panic!("one iteration") };
    let [case] = &iteration.cases[..] else { panic!("one case") };
    case
}

fn only_run(workspace: &Workspace) -> &Run {
    let [run] = &only_case(workspace).runs[..] else { panic!("one run") };
    run
}
