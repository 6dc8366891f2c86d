//! Under which conditions a configuration was tried: the models that executed its runs, the graders
//! that judged them; and what differs between two sides besides what is compared.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::analyze::Analysis;
use crate::analyze::flips::Side;
use crate::analyze::lines::{CaseLine, has_another_prompt};
use crate::analyze::statements::key;
use crate::model::{Case, Iteration, Run, Workspace};

/// Names on the earlier and on the later side.
pub type Names = [BTreeSet<String>; 2];

/// What an iteration records of one configuration; empty where nothing is recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Conditions {
    /// The models, else the one that a benchmark of the iteration records.
    models: BTreeSet<String>,
    graders: BTreeSet<String>,
}

impl Conditions {
    pub(super) fn new(iteration: &Iteration, configuration: &str) -> Self {
        let runs = || iteration.cases.iter().flat_map(|case| case.runs_of(configuration));
        let mut models: BTreeSet<String> =
            runs().filter_map(|run| run.metrics.model.clone()).collect();
        if models.is_empty() && runs().next().is_some() {
            let benchmarks = iteration.benchmarks.iter();
            models.extend(benchmarks.filter_map(|benchmark| benchmark.executor_model.clone()));
        }
        let gradings = runs().filter_map(Run::grading);
        Self { models, graders: gradings.filter_map(|grading| grading.grader.clone()).collect() }
    }

    /// The models and the graders of both, each where both record them and they differ.
    pub(super) fn differences(&self, after: &Self) -> [Option<Names>; 2] {
        let pairs = [(&self.models, &after.models), (&self.graders, &after.graders)];
        pairs.map(|(before, after)| {
            let are_known = !before.is_empty() && !after.is_empty();
            (are_known && before != after).then(|| [before.clone(), after.clone()])
        })
    }

    /// Whether both ran on the same models, as far as both record them.
    pub(super) fn has_same_models(&self, other: &Self) -> bool {
        let [models, _] = self.differences(other);
        models.is_none()
    }

    /// Whether nothing that both record differs.
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        self.differences(other).iter().all(Option::is_none)
    }
}

impl Analysis {
    /// The models that `side` ran on, where iterations or configurations ran on different ones;
    /// `None` where all ran on the same, or nothing is recorded of it.
    pub fn models_of(&self, side: &Side) -> Option<&BTreeSet<String>> {
        let summaries = self.iterations.iter().flat_map(|iteration| &iteration.configurations);
        let all: BTreeSet<&String> =
            summaries.flat_map(|summary| &summary.conditions.models).collect();
        let own = &self.summary(side)?.conditions.models;
        (all.len() > 1 && !own.is_empty()).then_some(own)
    }

    /// The models and the graders of two sides, each where both sides record them and they differ.
    pub fn other_conditions(&self, sides: [&Side; 2]) -> [Option<Names>; 2] {
        match sides.map(|side| self.summary(side)) {
            [Some(before), Some(after)] => before.conditions.differences(&after.conditions),
            _ => [None, None],
        }
    }
}

/// What makes two sides less comparable. Empty where they differ in nothing that is recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparability {
    pub prompts: Vec<usize>,
    /// Lines with gradings on both sides that were checked by other statements.
    pub expectations: Vec<usize>,
    /// The models that executed the runs, where both sides record them and they differ.
    pub models: Option<Names>,
    /// The graders, where both sides record them and they differ.
    pub graders: Option<Names>,
}

pub(super) fn compare_conditions(
    workspace: &Workspace,
    lines: &[CaseLine],
    sides: [&Side; 2],
) -> Comparability {
    let [before, after] = sides
        .map(|side| Conditions::new(&workspace.iterations[side.iteration], &side.configuration));
    let [models, graders] = before.differences(&after);
    let mut found = Comparability { models, graders, ..Comparability::default() };
    for (index, line) in lines.iter().enumerate() {
        let cases = sides.map(|side| line.case(workspace, side.iteration));
        let [Some(old), Some(new)] = cases else { continue };
        if has_another_prompt(old, new) {
            found.prompts.push(index);
        }
        let before = checked_keys(old, &sides[0].configuration);
        let after = checked_keys(new, &sides[1].configuration);
        if !before.is_empty() && !after.is_empty() && before != after {
            found.expectations.push(index);
        }
    }
    found
}

fn checked_keys<'w>(case: &'w Case, configuration: &str) -> BTreeSet<Cow<'w, str>> {
    case.runs_of(configuration).flat_map(Run::expectations).map(key).collect()
}
