//! What doubts single runs, and changes no first screen: it stands in the list of an iteration.

use crate::digest::news::unreliable_runs::{Affected, affected};
use crate::digest::news::{Finding, Scene, costs};
use input::model::Run;

pub(super) fn add(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    if let Some(Affected { runs, of, side }) = affected(scene, |_| true, had_errors) {
        found.push(Finding::HadErrors { runs: runs.len(), of, side });
    }
    // A workspace that keeps no outputs at all says nothing about its runs.
    if scene.iteration().runs().any(|run| !run.outputs.is_empty())
        && let Some(Affected { runs, of, side }) =
            affected(scene, Run::is_graded, |run| run.outputs.is_empty())
    {
        found.push(Finding::NoOutput { runs: runs.len(), of, side });
    }
    costs::add_runaways(scene, found);
}

fn had_errors(run: &Run) -> bool {
    run.metrics.errors.is_some_and(|errors| errors.is_finite() && errors > 0.0)
}
