//! Guard: nothing that is published holds a secret or the home of a user.
//!
//! [`Guarded`] returns the names and files of a source with marks in place of secrets. A file is
//! searched each time it is read, so that a change on disk cannot slip through. [`Guard::scan`]
//! searches everything beforehand: for the report, and because a secret that is found in one file is
//! hidden in all of them. [`Guarded::finish`] tells the workspace what was found and held back.

mod container;
mod entry_names;
mod expression;
mod false_finds;
mod finder;
mod known;
mod marked_file;
mod rules;
mod scan;
mod secret;
mod secrets_in_text;
mod tables;
mod value;
mod withheld;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::Arc;

use rayon::prelude::*;

use crate::entry_names::ShownNames;
use crate::finder::Finder;
use crate::known::{KnownValues, is_unmistakable};
use crate::marked_file::Findings;
use crate::secret::Label;
use crate::secrets_in_text::Nature;
use input::files::{Entry, EntryKind, Source, Withheld};
use input::model::Place;
use input::settings::SecretRules;

/// The largest file that is searched. A larger one is held back.
const MAX_FILE_BYTES: u64 = 256 * 1024 * 1024;

/// Bytes of a text that are searched past those that are asked for: a secret may reach into them.
const AHEAD: u64 = 32 * 1024;

/// What is searched for and replaced in the files of a workspace, and which of them may be published.
#[derive(Debug)]
pub struct Guard {
    finder: Finder,
    names: ShownNames,
    entries: Vec<Entry>,
    /// By displayed path; only files with findings, or that are not text.
    files: BTreeMap<String, Arc<Findings>>,
    /// What is in each content that was searched, so that pages which show it need not search again.
    searched: BTreeMap<ContentDigest, Arc<Findings>>,
    /// Whether a file whose secrets cannot be replaced is published anyway.
    pub keeps_secret_files: bool,
    is_on: bool,
}

/// Tells one content from all others: its hash, and what its name says about it.
type ContentDigest = ([u8; 32], Nature);

/// Bytes of a file, and what is in them.
struct SearchedFile {
    bytes: Vec<u8>,
    digest: ContentDigest,
    findings: Arc<Findings>,
}

impl Guard {
    /// `roots` are the folders of the source on its machine, `own` the rules of its users.
    pub fn new(mut entries: Vec<Entry>, roots: &[String], own: &SecretRules) -> Self {
        let finder = Finder::new(roots, own);
        let names = ShownNames::new(&mut entries, &finder);
        Self {
            finder,
            names,
            entries,
            files: BTreeMap::new(),
            searched: BTreeMap::new(),
            keeps_secret_files: false,
            is_on: true,
        }
    }

    /// A guard that lets everything through unchanged.
    pub fn off(entries: Vec<Entry>) -> Self {
        Self { entries, is_on: false, ..Self::new(Vec::new(), &[], &SecretRules::default()) }
    }

    /// The files of the workspace, under the names that may be shown.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Searches the files that `is_meant` accepts; marks change their size.
    pub fn scan(&mut self, source: &dyn Source, is_meant: &(dyn Fn(&str) -> bool + Sync)) {
        if !self.is_on {
            return;
        }
        self.search(source, is_meant);
        // A value may be without its name in another file, or in a file searched before.
        if let Some(values) = KnownValues::new(self.values()) {
            self.finder.know(values);
            self.search(source, is_meant);
        }
        for entry in &mut self.entries {
            if let Some(findings) = self.files.get(&entry.path) {
                entry.bytes = findings.bytes;
            }
        }
    }

    /// The secrets that are hidden wherever they are.
    fn values(&self) -> impl Iterator<Item = (Vec<u8>, Label)> {
        self.files.values().flat_map(|findings| findings.values.iter().cloned())
    }

    fn search(&mut self, source: &dyn Source, is_meant: &(dyn Fn(&str) -> bool + Sync)) {
        let searched: Vec<(&Entry, ContentDigest, Arc<Findings>)> = self
            .entries
            .par_iter()
            .filter(|entry| entry.kind == EntryKind::File && is_meant(&entry.path))
            // A file that cannot be read now cannot be read later; its reader reports that.
            .filter_map(|entry| {
                let file = self.searched_file(source, &entry.path, u64::MAX, true).ok()?;
                Some((entry, file.digest, file.findings))
            })
            .collect();
        let (mut files, mut contents) = (BTreeMap::new(), BTreeMap::new());
        let nothing = Arc::new(Findings::default());
        for (entry, digest, mut findings) in searched {
            if findings.is_clean() {
                findings = Arc::clone(&nothing);
            } else {
                files.insert(entry.path.clone(), Arc::clone(&findings));
            }
            contents.insert(digest, findings);
        }
        (self.files, self.searched) = (files, contents);
    }

