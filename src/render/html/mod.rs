//! The HTML pages, one file per kind of page.

mod again;
mod asked;
mod case;
mod compared;
mod comparisons;
mod expectations;
mod feedback;
mod feedback_text;
mod files;
mod guide;
mod history;
mod iteration;
mod landing;
mod overview;
mod problems;
mod review;
mod reviewed;
mod run;
mod skill;
mod skill_edit;
mod skill_words;
mod wording;

pub(super) use crate::render::html::compared::choice_text;
pub(super) use crate::render::html::landing::{landing, of_site as site_landing};
pub(super) use crate::render::html::overview::{configuration_rows, problem_counts};
pub(super) use crate::render::html::review::count as review_pages;
pub use crate::render::html::reviewed::{Reviewed, folders, reviewed};

use serde::Serialize;

use crate::render::context::{Site, Task};

/// Adds every HTML page of one workspace.
pub(super) fn pages<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    overview::pages(site, tasks);
    guide::page(site, tasks);
    for index in 0..site.part.workspace.iterations.len() {
        iteration::page(site, index, tasks);
    }
    let order = site.order;
    for at in 0..order.len() {
        let before = at.checked_sub(1).map(|at| order[at]);
        case::page(site, order[at], [before, order.get(at + 1).copied()], tasks);
    }
    review::pages(site, site.order, tasks);
    skill::pages(site, tasks);
    run::pages(site, tasks);
    expectations::page(site, tasks);
    comparisons::page(site, tasks);
    feedback::page(site, tasks);
    history::page(site, tasks);
    problems::page(site, tasks);
}

/// What is worth listing, with a title; all empty where there is nothing.
#[derive(Default, Serialize)]
struct List<T> {
    title: String,
    lines: Vec<T>,
    /// How many more there are.
    more: String,
}

impl<T: Default> List<T> {
    /// The first `most` of `lines` under the words of `title`.
    fn new(site: Site<'_>, title: &str, mut lines: Vec<T>, most: usize) -> Self {
        if lines.is_empty() {
            return Self::default();
        }
        let title = site.language.fill(title, &[("n", &lines.len())]);
        let more = site.language.beyond("notes.more", lines.len(), most);
        lines.truncate(most);
        Self { title, lines, more }
    }
}
