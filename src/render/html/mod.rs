//! The HTML pages, one file per kind.

mod case;
mod catalogue;
mod comment_targets;
mod comparison_links;
mod comparisons;
mod deciding;
mod disputable;
mod expectations;
mod feedback;
mod files;
mod guide;
mod history;
mod iteration;
mod overview;
mod problems;
mod quotation_links;
mod review;
mod reworded;
mod run;
mod skill;
mod triggers;

pub(super) use crate::render::html::catalogue::{NamedReport, landing, site_landing};
pub use crate::render::html::comment_targets::{CommentTarget, comment_targets, folders};
pub(super) use crate::render::html::review::{
    count as review_pages, newest_pages as newest_reviews,
};

use crate::render::context::{Page, RenderContext, Task};

pub(super) fn pages<'a>(context: RenderContext<'a>, tasks: &mut Vec<Task<'a>>) {
    overview::pages(context, tasks);
    tasks.push(context.single_page("guide.html", guide::view));
    for index in 0..context.part.workspace.iterations.len() {
        let view = move |page: &Page<'_>| iteration::view(page, index);
        tasks.push(context.page("iteration.html", context.addresses.iteration(index), view));
    }
    case::pages(context, tasks);
    review::pages(context, tasks);
    skill::pages(context, tasks);
    run::pages(context, tasks);
    if !context.shared.deciding.is_empty() {
        tasks.push(context.single_page(deciding::FILE, deciding::view));
    }
    tasks.push(context.single_page("expectations.html", expectations::view));
    if context.has_comparisons() {
        tasks.push(context.single_page("comparisons.html", comparisons::view));
    }
    tasks.push(context.single_page("feedback.html", feedback::view));
    tasks.push(context.single_page("history.html", history::view));
    if !context.part.workspace.trigger_rounds.is_empty() {
        tasks.push(context.single_page(triggers::FILE, triggers::view));
    }
    tasks.push(context.single_page("problems.html", problems::view));
}
