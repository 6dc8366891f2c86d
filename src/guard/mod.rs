//! Guard: nothing that is published holds a secret or the home of a user.
//!
//! [`Guard::of`] looks through every file and name of a source before anything is read, and
//! [`Guarded`] gives both without what was found. So readers, previews, differences, the search
//! and stored files see only what may be published, and none of them has to think of it.
//! [`Guarded::finish`] then looks through the texts of the workspace, for secrets that a document
//! wrote with escapes, and says what was found.
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
mod publish;
mod rules;
mod scan;
mod shapes;
mod source;
mod texts;
mod values;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use rayon::prelude::*;

use crate::files::{Entry, EntryKind, Hidden, Source};
use crate::guard::names::Names;
use crate::guard::scan::Findings;
use crate::guard::shapes::Index;
use crate::model::Place;

pub use crate::guard::found::Earlier;
pub use crate::guard::source::Guarded;

/// What must not be published of one source.
#[derive(Default)]
pub struct Guard {
    index: Index,
    names: Names,
    /// By the path shown; only files with something in them, or that are no text.
    files: BTreeMap<String, Findings>,
    /// What was found before, and is marked already, by the path shown.
    earlier: BTreeMap<String, Earlier>,
    /// What was kept out of the report before, by the path shown.
    withheld: BTreeSet<String>,
    is_on: bool,
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard").field("files", &self.files).finish_non_exhaustive()
    }
}

impl Guard {
    /// Looks through the files among `entries` that `is_meant` accepts, and through all names.
    /// `roots` are the folders where the source lies on its machine.
    pub fn of(
        source: &dyn Source,
        entries: &[Entry],
        is_meant: &(dyn Fn(&str) -> bool + Sync),
        roots: &[String],
    ) -> Self {
        let index = Index::new(roots);
        let mut entries = entries.to_vec();
        let names = Names::of(&mut entries, &index);
        let scanned = entries.par_iter().filter_map(|entry| {
            let path = names.source(&entry.path);
            let is_file = entry.kind == EntryKind::File && is_meant(path);
            let mut reader = is_file.then(|| source.open(path).ok()).flatten()?;
            // What cannot be read now cannot be read later; its reader says so.
            let findings = scan::scan(&mut reader, entry.bytes, &index).ok()?;
            let is_kept = !findings.is_clean() || findings.encoding == scan::Encoding::Binary;
            is_kept.then(|| (entry.path.clone(), findings))
        });
        let files = scanned.collect();
        Self { index, names, files, is_on: true, ..Self::default() }
    }

    /// Gives every entry its name and size as they are shown.
    pub fn show(&self, entries: &mut [Entry]) {
        self.names.show(entries);
        for entry in entries {
            if let Some(findings) = self.files.get(&entry.path).filter(|it| source::is_redacted(it))
            {
                let gone: u64 = findings.spans.iter().map(|span| u64::from(span.length)).sum();
                let marks = findings.spans.iter();
                let marks = marks.map(|it| source::mark(it, findings.encoding, &self.index).len());
                entry.bytes = entry.bytes.saturating_sub(gone) + marks.sum::<usize>() as u64;
            }
        }
    }

    /// The path shown of a path in the source.
    pub fn shown<'p>(&'p self, path: &'p str) -> &'p str {
        self.names.shown(path)
    }

    /// Where the mark of the secret at `place` of a file stands in the file as it is shown.
    pub fn shown_place(&self, path: &str, place: Place) -> Place {
        let secrets = self.files.get(path).map(|found| found.places.as_slice()).unwrap_or_default();
        secrets.iter().find(|it| it.place == place).map_or(place, |it| it.shown)
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
