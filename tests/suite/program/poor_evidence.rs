//! Too little to tell anything from: a dash or a sentence with the reason, never a 0 that stands for
//! nothing, never a crash, never a sentence that sounds sure.

#![allow(clippy::disallowed_methods, reason = "tests look at what was written")]

use crate::support::{Workspace, html, words};
use serde_json::{Value, json};

/// A workspace put together from verdicts.
struct Verdicts(Workspace);

impl Verdicts {
    fn new() -> Self {
        Self(Workspace::new())
    }

    /// One run: `+` passed, `-` failed, `?` without a verdict.
    fn run(self, iteration: usize, case: &str, configuration: &str, verdicts: &str) -> Self {
        self.worded(iteration, case, configuration, verdicts, "statement")
    }

    fn worded(
        self,
        iteration: usize,
        case: &str,
        configuration: &str,
        verdicts: &str,
        words: &str,
    ) -> Self {
        let expectation = |(at, verdict): (usize, char)| match verdict {
            '?' => json!({"text": format!("{words} {at}")}),
            verdict => json!({"text": format!("{words} {at}"), "passed": verdict == '+'}),
        };
        let list: Vec<Value> = verdicts.chars().enumerate().map(expectation).collect();
        let path = format!("iteration-{iteration}/{case}/{configuration}/run-1/grading.json");
        Self(self.0.file(&path, json!({"expectations": list}).to_string()))
    }

    /// A second run in the folder of a case.
    fn again(self, case: &str, configuration: &str, expectations: Value) -> Self {
        let path = format!("{case}/{configuration}/run-2/grading.json");
        Self(self.0.file(&path, json!({"expectations": expectations}).to_string()))
    }

    fn report(&self) -> Report {
        let folder = self.0.build();
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it is there");
        let data: Value = serde_json::from_str(&read("report.json")).expect("JSON");
        let shown = html::spoken_texts(&read("index.html")).join("\n");
        let summary = serde_json::from_str(&read("summary.json")).expect("JSON");
        Report { data, summary, shown, markdown: read("report.md") }
    }
}

struct Report {
    data: Value,
    summary: Value,
    /// Every text of the overview.
    shown: String,
    /// The whole in Markdown.
    markdown: String,
}

impl Report {
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
    let report =
        Verdicts::new().run(1, "a", "with_skill", "++++").run(1, "a", "without_skill", "----");
    let report = report.report();
    assert_eq!(report.verdict("baseline").as_deref(), Some("unclear"));
    report.says("verdict.why_one_case", &[]);
    let gain = &report.changes()[0]["gain"];
    assert!(gain["low"].as_f64() < Some(0.0), "one case leaves all open: {gain}");
    let level = &report.data["workspaces"][0]["iterations"][0]["configurations"][0]["level"];
    assert!(level.is_null(), "one case has no interval: {level}");
}

#[test]
fn one_run_has_no_baseline() {
    let report = Verdicts::new().run(1, "a", "with_skill", "+-").report();
    assert!(report.changes().is_empty());
    report.says("overview.sentence_alone", &[("why", words::raw("roles.alone"))]);
    report.says("overview.caution_single", &[]);
    let report = Verdicts::new().run(1, "a", "x", "+-").run(1, "a", "y", "++").report();
    report.says("roles.no_name", &[("configurations", &words::count(2, "configuration"))]);
    let report = Verdicts::new().run(1, "a", "x", "+").run(1, "a", "baseline", "?").report();
    report.says("overview.ungraded_baseline", &[("name", "baseline")]);
}

