//! `evalbook compare` and `build --gate`, from the outside.

#![allow(clippy::disallowed_methods, reason = "tests look at what was written")]

use crate::support;
use crate::support::{Ran, Workspace, grading, words};
use serde_json::Value;

/// The checks that pass in each case, of four.
type Cases<'a> = &'a [(&'a str, usize)];

/// The workspace with one graded run of `configuration` for each case.
fn with(workspace: Workspace, iteration: &str, configuration: &str, cases: Cases<'_>) -> Workspace {
    cases.iter().fold(workspace, |workspace, (case, passed)| {
        let texts = ["names the total", "keeps the order", "has a heading", "is one page"];
        let verdicts: Vec<(&str, bool, &str)> =
            texts.iter().enumerate().map(|(at, text)| (*text, at < *passed, "seen")).collect();
        let path = format!("{iteration}/{case}/{configuration}/grading.json");
        workspace.file(&path, grading(&verdicts))
    })
}

/// What every run of `configuration` took.
fn cost(
    workspace: Workspace,
    iteration: &str,
    configuration: &str,
    cases: &[&str],
    (seconds, tokens): (f64, u64),
) -> Workspace {
    let timing = serde_json::json!({ "total_duration_seconds": seconds, "total_tokens": tokens })
        .to_string();
    cases.iter().fold(workspace, |workspace, case| {
        workspace.file(&format!("{iteration}/{case}/{configuration}/timing.json"), &timing)
    })
}

const SIX: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// Six cases in two iterations: `before` and `after` of four checks pass in each.
fn two(before: usize, after: usize) -> Workspace {
    let [old, new] = [before, after].map(|passed| SIX.map(|case| (case, passed)));
    let workspace = with(Workspace::new(), "iteration-1", "with_skill", &old);
    let workspace = with(workspace, "iteration-2", "with_skill", &new);
    let workspace = cost(workspace, "iteration-1", "with_skill", &SIX, (10.0, 1000));
    cost(workspace, "iteration-2", "with_skill", &SIX, (12.0, 1200))
}

fn compare(workspace: &Workspace, flags: &[&str]) -> Ran {
    let sides = ["compare", "../workspace/iteration-1", "../workspace/iteration-2"];
    let ran = workspace.run(sides.iter().chain(flags));
    assert!(!ran.stderr.contains("panicked"), "{ran:?}");
    ran
}

fn swapped(workspace: &Workspace, flags: &[&str]) -> Ran {
    let sides = ["compare", "../workspace/iteration-2", "../workspace/iteration-1"];
    workspace.run(sides.iter().chain(flags))
}

/// Compares the workspace with a second round of it, in which the grader found the same in other
/// words.
fn compare_with_copy(workspace: &Workspace, flags: &[&str]) -> Ran {
    let copy = workspace.elsewhere().join("copy");
    support::copy(&workspace.path(), &copy);
    for file in support::files(&copy) {
        let text = std::fs::read_to_string(&file).expect("a text");
        std::fs::write(&file, text.replace("seen", "looked at")).expect("a changed text");
    }
    workspace.run(["compare", "copy", "../workspace"].iter().chain(flags))
}

/// Asserts how the gate ended, and that stderr has one line for each rule that failed.
fn assert_gate(ran: &Ran, code: i32, failed: &[&str]) {
    assert_eq!(ran.code, Some(code), "{ran:?}");
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines.len(), failed.len(), "{ran:?}");
    for (line, part) in lines.iter().zip(failed) {
        assert!(line.starts_with("gate: ") && line.contains(part), "{part}: {line}");
    }
}

/// Asserts that the gate failed with this reason, once for each of so many rules.
fn assert_reason(ran: &Ran, rules: usize, reason: &str, values: &[(&str, &str)]) {
    assert_gate(ran, 1, &vec![""; rules]);
    for line in ran.stderr.lines() {
        assert!(words::says(line, &format!("gate.{reason}"), values), "{reason}: {line}");
    }
}

/// A configuration of an iteration, as a page names it.
fn side(configuration: &str, iteration: &str) -> String {
    words::text("page.side", &[("configuration", configuration), ("iteration", iteration)])
}

fn with_skill(iteration: &str) -> String {
    side("with_skill", iteration)
}

#[test]
fn without_rules_a_comparison_is_fine_and_names_both_sides() {
    let ran = compare(&two(3, 2), &[]);
    assert_gate(&ran, 0, &[]);
    let [after, before] = ["iteration-2", "iteration-1"].map(with_skill);
    let sides = [("after", after.as_str()), ("before", before.as_str())];
    assert!(words::says(&ran.stdout, "compare.title", &sides), "{}", ran.stdout);
    assert!(words::says(&ran.stdout, "verdict.why_worse", &[]), "{}", ran.stdout);
    for part in ["−25 ", "50 % (12/24)", "75 % (18/24)", "a: has a heading  1/1 → 0/1", "seen"]
    {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    assert!(ran.stdout.contains(&words::count(6, "regressed")), "{}", ran.stdout);
    assert!(!ran.stdout.contains(words::raw("compare.gate")), "{}", ran.stdout);
}

#[test]
fn every_rule_passes_on_one_side_of_its_limit_and_fails_on_the_other() {
    let (better, worse) = (two(2, 3), two(3, 2));
    for rule in ["regression-strict", "worse", "settled-worse"] {
        let name = format!("fail-on {rule}: ");
        assert_gate(&compare(&better, &["--fail-on", rule]), 0, &[]);
        assert_gate(&compare(&worse, &["--fail-on", rule]), 1, &[&name]);
        assert_gate(&swapped(&worse, &["--fail-on", rule]), 0, &[]);
    }
    let limits = [
        ("--min-pass-rate", ["75%", "75.1%"]),
        ("--min-pass-rate", ["0.75", "0.76"]),
        ("--max-time-increase", ["20%", "19.9%"]),
        ("--max-time-increase", ["2", "1.9"]),
        ("--max-token-increase", ["20%", "19%"]),
        ("--max-token-increase", ["200", "199"]),
    ];
    for (flag, [holds, fails]) in limits {
        assert_gate(&compare(&better, &[flag, holds]), 0, &[]);
        let ran = compare(&better, &[flag, fails]);
        assert_gate(&ran, 1, &[flag.trim_start_matches('-')]);
        assert!(ran.stderr.contains("18/24"), "{ran:?}");
    }
    let ran = compare(&worse, &["--fail-on", "regression-strict,worse", "--min-pass-rate", "90%"]);
    assert_gate(&ran, 1, &["fail-on worse", "fail-on regression-strict", "min-pass-rate"]);
}

#[test]
fn leaning_is_worse_but_not_settled() {
    let old = [("a", 4), ("b", 4), ("c", 4), ("d", 3)];
    let new = [("a", 1), ("b", 1), ("c", 0), ("d", 0)];
    let workspace = with(Workspace::new(), "iteration-1", "with_skill", &old);
    let workspace = with(workspace, "iteration-2", "with_skill", &new);
    assert_gate(&compare(&workspace, &["--fail-on", "settled-worse"]), 0, &[]);
    let ran = compare(&workspace, &["--fail-on", "worse", "--format", "json"]);
    assert_gate(&ran, 1, &["fail-on worse"]);
    assert_eq!(ran.json()["change"]["verdict"], "probably worse");
}

#[test]
fn what_cannot_be_checked_fails_with_its_reason() {
    let workspace = with(Workspace::new(), "iteration-1", "with_skill", &[("a", 4), ("b", 4)]);
    let workspace = with(workspace, "iteration-2", "with_skill", &[("c", 4), ("d", 4)]);
    let candidate = with_skill("iteration-2");
    for rule in ["regression-strict", "worse", "settled-worse"] {
        let ran = compare(&workspace, &["--fail-on", rule]);
        assert_reason(&ran, 1, "unchecked", &[("candidate", &candidate)]);
        assert_reason(&ran, 1, "nothing_shared", &[]);
    }
    let costs = ["--max-time-increase", "20%", "--max-token-increase", "5"];
    assert_reason(&compare(&workspace, &costs), 2, "nothing_shared", &[]);
    let workspace = with(workspace, "iteration-2", "with_skill", &[("a", 4), ("b", 4)]);
    assert_reason(&compare(&workspace, &costs), 2, "not_recorded", &[]);
}

#[test]
fn a_case_that_broke_off_is_no_case_without_a_loss() {
    let workspace =
        two(2, 3).file("iteration-2/f/with_skill/grading.json", "{\"expectations\": []}");
    let ran = compare(&workspace, &["--fail-on", "regression-strict"]);
    assert_reason(&ran, 1, "no_verdict", &[("cases", "f")]);
    assert!(ran.stderr.trim_end().ends_with(": f"), "{ran:?}");
}

#[test]
fn a_verdict_that_got_lost_is_no_pass() {
    let workspace = SIX.iter().fold(two(3, 3), |workspace, case| {
        let expectations = serde_json::json!([
            { "text": "names the total", "passed": null },
            { "text": "keeps the order", "passed": true },
            { "text": "has a heading", "passed": true },
            { "text": "is one page", "passed": false },
        ]);
        let grading = serde_json::json!({ "expectations": expectations }).to_string();
        workspace.file(&format!("iteration-2/{case}/with_skill/grading.json"), grading)
    });
    for rule in ["regression-strict", "worse", "settled-worse"] {
        let ran = compare(&workspace, &["--fail-on", rule]);
        let lost = "a: names the total 1/1 → –; b: names the total 1/1 → –; \
                    c: names the total 1/1 → –; ";
        let lost = lost.to_owned() + &words::text("verdict.more", &[("n", "3")]);
        assert_reason(&ran, 1, "lost_verdicts", &[("list", &lost)]);
    }
}

#[test]
fn a_run_that_broke_off_is_no_pass() {
    let lost = |runs: usize| {
        (0..runs).fold(two(3, 4), |workspace, at| {
            let run = format!("iteration-2/{}/with_skill/run-2/grading.json", SIX[at]);
            workspace.file(&run, "{\"expectations\": [{\"text\": \"names the total\"}]}")
        })
    };
    let [two_runs, three_runs] = [2, 3].map(|number| words::count(number, "run"));
    let unknown = [("unknown", three_runs.as_str())];
    for rule in ["regression-strict", "worse", "settled-worse"] {
        assert_reason(&compare(&lost(3), &["--fail-on", rule]), 1, "ungraded", &unknown);
    }
    let costs = ["--max-time-increase", "20%", "--max-token-increase", "20%"];
    assert_gate(&compare(&two(3, 4), &costs), 0, &[]);
    assert_reason(&compare(&lost(3), &costs), 2, "ungraded", &unknown);
    // 24 of 24 checks, and 18 of 24 if the runs without a verdict failed theirs.
    assert_gate(&compare(&lost(2), &["--min-pass-rate", "75%"]), 0, &[]);
    let ran = compare(&lost(2), &["--min-pass-rate", "76%"]);
    assert_reason(&ran, 1, "ungraded", &[("unknown", &two_runs)]);
}

#[test]
fn a_share_that_just_misses_is_not_rounded_to_what_is_asked_for() {
    let old = SIX.map(|case| (case, 4));
    let mut new = old;
    new[0].1 = 3;
    let workspace = with(Workspace::new(), "iteration-1", "with_skill", &old);
    let workspace = with(workspace, "iteration-2", "with_skill", &new);
    let ran = compare(&workspace, &["--min-pass-rate", "0.9584"]);
    let shown = [("percent", "95.83 %"), ("counts", "23/24"), ("least", "95.84 %")];
    assert_reason(&ran, 1, "rate", &shown);
}

#[test]
fn an_increase_and_its_limit_are_shown_with_the_same_decimals() {
    let all = SIX.map(|case| (case, 4));
    let workspace = with(Workspace::new(), "iteration-1", "with_skill", &all);
    let workspace = with(workspace, "iteration-2", "with_skill", &all);
    let workspace = cost(workspace, "iteration-1", "with_skill", &SIX, (100.0, 100_000));
    let workspace = cost(workspace, "iteration-2", "with_skill", &SIX, (212.38, 112_380));
    let table = [
        (["--max-token-increase", "12.36%"], "(+12.38 %)", "12.36 %"),
        (["--max-token-increase", "12379.5"], "380 ", "379.5 "),
        (["--max-time-increase", "112.36"], "+112.38 s", "112.36 s"),
        (["--max-time-increase", "112"], "+112.4 s", "112.0 s"),
    ];
    for (flags, figure, limit) in table {
        assert_gate(&compare(&workspace, &flags), 1, &[figure]);
        assert_gate(&compare(&workspace, &flags), 1, &[limit]);
    }
}

#[test]
fn a_gain_and_its_limit_are_shown_with_the_same_decimals() {
    let old = SIX.map(|case| (case, 1));
    let mut new = old;
    new[..3].iter_mut().for_each(|(_, passed)| *passed = 2);
    for (gain, limit) in [("+12.5", "12.5"), ("+13", "12")] {
        let workspace = with(Workspace::new(), "iteration-1", "old_skill", &old);
        let workspace = with(workspace, "iteration-1", "with_skill", &new);
        let ran = compare_with_copy(&workspace, &["--min-gain", limit]);
        assert_gate(&ran, 0, &[]);
        let points = |number: &str| words::text("count.point.other", &[("n", number)]);
        let (gain, least) = (points(gain), points(limit));
        let shown = [("gain", gain.as_str()), ("least", &least)];
        assert!(words::says(&ran.stdout, "gate.gain", &shown), "{}", ran.stdout);
    }
}

#[test]
fn a_gate_on_a_baseline_speaks_of_no_earlier_side() {
    let graded = r#"{"expectations": [{"text": "names the total", "passed": true},
                                      {"text": "keeps the order", "passed": null}]}"#;
    let ungraded = r#"{"expectations": [{"text": "keeps the order"}, {"text": "is one page"}]}"#;
    for (of_a, reason) in [(graded, "lost_verdicts_beside"), (ungraded, "no_verdict_beside")] {
        let both = [("a", 4), ("b", 4)];
        let workspace = with(Workspace::new(), "iteration-1", "without_skill", &both);
        let workspace = with(workspace, "iteration-1", "with_skill", &[("b", 4)])
            .file("iteration-1/a/with_skill/grading.json", of_a);
        let build = ["build", "../workspace", "-o", "r", "-q", "--fail-on", "regression-strict"];
        let ran = workspace.run(build);
        assert_reason(&ran, 1, reason, &[("before", "without_skill")]);
        assert!(ran.stderr.contains(": a"), "{ran:?}");
    }
}

