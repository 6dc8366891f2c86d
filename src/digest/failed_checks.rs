//! The checks that a candidate failed, with the evidence of each failed run.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::analyze::key;
use crate::digest::IterationProgress;
use crate::model::{Case, Outcome, Tally};

/// A statement of a case with its verdicts, and the evidence of each failed run.
#[derive(Serialize)]
pub(crate) struct FailedCheck<'a> {
    pub(crate) case: &'a str,
    pub(crate) text: &'a str,
    pub(crate) description: Option<&'a str>,
    #[serde(flatten)]
    pub(crate) tally: Tally,
    /// Its verdicts in the previous iteration, if it lost passes since.
    pub(crate) before: Option<Tally>,
    pub(crate) evidence: Vec<RunEvidence<'a>>,
}

#[derive(Serialize)]
pub(crate) struct RunEvidence<'a> {
    /// Number of the run.
    pub(crate) run: u32,
    pub(crate) text: &'a str,
}

/// The checks that the candidate failed, case by case in the order of the statements. Each case
/// comes with its line.
pub(super) fn failed_checks<'a>(
    progress: &IterationProgress<'_>,
    cases: &[(usize, &'a Case)],
) -> Vec<FailedCheck<'a>> {
    let Some(side) = &progress.after else { return Vec::new() };
    let mut failed = Vec::new();
    for (line, case) in cases {
        let mut checks: Vec<FailedCheck<'a>> = Vec::new();
        let mut indices: BTreeMap<Cow<'_, str>, usize> = BTreeMap::new();
        for run in progress.runs_in_order(case) {
            if run.configuration != side.configuration {
                continue;
            }
            for check in run.expectations() {
                let at = *indices.entry(key(check)).or_insert(checks.len());
                if at == checks.len() {
                    checks.push(FailedCheck {
                        case: &case.name,
                        text: &check.text,
                        description: check.description.as_deref(),
                        tally: Tally::default(),
                        before: progress.before_regression(*line, &check.text),
                        evidence: Vec::new(),
                    });
                }
                checks[at].tally.count(check.outcome);
                if check.outcome == Outcome::Failed
                    && let Some(text) = &check.evidence
                {
                    checks[at].evidence.push(RunEvidence { run: run.number, text });
                }
            }
        }
        failed.extend(checks.into_iter().filter(|check| check.tally.failed > 0));
    }
    failed
}
