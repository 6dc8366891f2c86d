//! Copies of the skill: which version each is, and which iteration it belongs to.

use input::discover::Section;
use input::model::{Iteration, Snapshot, Version, Workspace};
use input::names;
use text::{folded_name, natural_order};

/// The copies in `section`: those without an iteration first, then by iteration, each in natural
/// order.
pub(super) fn list_snapshots(section: &Section, workspace: &Workspace) -> Vec<Snapshot> {
    let mut snapshots = section.snapshots.clone();
    for snapshot in &mut snapshots {
        let version = version_at(&snapshot.path, workspace);
        let folder = snapshot.path.strip_suffix("/skill").unwrap_or(&snapshot.path);
        snapshot.name = version.map_or(folder, |version| &version.name).to_owned();
        snapshot.iteration = iteration_of(&snapshot.path, version, &workspace.iterations);
    }
    snapshots.sort_by(|a, b| {
        a.iteration.cmp(&b.iteration).then_with(|| natural_order(&a.path, &b.path))
    });
    snapshots
}

/// The version whose files lie at `path` according to a history.
fn version_at<'w>(path: &str, workspace: &'w Workspace) -> Option<&'w Version> {
    let mut versions = workspace.histories.iter().flat_map(|history| &history.versions);
    versions
        .find(|version| version.path.as_deref().map(|path| path.trim_matches('/')) == Some(path))
}

/// The iteration whose folder contains the copy, else the one that the history names, else the one
/// named like its version, else the one its folder's name ends in: `skill-snapshot-iteration-2`.
fn iteration_of(path: &str, version: Option<&Version>, iterations: &[Iteration]) -> Option<usize> {
    let around = iterations
        .iter()
        .position(|found| is_folder(found) && names::below(path, &found.path).is_some());
    if around.is_some() {
        return around;
    }
    if let Some(version) = version {
        for wanted in version.iteration.iter().chain([&version.name]) {
            let named = iterations.iter().position(|found| found.name == *wanted);
            if named.is_some() {
                return named;
            }
        }
    }
    let folder = format!("_{}", folded_name(names::file_name(path)));
    iterations.iter().position(|iteration| {
        let name = folded_name(names::file_name(&iteration.path));
        is_folder(iteration) && folder.ends_with(&format!("_{name}"))
    })
}

fn is_folder(iteration: &Iteration) -> bool {
    !iteration.implicit && !iteration.path.is_empty()
}
