//! Workspaces for unit tests, from cases whose runs are written as verdicts.

use crate::model::{Case, Iteration, Run, Workspace};
use crate::tests::gradings::GradingBuilder;

/// A run with one grading.
pub(crate) fn run(configuration: &str, number: u32, grading: GradingBuilder) -> Run {
    let gradings = vec![grading.into()];
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
