//! Gradings of every dialect, field by field.

use serde_json::json;

use super::{assert_has, codes, grading, outcomes, place, read};
use crate::discover::Kind;
use crate::model::{Code, Outcome, RecordedCounts};

const SKILL_CREATOR: &str = r#"{
  "expectations": [
    {"text": "has a table", "passed": true, "evidence": "line 3"},
    {"id": 7, "text": "has a total", "passed": false, "evidence": ["none", "at all"]}
  ],
  "summary": {"passed": 1, "failed": 1, "total": 2, "pass_rate": 0.5},
  "execution_metrics": {
    "tool_calls": {"Read": 5, "Write": 2}, "total_tool_calls": 7, "total_steps": 4,
    "errors_encountered": 0, "output_chars": 2800, "transcript_chars": 1900
  },
  "timing": {
    "executor_duration_seconds": 165.0, "grader_duration_seconds": 26.0,
    "total_duration_seconds": 191.0
  },
  "claims": [
    {"claim": "12 fields", "type": "factual", "verified": true, "evidence": "counted"},
    {"claim": "all used", "type": "quality", "verified": false, "evidence": "one is not"}
  ],
  "user_notes_summary": {
    "uncertainties": ["old data"], "needs_review": ["the sum"], "workarounds": ["overlay"],
    "risks": ["none"]
  },
  "eval_feedback": {
    "suggestions": [{"assertion": "has a table", "reason": "too weak"}, {"reason": "more"}],
    "overall": "presence only"
  },
  "grader": "opus"
}"#;

#[test]
fn the_skill_creators_grading() {
    let read = grading(SKILL_CREATOR);
    let expected = json!({
        "expectations": [
            {"text": "has a table", "passed": true, "evidence": "line 3"},
            {"text": "has a total", "passed": false, "id": "7", "evidence": "none\nat all"},
        ],
        "grader": "opus",
        "claims": [
            {"text": "12 fields", "kind": "factual", "verified": true, "evidence": "counted"},
            {"text": "all used", "verified": false},
        ],
        "notes": {
            "uncertainties": ["old data"], "needs_review": ["the sum"], "workarounds": ["overlay"],
            "other": ["risks: none"],
        },
        "suggestions": [
            {"expectation": "has a table", "text": "too weak"},
            {"expectation": null, "text": "more"},
        ],
        "critique": "presence only",
    });
    assert_has(&read.grading, &expected);
    let RecordedCounts { passed, failed, total, pass_rate } = read.grading.recorded;
    assert_eq!((passed, failed, total, pass_rate), (Some(1.0), Some(1.0), Some(2.0), Some(0.5)));
    // Characters are never tokens.
    let figures = json!({
        "tool_calls": 7.0, "tool_calls_by_name": {"Read": 5.0}, "steps": 4.0, "errors": 0.0,
        "output_chars": 2800.0, "transcript_chars": 1900.0, "tokens": null,
    });
    assert_has(&read.metrics, &figures);
    let timing = json!({"executor_s": 165.0, "grader_s": 26.0, "duration_s": 191.0});
    assert_has(&read.timing, &timing);
}

const SCORED: &str = r#"{
  "case_id": "case-01", "version": 2, "run": 3,
  "overall_score": 3.0, "required_score": 4.0,
  "results": [
    {"criterion": "frontmatter", "score": 4, "passed": true, "reasoning": "valid"},
    {"criterion": "brevity", "description": "under 500 lines", "score": 2, "passed": false,
     "reasoning": "612 lines", "required": false}
  ],
  "overall": "pass",
  "convention_compliance": {
    "frontmatter": {"passed": true, "details": "ok"},
    "description_field": {"passed": false, "details": "leaks"},
    "token_efficiency": true, "progressive_disclosure": {"passed": null},
    "type_alignment": {"passed": true, "details": "ok"}
  },
  "claims": [{"claim": "closed", "verified": false, "evidence": "no counter"}],
  "user_notes_summary": "not sure about scripts",
  "eval_feedback": "too vague",
  "execution_metrics": {}
}"#;

#[test]
fn the_scored_dialect() {
    let read = grading(SCORED);
    let labels = &read.labels;
    assert_eq!(labels.case_id.as_deref(), Some("case-01"));
    assert_eq!((labels.version.as_deref(), labels.run), (Some("2"), Some(3)));
    // Convention checks are flags or objects.
    let expected = json!({
        "expectations": [
            {"text": "frontmatter", "score": 4.0, "passed": true, "required": null, "evidence": "valid"},
            {"description": "under 500 lines", "passed": false, "required": false},
        ],
        "overall": true,
        "is_scored": true,
        "overall_score": 3.0,
        "required_score": 4.0,
        "notes": {"other": ["not sure about scripts"]},
        "critique": "too vague",
        "conventions": [
            {"name": "frontmatter", "passed": true, "details": "ok"},
            {"name": "description_field", "passed": false, "details": "leaks"},
            {"name": "token_efficiency", "passed": true, "details": null},
            {"name": "progressive_disclosure", "passed": null},
            {"name": "type_alignment", "passed": true},
        ],
    });
    assert_has(&read.grading, &expected);
    assert!(read.metrics.is_empty());
    let stated = read.grading.scored.unwrap();
    assert_eq!(stated.required_score.map(|(score, _)| score), Some(4.0));
    assert_eq!(stated.overall.map(|(outcome, _)| outcome), Some(Outcome::Passed));
}

