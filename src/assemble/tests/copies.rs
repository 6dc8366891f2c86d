//! Gradings beside each other: backups, copies, roll-ups, and what gives a run's numbers.

use super::{GRADING, only_run, problems, runs, workspace};

const OTHER: &str =
    r#"{"expectations": [{"text": "a", "passed": true}, {"text": "b", "passed": true}]}"#;

#[test]
fn no_backup_beats_the_grading_itself() {
    let beside = [
        "grading-old.json",
        "grading.backup.json",
        "grading (1).json",
        "grading copy.json",
        "grading-human.json",
        "grading-final.json",
        "Auto-grading.json",
    ];
    for name in beside {
        let path = format!("iteration-1/a/with_skill/{name}");
        let found =
            workspace(&[("iteration-1/a/with_skill/grading.json", GRADING), (&path, OTHER)]);
        assert_eq!(runs(&found), ["iteration-1/a/with_skill/1 1:1 2:0"], "{name}");
        assert_eq!(problems(&found), [format!("second-grading {path}")], "{name}");
        assert_eq!(only_run(&found).tally().failed, 1, "{name}");
    }
}

#[test]
fn a_folder_of_one_run_holds_one_run_whatever_its_number() {
    let graded = |label: &str| {
        format!("{{{label}, \"expectations\": [{{\"text\": \"a\", \"passed\": true}}]}}")
    };
    let timing = ("iteration-1/a/with_skill/timing.json", r#"{"total_tokens": 5}"#);
    for label in [r#""run": 2"#, r#""run": 0"#, r#""attempt": 3"#, r#""sample": "run-7""#] {
        for path in ["iteration-1/a/with_skill/grading.json", "iteration-1/a/grading.json"] {
            let outputs = ("iteration-1/a/with_skill/outputs/x.md", "x");
            let found = workspace(&[(path, &graded(label)), timing, outputs]);
            assert_eq!(runs(&found), ["iteration-1/a/with_skill/1 1:0"], "{label} {path}");
            let run = only_run(&found);
            assert_eq!((run.metrics.tokens, run.outputs.len()), (Some(5.0), 1), "{label}");
        }
    }
    let second = graded(r#""run": 2"#);
    let apart = [
        [("grading.json", graded(r#""run": 1"#)), ("grading-b.json", second.clone())],
        [("grading.json", GRADING.to_owned()), ("grading-b.json", second.clone())],
        [("run-1/grading.json", GRADING.to_owned()), ("grading.json", second)],
    ];
    for files in apart {
        let files = files.map(|(name, text)| (format!("iteration-1/a/with_skill/{name}"), text));
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let found = workspace(&files);
        assert_eq!(found.iterations[0].cases[0].runs.len(), 2, "{files:?}");
    }
}

#[test]
fn figures_of_another_number_are_of_the_folders_only_run() {
    let found = workspace(&[
        ("iteration-1/a/with_skill/grading.json", GRADING),
        ("iteration-1/a/with_skill/timing.json", r#"{"run": 2, "total_tokens": 5}"#),
    ]);
    assert_eq!(runs(&found), ["iteration-1/a/with_skill/1 1:1"]);
    assert_eq!(only_run(&found).metrics.tokens, Some(5.0));
}

#[test]
fn the_same_verdicts_from_another_folder_count_once() {
    let own = "iteration-1/eval-1/with_skill/grading.json";
    let inner = |before: &str| format!("{{{before}, {}", &GRADING[1..]);
    let copies = [
        (
            "iteration-1/grading_summary.json",
            format!("[{}]", inner(r#""eval_id": 1, "config": "with_skill""#)),
        ),
        (
            "iteration-1/grading-results.json",
            format!("{{\"eval-1\": {{\"with_skill\": {GRADING}}}}}"),
        ),
        ("iteration-1/eval-1/grading.json", format!("{{\"with_skill\": {GRADING}}}")),
        ("iteration-1/eval-1/grading-all.json", inner(r#""configuration": "with_skill""#)),
        ("iteration-1/eval-1/with_skill/outputs/grading.json", GRADING.to_owned()),
        (
            "grading.json",
            format!("{{\"iteration-1\": {{\"eval-1\": {{\"with_skill\": {GRADING}}}}}}}"),
        ),
    ];
    for (path, text) in &copies {
        let found = workspace(&[(own, GRADING), (path, text)]);
        assert_eq!(runs(&found), ["iteration-1/eval-1/with_skill/1 1:1"], "{path}");
        assert_eq!(problems(&found), [format!("duplicate-grading {path}")], "{path}");
        let other = workspace(&[(own, OTHER), (path, text)]);
        assert_eq!(runs(&other), ["iteration-1/eval-1/with_skill/1 2:0 1:1"], "{path}");
        assert_eq!(problems(&other), [format!("second-grading {path}")], "{path}");
    }
}

#[test]
fn the_same_verdicts_for_other_reasons_are_a_second_opinion() {
    let own = "iteration-1/a/with_skill/grading.json";
    for (evidence, count) in [("e", 1), ("another look", 2)] {
        let inner = GRADING.replace("\"e\"", &format!("{evidence:?}"));
        for (path, text) in [
            ("iteration-1/a/grading.json", format!("{{\"with_skill\": {inner}}}")),
            ("iteration-1/a/with_skill/outputs/grading.json", inner.clone()),
        ] {
            let found = workspace(&[(own, GRADING), (path, &text)]);
            assert_eq!(only_run(&found).gradings.len(), count, "{path} {evidence}");
        }
    }
}

#[test]
fn two_graders_who_agree_are_two() {
    let by = |grader: &str| format!("{{\"grader\": \"{grader}\", {}", &GRADING[1..]);
    let found = workspace(&[
        ("iteration-1/a/with_skill/grading.json", &by("x")),
        ("iteration-1/a/with_skill/outputs/grading.json", &by("y")),
    ]);
    assert_eq!(runs(&found), ["iteration-1/a/with_skill/1 1:1 1:1"]);
}

#[test]
fn a_grading_of_all_iterations_finds_them() {
    let text = format!(
        "{{\"iteration-1\": {{\"a\": {{\"with_skill\": {GRADING}}}}}, \
         \"Iteration 2\": {{\"a\": {{\"with_skill\": {OTHER}}}}}, \
         \"iteration-9\": {{\"a\": {{\"with_skill\": {OTHER}}}}}}}"
    );
    let found = workspace(&[
        ("grading.json", &text),
        ("iteration-1/a/with_skill/outputs/x.md", "x"),
        ("iteration-2/a/with_skill/outputs/x.md", "x"),
    ]);
    assert_eq!(
        runs(&found),
        [
            "iteration-1/a/with_skill/1 1:1",
            "iteration-2/a/with_skill/1 2:0",
            "iteration-9/a/with_skill/1 2:0"
        ]
    );
}