#[test]
fn a_gate_on_expectations_that_no_side_shares_opens_for_nothing() {
    let other = [("other words", false, "seen"), ("another check", true, "seen")];
    let workspace = with(Workspace::new(), "iteration-1", "without_skill", &[("a", 4)]);
    let workspace = workspace
        .file("iteration-1/a/with_skill/grading.json", grading(&other))
        .file("iteration-1/b/with_skill/grading.json", grading(&other[..1]))
        .file("iteration-1/b/without_skill/grading.json", grading(&[("words", true, "seen")]));
    let build = ["build", "../workspace", "-o", "r", "-q", "--fail-on", "regression-strict"];
    assert_reason(&workspace.run(build), 1, "nothing_shared", &[]);
}

#[test]
fn an_expectation_that_lacks_verdicts_in_some_runs_is_no_pass() {
    let ungraded = |text: &str| serde_json::json!({"expectations": [{"text": text}]}).to_string();
    let again = |workspace: Workspace, iteration: u32, document: String| {
        let run = format!("iteration-{iteration}/a/with_skill/run-2/grading.json");
        let other = serde_json::json!({"text": "keeps the order", "passed": true});
        let mut whole: Value = serde_json::from_str(&document).expect("JSON");
        whole["expectations"].as_array_mut().expect("a list").push(other);
        workspace.file(&run, whole.to_string())
    };
    let passed = grading(&[("names the total", true, "seen")]);
    let lost = again(two(4, 4), 1, passed.clone());
    let lost = again(lost, 2, ungraded("names the total"));
    let list = [("list", "a: names the total 2/2 → 1/1")];
    assert_reason(&compare(&lost, &["--fail-on", "regression-strict"]), 1, "lost_verdicts", &list);
    let both = again(two(4, 4), 1, ungraded("names the total"));
    let both = again(both, 2, ungraded("names the total"));
    assert_gate(&compare(&both, &["--fail-on", "regression-strict"]), 0, &[]);
}