#[test]
fn the_pass_rate_of_cases_of_unlike_size_is_their_mean() {
    let large = "+".repeat(20) + &"-".repeat(180);
    let all = ["a", "b", "c", "d"].into_iter().fold(Verdicts::new(), |found, case| {
        found.run(1, case, "with_skill", "++").run(1, case, "without_skill", "--")
    });
    let all = all.run(1, "g", "with_skill", &large);
    let all = all.run(1, "g", "without_skill", &large.replace('-', "+"));
    let report = all.report();
    let [ours, theirs] = [("rate", "82 %"), ("baseline_rate", "20 %")];
    let counts = [ours, ("counts", "28/208"), theirs, ("baseline_counts", "200/208")];
    report.says("overview.sentence", &counts);
    // One pass rate everywhere: that of all checks would be 13 % and 96 %.
    for pooled in ["13 %", "96 %"] {
        assert!(!report.markdown.contains(pooled), "{}", report.markdown);
        assert!(!report.shown.contains(pooled), "{}", report.shown);
    }
    let sides = &report.summary["workspaces"][0];
    assert_eq!(
        (&sides["candidate"]["by_case"], &sides["other"]["by_case"]),
        (&json!(0.82), &json!(0.2))
    );
    let summary = &report.summary["workspaces"][0]["gain"];
    assert!(summary["mean"].as_f64().is_some_and(|mean| mean > 0.6), "{summary}");
    assert_eq!((&summary["single_run"], &summary["ungraded_runs"]), (&json!(5), &json!([0, 0])));
}

#[test]
fn all_passed_and_all_failed_are_the_same_on_both_sides() {
    for verdicts in ["++", "--"] {
        let cases = ["a", "b", "c"].into_iter().fold(Verdicts::new(), |found, case| {
            found.run(1, case, "with_skill", verdicts).run(1, case, "without_skill", verdicts)
        });
        let report = cases.report();
        assert_eq!(report.verdict("baseline").as_deref(), Some("about the same"));
        if verdicts == "++" {
            report.says("verdict.why_easy", &[]);
        } else {
            report.says("verdict.why_hard", &[]);
        }
    }
}

#[test]
fn nothing_graded_is_not_zero() {
    let report = Verdicts::new().run(1, "a", "with_skill", "??").run(1, "a", "old_skill", "??");
    let report = report.report();
    assert!(report.changes().is_empty());
    report.says("state.runs", &[]);
    assert!(!report.shown.contains("0 %"), "{}", report.shown);
}

#[test]
fn other_cases_on_each_side_are_not_compared() {
    let report = Verdicts::new().run(1, "a", "with_skill", "++").run(1, "b", "without_skill", "--");
    let report = report.report();
    assert_eq!(report.verdict("baseline").as_deref(), Some("no comparison"));
    report.says("verdict.why_nothing", &[]);
    assert!(report.changes()[0]["gain"].is_null());
}

#[test]
fn a_hundred_configurations_have_one_baseline() {
    let names = (0..99).map(|at| format!("variant-{at:02}"));
    let all = ["x", "y"].into_iter().fold(Verdicts::new(), |found, case| {
        let found = found.run(1, case, "baseline", "+-");
        names.clone().fold(found, |found, name| found.run(1, case, &name, "+-"))
    });
    let report = all.report();
    assert_eq!(report.changes().len(), 99);
    assert!(report.changes().iter().all(|change| change["verdict"] == "about the same"));
    report.says("verdict.why_same", &[]);
}

#[test]
fn one_of_many_candidates_is_not_settled_by_what_chance_finds_among_them() {
    let cases = ["a", "b", "c", "d", "e", "f"];
    let of = |candidates: usize| {
        let all = cases.into_iter().fold(Verdicts::new(), |found, case| {
            let found = found.run(1, case, "baseline", "+---");
            (0..candidates).fold(found, |found, at| {
                let verdicts = if at == 0 { "+++-" } else { "+---" };
                found.run(1, case, &format!("variant-{at:02}"), verdicts)
            })
        });
        let change = all.report().changes().swap_remove(0);
        let verdict = change["verdict"].as_str().expect("a verdict").to_owned();
        (verdict, change["gain"]["p"].as_f64(), change["gain"]["adjusted_p"].as_f64())
    };
    assert_eq!(of(1), ("better".to_owned(), Some(0.03125), Some(0.03125)));
    assert_eq!(of(20), ("probably better".to_owned(), Some(0.03125), Some(0.625)));
    let many = cases.into_iter().fold(Verdicts::new(), |found, case| {
        let found = found.run(1, case, "baseline", "+---").run(1, case, "variant-b", "+---");
        found.run(1, case, "variant-a", "+++-")
    });
    let report = many.report();
    report.says("verdict.probably_better", &[]);
    report.says("verdict.rivals", &[("n", "2")]);
    report.says("verdict.adjusted", &[("candidates", "2"), ("n", "6.2")]);
    assert_eq!(report.changes()[0]["gain"]["at_once"], json!(2));
}

