//! From the bytes of one file to the places of what must not be published.
//!
//! A file is read part by part. What a part ends in is looked at again with the next one, so that
//! nothing is missed where two parts meet.

use std::io::{self, Read};
use std::ops::Range;

use crate::guard::shapes::{BEHIND, Found, Index, LONGEST};
use crate::model::Place;
use crate::text::{Utf16, utf_16};

/// Bytes that are looked at in one go.
const WINDOW: usize = 256 * 1024;

/// Bytes behind them that a secret may reach into.
const AHEAD: usize = LONGEST + 1024;

/// Places in one file that are kept; a file with more is not published.
const MOST_SPANS: usize = 200_000;

/// Places in one file that are told one by one.
const MOST_PLACES: usize = 20;

/// Bytes in which a zero says that a file is no text.
const HEAD: usize = 8 * 1024;

/// Files that are no text are looked through up to this size; larger ones are never stored.
const MOST_BINARY: u64 = 256 * 1024 * 1024;

/// Bytes to be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// Where they begin in the file.
    pub(super) start: u64,
    /// How many they are.
    pub(super) length: u32,
    /// Their shape in the index.
    pub(super) shape: u16,
}

/// One of the secrets that are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Secret {
    /// Where it begins in the file.
    pub(super) place: Place,
    /// Where its mark begins in the file as it is shown.
    pub(super) shown: Place,
    /// Its shape in the index.
    pub(super) shape: u16,
}

/// How the characters of a file are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Encoding {
    /// One byte for those of ASCII.
    #[default]
    Narrow,
    /// UTF-16, the low byte first.
    Little,
    /// UTF-16, the high byte first.
    Big,
    /// No text: a picture, an archive, a PDF.
    Binary,
}

/// What was found in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Findings {
    /// What is to be replaced, in the order of the file.
    pub(super) spans: Vec<Span>,
    /// The first secrets.
    pub(super) places: Vec<Secret>,
    /// How the file is written.
    pub(super) encoding: Encoding,
    /// Whether there was more than could be kept.
    pub(super) is_dense: bool,
}

impl Findings {
    /// Whether the file is as it may be published.
    pub(super) fn is_clean(&self) -> bool {
        self.spans.is_empty() && !self.is_dense
    }
}

/// Looks through everything that `reader` gives.
///
/// # Errors
/// When it cannot be read.
pub(super) fn scan(reader: &mut dyn Read, bytes: u64, index: &Index) -> io::Result<Findings> {
    let mut head = Vec::with_capacity(HEAD.min(bytes as usize) + 1);
    reader.take(HEAD as u64).read_to_end(&mut head)?;
    let encoding = encoding(&head);
    let mut whole = head.as_slice().chain(reader);
    let mut scan = Scan::new(index, bytes);
    match encoding {
        Encoding::Little | Encoding::Big => {
            let low = usize::from(encoding == Encoding::Big);
            scan.all(&mut Narrowed { inner: &mut whole, low })?;
            scan.findings.spans.iter_mut().for_each(|span| {
                span.start *= 2;
                span.length *= 2;
            });
        }
        // No text hides in there that a page could show; the file is listed as not looked through.
        Encoding::Binary if bytes > MOST_BINARY => {}
        Encoding::Narrow | Encoding::Binary => scan.all(&mut whole)?,
    }
    Ok(Findings { encoding, ..scan.findings })
}

fn encoding(head: &[u8]) -> Encoding {
    match utf_16(head) {
        Some((Utf16::Little, _)) => Encoding::Little,
        Some((Utf16::Big, _)) => Encoding::Big,
        None if head.starts_with(b"%PDF") || head.contains(&0) => Encoding::Binary,
        None => Encoding::Narrow,
    }
}

/// UTF-16 with one byte for each of its units: ASCII as it is, all else a byte beyond it.
struct Narrowed<'r> {
    inner: &'r mut dyn Read,
    low: usize,
}

impl Read for Narrowed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut wide = Vec::with_capacity(buffer.len() * 2);
        self.inner.take(buffer.len() as u64 * 2).read_to_end(&mut wide)?;
        let narrow = |unit: &[u8]| {
            let is_ascii = unit[1 - self.low] == 0 && unit[self.low] < 0x80;
            if is_ascii { unit[self.low] } else { 0xff }
        };
        let units = wide.chunks_exact(2);
        let length = units.len();
        buffer.iter_mut().zip(units).for_each(|(byte, unit)| *byte = narrow(unit));
        Ok(length)
    }
}

/// A file on its way through the window.
struct Scan<'i> {
    index: &'i Index,
    findings: Findings,
    buffer: Vec<u8>,
    /// Where the buffer begins in the file.
    base: u64,
    /// How far in the buffer everything was looked at.
    done: usize,
    /// The place in the file, and in the file as it is shown.
    raw: Counter,
    shown: Counter,
}

/// How far in a buffer lines were counted, and the place there.
struct Counter {
    counted: usize,
    place: Place,
}

