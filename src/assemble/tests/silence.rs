//! What looks like results, or like a name with a typing error, is never passed over in silence.

use super::{GRADING, problems, runs, workspace};
use crate::model::{LoadingState, Outcome, Workspace};

const PLAN: &str = r#"{"evals": [{"id": 1, "prompt": "P", "expectations": ["a", "b", "c"]}]}"#;

fn names(workspace: &Workspace) -> Vec<&str> {
    workspace.iterations.iter().map(|iteration| iteration.name.as_str()).collect()
}

/// The help of the only problem with this code.
fn help<'w>(workspace: &'w Workspace, code: &str) -> &'w str {
    let mut found = workspace.problems.iter().filter(|problem| problem.code.word() == code);
    let (Some(problem), None) = (found.next(), found.next()) else { panic!("one {code}") };
    problem.help.as_deref().unwrap_or_default()
}

#[test]
fn planned_checks_without_a_verdict_are_a_problem() {
    let path = "iteration-1/eval-1/with_skill/grading.json";
    let partial = workspace(&[("evals.json", PLAN), (path, GRADING)]);
    assert_eq!(problems(&partial), [format!("never-graded {path}")]);
    assert_eq!(partial.iterations[0].cases[0].runs[0].unjudged(), 1);
    // A grader with statements of its own follows another plan.
    let other = GRADING.replace("\"b\"", "\"x\"");
    assert_eq!(problems(&workspace(&[("evals.json", PLAN), (path, &other)])), [""; 0]);
}

#[test]
fn a_plan_says_what_an_id_means() {
    let plan = r#"{"evals": [{"id": "a", "prompt": "P", "assertions": [
        {"id": "x", "check": "tool_invocation_matches", "pattern": "Read"},
        {"id": "y", "check": "tool_invocation_matches", "pattern": "rm", "negate": true},
        {"id": "z", "rubric": "Is the reason given?"}]}]}"#;
    let graded = r#"{"assertion_results": [
        {"id": "x", "passed": true, "evidence": "e", "grader": "g", "confidence": 1},
        {"id": "y", "passed": false, "evidence": "e", "grader": "g", "confidence": 1},
        {"id": "z", "passed": true, "evidence": "e", "grader": "g", "confidence": 1}]}"#;
    let path = "iteration-1/eval-a/with_skill/grading.json";
    let actual = workspace(&[("evals.json", plan), (path, graded)]);
    let found = actual.iterations[0].cases[0].runs[0].expectations();
    let texts: Vec<&str> = found.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts, ["x: Read", "y: not rm", "Is the reason given?"]);
    assert_eq!(problems(&actual), [""; 0]);
}

