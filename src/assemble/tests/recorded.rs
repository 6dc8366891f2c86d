//! Verdicts that only a recorded benchmark has.

use super::{GRADING, problems, runs, workspace};

const BENCHMARK: &str = r#"{"metadata": {"skill_name": "pdf"}, "runs": [
    {"eval_id": 0, "eval_name": "rows", "configuration": "with_skill", "run_number": 1,
        "result": {"time_seconds": 40.5, "tokens": 20000},
        "expectations": [{"text": "a", "passed": true}, {"text": "b", "passed": true}]},
    {"eval_id": 0, "eval_name": "rows", "configuration": "without_skill", "run_number": 1,
        "expectations": [{"text": "a", "passed": true}, {"text": "b", "passed": false}]}]}"#;

#[test]
fn verdicts_of_a_benchmark_count_where_no_grading_is_left() {
    let outputs = [
        ("iteration-1/eval-0/with_skill/outputs/x.md", "x"),
        ("iteration-1/eval-0/without_skill/outputs/x.md", "x"),
    ];
    let graded = ("iteration-1/eval-0/with_skill/grading.json", GRADING);
    let evals = ("evals.json", r#"{"evals": [{"id": 0, "prompt": "P"}]}"#);
    let benchmark = ("iteration-1/benchmark.json", BENCHMARK);
    let recorded = |folder: &str| {
        let line = |side: &str| format!("iteration-1/{folder}/{side}");
        vec![line("with_skill/1 2:0"), line("without_skill/1 1:1")]
    };
    let table = [
        (vec![benchmark, evals], recorded("rows"), (0, 4)),
        // The folder of the case has its number, not its name.
        ([&outputs[..], &[benchmark]].concat(), recorded("eval-0"), (0, 4)),
        (vec![graded, benchmark], vec!["iteration-1/eval-0/with_skill/1 1:1".to_owned()], (2, 0)),
    ];
    for (files, expected, counts) in table {
        let actual = workspace(&files);
        assert_eq!(runs(&actual), expected, "{files:?}");
        let totals = actual.totals();
        assert_eq!((totals.tally.total(), totals.recorded.total()), counts, "{files:?}");
        let case = &actual.iterations[0].cases[0];
        assert_eq!(case.prompt.is_some(), files.contains(&evals), "{files:?}");
        if counts.1 > 0 {
            assert_eq!(problems(&actual), [""; 0], "{files:?}");
            let metrics = &case.runs[0].metrics;
            assert_eq!((metrics.duration_s, metrics.tokens), (Some(40.5), Some(20000.0)));
        }
    }
}

#[test]
fn a_second_benchmark_adds_only_other_runs() {
    let path = "iteration-1/benchmark-lite.json";
    let other = BENCHMARK.replace("\"passed\": false", "\"passed\": true");
    let repeat = BENCHMARK.replace("\"run_number\": 1", "\"run_number\": 2");
    for (second, number, reported) in [(BENCHMARK, 2, 0), (&other, 2, 1), (&repeat, 4, 0)] {
        let actual = workspace(&[(path, second), ("iteration-1/benchmark.json", BENCHMARK)]);
        assert_eq!((runs(&actual).len(), problems(&actual).len()), (number, reported), "{second}");
        assert_eq!(
            actual.iterations[0].cases[0].runs.last().map(|run| run.tally().passed),
            Some(1)
        );
    }
}

#[test]
fn a_benchmark_above_iterations_is_about_one_of_them() {
    let actual = workspace(&[
        ("benchmark.json", BENCHMARK),
        ("iteration-1/eval-0/with_skill/outputs/x.md", "x"),
    ]);
    assert_eq!(actual.totals().recorded.total(), 0);
    let alone = workspace(&[("benchmark.json", BENCHMARK)]);
    assert_eq!(alone.totals().recorded.total(), 4);
}
