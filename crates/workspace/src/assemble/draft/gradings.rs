//! Gradings: which run each belongs to, and which of several provides a run's numbers.

use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::draft::Draft;
use crate::assemble::location::{self, RunLocation, differ};
use crate::assemble::metrics::{Closeness, CostOrigin, CostSource};
use crate::read::{GradingRecord, Labels, Record};
use input::discover::{Document, FileLevels, IterationKey, Kind, Section, kinds};
use input::model::{Code, Grading, Ignored, Problem, UNASSIGNED, fill};
use input::names;
use text::{folded_name, natural_order};

impl Draft<'_> {
    /// Drops parts of an iteration's roll-ups that belong to no single run: these are not gradings
    /// of their own, so nothing is lost.
    pub(in crate::assemble) fn drop_roll_ups(&mut self, section: &Section, records: &mut [Record]) {
        let mut graded: BTreeSet<&IterationKey> = BTreeSet::new();
        for (document, record) in section.documents.iter().zip(&*records) {
            let mut gradings = record.gradings.iter().map(|graded| &graded.grading);
            if document.place.is_in_run() && gradings.any(|found| found.tally().graded() > 0) {
                graded.insert(&document.place.iteration);
            }
        }
        for (document, record) in section.documents.iter().zip(records) {
            let place = &document.place;
            let sums_up = kinds::is_roll_up(&document.path) && document.kind == Kind::Grading;
            if !sums_up || place.is_in_run() || !graded.contains(&place.iteration) {
                continue;
            }
            record.gradings.retain(|graded| {
                graded.labels.case_id.is_some() || graded.labels.case_name.is_some()
            });
            if record.gradings.is_empty() {
                record.problems.retain(|problem| problem.code < Code::WrongType);
                self.report.ignored.push(Ignored::file(
                    &document.path,
                    "sums up gradings that are read on their own",
                ));
            }
        }
    }

    pub(in crate::assemble) fn take_gradings(&mut self, document: &Document, record: &mut Record) {
        let is_grading = document.kind == Kind::Grading;
        // A program that an agent wrote may have a `grading.json` of its own.
        if is_grading && record.is_foreign {
            self.report.ignored.push(Ignored::file(&document.path, "belongs to no run"));
            return;
        }
        if is_grading && record.gradings.is_empty() {
            // A run with an unreadable grading already has a problem.
            if let Some(run) = self.known_run(&document.place, &Labels::default()) {
                run.has_unread_grading = true;
            }
        }
        let mut counted: BTreeMap<RunLocation, u32> = BTreeMap::new();
        for graded in std::mem::take(&mut record.gradings) {
            let is_blank = graded.is_empty && graded.grading.recorded.total.is_none();
            // A template or an index without verdicts is no run of its own.
            if is_blank && !document.place.is_in_run() {
                continue;
            }
            let mut location = self.index.location(&document.place, &graded.labels);
            self.check_labels(document, &graded.labels);
            // A list of gradings that names no runs has one after another of the same case.
            if location.run.is_none() {
                let nth = counted.entry(location.clone()).or_default();
                *nth += 1;
                if *nth > 1 {
                    location.run = Some(*nth);
                }
            }
            self.put_grading(document, location, graded);
        }
    }

    /// The folder wins over labels that contradict it, which is a problem.
    fn check_labels(&mut self, document: &Document, labels: &Labels) {
        let place = &document.place;
        let skill = labels.skill.clone().filter(|skill| !names::is_configuration(skill));
        self.skill = self.skill.take().or(skill);
        let Some(folder) = &place.case else { return };
        let (stated, of_folder, written) = if let Some(other) = self.index.other_case(place, labels)
        {
            (other, folder.clone(), labels.case_place)
        } else if let Some((stated, of_folder)) = other_configuration(place, labels) {
            (stated.clone(), of_folder.clone(), labels.configuration_place)
        } else if let (Some(stated), Some(of_folder)) = (labels.run, place.run)
            && stated != of_folder
        {
            (format!("run-{stated}"), format!("run-{of_folder}"), labels.run_place)
        } else {
            return;
        };
        let message = format!("the grading says that it is of `{stated}`");
        self.report.problems.push(
            Problem::new(Code::CaseContradicts, &document.path, message)
                .at(written)
                .assuming(format!("taken for `{of_folder}`, whose folder it lies in"))
                .help("correct what it says, or move it"),
        );
    }

    fn put_grading(&mut self, document: &Document, location: RunLocation, graded: GradingRecord) {
        let closeness = Closeness::at(&document.place);
        let configuration = self.configuration(&location, document);
        let GradingRecord { labels, grading, metrics, timing, timing_place, .. } = graded;
        if grading.is_recorded {
            // No folder and no metadata says which case of the plan it is.
            let case = self.case(&location.iteration, &location.case);
            fill(&mut case.planned.id, &labels.case_id);
        }
        let run = self.run(&location, configuration, &document.place);
        // Pages link the folder that a person would open, not a roll-up.
        if run.path.is_empty() || closeness == Closeness::RunFolder {
            let is_of_folder = document.place.stem.is_empty() && document.place.is_in_run();
            run.path = if is_of_folder { &document.place.folder } else { &document.path }.clone();
        }
        for (origin, metrics) in
            [(CostOrigin::GradingTiming, timing), (CostOrigin::Grading, metrics)]
        {
            if !metrics.is_empty() {
                let (path, place) = (document.path.clone(), timing_place);
                run.add_cost(CostSource { origin, closeness, path, place, metrics });
            }
        }
        // Most runs are graded once, and a list that grows has room for four.
        run.gradings.reserve_exact(1);
        run.gradings.push((closeness, grading));
    }

    /// The configuration of a grading: the named one, or the case's only one.
    fn configuration(&mut self, location: &RunLocation, document: &Document) -> String {
        if let Some(named) = &location.configuration {
            return named.clone();
        }
        let named_configurations = self.configurations(location).into_iter();
        let named_configurations: Vec<&String> =
            named_configurations.filter(|name| !location::is_stand_in(name)).collect();
        match &named_configurations[..] {
            [] => location::unnamed(&location.iteration).to_owned(),
            [only] => (*only).clone(),
            several => {
                let names: Vec<String> = several.iter().map(|name| format!("`{name}`")).collect();
                let message =
                    format!("the grading does not say which of {} it is of", names.join(", "));
                self.report.problems.push(
                    Problem::new(Code::UnassignedGrading, &document.path, message)
                        .assuming("shown on its own and compared with nothing")
                        .help("move it into the configuration's folder, or add `configuration`"),
                );
                UNASSIGNED.to_owned()
            }
        }
    }

    /// Puts the closest grading first, before those with a longer name, such as `grading-old.json`.
    /// A copy in another folder is dropped; any other grading stays as a second opinion.
    pub(super) fn choose_gradings(
        &mut self,
        mut gradings: Vec<(Closeness, Grading)>,
    ) -> Vec<Grading> {
        if gradings.iter().any(|(_, grading)| !grading.expectations.is_empty()) {
            // Counts add nothing to the verdicts they were made from.
            gradings.retain(|(_, grading)| !grading.expectations.is_empty());
        }
        gradings.sort_by(|(a_closeness, a), (b_closeness, b)| {
            rank(a, *a_closeness)
                .cmp(&rank(b, *b_closeness))
                .then_with(|| natural_order(&a.path, &b.path))
        });
        let mut chosen: Vec<(Closeness, Grading)> = Vec::new();
        for (closeness, grading) in gradings {
            let copied = chosen.iter().find(|(closeness_of_first, first)| {
                is_copy(&grading, closeness, first, *closeness_of_first)
            });
            if let Some((_, first)) = copied {
                let message = format!("the same verdicts as in `{}`", first.path);
                let problem = Problem::new(Code::DuplicateGrading, &grading.path, message);
                self.report.problems.push(problem.assuming("counted once"));
                continue;
            }
            if let Some((_, first)) =
                chosen.first().filter(|(_, first)| !are_two_judges(first, &grading))
            {
                let verdicts = if first.same_verdicts(&grading) { "the same" } else { "other" };
                let message = format!(
                    "another grading of the run graded in `{}`, with {verdicts} verdicts",
                    first.path
                );
                self.report.problems.push(
                    Problem::new(Code::SecondGrading, &grading.path, message)
                        .assuming("shown as a second opinion; the first gives the run's numbers")
                        .help("give every run a folder of its own, `run-1`, `run-2`, …"),
                );
            }
            chosen.push((closeness, grading));
        }
        chosen.into_iter().map(|(_, grading)| grading).collect()
    }
}

