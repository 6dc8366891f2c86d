//! Too little to tell anything from: a dash or a sentence with the reason, never a 0 that stands for
//! nothing, never a crash, never a sentence that sounds sure.

#![allow(clippy::disallowed_methods, reason = "tests look at what was written")]

use crate::support;
use crate::support::{Workspace, html};
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
        let told = html::told(&read("index.html")).join("\n");
        let summary = serde_json::from_str(&read("summary.json")).expect("JSON");
        Report { data, summary, told, markdown: read("report.md") }
    }
}

/// What explains the words of a verdict, whatever the verdict is.
fn how_to_read() -> Vec<String> {
    let path = support::project().join("templates/language/en.json");
    let table = std::fs::read_to_string(path).expect("the English table");
    let table: Value = serde_json::from_str(&table).expect("a table in JSON");
    let kinds = table["how"].as_object().expect("a section").values();
    let texts = kinds.filter_map(Value::as_object).flat_map(|kind| kind.values());
    texts.filter_map(Value::as_str).map(str::to_owned).collect()
}

struct Report {
    data: Value,
    summary: Value,
    /// Every text of the overview.
    told: String,
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

    /// That the overview says `text`, and that nothing on it sounds settled.
    fn says(&self, text: &str) {
        assert!(self.told.contains(text), "{text} is not in\n{}", self.told);
        let unsure = how_to_read().iter().fold(self.told.clone(), |told, it| told.replace(it, ""));
        let unsure = unsure.replace("not settled", "").replace("cannot settle", "");
        assert!(!unsure.contains("settled"), "{}", self.told);
        assert!(!self.told.contains("NaN") && !self.told.contains("inf "), "{}", self.told);
    }
}

#[test]
fn one_case_says_nothing_about_others() {
    let report =
        Verdicts::new().run(1, "a", "with_skill", "++++").run(1, "a", "without_skill", "----");
    let report = report.report();
    assert_eq!(report.verdict("baseline").as_deref(), Some("too few cases"));
    report.says("Too few cases to tell");
    let gain = &report.changes()[0]["gain"];
    assert!(gain["low"].is_null() && gain["high"].is_null(), "{gain}");
    let level = &report.data["workspaces"][0]["iterations"][0]["configurations"][0]["level"];
    assert!(level.is_null(), "one case has no interval: {level}");
}

#[test]
fn one_run_has_no_baseline() {
    let report = Verdicts::new().run(1, "a", "with_skill", "+-").report();
    assert!(report.changes().is_empty());
    report.says("there is no baseline to compare it with, since there is only one configuration");
    report.says("directional only");
    let report = Verdicts::new().run(1, "a", "x", "+-").run(1, "a", "y", "++").report();
    report.says("since no name among 2 configurations says which one is the baseline");
    let report = Verdicts::new().run(1, "a", "x", "+").run(1, "a", "baseline", "?").report();
    report.says("since baseline has no verdict");
}

#[test]
fn cases_of_unlike_size_have_their_mean_beside_the_counts() {
    let large = "+".repeat(20) + &"-".repeat(180);
    let all = ["a", "b", "c", "d"].into_iter().fold(Verdicts::new(), |found, case| {
        found.run(1, case, "with_skill", "++").run(1, case, "without_skill", "--")
    });
    let all = all.run(1, "g", "with_skill", &large);
    let all = all.run(1, "g", "without_skill", &large.replace('-', "+"));
    let report = all.report();
    report.says("with_skill passed 13 % of its checks (28/208), without_skill 96 % (200/208).");
    report.says(
        "The means of cases, which is what is compared, are 82 % for with_skill and 20 % for \
         without_skill.",
    );
    report.says("28/208, mean of cases 82 %, ");
    assert!(report.markdown.contains("mean of cases 82 %, "), "{}", report.markdown);
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
        assert_eq!(report.verdict("baseline").as_deref(), Some("same"));
        report.says("The same: each of 3 cases passed equally often on both sides");
    }
}

#[test]
fn nothing_graded_is_not_zero() {
    let report = Verdicts::new().run(1, "a", "with_skill", "??").run(1, "a", "old_skill", "??");
    let report = report.report();
    assert!(report.changes().is_empty());
    report.says("No run of a candidate has a verdict yet");
    assert!(!report.told.contains("0 %"), "{}", report.told);
}

