//! `evalbook schema`: every fixture validates, also what evalbook writes; wrong documents do not.

use std::path::Path;

use crate::support::schema::{mismatch, mismatch_or_more};
use crate::support::{
    CommandOutput, Workspace, evalbook, examples, files, hostile, project, read_json, read_text,
};
use evalbook::{Kind, SCHEMAS, json_schema, kind_of};
use serde_json::{Value, json};

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
        let Some(name) = kind_of(&below).and_then(name_of) else { continue };
        let document = read_json(&file);
        for has_all_spellings in [false, true] {
            let schema = json_schema(name, has_all_spellings).expect("a schema");
            assert_eq!(mismatch(&schema, &document, name), None, "{}", file.display());
        }
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
    // These have tests of their own.
    let is_written =
        |name: &str| WRITTEN.contains(&name) || ["baseline", "measured", "reused"].contains(&name);
    for kind in SCHEMAS.iter().filter(|kind| !is_written(kind.name)) {
        assert!(checked.contains(&kind.name), "no fixture of `{}`", kind.name);
    }
}

/// Kinds that only evalbook writes.
const WRITTEN: [&str; 2] = ["report", "runs"];

/// The `report.json` of a workspace, and every line of its `runs.jsonl`.
fn written(workspace: &Workspace) -> (Value, Vec<Value>) {
    workspace.run(["build", "../workspace", "-o", "report", "--export", "jsonl"]).assert_code(0);
    let report = workspace.elsewhere().join("report");
    let text = |name| read_text(report.join(name));
    let json = |text: &str| serde_json::from_str(text).expect("JSON");
    (json(&text("report.json")), text("runs.jsonl").lines().map(json).collect())
}

#[test]
fn what_a_report_holds_for_programs_validates_and_is_all_described() {
    let [report_schema, run_schema] =
        WRITTEN.map(|name| json_schema(name, false).expect("a schema"));
    let mut workspaces: Vec<Workspace> =
        examples().iter().map(|example| Workspace::new().with(example)).collect();
    workspaces.extend([Workspace::good(), hostile::workspace(&examples()[0])]);
    for workspace in workspaces {
        let (report, lines) = written(&workspace);
        let place = workspace.path();
        assert_eq!(mismatch_or_more(&report_schema, &report, "report"), None, "{place:?}");
        assert!(!lines.is_empty(), "{place:?}");
        for line in lines {
            assert_eq!(mismatch_or_more(&run_schema, &line, "run"), None, "{place:?}");
        }
    }
}

/// A report whose value at `place` is another one; without a value it is taken out.
fn report_with(report: &Value, place: &str, value: Option<Value>) -> Value {
    let mut changed = report.clone();
    let (parent, key) = place.rsplit_once('/').expect("a place in something");
    let parent = changed.pointer_mut(parent).unwrap_or_else(|| panic!("no `{parent}`"));
    match (parent, value) {
        (Value::Object(entries), Some(value)) => entries.insert(key.to_owned(), value),
        (Value::Object(entries), None) => entries.remove(key),
        (Value::Array(items), Some(value)) => {
            Some(std::mem::replace(&mut items[key.parse::<usize>().expect("an index")], value))
        }
        (other, _) => panic!("nothing lies in {other}"),
    };
    changed
}

