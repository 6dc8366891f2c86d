//! The HTML pages, one file per kind of page.

mod case;
mod case_head;
mod compared;
mod comparisons;
mod difference;
mod expectations;
mod feedback;
mod feedback_text;
mod flipped;
mod headline;
mod history;
mod iteration;
mod landing;
mod overview;
mod problems;
mod reviewed;
mod run;
mod skill;
mod wording;

pub(super) use crate::render::html::compared::choice_text;
pub(super) use crate::render::html::difference::count as difference_pages;
pub(super) use crate::render::html::landing::{landing, of_site as site_landing};
pub(super) use crate::render::html::overview::{configuration_rows, problem_counts};
pub use crate::render::html::reviewed::{Reviewed, folders, reviewed};

use crate::render::context::{Site, Task};

/// Adds every HTML page of one workspace.
pub(super) fn pages<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    overview::page(site, tasks);
    for index in 0..site.part.workspace.iterations.len() {
        iteration::page(site, index, tasks);
    }
    let order = overview::order(site);
    for at in 0..order.len() {
        let before = at.checked_sub(1).map(|at| order[at]);
        case::page(site, order[at], [before, order.get(at + 1).copied()], tasks);
    }
    difference::pages(site, tasks);
    skill::pages(site, tasks);
    run::pages(site, tasks);
    expectations::page(site, tasks);
    comparisons::page(site, tasks);
    feedback::page(site, tasks);
    history::page(site, tasks);
    problems::page(site, tasks);
}
