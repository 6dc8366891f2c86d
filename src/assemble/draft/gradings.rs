//! Gradings: whose they are, and which of several gives a run's numbers.

use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::cost::{Closeness, CostSource, Origin};
use crate::assemble::draft::{Draft, Scored, closeness, run_path};
use crate::assemble::site::{self, Site, UNASSIGNED};
use crate::discover::{Document, Kind, Place, names};
use crate::model::{Code, Grading, Problem};
use crate::read::{GradingRecord, Labels, Record};
use crate::text::natural_order;

impl Draft {
    pub(super) fn take_gradings(&mut self, document: &Document, record: &mut Record) {
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
    pub(super) fn mark_unread(&mut self, place: &Place) {
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

    /// The closest grading first. A copy in another folder of the same run is dropped; any other
    /// further grading stays as a second opinion.
    pub(super) fn choose_gradings(
        &mut self,
        mut gradings: Vec<(Closeness, Grading)>,
    ) -> Vec<Grading> {
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

fn second_grading(first: &Grading, second: &Grading) -> Problem {
    let verdicts =
        if first.same_verdicts(second) { "with the same verdicts" } else { "with other verdicts" };
    let message = format!("another grading of the run graded in `{}`, {verdicts}", first.path);
    Problem::new(Code::SecondGrading, &second.path, message)
        .assuming("shown as a second opinion; the first gives the run's numbers")
        .help("give every run a folder of its own, `run-1`, `run-2`, …")
}
