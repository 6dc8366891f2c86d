//! Numbers that documents give to the run in whose folder they lie.
//!
//! A folder with one run and no number is run 1, so that what lies in it stays together although
//! one document says `"run": 2`. Documents that give different numbers are of different runs.

use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::draft::Draft;
use crate::assemble::site::Site;
use crate::discover::{IterationKey, Place, Section};
use crate::read::{Labels, Record};

/// A folder of runs: iteration, case, and configuration where the folder is one's.
pub(super) type RunFolder = (IterationKey, String, Option<String>);

/// The numbers that the documents of a folder state.
#[derive(Debug, Default)]
struct Stated {
    /// Of gradings, with or without one.
    gradings: BTreeSet<Option<u32>>,
    /// Of all documents.
    numbers: BTreeSet<u32>,
}

impl Stated {
    fn is_one_run(&self) -> bool {
        self.gradings.len() <= 1 && self.numbers.len() == 1
    }
}

impl Draft {
    /// Finds the folders whose documents are of one run, and say a number of it.
    pub(super) fn find_lone_runs(&mut self, section: &Section, records: &[Record]) {
        let mut stated: BTreeMap<RunFolder, Stated> = BTreeMap::new();
        for (document, record) in section.documents.iter().zip(records) {
            let gradings = record.gradings.iter().map(|graded| (&graded.labels, true));
            let figures = record.metrics.iter().map(|(labels, _)| (labels, false));
            for (labels, is_grading) in gradings.chain(figures) {
                let site = self.site(&document.place, labels);
                let Some(folder) = folder_of(&document.place, &site) else { continue };
                let stated = stated.entry(folder).or_default();
                stated.numbers.extend(labels.run);
                if is_grading {
                    stated.gradings.insert(labels.run);
                }
            }
        }
        let numbered = self.numbered_folders(section);
        let lone = stated.into_iter().filter(|(_, stated)| stated.is_one_run());
        self.lone = lone.map(|(folder, _)| folder).filter(|it| !numbered.contains(it)).collect();
    }

    /// The folders in which folders or files are numbered, and the cases above them.
    fn numbered_folders(&self, section: &Section) -> BTreeSet<RunFolder> {
        let documents = section.documents.iter().map(|document| &document.place);
        let places = documents.chain(section.outputs.iter().map(|output| &output.place));
        let numbered = places.filter(|place| place.run.is_some());
        let sites = numbered.map(|place| self.site(place, &Labels::default()));
        let with_case = |site: Site| {
            let case = (site.iteration.clone(), site.case.clone(), None);
            [case, (site.iteration, site.case, site.configuration)]
        };
        sites.flat_map(with_case).collect()
    }

    /// The site with the number that the folder's only run has.
    pub(super) fn numbered(&self, place: &Place, site: Site) -> Site {
        let is_lone = folder_of(place, &site).is_some_and(|folder| self.lone.contains(&folder));
        if is_lone { Site { run: site.run.and(Some(1)), ..site } } else { site }
    }
}

/// The folder of runs at `place`, where neither it nor the file's name has a number.
fn folder_of(place: &Place, site: &Site) -> Option<RunFolder> {
    let of_run =
        place.configuration.is_some() || (place.case.is_some() && site.configuration.is_none());
    let folder = || (site.iteration.clone(), site.case.clone(), place.configuration.clone());
    (of_run && place.run.is_none()).then(folder)
}
