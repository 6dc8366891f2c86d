//! Names of configurations: one for several spellings, and the labels from the settings.
//!
//! `with_skill` in one iteration and `With Skill` in another are one configuration. Two spellings
//! side by side, as folders of one case or in one document on one case, are two.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::read::Record;
use input::discover::{IterationKey, Section};
use input::model::Workspace;
use text::folded_name;

/// Unifies the spelling of every configuration, in the folders of `section` and the labels of
/// `records`.
pub(super) fn unify<'s>(section: &'s Section, records: &mut [Record]) -> Cow<'s, Section> {
    let names = SeenSpellings::new(section, records).names();
    if names.is_empty() {
        return Cow::Borrowed(section);
    }
    let mut section = section.clone();
    for place in section.places_mut() {
        rename_option(&mut place.configuration, &names);
    }
    for record in records {
        let gradings = record.gradings.iter_mut().map(|graded| &mut graded.labels);
        for labels in gradings.chain(record.metrics.iter_mut().map(|(labels, _)| labels)) {
            rename_option(&mut labels.configuration, &names);
        }
    }
    Cow::Owned(section)
}

/// Where a spelling occurs. A folder counts more than a file name, which counts more than a label;
/// among them the newest iteration wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SpellingSource {
    Label,
    FileName,
    Folder,
}

/// A spelling by where it occurs and in which iteration; of two in the same place the first name is last.
type SpellingUse<'a> = (SpellingSource, usize, Reverse<&'a str>);

/// The scope in which spellings are side by side: a document or the folders, an iteration, and a
/// case.
type SpellingScope<'a> = (SpellingSource, usize, &'a IterationKey, Vec<&'a str>);

#[derive(Default)]
struct SeenSpellings<'a> {
    /// The spellings of each configuration, by its folded name; the last is its name.
    spellings: BTreeMap<String, BTreeSet<SpellingUse<'a>>>,
    at: BTreeMap<(String, SpellingScope<'a>), &'a str>,
    /// Configurations with two spellings side by side.
    apart: BTreeSet<String>,
}

impl<'a> SeenSpellings<'a> {
    fn new(section: &'a Section, records: &'a [Record]) -> Self {
        let mut seen = Self::default();
        let iterations = section.iterations.iter().enumerate();
        let ages: BTreeMap<&IterationKey, usize> =
            iterations.map(|(age, found)| (&found.key, age + 1)).collect();
        for place in section.places() {
            let Some(spelling) = &place.configuration else { continue };
            let is_stem = *spelling == place.stem;
            let source = if is_stem { SpellingSource::FileName } else { SpellingSource::Folder };
            let case = place.case.as_deref().into_iter().collect();
            let age = ages.get(&place.iteration).copied().unwrap_or(0);
            seen.add(spelling, age, (source, 0, &place.iteration, case));
        }
        for (at, (document, record)) in section.documents.iter().zip(records).enumerate() {
            let place = &document.place;
            let gradings = record.gradings.iter().map(|graded| &graded.labels);
            let document_labels = gradings.chain(record.metrics.iter().map(|(labels, _)| labels));
            for labels in document_labels.filter(|_| place.configuration.is_none()) {
                let Some(spelling) = &labels.configuration else { continue };
                let case = [&labels.iteration, &labels.case_id, &labels.case_name];
                let case = case.map(|label| label.as_deref().unwrap_or_default()).to_vec();
                let age = ages.get(&place.iteration).copied().unwrap_or(0);
                seen.add(spelling, age, (SpellingSource::Label, at, &place.iteration, case));
            }
        }
        seen
    }

    fn add(&mut self, spelling: &'a str, age: usize, position: SpellingScope<'a>) {
        let folded = folded_name(spelling);
        let uses = self.spellings.entry(folded.clone()).or_default();
        uses.insert((position.0, age, Reverse(spelling)));
        let first = *self.at.entry((folded.clone(), position)).or_insert(spelling);
        // Two folders of one case are two sides, however alike their names are.
        if first != spelling {
            self.apart.insert(folded);
        }
    }

