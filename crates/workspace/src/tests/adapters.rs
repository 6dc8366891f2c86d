//! Results of other tools: real ones with a known truth, where they are at hand.

#![allow(clippy::disallowed_methods, reason = "tests read the truth beside the results")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::{Value, json};

use crate::pipeline::{self, Input};
use input::files::{Disk, Memory, Source};
use input::model::{Code, Problem, Run, Tally, Workspace};
use input::names;
use input::settings::Settings;
use testing::table::rows;

fn load(source: Arc<dyn Source>) -> Vec<Workspace> {
    // No secret is looked for in results: that is the larger part of the time.
    let flags = Settings { no_redact: true, ..Settings::default() };
    let loaded = pipeline::load(Input::new(source, "results", &flags)).expect("no settings");
    loaded.workspaces.into_iter().map(|loaded| loaded.workspace).collect()
}

/// What is said of a run: verdicts, then figures.
#[derive(Clone, Debug, PartialEq)]
struct RunSummary {
    is_error: bool,
    passed: u64,
    failed: u64,
    ungraded: u64,
    tokens: Option<f64>,
    milliseconds: Option<f64>,
}

type Runs = BTreeMap<String, Vec<RunSummary>>;

fn sorted(mut runs: Runs) -> Runs {
    for said in runs.values_mut() {
        said.sort_by(|a, b| format!("{a:?}").cmp(&format!("{b:?}")));
    }
    runs
}

