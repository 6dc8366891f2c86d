//! One file without its secrets: marks in a text, and what was found in a file that is not one.

use std::collections::{BTreeMap, BTreeSet};

use crate::formats::{self, ByteOrder, Encoding, File, FileKind};
use crate::guard::container;
use crate::guard::escapes;
use crate::guard::finder::Finder;
use crate::guard::scan::leading;
use crate::guard::secret::{Label, Secret, is_folder, join_overlaps, mark};
use crate::guard::value::is_worth_knowing;
use crate::model::Place;

/// The most places in one file that are reported one by one.
const MAX_PLACES: usize = 20;

/// What was found in a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    /// How often each was found.
    pub(super) counts: BTreeMap<Label, usize>,
    /// The first secrets of a text.
    pub(super) places: Vec<FoundPlace>,
    /// Secrets that are hidden wherever they are.
    pub(super) values: Vec<(Vec<u8>, Label)>,
    /// The file is not text, so nothing in it can be replaced.
    pub(super) is_binary: bool,
    /// A text shows a secret that its bytes hold in parts or in other digits.
    pub(super) holds_unseen: bool,
    /// A part of the file could not be searched: it is encrypted, or packed in an unknown way.
    pub(super) is_closed: bool,
    /// Its size without secrets.
    pub(super) bytes: u64,
}

#[derive(Clone, Debug)]
pub(super) struct FoundPlace {
    pub(super) label: Label,
    /// In the file as it is on disk.
    pub(super) source: Place,
    /// Of the mark, in the file as it is shown.
    pub(super) shown: Place,
}

impl Findings {
    /// Whether the file must be held back: a secret in it cannot be replaced.
    pub(super) fn cannot_be_redacted(&self) -> bool {
        self.holds_unseen || (self.is_binary && (self.is_closed || self.secrets().next().is_some()))
    }

    pub(super) fn is_redacted(&self) -> bool {
        !self.is_binary && !self.holds_unseen && !self.counts.is_empty()
    }

    /// The kinds of secrets, without folders of the machine.
    pub(super) fn secrets(&self) -> impl Iterator<Item = (&Label, usize)> {
        self.counts.iter().filter(|(label, _)| !is_folder(label)).map(|(label, n)| (label, *n))
    }

    fn add(&mut self, others: Self) {
        for (label, times) in others.counts {
            *self.counts.entry(label).or_default() += times;
        }
        self.values.extend(others.values);
    }

    fn count(&mut self, label: &Label, value: &[u8]) {
        *self.counts.entry(label.clone()).or_default() += 1;
        if !is_folder(label) && is_worth_knowing(value) {
            self.values.push((value.to_vec(), label.clone()));
        }
    }
}

/// The content of the file called `name` without secrets, and what was found in it.
///
/// A secret is looked for in what the file says and in what its preview would show. One that cannot
/// be replaced makes the file one that is held back.
pub(super) fn clean(
    finder: &Finder,
    name: &str,
    bytes: Vec<u8>,
    is_prose: bool,
) -> (Vec<u8>, Findings) {
    let Some(encoding) = formats::encoding(&bytes) else {
        let findings = search_binary(finder, name, &bytes);
        return (bytes, findings);
    };
    let (clean, mut findings) = match encoding {
        Encoding::Utf8 => {
            let mut secrets = finder.find(&bytes, is_prose);
            secrets.extend(packed_runs(finder, &bytes));
            if secrets.is_empty() {
                (bytes, Findings::default())
            } else {
                replace(&bytes, &bytes, &join_overlaps(secrets), None)
            }
        }
        Encoding::Utf16(order) => {
            let text = narrow(&bytes, order);
            replace(&bytes, &text, &finder.find(&text, is_prose), Some(order))
        }
    };
    if let Some(text) = notebook_text(name, &clean) {
        let mut unseen = Findings::default();
        search_text(finder, text.as_bytes(), &mut unseen);
        findings.holds_unseen |= unseen.secrets().next().is_some();
        findings.add(unseen);
    }
    // Some libraries write PDFs that are text from end to end. Scripts and gradings of a skill for PDF
    // only quote how one begins.
    if clean.trim_ascii_start().starts_with(b"%PDF-") {
        let unseen = search_binary(finder, name, &clean);
        findings.holds_unseen |= unseen.cannot_be_redacted();
        findings.add(unseen);
    }
    findings.bytes = clean.len() as u64;
    (clean, findings)
}

/// The words of a notebook. The lines of a cell are a list of texts there, so that a secret may begin in
/// one and end in the next.
fn notebook_text(name: &str, bytes: &[u8]) -> Option<String> {
    match FileKind::new(name, bytes) {
        FileKind::Notebook => Some(File::new(name, bytes).content().text().into_owned()),
        _ => None,
    }
}

/// Runs of base64 that are a picture or an archive which holds a secret, as in a notebook.
fn packed_runs(finder: &Finder, text: &[u8]) -> Vec<Secret> {
    let mut secrets = Vec::new();
    for range in escapes::packed_runs(text) {
        let Some(bytes) = escapes::packed_bytes(&text[range.clone()]) else { continue };
        let findings = search_binary(finder, "", &bytes);
        if let Some((label, _)) = findings.secrets().next() {
            secrets.push(Secret { range, label: label.clone(), rank: 0 });
        }
    }
    secrets
}

