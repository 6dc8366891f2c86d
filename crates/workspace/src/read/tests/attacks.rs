//! Odd documents from graders and agents: read correctly or reported, never lost.

use super::{codes, outcomes, place, read};
use input::discover::Kind;
use input::model::{Code, Metrics};
use testing::table::rows;

/// A grading document, its outcomes in order, and the codes of its problems.
const GRADINGS: &str = r#"
    {"expectations": [[{"text":"a","passed":true}],[{"text":"b","passed":false}]]} =>  => lost-verdicts
    {"expectations": {"structure": [{"text":"a","passed":true}], "content": [{"text":"b","passed":false}]}} => pf => wrong-type
    {"structure": [{"text":"a","passed":true}], "content": [{"text":"b","passed":false}]} => pf => wrong-type
    {"expectations": [{"category":"x","checks":[{"text":"a","passed":true}]},{"category":"y","checks":[{"text":"b","passed":false}]}]} => pf => wrong-type
    {"expectations": [{"text":"a","passed":true}], "assertions": [{"text":"b","passed":false}]} => p => lost-verdicts
    {"expectations": [{"text":"a","passed":true}], "assertions": [{"text":"a","passed":true}]} => p =>
    {"expectations": [], "assertions": [{"text":"a","passed":true}]} => p =>
    {"expectations": ["only text", {"text":"a","passed":true}]} => up =>
    {"expectations": [{"text":"a","passed":true}, 7, null]} => p => wrong-type wrong-type
    {"expectations": [{"text":"a","passed":true,"checks":["one","two"]}]} => p =>
    {"expectations": [{"passed":true}]} => p => wrong-type
    {"expectations": [{"text":"a","passed":0.5}]} =>  => unknown-shape
    {"expectations": [{"text":"a","passed":{"value":true}}]} =>  => lost-verdicts
    {"expectations": ["a", "b"]} =>  => unknown-shape
    {"expectations": [{"text":"a"}]} =>  => unknown-shape
    {"expectations": {"a": "PASS", "b": "FAIL"}} => pf =>
    {"results": {"a": {"passed": true}, "b": {"passed": false}}} => pf =>
    {"期望": [{"文字": "a", "通過": true}]} =>  => lost-verdicts
    {"EXPECTATIONS": [{"TEXT": "a", "PASSED": true}]} => p =>
    {"summary": {"passed": 3, "total": 4}} =>  => counts-only
    {} =>  => unknown-shape
    [] =>  => unknown-shape
    "PASS" =>  => lost-verdicts
"#;

/// The same for verdicts that are easily lost: under unknown keys, beside others, in other forms.
const EASILY_LOST: &str = r#"
    {"expectations": [{"text":"a","passed":true},{"text":"b","pased":false}]} => pu => lost-verdicts
    {"expectations": [{"text":"a","passed":true},{"text":"b","required":true}]} => pu =>
    {"expectations": [{"text":"a","is_good":true}]} =>  => lost-verdicts
    {"expectations": [{"text":"a","passed":true}], "more": [{"text":"b","passed":false}]} => p => lost-verdicts
    {"expectations": [{"text":"a","passed":true}], "more": {"checks": {"b": false}}} => p => lost-verdicts
    {"runs": [{"run": 1, "expectations": [{"text":"a","passed":true}]}],⏎            "more": [{"text":"b","passed":false}]} => p => lost-verdicts
    {"expectations": [{"text":"a","passed":true},{"text":"b","passed":false}],⏎            "failures": [{"text":"b","passed":false,"evidence":"none"}]} => pf =>
    {"expectations": [{"text":"a","passed":true}], "claims": [{"text":"c","passed":false}]} => p =>
    {"expectations": {"a": true, "b": null, "c": false}} => puf =>
    {"expectations": {"a": true, "b": "PARTIAL", "c": false}} => puf => lost-verdicts
    {"expectations": {"a": true, "b": {"evidence": "e"}, "c": "n/a"}} => puu =>
    {"expectations": {"a": true, "notes": "a remark"}} => p => wrong-type
    {"expectations": {"a": 1, "b": 0}} =>  => unknown-shape
    {"expectations": {"passed": 1, "failed": 0}} =>  => unknown-shape
    {"expectations": {"name": "a", "required": true}} =>  => unknown-shape
    {"results": {"with_skill": true, "without_skill": false}} =>  => lost-verdicts
    {"a is there": true, "b is there": false} =>  => lost-verdicts
    {"complete": true, "graded": true} =>  => lost-verdicts
    {"expectations": [{"text":"a","result":{"passed":true}},{"text":"b","result":{"passed":false}}]} =>  => lost-verdicts
    {"expectations": ["PASS: a", "❌ b"]} =>  => lost-verdicts
    {"expectations": ["Correct, valid JSON", "No errors"]} =>  => unknown-shape
    {"passed": ["a", "b"], "failed": ["c"]} =>  => unknown-shape
    {"passed": ["a", "b"]} =>  => unknown-shape
    {"assertions": ["a", "b"], "results": [true, false]} =>  => lost-verdicts
    {"assertions": ["a", "b"], "results": [true]} =>  => lost-verdicts
    {"expectations": [true, false]} =>  => lost-verdicts
    {"text": "a", "passed": false, "evidence": "e"} =>  => lost-verdicts
    {"name": "a", "status": "success"} =>  => lost-verdicts
    {"text":"a","passed":true}⏎{"text":"b","passed":false}⏎ => pf => near-json
    Here:⏎```json⏎{"expectations": [{"text":"a","passed":false}]}⏎```⏎ => f => near-json
