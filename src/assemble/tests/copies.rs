//! Gradings beside each other: backups, copies, roll-ups, and the source of a run's numbers.

use super::{GRADING, only_case, only_run, problems, runs, workspace};

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
        let actual =
            workspace(&[("iteration-1/a/with_skill/grading.json", GRADING), (&path, OTHER)]);
        assert_eq!(runs(&actual), ["iteration-1/a/with_skill/1 1:1 2:0"], "{name}");
        assert_eq!(problems(&actual), [format!("second-grading {path}")], "{name}");
        assert_eq!(only_run(&actual).tally().failed, 1, "{name}");
    }
}

#[test]
fn a_merged_grading_gives_the_numbers_and_its_parts_are_opinions() {
    let actual = workspace(&[
        ("iteration-1/a/with_skill/grading-1.json", OTHER),
        ("iteration-1/a/with_skill/grading-2.json", OTHER),
        ("iteration-1/a/with_skill/grading.json", GRADING),
        ("iteration-1/a/with_skill/timing.json", r#"{"total_tokens": 5}"#),
        ("iteration-1/a/with_skill/outputs/x.md", "x"),
    ]);
    assert_eq!(runs(&actual), ["iteration-1/a/with_skill/1 1:1 2:0 2:0"]);
    let opinions =
        [1, 2].map(|n| format!("second-grading iteration-1/a/with_skill/grading-{n}.json"));
    assert_eq!(problems(&actual), opinions);
    let run = only_run(&actual);
    assert_eq!((run.tally().failed, run.metrics.tokens, run.outputs.len()), (1, Some(5.0), 1));
}

#[test]
fn a_folder_of_one_run_holds_one_run_under_any_number() {
    let graded = |label: &str| {
        format!("{{{label}, \"expectations\": [{{\"text\": \"a\", \"passed\": true}}]}}")
    };
    let timing = ("iteration-1/a/with_skill/timing.json", r#"{"total_tokens": 5}"#);
    for label in [r#""run": 2"#, r#""run": 0"#, r#""attempt": 3"#, r#""sample": "run-7""#] {
        for path in ["iteration-1/a/with_skill/grading.json", "iteration-1/a/grading.json"] {
            let outputs = ("iteration-1/a/with_skill/outputs/x.md", "x");
            let actual = workspace(&[(path, &graded(label)), timing, outputs]);
            assert_eq!(runs(&actual), ["iteration-1/a/with_skill/1 1:0"], "{label} {path}");
            let run = only_run(&actual);
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
        let actual = workspace(&files);
        assert_eq!(actual.iterations[0].cases[0].runs.len(), 2, "{files:?}");
    }
}

#[test]
fn figures_of_another_number_are_of_the_folders_only_run() {
    let actual = workspace(&[
        ("iteration-1/a/with_skill/grading.json", GRADING),
        ("iteration-1/a/with_skill/timing.json", r#"{"run": 2, "total_tokens": 5}"#),
    ]);
    assert_eq!(runs(&actual), ["iteration-1/a/with_skill/1 1:1"]);
    assert_eq!(only_run(&actual).metrics.tokens, Some(5.0));
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
        let actual = workspace(&[(own, GRADING), (path, text)]);
        assert_eq!(runs(&actual), ["iteration-1/eval-1/with_skill/1 1:1"], "{path}");
        assert_eq!(problems(&actual), [format!("duplicate-grading {path}")], "{path}");
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
            let actual = workspace(&[(own, GRADING), (path, &text)]);
            assert_eq!(only_run(&actual).gradings.len(), count, "{path} {evidence}");
        }
    }
}

#[test]
fn two_graders_who_agree_are_two() {
    let by = |grader: &str| format!("{{\"grader\": \"{grader}\", {}", &GRADING[1..]);
    let actual = workspace(&[
        ("iteration-1/a/with_skill/grading.json", &by("x")),
        ("iteration-1/a/with_skill/outputs/grading.json", &by("y")),
    ]);
    assert_eq!(runs(&actual), ["iteration-1/a/with_skill/1 1:1 1:1"]);
}

#[test]
fn a_grading_of_all_iterations_finds_them() {
    let text = format!(
        "{{\"iteration-1\": {{\"a\": {{\"with_skill\": {GRADING}}}}}, \
         \"Iteration 2\": {{\"a\": {{\"with_skill\": {OTHER}}}}}, \
         \"iteration-9\": {{\"a\": {{\"with_skill\": {OTHER}}}}}}}"
    );
    let actual = workspace(&[
        ("grading.json", &text),
        ("iteration-1/a/with_skill/outputs/x.md", "x"),
        ("iteration-2/a/with_skill/outputs/x.md", "x"),
    ]);
    assert_eq!(
        runs(&actual),
        [
            "iteration-1/a/with_skill/1 1:1",
            "iteration-2/a/with_skill/1 2:0",
            "iteration-9/a/with_skill/1 2:0"
        ]
    );
}

/// A case at `folder` with `metadata`, its grading at `run` and a time of `seconds`.
fn case_at(folder: &str, metadata: &str, run: &str, seconds: u32) -> Vec<(String, String)> {
    let at = |name: &str| format!("iteration-1/{folder}/{name}");
    let timing = format!("{{\"total_duration_seconds\": {seconds}}}");
    vec![
        (at("eval_metadata.json"), metadata.to_owned()),
        (at(&format!("with_skill/{run}grading.json")), GRADING.to_owned()),
        (at(&format!("with_skill/{run}timing.json")), timing),
    ]
}

fn workspace_from(files: &[(String, String)]) -> crate::model::Workspace {
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    workspace(&files)
}

#[test]
fn a_copy_of_a_case_in_another_folder_counts_once() {
    let metadata = r#"{"eval_id": 1, "eval_name": "rows", "prompt": "P"}"#;
    let mut files = case_at("eval-1", metadata, "run-1/", 9);
    files.extend(case_at("rows", metadata, "", 9));
    files.push(("iteration-1/rows/with_skill/outputs/page.html".to_owned(), "x".to_owned()));
    let actual = workspace_from(&files);
    assert_eq!(runs(&actual), ["iteration-1/rows/with_skill/1 1:1"]);
    let reported = ["duplicate-grading iteration-1/eval-1/with_skill/run-1/grading.json"];
    assert_eq!(problems(&actual), reported);
    let case = only_case(&actual);
    assert_eq!((case.name.as_str(), case.prompt.as_deref()), ("rows", Some("P")));
    assert_eq!((actual.totals().cases, actual.iterations[0].totals().cases), (1, 1));
    let run = only_run(&actual);
    assert_eq!((run.outputs.len(), run.metrics.duration_s), (1, Some(9.0)));
}

#[test]
fn files_that_only_a_copy_of_a_case_has_are_kept() {
    let metadata = r#"{"eval_id": 1}"#;
    let mut files = case_at("eval-1", metadata, "", 9);
    files.extend(case_at("rows", metadata, "", 9));
    for path in ["eval-1/with_skill/outputs/a.md", "rows/with_skill/outputs/a.md"] {
        files.push((format!("iteration-1/{path}"), "x".to_owned()));
    }
    files.push(("iteration-1/rows/with_skill/outputs/b.md".to_owned(), "x".to_owned()));
    files.push(("iteration-1/eval-1/baseline/grading.json".to_owned(), OTHER.to_owned()));
    let actual = workspace_from(&files);
    let both = ["iteration-1/rows/baseline/1 2:0", "iteration-1/rows/with_skill/1 1:1"];
    assert_eq!(runs(&actual), both);
    let outputs = &only_case(&actual).runs[1].outputs;
    let names: Vec<&str> = outputs.iter().map(|output| output.name.as_str()).collect();
    assert_eq!(names, ["a.md", "b.md"]);
    let ignored: Vec<&str> = actual.ignored.iter().map(|ignored| ignored.path.as_str()).collect();
    assert_eq!(ignored, ["iteration-1/eval-1/with_skill/outputs/a.md"]);
}

#[test]
fn other_runs_of_a_case_in_another_folder_are_kept_and_reported() {
    let metadata = r#"{"eval_id": 1, "eval_name": "rows", "prompt": "P"}"#;
    let unnamed = r#"{"eval_id": 1}"#;
    for (second, name) in [(metadata, "eval-1"), (unnamed, "rows")] {
        let mut files = case_at("eval-1", metadata, "", 9);
        files.extend(case_at("rows-again", second, "", 10));
        let actual = workspace_from(&files);
        assert_eq!(runs(&actual).len(), 2, "{second}");
        let reported = ["case-contradicts iteration-1/rows-again/eval_metadata.json"];
        assert_eq!(problems(&actual), reported, "{second}");
        assert_eq!((actual.totals().cases, actual.iterations[0].cases.len()), (2, 2), "{second}");
        assert_eq!(actual.iterations[0].cases[0].name, name, "{second}");
    }
}

#[test]
fn verdicts_alone_do_not_make_a_copy_of_a_case() {
    let bare = r#"{"expectations": [{"text": "a", "passed": true}]}"#;
    for (evidence, count) in [
        ("", 2),
        (r#", "evidence": "line 3""#, 2),
        (r#", "evidence": "line 3 of the table has the name of the bed""#, 1),
    ] {
        let grading = bare.replace("true", &format!("true{evidence}"));
        let files: Vec<_> = ["a", "b"]
            .iter()
            .flat_map(|folder| {
                let metadata = r#"{"eval_id": 1}"#.to_owned();
                let folder = format!("iteration-1/{folder}");
                [
                    (format!("{folder}/eval_metadata.json"), metadata),
                    (format!("{folder}/with_skill/grading.json"), grading.clone()),
                ]
            })
            .collect();
        assert_eq!(runs(&workspace_from(&files)).len(), count, "{evidence}");
    }
}

#[test]
fn copies_with_other_ids_or_prompts_are_cases_of_their_own() {
    let metadata = r#"{"eval_id": 1, "eval_name": "rows", "prompt": "P"}"#;
    for (from, to) in [("\"P\"", "\"Q\""), ("1", "2")] {
        let mut files = case_at("a", metadata, "", 9);
        files.extend(case_at("b", &metadata.replace(from, to), "", 9));
        assert_eq!(runs(&workspace_from(&files)).len(), 2, "{to}");
    }
}