fn search_binary(finder: &Finder, name: &str, bytes: &[u8]) -> Findings {
    let mut findings = Findings { is_binary: true, ..Findings::default() };
    search_bytes(finder, bytes, &mut findings);
    let mut searched = BTreeSet::new();
    let is_open = container::each_content(bytes, &mut |content| {
        let is_text = formats::encoding(content).is_some();
        for piece in pieces(content) {
            // What unpacks to a hundred times its size repeats itself.
            if !searched.insert(blake3::hash(piece).as_bytes().to_owned()) {
                continue;
            }
            if is_text {
                search_text(finder, piece, &mut findings);
            } else {
                search_bytes(finder, piece, &mut findings);
            }
        }
    });
    if let Some(words) = formats::words(name, bytes) {
        search_text(finder, words.text.as_bytes(), &mut findings);
    }
    // What a reader sees in a PDF may be numbers of glyphs, which only its fonts explain. One
    // without pages shows nothing.
    let pdf = container::pdf_start(bytes).map(|start| &bytes[start..]);
    let is_unread_pdf = pdf.is_some_and(|pdf| {
        memchr::memmem::find(pdf, b"/Page").is_some() && formats::pdf::read(pdf).is_none()
    });
    findings.is_closed = !is_open || is_unread_pdf;
    findings
}

/// The parts of a content, each with the beginning of the next: a secret may reach into it.
fn pieces(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    const PIECE: usize = 256 * 1024;
    const AHEAD: usize = 32 * 1024;
    let starts = (0..content.len()).step_by(PIECE);
    starts.map(|start| &content[start..content.len().min(start + PIECE + AHEAD)])
}

fn search_text(finder: &Finder, text: &[u8], findings: &mut Findings) {
    for secret in finder.find(text, false) {
        findings.count(&secret.label, &text[secret.range]);
    }
}

fn search_bytes(finder: &Finder, bytes: &[u8], findings: &mut Findings) {
    for secret in finder.find_in_bytes(bytes) {
        findings.count(&secret.label, &bytes[secret.range]);
    }
    search_text(finder, &printed(bytes), findings);
    // Programs for Windows keep texts in UTF-16.
    let narrow: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
    if narrow.len() < bytes.len() {
        for secret in finder.find_in_bytes(&narrow) {
            findings.count(&secret.label, &narrow[secret.range]);
        }
    }
}

/// The words of a file that is no text, each with those near it on a line: databases, settings and
/// serialized objects keep a name and its value next to each other.
fn printed(bytes: &[u8]) -> Vec<u8> {
    const SHORTEST_WORD: usize = 6;
    const MAX_GAP: usize = 8;
    let mut words: Vec<u8> = Vec::new();
    let (mut at, mut end) = (0, 0);
    while at < bytes.len() {
        let length = leading(&bytes[at..], |byte| matches!(byte, b' '..=b'~'));
        if length >= SHORTEST_WORD {
            words.push(if at - end <= MAX_GAP { b' ' } else { b'\n' });
            words.extend_from_slice(&bytes[at..at + length]);
            end = at + length;
        }
        at += length + 1;
    }
    words
}

/// UTF-16 with one byte for each unit: ASCII unchanged, everything else as a byte beyond it.
fn narrow(bytes: &[u8], order: ByteOrder) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len() / 2);
    for unit in bytes.chunks_exact(2) {
        let (high, low) = match order {
            ByteOrder::Little => (unit[1], unit[0]),
            ByteOrder::Big => (unit[0], unit[1]),
        };
        text.push(if high == 0 && low < 0x80 { low } else { 0xff });
    }
    text
}

/// `bytes` with a mark for each secret of `text`, which has a byte for each unit of `bytes`.
fn replace(
    bytes: &[u8],
    text: &[u8],
    secrets: &[Secret],
    order: Option<ByteOrder>,
) -> (Vec<u8>, Findings) {
    let width = if order.is_some() { 2 } else { 1 };
    let mut findings = Findings::default();
    let mut out = Vec::with_capacity(bytes.len());
    let mut done = 0;
    let (mut source, mut shown) = (Counter::default(), Counter::default());
    for Secret { range, label, .. } in secrets {
        let mark = mark(label);
        findings.count(label, &text[range.clone()]);
        if findings.places.len() < MAX_PLACES {
            source.count(text, range.start);
            shown.count(text, range.start);
            if !is_folder(label) {
                let (source, shown) = (source.place, shown.place);
                findings.places.push(FoundPlace { label: label.clone(), source, shown });
            }
            shown.place.column += mark.len();
            shown.counted = range.end;
        }
        out.extend_from_slice(&bytes[done * width..range.start * width]);
        match order {
            None => out.extend_from_slice(mark.as_bytes()),
            Some(ByteOrder::Little) => out.extend(mark.bytes().flat_map(|byte| [byte, 0])),
            Some(ByteOrder::Big) => out.extend(mark.bytes().flat_map(|byte| [0, byte])),
        }
        done = range.end;
    }
    out.extend_from_slice(&bytes[done * width..]);
    (out, findings)
}

/// How far lines were counted, and the place there.
struct Counter {
    counted: usize,
    place: Place,
}

impl Default for Counter {
    fn default() -> Self {
        Self { counted: 0, place: Place { line: 1, column: 1 } }
    }
}

impl Counter {
    /// Counts on to `end` in the text.
    fn count(&mut self, text: &[u8], end: usize) {
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
