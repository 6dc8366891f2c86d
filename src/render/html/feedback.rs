//! Comments of people, with their runs and what happened to the cases afterwards.

use crate::analyze::tally_of;
use crate::budget::{CASE_COMMENTS, FEEDBACK_FILES, LIST_ROWS};
use crate::language::{Language, Rate, say};
use crate::render::context::{Link, Page, RenderContext, Rows, View, view};
use input::model::{About, Feedback, Review, ReviewState};
use input::names;
use json::parse_strict;
use text::printable_json;

/// The link from the page of an iteration to its comments; `None` without any feedback.
pub(super) fn comments_link(page: &Page<'_>, index: usize) -> Option<Link> {
    let files = &page.part.workspace.iterations[index].feedback;
    if files.is_empty() {
        return None;
    }
    let number = files.iter().map(|feedback| feedback.comments().count()).sum();
    Some(Link::new(href(page, index), page.language.count(number, "comment")))
}

pub(super) fn href(page: &Page<'_>, index: usize) -> String {
    format!("{}#{}", page.to_file("feedback.html"), page.addresses.feedback_anchor(index))
}

/// The comments on a run and on its case.
pub(super) fn comments_on(
    context: RenderContext<'_>,
    iteration: usize,
    case: usize,
    run: usize,
) -> Rows<View> {
    let reviews = &context.shared.reviews[iteration];
    let (shown, more) = reviews.on_run_and_case((case, run), CASE_COMMENTS);
    Rows::all(shown.into_iter(), comment).and_more(more)
}

/// The last comment on a case before `iteration`.
pub(super) fn earlier(page: &Page<'_>, case_index: usize, iteration: usize) -> Option<View> {
    for appearance in page.part.analysis.cases[case_index].appearances.iter().rev() {
        let at = appearance.iteration;
        if at >= iteration {
            continue;
        }
        let reviews = page.shared.reviews[at].on_case_and_runs(appearance.case);
        let Some(review) = reviews.last() else { continue };
        let iteration = &page.part.workspace.iterations[at].name;
        return Some(view!({
            "title": say!(page.language, "review.earlier", iteration),
            "about": about(page, at, review.about),
            "text": review.text,
            "effect": effect(page.context, at, review.about),
        }));
    }
    None
}

/// A comment as every page shows it.
pub(super) fn comment(review: &Review) -> View {
    view!({
        "run_id": review.run_id,
        "text": review.text,
        "time": review.timestamp,
        "is_on_case": matches!(review.about, About::Case { .. }),
        "is_cut": false,
    })
}

pub(super) fn view(page: &Page<'_>) -> View {
    let iterations = &page.part.workspace.iterations;
    let files = iterations.iter().flat_map(|iteration| &iteration.feedback);
    let number = files.map(|feedback| feedback.comments().count()).sum();
    let mut remaining = FeedbackRoom { runs: LIST_ROWS, bytes: FEEDBACK_FILES };
    let mut shown = Vec::new();
    for index in (0..iterations.len()).rev() {
        shown.push(iteration(page, index, &mut remaining));
    }
    view!({
        "frame": page.frame(page.language.text("feedback.title"), None),
        "lead": page.language.count(number, "comment"),
        "iterations": shown,
    })
}

/// The runs that the page may list, and the bytes of feedback files that it may hold.
struct FeedbackRoom {
    runs: usize,
    bytes: usize,
}

/// A feedback file: its name, the state of the review, and the number of empty reviews.
fn file_line(feedback: &Feedback, language: &Language) -> String {
    let state = language.text(match feedback.state {
        ReviewState::Complete => "feedback.complete",
        ReviewState::InProgress => "feedback.in_progress",
        ReviewState::Unknown => "feedback.unknown_state",
    });
    let mut line = format!("{} · {state}", feedback.path);
    // The viewer of skill-creator writes a review of every run, most of them without a text.
    if feedback.blank > 0 {
        line = format!("{line} · {}", language.count(feedback.blank, "blank_review"));
    }
    line
}

