//! Documents that belong to no run: benchmarks, reviews, comparisons, histories, trigger loops.

use super::{GRADING, problems, workspace};
use crate::model::{About, Totals, TriggerRound};

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
        let actual = workspace(&[RUN, ("iteration-1/benchmark.json", text)]);
        let expected =
            if differs { vec!["benchmark-mismatch iteration-1/benchmark.json"] } else { vec![] };
        assert_eq!(problems(&actual), expected, "{text}");
        assert_eq!(actual.iterations[0].benchmarks.len(), 1, "{text}");
    }
}

/// The iteration of each benchmark, with `*` for one that only gathers.
fn benchmarked(files: &[(&str, &str)]) -> Vec<String> {
    let actual = workspace(files);
    let benchmarks = actual.iterations.iter().flat_map(|iteration| {
        let mark = if iteration.implicit { "*" } else { "" };
        let written = |path: &str| format!("{}{mark} {path}", iteration.name);
        iteration
            .benchmarks
            .iter()
            .map(move |benchmark| written(&benchmark.path))
            .collect::<Vec<_>>()
    });
    benchmarks.collect()
}

#[test]
fn a_benchmark_next_to_the_iterations_is_of_none_of_them() {
    let text = r#"{"run_summary": {"with_skill": {"pass_rate": {"mean": 0.9}}}}"#;
    let runs = [
        ("suite/iteration-1/a/with_skill/grading.json", GRADING),
        ("suite/iteration-2/a/with_skill/grading.json", GRADING),
    ];
    let iteration_of = |path: &str| benchmarked(&[runs[0], runs[1], (path, text)]);
    assert_eq!(iteration_of("suite/tier2/benchmark.json"), ["tier2* suite/tier2/benchmark.json"]);
    assert_eq!(iteration_of("other/benchmark.json"), ["other* other/benchmark.json"]);
    let second = ("suite/tier2/benchmark-2.json", text);
    let both = [runs[0], runs[1], ("suite/tier2/benchmark.json", text), second];
    assert_eq!(workspace(&both).iterations.len(), 3);
    for path in ["benchmark.json", "suite/benchmark.json"] {
        assert_eq!(iteration_of(path), [format!("iteration-2 {path}")]);
    }
    let path = "suite/iteration-1/results/benchmark.json";
    assert_eq!(iteration_of(path), [format!("iteration-1 {path}")]);
    let actual = workspace(&[runs[0], runs[1], ("suite/tier2/benchmark.json", text)]);
    assert_eq!(problems(&actual), [""; 0], "nothing to differ from");
    assert_eq!((actual.iterations.len(), actual.last_round()), (3, Some(1)));
}

#[test]
fn benchmarks_alone_have_a_page_for_each_folder() {
    let text = r#"{"run_summary": {"with_skill": {"pass_rate": {"mean": 0.9}}}}"#;
    let paths = ["aaa/benchmark.json", "benchmark.json", "evals/benchmark.json"];
    let more = ["evals/benchmark-2.json", "evals2/evals/benchmark.json"];
    let files: Vec<_> = paths.into_iter().chain(more).map(|path| (path, text)).collect();
    let expected = [
        "ws* benchmark.json",
        "aaa* aaa/benchmark.json",
        "evals* evals/benchmark-2.json",
        "evals* evals/benchmark.json",
        "evals2/evals* evals2/evals/benchmark.json",
    ];
    assert_eq!(benchmarked(&files), expected);
}

