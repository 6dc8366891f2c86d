//! What the expectations of a workspace can show, taken together.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::analyze::IterationAnalysis;
use crate::analyze::expectations::line::{Counted, ExpectationLine, Expectations};
use crate::analyze::expectations::usefulness::Usefulness;
use crate::statistics::{Share, fisher_p, holm, looks_stable, may_show_p};

/// How often the expectation passes by which is shown what few runs hide.
const UNSTABLE: f64 = 0.8;

/// The health of the set of expectations in the iteration that decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Health {
    /// Statements of that iteration, and those that were never graded.
    pub statements: usize,
    /// Those with verdicts on both sides.
    pub compared: usize,
    /// The number of runs that a statement most often has verdicts of on one side; the smaller of
    /// two that are as frequent, as that hides more.
    pub runs: usize,
    /// The largest such number.
    pub most_runs: usize,
    /// The chance that an expectation which passes in 80 % of all runs looks stable in that many.
    pub hidden: Option<f64>,
    /// Whether the numbers of runs allow for a p-value of each expectation.
    pub has_p: bool,
}

impl Expectations<'_> {
    /// What the statements can show together; `None` when no candidate has a verdict.
    pub fn health(&self) -> Option<Health> {
        let newest = self.iteration?;
        let of_newest = |it: &&Counted<'_>| it.iteration == newest;
        let counted = self.lines.iter().flat_map(|line| &line.counted).filter(of_newest);
        let mut sides: BTreeMap<usize, usize> = BTreeMap::new();
        counted.for_each(|it| *sides.entry(it.runs).or_default() += 1);
        let frequent = sides.iter().max_by_key(|(runs, sides)| (**sides, Reverse(**runs)));
        let runs = frequent.map_or(0, |(runs, _)| *runs);
        Some(Health {
            statements: self.lines.len() - self.number(Usefulness::Earlier),
            compared: self.lines.iter().filter(|line| line.is_compared()).count(),
            runs,
            most_runs: sides.keys().next_back().copied().unwrap_or(0),
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
    fn without_a_verdict_there_is_no_health() {
        let workspace = workspace(0, 2);
        let found = expectations(&workspace, &analysis(&workspace, &Settings::default()));
        assert_eq!(found.health(), None);
    }
}
