//! Draft runs: everything that belongs to one run, before it is decided what counts.

pub(super) mod copies;
mod gradings;

use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::index::Index;
use crate::assemble::location::{self, RunLocation};
use crate::assemble::metrics::{self, Closeness, CostOrigin, CostSource};
use crate::assemble::plan;
use crate::read::{Labels, Record};
use input::discover::{Document, FileLevels, FoundOutput, IterationKey, Kind, Section, kinds};
use input::model::{
    Case, Code, Grading, Ignored, Loading, Measured, Metrics, MissingRun, Notes, Output, Problem,
    Reuse, Run, fill,
};
use text::natural_order;

/// A run of a case: its configuration and its number.
type RunKey = (String, u32);

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
    reused_from: Option<String>,
    reuse: Option<Box<Reuse>>,
    measured: Measured,
    /// What its documents state of the skill's loading.
    loading: Option<Loading>,
    /// The first error reported, after its document.
    error: Option<(String, String)>,
}

impl RunDraft {
    fn add_cost(&mut self, source: CostSource) {
        // Thousands of runs have one or two, and a list that grows has room for four.
        self.costs.reserve_exact(1);
        self.costs.push(source);
    }
}

#[derive(Debug, Default)]
struct CaseDraft {
    planned: Case,
    runs: BTreeMap<RunKey, RunDraft>,
}

type CaseDrafts = BTreeMap<String, CaseDraft>;

/// Problems, and the files that belong to no run.
#[derive(Debug, Default)]
pub(super) struct DraftReport {
    pub(super) problems: Vec<Problem>,
    pub(super) ignored: Vec<Ignored>,
}

#[derive(Debug)]
pub(super) struct Draft<'i> {
    index: &'i Index,
    iterations: BTreeMap<IterationKey, CaseDrafts>,
    /// Iterations that were only copies, with the original of each.
    pub(super) moved: BTreeMap<IterationKey, IterationKey>,
    pub(super) report: DraftReport,
    pub(super) skill: Option<String>,
}

impl<'i> Draft<'i> {
    /// A draft with the cases that metadata describes and the runs that folders name.
    pub(super) fn new(section: &Section, index: &'i Index) -> Self {
        let mut draft = Self {
            index,
            iterations: BTreeMap::new(),
            moved: BTreeMap::new(),
            report: DraftReport::default(),
            skill: None,
        };
        for (iteration, cases) in &index.described {
            for (folder, planned) in cases {
                draft.case(iteration, folder).planned.clone_from(planned);
            }
        }
        draft.announce(section);
        draft
    }

    /// Finishes the draft: the cases of every iteration, each with its runs.
    pub(super) fn take_cases(&mut self) -> BTreeMap<IterationKey, Vec<Case>> {
        let mut iterations = BTreeMap::new();
        for (key, drafts) in std::mem::take(&mut self.iterations) {
            let mut cases = Vec::with_capacity(drafts.len());
            for (folder, CaseDraft { planned: mut case, runs }) in drafts {
                case.runs.reserve_exact(runs.len());
                for ((configuration, number), run) in runs {
                    case.runs.push(self.finish_run(configuration, number, run));
                }
                fill(&mut case.name, &folder);
                case.folder = folder;
                cases.push(case);
            }
            cases.sort_by(|a, b| natural_order(&a.folder, &b.folder));
            let described = self.index.in_iterations.get(&key);
            plan::join(described.map_or(&[], Vec::as_slice), &mut cases);
            iterations.insert(key, cases);
        }
        iterations
    }

    fn case(&mut self, iteration: &IterationKey, case: &str) -> &mut CaseDraft {
        self.iterations.entry(iteration.clone()).or_default().entry(case.to_owned()).or_default()
    }

    /// Registers the runs whose folders name case and configuration, so that a run exists even when
    /// none of its documents can be read. Numbered folders come first: files next to them belong to
    /// one of them.
    fn announce(&mut self, section: &Section) {
        let documents = section.documents.iter().filter(|document| document.kind.marks_run());
        let places = documents.map(|document| &document.place);
        let mut places: Vec<&FileLevels> =
            places.chain(section.outputs.iter().map(|output| &output.place)).collect();
        // Numbered folders first: a file beside them belongs to one of them.
        places.sort_by_key(|place| place.run.is_none());
        for place in places {
            let (Some(case), Some(configuration)) = (&place.case, &place.configuration) else {
                continue;
            };
            if place.group.as_ref() == Some(configuration) {
                // A document may be more specific than the groups around it.
                continue;
            }
            let runs = &mut self.case(&place.iteration, case).runs;
            let mut from = runs.range((configuration.clone(), 0)..);
            let is_known = from.next().is_some_and(|((name, _), _)| name == configuration);
            if place.run.is_some() || !is_known {
                let run = runs.entry((configuration.clone(), place.run.unwrap_or(1))).or_default();
                if run.path.is_empty() && place.stem.is_empty() {
                    run.path.clone_from(&place.folder);
                }
            }
        }
    }

