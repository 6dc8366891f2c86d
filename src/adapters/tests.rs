//! Results of other tools: real ones with a known truth, where they are at hand.

#![allow(clippy::disallowed_methods, reason = "tests read the truth beside the results")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::Value;

use crate::files::{Disk, Memory, Source};
use crate::model::{Code, Run, Tally, Workspace};
use crate::pipeline::{self, Input};
use crate::settings::Settings;
use crate::tests::table::rows;

#[test]
fn the_reference_has_a_row_for_each_tool() {
    let page = include_str!("../../docs/src/reference/evaluators.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let rows: Vec<&str> = rows.filter(|name| *name != "tool").collect();
    let mut tools: Vec<&str> = super::TOOLS.iter().map(|tool| tool.name).collect();
    tools.sort_by_key(|name| name.to_lowercase());
    assert_eq!(rows, tools);
}

fn load(source: Arc<dyn Source>) -> Vec<Workspace> {
    let flags = Settings::default();
    let loaded = pipeline::load(Input::new(source, "results", &flags)).expect("no settings");
    loaded.workspaces.into_iter().map(|loaded| loaded.workspace).collect()
}

/// What is said of a run: verdicts, then figures.
#[derive(Clone, Debug, PartialEq)]
struct Said {
    is_error: bool,
    passed: u64,
    failed: u64,
    ungraded: u64,
    tokens: Option<f64>,
    milliseconds: Option<f64>,
}

type Runs = BTreeMap<String, Vec<Said>>;

fn sorted(mut runs: Runs) -> Runs {
    for said in runs.values_mut() {
        said.sort_by(|a, b| format!("{a:?}").cmp(&format!("{b:?}")));
    }
    runs
}

fn of_run(run: &Run) -> Said {
    let tally = run.tally();
    let is_error = run.error.is_some();
    Said {
        is_error,
        passed: tally.passed as u64,
        failed: tally.failed as u64,
        ungraded: if is_error { 0 } else { tally.ungraded as u64 },
        tokens: run.metrics.tokens,
        milliseconds: run.metrics.duration_s.map(|seconds| (seconds * 1000.0).round()),
    }
}

fn read_runs(workspaces: &[Workspace]) -> Runs {
    let mut runs = Runs::new();
    for iteration in workspaces.iter().flat_map(|workspace| &workspace.iterations) {
        for case in &iteration.cases {
            for run in &case.runs {
                let key = format!("{} | {}", case.name, run.configuration);
                runs.entry(key).or_default().push(of_run(run));
            }
        }
    }
    sorted(runs)
}

fn true_runs(truth: &Value) -> Runs {
    let mut runs = Runs::new();
    for run in truth["runs"].as_array().expect("runs") {
        let text = |key: &str| run[key].as_str().unwrap_or_default().to_owned();
        let count = |key: &str| run[key].as_u64().unwrap_or_default();
        let without_checks = count("passed") + count("failed") + count("skipped") == 0;
        // A tool that names nothing of a run that ran out of time did not measure it.
        let is_lost =
            text("status") == "timeout" && run["checks"].as_array().is_some_and(Vec::is_empty);
        let said = Said {
            is_error: text("status") == "error" || is_lost && without_checks,
            passed: count("passed"),
            failed: count("failed"),
            ungraded: count("skipped") + count("scored"),
            // 0 is how some tools write that nothing was measured.
            tokens: run["tokens"].as_f64().filter(|tokens| *tokens > 0.0),
            milliseconds: run["seconds"]
                .as_f64()
                .map(|s| (s * 1000.0).round())
                .filter(|s| *s > 0.0),
        };
        runs.entry(format!("{} | {}", text("case"), text("maps_to"))).or_default().push(said);
    }
    sorted(runs)
}

/// Folders whose truth leaves a part of the results out.
const PARTS: &[(&str, &str)] = &[("agentv", "results/runs")];

/// The folder with real results, where it is at hand.
fn real_results() -> Option<PathBuf> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut places = ["../shared/other-results", "../../shared/other-results"].into_iter();
    let place = places.find_map(|place| Some(project.join(place)).filter(|path| path.is_dir()));
    if place.is_none() {
        println!("skipped: there are no real results");
    }
    place
}

