//! Gradings that list cases, each with verdicts of its own.

use super::{codes, outcomes, outside_runs};
use crate::discover::Kind;
use crate::model::Outcome;
use crate::read::Record;

/// Reads a grading above all cases.
fn listed(text: &str) -> Record {
    outside_runs(Kind::Grading, text)
}

/// The cases of a record in order, each by its name.
fn cases(record: &Record) -> Vec<&str> {
    let labels = record.gradings.iter().map(|graded| &graded.labels);
    let named = labels.map(|label| label.case_id.as_deref().or(label.case_name.as_deref()));
    named.map(|name| name.unwrap_or("-")).collect()
}

#[test]
fn a_case_with_an_overall_verdict_keeps_the_verdicts_within() {
    let text = r#"[
        {"id": "a", "acceptance": [{"criterion": "x", "met": true}, {"criterion": "y", "met": false}],
         "outcome": "pass"},
        {"id": "b", "acceptance": [{"criterion": "z", "met": true}], "outcome": "fail"}]"#;
    let record = listed(text);
    assert_eq!((outcomes(&record).as_str(), codes(&record.problems).as_str()), ("pfp", ""));
    assert_eq!(cases(&record), ["a", "b"]);
    let overall: Vec<_> = record.gradings.iter().map(|graded| graded.grading.overall).collect();
    assert_eq!(overall, [Some(Outcome::Passed), Some(Outcome::Failed)]);
}

#[test]
fn an_overall_word_other_than_a_verdict_is_ignored_next_to_verdicts() {
    let own = r#""expectations": [{"text": "x", "grade": "PASS"}]"#;
    let text = format!(
        r#"[{{"eval": "a", "verdict": "WORKING", {own}}}, {{"eval": "b", "verdict": "FAIL", {own}}}]"#
    );
    let record = listed(&text);
    assert_eq!((outcomes(&record).as_str(), codes(&record.problems).as_str()), ("pp", ""));
    let overall: Vec<_> = record.gradings.iter().map(|graded| graded.grading.overall).collect();
    assert_eq!(overall, [None, Some(Outcome::Failed)]);
}

#[test]
fn one_case_in_a_list_keeps_its_id() {
    let text =
        r#"[{"id": "a", "outcome": "pass", "acceptance": [{"criterion": "x", "met": false}]}]"#;
    let record = listed(text);
    assert_eq!((outcomes(&record).as_str(), cases(&record)), ("f", vec!["a"]));
}

#[test]
fn cases_with_and_without_verdicts_of_their_own() {
    let text = r#"{"results": [
        {"id": "a", "status": "pass", "rubric": [{"text": "x", "passed": false}]},
        {"id": "b", "status": "fail"}]}"#;
    let record = listed(text);
    assert_eq!((outcomes(&record).as_str(), cases(&record)), ("ff", vec!["a", "b"]));
    assert_eq!(record.gradings[1].grading.expectations[0].text, "overall verdict on the case");
}

#[test]
fn votes_stay_within_their_expectation() {
    let votes = r#"[{"judge": "m", "passed": false}, {"judge": "n", "passed": true}]"#;
    for text in [
        format!(r#"{{"expectations": [{{"id": "a", "passed": true, "votes": {votes}}}]}}"#),
        format!(r#"[{{"text": "a", "passed": true, "votes": {votes}}}]"#),
        r#"[{"text": "a", "passed": true, "parts": [{"text": "b", "passed": false}]}]"#.to_owned(),
    ] {
        let record = listed(&text);
        assert_eq!((outcomes(&record).as_str(), record.gradings.len()), ("p", 1), "{text}");
    }
}

#[test]
fn the_id_of_an_item_is_that_of_a_case_but_not_of_a_run() {
    let items = r#"[{"id": 1, "with_skill": {"assertions": [{"text": "a", "passed": true}]}},
        {"id": 2, "with_skill": {"assertions": [{"text": "a", "passed": false}]}}]"#;
    let record = listed(items);
    assert_eq!((outcomes(&record).as_str(), cases(&record)), ("pf", vec!["1", "2"]));
    let runs = listed(&format!(r#"{{"runs": {items}}}"#));
    assert!(runs.gradings.iter().all(|graded| graded.labels.case_id.is_none()));
}

#[test]
fn the_mode_of_a_document_is_a_configuration_only_by_name() {
    let modes = [("pre-graded", None), ("with_skill", Some("with_skill")), ("opus", Some("opus"))];
    for (mode, expected) in modes {
        let verdicts = r#""expectations": [{"text": "a", "passed": true}]"#;
        let record = listed(&format!(r#"{{"mode": "{mode}", {verdicts}}}"#));
        assert_eq!(record.gradings[0].labels.configuration.as_deref(), expected, "{mode}");
        let record = listed(&format!(r#"{{"runs": [{{"mode": "{mode}", {verdicts}}}]}}"#));
        assert_eq!(record.gradings[0].labels.configuration.as_deref(), Some(mode));
    }
    let record = listed(
        r#"{"mode": "strict", "arm": "x", "expectations": [{"text": "a", "passed": true}]}"#,
    );
    assert_eq!(record.gradings[0].labels.configuration.as_deref(), Some("x"));
}
