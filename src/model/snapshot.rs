//! Copies of the skill that lie in the workspace.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::run::Output;

/// A copy of the skill.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Snapshot {
    /// Its name.
    pub name: String,
    /// Its folder relative to the workspace.
    pub path: String,
    /// Index of the iteration it belongs to, from 0; null where it belongs to none.
    pub iteration: Option<usize>,
    /// Its files.
    pub files: Vec<Output>,
}