#[test]
fn what_changed_in_some_runs_changed_in_part() {
    let again = |passed| grading(&[("is one page", passed, "seen")]);
    let workspace = two(4, 4)
        .file("iteration-1/a/with_skill/run-2/grading.json", again(true))
        .file("iteration-2/a/with_skill/run-2/grading.json", again(false));
    let ran = compare(&workspace, &[]);
    let regressed = words::text("diff.one_in_part", &[("counts", &words::count(1, "regressed"))]);
    assert!(ran.stdout.lines().any(|line| line == regressed), "{ran:?}");
}

#[test]
fn a_least_gain_opens_for_no_lost_verdict() {
    let lost = SIX.iter().fold(improved(), |workspace, case| {
        let document = grading(&[("keeps the order", true, "seen")]);
        let mut whole: Value = serde_json::from_str(&document).expect("JSON");
        let ungraded = serde_json::json!({"text": "names the total"});
        whole["expectations"].as_array_mut().expect("a list").push(ungraded);
        workspace.file(&format!("iteration-1/{case}/with_skill/grading.json"), whole.to_string())
    });
    let before = [("before", "old_skill")];
    assert_reason(&build_with_gain(&lost, "0"), 1, "lost_verdicts_beside", &before);
    let run = "iteration-1/a/with_skill/grading.json";
    let broken = improved().file(run, "{\"expectations\": []}");
    assert_reason(&build_with_gain(&broken, "0"), 1, "no_verdict_beside", &[("cases", "a")]);
}

