//! `evalbook schema`: every fixture validates, also what evalbook writes; wrong documents do not.

#![allow(clippy::disallowed_methods, reason = "tests look at the files of the project")]

mod support;

use std::path::Path;

use evalbook::discover::{Kind, kinds};
use evalbook::schema::{KINDS, of};
use serde_json::{Value, json};
use support::schema::mismatch;
use support::{Ran, Workspace, evalbook, examples, files, project};

fn name_of(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Grading => "grading",
        Kind::Timing => "timing",
        Kind::Metrics => "metrics",
        Kind::CaseMetadata => "eval_metadata",
        Kind::Evals => "evals",
        Kind::Benchmark => "benchmark",
        Kind::Feedback => "feedback",
        Kind::Comparison => "comparison",
        Kind::Analysis => "analysis",
        Kind::History => "history",
        _ => return None,
    })
}

/// Checks every document below `folder`; gives how many there are of each kind.
fn check_all(folder: &Path) -> Vec<&'static str> {
    let mut checked = Vec::new();
    for file in files(folder) {
        let below = file.strip_prefix(folder).expect("a file below").to_string_lossy().into_owned();
        let Some(name) = kinds::of_path(&below).and_then(name_of) else { continue };
        let text = std::fs::read_to_string(&file).expect("a document");
        let document: Value = serde_json::from_str(&text).expect("JSON");
        let schema = of(name).expect("a schema");
        assert_eq!(mismatch(&schema, &document, name), None, "{}", file.display());
        checked.push(name);
    }
    checked
}

#[test]
fn every_fixture_validates() {
    let mut checked = check_all(&project().join("tests/good-case"));
    for example in examples() {
        checked.extend(check_all(&example));
    }
    for kind in KINDS {
        assert!(checked.contains(&kind.name), "no fixture of `{}`", kind.name);
    }
}

#[test]
fn what_evalbook_writes_validates() {
    let evals = std::fs::read(project().join("examples/scored/evals/evals.json")).expect("evals");
    let place = Workspace::new().file("evals/evals.json", evals).file("SKILL.md", "# a skill\n");
    for args in [&["init", "../workspace", "-o", "made"][..], &["snapshot", "../workspace", "made"]]
    {
        let ran = place.run(args);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    let iteration = project().join("examples/skill-creator/iteration-1");
    let mut command = evalbook(&place.elsewhere());
    let ran = Ran::of(command.arg("benchmark").arg(iteration).args(["-o", "made/benchmark.json"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let checked = check_all(&place.elsewhere().join("made"));
    for name in ["eval_metadata", "history", "benchmark"] {
        assert!(checked.contains(&name), "{checked:?}");
    }
}

#[test]
fn wrong_documents_do_not_validate() {
    let graded = |item: Value| json!({ "expectations": [item] });
    let table = [
        ("grading", json!({})),
        ("grading", json!([])),
        ("grading", json!({"expectations": "all passed"})),
        ("grading", graded(json!({"text": "a"}))),
        ("grading", graded(json!({"passed": true}))),
        ("grading", graded(json!({"text": "a", "passed": []}))),
        ("grading", graded(json!({"text": ["a"], "passed": true}))),
        ("grading", graded(json!({"text": "a", "passed": true, "score": "four"}))),
        ("timing", json!({"total_tokens": "many"})),
        ("timing", json!([1])),
        ("metrics", json!({"files_created": "a.md"})),
        ("eval_metadata", json!({"prompt": 3})),
        ("eval_metadata", json!({"assertions": [7]})),
        ("evals", json!({"evals": {}})),
        ("evals", json!({"evals": [{"id": 1}]})),
        ("benchmark", json!({"metadata": {}})),
        ("benchmark", json!({"run_summary": {}, "runs": [{"run_number": 1}]})),
        ("feedback", json!({"reviews": [{"run_id": "a"}]})),
        ("feedback", json!([])),
        ("comparison", json!({"reasoning": "A is better"})),
        ("analysis", json!({"suggestions": "none"})),
        ("history", json!({"versions": [{"description": "first"}]})),
        ("history", json!({"versions": [{"version": 1, "average_score": "4"}]})),
    ];
    for (name, document) in table {
        let schema = of(name).expect("a schema");
        assert!(mismatch(&schema, &document, name).is_some(), "{name}: {document}");
    }
}

#[test]
fn the_command_lists_kinds_prints_a_schema_and_helps_with_a_wrong_name() {
    let place = Workspace::new();
    let listed = place.run(["schema"]);
    assert_eq!(listed.code, Some(0), "{listed:?}");
    assert_eq!(listed.stdout.lines().count(), KINDS.len());
    for kind in KINDS {
        assert!(listed.stdout.contains(kind.about), "{listed:?}");
        let printed = place.run(["schema", kind.name]).json();
        assert_eq!(printed["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert_eq!(Some(printed), of(kind.name));
    }
    let wrong = place.run(["schema", "gradings"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
    assert!(wrong.stderr.contains("did you mean `grading`?"), "{wrong:?}");
}
