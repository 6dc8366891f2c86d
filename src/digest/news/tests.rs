//! One small workspace, or a few, for each kind of news.

use serde_json::Value;

use crate::analyze::analysis;
use crate::digest::news::headline::Headline;
use crate::digest::news::{Finding, HeadlineChoice, findings, headline, led_by};
use crate::digest::{Comparisons, Questions};
use crate::tests::workspaces::{case, run, workspace};
use input::model::{
    Case, LoadingState, Outcome, Output, RecordedBenchmark, Run, Snapshot, Workspace,
};
use input::settings::Settings;
use testing::gradings::checks;

/// A case with one run a side, whose checks `a`, `b` and so on have these verdicts.
fn pair(name: &str, sides: [&str; 2], verdicts: [&str; 2]) -> Case {
    let runs = sides.iter().zip(verdicts).map(|(side, letters)| {
        let texts: Vec<String> =
            ('a'..='z').take(letters.len()).map(|letter| format!("{name} has {letter}")).collect();
        let found: Vec<(&str, char)> =
            texts.iter().map(String::as_str).zip(letters.chars()).collect();
        run(side, 1, checks(&found))
    });
    case(name, runs.collect())
}

const HELPS: [&str; 2] = ["with_skill", "without_skill"];
const CHANGED: [&str; 2] = ["with_skill", "old_skill"];

fn news(workspace: &Workspace) -> Vec<Finding> {
    let analysis = analysis(workspace, &Settings::default());
    let cache = Comparisons::empty(workspace, &analysis);
    let after = analysis.newest_candidate().unwrap();
    findings(&cache, &after, led_by(&analysis, &after))
}

fn kinds(workspace: &Workspace) -> Vec<String> {
    let kind = |finding: &Finding| {
        let value: Value = serde_json::to_value(finding).unwrap();
        value["kind"].as_str().unwrap().to_owned()
    };
    news(workspace).iter().map(kind).collect()
}

fn has(workspace: &Workspace, kind: &str) -> bool {
    kinds(workspace).iter().any(|found| found == kind)
}

fn with_note(mut workspace: Workspace, note: &str) -> Workspace {
    let last = workspace.iterations.last_mut().unwrap();
    last.benchmarks.push(RecordedBenchmark {
        path: "iteration-1/benchmark.json".to_owned(),
        notes: vec![note.to_owned()],
        ..RecordedBenchmark::default()
    });
    workspace
}

fn for_each_run(workspace: &mut Workspace, change: impl Fn(&mut Run)) {
    for iteration in &mut workspace.iterations {
        iteration.cases.iter_mut().flat_map(|case| &mut case.runs).for_each(&change);
    }
}

fn helps() -> Workspace {
    let cases = ["tide", "hive"].map(|name| pair(name, HELPS, ["pppp", "ppff"]));
    workspace(vec![cases.to_vec()])
}

#[test]
fn the_author_takes_a_result_back() {
    let blocked = with_note(helps(), "All agents were blocked by Write permissions.");
    assert!(news(&blocked)[0].voids());
    let partly = with_note(helps(), "without_skill used invalid operators in two answers.");
    assert!(!news(&partly).iter().any(Finding::voids));
}

#[test]
fn a_skill_that_was_not_loaded_comes_before_its_result() {
    let mut found = helps();
    for_each_run(&mut found, |run| {
        if run.configuration == "with_skill" {
            run.loading.state = LoadingState::NotLoaded;
        }
    });
    assert_eq!(kinds(&found)[0], "never_loaded");
    found.iterations[0].cases[0].runs[0].loading.state = LoadingState::Loaded;
    assert_eq!(kinds(&found)[0], "not_loaded");
}

#[test]
fn where_nothing_passes_nothing_was_measured() {
    let nothing = ["ffff", "ffff"];
    let cases = |name: &str| pair(name, HELPS, nothing);
    let mut floor = workspace(vec![vec![cases("tide"), cases("hive")]]);
    assert_eq!(kinds(&floor)[0], "nothing_passes");
    for_each_run(&mut floor, |run| run.loading.is_prompt_cut = true);
    assert_eq!(kinds(&floor)[0], "prompts_cut");
    let few = workspace(vec![vec![cases("tide")]]);
    assert!(!has(&few, "nothing_passes"), "four checks are few");
}

