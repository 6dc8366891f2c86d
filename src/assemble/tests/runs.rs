//! Runs: copies, second gradings, roll-ups, labels, numbers.

use super::{GRADING, check, only_run, problems, runs, workspace};

const OTHER: &str =
    r#"{"expectations": [{"text": "a", "passed": true}, {"text": "b", "passed": true}]}"#;

#[test]
fn a_round_in_a_file_name_comes_after_unnumbered_files() {
    let actual = workspace(&[
        ("evals/eval-0-a.metadata.json", r#"{"eval_id": 0, "eval_name": "a", "prompt": "P"}"#),
        ("evals/eval-0-a.with_skill.grading.json", GRADING),
        ("evals/eval-0-a.iter2.grading.json", GRADING),
    ]);
    assert_eq!(runs(&actual), ["ws/eval-0-a/with_skill/1 1:1", "iter2/eval-0-a/unnamed/1 1:1"]);
    let prompts = actual
        .iterations
        .iter()
        .flat_map(|iteration| &iteration.cases)
        .map(|case| case.prompt.as_deref());
    assert_eq!(prompts.collect::<Vec<_>>(), [Some("P"), Some("P")]);
}

#[test]
fn results_are_gradings_where_nothing_else_is() {
    let sides = r#""baseline": {"assertions": [{"text": "t", "passed": false}]},
        "with_skill": {"assertions": [{"text": "t", "passed": true}]}"#;
    let results = format!(r#"[{{"id": "a", {sides}}}, {{"id": "b", {sides}}}]"#);
    let actual = workspace(&[("evals/results.json", &results)]);
    let expected =
        ["a/baseline/1 0:1", "a/with_skill/1 1:0", "b/baseline/1 0:1", "b/with_skill/1 1:0"];
    assert_eq!(runs(&actual), expected.map(|run| format!("ws/{run}")));
    assert_eq!((problems(&actual), actual.ignored.len()), (vec![], 0));
    let graded = ("iteration-1/a/with_skill/grading.json", GRADING);
    let actual = workspace(&[graded, ("evals/results.json", &results)]);
    assert_eq!(runs(&actual).len(), 1);
    assert_eq!(problems(&actual), ["results-not-read evals/results.json"]);
    for other in [r#"[{"query": "q", "pass": true}]"#, "{"] {
        let metadata = ("iteration-1/a/eval_metadata.json", r#"{"prompt": "p"}"#);
        let actual = workspace(&[metadata, ("iteration-1/results.json", other)]);
        assert_eq!(
            (runs(&actual).len(), problems(&actual), actual.ignored.len()),
            (0, vec![], 1),
            "{other}"
        );
    }
}

#[test]
fn a_copy_in_run_1_counts_once() {
    let actual = workspace(&[
        ("iteration-1/a/with_skill/grading.json", GRADING),
        ("iteration-1/a/with_skill/run-1/grading.json", GRADING),
        ("iteration-1/a/with_skill/outputs/x.md", "x"),
    ]);
    assert_eq!(runs(&actual), ["iteration-1/a/with_skill/1 1:1"]);
    assert_eq!(problems(&actual), ["duplicate-grading iteration-1/a/with_skill/grading.json"]);
    let run = only_run(&actual);
    assert_eq!((run.path.as_str(), run.outputs.len()), ("iteration-1/a/with_skill/run-1", 1));
}

#[test]
fn gradings_find_their_runs() {
    check(GRADINGS);
}

/// Where the gradings of real workspaces lie, and the runs and problems that they become.
const GRADINGS: &str = r#"another grading of a run is a second opinion, and the closest gives the numbers
        iteration-1/a/with_skill/grading.json pp
        iteration-1/a/with_skill/run-1/grading.json
        > iteration-1/a/with_skill/1 1:1 2:0
        ! second-grading iteration-1/a/with_skill/grading.json

        a grading above several configurations belongs to none
        iteration-1/a/grading.json
        iteration-1/a/with_skill/outputs/x.md
        iteration-1/a/without_skill/outputs/x.md
        > iteration-1/a/unassigned/1 1:1
        > iteration-1/a/with_skill/1
        > iteration-1/a/without_skill/1
        ! unassigned-grading iteration-1/a/grading.json

        a grading above its only configuration is its own
        iteration-1/a/grading.json
        iteration-1/a/with_skill/outputs/x.md
        > iteration-1/a/with_skill/1 1:1

        groups below an iteration keep runs apart
        iteration-1/first/eval-1/grading.json {"with_skill": [{"text": "a", "passed": true}], "without_skill": [{"text": "a", "passed": false}]}
        iteration-1/second/eval-1/grading.json
        iteration-1/second/eval-1/outputs/x.md
        > iteration-1/eval-1/first/with_skill/1 1:0
        > iteration-1/eval-1/first/without_skill/1 0:1
        > iteration-1/eval-1/second/1 1:1

        a configuration that left only a response is an ungraded run
        iteration-1/a/with_skill/grading.json
        iteration-1/a/without_skill/response.md
        iteration-1/timing_summary.json {"total_tokens": 5}
        > iteration-1/a/with_skill/1 1:1
        > iteration-1/a/without_skill/1
        ! unassigned-grading iteration-1/timing_summary.json

        a grading of both configurations is taken apart
        iteration-1/a/grading.json {"eval_id": 1, "with_skill": [{"run": 1, ITEMS}, {"run": 2, ITEMS}], "without_skill": [{"run": 1, ITEMS}]}
        > iteration-1/a/with_skill/1 1:0
        > iteration-1/a/with_skill/2 1:0
        > iteration-1/a/without_skill/1 1:0

        a roll-up finds its cases by id, name and number
        iteration-1/grading-results.json {"results": [{"eval_id": 7, WITH}, {"eval_name": "the rows", WITH}, {"eval_id": 3, WITH}, {"eval_name": "new", WITH}]}
        iteration-1/by-id/eval_metadata.json {"eval_id": 7, "prompt": "p"}
        iteration-1/by-id/with_skill/outputs/x.md
        iteration-1/by-name/eval_metadata.json {"eval_name": "The-rows", "prompt": "p"}
        iteration-1/by-name/with_skill/outputs/x.md
        iteration-1/eval-3-slug/with_skill/outputs/x.md
        > iteration-1/by-id/with_skill/1 1:0
        > iteration-1/by-name/with_skill/1 1:0
        > iteration-1/eval-3-slug/with_skill/1 1:0
        > iteration-1/new/with_skill/1 1:0

        a folder wins over labels that contradict it
        iteration-1/a/with_skill/run-1/grading.json {"configuration": "without_skill", "run_number": 2, ITEMS}
        iteration-1/a/without_skill/run-1/grading.json
        > iteration-1/a/with_skill/1 1:0
        > iteration-1/a/without_skill/1 1:1
        ! case-contradicts iteration-1/a/with_skill/run-1/grading.json

        a label of another case is a problem
        iteration-1/eval-1/with_skill/grading.json {"eval_id": 2, ITEMS}
        iteration-1/eval-2/with_skill/grading.json {"eval_id": 2, ITEMS}
        > iteration-1/eval-1/with_skill/1 1:0
        > iteration-1/eval-2/with_skill/1 1:0
        ! case-contradicts iteration-1/eval-1/with_skill/grading.json

        runs of a document numbered from 0 stay apart
        iteration-1/a/with_skill/grading.json {"runs": [{"run": 0, ITEMS}, {"run": 1, ITEMS}]}
        > iteration-1/a/with_skill/0 1:0
        > iteration-1/a/with_skill/1 1:0

        folders numbered from 0 stay apart
        iteration-1/a/with_skill/run-0/grading.json
        iteration-1/a/with_skill/run-0/outputs/x.md
        iteration-1/a/with_skill/run-1/grading.json
        > iteration-1/a/with_skill/0 1:1
        > iteration-1/a/with_skill/1 1:1

        flat and run layouts mix in one iteration
        iteration-1/a/with_skill/grading.json
        iteration-1/a/without_skill/run-1/grading.json
        iteration-1/a/without_skill/run-2/grading.json pp
        iteration-1/b/with_skill/outputs/grading.json
        > iteration-1/a/with_skill/1 1:1
        > iteration-1/a/without_skill/1 1:1
        > iteration-1/a/without_skill/2 2:0
        > iteration-1/b/with_skill/1 1:1

        a configuration inside itself is that configuration
        iteration-2/a/without_skill/without_skill/grading.json
        iteration-2/a/with_skill/grading.json
        > iteration-2/a/with_skill/1 1:1
        > iteration-2/a/without_skill/1 1:1

        categories of a run are one grading
        iteration-1/a/with_skill/grading.json {"expectations": {"structure": [{"text": "a", "passed": true}], "content": [{"text": "b", "passed": false}]}}
        > iteration-1/a/with_skill/1 1:1
        ! wrong-type iteration-1/a/with_skill/grading.json

        the scored dialect has a flat folder
        grading/case-01_v0_run1.json {"case_id": "case-01", "version": 0, "run": 1, "overall": "pass", "results": [{"criterion": "c", "score": 4, "passed": true}]}
        v0/runs/case-01/run-1/outputs/x.md
        v0/runs/case-01/run-2/outputs/x.md
        > v0/case-01/skill/1 1:0
        > v0/case-01/skill/2"#;

#[test]
fn a_label_can_contradict_a_single_folder_too() {
    let problems_of = |path: &str, label: &str| {
        let text = format!("{{{label}, {}", &GRADING[1..]);
        problems(&workspace(&[(path, &text)]))
    };
    let cases = [
        ("with_skill", r#""configuration": "without_skill""#, true),
        ("with_skill/run-1", r#""run": 2"#, true),
        ("with_skill/run-1", r#""run": 1"#, false),
        ("with_skill", r#""run": 2"#, false),
        ("with_skill", r#""configuration": "With Skill""#, false),
        ("with_skill", r#""configuration": "opus_with_skill""#, false),
        ("with_skill", r#""mode": "fast""#, false),
    ];
    for (folder, label, is_reported) in cases {
        let path = format!("iteration-1/a/{folder}/grading.json");
        let expected =
            if is_reported { vec![format!("case-contradicts {path}")] } else { Vec::new() };
        assert_eq!(problems_of(&path, label), expected, "{label}");
    }
}

#[test]
fn outputs_next_to_the_runs_belong_to_the_run_without_any() {
    let actual = workspace(&[
        ("iteration-1/a/with_skill/outputs/x.md", "one"),
        ("iteration-1/a/with_skill/run-1/grading.json", GRADING),
        ("iteration-1/a/with_skill/run-2/grading.json", GRADING),
        ("iteration-1/a/with_skill/run-2/response.md", "two"),
    ]);
    let case = super::only_case(&actual);
    let outputs: Vec<_> = case.runs.iter().map(|run| run.outputs[0].name.as_str()).collect();
    assert_eq!(outputs, ["x.md", "response.md"]);
}

#[test]
fn the_order_of_files_does_not_matter() {
    let files = [
        ("iteration-1/a/with_skill/grading.json", GRADING),
        ("iteration-1/a/with_skill/run-1/grading.json", OTHER),
        ("iteration-1/a/timing.json", r#"{"total_tokens": 5}"#),
        ("iteration-1/b/eval_metadata.json", r#"{"eval_id": 2, "prompt": "p"}"#),
        ("iteration-1/b/with_skill/grading.json", GRADING),
        (
            "iteration-1/grading-summary.json",
            r#"[{"eval_id": 2, "config": "old_skill", "expectations": [{"text": "a", "passed": true}]}]"#,
        ),
    ];
    let mut reversed = files;
    reversed.reverse();
    assert_eq!(workspace(&files), workspace(&reversed));
}
