//! Under which conditions a configuration was tried: the models that executed its runs, the graders
//! that judged them.

use std::collections::BTreeSet;

use crate::analyze::Analysis;
use crate::analyze::flips::Side;
use crate::model::{Iteration, Run, Workspace};

/// Names on the earlier and on the later side.
pub type Names = [BTreeSet<String>; 2];

/// What an iteration records of one configuration; empty where nothing is recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Conditions {
    /// The models, else the one that a benchmark of the iteration records.
    pub(super) models: BTreeSet<String>,
    /// The graders.
    pub(super) graders: BTreeSet<String>,
}

impl Conditions {
    /// Those of `configuration` in `iteration`.
    pub(super) fn of(iteration: &Iteration, configuration: &str) -> Self {
        let ours = || iteration.runs().filter(|run| run.configuration == configuration);
        let mut models: BTreeSet<String> =
            ours().filter_map(|run| run.metrics.model.clone()).collect();
        if models.is_empty() && ours().next().is_some() {
            let recorded = iteration.benchmarks.iter().filter_map(|it| it.executor_model.clone());
            models = recorded.collect();
        }
        let gradings = ours().filter_map(Run::grading);
        Self { models, graders: gradings.filter_map(|it| it.grader.clone()).collect() }
    }

    /// Those of a side.
    pub(super) fn of_side(workspace: &Workspace, side: &Side) -> Self {
        Self::of(&workspace.iterations[side.iteration], &side.configuration)
    }

    /// The models and the graders of both, each where both record them and they differ.
    pub(super) fn unlike(&self, after: &Self) -> [Option<Names>; 2] {
        [differ(&self.models, &after.models), differ(&self.graders, &after.graders)]
    }

    /// Whether nothing that both record differs.
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        self.unlike(other).iter().all(Option::is_none)
    }
}

impl Analysis {
    /// The models and the graders of two sides, each where both sides record them and they differ.
    pub fn other_conditions(&self, sides: [&Side; 2]) -> [Option<Names>; 2] {
        let [before, after] = sides.map(|side| {
            self.iterations[side.iteration]
                .configuration(&side.configuration)
                .map(|it| &it.conditions)
        });
        match (before, after) {
            (Some(before), Some(after)) => before.unlike(after),
            _ => [None, None],
        }
    }
}

/// The names on both sides, where both are recorded and differ.
fn differ(before: &BTreeSet<String>, after: &BTreeSet<String>) -> Option<Names> {
    let are_known = !before.is_empty() && !after.is_empty();
    (are_known && before != after).then(|| [before.clone(), after.clone()])
}
