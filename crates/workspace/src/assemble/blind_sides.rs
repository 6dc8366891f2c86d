//! Sides behind blind labels that are shuffled by case: `version_a` is `with_skill` in one case and
//! `without_skill` in the next, so pooled over cases a label says nothing. Their key resolves them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::read::{BlindLabel, Record};
use input::discover::{FileLevels, Kind, Section, names};
use text::folded_name;

/// `section` with the sides for their labels, in every place, and in the `records` of its documents.
pub(super) fn resolve<'s>(section: Cow<'s, Section>, records: &mut [Record]) -> Cow<'s, Section> {
    let mut key = Key::default();
    for (document, record) in section.documents.iter().zip(&*records) {
        if document.kind == Kind::LabelKey {
            key.add(&document.path, &document.place, &record.labels);
        }
    }
    if key.is_empty() {
        return section;
    }
    let mut section = section.into_owned();
    for (document, record) in section.documents.iter().zip(records) {
        let Some(case) = document.place.case.as_deref() else { continue };
        let gradings = record.gradings.iter_mut().map(|graded| &mut graded.labels.configuration);
        let comparisons = record.comparisons.iter_mut();
        let sides = comparisons.flat_map(|found| [&mut found.a.version, &mut found.b.version]);
        for name in gradings.chain(sides).flatten() {
            key.replace(&document.path, case, name);
        }
    }
    for document in &mut section.documents {
        key.replace_in(&document.path, &mut document.place);
    }
    for output in &mut section.outputs {
        key.replace_in(&output.file.path, &mut output.place);
    }
    Cow::Owned(section)
}

/// The labels by the folder of their key.
#[derive(Default)]
struct Key(BTreeMap<String, Vec<KeyedLabel>>);

struct KeyedLabel {
    /// The names of which one is the case's; empty if it is of every case.
    scope: Vec<String>,
    names: [String; 2],
}

impl Key {
    fn is_empty(&self) -> bool {
        self.0.values().all(Vec::is_empty)
    }

    fn add(&mut self, path: &str, place: &FileLevels, labels: &[BlindLabel]) {
        let known = self.0.entry(names::folder(path).to_owned()).or_default();
        for BlindLabel { scope, names } in labels {
            let mut scope: Vec<String> = scope.iter().map(|name| folded_name(name)).collect();
            if let Some(case) = &place.case {
                scope = vec![folded_name(case)];
            }
            known.push(KeyedLabel { scope, names: names.clone() });
        }
    }

    fn replace_in(&self, path: &str, place: &mut FileLevels) {
        if let (Some(case), Some(name)) = (&place.case, &mut place.configuration) {
            self.replace(path, case, name);
        }
    }

    /// Puts the side in place of `name` if that is a label of `case` in a key around `path`.
    fn replace(&self, path: &str, case: &str, name: &mut String) {
        let case = folded_name(case);
        let around = names::folders_above(path).filter_map(|folder| self.0.get(folder)).flatten();
        for KeyedLabel { scope, names: [key, value] } in around {
            if !scope.is_empty() && !scope.contains(&case) {
                continue;
            }
            for (label, side) in [(key, value), (value, key)] {
                if is_label(name, label) && names::is_configuration(side) {
                    return name.clone_from(side);
                }
            }
        }
    }
}

/// Whether a key means the folder `name` by `label`: `a` stands for `version_a`.
fn is_label(name: &str, label: &str) -> bool {
    let [name, label] = [name, label].map(folded_name);
    name == label || label.len() == 1 && name.ends_with(&format!("_{label}"))
}
