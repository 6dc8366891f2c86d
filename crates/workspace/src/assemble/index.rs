//! Facts that are fixed before runs are put together: the cases and their metadata, the iterations
//! that documents may name, and which folders are one run.
//!
//! A folder with one run and no number is run 1, so that its files stay together although one
//! document says `"run": 2`. Documents with different numbers belong to different runs.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::case_names;
use crate::assemble::location::{self, IterationsByName, KnownCases, RunLocation, differ};
use crate::assemble::metrics::Closeness;
use crate::read::{Labels, Record};
use input::discover::{Document, FileLevels, IterationKey, Kind, Section};
use input::model::{Case, Code, Problem};
use input::names;
use text::folded_name;

/// A folder of runs: iteration, case, and the configuration if the folder belongs to one.
type RunFolder = (IterationKey, String, Option<String>);

#[derive(Debug, Default)]
pub(super) struct Index {
    known: BTreeMap<IterationKey, KnownCases>,
    rounds: IterationsByName,
    /// The folders of a single run, whatever number their documents give it.
    single_runs: BTreeSet<RunFolder>,
    /// Folders that contain a folder where a document is expected.
    pub(super) misplaced: BTreeSet<String>,
    /// Metadata of the cases, by iteration and folder.
    pub(super) described: BTreeMap<IterationKey, BTreeMap<String, Case>>,
    /// Metadata of cases in an iteration's own folder.
    pub(super) in_iterations: BTreeMap<IterationKey, Vec<Case>>,
    /// Metadata of cases above all iterations.
    pub(super) above: Vec<Case>,
    /// Prompts found in transcripts, by iteration and case.
    pub(super) asked: BTreeMap<(IterationKey, String), String>,
    /// Where documents describe one case differently.
    pub(super) problems: Vec<Problem>,
}

impl Index {
    pub(super) fn new(section: &Section, records: &[Record]) -> Self {
        let misplaced = section.problems.iter().filter(|problem| problem.code == Code::NotAFile);
        let misplaced = misplaced.map(|problem| names::folder(&problem.path).to_owned()).collect();
        let mut index = Self { misplaced, ..Self::default() };
        for key in section.iterations.iter().map(|iteration| &iteration.key) {
            if let IterationKey::Folder(path) = key {
                let same_named = index.rounds.entry(folded_name(names::file_name(path)));
                // A label that fits two folders names neither.
                same_named.and_modify(|only| *only = None).or_insert_with(|| Some(key.clone()));
            }
        }
        for place in section.places() {
            if let Some(case) = &place.case {
                index.known.entry(place.iteration.clone()).or_default().add(case);
            }
        }
        let mut described: Vec<_> = section.documents.iter().zip(records).collect();
        // Metadata before bare prompts before figures; within a kind the closest to the case first.
        described.sort_by_key(|(document, _)| {
            let rank = match document.kind {
                Kind::CaseMetadata => 0,
                Kind::Prompt => 1,
                _ => 2,
            };
            (rank, Reverse(Closeness::at(&document.place)))
        });
        for (document, record) in described {
            if let Some(planned) = &record.case {
                index.describe(document, planned.clone());
            }
        }
        index.single_runs = index.find_single_runs(section, records);
        index
    }

    /// Adds a document's description of its case.
    fn describe(&mut self, document: &Document, mut planned: Case) {
        let place = &document.place;
        let key = place.iteration.clone();
        match (&place.case, &place.iteration) {
            (Some(folder), _) if document.kind == Kind::Transcript => {
                let key = (key, folder.clone());
                self.asked.entry(key).or_insert(planned.prompt.unwrap_or_default());
            }
            (Some(folder), _) => {
                self.known.entry(key.clone()).or_default().describe(folder, &planned);
                let configuration = place.configuration.as_deref().unwrap_or_default();
                if let Some(name) = case_names::strip_configuration(&planned.name, configuration) {
                    planned.name = name.to_owned();
                }
                let cases = self.described.entry(key).or_default();
                let taken = cases.entry(folder.clone()).or_default();
                self.problems.extend(contradiction(taken, &planned, document));
                taken.fill_from(&planned);
            }
            (None, IterationKey::Folder(_)) => {
                self.in_iterations.entry(key).or_default().push(planned);
            }
            (None, IterationKey::Group(_)) => self.above.push(planned),
        }
    }

