//! Which copies of the skill are compared: each with the version it was made from, where that is
//! recorded and its copy is there, else with the copy before it.

use crate::analyze::IterationAnalysis;
use crate::analyze::flips::Side;
use crate::model::{Snapshot, Workspace};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillPair {
    /// Index of the older one among the workspace's copies.
    pub before: usize,
    /// Index of the newer one.
    pub after: usize,
    /// The candidates of both iterations, where both are known and not the same.
    pub sides: Option<[Side; 2]>,
}

/// The pairs of copies of `workspace`, in the order of the newer ones.
pub(super) fn pair_copies(workspace: &Workspace, analyses: &[IterationAnalysis]) -> Vec<SkillPair> {
    let pair = |after: usize| {
        let before = parent(workspace, after).unwrap_or(after - 1);
        let iterations = [before, after].map(|copy| workspace.snapshots[copy].iteration);
        let sides = match iterations {
            [Some(old), Some(new)] if old != new => sides(analyses, old, new),
            _ => None,
        };
        SkillPair { before, after, sides }
    };
    (1..workspace.snapshots.len()).map(pair).collect()
}

/// The copy of the version that the one at `index` was made from.
fn parent(workspace: &Workspace, index: usize) -> Option<usize> {
    let own = &workspace.snapshots[index].name;
    let mut versions = workspace.histories.iter().flat_map(|history| &history.versions);
    let parent = versions.find(|version| version.name == *own)?.parent.as_ref()?;
    let is_parent = |found: &Snapshot| found.name == *parent && found.name != *own;
    workspace.snapshots.iter().position(is_parent)
}

/// The candidate of the newer iteration, with the same one in the older iteration, else the first.
fn sides(analyses: &[IterationAnalysis], old: usize, new: usize) -> Option<[Side; 2]> {
    let new_name = analyses[new].roles.candidates.first()?;
    let candidates = &analyses[old].roles.candidates;
    let old_name = candidates.iter().find(|name| *name == new_name).or(candidates.first())?;
    Some([Side::new(old, old_name), Side::new(new, new_name)])
}

#[cfg(test)]
mod tests {
    use crate::analyze::analysis;
    use crate::model::{History, Snapshot, Version, Workspace};
    use crate::settings::Settings;

    #[test]
    fn copies_follow_their_parents_else_the_order() {
        let snapshot = |name: &str| Snapshot { name: name.to_owned(), ..Snapshot::default() };
        let version = |name: &str, parent: &str| Version {
            name: name.to_owned(),
            parent: Some(parent.to_owned()),
            ..Version::default()
        };
        let versions = vec![version("v2", "v0"), version("v3", "lost")];
        let workspace = Workspace {
            snapshots: ["v0", "v1", "v2", "v3"].map(snapshot).into(),
            histories: vec![History { versions, ..History::default() }],
            ..Workspace::default()
        };
        let pairs = analysis(&workspace, &Settings::default()).skill;
        let found: Vec<(usize, usize)> =
            pairs.iter().map(|pair| (pair.before, pair.after)).collect();
        assert_eq!(found, [(0, 1), (0, 2), (2, 3)]);
    }
}
