//! What a report says of versions, repeated runs, blind comparisons and graders, as a whole.

#![allow(clippy::disallowed_methods, reason = "tests look at what was written")]

use std::path::Path;

use crate::support::{Workspace, site};
use serde_json::{Value, json};

/// A grading by `grader` with verdicts written `+` passed and `-` failed.
fn grading(grader: &str, verdicts: &str) -> String {
    let item = |(at, verdict): (usize, char)| json!({ "text": format!("statement {at}"), "passed": verdict == '+', "evidence": "seen" });
    let items: Vec<Value> = verdicts.chars().enumerate().map(item).collect();
    json!({ "grader": grader, "expectations": items }).to_string()
}

fn comparison(case: &str, [a, b]: [&str; 2], winner: &str) -> String {
    let scores = json!({ "craft": { "A": 4, "B": 9 } });
    let mapping = json!({ "A": a, "B": b });
    json!({ "case_id": case, "winner": winner, "reasoning": "seen", "mapping": mapping, "scores": scores })
        .to_string()
}

/// The text of a page of a report that is sound as a whole, its white space folded.
fn page(report: &Path, path: &str) -> String {
    site::assert_sound(report);
    let page = std::fs::read_to_string(report.join(path));
    let page = page.unwrap_or_else(|error| panic!("{path}: {error}"));
    page.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The only workspace of `report.json`.
fn json(report: &Path) -> Value {
    let found: Value = serde_json::from_str(&page(report, "report.json")).expect("JSON");
    found["workspaces"][0].clone()
}

fn assert_says(page: &str, words: &[&str]) {
    for word in words {
        assert!(page.contains(word), "`{word}` is not in {page}");
    }
}

/// Iterations of two cases; each letter of a level is one statement of either case.
fn iterations(levels: &[(&str, &str)]) -> Workspace {
    let mut workspace = Workspace::new();
    for (at, (grader, verdicts)) in levels.iter().enumerate() {
        for case in ["alpha", "beta"] {
            let path = format!("iteration-{}/{case}/with_skill/run-1/grading.json", at + 1);
            workspace = workspace.file(&path, grading(grader, verdicts));
        }
    }
    workspace
}

#[test]
fn the_history_tells_levels_gains_and_the_trend() {
    let levels = ["+----", "++---", "+++--", "++++-", "+++++"].map(|level| ("ann", level));
    let workspace = iterations(&levels);
    let report = workspace.build();
    let trend = [
        "rises by about +20 points per iteration over 5 iterations",
        "would turn up in 1.7 of 100",
        "Theil and Sen's slope",
        "1.16 standard errors",
    ];
    assert_says(&page(&report, "report.md"), &trend);
    let course = &json(&report)["course"];
    assert_eq!(course["levels"], json!([0.2, 0.4, 0.6, 0.8, 1.0]));
    assert_eq!(
        (&course["best"], course["iterations"].as_array().map(Vec::len)),
        (&json!("iteration-5"), Some(5))
    );
    let slope = course["slope"].as_f64().expect("a slope");
    assert!((slope - 0.2).abs() < 1e-9 && course["p"].as_f64() == Some(1.0 / 60.0), "{course}");
    let history = page(&report, "history.html");
    assert_says(
        &history,
        &[
            "against iteration-4",
            "8/10 → 10/10 compared",
            "against iteration-1",
            "with_skill was not graded before",
            "no baseline",
            "rises by about +20 points per iteration over 5 iterations",
            "would turn up in 1.7 of 100",
            "used for tuning",
            "iteration-5 was picked as the best of 5 iterations",
            "1.16 standard errors",
        ],
    );
}

#[test]
fn another_grader_ends_the_trend_and_marks_a_break() {
    let ends = ["+----", "++---", "+++--"].map(|level| ("ann", level));
    let levels = [ends[0], ends[1], ends[2], ("bob", "++++-"), ("bob", "+++++")];
    let history = page(&iterations(&levels).build(), "history.html");
    assert_says(&history, &["another grader: ann → bob", "other grader"]);
    assert!(!history.contains("used for tuning") && !history.contains("picked as the best"));
}

#[test]
fn one_case_and_nothing_graded_say_why_there_is_nothing() {
    let workspace = Workspace::new()
        .file("iteration-1/a/with_skill/outputs/a.txt", "one")
        .file("iteration-2/a/with_skill/grading.json", grading("ann", "+-"));
    let history = page(&workspace.build(), "history.html");
    assert_says(&history, &["nothing graded", "with_skill was not graded before", "1/2"]);
    assert!(!history.contains("NaN") && !history.contains("standard errors"));
}

#[test]
fn several_runs_tell_how_far_they_can_be_relied_on() {
    let mut workspace = Workspace::new();
    for (case, runs) in [("alpha", ["++", "++", "++"]), ("beta", ["++", "+-", "+-"])] {
        for (at, verdicts) in runs.iter().enumerate() {
            let path = format!("iteration-1/{case}/with_skill/run-{}/grading.json", at + 1);
            workspace = workspace.file(&path, grading("ann", verdicts));
        }
    }
    let report = workspace.build();
    let told = "succeeds at least once in 3 runs in 2 of 2 cases, every time in 1 of 2.";
    let iteration = page(&report, "iterations/iteration-1/index.html");
    assert_says(&iteration, &[told, "4 of 6 runs succeeded", "1 of 4 expectations passed in some"]);
    assert_says(&page(&report, "report.md"), &["every time in 1 of 2"]);
    assert_says(&page(&report, "cases/beta.html"), &["1 of 3 runs passed every expectation"]);
    let found = &json(&report)["iterations"][0]["configurations"][0]["reliability"];
    assert_eq!((found["pass_at_k"].as_f64(), found["pass_hat_k"].as_f64()), (Some(1.0), Some(0.5)));
    assert_eq!(found["flaky_expectations"], 1);
}

#[test]
fn single_runs_tell_nothing_about_repetition() {
    let workspace = iterations(&[("ann", "+-")]);
    let report = workspace.build();
    assert!(!page(&report, "iterations/iteration-1/index.html").contains("at least once in"));
    let found = &json(&report)["iterations"][0]["configurations"][0];
    assert_eq!(found["reliability"], Value::Null);
}

#[test]
fn graders_of_the_same_runs_are_compared_and_their_disputes_are_linked() {
    let workspace = iterations(&[("ann", "++-")])
        .file("iteration-1/alpha/with_skill/run-1/grading-bob.json", grading("bob", "+--"));
    let report = workspace.build();
    let agreed = "The two agree on 2 of 3 checks";
    assert_says(&page(&report, "report.md"), &["ann and bob", agreed, "**agreement of graders**"]);
    let found = &json(&report)["iterations"][0]["graders"][0];
    assert_eq!((&found["names"], &found["ac1"]), (&json!(["ann", "bob"]), &Value::Null));
    assert_eq!((&found["same"]["passed"], &found["same"]["total"]), (&json!(2), &json!(3)));
    let iteration = page(&report, "iterations/iteration-1/index.html");
    assert_says(
        &iteration,
        &[
            "ann and bob",
            "agreement of graders",
            "The two agree on 2 of 3 checks",
            "With fewer than 20 checks",
            "ann: passed, bob: failed",
        ],
    );
}

#[test]
fn comparisons_are_added_up_by_case_and_the_letter_is_suspected() {
    let mut workspace = iterations(&[("ann", "+-")]);
    let pairs = [["v2", "v1"], ["v1", "v2"], ["v3", "v2"], ["v3", "v1"]];
    for (at, pair) in pairs.iter().enumerate() {
        let path = format!("iteration-1/alpha/comparison-{at}.json");
        workspace = workspace.file(&path, comparison("alpha", *pair, "A"));
    }
    let hostile = comparison("<b>who</b>", ["<i>v9</i>", "<i>v8</i>"], "both of them");
    let path = "iteration-1/beta/comparison-9.json";
    let workspace = workspace.file(path, hostile);
    let report = workspace.build();
    let told = [
        "v2 won 1, lost 1 and tied 0 of 2 verdicts: 50 %",
        "0 of 1 pairs of verdicts stayed the same",
        "won 4 of 4 decided comparisons",
    ];
    let markdown = page(&report, "report.md");
    assert_says(&markdown, &told);
    assert!(!markdown.contains("<i>v9"));
    let blind = &json(&report)["blind"];
    let p = blind["letters_p"].as_f64().expect("a p");
    assert!(blind["won_by_a"]["passed"] == 4 && (p - 0.125).abs() < 1e-9, "{blind}");
    let met = blind["contests"].as_array().into_iter().flatten();
    let met = met.filter(|it| it["first"] == "v2" && it["second"] == "v1");
    let verdicts: Vec<&Value> = met.map(|it| &it["verdicts"]).collect();
    assert_eq!(verdicts, [&json!([1, 1, 0])]);
    assert_eq!(blind["rankings"][0]["reference"], "v1");
    let comparisons = page(&report, "comparisons.html");
    assert_says(
        &comparisons,
        &[
            "v2 won 1, lost 1 and tied 0 of 2 verdicts: 50 %",
            "even in 1 of 1 case;",
            "Too few cases to settle anything",
            "0 of 1 pairs of verdicts stayed the same",
            "0 better, 0 worse, 1 the same",
            "A, which judges usually read first, won 4 of 4 decided comparisons",
            "Too few to tell whether the letter matters",
            "against v1, on the scale of chess ratings",
        ],
    );
    assert!(!comparisons.contains("<i>v9"));
}
