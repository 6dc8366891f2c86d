//! Every rule of the gate on every state that a workspace may be in: a gate that cannot be checked
//! fails, and says why.

#![allow(clippy::disallowed_methods, reason = "tests prepare folders")]

use std::collections::BTreeSet;

use crate::support::gradings::verdicts;
use crate::support::{self, Workspace};
use serde_json::json;

/// Each rule as flags, by the name that its line has.
const RULES: [(&str, &[&str]); 8] = [
    ("fail-on worse", &["--fail-on", "worse"]),
    ("fail-on settled-worse", &["--fail-on", "settled-worse"]),
    ("fail-on regression", &["--fail-on", "regression"]),
    ("fail-on regression-strict", &["--fail-on", "regression-strict"]),
    ("min-pass-rate", &["--min-pass-rate", "50%"]),
    ("min-gain", &["--min-gain", "0"]),
    ("max-time-increase", &["--max-time-increase", "20%"]),
    ("max-token-increase", &["--max-token-increase", "20%"]),
];

/// A graded run with its costs; `letters` as in [`verdicts`].
fn run(place: Workspace, iteration: u32, case: &str, side: &str, letters: &str) -> Workspace {
    let folder = format!("iteration-{iteration}/{case}/{side}");
    // No two runs take as long.
    let seconds = f64::from(iteration) + letters.len() as f64 / 10.0;
    let timing = json!({ "total_duration_seconds": seconds, "total_tokens": 100 });
    place
        .file(&format!("{folder}/grading.json"), verdicts(letters).json())
        .file(&format!("{folder}/timing.json"), timing.to_string())
}

/// An iteration of six cases with both sides.
fn compared(place: Workspace, iteration: u32) -> Workspace {
    "a b c d e f".split(' ').fold(place, |place, case| {
        let place = run(place, iteration, case, "with_skill", "pppp");
        run(place, iteration, case, "without_skill", "ppff")
    })
}

fn planned(place: Workspace, iteration: u32) -> Workspace {
    "a b".split(' ').fold(place, |place, case| {
        let plan = json!({ "eval_name": case, "prompt": "Do it", "assertions": ["check 1"] });
        place.file(&format!("iteration-{iteration}/{case}/eval_metadata.json"), plan.to_string())
    })
}

fn states() -> Vec<(&'static str, Workspace)> {
    let first = || compared(Workspace::new(), 1);
    let benchmark = json!({
        "metadata": { "skill_name": "a" },
        "run_summary": {
            "with_skill": { "pass_rate": { "mean": 0.9, "stddev": 0.1 } },
            "without_skill": { "pass_rate": { "mean": 0.5, "stddev": 0.1 } }
        }
    });
    let triggers = r#"{"rows": [{"query": "q", "pass": true}]}"#;
    let error = json!({ "error": "the agent ended with exit code 1" }).to_string();
    let mut all_in_error = first();
    let mut ungraded = first();
    let mut partly_graded = compared(first(), 2);
    let mut unreadable = first();
    let (mut unknown, mut conditions) = (Workspace::new(), Workspace::new());
    for case in "a b c d e f".split(' ') {
        let folder = format!("iteration-2/{case}/with_skill");
        ungraded = ungraded.file(&format!("{folder}/outputs/a.txt"), "text");
        all_in_error = all_in_error.file(&format!("{folder}/grading.json"), &error);
        unreadable = unreadable.file(&format!("{folder}/grading.json"), "{ not json");
        for iteration in [1, 2] {
            for side in ["red", "blue"] {
                unknown = run(unknown, iteration, case, side, "pppf");
            }
            for model in ["opus", "haiku"] {
                let side = format!("{model}_with_skill");
                conditions = run(conditions, iteration, case, &side, "pppp");
                let side = format!("{model}_without_skill");
                conditions = run(conditions, iteration, case, &side, "ppff");
            }
        }
    }
    partly_graded =
        partly_graded.file("iteration-2/b/with_skill/grading.json", verdicts("pp--").json());
    let one_run = run(Workspace::new(), 1, "a", "with_skill", "pppp");
    vec![
        ("compared", compared(first(), 2)),
        ("one run", run(one_run, 1, "a", "without_skill", "ppff")),
        ("ungraded", ungraded),
        ("partly graded", partly_graded),
        ("one-sided", run(Workspace::new(), 1, "a", "with_skill", "pppp")),
        (
            "recorded only",
            Workspace::new().file("iteration-1/benchmark.json", benchmark.to_string()),
        ),
        ("two unknown sides", unknown),
        ("triggers only", Workspace::new().file("trigger-results.json", triggers)),
        ("several conditions", conditions),
        ("all in error", all_in_error),
        ("unreadable", unreadable),
        ("planned only", planned(Workspace::new(), 1)),
        ("planned after a graded one", planned(first(), 2)),
        ("copied from the one before", {
            let place = first();
            support::copy(&place.path().join("iteration-1"), &place.path().join("iteration-2"));
            place
        }),
    ]
}

/// Each line is one rule on one state: the exit code of `build` with this rule alone, and its line.
#[test]
fn what_cannot_be_checked_fails_in_every_state() {
    let mut table = String::new();
    for (state, place) in states() {
        table += &format!("{state}\n");
        for (rule, flags) in RULES {
            let ran = place.run(["build", "../workspace", "-o", "r"].iter().chain(flags));
            let code = ran.code.expect("a code");
            let lines: Vec<&str> =
                ran.stderr.lines().filter_map(|line| line.strip_prefix("gate: ")).collect();
            let is_passed = !lines.is_empty() && lines.iter().all(|line| line.ends_with(": pass"));
            assert_eq!(code == 0, is_passed, "{state}, {rule}: {ran:?}");
            if lines.is_empty() {
                let error = ran.stderr.lines().next().unwrap_or_default();
                table += &format!("  {code}  {rule}: {error}\n");
            }
            for line in BTreeSet::from_iter(lines) {
                table += &format!("  {code}  {line}\n");
            }
        }
    }
    insta::assert_snapshot!(table);
}

#[test]
fn two_sides_that_are_no_comparison_fail() {
    let place = planned(compared(compared(Workspace::new(), 1), 2), 3);
    let same = ["../workspace#iteration-2", "../workspace"];
    let ran = place.run(["compare"].iter().chain(&same));
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("iteration-3 is newer"), "{ran:?}");

    let gate = ["--fail-on", "worse"];
    let sides = ["compare", "../workspace#iteration-1", "../workspace"];
    let ran = place.run(sides.iter().chain(&gate));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("iteration-3 is newer"), "{ran:?}");
    let sides = ["compare", "../workspace#iteration-1", "../workspace#iteration-2"];
    assert_eq!(place.run(sides.iter().chain(&gate)).code, Some(0));

    // The report of the very runs that are compared with it.
    let place = compared(Workspace::new(), 1);
    let report = place.build();
    let base = report.join("report.json").display().to_string();
    let ran = place.run(["compare", &base, "../workspace"].iter().chain(&gate));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains(support::words::raw("gate.same_runs")), "{ran:?}");

    let skill = |name: &str| json!({ "skill_name": name, "evals": [] }).to_string();
    let place = compared(compared(Workspace::new(), 2), 1).file("evals.json", skill("pdf"));
    support::copy(&place.path(), &place.elsewhere().join("other"));
    std::fs::write(place.elsewhere().join("other/evals.json"), skill("csv")).expect("written");
    let ran = place.run(["compare", "other#iteration-1", "../workspace"].iter().chain(&gate));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("csv"), "{ran:?}");
}