    fn run(
        &mut self,
        location: &RunLocation,
        configuration: String,
        place: &FileLevels,
    ) -> &mut RunDraft {
        let number = location.run.unwrap_or(1);
        let run = self
            .case(&location.iteration, &location.case)
            .runs
            .entry((configuration, number))
            .or_default();
        if run.path.is_empty() && place.stem.is_empty() && place.is_in_run() {
            run.path.clone_from(&place.folder);
        }
        run
    }

    /// Takes what the run of `place` is measured on; call after taking the outputs. A run that left nothing
    /// is missing.
    pub(super) fn take_measured(&mut self, place: &FileLevels, measured: Measured) {
        let location = self.index.location(place, &Labels::default());
        let Some(configuration) = location.configuration.clone() else { return };
        let number = location.run.unwrap_or(1);
        let case = self.case(&location.iteration, &location.case);
        match case.runs.get_mut(&(configuration.clone(), number)) {
            Some(run) => run.measured = measured,
            None => case.planned.missing.push(MissingRun { configuration, number }),
        }
    }

    /// Takes time, tokens, transcript, remarks and errors; call after taking the gradings.
    pub(super) fn take_figures(&mut self, document: &Document, record: &mut Record) {
        if let Some(reuse) = record.reuse.take()
            && let Some(run) = self.known_run(&document.place, &Labels::default())
        {
            run.reuse = Some(reuse);
        }
        let is_transcript = document.kind == Kind::Transcript;
        let is_of_run = is_transcript || record.notes.is_some();
        if is_of_run || record.error.is_some() || record.loading.is_some() {
            if let Some(run) = self.known_run(&document.place, &Labels::default()) {
                if is_transcript {
                    run.transcripts.push(output_of(document));
                }
                run.notes.append(record.notes.take().unwrap_or_default());
                // The first report of an error counts.
                let error = record.error.take().map(|error| (document.path.clone(), error));
                run.error = run.error.take().or(error);
                run.loading = run.loading.take().or(record.loading.take());
            } else if is_of_run {
                self.report.ignored.push(no_run(&document.path));
            }
        }
        let is_graders = kinds::is_of_grader(&document.path);
        let origin = match document.kind {
            Kind::Timing if document.place.in_outputs || is_graders => CostOrigin::OtherTiming,
            Kind::Timing => CostOrigin::Timing,
            _ => CostOrigin::Metrics,
        };
        for (labels, metrics) in std::mem::take(&mut record.metrics) {
            let Some(run) = self.known_run(&document.place, &labels) else {
                let message = "the figures do not say which configuration they are of";
                self.report.problems.push(
                    Problem::new(Code::UnassignedGrading, &document.path, message)
                        .assuming("not counted")
                        .help("move the file into the configuration's folder"),
                );
                continue;
            };
            // Time of the grader is shown apart: it is no cost of the skill.
            let metrics = if is_graders {
                let grader_s = metrics.grader_s.or(metrics.duration_s);
                Metrics { grader_s, ..Metrics::default() }
            } else {
                metrics
            };
            let (closeness, path) = (Closeness::at(&document.place), document.path.clone());
            run.add_cost(CostSource { origin, closeness, path, place: None, metrics });
        }
    }

    /// The run that figures or remarks belong to, by its configuration or because it is the only
    /// one; `None` if ambiguous. Those with neither case nor configuration describe several runs
    /// and are not distributed.
    fn known_run(&mut self, place: &FileLevels, labels: &Labels) -> Option<&mut RunDraft> {
        let location = self.index.location(place, labels);
        // A case may have a thousand runs, and nearly all documents say whose they are.
        if let Some(named) = &location.configuration {
            return Some(self.run(&location, named.clone(), place));
        }
        let configurations = self.configurations(&location);
        let configuration = match configurations.len() {
            0 if !location.case.is_empty() || location.run.is_some() => {
                location::unnamed(&location.iteration).to_owned()
            }
            1 => configurations.first().map(|name| (*name).clone())?,
            _ => return None,
        };
        Some(self.run(&location, configuration, place))
    }

