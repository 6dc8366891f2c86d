//! Benchmarks in every shape, and gates of another program.

use super::{codes, outside_runs};
use input::discover::Kind;
use input::model::RecordedRun;
use testing::table::rows;

#[test]
fn benchmarks_in_the_shapes_found() {
    const SHAPES: &str = r#"
        {"summary": {"alpha": {"pass_rate": 0.5}}} => alpha 0.5
        {"run_summary": {"with_skill": {"pass_rate": "3/4"}, "delta": {"pass_rate": "+1"}}} => with_skill 0.75
        {"configurations": [{"name": "a", "pass_rate": 75}]} => a 0.75
        {"with_skill": {"pass_rate": 0.5}, "cost": {"usd": 1}} => with_skill 0.5
        {"run_summary": {"pass_rate": {"mean": 0.5}}} => - 0.5
        {"run_summary": {"with_skill": {"passed": 3, "total": 4}}} => with_skill -
        {"run_summary": {"x": {"pass_rate": {"mean": 0.5}}, "cost_efficiency": {"tokens": 1}}} => x 0.5
    "#;
    for [text, expected] in rows(SHAPES) {
        let actual = outside_runs(Kind::Benchmark, &text).benchmark.unwrap();
        let [only] = &actual.configurations[..] else { panic!("one in {text}") };
        let rate = only.pass_rate.mean.map_or("-".to_owned(), |rate| rate.to_string());
        let name = if only.name.is_empty() { "-" } else { &only.name };
        assert_eq!(format!("{name} {rate}"), expected, "{text}");
    }
}

#[test]
fn sums_are_of_the_cases_that_all_sides_have() {
    let sums = |last: &str| {
        let text = r#"{"evals": [{"id": "a", "new_skill": {"pass_rate": "2/2"}, "old_skill": {"pass_rate": "1/2"}}, LAST]}"#;
        let text = text.replace("LAST", last);
        let actual = outside_runs(Kind::Benchmark, &text).benchmark.unwrap();
        let counts = actual.configurations.iter().map(|side| (side.passed, side.total));
        counts.collect::<Vec<_>>()
    };
    let of_a = vec![(Some(2.0), Some(2.0)), (Some(1.0), Some(2.0))];
    let unreadable =
        r#"{"id": "b", "new_skill": {"pass_rate": "1/2"}, "old_skill": {"pass_rate": "n/a"}}"#;
    assert_eq!(sums(unreadable), of_a);
    let both = unreadable.replace("n/a", "0/2");
    assert_eq!(sums(&both), [(Some(3.0), Some(4.0)), (Some(1.0), Some(4.0))]);
}

/// `case configuration passed/total rate` of every run that a benchmark lists.
fn listed(text: &str) -> String {
    let actual = outside_runs(Kind::Benchmark, text).benchmark.unwrap_or_default();
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| value.to_string());
    let line = |run: &RecordedRun| {
        let case = run.case_name.as_ref().or(run.case_id.as_ref()).map_or("-", String::as_str);
        let configuration = run.configuration.as_deref().unwrap_or("-");
        let counts = &run.counts;
        let passed = format!("{}/{}", number(counts.passed), number(counts.total));
        format!("{case} {configuration} {passed} {}", number(counts.pass_rate))
    };
    actual.listed.iter().map(line).collect::<Vec<_>>().join("; ")
}

#[test]
fn runs_of_a_benchmark_in_the_shapes_found() {
    const LISTED: &str = r#"
        {"configurations": [{"name": "with_skill", "evals": [{"eval_id": 0, "eval_name": "a", "pass_rate": 0.5, "assertions_passed": 1, "assertions_total": 2}]}]} => a with_skill 1/2 0.5
        {"configurations": [{"name": "with_skill", "results": [{"eval_name": "a", "pass_rate": 1.0}], "summary": {"mean_pass_rate": 1.0}}, {"name": "baseline"}]} => a with_skill -/- 1
        {"evals": [{"eval_name": "a", "with_skill": {"passed": 2, "total": 2}, "baseline": {"passed": 1, "total": 2}, "delta": {"pass_rate": 0.5}}]} => a with_skill 2/2 -; a baseline 1/2 -
        {"evals": [{"eval_id": "a", "configs": {"fast": {"pass_rate": 1, "passes": 2, "total": 2}, "delta": {"pass_rate": 1}}}]} => a fast 2/2 1
        {"with_skill": {"evals": [{"eval_id": 1, "pass_count": 1, "total": 2}]}} => 1 with_skill 1/2 -
        {"per_eval": [{"eval": "a", "passRate": 1, "passed": 6, "total": 6, "baseline": {"passed": 1, "total": 6}}]} => a - 6/6 1; a baseline 1/6 -
        {"results": [{"eval_id": 1, "eval_name": "a", "pass_rate": "100%"}]} => a - -/- 1
        {"cases": [{"id": 13, "assertions_passed": 4, "assertions_total": 4}]} => 13 - 4/4 -
        {"results": [{"name": "a", "pass_rate": 1}]} =>
        {"evals": [{"eval_name": "a", "with_skill": {"score": 3}}]} =>
        {"runs": [{"configuration": "with_skill", "pass_rate": 1, "baseline": {"pass_rate": 0}}]} => - with_skill -/- 1
    "#;
    for [text, expected] in rows(LISTED) {
        assert_eq!(listed(&text), expected, "{text}");
    }
}

#[test]
fn regression_gates_are_named_as_settings() {
    const GATES: &str = r#"
        {} => `min_gain = 0`
        {"most": 5} => `min_gain = 0`
        {"min_pass_rate_delta": 0.07, "max_time_increase_seconds": 10, "max_token_increase": null, "require_non_negative_pass_rate": true} => `min_gain = 7`, `max_time_increase = 10`
        {"min_pass_rate_delta": -0.1, "max_token_increase": "many"} => `min_gain = 0`
        {"min_pass_rate_delta": -0.1, "require_non_negative_pass_rate": false, "max_token_increase": 5000} => `min_gain = -10`, `max_token_increase = 5000`
    "#;
    for [text, settings] in rows(GATES) {
        let problems = outside_runs(Kind::Gates, &text).problems;
        assert_eq!(codes(&problems), "gates-not-followed", "{text}");
        let help = format!("write {settings} below `[gate]` in evalbook.toml");
        assert_eq!(problems[0].help, Some(help), "{text}");
    }
}
