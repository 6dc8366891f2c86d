//! The conditions under which a configuration was tried: the models that executed its runs and the
//! graders that judged them. Also other differences between two sides, and where iterations stop
//! being comparable with earlier ones.

use std::collections::BTreeSet;

use crate::analyze::{Analysis, Side, case_rate};
use crate::model::{Iteration, Run, Workspace};

/// Names on the earlier and on the later side.
pub type NamesBySide = [BTreeSet<String>; 2];

/// Conditions recorded for one configuration of an iteration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Conditions {
    /// The models, else the one recorded by a benchmark of the iteration.
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
    pub(super) fn differences(&self, after: &Self) -> [Option<NamesBySide>; 2] {
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
    /// `None` where all ran on the same, or none are recorded.
    pub fn models_of(&self, side: &Side) -> Option<&BTreeSet<String>> {
        let summaries = self.iterations.iter().flat_map(|iteration| &iteration.configurations);
        let all: BTreeSet<&String> =
            summaries.flat_map(|summary| &summary.conditions.models).collect();
        let own = &self.summary(side)?.conditions.models;
        (all.len() > 1 && !own.is_empty()).then_some(own)
    }

    /// The models and the graders of two sides, each where both sides record them and they differ.
    pub fn other_conditions(&self, sides: [&Side; 2]) -> [Option<NamesBySide>; 2] {
        match sides.map(|side| self.summary(side)) {
            [Some(before), Some(after)] => before.conditions.differences(&after.conditions),
            _ => [None, None],
        }
    }
}

/// What changed between an iteration and the last one before it that has cases. The numbers are
/// indices of lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Break {
    /// Index of the first iteration after it.
    pub iteration: usize,
    pub new: Vec<usize>,
    pub gone: Vec<usize>,
    /// Cases of both in which only one has verdicts of a configuration that has some in both.
    pub ungraded: Vec<usize>,
    pub prompts: Vec<usize>,
    /// Cases with other expectations, not only with other wording.
    pub expectations: Vec<usize>,
    /// The models of a configuration that both have, where both iterations record them.
    pub models: Option<NamesBySide>,
    pub graders: Option<NamesBySide>,
}

pub fn breaks(workspace: &Workspace, analysis: &Analysis) -> Vec<Break> {
    let indices: Vec<usize> = (0..workspace.iterations.len())
        .filter(|index| !workspace.iterations[*index].cases.is_empty())
        .collect();
    let between = |pair: &[usize]| find_break(workspace, analysis, [pair[0], pair[1]]);
    let breaks = indices.windows(2).map(between);
    breaks
        .filter(|found| *found != Break { iteration: found.iteration, ..Break::default() })
        .collect()
}

fn find_break(workspace: &Workspace, analysis: &Analysis, pair: [usize; 2]) -> Break {
    let iterations = pair.map(|index| &workspace.iterations[index]);
    let names = iterations[1].configurations.iter();
    let mut gap = Break { iteration: pair[1], ..Break::default() };
    for name in names.clone().filter(|name| iterations[0].configurations.contains(name)) {
        let [before, after] = iterations.map(|iteration| Conditions::new(iteration, name));
        let [models, graders] = before.differences(&after);
        gap.models = gap.models.or(models);
        gap.graders = gap.graders.or(graders);
    }
    let is_graded = |name: &&String| pair.iter().all(|at| analysis.iterations[*at].is_graded(name));
    let graded: Vec<&String> = names.filter(is_graded).collect();
    for (index, line) in analysis.cases.iter().enumerate() {
        let cases = pair.map(|iteration| line.case(workspace, iteration));
        if let [Some(old), Some(new)] = cases {
            let is_judged = |case, name: &str| case_rate(case, name).is_some();
            if graded.iter().any(|name| is_judged(old, name) != is_judged(new, name)) {
                gap.ungraded.push(index);
            }
        }
        match (line.appearance(pair[1]), cases[0]) {
            (Some(met), old) => {
                gap.new.extend(old.is_none().then_some(index));
                gap.prompts.extend(met.prompt_changed.then_some(index));
                gap.expectations.extend(met.expectations_changed.then_some(index));
            }
            (None, Some(_)) => gap.gone.push(index),
            (None, None) => {}
        }
    }
    gap
}

