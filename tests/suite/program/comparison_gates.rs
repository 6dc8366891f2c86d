//! Rules that a comparison or a build is judged by, and losses that are known. `gates` has every
//! rule on every state.

use super::compare::{
    assert_gate, assert_reason, build, compare, compare_with_copy, known, side, six, two,
};
use crate::support::{CommandOutput, Workspace, read_json, read_text, words};

#[test]
fn every_rule_passes_on_one_side_of_its_limit_and_fails_on_the_other() {
    let (better, worse) = (two(2, 3), two(3, 2));
    let swapped = ["compare", "../workspace/iteration-2", "../workspace/iteration-1"];
    for rule in ["loss", "worse"] {
        let flags = ["--fail-on", rule];
        assert_gate(&compare(&better, &flags), 0, &[]);
        assert_gate(&compare(&worse, &flags), 1, &[&format!("fail-on {rule}: ")]);
        assert_gate(&worse.run(swapped.iter().chain(&flags)), 0, &[]);
    }
    let better = six(better, "iteration-2/with_skill", 3, "20~ 2000");
    // With six cases noise of runs leaves a factor of 0.789: at least 1.577 of twice as much.
    let limits = [
        ("--min-pass-rate", ["75%", "75.1%"]),
        ("--min-pass-rate", ["0.75", "0.76"]),
        ("--max-time-increase", ["58%", "57%"]),
        ("--max-time-increase", ["6", "5.9"]),
        ("--max-token-increase", ["57.8%", "57.7%"]),
        ("--max-token-increase", ["578", "577"]),
        ("--budget", ["*={ tokens = 1.58 }", "*={ tokens = 1.57 }"]),
        ("--budget", ["*={ time = 1.58 }", "*={ time = 1.57 }"]),
    ];
    for (flag, [holds, fails]) in limits {
        assert_gate(&compare(&better, &[flag, holds]), 0, &[]);
        let ran = compare(&better, &[flag, fails]);
        assert_gate(&ran, 1, &[""]);
        assert!(ran.stderr.contains("18/24"), "{ran:?}");
    }
    let ran = compare(&worse, &["--fail-on", "loss,worse", "--min-pass-rate", "90%"]);
    assert_gate(&ran, 1, &["min-pass-rate", "fail-on loss", "fail-on worse"]);
}

#[test]
fn rules_that_are_gone_are_refused_with_those_that_there_are() {
    for gone in ["settled-worse", "regression", "regression-strict"] {
        let flag = compare(&two(3, 3), &["--fail-on", gone]);
        let file = two(3, 3).file("evalbook.toml", format!("gate.fail_on = '{gone}'\n"));
        for ran in [flag, compare(&file, &[]), build(&file, &["--gate"])] {
            assert_eq!(ran.code, Some(2), "{ran:?}");
            assert!(ran.stderr.contains("worse") && ran.stderr.contains("loss"), "{ran:?}");
        }
    }
}

#[test]
fn cases_that_lost_everything_are_worse_whatever_the_range_is() {
    let five = "iteration-1/a,b,c,d,e/with_skill ++++\n iteration-2/c,d,e/with_skill ++++\n";
    let repeated = five.replace("with_skill", "with_skill/run-1,run-2,run-3");
    let table = [
        (format!("{five}iteration-2/a,b/with_skill ----"), Some("(a 4 → 0, b 4 → 0)")),
        (format!("{five}iteration-2/a/with_skill +++-\n iteration-2/b/with_skill ++++"), None),
        (
            format!("{repeated}iteration-2/a,b/with_skill/run-1,run-2,run-3 ----"),
            Some("(a 4 → 0, b 4 → 0)"),
        ),
        // One broken run of three.
        (
            format!(
                "{repeated}iteration-2/a,b/with_skill/run-1,run-2 ++++\n iteration-2/a,b/with_skill/run-3 ----"
            ),
            None,
        ),
        (
            "iteration-1/a/with_skill ++++\n iteration-2/a/with_skill ----".to_owned(),
            Some("(a 4 → 0)"),
        ),
        ("iteration-1/a/with_skill +++\n iteration-2/a/with_skill ---".to_owned(), None),
        ("iteration-1/a/with_skill ++++\n iteration-2/a/with_skill +---".to_owned(), None),
    ];
    for (runs, named) in table {
        let place = Workspace::new().runs(&runs);
        for ran in
            [compare(&place, &["--fail-on", "worse"]), build(&place, &["--fail-on", "worse"])]
        {
            assert_eq!(ran.code, Some(i32::from(named.is_some())), "{runs}: {ran:?}");
            assert!(named.is_none_or(|named| ran.stderr.contains(named)), "{runs}: {ran:?}");
        }
    }
}