    pub(super) fn location(&self, place: &FileLevels, labels: &Labels) -> RunLocation {
        let iteration = location::iteration_of(place, labels, &self.rounds);
        let nothing = KnownCases::default();
        let cases = self.known.get(&iteration).unwrap_or(&nothing);
        let case = place.case.clone().or_else(|| cases.find(labels)).unwrap_or_default();
        let configuration = location::configuration_of(place, labels);
        let mut location =
            RunLocation { iteration, case, configuration, run: place.run.or(labels.run) };
        if folder_of(place, &location).is_some_and(|folder| self.single_runs.contains(&folder)) {
            location.run = location.run.and(Some(1));
        }
        location
    }

    /// The folder of another case that `labels` name, if they are in a case's folder.
    pub(super) fn other_case(&self, place: &FileLevels, labels: &Labels) -> Option<String> {
        let known = self.known.get(&place.iteration)?;
        known.find_other(place.case.as_ref()?, labels).map(str::to_owned)
    }

    /// The folders whose documents describe one run and number it; without those that contain or
    /// lie above numbered folders or files.
    fn find_single_runs(&self, section: &Section, records: &[Record]) -> BTreeSet<RunFolder> {
        // The numbers that gradings give, or do not, and those of any document.
        let mut stated: BTreeMap<RunFolder, (BTreeSet<Option<u32>>, BTreeSet<u32>)> =
            BTreeMap::new();
        for (document, record) in section.documents.iter().zip(records) {
            let gradings = record.gradings.iter().map(|graded| (&graded.labels, true));
            let figures = record.metrics.iter().map(|(labels, _)| (labels, false));
            for (labels, is_grading) in gradings.chain(figures) {
                let location = self.location(&document.place, labels);
                let Some(folder) = folder_of(&document.place, &location) else { continue };
                let (of_gradings, numbers) = stated.entry(folder).or_default();
                numbers.extend(labels.run);
                if is_grading {
                    of_gradings.insert(labels.run);
                }
            }
        }
        // Gradings with two numbers in one folder are of two runs.
        stated.retain(|_, (gradings, numbers)| gradings.len() <= 1 && numbers.len() == 1);
        for place in section.places().filter(|place| place.run.is_some()) {
            let RunLocation { iteration, case, configuration, .. } =
                self.location(place, &Labels::default());
            stated.remove(&(iteration.clone(), case.clone(), None));
            stated.remove(&(iteration, case, configuration));
        }
        stated.into_keys().collect()
    }
}

/// The folder of runs at `place`, if neither it nor the file's name has a number.
fn folder_of(place: &FileLevels, location: &RunLocation) -> Option<RunFolder> {
    let names_run =
        place.configuration.is_some() || (place.case.is_some() && location.configuration.is_none());
    if !names_run || place.run.is_some() {
        return None;
    }
    Some((location.iteration.clone(), location.case.clone(), place.configuration.clone()))
}

/// The contradiction between the metadata taken and a more distant one.
fn contradiction(taken: &Case, other: &Case, document: &Document) -> Option<Problem> {
    let fields = [
        ("id", differ(&taken.id, &other.id)),
        ("name", differ(&taken.stated_name(), &other.stated_name())),
        ("prompt", differ(&taken.prompt, &other.prompt)),
    ];
    let named: Vec<&str> = fields.iter().filter(|field| field.1).map(|field| field.0).collect();
    if document.kind != Kind::CaseMetadata || named.is_empty() {
        return None;
    }
    let message = format!("another {} than other metadata of the case", named.join(" and "));
    let problem = Problem::new(Code::CaseContradicts, &document.path, message);
    let problem = problem.assuming("the metadata closest to the case was taken");
    Some(problem.help("describe the case once"))
}
