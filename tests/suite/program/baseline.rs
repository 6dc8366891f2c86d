//! `evalbook baseline`: a file to commit that compares as the whole report does.

use std::path::Path;

use rayon::prelude::*;
use serde_json::Value;

use super::corpus;
use crate::support::schema::mismatch;
use crate::support::{CommandOutput, Workspace, evalbook, examples, git, grading, read_text};

const GATE: [&str; 6] =
    ["--fail-on", "worse,loss", "--max-token-increase", "20%", "--min-pass-rate", "10%"];

fn run(folder: &Path, args: &[&str]) -> CommandOutput {
    CommandOutput::of(evalbook(folder).args(args))
}

/// What a comparison with `base` says, and how its gate ends.
fn compared(folder: &Path, base: &str, head: &str) -> (Value, Vec<Value>, Option<i32>) {
    let ran = run(folder, &[&["compare", base, head, "--format", "json"][..], &GATE].concat());
    assert!(matches!(ran.code, Some(0 | 1)), "{ran:?}");
    let mut found = ran.json();
    // The rest names the file that was given, or follows the order of the checks in it.
    let mut said = found["change"].take();
    said["regressed"] = found["regressed"].take();
    said["improved"] = found["improved"].take();
    let rules = found["gate"]["rules"].as_array().cloned().unwrap_or_default();
    (said, rules.into_iter().map(|mut rule| rule["decision"].take()).collect(), ran.code)
}

#[test]
fn a_baseline_compares_as_the_whole_report_does() {
    let schema = evalbook::json_schema("baseline", false).expect("a schema");
    for example in examples() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let head = example.to_str().expect("a path");
        let found = run(place.path(), &["check", head, "--format", "json"]).json();
        let iterations = found["workspaces"][0]["iterations"].as_array().expect("iterations");
        // The newest compared with itself is an error.
        for iteration in &iterations[..iterations.len() - 1] {
            let name = iteration["name"].as_str().expect("a name");
            let source = format!("{head}#{name}");
            let file = format!("{name}.json");
            run(place.path(), &["baseline", &source, "-o", &file]).assert_code(0);
            let written = read_text(place.path().join(&file));
            assert!(written.len() < 16_000, "{source}: {} bytes", written.len());
            let baseline = serde_json::from_str(&written).expect("JSON");
            assert_eq!(mismatch(&schema, &baseline, "baseline"), None);
            let whole = compared(place.path(), &source, head);
            assert_eq!(compared(place.path(), &file, head), whole, "{source}");
        }
    }
}

#[test]
fn baselines_of_real_workspaces_compare_as_they_do() {
    let Some(corpus) = corpus::corpus() else { return };
    corpus::expected(&corpus).par_iter().for_each(|entry| {
        let place = tempfile::tempdir().expect("a temporary folder");
        let folder = corpus.join(corpus::name(entry));
        let folder = folder.to_str().expect("a path");
        let found = run(place.path(), &["check", folder, "--format", "json"]).json();
        let iterations = found["workspaces"][0]["iterations"].as_array().expect("iterations");
        let graded =
            iterations.iter().filter(|found| found["totals"]["graded_runs"].as_u64() > Some(0));
        let names: Vec<&str> =
            graded.map(|found| found["name"].as_str().expect("a name")).collect();
        let [.., before, newest] = *names else { return };
        let [before, newest] = [before, newest].map(|name| format!("{folder}#{name}"));
        run(place.path(), &["baseline", &before, "-o", "base.json"]).assert_code(0);
        let whole = compared(place.path(), &before, &newest);
        assert_eq!(compared(place.path(), "base.json", &newest), whole, "{before}");
    });
}