#[test]
fn equal_or_tiny_times_are_those_of_no_agent() {
    let timed = |seconds: [f64; 4]| {
        let mut found = helps();
        let runs = found.iterations[0].cases.iter_mut().flat_map(|case| &mut case.runs);
        for (run, seconds) in runs.zip(seconds) {
            run.metrics.duration_s = Some(seconds);
        }
        news(&found).iter().any(Finding::voids)
    };
    assert!(timed([8.25, 8.25, 8.25, 8.25]));
    assert!(timed([0.01, 0.02, 0.03, 0.04]));
    assert!(!timed([0.3, 0.4, 0.5, 0.6]), "only doubtful");
    assert!(!timed([60.0, 60.0, 60.0, 60.0]), "the end of their time");
    assert!(!timed([9.0, 8.0, 7.0, 6.0]));
}

#[test]
fn one_reason_for_all_failures_of_a_run_is_told() {
    let mut found = workspace(vec![vec![
        pair("tide", HELPS, ["ffff", "pppp"]),
        pair("hive", HELPS, ["pppp", "ppff"]),
        pair("berth", HELPS, ["pppp", "pppf"]),
    ]]);
    let broken = &mut found.iterations[0].cases[0].runs[0].gradings[0].expectations;
    for check in broken.iter_mut() {
        check.evidence = Some("The agent declined the task and wrote nothing.".to_owned());
    }
    let first = news(&found).remove(0);
    let Finding::NoAnswer { runs, of, gain, case, .. } = first else { panic!("{first:?}") };
    assert_eq!((runs, of, case.as_str(), gain), (1, 3, "tide", Some(0.375)));
}

#[test]
fn a_refused_tool_explains_failures() {
    let mut found = helps();
    for_each_run(&mut found, |run| {
        for check in &mut run.gradings[0].expectations {
            if check.outcome == Outcome::Failed {
                check.evidence = Some("The Bash tool was denied.".to_owned());
            }
        }
    });
    assert!(has(&found, "tool_denied"));
    assert!(news(&found).iter().any(Finding::voids), "all of them");
}

#[test]
fn a_rerun_lost_nothing() {
    let rounds = vec![
        vec![pair("tide", CHANGED, ["pppp", "ppff"])],
        vec![pair("tide", CHANGED, ["pppf", "ppff"])],
    ];
    assert!(has(&workspace(rounds.clone()), "since"));
    let rerun = with_note(workspace(rounds), "SKILL.md identical to iteration-1.");
    let Some(Finding::Rerun { flipped, checks, .. }) =
        news(&rerun).into_iter().find(|finding| matches!(finding, Finding::Rerun { .. }))
    else {
        panic!("{:?}", kinds(&rerun))
    };
    assert_eq!((flipped, checks), (1, 4));
    assert!(!has(&rerun, "since"));
}

#[test]
fn a_copy_beside_an_old_skill_is_of_that_side() {
    for (sides, expected) in [(HELPS, true), (CHANGED, false)] {
        let mut found = workspace(vec![
            vec![pair("tide", sides, ["pppp", "ppff"])],
            vec![pair("tide", sides, ["pppf", "ppff"])],
        ]);
        for iteration in 0..2 {
            found.snapshots.push(Snapshot {
                path: format!("iteration-{}/skill-snapshot", iteration + 1),
                iteration: Some(iteration),
                digest: Some("same".to_owned()),
                ..Snapshot::default()
            });
        }
        assert_eq!(has(&found, "rerun"), expected, "{sides:?}");
    }
}

#[test]
fn a_round_is_compared_with_the_one_before() {
    let rounds = |before: &str, after: &str, without: [&str; 2]| {
        workspace(vec![
            vec![pair("tide", HELPS, [before, without[0]])],
            vec![pair("tide", HELPS, [after, without[1]])],
        ])
    };
    let found = rounds("ppff", "pfpp", ["ffff", "ffff"]);
    let since = news(&found).into_iter().find_map(|finding| match finding {
        Finding::Since { lost, repaired, checks, other, first_lost, .. } => {
            Some((lost, repaired, checks, other.is_some(), first_lost.unwrap().check))
        }
        _ => None,
    });
    assert_eq!(since, Some((1, 2, 4, false, "tide has b".to_owned())));
    assert!(has(&rounds("pppf", "pppf", ["ppff", "ppff"]), "nothing_moved"));
    // A round that was thrown away is nothing to measure by.
    let three = |second: &str| {
        let cases = ["ppff", second, "pppf"].map(|with| vec![pair("tide", HELPS, [with, "ffff"])]);
        news(&workspace(cases.to_vec())).into_iter().find_map(|finding| match finding {
            Finding::Since { earlier, .. } => earlier,
            _ => None,
        })
    };
    let earlier = three("pfff").unwrap();
    assert_eq!((&*earlier.iteration, earlier.lost, earlier.repaired), ("iteration-1", 0, 1));
    assert_eq!(three("ppff"), None);
    // The side without the skill fell, and the gain is nothing else.
    assert!(has(&rounds("pppf", "pppf", ["pppf", "pfff"]), "other_fell"));
}

