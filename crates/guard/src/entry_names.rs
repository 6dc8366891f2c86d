//! Names of files and folders without secrets: each entry has a displayed path of its own.

use std::collections::{BTreeMap, BTreeSet};

use crate::finder::Finder;
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
        // Each once: most folders of a workspace have the same few names.
        let parts: BTreeSet<&str> =
            entries.iter().flat_map(|entry| entry.path.split('/')).collect();
        if !parts.iter().any(|name| finder.redact(name).is_some()) {
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

    /// The displayed path for a path in the source, which is recorded if it is another.
    fn show(&mut self, path: &str, finder: &Finder) -> String {
        if let Some(known) = self.to_shown.get(path) {
            return known.clone();
        }
        let (folder, name) = match path.rsplit_once('/') {
            Some((folder, name)) => (self.show(folder, finder) + "/", name),
            None => (String::new(), path),
        };
        let (name, labels) = finder.redact(name).unwrap_or((name.to_owned(), Vec::new()));
        let wanted = folder + &name;
        if wanted == path {
            return wanted;
        }
        let shown = self.distinct.give(&wanted);
        self.found.extend(labels.into_iter().map(|label| (shown.clone(), label)));
        self.to_source.insert(shown.clone(), path.to_owned());
        self.to_shown.insert(path.to_owned(), shown.clone());
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
