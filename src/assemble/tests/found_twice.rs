//! Runs found twice: in another iteration, case, group or number.

use super::{problems, runs, workspace};
use crate::model::Workspace;

/// A run: its folder, the grader's evidence, seconds.
type RunSpec<'a> = (&'a str, &'a str, u32);

fn made(all: &[RunSpec<'_>]) -> Workspace {
    let more: [(&str, &str); 0] = [];
    with(all, &more)
}

fn with(all: &[RunSpec<'_>], more: &[(&str, &str)]) -> Workspace {
    let mut files: Vec<(String, String)> = Vec::new();
    for (folder, seen, seconds) in all {
        let evidence = seen.repeat(40);
        let grading = format!(
            r#"{{"expectations": [{{"text": "a", "passed": true, "evidence": "{evidence}"}}]}}"#
        );
        files.push((format!("{folder}/grading.json"), grading));
        if *seconds > 0 {
            let timing = format!(r#"{{"total_duration_seconds": {seconds}}}"#);
            files.push((format!("{folder}/timing.json"), timing));
        }
    }
    let files = files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    workspace(&files.chain(more.iter().copied()).collect::<Vec<_>>())
}

/// The name of a copy's folder.
type Rename = Box<dyn Fn(&str) -> String>;

const ROUND: [RunSpec<'_>; 4] = [
    ("iteration-1/eval-1-rows/with_skill", "one", 11),
    ("iteration-1/eval-1-rows/without_skill", "two", 12),
    ("iteration-1/eval-2-cols/with_skill", "three", 13),
    ("iteration-1/eval-2-cols/without_skill", "four", 14),
];

/// The round beside a copy with every folder renamed.
fn twice(rename: impl Fn(&str) -> String) -> Workspace {
    let copied: Vec<(String, &str, u32)> =
        ROUND.iter().map(|(folder, seen, seconds)| (rename(folder), *seen, *seconds)).collect();
    let copies = copied.iter().map(|(folder, seen, seconds)| (folder.as_str(), *seen, *seconds));
    made(&ROUND.into_iter().chain(copies).collect::<Vec<_>>())
}

#[test]
fn copies_of_an_iteration_in_any_shape_are_not_iterations() {
    let config_first = |folder: &str| {
        let parts: Vec<&str> = folder.split('/').collect();
        format!("iteration-1-flat/{}/{}", parts[2], parts[1])
    };
    let run_above = |folder: &str| {
        let parts: Vec<&str> = folder.split('/').collect();
        format!("results/{}/run-1/{}", parts[1], parts[2])
    };
    let shapes: [(&str, Rename); 8] = [
        ("a view", Box::new(|folder| folder.replace("iteration-1", "iteration-1-view"))),
        ("a later number", Box::new(|folder| folder.replace("iteration-1", "iteration-2"))),
        ("a nested workspace", Box::new(|folder| format!("foo-workspace/{folder}"))),
        ("the configuration first", Box::new(config_first)),
        ("the run above", Box::new(run_above)),
        ("a group in it", Box::new(|folder| folder.replace("iteration-1", "iteration-1/raw"))),
        ("a group beside it", Box::new(|folder| folder.replace("iteration-1", "raw"))),
        (
            "other names of cases",
            Box::new(|folder| folder.replace("eval-1-", "").replace("eval-2-", "")),
        ),
    ];
    for (shape, rename) in shapes {
        let actual = twice(rename);
        assert_eq!(runs(&actual).len(), 4, "{shape}: {:?}", runs(&actual));
        assert_eq!(actual.iterations.len(), 1, "{shape}");
        let reported = problems(&actual);
        let is_reported = |line: &String| line.starts_with("duplicate-grading ");
        assert!(!reported.is_empty() && reported.iter().all(is_reported), "{shape}: {reported:?}");
    }
}

#[test]
fn an_iteration_with_one_new_run_stays_and_marks_reused_ones() {
    let mut all = ROUND.to_vec();
    all.extend([
        ("iteration-2/eval-1-rows/with_skill", "new", 20),
        ("iteration-2/eval-1-rows/old_skill", "one", 11),
        ("iteration-2/eval-2-cols/with_skill", "newer", 21),
        ("iteration-2/eval-2-cols/without_skill", "four", 14),
    ]);
    let actual = made(&all);
    assert_eq!(runs(&actual).len(), 8);
    let reused: Vec<(String, &str)> = actual.iterations[1]
        .runs()
        .filter_map(|run| Some((run.path.clone(), run.reused_from.as_deref()?)))
        .collect();
    let path = |path: &str| path.to_owned();
    assert_eq!(
        reused,
        [
            (path("iteration-2/eval-1-rows/old_skill"), "iteration-1/eval-1-rows/with_skill"),
            (
                path("iteration-2/eval-2-cols/without_skill"),
                "iteration-1/eval-2-cols/without_skill"
            ),
        ]
    );
    assert_eq!(actual.iterations[0].runs().filter(|run| run.reused_from.is_some()).count(), 0);
    let reported = reused.iter().map(|(path, _)| format!("reused-run {path}"));
    assert_eq!(problems(&actual), reported.collect::<Vec<_>>());
}

#[test]
fn equal_verdicts_prove_nothing_without_evidence_time_or_tokens() {
    for (seen, seconds, other, count) in
        [("", 0, 0, 2), ("", 9, 9, 1), ("x", 0, 0, 1), ("x", 9, 8, 2)]
    {
        let actual = made(&[
            ("iteration-1/a/with_skill", seen, seconds),
            ("iteration-2/a/with_skill", seen, other),
        ]);
        assert_eq!(runs(&actual).len(), count, "{seen} {seconds} {other}");
    }
}

#[test]
fn two_configurations_are_never_copies_and_equal_gradings_are_a_problem() {
    for (seconds, reported) in [(11, 1), (12, 0)] {
        let actual = made(&[
            ("iteration-1/a/with_skill", "x", 11),
            ("iteration-1/a/without_skill", "x", seconds),
        ]);
        assert_eq!(runs(&actual).len(), 2);
        let path = "equal-gradings iteration-1/a/without_skill/grading.json".to_owned();
        assert_eq!(problems(&actual), vec![path; reported], "{seconds}");
    }
}

#[test]
fn numbered_runs_of_a_deterministic_agent_are_two() {
    let run = |number: u32| (format!("iteration-1/a/with_skill/run-{number}"), "x", 11);
    let [first, second] = [run(1), run(2)];
    let actual = made(&[(&first.0, first.1, first.2), (&second.0, second.1, second.2)]);
    assert_eq!(runs(&actual).len(), 2);
    assert_eq!(problems(&actual), [""; 0]);
}

#[test]
fn a_group_with_other_names_of_cases_and_fields_is_a_copy() {
    let metadata = r#"{"eval_id": 2, "eval_name": "plan-beds", "prompt": "P"}"#;
    let respelled = r#"{"assertions": [{"text": "a", "passed": true}], "config": "with_skill"}"#;
    let actual = with(
        &[("iteration-1/eval-2/with_skill/run-1", "x", 11)],
        &[
            ("iteration-1/eval-2/eval_metadata.json", metadata),
            ("iteration-1/raw/topic-eval-2/eval_metadata.json", metadata),
            ("iteration-1/raw/topic-eval-2/with_skill/grading.json", respelled),
            (
                "iteration-1/raw/topic-eval-2/with_skill/timing.json",
                r#"{"total_duration_seconds": 11}"#,
            ),
        ],
    );
    assert_eq!(runs(&actual), ["iteration-1/eval-2/with_skill/1 1:0"]);
}

#[test]
fn files_next_to_a_copy_go_to_the_original_once() {
    let benchmark = r#"{"metadata": {"skill_name": "s"}, "run_summary": {"with_skill": {"pass_rate": {"mean": 1.0}}}}"#;
    let review = |text: &str| {
        format!(r#"{{"reviews": [{{"run_id": "eval-1-rows-with_skill", "feedback": "{text}"}}]}}"#)
    };
    let (same, other) = (review("fine"), review("no"));
    let mut all = ROUND.to_vec();
    let copies =
        ROUND.map(|(folder, seen, seconds)| (folder.replace("-1/", "-1-view/"), seen, seconds));
    all.extend(copies.iter().map(|(folder, seen, seconds)| (folder.as_str(), *seen, *seconds)));
    for (second, reviews) in [(&same, 1), (&other, 2)] {
        let actual = with(
            &all,
            &[
                ("iteration-1/benchmark.json", benchmark),
                ("iteration-1-view/benchmark.json", benchmark),
                ("iteration-1/feedback.json", &same),
                ("iteration-1-view/feedback.json", second),
            ],
        );
        let [iteration] = &actual.iterations[..] else { panic!("one iteration") };
        assert_eq!((iteration.benchmarks.len(), iteration.feedback.len()), (1, reviews));
    }
}
