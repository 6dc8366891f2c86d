//! What was found in the runs of an iteration: whether they loaded the skill, what they make again and
//! again, and notes, each linked to where to look.

use serde_json::{Value, json};

use crate::analyze::{ConfigurationSummary, FileAt, Repeat};
use crate::model::{Loading, LoadingState};
use crate::render::context::{Link, Rows, Site, link};
use crate::render::text::notes::{Place, write_notes};
use crate::render::text::{loading, repeats};

/// So many runs are named for each configuration.
const MOST_RUNS: usize = 12;

pub(super) fn loaded(site: Site<'_>, index: usize, path: &str) -> Rows<Value> {
    let all = &site.part.analysis.iterations[index].configurations;
    let known = all.iter().filter(|found| found.loads.known() > 0);
    known.map(|found| configuration(site, index, path, found)).collect()
}

fn configuration(
    site: Site<'_>,
    index: usize,
    path: &str,
    ConfigurationSummary { name, loads, .. }: &ConfigurationSummary,
) -> Value {
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
    json!({
        "name": name,
        "counts": loading::counts(loads, site.language).unwrap_or_default(),
        "remarks": diluted.into_iter().chain(remarks).collect::<Vec<_>>(),
        "more": runs.len().saturating_sub(MOST_RUNS),
        "runs": runs.iter().take(MOST_RUNS).map(link).collect::<Vec<_>>(),
    })
}

pub(super) fn noted(site: Site<'_>, index: usize, path: &str) -> Vec<Value> {
    let iteration = &site.part.workspace.iterations[index];
    let notes = write_notes(iteration, &site.part.analysis.iterations[index], site.language);
    let mut noted = Vec::new();
    for note in notes {
        let to = |(place, text): (&Place<'_>, String)| {
            Link::new(address(site, index, path, *place), text)
        };
        let evidence: Vec<Link> = note.places.iter().zip(note.evidence).map(to).collect();
        let (sentence, more) = (note.sentence, note.more);
        noted.push(json!({ "sentence": sentence, "evidence": evidence, "more": more }));
    }
    noted
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

pub(crate) fn nothing_again() -> Value {
    json!({ "made": [], "unopened": "", "files": [], "more": 0 })
}

/// What was found in the iteration at `index`, for the page at `path`; empty for any but the newest.
pub(crate) fn again(site: Site<'_>, index: usize, path: &str) -> Value {
    let found = site.part.repeats();
    if found.side.as_ref().is_none_or(|(iteration, _)| *iteration != index) {
        return nothing_again();
    }
    let files = found.unopened.iter().take(MOST_FILES).map(|file| &file.name);
    json!({
        "made": found.made.iter().map(|found| made(site, index, path, found)).collect::<Vec<_>>(),
        "unopened": match found.unopened.is_empty() {
            true => String::new(),
            false => repeats::unopened(found, site.language),
        },
        "files": files.collect::<Vec<_>>(),
        "more": found.unopened.len().saturating_sub(MOST_FILES),
    })
}

fn made(site: Site<'_>, index: usize, path: &str, found: &Repeat) -> Value {
    let copy = |at: &FileAt| {
        let link = site.run_of_case(path, index, (at.case, at.run));
        let Some(output) = at.output else { return link };
        let case = &site.part.workspace.iterations[index].cases[at.case];
        let name = &case.runs[at.run].outputs[output].name;
        Link { text: format!("{}: {name}", case.name), ..link }
    };
    json!({
        "sentence": repeats::sentence(found, site.part.repeats(), site.language),
        "copies": found.copies.iter().take(MOST_FILES).map(copy).collect::<Vec<_>>(),
        "more": found.copies.len().saturating_sub(MOST_FILES),
    })
}
