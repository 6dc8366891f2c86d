//! Workspaces for unit tests, from cases whose runs are written as verdicts.

use input::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
use testing::gradings::GradingBuilder;

/// The grading that was built.
pub(crate) fn grading(built: GradingBuilder) -> Grading {
    let expectations = built.checks.into_iter().map(|check| Expectation {
        text: check.text,
        outcome: Outcome::from(check.passed),
        evidence: check.evidence,
        ..Expectation::default()
    });
    Grading { grader: built.grader, expectations: expectations.collect(), ..Grading::default() }
}

/// A run with one grading.
pub(crate) fn run(configuration: &str, number: u32, built: GradingBuilder) -> Run {
    let gradings = vec![grading(built)];
    Run { configuration: configuration.to_owned(), number, gradings, ..Run::default() }
}

pub(crate) fn case(name: &str, runs: Vec<Run>) -> Case {
    Case { name: name.to_owned(), runs, ..Case::default() }
}

/// An iteration of these cases; its configurations are those of their runs, in the order met.
pub(crate) fn iteration(name: &str, cases: Vec<Case>) -> Iteration {
    let mut configurations: Vec<String> = Vec::new();
    for run in cases.iter().flat_map(|case| &case.runs) {
        if !configurations.contains(&run.configuration) {
            configurations.push(run.configuration.clone());
        }
    }
    Iteration { name: name.to_owned(), configurations, cases, ..Iteration::default() }
}

/// A workspace of `iteration-1`, `iteration-2` and so on with these cases.
pub(crate) fn workspace(iterations: Vec<Vec<Case>>) -> Workspace {
    let mut workspace = Workspace::default();
    for (index, cases) in iterations.into_iter().enumerate() {
        workspace.iterations.push(iteration(&format!("iteration-{}", index + 1), cases));
    }
    workspace
}
