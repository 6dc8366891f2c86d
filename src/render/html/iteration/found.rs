//! What was found in the runs of an iteration: whether they loaded the skill, what they make again and
//! again, and notes, each linked to where to look.

use serde::Serialize;

use crate::analyze::{ConfigurationSummary, FileAt, Repeat};
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
    let all = &site.part.analysis.iterations[index].configurations;
    let known = all.iter().filter(|found| found.loads.known() > 0);
    known.map(|found| configuration(site, index, path, found)).collect()
}

fn configuration(
    site: Site<'_>,
    index: usize,
    path: &str,
    ConfigurationSummary { name, loads, .. }: &ConfigurationSummary,
) -> Loaded {
    let is_listed = |loading: &Loading| loading.state == LoadingState::NotLoaded || loading.idle;
    let mut runs = Vec::new();
    for (at, case) in site.part.workspace.iterations[index].cases.iter().enumerate() {
        let all = case.runs.iter().enumerate().filter(|(_, run)| run.configuration == *name);
        let listed = all.filter(|(_, run)| is_listed(&run.loading));
        runs.extend(listed.map(|(number, run)| ((at, number), &run.loading)));
    }
    let link = |(place, loading): &((usize, usize), &Loading)| {
        (site.run_of_case(path, index, *place), loading::state(loading, site.language))
    };
    let is_candidate = site.part.analysis.iterations[index].roles.candidates.contains(name);
    let diluted = loading::diluted(loads, site.language).filter(|_| is_candidate);
    let remarks = loading::remarks(loads, site.language);
    Loaded {
        name: name.clone(),
        counts: loading::counts(loads, site.language).unwrap_or_default(),
        remarks: diluted.into_iter().chain(remarks).collect(),
        more: runs.len().saturating_sub(MOST_RUNS),
        runs: runs.iter().take(MOST_RUNS).map(link).collect(),
    }
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
    let found = site.part.repeats();
    if found.side.as_ref().is_none_or(|(iteration, _)| *iteration != index) {
        return AgainView::default();
    }
    AgainView {
        made: found.made.iter().map(|found| made(site, index, path, found)).collect(),
        unopened: match found.unopened.is_empty() {
            true => String::new(),
            false => repeats::unopened(found, site.language),
        },
        files: found.unopened.iter().take(MOST_FILES).map(|file| file.name.clone()).collect(),
        more: found.unopened.len().saturating_sub(MOST_FILES),
    }
}

fn made(site: Site<'_>, index: usize, path: &str, found: &Repeat) -> Made {
    let copy = |at: &FileAt| {
        let link = site.run_of_case(path, index, (at.case, at.run));
        let Some(output) = at.output else { return link };
        let case = &site.part.workspace.iterations[index].cases[at.case];
        let name = &case.runs[at.run].outputs[output].name;
        Link { text: format!("{}: {name}", case.name), ..link }
    };
    Made {
        sentence: repeats::sentence(found, site.part.repeats(), site.language),
        copies: found.copies.iter().take(MOST_FILES).map(copy).collect(),
        more: found.copies.len().saturating_sub(MOST_FILES),
    }
}
