//! Too little to tell anything from: a dash or a sentence with the reason, never a 0 that stands for
//! nothing, never a crash, never a sentence that sounds sure.

use crate::support::{Workspace, html, words};
use serde_json::{Value, json};

struct Report {
    data: Value,
    summary: Value,
    /// Every text of the overview.
    shown: String,
    /// The whole in Markdown.
    markdown: String,
}

/// The report of these runs, as in [`Workspace::runs`].
fn report(runs: &str) -> Report {
    Report::new(&Workspace::new().runs(runs))
}
impl Report {
    fn new(workspace: &Workspace) -> Self {
        let folder = workspace.build();
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it is there");
        let data = serde_json::from_str(&read("report.json")).expect("JSON");
        let summary = serde_json::from_str(&read("summary.json")).expect("JSON");
        let shown = html::spoken_texts(&read("index.html")).join("\n");
        Self { data, summary, shown, markdown: read("report.md") }
    }

    /// The first configuration of the first iteration.
    fn configuration(&self) -> &Value {
        &self.data["workspaces"][0]["iterations"][0]["configurations"][0]
    }

    /// The changes of the newest iteration.
    fn changes(&self) -> Vec<Value> {
        let iterations = self.data["workspaces"][0]["iterations"].as_array().expect("a list");
        let changes = &iterations.last().expect("an iteration")["changes"];
        changes.as_array().expect("a list").clone()
    }

    /// The verdict against `baseline`, `previous` and so on.
    fn verdict(&self, against: &str) -> Option<String> {
        let is_it = |change: &&Value| change["against"].to_string().contains(against);
        Some(self.changes().iter().find(is_it)?["verdict"].as_str()?.to_owned())
    }

    /// That the overview says the text at `key`, and that nothing on it is a settled verdict.
    fn says(&self, key: &str, values: &[(&str, &str)]) {
        assert!(words::says(&self.shown, key, values), "{key} {values:?}: {}", self.shown);
        assert!(!words::says(&self.shown, "verdict.rare", &[]), "{}", self.shown);
        let is_settled =
            |change: &Value| change["verdict"] == "better" || change["verdict"] == "worse";
        assert!(!self.changes().iter().any(is_settled), "{:?}", self.changes());
        assert!(!self.shown.contains("NaN") && !self.shown.contains("inf "), "{}", self.shown);
    }
}

#[test]
fn one_case_says_nothing_about_others() {
    let report = report("iteration-1/a/with_skill ++++\n iteration-1/a/without_skill ----");
    assert_eq!(report.verdict("baseline").as_deref(), Some("unclear"));
    report.says("verdict.why_one_case", &[]);
    let gain = &report.changes()[0]["gain"];
    assert!(gain["low"].as_f64() < Some(0.0), "one case leaves all open: {gain}");
    assert!(report.configuration()["level"].is_null(), "one case has no interval");
}

#[test]
fn one_run_has_no_baseline() {
    let alone = report("iteration-1/a/with_skill +-");
    assert!(alone.changes().is_empty());
    alone.says("overview.sentence_alone", &[("why", words::raw("roles.alone"))]);
    alone.says("overview.caution_single", &[]);
    let two = [("configurations", &*words::count(2, "configuration"))];
    report("iteration-1/a/x +-\n iteration-1/a/y ++").says("roles.no_name", &two);
    let ungraded = report("iteration-1/a/x +\n iteration-1/a/baseline ?");
    ungraded.says("overview.ungraded_baseline", &[("name", "baseline")]);
}

