//! Checks that all pass now and did not before: their cases can show a difference.

use crate::analyze::{Analysis, Change, statements};
use input::model::Workspace;

/// The checks that a configuration failed in an iteration, of those that it has verdicts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EarlierFailures<'a> {
    /// Index of the iteration.
    pub(crate) iteration: usize,
    pub(crate) configuration: &'a str,
    /// Whether the configuration is one of the two that are compared.
    pub(crate) is_compared: bool,
    pub(crate) failed: usize,
    pub(crate) checks: usize,
}

/// The most failures of a configuration in the compared cases, in the last iteration, up to those of
/// `change`, that has any; a compared configuration goes before the others. `None` if none ever failed.
pub(crate) fn earlier_failures<'a>(
    workspace: &'a Workspace,
    analysis: &Analysis,
    change: &Change,
) -> Option<EarlierFailures<'a>> {
    let last = change.before.iteration.max(change.after.iteration);
    let mut found = Vec::new();
    for iteration in (0..=last).rev() {
        for configuration in &workspace.iterations[iteration].configurations {
            let (mut checks, mut failed) = (0, 0);
            for case_index in &change.gain.shared {
                let Some(case) = analysis.cases[*case_index].case(workspace, iteration) else {
                    continue;
                };
                for statement in statements(case, configuration) {
                    checks += usize::from(statement.tally.graded() > 0);
                    failed += usize::from(statement.tally.failed > 0);
                }
            }
            // An iteration in which all passed as well shows no more than this one.
            if failed > 0 {
                let is_compared =
                    change.sides().iter().any(|side| side.configuration == *configuration);
                found.push(EarlierFailures {
                    iteration,
                    configuration,
                    is_compared,
                    failed,
                    checks,
                });
            }
        }
    }
    found.into_iter().max_by_key(|found| (found.is_compared, found.iteration, found.failed))
}