impl Counter {
    fn new() -> Self {
        Self { counted: 0, place: Place { line: 1, column: 1 } }
    }

    /// Goes on to `end` in the buffer.
    fn count_to(&mut self, buffer: &[u8], end: usize) {
        let Some(passed) = buffer.get(self.counted..end) else { return };
        let lines = passed.iter().filter(|byte| **byte == b'\n').count();
        let tail = match passed.iter().rposition(|byte| *byte == b'\n') {
            Some(at) => &passed[at + 1..],
            None => passed,
        };
        // Bytes that go on with a character are no column of their own.
        let columns = tail.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        let from = if lines > 0 { 1 } else { self.place.column };
        self.place = Place { line: self.place.line + lines, column: from + columns };
        self.counted = end;
    }

    /// Takes note that `mark` stands for what goes on to `end`.
    fn pass(&mut self, mark: &str, end: usize) {
        self.place.column += mark.chars().count();
        self.counted = end;
    }
}

impl<'i> Scan<'i> {
    fn new(index: &'i Index, bytes: u64) -> Self {
        let most = (WINDOW + AHEAD + BEHIND) as u64;
        Self {
            index,
            findings: Findings::default(),
            buffer: Vec::with_capacity(bytes.min(most) as usize + 1),
            base: 0,
            done: 0,
            raw: Counter::new(),
            shown: Counter::new(),
        }
    }

    fn all(&mut self, reader: &mut dyn Read) -> io::Result<()> {
        loop {
            let wanted = (self.done + WINDOW + AHEAD - self.buffer.len()) as u64;
            let is_end = reader.take(wanted).read_to_end(&mut self.buffer)? < wanted as usize;
            let end = self.buffer.len() - if is_end { 0 } else { AHEAD };
            self.part(end);
            if is_end || self.findings.is_dense {
                return Ok(());
            }
            self.forward();
        }
    }

    /// Looks at every anchor before `end`.
    fn part(&mut self, end: usize) {
        let from = self.done;
        let found = self.index.find(&self.buffer, from..end);
        self.done = end.max(from);
        let mut last = from;
        for Found { range, shape, .. } in found {
            if range.start >= last && !self.findings.is_dense {
                last = range.end;
                self.done = self.done.max(last);
                self.keep(range, shape);
            }
        }
    }

    fn keep(&mut self, range: Range<usize>, shape: usize) {
        let span = Span {
            start: self.base + range.start as u64,
            length: range.len() as u32,
            shape: shape as u16,
        };
        if self.findings.places.len() < MOST_PLACES {
            self.tell(&range, shape);
        }
        self.findings.spans.push(span);
        self.findings.is_dense = self.findings.spans.len() > MOST_SPANS;
    }

    /// Counts up to a secret or a home; of the two, only the secret is told with its place.
    fn tell(&mut self, range: &Range<usize>, shape: usize) {
        self.shown.count_to(&self.buffer, range.start);
        if !self.index.shape(shape).is_folder() {
            self.raw.count_to(&self.buffer, range.start);
            let (place, shown) = (self.raw.place, self.shown.place);
            self.findings.places.push(Secret { place, shown, shape: shape as u16 });
        }
        self.shown.pass(self.index.mark(shape), range.end);
    }

    /// Lets go of what was looked at, except for what finders look back to.
    fn forward(&mut self) {
        let gone = self.done.min(self.buffer.len()).saturating_sub(BEHIND);
        if self.findings.places.len() < MOST_PLACES {
            self.raw.count_to(&self.buffer, gone);
            self.shown.count_to(&self.buffer, gone);
        }
        self.buffer.drain(..gone);
        self.base += gone as u64;
        self.done -= gone;
        for counter in [&mut self.raw, &mut self.shown] {
            counter.counted = counter.counted.saturating_sub(gone);
        }
    }
}

/// What of `text` may not be shown, from character to character, with its shape.
pub(super) fn hidden(text: &str, index: &Index) -> Vec<(Range<usize>, usize)> {
    let mut last = 0;
    let mut hidden = Vec::new();
    for Found { range, shape, .. } in index.find(text.as_bytes(), 0..text.len()) {
        // The longest name of a home may end within a character.
        if text.get(last..range.start).is_some() && text.is_char_boundary(range.end) {
            last = range.end;
            hidden.push((range, shape));
        }
    }
    hidden
}

/// `text` with every secret replaced, and the shapes of those; `None` where nothing is.
pub(super) fn redact(text: &str, index: &Index) -> Option<(String, Vec<usize>)> {
    let mut last = 0;
    let (mut out, mut shapes) = (String::new(), Vec::new());
    for (range, shape) in hidden(text, index) {
        out.push_str(&text[last..range.start]);
        out.push_str(index.mark(shape));
        last = range.end;
        shapes.push(shape);
    }
    (!shapes.is_empty()).then(|| (out + &text[last..], shapes))
}
