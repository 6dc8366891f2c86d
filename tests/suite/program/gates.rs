//! Every rule of the gate on every state that a workspace may be in: a gate that cannot be checked
//! fails, and says why.

use std::collections::BTreeSet;

use crate::support::{self, Workspace};
use serde_json::json;

/// Every rule.
const RULES: [&str; 10] = [
    "--fail-on",
    "worse,settled-worse,regression,regression-strict",
    "--min-pass-rate",
    "50%",
    "--min-gain",
    "0",
    "--max-time-increase",
    "20%",
    "--max-token-increase",
    "20%",
];

/// Six cases with both sides. No two iterations take as long, or one were a copy of the other.
const FIRST: &str = "iteration-1/a,b,c,d,e,f/with_skill ++++ 1.4 100
    iteration-1/a,b,c,d,e,f/without_skill ++-- 1.4 100";

const SECOND: &str = "iteration-2/a,b,c,d,e,f/with_skill ++++ 2.4 100
    iteration-2/a,b,c,d,e,f/without_skill ++-- 2.4 100";

/// Six cases of one side that get better.
const BETTER: &str = "iteration-1/a,b,c,d,e,f/with_skill ++-- 10 1000
    iteration-2/a,b,c,d,e,f/with_skill +++- 11 1100";

const PLAN: &str = r#"{"eval_name": "a", "prompt": "Do it", "assertions": ["check 1"]}"#;

const BENCHMARK: &str = r#"{"metadata": {"skill_name": "a"}, "run_summary": {
    "with_skill": {"pass_rate": {"mean": 0.9}}, "without_skill": {"pass_rate": {"mean": 0.5}}}}"#;

/// A name, runs, and files by path with their content.
type State = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

const NO_FILES: &[(&str, &str)] = &[];