#[test]
fn cases_and_runs_that_take_no_part_are_told_in_the_sentence() {
    let all = ["a", "b", "c", "d"].into_iter().enumerate().fold(Verdicts::new(), |found, it| {
        let (at, case) = it;
        let found = found.run(1, case, "without_skill", "++--");
        found.run(1, case, "with_skill", if at < 2 { "++--" } else { "????" })
    });
    let all = all.again("iteration-1/a", "with_skill", json!([{"text": "statement 0"}]));
    let report = all.report();
    let two = words::count(2, "case");
    report.says("verdict.why_same", &[("cases", &two)]);
    report.says("verdict.only_before_beside", &[("cases", &two)]);
    let ungraded = [("before", "0"), ("after", "1"), ("after_side", "with_skill")];
    report.says("verdict.ungraded_beside", &ungraded);
}

#[test]
fn every_candidate_stands_in_the_answer() {
    let names = ["variant-a", "variant-b", "variant-c", "variant-d", "variant-e", "variant-f"];
    let all = ["a", "b"].into_iter().fold(Verdicts::new(), |found, case| {
        let found = found.run(1, case, "baseline", "+-").run(1, case, "unread", "?");
        names.into_iter().fold(found, |found, name| found.run(1, case, name, "++"))
    });
    let report = all.report();
    let more = words::text("verdict.more", &[("n", "2")]);
    let names =
        format!("variant-b 100 % (4/4), variant-c 100 % (4/4), variant-d 100 % (4/4), {more}");
    report.says("overview.others", &[("names", &names)]);
    report.says("overview.no_verdict", &[("names", "unread")]);
}

#[test]
fn other_statements_in_every_iteration_are_not_compared() {
    let words = ["the file opens at once", "colors follow the guide", "no page lacks its number"];
    let all = words.iter().enumerate().fold(Verdicts::new(), |found, (at, words)| {
        found.worded(at + 1, "a", "with_skill", "++", words).worded(
            at + 1,
            "b",
            "with_skill",
            "--",
            words,
        )
    });
    let report = all.report();
    assert_eq!(report.verdict("previous").as_deref(), Some("no comparison"));
    report.says("verdict.why_unlike", &[]);
    assert!(!report.shown.contains(&words::count(0, "regressed")), "{}", report.shown);
    assert!(report.summary["workspaces"][0]["flips"].is_null(), "{}", report.summary);
}

#[test]
fn few_cases_that_moved_alike_lean_nowhere() {
    let all = ["a", "b", "c", "d", "e"].into_iter().fold(Verdicts::new(), |found, case| {
        found.run(1, case, "with_skill", "++++").run(1, case, "without_skill", "+++-")
    });
    let report = all.report();
    assert_eq!(report.verdict("baseline").as_deref(), Some("unclear"));
    report.says("verdict.why_all", &[("n", "5"), ("chance", "16")]);
}

