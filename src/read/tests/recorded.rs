//! Figures, aggregates, reviews, analyses and histories.

use serde_json::json;

use super::{assert_has, codes, outside_runs, read};
use crate::discover::Kind;
use crate::model::{RecordedRun, ReviewState};

#[test]
fn timing_with_executor_and_grader_apart() {
    let text = r#"{"total_tokens": 84852, "duration_ms": 23332, "total_duration_seconds": 28.3,
        "executor_start": "2026-01-15T10:30:00Z", "executor_end": "2026-01-15T10:30:23Z",
        "executor_duration_seconds": 23.3, "grader_start": "2026-01-15T10:30:24Z",
        "grader_end": "2026-01-15T10:30:29Z", "cost_usd": 0.12, "model": "opus"}"#;
    let record = read(Kind::Timing, text);
    assert_eq!(codes(&record.problems), "");
    let expected = json!({
        "tokens": 84_852.0, "duration_s": 28.3, "executor_s": 23.3, "grader_s": 5.0,
        "started": "2026-01-15T10:30:00Z", "ended": "2026-01-15T10:30:23Z",
        "cost_usd": 0.12, "model": "opus",
    });
    assert_has(&record.metrics[0].1, &expected);
}

#[test]
fn metrics_of_an_executor() {
    let text = r#"{"tool_calls": {"Read": 5, "Write": 2}, "total_tool_calls": 7, "total_steps": 4,
        "files_created": ["draft.md"], "errors_encountered": 1, "output_chars": 2800,
        "transcript_chars": 1900}"#;
    let expected = json!({
        "tool_calls": 7.0, "tool_calls_by_name": {"Read": 5.0, "Write": 2.0}, "steps": 4.0,
        "files_created": ["draft.md"], "errors": 1.0, "output_chars": 2800.0,
        "transcript_chars": 1900.0, "tokens": null,
    });
    assert_has(&read(Kind::Metrics, text).metrics[0].1, &expected);
}

#[test]
fn zeros_nulls_and_placeholders_are_not_recorded() {
    let text =
        r#"{"total_tokens": 0, "duration_ms": 0, "cost_usd": null, "model": "<model-name>"}"#;
    let record = read(Kind::Timing, text);
    assert_eq!(codes(&record.problems), "");
    assert!(record.metrics.is_empty() && !record.is_foreign);
}

#[test]
fn the_documented_benchmark() {
    let text = r#"{"metadata": {"skill_name": "pdf", "skill_path": "<path/to/skill>",
        "executor_model": "opus", "analyzer_model": "<model-name>", "timestamp": "2026-03-07",
        "evals_run": [1, 2], "runs_per_configuration": 3},
        "runs": [{"eval_id": 1, "eval_name": "rotate", "configuration": "with_skill",
          "run_number": 1, "result": {"pass_rate": 0.5, "passed": 1, "failed": 1, "total": 2,
          "time_seconds": 42.5, "tokens": 12000, "tool_calls": 8, "errors": 0},
          "expectations": [{"text": "a", "passed": true, "evidence": "e"}], "notes": ["n"]}],
        "run_summary": {"with_skill": {"pass_rate": {"mean": 0.5, "stddev": 0.1, "min": 0.4, "max": 0.6},
          "time_seconds": {"mean": 42.5}, "tokens": {"mean": 0, "stddev": 0}},
          "delta": {"pass_rate": "+0.50", "time_seconds": "-11.5", "tokens": "+4000"}},
        "notes": ["always passes"]}"#;
    let record = outside_runs(Kind::Benchmark, text);
    assert_eq!(codes(&record.problems), "placeholder");
    let actual = record.benchmark.unwrap();
    assert_eq!((actual.skill.as_deref(), actual.skill_path), (Some("pdf"), None));
    assert_eq!((actual.executor_model.as_deref(), actual.analyzer_model), (Some("opus"), None));
    assert_eq!(
        (actual.evals_run.join(" ").as_str(), actual.runs_per_configuration),
        ("1 2", Some(3.0))
    );
    assert_eq!((actual.delta_pass_rate, actual.delta_seconds), (Some(0.5), Some(-11.5)));
    assert_eq!(
        (actual.delta_tokens, actual.notes.join(" ").as_str()),
        (Some(4000.0), "always passes")
    );
    let configuration = &actual.configurations[0];
    assert_eq!(configuration.pass_rate.stddev, Some(0.1));
    assert_eq!((configuration.pass_rate.min, configuration.pass_rate.max), (Some(0.4), Some(0.6)));
    assert_eq!((configuration.time_s.mean, configuration.tokens.mean), (Some(42.5), None));
    let run = &actual.listed[0];
    assert_eq!((run.case_id.as_deref(), run.case_name.as_deref()), (Some("1"), Some("rotate")));
    assert_eq!((run.configuration.as_deref(), run.run), (Some("with_skill"), Some(1)));
    assert_eq!(
        (run.counts.passed, run.counts.total, run.counts.pass_rate),
        (Some(1.0), Some(2.0), Some(0.5))
    );
    assert_eq!((run.metrics.duration_s, run.metrics.tokens), (Some(42.5), Some(12_000.0)));
    assert_eq!((run.metrics.tool_calls, run.metrics.errors), (Some(8.0), Some(0.0)));
    assert_eq!((run.expectations.len(), run.notes.join(" ").as_str()), (1, "n"));
}

