//! `evalbook compare` and `build` with rules, from the outside. `gates` has every rule on every state.

#![allow(clippy::disallowed_methods, reason = "tests look at what was written")]

use crate::support;
use crate::support::{Ran, Workspace, grading, words};
use serde_json::Value;

/// Verdicts of four checks, of which `passed` passed.
fn marks(passed: usize) -> String {
    "+".repeat(passed) + &"-".repeat(4 - passed)
}

/// Six cases of one configuration: `iteration-1/with_skill`.
fn six(place: Workspace, side: &str, passed: usize, costs: &str) -> Workspace {
    let (iteration, configuration) = side.split_once('/').expect("an iteration");
    place.runs(&format!("{iteration}/a,b,c,d,e,f/{configuration} {} {costs}", marks(passed)))
}

/// Six cases in two iterations: `before` and `after` of four checks pass in each.
fn two(before: usize, after: usize) -> Workspace {
    let place = six(Workspace::new(), "iteration-1/with_skill", before, "10 1000");
    six(place, "iteration-2/with_skill", after, "12 1200")
}

fn compare(workspace: &Workspace, flags: &[&str]) -> Ran {
    let sides = ["compare", "../workspace/iteration-1", "../workspace/iteration-2"];
    let ran = workspace.run(sides.iter().chain(flags));
    assert!(!ran.stderr.contains("panicked"), "{ran:?}");
    ran
}

