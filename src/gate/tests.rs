use crate::analyze::analysis;
use crate::gate::{Decision, NotCheckable, Question, judge};
use input::model::{Case, Expectation, Grading, Iteration, Metrics, Outcome, Run, Workspace};
use input::settings::Settings;

fn run(configuration: &str, passed: usize, seconds: Option<f64>) -> Run {
    let expectation = |at: usize| Expectation {
        text: format!("statement {at}"),
        outcome: if at < passed { Outcome::Passed } else { Outcome::Failed },
        ..Expectation::default()
    };
    let expectations = (0..4).map(expectation).collect();
    Run {
        configuration: configuration.to_owned(),
        gradings: vec![Grading { expectations, ..Grading::default() }],
        metrics: Metrics { duration_s: seconds, ..Metrics::default() },
        ..Run::default()
    }
}

/// Three cases of a skill that passes all, in `seconds`, against an old one that passes half.
fn improved(seconds: Option<f64>) -> Workspace {
    let case = |name: &str| Case {
        name: name.to_owned(),
        folder: name.to_owned(),
        runs: vec![run("old_skill", 2, Some(10.0)), run("with_skill", 4, seconds)],
        ..Case::default()
    };
    let iteration = Iteration {
        name: "iteration-1".to_owned(),
        configurations: vec!["old_skill".to_owned(), "with_skill".to_owned()],
        cases: ["a", "b", "c"].map(case).to_vec(),
        ..Iteration::default()
    };
    Workspace { iterations: vec![iteration], ..Workspace::default() }
}

/// Passes the decision on the only rule in `toml`, about the newest candidate, to `check`.
fn decide(workspace: &Workspace, toml: &str, check: impl FnOnce(&Decision<'_>)) {
    let settings = Settings::read_file(toml, "evalbook.toml").unwrap();
    let analysis = analysis(workspace, &settings);
    let after = analysis.newest_candidate().unwrap();
    let mut question = Question {
        workspace,
        analysis: &analysis,
        after: &after,
        change: None,
        settings: &settings,
        today: "2026-01-01",
        is_skill_changed: false,
        obstacle: None,
    };
    question.change = question.on_baseline();
    let judgement = judge(&question);
    assert_eq!(judgement.rulings.len(), 1);
    check(&judgement.rulings[0].decision);
}

#[test]
fn the_gain_over_the_baseline_reaches_its_limit_or_fails() {
    for (limit, expected) in [("-10", true), ("50", true), ("50.5", false)] {
        let toml = format!("gate.min_gain = {limit}");
        decide(&improved(None), &toml, |decision| assert_eq!(*decision, Ok(expected), "{limit}"));
    }
}

#[test]
fn a_gain_without_a_baseline_is_not_checkable() {
    let mut workspace = improved(None);
    for case in &mut workspace.iterations[0].cases {
        case.runs.remove(0);
    }
    workspace.iterations[0].configurations.remove(0);
    decide(&workspace, "gate.min_gain = 0", |decision| {
        assert_eq!(*decision, Err(NotCheckable::NoBaseline));
    });
}

#[test]
fn a_figure_that_nobody_recorded_is_not_a_pass() {
    let rule = "gate.max_time_increase = 5";
    decide(&improved(Some(12.0)), rule, |decision| assert_eq!(*decision, Ok(true)));
    decide(&improved(None), rule, |decision| {
        assert_eq!(*decision, Err(NotCheckable::NotRecorded));
    });
}