    /// At most `limit` bytes of a file as they are, and a few more, and what is in them. `is_scan` looks
    /// for known values in what was searched before they were known.
    fn searched_file(
        &self,
        source: &dyn Source,
        path: &str,
        limit: u64,
        is_scan: bool,
    ) -> io::Result<SearchedFile> {
        let inner = self.in_source(path);
        let wanted = limit.saturating_add(AHEAD).min(MAX_FILE_BYTES + 1);
        let mut bytes = source.read(inner, wanted)?;
        // Only text can be searched in parts.
        if bytes.len() as u64 == wanted && formats::encoding(&bytes).is_none() {
            bytes = source.read(inner, MAX_FILE_BYTES + 1)?;
        }
        let nature = Nature::new(path);
        let digest = (blake3::hash(&bytes).into(), nature);
        let known = self.searched.get(&digest);
        let known = known.filter(|_| !is_scan || !self.finder.may_hold_known_value(&bytes));
        let findings = match known {
            Some(findings) => Arc::clone(findings),
            None if bytes.len() as u64 > MAX_FILE_BYTES => {
                Arc::new(Findings::too_large(bytes.len() as u64))
            }
            None => Arc::new(marked_file::search(&self.finder, path, nature, &bytes)),
        };
        Ok(SearchedFile { bytes, digest, findings })
    }

    /// At most `limit` bytes of the file of `source` at a displayed path, ready to be published.
    pub fn read(&self, source: &dyn Source, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        if !self.is_on {
            return source.read(self.in_source(path), limit);
        }
        let file = self.searched_file(source, path, limit, false)?;
        if file.findings.cannot_be_redacted() && !self.keeps_secret_files {
            return Err(io::Error::other(Withheld::Unsafe));
        }
        let mut bytes = marked_file::cleaned(file.bytes, &file.findings);
        bytes.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(bytes)
    }

    /// The displayed path for a path in the source.
    pub fn shown<'p>(&'p self, path: &'p str) -> &'p str {
        self.names.shown(path)
    }

    /// The path in the source for a displayed path.
    pub fn in_source<'p>(&'p self, path: &'p str) -> &'p str {
        self.names.in_source(path)
    }

    /// The place of the mark, in the displayed file, for the secret at `place`.
    pub fn shown_place(&self, path: &str, place: Place) -> Place {
        let Some(findings) = self.files.get(path) else { return place };
        let found = findings.places.iter().find(|found| found.source == place);
        found.map_or(place, |found| found.shown)
    }

    /// `text`, which people wrote, with marks.
    pub fn clean<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if !self.is_on {
            return Cow::Borrowed(text);
        }
        self.finder.redact(text).map_or(Cow::Borrowed(text), |(clean, _)| Cow::Owned(clean))
    }
}

/// The last look at what is written: values that were found as secrets must not be in it.
#[derive(Debug, Default)]
pub struct LastLook(Option<KnownValues>);

impl LastLook {
    /// The values of at least 12 characters, drawn at random, that were found in any of `sources`.
    pub fn new<'g>(sources: impl IntoIterator<Item = &'g Guarded>) -> Self {
        // What is published on purpose is not looked for.
        let sources = sources.into_iter().filter(|source| !source.guard.keeps_secret_files);
        let values = sources.flat_map(|source| source.guard.values());
        Self(KnownValues::new(values.filter(|(value, _)| is_unmistakable(value))))
    }

    /// Whether there is nothing to look for.
    pub fn is_blind(&self) -> bool {
        self.0.is_none()
    }

    /// `bytes` with marks, if a value is in them: then a stage before this one has a fault.
    pub fn replaced_in(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.0.as_ref()?.replaced_in(bytes)
    }
}

/// A source without secrets: every byte and every name may be published.
#[derive(Clone)]
pub struct Guarded {
    source: Arc<dyn Source>,
    guard: Arc<Guard>,
    withheld: BTreeMap<String, Withheld>,
}

impl Guarded {
    /// `source`, as `guard` lets it be seen.
    pub fn new(source: Arc<dyn Source>, guard: Guard) -> Self {
        Self { source, guard: Arc::new(guard), withheld: BTreeMap::new() }
    }

    /// The guard that was given.
    pub fn guard(&self) -> &Arc<Guard> {
        &self.guard
    }
}

impl Source for Guarded {
    fn list(&self, _skip: &dyn Fn(&str) -> bool) -> Vec<Entry> {
        self.guard.entries.clone()
    }

    fn read(&self, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        if let Some(reason) = self.withheld.get(path) {
            return Err(io::Error::other(*reason));
        }
        self.guard.read(&*self.source, path, limit)
    }

    fn open<'s>(&'s self, path: &str) -> io::Result<Box<dyn Read + 's>> {
        Ok(Box::new(io::Cursor::new(self.read(path, u64::MAX)?)))
    }
}
