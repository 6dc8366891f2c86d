//! What the words and signs of the pages mean: one page for all of them.

use serde::Serialize;

use crate::render::context::{Frame, Site, Task};

/// Every entry by its key in the table of words, the first screen's words first.
const ENTRIES: [&str; 23] = [
    "points",
    "range",
    "verdict",
    "probably",
    "unclear",
    "chance",
    "passed",
    "overlap",
    "regressed",
    "failing",
    "checks",
    "inconsistent",
    "tries",
    "costs",
    "best",
    "gaps",
    "trend",
    "p",
    "agreement",
    "blind",
    "ratings",
    "letters",
    "recorded",
];

#[derive(Serialize)]
struct Guide {
    frame: Frame,
    title: String,
    entries: &'static [&'static str],
}

/// Adds the page.
pub(super) fn page<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    tasks.push(site.page("guide.html", site.addresses.guide(), move |path| {
        let title = site.language.text("page.guide").to_owned();
        Guide { frame: site.frame(path, &title, &[]), title, entries: &ENTRIES }
    }));
}