#[test]
fn the_compact_benchmark() {
    let text = r#"{"metadata": {"skill_name": "e", "timestamp": "t"},
        "runs": [{"eval_id": 0, "config": "with_skill", "pass_rate": 0.85}],
        "summaries": {"with_skill": {"mean_pass_rate": 0.85, "stddev": 0.05, "mean_tokens": 900}},
        "deltas": {"pass_rate_delta": 0.40, "tokens_delta": -2000}}"#;
    let actual = outside_runs(Kind::Benchmark, text).benchmark.unwrap();
    let only = &actual.configurations[0];
    assert_eq!((only.pass_rate.mean, only.pass_rate.stddev), (Some(0.85), Some(0.05)));
    assert_eq!((only.tokens.mean, only.tokens.stddev), (Some(900.0), None));
    assert_eq!((actual.delta_pass_rate, actual.delta_tokens), (Some(0.4), Some(-2000.0)));
    assert_eq!(actual.listed[0].counts.pass_rate, Some(0.85));
}

#[test]
fn benchmarks_in_the_shapes_found() {
    let cases = [
        (r#"{"summary": {"alpha": {"pass_rate": 0.5}}}"#, "alpha 0.5"),
        (
            r#"{"run_summary": {"with_skill": {"pass_rate": "3/4"}, "delta": {"pass_rate": "+1"}}}"#,
            "with_skill 0.75",
        ),
        (r#"{"configurations": [{"name": "a", "pass_rate": 75}]}"#, "a 0.75"),
        (r#"{"with_skill": {"pass_rate": 0.5}, "cost": {"usd": 1}}"#, "with_skill 0.5"),
        (r#"{"run_summary": {"with_skill": {"passed": 3, "total": 4}}}"#, "with_skill -"),
        (
            r#"{"run_summary": {"x": {"pass_rate": {"mean": 0.5}}, "cost_efficiency": {"tokens": 1}}}"#,
            "x 0.5",
        ),
    ];
    for (text, expected) in cases {
        let actual = outside_runs(Kind::Benchmark, text).benchmark.unwrap();
        let [only] = &actual.configurations[..] else { panic!("one in {text}") };
        let rate = only.pass_rate.mean.map_or("-".to_owned(), |rate| rate.to_string());
        assert_eq!(format!("{} {rate}", only.name), expected, "{text}");
    }
}

/// `case configuration passed/total rate` of every run that a benchmark lists.
fn listed(text: &str) -> Vec<String> {
    let actual = outside_runs(Kind::Benchmark, text).benchmark.unwrap_or_default();
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| value.to_string());
    let line = |run: &RecordedRun| {
        let case = run.case_name.as_ref().or(run.case_id.as_ref()).map_or("-", String::as_str);
        let configuration = run.configuration.as_deref().unwrap_or("-");
        let counts = &run.counts;
        let passed = format!("{}/{}", number(counts.passed), number(counts.total));
        format!("{case} {configuration} {passed} {}", number(counts.pass_rate))
    };
    actual.listed.iter().map(line).collect()
}

#[test]
fn runs_of_a_benchmark_in_the_shapes_found() {
    let cases: &[(&str, &[&str])] = &[
        (
            r#"{"configurations": [{"name": "with_skill", "evals": [{"eval_id": 0, "eval_name": "a",
                "pass_rate": 0.5, "assertions_passed": 1, "assertions_total": 2}]}]}"#,
            &["a with_skill 1/2 0.5"],
        ),
        (
            r#"{"configurations": [{"name": "with_skill", "results": [{"eval_name": "a",
                "pass_rate": 1.0}], "summary": {"mean_pass_rate": 1.0}}, {"name": "baseline"}]}"#,
            &["a with_skill -/- 1"],
        ),
        (
            r#"{"evals": [{"eval_name": "a", "with_skill": {"passed": 2, "total": 2},
                "baseline": {"passed": 1, "total": 2}, "delta": {"pass_rate": 0.5}}]}"#,
            &["a with_skill 2/2 -", "a baseline 1/2 -"],
        ),
        (
            r#"{"evals": [{"eval_id": "a", "configs": {"fast": {"pass_rate": 1, "passes": 2,
                "total": 2}, "delta": {"pass_rate": 1}}}]}"#,
            &["a fast 2/2 1"],
        ),
        (
            r#"{"with_skill": {"evals": [{"eval_id": 1, "pass_count": 1, "total": 2}]}}"#,
            &["1 with_skill 1/2 -"],
        ),
        (
            r#"{"per_eval": [{"eval": "a", "passRate": 1, "passed": 6, "total": 6,
                "baseline": {"passed": 1, "total": 6}}]}"#,
            &["a - 6/6 1", "a baseline 1/6 -"],
        ),
        (r#"{"results": [{"eval_id": 1, "eval_name": "a", "pass_rate": "100%"}]}"#, &["a - -/- 1"]),
        (
            r#"{"cases": [{"id": 13, "assertions_passed": 4, "assertions_total": 4}]}"#,
            &["13 - 4/4 -"],
        ),
        (r#"{"results": [{"name": "a", "pass_rate": 1}]}"#, &[]),
        (r#"{"evals": [{"eval_name": "a", "with_skill": {"score": 3}}]}"#, &[]),
        (
            r#"{"runs": [{"configuration": "with_skill", "pass_rate": 1, "baseline": {"pass_rate": 0}}]}"#,
            &["- with_skill -/- 1"],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(listed(text), *expected, "{text}");
    }
    let text = r#"{"configurations": [{"name": "a", "evals": [{"eval_id": 1,
        "duration_ms": 2000, "tokens": 50, "pass_rate": 1, "notes": "n",
        "assertion_details": [{"text": "x", "passed": true}]}]}]}"#;
    let actual = outside_runs(Kind::Benchmark, text).benchmark.unwrap();
    let [run] = &actual.listed[..] else { panic!("one run") };
    assert_eq!((run.metrics.duration_s, run.metrics.tokens), (Some(2.0), Some(50.0)));
    assert_eq!((run.tally.passed, run.notes.join(" ").as_str(), actual.runs), (1, "n", None));
}

