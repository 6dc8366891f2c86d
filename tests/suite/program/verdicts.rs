//! The first sentence: which comparison leads, what it says, and that nothing bad is hidden.

use serde_json::{Value, json};

use crate::support::{Workspace, words};

/// The line that `build` prints, and the changes of the newest iteration.
fn build(workspace: &Workspace) -> (String, Vec<Value>) {
    let ran = workspace.run(["build", "../workspace", "-o", "report"]);
    let line = ran.stderr.lines().next().unwrap_or_default().to_owned();
    let text = std::fs::read_to_string(workspace.elsewhere().join("report/report.json"));
    let data: Value = serde_json::from_str(&text.expect("report.json")).expect("JSON");
    let iterations = data["workspaces"][0]["iterations"].as_array().expect("a list");
    let changes = iterations.last().expect("an iteration")["changes"].as_array().cloned();
    (line, changes.unwrap_or_default())
}

/// The same for these runs, where `SIX` stands for six cases.
fn built(runs: &str) -> (String, Vec<Value>) {
    build(&six(runs))
}

fn six(runs: &str) -> Workspace {
    Workspace::new().runs(&runs.replace("SIX", "a,b,c,d,e,f"))
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
    Workspace::new()
        .files("iteration-1/a,b,c,d,e,f,g,h/with_skill/grading.json", grading(Some(with)))
        .files("iteration-1/a,b,c,d,e,f,g,h/without_skill/grading.json", grading(without))
}

#[test]
fn a_gain_in_scores_is_shown_in_scores_though_every_check_passes() {
    let (line, changes) = build(&scored(5, Some(3)));
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
    let (line, changes) = build(&scored(5, None));
    assert!(words::says(&line, "verdict.about_the_same", &[]), "{line}");
    assert!(!line.contains("of 5"), "{line}");
    let gain = &changes[0]["gain"];
    assert_eq!((&gain["measure"], &gain["scores"]), (&json!("pass rate"), &json!(null)));
}

#[test]
fn a_fall_leads_though_the_baseline_fell_as_well() {
    let (line, _) = built(
        "iteration-1/SIX/with_skill ++++\n iteration-2/SIX/with_skill ----
         iteration-1,iteration-2/SIX/without_skill ----",
    );
    assert!(words::says(&line, "verdict.worse_than", &[("other", "iteration-1")]), "{line}");
    assert!(line.contains("\u{2212}100 "), "{line}");
    assert!(words::says(&line, "overview.on_baseline", &[("baseline", "without_skill")]), "{line}");
}

#[test]
fn what_regressed_since_follows_a_gain_on_the_baseline() {
    let (line, _) = built(
        "iteration-1,iteration-2/SIX/without_skill ----
         iteration-1,iteration-2/SIX/with_skill ++++\n iteration-2/a/with_skill +++-",
    );
    assert!(words::says(&line, "verdict.why_better", &[("b", "without_skill")]), "{line}");
    let since = [("checks", &*words::count(1, "check")), ("iteration", "iteration-1")];
    assert!(words::says(&line, "overview.regressed_since", &since), "{line}");
}

#[test]
fn the_best_candidate_leads_and_an_old_skill_never_does() {
    let arms = "iteration-1/SIX/without_skill ----
        iteration-1/SIX/arm_a ++--\n iteration-1/SIX/arm_b ++++";
    let (line, _) = built(arms);
    assert!(words::says(&line, "verdict.why_better", &[("a", "arm_b")]), "{line}");
    let (line, _) = built(&arms.replace("arm_a", "with_skill").replace("arm_b", "old_skill"));
    assert!(words::says(&line, "verdict.why_better", &[("a", "with_skill")]), "{line}");
}

#[test]
fn repeated_runs_settle_what_holds_on_these_cases() {
    let (line, changes) = built(
        "iteration-1/a,b,c/with_skill/run-1,run-2,run-3,run-4 ++++
         iteration-1/a,b,c/without_skill/run-1,run-2,run-3,run-4 +---",
    );
    let claim = (&changes[0]["verdict"], &changes[0]["claim"]);
    assert_eq!(claim, (&json!("better"), &json!("these cases")));
    assert!(words::says(&line, "verdict.why_better_here", &[("b", "without_skill")]), "{line}");
}

#[test]
fn a_run_that_crashed_counts_as_failed() {
    let (_, changes) = built(
        "iteration-1/SIX/without_skill ++++\n iteration-1/c,d,e,f/with_skill ++++
         iteration-1/a,b/with_skill no-output-was-written:-",
    );
    let gain = &changes[0]["gain"];
    assert_eq!((&gain["cases"], &gain["worse"]), (&json!(6), &json!(2)), "{gain}");
    assert_eq!(changes[0]["unlike"], json!([]));
}

