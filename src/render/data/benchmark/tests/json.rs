//! `benchmark.json`.

use serde_json::{Value, json};

use crate::render::data::benchmark::tests::{
    by, case, costing, improved, iteration, read, run, text,
};
use input::model::{Notes, Run};

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// The keys of an object in written order, which `serde_json` does not keep.
fn written_keys<'t>(text: &'t str, indent: usize, after: &str) -> Vec<&'t str> {
    let start = format!("{}\"", " ".repeat(indent));
    let body = text[text.find(after).unwrap()..].lines().skip(1);
    let body = body.take_while(|line| line.starts_with(&start[..indent]));
    body.filter_map(|line| line.strip_prefix(&start)?.split('"').next()).collect()
}

#[test]
fn the_documented_shape() {
    let benchmark = read(&improved());
    assert_eq!(
        benchmark["metadata"],
        json!({
            "skill_name": "quarterly-report", "skill_path": null, "executor_model": null,
            "analyzer_model": null, "timestamp": "2026-07-06T12:12:00Z", "evals_run": [1, 2],
            "runs_per_configuration": 2,
        })
    );
    assert_eq!(
        benchmark["runs"][1],
        json!({
            "eval_id": 2, "eval_name": "board-slides", "configuration": "with_skill",
            "run_number": 2,
            "result": {
                "pass_rate": 0.5, "passed": 1, "failed": 1, "total": 2, "time_seconds": 30.0,
                "tokens": 1600, "tool_calls": null, "errors": null,
            },
            "expectations": [
                { "text": "expectation 1", "passed": true, "evidence": "seen" },
                { "text": "expectation 2", "passed": false, "evidence": null },
                { "text": "expectation 3", "passed": null, "evidence": null },
            ],
            "notes": [],
        })
    );
    assert_eq!(
        benchmark["run_summary"],
        json!({
            "with_skill": {
                "pass_rate": { "mean": 0.75, "stddev": 0.3536, "min": 0.5, "max": 1.0 },
                "time_seconds": { "mean": 25.25, "stddev": 6.7175, "min": 20.5, "max": 30.0 },
                "tokens": { "mean": 1550.0, "stddev": 70.7107, "min": 1500.0, "max": 1600.0 },
            },
            "old_skill": {
                "pass_rate": { "mean": 0.4167, "stddev": 0.1179, "min": 0.3333, "max": 0.5 },
                "time_seconds": { "mean": 10.0, "stddev": 0.0, "min": 10.0, "max": 10.0 },
                "tokens": { "mean": 1000.0, "stddev": 0.0, "min": 1000.0, "max": 1000.0 },
            },
            "delta": { "pass_rate": "+0.33", "time_seconds": "+15.2", "tokens": "+550" },
        })
    );
    let order = ["metadata", "runs", "run_summary", "notes", "evalbook"];
    assert_eq!(written_keys(&text(&improved()), 2, "{"), order);
}

#[test]
fn the_candidate_is_first_however_the_names_sort() {
    let written = text(&improved());
    assert!(written.starts_with("{\n  \"metadata\": {\n    \"skill_name\""));
    assert!(written.ends_with("}\n"));
    let order = ["with_skill", "old_skill", "delta"];
    assert_eq!(written_keys(&written, 4, "\"run_summary\""), order);
    let runs = read(&improved())["runs"].as_array().unwrap().clone();
    let order: Vec<_> = runs.iter().map(|run| run["configuration"].as_str().unwrap()).collect();
    assert_eq!(order, ["with_skill", "with_skill", "old_skill", "old_skill"]);
}

#[test]
fn with_three_configurations_the_baseline_is_second() {
    let runs =
        vec![run("a_skill", 1, "++"), run("b_skill", 1, "+-"), run("without_skill", 1, "--")];
    let three = iteration(vec![case(Some("1"), "one", runs)]);
    let order = ["a_skill", "without_skill", "b_skill", "delta"];
    assert_eq!(written_keys(&text(&three), 4, "\"run_summary\""), order);
    let benchmark = read(&three);
    assert_eq!(benchmark["run_summary"]["delta"]["pass_rate"], "+1.00");
    let deltas = benchmark["evalbook"]["deltas"].as_array().unwrap();
    let exact = |index: usize| (&deltas[index]["candidate"], &deltas[index]["pass_rate"]);
    assert_eq!(exact(0), (&json!("a_skill"), &json!(1.0)));
    assert_eq!(exact(1), (&json!("b_skill"), &json!(0.5)));
}