#[test]
fn the_pass_rate_of_cases_of_unlike_size_is_their_mean() {
    let (few, all) = ("+".repeat(20) + &"-".repeat(180), "+".repeat(200));
    let report = report(&format!(
        "iteration-1/a,b,c,d/with_skill ++\n iteration-1/a,b,c,d/without_skill --
         iteration-1/g/with_skill {few}\n iteration-1/g/without_skill {all}"
    ));
    let [ours, theirs] = [("rate", "82 %"), ("baseline_rate", "20 %")];
    let counts = [ours, ("counts", "28/208"), theirs, ("baseline_counts", "200/208")];
    report.says("overview.sentence", &counts);
    // One pass rate everywhere: that of all checks would be 13 % and 96 %.
    for pooled in ["13 %", "96 %"] {
        assert!(!report.markdown.contains(pooled), "{}", report.markdown);
        assert!(!report.shown.contains(pooled), "{}", report.shown);
    }
    let summary = &report.summary["workspaces"][0];
    let sides = ["candidate", "other"].map(|side| &summary[side]["by_case"]);
    assert_eq!(sides, [&json!(0.82), &json!(0.2)]);
    let gain = &summary["gain"];
    assert!(gain["mean"].as_f64().is_some_and(|mean| mean > 0.6), "{gain}");
    assert_eq!((&gain["single_run"], &gain["ungraded_runs"]), (&json!(5), &json!([0, 0])));
}

#[test]
fn all_passed_and_all_failed_are_the_same_on_both_sides() {
    for (verdicts, key) in [("++", "verdict.why_easy"), ("--", "verdict.why_hard")] {
        let report = report(&format!("iteration-1/a,b,c/with_skill,without_skill {verdicts}"));
        assert_eq!(report.verdict("baseline").as_deref(), Some("about the same"));
        report.says(key, &[]);
    }
}

#[test]
fn nothing_graded_is_not_zero() {
    let report = report("iteration-1/a/with_skill,old_skill ??");
    assert!(report.changes().is_empty());
    report.says("state.runs", &[]);
    assert!(!report.shown.contains("0 %"), "{}", report.shown);
}

#[test]
fn other_cases_on_each_side_are_not_compared() {
    let report = report("iteration-1/a/with_skill ++\n iteration-1/b/without_skill --");
    assert_eq!(report.verdict("baseline").as_deref(), Some("no comparison"));
    report.says("verdict.why_nothing", &[]);
    assert!(report.changes()[0]["gain"].is_null());
}

/// So many names of candidates.
fn variants(number: usize) -> String {
    (0..number).map(|at| format!("variant-{at:02}")).collect::<Vec<_>>().join(",")
}

#[test]
fn a_hundred_configurations_have_one_baseline() {
    let report = report(&format!("iteration-1/x,y/baseline,{} +-", variants(99)));
    assert_eq!(report.changes().len(), 99);
    assert!(report.changes().iter().all(|change| change["verdict"] == "about the same"));
    report.says("verdict.why_same", &[]);
}

#[test]
fn one_of_many_candidates_is_not_settled_by_what_chance_finds_among_them() {
    let of = |candidates: usize| {
        let (cases, all) = ("iteration-1/a,b,c,d,e,f", variants(candidates));
        report(&format!("{cases}/baseline,{all} +---\n {cases}/variant-00 +++-"))
    };
    for (candidates, verdict, adjusted) in [(1, "better", 0.03125), (20, "probably better", 0.625)]
    {
        let change = of(candidates).changes().swap_remove(0);
        assert_eq!(change["verdict"], verdict);
        assert_eq!(change["gain"]["p"], 0.03125);
        assert_eq!(change["gain"]["adjusted_p"], adjusted);
    }
    let two = of(2);
    two.says("verdict.probably_better", &[]);
    two.says("verdict.rivals", &[("n", "2")]);
    two.says("verdict.adjusted", &[("candidates", "2"), ("n", "6.2")]);
    assert_eq!(two.changes()[0]["gain"]["at_once"], json!(2));
}

#[test]
fn cases_and_runs_that_take_no_part_are_told_in_the_sentence() {
    let report = report(
        "iteration-1/a,b,c,d/without_skill ++--
         iteration-1/a,b/with_skill/run-1 ++--\n iteration-1/c,d/with_skill/run-1 ????
         iteration-1/a/with_skill/run-2 ?",
    );
    let two = words::count(2, "case");
    report.says("verdict.why_same", &[("cases", &two)]);
    report.says("verdict.only_before_beside", &[("cases", &two)]);
    let ungraded = [("before", "0"), ("after", "1"), ("after_side", "with_skill")];
    report.says("verdict.ungraded_beside", &ungraded);
}

