//! Whether two iterations are the same runs: a folder that was copied for the next round, or a report
//! of the very workspace that it is compared with.

use crate::model::{Iteration, Run};

/// Whether both iterations have the same runs, with equal verdicts and equal figures.
///
/// Verdicts alone prove nothing, since a skill that is run again may pass the same checks, and a
/// script gives the same evidence for them. A time or a number of tokens must be recorded.
pub(super) fn are_same(before: &Iteration, after: &Iteration) -> bool {
    if before.cases.len() != after.cases.len() {
        return false;
    }
    let mut has_proof = false;
    for (before, after) in before.cases.iter().zip(&after.cases) {
        if before.name != after.name || before.runs.len() != after.runs.len() {
            return false;
        }
        for (before, after) in before.runs.iter().zip(&after.runs) {
            if !are_equal(before, after) {
                return false;
            }
            has_proof |= has_figure(before);
        }
    }
    has_proof
}

fn are_equal(before: &Run, after: &Run) -> bool {
    if before.configuration != after.configuration
        || before.metrics.duration_s != after.metrics.duration_s
        || before.metrics.tokens != after.metrics.tokens
        || before.expectations().len() != after.expectations().len()
    {
        return false;
    }
    before
        .expectations()
        .iter()
        .zip(after.expectations())
        .all(|(before, after)| before.text == after.text && before.outcome == after.outcome)
}

/// Writers of benchmarks put 0 where nothing was measured.
fn has_figure(run: &Run) -> bool {
    let figures = [run.metrics.duration_s, run.metrics.tokens];
    figures.into_iter().flatten().any(|figure| figure > 0.0)
}
