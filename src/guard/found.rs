//! What was found in one file and its name, as it is told: by the scan of this run, or by an
//! earlier one on another machine, whose marks stand in the file already.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::guard::Guard;
use crate::guard::shapes::Index;
use crate::guard::stream::{Encoding, Findings};

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
    /// What this run's scan found.
    pub(super) fn new(findings: &Findings, index: &Index) -> Self {
        let mut replaced: BTreeMap<String, usize> = BTreeMap::new();
        for (shape, times) in &findings.counts {
            *replaced.entry(index.label(*shape).to_owned()).or_default() += times;
        }
        let places = findings.places.iter();
        let places = places.map(|secret| {
            (secret.place.line, secret.place.column, index.label(secret.shape).to_owned())
        });
        let is_binary = findings.encoding == Encoding::Binary;
        Self { in_name: Vec::new(), replaced, places: places.collect(), is_binary }
    }

    /// Whether the secrets of the file stay in it, as it is no text.
    pub(super) fn cannot_be_redacted(&self) -> bool {
        self.is_binary && !self.places.is_empty()
    }

    /// Whether something in the file is replaced.
    pub(super) fn is_redacted(&self) -> bool {
        !self.is_binary && !self.replaced.is_empty()
    }
}

impl Guard {
    /// Adds what earlier guards found, by the path shown. It is told like what this one found.
    /// The files at `withheld` were kept out of the report by the user.
    pub fn add_earlier(
        &mut self,
        earlier: BTreeMap<String, FoundInFile>,
        withheld: BTreeSet<String>,
    ) {
        for (path, found) in &earlier {
            for label in &found.in_name {
                let shape = self.index.number(label);
                self.names.found.extend(shape.map(|shape| (path.clone(), shape)));
            }
        }
        self.earlier = earlier;
        self.withheld = withheld;
    }

    /// Whether every label in `earlier` is one that this program gives.
    pub fn knows(earlier: &FoundInFile) -> bool {
        let index = Index::default();
        let in_places = earlier.places.iter().map(|(.., label)| label);
        let mut labels = earlier.in_name.iter().chain(earlier.replaced.keys()).chain(in_places);
        labels.all(|label| index.number(label).is_some())
    }

    /// Everything that was found, by the path shown, for a guard on another machine.
    pub fn all_found(&self) -> BTreeMap<String, FoundInFile> {
        let own = self.files.iter();
        let mut all: BTreeMap<String, FoundInFile> =
            own.map(|(path, found)| (path.clone(), FoundInFile::new(found, &self.index))).collect();
        for (path, found) in &self.earlier {
            all.insert(path.clone(), FoundInFile { in_name: Vec::new(), ..found.clone() });
        }
        for (path, shape) in &self.names.found {
            let label = self.index.label(*shape).to_owned();
            all.entry(path.clone()).or_default().in_name.push(label);
        }
        all
    }
}
