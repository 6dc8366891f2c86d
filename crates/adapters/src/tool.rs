//! What each file of a tool provides, and what it is given.

use serde_json::Value;

use crate::files::Files;
use crate::trial::Results;
use input::names;

/// One evaluator whose results are read.
pub(super) struct Tool {
    pub(super) name: &'static str,
    /// Texts that every file with its results contains: its own keys, with their quotes.
    pub(super) marks: &'static [&'static str],
    /// The results in a file; `None`, or none at all, if it is not one of this tool after all.
    pub(super) read: fn(&ResultFile<'_>) -> Option<Results>,
}

/// A file that may be a result, with what lies around it.
pub(super) struct ResultFile<'a> {
    pub(super) path: &'a str,
    pub(super) text: &'a str,
    /// The document; for JSON Lines, the list of the lines.
    pub(super) value: Value,
    pub(super) files: &'a Files<'a>,
}

impl<'a> ResultFile<'a> {
    pub(super) fn folder(&self) -> &'a str {
        names::folder(self.path)
    }
}
