//! The first words about small evaluations, each in a workspace that is made to need them.

use crate::analyze::{Analysis, analysis};
use crate::digest::{Comparisons, State};
use crate::language::theme::Theme;
use crate::language::{Language, say};
use crate::tests::workspaces::{case, iteration, run, workspace};
use crate::wording::Answer;
use input::model::{
    Case, Output, RecordedBenchmark, RecordedConfiguration, Run, TriggerQuery, TriggerRound,
    Workspace,
};
use input::settings::Settings;
use testing::gradings::verdicts;

const WITH: &str = "with_skill";
const WITHOUT: &str = "without_skill";

fn analyzed(workspace: &Workspace) -> Analysis {
    analysis(workspace, &Settings::default())
}

fn answer(workspace: &Workspace) -> Answer {
    let analysis = analyzed(workspace);
    Answer::new(&Comparisons::empty(workspace, &analysis), &Language::default())
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

fn scored() -> Workspace {
    let mut scored = compared(&[("?", "?")]);
    for run in &mut scored.iterations[0].cases[0].runs {
        run.gradings[0].expectations[0].score = Some(0.8);
    }
    scored
}

/// A workspace in each state, with the key of its large word.
fn states() -> [(State, Workspace, &'static str); 8] {
    let one_side = workspace(vec![vec![case("a", vec![run(WITH, 1, verdicts("pp"))])]]);
    let unknown = workspace(vec![cases(["config_a", "config_b"], &[("pp", "pf")])]);
    [
        (State::Compared, compared(&[("p", "f"), ("f", "p")]), "verdict.mixed"),
        (State::OneSide, one_side, "overview.rate_alone"),
        (State::UnknownBaseline, unknown, "state.which_baseline"),
        (State::NotGraded, ungraded(), "state.not_graded"),
        (State::NotGraded, scored(), "state.not_graded"),
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
            let answer = Answer::new(&Comparisons::empty(&workspace, &analysis), &language);
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
    let Answer { reason, next, .. } = answer(&found);
    assert!(reason.contains(&say!(english, "overview.not_run", names)), "{reason}");
    assert!(next.contains(names), "{next}");
    // Nobody runs an older iteration again.
    found.iterations.push(compared(&[("pp", "pf")]).iterations.remove(0));
    assert!(!answer(&found).line(&english).contains(names));
}

#[test]
fn scores_that_nothing_explains_ask_for_a_threshold() {
    let english = Language::default();
    assert_eq!(answer(&scored()).reason, english.text("state.no_threshold"));
}
