//! The first words about small evaluations, each in a workspace that is made to need them.

use crate::analyze::{Analysis, analysis};
use crate::digest::State;
use crate::language::theme::Theme;
use crate::language::{Language, say};
use crate::tests::workspaces::{case, iteration, run, workspace};
use crate::wording::Answer;
use input::model::{
    Case, LoadingState, Outcome, Output, RecordedBenchmark, RecordedConfiguration, Run,
    TriggerQuery, TriggerRound, Workspace,
};
use input::settings::Settings;
use testing::gradings::verdicts;

const WITH: &str = "with_skill";
const WITHOUT: &str = "without_skill";

fn analyzed(workspace: &Workspace) -> Analysis {
    analysis(workspace, &Settings::default())
}

fn answer(workspace: &Workspace) -> Answer {
    Answer::new(workspace, &analyzed(workspace), &Language::default())
}

/// Cases with one run of each side: the checks of the first, then those of the second.
fn cases(sides: [&str; 2], checks: &[(&str, &str)]) -> Vec<Case> {
    let mut cases = Vec::new();
    for (at, (first, second)) in checks.iter().enumerate() {
        let runs = vec![run(sides[0], 1, verdicts(first)), run(sides[1], 1, verdicts(second))];
        cases.push(case(&format!("case-{at}"), runs));
    }
    cases
}

/// One iteration with these checks of `with_skill` and `without_skill` in each case.
fn compared(checks: &[(&str, &str)]) -> Workspace {
    workspace(vec![cases([WITH, WITHOUT], checks)])
}

fn runs_of<'w>(workspace: &'w mut Workspace, side: &str) -> Vec<&'w mut Run> {
    let iterations = workspace.iterations.iter_mut();
    let runs = iterations.flat_map(|iteration| &mut iteration.cases);
    let runs = runs.flat_map(|case| &mut case.runs);
    runs.filter(|run| run.configuration == side).collect()
}

/// Only a benchmark in each iteration, with these passed checks of 65 on both sides.
fn recorded(passed: &[[f64; 2]]) -> Workspace {
    let mut workspace = Workspace::default();
    for (at, passed) in passed.iter().enumerate() {
        let path = format!("iteration-{}/benchmark.json", at + 1);
        let mut benchmark = RecordedBenchmark { path, ..RecordedBenchmark::default() };
        for (name, passed) in [WITH, WITHOUT].into_iter().zip(passed) {
            benchmark.configurations.push(RecordedConfiguration {
                name: name.to_owned(),
                passed: Some(*passed),
                total: Some(65.0),
                ..RecordedConfiguration::default()
            });
        }
        let mut round = iteration(&format!("iteration-{}", at + 1), Vec::new());
        round.benchmarks.push(benchmark);
        workspace.iterations.push(round);
    }
    workspace
}

/// Four queries: two that should load the skill, of which one did not.
fn triggers() -> Workspace {
    let mut round = TriggerRound::default();
    for (should, passed) in [(true, true), (true, false), (false, true), (false, true)] {
        round.queries.push(TriggerQuery {
            id: None,
            query: "Plan the beds".to_owned(),
            should_trigger: Some(should),
            triggers: None,
            runs: Some(1.0),
            passed: Some(passed),
            held_out: false,
        });
    }
    Workspace { trigger_rounds: vec![round], ..Workspace::default() }
}

fn ungraded() -> Workspace {
    let mut runs = Vec::new();
    for side in [WITH, WITHOUT] {
        let (name, path) = ("plan.md".to_owned(), format!("iteration-1/a/{side}/plan.md"));
        let outputs = vec![Output { name, path, bytes: 5 }];
        runs.push(Run { configuration: side.to_owned(), outputs, ..Run::default() });
    }
    workspace(vec![vec![case("a", runs)]])
}

