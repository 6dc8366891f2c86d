//! One file on its way out: the bytes read from a [`GuardedStream`] hold no secret, and are scanned
//! at that moment. The end of a part is scanned again with the next one, so that nothing is missed
//! at the boundary.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::ops::Range;

use crate::files::Withheld;
use crate::formats::{self, ByteOrder};
use crate::guard::context::TextTable;
use crate::guard::keyword_index::{KeywordIndex, join_overlaps, label};
use crate::guard::packed;
use crate::guard::rule::{BEHIND, FoundSecret, LONGEST, Label, is_folder, mark};
use crate::guard::rule::{Findings, FoundInFile};
use crate::guard::rules::KNOWN;
use crate::model::Place;

/// Characters scanned at a time.
const WINDOW: usize = 256 * 1024;

/// Characters after them that a secret may reach into.
const AHEAD: usize = LONGEST + 1024;

/// The most places in one file that are reported one by one.
const MOST_PLACES: usize = 20;

/// Bytes in which a zero means that a file is not text.
const HEAD: usize = 8 * 1024;

/// How marks are written into a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    /// One byte for characters of ASCII.
    Narrow,
    Wide(ByteOrder),
    /// Not text: a picture, an archive, a PDF.
    Binary,
}

/// A file without secrets; one that is not text fails at the first secret.
pub(super) struct GuardedStream<'i, R> {
    inner: R,
    index: &'i KeywordIndex,
    encoding: Encoding,
    pub(super) findings: Findings,
    /// Bytes that were read and are still needed, unchanged.
    raw: Vec<u8>,
    /// The same with one byte for each character, for UTF-16.
    narrow: Vec<u8>,
    /// How far every anchor was checked, in characters of `raw`.
    done: usize,
    /// How far the output got.
    given: usize,
    is_end: bool,
    /// Whether a file that is not text is published with its secrets.
    pub(super) is_whole: bool,
    /// Findings after the scanned part.
    pending: Vec<FoundSecret>,
    /// The table that continues in the next part.
    table: Option<TextTable>,
    ready: io::Cursor<Vec<u8>>,
    /// The place in the file, and in the displayed file.
    at: Counter,
    shown: Counter,
}

const START: Place = Place { line: 1, column: 1 };

/// How far lines were counted, and the place there.
struct Counter {
    counted: usize,
    place: Place,
}

impl Counter {
    /// Counts on to `end` in the text.
    fn count_to(&mut self, text: &[u8], end: usize) {
        let Some(passed) = text.get(self.counted..end) else { return };
        let last = memchr::memrchr(b'\n', passed);
        if last.is_some() {
            self.place.line += memchr::memchr_iter(b'\n', passed).count();
            self.place.column = 1;
        }
        let tail = &passed[last.map_or(0, |last| last + 1)..];
        // Continuation bytes of a character are not a column.
        self.place.column += tail.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        self.counted = end;
    }
}

impl<'i, R: Read> GuardedStream<'i, R> {
    /// The content of `inner` without the findings of `index`.
    pub(super) fn new(mut inner: R, index: &'i KeywordIndex) -> io::Result<Self> {
        let mut raw = Vec::with_capacity(HEAD);
        inner.by_ref().take(HEAD as u64).read_to_end(&mut raw)?;
        let encoding = match formats::encoding(&raw) {
            Some(formats::Encoding::Utf16(order)) => Encoding::Wide(order),
            None if packed::is_packed(&raw) || raw.contains(&0) => Encoding::Binary,
            // Bytes that no page shows as text may be text in an older encoding, with secrets in it.
            _ => Encoding::Narrow,
        };
        let is_binary = encoding == Encoding::Binary;
        let in_file = FoundInFile { is_binary, ..FoundInFile::default() };
        let mut stream = Self {
            is_end: raw.len() < HEAD,
            inner,
            index,
            encoding,
            findings: Findings { found: in_file, ..Findings::default() },
            raw,
            narrow: Vec::new(),
            done: 0,
            given: 0,
            is_whole: false,
            pending: Vec::new(),
            table: None,
            ready: io::Cursor::default(),
            at: Counter { counted: 0, place: START },
            shown: Counter { counted: 0, place: START },
        };
        stream.narrow();
        if is_binary && packed::is_packed(&stream.raw) {
            stream.unpack()?;
        }
        Ok(stream)
    }

    /// Scans an archive or a PDF, which must be complete for that.
    fn unpack(&mut self) -> io::Result<()> {
        let read = self.inner.by_ref().take(packed::MOST).read_to_end(&mut self.raw)?;
        self.is_end = (read as u64) < packed::MOST;
        let mut shapes = BTreeSet::new();
        packed::each_text(&self.raw, &mut |text| {
            let secrets = self.index.find(text, 0..text.len(), &mut None).into_iter();
            shapes.extend(secrets.map(|secret| secret.shape).filter(|shape| *shape < KNOWN));
        });
        for label in shapes.into_iter().map(label) {
            self.findings.found.count(label);
            self.note_place(label);
        }
        Ok(())
    }

    /// Scans everything, and returns only the findings.
    pub(super) fn into_findings(mut self) -> io::Result<Findings> {
        while self.step()? {
            self.findings.bytes += self.ready.get_ref().len() as u64;
        }
        Ok(self.findings)
    }