#[test]
fn what_broke_off_had_as_many_checks_as_its_case() {
    let many: Vec<(String, bool)> = (0..10).map(|at| (format!("check {at}"), true)).collect();
    let many: Vec<(&str, bool, &str)> =
        many.iter().map(|(text, passed)| (text.as_str(), *passed, "seen")).collect();
    let workspace = with(Workspace::new(), "iteration-1", "with_skill", &[("a", 4), ("b", 4)])
        .file("iteration-1/large/without_skill/grading.json", grading(&many))
        .file("iteration-1/large/with_skill/outputs/a.txt", "x");
    let build = ["build", "../workspace", "-o", "r"];
    let ran = workspace.run(build.iter().chain(&["--min-pass-rate", "50%"]));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let unknown = words::count(1, "run");
    assert!(words::says(&ran.stderr, "gate.ungraded", &[("unknown", &unknown)]), "{ran:?}");
    let ran = workspace.run(build.iter().chain(&["-q", "--min-pass-rate", "44%"]));
    assert_gate(&ran, 0, &[]);
}

#[test]
fn less_than_all_is_not_shown_as_all() {
    let cases: Vec<(String, usize)> = (0..501).map(|at| (format!("c{at}"), 4)).collect();
    let mut cases: Vec<(&str, usize)> =
        cases.iter().map(|(case, passed)| (case.as_str(), *passed)).collect();
    cases[0].1 = 3;
    let workspace = with(Workspace::new(), "iteration-1", "with_skill", &cases);
    let ran = workspace.run(["build", "../workspace", "-o", "r", "-q", "--min-pass-rate", "1.0"]);
    let shown = [("percent", "99.95 %"), ("counts", "2003/2004"), ("least", "100 %")];
    assert_reason(&ran, 1, "rate", &shown);
}

#[test]
fn what_is_known_is_told_by_a_build_too() {
    let on = |expires: &str| {
        let issue = known("*", "has a *", expires);
        let workspace = two(3, 2).file("evalbook.toml", issue);
        workspace.run(["build", "../workspace", "-o", "r", "--gate", "--as-of", "2026-06-01"])
    };
    let ran = on("2026-12-31");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let until = [("day", "2026-12-31"), ("reason", "the parser is late")];
    assert!(words::says(&ran.stderr, "gate.is_known", &until), "{ran:?}");
    assert!(ran.stderr.contains("gate: fail-on regression-strict: pass"), "{ran:?}");
    let ran = on("2026-01-31");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(words::says(&ran.stderr, "gate.expired", &[("day", "2026-01-31")]), "{ran:?}");
}

#[test]
fn a_named_iteration_is_meant_under_another_name_too() {
    let workspace = with(Workspace::new(), "iteration-1", "skill_v1", &[("a", 4)]);
    let workspace = with(workspace, "iteration-1", "without_skill", &[("a", 0)]);
    let workspace = with(workspace, "iteration-2", "skill_v2", &[("a", 3)]);
    let workspace = with(workspace, "iteration-2", "without_skill", &[("a", 0)]);
    let build = ["build", "../workspace", "-o", "r", "-q", "--fail-on", "regression-strict"];
    assert_gate(&workspace.run(build), 0, &[]);
    let ran = workspace.run(build.iter().chain(&["--against", "iteration-1"]));
    assert_gate(&ran, 1, &["a: is one page 1/1 → 0/1"]);
    assert!(ran.stderr.contains(&side("skill_v1", "iteration-1")), "{ran:?}");
}

#[test]
fn every_candidate_is_judged() {
    let cases = |passed: usize| SIX.map(|case| (case, passed));
    let workspace = with(Workspace::new(), "iteration-1", "baseline", &cases(3));
    let workspace = with(workspace, "iteration-1", "arm_a", &cases(4));
    let workspace = with(workspace, "iteration-1", "arm_b", &cases(2));
    let built =
        workspace.run(["build", "../workspace", "-o", "r", "-q", "--fail-on", "regression-strict"]);
    assert_gate(&built, 1, &[&side("arm_b", "iteration-1")]);
    let workspace = workspace.file("evalbook.toml", known("z", "nothing", "2030-01-01"));
    let comment =
        ["build", "../workspace", "--format", "markdown", "--for", "pull-request", "--gate"];
    let reported = workspace.run(comment);
    assert_eq!(words::times(&reported.stdout, "gate.idle", &[]), 1, "{reported:?}");
}

