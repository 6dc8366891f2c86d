//! What runs make again and again, and what the skill brings along for nothing.

use serde::Serialize;

use crate::analyze::{FileAt, Repeat};
use crate::render::context::{Link, Site};
use crate::render::text::repeats;

/// So many copies of a file are linked, and so many unopened files named.
const MOST: usize = 12;

#[derive(Default, Serialize)]
pub(super) struct AgainView {
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
pub(super) fn again(site: Site<'_>, index: usize, path: &str) -> AgainView {
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
        files: found.unopened.iter().take(MOST).map(|file| file.name.clone()).collect(),
        more: found.unopened.len().saturating_sub(MOST),
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
        copies: found.copies.iter().take(MOST).map(copy).collect(),
        more: found.copies.len().saturating_sub(MOST),
    }
}
