//! Checks that all pass now and did not before: their cases can show a difference.

use std::collections::BTreeSet;

use crate::analyze::{Analysis, Change, statements};
use crate::model::Workspace;

/// The checks of an iteration, and how many of them failed under any configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EarlierFailures {
    /// Index of the iteration.
    pub(crate) iteration: usize,
    pub(crate) failed: usize,
    pub(crate) checks: usize,
}

/// The last iteration, up to those of `change`, in which a check of its compared cases failed under any
/// configuration; `None` if none ever did.
pub(crate) fn earlier_failures(
    workspace: &Workspace,
    analysis: &Analysis,
    change: &Change,
) -> Option<EarlierFailures> {
    let last = change.before.iteration.max(change.after.iteration);
    // The other side of the same round shows a difference as well.
    for iteration in (0..=last).rev() {
        let (mut checks, mut failed) = (BTreeSet::new(), BTreeSet::new());
        for line in &change.gain.shared {
            let Some(case) = analysis.cases[*line].case(workspace, iteration) else { continue };
            for configuration in &workspace.iterations[iteration].configurations {
                for statement in statements(case, configuration) {
                    if statement.tally.failed > 0 {
                        failed.insert((line, statement.key.clone()));
                    }
                    checks.insert((line, statement.key));
                }
            }
        }
        // An iteration in which all passed as well shows no more than this one.
        if !failed.is_empty() {
            let (failed, checks) = (failed.len(), checks.len());
            return Some(EarlierFailures { iteration, failed, checks });
        }
    }
    None
}
