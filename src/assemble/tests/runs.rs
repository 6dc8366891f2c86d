//! Runs: copies, second gradings, roll-ups, labels, numbers.

use super::{GRADING, only_run, problems, runs, workspace};

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
fn another_grading_of_a_run_is_a_second_opinion() {
    let actual = workspace(&[
        ("iteration-1/a/with_skill/grading.json", OTHER),
        ("iteration-1/a/with_skill/run-1/grading.json", GRADING),
    ]);
    assert_eq!(runs(&actual), ["iteration-1/a/with_skill/1 1:1 2:0"]);
    assert_eq!(problems(&actual), ["second-grading iteration-1/a/with_skill/grading.json"]);
    assert_eq!(only_run(&actual).tally().failed, 1, "the closest gives the numbers");
}

#[test]
fn a_grading_above_several_configurations_belongs_to_none() {
    let actual = workspace(&[
        ("iteration-1/a/grading.json", GRADING),
        ("iteration-1/a/with_skill/outputs/x.md", "x"),
        ("iteration-1/a/without_skill/outputs/x.md", "x"),
    ]);
    assert_eq!(
        runs(&actual),
        [
            "iteration-1/a/unassigned/1 1:1",
            "iteration-1/a/with_skill/1",
            "iteration-1/a/without_skill/1"
        ]
    );
    assert_eq!(problems(&actual), ["unassigned-grading iteration-1/a/grading.json"]);
}

#[test]
fn a_grading_above_its_only_configuration_is_its_own() {
    let actual = workspace(&[
        ("iteration-1/a/grading.json", GRADING),
        ("iteration-1/a/with_skill/outputs/x.md", "x"),
    ]);
    assert_eq!(runs(&actual), ["iteration-1/a/with_skill/1 1:1"]);
}

#[test]
fn groups_below_an_iteration_keep_runs_apart() {
    let both = r#"{"with_skill": [{"text": "a", "passed": true}],
        "without_skill": [{"text": "a", "passed": false}]}"#;
    let actual = workspace(&[
        ("iteration-1/first/eval-1/grading.json", both),
        ("iteration-1/second/eval-1/grading.json", GRADING),
        ("iteration-1/second/eval-1/outputs/x.md", "x"),
    ]);
    assert_eq!(
        runs(&actual),
        [
            "iteration-1/eval-1/first/with_skill/1 1:0",
            "iteration-1/eval-1/first/without_skill/1 0:1",
            "iteration-1/eval-1/second/1 1:1"
        ]
    );
    assert!(problems(&actual).is_empty());
}

