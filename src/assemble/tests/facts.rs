//! Facts from several documents: prompts, figures, errors, sums and sets of queries.

use super::{GRADING, only_run, problems, runs, workspace};
use crate::model::{Run, Workspace};

const RUN: &str = "iteration-1/a/with_skill";

fn run_with(files: &[(&str, &str)]) -> Workspace {
    let path = format!("{RUN}/grading.json");
    let paths: Vec<String> = files.iter().map(|(name, _)| format!("{RUN}/{name}")).collect();
    let texts = files.iter().map(|(_, text)| *text);
    let all = paths.iter().map(String::as_str).zip(texts);
    let own = (path.as_str(), GRADING);
    let is_graded = files.iter().any(|(name, _)| *name == "grading.json");
    workspace(&all.chain((!is_graded).then_some(own)).collect::<Vec<_>>())
}

#[test]
fn cases_with_one_prompt_are_marked_unless_input_files_or_checks_differ() {
    let metadata = |name: &str, check: &str, files: &str| {
        format!(
            r#"{{"eval_name": "{name}", "prompt": "Do  it", "files": [{files}], "assertions": ["{check}"]}}"#
        )
    };
    let table = [
        ("Do it", "x", "", None, 1),
        ("Do it", "a", "", Some("one"), 0),
        ("Do it", "x", "\"f.csv\"", None, 0),
        // The beginning of a prompt is not the prompt.
        ("Do it ...", "a", "", None, 0),
        ("Do it…", "a", "", None, 0),
    ];
    for (prompt, check, files, same, reported) in table {
        let metadata = |name: &str, check: &str, files: &str| {
            metadata(name, check, files).replace("Do  it", prompt)
        };
        let actual = workspace(&[
            ("iteration-1/a/eval_metadata.json", &metadata("one", "a", "")),
            ("iteration-1/a/with_skill/grading.json", GRADING),
            ("iteration-1/b/eval_metadata.json", &metadata("two", check, files)),
            ("iteration-1/b/with_skill/grading.json", &GRADING.replace("\"e\"", "\"f\"")),
        ]);
        let cases = &actual.iterations[0].cases;
        assert_eq!(cases[0].same_prompt_as, None);
        assert_eq!(cases[1].same_prompt_as.as_deref(), same, "{check} {files}");
        let expected = vec!["same-prompt iteration-1/b/with_skill".to_owned(); reported];
        assert_eq!(problems(&actual), expected, "{check} {files}");
    }
}

#[test]
fn the_runs_own_timing_beats_those_among_its_outputs() {
    let own = r#"{"total_duration_seconds": 50, "total_tokens": 500}"#;
    let other = r#"{"total_duration_seconds": 90, "total_tokens": 900, "model": "m"}"#;
    let actual = run_with(&[("timing.json", own), ("outputs/timing.json", other)]);
    let metrics = &only_run(&actual).metrics;
    assert_eq!((metrics.duration_s, metrics.tokens), (Some(50.0), Some(500.0)));
    assert_eq!(metrics.model, None, "nothing of a file that contradicts is used");
    assert_eq!(problems(&actual), [format!("timing-mismatch {RUN}/outputs/timing.json")]);
    let actual = run_with(&[("outputs/timing.json", other)]);
    assert_eq!(only_run(&actual).metrics.tokens, Some(900.0));
    assert!(problems(&actual).is_empty());
}

#[test]
fn the_time_and_tokens_of_the_grader_are_never_the_runs() {
    let timing = r#"{"total_duration_seconds": 7, "total_tokens": 70}"#;
    for name in ["grader_timing.json", "grading-timing.json", "timing_judge.json"] {
        let actual = run_with(&[(name, timing)]);
        let metrics = &only_run(&actual).metrics;
        assert_eq!((metrics.duration_s, metrics.tokens), (None, None), "{name}");
        assert_eq!(metrics.grader_s, Some(7.0), "{name}");
        assert!(problems(&actual).is_empty(), "{name}");
    }
}

