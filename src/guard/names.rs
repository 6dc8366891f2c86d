//! Names of files and folders that hold a secret: what they are called in a report.

use std::collections::{BTreeMap, BTreeSet};

use crate::files::Entry;
use crate::guard::scan::redact;
use crate::guard::shapes::Index;

/// Paths in the source by the paths shown, for those that differ.
#[derive(Debug, Default)]
pub(super) struct Names {
    to_source: BTreeMap<String, String>,
    to_shown: BTreeMap<String, String>,
    /// The shapes found, by the path shown.
    pub(super) found: Vec<(String, usize)>,
}

impl Names {
    /// Gives each of `entries` the path shown. No two are the same, and folders still stand before
    /// what they hold.
    pub(super) fn new(entries: &mut [Entry], index: &Index) -> Self {
        let mut names = Self::default();
        let is_odd =
            |entry: &&Entry| entry.path.split('/').any(|name| redact(name, index).is_some());
        if !entries.iter().any(|entry| is_odd(&entry)) {
            return names;
        }
        let mut taken: BTreeSet<String> = entries.iter().map(|entry| entry.path.clone()).collect();
        entries.iter().for_each(|entry| names.add(&entry.path, &mut taken, index));
        names.show(entries);
        names
    }

    /// Gives each of `entries` the path shown, folders before what they hold.
    pub(super) fn show(&self, entries: &mut [Entry]) {
        if self.to_shown.is_empty() {
            return;
        }
        for entry in entries.iter_mut() {
            if let Some(path) = self.to_shown.get(&entry.path) {
                entry.path.clone_from(path);
            }
        }
        entries.sort_by(|a, b| a.path.split('/').cmp(b.path.split('/')));
    }

    /// Notes what a path and the folders above it are called.
    fn add(&mut self, path: &str, taken: &mut BTreeSet<String>, index: &Index) {
        let (mut source, mut out) = (String::new(), String::new());
        for name in path.split('/') {
            let slash = if source.is_empty() { "" } else { "/" };
            source = format!("{source}{slash}{name}");
            if let Some(path) = self.to_shown.get(&source) {
                out.clone_from(path);
                continue;
            }
            let (wanted, shapes) = redact(name, index).unwrap_or((name.to_owned(), Vec::new()));
            let own = format!("{out}{slash}{wanted}");
            out = if own == source { own } else { free(&own, taken) };
            self.found.extend(shapes.into_iter().map(|shape| (out.clone(), shape)));
            if out != source {
                taken.insert(out.clone());
                self.to_source.insert(out.clone(), source.clone());
                self.to_shown.insert(source.clone(), out.clone());
            }
        }
    }

    /// The path shown of a path in the source.
    pub(super) fn shown<'p>(&'p self, path: &'p str) -> &'p str {
        self.to_shown.get(path).map_or(path, String::as_str)
    }

    /// The path in the source of a path shown.
    pub(super) fn source<'p>(&'p self, path: &'p str) -> &'p str {
        self.to_source.get(path).map_or(path, String::as_str)
    }
}

/// `path`, with a number before its ending where it is taken.
fn free(path: &str, taken: &BTreeSet<String>) -> String {
    let start = path.rfind('/').map_or(0, |at| at + 1);
    let dot = path[start..].rfind('.').filter(|at| *at > 0).map_or(path.len(), |at| start + at);
    let numbered = (2_usize..).map(|number| format!("{} {number}{}", &path[..dot], &path[dot..]));
    std::iter::once(path.to_owned())
        .chain(numbered)
        .find(|path| !taken.contains(path))
        .unwrap_or_default()
}