#[test]
fn reviews_in_every_shape() {
    let cases = [
        r#"{"reviews": [{"run_id": "a", "feedback": "good", "timestamp": "t"}], "status": "complete"}"#,
        r#"{"reviews": {"a": {"feedback": "good", "timestamp": "t"}}, "status": "Complete"}"#,
        r#"{"a": {"feedback": "good", "timestamp": "t"}, "status": "done", "skill_name": "pdf"}"#,
    ];
    for text in cases {
        let actual = outside_runs(Kind::Feedback, text).feedback.unwrap();
        let [only] = &actual.reviews[..] else { panic!("one in {text}") };
        assert_eq!((only.run_id.as_str(), only.text.as_str()), ("a", "good"), "{text}");
        assert_eq!(only.timestamp.as_deref(), Some("t"), "{text}");
        assert_eq!(actual.state, ReviewState::Complete, "{text}");
    }
    let plural = r#"{"reviews": [{"run_id": "a", "comments": ["good", "bad"]}, {"run_id": "b", "rating": 4}]}"#;
    let record = outside_runs(Kind::Feedback, plural);
    assert_eq!(codes(&record.problems), "wrong-type", "what has no words is a problem");
    assert_eq!(record.feedback.unwrap().reviews[0].text, "good\nbad");
    let flat = outside_runs(Kind::Feedback, r#"{"a": "good", "b": " "}"#).feedback.unwrap();
    assert_eq!((flat.reviews.len(), flat.blank, flat.flat), (1, 1, true));
    let bare =
        outside_runs(Kind::Feedback, r#"{"reviews": ["good", {"run_id": "b", "feedback": ""}]}"#);
    let bare = bare.feedback.unwrap();
    assert_eq!((bare.reviews[0].text.as_str(), bare.blank), ("good", 1));
}

#[test]
fn analyses_of_both_dialects() {
    let scored = r#"{"winner_version": "v1", "loser_version": "v0", "strengths": ["s"], "weaknesses": ["w"],
        "suggestions": [{"area": "description", "before": "b", "after": "a", "reasoning": "r"},
        {"area": "body", "before": "b", "reasoning": "r"}]}"#;
    let record = outside_runs(Kind::Analysis, scored);
    assert_eq!(codes(&record.problems), "incomplete-proposal");
    let expected = json!({
        "winner": "v1", "loser": "v0", "strengths": ["s"], "weaknesses": ["w"],
        "proposals": [
            {"area": "description", "text": "r", "before": "b", "after": "a"},
            {"area": "body"},
        ],
    });
    assert_has(&record.analysis, &expected);
    let creator = r#"{"comparison_summary": {"winner": "A", "winner_skill": "new", "loser_skill": "old",
        "comparator_reasoning": "why"}, "winner_strengths": ["s"], "loser_weaknesses": ["w"],
        "instruction_following": {"winner": {"score": 9, "issues": ["i"]}, "loser": {"score": 6}},
        "improvement_suggestions": [{"priority": "high", "category": "tools", "suggestion": "add",
        "expected_impact": "less work"}], "transcript_insights": {"loser_execution_pattern": "slow"}}"#;
    let record = outside_runs(Kind::Analysis, creator);
    assert_eq!(codes(&record.problems), "");
    let expected = json!({
        "winner": "new", "loser": "old", "summary": "why",
        "instruction_following": [9.0, 6.0], "instruction_issues": [["i"], []],
        "proposals": [
            {"priority": "high", "area": "tools", "text": "add", "expected_impact": "less work"},
        ],
        "observations": ["loser_execution_pattern: slow"],
    });
    assert_has(&record.analysis, &expected);
}