#[test]
fn each_rule_of_the_scored_dialect_is_checked_at_its_place() {
    let wrong_mean =
        "{\"overall_score\": 4.5,\n\"results\": [{\"criterion\": \"c\", \"score\": 4}]}";
    let record = read(Kind::Grading, wrong_mean);
    assert_eq!(codes(&record.problems), "score-mean");
    assert_eq!(place(&record.problems, Code::ScoreMean), "1:19");
    let wrong_key = "{\"convention_compliance\": {\n\"naming\": {\"passed\": true}},\n\
                     \"results\": [{\"criterion\": \"c\", \"score\": 4}]}";
    let record = read(Kind::Grading, wrong_key);
    assert_eq!(codes(&record.problems), "convention-key");
    assert_eq!(place(&record.problems, Code::ConventionKey), "2:11");
}

#[test]
fn the_compact_dialect() {
    let read = grading(
        r#"{"expectations": [{"text": "valid", "passed": true, "evidence": "parsed"}],
            "pass_rate": 1.0,
            "metrics": {"execution_time_ms": 12500, "tokens_used": 8400, "tool_calls": 5},
            "claims": ["more than asked"], "critique": "good criteria"}"#,
    );
    assert_eq!(read.grading.recorded.pass_rate, Some(1.0));
    assert_eq!((read.metrics.duration_s, read.metrics.tokens), (Some(12.5), Some(8400.0)));
    assert_eq!(read.metrics.tool_calls, Some(5.0));
    assert_eq!(read.grading.claims[0].text, "more than asked");
    assert_eq!(read.grading.critique.as_deref(), Some("good criteria"));
}

#[test]
fn every_name_of_the_list_and_of_the_statement() {
    let cases = [
        r#"{"expectations": [{"text": "s", "passed": true}]}"#,
        r#"{"assertions": [{"expectation": "s", "pass": true}]}"#,
        r#"{"assertion_results": [{"assertion": "s", "verdict": "PASS"}]}"#,
        r#"{"grades": [{"description": "s", "met": true}]}"#,
        r#"{"evaluations": [{"criterion": "s", "result": "pass"}]}"#,
        r#"{"component_results": [{"check": "s", "grade": "PASS"}]}"#,
        r#"{"results": [{"name": "s", "status": "passed"}]}"#,
        r#"{"Expectations": [{"Text": "s", "Passed": true}]}"#,
        r#"[{"text": "s", "passed": true}]"#,
        r#"{"assertions": {"s": {"passed": true}}}"#,
        r#"{"checks": {"s": true}}"#,
        r#"{"grading": {"expectations": [{"text": "s", "passed": true}]}}"#,
        r#"{"grading": {"key": {"text": "s", "passed": true, "evidence": "e"}}}"#,
        r#"{"gradings": {"key": {"text": "s", "passed": true, "evidence": "e"}}}"#,
        r#"{"grading": {"s": {"passed": true}}}"#,
        r#"{"gradings": [{"text": "s", "passed": true}]}"#,
        r#"{"data": {"output": {"expectations": [{"text": "s", "passed": true}]}}}"#,
    ];
    for text in cases {
        let read = grading(text);
        let actual: Vec<_> =
            read.grading.expectations.iter().map(|e| (e.text.as_str(), e.outcome)).collect();
        assert_eq!(actual, [("s", Outcome::Passed)], "{text}");
    }
}

#[test]
fn the_list_wins_over_the_summary() {
    let text = "{\"expectations\": [{\"text\": \"s\", \"passed\": true}],\n \"summary\": {\"passed\": 3, \
                \"failed\": 0, \"total\": 3, \"pass_rate\": 1.0}}";
    let record = read(Kind::Grading, text);
    assert_eq!(
        (outcomes(&record).as_str(), codes(&record.problems).as_str()),
        ("p", "summary-mismatch")
    );
    assert_eq!(place(&record.problems, Code::SummaryMismatch), "2:13");
}

#[test]
fn a_recorded_rate_in_every_spelling() {
    let cases = [
        ("0.75", Some(0.75)),
        ("75", Some(0.75)),
        ("\"75%\"", Some(0.75)),
        ("\"3/4\"", Some(0.75)),
        ("\"6/8 (75%)\"", Some(0.75)),
        ("null", None),
        ("\"\"", None),
    ];
    for (rate, expected) in cases {
        let items = r#"[{"text":"a","passed":true},{"text":"b","passed":true},{"text":"c","passed":true},{"text":"d","passed":false}]"#;
        let read = grading(&format!("{{\"pass_rate\": {rate}, \"expectations\": {items}}}"));
        assert_eq!(read.grading.recorded.pass_rate, expected, "{rate}");
    }
    for rate in ["-0.5", "\"7/0\"", "\"many\"", "750"] {
        let text = format!(
            "{{\"pass_rate\": {rate}, \"expectations\": [{{\"text\":\"a\",\"passed\":true}}]}}"
        );
        let record = read(Kind::Grading, &text);
        assert_eq!(codes(&record.problems), "out-of-range", "{rate}");
        assert_eq!(record.gradings[0].grading.recorded.pass_rate, None, "{rate}");
    }
}
