//! Whether two iterations are the same runs: a folder that was copied for the next round, or a report
//! of the very workspace that it is compared with.

use input::model::{Expectation, Iteration, Output, Run};

/// Whether nothing shows that the later iteration ran anew: both have equal verdicts and equal figures.
///
/// A skill that is run again may pass the same checks, but it hardly takes the same time or tokens.
/// Where neither is recorded, other reasons of the grader or other outputs show a new run. Without any
/// of these, a round of the same name has the same runs, and any other round ran anew unless it was found
/// to be a copy: a `baseline.json` keeps no reasons, and README asks for no times.
pub(super) fn are_same(before: &Iteration, after: &Iteration) -> bool {
    if before.cases.len() != after.cases.len() {
        return false;
    }
    let (mut has_figures, mut has_other_traces) = (false, false);
    for (before, after) in before.cases.iter().zip(&after.cases) {
        if before.name != after.name || before.runs.len() != after.runs.len() {
            return false;
        }
        for (before, after) in before.runs.iter().zip(&after.runs) {
            // That a run counts again is no sign that nothing ran.
            if after.reuse.is_some() {
                return false;
            }
            if !are_equal(before, after) {
                return false;
            }
            has_figures |= has_figure(before);
            has_other_traces |= left_other_traces(before, after);
        }
    }
    // Of two workspaces that are compared the name says which one it is.
    let [earlier, later] = [before, after].map(|round| round.path.rsplit('/').next());
    let is_other_round = earlier != later && !has_copy(after);
    has_figures || !has_other_traces && !is_other_round
}

fn has_copy(iteration: &Iteration) -> bool {
    iteration.runs().any(|run| run.reused_from.is_some())
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

/// Whether the grader gave another reason, or the outputs have other names or sizes, as far as both
/// record them: a `report.json` keeps no outputs.
fn left_other_traces(before: &Run, after: &Run) -> bool {
    let mut checks = before.expectations().iter().zip(after.expectations());
    let has_outputs = !before.outputs.is_empty() && !after.outputs.is_empty();
    checks.any(|(before, after)| has_other_reason(before, after))
        || has_outputs && files(before) != files(after)
}

fn files(run: &Run) -> Vec<(&str, u64)> {
    run.outputs.iter().map(|Output { name, bytes, .. }| (name.as_str(), *bytes)).collect()
}

fn has_other_reason(before: &Expectation, after: &Expectation) -> bool {
    before.evidence.is_some() && after.evidence.is_some() && before.evidence != after.evidence
}

/// Writers of benchmarks put 0 where nothing was measured.
fn has_figure(run: &Run) -> bool {
    let figures = [run.metrics.duration_s, run.metrics.tokens];
    figures.into_iter().flatten().any(|figure| figure > 0.0)
}
