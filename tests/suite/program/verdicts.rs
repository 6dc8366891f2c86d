//! The first sentence: which comparison leads, what it says, and that nothing bad is hidden.

#![allow(clippy::disallowed_methods, reason = "tests read what the program wrote")]

use serde_json::{Value, json};

use crate::support::{Workspace, words};

/// A workspace made of verdicts: each run's checks, `+` passed and `-` failed.
struct Verdicts(Workspace);

impl Verdicts {
    fn new() -> Self {
        Self(Workspace::new())
    }

    fn run(
        self,
        iteration: usize,
        case: &str,
        configuration: &str,
        run: usize,
        marks: &str,
    ) -> Self {
        let checks = marks.chars().enumerate().map(|(at, mark)| {
            json!({"text": format!("check {at}"), "passed": mark == '+', "evidence": "seen"})
        });
        self.graded(iteration, case, configuration, run, checks.collect())
    }

    fn graded(
        self,
        iteration: usize,
        case: &str,
        configuration: &str,
        run: usize,
        checks: Vec<Value>,
    ) -> Self {
        let path = format!("iteration-{iteration}/{case}/{configuration}/run-{run}/grading.json");
        Self(self.0.file(&path, json!({ "expectations": checks }).to_string()))
    }

    /// Both sides of each case, the first with the skill.
    fn cases(self, iteration: usize, cases: &[(&str, &str, &str)]) -> Self {
        cases.iter().fold(self, |found, (case, with, without)| {
            let found = found.run(iteration, case, "with_skill", 1, with);
            found.run(iteration, case, "without_skill", 1, without)
        })
    }

    /// The line that `build` prints, and the changes of the newest iteration.
    fn build(&self) -> (String, Vec<Value>) {
        let ran = self.0.run(["build", "../workspace", "-o", "report"]);
        let line = ran.stderr.lines().next().unwrap_or_default().to_owned();
        let file = self.0.elsewhere().join("report/report.json");
        let text = std::fs::read_to_string(file).expect("report.json");
        let data: Value = serde_json::from_str(&text).expect("JSON");
        let iterations = data["workspaces"][0]["iterations"].as_array().expect("a list").clone();
        let changes = iterations.last().expect("an iteration")["changes"].as_array().cloned();
        (line, changes.unwrap_or_default())
    }
}

/// Both sides of eight cases that pass everything, with these scores; `None` leaves them out.
fn scored(with: u32, without: Option<u32>) -> Workspace {
    let grading = |score: Option<u32>| {
        let result = |name: &str| match score {
            Some(score) => json!({"criterion": name, "score": score, "passed": true}),
            None => json!({"criterion": name, "passed": true}),
        };
        json!({"results": [result("first"), result("second")]}).to_string()
    };
    (0..8).fold(Workspace::new(), |found, at| {
        let path = |side: &str| format!("iteration-1/case-{at}/{side}/grading.json");
        let found = found.file(&path("with_skill"), grading(Some(with)));
        found.file(&path("without_skill"), grading(without))
    })
}

#[test]
fn a_gain_in_scores_is_shown_in_scores_though_every_check_passes() {
    let (line, changes) = Verdicts(scored(5, Some(3))).build();
    assert!(words::says(&line, "verdict.better", &[]), "{line}");
    assert!(line.contains(" +2.0 of 5"), "{line}");
    let places = [("a", "with_skill"), ("after", "5.0"), ("b", "without_skill"), ("before", "3.0")];
    assert!(words::says(&line, "verdict.score_means", &places), "{line}");
    let gain = &changes[0]["gain"];
    assert_eq!((&gain["measure"], &gain["mean"]), (&json!("score"), &json!(0.5)));
    assert_eq!(gain["scores"], json!([3.0, 5.0]));
}

