//! Commands of the program, to be copied from a page.

use input::model::Workspace;

/// The command that builds the report with `baseline` as the baseline.
pub(super) fn build_with_baseline(workspace: &str, baseline: &str) -> String {
    format!("evalbook build {} --baseline {}", quoted(workspace), quoted(baseline))
}

/// The command that makes the folders of the next iteration, with the name of the skill as its path.
pub(super) fn init_command(workspace: &Workspace) -> String {
    let benchmarks = workspace.iterations.iter().flat_map(|iteration| &iteration.benchmarks);
    let recorded = benchmarks.filter_map(|benchmark| benchmark.skill.as_deref()).next_back();
    let skill = workspace.skill.as_deref().or(recorded).unwrap_or("SKILL");
    let skill = quoted(&format!("skills/{skill}"));
    format!("evalbook init {skill} -o {} --runs 3", quoted(&workspace.name))
}

/// `text` as one word of a shell.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./+@:".contains(c);
    if !text.is_empty() && !text.starts_with('-') && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}
