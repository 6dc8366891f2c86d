//! The notes found in the data, each linked to where to look.

use serde::Serialize;

use crate::render::context::{Link, Site, link};
use crate::render::text::notes::{Evidence, Place, told};

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
    let told = told(iteration, &site.part.analysis.iterations[index], site.language);
    let noted = told.into_iter().map(|told| Noted {
        evidence: told.evidence.iter().map(|it| evidence(site, index, path, it)).collect(),
        sentence: told.sentence,
        more: told.more,
    });
    noted.collect()
}

fn evidence(site: Site<'_>, index: usize, path: &str, found: &Evidence<'_>) -> Link {
    let line = |case: usize| site.addresses.line(index, case);
    let href = match found.place {
        Place::Case(case) => link(path, &site.addresses.case(line(case))),
        Place::Run(at) => {
            let run = &site.part.workspace.iterations[index].cases[at.case].runs[at.run];
            link(path, &site.addresses.run(index, line(at.case), run))
        }
        Place::Statement(case, key) => {
            let anchor = site.addresses.expectation(line(case), key);
            format!("{}#{anchor}", link(path, &site.addresses.expectations()))
        }
    };
    Link { href, text: found.text.clone() }
}