#[test]
fn every_candidate_stands_in_the_answer() {
    let all = variants(6);
    let report = report(&format!(
        "iteration-1/a,b/baseline +-\n iteration-1/a,b/unread ?\n iteration-1/a,b/{all} ++"
    ));
    let more = words::text("verdict.more", &[("n", "2")]);
    let names =
        format!("variant-01 100 % (4/4), variant-02 100 % (4/4), variant-03 100 % (4/4), {more}");
    report.says("overview.others", &[("names", &names)]);
    report.says("overview.no_verdict", &[("names", "unread")]);
}

#[test]
fn other_statements_in_every_iteration_are_not_compared() {
    let statements = ["the-file-opens-at-once", "colors-follow-the-guide", "no-page-lacks-numbers"];
    let mut runs = String::new();
    for (number, words) in (1..).zip(statements) {
        runs += &format!("iteration-{number}/a/with_skill {words}:++\n");
        runs += &format!("iteration-{number}/b/with_skill {words}:--\n");
    }
    let report = report(&runs);
    assert_eq!(report.verdict("previous").as_deref(), Some("no comparison"));
    report.says("verdict.why_unlike", &[]);
    assert!(!report.shown.contains(&words::count(0, "regressed")), "{}", report.shown);
    assert!(report.summary["workspaces"][0]["flips"].is_null(), "{}", report.summary);
}

#[test]
fn few_cases_that_moved_alike_lean_nowhere() {
    let report =
        report("iteration-1/a,b,c,d,e/with_skill ++++\n iteration-1/a,b,c,d,e/without_skill +++-");
    assert_eq!(report.verdict("baseline").as_deref(), Some("unclear"));
    report.says("verdict.why_all", &[("n", "5"), ("chance", "16")]);
}

#[test]
fn a_verdict_from_single_runs_says_so_wherever_it_stands() {
    let place = Workspace::new()
        .runs("iteration-1/a,b/with_skill/run-1 ++\n iteration-1/a,b/without_skill/run-1 --");
    let single = Report::new(&place);
    single.says("verdict.single", &[]);
    let one = words::raw("verdict.single");
    assert!(single.markdown.contains(one), "{}", single.markdown);
    place.run(["benchmark", "../workspace/iteration-1"]);
    let benchmark = place.path().join("iteration-1/benchmark.md");
    let benchmark = std::fs::read_to_string(benchmark).expect("it is written");
    assert!(benchmark.contains(one), "{benchmark}");
    let twice = place.runs("iteration-1/a/with_skill,without_skill/run-2 +");
    let some = [("n", "1"), ("cases", &words::count(2, "case"))];
    Report::new(&twice).says("verdict.some_single", &some);
}

#[test]
fn runs_that_broke_off_are_told_and_count_for_no_mean() {
    let report = report(
        "iteration-1/a,b/with_skill/run-1 ++ 60\n iteration-1/a,b/with_skill/run-2 ? 2
         iteration-1/a,b/without_skill/run-1 +-",
    );
    report.says("verdict.ungraded_beside", &[("before", "0"), ("after", "2")]);
    let worst = [("unknown", &*words::count(2, "run")), ("worst", "50 %")];
    report.says("overview.if_failed", &worst);
    let markdown = &report.markdown;
    assert!(words::says(markdown, "configurations.some_ungraded", &worst), "{markdown}");
    assert_eq!(report.configuration()["duration_s"]["mean"], 60.0);
}

/// Seven cases that pass under the skill, in these runs, and fail without it.
fn seven(runs: &str, costs: &str) -> Workspace {
    Workspace::new().runs(&format!(
        "iteration-1/1,2,3,4,5,6,7/with_skill/{runs} +{costs}
         iteration-1/1,2,3,4,5,6,7/without_skill/run-1 -{costs}"
    ))
}