#[test]
fn an_overall_verdict_that_contradicts_the_checks_is_a_problem() {
    for (field, reported) in [
        (r#""overall_passed": true"#, 1),
        (r#""overall_verdict": "FAIL""#, 0),
        (r#""verdict": "keep""#, 0),
    ] {
        let text = GRADING.replacen('{', &format!("{{{field}, "), 1);
        let actual = workspace(&[("iteration-1/a/with_skill/grading.json", &text)]);
        assert_eq!(problems(&actual).len(), reported, "{field}");
    }
}

#[test]
fn typing_errors_are_asked_about() {
    let at = |name: &str| format!("iteration-1/a/with_skill/{name}");
    let evidence = GRADING.replace("evidence", "evidnce");
    let table = [
        ("timing.json", r#"{"total_token": 5, "duraton_ms": 4}"#, "unknown-shape", "total_tokens"),
        ("gradings.json", GRADING, "near-miss", "grading.json"),
        ("grading-old.json", &evidence, "near-miss", "evidence"),
    ];
    for (name, text, code, meant) in table {
        let actual = workspace(&[(&at("grading.json"), GRADING), (&at(name), text)]);
        assert!(help(&actual, code).starts_with(&format!("did you mean `{meant}`")), "{name}");
    }
    let sides = ["a/with_skill", "a/without_skill", "b/With-Skil", "b/without_skill"];
    let paths = sides.map(|side| format!("iteration-1/{side}/grading.json"));
    let files: Vec<_> = paths.iter().map(|path| (path.as_str(), GRADING)).collect();
    assert_eq!(help(&workspace(&files), "near-miss"), "did you mean `with_skill`?");
    let outputs = [(at("grading.json"), GRADING), (at("outputs/timing.json"), "{}")];
    let files: Vec<_> = outputs.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    assert_eq!(problems(&workspace(&files)), [""; 0]);
}

#[test]
fn results_under_any_name_are_read_or_named() {
    let answers = r#"[{"id": 1, "trigger": true}, {"id": 2, "trigger": false}]"#;
    let sums = r#"{"scenarios": {"a": {"with_skill": {"passed": 3, "total": 4}}}}"#;
    let table = [
        ("iteration-1/judge_a.json", answers, "results-not-read iteration-1/judge_a.json"),
        (
            "iteration-1/eval_summary.json",
            GRADING,
            "results-not-read iteration-1/eval_summary.json",
        ),
        ("iteration-1/notes.json", r#"{"passed": "by"}"#, ""),
        ("iteration-1/benchmark.json", sums, ""),
        (
            "iteration-1/benchmark.json",
            r#"{"skill": "s", "x": {"accuracy": 1.0}}"#,
            "results-not-read iteration-1/benchmark.json",
        ),
    ];
    for (path, text, problem) in table {
        let actual = workspace(&[("iteration-1/a/with_skill/outputs/x.md", "x"), (path, text)]);
        assert_eq!(problems(&actual).join(" "), problem, "{path} {text}");
    }
    // What a kept grading has too is no news.
    let graded = ("iteration-1/a/with_skill/grading.json", GRADING);
    assert_eq!(
        problems(&workspace(&[graded, ("iteration-1/eval_summary.json", GRADING)])),
        [""; 0]
    );
    let rounds = r#"{"history": [{"iteration": 1, "results": [
        {"query": "q", "should_trigger": true, "trigger_rate": 0.5, "pass": false},
        {"query": "r", "should_trigger": false, "trigger_rate": 0.0, "pass": true}]}]}"#;
    let actual = workspace(&[("2026-03-01_101500/results.json", rounds)]);
    let round = &actual.trigger_rounds[0];
    assert_eq!((round.passed, round.precision, round.recall), (Some(1.0), Some(1.0), Some(0.5)));
}

#[test]
fn names_with_case_and_configuration_are_runs() {
    let graded = "evals/baseline/grading/a__with_skill.json";
    assert_eq!(runs(&workspace(&[(graded, GRADING)])), ["ws/a/with_skill/1 1:1"]);
    for (name, iteration) in [
        ("iteration-1/grading/a--with_skill.json", "iteration-1"),
        ("results/a__with_skill__r1.json", "ws"),
    ] {
        let run = format!("{iteration}/a/with_skill/1 1:1");
        assert_eq!(runs(&workspace(&[(name, GRADING)])), [run], "{name}");
    }
    let rounds = ["eval-run-9", "eval-run-10"];
    let files = rounds.map(|round| format!("results/{round}/tea/with_skill/grading.json"));
    let files: Vec<_> = files.iter().map(|path| (path.as_str(), GRADING)).collect();
    assert_eq!(names(&workspace(&files)), rounds);
    let left = workspace(&[("iteration-1/eval-1-with_skill/output.md", "x")]);
    assert_eq!(runs(&left), ["iteration-1/eval-1/with_skill/1"]);
}

#[test]
fn a_benchmark_of_another_skill_names_nothing() {
    let benchmark = r#"{"skill_name": "seo", "runs": [{"eval_id": 0, "configuration": "with_skill",
        "expectations": [{"text": "other", "passed": true}]}]}"#;
    let graded = ("iteration-1/a/with_skill/grading.json", GRADING);
    let actual = workspace(&[graded, ("iteration-1/benchmark.json", benchmark)]);
    assert_eq!(problems(&actual), ["unrelated-benchmark iteration-1/benchmark.json"]);
    assert_eq!((actual.skill, actual.iterations[0].benchmarks.len()), (None, 0));
}

