//! The statements of a case under one configuration, each with its verdicts over all runs.
//!
//! Two expectations are the same when their ids are, else when their statements are, white space
//! and case aside. Everything that follows an expectation from one place to another does it by the
//! [`key`] made here.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Case, Expectation, Outcome, PlannedExpectation, Run, Tally};
use crate::text::folded;

/// One statement with the verdicts of every run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What makes it the same statement elsewhere.
    pub key: String,
    /// Whether its id is the key.
    pub has_id: bool,
    /// The statement as first met.
    pub text: String,
    /// The verdicts of all runs.
    pub tally: Tally,
    /// The same by run: its index in the case, and its verdicts. Runs that never name the
    /// statement are missing.
    pub by_run: Vec<(usize, Tally)>,
    /// Index in the case of the run to look at: the first in which it failed, else the first.
    pub run: usize,
}

impl Statement {
    /// In how many runs it has a verdict.
    pub fn runs(&self) -> usize {
        self.by_run.iter().filter(|(_, tally)| tally.graded() > 0).count()
    }

    /// Whether it passed in some runs and failed in others.
    pub fn is_flaky(&self) -> bool {
        self.runs() > 1 && self.tally.passed > 0 && self.tally.failed > 0
    }

    fn count(&mut self, run: usize, outcome: Outcome) {
        if outcome == Outcome::Failed && self.tally.failed == 0 {
            self.run = run;
        }
        self.tally.count(outcome);
        if self.by_run.last().is_none_or(|(last, _)| *last != run) {
            self.by_run.push((run, Tally::default()));
        }
        if let Some((_, tally)) = self.by_run.last_mut() {
            tally.count(outcome);
        }
    }
}

/// What makes `expectation` the same as another.
pub fn key(expectation: &Expectation) -> String {
    key_of(expectation.id.as_deref(), &expectation.text)
}

/// What makes a planned expectation the same as a graded one.
pub fn planned_key(planned: &PlannedExpectation) -> String {
    key_of(planned.id.as_deref(), &planned.text)
}

fn key_of(id: Option<&str>, text: &str) -> String {
    id.map_or_else(|| folded(text), |id| format!("id {id}"))
}

/// The statements of the runs of `configuration` in `case`, in the order first met.
pub fn statements(case: &Case, configuration: &str) -> Vec<Statement> {
    graded(case, |run| run.configuration == configuration)
}

/// The statements checked in a case: those graded under any configuration, else those planned.
pub(super) fn of_case(case: &Case) -> Vec<Statement> {
    let graded = graded(case, |_| true);
    if graded.is_empty() { planned(case) } else { graded }
}

fn planned(case: &Case) -> Vec<Statement> {
    let mut known: BTreeSet<String> = BTreeSet::new();
    let statement = |planned: &PlannedExpectation| Statement {
        key: planned_key(planned),
        has_id: planned.id.is_some(),
        text: planned.text.clone(),
        tally: Tally::default(),
        by_run: Vec::new(),
        run: 0,
    };
    let all = case.planned.iter().map(statement);
    all.filter(|found| known.insert(found.key.clone())).collect()
}

fn graded(case: &Case, counts: impl Fn(&Run) -> bool) -> Vec<Statement> {
    let mut found: Vec<Statement> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let runs = case.runs.iter().enumerate().filter(|(_, run)| counts(run));
    for (run, graded) in runs {
        for expectation in graded.expectations() {
            let key = key(expectation);
            let place = *places.entry(key.clone()).or_insert_with(|| {
                let (text, tally) = (expectation.text.clone(), Tally::default());
                let has_id = expectation.id.is_some();
                found.push(Statement { key, has_id, text, tally, by_run: Vec::new(), run });
                found.len() - 1
            });
            found[place].count(run, expectation.outcome);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::statements;
    use crate::model::{Case, Expectation, Grading, Outcome, Run};

    fn run(verdicts: &[(&str, Outcome)]) -> Run {
        let expectation = |(text, outcome): &(&str, Outcome)| Expectation {
            text: (*text).to_owned(),
            outcome: *outcome,
            ..Expectation::default()
        };
        let expectations = verdicts.iter().map(expectation).collect();
        let gradings = vec![Grading { expectations, ..Grading::default() }];
        Run { configuration: "s".to_owned(), gradings, ..Run::default() }
    }

    #[test]
    fn only_several_runs_make_a_statement_flaky() {
        let (passed, failed) = (Outcome::Passed, Outcome::Failed);
        let runs = vec![
            run(&[("a", passed), ("b", passed), ("B ", failed), ("c", Outcome::Ungraded)]),
            run(&[("A", failed), ("c", passed)]),
        ];
        let found = statements(&Case { runs, ..Case::default() }, "s");
        let facts: Vec<_> =
            found.iter().map(|it| (it.text.as_str(), it.runs(), it.is_flaky(), it.run)).collect();
        assert_eq!(facts, [("a", 2, true, 1), ("b", 1, false, 0), ("c", 1, false, 0)]);
    }
}
