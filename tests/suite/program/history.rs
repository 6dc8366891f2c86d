//! What a report says of versions, repeated runs, blind comparisons and graders, as a whole.

use std::path::Path;

use crate::support::gradings::verdicts;
use crate::support::{Workspace, site, words};
use serde_json::{Value, json};

fn grading(grader: &str, letters: &str) -> String {
    verdicts(letters).evidence("seen").grader(grader).json()
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

/// Asserts that `page` says the texts at these keys, with these values.
fn assert_keys(page: &str, keys: &[(&str, &[(&str, &str)])]) {
    for (key, values) in keys {
        assert!(words::says(page, key, values), "{key} {values:?} is not in {page}");
    }
}

/// Iterations of two cases; each letter of a level is one statement of either case.
fn iterations(levels: &[(&str, &str)]) -> Workspace {
    levels.iter().zip(1..).fold(Workspace::new(), |workspace, ((grader, level), at)| {
        let paths = format!("iteration-{at}/alpha,beta/with_skill/run-1/grading.json");
        workspace.files(&paths, grading(grader, level))
    })
}

#[test]
fn the_history_tells_pass_rates_and_that_the_best_looks_too_good() {
    let levels = ["+----", "++---", "+++--", "++++-", "+++++"].map(|level| ("ann", level));
    let workspace = iterations(&levels);
    let report = workspace.build();
    let five = words::count(5, "iteration");
    let best_of = [("iteration", "iteration-5"), ("iterations", five.as_str())];
    assert_keys(&page(&report, "report.md"), &[("history.best_of", &best_of)]);
    let found = &json(&report)["pass_rate_history"];
    assert_eq!(found["pass_rates"], json!([0.2, 0.4, 0.6, 0.8, 1.0]));
    assert_eq!(
        (&found["best"], found["iterations"].as_array().map(Vec::len)),
        (&json!("iteration-5"), Some(5))
    );
    let history = page(&report, "history.html");
    assert_keys(
        &history,
        &[
            ("history.versus", &[("other", "iteration-4")]),
            ("history.versus", &[("other", "80 %")]),
            ("history.best", &[]),
            ("verdict.no_comparison", &[]),
            ("history.best_of", &best_of),
        ],
    );
}

#[test]
fn another_grader_marks_a_break() {
    let ends = ["+----", "++---", "+++--"].map(|level| ("ann", level));
    let levels = [ends[0], ends[1], ends[2], ("bob", "++++-"), ("bob", "+++++")];
    let history = page(&iterations(&levels).build(), "history.html");
    assert_keys(
        &history,
        &[
            ("history.graders", &[("before", "ann"), ("after", "bob")]),
            ("history.break_other", &[("what", words::raw("history.break_graders"))]),
        ],
    );
    assert!(!words::says(&history, "history.best_of", &[]), "{history}");
}

#[test]
fn one_case_and_nothing_graded_say_why_there_is_nothing() {
    let workspace = Workspace::new()
        .file("iteration-1/a/with_skill/outputs/a.txt", "one")
        .file("iteration-2/a/with_skill/grading.json", grading("ann", "+-"));
    let history = page(&workspace.build(), "history.html");
    let keys = [("history.not_graded", &[][..]), ("verdict.no_comparison", &[])];
    assert_keys(&history, &keys);
    assert!(history.contains("1/2") && !history.contains("NaN"));
    assert!(!words::says(&history, "history.best_of", &[]));
}

#[test]
fn several_runs_tell_how_far_they_can_be_relied_on() {
    let workspace = Workspace::new().runs(
        "iteration-1/alpha/with_skill/run-1,run-2,run-3 ++
        iteration-1/beta/with_skill/run-1 ++
        iteration-1/beta/with_skill/run-2,run-3 +-",
    );
    let report = workspace.build();
    let [runs, cases] = [words::count(3, "run"), words::count(2, "case")];
    let tries = [("runs", &*runs), ("once", "2"), ("cases", &cases), ("always", "1"), ("n", "2")];
    let expectations = words::count(4, "expectation");
    let flaky = [("n", "1"), ("expectations", expectations.as_str())];
    let iteration = page(&report, "iterations/iteration-1/index.html");
    assert_keys(
        &iteration,
        &[
            ("reliability.tries", &tries),
            ("reliability.strict_between", &[("passed", "4"), ("runs", "6")]),
            ("reliability.flaky", &flaky),
        ],
    );
    assert_keys(&page(&report, "report.md"), &[("reliability.tries", &tries)]);
    let case = [("passed", "1"), ("runs", "3")];
    assert_keys(&page(&report, "cases/beta.html"), &[("reliability.case", &case)]);
    let found = &json(&report)["iterations"][0]["configurations"][0]["reliability"];
    assert_eq!((found["pass_at_k"].as_f64(), found["pass_hat_k"].as_f64()), (Some(1.0), Some(0.5)));
    assert_eq!(found["flaky_expectations"], 1);
}

#[test]
fn single_runs_tell_nothing_about_repetition() {
    let workspace = iterations(&[("ann", "+-")]);
    let report = workspace.build();
    let iteration = page(&report, "iterations/iteration-1/index.html");
    assert!(!words::says(&iteration, "reliability.tries", &[]), "{iteration}");
    let found = &json(&report)["iterations"][0]["configurations"][0];
    assert_eq!(found["reliability"], Value::Null);
}

#[test]
fn graders_of_the_same_runs_are_compared_and_their_disputes_are_linked() {
    let workspace = iterations(&[("ann", "++-")])
        .file("iteration-1/alpha/with_skill/run-1/grading-bob.json", grading("bob", "+--"));
    let report = workspace.build();
    let agreed = [("agreed", "2"), ("checks", "3")];
    let pair = ("graders.pair", &[("first", "ann"), ("second", "bob")][..]);
    let agree = ("graders.agree", &agreed[..]);
    assert_keys(&page(&report, "report.md"), &[pair, agree]);
    let found = &json(&report)["iterations"][0]["graders"][0];
    assert_eq!((&found["names"], &found["ac1"]), (&json!(["ann", "bob"]), &Value::Null));
    assert_eq!((&found["same"]["passed"], &found["same"]["total"]), (&json!(2), &json!(3)));
    let iteration = page(&report, "iterations/iteration-1/index.html");
    let verdicts = [("ann", "passed"), ("bob", "failed")].map(|(grader, outcome)| {
        let verdict = words::raw(&format!("outcome.{outcome}"));
        words::text("graders.verdict", &[("grader", grader), ("verdict", verdict)])
    });
    let too_few = [("n", "20")];
    assert_keys(&iteration, &[pair, agree, ("graders.too_few", &too_few)]);
    assert!(iteration.contains(&verdicts.join(words::raw("list.comma"))), "{iteration}");
}

#[test]
fn comparisons_are_added_up_by_case() {
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
    let won = [("first", "v2"), ("won", "1"), ("lost", "1"), ("tied", "0"), ("rate", "50 %")];
    let case = words::count(1, "case");
    let shown =
        [("contests.verdicts", &won[..]), ("contests.by_case", &[("even", "1"), ("cases", &case)])];
    let markdown = page(&report, "report.md");
    assert_keys(&markdown, &shown);
    assert!(!markdown.contains("<i>v9"));
    let contests = &json(&report)["contests"];
    let found = contests.as_array().into_iter().flatten();
    let found = found.filter(|it| it["first"] == "v2" && it["second"] == "v1");
    let verdicts: Vec<&Value> = found.map(|it| &it["verdicts"]).collect();
    assert_eq!(verdicts, [&json!([1, 1, 0])]);
    let comparisons = page(&report, "comparisons.html");
    assert_keys(&comparisons, &shown);
    assert!(!comparisons.contains("<i>v9"));
}

#[test]
fn each_model_has_a_chart_and_a_column() {
    let workspace = Workspace::new().runs(
        "iteration-1/opus,haiku/alpha/with_skill ++
        iteration-1/opus,haiku/alpha/without_skill +-
        iteration-2/opus/alpha/with_skill ++
        iteration-2/opus/alpha/without_skill +-
        iteration-2/haiku/alpha/without_skill --",
    );
    let report = workspace.build();
    let history = page(&report, "history.html");
    assert_eq!(history.matches("chart-small\"").count(), 2, "{history}");
    let matrix = history.split("class=\"by-model\"").nth(1).unwrap_or_default();
    let matrix = matrix.split("</table>").next().unwrap_or_default();
    assert_eq!(matrix.matches("+50").count(), 3, "{matrix}");
    assert!(matrix.contains("opus") && matrix.contains("haiku"), "{matrix}");
}

#[test]
fn mean_scores_are_drawn_where_they_decide() {
    let scored = |score: u32| {
        let item =
            |at: usize| json!({ "criterion": format!("c{at}"), "score": score, "passed": true });
        json!({ "results": (0..3).map(item).collect::<Vec<Value>>() }).to_string()
    };
    let mut workspace = Workspace::new();
    for (iteration, score) in [(1, 3), (2, 5)] {
        let path = format!("iteration-{iteration}/alpha/with_skill/grading.json");
        workspace = workspace.file(&path, scored(score));
    }
    let history = page(&workspace.build(), "history.html");
    assert!(words::says(&history, "chart.scores", &[]), "{history}");
    assert!(
        history.contains("<td><a href=\"iterations/iteration-2/index.html\">5.00</a></td>"),
        "{history}"
    );
    let plain = page(&iterations(&[("ann", "+-")]).build(), "history.html");
    assert!(!words::says(&plain, "chart.scores", &[]), "{plain}");
}