#[test]
fn a_newer_round_without_verdicts_is_told() {
    let open = vec![pair("tide", HELPS, ["????", "????"])];
    let found = workspace(vec![vec![pair("tide", HELPS, ["pppp", "ppff"])], open]);
    assert!(has(&found, "ungraded_newer"));
    assert!(!has(&helps(), "ungraded_newer"));
    let open = || vec![pair("tide", HELPS, ["????", "????"])];
    let found = workspace(vec![vec![pair("tide", HELPS, ["pppp", "ppff"])], open(), open()]);
    let newer = news(&found).into_iter().find_map(|finding| match finding {
        Finding::UngradedNewer { iterations, .. } => Some(iterations),
        _ => None,
    });
    assert_eq!(newer.unwrap(), ["iteration-2", "iteration-3"]);
}

#[test]
fn new_outputs_with_the_gradings_of_before_were_not_graded() {
    let round = |reason: &str| {
        let mut round = ["tide", "hive"].map(|name| pair(name, HELPS, ["pppp", "ppff"]));
        for (at, run) in round.iter_mut().flat_map(|case| &mut case.runs).enumerate() {
            for check in &mut run.gradings[0].expectations {
                check.evidence = Some(format!("{reason} {at}: {}", check.text));
            }
        }
        round.to_vec()
    };
    assert!(has(&workspace(vec![round("line"), round("line")]), "equal_gradings"));
    assert!(!has(&workspace(vec![round("line"), round("page")]), "equal_gradings"));
    let alike = || ["tide", "hive"].map(|name| pair(name, HELPS, ["pppp", "ppff"])).to_vec();
    assert!(!has(&workspace(vec![alike(), alike()]), "equal_gradings"), "without reasons");
    for (bytes, is_told) in [([7, 7], false), ([7, 8], true)] {
        let mut found = workspace(vec![round("line"), round("line")]);
        for (iteration, bytes) in found.iterations.iter_mut().zip(bytes) {
            for run in iteration.cases.iter_mut().flat_map(|case| &mut case.runs) {
                let name = "answer.md".to_owned();
                run.outputs = vec![Output { path: name.clone(), name, bytes }];
            }
        }
        assert_eq!(has(&found, "equal_gradings"), is_told, "{bytes:?}");
    }
}

#[test]
fn a_side_that_no_row_compares_is_told() {
    let sides = ["with_skill", "old_skill", "original_skill"];
    let case_of = |name: &str| {
        let mut case = pair(name, HELPS, ["ppp", "ppp"]);
        case.runs.clear();
        for (side, letters) in sides.iter().zip(["ppp", "ppf", "pff"]) {
            let texts = ["a", "b", "c"].map(|letter| format!("{name} has {letter}"));
            let found: Vec<(&str, char)> =
                texts.iter().map(String::as_str).zip(letters.chars()).collect();
            case.runs.push(run(side, 1, checks(&found)));
        }
        case
    };
    let found = workspace(vec![vec![case_of("tide"), case_of("hive")]]);
    let side = news(&found).into_iter().find_map(|finding| match finding {
        Finding::ThirdSide { side, gain } => Some((side, (gain * 3.0).round())),
        _ => None,
    });
    assert_eq!(side, Some(("original_skill".to_owned(), 2.0)));
    assert!(!has(&helps(), "third_side"));
}

