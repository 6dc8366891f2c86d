//! Runs in the making: everything that belongs to one run, before it is decided what counts.

use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::cost::{self, Closeness, CostSource, Origin};
use crate::assemble::plan;
use crate::assemble::site::{self, KnownCases, Site, UNASSIGNED};
use crate::discover::{Document, FoundOutput, IterationKey, Kind, Place, Section, names};
use crate::model::{
    Case, Code, Grading, Ignored, Notes, Output, PlannedCase, Problem, Run, Workspace,
};
use crate::read::{GradingRecord, Labels, Record};
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
        let mut draft = Self { misplaced, ..Self::default() };
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
        let mut described: Vec<_> = documents().zip(records.iter_mut()).collect();
        described.sort_by_key(|(document, _)| described_order(document));
        for (document, record) in described {
            self.take_case(document, record);
        }
        self.announce(section);
        for (document, record) in documents().zip(records.iter_mut()) {
            self.take_gradings(document, record);
        }
        for (document, record) in documents().zip(records.iter_mut()) {
            self.take_metrics(document, record);
            self.take_prose(document, record);
        }
        self.take_outputs(section, records);
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

    fn take_case(&mut self, document: &Document, record: &mut Record) {
        let Some(planned) = record.case.take() else {
            return;
        };
        let place = &document.place;
        let Some(folder) = place.case.clone() else {
            self.take_case_above(place, planned);
            return;
        };
        if document.kind == Kind::Transcript {
            let key = (place.iteration.clone(), folder);
            self.asked.entry(key).or_insert(planned.prompt.unwrap_or_default());
            return;
        }
        self.known.entry(place.iteration.clone()).or_default().describe(&folder, &planned);
        let draft = self.case(&place.iteration, &folder);
        let contradiction = contradiction(&draft.planned, &planned, document);
        fill_case(&mut draft.planned, planned);
        self.problems.extend(contradiction);
    }

    /// Metadata above the cases is for those of its iteration, else for all.
    fn take_case_above(&mut self, place: &Place, planned: PlannedCase) {
        match &place.iteration {
            IterationKey::Folder(_) => {
                self.described.entry(place.iteration.clone()).or_default().push(planned);
            }
            IterationKey::Group(_) => self.planned.push(planned),
        }
    }

    /// Gives cases that nobody described the prompt of their transcript.
    pub(super) fn give_prompts(&self, workspace: &mut Workspace) {
        for ((iteration, folder), prompt) in &self.asked {
            let (path, implicit) = match iteration {
                IterationKey::Folder(path) => (path, false),
                IterationKey::Group(path) => (path, true),
            };
            let mut iterations = workspace.iterations.iter_mut();
            let found = iterations.find(|it| it.path == *path && it.implicit == implicit);
            let case = found.and_then(|it| it.cases.iter_mut().find(|case| case.folder == *folder));
            if let Some(case) = case.filter(|case| case.prompt.is_none()) {
                case.prompt = Some(prompt.clone());
            }
        }
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
            let runs = &mut self.case(&place.iteration, case).runs;
            let known = runs.keys().any(|(name, _)| name == configuration);
            if place.run.is_some() || !known {
                let run = runs.entry((configuration.clone(), place.run.unwrap_or(1))).or_default();
                if run.path.is_empty() && place.stem.is_empty() {
                    run.path.clone_from(&place.folder);
                }
            }
        }
    }

    fn take_gradings(&mut self, document: &Document, record: &mut Record) {
        if record.gradings.is_empty() && document.kind == Kind::Grading {
            self.mark_unread(&document.place);
        }
        let mut counted: BTreeMap<(String, Option<String>), u32> = BTreeMap::new();
        for graded in std::mem::take(&mut record.gradings) {
            if graded.is_empty
                && graded.grading.recorded.total.is_none()
                && !document.place.is_in_run()
            {
                continue;
            }
            let mut site = self.site(&document.place, &graded.labels);
            self.check_labels(document, &graded.labels);
            if site.run.is_none() {
                let nth =
                    counted.entry((site.case.clone(), site.configuration.clone())).or_default();
                *nth += 1;
                site.run = (*nth > 1).then_some(*nth);
            }
            self.put_grading(document, site, graded);
        }
    }

    /// A run whose grading could not be read has a problem already.
    fn mark_unread(&mut self, place: &Place) {
        let site = self.site(place, &Labels::default());
        if let Some(configuration) = self.known_configuration(&site) {
            self.run(&site, configuration, place).has_unread_grading = true;
        }
    }

    /// The folder wins over labels that contradict it, which is a problem.
    fn check_labels(&mut self, document: &Document, labels: &Labels) {
        let place = &document.place;
        let skill = labels.skill.clone().filter(|skill| !names::is_configuration(skill));
        self.skill = self.skill.take().or(skill);
        let Some(folder) = &place.case else { return };
        let known = self.known.get(&place.iteration);
        let other_case = known.and_then(|known| known.other_than(folder, labels));
        let other = other_case.map(|other| (other.to_owned(), folder.clone()));
        let other = other.or_else(|| self.other_configuration(place, labels));
        if let Some((stated, own)) = other {
            let message = format!("the grading says that it is of `{stated}`");
            self.problems.push(
                Problem::new(Code::LabelContradicts, &document.path, message)
                    .assuming(format!("taken for `{own}`, whose folder it lies in"))
                    .help("correct what it says, or move it"),
            );
        }
    }

    /// Another configuration of the same case that the labels name, and the folder's.
    fn other_configuration(&self, place: &Place, labels: &Labels) -> Option<(String, String)> {
        let (stated, own) = (labels.configuration.as_ref()?, place.configuration.as_ref()?);
        let folded = names::fold(stated);
        let case = self.iterations.get(&place.iteration)?.get(place.case.as_ref()?)?;
        let mut others = case.runs.keys().filter(|(name, _)| name != own);
        let is_there = others.any(|(name, _)| names::fold(name) == folded);
        (folded != names::fold(own) && is_there).then(|| (stated.clone(), own.clone()))
    }

    fn site(&self, place: &Place, labels: &Labels) -> Site {
        let iteration = site::iteration_of(place, labels);
        let nothing = KnownCases::default();
        site::of(place, labels, self.known.get(&iteration).unwrap_or(&nothing))
    }

    fn put_grading(&mut self, document: &Document, site: Site, graded: GradingRecord) {
        let closeness = closeness(&document.place);
        let configuration = self.configuration(&site, document);
        let GradingRecord { grading, metrics, timing, scored, .. } = graded;
        if let Some(stated) = scored {
            self.scored.push(Scored { path: document.path.clone(), stated });
        }
        let run = self.run(&site, configuration, &document.place);
        if run.path.is_empty() || closeness == Closeness::RunFolder {
            run.path = run_path(document);
        }
        let path = &document.path;
        run.costs.push(CostSource::new(Origin::GradingTiming, closeness, path, timing));
        run.costs.push(CostSource::new(Origin::Grading, closeness, path, metrics));
        run.gradings.push((closeness, grading));
    }

    /// The configuration of a grading: named, or the case's only one.
    fn configuration(&mut self, site: &Site, document: &Document) -> String {
        if let Some(configuration) = &site.configuration {
            return configuration.clone();
        }
        let case = self.case(&site.iteration, &site.case);
        let known: BTreeSet<&String> = case.runs.keys().map(|(name, _)| name).collect();
        let named: Vec<&String> =
            known.into_iter().filter(|name| !site::is_stand_in(name)).collect();
        match named[..] {
            [] => site::unnamed(&site.iteration).to_owned(),
            [only] => only.clone(),
            _ => {
                let names: Vec<String> = named.iter().map(|name| format!("`{name}`")).collect();
                let message =
                    format!("the grading does not say which of {} it is of", names.join(", "));
                self.problems.push(
                    Problem::new(Code::UnassignedGrading, &document.path, message)
                        .assuming("shown on its own and compared with nothing")
                        .help("move it into the configuration's folder, or add `configuration`"),
                );
                UNASSIGNED.to_owned()
            }
        }
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
            run.costs.push(CostSource::new(origin, closeness, &document.path, metrics));
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

    fn take_outputs(&mut self, section: &Section, records: &mut [Record]) {
        let foreign = section
            .documents
            .iter()
            .zip(records)
            .filter(|(document, record)| record.is_foreign && document.place.is_in_run());
        let mut outputs: Vec<FoundOutput> = section.outputs.clone();
        outputs.extend(foreign.map(|(document, record)| {
            record.problems.retain(|problem| problem.code != Code::UnknownShape);
            foreign_output(document)
        }));
        outputs.sort_by(|a, b| natural_order(&a.path, &b.path));
        let (own, shared): (Vec<_>, Vec<_>) =
            outputs.into_iter().partition(|output| output.place.run.is_some());
        own.iter().for_each(|output| self.put_output(output));
        shared.iter().for_each(|output| self.put_output(output));
    }

    /// Gives an output to its run: the one its folder names, else the first of the configuration
    /// that has none of its own.
    fn put_output(&mut self, output: &FoundOutput) {
        let place = &output.place;
        let case = place.case.clone().unwrap_or_default();
        let cases = self.iterations.entry(place.iteration.clone()).or_default();
        let draft = cases.entry(case).or_default();
        let configuration = place.configuration.clone().or_else(|| only_unnamed(draft));
        let creates = place.configuration.is_some() || place.run.is_some() || place.in_outputs;
        let unnamed = site::unnamed(&place.iteration);
        let configuration = configuration.or_else(|| creates.then(|| unnamed.to_owned()));
        let Some(configuration) = configuration else {
            let (path, reason) = (output.path.clone(), NO_RUN);
            self.ignored.push(Ignored { path, reason, files: Some(1) });
            return;
        };
        let number = place.run.unwrap_or_else(|| first_without_outputs(draft, &configuration));
        let run = draft.runs.entry((configuration, number)).or_default();
        run.own_outputs |= place.run.is_some();
        if run.path.is_empty() {
            run.path.clone_from(&place.folder);
        }
        let Output { path, name, bytes } =
            Output { path: output.path.clone(), name: output.name.clone(), bytes: output.bytes };
        run.outputs.push(Output { path, name, bytes });
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

    /// The closest grading first. A copy in another folder of the same run is dropped; any other
    /// further grading stays as a second opinion.
    fn choose_gradings(&mut self, mut gradings: Vec<(Closeness, Grading)>) -> Vec<Grading> {
        let rank =
            |closeness: Closeness, grading: &Grading| (grading.tally().graded() == 0, closeness);
        if gradings.iter().any(|(_, grading)| !grading.expectations.is_empty()) {
            // Counts say nothing new beside the verdicts they were made from.
            gradings.retain(|(_, grading)| !grading.expectations.is_empty());
        }
        gradings.sort_by(|(a, x), (b, y)| {
            rank(*a, x).cmp(&rank(*b, y)).then_with(|| natural_order(&x.path, &y.path))
        });
        let mut chosen: Vec<(Closeness, Grading)> = Vec::new();
        for (closeness, grading) in gradings {
            let copied = chosen.iter().find(|(of, first)| {
                *of == Closeness::RunFolder
                    && closeness == Closeness::ConfigurationFolder
                    && first.same_verdicts(&grading)
            });
            if let Some((_, first)) = copied {
                let message = format!("the same verdicts as in `{}`", first.path);
                let problem = Problem::new(Code::DuplicateGrading, &grading.path, message);
                self.problems.push(problem.assuming("counted once"));
                continue;
            }
            if let Some((_, first)) = chosen.first() {
                self.problems.push(second_grading(first, &grading));
            }
            chosen.push((closeness, grading));
        }
        chosen.into_iter().map(|(_, grading)| grading).collect()
    }
}

fn unassigned_figures(path: &str) -> Problem {
    let message = "the figures do not say which configuration they are of";
    Problem::new(Code::UnassignedFigures, path, message)
        .assuming("not counted")
        .help("move the file into the configuration's folder")
}

fn second_grading(first: &Grading, second: &Grading) -> Problem {
    let verdicts =
        if first.same_verdicts(second) { "with the same verdicts" } else { "with other verdicts" };
    let message = format!("another grading of the run graded in `{}`, {verdicts}", first.path);
    Problem::new(Code::SecondGrading, &second.path, message)
        .assuming("shown as a second opinion; the first gives the run's numbers")
        .help("give every run a folder of its own, `run-1`, `run-2`, …")
}

/// Metadata before prompts alone before figures, and of each kind the closest to the case.
fn described_order(document: &Document) -> (u8, std::cmp::Reverse<Closeness>) {
    let rank = match document.kind {
        Kind::CaseMetadata => 0,
        Kind::Prompt => 1,
        _ => 2,
    };
    (rank, std::cmp::Reverse(closeness(&document.place)))
}

/// What metadata farther from the case says otherwise than what was taken.
fn contradiction(taken: &PlannedCase, other: &PlannedCase, document: &Document) -> Option<Problem> {
    let differs = |a: &Option<String>, b: &Option<String>| match (a, b) {
        (Some(a), Some(b)) => a.trim() != b.trim(),
        _ => false,
    };
    let fields = [
        ("id", differs(&taken.id, &other.id)),
        ("name", differs(&taken.name, &other.name)),
        ("prompt", differs(&taken.prompt, &other.prompt)),
    ];
    let named: Vec<&str> =
        fields.iter().filter(|(_, differs)| *differs).map(|(name, _)| *name).collect();
    if named.is_empty() || document.kind != Kind::CaseMetadata {
        return None;
    }
    let message = format!("another {} than other metadata of the case", named.join(" and "));
    let problem = Problem::new(Code::CaseContradicts, &document.path, message);
    Some(
        problem
            .assuming("the metadata closest to the case was taken")
            .help("describe the case once"),
    )
}

fn fill_case(slot: &mut PlannedCase, other: PlannedCase) {
    slot.id = slot.id.take().or(other.id);
    slot.name = slot.name.take().or(other.name);
    slot.prompt = slot.prompt.take().or(other.prompt);
    slot.expected_output = slot.expected_output.take().or(other.expected_output);
    if slot.files.is_empty() {
        slot.files = other.files;
    }
    if slot.expectations.is_empty() {
        slot.expectations = other.expectations;
    }
}

fn run_path(document: &Document) -> String {
    if document.place.stem.is_empty() && document.place.is_in_run() {
        document.place.folder.clone()
    } else {
        document.path.clone()
    }
}

fn output_of(document: &Document) -> Output {
    let FoundOutput { path, name, bytes, .. } = foreign_output(document);
    Output { path, name, bytes }
}

fn foreign_output(document: &Document) -> FoundOutput {
    let below = names::below(&document.path, &document.place.folder).unwrap_or(&document.path);
    let name = match below.split_once('/') {
        Some((first, rest)) if names::is_output_folder(first) => rest.to_owned(),
        _ => below.to_owned(),
    };
    FoundOutput {
        path: document.path.clone(),
        name,
        place: document.place.clone(),
        bytes: document.bytes,
    }
}

fn only_unnamed(draft: &CaseDraft) -> Option<String> {
    let mut names = draft.runs.keys().map(|(name, _)| name);
    let first = names.next()?;
    (site::is_stand_in(first) && names.all(|name| name == first)).then(|| first.clone())
}

fn first_without_outputs(draft: &CaseDraft, configuration: &str) -> u32 {
    let mut runs = draft.runs.iter().filter(|((name, _), _)| name == configuration);
    let free = runs.clone().find(|(_, run)| !run.own_outputs);
    free.or_else(|| runs.next()).map_or(1, |((_, number), _)| *number)
}
