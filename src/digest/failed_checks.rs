//! The checks that a candidate failed, with the evidence of each failed run.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::analyze::{Side, is_earlier_version, key, statements};
use crate::digest::IterationProgress;
use input::model::{Case, Expectation, Outcome, Run, Tally};

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
    /// Its verdicts on the other side of the same iteration; `None` if it was not checked there.
    pub(crate) baseline: Option<Tally>,
    /// Whether the earlier version of the skill fails it now as well: then the edit did not cause it,
    /// but the grader, the model or the environment.
    pub(crate) fails_with_old_skill: bool,
    pub(crate) evidence: Vec<RunEvidence<'a>>,
}

#[derive(Serialize)]
pub(crate) struct RunEvidence<'a> {
    /// Number of the run.
    pub(crate) run: u32,
    /// Its folder, relative to the workspace.
    pub(crate) folder: &'a str,
    pub(crate) text: &'a str,
}

impl FailedCheck<'_> {
    pub(crate) fn is_regressed(&self) -> bool {
        self.before.is_some() && !self.fails_with_old_skill
    }

    /// Whether the other side passes it more often.
    pub(crate) fn passes_on_baseline(&self) -> bool {
        let baseline = self.baseline.and_then(|tally| tally.pass_rate());
        baseline > self.tally.pass_rate()
    }
}

/// The checks that the candidate failed, case by case in the order of the statements. Each case
/// comes with its index.
pub(super) fn failed_checks<'a>(
    progress: &IterationProgress<'_>,
    baseline: Option<&Side>,
    cases: &[(usize, &'a Case)],
) -> Vec<FailedCheck<'a>> {
    let Some(side) = &progress.after else { return Vec::new() };
    let is_old = baseline.is_some_and(|baseline| is_earlier_version(baseline, side));
    let mut failed = Vec::new();
    for (case_index, case) in cases {
        let mut runs: Vec<&Run> = case.runs_of(&side.configuration).collect();
        runs.sort_by_key(|run| run.number);
        let failing = failing_keys(&runs);
        let mut on_baseline: BTreeMap<Cow<'_, str>, Tally> = BTreeMap::new();
        if let Some(baseline) = baseline.filter(|_| !failing.is_empty()) {
            for found in statements(case, &baseline.configuration) {
                if failing.contains(&found.key) {
                    on_baseline.insert(found.key, found.tally);
                }
            }
        }
        let regressions = progress.regressions(*case_index);
        let mut checks: Vec<FailedCheck<'a>> = Vec::new();
        let mut indices: BTreeMap<Cow<'_, str>, usize> = BTreeMap::new();
        for run in runs {
            for check in run.counted_expectations() {
                let key = key(check);
                if !failing.contains(&key) {
                    continue;
                }
                let at = *indices.entry(key).or_insert_with_key(|key| {
                    checks.push(FailedCheck {
                        case: &case.name,
                        text: &check.text,
                        description: check.description.as_deref(),
                        tally: Tally::default(),
                        before: regressions.get(&*check.text).copied(),
                        baseline: on_baseline.get(key).copied(),
                        fails_with_old_skill: false,
                        evidence: Vec::new(),
                    });
                    checks.len() - 1
                });
                checks[at].tally.count(check.outcome);
                if is_finding(check)
                    && let Some(text) = &check.evidence
                {
                    checks[at].evidence.push(RunEvidence {
                        run: run.number,
                        folder: &run.path,
                        text,
                    });
                }
            }
        }
        for mut check in checks {
            let is_failing = check.baseline.is_some_and(|tally| tally.failed > 0);
            // The old skill, run again next to the new one, tells an edit from another grader.
            check.fails_with_old_skill = is_old && is_failing && !check.passes_on_baseline();
            failed.push(check);
        }
    }
    failed
}

/// Whether `check` failed, and not only because its grader broke, which nobody can mend in the skill.
fn is_finding(check: &Expectation) -> bool {
    check.outcome == Outcome::Failed && !check.is_grader_failure
}

/// The keys of the checks that any of `runs` failed. A grading may have a million checks, most of
/// which passed.
fn failing_keys<'a>(runs: &[&'a Run]) -> BTreeSet<Cow<'a, str>> {
    let checks = runs.iter().flat_map(|run| run.counted_expectations());
    checks.filter(|check| is_finding(check)).map(key).collect()
}
