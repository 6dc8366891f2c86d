//! Runs in the making: everything that belongs to one run, before it is decided what counts.

mod copied;
mod described;
mod gradings;
mod named;
mod numbers;
mod outputs;

use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::cost::{self, Closeness, CostSource, Origin};
use crate::assemble::draft::described::described_order;
use crate::assemble::draft::numbers::RunFolder;
use crate::assemble::draft::outputs::output_of;
use crate::assemble::plan;
use crate::assemble::site::{self, KnownCases, Rounds, Site};
use crate::discover::{Document, IterationKey, Kind, Place, Section, names};
use crate::model::{Case, Code, Grading, Ignored, Notes, Output, PlannedCase, Problem, Run};
use crate::read::{Labels, Record};
use crate::text::natural_order;

/// Why a file of a case is ignored.
const NO_RUN: &str = "belongs to no run of its case";

/// A grading that follows the rubric of 1 to 5, with what can only be checked against the plan.
#[derive(Clone, Debug)]
pub(super) struct Scored {
    /// The grading's file.
    pub(super) path: String,
    /// What the document states.
    pub(super) stated: crate::read::ScoredStatement,
}

/// How close the documents of a place lie to their run.
fn closeness(place: &Place) -> Closeness {
    match () {
        () if place.run.is_some() => Closeness::RunFolder,
        () if place.configuration.is_some() => Closeness::ConfigurationFolder,
        () if place.case.is_some() => Closeness::CaseFolder,
        () => Closeness::RollUp,
    }
}

#[derive(Debug, Default)]
struct RunDraft {
    path: String,
    gradings: Vec<(Closeness, Grading)>,
    costs: Vec<CostSource>,
    outputs: Vec<Output>,
    own_outputs: bool,
    has_unread_grading: bool,
    transcripts: Vec<Output>,
    notes: Notes,
}

#[derive(Debug, Default)]
struct CaseDraft {
    planned: PlannedCase,
    runs: BTreeMap<(String, u32), RunDraft>,
}

type Cases = BTreeMap<String, CaseDraft>;

/// All runs in the making.
#[derive(Debug, Default)]
pub(super) struct Draft {
    iterations: BTreeMap<IterationKey, Cases>,
    known: BTreeMap<IterationKey, KnownCases>,
    /// Files that turned out to belong to no run.
    pub(super) ignored: Vec<Ignored>,
    /// What is wrong with how documents fit together.
    pub(super) problems: Vec<Problem>,
    /// Folders in which a folder stands where a document is expected.
    misplaced: BTreeSet<String>,
    /// Metadata of cases that lies in no case's folder.
    pub(super) planned: Vec<PlannedCase>,
    /// Metadata of cases that lies in an iteration's folder.
    described: BTreeMap<IterationKey, Vec<PlannedCase>>,
    /// Prompts found in transcripts, by iteration and case.
    asked: BTreeMap<(IterationKey, String), String>,
    /// The folders of one run each, whatever number their documents give it.
    lone: BTreeSet<RunFolder>,
    /// The iterations that documents may name.
    rounds: Rounds,
    /// The skill that the first grading to do so names.
    pub(super) skill: Option<String>,
    /// Gradings whose statements must be checked against the plan.
    pub(super) scored: Vec<Scored>,
}

impl Draft {
    /// A draft that knows the cases of `section` by their folders.
    pub(super) fn new(section: &Section) -> Self {
        let misplaced = section.problems.iter().filter(|problem| problem.code == Code::NotAFile);
        let misplaced = misplaced.map(|problem| names::folder(&problem.path).to_owned()).collect();
        let rounds = Rounds::of(&section.iterations);
        let mut draft = Self { misplaced, rounds, ..Self::default() };
        let places = section.documents.iter().map(|document| &document.place);
        for place in places.chain(section.outputs.iter().map(|output| &output.place)) {
            if let Some(case) = &place.case {
                draft.known.entry(place.iteration.clone()).or_default().add(case);
            }
        }
        draft
    }

