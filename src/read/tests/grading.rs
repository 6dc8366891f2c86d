//! Gradings of every dialect, field by field.

use super::{codes, grading, outcomes, place, read};
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
fn the_skill_creators_verdicts() {
    let read = grading(SKILL_CREATOR).grading;
    let [first, second] = &read.expectations[..] else { panic!("two expectations") };
    assert_eq!((first.text.as_str(), first.outcome), ("has a table", Outcome::Passed));
    assert_eq!(first.evidence.as_deref(), Some("line 3"));
    assert_eq!((second.id.as_deref(), second.outcome), (Some("7"), Outcome::Failed));
    assert_eq!(second.evidence.as_deref(), Some("none\nat all"));
    let RecordedCounts { passed, failed, total, pass_rate } = read.recorded;
    assert_eq!((passed, failed, total, pass_rate), (Some(1.0), Some(1.0), Some(2.0), Some(0.5)));
    assert_eq!(read.grader.as_deref(), Some("opus"));
}

#[test]
fn the_skill_creators_figures() {
    let read = grading(SKILL_CREATOR);
    let figures = &read.metrics;
    assert_eq!(figures.tool_calls, Some(7.0));
    assert_eq!(figures.tool_calls_by_name["Read"], 5.0);
    assert_eq!((figures.steps, figures.errors), (Some(4.0), Some(0.0)));
    assert_eq!((figures.output_chars, figures.transcript_chars), (Some(2800.0), Some(1900.0)));
    assert_eq!(figures.tokens, None, "characters are never tokens");
    let timing = &read.timing;
    assert_eq!((timing.executor_s, timing.grader_s), (Some(165.0), Some(26.0)));
    assert_eq!(timing.duration_s, Some(191.0));
}

#[test]
fn the_skill_creators_prose() {
    let read = grading(SKILL_CREATOR).grading;
    let [first, second] = &read.claims[..] else { panic!("two claims") };
    assert_eq!((first.text.as_str(), first.kind.as_deref()), ("12 fields", Some("factual")));
    assert_eq!((first.verified, first.evidence.as_deref()), (Some(true), Some("counted")));
    assert_eq!(second.verified, Some(false));
    assert_eq!(read.notes.uncertainties, ["old data"]);
    assert_eq!(read.notes.needs_review, ["the sum"]);
    assert_eq!(read.notes.workarounds, ["overlay"]);
    assert_eq!(read.notes.other, ["risks: none"]);
    assert_eq!(read.suggestions[0].expectation.as_deref(), Some("has a table"));
    assert_eq!(read.suggestions[0].text, "too weak");
    assert_eq!(read.suggestions[1].expectation, None);
    assert_eq!(read.critique.as_deref(), Some("presence only"));
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
    let [first, second] = &read.grading.expectations[..] else { panic!("two criteria") };
    assert_eq!((first.text.as_str(), first.score), ("frontmatter", Some(4.0)));
    assert_eq!((first.outcome, first.required), (Outcome::Passed, None));
    assert_eq!(first.evidence.as_deref(), Some("valid"));
    assert_eq!(second.description.as_deref(), Some("under 500 lines"));
    assert_eq!((second.outcome, second.required), (Outcome::Failed, Some(false)));
    assert_eq!(read.grading.overall, Some(Outcome::Passed));
    assert!(read.grading.is_scored);
    let means = (read.grading.overall_score, read.grading.required_score);
    assert_eq!(means, (Some(3.0), Some(4.0)));
    assert_eq!(read.grading.notes.other, ["not sure about scripts"]);
    assert_eq!(read.grading.critique.as_deref(), Some("too vague"));
    assert!(read.metrics.is_empty());
    let stated = read.grading.scored.unwrap();
    assert_eq!(stated.required_score.map(|(score, _)| score), Some(4.0));
    assert_eq!(stated.overall.map(|(outcome, _)| outcome), Some(Outcome::Passed));
}

#[test]
fn convention_checks_are_flags_or_objects() {
    let read = grading(SCORED).grading;
    let checks: Vec<_> = read
        .conventions
        .iter()
        .map(|c| (c.name.as_str(), c.outcome, c.details.as_deref()))
        .collect();
    let expected = [
        ("frontmatter", Outcome::Passed, Some("ok")),
        ("description_field", Outcome::Failed, Some("leaks")),
        ("token_efficiency", Outcome::Passed, None),
        ("progressive_disclosure", Outcome::Ungraded, None),
        ("type_alignment", Outcome::Passed, Some("ok")),
    ];
    assert_eq!(checks, expected);
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