    /// Bytes per character.
    fn width(&self) -> usize {
        if matches!(self.encoding, Encoding::Wide(_)) { 2 } else { 1 }
    }

    /// The part still needed, with one byte for each character.
    fn text(&self) -> &[u8] {
        if self.width() == 1 { &self.raw } else { &self.narrow }
    }

    /// Prepares the next part; `false` if there is none.
    fn step(&mut self) -> io::Result<bool> {
        self.ready = io::Cursor::default();
        if self.is_end && self.given == self.text().len() {
            return Ok(false);
        }
        let wanted = (self.done + WINDOW + AHEAD) * self.width();
        let missing = wanted.saturating_sub(self.raw.len());
        if !self.is_end && missing > 0 {
            let read = self.inner.by_ref().take(missing as u64).read_to_end(&mut self.raw)?;
            self.is_end = read < missing;
            self.narrow();
        }
        let end = self.text().len() - if self.is_end { 0 } else { AHEAD };
        let mut out = Vec::with_capacity(self.raw.len());
        for FoundSecret { range, shape } in self.find(end) {
            let range = range.start.max(self.given)..range.end;
            if range.start >= end {
                self.pending.push(FoundSecret { range, shape });
            } else if !range.is_empty() {
                self.replace(range, label(shape), &mut out);
            }
        }
        self.done = end.max(self.given);
        if self.is_end {
            out.extend_from_slice(&self.raw[self.given * self.width()..]);
            self.given = self.text().len();
        } else {
            // A later anchor may be within the secret that it leads to.
            self.give(self.done - BEHIND, &mut out);
        }
        self.ready = io::Cursor::new(out);
        self.forward();
        Ok(true)
    }

    /// The secrets up to `end`. In a file that is not text, only those of known shape.
    fn find(&mut self, end: usize) -> Vec<FoundSecret> {
        let text = if self.width() == 1 { &self.raw } else { &self.narrow };
        let mut secrets = match self.encoding {
            Encoding::Binary => self.index.find_known(text, self.done..end),
            _ => self.index.find(text, self.done..end, &mut self.table),
        };
        secrets.append(&mut self.pending);
        join_overlaps(secrets)
    }

    /// Appends the bytes read to the narrow text: ASCII unchanged, everything else as a byte beyond
    /// it.
    fn narrow(&mut self) {
        let Encoding::Wide(order) = self.encoding else { return };
        let low = usize::from(order == ByteOrder::Big);
        let units = self.raw[self.narrow.len() * 2..].chunks_exact(2);
        self.narrow.extend(units.map(|unit| {
            let is_ascii = unit[1 - low] == 0 && unit[low] < 0x80;
            if is_ascii { unit[low] } else { 0xff }
        }));
    }

    /// Writes a mark in place of `range`. In a file that is not text it would break the format.
    fn replace(&mut self, range: Range<usize>, label: Label, out: &mut Vec<u8>) {
        self.findings.found.count(label);
        let mark = mark(label);
        if self.findings.shown.len() < MOST_PLACES {
            let text = if self.width() == 1 { &self.raw } else { &self.narrow };
            self.shown.count_to(text, range.start);
            // For a secret and a home, only the secret is reported with its place.
            if !is_folder(label) {
                self.at.count_to(text, range.start);
                self.note_place(label);
            }
            self.shown.place.column += mark.len();
            self.shown.counted = range.end;
        }
        self.give(range.start, out);
        let mark = mark.as_bytes();
        match self.encoding {
            Encoding::Narrow => out.extend_from_slice(mark),
            Encoding::Wide(ByteOrder::Little) => {
                out.extend(mark.iter().flat_map(|byte| [*byte, 0]))
            }
            Encoding::Wide(ByteOrder::Big) => out.extend(mark.iter().flat_map(|byte| [0, *byte])),
            Encoding::Binary => self.give(range.end, out),
        }
        self.given = range.end;
    }

    fn give(&mut self, end: usize, out: &mut Vec<u8>) {
        let width = self.width();
        if let Some(bytes) = self.raw.get(self.given * width..end * width) {
            out.extend_from_slice(bytes);
            self.given = end;
        }
    }

    fn note_place(&mut self, label: Label) {
        self.findings.found.places.push((self.at.place, label));
        self.findings.shown.push(self.shown.place);
    }

    /// Drops what was written, except for what finders look back to.
    fn forward(&mut self) {
        let gone = self.given.saturating_sub(BEHIND);
        let width = self.width();
        let text = if width == 1 { &self.raw } else { &self.narrow };
        if !self.is_end && self.findings.shown.len() < MOST_PLACES {
            self.at.count_to(text, gone);
            self.shown.count_to(text, gone);
        }
        self.raw.drain(..gone * width);
        self.narrow.drain(..gone.min(self.narrow.len()));
        self.done -= gone;
        self.given -= gone;
        for secret in &mut self.pending {
            secret.range = secret.range.start - gone..secret.range.end - gone;
        }
        self.at.counted = self.at.counted.saturating_sub(gone);
        self.shown.counted = self.shown.counted.saturating_sub(gone);
    }
}

impl<R: Read> Read for GuardedStream<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.findings.found.cannot_be_redacted() && !self.is_whole {
                return Err(io::Error::other(Withheld::Unsafe));
            }
            let length = self.ready.read(buffer)?;
            if length > 0 || buffer.is_empty() || !self.step()? {
                return Ok(length);
            }
        }
    }
}