"#;

#[test]
fn gradings_in_odd_shapes() {
    for [text, expected, problems] in rows(GRADINGS).into_iter().chain(rows(EASILY_LOST)) {
        let record = read(Kind::Grading, &text);
        assert_eq!((outcomes(&record), codes(&record.problems)), (expected, problems), "{text}");
    }
}

#[test]
fn a_lost_verdict_has_its_place() {
    let cases = [
        [
            r#"{"expectations": [{"text":"a","passed":true},"#,
            r#"{"text":"b","pased":false}]}"#,
            "2:21",
        ],
        [r#"{"checked":"#, r#"[{"text":"a","good":true}]}"#, "2:21"],
        [r#"{"text":"a","passed":true}"#, r#"{"text":"b","passed":"maybe"}"#, "2:22"],
    ];
    for [first, second, expected] in cases {
        let record = read(Kind::Grading, &format!("{first}\n{second}"));
        assert_eq!(place(&record.problems, Code::LostVerdicts), expected, "{first}");
    }
}

fn figures(text: &str) -> (Metrics, String) {
    let record = read(Kind::Timing, text);
    let figures = record.metrics.into_iter().next().map(|(_, figures)| figures);
    (figures.unwrap_or_default(), codes(&record.problems))
}

/// A timing document, its seconds and tokens, and the codes of its problems.
const FIGURES: &str = r#"
    {"total_tokens": "84.8k"} => - => - => wrong-type
    {"total_tokens": "lots"} => - => - => wrong-type
    {"total_tokens": -5, "duration_ms": 1000} => 1.0 => - => out-of-range
    {"totalTokens": 5, "durationMs": 1500} => 1.5 => 5.0 =>
    {"total_tokens": 0, "tokens": 7} => - => 7.0 =>
    {"total_duration_seconds": 0, "duration_ms": 2000} => 2.0 => - =>
    {"total_duration_seconds": 50, "duration_ms": 2000} => 50.0 => - => timing-mismatch
    {"start_time": "2026-03-07T12:00:00Z", "end_time": "2026-03-07T12:01:23Z"} => 83.0 => - =>
    {"start_time": "2026-03-07 12:00:00", "end_time": "2026-03-07 12:01:23"} => 83.0 => - =>
    {"start_time": "20260307T120000Z", "end_time": "20260307T120123Z"} => 83.0 => - =>
    {"start_time": "2026-03-07T12:00:00Z", "end_time": "2026-03-07T12:01:23"} => - => - => wrong-type
    {"start_time": "07.03.2026 12:00", "end_time": "07.03.2026 12:05"} => - => - => wrong-type
    {"start_time": "2026-03-07T12:01:00Z", "end_time": "2026-03-07T12:00:00Z"} => - => - => wrong-type
    {"tokens": {"input": 5, "output": 7}} => - => 12.0 =>
    {"usage": {"input_tokens": 5, "output_tokens": 7}} => - => 12.0 =>
    {"execution_metrics": {"token_counts": {"input_tokens": 5, "output_tokens": 7}}} => - => 12.0 =>
    {"metrics": {"tokens": {"input": 5, "output": 7, "total": 15}}} => - => 15.0 =>
    {"total_tokens": null, "duration_ms": null} => - => - =>
    {"total_tokens": 1e400} => - => - => near-json
    {"total_tokens": 84,852} => - => - => not-json
    {"start_ms": 100, "end_ms": 42100} => 42.0 => - =>
    {"start_ms": 42100, "end_ms": 100} => - => - => wrong-type
    {"wall_time_ms": 5000, "tokens_in": 5, "tokens_out": 7} => 5.0 => 12.0 =>
"#;

#[test]
fn figures_in_odd_shapes() {
    for [text, seconds, tokens, problems] in rows(FIGURES) {
        let (figures, codes) = figures(&text);
        let expected = [seconds, tokens].map(|number| number.parse().ok());
        assert_eq!([figures.duration_s, figures.tokens], expected, "{text}");
        assert_eq!(codes, problems, "{text}");
    }
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
}
