//! Flags that change nothing for the workspaces given. A slip such as a pattern that matches no file
//! would go unnoticed otherwise.

use crate::analyze::{Against, Analysis};
use crate::cli::workspaces::OpenedWorkspace;
use input::settings::Settings;

/// One line for each of `flags` without an effect.
pub(super) fn idle_flags(
    flags: &Settings,
    opened: &[OpenedWorkspace],
    analyses: &[Analysis],
) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(name) = &flags.against
        && !analyses.iter().any(is_compared_with_pinned)
    {
        lines.push(format!("`--against {name}` changes nothing: no earlier iteration fits"));
    }
    for pattern in &flags.leave_out {
        let mut entries = opened.iter().flat_map(|opened| opened.source.guard().entries());
        if !entries.any(|entry| pattern.matches(&entry.path)) {
            lines.push(format!("`--leave-out {pattern}` changes nothing: it matches no path"));
        }
    }
    for pattern in &flags.exclude {
        let mut withheld = opened.iter().flat_map(|opened| &opened.workspace.redaction.withheld);
        if !withheld.any(|path| pattern.matches(path)) {
            lines.push(format!("`--exclude {pattern}` changes nothing: it matches no output"));
        }
    }
    for (model, _) in &flags.prices {
        let iterations = opened.iter().flat_map(|opened| &opened.workspace.iterations);
        let mut runs = iterations.flat_map(|iteration| iteration.runs());
        if !runs.any(|run| run.metrics.model.as_ref() == Some(model)) {
            lines.push(format!("`--price {model}=…` changes nothing: no run names this model"));
        }
    }
    lines
}

/// Whether the newest candidate is compared with what `against` names.
fn is_compared_with_pinned(analysis: &Analysis) -> bool {
    let Some(candidate) = analysis.newest_candidate() else { return false };
    analysis.change(&candidate, Against::Pinned).is_some()
}
