//! What was found in one file and its name, as it is told: by the scan of this run, or by an
//! earlier one on another machine, whose marks stand in the file already.

use std::collections::{BTreeMap, BTreeSet};

use crate::guard::Guard;
use crate::guard::shapes::{Index, Shape};
use crate::guard::stream::{Encoding, Findings};
use crate::model::Place;

/// What an earlier guard found at one path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Earlier {
    /// What its own name held, by label.
    pub in_name: Vec<String>,
    /// How often each was replaced in the file, by label.
    pub replaced: BTreeMap<String, usize>,
    /// The first secrets, each with its place in the file as it was.
    pub places: Vec<(Place, String)>,
    /// Whether the file is no text.
    pub is_binary: bool,
}

/// What is told of one file.
#[derive(Default)]
pub(super) struct Found {
    /// What was replaced, with how often.
    pub(super) replaced: Vec<(Shape, usize)>,
    /// The first secrets.
    pub(super) places: Vec<(Place, Shape)>,
    /// Whether it is no text.
    pub(super) is_binary: bool,
}

impl Found {
    /// What this run's scan found.
    pub(super) fn of(findings: &Findings, index: &Index) -> Self {
        let counts = findings.counts.iter();
        let places = findings.places.iter();
        Self {
            replaced: counts.map(|(shape, times)| (*index.shape(*shape), *times)).collect(),
            places: places.map(|it| (it.place, *index.shape(it.shape))).collect(),
            is_binary: findings.encoding == Encoding::Binary,
        }
    }

    /// What an earlier one found; labels that this program does not know are left aside.
    pub(super) fn earlier(earlier: &Earlier, index: &Index) -> Self {
        let replaced = earlier.replaced.iter();
        let places = earlier.places.iter();
        Self {
            replaced: replaced
                .filter_map(|(label, times)| Some((index.labelled(label)?, *times)))
                .collect(),
            places: places
                .filter_map(|(place, label)| Some((*place, index.labelled(label)?)))
                .collect(),
            is_binary: earlier.is_binary,
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
}

impl Guard {
    /// Adds what earlier guards found, by the path shown. It is told like what this one found.
    /// The files at `withheld` were kept out of the report by the user.
    pub fn add_earlier(&mut self, earlier: BTreeMap<String, Earlier>, withheld: BTreeSet<String>) {
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
    pub fn knows(earlier: &Earlier) -> bool {
        let index = Index::default();
        let in_places = earlier.places.iter().map(|(_, label)| label);
        let mut labels = earlier.in_name.iter().chain(earlier.replaced.keys()).chain(in_places);
        labels.all(|label| index.number(label).is_some())
    }

    /// Everything that was found, by the path shown, for a guard on another machine.
    pub fn all_found(&self) -> BTreeMap<String, Earlier> {
        let own = self.files.iter();
        let mut all: BTreeMap<String, Earlier> = own
            .map(|(path, it)| (path.clone(), Found::of(it, &self.index).into_earlier()))
            .collect();
        for (path, told) in &self.earlier {
            all.insert(path.clone(), Earlier { in_name: Vec::new(), ..told.clone() });
        }
        for (path, shape) in &self.names.found {
            let label = self.index.shape(*shape).label.to_owned();
            all.entry(path.clone()).or_default().in_name.push(label);
        }
        all
    }
}

impl Found {
    fn into_earlier(self) -> Earlier {
        let mut replaced: BTreeMap<String, usize> = BTreeMap::new();
        for (shape, times) in self.replaced {
            *replaced.entry(shape.label.to_owned()).or_default() += times;
        }
        let places = self.places.into_iter();
        Earlier {
            in_name: Vec::new(),
            replaced,
            places: places.map(|(place, shape)| (place, shape.label.to_owned())).collect(),
            is_binary: self.is_binary,
        }
    }
}
