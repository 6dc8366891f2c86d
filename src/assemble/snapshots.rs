//! Copies of the skill: which version each is, and which iteration it belongs to.

use crate::discover::{FoundSnapshot, Section, names};
use crate::model::{Output, Snapshot, Version, Workspace};
use crate::text::{folded_name, natural_order};

/// The copies in `section`: those of no iteration first, then by iteration, each in natural order.
pub(super) fn list_snapshots(section: &Section, workspace: &Workspace) -> Vec<Snapshot> {
    let mut snapshots: Vec<Snapshot> =
        section.snapshots.iter().map(|found| snapshot(found, workspace)).collect();
    snapshots.sort_by(|a, b| {
        a.iteration.cmp(&b.iteration).then_with(|| natural_order(&a.path, &b.path))
    });
    snapshots
}

fn snapshot(found: &FoundSnapshot, workspace: &Workspace) -> Snapshot {
    let version = recorded(found, workspace);
    let folder = found.path.strip_suffix("/skill").unwrap_or(&found.path);
    let file = |(path, bytes): &(String, u64)| Output {
        path: path.clone(),
        name: names::below(path, &found.path).unwrap_or(path).to_owned(),
        bytes: *bytes,
    };
    Snapshot {
        name: version.map_or(folder, |version| &version.name).to_owned(),
        path: found.path.clone(),
        iteration: iteration(found, version, workspace),
        files: found.files.iter().map(file).collect(),
    }
}

/// The version whose files a history says lie there.
fn recorded<'w>(found: &FoundSnapshot, workspace: &'w Workspace) -> Option<&'w Version> {
    let versions = workspace.histories.iter().flat_map(|history| &history.versions);
    let path = |version: &Version| {
        version.path.as_deref().map(|path| path.trim_matches('/') == found.path)
    };
    versions.into_iter().find(|version| path(version) == Some(true))
}

/// The iteration whose folder it lies in, whose name its version has, or whose name its own
/// folder ends in: `skill-snapshot-iteration-2`.
fn iteration(
    found: &FoundSnapshot,
    version: Option<&Version>,
    workspace: &Workspace,
) -> Option<usize> {
    let all = &workspace.iterations;
    let lies_in = |text: &str| !text.is_empty() && names::below(&found.path, text).is_some();
    let by_folder =
        all.iter().position(|iteration| !iteration.implicit && lies_in(&iteration.path));
    let by_version = || {
        all.iter().position(|iteration| version.is_some_and(|found| found.name == iteration.name))
    };
    let own = format!("_{}", folded_name(names::file_name(&found.path)));
    let by_name = || {
        let ends = |text: &str| own.ends_with(&format!("_{}", folded_name(names::file_name(text))));
        all.iter().position(|iteration| {
            !iteration.implicit && !iteration.path.is_empty() && ends(&iteration.path)
        })
    };
    by_folder.or_else(by_version).or_else(by_name)
}
