//! Results of trigger tests: the loop, its rounds and queries.

use super::{codes, outside_runs};
use input::discover::Kind;
use input::model::{TriggerQuery, TriggerRound};
use testing::table::rows;

/// A document of trigger results, and the result of reading it: each round with its name, the
/// correct queries and all, and each query with the wanted result, how often it triggered, and its
/// verdict.
const TRIGGERS: &str = r#"
    {"query_results": [{"query": "q", "should_trigger": true, "trigger_count": 0,⏎            "run_count": 1, "passed": false}], "summary": {"total_queries": 1, "passed": 0},⏎            "passed": false} => 0/1 q:y0/1f
    {"correct": 3, "total": 4, "results": [⏎            {"id": "r1", "expect": "a-skill", "got": "none", "ok": false},⏎            {"id": "r2", "expect": "none", "got": "none", "ok": true}],⏎            "history": [{"run": 1, "descriptions": "d", "correct": 2, "total": 4}]} => 2/4 | 3/4 r1:---f r2:---p
    {"baseline": {"rows": [⏎            {"id": "n1", "should_trigger": false, "picked": "other", "ok": true},⏎            {"id": "n2", "split": "test", "should_trigger": true, "picked": "it", "ok": false}]},⏎            "candidate": {"rows": [{"id": "n1", "should_trigger": false, "ok": false}]},⏎            "thresholds": {"min_recall": 0.8}} => baseline 1/1 n1:n--p n2:y--f/held | candidate 0/1 n1:n--f
    {"mode": "m", "baseline": [{"query_id": "T1", "expected": true, "predicted": true}],⏎            "candidate": [{"query_id": "T1", "expected": true, "predicted": false}]} => baseline 1/1 T1:y1/1p | candidate 0/1 T1:y0/1f
    {"per_query": [⏎            {"id": 1, "query": "q", "pass_flags": {"run_1": true, "run_2": true}},⏎            {"id": 2, "query": "r", "pass_flags": {"run_1": true, "run_2": false}}],⏎            "aggregate": {"total": 4, "passed": 3}} => 3/4 q:--/2p r:--/2-
    {"passed": 1, "total": 1, "cases": [{"query": "q", "expected": true, "actual": true, "passed": true}]} => 1/1 q:y1/1p
    {"total_queries": 1, "baseline": [{"id": "q", "expected": true, "predicted": false}],⏎            "candidate": [{"id": "q", "expected": true, "predicted": true}]} => baseline 0/1 q:y0/1f | candidate 1/1 q:y1/1p
    {"baseline": {"rows": [{"id": "q", "expected": true, "predicted": true}]},⏎            "candidate": {"passed": 3, "total": 4}} => baseline 1/1 q:y1/1p | candidate 3/4
    {"summary": {"passed": 1, "total": 2}, "baseline": {"rows": [{"id": "q", "ok": true}]}} => 1/2 | baseline 1/1 q:---p
    {"passed": 3, "total": 4, "train": {"passed": 2, "total": 3},⏎            "test": {"passed": 1, "total": 1}} => 3/4
    {"passed": 10, "total": 20, "train": {"rows": [{"query": "q", "pass": false}]},⏎            "test": {"rows": [{"query": "r", "pass": true}]}} => 10/20 q:---f r:---p/held
    {"train": [{"query": "q", "pass": false}], "validation": [{"query": "r", "pass": true}]} => 0/1 q:---f r:---p/held
    {"baseline": {"rows": [{"query": "q", "pass": false}]},⏎            "candidate": {"passed": 3, "total": 4}, "overall": {"passed": 3, "total": 5},⏎            "min_thresholds": {"passed": 5, "total": 5}} => baseline 0/1 q:---f | candidate 3/4
    {"v1": {"passed": 3, "total": 4}, "shorter": {"passed": 4, "total": 4},⏎            "metadata": {"passed": 7, "total": 7}} => v1 3/4 | shorter 4/4
    {"should_trigger": ["a"], "should_not_trigger": ["b"]} => -/- a:y--- b:n---
"#;

#[test]
fn trigger_results_in_the_shapes_found() {
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| value.to_string());
    let flag =
        |value: Option<bool>, yes, no| value.map_or("-", |value| if value { yes } else { no });
    let query = |query: &TriggerQuery| {
        let (wanted, verdict) =
            (flag(query.should_trigger, "y", "n"), flag(query.passed, "p", "f"));
        let times = match (query.triggers, query.runs) {
            (None, None) => "--".to_owned(),
            (triggers, runs) => format!("{}/{}", number(triggers), number(runs)),
        };
        let held = if query.held_out { "/held" } else { "" };
        format!(" {}:{wanted}{times}{verdict}{held}", query.query)
    };
    let round = |round: &TriggerRound| {
        let queries: String = round.queries.iter().map(query).collect();
        let name = round.name.as_ref().map(|name| format!("{name} ")).unwrap_or_default();
        format!("{name}{}/{}{queries}", number(round.passed), number(round.total))
    };
    for [text, expected] in rows(TRIGGERS) {
        let record = outside_runs(Kind::Triggers, &text);
        let rounds: Vec<String> = record.trigger_rounds.iter().map(round).collect();
        assert_eq!(rounds.join(" | "), expected, "{text}");
        assert_eq!(codes(&record.problems), "", "{text}");
    }
}

#[test]
fn the_description_tried_in_each_form() {
    const DESCRIBED: &str = r#"
        "description": " d " => d
        "descriptions": "", "changes": ["shorter text", "names PDF"] => shorter text⏎names PDF
        "changes": {"added": "PDF"} => added: PDF
        "summary": "shorter" => shorter
        "summary": ["shorter", "names PDF"] => shorter⏎names PDF
        "summary": {"passed": 1, "total": 2} =>
        "summary": {"accuracy": 0.5, "f1": 0.6} =>
        "summary": [{"f1": 0.6}, 2] =>
    "#;
    for [stated, expected] in rows(DESCRIBED) {
        let query = r#"{"query": "q", "should_trigger": true, "pass": true}"#;
        let text = format!(r#"{{"history": [{{"run": 1, {stated}, "results": [{query}]}}]}}"#);
        let rounds = outside_runs(Kind::History, &text).trigger_rounds;
        assert_eq!(rounds[0].description.clone().unwrap_or_default(), expected, "{stated}");
    }
}
