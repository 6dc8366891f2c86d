//! Blind comparisons.

use serde_json::json;

use super::{assert_has, codes, outside_runs, place};
use crate::discover::Kind;
use crate::model::{Code, Winner};

#[test]
fn the_skill_creators_comparison() {
    let text = r#"{"winner": "A", "reasoning": "clear", "eval_prompt": "p",
        "rubric": {"A": {"content": {"correct": 5}, "structure": {"order": 4}, "content_score": 4.7,
        "structure_score": 4.3, "overall_score": 9.0}, "B": {"content": {"correct": 3},
        "structure": {"order": 2}, "content_score": 2.7, "structure_score": 2.7, "overall_score": 5.4}},
        "output_quality": {"A": {"score": 9, "strengths": ["s"], "weaknesses": ["w"]}, "B": {"score": 5}},
        "expectation_results": {"A": {"passed": 4, "total": 5, "pass_rate": 0.8,
        "details": [{"text": "d", "passed": true}]}, "B": {"passed": 3, "total": 5}}}"#;
    let record = outside_runs(Kind::Comparison, text);
    assert_eq!(codes(&record.problems), "");
    let expected = json!({
        "winner": "a",
        "prompt": "p",
        "a": {
            "score": 9.0, "strengths": ["s"], "weaknesses": ["w"], "passed": 4.0, "total": 5.0,
            "details": [{"text": "d", "passed": true}],
        },
        "b": {"score": 5.4, "quality": 5.0},
        "dimensions": [
            {"name": "correct", "a": 5.0, "b": 3.0},
            {"name": "order"},
            {"name": "content_score"},
            {"name": "structure_score"},
        ],
    });
    assert_has(&record.comparisons[0], &expected);
}

#[test]
fn the_scored_and_the_compact_comparison() {
    let scored = r#"{"eval_prompt": "p", "winner": "B", "reasoning": "r",
        "scores": {"content_value": {"A": 6, "B": 8}}}"#;
    let dimensions = json!([{"name": "content_value", "a": 6.0, "b": 8.0}]);
    let expected = json!({"winner": "b", "dimensions": dimensions});
    assert_has(&outside_runs(Kind::Comparison, scored).comparisons[0], &expected);
    let compact = r#"{"winner": "output_a", "reasoning": "r", "scores": {"output_a": 8, "output_b": 6},
        "content_score": {"correctness": 4}, "structure_score": {"organization": 4}}"#;
    let expected = json!({
        "winner": "a", "a": {"score": 8.0}, "b": {"score": 6.0},
        "dimensions": [{"name": "correctness"}, {"name": "organization"}],
    });
    assert_has(&outside_runs(Kind::Comparison, compact).comparisons[0], &expected);
}

#[test]
fn several_comparisons_in_one_file() {
    let text = r#"{"evals": [{"eval": "a", "blind_labels": {"A": "old_skill", "B": "with_skill"},
        "rubric": {"A": {"overall_score": 8}, "B": {"overall_score": 9}}, "winner": "with_skill"},
        {"eval": "a", "winner": "A"}, {"eval": "b", "winner": "tie"}, {"eval": "c"}]}"#;
    let record = outside_runs(Kind::Comparison, text);
    assert_eq!(codes(&record.problems), "");
    let actual = &record.comparisons;
    let read: Vec<_> =
        actual.iter().map(|found| (found.case.as_deref(), found.before, found.winner)).collect();
    let expected = [
        (Some("a"), Some(0), Some(Winner::B)),
        (Some("a"), Some(1), Some(Winner::A)),
        (Some("b"), Some(0), Some(Winner::Tie)),
    ];
    assert_eq!(read, expected);
    assert_eq!((actual[0].a.version.as_deref(), actual[0].b.score), (Some("old_skill"), Some(9.0)));
}

#[test]
fn every_word_for_a_winner() {
    let cases = [
        ("A", Some(Winner::A)),
        ("b", Some(Winner::B)),
        ("output_b", Some(Winner::B)),
        ("Output A", Some(Winner::A)),
        ("TIE", Some(Winner::Tie)),
    ];
    for (word, expected) in cases {
        let mut record = outside_runs(Kind::Comparison, &format!("{{\"winner\": \"{word}\"}}"));
        assert_eq!(codes(&record.problems), "", "{word}");
        assert_eq!(record.comparisons.remove(0).winner, expected, "{word}");
    }
    let record = outside_runs(Kind::Comparison, r#"{"winner": "with_skill"}"#);
    assert_eq!(codes(&record.problems), "unblinded-comparison wrong-type");
}

#[test]
fn a_blind_judge_must_not_name_a_version() {
    let cases = [
        (r#"{"winner": "A", "reasoning": "v1 is clearer"}"#, "1:30"),
        (r#"{"winner": "A", "reasoning": "the with-skill run is clearer"}"#, "1:30"),
        (
            r#"{"winner": "A", "output_quality": {"A": {"strengths": ["as new_skill says"]}}}"#,
            "1:56",
        ),
    ];
    for (text, at) in cases {
        let record = outside_runs(Kind::Comparison, text);
        assert_eq!(codes(&record.problems), "unblinded-comparison", "{text}");
        assert_eq!(place(&record.problems, Code::UnblindedComparison), at, "{text}");
    }
}
