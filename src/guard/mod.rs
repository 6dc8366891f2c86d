//! Guard: nothing that is published holds a secret or the home of a user.
//!
//! [`Guarded`] returns the names and files of a source with secrets replaced by marks. Each file is
//! scanned while it is read, so that a change on disk cannot slip through. [`Guard::scan`]
//! scans everything beforehand, for the report; [`Guarded::finish`] scans the texts of the
//! workspace, for secrets that a document wrote with escapes.

mod context;
mod escapes;
mod given;
mod keyword_index;
mod packed;
mod redact_workspace;
mod rule;
mod rules;
mod stream;
mod values;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::sync::Arc;

use rayon::prelude::*;

use crate::files::{Entry, EntryKind, Hidden, Source, Withheld};
use crate::guard::keyword_index::KeywordIndex;
use crate::guard::rule::{Findings, FoundInFile, Label};
use crate::guard::stream::GuardedStream;
use crate::model::Place;

/// Larger files that are not text are only scanned when they are read.
const MOST_BINARY: u64 = 256 * 1024 * 1024;

#[derive(Debug, Default)]
pub struct Guard {
    index: KeywordIndex,
    names: ShownNames,
    entries: Vec<Entry>,
    /// By displayed path; only files with findings, or that are not text.
    files: BTreeMap<String, Findings>,
    /// Whether a file whose secrets cannot be replaced is published anyway.
    pub keeps_secret_files: bool,
    is_on: bool,
}

impl Guard {
    /// `roots` are the folders of the source on its machine.
    pub fn new(mut entries: Vec<Entry>, roots: &[String]) -> Self {
        let index = KeywordIndex::new(roots);
        let names = ShownNames::new(&mut entries, &index);
        Self { index, names, entries, is_on: true, ..Self::default() }
    }

    /// A guard that lets everything through unchanged.
    pub fn off(entries: Vec<Entry>) -> Self {
        Self { entries, ..Self::default() }
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Scans the files that `is_meant` accepts; marks change their size.
    pub fn scan(&mut self, source: &dyn Source, is_meant: &(dyn Fn(&str) -> bool + Sync)) {
        if !self.is_on {
            return;
        }
        let scanned = self.entries.par_iter().filter_map(|entry| {
            let is_file = entry.kind == EntryKind::File && is_meant(&entry.path);
            // A file that cannot be read now cannot be read later; its reader reports that.
            let findings = is_file.then(|| self.findings(source, entry).ok()).flatten()?;
            let is_kept = !findings.found.replaced.is_empty() || findings.found.is_binary;
            is_kept.then(|| (entry.path.clone(), findings))
        });
        self.files = scanned.collect();
        for entry in &mut self.entries {
            entry.bytes =
                self.files.get(&entry.path).map_or(entry.bytes, |findings| findings.bytes);
        }
    }

    fn findings(&self, source: &dyn Source, entry: &Entry) -> io::Result<Findings> {
        let stream = GuardedStream::new(source.open(self.in_source(&entry.path))?, &self.index)?;
        if stream.findings.found.is_binary && entry.bytes > MOST_BINARY {
            let in_file = FoundInFile { is_binary: true, ..FoundInFile::default() };
            return Ok(Findings { found: in_file, bytes: entry.bytes, ..Findings::default() });
        }
        stream.into_findings()
    }

    /// The file of `source` at a displayed path, ready to be published.
    pub fn open<'s>(
        &'s self,
        source: &'s dyn Source,
        path: &str,
    ) -> io::Result<Box<dyn Read + 's>> {
        let inner = source.open(self.in_source(path))?;
        if !self.is_on {
            return Ok(inner);
        }
        let mut stream = GuardedStream::new(inner, &self.index)?;
        stream.is_whole = self.keeps_secret_files;
        Ok(Box::new(stream))
    }

    pub fn read(&self, source: &dyn Source, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open(source, path)?.take(limit).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The displayed path for a path in the source.
    pub fn shown<'p>(&'p self, path: &'p str) -> &'p str {
        self.names.to_shown.get(path).map_or(path, String::as_str)
    }

    /// The path in the source for a displayed path.
    pub fn in_source<'p>(&'p self, path: &'p str) -> &'p str {
        self.names.to_source.get(path).map_or(path, String::as_str)
    }

    /// The place of the mark, in the displayed file, for the secret at `place`.
    pub fn shown_place(&self, path: &str, place: Place) -> Place {
        let Some(findings) = self.files.get(path) else { return place };
        let mut secrets = findings.found.places.iter().zip(&findings.shown);
        let secret = secrets.find(|((original, _), _)| *original == place);
        secret.map_or(place, |(_, shown)| *shown)
    }

    pub fn clean<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let marked = self.is_on.then(|| self.index.redact(text)).flatten();
        marked.map_or(Cow::Borrowed(text), |(marked, _)| Cow::Owned(marked))
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
    pub fn new(source: Arc<dyn Source>, guard: Guard) -> Self {
        Self { source, guard: Arc::new(guard), withheld: BTreeMap::new() }
    }

    pub fn inner(&self) -> &Arc<dyn Source> {
        &self.source
    }

    pub fn guard(&self) -> &Arc<Guard> {
        &self.guard
    }

    fn allow(&self, path: &str) -> io::Result<()> {
        let is_unsafe =
            self.guard.files.get(path).is_some_and(|findings| findings.found.cannot_be_redacted());
        let is_withheld = is_unsafe && !self.guard.keeps_secret_files;
        let reason = self.withheld.get(path).copied();
        match reason.or(is_withheld.then_some(Withheld::Unsafe)) {
            Some(reason) => Err(io::Error::other(reason)),
            None => Ok(()),
        }
    }
}

