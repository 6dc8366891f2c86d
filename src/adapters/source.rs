//! A source in which results of other tools lie as the files of a workspace of ours.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::sync::Arc;

use crate::adapters::files::is_taken;
use crate::discover::names;
use crate::files::{Entry, EntryKind, Source};
use crate::model::Problem;

/// A file that is presented.
pub(super) struct Presented {
    pub(super) content: Content,
    /// The real file that it was made from.
    pub(super) origin: String,
}

pub(super) enum Content {
    Made(Vec<u8>),
    /// The bytes of the real file.
    Real,
}

pub(super) struct AdaptedSource {
    inner: Arc<dyn Source>,
    entries: Vec<Entry>,
    presented: BTreeMap<String, Presented>,
}

impl AdaptedSource {
    /// `taken` are the files and folders that are no longer shown as what they are.
    pub(super) fn new(
        inner: Arc<dyn Source>,
        entries: &[Entry],
        presented: BTreeMap<String, Presented>,
        taken: &BTreeSet<String>,
    ) -> Self {
        let mut bytes = BTreeMap::new();
        let mut kept: Vec<Entry> = Vec::new();
        for entry in entries {
            bytes.insert(entry.path.as_str(), entry.bytes);
            let is_shown = !is_taken(taken, &entry.path) || entry.kind == EntryKind::Folder;
            if is_shown && !presented.contains_key(&entry.path) {
                kept.push(entry.clone());
            }
        }
        for (path, file) in &presented {
            let size = match &file.content {
                Content::Made(made) => made.len() as u64,
                Content::Real => bytes.get(file.origin.as_str()).copied().unwrap_or_default(),
            };
            kept.push(Entry::file(path, size));
        }
        kept.sort_by(|a, b| a.path.split('/').cmp(b.path.split('/')));
        Self { inner, entries: without_empty_folders(kept), presented }
    }

    pub(super) fn origins(&self) -> Origins {
        let origins = self.presented.iter();
        Origins(Arc::new(origins.map(|(path, file)| (path.clone(), file.origin.clone())).collect()))
    }
}

/// A folder of which everything was taken is no longer there.
fn without_empty_folders(mut entries: Vec<Entry>) -> Vec<Entry> {
    let mut filled = BTreeSet::new();
    for entry in entries.iter().filter(|entry| entry.kind != EntryKind::Folder) {
        filled.extend(names::folders_above(&entry.path).map(str::to_owned));
    }
    entries.retain(|entry| entry.kind != EntryKind::Folder || filled.contains(&entry.path));
    entries
}

impl Source for AdaptedSource {
    fn list(&self, _skip: &dyn Fn(&str) -> bool) -> Vec<Entry> {
        self.entries.clone()
    }

    fn open<'s>(&'s self, path: &str) -> io::Result<Box<dyn Read + 's>> {
        match self.presented.get(path) {
            Some(Presented { content: Content::Made(bytes), .. }) => Ok(Box::new(bytes.as_slice())),
            Some(Presented { content: Content::Real, origin }) => self.inner.open(origin),
            None => self.inner.open(path),
        }
    }
}

/// By presented path, the real file.
#[derive(Clone, Debug, Default)]
pub struct Origins(Arc<BTreeMap<String, String>>);

impl Origins {
    /// Makes a problem of the workspace in `prefix` name the real file.
    pub fn restore(&self, problem: &mut Problem, prefix: &str) {
        let path = names::join(prefix, &problem.path);
        let Some(origin) = self.of(&path) else { return };
        if origin != path {
            problem.path = names::below(origin, prefix).unwrap_or(origin).to_owned();
            // Lines of a document that was made are nowhere on disk.
            problem.place = None;
        }
    }

    /// The real file of a presented file or folder.
    pub fn of(&self, path: &str) -> Option<&str> {
        let (first, origin) = self.0.range(path.to_owned()..).next()?;
        if names::is_in(first, path) { Some(origin) } else { None }
    }
}