#[test]
fn what_carries_the_gain_is_named() {
    let same = |name: &str| {
        let runs = HELPS.iter().map(|side| {
            let verdict = if *side == "with_skill" { 'p' } else { 'f' };
            let own = format!("{name} is dated");
            run(side, 1, checks(&[("All weights are in kilograms", verdict), (&own, 'p')]))
        });
        case(name, runs.collect())
    };
    let one = workspace(vec![vec![same("tide"), same("hive"), same("berth")]]);
    assert!(has(&one, "one_check"));
    let many = [("tide", "pfff"), ("hive", "fppf")];
    let many = many.map(|(name, without)| pair(name, HELPS, ["pppp", without])).to_vec();
    assert!(!has(&workspace(vec![many]), "one_case"));
    let alone = vec![pair("tide", HELPS, ["pppp", "ffff"]), pair("hive", HELPS, ["pp", "pp"])];
    assert!(has(&workspace(vec![alone]), "one_case"));
}

#[test]
fn checks_of_one_case_are_never_one_check() {
    let steps = ["Step 1 of the log is named", "Step 2 of the log is named"];
    let log = |name: &str| {
        let runs = HELPS.iter().map(|side| {
            let verdict = if *side == "with_skill" { 'p' } else { 'f' };
            run(side, 1, checks(&steps.map(|text| (text, verdict))))
        });
        case(name, runs.collect())
    };
    let found = workspace(vec![vec![log("tide"), log("hive"), log("reef")]]);
    let told = news(&found).into_iter().find_map(|finding| match finding {
        Finding::OneCheck { checks, gained, second, .. } => Some((checks, gained, second)),
        _ => None,
    });
    assert_eq!(told, Some((6, 6, Some(steps[1].to_owned()))), "two checks, each in three cases");
}

#[test]
fn checks_that_the_round_before_did_not_have_are_told() {
    let rounds = |now: &str| {
        let rounds = ["pppp", now].map(|now| vec![pair("tide", HELPS, [now, "ffff"])]);
        news(&workspace(rounds.into())).into_iter().find_map(|finding| match finding {
            Finding::NewChecks { checks, of, failed, .. } => Some((checks, of, failed)),
            _ => None,
        })
    };
    assert_eq!(rounds("pppppf"), Some((2, 6, 1)));
    assert_eq!(rounds("ppppp"), None, "one of five");
}

#[test]
fn checks_that_need_the_skill_are_no_gain() {
    let asking = |name: &str, text: &str| {
        let runs = HELPS.iter().map(|side| {
            let verdict = if *side == "with_skill" { 'p' } else { 'f' };
            let own = format!("{name} is dated");
            run(side, 1, checks(&[(text, verdict), (&own, 'p')]))
        });
        case(name, runs.collect())
    };
    let found = workspace(vec![vec![asking("tide", "The skill was invoked")]]);
    let gain = news(&found).into_iter().find_map(|finding| match finding {
        Finding::CannotPass { gain, is_whole_gain, .. } => Some((gain, is_whole_gain)),
        _ => None,
    });
    assert_eq!(gain, Some((0.0, true)));
    let plain = workspace(vec![vec![asking("commit", "Does not create a commit")]]);
    assert!(!has(&plain, "cannot_pass"));
    let named = workspace(vec![vec![asking("tide", "The skill tide-tables was invoked")]]);
    assert!(has(&named, "cannot_pass"));
    // That an answer lacks something is the ordinary failure.
    for (reason, expected) in [
        ("without_skill lacks the date line", false),
        ("without_skill cannot call the script", true),
    ] {
        let mut found = workspace(vec![vec![asking("tide", "Costs are in euros")]]);
        for_each_run(&mut found, |run| {
            for check in &mut run.gradings[0].expectations {
                check.evidence = Some(reason.to_owned());
            }
        });
        assert_eq!(has(&found, "cannot_pass"), expected, "{reason}");
    }
}

#[test]
fn parity_is_another_thing_for_a_changed_skill() {
    let level = |sides: [&str; 2]| {
        let cases = ["tide", "hive"].map(|name| pair(name, sides, ["pppp", "pppp"]));
        workspace(vec![cases.to_vec()])
    };
    assert!(has(&level(CHANGED), "no_regression"));
    assert!(has(&level(HELPS), "no_difference"));
    let failing = workspace(vec![vec![pair("tide", HELPS, ["ppff", "ppff"])]]);
    assert!(has(&failing, "fails_on_both"));
}