fn of_run(run: &Run) -> RunSummary {
    let tally = run.tally();
    let is_error = run.error.is_some();
    RunSummary {
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
    let models = truth["exact"]["models"].as_array().cloned().unwrap_or_default();
    for run in truth["runs"].as_array().expect("runs") {
        let text = |key: &str| run[key].as_str().unwrap_or_default().to_owned();
        let count = |key: &str| run[key].as_u64().unwrap_or_default();
        let without_checks = count("passed") + count("failed") + count("skipped") == 0;
        // A tool that names nothing of a run that ran out of time did not measure it.
        let is_lost =
            text("status") == "timeout" && run["checks"].as_array().is_some_and(Vec::is_empty);
        let said = RunSummary {
            is_error: text("status") == "error" || is_lost && without_checks,
            passed: count("passed"),
            failed: count("failed"),
            ungraded: count("skipped") + count("scored").max(count("no_verdict")),
            // 0 is how some tools write that nothing was measured.
            tokens: run["tokens"].as_f64().filter(|tokens| *tokens > 0.0),
            milliseconds: run["seconds"]
                .as_f64()
                .map(|s| (s * 1000.0).round())
                .filter(|s| *s > 0.0),
        };
        let mut side = text("maps_to");
        if models.len() > 1 {
            side = format!("{} {side}", text("model"));
        }
        runs.entry(format!("{} | {side}", text("case"))).or_default().push(said);
    }
    sorted(runs)
}

/// Folders whose truth leaves a part of the results out.
const PARTS: &[(&str, &str)] = &[("agentv", "results/runs")];

/// Sets that no reader takes as their truth says. One that is read right must leave this list.
const NOT_YET: [&str; 0] = [];

/// The folder with real results, where it is at hand.
fn real_results() -> Option<PathBuf> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
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
    for name in input::files::names_in(&place).expect("a folder") {
        let folder = place.join(&name);
        let Some(truth) = input::files::text(&folder.join("TRUTH.json")) else { continue };
        let truth: Value = serde_json::from_str(&truth).expect("JSON");
        let part = PARTS.iter().find(|(tool, _)| *tool == name).map_or("results", |(_, part)| part);
        let disk = Disk::open(&folder.join(part)).expect("results");
        let (read, expected) = (read_runs(&load(Arc::new(disk))), true_runs(&truth));
        if NOT_YET.contains(&name.as_str()) {
            // What only records figures has no run to be counted.
            assert!(expected.is_empty() || read != expected, "{name} is read as its truth says");
            continue;
        }
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

#[test]
fn rows_in_shapes_of_their_own_are_read_as_their_truth_says() {
    let Some(place) = real_results() else { return };
    let place = place.join("rows");
    for name in input::files::names_in(&place).expect("a folder") {
        let Some(truth) = input::files::text(&place.join(&name).join("TRUTH.json")) else {
            continue;
        };
        let truth: Value = serde_json::from_str(&truth).expect("JSON");
        let mut files = contents(&place.join(&name));
        files.retain(|path, _| path != "TRUTH.json" && path != "README.md");
        let (workspaces, _) = runs_of(&files);
        // What a lost run took is no part of any figure, and the truth has it from elsewhere.
        let [read, expected] = [read_runs(&workspaces), true_runs(&truth)].map(|mut runs| {
            for said in runs.values_mut().flatten().filter(|said| said.is_error) {
                said.tokens = None;
            }
            sorted(runs)
        });
        assert_eq!(read, expected, "{name}");
        let [workspace] = &workspaces[..] else { panic!("{name}: one workspace") };
        let iterations = truth["iterations"].as_array().expect("iterations");
        assert_eq!(workspace.iterations.len(), iterations.len(), "{name}");
        let of_rows = |problem: &&Problem| {
            matches!(problem.code, Code::RowNotRead | Code::RepeatedRow | Code::RowsMismatch)
        };
        let said = workspace.problems.iter().filter(of_rows).map(|problem| {
            let line = problem.place.expect("a place").line;
            json!([names::file_name(&problem.path), line])
        });
        let said: Vec<Value> = said.collect();
        assert_eq!(json!(said), truth["exact"]["said"], "{name}");
    }
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
    vally-verdicts => Vally's verdicts => with_skill 1 0 0 0, without_skill 1 0 0 0
    vercel => Vercel agent-eval => with_skill 2 1 1 0, without_skill 1 0 0 1
    waza => waza => with_skill 1 1 0 0, without_skill 1 0 1 0
"#;

type Contents = BTreeMap<String, Vec<u8>>;

fn example(name: &str) -> Contents {
    contents(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/adapters").join(name))
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
fn every_tool_of_the_reference_has_an_example() {
    let page = include_str!("../../../../docs/src/reference/evaluators.md");
    for tool in testing::table::first_column(page) {
        assert!(rows(EXAMPLES).iter().any(|[_, name, _]| name == tool), "{tool}");
    }
}

#[test]
fn broken_copies_of_the_examples_invent_no_verdict() {
    rows(EXAMPLES).par_iter().for_each(|[name, _, _]| {
        let whole = example(name);
        let (_, runs) = runs_of(&whole);
        let tally: Tally = runs.iter().map(Run::tally).sum();
        // A check that was left out of the rate may count once the mark that says so is gone, and so may
        // those of a run that stopped.
        let lost = runs.iter().filter(|run| run.is_lost()).map(|run| run.expectations().len());
        let most = (tally.passed, tally.failed + tally.ungraded + lost.sum::<usize>());
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
const BROKEN_SETS: usize = 20;
const BROKEN_FILES: usize = 3;

#[test]
fn broken_copies_of_real_results_invent_neither_run_nor_verdict() {
    let Some(place) = real_results() else { return };
    let names = input::files::names_in(&place).expect("a folder");
    let folders: Vec<PathBuf> = names.iter().map(|name| place.join(name)).collect();
    let sets: Vec<(PathBuf, Contents)> = folders
        .into_iter()
        .filter(|folder| folder.join("TRUTH.json").is_file())
        .map(|folder| (folder.clone(), short_contents(&folder)))
        .collect();
    sets.par_iter().for_each(|(folder, whole)| {
        let most = MostVerdicts::new(&runs_of(whole).1);
        let paths: Vec<&String> = whole.keys().filter(|path| path.contains(".json")).collect();
        (0..BROKEN_SETS).into_par_iter().filter(|_| !paths.is_empty()).for_each(|seed| {
            let mut random = Random(seed as u64 * 7919 + 17);
            let mut files = whole.clone();
            let mut broken = Vec::new();
            for at in 0..BROKEN_FILES {
                let path = paths[random.below(paths.len())];
                let kind = BREAKS[(seed * BROKEN_FILES + at) % BREAKS.len()];
                match broken_copy(path, &whole[path], kind, &mut random) {
                    Some(copy) => files.insert(path.clone(), copy),
                    None => files.remove(path),
                };
                broken.push((kind, path));
            }
            let found = MostVerdicts::new(&runs_of(&files).1);
            // Lists whose places count say something else when they are the other way round.
            let is_turned = broken.iter().any(|(kind, _)| *kind == Break::Reversed);
            assert!(
                found.is_within(&most, is_turned),
                "{folder:?}: {broken:?}: {found:?}, {most:?}"
            );
        });
    });
}

/// The files of a real set, without outputs in full length: nothing is read from these.
fn short_contents(folder: &Path) -> Contents {
    let mut files = contents(folder);
    files.retain(|_, bytes| bytes.len() < 250_000);
    for (path, bytes) in &mut files {
        if !path.contains(".json") {
            bytes.truncate(200);
        }
    }
    files
}

/// Runs, and by side the verdicts that a copy may have at most.
#[derive(Debug, Default)]
struct MostVerdicts {
    runs: usize,
    sides: BTreeMap<String, SideVerdicts>,
}

#[derive(Clone, Copy, Debug, Default)]
struct SideVerdicts {
    passed: usize,
    failed: usize,
    /// Those that may be either once the mark of an error, or that they do not count, is gone.
    open: usize,
}

impl SideVerdicts {
    fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.open += other.open;
    }

    fn is_within(self, most: Self) -> bool {
        self.passed <= most.passed + most.open && self.failed <= most.failed + most.open
    }
}

impl MostVerdicts {
    fn new(runs: &[Run]) -> Self {
        let mut most = Self { runs: runs.len(), ..Self::default() };
        for run in runs {
            let tally = run.tally();
            let mut verdicts =
                SideVerdicts { passed: tally.passed, failed: tally.failed, open: tally.ungraded };
            if run.error.is_some() {
                verdicts = SideVerdicts { open: run.expectations().len(), ..Default::default() };
            }
            // The verdict on the whole counts where the list of checks is gone: a reward of Harbor.
            verdicts.open += usize::from(run.grading().is_some_and(|it| it.overall.is_some()));
            // `gpt-4o with_skill` is `with_skill` where no other model is left.
            let side = run.configuration.rsplit(' ').next().unwrap_or_default();
            most.sides.entry(side.to_owned()).or_default().add(verdicts);
        }
        most
    }

    fn total(&self) -> SideVerdicts {
        let mut total = SideVerdicts::default();
        self.sides.values().for_each(|verdicts| total.add(*verdicts));
        total
    }

    /// Whether there is no more of anything than in `most`, on known sides each for itself.
    fn is_within(&self, most: &Self, is_turned: bool) -> bool {
        let sides_are_within = self.sides.iter().all(|(side, verdicts)| {
            is_turned || most.sides.get(side).is_none_or(|most| verdicts.is_within(*most))
        });
        self.runs <= most.runs && self.total().is_within(most.total()) && sides_are_within
    }
}

/// Numbers that are the same in each run of the tests.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// What is done to a file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Break {
    CutOff,
    Missing,
    Reversed,
    FieldRemoved,
    FieldNull,
    OtherType,
}

const BREAKS: [Break; 7] = [
    Break::FieldRemoved,
    Break::OtherType,
    Break::CutOff,
    Break::FieldNull,
    Break::OtherType,
    Break::Reversed,
    Break::Missing,
];

/// A copy of the file at `path`; `None` if it is missing.
fn broken_copy(path: &str, bytes: &[u8], kind: Break, random: &mut Random) -> Option<Vec<u8>> {
    let parsed = parse(path, &String::from_utf8_lossy(bytes));
    let mut value = match (kind, parsed) {
        (Break::Missing, _) => return None,
        (Break::CutOff, _) | (_, Err(_)) => {
            return Some(bytes[..random.below(bytes.len())].to_vec());
        }
        (_, Ok(value)) => value,
    };
    let mut left = random.below(60);
    match kind {
        Break::Reversed => reverse_lists(&mut value),
        Break::OtherType => _ = break_field(&mut value, &mut left, &other_type),
        Break::FieldNull => _ = break_field(&mut value, &mut left, &|_| Some(Value::Null)),
        _ => _ = break_field(&mut value, &mut left, &|_| None),
    }
    Some(written(&value, path.ends_with(".jsonl")))
}

fn parse(path: &str, text: &str) -> serde_json::Result<Value> {
    if path.ends_with(".jsonl") {
        return text.lines().map(serde_json::from_str::<Value>).collect();
    }
    serde_json::from_str(text)
}

/// A value of a type that nobody expects in the place of this one.
fn other_type(value: &Value) -> Option<Value> {
    Some(match value {
        Value::Bool(_) => json!({"at": "noon"}),
        Value::Number(_) => json!("a few"),
        Value::String(_) => json!(17),
        Value::Array(_) => json!("none"),
        Value::Object(_) | Value::Null => json!([1, "two"]),
    })
}

/// Copies cut off, with each field removed or null, and with all lists reversed.
fn broken_copies(path: &str, bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut copies: Vec<Vec<u8>> =
        (0..4).map(|quarter| bytes[..bytes.len() * quarter / 4].to_vec()).collect();
    let text = String::from_utf8_lossy(bytes);
    let Ok(value) = parse(path, &text) else { return copies };
    let is_lines = path.ends_with(".jsonl");
    for index in (0..).step_by(3) {
        let (mut copy, mut left) = (value.clone(), index);
        // Every other of them is null instead of absent; all of them would take a minute.
        let broken = if index % 2 == 0 { None } else { Some(Value::Null) };
        if !break_field(&mut copy, &mut left, &|_| broken.clone()) {
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

/// Puts what `broken` makes of the field number `left` in its place, or removes the field; `false`
/// if there are fewer.
fn break_field(
    value: &mut Value,
    left: &mut usize,
    broken: &dyn Fn(&Value) -> Option<Value>,
) -> bool {
    match value {
        Value::Array(items) => items.iter_mut().any(|item| break_field(item, left, broken)),
        Value::Object(fields) => {
            let keys: Vec<String> = fields.keys().cloned().collect();
            for key in keys {
                if *left == 0 {
                    match broken(&fields[&key]) {
                        Some(other) => fields.insert(key, other),
                        None => fields.remove(&key),
                    };
                    return true;
                }
                *left -= 1;
                let field = fields.get_mut(&key).expect("a field");
                if break_field(field, left, broken) {
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
fn a_problem_of_a_run_names_it_where_a_file_has_many() {
    let named = r#"
        promptfoo => case `brew`, without_skill, run-2 (results.results[3]):
        promptfoo-csv => case `brew`, without_skill, run-2 (row 2):
        agentv => case `pour`, without_skill, run-1 (row 3):
        vally => case `tea: brew`, baseline, run-2 (row 3):
        skillproof => case `brew`, without_skill, run-2 (cases[0].trials[2]):
        eval-magic => case `brew`, without_skill, run-1:
        harbor => an error is reported
    "#;
    for [example, start] in rows(named) {
        let (workspaces, _) = runs_of(&self::example(&example));
        let mut problems = workspaces.iter().flat_map(|workspace| &workspace.problems);
        let problem = problems.find(|problem| problem.code == Code::RunError).expect("a problem");
        assert!(problem.message.starts_with(&start), "{example}: {}", problem.message);
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

/// Workspaces in which a single document has the verdicts, and per side runs, passed and failed.
const SINGLE_DOCUMENTS: [(&str, &[(&str, &str)], &str); 6] = [
    (
        "a status for each run of a benchmark",
        &[(
            "evals/benchmark.json",
            r#"{"skill": "s", "results": [{"eval_id": 1, "configuration": "with_skill", "status": "pass"},
                {"eval_id": 1, "configuration": "without_skill", "status": "fail"},
                {"eval_id": 2, "configuration": "without_skill", "status": "completed"}]}"#,
        )],
        "with_skill 1 1 0, without_skill 1 0 1",
    ),
    (
        "an empty list beside the folder of a run",
        &[
            ("iteration-1/eval-a/with_skill/grading.json", r#"{"expectations": []}"#),
            (
                "iteration-1/eval-a/with_skill/run-1/grading.json",
                r#"{"expectations": [{"text": "x", "passed": true}]}"#,
            ),
        ],
        "with_skill 1 1 0",
    ),
    (
        "verdicts by case and side beside counts",
        &[(
            "evals/benchmark.json",
            r#"{"scenarios": {"eval-a": {"with_skill": {"passed": 1, "total": 2}, "without_skill": {"passed": 0, "total": 2}}},
                "grading": {"eval-a": {
                    "with_skill": [{"text": "x", "passed": true}, {"text": "y", "passed": false}],
                    "without_skill": [{"text": "x", "passed": false}, {"text": "y", "passed": false}]}}}"#,
        )],
        "with_skill 1 1 1, without_skill 1 0 2",
    ),
    (
        "a benchmark beside two plans",
        &[
            ("skills/a/evals/evals.json", r#"{"evals": [{"id": 1, "prompt": "p"}]}"#),
            ("skills/b/evals/evals.json", r#"{"evals": [{"id": 1, "prompt": "q"}]}"#),
            (
                "evals/benchmark.json",
                r#"{"runs": [
                    {"eval_id": 1, "eval_name": "n", "configuration": "with_skill", "run_number": 1,
                     "expectations": [{"text": "x", "passed": true}]},
                    {"eval_id": 1, "eval_name": "n", "configuration": "without_skill", "run_number": 1,
                     "expectations": [{"text": "x", "passed": false}]}]}"#,
            ),
        ],
        "with_skill 1 1 0, without_skill 1 0 1",
    ),
    (
        "grades in the description of a case",
        &[
            (
                "iteration-1/eval-a/eval_metadata.json",
                r#"{"eval_id": 1, "eval_name": "a", "prompt": "p", "assertions": [{"id": "i", "text": "x"}],
                    "grades": {"with_skill": {"i": {"pass": true, "note": "n"}}, "without_skill": {"i": {"pass": false}}}}"#,
            ),
            ("iteration-1/eval-a/with_skill/outputs/o.md", "o"),
            ("iteration-1/eval-a/without_skill/outputs/o.md", "p"),
        ],
        "with_skill 1 1 0, without_skill 1 0 1",
    ),
    (
        "two judges in the folder of a run",
        &[
            ("iteration-1/eval-a/with_skill/outputs/o.md", "o"),
            (
                "iteration-1/eval-a/with_skill/judge-2.json",
                r#"{"expectations": [{"text": "x", "passed": false, "evidence": "e"}], "grader": "two"}"#,
            ),
            (
                "iteration-1/eval-a/with_skill/judge-1.json",
                r#"{"expectations": [{"text": "x", "passed": true, "evidence": "f"}], "grader": "one"}"#,
            ),
        ],
        "with_skill 1 1 0",
    ),
];

#[test]
fn a_single_document_with_verdicts_is_read() {
    for (name, files, expected) in SINGLE_DOCUMENTS {
        let files: Contents = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()))
            .collect();
        let (workspaces, mut runs) = runs_of(&files);
        let iterations = workspaces.iter().flat_map(|workspace| &workspace.iterations);
        runs.retain(Run::is_graded);
        let mut sides: BTreeMap<String, (usize, Tally)> = BTreeMap::new();
        for run in &runs {
            let (count, tally) = sides.entry(run.configuration.clone()).or_default();
            (*count, *tally) = (*count + 1, [*tally, run.tally()].into_iter().sum());
        }
        // Where no grading is left, the runs that a benchmark lists count.
        for listed in iterations.flat_map(|iteration| &iteration.benchmarks).flat_map(|b| &b.listed)
        {
            if runs.is_empty() {
                let side = listed.configuration.clone().unwrap_or_default();
                let (count, tally) = sides.entry(side).or_default();
                (*count, *tally) = (*count + 1, [*tally, listed.tally].into_iter().sum());
            }
        }
        let read: Vec<String> = sides
            .iter()
            .map(|(side, (count, tally))| {
                format!("{side} {count} {} {}", tally.passed, tally.failed)
            })
            .collect();
        assert_eq!(read.join(", "), expected, "{name}");
    }
}

#[test]
fn a_retry_is_no_further_run() {
    let row = |retry: usize, status: &str, passed: bool| {
        json!({
            "test_id": "a", "target": "t", "experiment": "with_skill", "sample_index": 0, "retry_index": retry,
            "execution_status": status, "scores": [{"name": "g", "assertions": [{"text": "x", "passed": passed}]}],
        })
    };
    let rows = [row(0, "execution_error", false), row(1, "ok", true)].map(|row| row.to_string());
    let files = Contents::from([("runs/r1/index.jsonl".to_owned(), rows.join("\n").into_bytes())]);
    let (_, runs) = runs_of(&files);
    let [run] = &runs[..] else { panic!("one run") };
    assert_eq!((run.error.as_deref(), run.tally().passed), (None, 1));
}

#[test]
fn cached_tokens_of_harbor_are_a_part_of_its_input() {
    let mut files = example("harbor");
    let path = "robot/skills/brew__aaaaaaa/result.json";
    let mut result: Value = serde_json::from_slice(&files[path]).expect("JSON");
    let tokens = |files: &Contents| {
        let (_, runs) = runs_of(files);
        let run = runs.into_iter().find(|run| run.configuration == "with_skill").expect("a run");
        let metrics = run.metrics;
        [metrics.tokens, metrics.input_tokens, metrics.cached_tokens, metrics.output_tokens]
    };
    result["agent_result"] =
        json!({"n_input_tokens": 100, "n_cache_tokens": 80, "n_output_tokens": 7});
    files.insert(path.to_owned(), result.to_string().into_bytes());
    assert_eq!(tokens(&files), [Some(107.0), Some(20.0), Some(80.0), Some(7.0)]);
    // More than all of the input cannot have been read from a cache.
    result["agent_result"]["n_cache_tokens"] = json!(101);
    files.insert(path.to_owned(), result.to_string().into_bytes());
    assert_eq!(tokens(&files), [Some(107.0), Some(100.0), None, Some(7.0)]);
}