#[test]
fn a_limit_on_costs_needs_more_than_noise_and_figures_that_can_be_true() {
    let limits = ["--max-time-increase", "20%", "--max-token-increase", "20%"];
    let three = "iteration-1/a,b,c/with_skill ++++ 10~ 1000\n";
    let table = [
        ("iteration-2/a,b,c/with_skill ++++ 20~ 2000", &[][..], 1),
        (
            "iteration-2/a/with_skill ++++ 17 1700\n iteration-2/b/with_skill ++++ 9 900
             iteration-2/c/with_skill ++++ 15 1500",
            &["cost_noise"],
            0,
        ),
        // One run far out.
        (
            "iteration-2/a/with_skill ++++ 400 40000\n iteration-2/b,c/with_skill ++++ 10.5~ 1050",
            &["cost_noise"],
            0,
        ),
        (
            "iteration-2/a/with_skill ++++ 10.5 1050\n iteration-2/b,c/with_skill ++++",
            &["recorded_for_few"],
            1,
        ),
        (
            "iteration-2/a,b/with_skill ++++ 10.5~ 1050\n iteration-2/c/with_skill ++++",
            &["cost"],
            0,
        ),
        ("iteration-2/a,b,c/with_skill ++++ 0.001 1050", &["under_a_second"], 1),
        ("iteration-2/a,b,c/with_skill ++++", &["not_recorded"], 1),
    ];
    for (after, keys, code) in table {
        let place = Workspace::new().runs(three).runs(after);
        let ran = compare(&place, &limits);
        assert_eq!(ran.code, Some(code), "{after}: {ran:?}");
        for key in keys {
            assert!(
                words::says(&ran.stdout, &format!("gate.{key}"), &[]),
                "{key} {after}: {ran:?}"
            );
        }
    }
}

