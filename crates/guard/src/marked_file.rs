//! One file without its secrets: marks in a text, and what was found in a file that is not one.

use std::collections::BTreeMap;

use crate::container;
use crate::finder::Finder;
use crate::secret::{Label, Secret, is_folder};
use crate::secrets_in_text::{self, Edit, Nature, with_edits};
use crate::value::is_worth_knowing;
use input::model::Place;
use json::LineIndex;

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
        let found = container::search(finder, path, bytes);
        return Findings { bytes: bytes.len() as u64, ..found };
    };
    let text = encoding.decode_all(bytes);
    let edits = secrets_in_text::edits(finder, nature, &text);
    let mut findings = Findings { bytes: bytes.len() as u64, ..Findings::default() };
    if edits.is_empty() {
        return findings;
    }
    for edit in &edits {
        findings.add(&edit.label, edit.value.clone());
    }
    let clean = with_edits(&text, &edits);
    findings.places = places(&text, &clean, &edits);
    findings.bytes = encoding.encode(clean).len() as u64;
    findings.edits = edits;
    findings
}

/// The bytes in which something was found, without it.
pub(super) fn cleaned(bytes: Vec<u8>, findings: &Findings) -> Vec<u8> {
    if findings.edits.is_empty() {
        return bytes;
    }
    let Some(encoding) = formats::encoding(&bytes) else { return bytes };
    encoding.encode(with_edits(&encoding.decode_all(&bytes), &findings.edits))
}

/// The places of the first secrets, in a text and in what is shown of it.
fn places(text: &str, clean: &str, edits: &[Edit]) -> Vec<FoundPlace> {
    let (source, shown) = (LineIndex::new(text), LineIndex::new(clean));
    let mut places = Vec::new();
    // How far the shown text is behind the source, and ahead of it.
    let (mut less, mut more) = (0, 0);
    for Edit { range, shown: mark, label, .. } in edits {
        if !is_folder(label) && places.len() < MAX_PLACES {
            places.push(FoundPlace {
                label: label.clone(),
                source: place(source.place(text, range.start)),
                shown: place(shown.place(clean, range.start + more - less)),
            });
        }
        less += range.len();
        more += mark.len();
    }
    places
}

fn place((line, column): (usize, usize)) -> Place {
    Place { line, column }
}