fn build(workspace: &Workspace, flags: &[&str]) -> Ran {
    workspace.run(["build", "../workspace", "-o", "report", "-q"].iter().chain(flags))
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

/// Asserts that the only rule failed for this reason.
fn assert_reason(ran: &Ran, reason: &str, values: &[(&str, &str)]) {
    assert_gate(ran, 1, &[""]);
    assert!(words::says(&ran.stderr, &format!("gate.{reason}"), values), "{reason}: {ran:?}");
}

/// A configuration of an iteration, as a page names it.
fn side(configuration: &str, iteration: &str) -> String {
    words::text("page.side", &[("configuration", configuration), ("iteration", iteration)])
}

#[test]
fn without_rules_a_comparison_is_fine_and_names_both_sides() {
    let ran = compare(&two(3, 2), &[]);
    assert_gate(&ran, 0, &[]);
    let [after, before] = ["iteration-2", "iteration-1"].map(|it| side("with_skill", it));
    let sides = [("after", after.as_str()), ("before", before.as_str())];
    assert!(words::says(&ran.stdout, "compare.title", &sides), "{}", ran.stdout);
    assert!(words::says(&ran.stdout, "verdict.why_worse", &[]), "{}", ran.stdout);
    for part in ["−25 ", "50 % (12/24)", "75 % (18/24)", "a: check 2  1/1 → 0/1", "seen"] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    assert!(ran.stdout.contains(&words::count(6, "regressed")), "{}", ran.stdout);
    assert!(!ran.stdout.contains(words::raw("compare.gate")), "{}", ran.stdout);
}

#[test]
fn every_rule_passes_on_one_side_of_its_limit_and_fails_on_the_other() {
    let (better, worse) = (two(2, 3), two(3, 2));
    let swapped = ["compare", "../workspace/iteration-2", "../workspace/iteration-1"];
    for rule in ["regression-strict", "worse", "settled-worse"] {
        let flags = ["--fail-on", rule];
        assert_gate(&compare(&better, &flags), 0, &[]);
        assert_gate(&compare(&worse, &flags), 1, &[&format!("fail-on {rule}: ")]);
        assert_gate(&worse.run(swapped.iter().chain(&flags)), 0, &[]);
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
fn what_cannot_be_checked_fails_in_a_comparison_too() {
    let apart = "iteration-1/a,b/with_skill ++++\n iteration-2/c,d/with_skill ++++";
    let ran = compare(&Workspace::new().runs(apart), &["--fail-on", "worse"]);
    assert_reason(&ran, "unchecked", &[("candidate", &side("with_skill", "iteration-2"))]);
    assert_reason(&ran, "nothing_shared", &[]);
    let lost = two(3, 3).runs("iteration-2/a,b,c,d,e,f/with_skill ?++-");
    let list = ["a", "b", "c"].map(|case| format!("{case}: check 0 1/1 → –; ")).concat();
    let list = list + &words::text("verdict.more", &[("n", "3")]);
    let ran = compare(&lost, &["--fail-on", "worse"]);
    assert_reason(&ran, "lost_verdicts", &[("list", &list)]);
    // 24 of 24 checks, and 18 of 24 if the runs without a verdict failed theirs.
    let lost = two(3, 4).runs("iteration-2/a,b/with_skill/run-2 ?");
    assert_gate(&compare(&lost, &["--min-pass-rate", "75%"]), 0, &[]);
    let unknown = words::count(2, "run");
    let ran = compare(&lost, &["--min-pass-rate", "76%"]);
    assert_reason(&ran, "ungraded", &[("unknown", &unknown)]);
    // What broke off had as many checks as its case: 8 of 18.
    let large = "iteration-1/a,b/with_skill ++++\n iteration-1/large/without_skill ++++++++++";
    let large = Workspace::new().runs(large).file("iteration-1/large/with_skill/outputs/a.txt", "");
    assert_gate(&build(&large, &["--min-pass-rate", "44%"]), 0, &[]);
    assert_eq!(build(&large, &["--min-pass-rate", "45%"]).code, Some(1));
}

#[test]
fn a_share_that_just_misses_is_not_rounded_to_what_is_asked_for() {
    let many = "+".repeat(999);
    let many = format!("iteration-1/a/with_skill {many}-\n iteration-1/b/with_skill {many}+");
    let table = [
        (many.as_str(), "1.0", ["99.95 %", "1999/2000", "100 %"]),
        (
            "iteration-1/a,b,c,d,e/with_skill ++++\n iteration-1/f/with_skill +++-",
            "0.9584",
            ["95.83 %", "23/24", "95.84 %"],
        ),
    ];
    for (runs, limit, [percent, counts, least]) in table {
        let ran = build(&Workspace::new().runs(runs), &["--min-pass-rate", limit]);
        let shown = [("percent", percent), ("counts", counts), ("least", least)];
        assert_reason(&ran, "rate", &shown);
    }
}

#[test]
fn a_figure_and_its_limit_are_shown_with_the_same_decimals() {
    let place = six(Workspace::new(), "iteration-1/with_skill", 4, "100 100000");
    let place = six(place, "iteration-2/with_skill", 4, "212.38 112380");
    let table = [
        (["--max-token-increase", "12.36%"], "(+12.38 %)", "12.36 %"),
        (["--max-token-increase", "12379.5"], "380 ", "379.5 "),
        (["--max-time-increase", "112.36"], "+112.38 s", "112.36 s"),
        (["--max-time-increase", "112"], "+112.4 s", "112.0 s"),
    ];
    for (flags, figure, limit) in table {
        let ran = compare(&place, &flags);
        assert_gate(&ran, 1, &[figure]);
        assert!(ran.stderr.contains(limit), "{ran:?}");
    }
    let place = six(Workspace::new(), "iteration-1/old_skill", 1, "");
    let place =
        six(place, "iteration-1/with_skill", 1, "").runs("iteration-1/a,b,c/with_skill ++--");
    for (gain, limit) in [("+12.5", "12.5"), ("+13", "12")] {
        let ran = compare_with_copy(&place, &["--min-gain", limit]);
        assert_gate(&ran, 0, &[]);
        let [gain, least] =
            [gain, limit].map(|number| words::text("count.point.other", &[("n", number)]));
        let shown = [("gain", gain.as_str()), ("least", &least)];
        assert!(words::says(&ran.stdout, "gate.gain", &shown), "{}", ran.stdout);
    }
}

#[test]
fn what_changed_in_some_runs_changed_in_part() {
    let again = "iteration-1/a/with_skill/run-2 +\n iteration-2/a/with_skill/run-2 -";
    let ran = compare(&two(4, 4).runs(again), &[]);
    let regressed = words::text("diff.one_in_part", &[("counts", &words::count(1, "regressed"))]);
    assert!(ran.stdout.lines().any(|line| line == regressed), "{ran:?}");
}

#[test]
fn a_named_iteration_is_meant_under_another_name_too() {
    let place = Workspace::new().runs(
        "iteration-1/a/skill_v1 ++++\n iteration-2/a/skill_v2 +++-
         iteration-1,iteration-2/a/without_skill ----",
    );
    let strict = ["--fail-on", "regression-strict", "--against", "iteration-1"];
    assert_gate(&build(&place, &strict[..2]), 0, &[]);
    let ran = build(&place, &strict);
    assert_gate(&ran, 1, &["a: check 3 1/1 → 0/1"]);
    assert!(ran.stderr.contains(&side("skill_v1", "iteration-1")), "{ran:?}");
}

/// Settings with a rule, and with a loss that is known.
fn known(case: &str, check: &str, expires: &str) -> String {
    format!(
        "gate.fail_on = 'regression-strict'\n[[known_issues]]\ncase = '{case}'\n\
         expectation = '{check}'\nreason = 'the parser is late'\nexpires = {expires}\n"
    )
}

#[test]
fn known_issues_excuse_losses_until_they_expire() {
    let on = |issue: &str, day: &str| {
        compare(&two(3, 2).file("evalbook.toml", issue), &["--as-of", day])
    };
    let losses = |ran: &Ran, number: usize| {
        assert_reason(ran, "losses", &[("expectations", &words::count(number, "expectation"))]);
    };
    let issue = known("*", "*k 2", "2026-12-31");
    let ran = on(&issue, "2026-12-31");
    assert_gate(&ran, 0, &[]);
    assert!(words::says(&ran.stdout, "gate.only_known", &[("n", "6")]), "{}", ran.stdout);
    let until = [("day", "2026-12-31"), ("reason", "the parser is late")];
    assert!(words::says(&ran.stdout, "gate.is_known", &until), "{}", ran.stdout);
    let ran = on(&issue, "2027-01-01");
    losses(&ran, 6);
    assert!(ran.stderr.contains("(a: check 2 1/1 → 0/1; "), "{ran:?}");
    assert!(words::says(&ran.stderr, "verdict.more", &[("n", "3")]), "{ran:?}");
    assert!(words::says(&ran.stdout, "gate.expired", &until[..1]), "{}", ran.stdout);
    losses(&on(&known("a", "check 2", "2026-12-31"), "2026-01-01"), 5);
    let ran = on(&known("z", "check 3", "2026-12-31"), "2026-01-01");
    losses(&ran, 6);
    let idle = [("case", "z"), ("expectation", "check 3")];
    assert!(words::says(&ran.stdout, "gate.idle", &idle), "{}", ran.stdout);
    assert_eq!(on(&issue, "tomorrow").code, Some(2));

    let place = two(3, 2).file("evalbook.toml", issue);
    let gate = |day| place.run(["build", "../workspace", "--gate", "--as-of", day]);
    let ran = gate("2026-12-31");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(words::says(&ran.stderr, "gate.is_known", &until), "{ran:?}");
    assert!(ran.stderr.contains("gate: fail-on regression-strict: pass"), "{ran:?}");
    let ran = gate("2027-01-01");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(words::says(&ran.stderr, "gate.expired", &until[..1]), "{ran:?}");
}

/// A skill that is better than the old one, whose folder comes first.
fn improved() -> Workspace {
    let place = six(Workspace::new(), "iteration-1/old_skill", 1, "");
    six(place, "iteration-1/with_skill", 4, "")
}

#[test]
fn a_least_gain_is_that_over_the_baseline() {
    assert_gate(&build(&improved(), &["--min-gain", "75"]), 0, &[]);
    let ran = build(&improved(), &["--min-gain", "75.5"]);
    assert_gate(&ran, 1, &["min-gain: +75 "]);
    let sides = [("after_counts", "24/24"), ("before_counts", "6/24")];
    assert!(words::says(&ran.stderr, "gate.sides", &sides), "{ran:?}");
    let fallen = six(improved(), "iteration-1/with_skill", 0, "");
    assert_gate(&build(&fallen, &["--min-gain", "0"]), 1, &["min-gain: \u{2212}25 "]);
    assert_gate(&build(&fallen, &["--min-gain", "-25"]), 0, &[]);
    assert_eq!(build(&improved(), &["--min-gain", "101"]).code, Some(2));
}

#[test]
fn regression_gates_of_another_program_are_named_as_settings_and_fail_nothing() {
    let gates = r#"{"min_pass_rate_delta": 0.8, "max_time_increase_seconds": 30.5}"#;
    let place = improved().file("regression_gates.json", gates);
    let ran = place.run(["check", "../workspace"]);
    assert!(ran.stdout.contains("`min_gain = 80`, `max_time_increase = 30.5`"), "{ran:?}");
    assert_gate(&build(&place, &["--gate"]), 0, &[]);
}

#[test]
fn a_newer_iteration_without_the_candidate_is_told() {
    let newer = [("iteration", "iteration-2")];
    let outputs = "iteration-2/a,b,c,d,e,f/with_skill,without_skill/outputs/a.txt";
    let place = improved().files(outputs, "x");
    let ran = place.run(["build", "../workspace", "--min-pass-rate", "50%"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(words::says(&ran.stderr, "overview.newer", &newer), "{ran:?}");
    let place = six(improved(), "iteration-2/old_skill", 1, "9");
    let ran = place.run(["build", "../workspace"]);
    assert!(words::says(&ran.stderr, "verdict.why_better", &[("a", "with_skill")]), "{ran:?}");
    assert!(words::says(&ran.stderr, "overview.newer", &newer), "{ran:?}");
}

#[test]
fn a_candidate_without_verdicts_hides_no_other() {
    let place = six(Workspace::new(), "iteration-1/without_skill", 1, "");
    let place = six(place, "iteration-1/with_skill_v2", 3, "");
    let place = place.files("iteration-1/a,b,c,d,e,f/with_skill/outputs/a.txt", "x");
    let unread = [("names", "with_skill")];
    let shown = [("candidate", "with_skill_v2"), ("rate", "75 %"), ("counts", "18/24")];
    let ran = place.run(["check", "../workspace"]);
    assert!(words::says(&ran.stdout, "verdict.why_better", &[]), "{ran:?}");
    assert!(words::says(&ran.stdout, "overview.sentence", &shown), "{ran:?}");
    assert!(words::says(&ran.stdout, "overview.no_verdict", &unread), "{ran:?}");
    let ran = compare_with_copy(&place, &["--fail-on", "worse"]);
    assert!(ran.stdout.contains(&side("with_skill_v2", "../workspace")), "{ran:?}");
    assert!(words::says(&ran.stdout, "overview.no_verdict", &unread), "{ran:?}");
    let candidate = side("with_skill", "../workspace");
    assert_reason(&ran, "unchecked", &[("candidate", &candidate)]);
    let mut failed = ran.stdout.lines().filter(|line| words::says(line, "gate.unchecked", &[]));
    let failed = failed.next().expect("a line");
    assert!(failed.trim_start().starts_with(words::raw("gate.failed")), "{ran:?}");
    let gate =
        &compare_with_copy(&place, &["--fail-on", "worse", "--format", "json"]).json()["gate"];
    assert_eq!(gate["passed"], false, "{gate}");
    assert_eq!(gate["rules"][1]["decision"], "unchecked", "{gate}");
}

#[test]
fn every_candidate_of_the_later_side_is_judged() {
    let place = six(Workspace::new(), "iteration-1/arm_a", 3, "");
    let place = six(six(place, "iteration-1/arm_b", 4, ""), "iteration-2/arm_b", 1, "");
    let place = six(place, "iteration-2/arm_a", 3, "9");
    let ran = compare(&place, &["--fail-on", "worse"]);
    let [after, before] = ["iteration-2", "iteration-1"].map(|iteration| side("arm_b", iteration));
    let counts = [("after_counts", "6/24"), ("before_counts", "24/24")];
    let sides = [("after", after.as_str()), ("before", &before), counts[0], counts[1]];
    assert_reason(&ran, "sides", &sides);
    assert!(ran.stdout.starts_with(&side("arm_a", "iteration-2")), "{ran:?}");
    assert!(ran.stdout.contains(&words::count(1, "candidate_other")), "{ran:?}");
    let other = |line: &str| line.trim_start().starts_with(&format!("* {after}"));
    assert!(ran.stdout.lines().any(|line| other(line) && line.contains("−75 ")), "{ran:?}");
    let json = compare(&place, &["--fail-on", "worse", "--format", "json"]).json();
    assert_eq!(json["others"][0]["after"]["configuration"], "arm_b");
    assert_eq!(json["others"][0]["change"]["verdict"], "probably worse");
    let decisions = [0, 1].map(|rule| &json["gate"]["rules"][rule]["decision"]);
    assert_eq!(decisions, ["passed", "failed"]);
    // The comment says once that a known issue excuses nothing.
    let place = place.file("evalbook.toml", known("z", "nothing", "2030-01-01"));
    let comment =
        ["build", "../workspace", "--format", "markdown", "--for", "pull-request", "--gate"];
    let ran = place.run(comment);
    assert_eq!(words::times(&ran.stdout, "gate.idle", &[]), 1, "{ran:?}");
}

#[test]
fn a_comparison_is_as_sure_as_a_report() {
    let place = six(Workspace::new(), "iteration-1/arm_a", 3, "");
    let place = six(six(place, "iteration-1/arm_b", 3, ""), "iteration-2/arm_a", 2, "");
    let place = six(place, "iteration-2/arm_b", 3, "9");
    let flags = ["--fail-on", "settled-worse"];
    let ran = compare(&place, &flags);
    assert_gate(&ran, 0, &[]);
    assert!(ran.stdout.contains(&words::count(1, "candidate_other")), "{ran:?}");
    assert!(!words::says(&ran.stdout, "verdict.rare", &[]), "{ran:?}");
    for against in ["previous", "first", "best"] {
        assert_gate(&build(&place, &[flags[0], flags[1], "--against", against]), 0, &[]);
    }
}

#[test]
fn a_build_is_written_before_its_gate_is_judged() {
    let place = two(3, 2);
    let strict = ["--fail-on", "regression-strict"];
    let ran = build(&place, &strict);
    assert_gate(&ran, 1, &["fail-on regression-strict: "]);
    assert_reason(&ran, "losses", &[("expectations", &words::count(6, "expectation"))]);
    assert!(place.elsewhere().join("report/index.html").is_file());
    assert_gate(&build(&place, &[]), 0, &[]);
    assert_gate(&build(&place, &["--gate"]), 1, &["fail-on worse: "]);
    let third = six(place, "iteration-3/with_skill", 4, "");
    assert_gate(&build(&third, &strict), 0, &[]);
    for against in ["best", "first", "previous", "iteration-1"] {
        assert_gate(&build(&third, &[strict[0], strict[1], "--against", against]), 0, &[]);
    }
}

#[test]
fn reports_are_sides_too() {
    let workspace = two(3, 2);
    let report = workspace.build();
    let [first, last] = ["report/report.json#iteration-1", "report/report.json"];
    let direct = compare(&workspace, &["--format", "json"]).json();
    for [base, head] in [[first, last], ["../workspace#iteration-1", last], [first, "../workspace"]]
    {
        let ran = workspace.run(["compare", base, head, "--format", "json"]);
        assert_eq!((ran.code, ran.json()), (Some(0), direct.clone()), "{base} {head}");
    }
    let ran = workspace.run(["compare", first, last]);
    assert!(ran.stdout.contains("seen"), "the evidence is in the benchmark: {}", ran.stdout);
    let ran = workspace.run(["compare", "report/report.json#iteration-9", "../workspace"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let file = report.join("report.json");
    let text = std::fs::read_to_string(&file).expect("a report");
    let newer = text.replacen("\"schema_version\":3", "\"schema_version\":9", 1);
    for (text, place) in [(newer.as_str(), "report.json:1:2: "), (&text[..text.len() / 2], ":1:")] {
        std::fs::write(&file, text).expect("a changed report");
        let ran = workspace.run(["compare", last, "../workspace"]);
        assert!(ran.code == Some(3) && ran.stderr.contains(place), "{ran:?}");
    }
}

#[test]
fn settings_beside_the_report_of_the_head_hold() {
    let workspace = two(3, 2);
    let file = workspace.build().join("evalbook.toml");
    let sides = ["compare", "report/report.json#iteration-1", "report/report.json"];
    assert_gate(&workspace.run(sides), 0, &[]);
    let table = [
        ("gate.fail_on = ['regression-strict']\n", 1, words::count(6, "expectation")),
        ("gate = 3\n", 2, "report: evalbook.toml:1:1: ".to_owned()),
        ("baseline = 'with_skil'\n", 2, "`with_skill`".to_owned()),
    ];
    for (settings, code, part) in table {
        std::fs::write(&file, settings).expect("settings");
        let ran = workspace.run(sides);
        assert!(ran.code == Some(code) && ran.stderr.contains(&part), "{settings}: {ran:?}");
    }
}

#[test]
fn a_configuration_that_one_side_has_is_known() {
    let workspace = two(3, 2).runs("iteration-2/a/old_skill +---");
    assert_eq!(compare(&workspace, &["--baseline", "old_skill"]).code, Some(0));
    assert_eq!(compare(&workspace, &["--baseline", "nosuch"]).code, Some(2));
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
    let places = ["../workspace", "copy"].map(|place| title.find(&side("with_skill", place)));
    assert!(places[0].is_some() && places[0] < places[1], "{title}");
    let json = compare_with_copy(&workspace, &["--format", "json"]).json();
    assert_eq!(json["after"]["iteration"], "../workspace");
    assert_eq!(json["change"]["verdict"], "about the same");
}

#[test]
fn json_holds_the_numbers_of_both_sides() {
    let json: Value = compare(&two(3, 2), &["--format", "json", "--fail-on", "worse"]).json();
    let numbers = [
        ("/schema_version", Value::from(2)),
        ("/change/verdict", "worse".into()),
        ("/change/claim", "cases like these".into()),
        ("/change/gain", (-0.25).into()),
        ("/change/cases_worse", 6.into()),
        ("/before/passed", 18.into()),
        ("/regressed/5/text", "check 2".into()),
        ("/still_failing/0/text", "check 3".into()),
        ("/gate/passed", false.into()),
        ("/gate/rules/0/decision", "failed".into()),
        ("/baseline", Value::Null),
    ];
    for (place, expected) in numbers {
        assert_eq!(json.pointer(place), Some(&expected), "{place}");
    }
    assert_eq!(json["regressed"].as_array().map(Vec::len), Some(6));
    let none = compare(&two(3, 4), &["--format", "json"]).json();
    assert_eq!(none["still_failing"].as_array().map(Vec::len), Some(0), "{none}");
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
}

#[test]
fn hostile_names_stay_text() {
    let meta = serde_json::json!({ "eval_name": "<b>x</b> | \u{1b}[31m @you", "prompt": "p" });
    let text = "a <img src=x>\n| \u{1b}]0;x\u{7}\u{9b}31m \u{202e}b";
    let verdicts = |passed| grading(&[(text, passed, "`\u{1b}[2J`\u{9b}31m \u{202e}b")]);
    let workspace = Workspace::new()
        .files("iteration-1,iteration-2/one/eval_metadata.json", meta.to_string())
        .file("iteration-1/one/with_skill/grading.json", verdicts(true))
        .file("iteration-2/one/with_skill/grading.json", verdicts(false));
    let ran = compare(&workspace, &["--fail-on", "regression-strict"]);
    assert_gate(&ran, 1, &[""]);
    assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'), "{ran:?}");
    let markdown = compare(&workspace, &["--format", "markdown"]).stdout;
    for markup in ["<b>", "<img", "@you", "\u{1b}"] {
        assert!(!markdown.contains(markup), "{markup:?}: {markdown}");
    }
    // JSON on a terminal moves and hides nothing.
    let ran = compare(&workspace, &["--format", "json"]);
    assert!(!ran.stdout.contains(['\u{9b}', '\u{202e}']), "{}", ran.stdout);
    assert!(ran.stdout.contains("\\u009b31m \\u202eb"), "{}", ran.stdout);
    assert_eq!(ran.json()["regressed"][0]["text"], text);
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
    assert_eq!(workspace.run(["compare", "../workspace", "nowhere"]).code, Some(3));
    assert_eq!(workspace.run(["compare", "../workspace"]).code, Some(2));
    let ungraded = Workspace::new().file("iteration-1/a/with_skill/outputs/x.txt", "x");
    assert_eq!(ungraded.run(["compare", "../workspace", "../workspace"]).code, Some(3));
}