#[test]
fn rounds_are_ordered_by_time_and_never_by_commit() {
    let rounds = ["b/1dccccc", "b/93bbbbb", "b/f10aaaa"];
    let graded = rounds.map(|round| (format!("{round}/eval-1/grading.json"), GRADING.to_owned()));
    let dated = |round: &str, day: u32| {
        let text =
            format!(r#"{{"metadata": {{"skill_name": "ws", "timestamp": "2026-03-0{day}"}}}}"#);
        (format!("{round}/benchmark.json"), text)
    };
    let pointer = ("b/latest".to_owned(), "93bbbbb\n".to_owned());
    let table = [
        (vec![], "1dccccc 93bbbbb f10aaaa", 1),
        // The newest is known, and not which of the others was the one before it.
        (vec![pointer], "1dccccc f10aaaa 93bbbbb", 1),
        (
            vec![dated(rounds[0], 3), dated(rounds[1], 2), dated(rounds[2], 1)],
            "f10aaaa 93bbbbb 1dccccc",
            0,
        ),
    ];
    for (more, expected, reported) in table {
        let files: Vec<_> = graded.iter().chain(&more).map(|(p, t)| (&p[..], &t[..])).collect();
        let actual = workspace(&files);
        assert_eq!(
            (names(&actual).join(" ").as_str(), problems(&actual).len()),
            (expected, reported)
        );
        assert_eq!(actual.iterations[0].is_unordered, reported == 1);
    }
    // A round in a folder of its own is later, if its files say so.
    let numbered = ["batch/iteration-1", "iteration-1", "iteration-2"];
    for (days, expected) in [
        ([3, 1, 2], "iteration-1 iteration-2 batch/iteration-1"),
        ([1, 2, 3], "batch/iteration-1 iteration-1 iteration-2"),
    ] {
        let mut files = vec![];
        for (round, day) in numbered.iter().zip(days) {
            files.push((format!("{round}/eval-1/with_skill/grading.json"), GRADING.to_owned()));
            files.push(dated(round, day));
        }
        let files: Vec<_> = files.iter().map(|(p, t)| (&p[..], &t[..])).collect();
        assert_eq!(names(&workspace(&files)).join(" "), expected);
    }
    let dated = ["z/2026-06-28T09-30-00", "a/2026-07-04T18-05-00"];
    let files = dated.map(|round| format!("{round}/case/with_skill/grading.json"));
    let files: Vec<_> = files.iter().map(|path| (path.as_str(), GRADING)).collect();
    assert_eq!(names(&workspace(&files)), dated);
}

#[test]
fn gradings_and_transcripts_say_whether_the_skill_was_there() {
    let path = "iteration-1/a/without_skill/grading.json";
    for field in [
        r#""skill_loaded": true"#,
        r#""skillLoaded": true"#,
        r#""meta_summary": {"skill_invoked": true}"#,
    ] {
        let text = GRADING.replacen('{', &format!("{{{field}, "), 1);
        let actual = workspace(&[(path, &text)]);
        assert_eq!(actual.iterations[0].cases[0].runs[0].loading.state, LoadingState::Loaded);
        assert_eq!(problems(&actual), [format!("baseline-loaded {path}")], "{field}");
    }
    let record = r#"{"type": "assistant", "message": {"model": "m-1", "content": [{"type": "tool_use",
        "id": "t", "name": "Read", "input": {"file_path": "/r/skills/s/evals/evals.json"}}]}}"#;
    let transcript = "iteration-1/a/without_skill/transcript.jsonl";
    let actual = workspace(&[(path, GRADING), (transcript, &record.replace('\n', " "))]);
    assert_eq!(problems(&actual), [format!("answer-key-read {transcript}")]);
    assert_eq!(actual.iterations[0].cases[0].runs[0].metrics.model.as_deref(), Some("m-1"));
}

#[test]
fn tokens_of_all_models_count_and_lost_runs_do_not() {
    let timing = r#"{"usage": {"input_tokens": 100, "output_tokens": 100}, "modelUsage": {
        "big": {"inputTokens": 100, "outputTokens": 100, "costUSD": 0.01},
        "small": {"inputTokens": 3000, "outputTokens": 3000, "costUSD": 0.06}}}"#;
    let graded = ("iteration-1/a/with_skill/grading.json", GRADING);
    let actual = workspace(&[graded, ("iteration-1/a/with_skill/timing.json", timing)]);
    assert_eq!(actual.iterations[0].cases[0].runs[0].metrics.tokens, Some(6200.0));
    let state = r#"{"total_tokens": 5, "status": "crashed"}"#;
    let actual = workspace(&[graded, ("iteration-1/a/with_skill/timing.json", state)]);
    let run = &actual.iterations[0].cases[0].runs[0];
    assert_eq!((run.is_lost(), run.tally().graded()), (true, 0));
}

