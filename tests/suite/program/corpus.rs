//! Real workspaces, where they are at hand: totals against an independent count, and reports.
//!
//! They lie beside the project in `../shared/corpus`, or where `EVALBOOK_CORPUS` says, and are
//! never copied into it. Where there are none, these tests say so and pass.

use std::path::{Path, PathBuf};

use crate::support::schema::mismatch_or_more;
use crate::support::{CommandOutput, evalbook, project, site};
use rayon::prelude::*;
use serde_json::Value;

/// What a workspace holds: iterations, expectations, passed, without a verdict.
type Count = [u64; 4];

/// Workspaces that hold more than the independent count says, and why.
const EXCEPTIONS: &[(&str, Count, &str)] = &[(
    "Exenko+Code_Grapher/codegrapher-loop-workspace",
    [9, 62, 39, 0],
    "four verdicts in `iteration-3/evals/grading_v3.json` are spelled `overall_pass`, which the \
     independent count leaves out",
)];

/// How many reports are built, of the workspaces with the most verdicts.
const BUILT: usize = 3;

#[test]
fn totals_equal_an_independent_count() {
    let Some(corpus) = corpus() else { return };
    let expected = expected(&corpus);
    let breaches: Vec<String> =
        expected.par_iter().filter_map(|entry| breach(&corpus, entry)).collect();
    let list = breaches.join("\n");
    assert!(breaches.is_empty(), "{} breaches:\n{list}", breaches.len());
}

#[test]
fn hiding_secrets_changes_no_count() {
    let Some(corpus) = corpus() else { return };
    let expected = expected(&corpus);
    let changed: Vec<&str> = expected
        .par_iter()
        .map(name)
        .filter(|name| {
            let [guarded, plain] = [&[][..], &["--no-redact"]].map(|flags| {
                let mut command = evalbook(&corpus);
                let command = command.args(["check", "--format", "json"]).args(flags).arg(name);
                let ran = CommandOutput::of(command).json();
                let workspaces = ran["workspaces"].as_array().expect("workspaces").clone();
                let totals = workspaces.into_iter().map(|mut it| it["totals"].take());
                // Marks change the size of outputs.
                totals.map(|mut it| (it["output_bytes"].take(), it).1).collect::<Vec<Value>>()
            });
            guarded != plain
        })
        .collect();
    assert!(changed.is_empty(), "{changed:?}");
}

#[test]
fn the_exceptions_are_in_the_corpus() {
    let Some(corpus) = corpus() else { return };
    let expected = expected(&corpus);
    for (name, count, why) in EXCEPTIONS {
        let entry = expected.iter().find(|entry| entry["workspace"] == *name);
        let entry = entry.unwrap_or_else(|| panic!("`{name}` is not in the corpus: {why}"));
        assert_ne!(counted(entry), *count, "`{name}` is no exception any more");
    }
}

#[test]
fn reports_of_the_three_largest_are_sound() {
    let Some(corpus) = corpus() else { return };
    let mut expected = expected(&corpus);
    expected.sort_by_key(|entry| std::cmp::Reverse(entry["expectations"].as_u64()));
    for entry in expected.iter().take(BUILT) {
        let place = tempfile::tempdir().expect("a temporary folder");
        let workspace = corpus.join(name(entry));
        let mut command = evalbook(place.path());
        let ran = CommandOutput::of(command.arg("build").arg(workspace).args(["-o", "report"]));
        assert_eq!(ran.code, Some(0), "{}: {ran:?}", name(entry));
        site::assert_sound(&place.path().join("report"));
        assert_validates(&place.path().join("report/report.json"));
    }
}

const MOST_WORDS: usize = 60;

#[test]
fn the_first_sentences_are_short() {
    let Some(corpus) = corpus() else { return };
    let mut lengths: Vec<(usize, String)> = Vec::new();
    for entry in expected(&corpus) {
        let place = tempfile::tempdir().expect("a temporary folder");
        let workspace = corpus.join(name(&entry));
        let ran = CommandOutput::of(evalbook(place.path()).arg("check").arg(workspace));
        // The answer follows the table of iterations.
        let line = ran.stdout.lines().find(|line| line.contains('·') || line.ends_with('.'));
        let line = line.unwrap_or_else(|| panic!("{}: no answer: {ran:?}", name(&entry)));
        let words = line.split_whitespace().filter(|word| *word != "·");
        lengths.push((words.count(), line.to_owned()));
    }
    lengths.sort();
    let (most, line) = lengths.last().expect("a workspace");
    assert!(*most <= MOST_WORDS, "{most} words: {line}");
}

fn assert_validates(report: &Path) {
    let text = std::fs::read(report).expect("a report");
    let report: Value = serde_json::from_slice(&text).expect("JSON");
    let schema = evalbook::json_schema("report", false).expect("a schema");
    assert_eq!(mismatch_or_more(&schema, &report, "report"), None);
}

/// The corpus, or a word on why these tests check nothing.
pub(super) fn corpus() -> Option<PathBuf> {
    let beside = || project().join("../shared/corpus");
    let corpus = std::env::var_os("EVALBOOK_CORPUS").map_or_else(beside, PathBuf::from);
    if corpus.join("expected.json").is_file() {
        return Some(corpus);
    }
    println!("skipped: there are no real workspaces in `../shared/corpus`");
    None
}

pub(super) fn expected(corpus: &Path) -> Vec<Value> {
    let text = std::fs::read(corpus.join("expected.json")).expect("the count");
    serde_json::from_slice(&text).expect("a list of counts")
}

pub(super) fn name(entry: &Value) -> &str {
    entry["workspace"].as_str().expect("a workspace's name")
}

/// What the independent count says of a workspace.
fn counted(entry: &Value) -> Count {
    let number = |key: &str| entry[key].as_u64().expect("a count");
    [
        number("iterations"),
        number("expectations_distinct"),
        number("passed_distinct"),
        number("no_verdict"),
    ]
}

fn breach(corpus: &Path, entry: &Value) -> Option<String> {
    let name = name(entry);
    let exception = EXCEPTIONS.iter().find(|(known, ..)| *known == name);
    let expected = exception.map_or_else(|| counted(entry), |(_, count, _)| *count);
    let mut command = evalbook(corpus);
    let ran = CommandOutput::of(command.args(["check", "--format", "json"]).arg(name));
    if !matches!(ran.code, Some(0 | 1)) {
        return Some(format!("{name}: {ran:?}"));
    }
    let found = found(&ran.json());
    (found != expected).then(|| format!("{name}: found {found:?}, expected {expected:?}"))
}

/// What the program found in all workspaces of its answer.
fn found(inventory: &Value) -> Count {
    let workspaces = inventory["workspaces"].as_array().expect("workspaces");
    ["iterations", "expectations", "passed", "ungraded"].map(|key| {
        let of = |workspace: &Value| workspace["totals"][key].as_u64().expect("a total");
        workspaces.iter().map(of).sum()
    })
}
