//! Both forms of the benchmark, from small iterations in memory.

mod json;
mod markdown;

use serde_json::Value;

use crate::analyze;
use crate::digest::Comparisons;
use crate::render::data::benchmark::{self, Heading, Subject};
use input::model::{Case, Expectation, Grading, Iteration, Metrics, Outcome, Run, Workspace};
use input::settings::Settings;

/// A run with one letter per verdict: `+` passed, `-` failed, `?` none. Without letters it was not
/// graded.
fn run(configuration: &str, number: u32, verdicts: &str) -> Run {
    let expectations = verdicts.chars().enumerate().map(|(index, letter)| Expectation {
        text: format!("expectation {}", index + 1),
        outcome: match letter {
            '+' => Outcome::Passed,
            '-' => Outcome::Failed,
            _ => Outcome::Ungraded,
        },
        evidence: (letter == '+').then(|| "seen".to_owned()),
        ..Expectation::default()
    });
    let grading = Grading { expectations: expectations.collect(), ..Grading::default() };
    Run {
        configuration: configuration.to_owned(),
        number,
        path: format!("iteration-1/case/{configuration}/run-{number}"),
        gradings: if verdicts.is_empty() { Vec::new() } else { vec![grading] },
        ..Run::default()
    }
}

fn costing(run: Run, seconds: f64, tokens: f64) -> Run {
    let metrics = Metrics { duration_s: Some(seconds), tokens: Some(tokens), ..run.metrics };
    Run { metrics, ..run }
}

fn by(model: &str, run: Run) -> Run {
    Run { metrics: Metrics { model: Some(model.to_owned()), ..run.metrics }, ..run }
}

fn case(id: Option<&str>, name: &str, runs: Vec<Run>) -> Case {
    let (id, name, folder) = (id.map(str::to_owned), name.to_owned(), name.to_owned());
    Case { id, name, folder, runs, ..Case::default() }
}

fn iteration(cases: Vec<Case>) -> Iteration {
    let mut iteration = Iteration { name: "iteration-1".to_owned(), cases, ..Iteration::default() };
    let mut names: Vec<String> = iteration.runs().map(|run| run.configuration.clone()).collect();
    names.sort();
    names.dedup();
    iteration.configurations = names;
    iteration
}

fn heading() -> Heading {
    Heading {
        skill_name: Some("quarterly-report".to_owned()),
        skill_path: None,
        timestamp: Some("2026-07-06T12:12:00Z".to_owned()),
    }
}

/// One form of the benchmark for a workspace with only this iteration.
fn form(iteration: &Iteration, heading: &Heading, form: fn(Subject<'_>) -> String) -> String {
    let iterations = vec![iteration.clone()];
    let workspace = Workspace { iterations, ..Workspace::default() };
    let analysis = analyze::analysis(&workspace, &Settings::default());
    let comparisons = &Comparisons::empty(&workspace, &analysis);
    form(Subject { comparisons, index: 0, heading })
}

fn text(iteration: &Iteration) -> String {
    form(iteration, &heading(), benchmark::json)
}

fn read(iteration: &Iteration) -> Value {
    serde_json::from_str(&text(iteration)).unwrap()
}

fn page(iteration: &Iteration) -> String {
    form(iteration, &heading(), benchmark::markdown)
}

/// Two cases under an old and a new skill, with a run that nobody graded.
fn improved() -> Iteration {
    let first = vec![
        costing(run("old_skill", 1, "+-"), 10.0, 1000.0),
        costing(run("with_skill", 1, "++"), 20.5, 1500.0),
        costing(run("with_skill", 2, "+-?"), 30.0, 1600.0),
    ];
    let second = vec![run("old_skill", 1, "--+"), run("with_skill", 1, "")];
    iteration(vec![case(Some("2"), "board-slides", first), case(Some("1"), "ops-memo", second)])
}
