//! Guard: nothing that is published holds a secret or the home of a user.
//!
//! [`Guarded`] gives the names and files of a source without secrets: each file is looked through
//! while it is given, so that what changes on disk meanwhile is never given unseen. So readers,
//! previews, differences, the search and stored files see only what may be published, and none of
//! them has to think of it. [`Guard::look_through`] looks through everything once before, for what
//! is to be told. [`Guarded::finish`] then looks through the texts of the workspace, for secrets
//! that a document wrote with escapes, and says what was found.
//!
//! A secret is replaced by a mark such as `[redacted: github token]`, a home by `~`, the
//! workspace's own folder by `.`. A new kind of secret is a row of a table in `rules`.

mod blocks;
mod context;
mod encoded;
mod escapes;
mod found;
mod given;
mod homes;
mod names;
mod packed;
mod publish;
mod rules;
mod scan;
mod shapes;
mod source;
mod stream;
mod texts;
mod values;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, Read};

use rayon::prelude::*;

use crate::files::{Entry, EntryKind, Hidden, Source};
use crate::guard::names::Names;
use crate::guard::shapes::Index;
use crate::guard::stream::{Encoding, Findings, Stream};
use crate::model::Place;

pub use crate::guard::found::FoundInFile;
pub use crate::guard::source::Guarded;

/// Files that are no text are looked through up to this size before; larger ones when they are
/// given.
const MOST_BINARY: u64 = 256 * 1024 * 1024;

/// What must not be published of one source.
#[derive(Default)]
pub struct Guard {
    index: Index,
    names: Names,
    /// Everything in the source, as it is shown.
    entries: Vec<Entry>,
    /// By the path shown; only files with something in them, or that are no text.
    files: BTreeMap<String, Findings>,
    /// What was found before, and is marked already, by the path shown.
    earlier: BTreeMap<String, FoundInFile>,
    /// What was kept out of the report before, by the path shown.
    withheld: BTreeSet<String>,
    /// Whether a file whose secrets cannot be replaced is given all the same.
    keeps_secret_files: bool,
    is_on: bool,
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard").field("files", &self.files).finish_non_exhaustive()
    }
}

impl Guard {
    /// A guard of a source that holds `entries`. `roots` are the folders where it lies on its
    /// machine.
    pub fn new(mut entries: Vec<Entry>, roots: &[String]) -> Self {
        let index = Index::new(roots);
        let names = Names::new(&mut entries, &index);
        Self { index, names, entries, is_on: true, ..Self::default() }
    }

    /// Gives files whose secrets cannot be replaced as they are.
    pub fn keep_secret_files(&mut self) {
        self.keeps_secret_files = true;
    }

    /// A guard that lets everything through as it is.
    pub fn off(entries: Vec<Entry>) -> Self {
        Self { entries, ..Self::default() }
    }

    /// Everything in the source, as it is shown.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Looks through the files that `is_meant` accepts by the path shown: what is found is told,
    /// and files shrink or grow by their marks.
    pub fn look_through(&mut self, source: &dyn Source, is_meant: &(dyn Fn(&str) -> bool + Sync)) {
        if !self.is_on {
            return;
        }
        let found = self.entries.par_iter().filter_map(|entry| {
            let is_file = entry.kind == EntryKind::File && is_meant(&entry.path);
            // What cannot be read now cannot be read later; its reader says so.
            let findings = is_file.then(|| self.findings(source, entry).ok()).flatten()?;
            let is_kept = !findings.counts.is_empty() || findings.encoding == Encoding::Binary;
            is_kept.then(|| (entry.path.clone(), findings))
        });
        self.files = found.collect();
        for entry in &mut self.entries {
            entry.bytes = self.files.get(&entry.path).map_or(entry.bytes, |found| found.bytes);
        }
    }

    fn findings(&self, source: &dyn Source, entry: &Entry) -> io::Result<Findings> {
        let inner = source.open(self.in_source(&entry.path))?;
        let stream = Stream::new(inner, &self.index)?;
        match stream.encoding() {
            Encoding::Binary if entry.bytes > MOST_BINARY => {
                let (encoding, bytes) = (Encoding::Binary, entry.bytes);
                Ok(Findings { encoding, bytes, ..Findings::default() })
            }
            _ => stream.into_findings(),
        }
    }

    /// The file of `source` at a path shown, as it may be published.
    ///
    /// # Errors
    /// When it is gone or may not be read; reading fails at a secret that cannot be replaced.
    pub fn open<'s>(
        &'s self,
        source: &'s dyn Source,
        path: &str,
    ) -> io::Result<Box<dyn Read + 's>> {
        let inner = source.open(self.in_source(path))?;
        match self.is_on {
            true => {
                let stream = Stream::new(inner, &self.index)?;
                Ok(Box::new(if self.keeps_secret_files { stream.whole() } else { stream }))
            }
            false => Ok(inner),
        }
    }

    /// The same file, at most `limit` bytes of it.
    ///
    /// # Errors
    /// As for [`Guard::open`].
    pub fn read(&self, source: &dyn Source, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open(source, path)?.take(limit).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The path shown of a path in the source.
    pub fn shown<'p>(&'p self, path: &'p str) -> &'p str {
        self.names.shown(path)
    }

    /// Where the mark of the secret at `place` of a file stands in the file as it is shown.
    pub fn shown_place(&self, path: &str, place: Place) -> Place {
        let secrets = self.files.get(path).map(|found| found.places.as_slice()).unwrap_or_default();
        secrets.iter().find(|secret| secret.place == place).map_or(place, |secret| secret.shown)
    }

    /// `text` as it may be published.
    pub fn clean<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let marked = self.is_on.then(|| scan::redact(text, &self.index)).flatten();
        marked.map_or(Cow::Borrowed(text), |(marked, _)| Cow::Owned(marked))
    }

    /// What of `text` may not be published.
    pub fn hidden(&self, text: &str) -> Vec<Hidden> {
        let found = if self.is_on { scan::hidden(text, &self.index) } else { Vec::new() };
        let hidden = |(range, shape)| Hidden { range, mark: self.index.mark(shape).to_owned() };
        found.into_iter().map(hidden).collect()
    }

    /// The path in the source of a path shown.
    pub fn in_source<'p>(&'p self, path: &'p str) -> &'p str {
        self.names.source(path)
    }
}