/// Two cases, of which the candidate passes the first.
fn workspace() -> Workspace {
    let metadata = |prompt: &str| format!(r#"{{"prompt": "{prompt}", "assertions": ["x"]}}"#);
    Workspace::new()
        .file("iteration-1/a/eval_metadata.json", metadata("Do a"))
        .file("iteration-1/a/with_skill/grading.json", grading(&[("x", true, "secret words")]))
        .file("iteration-1/b/with_skill/grading.json", grading(&[("x", false, "seen")]))
}

#[test]
fn each_check_is_a_line_and_the_evidence_stays_away() {
    let ran = workspace().run(["baseline", "../workspace"]).assert_code(0);
    let lines: Vec<&str> = ran.stdout.lines().filter(|line| line.contains("\"check\"")).collect();
    assert_eq!(lines.len(), 2, "{ran:?}");
    assert!(lines[0].contains(r#""runs":{"with_skill":"p"}"#), "{ran:?}");
    assert!(!ran.stdout.contains("secret words") && !ran.stdout.contains("Do a"), "{ran:?}");
}

#[test]
fn another_prompt_is_named_and_another_version_is_an_error() {
    let workspace = workspace();
    workspace.run(["baseline", "../workspace", "-o", "base.json"]).assert_code(0);
    let workspace = workspace
        .file("iteration-2/a/eval_metadata.json", r#"{"prompt": "Do it otherwise"}"#)
        .file("iteration-2/a/with_skill/grading.json", grading(&[("x", true, "seen")]))
        .file("iteration-2/b/with_skill/grading.json", grading(&[("x", true, "seen")]));
    let ran = workspace.run(["compare", "base.json", "../workspace"]).assert_code(0);
    assert!(ran.stderr.contains("the prompt of `a` is not that of the baseline"), "{ran:?}");

    let file = workspace.elsewhere().join("base.json");
    let text = read_text(&file);
    let newer = text.replace("\"baseline_version\":1", "\"baseline_version\":2");
    std::fs::write(&file, newer).expect("a written file");
    let ran = workspace.run(["compare", "base.json", "../workspace"]).assert_code(3);
    assert!(ran.stderr.contains("the baseline has version 2; this program reads 1"), "{ran:?}");
    let ran = workspace.run(["compare", "../workspace", "base.json"]);
    assert_eq!(ran.code, Some(2), "a baseline cannot be judged: {ran:?}");
}

#[test]
fn what_a_grading_lost_is_lost_in_a_baseline() {
    let plan = r#"{"evals": [{"id": 1, "prompt": "Do it", "assertions": ["x", "y", "z"]}]}"#;
    let lossy = [
        // It breaks off within its second check.
        r#"{"expectations": [{"text": "x", "passed": false}, {"text": "y"#,
        r#"{"expectations": [{"text": "x", "passed": false}]}"#,
    ];
    for lossy in lossy {
        let workspace = Workspace::new()
            .file("evals.json", plan)
            .file("iteration-1/eval-1/with_skill/grading.json", lossy)
            .file(
                "iteration-2/eval-1/with_skill/grading.json",
                grading(&[("x", true, "seen"), ("y", false, "seen"), ("z", false, "seen")]),
            );
        workspace.run(["baseline", "../workspace#iteration-1", "-o", "base.json"]).assert_code(0);
        let folder = workspace.elsewhere();
        let (said, rules, code) = compared(&folder, "../workspace#iteration-1", "../workspace");
        assert!(!said["undecided"].is_null(), "{said}");
        assert_eq!(compared(&folder, "base.json", "../workspace"), (said, rules, code), "{lossy}");
    }
}

#[test]
fn it_is_replaced_on_the_default_branch_only_and_read_from_the_base_commit() {
    let workspace = workspace();
    let folder = workspace.elsewhere();
    let write = |more: &[&str]| {
        workspace.run(["baseline", "../workspace", "-o", "evals/base.json"].iter().chain(more))
    };
    git(&folder, &["init", "-q", "-b", "main"]);
    assert_eq!(write(&[]).code, Some(0));
    assert_eq!(write(&[]).code, Some(2), "it is there already");
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-q", "-m", "a baseline"]);
    assert_eq!(write(&["--update"]).code, Some(0));
    git(&folder, &["checkout", "-q", "-b", "change"]);
    let ran = write(&["--update"]).assert_code(2);
    assert!(ran.stderr.contains("on `main` only, and this is `change`"), "{ran:?}");
    assert_eq!(write(&["--update", "--default-branch", "change"]).code, Some(0));
    // What the change did to the file is not seen.
    std::fs::write(folder.join("evals/base.json"), "{}").expect("a written file");
    let workspace = workspace
        .files("iteration-2/a,b/with_skill/grading.json", grading(&[("x", false, "seen")]));
    let ran = workspace.run(["compare", "main:evals/base.json", "../workspace"]).assert_code(0);
    assert!(ran.stdout.contains("1/1 → 0/1"), "{ran:?}");
}

#[test]
fn a_budget_limits_the_condition_that_it_names() {
    let timing = r#"{"total_tokens": 1000, "model": "model-x"}"#;
    let workspace = Workspace::new()
        .runs("iteration-1,iteration-2/a,b/with_skill +")
        .files("iteration-1/a,b/with_skill/timing.json", timing)
        .files("iteration-2/a,b/with_skill/timing.json", timing.replace("1000", "2400"));
    let base = ["baseline", "../workspace#iteration-1", "-o", "base.json"];
    workspace.run(base).assert_code(0);
    for (budget, code) in [
        ("with_skill={ tokens = 1.8 }", 0),
        // Noise of two cases with single runs leaves a factor of 0.663: at least 1.59.
        ("with_*={ tokens = 1.6 }", 0),
        ("*={ tokens = 1.5 }", 1),
        ("model-y={ tokens = 9 }", 2),
        ("with_skill={ token = 9 }", 2),
    ] {
        let ran = workspace.run(["compare", "base.json", "../workspace", "--budget", budget]);
        assert_eq!(ran.code, Some(code), "{budget}: {ran:?}");
    }
    let toml = "[gate.budgets]\nwith_skill = { tokens = 1.2 }\n";
    let workspace = workspace.file("evalbook.toml", toml);
    let ran = workspace.run(["build", "../workspace", "--gate"]).assert_code(1);
    assert!(ran.stderr.contains("tokens at most 1.2 ×"), "{ran:?}");
}
