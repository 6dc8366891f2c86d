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
    distinct: Distinct,
}

impl ShownNames {
    /// Shows each entry under a unique path; folders still precede their contents.
    pub(super) fn new(entries: &mut [Entry], finder: &Finder) -> Self {
        let mut names = Self::default();
        if !entries.iter().any(|entry| is_odd(entry, finder)) {
            return names;
        }
        names.distinct = Distinct::new(entries.iter().map(|entry| entry.path.clone()));
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
            shown = self.distinct.give(&shown);
            for label in labels {
                self.found.push((shown.clone(), label));
            }
            self.to_source.insert(shown.clone(), source.clone());
            self.to_shown.insert(source.clone(), shown.clone());
        }
        shown
    }
}

/// Texts of which no two may be the same: paths, or the keys of an object.
#[derive(Debug, Default)]
pub(super) struct Distinct {
    /// How often each was wanted, so that the next one gets the next number.
    wanted: BTreeMap<String, usize>,
}

impl Distinct {
    pub(super) fn new(taken: impl Iterator<Item = String>) -> Self {
        Self { wanted: taken.map(|text| (text, 1)).collect() }
    }

    /// `text`, with a number before its extension if it is taken.
    pub(super) fn give(&mut self, text: &str) -> String {
        let name_start = text.rfind('/').map_or(0, |at| at + 1);
        let dot = text[name_start..].rfind('.').filter(|at| *at > 0);
        let stem = dot.map_or(text.len(), |at| name_start + at);
        loop {
            let number = self.wanted.entry(text.to_owned()).or_default();
            *number += 1;
            if *number == 1 {
                return text.to_owned();
            }
            let numbered = format!("{} {number}{}", &text[..stem], &text[stem..]);
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