#[test]
fn cases_in_which_the_skill_should_stay_out_show_no_gain() {
    let says = json!({"eval_id": 1, "prompt": "Do a", "should_trigger": false}).to_string();
    let place = six("iteration-1/SIX/with_skill ++++\n iteration-1/a/with_skill ----
         iteration-1/SIX/without_skill ++--");
    let (_, changes) = build(&place.file("iteration-1/a/eval_metadata.json", says));
    assert_eq!(changes[0]["negative"], json!(["a"]));
    let gain = &changes[0]["gain"];
    assert_eq!((&gain["cases"], &gain["mean"]), (&json!(5), &json!(0.5)));
}

#[test]
fn a_gate_without_a_rule_asks_for_nothing_worse() {
    let gate = |place: &Workspace| {
        place.run(["build", "../workspace", "-o", "report", "-q", "--gate"]).code
    };
    let failed = six("iteration-1/SIX/with_skill ----\n iteration-1/SIX/without_skill ++++");
    assert_eq!(gate(&failed), Some(1));
    let read = |name: &str| std::fs::read_to_string(failed.elsewhere().join(name)).expect(name);
    let data: Value = serde_json::from_str(&read("report/report.json")).expect("JSON");
    assert_eq!(data["workspaces"][0]["gate"][0]["outcome"], words::raw("gate.failed"));
    let shown = [("outcome", words::raw("gate.failed"))];
    assert!(words::says(&read("report/index.html"), "overview.gate", &shown));
    let good = six("iteration-1/SIX/with_skill ++++\n iteration-1/SIX/without_skill ---+");
    assert_eq!(gate(&good), Some(0));
}

#[test]
fn a_regression_needs_more_than_noise() {
    let gate = |place: &Workspace, rule: &str| {
        place.run(["build", "../workspace", "-o", "report", "-q", "--fail-on", rule]).code
    };
    let single =
        six("iteration-1/a,b/with_skill,without_skill ++++\n iteration-1/a/with_skill +++-");
    assert_eq!(gate(&single, "regression"), Some(0), "one run each tells nothing of noise");
    assert_eq!(gate(&single, "regression-strict"), Some(1));
    let repeated = six("iteration-1/SIX/with_skill,without_skill/run-1,run-2,run-3,run-4 ++++
         iteration-1/a/with_skill/run-1,run-2,run-3,run-4 +++-");
    assert_eq!(gate(&repeated, "regression"), Some(1), "lost in each of four runs");
}

#[test]
fn a_reference_is_not_the_newest_state() {
    let (line, _) = built(
        "iteration-1/SIX/with_skill +---\n iteration-2/SIX/with_skill ++++
         iteration-1,iteration-2/SIX/without_skill ----\n iteration-main/SIX/with_skill -",
    );
    assert!(words::says(&line, "verdict.why_better", &[("b", "without_skill")]), "{line}");
    assert!(!words::says(&line, "overview.newer", &[]), "{line}");
}

#[test]
fn an_iteration_is_compared_with_the_one_before_on_the_same_model() {
    let mut place = Workspace::new();
    for (iteration, model, marks) in
        [(1, "large", "++--"), (2, "small", "----"), (3, "large", "+++-")]
    {
        let cases = format!("iteration-{iteration}/a,b,c,d,e,f/with_skill");
        let timing = json!({"total_duration_seconds": iteration, "model": model}).to_string();
        place =
            place.runs(&format!("{cases} {marks}")).files(&format!("{cases}/timing.json"), timing);
    }
    let (line, _) = build(&place);
    assert!(words::says(&line, "verdict.better_than", &[("other", "iteration-1")]), "{line}");
}

#[test]
fn the_model_is_named_where_there_are_several() {
    let state = |model: &str| {
        let timing = |model: &str| json!({"total_tokens": 5, "model": model}).to_string();
        let place = Workspace::new()
            .runs("iteration-1,iteration-2/a/with_skill ++\n iteration-1,iteration-2/a/without_skill +-")
            .file("iteration-1/a/with_skill/timing.json", timing("small-1"))
            .file("iteration-2/a/with_skill/timing.json", timing(model));
        place.run(["check", "../workspace"]).stdout
    };
    let two = state("large-2");
    assert!(two.contains("large-2") && !two.contains("small-1"), "{two}");
    let one = state("small-1");
    assert!(!one.contains("small-1"), "{one}");
}

#[test]
fn each_model_is_compared_with_its_own_baseline() {
    let (line, changes) = built(
        "iteration-1/large/SIX/with_skill ++++\n iteration-1/large/SIX/without_skill +---
         iteration-1/small/SIX/with_skill ++--\n iteration-1/small/SIX/without_skill ----",
    );
    assert!(
        words::says(&line, "verdict.better_under", &[("n", "2"), ("total", "2 conditions")]),
        "{line}"
    );
    let names = |change: &Value| {
        ["before", "after"].map(|side| change[side]["configuration"].as_str().map(str::to_owned))
    };
    let mut pairs: Vec<_> = changes.iter().map(names).collect();
    pairs.sort();
    let pair =
        |model: &str| ["without_skill", "with_skill"].map(|arm| Some(format!("{model}/{arm}")));
    assert_eq!(pairs, [pair("large"), pair("small")]);
}

#[test]
fn checks_without_a_verdict_are_not_passed() {
    let (line, _) = built("iteration-1/a/with_skill +???");
    let counts = [("counts", "1/1"), ("n", "3")];
    assert!(words::says(&line, "overview.rate_ungraded", &counts), "{line}");
}