#[test]
fn wrong_reports_do_not_validate() {
    let schema = json_schema("report", false).expect("a schema");
    let example = project().join("examples/skill-creator");
    let (report, _) = written(&Workspace::new().with(&example));
    let iteration = "/workspaces/0/iterations/0";
    let run = format!("{iteration}/cases/0/runs/0");
    let table = [
        ("/schema_version".to_owned(), None),
        ("/schema_version".to_owned(), Some(json!("1"))),
        ("/schema_version".to_owned(), Some(json!(-1))),
        ("/workspaces".to_owned(), Some(json!({}))),
        ("/workspaces/0".to_owned(), Some(json!("a"))),
        ("/workspaces/0/matchups".to_owned(), None),
        ("/workspaces/0/problems".to_owned(), Some(json!([{ "code": "near-json" }]))),
        (format!("{iteration}/implicit"), Some(json!(0))),
        (format!("{iteration}/configurations/0/pass_rate"), Some(json!(1.01))),
        (format!("{iteration}/configurations/0/pass_rate"), Some(json!("80 %"))),
        (format!("{iteration}/configurations/0/level/low"), Some(json!(-0.1))),
        (format!("{iteration}/configurations/0/tokens"), Some(json!(1200))),
        (format!("{iteration}/changes/0/gain/mean"), Some(json!(-1.5))),
        (format!("{iteration}/changes/0/gain/cases"), Some(json!(2.5))),
        (format!("{run}/number"), Some(json!(null))),
        (format!("{run}/metrics/duration_s"), None),
        (format!("{run}/metrics/duration_s"), Some(json!("3 s"))),
        (format!("{run}/gradings/0/expectations/0/passed"), Some(json!("yes"))),
        (format!("{run}/gradings/0/expectations/0/text"), None),
        (format!("{run}/outputs"), Some(json!([{ "name": "a" }]))),
    ];
    assert_eq!(mismatch(&schema, &report, "report"), None);
    for (place, value) in table {
        let changed = report_with(&report, &place, value.clone());
        assert!(mismatch(&schema, &changed, "report").is_some(), "{place}: {value:?}");
    }
    let more = report_with(&report, "/workspaces/0/new", Some(json!(1)));
    assert_eq!(mismatch(&schema, &more, "report"), None, "what is not known is allowed");
    assert!(mismatch_or_more(&schema, &more, "report").is_some());
}

#[test]
fn every_field_of_what_evalbook_writes_has_a_description() {
    for name in WRITTEN {
        let schema = json_schema(name, false).expect("a schema");
        let shapes = schema["$defs"].as_object().into_iter().flatten();
        for (shape, schema) in shapes.chain([(&name.to_owned(), &schema)]) {
            assert!(schema["description"].is_string(), "{name}: {shape}");
            let fields = schema["properties"].as_object();
            assert!(fields.is_some() || schema["oneOf"].is_array(), "{name}: {shape}");
            for (field, schema) in fields.into_iter().flatten() {
                assert!(schema["description"].is_string(), "{name}: {shape}.{field}");
            }
        }
    }
}

#[test]
fn what_evalbook_writes_validates() {
    let evals = std::fs::read(project().join("examples/scored/evals/evals.json")).expect("evals");
    let place = Workspace::new().file("evals/evals.json", evals).file("SKILL.md", "# a skill\n");
    for args in [&["init", "../workspace", "-o", "made"][..], &["snapshot", "../workspace", "made"]]
    {
        place.run(args).assert_code(0);
    }
    let iteration = project().join("examples/skill-creator/iteration-1");
    let mut command = evalbook(&place.elsewhere());
    CommandOutput::of(command.arg("benchmark").arg(iteration).args(["-o", "made/benchmark.json"]))
        .assert_code(0);
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
        ("grading", graded(json!({"text": "a", "passed": "maybe"}))),
        ("grading", graded(json!({"text": "a", "verdict": "partially met"}))),
        ("grading", graded(json!({"text": "a", "status": "done"}))),
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
        let schema = json_schema(name, true).expect("a schema");
        assert!(mismatch(&schema, &document, name).is_some(), "{name}: {document}");
    }
}

