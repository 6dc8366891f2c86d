//! One file without its secrets: marks in a text, and what was found in a file that is not one.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::container;
use crate::document::{self, Edit, Nature};
use crate::finder::Finder;
use crate::secret::{Label, Secret, is_folder};
use crate::value::is_worth_knowing;
use formats::{self, ByteOrder, Encoding};
use input::model::Place;

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
    /// What takes the secrets out of a text.
    pub(super) edits: Vec<Edit>,
    /// The file is not text, so nothing in it can be replaced.
    pub(super) is_binary: bool,
    /// It is of a kind that is searched, and a part of it could not be read.
    pub(super) is_closed: bool,
    /// It is of a kind that nothing reads as a person would, such as a picture.
    pub(super) is_unsearched: bool,
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
    /// Those of a file that is too large to be searched.
    pub(super) fn too_large(bytes: u64) -> Self {
        Self { is_binary: true, is_closed: true, bytes, ..Self::default() }
    }

    /// Whether the file must be held back: a secret in it cannot be replaced.
    pub(super) fn cannot_be_redacted(&self) -> bool {
        self.is_binary && (self.is_closed || self.first_secret().is_some())
    }

    pub(super) fn is_redacted(&self) -> bool {
        !self.edits.is_empty()
    }

    /// Whether nothing is to be kept about the file.
    pub(super) fn is_clean(&self) -> bool {
        self.counts.is_empty() && !self.is_binary
    }

    /// The kinds of secrets, without folders of the machine.
    pub(super) fn secrets(&self) -> impl Iterator<Item = (&Label, usize)> {
        self.counts.iter().filter(|(label, _)| !is_folder(label)).map(|(label, n)| (label, *n))
    }

    pub(super) fn first_secret(&self) -> Option<Label> {
        self.secrets().next().map(|(label, _)| Label::clone(label))
    }

    pub(super) fn count(&mut self, secrets: Vec<Secret>) {
        for secret in secrets {
            self.add(&secret.label, secret.value);
        }
    }

    fn add(&mut self, label: &Label, value: Vec<u8>) {
        *self.counts.entry(Label::clone(label)).or_default() += 1;
        if !is_folder(label) && is_worth_knowing(&value) {
            self.values.push((value, Label::clone(label)));
        }
    }
}

/// What is found in the content of the file at `path`.
pub(super) fn search(finder: &Finder, path: &str, nature: Nature, bytes: &[u8]) -> Findings {
    // Some libraries write PDFs that are text from end to end. Scripts and gradings of a skill for PDF
    // only quote how one begins.
    let is_pdf = bytes.trim_ascii_start().starts_with(b"%PDF-");
    let encoding = formats::encoding(bytes).filter(|_| !is_pdf);
    let Some(encoding) = encoding else {
        let bytes_of_file = bytes.len() as u64;
        return Findings { bytes: bytes_of_file, ..container::search(finder, path, bytes) };
    };
    let text = decoded(bytes, encoding);
    let mut findings = Findings::default();
    let edits = document::edits(finder, nature, &text);
    findings.add_places(&text, &edits);
    for edit in &edits {
        findings.add(&edit.label, edit.value.clone());
    }
    findings.edits = edits;
    findings.bytes = bytes.len() as u64;
    if findings.is_redacted() {
        findings.bytes = cleaned(bytes.to_vec(), &findings).len() as u64;
    }
    findings
}

/// The bytes in which something was found, without it.
pub(super) fn cleaned(bytes: Vec<u8>, findings: &Findings) -> Vec<u8> {
    if !findings.is_redacted() {
        return bytes;
    }
    let Some(encoding) = formats::encoding(&bytes) else { return bytes };
    let text = decoded(&bytes, encoding);
    let (mut clean, mut done) = (String::with_capacity(text.len()), 0);
    for Edit { range, shown, .. } in &findings.edits {
        clean.push_str(&text[done..range.start]);
        clean.push_str(shown);
        done = range.end;
    }
    clean.push_str(&text[done..]);
    match encoding {
        Encoding::Utf8 => clean.into_bytes(),
        Encoding::Utf16(ByteOrder::Little) => {
            clean.encode_utf16().flat_map(u16::to_le_bytes).collect()
        }
        Encoding::Utf16(ByteOrder::Big) => {
            clean.encode_utf16().flat_map(u16::to_be_bytes).collect()
        }
    }
}

/// The whole text, with its byte order mark.
fn decoded(bytes: &[u8], encoding: Encoding) -> Cow<'_, str> {
    let Encoding::Utf16(order) = encoding else { return String::from_utf8_lossy(bytes) };
    let (pairs, _) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| match order {
        ByteOrder::Little => u16::from_le_bytes(*pair),
        ByteOrder::Big => u16::from_be_bytes(*pair),
    });
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

impl Findings {
    /// Adds the places of the first secrets, in the text and in what is shown of it.
    fn add_places(&mut self, text: &str, edits: &[Edit]) {
        let (mut source, mut shown) = (Counter::default(), Counter::default());
        for edit in edits {
            if self.places.len() == MAX_PLACES {
                return;
            }
            source.count(text, edit.range.start);
            shown.count(text, edit.range.start);
            if !is_folder(&edit.label) {
                let (label, source, shown) = (edit.label.clone(), source.place, shown.place);
                self.places.push(FoundPlace { label, source, shown });
            }
            shown.place.column += edit.shown.len();
            shown.counted = edit.range.end;
        }
    }
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
    fn count(&mut self, text: &str, end: usize) {
        let Some(passed) = text.get(self.counted..end) else { return };
        let last = passed.rfind('\n');
        if last.is_some() {
            self.place.line += memchr::memchr_iter(b'\n', passed.as_bytes()).count();
            self.place.column = 1;
        }
        self.place.column += passed[last.map_or(0, |last| last + 1)..].chars().count();
        self.counted = end;
    }
}