#[test]
fn a_configuration_that_left_only_a_response_is_an_ungraded_run() {
    let actual = workspace(&[
        ("iteration-1/a/with_skill/grading.json", GRADING),
        ("iteration-1/a/without_skill/response.md", "x"),
        ("iteration-1/timing_summary.json", r#"{"total_tokens": 5}"#),
    ]);
    assert_eq!(runs(&actual), ["iteration-1/a/with_skill/1 1:1", "iteration-1/a/without_skill/1"]);
    assert_eq!(problems(&actual), ["unassigned-grading iteration-1/timing_summary.json"]);
}

#[test]
fn a_grading_of_both_configurations_is_taken_apart() {
    let items = r#"[{"text": "a", "passed": true}]"#;
    let text = format!(
        "{{\"eval_id\": 1, \"with_skill\": [{{\"run\": 1, \"expectations\": {items}}}, \
         {{\"run\": 2, \"expectations\": {items}}}], \
         \"without_skill\": [{{\"run\": 1, \"expectations\": {items}}}]}}"
    );
    let actual = workspace(&[("iteration-1/a/grading.json", &text)]);
    assert_eq!(
        runs(&actual),
        [
            "iteration-1/a/with_skill/1 1:0",
            "iteration-1/a/with_skill/2 1:0",
            "iteration-1/a/without_skill/1 1:0"
        ]
    );
    assert_eq!(problems(&actual), [""; 0]);
}

#[test]
fn a_roll_up_finds_its_cases_by_id_name_and_number() {
    let item = |label: &str| {
        format!(
            "{{{label}, \"config\": \"with_skill\", \"expectations\": [{{\"text\": \"a\", \"passed\": true}}]}}"
        )
    };
    let labels = [
        r#""eval_id": 7"#,
        r#""eval_name": "the rows""#,
        r#""eval_id": 3"#,
        r#""eval_name": "new""#,
    ];
    let text = format!("{{\"results\": [{}]}}", labels.map(item).join(","));
    let actual = workspace(&[
        ("iteration-1/grading-results.json", &text),
        ("iteration-1/by-id/eval_metadata.json", r#"{"eval_id": 7, "prompt": "p"}"#),
        ("iteration-1/by-id/with_skill/outputs/x.md", "x"),
        ("iteration-1/by-name/eval_metadata.json", r#"{"eval_name": "The-rows", "prompt": "p"}"#),
        ("iteration-1/by-name/with_skill/outputs/x.md", "x"),
        ("iteration-1/eval-3-slug/with_skill/outputs/x.md", "x"),
    ]);
    assert_eq!(
        runs(&actual),
        [
            "iteration-1/by-id/with_skill/1 1:0",
            "iteration-1/by-name/with_skill/1 1:0",
            "iteration-1/eval-3-slug/with_skill/1 1:0",
            "iteration-1/new/with_skill/1 1:0"
        ]
    );
    assert_eq!(problems(&actual), [""; 0]);
}

#[test]
fn a_folder_wins_over_labels_that_contradict_it() {
    let text = r#"{"configuration": "without_skill", "run_number": 2,
        "expectations": [{"text": "a", "passed": true}]}"#;
    let actual = workspace(&[
        ("iteration-1/a/with_skill/run-1/grading.json", text),
        ("iteration-1/a/without_skill/run-1/grading.json", GRADING),
    ]);
    assert_eq!(
        runs(&actual),
        ["iteration-1/a/with_skill/1 1:0", "iteration-1/a/without_skill/1 1:1"]
    );
    assert_eq!(problems(&actual), ["case-contradicts iteration-1/a/with_skill/run-1/grading.json"]);
}

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
fn a_label_of_another_case_is_a_problem() {
    let text = r#"{"eval_id": 2, "expectations": [{"text": "a", "passed": true}]}"#;
    let actual = workspace(&[
        ("iteration-1/eval-1/with_skill/grading.json", text),
        ("iteration-1/eval-2/with_skill/grading.json", text),
    ]);
    assert_eq!(problems(&actual), ["case-contradicts iteration-1/eval-1/with_skill/grading.json"]);
}

#[test]
fn runs_numbered_from_0_stay_apart() {
    let items = r#""expectations": [{"text": "a", "passed": true}]"#;
    let text = format!("{{\"runs\": [{{\"run\": 0, {items}}}, {{\"run\": 1, {items}}}]}}");
    let actual = workspace(&[("iteration-1/a/with_skill/grading.json", &text)]);
    assert_eq!(runs(&actual), ["iteration-1/a/with_skill/0 1:0", "iteration-1/a/with_skill/1 1:0"]);
    let actual = workspace(&[
        ("iteration-1/a/with_skill/run-0/grading.json", GRADING),
        ("iteration-1/a/with_skill/run-0/outputs/x.md", "x"),
        ("iteration-1/a/with_skill/run-1/grading.json", GRADING),
    ]);
    assert_eq!(runs(&actual), ["iteration-1/a/with_skill/0 1:1", "iteration-1/a/with_skill/1 1:1"]);
    assert_eq!(problems(&actual), [""; 0]);
}

#[test]
fn flat_and_run_layouts_mix_in_one_iteration() {
    let actual = workspace(&[
        ("iteration-1/a/with_skill/grading.json", GRADING),
        ("iteration-1/a/without_skill/run-1/grading.json", GRADING),
        ("iteration-1/a/without_skill/run-2/grading.json", OTHER),
        ("iteration-1/b/with_skill/outputs/grading.json", GRADING),
    ]);
    assert_eq!(
        runs(&actual),
        [
            "iteration-1/a/with_skill/1 1:1",
            "iteration-1/a/without_skill/1 1:1",
            "iteration-1/a/without_skill/2 2:0",
            "iteration-1/b/with_skill/1 1:1"
        ]
    );
    assert_eq!(problems(&actual), [""; 0]);
}

#[test]
fn a_configuration_inside_itself_is_that_configuration() {
    let actual = workspace(&[
        ("iteration-2/a/without_skill/without_skill/grading.json", GRADING),
        ("iteration-2/a/with_skill/grading.json", GRADING),
    ]);
    assert_eq!(
        runs(&actual),
        ["iteration-2/a/with_skill/1 1:1", "iteration-2/a/without_skill/1 1:1"]
    );
}

#[test]
fn categories_of_a_run_are_one_grading() {
    let text = r#"{"expectations": {"structure": [{"text": "a", "passed": true}],
        "content": [{"text": "b", "passed": false}]}}"#;
    for path in
        ["iteration-1/a/with_skill/grading.json", "iteration-1/a/with_skill/run-1/grading.json"]
    {
        let actual = workspace(&[(path, text)]);
        assert_eq!(runs(&actual), ["iteration-1/a/with_skill/1 1:1"], "{path}");
        assert_eq!(problems(&actual), [format!("wrong-type {path}")], "{path}");
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
fn the_scored_dialects_flat_folder() {
    let text = r#"{"case_id": "case-01", "version": 0, "run": 1, "overall": "pass",
        "results": [{"criterion": "c", "score": 4, "passed": true}]}"#;
    let actual = workspace(&[
        ("grading/case-01_v0_run1.json", text),
        ("v0/runs/case-01/run-1/outputs/x.md", "x"),
        ("v0/runs/case-01/run-2/outputs/x.md", "x"),
    ]);
    assert_eq!(runs(&actual), ["v0/case-01/skill/1 1:0", "v0/case-01/skill/2"]);
    assert_eq!(problems(&actual), [""; 0]);
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
