//! What was found in the runs of an iteration: whether they loaded the skill, what they make again and
//! again, and notes, each linked to where to look.

use serde::Serialize;

use crate::analyze::{ConfigurationSummary, FileCopy};
use crate::model::{Loading, LoadingState};
use crate::render::context::{Link, Rows, Site, link};
use crate::render::text::notes::{Place, write_notes};
use crate::render::text::{loading, repeats};

/// So many runs are named for each configuration.
const MOST_RUNS: usize = 12;

#[derive(Serialize)]
pub(super) struct Loaded {
    name: String,
    counts: String,
    remarks: Vec<String>,
    /// The runs that did not load it, or loaded it without doing anything.
    runs: Vec<(Link, String)>,
    more: usize,
}

pub(super) fn loaded(site: Site<'_>, index: usize, path: &str) -> Rows<Loaded> {
    let cases = &site.part.workspace.iterations[index].cases;
    let analysis = &site.part.analysis.iterations[index];
    let known = analysis.configurations.iter().filter(|found| found.loads.known() > 0);
    known
        .map(|ConfigurationSummary { name, loads, .. }| {
            let mut listed = Vec::new();
            for (at, case) in cases.iter().enumerate() {
                let runs = case.runs.iter().enumerate();
                let runs = runs.filter(|(_, run)| run.configuration == *name);
                let place = runs.map(|(number, run)| ((at, number), &run.loading));
                listed.extend(place.filter(|(_, loading)| {
                    loading.state == LoadingState::NotLoaded || loading.idle
                }));
            }
            let link = |(place, loading): &((usize, usize), &Loading)| {
                (site.run_of_case(path, index, *place), loading::state(loading, site.language))
            };
            let is_candidate = analysis.roles.candidates.contains(name);
            let diluted = loading::diluted(loads, site.language).filter(|_| is_candidate);
            let remarks = loading::remarks(loads, site.language);
            Loaded {
                name: name.clone(),
                counts: loading::counts(loads, site.language).unwrap_or_default(),
                remarks: diluted.into_iter().chain(remarks).collect(),
                more: listed.len().saturating_sub(MOST_RUNS),
                runs: listed.iter().take(MOST_RUNS).map(link).collect(),
            }
        })
        .collect()
}

#[derive(Serialize)]
pub(super) struct Noted {
    sentence: String,
    evidence: Vec<Link>,
    more: String,
}

pub(super) fn noted(site: Site<'_>, index: usize, path: &str) -> Vec<Noted> {
    let iteration = &site.part.workspace.iterations[index];
    let notes = write_notes(iteration, &site.part.analysis.iterations[index], site.language);
    let noted = notes.into_iter().map(|note| Noted {
        evidence: note
            .places
            .iter()
            .zip(note.evidence)
            .map(|(place, text)| Link::new(address(site, index, path, *place), text))
            .collect(),
        sentence: note.sentence,
        more: note.more,
    });
    noted.collect()
}

fn address(site: Site<'_>, index: usize, path: &str, place: Place<'_>) -> String {
    let line = |case: usize| site.addresses.line(index, case);
    match place {
        Place::Case(case) => link(path, &site.addresses.case(line(case))),
        Place::Run(at) => {
            let run = &site.part.workspace.iterations[index].cases[at.case].runs[at.run];
            link(path, &site.addresses.run(index, line(at.case), run))
        }
        Place::Statement(found) => {
            let anchor = site.addresses.expectation(line(found.case), &found.key);
            format!("{}#{anchor}", link(path, &site.addresses.report_file("expectations.html")))
        }
    }
}

/// So many copies of a file are linked, and so many unopened files named.
const MOST_FILES: usize = 12;

#[derive(Default, Serialize)]
pub(crate) struct AgainView {
    made: Vec<Made>,
    unopened: String,
    files: Vec<String>,
    more: usize,
}

#[derive(Serialize)]
struct Made {
    sentence: String,
    copies: Vec<Link>,
    more: usize,
}

/// What was found in the iteration at `index`, for the page at `path`; empty for any but the newest.
pub(crate) fn again(site: Site<'_>, index: usize, path: &str) -> AgainView {
    let Some(found) = site.part.repeats().filter(|found| found.index == index) else {
        return AgainView::default();
    };
    let copy = |copy: &FileCopy| {
        let link = site.run_of_case(path, index, (copy.case, copy.run));
        let Some(output) = &copy.output else { return link };
        let case = &site.part.workspace.iterations[index].cases[copy.case];
        Link { text: format!("{}: {}", case.name, output.name), ..link }
    };
    let made = found.made.iter().map(|made| Made {
        sentence: repeats::sentence(made, found, site.language),
        copies: made.copies.iter().take(MOST_FILES).map(copy).collect(),
        more: made.copies.len().saturating_sub(MOST_FILES),
    });
    AgainView {
        made: made.collect(),
        unopened: repeats::unopened(found, site.language).unwrap_or_default(),
        files: found.unopened.iter().take(MOST_FILES).map(|file| file.name.clone()).collect(),
        more: found.unopened.len().saturating_sub(MOST_FILES),
    }
}