#[test]
fn what_cannot_be_checked_fails_in_a_comparison_too() {
    let apart = "iteration-1/a,b/with_skill ++++\n iteration-2/c,d/with_skill ++++";
    let ran = compare(&Workspace::new().runs(apart), &["--fail-on", "worse"]);
    assert_reason(&ran, "unchecked", &[("candidate", &side("with_skill", "iteration-2"))]);
    assert_reason(&ran, "nothing_shared", &[]);
    let lost = two(3, 3).runs("iteration-2/a,b,c,d,e,f/with_skill ?++-");
    let ran = compare(&lost, &["--fail-on", "worse"]);
    assert_gate(&ran, 1, &[""]);
    assert!(words::says(&ran.stderr, "verdict.missing", &[]), "{ran:?}");
    // Runs without a verdict could undo the gain, so no rule is checked.
    let lost = two(3, 4).runs("iteration-2/a,b/with_skill/run-2 ?");
    let ran = compare(&lost, &["--min-pass-rate", "75%"]);
    assert_gate(&ran, 1, &[""]);
    assert!(words::says(&ran.stderr, "verdict.missing", &[]), "{ran:?}");
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
    let place = six(Workspace::new(), "iteration-1/with_skill", 4, "100~ 100000");
    let place = six(place, "iteration-2/with_skill", 4, "212.38~ 212380");
    let table = [
        (["--max-token-increase", "67.47%"], "+67.5 %", "67.47 %"),
        (["--max-token-increase", "67496.5"], "496.6 ", "496.5 "),
        (["--max-time-increase", "69.1"], "+69.2 s", "69.1 s"),
        (["--max-time-increase", "69"], "+69.2 s", "69.0 s"),
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
fn a_candidate_that_was_renamed_is_compared_with_the_one_before() {
    let place = Workspace::new().runs(
        "iteration-1/a/skill_v1 ++++\n iteration-2/a/skill_v2 +++-
         iteration-1,iteration-2/a/without_skill ----",
    );
    let loss = ["--fail-on", "loss", "--against", "iteration-1"];
    for flags in [&loss[..2], &loss] {
        let ran = build(&place, flags);
        assert_gate(&ran, 1, &["a: check 3 1/1 → 0/1"]);
        assert!(ran.stderr.contains(&side("skill_v1", "iteration-1")), "{ran:?}");
    }
}

#[test]
fn known_issues_excuse_losses_until_they_expire() {
    let on = |issue: &str, day: &str| {
        compare(&two(3, 2).file("evalbook.toml", issue), &["--as-of", day])
    };
    let losses = |ran: &CommandOutput, number: usize| {
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
    let ran = gate("2026-12-31").assert_code(0);
    assert!(words::says(&ran.stderr, "gate.is_known", &until), "{ran:?}");
    assert!(ran.stderr.contains("gate: pass: fail-on loss"), "{ran:?}");
    let ran = gate("2027-01-01").assert_code(1);
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
    let outputs = "iteration-2/a,b,c,d,e,f/with_skill,without_skill/outputs/a.txt";
    let place = improved().files(outputs, "x");
    let ran = place.run(["build", "../workspace", "--min-pass-rate", "50%"]).assert_code(1);
    let first = ran.stderr.lines().next().unwrap_or_default();
    assert!(first.contains("iteration-2"), "{ran:?}");
    let place = six(improved(), "iteration-2/old_skill", 1, "9");
    let ran = place.run(["build", "../workspace"]);
    assert!(ran.stderr.contains("+75"), "{ran:?}");
}

#[test]
fn a_build_is_written_before_its_gate_is_judged() {
    let place = two(3, 2);
    let loss = ["--fail-on", "loss"];
    let ran = build(&place, &loss);
    assert_gate(&ran, 1, &["fail-on loss: "]);
    assert_reason(&ran, "losses", &[("expectations", &words::count(6, "expectation"))]);
    assert!(place.elsewhere().join("report/index.html").is_file());
    assert_gate(&build(&place, &[]), 0, &[]);
    assert_gate(&build(&place, &["--gate"]), 1, &["fail-on worse: "]);
    let third = six(place, "iteration-3/with_skill", 4, "");
    assert_gate(&build(&third, &loss), 0, &[]);
    for against in ["best", "first", "previous", "iteration-1"] {
        assert_gate(&build(&third, &[loss[0], loss[1], "--against", against]), 0, &[]);
    }
}

/// These runs, where `SIX` stands for six cases.
fn six_cases(runs: &str) -> Workspace {
    Workspace::new().runs(&runs.replace("SIX", "a,b,c,d,e,f"))
}

#[test]
fn a_gate_without_a_rule_asks_for_nothing_worse() {
    let gate = |place: &Workspace| {
        place.run(["build", "../workspace", "-o", "report", "-q", "--gate"]).code
    };
    let failed = six_cases("iteration-1/SIX/with_skill ----\n iteration-1/SIX/without_skill ++++");
    assert_eq!(gate(&failed), Some(1));
    let report = failed.elsewhere().join("report");
    let data = read_json(report.join("report.json"));
    assert_eq!(data["workspaces"][0]["gate"][0]["outcome"], words::raw("gate.failed"));
    let shown = [("outcome", words::raw("gate.failed"))];
    assert!(words::says(&read_text(report.join("index.html")), "overview.gate", &shown));
    let good = six_cases("iteration-1/SIX/with_skill ++++\n iteration-1/SIX/without_skill ---+");
    assert_eq!(gate(&good), Some(0));
}

#[test]
fn a_lost_check_passed_in_every_run_before_and_passes_in_none_now() {
    let gate = |runs: &str| {
        let place = six_cases(runs);
        place.run(["build", "../workspace", "-o", "report", "-q", "--fail-on", "loss"])
    };
    let single = "iteration-1/a,b/with_skill,without_skill ++++\n iteration-1/a/with_skill +++-";
    assert_gate(&gate(single), 1, &["fail-on loss"]);
    let repeated =
        "iteration-1/SIX/with_skill/run-1,run-2 ++++\n iteration-2/SIX/with_skill/run-1 ++++ 9~
                    iteration-2/SIX/with_skill/run-2 ++++\n";
    assert_gate(&gate(&format!("{repeated}iteration-2/a/with_skill/run-1 +++-")), 0, &[]);
    let both = format!("{repeated}iteration-2/a/with_skill/run-1,run-2 +++-");
    assert_gate(&gate(&both), 1, &["a: check 3 2/2 → 0/2"]);
    let unsteady_before = format!("{both}\n iteration-1/a/with_skill/run-1 +++-");
    assert_gate(&gate(&unsteady_before), 0, &[]);
}
