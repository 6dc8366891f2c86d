//! Copies of the skill that lie in the workspace.

use crate::model::run::Output;

/// A copy of the skill as it was at some time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// The recorded version's name, else its folder without `skill` at its end.
    pub name: String,
    /// Its folder, relative to the workspace.
    pub path: String,
    /// Index of the iteration it belongs to, where known.
    pub iteration: Option<usize>,
    /// Its files in natural order, named relative to its folder.
    pub files: Vec<Output>,
}
