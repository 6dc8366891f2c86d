//! Copies of the skill: which version each is, and which iteration it belongs to.

use crate::discover::{Section, names};
use crate::model::{Snapshot, Version, Workspace};
use crate::text::{folded_name, natural_order};

/// The copies in `section`: those without an iteration first, then by iteration, each in natural
/// order.
pub(super) fn list_snapshots(section: &Section, workspace: &Workspace) -> Vec<Snapshot> {
    let name = |snapshot: &Snapshot| {
        // The version whose files are there according to a history.
        let mut versions = workspace.histories.iter().flat_map(|history| &history.versions);
        let version = versions.find(|version| {
            version.path.as_deref().is_some_and(|path| path.trim_matches('/') == snapshot.path)
        });
        let folder = snapshot.path.strip_suffix("/skill").unwrap_or(&snapshot.path);
        let name = version.map_or(folder, |version| &version.name).to_owned();
        let iteration = iteration(&snapshot.path, version, workspace);
        Snapshot { name, iteration, ..snapshot.clone() }
    };
    let mut snapshots: Vec<Snapshot> = section.snapshots.iter().map(name).collect();
    snapshots.sort_by(|a, b| {
        a.iteration.cmp(&b.iteration).then_with(|| natural_order(&a.path, &b.path))
    });
    snapshots
}

/// The iteration whose folder contains the copy, else the one named like its version, else the one
/// its folder's name ends in: `skill-snapshot-iteration-2`.
fn iteration(path: &str, version: Option<&Version>, workspace: &Workspace) -> Option<usize> {
    let iterations = &workspace.iterations;
    let suffix = format!("_{}", folded_name(names::file_name(path)));
    let ends = |name: &str| suffix.ends_with(&format!("_{}", folded_name(names::file_name(name))));
    let iteration_at = |wanted: &dyn Fn(&str) -> bool| {
        let mut named = iterations.iter().map(|iteration| (iteration.implicit, &iteration.path));
        named.position(|(implicit, path)| !implicit && !path.is_empty() && wanted(path))
    };
    let by_version = || {
        let name = &version?.name;
        iterations.iter().position(|iteration| iteration.name == *name)
    };
    iteration_at(&|folder| names::below(path, folder).is_some())
        .or_else(by_version)
        .or_else(|| iteration_at(&ends))
}
