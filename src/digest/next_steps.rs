//! What to fix next: what the candidate failed and why, and the graders' advice.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::analyze::key;
use crate::digest::standing::Standings;
use crate::model::{Case, Outcome, Run, Tally};

pub(crate) struct Failure<'a> {
    pub(crate) case: &'a Case,
    pub(crate) statement: Statement<'a>,
    /// Its verdicts in the iteration before, where it lost passes since.
    pub(crate) before: Option<Tally>,
}

/// A statement with its verdicts and the evidence of the failed ones, each with its run.
pub(crate) struct Statement<'a> {
    pub(crate) text: &'a str,
    pub(crate) description: Option<&'a str>,
    pub(crate) tally: Tally,
    pub(crate) evidence: Vec<(u32, &'a str)>,
}

/// What failed for the candidate, case by case in the order of the statements. Each case comes with
/// its line.
pub(crate) fn failures<'a>(
    standings: &Standings<'_>,
    cases: &[(usize, &'a Case)],
) -> Vec<Failure<'a>> {
    let mut failures = Vec::new();
    let Some(side) = &standings.after else { return failures };
    for (line, case) in cases {
        let mut runs = standings.runs_in_order(case);
        runs.retain(|run| run.configuration == side.configuration);
        for statement in statements(&runs).into_iter().filter(|found| found.tally.failed > 0) {
            let before = standings.before_loss(*line, statement.text);
            failures.push(Failure { case, statement, before });
        }
    }
    failures
}

fn statements<'a>(runs: &[&'a Run]) -> Vec<Statement<'a>> {
    let mut found: Vec<Statement<'a>> = Vec::new();
    let mut places: BTreeMap<Cow<'_, str>, usize> = BTreeMap::new();
    for run in runs {
        for expectation in run.expectations() {
            let at = *places.entry(key(expectation)).or_insert_with(|| {
                let (text, description) = (&expectation.text, expectation.description.as_deref());
                let (tally, evidence) = (Tally::default(), Vec::new());
                found.push(Statement { text, description, tally, evidence });
                found.len() - 1
            });
            found[at].tally.count(expectation.outcome);
            if let (Outcome::Failed, Some(evidence)) = (expectation.outcome, &expectation.evidence)
            {
                found[at].evidence.push((run.number, evidence));
            }
        }
    }
    found
}

/// Advice of a grader: on which case, on which expectation, what.
pub(crate) type Advice<'a> = (&'a Case, Option<&'a String>, &'a String);

/// The graders' advice on the expectations of `cases`, in the order of the runs.
pub(crate) fn advice<'a>(
    standings: &Standings<'_>,
    cases: &[(usize, &'a Case)],
) -> Vec<Advice<'a>> {
    let mut found = Vec::new();
    for (_, case) in cases {
        for grading in standings.runs_in_order(case).into_iter().flat_map(|run| &run.gradings) {
            let advice = grading
                .suggestions
                .iter()
                .map(|suggestion| (suggestion.expectation.as_ref(), &suggestion.text));
            let critique = grading.critique.iter().map(|text| (None, text));
            found.extend(advice.chain(critique).map(|(about, text)| (*case, about, text)));
        }
    }
    found
}
