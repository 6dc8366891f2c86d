//! The notes found in the data, each linked to where to look.

use serde::Serialize;

use crate::render::context::{Link, Site, link};
use crate::render::text::notes::{Place, write_notes};

/// One note.
#[derive(Serialize)]
pub(super) struct Noted {
    sentence: String,
    evidence: Vec<Link>,
    more: String,
}

/// The notes of the iteration at `index`, for the page at `path`.
pub(super) fn noted(site: Site<'_>, index: usize, path: &str) -> Vec<Noted> {
    let iteration = &site.part.workspace.iterations[index];
    let notes = write_notes(iteration, &site.part.analysis.iterations[index], site.language);
    let noted = notes.into_iter().map(|note| Noted {
        evidence: note
            .places
            .iter()
            .zip(note.evidence)
            .map(|(place, text)| Link { href: address(site, index, path, *place), text })
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
            format!("{}#{anchor}", link(path, &site.addresses.expectations()))
        }
    }
}
