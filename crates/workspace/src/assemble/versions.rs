//! The version of a skill that a row states: a side where a round has some case under several, else only
//! the number of the try.

use std::collections::{BTreeMap, BTreeSet};

use crate::read::{Labels, Record};
use input::discover::{IterationKey, Section, kinds};
use input::names;

/// Takes such a number out of the labels of `records`.
// A round that runs the case `sync` again may call it `sync_v2`, beside new cases of `v1`: each side would
// be a part of the round.
pub(super) fn settle(section: &Section, records: &mut [Record]) {
    let mut cases: BTreeMap<&IterationKey, BTreeSet<Option<String>>> = BTreeMap::new();
    let mut with_sides: BTreeSet<&IterationKey> = BTreeSet::new();
    for (document, record) in section.documents.iter().zip(&mut *records) {
        let key = &document.place.iteration;
        for labels in record.gradings.iter_mut().map(|graded| &mut graded.labels) {
            let number = stated_number(labels);
            let stem = labels.case_name.as_deref().and_then(kinds::versioned_stem);
            if let Some((case, _)) = stem.filter(|(_, version)| number == Some(*version)) {
                labels.case_name = Some(case.to_owned());
            }
            let is_new = cases.entry(key).or_default().insert(labels.case_name.clone());
            if !is_new || number.is_none() {
                with_sides.insert(key);
            }
        }
    }
    for (document, record) in section.documents.iter().zip(records) {
        let labels = record.gradings.iter_mut().map(|graded| &mut graded.labels);
        for labels in labels.filter(|_| !with_sides.contains(&document.place.iteration)) {
            labels.configuration = None;
        }
    }
}

/// The number of the version that stands for the configuration of a row.
fn stated_number(labels: &Labels) -> Option<u32> {
    let stated = labels.version.as_deref().filter(|_| labels.configuration == labels.version)?;
    names::version_number(stated)
}