#[test]
fn other_cases_on_each_side_are_not_compared() {
    let report = Verdicts::new().run(1, "a", "with_skill", "++").run(1, "b", "without_skill", "--");
    let report = report.report();
    assert_eq!(report.verdict("baseline").as_deref(), Some("not comparable"));
    report.says("Not comparable");
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
    assert!(report.changes().iter().all(|change| change["verdict"] == "same"));
    report.says("The same");
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
    assert_eq!(of(1), ("better, settled".to_owned(), Some(0.03125), Some(0.03125)));
    assert_eq!(of(20), ("better, leaning".to_owned(), Some(0.03125), Some(0.625)));
    let many = cases.into_iter().fold(Verdicts::new(), |found, case| {
        let found = found.run(1, case, "baseline", "+---").run(1, case, "variant-b", "+---");
        found.run(1, case, "variant-a", "+++-")
    });
    let report = many.report();
    report.says("leaning, not settled: +50 points in each of");
    report.says("One of 2 candidates compared at once, among which chance finds more.");
    report.says("2 candidates are compared at once, so that it counts as 6.2 of 100.");
    report.says("So few cases cannot settle anything by this test.");
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
    report.says("The same: each of 2 cases passed equally often on both sides. 2 cases left out.");
    report.says("Runs without a verdict: 0 of without_skill, 1 of with_skill.");
    let verdict = report.summary["workspaces"][0]["iterations"][0]["verdict"].to_string();
    assert!(
        verdict.contains("2 cases left out. ") && verdict.contains("1 of with_skill"),
        "{verdict}"
    );
}

#[test]
fn every_candidate_stands_in_the_answer() {
    let names = ["variant-a", "variant-b", "variant-c", "variant-d", "variant-e", "variant-f"];
    let all = ["a", "b"].into_iter().fold(Verdicts::new(), |found, case| {
        let found = found.run(1, case, "baseline", "+-").run(1, case, "unread", "?");
        names.into_iter().fold(found, |found, name| found.run(1, case, name, "++"))
    });
    let report = all.report();
    report.says("Other candidates: variant-b 4/4, variant-c 4/4, variant-d 4/4, 2 more.");
    report.says("Without any verdict: unread.");
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
    assert_eq!(report.verdict("previous").as_deref(), Some("not comparable"));
    report
        .says("Not comparable: in every case that both sides have, prompt or expectations differ");
    report.says("no expectation has verdicts on both sides");
    assert!(!report.told.contains("0 regressed"), "{}", report.told);
    assert!(report.summary["workspaces"][0]["flips"].is_null(), "{}", report.summary);
}

#[test]
fn few_cases_that_moved_alike_lean_nowhere() {
    let all = ["a", "b", "c", "d", "e"].into_iter().fold(Verdicts::new(), |found, case| {
        found.run(1, case, "with_skill", "++++").run(1, case, "without_skill", "+++-")
    });
    let report = all.report();
    assert_eq!(report.verdict("baseline").as_deref(), Some("too few cases"));
    report.says("Too few cases to tell: +25 points in each of");
}

#[test]
fn a_verdict_from_single_runs_says_so_wherever_it_stands() {
    let all = ["a", "b"].into_iter().fold(Verdicts::new(), |found, case| {
        found.run(1, case, "with_skill", "++").run(1, case, "without_skill", "--")
    });
    let one = "Cases rest on single runs, whose spread is not known: directional only.";
    let report = all.report();
    report.says(one);
    assert!(report.markdown.contains(one), "{}", report.markdown);
    let check = all.0.run(["check", "../workspace"]);
    assert!(check.stdout.contains(one), "{check:?}");
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
    twice.report().says("1 of 2 cases rest on single runs");
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
    report.says("Runs without a verdict: 0 of without_skill, 2 of with_skill");
    report.says("Had what has no verdict failed (2 runs), with_skill would have passed 50 %.");
    let row = "without a verdict: 2 runs (50 % if those failed)";
    assert!(report.markdown.contains(row), "{}", report.markdown);
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
    let why = "Dollars are not compared: in 7 cases some runs have an amount, but in none does every run.";
    assert!(none.told.contains(why), "{}", none.told);
    assert!(!none.told.contains("times the dollars"), "{}", none.told);
    assert!(none.changes()[0]["dollars"].is_null(), "{}", none.changes()[0]);
    let some = of(2).told;
    assert!(some.contains("1.0 times the dollars"), "{some}");
    assert!(some.contains("Dollars leave out 5 cases in which not every run has an amount."));
    assert!(!of(7).told.contains("Dollars leave out"));
}

