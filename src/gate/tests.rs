use crate::analyze::{Analysis, analysis};
use crate::gate::{NotCheckable, Question, Rule, RuleResult, judge};
use crate::model::{
    Case, Expectation, Gates, Grading, Iteration, Metrics, Outcome, RecordedBenchmark,
    RecordedConfiguration, RecordedSpread, Run, Workspace,
};
use crate::settings::Settings;

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

/// Three cases of a skill that passes all, against an old one that passes half.
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
    let gates = Gates { path: "regression_gates.json".to_owned(), ..Gates::default() };
    Workspace { iterations: vec![iteration], gates: Some(gates), ..Workspace::default() }
}

/// Passes the rulings on the newest candidate of `workspace` to `check`.
fn with_rulings(workspace: &Workspace, check: impl FnOnce(&[RuleResult])) {
    let settings = Settings::default();
    let analysis: Analysis = analysis(workspace, &settings);
    let after = analysis.newest_candidate().unwrap();
    let question = Question {
        workspace,
        analysis: &analysis,
        after: &after,
        change: None,
        settings: &settings,
        today: "2026-01-01",
    };
    check(&judge(&question).rulings);
}

#[test]
fn a_recorded_gate_has_the_defaults_of_its_script_and_our_roles() {
    with_rulings(&improved(Some(12.0)), |rulings| {
        assert_eq!(rulings.len(), 1);
        assert_eq!(rulings[0].rule, Rule::MinGain(0.0));
        assert_eq!(rulings[0].decision, Ok(true));
        assert_eq!(rulings[0].script, Some(false), "the script takes old_skill for the candidate");
    });
}

#[test]
fn the_script_goes_by_the_benchmark_where_there_is_one() {
    let mut workspace = improved(Some(12.0));
    let mean = |mean: f64| RecordedSpread { mean: Some(mean), ..RecordedSpread::default() };
    let configuration = |name: &str, rate: f64| RecordedConfiguration {
        name: name.to_owned(),
        pass_rate: mean(rate),
        time_s: mean(1.0),
        tokens: mean(1.0),
        ..RecordedConfiguration::default()
    };
    let configurations = vec![configuration("with_skill", 1.0), configuration("old_skill", 0.5)];
    let benchmark = RecordedBenchmark { configurations, ..RecordedBenchmark::default() };
    workspace.iterations[0].benchmarks.push(benchmark);
    with_rulings(&workspace, |rulings| assert_eq!(rulings[0].script, None));
}

#[test]
fn a_figure_that_nobody_recorded_is_not_a_pass() {
    let mut workspace = improved(None);
    if let Some(gates) = &mut workspace.gates {
        gates.max_time_increase_s = Some(5.0);
        gates.min_pass_rate_delta = Some(0.6);
    }
    with_rulings(&workspace, |rulings| {
        assert_eq!(rulings[0].decision, Ok(false));
        assert_eq!(rulings[1].decision, Err(NotCheckable::NotRecorded));
    });
}

#[test]
fn a_negative_limit_counts_only_where_losses_are_allowed() {
    let mut workspace = improved(Some(12.0));
    for (is_required, least) in [(None, 0.0), (Some(true), 0.0), (Some(false), -0.1)] {
        if let Some(gates) = &mut workspace.gates {
            gates.min_pass_rate_delta = Some(-0.1);
            gates.require_non_negative_pass_rate = is_required;
        }
        with_rulings(&workspace, |rulings| assert_eq!(rulings[0].rule, Rule::MinGain(least)));
    }
}
