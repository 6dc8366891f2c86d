//! Odd documents from graders and agents: read correctly or reported, never lost.

use super::{codes, outcomes, place, read};
use crate::discover::Kind;
use crate::model::{Code, Metrics};

/// A grading document, its outcomes in order, and the codes of its problems.
const GRADINGS: &[(&str, &str, &str)] = &[
    (
        r#"{"expectations": [[{"text":"a","passed":true}],[{"text":"b","passed":false}]]}"#,
        "",
        "lost-verdicts",
    ),
    (
        r#"{"expectations": {"structure": [{"text":"a","passed":true}], "content": [{"text":"b","passed":false}]}}"#,
        "pf",
        "wrong-type",
    ),
    (
        r#"{"structure": [{"text":"a","passed":true}], "content": [{"text":"b","passed":false}]}"#,
        "pf",
        "wrong-type",
    ),
    (
        r#"{"expectations": [{"category":"x","checks":[{"text":"a","passed":true}]},{"category":"y","checks":[{"text":"b","passed":false}]}]}"#,
        "pf",
        "wrong-type",
    ),
    (
        r#"{"expectations": [{"text":"a","passed":true}], "assertions": [{"text":"b","passed":false}]}"#,
        "p",
        "lost-verdicts",
    ),
    (
        r#"{"expectations": [{"text":"a","passed":true}], "assertions": [{"text":"a","passed":true}]}"#,
        "p",
        "",
    ),
    (r#"{"expectations": [], "assertions": [{"text":"a","passed":true}]}"#, "p", ""),
    (r#"{"expectations": ["only text", {"text":"a","passed":true}]}"#, "up", ""),
    (r#"{"expectations": [{"text":"a","passed":true}, 7, null]}"#, "p", "wrong-type wrong-type"),
    (r#"{"expectations": [{"text":"a","passed":true,"checks":["one","two"]}]}"#, "p", ""),
    (r#"{"expectations": [{"passed":true}]}"#, "p", "wrong-type"),
    (r#"{"expectations": [{"text":"a","passed":0.5}]}"#, "", "unknown-shape"),
    (r#"{"expectations": [{"text":"a","passed":{"value":true}}]}"#, "", "lost-verdicts"),
    (r#"{"expectations": ["a", "b"]}"#, "", "unknown-shape"),
    (r#"{"expectations": [{"text":"a"}]}"#, "", "unknown-shape"),
    (r#"{"expectations": {"a": "PASS", "b": "FAIL"}}"#, "pf", ""),
    (r#"{"results": {"a": {"passed": true}, "b": {"passed": false}}}"#, "pf", ""),
    (r#"{"期望": [{"文字": "a", "通過": true}]}"#, "", "lost-verdicts"),
    (r#"{"EXPECTATIONS": [{"TEXT": "a", "PASSED": true}]}"#, "p", ""),
    (r#"{"summary": {"passed": 3, "total": 4}}"#, "", "counts-only"),
    (r#"{}"#, "", "unknown-shape"),
    (r#"[]"#, "", "unknown-shape"),
    (r#""PASS""#, "", "lost-verdicts"),
];

/// The same for verdicts that are easily lost: under unknown keys, beside others, in other forms.
const EASILY_LOST: &[(&str, &str, &str)] = &[
    (
        r#"{"expectations": [{"text":"a","passed":true},{"text":"b","pased":false}]}"#,
        "pu",
        "lost-verdicts",
    ),
    (r#"{"expectations": [{"text":"a","passed":true},{"text":"b","required":true}]}"#, "pu", ""),
    (r#"{"expectations": [{"text":"a","is_good":true}]}"#, "", "lost-verdicts"),
    (
        r#"{"expectations": [{"text":"a","passed":true}], "more": [{"text":"b","passed":false}]}"#,
        "p",
        "lost-verdicts",
    ),
    (
        r#"{"expectations": [{"text":"a","passed":true}], "more": {"checks": {"b": false}}}"#,
        "p",
        "lost-verdicts",
    ),
    (
        r#"{"runs": [{"run": 1, "expectations": [{"text":"a","passed":true}]}],
            "more": [{"text":"b","passed":false}]}"#,
        "p",
        "lost-verdicts",
    ),
    (
        r#"{"expectations": [{"text":"a","passed":true},{"text":"b","passed":false}],
            "failures": [{"text":"b","passed":false,"evidence":"none"}]}"#,
        "pf",
        "",
    ),
    (
        r#"{"expectations": [{"text":"a","passed":true}], "claims": [{"text":"c","passed":false}]}"#,
        "p",
        "",
    ),
    (r#"{"expectations": {"a": true, "b": null, "c": false}}"#, "puf", ""),
    (r#"{"expectations": {"a": true, "b": "PARTIAL", "c": false}}"#, "puf", "lost-verdicts"),
    (r#"{"expectations": {"a": true, "b": {"evidence": "e"}, "c": "n/a"}}"#, "puu", ""),
    (r#"{"expectations": {"a": true, "notes": "a remark"}}"#, "p", "wrong-type"),
    (r#"{"expectations": {"a": 1, "b": 0}}"#, "", "unknown-shape"),
    (r#"{"expectations": {"passed": 1, "failed": 0}}"#, "", "unknown-shape"),
    (r#"{"expectations": {"name": "a", "required": true}}"#, "", "unknown-shape"),
    (r#"{"results": {"with_skill": true, "without_skill": false}}"#, "", "lost-verdicts"),
    (r#"{"a is there": true, "b is there": false}"#, "", "lost-verdicts"),
    (r#"{"complete": true, "graded": true}"#, "", "lost-verdicts"),
    (
        r#"{"expectations": [{"text":"a","result":{"passed":true}},{"text":"b","result":{"passed":false}}]}"#,
        "",
        "lost-verdicts",
    ),
    (r#"{"expectations": ["PASS: a", "❌ b"]}"#, "", "lost-verdicts"),
    (r#"{"expectations": ["Correct, valid JSON", "No errors"]}"#, "", "unknown-shape"),
    (r#"{"passed": ["a", "b"], "failed": ["c"]}"#, "", "unknown-shape"),
    (r#"{"passed": ["a", "b"]}"#, "", "unknown-shape"),
    (r#"{"assertions": ["a", "b"], "results": [true, false]}"#, "", "lost-verdicts"),
    (r#"{"assertions": ["a", "b"], "results": [true]}"#, "", "lost-verdicts"),
    (r#"{"expectations": [true, false]}"#, "", "lost-verdicts"),
    (r#"{"text": "a", "passed": false, "evidence": "e"}"#, "", "lost-verdicts"),
    (r#"{"name": "a", "status": "success"}"#, "", "lost-verdicts"),
    ("{\"text\":\"a\",\"passed\":true}\n{\"text\":\"b\",\"passed\":false}\n", "pf", "near-json"),
    (
        "Here:\n```json\n{\"expectations\": [{\"text\":\"a\",\"passed\":false}]}\n```\n",
        "f",
        "near-json",
    ),
];

#[test]
fn gradings_in_odd_shapes() {
    for (text, expected, expected_codes) in GRADINGS.iter().chain(EASILY_LOST) {
        let record = read(Kind::Grading, text);
        let actual = (outcomes(&record), codes(&record.problems));
        assert_eq!(actual, ((*expected).to_owned(), (*expected_codes).to_owned()), "{text}");
    }
}

#[test]
fn a_lost_verdict_has_its_place() {
    let cases = [
        (
            Code::LostVerdicts,
            "{\"expectations\": [{\"text\":\"a\",\"passed\":true},\n{\"text\":\"b\",\"pased\":false}]}",
            "2:21",
        ),
        (Code::LostVerdicts, "{\"checked\":\n[{\"text\":\"a\",\"good\":true}]}", "2:21"),
        (
            Code::LostVerdicts,
            "{\"text\":\"a\",\"passed\":true}\n{\"text\":\"b\",\"passed\":\"maybe\"}",
            "2:22",
        ),
    ];
    for (code, text, expected) in cases {
        assert_eq!(place(&read(Kind::Grading, text).problems, code), expected, "{text}");
    }
}

fn figures(text: &str) -> (Metrics, String) {
    let record = read(Kind::Timing, text);
    let figures = record.metrics.into_iter().next().map(|(_, figures)| figures);
    (figures.unwrap_or_default(), codes(&record.problems))
}

/// A timing document, its seconds and tokens, and the codes of its problems.
const FIGURES: &[(&str, Option<f64>, Option<f64>, &str)] = &[
    (r#"{"total_tokens": "84.8k"}"#, None, None, "wrong-type"),
    (r#"{"total_tokens": "lots"}"#, None, None, "wrong-type"),
    (r#"{"total_tokens": -5, "duration_ms": 1000}"#, Some(1.0), None, "out-of-range"),
    (r#"{"totalTokens": 5, "durationMs": 1500}"#, Some(1.5), Some(5.0), ""),
    (r#"{"total_tokens": 0, "tokens": 7}"#, None, Some(7.0), ""),
    (r#"{"total_duration_seconds": 0, "duration_ms": 2000}"#, Some(2.0), None, ""),
    (r#"{"total_duration_seconds": 50, "duration_ms": 2000}"#, Some(50.0), None, "timing-mismatch"),
    (
        r#"{"start_time": "2026-03-07T12:00:00Z", "end_time": "2026-03-07T12:01:23Z"}"#,
        Some(83.0),
        None,
        "",
    ),
    (
        r#"{"start_time": "2026-03-07 12:00:00", "end_time": "2026-03-07 12:01:23"}"#,
        Some(83.0),
        None,
        "",
    ),
    (r#"{"start_time": "20260307T120000Z", "end_time": "20260307T120123Z"}"#, Some(83.0), None, ""),
    (
        r#"{"start_time": "2026-03-07T12:00:00Z", "end_time": "2026-03-07T12:01:23"}"#,
        None,
        None,
        "wrong-type",
    ),
    (
        r#"{"start_time": "07.03.2026 12:00", "end_time": "07.03.2026 12:05"}"#,
        None,
        None,
        "wrong-type",
    ),
    (
        r#"{"start_time": "2026-03-07T12:01:00Z", "end_time": "2026-03-07T12:00:00Z"}"#,
        None,
        None,
        "wrong-type",
    ),
    (r#"{"tokens": {"input": 5, "output": 7}}"#, None, Some(12.0), ""),
    (r#"{"usage": {"input_tokens": 5, "output_tokens": 7}}"#, None, Some(12.0), ""),
    (
        r#"{"execution_metrics": {"token_counts": {"input_tokens": 5, "output_tokens": 7}}}"#,
        None,
        Some(12.0),
        "",
    ),
    (r#"{"metrics": {"tokens": {"input": 5, "output": 7, "total": 15}}}"#, None, Some(15.0), ""),
    (r#"{"total_tokens": null, "duration_ms": null}"#, None, None, ""),
    (r#"{"total_tokens": 1e400}"#, None, None, "near-json"),
    (r#"{"total_tokens": 84,852}"#, None, None, "not-json"),
    (r#"{"start_ms": 100, "end_ms": 42100}"#, Some(42.0), None, ""),
    (r#"{"start_ms": 42100, "end_ms": 100}"#, None, None, "wrong-type"),
    (r#"{"wall_time_ms": 5000, "tokens_in": 5, "tokens_out": 7}"#, Some(5.0), Some(12.0), ""),
];

#[test]
fn figures_in_odd_shapes() {
    for &(text, seconds, tokens, expected) in FIGURES {
        let (figures, codes) = figures(text);
        assert_eq!((figures.duration_s, figures.tokens), (seconds, tokens), "{text}");
        assert_eq!(codes, expected, "{text}");
    }
}

#[test]
fn fields_around_a_wrapped_grading_are_kept() {
    let record = read(
        Kind::Grading,
        r#"{"grading": {"expectations": [{"text": "a", "passed": true}]},
            "claims": ["c"], "eval_feedback": "weak", "timing": {"total_duration_seconds": 5},
            "user_notes_summary": "n", "summary": {"passed": 2, "total": 2}}"#,
    );
    let actual = &record.gradings[0];
    assert_eq!(actual.grading.claims.len(), 1);
    assert_eq!(actual.grading.critique.as_deref(), Some("weak"));
    assert_eq!(actual.grading.notes.other, ["n"]);
    assert_eq!(actual.timing.duration_s, Some(5.0));
    assert_eq!(codes(&record.problems), "summary-mismatch");
}

#[test]
fn ten_thousand_expectations_with_a_problem_each() {
    let items = r#"{"text":"t","passed":"true"},"#.repeat(10_000);
    let text = format!("{{\"expectations\":[{}]}}", items.trim_end_matches(','));
    let record = read(Kind::Grading, &text);
    assert_eq!(record.gradings[0].grading.tally().passed, 10_000);
    assert_eq!(record.problems.len(), 10_000);
}

#[test]
fn labels_in_every_spelling() {
    let items = r#""expectations": [{"text":"a","passed":true}]"#;
    let cases = [
        (r#""evalId": "eval-3", "Configuration": "with_skill", "runNumber": 2"#, "eval-3"),
        (r#""eval_id": 3, "run_type": "with_skill", "run": "2""#, "3"),
        (r#""case": "3", "condition": "with_skill", "trial": "run-2""#, "3"),
    ];
    for (labels, id) in cases {
        let record = read(Kind::Grading, &format!("{{{labels}, {items}}}"));
        let actual = &record.gradings[0].labels;
        assert_eq!(actual.case_id.as_deref(), Some(id), "{labels}");
        assert_eq!(actual.configuration.as_deref(), Some("with_skill"), "{labels}");
        assert_eq!(actual.run, Some(2), "{labels}");
    }
}

#[test]
fn a_sum_of_tokens_has_those_of_a_cache() {
    let cases = [
        (r#""cache_read_input_tokens": 5, "cache_creation_input_tokens": 3"#, 118.0),
        (r#""cache_read_input_tokens": 500"#, 610.0),
        (r#""cache_creation_tokens": 3"#, 113.0),
        (r#""cached_input_tokens": 90"#, 110.0),
        (r#""cached_tokens": 500"#, 610.0),
        (r#""cache_read_input_tokens": 500, "total_tokens": 111"#, 111.0),
    ];
    for (cached, sum) in cases {
        let flat = format!(r#"{{"input_tokens": 100, "output_tokens": 10, {cached}}}"#);
        let nested =
            [format!(r#"{{"usage": {flat}}}"#), format!(r#"{{"metrics": {{"usage": {flat}}}}}"#)];
        for text in [&flat, &nested[0], &nested[1]] {
            let (figures, codes) = figures(text);
            assert_eq!((figures.tokens, codes.as_str()), (Some(sum), ""), "{text}");
        }
    }
    let (figures, _) =
        figures(r#"{"cache_read_input_tokens": 5, "cache_creation_input_tokens": 3}"#);
    assert_eq!((figures.cached_tokens, figures.cache_written_tokens), (Some(5.0), Some(3.0)));
}