    /// The name for each spelling that differs from it.
    fn names(&self) -> BTreeMap<String, String> {
        let mut names = BTreeMap::new();
        for (folded, uses) in &self.spellings {
            let Some((.., Reverse(name))) = uses.last() else { continue };
            let others = uses.iter().map(|(.., Reverse(other))| other);
            for other in others.filter(|other| *other != name && !self.apart.contains(folded)) {
                names.insert((*other).to_owned(), (*name).to_owned());
            }
        }
        names
    }
}

type Renamed = BTreeMap<String, String>;

/// Renames the configurations of `workspace` to their labels, in every iteration, recorded
/// benchmark and blind comparison.
///
/// # Errors
/// The label that two configurations of one iteration would share; nothing is renamed then.
pub fn relabel(workspace: &mut Workspace, labels: &BTreeMap<String, String>) -> Result<(), String> {
    let names = workspace.iterations.iter().flat_map(|iteration| &iteration.configurations);
    let names: BTreeSet<&String> = names.collect();
    // A label also applies to names in the data that differ from its own in spelling only.
    let others = labels.iter().filter(|(name, _)| !names.contains(name));
    let others: BTreeMap<String, &String> =
        others.map(|(name, label)| (folded_name(name), label)).collect();
    let mut spelled_labels = labels.clone();
    for name in names {
        if let Some(label) = others.get(&folded_name(name)) {
            spelled_labels.entry(name.clone()).or_insert_with(|| (*label).clone());
        }
    }
    for iteration in &workspace.iterations {
        let mut called: BTreeSet<&str> = BTreeSet::new();
        for name in &iteration.configurations {
            let label = spelled_labels.get(name).unwrap_or(name);
            if !called.insert(label) {
                return Err(label.clone());
            }
        }
    }
    for iteration in &mut workspace.iterations {
        for run in iteration.cases.iter_mut().flat_map(|case| &mut case.runs) {
            rename(&mut run.configuration, &spelled_labels);
        }
        for name in &mut iteration.configurations {
            rename(name, &spelled_labels);
        }
        for benchmark in &mut iteration.benchmarks {
            for run in &mut benchmark.listed {
                rename_option(&mut run.configuration, &spelled_labels);
            }
            for configuration in &mut benchmark.configurations {
                rename(&mut configuration.name, &spelled_labels);
            }
            rename_option(&mut benchmark.baseline, &spelled_labels);
        }
        for comparison in &mut iteration.comparisons {
            rename_option(&mut comparison.a.version, &spelled_labels);
            rename_option(&mut comparison.b.version, &spelled_labels);
        }
    }
    Ok(())
}

fn rename(name: &mut String, labels: &Renamed) {
    if let Some(label) = labels.get(name) {
        name.clone_from(label);
    }
}

fn rename_option(name: &mut Option<String>, labels: &Renamed) {
    if let Some(name) = name {
        rename(name, labels);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use input::model::{Case, Iteration, Run, Workspace};

    fn workspace() -> Workspace {
        let run = |name: &str| Run { configuration: name.to_owned(), ..Run::default() };
        let case = Case { runs: vec![run("a"), run("b")], ..Case::default() };
        let configurations = vec!["a".to_owned(), "b".to_owned()];
        let iteration = Iteration { configurations, cases: vec![case], ..Iteration::default() };
        Workspace { iterations: vec![iteration], ..Workspace::default() }
    }

    fn labels(pairs: &[(&str, &str)]) -> Renamed {
        pairs.iter().map(|(name, label)| ((*name).to_owned(), (*label).to_owned())).collect()
    }

    #[test]
    fn every_place_is_renamed_at_once() {
        let mut swapped = workspace();
        relabel(&mut swapped, &labels(&[("a", "b"), ("b", "a"), ("c", "d")])).unwrap();
        assert_eq!(swapped.iterations[0].configurations, ["b", "a"]);
        assert_eq!(swapped.iterations[0].cases[0].runs[0].configuration, "b");
    }

    #[test]
    fn no_two_configurations_are_made_one() {
        let mut merged = workspace();
        assert_eq!(relabel(&mut merged, &labels(&[("a", "b")])), Err("b".to_owned()));
        assert_eq!(merged, workspace());
    }
}
