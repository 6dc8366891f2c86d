//! Costs of runs: per case and per iteration, and which source wins.

use super::{GRADING, only_run, problems, workspace};

#[test]
fn tokens_come_from_the_timing_before_anything_else() {
    let grading = r#"{"expectations": [{"text": "a", "passed": true}], "metrics": {"tokens_used": 7},
        "execution_metrics": {"output_chars": 9000, "total_tool_calls": 3}}"#;
    let actual = workspace(&[
        ("iteration-1/a/with_skill/grading.json", grading),
        (
            "iteration-1/a/with_skill/outputs/metrics.json",
            r#"{"total_tokens": 8, "total_steps": 2}"#,
        ),
        ("iteration-1/a/with_skill/timing.json", r#"{"total_tokens": 9}"#),
    ]);
    let figures = &only_run(&actual).metrics;
    assert_eq!(
        (figures.tokens, figures.steps, figures.tool_calls),
        (Some(9.0), Some(2.0), Some(3.0))
    );
    let actual = workspace(&[
        ("iteration-1/a/with_skill/grading.json", grading),
        ("iteration-1/a/with_skill/timing.json", r#"{"total_tokens": 0, "duration_ms": 0}"#),
    ]);
    assert_eq!(only_run(&actual).metrics.tokens, Some(7.0), "0 is not recorded");
}

#[test]
fn characters_are_never_tokens() {
    let grading = r#"{"expectations": [{"text": "a", "passed": true}],
        "execution_metrics": {"output_chars": 9000}}"#;
    let actual = workspace(&[("iteration-1/a/with_skill/grading.json", grading)]);
    let figures = &only_run(&actual).metrics;
    assert_eq!((figures.tokens, figures.output_chars), (None, Some(9000.0)));
}

#[test]
fn executor_and_grader_stay_apart() {
    let grading = r#"{"expectations": [{"text": "a", "passed": true}],
        "timing": {"executor_duration_seconds": 40, "grader_duration_seconds": 5, "total_duration_seconds": 45}}"#;
    let actual = workspace(&[
        ("iteration-1/a/with_skill/grading.json", grading),
        ("iteration-1/a/with_skill/timing.json", r#"{"duration_ms": 40000, "total_tokens": 9}"#),
    ]);
    let figures = &only_run(&actual).metrics;
    assert_eq!((figures.duration_s, figures.executor_s), (Some(40.0), Some(40.0)));
    assert_eq!((figures.grader_s, figures.tokens), (Some(5.0), Some(9.0)));
    assert_eq!(problems(&actual), [""; 0]);
}

#[test]
fn figures_of_a_case_are_shared_by_name() {
    let text = r#"{"with_skill": {"total_tokens": 5}, "without_skill": {"total_tokens": 7}}"#;
    let actual = workspace(&[
        ("iteration-1/a/timing.json", text),
        ("iteration-1/a/with_skill/grading.json", GRADING),
        ("iteration-1/a/without_skill/grading.json", GRADING),
    ]);
    let tokens: Vec<_> = actual.iterations[0].runs().map(|run| run.metrics.tokens).collect();
    assert_eq!(tokens, [Some(5.0), Some(7.0)]);
    assert_eq!(problems(&actual), [""; 0]);
}

#[test]
fn figures_of_an_iteration_are_shared_by_case_and_name() {
    let text =
        r#"{"a": {"with_skill": {"total_tokens": 5}}, "b": {"with_skill": {"total_tokens": 7}}}"#;
    let actual = workspace(&[
        ("iteration-1/timing.json", text),
        ("iteration-1/a/with_skill/grading.json", GRADING),
        ("iteration-1/b/with_skill/grading.json", GRADING),
    ]);
    let tokens: Vec<_> = actual.iterations[0].runs().map(|run| run.metrics.tokens).collect();
    assert_eq!(tokens, [Some(5.0), Some(7.0)]);
}

#[test]
fn figures_of_nobody_are_a_problem_and_make_no_case() {
    for path in ["iteration-1/timing.json", "iteration-1/a/timing.json"] {
        let actual = workspace(&[
            (path, r#"{"total_tokens": 5}"#),
            ("iteration-1/a/with_skill/grading.json", GRADING),
            ("iteration-1/a/without_skill/grading.json", GRADING),
        ]);
        assert_eq!(problems(&actual), [format!("unassigned-grading {path}")]);
        assert_eq!(actual.totals().cases, 1, "{path}");
        assert!(actual.iterations[0].runs().all(|run| run.metrics.tokens.is_none()), "{path}");
    }
}