#[test]
fn runs_that_measured_nothing_count_in_no_rate() {
    let at = |side: &str, name: &str| format!("iteration-1/a/{side}/{name}");
    let unverifiable = r#"{"expectations": [
        {"text": "a", "passed": false, "evidence": "Unverifiable: no output"}]}"#;
    let cost = r#"{"total_tokens": 500, "duration_ms": 9000}"#;
    let lost = |more: &[(&str, &str)]| {
        let mut files = vec![
            (at("with_skill", "grading.json"), GRADING),
            (at("with_skill", "timing.json"), cost),
            (at("old_skill", "grading.json"), GRADING),
            (at("old_skill", "timing.json"), cost),
        ];
        files.extend(more.iter().map(|(name, text)| (at("without_skill", name), *text)));
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        let actual = workspace(&files);
        let run = actual.iterations[0].runs().last().expect("a run");
        (run.is_lost(), run.expectations()[0].outcome == Outcome::Ungraded)
    };
    let answer = ("outputs/output.txt", "ERROR: 529 overloaded");
    let zero = ("timing.json", r#"{"total_tokens": 0, "duration_ms": 90}"#);
    assert_eq!(lost(&[("grading.json", GRADING), answer, zero]), (true, true));
    assert_eq!(lost(&[("grading.json", unverifiable)]), (true, true));
    // What an answer costs was an answer, and what left a file ran.
    assert_eq!(lost(&[("grading.json", GRADING), answer, ("timing.json", cost)]), (false, false));
    assert_eq!(lost(&[("grading.json", unverifiable), ("outputs/a.md", "a")]), (false, false));
    assert_eq!(lost(&[("grading.json", GRADING)]), (false, false));
}

#[test]
fn judges_answer_by_the_ids_of_queries() {
    let asked = r#"[{"id": 1, "query": "make tea", "should_trigger": true},
        {"id": 2, "query": "walk", "should_trigger": false}]"#;
    let answers = r#"[{"id": 1, "trigger": true}, {"id": 2, "trigger": true}]"#;
    let judge = ("iteration-1/judge_a.json", answers);
    for name in ["evals/trigger_eval.json", "evals/queries.json"] {
        let actual = workspace(&[(name, asked), judge]);
        let [round] = &actual.trigger_rounds[..] else { panic!("one round") };
        assert_eq!((round.passed, round.total), (Some(1.0), Some(2.0)));
        assert_eq!(round.queries[0].query, "make tea");
    }
    let unknown = r#"[{"id": 7, "trigger": true}, {"id": 2, "trigger": true}]"#;
    let actual = workspace(&[
        ("evals/trigger_eval.json", asked),
        ("iteration-1/judge_a.json", unknown),
        ("iteration-1/a/with_skill/grading.json", GRADING),
    ]);
    assert_eq!(problems(&actual), ["results-not-read iteration-1/judge_a.json"]);
}

#[test]
fn copies_of_a_group_are_dropped_all_or_none() {
    let graded = |passed: [bool; 2]| {
        let [first, second] = passed;
        format!(
            r#"{{"expectations": [
                {{"text": "a", "passed": {first}, "evidence": "the first row has the total of 12"}},
                {{"text": "b", "passed": {second}, "evidence": "the second row has none at all"}}]}}"#
        )
    };
    let table = [(graded([true, false]), 2), (graded([false, true]), 4)];
    for (second, runs_left) in table {
        let first = graded([true, false]);
        let actual = workspace(&[
            ("iteration-1/eval-1/with_skill/grading.json", &first),
            ("iteration-1/eval-2/with_skill/grading.json", &graded([true, false])),
            ("iteration-1/raw/eval-1/with_skill/grading.json", &first),
            ("iteration-1/raw/eval-2/with_skill/grading.json", &second),
        ]);
        assert_eq!(runs(&actual).len(), runs_left);
    }
}

#[test]
fn test_reports_and_tables_of_results_are_named_where_nothing_else_is() {
    let output = ("iteration-1/eval-1/with_skill/outputs/a.md", "done");
    let graded = ("iteration-1/eval-2/with_skill/grading.json", GRADING);
    let junit = r#"<testsuite name="s"><testcase name="t"/></testsuite>"#;
    for (path, text, is_result) in [
        ("junit.xml", junit, true),
        ("iteration-1/report.csv", "Test ID;Result\na;ok\n", true),
        ("iteration-1/stock.csv", "item,price\na,1\n", false),
        ("iteration-1/feed.xml", "<rss/>", false),
    ] {
        let named = [format!("results-not-read {path}")];
        let expected = if is_result { &named[..] } else { &[] };
        assert_eq!(problems(&workspace(&[output, (path, text)])), expected);
        // Beside verdicts it repeats them.
        assert_eq!(problems(&workspace(&[output, graded, (path, text)])), [""; 0]);
    }
}
