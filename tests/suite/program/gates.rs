//! Every rule of the gate on every state that a workspace may be in: a gate that cannot be checked
//! fails, and says why.

use std::collections::BTreeSet;

use crate::support::{self, Workspace};
use serde_json::json;
use testing::table::blocks;

/// Every rule.
const RULES: &str = "--fail-on worse,loss --min-pass-rate 50% --min-gain 0 \
    --max-time-increase 20% --max-token-increase 20%";

/// Six cases with both sides. No two iterations take as long, or one were a copy of the other.
const FIRST: &str = "iteration-1/a,b,c,d,e,f/with_skill ++++ 1.4~ 100
    iteration-1/a,b,c,d,e,f/without_skill ++-- 1.4~ 100";

const SECOND: &str = "iteration-2/a,b,c,d,e,f/with_skill ++++ 2.4~ 100
    iteration-2/a,b,c,d,e,f/without_skill ++-- 2.4~ 100";

const PLAN: &str = r#"{"eval_name": "a", "prompt": "Do it", "assertions": ["check 1"]}"#;

/// Each state with the exit code of `build` under all rules, and the line of each rule.
#[test]
fn what_cannot_be_checked_fails_in_every_state() {
    let mut table = String::new();
    for (state, lines) in blocks(include_str!("places/gate_states.txt")) {
        let build = ["build", "../workspace", "-o", "r"].into_iter().chain(RULES.split(' '));
        let ran = Workspace::new().lines(&lines).run(build);
        let lines = ran.stderr.lines().filter_map(|line| line.strip_prefix("gate: "));
        let lines = BTreeSet::from_iter(lines);
        let is_passed = !lines.is_empty() && lines.iter().all(|line| line.starts_with("pass: "));
        assert_eq!(ran.code, Some(i32::from(!is_passed)), "{state}: {ran:?}");
        table += &format!("{state}\n");
        for line in lines {
            // Why a rule passed is in the snapshots of the wording.
            let shown = if line.starts_with("pass: ") {
                line.split(": ").take(2)
            } else {
                line.split(": ").take(usize::MAX)
            };
            table += &format!("  {}\n", shown.collect::<Vec<_>>().join(": "));
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
    place.run(sides.iter().chain(&gate)).assert_code(0);

    // The report of the very runs that are compared with it.
    let place = Workspace::new().runs(FIRST);
    place.build();
    let ran = place
        .run(["compare", "report/report.json", "../workspace"].iter().chain(&gate))
        .assert_code(0);
    assert!(support::words::says(&ran.stdout, "gate.nothing_new", &[]), "{ran:?}");

    let skill = |name: &str| json!({ "skill_name": name, "evals": [] }).to_string();
    let place = both().file("evals.json", skill("pdf"));
    support::copy(&place.path(), &place.elsewhere().join("other"));
    std::fs::write(place.elsewhere().join("other/evals.json"), skill("csv")).expect("written");
    let ran = place.run(["compare", "other#iteration-1", "../workspace"].iter().chain(&gate));
    assert!(ran.code == Some(1) && ran.stderr.contains("csv"), "{ran:?}");
}

#[test]
fn without_a_new_run_rules_that_compare_pass_and_limits_of_one_side_hold() {
    let rules = ["--fail-on", "worse,loss", "--max-token-increase", "20%", "--min-pass-rate"];
    let skill = "iteration-1/skill-snapshot/SKILL.md";
    let place = Workspace::new().runs(FIRST).file(skill, "first");
    place.run(["baseline", "../workspace", "-o", "base.json"]).assert_code(0);
    let judged = |place: &Workspace, least: &str| {
        place.run(["compare", "base.json", "../workspace"].iter().chain(&rules).chain(&[least]))
    };
    let ran = judged(&place, "50%").assert_code(0);
    assert!(support::words::says(&ran.stdout, "compare.nothing_new", &[]), "{ran:?}");
    let lines =
        ran.stdout.lines().filter(|line| support::words::says(line, "gate.nothing_new", &[]));
    assert_eq!(lines.count(), 1, "one line for all that compare: {ran:?}");
    let ran = judged(&place, "100%").assert_code(0);
    assert!(support::words::says(&ran.stdout, "gate.rate", &[]), "{ran:?}");
    let json = ["compare", "base.json", "../workspace", "--format", "json"];
    let json = place.run(json.iter().chain(&rules).chain(&["50%"])).json();
    assert_eq!(json["gate"]["same_runs"], true, "{json}");
    assert_eq!(json["gate"]["rules"].as_array().map(Vec::len), Some(4), "{json}");
    // A skill that was edited must run again.
    let place = place.file(skill, "second");
    let ran = judged(&place, "50%").assert_code(1);
    assert!(support::words::says(&ran.stderr, "gate.not_run_again", &[]), "{ran:?}");
    // Another run is compared, whatever the skill is.
    let place = place.runs("iteration-1/a/with_skill +++- 1.5 100");
    let ran = judged(&place, "50%").assert_code(1);
    assert!(support::words::says(&ran.stderr, "gate.losses", &[]), "{ran:?}");
}

#[test]
fn without_times_another_round_of_equal_verdicts_is_a_new_run() {
    let gate = ["--fail-on", "worse"];
    let rounds = |second: &str| {
        let place = Workspace::new().runs("iteration-1/a/with_skill ++-").runs(second);
        place.run(["baseline", "../workspace#iteration-1", "-o", "base.json"]).assert_code(0);
        place
    };
    let place = rounds("iteration-2/a/with_skill ++-");
    for command in [
        ["compare", "base.json", "../workspace"],
        ["compare", "../workspace#iteration-1", "../workspace#iteration-2"],
    ] {
        let ran = place.run(command.iter().chain(&gate).chain(&["--format", "json"]));
        assert_eq!(ran.json()["gate"]["same_runs"], false, "{command:?}: {ran:?}");
    }
    // The round of the baseline itself.
    let place = Workspace::new().runs("iteration-1/a/with_skill ++-");
    place.run(["baseline", "../workspace", "-o", "base.json"]).assert_code(0);
    let ran =
        place.run(["compare", "base.json", "../workspace", "--format", "json"].iter().chain(&gate));
    assert_eq!(ran.json()["gate"]["same_runs"], true, "{ran:?}");
}

#[test]
fn half_a_text_of_a_grading_that_breaks_off_is_no_check() {
    let gate = ["build", "../workspace", "-o", "report", "--fail-on", "worse"];
    // The verdict of the last check stands after its text, or before it.
    for last in [r#"{"text": "chec"#, r#"{"passed": true, "text": "chec"#] {
        let mut place = Workspace::new()
            .runs("iteration-1/a,b/with_skill ++++\n iteration-1/a,b/without_skill ++++");
        place.run(gate).assert_code(0);
        let whole: Vec<String> = (0..3)
            .map(|at| format!(r#"{{"text": "check {at}", "passed": true, "evidence": "seen"}}"#))
            .collect();
        let text = format!(r#"{{"expectations": [{}, {last}"#, whole.join(", "));
        for case in ["a", "b"] {
            place = place.file(&format!("iteration-1/{case}/with_skill/grading.json"), &*text);
        }
        let ran = place.run(gate).assert_code(1);
        assert!(support::words::says(&ran.stderr, "verdict.not_decided", &[]), "{ran:?}");
    }
}

#[test]
fn copies_under_other_names_count_once_and_those_of_the_candidate_are_no_round() {
    let reason = |side: &str| format!("the third line of the answer of {side} has the total in it");
    let grading = |side: &str, passed: bool| {
        json!({ "expectations": [{ "text": "it has a total", "passed": passed,
            "evidence": reason(side) }] })
        .to_string()
    };
    let mut place = Workspace::new();
    for case in ["a", "a-2027-03-01"] {
        for (side, passed) in [("with_skill", true), ("without_skill", false)] {
            let folder = format!("iteration-1/{case}/{side}");
            place = place
                .file(&format!("{folder}/grading.json"), grading(side, passed))
                .file(&format!("{folder}/outputs/answer.md"), side);
        }
    }
    let cases = |place: &Workspace| place.check()["workspaces"][0]["totals"]["cases"].clone();
    assert_eq!(cases(&place), 1);
    let place = place.file("iteration-1/a-2027-03-01/with_skill/outputs/answer.md", "another");
    assert_eq!(cases(&place), 2);
    // In the next round only the other side ran anew.
    let place = Workspace::new()
        .file("iteration-1/a/with_skill/grading.json", grading("with_skill", true))
        .file("iteration-1/a/without_skill/grading.json", grading("without_skill", false))
        .file("iteration-2/a/with_skill/grading.json", grading("with_skill", true))
        .file("iteration-2/a/without_skill/grading.json", grading("the other side", false));
    let ran = place.run(["build", "../workspace", "-o", "report", "--fail-on", "worse"]);
    let newer = [("iteration", "iteration-2")];
    assert!(support::words::says(&ran.stderr, "gate.newer_copied", &newer), "{ran:?}");
    ran.assert_code(1);
}

#[test]
fn a_sweep_over_models_has_no_round_before_and_dates_with_dots_have_an_order() {
    let sweep = Workspace::new().runs(
        "iteration-1-claude-opus-6/a,b/with_skill ++++\n iteration-1-claude-opus-6/a,b/without_skill --++\n \
         iteration-1-gpt-6-nano/a,b/with_skill ++--\n iteration-1-gpt-6-nano/a,b/without_skill +---",
    );
    let gate = ["build", "../workspace", "-o", "report", "--fail-on", "worse"];
    sweep.run(gate).assert_code(0);
    let dated =
        Workspace::new().runs("09.05.2027/a,b/with_skill ++++\n 02.06.2027/a,b/with_skill ----");
    dated.run(gate).assert_code(1);
}

#[test]
fn the_last_lines_of_a_build_are_the_rules_that_failed() {
    let place = Workspace::new().runs(FIRST).runs("iteration-1/g/without_skill ++++ 1.5 100");
    let rules = ["--min-pass-rate", "100%", "--min-gain", "80", "--fail-on", "worse"];
    let ran = place.run(["build", "../workspace", "-o", "r"].iter().chain(&rules)).assert_code(1);
    let marks: Vec<&str> = ran
        .stderr
        .lines()
        .filter_map(|line| line.strip_prefix("gate: ")?.split(':').next())
        .collect();
    let expected = ["remark", "passed", "passed", "failed"];
    assert_eq!(marks, expected.map(|mark| support::words::raw(&format!("gate.{mark}"))), "{ran:?}");
}

#[test]
fn a_gate_names_cases_that_the_candidate_did_not_run_and_keeps_its_rules() {
    let place = Workspace::new()
        .runs(FIRST)
        .runs("iteration-1/h/without_skill ++++ 1.5 100")
        .file("iteration-1/g/eval_metadata.json", PLAN);
    let ran = place.run(["build", "../workspace", "-o", "r", "--fail-on", "worse"]).assert_code(0);
    let candidate = ("candidate", "with_skill of iteration-1");
    let left_out = [candidate, ("n", "2"), ("all", "8"), ("names", "g, h")];
    assert!(ran.stderr.contains(&support::words::text("gate.not_run", &left_out)), "{ran:?}");
}

#[test]
fn runs_that_cannot_be_believed_open_no_gate_unless_they_count() {
    let place = Workspace::new().runs(
        "iteration-1/a,b,c/with_skill ++++ 2.4 100
        iteration-1/a,b,c/without_skill ++-- 2.4 100",
    );
    let build = ["build", "../workspace", "-o", "r", "--fail-on", "worse", "--min-gain", "0"];
    let ran = place.run(build).assert_code(1);
    assert!(support::words::says(&ran.stderr, "gate.not_measured", &[]), "{ran:?}");
    let badge = support::words::raw("headline.no_measurement").to_lowercase();
    let drawn = |place: &Workspace| {
        support::read_text(place.elsewhere().join("r/badge.json")).contains(&badge)
    };
    assert!(drawn(&place));
    place.run(build.iter().chain(&["--doubtful-runs", "count"])).assert_code(0);
    assert!(!drawn(&place));
}