#[test]
fn a_verdict_from_single_runs_says_so_wherever_it_stands() {
    let all = ["a", "b"].into_iter().fold(Verdicts::new(), |found, case| {
        found.run(1, case, "with_skill", "++").run(1, case, "without_skill", "--")
    });
    let one = words::raw("verdict.single");
    let report = all.report();
    report.says("verdict.single", &[]);
    assert!(report.markdown.contains(one), "{}", report.markdown);
    all.0.run(["benchmark", "../workspace/iteration-1"]);
    let benchmark = all.0.path().join("iteration-1/benchmark.md");
    let benchmark = std::fs::read_to_string(benchmark).expect("it is written");
    assert!(benchmark.contains(one), "{benchmark}");
    let twice = ["with_skill", "without_skill"].into_iter().fold(all, |found, configuration| {
        found.again(
            "iteration-1/a",
            configuration,
            json!([{"text": "statement 0", "passed": true}]),
        )
    });
    let some = [("n", "1"), ("cases", &words::count(2, "case"))];
    twice.report().says("verdict.some_single", &some);
}

#[test]
fn runs_that_broke_off_are_told_and_count_for_no_mean() {
    let all = ["a", "b"].into_iter().fold(Verdicts::new(), |found, case| {
        let found = found.run(1, case, "with_skill", "++").run(1, case, "without_skill", "+-");
        let folder = format!("iteration-1/{case}");
        let found = found.again(&folder, "with_skill", json!([{"text": "statement 0"}]));
        Verdicts(["run-1", "run-2"].into_iter().fold(found.0, |workspace, run| {
            let seconds = if run == "run-1" { 60 } else { 2 };
            let timing = json!({"total_duration_seconds": seconds}).to_string();
            workspace.file(&format!("{folder}/with_skill/{run}/timing.json"), timing)
        }))
    });
    let report = all.report();
    report.says("verdict.ungraded_beside", &[("before", "0"), ("after", "2")]);
    let unknown = ("unknown", &*words::count(2, "run"));
    report.says("overview.if_failed", &[unknown, ("worst", "50 %")]);
    let row = [unknown, ("worst", "50 %")];
    assert!(
        words::says(&report.markdown, "configurations.some_ungraded", &row),
        "{}",
        report.markdown
    );
    let of = &report.data["workspaces"][0]["iterations"][0]["configurations"][0];
    assert_eq!(of["duration_s"]["mean"].as_f64(), Some(60.0), "{of}");
}

/// Seven cases that pass under the skill and fail without it, with what each run recorded of its
/// cost; a case has a second run with the skill where that has a cost.
fn with_costs(of: impl Fn(usize, &str) -> Option<Value>) -> Report {
    let verdicts = (1..=7).fold(Verdicts::new(), |found, number| {
        let (case, folder) = (format!("c{number}"), format!("iteration-1/c{number}"));
        let mut found = found.run(1, &case, "with_skill", "+").run(1, &case, "without_skill", "-");
        if of(number, "with_skill/run-2").is_some() {
            let expectation = json!([{"text": "statement 0", "passed": true}]);
            found = found.again(&folder, "with_skill", expectation);
        }
        let runs = ["with_skill/run-1", "with_skill/run-2", "without_skill/run-1"];
        runs.into_iter().fold(found, |found, run| match of(number, run) {
            Some(timing) => {
                Verdicts(found.0.file(&format!("{folder}/{run}/timing.json"), timing.to_string()))
            }
            None => found,
        })
    });
    verdicts.report()
}

#[test]
fn dollars_of_half_of_the_runs_are_not_compared() {
    let of = |priced: usize| {
        with_costs(move |case, run| {
            Some(match run == "with_skill/run-2" && case > priced {
                true => json!({"total_tokens": 15_000_000}),
                false => json!({"total_tokens": 1_500_000, "cost_usd": 9.0}),
            })
        })
    };
    let none = of(0);
    let seven = [("cases", &*words::count(7, "case"))];
    assert!(words::says(&none.shown, "verdict.dollars_of_none", &seven), "{}", none.shown);
    let same = [("ratio", words::raw("verdict.ratio_same"))];
    assert!(!words::says(&none.shown, "verdict.times_dollars", &same), "{}", none.shown);
    assert!(none.changes()[0]["dollars"].is_null(), "{}", none.changes()[0]);
    let some = of(2).shown;
    assert!(words::says(&some, "verdict.times_dollars", &same), "{some}");
    let five = [("cases", &*words::count(5, "case"))];
    assert!(words::says(&some, "verdict.dollars_of_some", &five), "{some}");
    assert!(!words::says(&of(7).shown, "verdict.dollars_of_some", &[]));
}

