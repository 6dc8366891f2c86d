//! What the expectations of a workspace can show together.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::{ConfigurationTally, Expectations, Roles, Usefulness};
use crate::statistics::{Share, fisher_p, holm, looks_stable, may_show_p};

/// The pass rate assumed to show what few runs hide.
const UNSTABLE_PASS_RATE: f64 = 0.8;

#[derive(Clone, Debug, PartialEq)]
pub struct Health {
    /// Statements of that iteration, and those that were never graded.
    pub statements: usize,
    pub compared: usize,
    /// The number of runs with a verdict that a statement most often has on one side; the smaller of two
    /// equally frequent ones, as that hides more. Where sides are uneven, only of those with
    /// several runs.
    pub runs: usize,
    /// Which configurations most often have several runs and which one, where both exist.
    pub uneven: Option<Uneven>,
    pub most_runs: usize,
    /// The chance that an expectation which passes in 80 % of all runs looks stable in this many.
    pub hidden: Option<f64>,
    pub has_p: bool,
}

/// Configurations by the number of runs with a verdict that a statement most often has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uneven {
    pub several: Vec<String>,
    pub single: Vec<String>,
}

/// The most frequent number of runs; the smaller of two equally frequent ones; 0 without any.
fn most_frequent<'a>(counted: impl Iterator<Item = &'a &'a ConfigurationTally<'a>>) -> usize {
    let mut frequency: BTreeMap<usize, usize> = BTreeMap::new();
    counted.for_each(|counted| *frequency.entry(counted.runs).or_default() += 1);
    let frequent = frequency.iter().max_by_key(|(runs, met)| (**met, Reverse(**runs)));
    frequent.map_or(0, |(runs, _)| *runs)
}

/// The configurations of `counted` by their runs; `None` where all have several, or all one.
fn uneven(counted: &[&ConfigurationTally<'_>]) -> Option<Uneven> {
    let names: BTreeSet<&str> = counted.iter().map(|counted| counted.configuration).collect();
    let mut result = Uneven { several: Vec::new(), single: Vec::new() };
    for name in names {
        let tallies = counted.iter().filter(|counted| counted.configuration == name);
        let list =
            if most_frequent(tallies) < 2 { &mut result.single } else { &mut result.several };
        list.push(name.to_owned());
    }
    (!result.single.is_empty() && !result.several.is_empty()).then_some(result)
}

impl Expectations<'_> {
    /// What the statements can show together; `None` when no candidate has a verdict.
    pub fn health(&self) -> Option<Health> {
        let newest = self.iteration?;
        let tallies = self.histories.iter().flat_map(|line| &line.counted);
        let counted: Vec<&ConfigurationTally<'_>> =
            tallies.filter(|check| check.iteration == newest).collect();
        let uneven = uneven(&counted);
        let is_counted = |check: &&&ConfigurationTally<'_>| {
            let is_several =
                |uneven: &Uneven| uneven.several.iter().any(|name| name == check.configuration);
            uneven.as_ref().is_none_or(|uneven| check.runs > 1 && is_several(uneven))
        };
        let runs = most_frequent(counted.iter().filter(is_counted));
        Some(Health {
            statements: self.histories.len() - self.number(Usefulness::Earlier),
            compared: self.histories.iter().filter(|line| line.is_compared()).count(),
            runs,
            uneven,
            most_runs: counted.iter().map(|counted| counted.runs).max().unwrap_or(0),
            hidden: looks_stable(UNSTABLE_PASS_RATE, runs as u64),
            has_p: self.histories.iter().any(|line| line.p.is_some()),
        })
    }

    pub fn flaky(&self) -> usize {
        self.histories.iter().filter(|line| line.is_flaky).count()
    }
}

/// Sets the p-value of each compared statement where there are enough runs: with few, not even a
/// perfect difference would survive the correction for the number of statements.
pub(super) fn add_p_values(expectations: &mut Expectations<'_>, newest: usize, roles: &Roles) {
    let Some((candidate, baseline)) = roles.candidates.first().zip(roles.baseline.as_ref()) else {
        return;
    };
    let mut shares: Vec<(usize, [Share; 2])> = Vec::new();
    for (at, line) in
        expectations.histories.iter().enumerate().filter(|(_, line)| line.is_compared())
    {
        let both = [candidate, baseline].map(|name| share(line.counted(newest, name)?));
        let [Some(ours), Some(theirs)] = both else { return };
        shares.push((at, [ours, theirs]));
    }
    let fewest = |side: usize| shares.iter().map(|(_, both)| both[side].total()).min();
    let fewest = fewest(0).zip(fewest(1));
    if !fewest.is_some_and(|(ours, theirs)| may_show_p(shares.len() as u64, ours, theirs)) {
        return;
    }
    let p: Vec<f64> = shares.iter().map(|(_, [a, b])| fisher_p(*a, *b)).collect();
    for ((at, _), p) in shares.iter().zip(holm(&p).unwrap_or_default()) {
        expectations.histories[*at].p = Some(p);
    }
}

