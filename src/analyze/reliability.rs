//! How far several runs of a case can be relied on: do they pass everything once, or every time?

use crate::analyze::statements::{Statement, statements};
use crate::model::{Case, Run};
use crate::statistics::{CaseWilson, Share, mean_pass_at_k, mean_pass_hat_k};

/// What the repeated runs of one configuration show. A run succeeds as [`Run::succeeds`] says; one
/// without any verdict takes no part.
#[derive(Clone, Debug, PartialEq)]
pub struct Reliability {
    /// So many tries the figures are for: the smallest number of graded runs of a case that counts.
    pub tries: usize,
    /// Cases with at least two graded runs: those that count.
    pub cases: usize,
    /// Cases left out, because they have one graded run.
    pub single: usize,
    /// Graded runs of the cases that count, and how many of them succeeded.
    pub runs: Share,
    /// The share of runs that succeed with its interval at 95 %; `None` for fewer than two cases.
    pub level: Option<CaseWilson>,
    /// pass@k: in which share of the cases at least one of so many tries is expected to succeed.
    pub once: f64,
    /// pass^k: in which share of the cases all of them are.
    pub always: f64,
    /// Expectations with verdicts of several runs.
    pub repeated: usize,
    /// Those that passed in some runs of a case and failed in others.
    pub flaky: usize,
}

impl Reliability {
    /// What the runs of `configuration` show; `None` where no case has two graded runs.
    pub fn new(cases: &[Case], configuration: &str) -> Option<Self> {
        // Runs and successes of each case that counts.
        let mut counts: Vec<(u64, u64)> = Vec::new();
        let mut repeated: Vec<Statement<'_>> = Vec::new();
        let mut single = 0;
        for case in cases {
            let graded = case.graded_runs_of(configuration);
            let runs = graded.clone().count() as u64;
            single += usize::from(runs == 1);
            if runs > 1 {
                let passed = graded.filter(|run| Run::succeeds(run)).count() as u64;
                counts.push((runs, passed));
                let statements = statements(case, configuration).into_iter();
                repeated.extend(statements.filter(|statement| statement.runs() > 1));
            }
        }
        let tries = counts.iter().map(|(runs, _)| *runs).min()?;
        let runs = counts.iter().map(|(runs, _)| runs).sum();
        let passed = counts.iter().map(|(_, passed)| passed).sum();
        let rates: Vec<f64> = counts.iter().map(|count| count.1 as f64 / count.0 as f64).collect();
        Some(Self {
            tries: tries as usize,
            cases: counts.len(),
            single,
            runs: Share::new(passed, runs)?,
            level: CaseWilson::new(&rates, runs as usize),
            once: mean_pass_at_k(&counts, tries)?,
            always: mean_pass_hat_k(&counts, tries)?,
            repeated: repeated.len(),
            flaky: repeated.iter().filter(|statement| statement.is_flaky()).count(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Reliability;
    use crate::model::{Case, Expectation, Grading, Outcome, Run};

    /// Each letter is a run: `p` passes both statements, `f` fails one, `u` has no verdict.
    fn case(runs: &str) -> Case {
        let run = |letter: char| {
            let outcomes = match letter {
                'p' => [Outcome::Passed, Outcome::Passed],
                'f' => [Outcome::Passed, Outcome::Failed],
                _ => [Outcome::Ungraded, Outcome::Ungraded],
            };
            let expectation = |(at, outcome): (usize, Outcome)| Expectation {
                text: format!("statement {at}"),
                outcome,
                ..Expectation::default()
            };
            let expectations = outcomes.into_iter().enumerate().map(expectation).collect();
            let gradings = vec![Grading { expectations, ..Grading::default() }];
            Run { configuration: "s".to_owned(), gradings, ..Run::default() }
        };
        Case { runs: runs.chars().map(run).collect(), ..Case::default() }
    }

    fn of(cases: &[&str]) -> Option<Reliability> {
        let cases: Vec<Case> = cases.iter().map(|runs| case(runs)).collect();
        Reliability::new(&cases, "s")
    }

    #[test]
    fn success_once_and_every_time() {
        let found = of(&["ppp", "pff", "fff"]).unwrap();
        assert_eq!((found.tries, found.cases, found.single), (3, 3, 0));
        assert_eq!((found.runs.passed(), found.runs.total()), (4, 9));
        assert!((found.once - 2.0 / 3.0).abs() < 1e-12 && (found.always - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!((found.flaky, found.repeated), (1, 6));
    }

    #[test]
    fn the_tries_are_those_that_every_case_has() {
        let found = of(&["ppf", "pp", "f", "u"]).unwrap();
        assert_eq!((found.tries, found.cases, found.single), (2, 2, 1));
        // of the three pairs of the first case one is two passes
        assert!((found.always - (1.0 / 3.0 + 1.0) / 2.0).abs() < 1e-12);
        assert!((found.once - 1.0).abs() < 1e-12);
    }

    #[test]
    fn single_runs_and_runs_without_verdicts_show_nothing() {
        assert_eq!(of(&["p", "f"]), None);
        assert_eq!(of(&["uuu", "pu"]), None);
        assert_eq!(of(&[]), None);
        assert_eq!(of(&["pp"]).unwrap().level, None);
    }
}