#[cfg(test)]
mod tests {
    use super::{Break, breaks};
    use crate::analyze::analysis;
    use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
    use crate::settings::Settings;

    fn case(name: &str, prompt: &str, verdicts: &[bool]) -> Case {
        let expectation = |(at, passed): (usize, &bool)| Expectation {
            text: format!("statement {at}"),
            outcome: if *passed { Outcome::Passed } else { Outcome::Failed },
            ..Expectation::default()
        };
        let expectations = verdicts.iter().enumerate().map(expectation).collect();
        let gradings = vec![Grading { expectations, ..Grading::default() }];
        let runs = vec![Run { configuration: "s".to_owned(), gradings, ..Run::default() }];
        let prompt = Some(prompt.to_owned());
        Case { name: name.to_owned(), prompt, runs, ..Case::default() }
    }

    fn workspace(iterations: Vec<Vec<Case>>) -> Workspace {
        let iterations = iterations.into_iter().map(|cases| Iteration {
            configurations: vec!["s".to_owned()],
            cases,
            ..Iteration::default()
        });
        Workspace { iterations: iterations.collect(), ..Workspace::default() }
    }

    #[test]
    fn other_cases_prompts_and_expectations_break_the_line() {
        let workspace = workspace(vec![
            vec![case("a", "x", &[true]), case("b", "y", &[true])],
            vec![],
            vec![case("a", "x", &[true]), case("b", "y", &[false])],
            vec![case("a", "z", &[true]), case("c", "w", &[true, true])],
            vec![case("a", "z", &[true, true]), case("c", "w", &[true, true])],
        ]);
        let actual = breaks(&workspace, &analysis(&workspace, &Settings::default()));
        let [cases, expectations] = &actual[..] else { panic!("{actual:?}") };
        let expected = Break {
            iteration: 3,
            new: vec![2],
            gone: vec![1],
            prompts: vec![0],
            ..Break::default()
        };
        assert_eq!(*cases, expected);
        assert_eq!((expectations.iteration, &expectations.expectations), (4, &vec![0]));
    }

    #[test]
    fn a_case_without_a_verdict_on_one_side_breaks_the_line() {
        let with = |verdicts: &[bool]| vec![case("a", "x", &[true]), case("b", "y", verdicts)];
        let workspace = workspace(vec![with(&[false]), with(&[]), with(&[false])]);
        let actual = breaks(&workspace, &analysis(&workspace, &Settings::default()));
        let ungraded: Vec<_> =
            actual.iter().map(|found| (found.iteration, found.ungraded.clone())).collect();
        assert_eq!(ungraded, [(1, vec![1]), (2, vec![1])]);
    }

    #[test]
    fn another_model_or_grader_breaks_the_line_where_both_are_known() {
        let made = |model: Option<&str>, grader: Option<&str>| {
            let mut case = case("a", "x", &[true]);
            case.runs[0].metrics.model = model.map(str::to_owned);
            case.runs[0].gradings[0].grader = grader.map(str::to_owned);
            vec![case]
        };
        let workspace = workspace(vec![
            made(Some("m1"), Some("g1")),
            made(None, Some("g1")),
            made(Some("m1"), Some("g2")),
            made(Some("m2"), Some("g2")),
        ]);
        let actual = breaks(&workspace, &analysis(&workspace, &Settings::default()));
        let names = |names: [&str; 2]| Some(names.map(|name| [name.to_owned()].into()));
        let [grader, model] = &actual[..] else { panic!("{actual:?}") };
        let facts = |found: &Break| (found.iteration, found.models.clone(), found.graders.clone());
        assert_eq!(facts(grader), (2, None, names(["g1", "g2"])));
        assert_eq!(facts(model), (3, names(["m1", "m2"]), None));
    }
}