    fn configurations(&self, location: &RunLocation) -> BTreeSet<&String> {
        let case =
            self.iterations.get(&location.iteration).and_then(|cases| cases.get(&location.case));
        case.into_iter().flat_map(|case| case.runs.keys()).map(|(name, _)| name).collect()
    }

    /// Takes the outputs of `section`, and the documents that turned out to be outputs. Those in
    /// the folder of a numbered run come first.
    pub(super) fn take_outputs(&mut self, section: &Section, foreign: &[&Document]) {
        let mut outputs: Vec<FoundOutput> = section.outputs.clone();
        outputs.extend(foreign.iter().map(|document| FoundOutput {
            file: output_of(document),
            place: document.place.clone(),
        }));
        outputs.sort_by(|a, b| {
            let by_run = a.place.run.is_none().cmp(&b.place.run.is_none());
            by_run.then_with(|| natural_order(&a.file.path, &b.file.path))
        });
        for output in outputs {
            self.put_output(output);
        }
    }

    /// Assigns an output to its run: the one its folder names, else the configuration's first run
    /// without outputs of its own.
    fn put_output(&mut self, FoundOutput { file, place }: FoundOutput) {
        let case = place.case.clone().unwrap_or_default();
        let cases = self.iterations.entry(place.iteration.clone()).or_default();
        let runs = &mut cases.entry(case).or_default().runs;
        let configuration = if let Some(named) = &place.configuration {
            named.clone()
        } else if let Some(unnamed) = only_stand_in(runs) {
            unnamed.clone()
        } else if place.run.is_some() || place.in_outputs {
            location::unnamed(&place.iteration).to_owned()
        } else {
            self.report.ignored.push(no_run(&file.path));
            return;
        };
        let number = place.run.unwrap_or_else(|| {
            let mut others = runs.iter().filter(|((name, _), _)| *name == configuration);
            let free = others.clone().find(|(_, run)| !run.own_outputs);
            free.or_else(|| others.next()).map_or(1, |((_, number), _)| *number)
        });
        let run = runs.entry((configuration, number)).or_default();
        run.own_outputs |= place.run.is_some();
        if run.path.is_empty() {
            run.path.clone_from(&place.folder);
        }
        run.outputs.push(file);
    }

    fn finish_run(&mut self, configuration: String, number: u32, draft: RunDraft) -> Run {
        let RunDraft { path, mut transcripts, mut outputs, notes, reused_from, reuse, .. } = draft;
        transcripts.sort_by(|a, b| natural_order(&a.path, &b.path));
        let mut rest = transcripts.into_iter();
        let transcript = rest.next();
        outputs.extend(rest);
        outputs.sort_by(|a, b| natural_order(&a.name, &b.name));
        let mut gradings = self.choose_gradings(draft.gradings);
        // A list that grows has room for four, and nearly every run has one.
        gradings.shrink_to_fit();
        outputs.shrink_to_fit();
        let problems = &mut self.report.problems;
        // One problem for one fault: what keeps a grading from being read is named already.
        let is_reported =
            draft.has_unread_grading || reuse.is_some() || self.index.misplaced.contains(&path);
        if gradings.is_empty() && !path.is_empty() && !is_reported {
            problems.push(Problem::new(Code::UngradedRun, &path, "the run was not graded"));
        }
        let (metrics, contradictions) = metrics::merge(draft.costs);
        problems.extend(contradictions);
        let error = draft.error.map(|(path, report)| {
            let message = format!("an error is reported: {report}");
            problems.push(Problem::new(Code::RunError, path, message));
            report
        });
        let loading = draft.loading.unwrap_or_default();
        Run {
            configuration,
            number,
            path,
            gradings,
            metrics,
            outputs,
            transcript,
            notes,
            reused_from,
            reuse,
            measured: draft.measured,
            error,
            loading,
        }
    }
}

fn no_run(path: &str) -> Ignored {
    Ignored::file(path, "belongs to no run of its case")
}

/// The default configuration of a case's runs, if all of them have it.
fn only_stand_in(runs: &BTreeMap<RunKey, RunDraft>) -> Option<&String> {
    let (first, _) = runs.keys().next()?;
    let is_only = runs.keys().all(|(name, _)| name == first);
    if location::is_stand_in(first) && is_only { Some(first) } else { None }
}

fn output_of(document: &Document) -> Output {
    let name = document.place.output_name(&document.path, true).to_owned();
    Output { name, path: document.path.clone(), bytes: document.bytes }
}