#[test]
fn costs_counted_in_two_ways_are_no_saving() {
    let costing = |tokens: [f64; 2]| {
        let names = ["tide", "hive", "reef", "dune", "moor", "fell"];
        let mut found =
            workspace(vec![names.map(|name| pair(name, HELPS, ["pppp", "pppf"])).to_vec()]);
        for_each_run(&mut found, |run| {
            let at = usize::from(run.configuration == "without_skill");
            run.metrics.tokens = Some(tokens[at]);
        });
        // Ratios that are all the same have no interval.
        found.iterations[0].cases[0].runs[0].metrics.tokens = Some(tokens[0] * 1.05);
        found
    };
    assert!(has(&costing([900.0, 33_000.0]), "odd_cost"));
    assert!(has(&costing([22_000.0, 33_000.0]), "costs"));
    assert!(!has(&costing([32_000.0, 33_000.0]), "costs"));
}

#[test]
fn runs_that_stopped_or_left_nothing_are_told() {
    let mut found = helps();
    found.iterations[0].cases[0].runs[0].outputs.push(Output {
        name: "answer.md".to_owned(),
        path: "a/answer.md".to_owned(),
        bytes: 0,
    });
    assert_eq!(kinds(&found)[0], "empty_answers");
    found.iterations[0].cases[1].runs[1].error = Some("timeout".to_owned());
    let first = news(&found).remove(0);
    let Finding::Stopped { runs: 1, of: 2, side: Some(side), .. } = first else {
        panic!("{first:?}")
    };
    assert_eq!(side, "without_skill");
}

#[test]
fn another_candidate_that_did_better_is_told() {
    let mut found = helps();
    let letters = [("tide", "ppff"), ("hive", "pfff")];
    for (case, (name, letters)) in found.iterations[0].cases.iter_mut().zip(letters) {
        let own = pair(name, HELPS, [letters, letters]).runs.remove(0);
        case.runs[0] = own;
        let rival = pair(name, ["zeta_mode", "x"], ["pppp", "pppp"]).runs.remove(0);
        case.runs.push(rival);
    }
    found.iterations[0].configurations.push("zeta_mode".to_owned());
    assert!(has(&found, "better_candidate"));
}

/// The cost in the headline of a parity, and whether it may be chance.
fn costs_of_headline(workspace: &Workspace) -> Option<(f64, bool)> {
    let analysis = analysis(workspace, &Settings::default());
    let cache = Comparisons::empty(workspace, &analysis);
    let questions = Questions::new(&cache, &analysis.newest_candidate().unwrap());
    match headline(&news(workspace), &questions).unwrap() {
        HeadlineChoice::News(Headline::NoRegression { costs }) => {
            costs.first().map(|cost| (cost.ratio, cost.is_rough))
        }
        _ => panic!("another headline"),
    }
}

/// The kind of the headline; `word` where it is that of a row.
fn headline_of(workspace: &Workspace) -> String {
    let analysis = analysis(workspace, &Settings::default());
    let cache = Comparisons::empty(workspace, &analysis);
    let after = analysis.newest_candidate().unwrap();
    let questions = Questions::new(&cache, &after);
    match headline(&news(workspace), &questions).unwrap() {
        HeadlineChoice::News(found) => {
            let value: Value = serde_json::to_value(&found).unwrap();
            value["kind"].as_str().unwrap().to_owned()
        }
        HeadlineChoice::Conditions { .. } => "conditions".to_owned(),
        HeadlineChoice::Word(_) => "word".to_owned(),
    }
}

/// The same with every run made twice.
fn repeated(mut workspace: Workspace) -> Workspace {
    for case in workspace.iterations.iter_mut().flat_map(|iteration| &mut iteration.cases) {
        let mut again = case.runs.clone();
        again.iter_mut().for_each(|run| run.number = 2);
        case.runs.extend(again);
    }
    workspace
}