    /// Takes everything that belongs to runs out of `records`.
    pub(super) fn fill(&mut self, section: &Section, records: &mut [Record]) {
        let documents = || section.documents.iter();
        let mut names = named::cut(section, records);
        let mut described: Vec<_> = documents().zip(records.iter_mut()).collect();
        described.sort_by_key(|(document, _)| described_order(document));
        for (document, record) in described {
            self.take_case(document, record, names.remove(&document.path));
        }
        self.announce(section);
        self.find_lone_runs(section, records);
        for (document, record) in documents().zip(records.iter_mut()) {
            self.take_gradings(document, record);
        }
        for (document, record) in documents().zip(records.iter_mut()) {
            self.take_metrics(document, record);
            self.take_prose(document, record);
        }
        self.take_outputs(section, records);
        self.join_copies();
    }

    /// Ends the draft: the cases of every iteration, each with its runs.
    pub(super) fn take_cases(&mut self) -> BTreeMap<IterationKey, Vec<Case>> {
        let iterations = std::mem::take(&mut self.iterations);
        let described = std::mem::take(&mut self.described);
        iterations
            .into_iter()
            .map(|(key, cases)| {
                let mut cases: Vec<Case> = cases
                    .into_iter()
                    .map(|(folder, case)| self.finish_case(folder, case))
                    .collect();
                cases.sort_by(|a, b| natural_order(&a.folder, &b.folder));
                plan::join(described.get(&key).map_or(&[], Vec::as_slice), &mut cases);
                (key, cases)
            })
            .collect()
    }

    fn case(&mut self, iteration: &IterationKey, case: &str) -> &mut CaseDraft {
        self.iterations.entry(iteration.clone()).or_default().entry(case.to_owned()).or_default()
    }

    /// Makes the runs known whose folders name case and configuration, so that a run is there even
    /// when none of its documents can be read. Numbered folders come first: what lies beside them
    /// belongs to one of them.
    fn announce(&mut self, section: &Section) {
        let documents = section.documents.iter().filter(|document| document.kind.marks_run());
        let places = documents.map(|document| &document.place);
        let places: Vec<&Place> =
            places.chain(section.outputs.iter().map(|output| &output.place)).collect();
        let (numbered, plain): (Vec<&Place>, Vec<&Place>) =
            places.into_iter().partition(|place| place.run.is_some());
        for place in numbered.into_iter().chain(plain) {
            let (Some(case), Some(configuration)) = (&place.case, &place.configuration) else {
                continue;
            };
            if place.group.as_ref() == Some(configuration) {
                // A document may say more than the groups around it.
                continue;
            }
            let runs = &mut self.case(&place.iteration, case).runs;
            let mut from = runs.range((configuration.clone(), 0)..);
            let known = from.next().is_some_and(|((name, _), _)| name == configuration);
            if place.run.is_some() || !known {
                let run = runs.entry((configuration.clone(), place.run.unwrap_or(1))).or_default();
                if run.path.is_empty() && place.stem.is_empty() {
                    run.path.clone_from(&place.folder);
                }
            }
        }
    }

    fn site(&self, place: &Place, labels: &Labels) -> Site {
        let iteration = site::iteration_of(place, labels, &self.rounds);
        let nothing = KnownCases::default();
        let known = self.known.get(&iteration).unwrap_or(&nothing);
        self.numbered(place, site::of(place, labels, iteration, known))
    }

    fn run(&mut self, site: &Site, configuration: String, place: &Place) -> &mut RunDraft {
        let number = site.run.unwrap_or(1);
        let run =
            self.case(&site.iteration, &site.case).runs.entry((configuration, number)).or_default();
        if run.path.is_empty() && place.stem.is_empty() && place.is_in_run() {
            run.path.clone_from(&place.folder);
        }
        run
    }

