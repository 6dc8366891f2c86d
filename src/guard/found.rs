//! What was found in one file and its name: by the scan of this run, or by an earlier one on another
//! machine, whose marks stand in the file already.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::guard::rule::Label;
use crate::model::Place;

/// What the scan of this run found in one file.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) found: FoundInFile,
    /// Where the mark of each of its places begins in the file as it is shown.
    pub(super) shown: Vec<Place>,
    /// The size of the file as it is given.
    pub(super) bytes: u64,
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

impl FoundInFile {
    /// Counts one more in the file.
    pub(super) fn count(&mut self, label: Label) {
        match self.replaced.get_mut(label) {
            Some(times) => *times += 1,
            None => drop(self.replaced.insert(label.to_owned(), 1)),
        }
    }

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