#[test]
fn without_a_named_baseline_there_is_no_delta() {
    let alone = iteration(vec![case(Some("1"), "one", vec![run("with_skill", 1, "+-")])]);
    assert_eq!(keys(&read(&alone)["run_summary"]), ["with_skill"]);
    assert_eq!(read(&alone)["notes"][0], "with_skill 1/2 expectations passed");

    let runs = vec![run("config_a", 1, "+-"), run("config_b", 1, "++")];
    let unnamed = iteration(vec![case(Some("1"), "one", runs)]);
    assert_eq!(keys(&read(&unnamed)["run_summary"]), ["config_a", "config_b"]);
    assert_eq!(read(&unnamed)["evalbook"]["deltas"], json!([]));
}

#[test]
fn missing_is_null_and_no_delta_is_made_of_it() {
    let runs = vec![costing(run("with_skill", 1, "+"), 5.0, 100.0), run("without_skill", 1, "")];
    let benchmark = read(&iteration(vec![case(None, "one", runs)]));
    let nothing = json!({ "pass_rate": null, "time_seconds": null, "tokens": null });
    assert_eq!(benchmark["run_summary"]["without_skill"], nothing);
    assert_eq!(benchmark["run_summary"]["delta"], nothing);
    assert_eq!(
        benchmark["notes"],
        json!([
            "with_skill 1/1 vs without_skill — (no verdicts) expectations passed",
            "without_skill: 1 of 1 run not graded and left out of the pass rate",
            "without_skill: duration recorded for 0 of 1 run",
            "without_skill: tokens recorded for 0 of 1 run",
        ])
    );
}

#[test]
fn ungraded_runs_are_listed_apart() {
    let benchmark = read(&improved());
    let expected = json!([{
        "eval_id": 1, "eval_name": "ops-memo", "configuration": "with_skill", "run_number": 1,
        "path": "iteration-1/case/with_skill/run-1",
    }]);
    assert_eq!(benchmark["evalbook"]["ungraded_runs"], expected);
    assert_eq!(benchmark["runs"].as_array().unwrap().len(), 4);
    let with_skill = &benchmark["evalbook"]["configurations"][0];
    assert_eq!(with_skill["expectations"], json!({ "passed": 3, "failed": 1, "ungraded": 1 }));
    assert_eq!((&with_skill["runs"], &with_skill["graded_runs"]), (&json!(3), &json!(2)));
}

#[test]
fn a_single_value_has_no_deviation() {
    let benchmark = read(&improved());
    assert_eq!(benchmark["run_summary"]["old_skill"]["tokens"]["stddev"], 0.0);
    let exact = &benchmark["evalbook"]["configurations"][1]["tokens"];
    let expected = json!({ "n": 1, "mean": 1000.0, "stddev": null, "min": 1000.0, "max": 1000.0 });
    assert_eq!(*exact, expected);
}

#[test]
fn deltas_come_from_unrounded_means() {
    let runs = vec![
        costing(run("with_skill", 1, "++-"), 10.04, 100.4),
        costing(run("old_skill", 1, "++-"), 10.05, 100.6),
    ];
    let benchmark = read(&iteration(vec![case(Some("1"), "one", runs)]));
    let expected = json!({ "pass_rate": "+0.00", "time_seconds": "+0.0", "tokens": "+0" });
    assert_eq!(benchmark["run_summary"]["delta"], expected);
    let exact = benchmark["evalbook"]["deltas"][0]["tokens"].as_f64().unwrap();
    assert!((exact + 0.2).abs() < 1e-9);
    assert_eq!(benchmark["evalbook"]["configurations"][0]["pass_rate"]["mean"], 2.0 / 3.0);
}

