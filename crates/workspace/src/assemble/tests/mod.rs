//! Whole workspaces in memory: which source wins, and what is a problem.
//!
//! Each `.txt` file has blocks: the rule, then one workspace that follows it. A line is a file (its
//! path, `a,b` for several names, and its content, see [`content`]), `> ` a run as in [`runs`], `! ` a
//! problem as in [`problems`], `= ` a [fact](facts), or `- ` the beginning of what is no fact. Runs are
//! compared where a block has any, problems always. `for a => b` repeats the block with `a` for `$1`
//! and `b` for `$2`; `where X is y` writes y for X. `⏎` is the end of a line, `␣` a blank in a path.

mod facts;
mod found_twice;

use std::sync::Arc;

use self::facts::facts;
use super::relabel;
use crate::pipeline::{self, Input};
use input::files::Memory;
use input::model::Workspace;
use input::settings::Settings;
use testing::gradings::{unfolded, verdicts};

/// Two verdicts, the first passed and the second failed.
const GRADING: &str = r#"{"expectations": [{"text": "a", "passed": true, "evidence": "e"}, {"text": "b", "passed": false}]}"#;

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

/// Checks every block of a table, and shows all that differ.
fn check(table: &str) {
    let blocks = table.split("\n\n").flat_map(variants);
    let different: String = blocks.map(|block| difference(&block)).collect();
    assert!(different.is_empty(), "{different}");
}

/// The block once for each of its lines that begin with `for`, with everything filled in.
fn variants(block: &str) -> Vec<String> {
    let (mut text, mut rows, mut names) = (String::new(), Vec::new(), Vec::new());
    for line in block.lines().map(str::trim) {
        if line == "for" || line.starts_with("for ") {
            rows.push(&line[3..]);
        } else if let Some(named) = line.strip_prefix("where ") {
            names.push(named.split_once(" is ").expect("a name and a text"));
        } else {
            text = text + line + "\n";
        }
    }
    if rows.is_empty() {
        rows.push("");
    }
    let fill = |row: &&str| {
        let mut filled = text.clone();
        for (at, cell) in row.split("=>").map(str::trim).enumerate() {
            filled = filled.replace(&format!("${}", at + 1), cell);
        }
        names.iter().fold(filled, |filled, (name, text)| filled.replace(name, text))
    };
    rows.iter().map(fill).collect()
}

/// The block and what is otherwise; empty where it is as expected.
fn difference(block: &str) -> String {
    let mut files: Vec<(String, String)> = Vec::new();
    let (mut expected_runs, mut expected_problems, mut wrong) = (vec![], vec![], String::new());
    let (mut present, mut absent) = (vec![], vec![]);
    for line in block.lines().skip(1) {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (first, rest) = (&*first.replace('␣', " "), rest.replace('␣', " "));
        match first {
            ">" => expected_runs.push(rest),
            "!" => expected_problems.push(rest),
            "=" => present.push(rest),
            "-" => absent.push(rest),
            paths => {
                let text = content(paths, &rest);
                let paths = unfolded(paths).into_iter();
                files.extend(paths.map(|path| (path, text.clone())));
            }
        }
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let actual = workspace(&files);
    let facts = facts(&actual);
    if !expected_runs.is_empty() && runs(&actual) != expected_runs {
        wrong += &format!("  runs: {:#?}\n", runs(&actual));
    }
    if expected_problems != ["*"] && problems(&actual) != expected_problems {
        wrong += &format!("  problems: {:#?}\n", problems(&actual));
    }
    let missing = present.iter().filter(|fact| !facts.iter().any(|other| other == *fact));
    let unwanted =
        absent.iter().filter(|start| facts.iter().any(|fact| fact.starts_with(&***start)));
    for fact in missing.chain(unwanted) {
        wrong += &format!("  {fact}: {facts:#?}\n");
    }
    if wrong.is_empty() { wrong } else { format!("{block}{wrong}\n") }
}

/// The content of a file: [`GRADING`] for a grading without any, `x` for another file; letters are
/// verdicts as in [`verdicts`], `seen WORD` one with long evidence, and `9 s` is a time; `WITH`, `ITEMS`
/// and `GRADED` stand for parts of gradings.
fn content(path: &str, text: &str) -> String {
    let items = r#""expectations": [{"text": "a", "passed": true}]"#;
    if let Some(word) = text.strip_prefix("seen") {
        return verdicts("p").evidence(&word.trim().repeat(40)).json();
    }
    if let Some(seconds) = text.strip_suffix(" s").and_then(|number| number.parse::<u32>().ok()) {
        return format!(r#"{{"total_duration_seconds": {seconds}}}"#);
    }
    match text {
        "" if path.contains("grading") => GRADING.to_owned(),
        "" => "x".to_owned(),
        letters if letters.chars().all(|letter| "pf".contains(letter)) => verdicts(letters).json(),
        text => text
            .replace("WITH", "\"config\": \"with_skill\", ITEMS")
            .replace("ITEMS", items)
            .replace("GRADED", &GRADING[1..GRADING.len() - 1])
            .replace('⏎', "\n"),
    }
}

#[test]
fn cases_have_prompts_names_and_plans() {
    check(include_str!("cases.txt"));
}

#[test]
fn gradings_find_their_runs() {
    check(include_str!("runs.txt"));
}

#[test]
fn copies_count_once() {
    check(include_str!("copies.txt"));
}

#[test]
fn figures_errors_and_queries_come_from_the_best_source() {
    check(include_str!("figures.txt"));
}

#[test]
fn documents_outside_of_runs_find_their_iteration() {
    check(include_str!("other_documents.txt"));
}

#[test]
fn nothing_that_looks_like_results_is_passed_over() {
    check(include_str!("silence.txt"));
}

#[test]
fn the_order_of_files_does_not_matter() {
    let summary = r#"[{"eval_id": 2, "config": "old_skill", "expectations": [{"text": "a", "passed": true}]}]"#;
    let other = r#"{"expectations": [{"text": "a", "passed": true}]}"#;
    let mut files = [
        ("iteration-1/a/with_skill/grading.json", GRADING),
        ("iteration-1/a/with_skill/run-1/grading.json", other),
        ("iteration-1/a/timing.json", r#"{"total_tokens": 5}"#),
        ("iteration-1/b/eval_metadata.json", r#"{"eval_id": 2, "prompt": "p"}"#),
        ("iteration-1/b/with_skill/grading.json", GRADING),
        ("iteration-1/grading-summary.json", summary),
    ];
    let in_order = workspace(&files);
    files.reverse();
    assert_eq!(in_order, workspace(&files));
}

#[test]
fn a_label_of_the_settings_follows_its_configuration() {
    let mut actual = workspace(&[
        ("iteration-1/a/with-skill/grading.json", GRADING),
        ("iteration-2/a/with_skill/grading.json", GRADING),
    ]);
    let labels = std::collections::BTreeMap::from([("with-skill".to_owned(), "new".to_owned())]);
    relabel(&mut actual, &labels).unwrap();
    assert_eq!(runs(&actual), ["iteration-1/a/new/1 1:1", "iteration-2/a/new/1 1:1"]);
}