#[test]
fn checks_of_writing_conventions_are_counted_by_configuration() {
    let grading = |is_typed: bool| {
        json!({
            "results": [{"criterion": "first", "score": 4, "passed": true}],
            "convention_compliance": {
                "frontmatter": {"passed": true},
                "type_alignment": {"passed": is_typed},
            },
        })
        .to_string()
    };
    let place = ["a", "b"].into_iter().fold(Workspace::new(), |found, case| {
        found.file(&format!("iteration-1/{case}/with_skill/grading.json"), grading(case == "a"))
    });
    let report = place.build();
    let page = report.join("iterations/iteration-1/index.html");
    let page = std::fs::read_to_string(page).expect("a page");
    let checks = words::count(4, "check");
    let places = [("configuration", "with_skill"), ("met", "3"), ("checks", checks.as_str())];
    assert!(words::says(&page, "reliability.conventions", &places), "{page}");
}

#[test]
fn without_scores_on_one_side_pass_rates_are_compared() {
    let (line, changes) = Verdicts(scored(5, None)).build();
    assert!(words::says(&line, "verdict.about_the_same", &[]), "{line}");
    assert!(!line.contains("of 5"), "{line}");
    let gain = &changes[0]["gain"];
    assert_eq!((&gain["measure"], &gain["scores"]), (&json!("pass rate"), &json!(null)));
}

const SIX: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

#[test]
fn a_fall_leads_though_the_baseline_fell_as_well() {
    let good = SIX.map(|case| (case, "++++", "----"));
    let bad = SIX.map(|case| (case, "----", "----"));
    let (line, _) = Verdicts::new().cases(1, &good).cases(2, &bad).build();
    assert!(words::says(&line, "verdict.worse_than", &[("other", "iteration-1")]), "{line}");
    assert!(line.contains("\u{2212}100 "), "{line}");
    assert!(words::says(&line, "overview.on_baseline", &[("baseline", "without_skill")]), "{line}");
}

#[test]
fn what_regressed_since_follows_a_gain_on_the_baseline() {
    let first = SIX.map(|case| (case, "++++", "----"));
    let second = SIX.map(|case| (case, if case == "a" { "+++-" } else { "++++" }, "----"));
    let (line, _) = Verdicts::new().cases(1, &first).cases(2, &second).build();
    assert!(words::says(&line, "verdict.why_better", &[("b", "without_skill")]), "{line}");
    let since = [("checks", words::count(1, "check")), ("iteration", "iteration-1".to_owned())];
    let since = since.each_ref().map(|(name, text)| (*name, text.as_str()));
    assert!(words::says(&line, "overview.regressed_since", &since), "{line}");
}

#[test]
fn the_best_candidate_leads_and_an_old_skill_never_does() {
    let all = SIX.into_iter().fold(Verdicts::new(), |found, case| {
        let found = found.run(1, case, "without_skill", 1, "----").run(1, case, "arm_a", 1, "+---");
        found.run(1, case, "arm_b", 1, "++++")
    });
    let (line, _) = all.build();
    assert!(words::says(&line, "verdict.why_better", &[("a", "arm_b")]), "{line}");
    let all = SIX.into_iter().fold(Verdicts::new(), |found, case| {
        let found = found.run(1, case, "without_skill", 1, "----");
        found.run(1, case, "old_skill", 1, "++++").run(1, case, "with_skill", 1, "++--")
    });
    let (line, _) = all.build();
    assert!(words::says(&line, "verdict.why_better", &[("a", "with_skill")]), "{line}");
}

#[test]
fn repeated_runs_settle_what_holds_on_these_cases() {
    let all = ["a", "b", "c"].into_iter().fold(Verdicts::new(), |found, case| {
        (1..=4).fold(found, |found, run| {
            let found = found.run(1, case, "with_skill", run, "++++");
            found.run(1, case, "without_skill", run, "+---")
        })
    });
    let (line, changes) = all.build();
    assert_eq!(
        (&changes[0]["verdict"], &changes[0]["claim"]),
        (&json!("better"), &json!("these cases"))
    );
    assert!(words::says(&line, "verdict.why_better_here", &[("b", "without_skill")]), "{line}");
}