#[test]
fn real_results_are_read_as_their_truth_says() {
    let Some(place) = real_results() else { return };
    let mut breaches = Vec::new();
    for name in crate::files::names_in(&place).expect("a folder") {
        let folder = place.join(&name);
        let Some(truth) = crate::files::text(&folder.join("TRUTH.json")) else { continue };
        let truth: Value = serde_json::from_str(&truth).expect("JSON");
        let part = PARTS.iter().find(|(tool, _)| *tool == name).map_or("results", |(_, part)| part);
        let disk = Disk::open(&folder.join(part)).expect("results");
        let (read, expected) = (read_runs(&load(Arc::new(disk))), true_runs(&truth));
        if read == expected {
            println!("{name}: exact");
            continue;
        }
        for key in read.keys().chain(expected.keys()).collect::<BTreeSet<_>>() {
            if read.get(key) != expected.get(key) {
                breaches.push(format!(
                    "{name}: {key}:\n  read {:?}\n  true {:?}",
                    read.get(key),
                    expected.get(key)
                ));
            }
        }
    }
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

/// Each folder in `tests/adapters` with the tool that is named, and of its sides the runs, passed, failed
/// and runs in error.
const EXAMPLES: &str = r#"
    agent-skill-eval => agent-skill-eval => with_skill 1 1 0 0, without_skill 1 0 0 1
    agent-skills-eval => agent-skills-eval => with_skill 1 1 0 0, without_skill 1 0 0 1
    agentv => agentv => with_skill 1 1 0 0, without_skill 2 0 1 1
    aws => aws skill-eval => with_skill 1 1 0 0, without_skill 1 0 1 0
    eval-magic => eval-magic => with_skill 1 1 0 0, without_skill 1 0 0 1
    harbor => Harbor => with_skill 1 1 0 0, without_skill 2 0 1 1
    inspect => Inspect => with_skill 1 1 0 0, without_skill 1 0 1 0
    promptfoo => promptfoo => with_skill 2 4 0 0, without_skill 2 1 1 1
    promptfoo-csv => promptfoo (CSV) => with_skill 2 2 0 0, without_skill 2 0 1 1
    skill-evaluator => SkillEvaluator => with_skill 1 1 0 0, without_skill 2 0 1 1
    skill-up => skill-up => with_skill 1 1 0 0, without_skill 1 0 1 0
    skillproof => skillproof => with_skill 1 1 0 0, without_skill 2 0 1 1
    vally => Vally => baseline 2 0 1 1, skilled 1 1 0 0
    waza => waza => with_skill 1 1 0 0, without_skill 1 0 1 0
"#;

type Contents = BTreeMap<String, Vec<u8>>;

fn example(name: &str) -> Contents {
    contents(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adapters").join(name))
}

fn contents(folder: &Path) -> Contents {
    let disk = Disk::open(folder).expect("a folder");
    let mut files = Contents::new();
    for entry in disk.list(&|_| false) {
        if let Ok(bytes) = disk.read(&entry.path, u64::MAX) {
            files.insert(entry.path, bytes);
        }
    }
    files
}

fn runs_of(files: &Contents) -> (Vec<Workspace>, Vec<Run>) {
    let workspaces = load(Arc::new(Memory::new(files.clone())));
    let iterations = workspaces.iter().flat_map(|workspace| &workspace.iterations);
    let cases = iterations.flat_map(|iteration| &iteration.cases);
    let runs = cases.flat_map(|case| case.runs.clone()).collect();
    (workspaces, runs)
}

#[test]
fn examples_have_their_sides_and_their_tool_is_named() {
    for [name, tool, sides] in rows(EXAMPLES) {
        let (workspaces, runs) = runs_of(&example(&name));
        let names: BTreeSet<&str> = runs.iter().map(|run| run.configuration.as_str()).collect();
        let read = names.into_iter().map(|side| {
            let runs: Vec<&Run> = runs.iter().filter(|run| run.configuration == side).collect();
            let tally: Tally = runs.iter().map(|run| run.tally()).sum();
            let in_error = runs.iter().filter(|run| run.error.is_some()).count();
            format!("{side} {} {} {} {in_error}", runs.len(), tally.passed, tally.failed)
        });
        assert_eq!(read.collect::<Vec<_>>().join(", "), sides, "{name}");
        let mut problems = workspaces.iter().flat_map(|workspace| &workspace.problems);
        let message = format!("recognized as results of {tool}");
        assert!(problems.any(|problem| problem.message.starts_with(&message)), "{name}");
        for problem in workspaces.iter().flat_map(|workspace| &workspace.problems) {
            let is_real = example(&name).keys().any(|path| path.ends_with(&problem.path));
            assert!(is_real, "{name}: `{}` is no real file: {}", problem.path, problem.message);
        }
    }
}

#[test]
fn every_tool_has_an_example() {
    for tool in super::TOOLS {
        assert!(rows(EXAMPLES).iter().any(|[_, name, _]| name == tool.name), "{}", tool.name);
    }
}

#[test]
fn broken_copies_of_the_examples_invent_no_verdict() {
    rows(EXAMPLES).par_iter().for_each(|[name, _, _]| {
        let whole = example(name);
        let (_, runs) = runs_of(&whole);
        let tally: Tally = runs.iter().map(Run::tally).sum();
        // A check that was left out of the rate may count once the mark that says so is gone.
        let most = (tally.passed, tally.failed + tally.ungraded);
        for (path, bytes) in &whole {
            for broken in broken_copies(path, bytes) {
                let mut files = whole.clone();
                files.insert(path.clone(), broken.clone());
                let tally: Tally = runs_of(&files).1.iter().map(Run::tally).sum();
                let is_honest = tally.passed <= most.0 && tally.failed <= most.1;
                let text = String::from_utf8_lossy(&broken);
                assert!(is_honest, "{name}: {path} gives {tally:?} of {most:?}:\n{text}");
            }
        }
    });
}

/// How many copies of a real set are broken, and how many files of each.
const BROKEN_SETS: u64 = 6;
const BROKEN_FILES: u64 = 3;

#[test]
fn broken_copies_of_real_results_invent_neither_run_nor_pass() {
    let Some(place) = real_results() else { return };
    let names = crate::files::names_in(&place).expect("a folder");
    names.par_iter().filter(|name| place.join(name).is_dir()).for_each(|name| {
        let whole = contents(&place.join(name));
        let (_, runs) = runs_of(&whole);
        let passed: usize = runs.iter().map(most_passed).sum();
        let paths: Vec<&String> = whole.keys().filter(|path| path.contains(".json")).collect();
        for seed in 0..if paths.is_empty() { 0 } else { BROKEN_SETS } {
            let mut random = seed * 7919 + 17;
            let mut next = |below: usize| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (random >> 33) as usize % below.max(1)
            };
            let mut files = whole.clone();
            let mut broken = Vec::new();
            for _ in 0..BROKEN_FILES {
                let path = paths[next(paths.len())];
                let copy = broken_copy(path, &whole[path], &mut next);
                files.insert(path.clone(), copy);
                broken.push(path);
            }
            let (_, left) = runs_of(&files);
            let left_passed: usize = left.iter().map(|run| run.tally().passed).sum();
            let is_honest = left.len() <= runs.len() && left_passed <= passed;
            let found = (left.len(), left_passed);
            assert!(is_honest, "{name}: {found:?} of {:?}: {broken:?}", (runs.len(), passed));
        }
    });
}

/// The checks that pass in a copy of the run at most: without the mark of an error, all may count.
fn most_passed(run: &Run) -> usize {
    if run.error.is_some() { run.expectations().len() } else { run.tally().passed }
}

/// A copy that is cut off, lacks a field or has a list the other way round.
fn broken_copy(path: &str, bytes: &[u8], next: &mut impl FnMut(usize) -> usize) -> Vec<u8> {
    let kind = next(4);
    let parsed = super::values::parse(path, &String::from_utf8_lossy(bytes));
    let (1.., Ok(mut value)) = (kind, parsed) else { return bytes[..next(bytes.len())].to_vec() };
    if kind == 1 {
        reverse_lists(&mut value);
    } else {
        let mut left = next(60);
        break_field(&mut value, &mut left, kind == 2);
    }
    written(&value, path.ends_with(".jsonl"))
}

/// Copies cut off, with each field removed or null, and with all lists reversed.
fn broken_copies(path: &str, bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut copies: Vec<Vec<u8>> =
        (0..4).map(|quarter| bytes[..bytes.len() * quarter / 4].to_vec()).collect();
    let text = String::from_utf8_lossy(bytes);
    let Ok(value) = super::values::parse(path, &text) else { return copies };
    let is_lines = path.ends_with(".jsonl");
    for index in (0..).step_by(3) {
        let (mut copy, mut left) = (value.clone(), index);
        // Every other of them is null instead of absent; all of them would take a minute.
        if !break_field(&mut copy, &mut left, index % 2 == 0) {
            break;
        }
        copies.push(written(&copy, is_lines));
    }
    let mut reversed = value.clone();
    reverse_lists(&mut reversed);
    copies.push(written(&reversed, is_lines));
    copies
}

fn written(value: &Value, is_lines: bool) -> Vec<u8> {
    match value.as_array() {
        Some(rows) if is_lines => {
            rows.iter().map(|row| format!("{row}\n")).collect::<String>().into_bytes()
        }
        _ => value.to_string().into_bytes(),
    }
}

/// Removes the field number `left`, or makes it null; `false` if there are fewer.
fn break_field(value: &mut Value, left: &mut usize, is_removed: bool) -> bool {
    match value {
        Value::Array(items) => items.iter_mut().any(|item| break_field(item, left, is_removed)),
        Value::Object(fields) => {
            let keys: Vec<String> = fields.keys().cloned().collect();
            for key in keys {
                if *left == 0 {
                    if is_removed {
                        fields.remove(&key);
                    } else {
                        fields.insert(key, Value::Null);
                    }
                    return true;
                }
                *left -= 1;
                let field = fields.get_mut(&key).expect("a field");
                if break_field(field, left, is_removed) {
                    return true;
                }
            }
            false
        }
        _ => false,
    }
}

fn reverse_lists(value: &mut Value) {
    match value {
        Value::Array(items) => {
            items.reverse();
            items.iter_mut().for_each(reverse_lists);
        }
        Value::Object(fields) => fields.values_mut().for_each(reverse_lists),
        _ => {}
    }
}

#[test]
fn what_is_only_named_says_so() {
    let old = r#"{"model":"m","verdicts":[{"skillName":"tea","scenarios":[]}]}"#;
    let files: &[(&str, &[u8])] = &[
        ("a/results.json", old.as_bytes()),
        ("b/log.eval", b"PK\x03\x04zzzz"),
        (
            "c/results.json",
            br#"{"evalId":"e","results":{"results":[{"promptIdx":0,"testIdx":0,"gradingResult":"#,
        ),
    ];
    let files = files.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())).collect();
    let (workspaces, _) = runs_of(&files);
    let problems = workspaces.iter().flat_map(|workspace| &workspace.problems);
    let unread = problems.filter(|problem| problem.code == Code::UnreadResults).count();
    assert_eq!(unread, 3);
}

#[test]
fn numbers_that_json_does_not_have_are_absent() {
    let read = |text| super::values::parse("a.json", text).ok();
    assert_eq!(read(r#"{"a": NaN, "b":-Infinity}"#), read(r#"{"a": null, "b": null}"#));
    assert_eq!(read(r#"{"a": NaN"#), None);
}