impl Source for Guarded {
    fn list(&self, _skip: &dyn Fn(&str) -> bool) -> Vec<Entry> {
        self.guard.entries.clone()
    }

    fn open<'s>(&'s self, path: &str) -> io::Result<Box<dyn Read + 's>> {
        self.allow(path)?;
        self.guard.open(&*self.source, path)
    }

    fn hidden(&self, text: &str) -> Vec<Hidden> {
        if !self.guard.is_on {
            return Vec::new();
        }
        let secrets = self.guard.index.hidden(text).into_iter();
        let mark = |shape| rule::mark(keyword_index::label(shape)).into_owned();
        secrets.map(|one| Hidden { range: one.range, mark: mark(one.shape) }).collect()
    }
}

/// Paths in the source by displayed path, if they differ.
#[derive(Debug, Default)]
struct ShownNames {
    to_source: BTreeMap<String, String>,
    to_shown: BTreeMap<String, String>,
    found: Vec<(String, Label)>,
}

impl ShownNames {
    /// Shows each entry under a unique path; folders still precede their contents.
    fn new(entries: &mut [Entry], index: &KeywordIndex) -> Self {
        let mut names = Self::default();
        let is_odd = |entry: &Entry| entry.path.split('/').any(|name| index.redact(name).is_some());
        if entries.iter().any(is_odd) {
            let mut taken = entries.iter().map(|entry| entry.path.clone()).collect();
            entries.iter().for_each(|entry| names.add(&entry.path, &mut taken, index));
            for entry in entries.iter_mut() {
                if let Some(path) = names.to_shown.get(&entry.path) {
                    entry.path.clone_from(path);
                }
            }
            entries.sort_by(|a, b| a.path.split('/').cmp(b.path.split('/')));
        }
        names
    }

    fn add(&mut self, path: &str, taken: &mut BTreeSet<String>, index: &KeywordIndex) {
        let (mut source, mut out) = (String::new(), String::new());
        for name in path.split('/') {
            let slash = if source.is_empty() { "" } else { "/" };
            source = format!("{source}{slash}{name}");
            if let Some(path) = self.to_shown.get(&source) {
                out.clone_from(path);
                continue;
            }
            let (wanted, labels) = index.redact(name).unwrap_or((name.to_owned(), Vec::new()));
            let candidate = format!("{out}{slash}{wanted}");
            out = if candidate == source { candidate } else { free(&candidate, taken) };
            self.found.extend(labels.into_iter().map(|label| (out.clone(), label)));
            if out != source {
                taken.insert(out.clone());
                self.to_source.insert(out.clone(), source.clone());
                self.to_shown.insert(source.clone(), out.clone());
            }
        }
    }
}

/// `path`, with a number before its extension if it is taken.
fn free(path: &str, taken: &BTreeSet<String>) -> String {
    let start = path.rfind('/').map_or(0, |at| at + 1);
    let dot = path[start..].rfind('.').filter(|at| *at > 0).map_or(path.len(), |at| start + at);
    let numbered = (2_usize..).map(|number| format!("{} {number}{}", &path[..dot], &path[dot..]));
    std::iter::once(path.to_owned())
        .chain(numbered)
        .find(|path| !taken.contains(path))
        .unwrap_or_default()
}