#[test]
fn ids_tell_cases_apart() {
    let one = || vec![run("with_skill", 1, "+")];
    let benchmark = read(&iteration(vec![
        case(Some("7"), "a", one()),
        case(Some("login"), "b", one()),
        case(Some("3"), "c", one()),
        case(Some("3"), "d", one()),
        case(None, "e", one()),
        case(Some("007"), "", one()),
        case(None, "", one()),
    ]));
    let ids: Vec<_> =
        benchmark["runs"].as_array().unwrap().iter().map(|run| &run["eval_id"]).collect();
    let expected = [json!(7), json!("login"), json!("c"), json!("d"), json!("e"), json!("007")];
    assert_eq!(ids[..6], expected.iter().collect::<Vec<_>>());
    assert_eq!(*ids[6], Value::Null);
    let sorted = json!([7, "007", "c", "d", "e", "login"]);
    assert_eq!(benchmark["metadata"]["evals_run"], sorted);
}

#[test]
fn a_model_is_named_only_when_every_run_names_it() {
    let models = |first: Run, second: Run| {
        let benchmark = read(&iteration(vec![case(Some("1"), "one", vec![first, second])]));
        (
            benchmark["metadata"]["executor_model"].clone(),
            benchmark["evalbook"]["executor_models"].clone(),
        )
    };
    let plain = |number| run("with_skill", number, "+");
    let (only, list) = models(by("m1", plain(1)), by("m1", plain(2)));
    assert_eq!((only, list), (json!("m1"), json!([{ "model": "m1", "runs": 2 }])));
    let (only, list) = models(by("m1", plain(1)), plain(2));
    let both = json!([{ "model": null, "runs": 1 }, { "model": "m1", "runs": 1 }]);
    assert_eq!((only, list), (Value::Null, both));
}

#[test]
fn notes_come_in_the_documented_order() {
    let list = |text: &str| vec![text.to_owned()];
    let notes = Notes {
        uncertainties: list("uncertain"),
        needs_review: list("review"),
        workarounds: list("worked around"),
        other: list("other"),
    };
    let mut graded = run("with_skill", 1, "+");
    graded.gradings[0].notes = notes.clone();
    let with_own_notes =
        Run { notes: Notes { other: list("own"), ..Notes::default() }, ..graded.clone() };
    let mut unsummed = with_own_notes.clone();
    unsummed.number = 2;
    unsummed.gradings[0].notes = Notes::default();
    let benchmark = read(&iteration(vec![case(Some("1"), "one", vec![with_own_notes, unsummed])]));
    let expected = json!(["uncertain", "review", "worked around", "other"]);
    assert_eq!(benchmark["runs"][0]["notes"], expected);
    assert_eq!(benchmark["runs"][1]["notes"], json!(["own"]));
}

#[test]
fn odd_figures_stay_out() {
    let mut odd = costing(run("delta", 1, "+"), f64::INFINITY, f64::NAN);
    odd.metrics.tool_calls = Some(2.5);
    odd.metrics.errors = Some(-0.0);
    let huge =
        [f64::MAX, f64::MAX].map(|seconds| costing(run("without_skill", 1, "+"), seconds, 1.0));
    let runs = [odd].into_iter().chain(huge).collect();
    let benchmark = read(&iteration(vec![case(Some("1"), "one", runs)]));
    let result = &benchmark["runs"][0]["result"];
    assert_eq!((&result["time_seconds"], &result["tokens"]), (&Value::Null, &Value::Null));
    assert_eq!((&result["tool_calls"], &result["errors"]), (&json!(2.5), &json!(0)));
    assert_eq!(benchmark["run_summary"]["without_skill"]["time_seconds"], Value::Null);
    let expected = ["delta", "delta (configuration)", "without_skill"];
    assert_eq!(keys(&benchmark["run_summary"]), expected);
}

#[test]
fn an_empty_iteration() {
    let benchmark = read(&iteration(Vec::new()));
    assert_eq!((&benchmark["runs"], &benchmark["run_summary"]), (&json!([]), &json!({})));
    assert_eq!(benchmark["metadata"]["runs_per_configuration"], 0);
}
