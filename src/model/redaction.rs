//! What was taken out of a workspace before anything of it is shown.

use std::collections::{BTreeMap, BTreeSet};

/// What was replaced and what is not published. All of it is empty where nothing was looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redaction {
    /// Whether secrets were looked for.
    pub is_on: bool,
    /// How often a secret of each kind was replaced, in files, names and texts.
    pub secrets: BTreeMap<&'static str, usize>,
    /// How often a folder of a machine was made relative.
    pub folders: usize,
    /// Outputs that no scanner can look into: pictures, PDF, archives.
    pub unscanned: Vec<String>,
    /// Outputs that are not published because the user says so.
    pub withheld: BTreeSet<String>,
    /// Outputs that are not published because a secret in them cannot be replaced.
    pub unsafe_outputs: BTreeSet<String>,
}

impl Redaction {
    /// How many secrets were replaced.
    pub fn count(&self) -> usize {
        self.secrets.values().sum()
    }
}