#[test]
fn characters_are_never_tokens() {
    let timing = |note: &str| format!(r#"{{"total_tokens": 500, "note": "{note}"}}"#);
    let metrics = r#"{"output_chars": 500, "total_tool_calls": 2}"#;
    let table = [
        (timing(""), metrics, true),
        (timing(""), r#"{"output_chars": 501, "total_tool_calls": 2}"#, false),
        (timing("total_tokens counts the characters of the output"), "{}", true),
        (timing("tokens estimated from characters"), "{}", false),
        (timing("tokens from telemetry"), "{}", false),
    ];
    for (timing, metrics, are_chars) in table {
        let actual = run_with(&[("timing.json", &timing), ("metrics.json", metrics)]);
        let tokens = (!are_chars).then_some(500.0);
        assert_eq!(only_run(&actual).metrics.tokens, tokens, "{timing} {metrics}");
        let reported = problems(&actual)
            .iter()
            .filter(|problem| problem.starts_with("characters-as-tokens"))
            .count();
        assert_eq!(reported, usize::from(are_chars), "{timing} {metrics}");
    }
}

#[test]
fn a_reported_error_is_a_fact_of_the_run() {
    let trace = "Traceback (most recent call last):\n  File \"x\"\nValueError: bad\n";
    let execution = r#"{"total_tool_calls": 1,
        "execution": {"status": "execution_error", "failure_reason_code": "provider_error"}}"#;
    let empty = r#"{"error": {"message": "no answer"}, "expectations": []}"#;
    let table = [
        ("timing.json", r#"{"status": "timeout", "total_duration_seconds": 600}"#, Some("timeout")),
        ("timing.json", r#"{"error": "killed"}"#, Some("killed")),
        ("timing.json", r#"{"timed_out": true, "total_tokens": 5}"#, Some("timed out")),
        ("metrics.json", execution, Some("execution_error: provider_error")),
        ("grading.json", empty, Some("no answer")),
        ("grading.json", trace, Some("ValueError: bad")),
        ("timing.json", r#"{"status": "ok", "error": null, "total_tokens": 5}"#, None),
        ("timing.json", r#"{"status": "failed", "error": false, "total_tokens": 5}"#, None),
        ("metrics.json", r#"{"errors_encountered": 2, "total_tool_calls": 5}"#, None),
    ];
    for (name, text, expected) in table {
        let actual = run_with(&[(name, text)]);
        assert_eq!(only_run(&actual).error.as_deref(), expected, "{text}");
        let reported = format!("run-error {RUN}/{name}");
        assert_eq!(problems(&actual).contains(&reported), expected.is_some(), "{text}");
    }
}

#[test]
fn a_roll_up_is_not_a_run_and_loses_no_verdict() {
    let sums = [
        r#"{"with_skill": {"passed": 4, "total": 5}, "without_skill": {"passed": 2, "total": 5}}"#,
        r#"{"a": {"with_skill": "PASS", "without_skill": "FAIL"}}"#,
        r#"{"results": [{"eval": "a", "config": "with_skill", "verdict": "pass"}]}"#,
        r#"{"results": [{"case": "a", "with_skill": true, "without_skill": false}]}"#,
        r#"{"gradings": ["a/with_skill/grading.json"], "total": 1}"#,
    ];
    let own = ("iteration-1/a/with_skill/grading.json", GRADING);
    for sum in sums {
        let path = "iteration-1/grading_summary.json";
        let actual = workspace(&[own, (path, sum)]);
        assert_eq!(runs(&actual), ["iteration-1/a/with_skill/1 1:1"], "{sum}");
        assert!(problems(&actual).is_empty(), "{sum}: {:?}", problems(&actual));
        assert!(actual.ignored.iter().any(|ignored| ignored.path == path), "{sum}");
    }
}

#[test]
fn a_run_that_is_graded_in_its_numbered_folder_is_not_ungraded() {
    let beside = [("outputs/x.md", "x"), ("timing.json", r#"{"total_tokens": 5}"#)];
    for graded in ["iteration-1/a/with_skill/run-1", "iteration-1/a/run-1/with_skill"] {
        let grading = format!("{graded}/grading.json");
        let paths = beside.map(|(name, text)| (format!("{RUN}/{name}"), text));
        let beside = paths.iter().map(|(path, text)| (path.as_str(), *text));
        let files: Vec<(&str, &str)> = beside.chain([(grading.as_str(), GRADING)]).collect();
        let actual = workspace(&files);
        assert_eq!(actual.iterations[0].runs().filter(|run| !Run::is_graded(run)).count(), 0);
        assert!(actual.problems.is_empty(), "{graded}: {:?}", actual.problems);
    }
}

#[test]
fn queries_without_results_are_not_rounds_and_routes_are_not_triggers() {
    let own = ("iteration-1/a/with_skill/grading.json", GRADING);
    for set in [
        r#"[{"query": "q", "should_trigger": true}]"#,
        r#"[{"query": "q", "expected": "pdf"}, {"query": "r", "expected": "docx"}]"#,
    ] {
        let actual = workspace(&[own, ("trigger-eval.json", set)]);
        assert!(actual.trigger_rounds.is_empty() && actual.problems.is_empty(), "{set}");
        assert!(actual.ignored.iter().any(|ignored| ignored.path == "trigger-eval.json"), "{set}");
    }
    let routed = r#"{"results": [{"query": "q", "expected": "pdf", "pass": true}]}"#;
    let actual = workspace(&[own, ("trigger-results.json", routed)]);
    let [round] = &actual.trigger_rounds[..] else { panic!("one round") };
    assert_eq!((round.queries[0].should_trigger, round.queries[0].passed), (None, Some(true)));
}