#[test]
fn one_dear_case_shows_in_the_totals() {
    let report = with_costs(|case, run| {
        let tokens = if case == 7 && run == "with_skill/run-1" { 900_000 } else { 1000 };
        (run != "with_skill/run-2").then(|| json!({"total_tokens": tokens}))
    });
    // The interval, 0.25 to 28, spans more than a factor of 100 and tells nothing.
    let by_case = "2.6×".to_owned();
    let tokens = |ratio: &str| words::text("verdict.times_tokens", &[("ratio", ratio)]);
    assert!(
        words::says(&report.shown, "verdict.costs", &[("list", &tokens(&by_case))]),
        "{}",
        report.shown
    );
    assert!(
        words::says(&report.shown, "verdict.totals", &[("list", &tokens("130×"))]),
        "{}",
        report.shown
    );
    let together = words::text("verdict.totals", &[("list", &tokens("130×"))]);
    assert!(report.markdown.contains(&together), "{}", report.markdown);
    assert!(!words::says(&report.markdown, "notes.cost_tokens", &[]), "{}", report.markdown);
}

#[test]
fn one_case_with_costs_is_called_one_case_once() {
    let report = with_costs(|case, run| {
        let tokens = if run == "with_skill/run-1" { 3000 } else { 1000 };
        (case == 1 && run != "with_skill/run-2").then(|| json!({"total_tokens": tokens}))
    });
    let values = [("candidate", "with_skill"), ("ratio", "3.0"), ("baseline", "without_skill")];
    let markdown = &report.markdown;
    assert!(words::says(markdown, "notes.cost_tokens_once", &values), "{markdown}");
}

#[test]
fn two_runs_that_are_far_apart_are_told() {
    let report = with_costs(|case, run| {
        let tokens = if case == 2 && run == "with_skill/run-2" { 9000 } else { 1000 };
        Some(json!({"total_tokens": tokens}))
    });
    let run = [("case", "c2"), ("configuration", "with_skill"), ("number", "2")];
    let run = words::text("notes.run", &run);
    let far = words::text("notes.run_times_other", &[("run", &run), ("factor", "9.0")]);
    let markdown = &report.markdown;
    assert!(words::says(markdown, "notes.far_of_two", &[("least", "3")]), "{markdown}");
    assert!(markdown.contains(&far), "{markdown}");
    assert!(!words::says(markdown, "notes.cost_tokens", &[]), "an interval with 1: {markdown}");
}

#[test]
fn scores_outside_their_scale_decide_nothing() {
    let grading = |score: i64| {
        json!({"results": [
            {"criterion": "x", "score": score, "reasoning": "so it seems"},
            {"criterion": "y", "score": 4, "passed": true, "reasoning": "nearly whole"},
        ]})
    };
    let workspace = [("a", 9), ("b", -2), ("c", 0)].into_iter().fold(
        Workspace::new(),
        |found, (case, score)| {
            let path = format!("iteration-1/{case}/with_skill/run-1/grading.json");
            found.file(&path, grading(score).to_string())
        },
    );
    let workspace = Verdicts(workspace);
    let report = workspace.report();
    let of = &report.data["workspaces"][0]["iterations"][0]["configurations"][0];
    assert_eq!((of["passed"].as_u64(), of["ungraded"].as_u64()), (Some(3), Some(3)), "{of}");
    report.says("overview.sentence_alone", &[]);
    let page = "iterations/iteration-1/a/with_skill-1.html";
    let run = std::fs::read_to_string(workspace.0.build().join(page)).expect("a page of the run");
    let shown = html::spoken_texts(&run).join("\n");
    let [outside, inside] = [("score_outside", "9"), ("score", "4")]
        .map(|(key, score)| words::text(&format!("expectation.{key}"), &[("score", score)]));
    assert!(shown.contains(&outside) && shown.contains(&inside), "{shown}");
    let cases = report.data["workspaces"][0]["iterations"][0]["cases"].to_string();
    assert!(cases.contains("\"score_outside\":9.0") && !cases.contains("\"score\":9"), "{cases}");
}