#[test]
fn every_word_that_is_read_without_a_problem_validates() {
    let schema = json_schema("grading", true).expect("a schema");
    let words = "PASS|fail|Not-Met|did not pass|不符合|not_graded|n/a|-||✅|✅ PASS|**Pass**|❌ not met.|通過";
    for word in words.split('|') {
        let place = Workspace::new();
        let document = json!({"expectations": [{"text": "a", "verdict": word}]});
        assert_eq!(mismatch(&schema, &document, "grading"), None, "{word}");
        let place = place.file("iteration-1/a/with_skill/grading.json", document.to_string());
        let problems = place.run(["check", "../workspace", "--format", "json"]).json();
        assert_eq!(problems["workspaces"][0]["problems"], json!([]), "{word}");
    }
    let beside = json!({"expectations": [{"text": "a", "passed": true, "status": "graded"}]});
    assert_eq!(mismatch(&schema, &beside, "grading"), None);
}

#[test]
fn the_command_lists_kinds_prints_a_schema_and_helps_with_a_wrong_name() {
    let place = Workspace::new();
    let listed = place.run(["schema"]).assert_code(0);
    assert_eq!(listed.stdout.lines().count(), SCHEMAS.len());
    for kind in SCHEMAS {
        assert!(listed.stdout.contains(kind.about), "{listed:?}");
        let printed = place.run(["schema", kind.name]).json();
        assert_eq!(printed["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert_eq!(Some(printed), json_schema(kind.name, false));
    }
    let wrong = place.run(["schema", "gradings"]).assert_code(2);
    assert!(wrong.stderr.contains("'grading'"), "{wrong:?}");
    assert!(wrong.stderr.contains("evalbook schema --help"), "{wrong:?}");
}

/// A grading with every field that the schema describes.
fn written_by_the_schema() -> Value {
    json!({
        "expectations": [
            {
                "text": "The table has a total",
                "passed": true,
                "evidence": "Row 12 is the total.",
                "id": "total",
                "required": true,
                "score": 4
            },
            { "text": "The total equals 42", "passed": false, "evidence": "It is 40." },
            { "text": "The file opens in Excel", "passed": null, "evidence": "There is no Excel." }
        ],
        "claims": [
            { "claim": "All rows are added up", "type": "factual", "verified": true, "evidence": "12 of 12." }
        ],
        "user_notes_summary": {
            "uncertainties": "the currency", "needs_review": "the rounding", "workarounds": "none needed"
        },
        "eval_feedback": {
            "suggestions": [{ "assertion": "The total equals 42", "reason": "say where 42 comes from" }],
            "overall": "Two checks would do."
        },
        "grader": "model-x"
    })
}

#[test]
fn the_prompt_of_a_grader_ends_with_the_example_and_has_the_schema_on_request() {
    let workspace = Workspace::new();
    let short = workspace.run(["schema", "grading", "--prompt"]).assert_code(0).stdout;
    let full = workspace.run(["schema", "grading", "--prompt", "--full"]).assert_code(0).stdout;
    let schema = workspace.run(["schema", "grading"]).assert_code(0).stdout;
    assert!(full.starts_with(&short) && full.ends_with(&schema));
    assert!(short.len() < 2_000, "{} bytes", short.len());
    assert!(short.trim_end().ends_with("```"), "{short}");
    workspace.run(["schema", "grading", "--full"]).assert_code(2);
}

#[test]
fn a_grading_written_by_the_schema_is_read_without_a_problem() {
    let workspace = Workspace::new();
    let ran = workspace.run(["schema", "grading"]);
    assert!(ran.stdout.len() < 8_000, "{} bytes for a prompt", ran.stdout.len());
    let schema: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let grading = written_by_the_schema();
    assert_eq!(mismatch(&schema, &grading, "grading"), None);
    let one = json!({ "expectations": [{ "text": "x", "passed": "yes" }] });
    assert!(mismatch(&schema, &one, "grading").is_some(), "a word is no verdict here");

    let place = "iteration-1/total/with_skill/run-1/grading.json";
    let workspace = workspace.file(place, grading.to_string());
    let checked = &workspace.check()["workspaces"][0];
    assert_eq!(checked["problems"], json!([]));
    let counts =
        ["passed", "failed", "ungraded"].map(|outcome| checked["totals"][outcome].as_u64());
    assert_eq!(counts, [Some(1); 3]);
}