#[test]
fn a_benchmark_alone_is_kept_and_counted_nowhere() {
    let text = r#"{"run_summary": {"with_skill": {"pass_rate": {"mean": 0.9}}}}"#;
    let plan = ("evals/evals.json", r#"{"evals": [{"id": 1, "prompt": "p"}]}"#);
    let feedback = ("feedback.json", r#"{"feedback": "f"}"#);
    for (path, name) in
        [("evals/results/benchmark.json", "results"), ("evals/benchmark.json", "evals")]
    {
        assert_eq!(benchmarked(&[plan, (path, text)]), [format!("{name}* {path}")]);
    }
    assert_eq!(benchmarked(&[("benchmark.json", text)]), ["ws* benchmark.json"]);
    let second = ("evals/benchmark-2.json", text);
    let both = workspace(&[plan, ("evals/benchmark.json", text), second]);
    assert_eq!((both.iterations.len(), both.last_round()), (1, None));
    assert_eq!((problems(&both), both.totals()), (vec![], Totals::default()));
    let actual = workspace(&[("evals/benchmark.json", text), feedback]);
    assert_eq!(problems(&actual), ["unknown-run feedback.json"], "words need a round");
}

#[test]
fn a_benchmark_is_of_the_iterations_below_its_folder_or_of_the_runs_around_it() {
    let text = r#"{"run_summary": {"with_skill": {"pass_rate": {"mean": 0.5}}}}"#;
    let suites = [
        ("one/iteration-1/a/with_skill/grading.json", GRADING),
        ("two/iteration-1/a/with_skill/grading.json", GRADING),
    ];
    let actual = benchmarked(&[suites[0], suites[1], ("one/benchmark.json", text)]);
    assert_eq!(actual, ["one/iteration-1 one/benchmark.json"]);
    let gathered = ("evals/a/with_skill/grading.json", GRADING);
    let actual = benchmarked(&[gathered, ("evals/results/benchmark.json", text)]);
    assert_eq!(actual, ["ws* evals/results/benchmark.json"]);
}

#[test]
fn words_next_to_the_iterations_are_about_the_last_that_ran() {
    let benchmark = r#"{"run_summary": {"with_skill": {"pass_rate": {"mean": 0.9}}}}"#;
    let text = r#"{"winner": "A", "reasoning": "r"}"#;
    let actual =
        workspace(&[RUN, ("tier2/benchmark.json", benchmark), ("judged/comparison-1.json", text)]);
    assert_eq!(actual.iterations[0].comparisons.len(), 1);
    assert_eq!(problems(&actual), [""; 0]);
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
        let actual = workspace(&[RUN, ("iteration-1/feedback.json", &text)]);
        assert_eq!(problems(&actual), [""; 0], "{id}");
    }
    for id in ["eval-2-with_skill", "eval-1-without_skill", ""] {
        let text = format!("{{\"reviews\": [{{\"run_id\": \"{id}\", \"feedback\": \"f\"}}]}}");
        let actual = workspace(&[RUN, ("iteration-1/feedback.json", &text)]);
        assert_eq!(problems(&actual), ["unknown-run iteration-1/feedback.json"], "{id}");
        assert_eq!(actual.iterations[0].feedback[0].reviews.len(), 1, "{id}");
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
        let actual = workspace(&files);
        let iteration = &actual.iterations[0];
        match iteration.feedback[0].reviews[0].about {
            About::Run { case, .. } | About::Case { case } => iteration.cases[case].folder.clone(),
            About::Unknown => actual.problems[0].message.clone(),
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
    let actual = workspace(&[
        ("v0/runs/a/run-1/outputs/x.md", "x"),
        ("v1/runs/a/run-1/outputs/x.md", "x"),
        ("grading/v1-vs-v0/comparison-1.json", r#"{"winner": "A", "reasoning": "r"}"#),
        ("grading/v1-vs-v0/analysis.json", r#"{"winner_version": "v1", "strengths": ["s"]}"#),
    ]);
    let later = actual.iterations.iter().find(|iteration| iteration.name == "v1").unwrap();
    assert_eq!((later.comparisons.len(), later.analyses.len()), (1, 1));
    let versions = later.comparisons[0].versions.clone();
    assert_eq!(versions, Some(("v1".to_owned(), "v0".to_owned())));
    assert_eq!(problems(&actual), [""; 0]);
}

#[test]
fn an_average_score_is_the_mean_of_its_gradings() {
    let grading = r#"{"results": [{"criterion": "c", "score": 4, "passed": true}]}"#;
    for (stated, expected) in
        [("4.0", vec![]), ("null", vec![]), ("2.0", vec!["score-mean history.json"])]
    {
        let history =
            format!("{{\"versions\": [{{\"version\": 0, \"average_score\": {stated}}}]}}");
        let actual = workspace(&[
            ("grading/a_v0_run1.json", grading),
            ("v0/runs/a/run-1/outputs/x.md", "x"),
            ("history.json", &history),
        ]);
        assert_eq!(problems(&actual), expected, "{stated}");
        assert_eq!(actual.histories[0].versions[0].name, "v0");
    }
}

#[test]
fn a_trigger_loop_written_twice_counts_once_and_no_other_round_is_lost() {
    let round = |number: usize| {
        format!(
            "{{\"iteration\": {number}, \"description\": \"d{number}\", \"results\": [{{\"query\": \"q\", \"should_trigger\": true, \"pass\": true}}]}}"
        )
    };
    let actual = workspace(&[
        RUN,
        ("trigger/history.json", &format!("[{}, {}]", round(1), round(2))),
        ("trigger/trigger-results.json", &round(2)),
        ("trigger/trigger-results-3.json", &round(3)),
        ("trigger/trigger-eval.json", r#"[{"query": "q", "should_trigger": true}]"#),
    ]);
    let numbers: Vec<_> = actual.trigger_rounds.iter().map(|round| round.number).collect();
    assert_eq!(numbers, [Some(1.0), Some(2.0), Some(3.0)]);
}

#[test]
fn rounds_of_one_file_with_equal_results_are_distinguished_by_name_number_and_counts() {
    let side = r#"[{"id": "q", "expected": true, "predicted": true}]"#;
    let named = format!(r#"{{"baseline": {side}, "candidate": {side}}}"#);
    let numbered = r#"{"correct": 1, "total": 1, "results": [{"id": "q", "ok": true}],
        "history": [{"run": 1, "correct": 1, "total": 2}, {"run": 2, "correct": 1, "total": 2}]}"#;
    let counted = r#"[{"description": "d", "passed": 1, "total": 4},
        {"description": "d", "passed": 3, "total": 4}, {"description": "d", "passed": 3, "total": 4}]"#;
    let actual = workspace(&[
        RUN,
        ("a/trigger-results.json", &named),
        ("b/trigger-results.json", numbered),
        ("c/trigger-results.json", counted),
    ]);
    let rounds = actual.trigger_rounds.iter();
    let counts = |round: &TriggerRound| (round.passed.unwrap(), round.total.unwrap());
    let rounds: Vec<_> =
        rounds.map(|round| (round.name.as_deref(), round.number, counts(round))).collect();
    let expected = [
        (Some("baseline"), None, (1.0, 1.0)),
        (Some("candidate"), None, (1.0, 1.0)),
        (None, Some(1.0), (1.0, 2.0)),
        (None, Some(2.0), (1.0, 2.0)),
        (None, None, (1.0, 1.0)),
        (None, None, (1.0, 4.0)),
        (None, None, (3.0, 4.0)),
    ];
    assert_eq!(rounds, expected);
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

/// The subject of each review of the first iteration, as case and run.
fn reviewed(files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let actual = workspace(files);
    let iteration = &actual.iterations[0];
    let reviews = iteration.feedback.iter().flat_map(|feedback| &feedback.reviews);
    let about = reviews.map(|review| match review.about {
        About::Run { case, run } => {
            let run = &iteration.cases[case].runs[run];
            format!("{}/{}/{}", iteration.cases[case].folder, run.configuration, run.number)
        }
        About::Case { case } => iteration.cases[case].folder.clone(),
        About::Unknown => String::new(),
    });
    (about.collect(), problems(&actual))
}

#[test]
fn reviews_in_the_folder_of_a_case_or_run_are_about_it() {
    let runs = [
        ("iteration-1/a/with_skill/grading.json", GRADING),
        ("iteration-1/a/without_skill/run-1/grading.json", GRADING),
        ("iteration-1/a/without_skill/run-2/grading.json", GRADING),
        ("iteration-1/b/with_skill/grading.json", GRADING),
    ];
    let review =
        |id: &str| format!("{{\"reviews\": [{{\"run_id\": \"{id}\", \"feedback\": \"f\"}}]}}");
    let alone = || r#"{"feedback": "f"}"#.to_owned();
    let cases = [
        ("a", review("with_skill"), "a/with_skill/1"),
        ("a", review("without_skill/run-2"), "a/without_skill/2"),
        ("a", review("without_skill-run-2"), "a/without_skill/2"),
        ("a", review("b-with_skill"), "b/with_skill/1"),
        ("a", alone(), "a"),
        ("a", r#"[{"comment": "f"}]"#.to_owned(), "a"),
        ("a/with_skill", alone(), "a/with_skill/1"),
        ("a/without_skill", review("run-2"), "a/without_skill/2"),
        ("a/without_skill/run-2", alone(), "a/without_skill/2"),
        ("a/without_skill/run-2", review("a-without_skill-run-2"), "a/without_skill/2"),
    ];
    for (folder, text, about) in cases {
        let path = format!("iteration-1/{folder}/feedback.json");
        let files = [&runs[..], &[(&path, &text)]].concat();
        assert_eq!(reviewed(&files), (vec![about.to_owned()], vec![]), "{path} {text}");
    }
    let path = "iteration-1/a/with_skill/feedback.json";
    let nobody = review("nobody");
    let files = [&runs[..], &[(path, nobody.as_str())]].concat();
    let expected = (vec!["a/with_skill/1".to_owned()], vec![format!("unknown-run {path}")]);
    assert_eq!(reviewed(&files), expected, "a problem, and kept with its folder");
}

#[test]
fn reviews_may_name_case_and_configuration_apart() {
    let runs = [
        ("iteration-1/eval-1-rows/with_skill/run-1/grading.json", GRADING),
        ("iteration-1/eval-1-rows/with_skill/run-2/grading.json", GRADING),
        ("iteration-1/pdf/eval_metadata.json", r#"{"eval_id": "p", "eval_name": "Forms"}"#),
        ("iteration-1/pdf/with_skill/grading.json", GRADING),
    ];
    let cases = [
        (r#""eval_id": 1, "configuration": "with_skill", "run": 2"#, "eval-1-rows/with_skill/2"),
        (r#""eval_id": 1, "configuration": "With Skill""#, "eval-1-rows"),
        (r#""eval_id": 1"#, "eval-1-rows"),
        (r#""eval_name": "Forms", "configuration": "with_skill""#, "pdf/with_skill/1"),
        (r#""case": "p", "config": "with_skill""#, "pdf/with_skill/1"),
        (r#""run_id": "pdf", "eval_id": 1, "configuration": "with_skill""#, "pdf"),
    ];
    for (labels, about) in cases {
        let text = format!("{{\"reviews\": [{{{labels}, \"feedback\": \"f\"}}]}}");
        let files = [&runs[..], &[("iteration-1/feedback.json", text.as_str())]].concat();
        assert_eq!(reviewed(&files), (vec![about.to_owned()], vec![]), "{labels}");
    }
}

#[test]
fn problems_found_after_joining_have_a_line_and_a_column() {
    let grading = |before: &str| format!("{{{before}\n {}", &GRADING[1..]);
    let (run, other) = (grading(r#""run_number": 2,"#), grading(r#""config": "without_skill","#));
    let case = grading(r#""eval_id": 2,"#);
    let timed = grading(r#""timing": {"total_duration_seconds": 100},"#);
    let at_run = "iteration-1/a/with_skill/run-1/grading.json";
    let at_own = "iteration-1/a/with_skill/grading.json";
    let timing = "iteration-1/a/with_skill/timing.json";
    let scored = r#"{"results": [{"criterion": "c", "score": 4, "passed": true}]}"#;
    let history = "{\"versions\": [{\"version\": 0,\n \"average_score\": 2.0}]}";
    let summary = "{\"run_summary\":\n {\"with_skill\": {\"pass_rate\": {\"mean\": 0.9}}}}";
    let review = "{\"reviews\": [\n {\"run_id\": \"nobody\", \"feedback\": \"f\"}]}";
    let table: &[(&[(&str, &str)], &str)] = &[
        (&[(at_run, &run)], "case-contradicts 1:16"),
        (&[(at_own, &other)], "case-contradicts 1:12"),
        (
            &[
                ("iteration-1/eval-1/with_skill/grading.json", &case),
                ("iteration-1/eval-2/with_skill/grading.json", GRADING),
            ],
            "case-contradicts 1:13",
        ),
        (&[(at_own, &timed), (timing, r#"{"duration_ms": 1000}"#)], "timing-mismatch 1:12"),
        (&[("grading/a_v0_run1.json", scored), ("history.json", history)], "score-mean 2:19"),
        (&[RUN, ("iteration-1/benchmark.json", summary)], "benchmark-mismatch 2:17"),
        (&[RUN, ("iteration-1/feedback.json", review)], "unknown-run 2:13"),
        (&[RUN, ("iteration-1/feedback.json", "{\"nobody\":\n \"f\"}")], "unknown-run 2:2"),
    ];
    for (files, expected) in table {
        let actual = workspace(files);
        let places = actual.problems.iter().map(|problem| {
            let place = problem.place.map(|place| format!("{}:{}", place.line, place.column));
            format!("{} {}", problem.code.word(), place.unwrap_or_default())
        });
        assert_eq!(places.collect::<Vec<_>>(), [*expected], "{files:?}");
    }
}