#[test]
fn one_dear_case_shows_in_the_interval_and_in_the_totals() {
    let report = with_costs(|case, run| {
        let tokens = if case == 7 && run == "with_skill/run-1" { 900_000 } else { 1000 };
        (run != "with_skill/run-2").then(|| json!({"total_tokens": tokens}))
    });
    let sentence =
        "It costs 2.6 (0.25 to 28) times the tokens. All cases together cost 130 times the tokens.";
    assert!(report.told.contains(sentence), "{}", report.told);
    let card = "2.6 (0.25 to 28) times by case, 130 times all cases together";
    assert!(report.told.contains(card), "{}", report.told);
    let together = "All cases together cost 130 times the tokens.";
    assert!(report.markdown.contains(together), "{}", report.markdown);
    assert!(!report.markdown.contains("typically uses"), "{}", report.markdown);
}

#[test]
fn one_case_with_costs_is_called_one_case_once() {
    let report = with_costs(|case, run| {
        let tokens = if run == "with_skill/run-1" { 3000 } else { 1000 };
        (case == 1 && run != "with_skill/run-2").then(|| json!({"total_tokens": tokens}))
    });
    let note = "with_skill uses 3.0 times the tokens of without_skill in the one case that has both figures";
    assert!(report.markdown.contains(note), "{}", report.markdown);
}

#[test]
fn the_runs_that_most_expectations_have_tell_what_is_hidden() {
    let of = |again: usize| {
        let report = with_costs(|case, run| {
            (run != "with_skill/run-2" || case <= again).then(|| json!({"total_tokens": 1000}))
        });
        report.markdown
    };
    let one = of(1);
    let told = "Expectations most often have one run a side here (the largest number is 2): only";
    assert!(one.contains(told), "{one}");
    assert!(!one.contains("What few runs hide"), "{one}");
    assert!(of(0).contains("With one run a side, no expectation can be seen to be flaky."));
}

#[test]
fn two_runs_that_are_far_apart_are_told() {
    let report = with_costs(|case, run| {
        let tokens = if case == 2 && run == "with_skill/run-2" { 9000 } else { 1000 };
        Some(json!({"total_tokens": tokens}))
    });
    let note = "(of two runs, what is above 3 times the other): \
                c2, with_skill, run 2 (9.0 times the only other run)";
    assert!(report.markdown.contains(note), "{}", report.markdown);
    let claims = "with_skill typically uses";
    assert!(!report.markdown.contains(claims), "an interval with 1 in it: {}", report.markdown);
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
    report.says("there is no baseline");
    let page = "iterations/iteration-1/a/with_skill-1.html";
    let run = std::fs::read_to_string(workspace.0.build().join(page)).expect("a page of the run");
    let told = html::told(&run).join("\n");
    assert!(told.contains("score – (9 is outside 1 to 5)") && told.contains("score 4"), "{told}");
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
    let range = format!("{} to {}", percent("low"), percent("high"));
    for page in ["index.html", "history.html"] {
        let told = html::told(&read(page)).join("\n");
        assert!(told.contains(&range), "{range} is not in {page}:\n{told}");
    }
}

#[test]
fn a_plan_never_names_cases_that_cannot_settle_anything() {
    let cases = [("a", "++++-"), ("b", "+++--"), ("c", "++++-")];
    let all = cases.into_iter().fold(Verdicts::new(), |found, (case, passed)| {
        found.run(1, case, "with_skill", "+++++").run(1, case, "without_skill", passed)
    });
    all.report().says("To settle 20 points, plan about 6 cases.");
}