#[test]
fn a_run_that_crashed_counts_as_failed() {
    let crashed = || vec![json!({"text": "No output was written", "passed": false})];
    let all = SIX.into_iter().fold(Verdicts::new(), |found, case| {
        let found = found.run(1, case, "without_skill", 1, "++++");
        match case {
            "a" | "b" => found.graded(1, case, "with_skill", 1, crashed()),
            _ => found.run(1, case, "with_skill", 1, "++++"),
        }
    });
    let (_, changes) = all.build();
    let gain = &changes[0]["gain"];
    assert_eq!((&gain["cases"], &gain["worse"]), (&json!(6), &json!(2)), "{gain}");
    assert_eq!(changes[0]["unlike"], json!([]));
}

#[test]
fn cases_in_which_the_skill_should_stay_out_show_no_gain() {
    let cases = SIX.map(|case| (case, if case == "a" { "----" } else { "++++" }, "++--"));
    let all = Verdicts::new().cases(1, &cases);
    let says = json!({"eval_id": 1, "prompt": "Do a", "should_trigger": false}).to_string();
    let all = Verdicts(all.0.file("iteration-1/a/eval_metadata.json", says));
    let (_, changes) = all.build();
    assert_eq!(changes[0]["negative"], json!(["a"]));
    let gain = &changes[0]["gain"];
    assert_eq!((&gain["cases"], &gain["mean"]), (&json!(5), &json!(0.5)));
}

#[test]
fn checks_that_always_pass_are_called_too_easy() {
    let cases = SIX.map(|case| (case, "++", "++"));
    let (line, _) = Verdicts::new().cases(1, &cases).build();
    assert!(words::says(&line, "verdict.why_easy", &[]), "{line}");
}

#[test]
fn a_gate_without_a_rule_asks_for_nothing_worse() {
    let bad = SIX.map(|case| (case, "----", "++++"));
    let gate = |verdicts: &Verdicts| {
        verdicts.0.run(["build", "../workspace", "-o", "report", "-q", "--gate"]).code
    };
    let failed = Verdicts::new().cases(1, &bad);
    assert_eq!(gate(&failed), Some(1));
    let read = |name: &str| std::fs::read_to_string(failed.0.elsewhere().join(name)).expect(name);
    let data: Value = serde_json::from_str(&read("report/report.json")).expect("JSON");
    assert_eq!(data["workspaces"][0]["gate"][0]["outcome"], words::raw("gate.failed"));
    let shown = [("outcome", words::raw("gate.failed"))];
    assert!(words::says(&read("report/index.html"), "overview.gate", &shown));
    let good = SIX.map(|case| (case, "++++", "---+"));
    assert_eq!(gate(&Verdicts::new().cases(1, &good)), Some(0));
}

#[test]
fn a_regression_needs_more_than_noise() {
    let gate = |verdicts: &Verdicts, rule: &str| {
        let flags = ["build", "../workspace", "-o", "report", "-q", "--fail-on", rule];
        verdicts.0.run(flags).code
    };
    let single = [("a", "+++-", "++++"), ("b", "++++", "++++")];
    let single = Verdicts::new().cases(1, &single);
    assert_eq!(gate(&single, "regression"), Some(0), "one run each tells nothing of noise");
    assert_eq!(gate(&single, "regression-strict"), Some(1));
    let repeated = SIX.into_iter().fold(Verdicts::new(), |found, case| {
        (1..=4).fold(found, |found, run| {
            let marks = if case == "a" { "+++-" } else { "++++" };
            let found = found.run(1, case, "with_skill", run, marks);
            found.run(1, case, "without_skill", run, "++++")
        })
    });
    assert_eq!(gate(&repeated, "regression"), Some(1), "lost in each of four runs");
}

#[test]
fn a_reference_is_not_the_newest_state() {
    let good = SIX.map(|case| (case, "++++", "----"));
    let bad = SIX.map(|case| (case, "+---", "----"));
    let report = Verdicts::new().cases(1, &bad).cases(2, &good);
    let main = SIX.into_iter().fold(report.0, |workspace, case| {
        let checks = json!({"expectations": [{"text": "check 0", "passed": false}]});
        let path = format!("iteration-main/{case}/with_skill/run-1/grading.json");
        workspace.file(&path, checks.to_string())
    });
    let (line, _) = Verdicts(main).build();
    assert!(words::says(&line, "verdict.why_better", &[("b", "without_skill")]), "{line}");
    assert!(!words::says(&line, "overview.newer", &[]), "{line}");
}

