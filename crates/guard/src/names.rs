//! Names of files and folders without secrets: each entry has a displayed path of its own.

use std::collections::BTreeMap;

use crate::finder::{Finder, Kind};
use crate::secret::Label;
use input::files::Entry;

/// Paths in the source by displayed path and the other way round, if they differ.
#[derive(Debug, Default)]
pub(super) struct ShownNames {
    to_source: BTreeMap<String, String>,
    to_shown: BTreeMap<String, String>,
    /// What was found in names, by displayed path.
    pub(super) found: Vec<(String, Label)>,
    /// How often a path was wanted, so that the next one gets the next number.
    wanted: BTreeMap<String, usize>,
}

impl ShownNames {
    /// Shows each entry under a unique path; folders still precede their contents.
    pub(super) fn new(entries: &mut [Entry], finder: &Finder) -> Self {
        let mut names = Self::default();
        if !entries.iter().any(|entry| is_odd(entry, finder)) {
            return names;
        }
        for entry in entries.iter() {
            names.wanted.insert(entry.path.clone(), 1);
        }
        for entry in entries.iter_mut() {
            entry.path = names.show(&entry.path, finder);
        }
        entries.sort_by(|a, b| a.path.split('/').cmp(b.path.split('/')));
        names
    }

    /// The displayed path for a path in the source.
    pub(super) fn shown<'p>(&'p self, path: &'p str) -> &'p str {
        self.to_shown.get(path).map_or(path, String::as_str)
    }

    /// The path in the source for a displayed path.
    pub(super) fn in_source<'p>(&'p self, path: &'p str) -> &'p str {
        self.to_source.get(path).map_or(path, String::as_str)
    }

    fn show(&mut self, path: &str, finder: &Finder) -> String {
        let (mut source, mut shown) = (String::new(), String::new());
        for name in path.split('/') {
            let slash = if source.is_empty() { "" } else { "/" };
            source = format!("{source}{slash}{name}");
            if let Some(known) = self.to_shown.get(&source) {
                shown.clone_from(known);
                continue;
            }
            let (clean, labels) =
                finder.redact(name, Kind::Text).unwrap_or((name.to_owned(), Vec::new()));
            shown = format!("{shown}{slash}{clean}");
            if shown == source {
                continue;
            }
            shown = self.free(&shown);
            for label in labels {
                self.found.push((shown.clone(), label));
            }
            self.to_source.insert(shown.clone(), source.clone());
            self.to_shown.insert(source.clone(), shown.clone());
        }
        shown
    }

    /// `path`, with a number before its extension if it is taken.
    fn free(&mut self, path: &str) -> String {
        let name_start = path.rfind('/').map_or(0, |at| at + 1);
        let dot = path[name_start..].rfind('.').filter(|at| *at > 0);
        let stem = dot.map_or(path.len(), |at| name_start + at);
        loop {
            let number = self.wanted.entry(path.to_owned()).or_default();
            *number += 1;
            if *number == 1 {
                return path.to_owned();
            }
            let numbered = format!("{} {number}{}", &path[..stem], &path[stem..]);
            if !self.wanted.contains_key(&numbered) {
                self.wanted.insert(numbered.clone(), 1);
                return numbered;
            }
        }
    }
}

fn is_odd(entry: &Entry, finder: &Finder) -> bool {
    entry.path.split('/').any(|name| finder.redact(name, Kind::Text).is_some())
}