#[test]
fn the_worse_answer_makes_the_headline() {
    let rounds = |now: &str| {
        let round = |with| ["tide", "hive"].map(|name| pair(name, HELPS, [with, "ffff"])).to_vec();
        workspace(vec![round("pppp"), round(now)])
    };
    assert_eq!(headline_of(&repeated(rounds("pppf"))), "lost");
    assert_eq!(headline_of(&rounds("pppf")), "word", "one run each may lose a check by chance");
    let changed = |letters: [&str; 2]| {
        let cases = ["tide", "hive"].map(|name| pair(name, CHANGED, letters));
        workspace(vec![cases.to_vec()])
    };
    assert_eq!(headline_of(&changed(["pppp", "pppp"])), "no_regression");
    let mut cheaper = changed(["pppp", "pppp"]);
    cheaper.iterations[0].cases.push(pair("reef", CHANGED, ["pppp", "pppp"]));
    for_each_run(&mut cheaper, |run| {
        run.metrics.tokens = Some(if run.configuration == "old_skill" { 9_000.0 } else { 7_000.0 });
    });
    let (ratio, is_rough) = costs_of_headline(&cheaper).unwrap();
    assert!((ratio - 7.0 / 9.0).abs() < 1e-9 && is_rough, "all cases moved one way");
    cheaper.iterations[0].cases[0].runs[0].metrics.tokens = Some(19_000.0);
    assert_eq!(costs_of_headline(&cheaper), None, "they point both ways");
    assert_eq!(headline_of(&repeated(changed(["pppf", "pppp"]))), "lost");
    assert_eq!(headline_of(&repeated(changed(["pppp", "pppf"]))), "repaired");
    let level = ["tide", "hive"].map(|name| pair(name, HELPS, ["pppp", "pppp"]));
    assert_eq!(headline_of(&workspace(vec![level.to_vec()])), "no_difference");
    let blocked = with_note(rounds("pppf"), "All agents were blocked by Write permissions.");
    assert_eq!(headline_of(&blocked), "no_measurement");
}

#[test]
fn what_missing_verdicts_may_undo_has_no_sentence_about_a_gain() {
    let cases = [("tide", ["pp??", "pppf"]), ("hive", ["pppp", "pppf"])];
    let found = workspace(vec![cases.map(|(name, letters)| pair(name, HELPS, letters)).to_vec()]);
    let analysis = analysis(&found, &Settings::default());
    let after = analysis.newest_candidate().unwrap();
    assert!(led_by(&analysis, &after).unwrap().gain.undecided().is_some());
    let told: Vec<Finding> = news(&found).into_iter().filter(Finding::is_about_runs).collect();
    assert!(matches!(told[..], [Finding::NoVerdict { .. }]), "{told:?}");
}

#[test]
fn checks_that_pass_on_both_sides_leave_little_to_gain() {
    let level = |without| ["tide", "hive"].map(|name| pair(name, HELPS, ["pppppp", without]));
    assert!(!has(&workspace(vec![level("pppppf").to_vec()]), "too_easy"), "10 of 12");
    let one =
        [pair("tide", HELPS, ["pppppp", "pppppf"]), pair("hive", HELPS, ["pppppp", "pppppp"])];
    assert!(has(&workspace(vec![one.to_vec()]), "too_easy"));
}

#[test]
fn one_answer_graded_twice_is_no_comparison() {
    let written = |form: &str| {
        let mut found = workspace(vec![
            ["tide", "hive"].map(|name| pair(name, HELPS, ["pppp", "pppp"])).to_vec(),
        ]);
        for_each_run(&mut found, |run| {
            for (at, check) in run.gradings[0].expectations.iter_mut().enumerate() {
                let text = &check.text;
                check.evidence =
                    Some(form.replace("{at}", &at.to_string()).replace("{text}", text));
            }
        });
        has(&found, "same_evidence")
    };
    assert!(written("answer.md line {at}: it says that {text} and more"));
    assert!(!written("Found the words of the pattern in it: {text}"), "a form");
}

#[test]
fn characters_that_a_benchmark_calls_tokens_are_no_cost() {
    let mut found = with_note(helps(), "");
    found.iterations[0].path = "iteration-1".to_owned();
    let mut figures = Vec::new();
    for (name, tokens) in [("with_skill", 1800.0), ("without_skill", 600.0)] {
        let mut side = input::model::RecordedConfiguration {
            name: name.to_owned(),
            ..input::model::RecordedConfiguration::default()
        };
        side.tokens.mean = Some(tokens);
        figures.push(side);
    }
    found.iterations[0].benchmarks[0].configurations = figures;
    assert!(has(&found, "recorded_costs"));
    for_each_run(&mut found, |run| {
        let is_with = run.configuration == "with_skill";
        run.metrics.output_chars = Some(if is_with { 1800.0 } else { 600.0 });
    });
    assert!(!has(&found, "recorded_costs"));
}

#[test]
fn a_row_of_runs_that_nobody_can_believe_is_no_answer() {
    let blocked = with_note(helps(), "All agents were blocked by Write permissions.");
    for (workspace, expected) in [(&blocked, false), (&helps(), true)] {
        let analysis = analysis(workspace, &Settings::default());
        let cache = Comparisons::empty(workspace, &analysis);
        let questions = Questions::new(&cache, &analysis.newest_candidate().unwrap());
        let row = questions.helps[0].compared().unwrap();
        assert_eq!(row.is_measured(), expected);
    }
}