#[test]
fn notes_of_an_analyzer_in_the_shapes_found() {
    for text in [r#"["a", "b"]"#, r#"{"observations": ["a", "b"]}"#] {
        assert_eq!(
            outside_runs(Kind::Analysis, text).analysis.unwrap().observations,
            ["a", "b"],
            "{text}"
        );
    }
    let by_case = outside_runs(Kind::Analysis, r#"{"eval-1": ["a"], "eval-2": "b"}"#);
    assert_eq!(by_case.analysis.unwrap().observations, ["eval-1: a", "eval-2: b"]);
}

#[test]
fn histories_of_the_three_dialects() {
    let scored = r#"{"versions": [{"version": 0, "timestamp": "t", "description": "baseline",
        "git_hash": null, "path": "v0/skill", "average_score": 3.5}], "current_version": 0}"#;
    let creator = r#"{"started_at": "s", "skill_name": "pdf", "current_best": "v1", "iterations": [
        {"version": "v0", "parent": null, "expectation_pass_rate": 0.65, "grading_result": "baseline"},
        {"version": "v1", "parent": "v0", "expectation_pass_rate": "75%", "grading_result": "won",
         "is_current_best": true, "notes": "n"}]}"#;
    let compact = r#"{"versions": [{"description": "d", "pass_rate": 0.85, "precision": 0.9,
        "recall": 0.8, "iteration": 1, "parent": 0}], "current_version": 1}"#;
    let table = [
        (
            scored,
            json!({"current": "v0", "versions": [{
                "name": "v0", "timestamp": "t", "description": "baseline", "path": "v0/skill",
                "git_hash": null, "average_score": 3.5,
            }]}),
        ),
        (
            creator,
            json!({"started_at": "s", "skill": "pdf", "current": "v1", "versions": [
                {"name": "v0", "parent": null, "is_best": false},
                {"parent": "v0", "pass_rate": 0.75, "result": "won", "is_best": true, "notes": "n"},
            ]}),
        ),
        (
            compact,
            json!({"current": "iteration-1", "versions": [{
                "name": "iteration-1", "parent": "iteration-0", "pass_rate": 0.85,
                "precision": 0.9, "recall": 0.8,
            }]}),
        ),
    ];
    for (text, expected) in table {
        assert_has(&outside_runs(Kind::History, text).history, &expected);
    }
}

