//! A source that gives no secret: every byte and every name of it is as it may be published.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::Arc;

use crate::files::{Entry, Hidden, Source, Withheld};
use crate::guard::Guard;
use crate::guard::stream::Findings;

/// A source behind the guard.
#[derive(Debug)]
pub struct Guarded<S> {
    source: S,
    guard: Arc<Guard>,
    withheld: BTreeMap<String, Withheld>,
}

impl<S> Guarded<S> {
    /// `source` as `guard` found it.
    pub fn new(source: S, guard: Guard) -> Self {
        Self { source, guard: Arc::new(guard), withheld: BTreeMap::new() }
    }

    /// Another opening of the same source behind the same guard.
    pub fn again(&self, source: S) -> Self {
        Self { source, guard: Arc::clone(&self.guard), withheld: BTreeMap::new() }
    }

    /// The source itself.
    pub fn inner(&self) -> &S {
        &self.source
    }

    /// The guard.
    pub fn guard(&self) -> &Guard {
        &self.guard
    }

    /// The guard, to be kept.
    pub fn shared(&self) -> Arc<Guard> {
        Arc::clone(&self.guard)
    }

    /// Gives the file at `path` no more.
    pub fn withhold(&mut self, path: String, reason: Withheld) {
        self.withheld.insert(path, reason);
    }

    /// Refuses what is not to be published.
    fn allow(&self, path: &str) -> io::Result<()> {
        let is_unsafe = self.guard.files.get(path).is_some_and(Findings::is_unsafe);
        let is_kept = self.guard.keeps_secret_files;
        let unsafe_file = (is_unsafe && !is_kept).then_some(Withheld::Unsafe);
        match self.withheld.get(path).copied().or(unsafe_file) {
            Some(reason) => Err(io::Error::other(reason)),
            None => Ok(()),
        }
    }
}

impl<S: Source> Source for Guarded<S> {
    fn list(&self, _skip: &dyn Fn(&str) -> bool) -> Vec<Entry> {
        self.guard.entries.clone()
    }

    fn read(&self, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        self.allow(path)?;
        self.guard.read(&self.source, path, limit)
    }

    fn open<'s>(&'s self, path: &str) -> io::Result<Box<dyn Read + 's>> {
        self.allow(path)?;
        self.guard.open(&self.source, path)
    }

    fn hidden(&self, text: &str) -> Vec<Hidden> {
        self.guard.hidden(text)
    }
}