#[test]
fn an_iteration_is_compared_with_the_one_before_on_the_same_model() {
    let of = |verdicts: Verdicts, iteration: usize, model: &str, marks: &str| {
        SIX.into_iter().fold(verdicts, |found, case| {
            let found = found.run(iteration, case, "with_skill", 1, marks);
            let path = format!("iteration-{iteration}/{case}/with_skill/run-1/timing.json");
            let timing = json!({"total_duration_seconds": iteration, "model": model});
            Verdicts(found.0.file(&path, timing.to_string()))
        })
    };
    let all = of(Verdicts::new(), 1, "large", "++--");
    let all = of(of(all, 2, "small", "----"), 3, "large", "+++-");
    let (line, _) = all.build();
    assert!(words::says(&line, "verdict.better_than", &[("other", "iteration-1")]), "{line}");
}

#[test]
fn the_model_is_named_where_there_are_several() {
    let state = |model: &str| {
        let all = Verdicts::new().cases(1, &[("a", "++", "+-")]).cases(2, &[("a", "++", "+-")]);
        let timing = |iteration: u32, model: &str| {
            let path = format!("iteration-{iteration}/a/with_skill/run-1/timing.json");
            (path, json!({"total_tokens": 5, "model": model}).to_string())
        };
        let files = [timing(1, "small-1"), timing(2, model)];
        let found = files.into_iter().fold(all.0, |found, (path, text)| found.file(&path, text));
        found.run(["check", "../workspace"]).stdout
    };
    let two = state("large-2");
    assert!(two.contains("large-2") && !two.contains("small-1"), "{two}");
    let one = state("small-1");
    assert!(!one.contains("small-1"), "{one}");
}

#[test]
fn each_model_is_compared_with_its_own_baseline() {
    let all = SIX.into_iter().fold(Verdicts::new(), |found, case| {
        let [large, small] = ["large", "small"].map(|model| format!("{model}/{case}"));
        found.cases(1, &[(&large, "++++", "+---"), (&small, "++--", "----")])
    });
    let (line, changes) = all.build();
    assert!(words::says(&line, "verdict.better_under", &[("n", "2"), ("total", "2")]), "{line}");
    let name =
        |change: &Value, side: &str| change[side]["configuration"].as_str().map(str::to_owned);
    let mut pairs: Vec<_> =
        changes.iter().map(|change| (name(change, "before"), name(change, "after"))).collect();
    pairs.sort();
    let pair = |model: &str| {
        let [before, after] = ["without_skill", "with_skill"].map(|arm| format!("{model}/{arm}"));
        (Some(before), Some(after))
    };
    assert_eq!(pairs, [pair("large"), pair("small")]);
}

#[test]
fn runs_that_stopped_with_an_error_come_first() {
    let good = SIX.map(|case| (case, "++++", "----"));
    let workspace = Verdicts::new().cases(1, &good).0;
    let timing = json!({"total_duration_seconds": 3, "error": "timeout after 600 s"}).to_string();
    let (line, _) =
        Verdicts(workspace.file("iteration-1/a/with_skill/run-1/timing.json", timing)).build();
    let runs = words::count(6, "run");
    assert!(words::says(&line, "overview.stopped", &[("n", "1"), ("runs", &runs)]), "{line}");
}

#[test]
fn checks_without_a_verdict_are_not_passed() {
    let checks = ["a", "b", "c", "d"].into_iter().map(|text| match text {
        "a" => json!({"text": text, "passed": true}),
        _ => json!({"text": text, "passed": null}),
    });
    let (line, _) = Verdicts::new().graded(1, "a", "with_skill", 1, checks.collect()).build();
    let counts = [("counts", "1/1"), ("n", "3")];
    assert!(words::says(&line, "overview.rate_ungraded", &counts), "{line}");
}