/// A workspace in each state, with the key of its large word.
fn states() -> [(State, Workspace, &'static str); 7] {
    let one_side = workspace(vec![vec![case("a", vec![run(WITH, 1, verdicts("pp"))])]]);
    let unknown = workspace(vec![cases(["config_a", "config_b"], &[("pp", "pf")])]);
    [
        (State::Compared, compared(&[("p", "f"), ("f", "p")]), "verdict.mixed"),
        (State::OneSide, one_side, "overview.rate_alone"),
        (State::UnknownBaseline, unknown, "state.which_baseline"),
        (State::NotGraded, ungraded(), "state.not_graded"),
        (State::OnlyRecorded, recorded(&[[63.0, 31.0]]), "state.recorded"),
        (State::OnlyTriggers, triggers(), "state.queries_right"),
        (State::Nothing, Workspace::default(), "state.nothing"),
    ]
}

#[test]
fn every_state_has_its_word_in_both_languages() {
    for tag in ["en", "zh-TW"] {
        let language = Language::new(tag, &Theme::default()).expect("a language");
        for (state, workspace, key) in states() {
            let analysis = analyzed(&workspace);
            assert_eq!(State::new(&workspace, &analysis), state);
            let answer = Answer::new(&workspace, &analysis, &language);
            let word = language.text(key);
            // A text with places is compared by what is after the last.
            let end = word.rsplit('}').next().unwrap_or(word);
            assert!(answer.verdict.contains(end), "{tag}, {state:?}: {}", answer.verdict);
            assert!(!answer.reason.is_empty(), "{tag}, {state:?}");
        }
    }
}

#[test]
fn two_unknown_sides_are_both_named_with_the_flag_to_copy() {
    let reason = answer(&states()[2].1).reason;
    for part in ["config_a 100 %", "config_b 50 %", "--baseline config_a", "--baseline config_b"] {
        assert!(reason.contains(part), "{part}: {reason}");
    }
}

#[test]
fn recorded_figures_tell_the_gain_and_the_fall() {
    let english = Language::default();
    let found = answer(&recorded(&[[63.0, 31.0], [60.0, 30.0], [35.0, 31.0]]));
    assert!(found.verdict.contains("+6 points"), "{}", found.verdict);
    let fell = say!(
        english,
        "state.fell",
        name = WITH,
        before = "97 % (63/65)",
        first = "iteration-1",
        after = "54 % (35/65)",
        iteration = "iteration-3",
    );
    assert!(found.reason.starts_with(&fell), "{}", found.reason);
}

#[test]
fn trouble_in_the_runs_comes_before_the_verdict() {
    let english = Language::default();
    let checks = [("fff", "pff"), ("ppp", "pff"), ("ppp", "ppf")];
    let mut missing = compared(&checks);
    runs_of(&mut missing, WITH)[0].loading.state = LoadingState::NotLoaded;
    let found = answer(&missing).reason;
    let runs = english.count(3, "run");
    let (n, before_side) = (1, WITHOUT);
    // The mean of the other runs, on the same cases of both sides.
    let (after, before) = ("100 %", "50 %");
    let key = "overview.not_loaded_others";
    let expected = say!(english, key, n, runs, after, before, before_side);
    assert!(found.starts_with(&expected), "{found}");

    let mut none = compared(&checks);
    for run in runs_of(&mut none, WITH) {
        run.loading.state = LoadingState::NotLoaded;
    }
    assert_eq!(answer(&none).reason, english.text("overview.never_loaded"));

    let mut stopped = missing;
    runs_of(&mut stopped, WITH)[1].error = Some("timeout".to_owned());
    let (n, runs, errors) = (1, english.count(3, "run"), "timeout in 1");
    let expected = say!(english, "overview.stopped", n, runs, name = WITH, errors);
    assert!(answer(&stopped).reason.starts_with(&expected));

    let mut lost = compared(&checks);
    runs_of(&mut lost, WITHOUT)[2].error = Some("crashed: exit 1".to_owned());
    let worst = say!(
        english,
        "overview.had_they_failed_vs",
        name = WITHOUT,
        rate = "33 %",
        worst = english.percent(2.0 / 9.0),
        other = WITH,
        other_rate = "50 %",
    );
    let found = answer(&lost).reason;
    assert!(found.contains(&worst), "{found}");

    // The larger loss may be on the other side.
    for run in [0, 1] {
        runs_of(&mut lost, if run == 0 { WITH } else { WITHOUT })[run].error =
            Some("crashed".into());
    }
    let parts =
        [(1, WITH), (2, WITHOUT)].map(|(n, name)| say!(english, "overview.stopped_of", n, name));
    let (n, runs, sides) = (3, english.count(6, "run"), parts.join(english.text("list.comma")));
    let expected = say!(english, "overview.stopped_and_left_out", n, runs, sides);
    let found = answer(&lost).reason;
    assert!(found.starts_with(&expected), "{found}");
}

#[test]
fn cases_that_all_pass_are_easy_only_if_their_checks_never_failed() {
    let english = Language::default();
    let sides = [WITH, WITHOUT];
    let pass = cases(sides, &[("ppp", "ppp"), ("pp", "pp")]);
    let fail = cases(sides, &[("ppp", "fff"), ("pp", "pf")]);
    let mut alone = pass.clone();
    for case in &mut alone {
        case.runs.truncate(1);
    }
    let failed = |name: &str, failed: usize, iteration: &str| {
        let checks = english.count(5, "check");
        say!(english, "verdict.failed_earlier", name, failed, checks, iteration)
    };
    let easy = english.text("verdict.too_easy").to_owned();
    let first_fails = cases(sides, &[("fff", "fff"), ("pp", "pf")]);
    for (rounds, expected) in [
        (vec![pass.clone()], Some(easy.clone())),
        (vec![pass.clone(), pass.clone()], Some(easy)),
        (vec![fail.clone(), pass], Some(failed(WITHOUT, 4, "iteration-1"))),
        // What the side that is not compared failed is not about the two that are.
        (vec![fail.clone(), alone.clone()], None),
        (vec![first_fails, fail, alone], Some(failed(WITH, 3, "iteration-1"))),
    ] {
        let is_alone = rounds.last().expect("a round")[0].runs.len() < 2;
        let reason = answer(&workspace(rounds)).reason;
        for text in [
            english.text("verdict.too_easy").to_owned(),
            failed(WITHOUT, 4, "iteration-1"),
            failed(WITHOUT, 4, "iteration-2"),
        ] {
            assert!(expected.as_ref() == Some(&text) || !reason.contains(&text), "{reason}");
        }
        assert!(expected.is_none_or(|text| reason.contains(&text)), "{reason}");
        assert_eq!(reason.contains(&format!("{WITHOUT} was not run")), is_alone, "{reason}");
    }
    // Half a grading has not passed.
    let Answer { verdict, reason, .. } = answer(&compared(&[("p??", "pff"), ("p??", "pff")]));
    assert!(verdict.starts_with(english.text("verdict.not_decided")), "{verdict}");
    assert!(!reason.contains(english.text("verdict.too_easy")), "{reason}");
}

#[test]
fn fallen_cases_are_named_whatever_the_mean() {
    let up = ("ppff", "ffff");
    let down = ("ffff", "pppp");
    let reason = answer(&compared(&[up, up, down, up, up, down])).reason;
    for part in ["case-2 100 % → 0 %", "case-5 100 % → 0 %"] {
        assert!(reason.contains(part), "{part}: {reason}");
    }
}

#[test]
fn a_cost_that_doubles_is_part_of_the_sentence() {
    let mut rounds = workspace(vec![Vec::new(), Vec::new()]);
    for (at, seconds) in [(0, 40.0), (1, 96.0)] {
        for number in 0..6 {
            let mut run = run(WITH, 1, verdicts("ppf"));
            run.metrics.duration_s = Some(seconds + f64::from(number));
            rounds.iterations[at].cases.push(case(&format!("case-{number}"), vec![run]));
        }
        rounds.iterations[at].configurations.push(WITH.to_owned());
    }
    let reason = answer(&rounds).reason;
    assert!(reason.contains("time 2.3×"), "{reason}");
}

#[test]
fn another_candidate_that_did_better_is_named_after_the_one_that_leads() {
    let mut found = compared(&[("ppf", "pff"), ("ppf", "pff"), ("ppf", "pff")]);
    for case in &mut found.iterations[0].cases {
        case.runs.push(run("zeta_mode", 1, verdicts("ppp")));
    }
    found.iterations[0].configurations.push("zeta_mode".to_owned());
    let answer = answer(&found);
    assert!(answer.sides.contains(WITH), "{}", answer.sides);
    let (name, gain) = ("zeta_mode", "+67 points");
    let expected = say!(Language::default(), "overview.did_better", name, gain);
    assert!(answer.reason.contains(&expected), "{}", answer.reason);
}

#[test]
fn one_side_names_the_last_comparison_and_its_model() {
    let mut found = workspace(vec![
        cases([WITH, "old_skill"], &[("ppp", "pff"), ("ppp", "fff"), ("ppp", "pff")]),
        vec![case("case-0", vec![run(WITH, 1, verdicts("pff"))])],
    ]);
    for (iteration, model) in found.iterations.iter_mut().zip(["large", "small"]) {
        for run in iteration.cases.iter_mut().flat_map(|case| &mut case.runs) {
            run.metrics.model = Some(model.to_owned());
        }
    }
    let reason = answer(&found).reason;
    assert!(reason.contains("iteration-1, under large, vs old_skill"), "{reason}");
}

#[test]
fn conditions_that_agree_have_the_sign_of_all() {
    let round = |checks: [[&str; 2]; 2]| {
        let mut found = Vec::new();
        for number in 0..4 {
            let mut runs = Vec::new();
            for (model, checks) in ["large", "small"].into_iter().zip(checks) {
                for (arm, letters) in [WITH, WITHOUT].into_iter().zip(checks) {
                    runs.push(run(&format!("{model}/{arm}"), 1, verdicts(letters)));
                }
            }
            found.push(case(&format!("case-{number}"), runs));
        }
        workspace(vec![found])
    };
    let better = ["pppp", "ffff"];
    let same = ["pppp", "pppp"];
    for (checks, sign) in [([better, better], "▲"), ([better, same], "")] {
        let workspace = round(checks);
        let analysis = analyzed(&workspace);
        let language = &Language::default();
        let facts = crate::wording::Facts { workspace: &workspace, analysis: &analysis, language };
        let after = analysis.newest_candidate().expect("a candidate");
        let verdict = crate::wording::by_condition::shared_verdict(facts, &after);
        assert_eq!(verdict.map(crate::wording::headline::sign_of), Some(sign));
    }
}

#[test]
fn conditions_are_called_what_they_are() {
    for (names, noun) in [
        (["opus", "gpt-5"], "under_model"),
        (["codex", "claude"], "under_harness"),
        (["codex/gpt-5", "opencode/gpt-5"], "under_harness"),
        (["codex/gpt-5", "codex/opus"], "under_model"),
        (["codex/gpt-5", "opencode/opus"], "under_condition"),
        (["en", "de"], "under_condition"),
    ] {
        let mut runs = Vec::new();
        for name in names {
            for (arm, letters) in [(WITH, "pp"), (WITHOUT, "pp")] {
                runs.push(run(&format!("{name}/{arm}"), 1, verdicts(letters)));
            }
        }
        let english = Language::default();
        let total = english.all(2, noun);
        let expected = say!(english, "verdict.same_under", total);
        let found = answer(&workspace(vec![vec![case("a", runs)]]));
        assert!(found.verdict.starts_with(&expected), "{names:?}: {}", found.verdict);
    }
}

#[test]
fn sides_of_one_condition_lead_and_none_of_them_is_another_candidate() {
    let (own, other) = ("with_skill_gpt_5", "with_skill_haiku_4");
    let mut round = cases([own, "old_skill_gpt_5"], &[("ppf", "pff"), ("ppf", "pff")]);
    for case in &mut round {
        case.runs.push(run(other, 1, verdicts("ppp")));
    }
    let sides = answer(&workspace(vec![round])).sides;
    let rate = format!("{other} 100 % (6/6)");
    let expected = say!(Language::default(), "overview.others", names = rate);
    let (leading, _) = sides.split_once(&expected).expect("the other condition");
    assert!(leading.contains(own) && !leading.contains(other), "{sides}");
}

#[test]
fn a_round_of_few_cases_says_so() {
    let all = cases([WITH, WITHOUT], &[("p", "f"), ("p", "f"), ("p", "f"), ("p", "f")]);
    let again = vec![all[0].clone()];
    let reason = answer(&workspace(vec![all, again])).reason;
    let english = Language::default();
    let (n, cases, iteration) = (1, english.count(4, "case"), "iteration-1");
    let expected = say!(english, "overview.partial_rerun", n, cases, iteration);
    assert!(reason.contains(&expected), "{reason}");
}

#[test]
fn prepared_cases_without_a_run_are_named_first() {
    let mut found = compared(&[("pp", "pf"), ("pp", "pf")]);
    found.iterations[0].cases.push(case("gamma", Vec::new()));
    let english = Language::default();
    let names = "gamma";
    let Answer { reason, caution, .. } = answer(&found);
    assert!(reason.contains(&say!(english, "overview.not_run", names)), "{reason}");
    assert!(caution.ends_with(&say!(english, "verdict.run_prepared", names)), "{caution}");
    // Nobody runs an older iteration again.
    found.iterations.push(compared(&[("pp", "pf")]).iterations.remove(0));
    assert!(!answer(&found).line(&english).contains(names));
}

#[test]
fn runs_that_answered_nothing_are_named() {
    let mut silent = compared(&[("ff", "pf"), ("pp", "pf")]);
    let empty = Output { name: "answer.md".into(), path: "a/answer.md".into(), bytes: 0 };
    runs_of(&mut silent, WITH)[0].outputs.push(empty);
    let english = Language::default();
    let runs = english.count(2, "run");
    let expected = say!(english, "overview.no_answer", n = 1, runs, name = WITH);
    assert!(answer(&silent).reason.starts_with(&expected));
}

#[test]
fn scores_that_nothing_explains_are_shown_without_a_verdict() {
    let mut round = cases([WITH, WITHOUT], &[("pp", "pp"), ("pp", "pp")]);
    for run in round.iter_mut().flat_map(|case| &mut case.runs) {
        let score = if run.configuration == WITH { 0.9 } else { 0.6 };
        for check in &mut run.gradings[0].expectations {
            (check.outcome, check.score) = (Outcome::Ungraded, Some(score));
        }
    }
    let english = Language::default();
    let found = answer(&workspace(vec![round.clone()]));
    assert_eq!(found.verdict, english.text("state.only_scores"));
    let scores = format!("{WITH} 0.90, {WITHOUT} 0.60 (+0.30)");
    assert!(found.reason.starts_with(&say!(english, "state.average_scores", scores)), "{found:?}");
    // Points and shares have no common mean.
    round[0].runs[0].gradings[0].expectations[0].score = Some(80.0);
    assert_eq!(answer(&workspace(vec![round])).reason, english.text("state.no_threshold"));
}