#[test]
fn few_cases_have_one_range_on_every_page() {
    let [four, six] = [["++++", "+++-"], ["++--", "+---"]];
    let cases = ["a", "b", "c", "d"].into_iter().enumerate();
    let all = cases.fold(Verdicts::new(), |found, (at, case)| {
        let found = found.run(1, case, "with_skill", four[at % 2]);
        found.run(1, case, "without_skill", six[at % 2])
    });
    let folder = all.0.build();
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it is there");
    let report: Value = serde_json::from_str(&read("report.json")).expect("JSON");
    let level = &report["workspaces"][0]["iterations"][0]["configurations"][0]["level"];
    let percent = |end: &str| format!("{:.0} %", level[end].as_f64().expect("a rate") * 100.0);
    let ends = [percent("low"), percent("high")];
    let range = [("low", ends[0].as_str()), ("high", ends[1].as_str())];
    let range = words::text("configurations.level_of", &range);
    for page in ["index.html", "history.html"] {
        let shown = html::spoken_texts(&read(page)).join("\n");
        assert!(shown.contains(&range), "{range} is not in {page}:\n{shown}");
    }
}

#[test]
fn what_would_settle_an_open_comparison_is_named() {
    let cases = [("a", "+----"), ("b", "++---"), ("c", "+----")];
    let all = cases.into_iter().fold(Verdicts::new(), |found, (case, passed)| {
        found.run(1, case, "with_skill", "+++++").run(1, case, "without_skill", passed)
    });
    let report = all.report();
    let is_named = ["verdict.more_runs", "verdict.more_cases"]
        .iter()
        .any(|key| words::says(&report.shown, key, &[("costs", "")]));
    assert!(is_named, "{}", report.shown);

    // Two cases that moved a little, both ways: nobody would add a hundred others.
    let open = Verdicts::new()
        .run(1, "a", "with_skill", "+++++")
        .run(1, "a", "without_skill", "++++-")
        .run(1, "b", "with_skill", "+++--")
        .run(1, "b", "without_skill", "++++-");
    open.report().says("verdict.more_will_not_do", &[]);
}

#[test]
fn two_rounded_rates_and_their_difference_add_up() {
    // 94.6 and 97.4 %: rounded, 97 − 95 would not be 3.
    let rates = |failed: usize| "-".repeat(failed) + &"+".repeat(500 - failed);
    let report = Verdicts::new()
        .run(1, "a", "with_skill", &rates(13))
        .run(1, "a", "without_skill", &rates(27))
        .report();
    report.says("overview.sentence", &[("rate", "97.4 %"), ("baseline_rate", "94.6 %")]);
    assert!(report.shown.contains("+2.8"), "{}", report.shown);
}

/// Each case by the letters of the candidate and of the baseline, one run a side.
fn cases(iteration: usize, cases: &[(&str, &str, &str)]) -> Verdicts {
    cases.iter().fold(Verdicts::new(), |found, (case, ours, theirs)| {
        found.run(iteration, case, "with_skill", ours).run(iteration, case, "without_skill", theirs)
    })
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
        cases(1, found).report().says(key, values);
    }
}

#[test]
fn cases_that_did_show_a_difference_are_not_called_too_easy() {
    let now = cases(2, &[("a", "++", "++"), ("b", "++", "++")]);
    let before = now.run(1, "a", "with_skill", "++").run(1, "a", "without_skill", "--");
    let two = words::count(2, "check");
    let values = [("failed", "2"), ("checks", &two), ("iteration", "iteration-1")];
    before.report().says("verdict.why_easy_now", &values);
    cases(1, &[("a", "++", "++"), ("b", "++", "++")]).report().says("verdict.why_easy", &[]);
}