/// Passed of graded runs; `None` where a run has several verdicts on the statement, since these are
/// not independent.
fn share(counted: &ConfigurationTally<'_>) -> Option<Share> {
    let graded = counted.tally.graded();
    let share = Share::new(counted.tally.passed as u64, graded as u64)?;
    (graded == counted.runs).then_some(share)
}

#[cfg(test)]
mod tests {
    use super::Uneven;
    use crate::analyze::{analysis, expectations};
    use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
    use crate::settings::Settings;

    /// A workspace of one case with `runs` runs of each side and `statements` statements, all of
    /// which the candidate passes and the baseline fails.
    fn workspace(runs: u32, statements: usize) -> Workspace {
        let run = |configuration: &str, number: u32, outcome: Outcome| {
            let expectations = (0..statements).map(|at| Expectation {
                text: format!("statement {at}"),
                outcome,
                ..Expectation::default()
            });
            let grading = Grading { expectations: expectations.collect(), ..Grading::default() };
            let (configuration, gradings) = (configuration.to_owned(), vec![grading]);
            Run { configuration, number, gradings, ..Run::default() }
        };
        let with = (1..=runs).map(|number| run("with_skill", number, Outcome::Passed));
        let without = (1..=runs).map(|number| run("without_skill", number, Outcome::Failed));
        let case =
            Case { name: "a".to_owned(), runs: with.chain(without).collect(), ..Case::default() };
        let configurations = vec!["with_skill".to_owned(), "without_skill".to_owned()];
        let iteration = Iteration { configurations, cases: vec![case], ..Iteration::default() };
        Workspace { iterations: vec![iteration], ..Workspace::default() }
    }

    #[test]
    fn few_runs_have_no_p_value() {
        for (runs, statements, has_p) in [(3, 1, false), (6, 36, false), (7, 36, true)] {
            let workspace = workspace(runs, statements);
            let actual = expectations(&workspace, &analysis(&workspace, &Settings::default()));
            let health = actual.health().unwrap();
            assert_eq!((health.has_p, health.compared), (has_p, statements), "{runs}");
            assert!(actual.histories.iter().all(|line| line.p.is_none_or(|p| p <= 0.05)));
        }
    }

    #[test]
    fn three_runs_hide_half_of_the_flaky_checks() {
        let of = |runs: u32| {
            let workspace = workspace(runs, 2);
            expectations(&workspace, &analysis(&workspace, &Settings::default())).health().unwrap()
        };
        assert!((of(3).hidden.unwrap() - 0.52).abs() < 1e-9);
        assert_eq!(of(1).hidden, Some(1.0));
    }

    #[test]
    fn one_case_with_more_runs_does_not_speak_for_the_others() {
        let mut workspace = workspace(1, 2);
        let cases = &mut workspace.iterations[0].cases;
        cases.extend(["b", "c"].map(|name| Case { name: name.to_owned(), ..cases[0].clone() }));
        let again = Run { number: 2, ..cases[0].runs[0].clone() };
        cases[0].runs.push(again);
        let actual = expectations(&workspace, &analysis(&workspace, &Settings::default()));
        let health = actual.health().unwrap();
        assert_eq!((health.runs, health.most_runs, health.hidden), (1, 2, Some(1.0)));
    }

    #[test]
    fn a_side_with_one_run_does_not_speak_for_one_with_several() {
        let mut workspace = workspace(3, 2);
        let is_kept = |run: &Run| run.configuration == "with_skill" || run.number == 1;
        workspace.iterations[0].cases[0].runs.retain(is_kept);
        let actual = expectations(&workspace, &analysis(&workspace, &Settings::default()));
        let health = actual.health().unwrap();
        let Uneven { several, single } = health.uneven.unwrap();
        assert_eq!((health.runs, health.most_runs), (3, 3));
        assert_eq!(
            (several.join(","), single.join(",")),
            ("with_skill".into(), "without_skill".into())
        );
    }

    #[test]
    fn without_a_verdict_there_is_no_health() {
        let workspace = workspace(0, 2);
        let found = expectations(&workspace, &analysis(&workspace, &Settings::default()));
        assert_eq!(found.health(), None);
    }
}
