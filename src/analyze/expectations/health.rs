//! What the expectations of a workspace can show, taken together.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::IterationAnalysis;
use crate::analyze::expectations::line::{Counted, ExpectationLine, Expectations};
use crate::analyze::expectations::usefulness::Usefulness;
use crate::statistics::{Share, fisher_p, holm, looks_stable, may_show_p};

/// How often the expectation passes by which is shown what few runs hide.
const UNSTABLE: f64 = 0.8;

/// The health of the set of expectations in the iteration that decides.
#[derive(Clone, Debug, PartialEq)]
pub struct Health {
    /// Statements of that iteration, and those that were never graded.
    pub statements: usize,
    /// Those with verdicts on both sides.
    pub compared: usize,
    /// The number of runs that a statement most often has verdicts of on one side; the smaller of
    /// two that are as frequent, as that hides more. Only of the several, where sides are uneven.
    pub runs: usize,
    /// Which configurations most often have several runs and which one, where there are both.
    pub uneven: Option<Uneven>,
    /// The largest such number.
    pub most_runs: usize,
    /// The chance that an expectation which passes in 80 % of all runs looks stable in that many.
    pub hidden: Option<f64>,
    /// Whether the numbers of runs allow for a p-value of each expectation.
    pub has_p: bool,
}

/// Configurations by how many runs a statement most often has under them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uneven {
    /// Those with several.
    pub several: Vec<String>,
    /// Those with one.
    pub single: Vec<String>,
}

/// How often each number of runs is met.
#[derive(Default)]
struct Numbers(BTreeMap<usize, usize>);

impl Numbers {
    fn of(runs: impl Iterator<Item = usize>) -> Self {
        let mut found = Self::default();
        runs.for_each(|runs| *found.0.entry(runs).or_default() += 1);
        found
    }

    /// The most frequent one; the smaller of two that are as frequent; 0 of none.
    fn frequent(&self) -> usize {
        let frequent = self.0.iter().max_by_key(|(runs, met)| (**met, Reverse(**runs)));
        frequent.map_or(0, |(runs, _)| *runs)
    }

    fn largest(&self) -> usize {
        self.0.keys().next_back().copied().unwrap_or(0)
    }
}

/// The configurations of `counted` by their runs; `None` where all have several, or all one.
fn uneven(counted: &[&Counted<'_>]) -> Option<Uneven> {
    let names: BTreeSet<&str> = counted.iter().map(|it| it.configuration).collect();
    let is_single = |name: &&str| {
        let own = counted.iter().filter(|it| it.configuration == *name);
        Numbers::of(own.map(|it| it.runs)).frequent() < 2
    };
    let (single, several): (Vec<&str>, Vec<&str>) = names.into_iter().partition(is_single);
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    (!single.is_empty() && !several.is_empty())
        .then(|| Uneven { several: owned(several), single: owned(single) })
}

impl Expectations<'_> {
    /// What the statements can show together; `None` when no candidate has a verdict.
    pub fn health(&self) -> Option<Health> {
        let newest = self.iteration?;
        let of_newest = |it: &&Counted<'_>| it.iteration == newest;
        let counted: Vec<&Counted<'_>> =
            self.lines.iter().flat_map(|line| &line.counted).filter(of_newest).collect();
        let uneven = uneven(&counted);
        let is_told = |it: &&&Counted<'_>| {
            let is_it = |known: &String| known == it.configuration;
            uneven.as_ref().is_none_or(|found| it.runs > 1 && found.several.iter().any(is_it))
        };
        let runs = Numbers::of(counted.iter().filter(is_told).map(|it| it.runs)).frequent();
        Some(Health {
            statements: self.lines.len() - self.number(Usefulness::Earlier),
            compared: self.lines.iter().filter(|line| line.is_compared()).count(),
            runs,
            uneven,
            most_runs: Numbers::of(counted.iter().map(|it| it.runs)).largest(),
            hidden: looks_stable(UNSTABLE, runs as u64),
            has_p: self.lines.iter().any(|line| line.p.is_some()),
        })
    }

    /// How many statements are flaky in the iteration that decides.
    pub fn flaky(&self) -> usize {
        self.lines.iter().filter(|line| line.is_flaky).count()
    }
}

/// Gives each compared statement its p-value where the runs are enough for that: with few runs not
/// even a perfect difference would survive the number of statements.
pub(super) fn adjust(found: &mut Expectations<'_>, of: &IterationAnalysis) {
    let sides = of.roles.candidates.first().zip(of.roles.baseline.as_ref());
    let Some((newest, (candidate, baseline))) = found.iteration.zip(sides) else {
        return;
    };
    let shares = |line: &ExpectationLine<'_>| -> Option<[Share; 2]> {
        Some([share(line.counted(newest, candidate)?)?, share(line.counted(newest, baseline)?)?])
    };
    let compared = found.lines.iter().enumerate().filter(|(_, line)| line.is_compared());
    let shares: Option<Vec<(usize, [Share; 2])>> =
        compared.map(|(at, line)| Some((at, shares(line)?))).collect();
    let Some(shares) = shares else {
        return;
    };
    let fewest = |side: usize| shares.iter().map(|(_, both)| both[side].total()).min();
    let Some((ours, theirs)) = fewest(0).zip(fewest(1)) else {
        return;
    };
    if !may_show_p(shares.len() as u64, ours, theirs) {
        return;
    }
    let p: Vec<f64> = shares.iter().map(|(_, [a, b])| fisher_p(*a, *b)).collect();
    for ((at, _), p) in shares.iter().zip(holm(&p).unwrap_or_default()) {
        found.lines[*at].p = Some(p);
    }
}

/// Passed of graded runs; `None` where a run has several verdicts on the statement, as those are
/// not independent.
fn share(counted: &Counted<'_>) -> Option<Share> {
    let graded = counted.tally.graded();
    if graded != counted.runs {
        return None;
    }
    Share::new(counted.tally.passed as u64, graded as u64)
}

#[cfg(test)]
mod tests {
    use super::Uneven;
    use crate::analyze::{analysis, expectations};
    use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
    use crate::settings::Settings;

    /// A workspace of one case: so many runs of both sides with these many statements each, of
    /// which the candidate passes all and the baseline none.
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
    fn few_runs_give_no_p_value() {
        for (runs, statements, has_p) in [(3, 1, false), (6, 36, false), (7, 36, true)] {
            let workspace = workspace(runs, statements);
            let found = expectations(&workspace, &analysis(&workspace, &Settings::default()));
            let health = found.health().unwrap();
            assert_eq!((health.has_p, health.compared), (has_p, statements), "{runs}");
            assert!(found.lines.iter().all(|line| line.p.is_none_or(|p| p <= 0.05)));
        }
    }

    #[test]
    fn three_runs_hide_half_of_what_is_flaky() {
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
        let found = expectations(&workspace, &analysis(&workspace, &Settings::default()));
        let health = found.health().unwrap();
        assert_eq!((health.runs, health.most_runs, health.hidden), (1, 2, Some(1.0)));
    }

    #[test]
    fn a_side_with_one_run_does_not_speak_for_one_with_several() {
        let mut workspace = workspace(3, 2);
        let is_kept = |run: &Run| run.configuration == "with_skill" || run.number == 1;
        workspace.iterations[0].cases[0].runs.retain(is_kept);
        let found = expectations(&workspace, &analysis(&workspace, &Settings::default()));
        let health = found.health().unwrap();
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