#[test]
fn dollars_of_half_of_the_runs_are_not_compared() {
    let priced = r#"{"total_tokens": 1500000, "cost_usd": 9.0}"#;
    let unpriced = |cases: &str| {
        let place = seven("run-1,run-2", "")
            .files("iteration-1/1,2,3,4,5,6,7/with_skill/run-1,run-2/timing.json", priced)
            .files("iteration-1/1,2,3,4,5,6,7/without_skill/run-1/timing.json", priced);
        let path = format!("iteration-1/{cases}/with_skill/run-2/timing.json");
        Report::new(&place.files(&path, r#"{"total_tokens": 15000000}"#))
    };
    let none = unpriced("1,2,3,4,5,6,7");
    let seven = [("cases", &*words::count(7, "case"))];
    assert!(words::says(&none.shown, "verdict.dollars_of_none", &seven), "{}", none.shown);
    let same = [("ratio", words::raw("verdict.ratio_same"))];
    assert!(!words::says(&none.shown, "verdict.times_dollars", &same), "{}", none.shown);
    assert!(none.changes()[0]["dollars"].is_null(), "{}", none.changes()[0]);
    let some = unpriced("3,4,5,6,7").shown;
    assert!(words::says(&some, "verdict.times_dollars", &same), "{some}");
    let five = [("cases", &*words::count(5, "case"))];
    assert!(words::says(&some, "verdict.dollars_of_some", &five), "{some}");
}

#[test]
fn one_dear_case_shows_in_the_totals() {
    let place = seven("run-1", " - 1000").runs("iteration-1/7/with_skill/run-1 + - 900000");
    let report = Report::new(&place);
    let tokens = |ratio: &str| words::text("verdict.times_tokens", &[("ratio", ratio)]);
    // The interval, 0.25 to 28, spans more than a factor of 100 and tells nothing.
    let by_case = [("list", &*tokens("2.6×"))];
    assert!(words::says(&report.shown, "verdict.costs", &by_case), "{}", report.shown);
    let together = words::text("verdict.totals", &[("list", &tokens("130×"))]);
    assert!(report.shown.contains(&together), "{}", report.shown);
    assert!(report.markdown.contains(&together), "{}", report.markdown);
    assert!(!words::says(&report.markdown, "notes.cost_tokens", &[]), "{}", report.markdown);
}

#[test]
fn one_case_with_costs_is_called_one_case_once() {
    let costs =
        "iteration-1/1/with_skill/run-1 + - 3000\n iteration-1/1/without_skill/run-1 - - 1000";
    let markdown = Report::new(&seven("run-1", "").runs(costs)).markdown;
    let values = [("candidate", "with_skill"), ("ratio", "3.0"), ("baseline", "without_skill")];
    assert!(words::says(&markdown, "notes.cost_tokens_once", &values), "{markdown}");
}

#[test]
fn two_runs_that_are_far_apart_are_told() {
    let place = seven("run-1,run-2", " - 1000").runs("iteration-1/2/with_skill/run-2 + - 9000");
    let markdown = Report::new(&place).markdown;
    let run = [("case", "2"), ("configuration", "with_skill"), ("number", "2")];
    let run = words::text("notes.run", &run);
    let far = words::text("notes.run_times_other", &[("run", &run), ("factor", "9.0")]);
    assert!(words::says(&markdown, "notes.far_of_two", &[("least", "3")]), "{markdown}");
    assert!(markdown.contains(&far), "{markdown}");
    assert!(!words::says(&markdown, "notes.cost_tokens", &[]), "an interval with 1: {markdown}");
}

#[test]
fn scores_outside_their_scale_decide_nothing() {
    let scored = |place: Workspace, (case, score): (&str, i64)| {
        let grading = json!({"results": [
            {"criterion": "x", "score": score, "reasoning": "so it seems"},
            {"criterion": "y", "score": 4, "passed": true, "reasoning": "nearly whole"},
        ]});
        let path = format!("iteration-1/{case}/with_skill/run-1/grading.json");
        place.file(&path, grading.to_string())
    };
    let place = [("a", 9), ("b", -2), ("c", 0)].into_iter().fold(Workspace::new(), scored);
    let report = Report::new(&place);
    let of = report.configuration();
    assert_eq!((of["passed"].as_u64(), of["ungraded"].as_u64()), (Some(3), Some(3)), "{of}");
    report.says("overview.sentence_alone", &[]);
    let page = place.elsewhere().join("report/iterations/iteration-1/a/with_skill-1.html");
    let run = std::fs::read_to_string(page).expect("a page of the run");
    let shown = html::spoken_texts(&run).join("\n");
    for (key, score) in [("expectation.score_outside", "9"), ("expectation.score", "4")] {
        assert!(shown.contains(&words::text(key, &[("score", score)])), "{key}: {shown}");
    }
    let cases = report.data["workspaces"][0]["iterations"][0]["cases"].to_string();
    assert!(cases.contains("\"score_outside\":9.0") && !cases.contains("\"score\":9"), "{cases}");
}

#[test]
fn few_cases_have_one_range_on_every_page() {
    let place = Workspace::new().runs(
        "iteration-1/a,c/with_skill ++++\n iteration-1/b,d/with_skill +++-
         iteration-1/a,c/without_skill ++--\n iteration-1/b,d/without_skill +---",
    );
    let report = Report::new(&place);
    let level = &report.configuration()["level"];
    let percent = |end: &str| format!("{:.0} %", level[end].as_f64().expect("a rate") * 100.0);
    let range = [("low", &*percent("low")), ("high", &*percent("high"))];
    let range = words::text("configurations.level_of", &range);
    assert!(report.shown.contains(&range), "{range}: {}", report.shown);
    let history = place.elsewhere().join("report/history.html");
    let history = std::fs::read_to_string(history).expect("the history");
    let history = html::spoken_texts(&history).join("\n");
    assert!(history.contains(&range), "{range}: {history}");
}

#[test]
fn what_would_settle_an_open_comparison_is_named() {
    let some = report(
        "iteration-1/a,b,c/with_skill +++++
         iteration-1/a,c/without_skill +----\n iteration-1/b/without_skill ++---",
    );
    let more = ["verdict.more_runs", "verdict.more_cases"];
    let is_named = |key: &&str| words::says(&some.shown, key, &[("costs", "")]);
    assert!(more.iter().any(is_named), "{}", some.shown);
    // Two cases that moved a little, both ways: nobody would add a hundred others.
    let open = report(
        "iteration-1/a/with_skill +++++\n iteration-1/a,b/without_skill ++++-
         iteration-1/b/with_skill +++--",
    );
    open.says("verdict.more_will_not_do", &[]);
}

#[test]
fn two_rounded_rates_and_their_difference_add_up() {
    // 94.6 and 97.4 %: rounded, 97 − 95 would not be 3.
    let [ours, theirs] = [13, 27].map(|failed| "-".repeat(failed) + &"+".repeat(500 - failed));
    let report =
        report(&format!("iteration-1/a/with_skill {ours}\n iteration-1/a/without_skill {theirs}"));
    report.says("overview.sentence", &[("rate", "97.4 %"), ("baseline_rate", "94.6 %")]);
    assert!(report.shown.contains("+2.8"), "{}", report.shown);
}

/// Each case by the letters of the candidate and of the baseline, one run a side.
fn sides(cases: &[(&str, &str, &str)]) -> String {
    let mut runs = String::new();
    for (case, ours, theirs) in cases {
        runs += &format!("iteration-1/{case}/with_skill {ours}\n");
        runs += &format!("iteration-1/{case}/without_skill {theirs}\n");
    }
    runs
}

#[test]
fn the_large_word_says_where_the_cases_moved() {
    let three = words::count(3, "case");
    let table: [(&[(&str, &str, &str)], &str, &[(&str, &str)]); 5] = [
        (
            &[("a", "++", "+-"), ("b", "+++", "++-"), ("c", "++++", "+---")],
            "verdict.up_in_all",
            &[("cases", &three)],
        ),
        (
            &[("a", "+-", "++"), ("b", "++-", "+++"), ("c", "+---", "++++")],
            "verdict.down_in_all",
            &[("cases", &three)],
        ),
        (
            &[("a", "+++++", "++++-"), ("b", "+++", "++-"), ("c", "++", "++")],
            "verdict.up_in_some",
            &[("n", "2"), ("cases", &three)],
        ),
        (&[("a", "++", "+-"), ("b", "+-", "++")], "verdict.mixed", &[]),
        (&[("a", "----", "----"), ("b", "--", "--")], "verdict.why_hard", &[]),
    ];
    for (found, key, values) in table {
        report(&sides(found)).says(key, values);
    }
}
