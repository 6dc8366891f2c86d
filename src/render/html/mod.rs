//! The HTML pages, one file per kind, and the guide to their words.

mod case;
mod catalogue;
mod comment_targets;
mod comparison_links;
mod comparisons;
mod expectations;
mod feedback;
mod files;
mod history;
mod iteration;
mod overview;
mod problems;
mod quotation_links;
mod review;
mod reworded;
mod run;
mod skill;

pub(super) use crate::render::html::catalogue::{NamedReport, landing, site_landing};
pub use crate::render::html::comment_targets::{CommentTarget, comment_targets, folders};
pub(super) use crate::render::html::review::{
    count as review_pages, newest_pages as newest_reviews,
};

use serde_json::{Value, json};

use crate::render::context::{Page, RenderContext, Task};

pub(super) fn pages<'a>(context: RenderContext<'a>, tasks: &mut Vec<Task<'a>>) {
    overview::pages(context, tasks);
    tasks.push(context.single_page("guide.html", guide));
    for index in 0..context.part.workspace.iterations.len() {
        let view = move |page: &Page<'_>| iteration::view(page, index);
        tasks.push(context.page("iteration.html", context.addresses.iteration(index), view));
    }
    case::pages(context, tasks);
    review::pages(context, tasks);
    skill::pages(context, tasks);
    run::pages(context, tasks);
    tasks.push(context.single_page("expectations.html", expectations::view));
    if context.has_comparisons() {
        tasks.push(context.single_page("comparisons.html", comparisons::view));
    }
    tasks.push(context.single_page("feedback.html", feedback::view));
    tasks.push(context.single_page("history.html", history::view));
    tasks.push(context.single_page("problems.html", problems::view));
}

/// The entries of the guide by their keys in the table of words; the words of the first screen come
/// first.
const GUIDE_ENTRIES: &str = "points range verdict probably unclear all_cases chance passed overlap regressed \
    failing checks inconsistent tries costs best still_earns caught_up sign_flip lost_it gaps agreement blind recorded";

fn guide(page: &Page<'_>) -> Value {
    let entries: Vec<&str> = GUIDE_ENTRIES.split(' ').collect();
    json!({ "frame": page.frame(page.language.text("page.guide"), None), "entries": entries })
}