/// Whether both say who judged: judges that are named give two opinions of one run on purpose.
fn are_two_judges(a: &Grading, b: &Grading) -> bool {
    a.grader.is_some() && b.grader.is_some() && a.grader != b.grader
}

/// The configuration that a document states and that of its folder, if they contradict each other.
fn other_configuration<'a>(
    place: &'a FileLevels,
    labels: &'a Labels,
) -> Option<(&'a String, &'a String)> {
    let (stated, of_folder) = (labels.configuration.as_ref()?, place.configuration.as_ref()?);
    // A document may be more specific than the groups around it.
    if place.group.as_ref() == Some(of_folder) || !names::is_configuration(stated) {
        return None;
    }
    let (stated_name, folder_name) = (folded_name(stated), folded_name(of_folder));
    // A wider or narrower name does not contradict.
    if stated_name.contains(&folder_name) || folder_name.contains(&stated_name) {
        return None;
    }
    Some((stated, of_folder))
}

/// Whether the first grading only repeats the second, from another folder of the same run: the same
/// verdicts for the same reasons, or the same counts where there are no verdicts. Between the run's
/// folder and that of the configuration around it the verdicts alone decide.
fn is_copy(a: &Grading, of_a: Closeness, b: &Grading, of_b: Closeness) -> bool {
    // The aggregator of the skill-creator reads `run-1` alone, so lithqube, Ahoo-Wang and japurcell copied
    // 62 gradings there.
    let [folder, other] = [a, b].map(|grading| names::folder(&grading.path));
    let are_near = of_a.max(of_b) == Closeness::ConfigurationFolder
        && of_a.min(of_b) == Closeness::RunFolder
        && (names::is_in(folder, other) || names::is_in(other, folder));
    let is_elsewhere = of_a != of_b || lies_in_outputs_of(a, b) || lies_in_outputs_of(b, a);
    is_elsewhere && a.same_verdicts(b) && (are_near || same_reasons(a, b))
}

/// Whether `a` lies in the folder of outputs beside `b`.
fn lies_in_outputs_of(a: &Grading, b: &Grading) -> bool {
    let below = names::below(names::folder(&a.path), names::folder(&b.path));
    below.is_some_and(|below| names::is_output_folder(below.split('/').next().unwrap_or(below)))
}

/// The order of a run's gradings: with verdicts first, then the closest, then `grading.json`.
fn rank(grading: &Grading, closeness: Closeness) -> (bool, Closeness, bool) {
    let stem = names::split_extension(names::file_name(&grading.path)).0;
    (grading.tally().graded() == 0, closeness, folded_name(stem) != "grading")
}

/// Whether nothing shows that two gradings were made separately: another grader, other evidence,
/// counts.
pub(super) fn same_reasons(a: &Grading, b: &Grading) -> bool {
    let mut pairs = a.expectations.iter().zip(&b.expectations);
    let have_same_counts = !a.expectations.is_empty() || a.recorded == b.recorded;
    have_same_counts
        && !differ(&a.grader, &b.grader)
        && !pairs.any(|(a, b)| differ(&a.evidence, &b.evidence))
}
