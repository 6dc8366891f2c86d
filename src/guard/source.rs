//! A source that gives no secret: every byte and every name of it is as it may be published.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::Arc;

use crate::files::{Entry, Hidden, Source, Withheld};
use crate::guard::Guard;
use crate::guard::scan::{Encoding, Findings, Span};
use crate::guard::shapes::Index;

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

    fn findings(&self, path: &str) -> Option<&Findings> {
        self.guard.files.get(path)
    }

    /// Refuses what is not to be published.
    fn allow(&self, path: &str) -> io::Result<()> {
        let is_unsafe = self.findings(path).is_some_and(cannot_be_redacted);
        let unsafe_file = is_unsafe.then_some(Withheld::Unsafe);
        match self.withheld.get(path).copied().or(unsafe_file) {
            Some(reason) => Err(io::Error::other(reason)),
            None => Ok(()),
        }
    }
}

/// Whether the secrets of a file stay in it: there are too many, or it is no text.
pub(super) fn cannot_be_redacted(findings: &Findings) -> bool {
    findings.is_dense || (findings.encoding == Encoding::Binary && !findings.places.is_empty())
}

/// Whether something in the file is replaced when it is read.
pub(super) fn is_redacted(findings: &Findings) -> bool {
    findings.encoding != Encoding::Binary && !findings.spans.is_empty()
}

impl<S: Source> Source for Guarded<S> {
    fn list(&self, skip: &dyn Fn(&str) -> bool) -> Vec<Entry> {
        let mut entries = self.source.list(skip);
        self.guard.show(&mut entries);
        entries
    }

    fn read(&self, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        self.allow(path)?;
        if self.findings(path).is_none_or(|found| !is_redacted(found)) {
            return self.source.read(self.guard.in_source(path), limit);
        }
        let mut bytes = Vec::new();
        self.open(path)?.take(limit).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn open<'s>(&'s self, path: &str) -> io::Result<Box<dyn Read + 's>> {
        self.allow(path)?;
        let inner = self.source.open(self.guard.in_source(path))?;
        match self.findings(path).filter(|found| is_redacted(found)) {
            Some(findings) => Ok(Box::new(Redacted::new(inner, findings, &self.guard.index))),
            None => Ok(inner),
        }
    }

    fn hidden(&self, text: &str) -> Vec<Hidden> {
        self.guard.hidden(text)
    }
}

/// The mark of a shape in the encoding of its file.
pub(super) fn mark(span: &Span, encoding: Encoding, index: &Index) -> Vec<u8> {
    let mark = index.mark(usize::from(span.shape)).as_bytes();
    match encoding {
        Encoding::Little => mark.iter().flat_map(|byte| [*byte, 0]).collect(),
        Encoding::Big => mark.iter().flat_map(|byte| [0, *byte]).collect(),
        Encoding::Narrow | Encoding::Binary => mark.to_vec(),
    }
}

/// A file with marks in the place of what was found.
struct Redacted<'s> {
    inner: Box<dyn Read + 's>,
    findings: &'s Findings,
    index: &'s Index,
    /// Which finding comes next.
    next: usize,
    /// How far the inner reader is.
    at: u64,
    /// What is to be given before it goes on.
    waiting: io::Cursor<Vec<u8>>,
}

impl<'s> Redacted<'s> {
    fn new(inner: Box<dyn Read + 's>, findings: &'s Findings, index: &'s Index) -> Self {
        let waiting = io::Cursor::new(Vec::new());
        Self { inner, findings, index, next: 0, at: 0, waiting }
    }

    /// Passes over the bytes of a finding; its mark waits.
    fn replace(&mut self, span: Span) -> io::Result<()> {
        let length = u64::from(span.length);
        io::copy(&mut self.inner.by_ref().take(length), &mut io::sink())?;
        self.at += length;
        self.next += 1;
        self.waiting = io::Cursor::new(mark(&span, self.findings.encoding, self.index));
        Ok(())
    }
}

impl Read for Redacted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let waiting = self.waiting.read(buffer)?;
            let next = self.findings.spans.get(self.next).copied();
            match next {
                _ if waiting > 0 || buffer.is_empty() => return Ok(waiting),
                Some(span) if span.start <= self.at => self.replace(span)?,
                _ => {
                    let most = next.map_or(u64::MAX, |span| span.start - self.at);
                    let most = buffer.len().min(usize::try_from(most).unwrap_or(usize::MAX));
                    let length = self.inner.read(&mut buffer[..most])?;
                    self.at += length as u64;
                    return Ok(length);
                }
            }
        }
    }
}