fn iteration(page: &Page<'_>, index: usize, remaining: &mut FeedbackRoom) -> View {
    let iteration = &page.part.workspace.iterations[index];
    let (mut comments, mut unattached) = (Vec::new(), Vec::new());
    for (at, file) in iteration.feedback.iter().enumerate() {
        for review in file.comments() {
            let list = match review.about {
                About::Unknown => &mut unattached,
                _ => &mut comments,
            };
            list.push((review, at > 0));
        }
    }
    let mut document = None;
    let first = iteration.feedback.first();
    if let Some(feedback) = first {
        document = stored_file(page.context, feedback, &mut remaining.bytes);
    }
    let runs = runs(page, index, remaining);
    let mut unlisted = None;
    let number = iteration.runs().count() - runs.len();
    if number > 0 {
        let number = page.language.count(number, "run");
        unlisted = Some(say!(page.language, "feedback.unlisted", number));
    }
    let files = iteration.feedback.iter().map(|feedback| file_line(feedback, page.language));
    let is_flat = first.is_some_and(|feedback| feedback.flat);
    view!({
        "anchor": page.addresses.feedback_anchor(index),
        "link": page.iteration_link(index),
        "name": iteration.name,
        "shape": if is_flat { "flat" } else { "reviews" },
        "file": first.map(|feedback| &feedback.path),
        "document": document,
        "files": files.collect::<Vec<_>>(),
        "comments": listed(page, index, comments),
        "unattached": listed(page, index, unattached),
        "runs": runs,
        "unlisted": unlisted,
    })
}

/// Comments, each with whether it is from a file other than the one that an export replaces.
fn listed(page: &Page<'_>, index: usize, comments: Vec<(&Review, bool)>) -> Rows<View> {
    Rows::all(comments.into_iter(), |(review, is_elsewhere)| {
        let mut run = String::new();
        if let About::Run { case, run: number } = review.about {
            run = page.shared.reviews[index].run_name(case, number);
        }
        view!({
            ..comment(review),
            "run": run,
            "about": about(page, index, review.about),
            "effect": effect(page.context, index, review.about),
            "is_elsewhere": is_elsewhere,
        })
    })
}

/// The runs of an iteration by their names in a feedback file: all while there is room, else those
/// with a comment.
fn runs(page: &Page<'_>, index: usize, remaining: &mut FeedbackRoom) -> Vec<View> {
    let iteration = &page.part.workspace.iterations[index];
    let reviews = &page.shared.reviews[index];
    let number = iteration.runs().count();
    let is_listed = number <= remaining.runs;
    if is_listed {
        remaining.runs -= number;
    }
    let mut runs = Vec::new();
    for (at, case) in iteration.cases.iter().enumerate() {
        for run in 0..case.runs.len() {
            if is_listed || reviews.on_run(at, run).next().is_some() {
                let link = page.run_of_case(index, at, run);
                let path = &case.runs[run].path;
                runs.push(view!({ "id": reviews.run_name(at, run), "path": path, "link": link }));
            }
        }
    }
    runs
}

fn about(page: &Page<'_>, index: usize, about: About) -> Option<Link> {
    match about {
        About::Run { case, run } => Some(page.run_of_case(index, case, run)),
        About::Case { case } => Some(page.case_of_iteration(index, case)),
        About::Unknown => None,
    }
}

/// The result of the case when the comment was written, and the next time it was graded; empty for
/// none.
fn effect(context: RenderContext<'_>, index: usize, about: About) -> String {
    let Some(at) = about.case() else { return String::new() };
    let (iterations, language) = (&context.part.workspace.iterations, context.language);
    let case = &iterations[index].cases[at];
    // The configuration of the run, else the candidate of the iteration.
    let name = match about {
        About::Run { run, .. } => Some(&case.runs[run].configuration),
        _ => context.part.analysis.iterations[index].roles.candidates.first(),
    };
    let Some(name) = name else { return String::new() };
    let before = Rate::counts_of(tally_of(case, name));
    let first = &iterations[index].name;
    let history = &context.part.analysis.cases[context.addresses.case_index(index, at)];
    for later in history.appearances.iter().filter(|appearance| appearance.iteration > index) {
        let tally = tally_of(later.case(context.part.workspace), name);
        if tally.graded() == 0 {
            continue;
        }
        let after = Rate::counts_of(tally);
        let next = &iterations[later.iteration].name;
        let effect = say!(language, "feedback.effect", name, before, first, after, next);
        // Then the numbers do not show what the comment led to.
        if later.expectations_changed || later.prompt_changed {
            return effect + language.text("feedback.effect_changed");
        }
        return effect;
    }
    say!(language, "feedback.effect_open", name, before, first)
}

/// The text of the file for a page, if it is strict JSON and fits into `left`.
fn stored_file(
    context: RenderContext<'_>,
    feedback: &Feedback,
    left: &mut usize,
) -> Option<String> {
    let path = names::join(context.part.prefix, &feedback.path);
    let bytes = context.part.source.read(&path, *left as u64 + 1).ok()?;
    let rest = left.checked_sub(bytes.len())?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    parse_strict(text).ok()?;
    *left = rest;
    Some(printable_json(&text.replace('\r', "")))
}
