//! Gradings: which run each belongs to, and which of several provides a run's numbers.

use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::cost::{Closeness, CostOrigin, CostSource};
use crate::assemble::draft::Draft;
use crate::assemble::location::{self, RunLocation};
use crate::discover::{Document, IterationKey, Kind, Section, kinds, names};
use crate::model::{Code, Grading, Ignored, Problem, UNASSIGNED};
use crate::read::{GradingRecord, Labels, Record};
use crate::text::{folded_name, natural_order};

impl Draft<'_> {
    /// Drops parts of an iteration's roll-ups that belong to no single run: these are not gradings
    /// of their own, so nothing is lost.
    pub(in crate::assemble) fn drop_roll_ups(&mut self, section: &Section, records: &mut [Record]) {
        let is_graded = |graded: &GradingRecord| graded.grading.tally().graded() > 0;
        let records_by_document = section.documents.iter().zip(&*records);
        let graded = records_by_document.filter(|(document, record)| {
            document.place.is_in_run() && record.gradings.iter().any(is_graded)
        });
        let graded: BTreeSet<&IterationKey> =
            graded.map(|(document, _)| &document.place.iteration).collect();
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
            if is_blank && !document.place.is_in_run() {
                continue;
            }
            let mut location = self.index.location(&document.place, &graded.labels);
            self.check_labels(document, &graded.labels);
            if location.run.is_none() {
                let nth = counted.entry(location.clone()).or_default();
                *nth += 1;
                location.run = (*nth > 1).then_some(*nth);
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
        let other_case = self.index.other_case(place, labels);
        let other_case = other_case.map(|other| (other, folder.clone(), labels.case_place));
        let other_configuration = || {
            // A document may be more specific than the groups around it; a wider or narrower name
            // does not contradict.
            let folder_value = place.configuration.as_ref();
            let folder_value = folder_value.filter(|value| place.group.as_ref() != Some(*value))?;
            let stated = labels.configuration.as_ref()?;
            let (other, folded) = (folded_name(stated), folded_name(folder_value));
            let is_same = other.contains(&folded) || folded.contains(&other);
            let is_other = !is_same && names::is_configuration(stated);
            is_other.then(|| (stated.clone(), folder_value.clone(), labels.configuration_place))
        };
        let other_run = || {
            let (stated, folder_value) = (labels.run?, place.run?);
            (stated != folder_value)
                .then(|| (format!("run-{stated}"), format!("run-{folder_value}"), labels.run_place))
        };
        if let Some((stated, folder_value, written)) =
            other_case.or_else(other_configuration).or_else(other_run)
        {
            let message = format!("the grading says that it is of `{stated}`");
            self.report.problems.push(
                Problem::new(Code::CaseContradicts, &document.path, message)
                    .at(written)
                    .assuming(format!("taken for `{folder_value}`, whose folder it lies in"))
                    .help("correct what it says, or move it"),
            );
        }
    }

    fn put_grading(&mut self, document: &Document, location: RunLocation, graded: GradingRecord) {
        let closeness = Closeness::at(&document.place);
        let configuration = self.configuration(&location, document);
        let GradingRecord { grading, metrics, timing, timing_place, .. } = graded;
        let run = self.run(&location, configuration, &document.place);
        if run.path.is_empty() || closeness == Closeness::RunFolder {
            let is_of_folder = document.place.stem.is_empty() && document.place.is_in_run();
            run.path = if is_of_folder { &document.place.folder } else { &document.path }.clone();
        }
        for (origin, metrics) in
            [(CostOrigin::GradingTiming, timing), (CostOrigin::Grading, metrics)]
        {
            let (path, place) = (document.path.clone(), timing_place);
            run.costs.push(CostSource { origin, closeness, path, place, metrics });
        }
        run.gradings.push((closeness, grading));
    }

    /// The configuration of a grading: the named one, or the case's only one.
    fn configuration(&mut self, location: &RunLocation, document: &Document) -> String {
        let named_configurations = self.configurations(location).into_iter();
        let named_configurations: Vec<&String> =
            named_configurations.filter(|name| !location::is_stand_in(name)).collect();
        match (&location.configuration, &named_configurations[..]) {
            (Some(named), _) => named.clone(),
            (None, []) => location::unnamed(&location.iteration).to_owned(),
            (None, [only]) => (*only).clone(),
            (None, several) => {
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
        let rank = |(closeness, grading): &(Closeness, Grading)| {
            let stem = names::split_extension(names::file_name(&grading.path)).0;
            (grading.tally().graded() == 0, *closeness, folded_name(stem) != "grading")
        };
        gradings.sort_by(|a, b| {
            rank(a).cmp(&rank(b)).then_with(|| natural_order(&a.1.path, &b.1.path))
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
            if let Some((_, first)) = chosen.first() {
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

/// Whether the first grading only repeats the second, from another folder of the same run: the same
/// verdicts for the same reasons, or the same counts where there are no verdicts. Between the run's
/// folder and the configuration's the verdicts alone decide.
fn is_copy(a: &Grading, of_a: Closeness, b: &Grading, of_b: Closeness) -> bool {
    let is_within =
        |closeness| matches!(closeness, Closeness::RunFolder | Closeness::ConfigurationFolder);
    let in_outputs = |a: &Grading, b: &Grading| {
        let below = names::below(names::folder(&a.path), names::folder(&b.path));
        below.is_some_and(|below| names::is_output_folder(below.split('/').next().unwrap_or(below)))
    };
    let is_elsewhere = of_a != of_b || in_outputs(a, b) || in_outputs(b, a);
    let is_same = is_within(of_a) && is_within(of_b) && of_a != of_b || same_reasons(a, b);
    is_elsewhere && is_same && a.same_verdicts(b)
}

/// Whether nothing shows that two gradings were made separately: another grader, other evidence,
/// counts.
fn same_reasons(a: &Grading, b: &Grading) -> bool {
    let agree = |x: &Option<String>, y: &Option<String>| x.is_none() || y.is_none() || x == y;
    let mut pairs = a.expectations.iter().zip(&b.expectations);
    let is_counted = !a.expectations.is_empty() || a.recorded == b.recorded;
    is_counted && agree(&a.grader, &b.grader) && pairs.all(|(x, y)| agree(&x.evidence, &y.evidence))
}