const STATES: &[State] = &[
    ("compared", &[FIRST, SECOND], NO_FILES),
    (
        "one run",
        &["iteration-1/a/with_skill ++++ 1 9\n iteration-1/a/without_skill ++-- 1 9"],
        NO_FILES,
    ),
    ("ungraded", &[FIRST], &[("iteration-2/a,b,c,d,e,f/with_skill/outputs/a.txt", "text")]),
    ("partly graded", &[FIRST, SECOND, "iteration-2/b/with_skill ++??"], NO_FILES),
    ("one-sided", &["iteration-1/a/with_skill ++++ 1 9"], NO_FILES),
    ("recorded only", &[], &[("iteration-1/benchmark.json", BENCHMARK)]),
    (
        "two unknown sides",
        &["iteration-1/a,b,c/red,blue +++- 1.4 100\n iteration-2/a,b,c/red,blue +++- 2.4 100"],
        NO_FILES,
    ),
    (
        "triggers only",
        &[],
        &[("trigger-results.json", r#"{"rows": [{"query": "q", "pass": true}]}"#)],
    ),
    (
        "several conditions",
        &["iteration-1/a,b,c,d,e,f/opus_with_skill,haiku_with_skill ++++ 1.4 100
           iteration-1/a,b,c,d,e,f/opus_without_skill,haiku_without_skill ++-- 1.4 100
           iteration-2/a,b,c,d,e,f/opus_with_skill,haiku_with_skill ++++ 2.4 100
           iteration-2/a,b,c,d,e,f/opus_without_skill,haiku_without_skill ++-- 2.4 100"],
        NO_FILES,
    ),
    (
        "all in error",
        &[FIRST],
        &[("iteration-2/a,b,c,d,e,f/with_skill/grading.json", r#"{"error": "exit code 1"}"#)],
    ),
    ("unreadable", &[FIRST], &[("iteration-2/a,b/with_skill/grading.json", "{ not json")]),
    ("planned only", &[], &[("iteration-1/a/eval_metadata.json", PLAN)]),
    ("planned after a graded one", &[FIRST], &[("iteration-2/a/eval_metadata.json", PLAN)]),
    ("copied from the one before", &["iteration-1,iteration-2/a,b/with_skill ++++ 1 9"], NO_FILES),
    (
        "no case in common",
        &["iteration-1/a,b/with_skill ++++ 1 9\n iteration-2/c,d/with_skill ++++ 1 9"],
        NO_FILES,
    ),
    (
        "no check in common",
        &["iteration-1/a/without_skill ++++\n iteration-1/a/with_skill other:-+
           iteration-1/b/without_skill words:+\n iteration-1/b/with_skill other:-"],
        NO_FILES,
    ),
    ("no costs", &["iteration-1/a,b/with_skill +++-\n iteration-2/a,b/with_skill ++++"], NO_FILES),
    ("a case that broke off", &[BETTER, "iteration-2/f/with_skill"], NO_FILES),
    ("a new case that broke off", &[BETTER, "iteration-2/new/with_skill"], NO_FILES),
    (
        "a large case that broke off",
        &["iteration-1/a,b/with_skill ++++\n iteration-1/large/without_skill ++++++++++"],
        &[("iteration-1/large/with_skill/outputs/a.txt", "x")],
    ),
    ("lost verdicts", &[BETTER, "iteration-2/a,b,c,d,e,f/with_skill ?++-"], NO_FILES),
    (
        "lost verdicts in some runs",
        &[BETTER, "iteration-1/a/with_skill/run-2 ++\n iteration-2/a/with_skill/run-2 ?+"],
        NO_FILES,
    ),
    (
        "verdicts that both sides lack",
        &[BETTER, "iteration-1/a/with_skill/run-2 ?+ 9\n iteration-2/a/with_skill/run-2 ?+ 8"],
        NO_FILES,
    ),
    ("runs that broke off", &[BETTER, "iteration-2/a,b,c/with_skill/run-2 ?"], NO_FILES),
    (
        "lost verdicts of a baseline",
        &["iteration-1/a,b/without_skill ++++\n iteration-1/b/with_skill ++++
           iteration-1/a/with_skill +?"],
        NO_FILES,
    ),
    (
        "a lost case of a baseline",
        &["iteration-1/a,b/without_skill ++++\n iteration-1/b/with_skill ++++
           iteration-1/a/with_skill ??"],
        NO_FILES,
    ),
    ("a newer iteration of the baseline", &[FIRST, "iteration-2/a,b/without_skill +---"], NO_FILES),
    (
        "a candidate without verdicts",
        &["iteration-1/a,b/without_skill +---\n iteration-1/a,b/with_skill_v2 +++-"],
        &[("iteration-1/a,b/with_skill/outputs/a.txt", "x")],
    ),
    (
        "one case that fell",
        &["iteration-1/a/with_skill ++++\n iteration-2/a/with_skill ----"],
        NO_FILES,
    ),
    (
        "leaning to worse",
        &["iteration-1/a,b,c,d/with_skill ++++
           iteration-2/a,b/with_skill +---\n iteration-2/c,d/with_skill ----"],
        NO_FILES,
    ),
    (
        "two candidates",
        &["iteration-1/a,b,c,d,e,f/baseline +++-\n iteration-1/a,b,c,d,e,f/arm_a ++++
           iteration-1/a,b,c,d,e,f/arm_b ++--"],
        NO_FILES,
    ),
    (
        "two candidates, one of which fell",
        &["iteration-1/a,b,c,d,e,f/arm_a,arm_b +++-
           iteration-2/a,b,c,d,e,f/arm_a ++--\n iteration-2/a,b,c,d,e,f/arm_b ++++"],
        NO_FILES,
    ),
];

fn place((_, runs, files): &State) -> Workspace {
    let place = Workspace::new().runs(&runs.join("\n"));
    files.iter().fold(place, |place, (path, content)| place.files(path, content))
}

/// Each state with the exit code of `build` under all rules, and the line of each rule.
#[test]
fn what_cannot_be_checked_fails_in_every_state() {
    let mut table = String::new();
    for state in STATES {
        let ran = place(state).run(["build", "../workspace", "-o", "r"].iter().chain(&RULES));
        let lines = ran.stderr.lines().filter_map(|line| line.strip_prefix("gate: "));
        let lines = BTreeSet::from_iter(lines);
        let is_passed = !lines.is_empty() && lines.iter().all(|line| line.ends_with(": pass"));
        assert_eq!(ran.code, Some(i32::from(!is_passed)), "{}: {ran:?}", state.0);
        table += &format!("{}\n", state.0);
        for line in lines {
            table += &format!("  {line}\n");
        }
    }
    insta::assert_snapshot!(table);
}

#[test]
fn two_sides_that_are_no_comparison_fail() {
    let gate = ["--fail-on", "worse"];
    let both = || Workspace::new().runs(FIRST).runs(SECOND);
    let place = both().file("iteration-3/a/eval_metadata.json", PLAN);
    let newer = "iteration-3 is newer";
    let same = place.run(["compare", "../workspace#iteration-2", "../workspace"]);
    assert!(same.code == Some(2) && same.stderr.contains(newer), "{same:?}");
    let sides = ["compare", "../workspace#iteration-1", "../workspace"];
    let ran = place.run(sides.iter().chain(&gate));
    assert!(ran.code == Some(1) && ran.stderr.contains(newer), "{ran:?}");
    let sides = ["compare", "../workspace#iteration-1", "../workspace#iteration-2"];
    place.run(sides.iter().chain(&gate)).ended(0);

    // The report of the very runs that are compared with it.
    let place = Workspace::new().runs(FIRST);
    place.build();
    let ran =
        place.run(["compare", "report/report.json", "../workspace"].iter().chain(&gate)).ended(1);
    assert!(ran.stderr.contains(support::words::raw("gate.same_runs")), "{ran:?}");

    let skill = |name: &str| json!({ "skill_name": name, "evals": [] }).to_string();
    let place = both().file("evals.json", skill("pdf"));
    support::copy(&place.path(), &place.elsewhere().join("other"));
    std::fs::write(place.elsewhere().join("other/evals.json"), skill("csv")).expect("written");
    let ran = place.run(["compare", "other#iteration-1", "../workspace"].iter().chain(&gate));
    assert!(ran.code == Some(1) && ran.stderr.contains("csv"), "{ran:?}");
}
