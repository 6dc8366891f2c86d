//! The files around a result.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::values;
use formats::limits::MAX_DOCUMENT_BYTES;
use input::files::{Entry, EntryKind, Source};
use input::names;

pub(super) struct Files<'a> {
    source: &'a dyn Source,
    /// Every file, in byte order.
    paths: Vec<&'a str>,
}

impl<'a> Files<'a> {
    pub(super) fn new(source: &'a dyn Source, entries: &'a [Entry]) -> Self {
        let files = entries.iter().filter(|entry| entry.kind == EntryKind::File);
        let mut paths: Vec<&str> = files.map(|entry| entry.path.as_str()).collect();
        paths.sort_unstable();
        Self { source, paths }
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.paths.binary_search(&path).is_ok()
    }

    /// The files below `folder`, in byte order.
    pub(super) fn below(&self, folder: &str) -> &[&'a str] {
        if folder.is_empty() {
            return &self.paths;
        }
        let start = format!("{folder}/");
        let from = self.paths.partition_point(|path| *path < start.as_str());
        let length = self.paths[from..].partition_point(|path| path.starts_with(&start));
        &self.paths[from..from + length]
    }

    pub(super) fn text(&self, path: &str) -> Option<String> {
        if !self.has(path) {
            return None;
        }
        let bytes = self.source.read(path, MAX_DOCUMENT_BYTES).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The document at `path`; `None` if it is absent or not JSON.
    pub(super) fn json(&self, path: &str) -> Option<Value> {
        values::parse(path, &self.text(path)?).ok()
    }

    /// Names for the files below `folder`, except those that `is_read` accepts, as
    /// [`Trial::shown`](super::trial::Trial::shown) lists them.
    pub(super) fn shown_below(
        &self,
        folder: &str,
        is_read: impl Fn(&str) -> bool,
    ) -> Vec<(String, String)> {
        let mut shown = Vec::new();
        for path in self.below(folder) {
            let Some(name) = names::below(path, folder) else { continue };
            if !is_read(name) {
                shown.push((name.to_owned(), (*path).to_owned()));
            }
        }
        shown
    }
}

/// Whether `path` or a folder above it was read already.
pub(super) fn is_taken(taken: &BTreeSet<String>, path: &str) -> bool {
    names::folders_above(path).any(|above| !above.is_empty() && taken.contains(above))
}
