//! What was found in one file and its name: by the scan of this run, or by an earlier one on another
//! machine, whose marks stand in the file already.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::guard::rule::Label;
use crate::model::Place;

/// What the scan of this run found in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Findings {
    /// How often each was found.
    pub(super) counts: BTreeMap<Label, usize>,
    /// The first secrets.
    pub(super) places: Vec<Secret>,
    pub(super) encoding: Encoding,
    /// The size of the file as it is given.
    pub(super) bytes: u64,
}

/// One of the secrets that are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Secret {
    /// Where it begins in the file.
    pub(super) place: Place,
    /// Where its mark begins in the file as it is shown.
    pub(super) shown: Place,
    pub(super) label: Label,
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

impl Findings {
    /// Whether the file is no text and has secrets, which stay in it.
    pub(super) fn is_unsafe(&self) -> bool {
        self.encoding == Encoding::Binary && !self.places.is_empty()
    }
}

/// What was found at one path, by label, as a part of a report keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FoundInFile {
    /// What its own name held.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub in_name: Vec<String>,
    /// How often each was replaced in the file.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub replaced: BTreeMap<String, usize>,
    /// The first secrets, each with its line and column in the file as it was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<(usize, usize, String)>,
    /// Whether the file is no text.
    #[serde(rename = "binary", skip_serializing_if = "std::ops::Not::not")]
    pub is_binary: bool,
}

impl From<&Findings> for FoundInFile {
    fn from(findings: &Findings) -> Self {
        let counts = findings.counts.iter();
        let place =
            |Secret { place, label, .. }: &Secret| (place.line, place.column, (*label).to_owned());
        Self {
            in_name: Vec::new(),
            replaced: counts.map(|(label, times)| ((*label).to_owned(), *times)).collect(),
            places: findings.places.iter().map(place).collect(),
            is_binary: findings.encoding == Encoding::Binary,
        }
    }
}

impl FoundInFile {
    /// Whether the secrets of the file stay in it, as it is no text.
    pub(super) fn cannot_be_redacted(&self) -> bool {
        self.is_binary && !self.places.is_empty()
    }

    /// Whether something in the file is replaced.
    pub(super) fn is_redacted(&self) -> bool {
        !self.is_binary && !self.replaced.is_empty()
    }

    /// Every label in it.
    pub(super) fn labels(&self) -> impl Iterator<Item = &String> {
        let in_places = self.places.iter().map(|(.., label)| label);
        self.in_name.iter().chain(self.replaced.keys()).chain(in_places)
    }
}