#[test]
fn a_history_that_is_a_bare_list() {
    let versions = outside_runs(Kind::History, r#"[{"version": 1, "average_score": 4}]"#);
    assert_eq!(versions.history.unwrap().versions[0].average_score, Some(4.0));
    let text = r#"[{"iteration": 1, "description": "d", "train_passed": 1, "train_total": 2,
        "train_results": [{"query": "q", "should_trigger": true, "trigger_rate": 1.0, "triggers": 3,
        "runs": 3, "pass": true}],
        "test_results": [{"query": "h", "should_trigger": false, "triggers": 0, "runs": 3, "pass": true}]}]"#;
    let expected = json!([{
        "number": 1.0, "description": "d", "passed": 1.0, "total": 2.0,
        "queries": [
            {"query": "q", "should_trigger": true, "passed": true, "triggers": 3.0, "runs": 3.0,
             "held_out": false},
            {"should_trigger": false, "held_out": true},
        ],
    }]);
    assert_has(&outside_runs(Kind::History, text).trigger_rounds, &expected);
}

#[test]
fn regression_gates_are_named_as_settings() {
    let table = [
        ("{}", "`min_gain = 0`"),
        (r#"{"most": 5}"#, "`min_gain = 0`"),
        (
            r#"{"min_pass_rate_delta": 0.07, "max_time_increase_seconds": 10,
                "max_token_increase": null, "require_non_negative_pass_rate": true}"#,
            "`min_gain = 7`, `max_time_increase = 10`",
        ),
        (r#"{"min_pass_rate_delta": -0.1, "max_token_increase": "many"}"#, "`min_gain = 0`"),
        (
            r#"{"min_pass_rate_delta": -0.1, "require_non_negative_pass_rate": false,
                "max_token_increase": 5000}"#,
            "`min_gain = -10`, `max_token_increase = 5000`",
        ),
    ];
    for (text, settings) in table {
        let problems = outside_runs(Kind::Gates, text).problems;
        assert_eq!(codes(&problems), "gates-not-followed", "{text}");
        let help = format!("write {settings} below `[gate]` in evalbook.toml");
        assert_eq!(problems[0].help, Some(help), "{text}");
    }
}

#[test]
fn prose_is_kept_as_it_is() {
    let notes = read(Kind::UserNotes, "## Uncertainty\n- old data\n").notes.unwrap();
    assert_eq!(notes.other, ["## Uncertainty\n- old data"]);
    assert_eq!(read(Kind::UserNotes, " \n").notes, None);
    let prompt = read(Kind::Prompt, "Rotate it\n").case.unwrap().prompt;
    assert_eq!(prompt.as_deref(), Some("Rotate it\n"));
}

#[test]
fn a_document_of_another_kind_says_so() {
    for kind in [Kind::Evals, Kind::Benchmark, Kind::Feedback, Kind::Comparison, Kind::History] {
        assert_eq!(
            codes(&outside_runs(kind, r#"{"unrelated": 1}"#).problems),
            "unknown-shape",
            "{kind:?}"
        );
    }
}