#[test]
fn the_answer_to_another_case_is_no_answer() {
    let mut found = workspace(vec![vec![
        pair("eval-1-tide-table", HELPS, ["pppp", "ffff"]),
        pair("eval-2-hive-book", HELPS, ["pppp", "ppff"]),
        pair("eval-3-berth-plan", HELPS, ["pppp", "pppf"]),
    ]]);
    let wrong = &mut found.iterations[0].cases[0].runs[1];
    wrong.path = "eval-1-tide-table/without_skill".to_owned();
    for check in &mut wrong.gradings[0].expectations {
        check.evidence = Some("The file is hives.md, which is for the Hive Book.".to_owned());
    }
    let first = news(&found).remove(0);
    let Finding::NoAnswer { misfiled: 1, case, gain: Some(_), .. } = first else {
        panic!("{first:?}")
    };
    assert_eq!(case, "eval-1-tide-table");
    // A case whose own prompt names it is about both.
    found.iterations[0].cases[0].prompt = Some("Add the tide to the hive book.".to_owned());
    assert!(!has(&found, "no_answer"));
}

#[test]
fn what_was_not_gained_passes_on_both_sides() {
    let with = |without: &str| {
        let cases = ["tide", "hive", "reef"].map(|name| pair(name, HELPS, ["pppppp", without]));
        workspace(vec![cases.to_vec()])
    };
    let rest = |workspace: &Workspace| {
        news(workspace).into_iter().find_map(|finding| match finding {
            Finding::RestPasses { checks, gained, is_one_way, most, .. } => {
                assert_eq!(most, 0, "as many in each of three cases");
                Some((checks, gained, is_one_way))
            }
            _ => None,
        })
    };
    assert_eq!(rest(&with("pppfff")), Some((9, 9, true)));
    assert_eq!(rest(&with("pppppf")), Some((15, 3, false)));
    assert_eq!(rest(&with("ffffff")), None, "nothing else is left");
    let mut failing = with("pppfff");
    for run in &mut failing.iterations[0].cases[0].runs {
        run.gradings[0].expectations[0].outcome = Outcome::Failed;
    }
    assert_eq!(rest(&failing), None, "one fails on both");
}

#[test]
fn cases_with_all_verdicts_are_told_where_others_have_none() {
    let cases = |other: [&str; 2]| {
        let mut cases = vec![pair("tide", HELPS, ["pppp", "ffff"]), pair("hive", HELPS, other)];
        cases.push(pair("reef", HELPS, ["????", "pppp"]));
        workspace(vec![cases])
    };
    let told = |workspace: &Workspace| {
        news(workspace).into_iter().find_map(|finding| match finding {
            Finding::GradedPairs { cases, counts, .. } => {
                Some((cases, counts.passed, counts.other_passed, counts.checks))
            }
            _ => None,
        })
    };
    assert_eq!(told(&cases(["ppff", "pppp"])), Some((2, 6, 4, 8)));
    assert_eq!(told(&cases(["pp??", "pppp"])), None, "what is left may be all that is good");
}

#[test]
fn the_example_is_what_the_author_wrote_about() {
    let mut found = with_note(workspace(vec![vec![pair("tide", HELPS, ["ffpp", "pppp"])]]), "");
    found.iterations[0].benchmarks[0].notes =
        vec!["The rule for slack water backfired in all of our runs.".to_owned()];
    let texts =
        ["The table has 20 lines", "Slack water is given", "It has a date", "It has a tide"];
    for_each_run(&mut found, |run| {
        for (check, text) in run.gradings[0].expectations.iter_mut().zip(texts) {
            check.text = text.to_owned();
        }
    });
    let example = |workspace: &Workspace| {
        news(workspace).into_iter().find_map(|finding| match finding {
            Finding::Worse { first, .. } => Some(first.check),
            _ => None,
        })
    };
    assert_eq!(example(&found).as_deref(), Some(texts[1]));
    let evidence = &mut found.iterations[0].cases[0].runs[0].gradings[0].expectations[1].evidence;
    *evidence = Some("The wording of the check is ambiguous here.".to_owned());
    assert_eq!(example(&found).as_deref(), Some(texts[0]), "its grader doubts it");
}

