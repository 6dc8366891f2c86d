//! A source in which results of other tools lie as the files of a workspace of ours.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::sync::Arc;

use crate::files::is_taken;
use input::files::{Entry, EntryKind, Source};
use input::model::Problem;
use input::names;

/// A file that is presented.
pub(super) struct Presented {
    pub(super) content: Content,
    /// The real file that it was made from.
    pub(super) origin: String,
    /// The run that it belongs to, in words; `None` if it belongs to the case or to all.
    pub(super) run: Option<Arc<str>>,
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
        let mut runs: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for Presented { origin, run, .. } in self.presented.values() {
            runs.entry(origin).or_default().extend(run.as_deref());
        }
        let mut origins = BTreeMap::new();
        for (path, Presented { origin, run, .. }) in &self.presented {
            // The name of a file tells which run it is about, unless it is about several.
            let is_shared = runs.get(origin.as_str()).is_some_and(|runs| runs.len() > 1);
            let run = if is_shared { run.clone() } else { None };
            origins.insert(path.clone(), Made { origin: origin.clone(), run });
        }
        Origins(Arc::new(origins))
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
            Some(Presented { content: Content::Real, origin, .. }) => self.inner.open(origin),
            None => self.inner.open(path),
        }
    }
}

/// By presented path, what it was made from.
#[derive(Clone, Debug, Default)]
pub struct Origins(Arc<BTreeMap<String, Made>>);

#[derive(Debug)]
struct Made {
    /// The real file.
    origin: String,
    /// The run that it belongs to, in words; `None` if the real file has no other run.
    run: Option<Arc<str>>,
}

impl Origins {
    /// Makes a problem of the workspace in `prefix` name the real file, and the run in it.
    pub fn restore(&self, problem: &mut Problem, prefix: &str) {
        let path = names::join(prefix, &problem.path);
        let Some(origin) = self.of(&path) else { return };
        if origin != path {
            problem.path = names::below(origin, prefix).unwrap_or(origin).to_owned();
            // Lines of a document that was made are nowhere on disk.
            problem.place = None;
            // One file may have the results of a hundred runs.
            if let Some(run) = self.run(&path) {
                problem.message = format!("{run}: {}", problem.message);
            }
        }
    }

    /// The real file of a presented file or folder.
    pub fn of(&self, path: &str) -> Option<&str> {
        self.below(path).next().map(|made| made.origin.as_str())
    }

    /// The run that everything at `path` belongs to; `None` if there is no single one.
    fn run(&self, path: &str) -> Option<&str> {
        let run = self.below(path).next()?.run.as_deref();
        if self.below(path).all(|made| made.run.as_deref() == run) { run } else { None }
    }

    fn below(&self, path: &str) -> impl Iterator<Item = &Made> {
        let made = self.0.range(path.to_owned()..);
        made.take_while(move |(made, _)| names::is_in(made, path)).map(|(_, made)| made)
    }
}
