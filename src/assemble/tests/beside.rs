//! What lies beside the runs: benchmarks, reviews, comparisons, histories, trigger loops.

use super::{GRADING, problems, workspace};
use crate::model::About;

const RUN: (&str, &str) = ("iteration-1/eval-1/with_skill/run-1/grading.json", GRADING);

#[test]
fn a_benchmark_is_compared_with_the_verdicts() {
    let cases = [
        (r#"{"run_summary": {"with_skill": {"pass_rate": {"mean": 0.5}}}}"#, false),
        (r#"{"run_summary": {"with-skill": {"pass_rate": {"mean": 0.9}}}}"#, true),
        (r#"{"run_summary": {"with_skill": {"pass_rate": {"mean": 0.9}}}}"#, true),
        (r#"{"run_summary": {"with_skill": {"passed": 1, "total": 2}}}"#, false),
        (r#"{"runs": [], "run_summary": {}}"#, true),
        (r#"{"skill_name": "pdf", "runs": [{"eval_id": 1}, {"eval_id": 1}]}"#, true),
    ];
    for (text, differs) in cases {
        let found = workspace(&[RUN, ("iteration-1/benchmark.json", text)]);
        let expected =
            if differs { vec!["benchmark-mismatch iteration-1/benchmark.json"] } else { vec![] };
        assert_eq!(problems(&found), expected, "{text}");
        assert_eq!(found.iterations[0].benchmarks.len(), 1, "{text}");
    }
}

#[test]
fn reviews_name_their_run_in_several_ways() {
    let known = [
        "eval-1-with_skill-run-1",
        "eval-1-with_skill",
        "eval-1",
        "eval-1/with_skill/run-1",
        "Eval 1 with skill",
        "iteration-1/eval-1/with_skill",
    ];
    for id in known {
        let text = format!("{{\"reviews\": [{{\"run_id\": \"{id}\", \"feedback\": \"f\"}}]}}");
        let found = workspace(&[RUN, ("iteration-1/feedback.json", &text)]);
        assert_eq!(problems(&found), [""; 0], "{id}");
    }
    for id in ["eval-2-with_skill", "eval-1-without_skill", ""] {
        let text = format!("{{\"reviews\": [{{\"run_id\": \"{id}\", \"feedback\": \"f\"}}]}}");
        let found = workspace(&[RUN, ("iteration-1/feedback.json", &text)]);
        assert_eq!(problems(&found), ["unknown-run iteration-1/feedback.json"], "{id}");
        assert_eq!(found.iterations[0].feedback[0].reviews.len(), 1, "{id}");
    }
}

#[test]
fn names_that_differ_in_spelling_alone_stay_apart() {
    let cases = ["foo-bar", "foo_bar", "Foo-Bar"];
    let paths = cases.map(|case| format!("iteration-1/{case}/with_skill/run-1/grading.json"));
    let reviewed = |id: &str| {
        let text = serde_json::json!({ id: "f" }).to_string();
        let grading = paths.iter().map(|path| (path.as_str(), RUN.1));
        let files: Vec<_> = grading.chain([("iteration-1/feedback.json", text.as_str())]).collect();
        let found = workspace(&files);
        let iteration = &found.iterations[0];
        match iteration.feedback[0].reviews[0].about {
            About::Run { case, .. } | About::Case { case } => iteration.cases[case].folder.clone(),
            About::Unknown => found.problems[0].message.clone(),
        }
    };
    for case in cases {
        for rest in ["", "-with_skill", "/with_skill/run-1", "-with_skill-run-1"] {
            assert_eq!(reviewed(&format!("{case}{rest}")), case);
            assert_eq!(reviewed(&format!("iteration-1/{case}{rest}")), case);
        }
    }
    let message = "the review names the run `FOO_BAR`, which several could be";
    assert_eq!(reviewed("FOO_BAR"), message);
}

#[test]
fn a_comparison_of_two_versions_belongs_to_the_later() {
    let found = workspace(&[
        ("v0/runs/a/run-1/outputs/x.md", "x"),
        ("v1/runs/a/run-1/outputs/x.md", "x"),
        ("grading/v1-vs-v0/comparison-1.json", r#"{"winner": "A", "reasoning": "r"}"#),
        ("grading/v1-vs-v0/analysis.json", r#"{"winner_version": "v1", "strengths": ["s"]}"#),
    ]);
    let later = found.iterations.iter().find(|iteration| iteration.name == "v1").unwrap();
    assert_eq!((later.comparisons.len(), later.analyses.len()), (1, 1));
    let versions = later.comparisons[0].versions.clone();
    assert_eq!(versions, Some(("v1".to_owned(), "v0".to_owned())));
    assert_eq!(problems(&found), [""; 0]);
}

#[test]
fn an_average_score_is_the_mean_of_its_gradings() {
    let grading = r#"{"results": [{"criterion": "c", "score": 4, "passed": true}]}"#;
    for (stated, expected) in
        [("4.0", vec![]), ("null", vec![]), ("2.0", vec!["score-mean history.json"])]
    {
        let history =
            format!("{{\"versions\": [{{\"version\": 0, \"average_score\": {stated}}}]}}");
        let found = workspace(&[
            ("grading/a_v0_run1.json", grading),
            ("v0/runs/a/run-1/outputs/x.md", "x"),
            ("history.json", &history),
        ]);
        assert_eq!(problems(&found), expected, "{stated}");
        assert_eq!(found.histories[0].versions[0].name, "v0");
    }
}

#[test]
fn a_trigger_loop_written_twice_counts_once_and_no_other_round_is_lost() {
    let round = |number: usize| {
        format!(
            "{{\"iteration\": {number}, \"description\": \"d{number}\", \"results\": [{{\"query\": \"q\", \"should_trigger\": true, \"pass\": true}}]}}"
        )
    };
    let found = workspace(&[
        RUN,
        ("trigger/history.json", &format!("[{}, {}]", round(1), round(2))),
        ("trigger/trigger-results.json", &round(2)),
        ("trigger/trigger-results-3.json", &round(3)),
        ("trigger/trigger-eval.json", r#"[{"query": "q", "should_trigger": true}]"#),
    ]);
    let numbers: Vec<_> = found.trigger_rounds.iter().map(|round| round.number).collect();
    assert_eq!(numbers, [Some(1.0), Some(2.0), Some(3.0)]);
}

#[test]
fn the_skills_name_by_precedence() {
    let evals =
        ("evals.json", r#"{"skill_name": "of-evals", "evals": [{"id": 1, "prompt": "p"}]}"#);
    let history =
        ("history.json", r#"{"skill_name": "of-history", "iterations": [{"version": "v0"}]}"#);
    let benchmark =
        ("iteration-1/benchmark.json", r#"{"metadata": {"skill_name": "of-benchmark"}}"#);
    let grading = (
        "iteration-1/eval-2/with_skill/grading.json",
        r#"{"skill_name": "of-grading", "expectations": [{"text": "a", "passed": true}]}"#,
    );
    let name = |files: &[(&str, &str)]| workspace(files).skill;
    assert_eq!(name(&[RUN, evals, history, benchmark, grading]).as_deref(), Some("of-evals"));
    assert_eq!(name(&[RUN, history, benchmark, grading]).as_deref(), Some("of-history"));
    assert_eq!(name(&[RUN, benchmark, grading]).as_deref(), Some("of-benchmark"));
    assert_eq!(name(&[RUN, grading]).as_deref(), Some("of-grading"));
    assert_eq!(name(&[RUN]), None);
    let path = ("evals.json", r#"{"skill": "/home/me/skills/docker/", "cases": [{"id": "a"}]}"#);
    assert_eq!(name(&[RUN, path]).as_deref(), Some("docker"));
}