#[test]
fn a_minor_loss_does_not_come_before_a_gain() {
    let with = |lost: &str| {
        let mut cases =
            ["tide", "hive", "reef"].map(|name| pair(name, HELPS, ["pppp", "ffff"])).to_vec();
        cases.push(pair("moor", HELPS, [lost, "pppp"]));
        let kinds = kinds(&workspace(vec![cases]));
        let place = |kind: &str| kinds.iter().position(|found| found == kind);
        place("worse") < place("gained")
    };
    assert!(!with("fppp") && with("ffpp"));
}

#[test]
fn runs_that_list_the_checks_among_their_files_are_told() {
    let mut found = helps();
    for_each_run(&mut found, |run| {
        if run.configuration == "with_skill" {
            run.loading.answer_key = Some(("config.json".to_owned(), 3));
            run.loading.is_given_checks = true;
        }
    });
    let first = news(&found).remove(0);
    let Finding::ReadAnswers { runs: 2, of: 2, were_given: true, .. } = first else {
        panic!("{first:?}")
    };
}

#[test]
fn checks_about_different_names_of_code_are_different() {
    let using = |name: &str, hook: &str| {
        let text = format!("Uses {hook} hook from the harbour package for loading");
        let runs = HELPS.iter().map(|side| {
            let verdict = if *side == "with_skill" { 'p' } else { 'f' };
            run(side, 1, checks(&[(&text, verdict), (&format!("{name} has a date"), 'p')]))
        });
        case(name, runs.collect())
    };
    let same = workspace(vec![vec![using("tide", "useTide"), using("hive", "useTide")]]);
    assert!(has(&same, "one_check"));
    let two = workspace(vec![vec![using("tide", "useTide"), using("hive", "useTidePage")]]);
    assert!(!has(&two, "one_check"));
}

#[test]
fn a_name_of_code_that_most_gained_checks_have_is_told() {
    let using = |name: &str, texts: [&str; 3]| {
        let runs = HELPS.iter().map(|side| {
            let verdict = if *side == "with_skill" { 'p' } else { 'f' };
            let [first, second, third] = texts;
            run(side, 1, checks(&[(first, verdict), (second, verdict), (third, 'p')]))
        });
        case(name, runs.collect())
    };
    let found = workspace(vec![vec![
        using("tide", ["Imports from harbour-lib", "Calls harbour-lib for tides", "It has a date"]),
        using("hive", ["The list is from harbour-lib", "It is short", "It has a title"]),
    ]]);
    let told = news(&found).into_iter().find_map(|finding| match finding {
        Finding::OneWord { checks, gained, word } => Some((checks, gained, word)),
        _ => None,
    });
    assert_eq!(told, Some((3, 4, "harbour-lib".to_owned())));
}

/// The only side with these tokens, a run each.
fn with_tokens(tokens: &[f64]) -> Workspace {
    let runs = tokens.iter().zip(1..).map(|(tokens, number)| {
        let mut found = run("with_skill", number, checks(&[("a", 'p')]));
        found.metrics.tokens = Some(*tokens);
        found
    });
    workspace(vec![vec![case("tide", runs.collect())]])
}

#[test]
fn a_run_far_above_the_others_of_its_case_is_listed() {
    let runaway = |tokens: &[f64]| {
        news(&with_tokens(tokens)).into_iter().find_map(|finding| match finding {
            Finding::Runaway { run, factor, turns_totals: false, .. } => Some((run, factor)),
            _ => None,
        })
    };
    assert_eq!(runaway(&[1000.0, 900.0, 2700.0]), Some((3, 2.7)));
    // Of two runs neither is typical.
    assert_eq!(runaway(&[1000.0, 9000.0]), Some((2, 9.0)));
    assert_eq!(runaway(&[1000.0, 2900.0]), None);
    assert_eq!(runaway(&[0.0, 1000.0]), None, "0 stands for missing");
}

#[test]
fn errors_and_missing_outputs_are_listed() {
    let mut found = helps();
    assert!(!has(&found, "had_errors") && !has(&found, "no_output"), "nothing is kept");
    found.iterations[0].cases[0].runs[0].metrics.errors = Some(2.0);
    let output = Output { path: "a".into(), name: "a".into(), bytes: 5 };
    found.iterations[0].cases[0].runs[0].outputs = vec![output];
    let kinds = kinds(&found);
    let last = &kinds[kinds.len() - 2..];
    assert_eq!(last, ["had_errors", "no_output"]);
}
