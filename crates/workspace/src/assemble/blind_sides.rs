//! Sides behind blind labels that are shuffled by case: `version_a` is `with_skill` in one case and
//! `without_skill` in the next, so pooled over cases a label says nothing. Their key resolves them;
//! without one, a label is another side in every case.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::read::{BlindLabel, Record};
use input::discover::{FileLevels, Kind, Section};
use input::model::{Code, Problem};
use input::names;
use text::{count, folded_name};

/// `section` with the sides for their labels, in every place, and in the `records` of its documents.
pub(super) fn resolve<'s>(section: Cow<'s, Section>, records: &mut [Record]) -> Cow<'s, Section> {
    let mut key = Key::default();
    for (document, record) in section.documents.iter().zip(&*records) {
        if document.kind == Kind::LabelKey {
            key.add(&document.path, &document.place, &record.labels);
        }
    }
    let files = section.documents.iter().map(|document| (&document.path, &document.place));
    let outputs = section.outputs.iter().map(|output| (&output.file.path, &output.place));
    for (path, place) in files.chain(outputs) {
        key.blind.extend(blind_label(path, place).map(str::to_owned));
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
    if let Some(first) = key.unresolved.first() {
        let cases = count(key.unresolved.len(), "case");
        let message = format!("the sides of {cases} are blind labels, and no key resolves them");
        let help = "add a `label_key.json` with the side of each label, by case where they are \
                    shuffled: `{\"case-1\": {\"version_a\": \"with_skill\"}}`";
        let problem = Problem::new(Code::UnassignedGrading, first, message).help(help);
        section.problems.push(problem.assuming("each case has sides of its own"));
    }
    Cow::Owned(section)
}

/// The side of the file at `path`, if that is a blind label inside its case. Around the cases
/// `version_a` is a side like any other.
fn blind_label<'p>(path: &str, place: &'p FileLevels) -> Option<&'p str> {
    let (case, name) = (place.case.as_deref()?, place.configuration.as_deref()?);
    let [case_at, label_at] =
        [case, name].map(|level| path.split('/').position(|folder| folder == level));
    let is_inside = label_at.is_none_or(|label| case_at.is_some_and(|case| case < label));
    if is_inside && names::is_blind_label(name) { Some(name) } else { None }
}

/// What is known of the labels.
#[derive(Default)]
struct Key {
    /// By the folder of their key.
    labels: BTreeMap<String, Vec<KeyedLabel>>,
    /// Names of sides that say nothing without a key.
    blind: BTreeSet<String>,
    /// The cases with such a side that no key resolves.
    unresolved: BTreeSet<String>,
}

struct KeyedLabel {
    /// The names of which one is the case's; empty if it is of every case.
    scope: Vec<String>,
    names: [String; 2],
}

impl Key {
    fn is_empty(&self) -> bool {
        self.labels.values().all(Vec::is_empty) && self.blind.is_empty()
    }

    fn add(&mut self, path: &str, place: &FileLevels, labels: &[BlindLabel]) {
        let known = self.labels.entry(names::folder(path).to_owned()).or_default();
        for BlindLabel { scope, names } in labels {
            let mut scope: Vec<String> = scope.iter().map(|name| folded_name(name)).collect();
            if let Some(case) = &place.case {
                scope = vec![folded_name(case)];
            }
            known.push(KeyedLabel { scope, names: names.clone() });
        }
    }

    fn replace_in(&mut self, path: &str, place: &mut FileLevels) {
        if let (Some(case), Some(name)) = (&place.case, &mut place.configuration) {
            self.replace(path, case, name);
        }
    }

    /// Puts the side in place of `name` if that is a label of `case` in a key around `path`; a blind one
    /// without a key becomes a side of the case alone.
    fn replace(&mut self, path: &str, case: &str, name: &mut String) {
        let folded = folded_name(case);
        let around = names::folders_above(path);
        let keyed = around.filter_map(|folder| self.labels.get(folder)).flatten();
        for KeyedLabel { scope, names: [key, value] } in keyed {
            if !scope.is_empty() && !scope.contains(&folded) {
                continue;
            }
            for (label, side) in [(key, value), (value, key)] {
                if is_label(name, label) && names::is_configuration(side) {
                    return name.clone_from(side);
                }
            }
        }
        if self.blind.contains(name) {
            self.unresolved.insert(case_folder(path, case).to_owned());
            *name = format!("{name} in {case}");
        }
    }
}

/// The folder of a case around a file in it; that of the file if its case has none.
fn case_folder<'p>(path: &'p str, case: &str) -> &'p str {
    let mut around = names::folders_above(path);
    around.find(|folder| names::file_name(folder) == case).unwrap_or(names::folder(path))
}

/// Whether a key means the folder `name` by `label`: `a` stands for `version_a`.
fn is_label(name: &str, label: &str) -> bool {
    let [name, label] = [name, label].map(folded_name);
    name == label || label.len() == 1 && name.ends_with(&format!("_{label}"))
}