    fn take_metrics(&mut self, document: &Document, record: &mut Record) {
        let origin = if document.kind == Kind::Timing { Origin::Timing } else { Origin::Metrics };
        for (labels, metrics) in std::mem::take(&mut record.metrics) {
            let site = self.site(&document.place, &labels);
            let Some(configuration) = self.known_configuration(&site) else {
                self.problems.push(unassigned_figures(&document.path));
                continue;
            };
            let closeness = closeness(&document.place);
            let run = self.run(&site, configuration, &document.place);
            let path = document.path.clone();
            run.costs.push(CostSource { origin, closeness, path, place: None, metrics });
        }
    }

    /// The configuration of figures: named, or the only one there is. Figures without a case or
    /// configuration describe more than one run and are not shared out.
    fn known_configuration(&self, site: &Site) -> Option<String> {
        if let Some(configuration) = &site.configuration {
            return Some(configuration.clone());
        }
        let case = self.iterations.get(&site.iteration).and_then(|cases| cases.get(&site.case));
        let runs = case.into_iter().flat_map(|case| case.runs.keys());
        let known: BTreeSet<&String> = runs.map(|(name, _)| name).collect();
        match known.len() {
            0 => (!site.case.is_empty() || site.run.is_some())
                .then(|| site::unnamed(&site.iteration).to_owned()),
            1 => known.first().map(|name| (*name).clone()),
            _ => None,
        }
    }

    fn take_prose(&mut self, document: &Document, record: &mut Record) {
        let transcript = document.kind == Kind::Transcript;
        if !transcript && record.notes.is_none() {
            return;
        }
        let site = self.site(&document.place, &Labels::default());
        let Some(configuration) = self.known_configuration(&site) else {
            let (path, reason) = (document.path.clone(), NO_RUN);
            self.ignored.push(Ignored { path, reason, files: Some(1) });
            return;
        };
        let run = self.run(&site, configuration, &document.place);
        if transcript {
            run.transcripts.push(output_of(document));
        }
        if let Some(notes) = record.notes.take() {
            run.notes.append(notes);
        }
    }

    fn finish_case(&mut self, folder: String, draft: CaseDraft) -> Case {
        let CaseDraft { planned, runs } = draft;
        let runs = runs
            .into_iter()
            .map(|((configuration, number), run)| self.finish_run(configuration, number, run))
            .collect();
        Case {
            id: planned.id,
            name: planned.name.unwrap_or_else(|| folder.clone()),
            folder,
            prompt: planned.prompt,
            expected_output: planned.expected_output,
            files: planned.files,
            planned: planned.expectations,
            runs,
        }
    }

    fn finish_run(&mut self, configuration: String, number: u32, draft: RunDraft) -> Run {
        let mut transcripts = draft.transcripts;
        transcripts.sort_by(|a, b| natural_order(&a.path, &b.path));
        let mut rest = transcripts.into_iter();
        let transcript = rest.next();
        let mut outputs = draft.outputs;
        outputs.extend(rest);
        outputs.sort_by(|a, b| natural_order(&a.name, &b.name));
        let gradings = self.choose_gradings(draft.gradings);
        let is_told = draft.has_unread_grading || self.misplaced.contains(&draft.path);
        if gradings.is_empty() && !draft.path.is_empty() && !is_told {
            let message = "the run was not graded".to_owned();
            self.problems.push(Problem::new(Code::UngradedRun, &draft.path, message));
        }
        let (metrics, contradiction) = cost::merge(draft.costs);
        self.problems.extend(contradiction);
        Run {
            configuration,
            number,
            path: draft.path,
            gradings,
            metrics,
            outputs,
            transcript,
            notes: draft.notes,
        }
    }
}

fn unassigned_figures(path: &str) -> Problem {
    let message = "the figures do not say which configuration they are of";
    Problem::new(Code::UnassignedGrading, path, message)
        .assuming("not counted")
        .help("move the file into the configuration's folder")
}

fn run_path(document: &Document) -> String {
    if document.place.stem.is_empty() && document.place.is_in_run() {
        document.place.folder.clone()
    } else {
        document.path.clone()
    }
}