#[test]
fn one_case_that_fell_is_not_called_worse() {
    let workspace = with(Workspace::new(), "iteration-1", "with_skill", &[("a", 4)]);
    let workspace = with(workspace, "iteration-2", "with_skill", &[("a", 0)]);
    assert_gate(&compare(&workspace, &["--fail-on", "worse"]), 0, &[]);
    let strict = compare(&workspace, &["--fail-on", "regression-strict"]);
    assert_gate(&strict, 1, &["fail-on regression-strict"]);
}

fn known(case: &str, expectation: &str, expires: &str) -> String {
    format!(
        "[gate]\nfail_on = \"regression-strict\"\n[[known_issues]]\ncase = \"{case}\"\nexpectation = \
         \"{expectation}\"\nreason = \"the parser is late\"\nexpires = {expires}\n"
    )
}

#[test]
fn known_issues_excuse_losses_until_they_expire() {
    let on = |issue: &str, day: &str| {
        let workspace = two(3, 2).file("evalbook.toml", issue);
        compare(&workspace, &["--as-of", day])
    };
    let issue = known("*", "has a *", "2026-12-31");
    let ran = on(&issue, "2026-12-31");
    assert_gate(&ran, 0, &[]);
    assert!(words::says(&ran.stdout, "gate.only_known", &[("n", "6")]), "{}", ran.stdout);
    let until = [("day", "2026-12-31"), ("reason", "the parser is late")];
    assert!(words::says(&ran.stdout, "gate.is_known", &until), "{}", ran.stdout);
    let assert_losses = |ran: &Ran, number: usize| {
        let expectations = words::count(number, "expectation");
        assert_reason(ran, 1, "losses", &[("expectations", &expectations)]);
    };
    let ran = on(&issue, "2027-01-01");
    assert_losses(&ran, 6);
    assert!(ran.stderr.contains("(a: has a heading 1/1 → 0/1; "), "{ran:?}");
    assert!(words::says(&ran.stderr, "verdict.more", &[("n", "3")]), "{ran:?}");
    let expired = [("day", "2026-12-31")];
    assert!(words::says(&ran.stdout, "gate.expired", &expired), "{}", ran.stdout);
    assert_losses(&on(&known("a", "has a heading", "2026-12-31"), "2026-01-01"), 5);
    let ran = on(&known("z", "is one page", "2026-12-31"), "2026-01-01");
    assert_losses(&ran, 6);
    let idle = [("case", "z"), ("expectation", "is one page")];
    assert!(words::says(&ran.stdout, "gate.idle", &idle), "{}", ran.stdout);
    let ran = on(&issue, "tomorrow");
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

/// A skill that is better than the old one, whose folder comes first.
fn improved() -> Workspace {
    let [old, new] = [1, 4].map(|passed| SIX.map(|case| (case, passed)));
    let workspace = with(Workspace::new(), "iteration-1", "old_skill", &old);
    with(workspace, "iteration-1", "with_skill", &new)
}

fn build_with_gain(workspace: &Workspace, least: &str) -> Ran {
    workspace.run(["build", "../workspace", "-o", "report", "-q", "--min-gain", least])
}

#[test]
fn a_least_gain_is_that_over_the_baseline() {
    assert_gate(&build_with_gain(&improved(), "75"), 0, &[]);
    let ran = build_with_gain(&improved(), "75.5");
    assert_gate(&ran, 1, &["min-gain: +75 "]);
    let sides = [("after_counts", "24/24"), ("before_counts", "6/24")];
    assert!(words::says(&ran.stderr, "gate.sides", &sides), "{ran:?}");
    let fallen = with(improved(), "iteration-1", "with_skill", &SIX.map(|case| (case, 0)));
    assert_gate(&build_with_gain(&fallen, "0"), 1, &["min-gain: \u{2212}25 "]);
    assert_gate(&build_with_gain(&fallen, "-25"), 0, &[]);
    assert_reason(&build_with_gain(&two(2, 3), "0"), 1, "no_baseline", &[]);
    let ran = build_with_gain(&improved(), "101");
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn regression_gates_of_another_program_are_named_as_settings_and_fail_nothing() {
    let gates = r#"{"min_pass_rate_delta": 0.8, "max_time_increase_seconds": 30.5}"#;
    let workspace = improved().file("regression_gates.json", gates);
    let ran = workspace.run(["check", "../workspace"]);
    assert!(ran.stdout.contains("`min_gain = 80`, `max_time_increase = 30.5`"), "{ran:?}");
    let ran = workspace.run(["build", "../workspace", "-o", "report", "-q", "--gate"]);
    assert_gate(&ran, 0, &[]);
}

#[test]
fn a_newer_iteration_without_verdicts_is_the_one_that_is_judged() {
    let no_verdict = ("reason", words::raw("gate.nothing_graded"));
    let workspace = SIX.iter().fold(two(2, 4), |workspace, case| {
        workspace
            .file(&format!("iteration-3/{case}/with_skill/outputs/a.txt"), "x")
            .file(&format!("iteration-3/{case}/without_skill/outputs/a.txt"), "x")
    });
    let flags = ["--fail-on", "worse", "--min-pass-rate", "50%"];
    let ran = workspace.run(["build", "../workspace", "-o", "report"].iter().chain(&flags));
    let candidate = with_skill("iteration-3");
    let unchecked = [("candidate", candidate.as_str()), no_verdict];
    let found = words::times(&ran.stderr, "gate.unchecked", &unchecked);
    assert_eq!((ran.code, found), (Some(1), 2), "{ran:?}");
    let newer = [("iteration", "iteration-3")];
    assert!(words::says(&ran.stderr, "overview.newer", &newer), "{ran:?}");
}

#[test]
fn a_candidate_without_verdicts_hides_no_other() {
    let cases = |passed: usize| SIX.map(|case| (case, passed));
    let workspace = with(Workspace::new(), "iteration-1", "without_skill", &cases(1));
    let workspace = with(workspace, "iteration-1", "with_skill_v2", &cases(3));
    let workspace = SIX.iter().fold(workspace, |workspace, case| {
        workspace.file(&format!("iteration-1/{case}/with_skill/outputs/a.txt"), "x")
    });
    let ran = workspace.run(["check", "../workspace"]);
    let unread = [("names", "with_skill")];
    let shown = [("candidate", "with_skill_v2"), ("rate", "75 %"), ("counts", "18/24")];
    assert!(words::says(&ran.stdout, "verdict.why_better", &[]), "{ran:?}");
    assert!(words::says(&ran.stdout, "overview.sentence", &shown), "{ran:?}");
    assert!(words::says(&ran.stdout, "overview.no_verdict", &unread), "{ran:?}");
    let assert_unchecked = |ran: &Ran, iteration: &str| {
        let candidate = with_skill(iteration);
        let no_verdict = ("reason", words::raw("gate.nothing_graded"));
        assert_reason(ran, 1, "unchecked", &[("candidate", &candidate), no_verdict]);
    };
    let ran = workspace.run(["build", "../workspace", "-o", "r", "-q", "--min-pass-rate", "50%"]);
    assert_unchecked(&ran, "iteration-1");
    let ran = compare_with_copy(&workspace, &[]);
    assert!(ran.stdout.contains(&side("with_skill_v2", "../workspace")), "{ran:?}");
    assert!(words::says(&ran.stdout, "overview.no_verdict", &unread), "{ran:?}");
    let ran = compare_with_copy(&workspace, &["--fail-on", "worse"]);
    assert_unchecked(&ran, "../workspace");
    let failed = ran.stdout.lines().filter(|line| words::says(line, "gate.unchecked", &[]));
    let failed: Vec<&str> = failed.map(str::trim_start).collect();
    assert!(failed[0].starts_with(words::raw("gate.failed")), "{ran:?}");
    let flags = ["--fail-on", "worse", "--format", "json"];
    let ran = compare_with_copy(&workspace, &flags);
    let gate = &serde_json::from_str::<Value>(&ran.stdout).expect("JSON")["gate"];
    assert_eq!(gate["passed"], false, "{gate}");
    assert_eq!(gate["rules"][1]["decision"], "unchecked", "{gate}");
}

#[test]
fn a_new_case_that_broke_off_opens_no_gate() {
    let workspace =
        two(2, 3).file("iteration-2/new/with_skill/grading.json", "{\"expectations\": []}");
    for rule in [["--fail-on", "regression-strict"], ["--max-time-increase", "50%"]] {
        let unknown = words::count(1, "run");
        assert_reason(&compare(&workspace, &rule), 1, "ungraded", &[("unknown", &unknown)]);
    }
}

#[test]
fn an_iteration_of_the_baseline_alone_is_no_candidate() {
    let cases = |passed: usize| SIX.map(|case| (case, passed));
    let workspace = with(Workspace::new(), "iteration-1", "without_skill", &cases(2));
    let workspace = with(workspace, "iteration-1", "with_skill", &cases(3));
    let workspace = with(workspace, "iteration-2", "without_skill", &cases(1));
    let ran = workspace.run(["build", "../workspace", "-o", "r", "-q", "--fail-on", "worse"]);
    let newer = [("iteration", "iteration-2")];
    assert_reason(&ran, 1, "newer_without", &newer);
    let ran = workspace.run(["build", "../workspace", "-o", "r"]);
    assert!(words::says(&ran.stderr, "verdict.why_better", &[("a", "with_skill")]), "{ran:?}");
    assert!(words::says(&ran.stderr, "overview.newer", &newer), "{ran:?}");
}

#[test]
fn every_candidate_of_the_later_side_is_judged() {
    let cases = |passed: usize| SIX.map(|case| (case, passed));
    let workspace = with(Workspace::new(), "iteration-1", "arm_a", &cases(3));
    let workspace = with(workspace, "iteration-1", "arm_b", &cases(4));
    let workspace = with(workspace, "iteration-2", "arm_a", &cases(3));
    let workspace = with(workspace, "iteration-2", "arm_b", &cases(1));
    let ran = compare(&workspace, &["--fail-on", "worse"]);
    let [after, before] = ["iteration-2", "iteration-1"].map(|iteration| side("arm_b", iteration));
    let counts = [("after_counts", "6/24"), ("before_counts", "24/24")];
    let sides = [("after", after.as_str()), ("before", &before), counts[0], counts[1]];
    assert_reason(&ran, 1, "sides", &sides);
    assert!(ran.stdout.starts_with(&side("arm_a", "iteration-2")), "{ran:?}");
    assert!(ran.stdout.contains(&words::count(1, "candidate_other")), "{ran:?}");
    let other = |line: &str| line.trim_start().starts_with(&format!("* {after}"));
    assert!(ran.stdout.lines().any(|line| other(line) && line.contains("−75 ")), "{ran:?}");
    let ran = compare(&workspace, &["--fail-on", "worse", "--format", "json"]);
    let json: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(json["others"][0]["after"]["configuration"], "arm_b");
    assert_eq!(json["others"][0]["change"]["verdict"], "probably worse");
    assert_eq!(json["gate"]["rules"][0]["decision"], "passed");
    assert_eq!(json["gate"]["rules"][1]["decision"], "failed");
}

#[test]
fn a_comparison_is_as_sure_as_a_report() {
    let cases = |passed: usize| SIX.map(|case| (case, passed));
    let workspace = with(Workspace::new(), "iteration-1", "arm_a", &cases(3));
    let workspace = with(workspace, "iteration-1", "arm_b", &cases(3));
    let workspace = with(workspace, "iteration-2", "arm_a", &cases(2));
    let workspace = with(workspace, "iteration-2", "arm_b", &cases(3));
    let flags = ["--fail-on", "settled-worse"];
    let ran = compare(&workspace, &flags);
    assert_gate(&ran, 0, &[]);
    let other = words::count(1, "candidate_other");
    assert!(
        ran.stdout.contains(&other) && !words::says(&ran.stdout, "verdict.rare", &[]),
        "{ran:?}"
    );
    for against in ["previous", "first", "best"] {
        let build = ["build", "../workspace", "-o", "r", "-q", "--against", against];
        assert_gate(&workspace.run(build.iter().chain(&flags)), 0, &[]);
    }
}

#[test]
fn a_build_is_written_before_its_gate_is_judged() {
    let args = |more: &[&'static str]| {
        let mut args = vec!["build", "../workspace", "-o", "report", "-q"];
        args.extend(more);
        args
    };
    let workspace = two(3, 2);
    let ran = workspace.run(args(&["--fail-on", "regression-strict"]));
    assert_gate(&ran, 1, &["fail-on regression-strict: "]);
    let expectations = words::count(6, "expectation");
    assert_reason(&ran, 1, "losses", &[("expectations", &expectations)]);
    assert!(workspace.elsewhere().join("report/index.html").is_file());
    assert_gate(&workspace.run(args(&[])), 0, &[]);
    let ran = workspace.run(args(&["--gate"]));
    assert_gate(&ran, 1, &["fail-on worse: "]);
    let all = SIX.map(|case| (case, 4));
    let third = with(workspace, "iteration-3", "with_skill", &all);
    assert_gate(&third.run(args(&["--fail-on", "regression-strict"])), 0, &[]);
    for against in ["best", "first", "previous", "iteration-1"] {
        let ran = third.run(args(&["--fail-on", "regression-strict", "--against", against]));
        assert_gate(&ran, 0, &[]);
    }
}

#[test]
fn reports_are_sides_too() {
    let workspace = two(3, 2);
    let report = workspace.build();
    let direct = compare(&workspace, &["--format", "json"]).json();
    let pairs = [
        ["report/report.json#iteration-1", "report/report.json"],
        ["../workspace#iteration-1", "report/report.json"],
        ["report/report.json#iteration-1", "../workspace"],
    ];
    for [base, head] in pairs {
        let ran = workspace.run(["compare", base, head, "--format", "json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(ran.json(), direct, "{base} {head}");
    }
    let ran = workspace.run(["compare", "report/report.json#iteration-1", "report/report.json"]);
    assert!(ran.stdout.contains("seen"), "the evidence stands in the benchmark: {}", ran.stdout);
    let ran = workspace.run(["compare", "report/report.json#iteration-9", "../workspace"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let file = report.join("report.json");
    let text = std::fs::read_to_string(&file).expect("a report");
    std::fs::write(&file, text.replacen("\"schema_version\":3", "\"schema_version\":9", 1))
        .expect("a changed report");
    let ran = workspace.run(["compare", "report/report.json", "../workspace"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("report.json:1:2: ") && ran.stderr.contains('9'), "{ran:?}");
    std::fs::write(&file, &text[..text.len() / 2]).expect("half a report");
    let ran = workspace.run(["compare", "report/report.json", "../workspace"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("report.json:1:"), "{ran:?}");
}

#[test]
fn settings_beside_the_report_of_the_head_hold() {
    let workspace = two(3, 2);
    let report = workspace.build();
    let sides = ["compare", "report/report.json#iteration-1", "report/report.json"];
    assert_gate(&workspace.run(sides), 0, &[]);
    let file = report.join("evalbook.toml");
    std::fs::write(&file, "[gate]\nfail_on = [\"regression-strict\"]\n").expect("settings");
    assert_gate(&workspace.run(sides), 1, &[&words::count(6, "expectation")]);
    std::fs::write(&file, "gate = 3\n").expect("settings");
    let ran = workspace.run(sides);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("report: evalbook.toml:1:1: "), "{ran:?}");
    std::fs::write(&file, "baseline = 'with_skil'\n").expect("settings");
    let ran = workspace.run(sides);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("`with_skill`"), "{ran:?}");
}

#[test]
fn a_configuration_that_one_side_has_is_known() {
    let workspace = with(two(3, 2), "iteration-2", "old_skill", &[("a", 1)]);
    let ran = compare(&workspace, &["--baseline", "old_skill"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = compare(&workspace, &["--baseline", "nosuch"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn a_version_of_the_scored_schema_is_a_folder_of_an_iteration() {
    let place = Workspace::new().with(&support::project().join("examples/scored"));
    let run = |sides: [&str; 2]| {
        let ran = place.run(["compare", sides[0], sides[1], "--format", "json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.json()
    };
    let folders = run(["../workspace/v1", "../workspace/v2"]);
    assert_eq!(folders, run(["../workspace#v1", "../workspace#v2"]));
    assert_eq!(folders["after"]["iteration"], "v2");
    let alone = Workspace::new().with(&support::project().join("examples/compact"));
    std::fs::rename(alone.path(), alone.path().with_file_name("v3")).expect("another name");
    let ran = alone.run(["compare", "../v3#iteration-1", "../v3"]);
    assert_eq!(ran.code, Some(0), "a workspace may be called so: {ran:?}");
}

#[test]
fn the_same_names_are_told_apart() {
    let workspace = two(3, 2);
    let ran = compare_with_copy(&workspace, &[]);
    let title = ran.stdout.lines().next().expect("a title");
    let places = ["../workspace", "copy"];
    let places = places.map(|place| title.find(&side("with_skill", place)));
    assert!(places[0].is_some() && places[0] < places[1], "{title}");
    let json = compare_with_copy(&workspace, &["--format", "json"]).json();
    assert_eq!(json["after"]["iteration"], "../workspace");
    assert_eq!(json["change"]["verdict"], "about the same");
}

#[test]
fn json_holds_the_numbers_of_both_sides() {
    let json: Value = compare(&two(3, 2), &["--format", "json", "--fail-on", "worse"]).json();
    assert_eq!(json["schema_version"], 2);
    assert_eq!(json["change"]["verdict"], "worse");
    assert_eq!(json["change"]["claim"], "cases like these");
    assert_eq!(json["change"]["gain"], -0.25);
    assert_eq!(json["change"]["cases_worse"], 6);
    assert_eq!(json["before"]["passed"], 18);
    assert_eq!(json["regressed"].as_array().map(Vec::len), Some(6));
    assert_eq!(json["gate"]["passed"], false);
    assert_eq!(json["gate"]["rules"][0]["decision"], "failed");
    assert!(json["baseline"].is_null());
}

#[test]
fn hostile_names_stay_text() {
    let case = "<b>x</b> | \u{1b}[31m @you";
    let verdicts = |passed| grading(&[("a <img src=x>\n| \u{1b}]0;x\u{7}", passed, "`\u{1b}[2J`")]);
    let plan = |workspace: Workspace, iteration: &str, passed| {
        let meta = serde_json::json!({ "eval_name": case, "prompt": "p" }).to_string();
        workspace
            .file(&format!("{iteration}/one/eval_metadata.json"), meta)
            .file(&format!("{iteration}/one/with_skill/grading.json"), verdicts(passed))
    };
    let workspace = plan(plan(Workspace::new(), "iteration-1", true), "iteration-2", false);
    let text = compare(&workspace, &["--fail-on", "regression-strict"]);
    assert_eq!(text.code, Some(1), "{text:?}");
    assert!(!text.stdout.contains('\u{1b}') && !text.stderr.contains('\u{1b}'), "{text:?}");
    assert_eq!(text.stderr.lines().count(), 1, "{text:?}");
    let markdown = compare(&workspace, &["--format", "markdown"]).stdout;
    assert!(!markdown.contains("<b>") && !markdown.contains("<img"), "{markdown}");
    assert!(!markdown.contains("@you") && !markdown.contains('\u{1b}'), "{markdown}");
}

#[test]
fn a_file_holds_no_colors() {
    let workspace = two(3, 2);
    for format in ["text", "markdown", "json"] {
        let ran = compare(&workspace, &["--format", format, "-o", "out", "--color", "always"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
        let text = std::fs::read_to_string(workspace.elsewhere().join("out")).expect("a file");
        assert!(!text.contains('\u{1b}') && text.contains("iteration-2"), "{text}");
    }
    let ran = compare(&workspace, &["--color", "always"]);
    assert!(ran.stdout.contains('\u{1b}'), "{ran:?}");
    let ran = compare(&workspace, &["--lang", "zh-TW"]);
    assert!(ran.stdout.contains("對照"), "{ran:?}");
}

#[test]
fn wrong_paths_are_named() {
    let workspace = two(3, 2);
    let ran = workspace.run(["compare", "../workspace", "nowhere"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let ran = workspace.run(["compare", "../workspace"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let ungraded = Workspace::new().file("iteration-1/a/with_skill/outputs/x.txt", "x");
    let ran = ungraded.run(["compare", "../workspace", "../workspace"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
}

#[test]
fn what_fails_on_both_sides_is_listed_after_what_changed() {
    let workspace = two(3, 2);
    let [regressed, failing] = ["regressed", "still_failing"].map(|thing| words::count(6, thing));
    for (format, heading) in [("text", ""), ("markdown", "### ")] {
        let reported = compare(&workspace, &["--format", format]).stdout;
        let places = [regressed.clone(), format!("\n{heading}{failing}\n")];
        let places = places.map(|part| reported.find(&part));
        assert!(places[0].is_some() && places[0] < places[1], "{reported}");
    }
    let json = compare(&workspace, &["--format", "json"]).json();
    let failing = json["still_failing"].as_array().expect("a list");
    assert_eq!((failing.len(), &failing[0]["text"]), (6, &Value::from("is one page")), "{json}");
    let none = compare(&two(3, 4), &["--format", "json"]).json();
    assert_eq!(none["still_failing"].as_array().map(Vec::len), Some(0), "{none}");
}

#[test]
fn json_on_a_terminal_moves_and_hides_nothing() {
    let text = "a\u{9b}31m \u{202e}b";
    let verdicts = |passed| grading(&[(text, passed, text)]);
    let workspace = Workspace::new()
        .file("iteration-1/a/with_skill/run-1/grading.json", verdicts(true))
        .file("iteration-2/a/with_skill/run-1/grading.json", verdicts(false));
    let sides = ["../workspace/iteration-1", "../workspace/iteration-2"];
    let ran = workspace.run(["compare", sides[0], sides[1], "--format", "json"]);
    assert!(!ran.stdout.contains(['\u{9b}', '\u{202e}']), "{}", ran.stdout);
    assert!(ran.stdout.contains("a\\u009b31m \\u202eb"), "{}", ran.stdout);
    assert_eq!(ran.json()["regressed"][0]["text"], text);
}
