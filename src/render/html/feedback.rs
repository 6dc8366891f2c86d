//! Comments of people, with their runs and what happened to the cases afterwards.

use std::fmt::Display;

use serde_json::{Value, json};

use crate::analyze::{Appearance, tally_of};
use crate::budget::{CASE_COMMENTS, FEEDBACK_FILES, LIST_ROWS};
use crate::discover::names;
use crate::json::parse_strict;
use crate::language::Language;
use crate::model::{About, Feedback, Review, ReviewState};
use crate::render::context::{Link, Page, Rate, RenderContext, Rows};
use crate::render::html::joined;
use crate::text::hides;

/// The link from the page of an iteration to its comments; `None` without any feedback.
pub(super) fn line(page: &Page<'_>, index: usize) -> Option<Link> {
    let files = &page.part.workspace.iterations[index].feedback;
    let number: usize = files.iter().map(|feedback| feedback.reviews.len()).sum();
    let text = page.language.count(number, "comment");
    (!files.is_empty()).then(|| Link::new(href(page, index), text))
}

pub(super) fn href(page: &Page<'_>, index: usize) -> String {
    format!("{}#{}", page.to_file("feedback.html"), page.addresses.feedback_anchor(index))
}

/// The comments on a run and on its case.
pub(super) fn comments_on(
    context: RenderContext<'_>,
    iteration: usize,
    place: (usize, usize),
) -> Rows<Value> {
    let (reviews, more) = context.shared.reviews[iteration].on_run_and_case(place, CASE_COMMENTS);
    Rows::all(reviews.into_iter(), comment).and_more(more)
}

/// The last comment on a case before `iteration`.
pub(super) fn earlier(page: &Page<'_>, line: usize, iteration: usize) -> Option<Value> {
    let appearances = &page.part.analysis.cases[line].appearances;
    let before = appearances.iter().rev().filter(|appearance| appearance.iteration < iteration);
    let last = |appearance: &Appearance| {
        let reviews = page.shared.reviews[appearance.iteration].on_case_and_runs(appearance.case);
        reviews.last().map(|review| (appearance.iteration, *review))
    };
    let (at, review) = before.map(last).find(Option::is_some)??;
    let iteration = &page.part.workspace.iterations[at].name;
    Some(json!({
        "title": page.language.fill("review.earlier", &[("iteration", iteration)]),
        "about": about(page, at, review.about),
        "text": review.text,
        "effect": effect(page.context, at, review.about),
    }))
}

/// A comment as every page shows it.
pub(super) fn comment(review: &Review) -> Value {
    json!({
        "run_id": review.run_id,
        "text": review.text,
        "time": review.timestamp,
        "is_on_case": matches!(review.about, About::Case { .. }),
        "is_cut": false,
    })
}

pub(super) fn view(page: &Page<'_>) -> Value {
    let iterations = &page.part.workspace.iterations;
    let title = page.language.text("feedback.title");
    let files = iterations.iter().flat_map(|iteration| &iteration.feedback);
    let number: usize = files.map(|feedback| feedback.reviews.len()).sum();
    let mut remaining = RunRoom { runs: LIST_ROWS, bytes: FEEDBACK_FILES };
    json!({
        "frame": page.frame(title, None),
        "lead": page.language.count(number, "comment"),
        "iterations": (0..iterations.len())
            .rev()
            .map(|index| iteration(page, index, &mut remaining))
            .collect::<Vec<_>>(),
    })
}

struct RunRoom {
    runs: usize,
    bytes: usize,
}

/// A feedback file: its name, the state of the review, and the number of empty reviews.
fn line_of_file(feedback: &Feedback, language: &Language) -> String {
    let state = language.text(match feedback.state {
        ReviewState::Complete => "feedback.complete",
        ReviewState::InProgress => "feedback.in_progress",
        ReviewState::Unknown => "feedback.unknown_state",
    });
    let blank = (feedback.blank > 0).then(|| language.count(feedback.blank, "blank_review"));
    let parts = [feedback.path.clone(), state.to_owned()].into_iter().chain(blank);
    parts.collect::<Vec<_>>().join(" · ")
}

fn iteration(page: &Page<'_>, index: usize, remaining: &mut RunRoom) -> Value {
    let iteration = &page.part.workspace.iterations[index];
    let first = iteration.feedback.first();
    let reviews = iteration.feedback.iter().enumerate();
    let reviews =
        reviews.flat_map(|(at, file)| file.reviews.iter().map(move |review| (at > 0, review)));
    let (attached, unattached): (Vec<_>, Vec<_>) =
        reviews.partition(|(_, review)| review.about != About::Unknown);
    let comment = |(is_elsewhere, review): &(bool, &Review)| {
        let more = json!({
            "run": match review.about {
                About::Run { case, run } => page.shared.reviews[index].run_name(case, run),
                _ => String::new(),
            },
            "about": about(page, index, review.about),
            "effect": effect(page.context, index, review.about),
            // Whether it is from a file other than the one that an export replaces.
            "is_elsewhere": is_elsewhere,
        });
        joined(comment(review), more)
    };
    let number = iteration.runs().count();
    let is_listed = number <= remaining.runs;
    remaining.runs -= if is_listed { number } else { 0 };
    let document =
        first.and_then(|feedback| document(page.context, feedback, &mut remaining.bytes));
    let reviews = &page.shared.reviews[index];
    // The runs by their names in a feedback file: all, or those with a comment.
    let mut runs = Vec::new();
    for (at, case) in iteration.cases.iter().enumerate() {
        for number in 0..case.runs.len() {
            if is_listed || reviews.on_run(at, number).next().is_some() {
                let link = page.run_of_case(index, (at, number));
                runs.push(json!({ "id": reviews.run_name(at, number), "link": link }));
            }
        }
    }
    let count = |number: usize, thing: &str| page.language.count(number, thing);
    let unlisted = number - runs.len();
    let files = iteration.feedback.iter().map(|feedback| line_of_file(feedback, page.language));
    json!({
        "anchor": page.addresses.feedback_anchor(index),
        "link": page.iteration_link(index),
        "name": iteration.name,
        "shape": if first.is_some_and(|feedback| feedback.flat) { "flat" } else { "reviews" },
        "file": first.map(|feedback| &feedback.path),
        "document": document,
        "files": files.collect::<Vec<_>>(),
        "comments": Rows::all(attached.iter(), comment),
        "unattached": Rows::all(unattached.iter(), comment),
        "runs": runs,
        "unlisted": (unlisted > 0).then(|| {
            page.language.fill("feedback.unlisted", &[("number", &count(unlisted, "run"))])
        }),
    })
}

fn about(page: &Page<'_>, index: usize, about: About) -> Option<Link> {
    if let About::Run { case, run } = about {
        return Some(page.run_of_case(index, (case, run)));
    }
    Some(page.case_of_iteration(index, about.case()?))
}

/// The result of the case when the comment was written, and the next time it was graded; empty for
/// none.
fn effect(context: RenderContext<'_>, index: usize, about: About) -> String {
    let Some(at) = about.case() else { return String::new() };
    let iterations = &context.part.workspace.iterations;
    let case = &iterations[index].cases[at];
    // The configuration of the run, else the candidate of the iteration.
    let name = match about {
        About::Run { run, .. } => Some(&case.runs[run].configuration),
        _ => context.part.analysis.iterations[index].roles.candidates.first(),
    };
    let Some(name) = name else { return String::new() };
    let line = &context.part.analysis.cases[context.addresses.line(index, at)];
    let tally_in = |appearance: &Appearance| {
        tally_of(&iterations[appearance.iteration].cases[appearance.case], name)
    };
    let mut later = line.appearances.iter().filter(|appearance| appearance.iteration > index);
    let next_graded = later.find(|appearance| tally_in(appearance).graded() > 0);
    let key = if next_graded.is_some() { "feedback.effect" } else { "feedback.effect_open" };
    let values: [(&str, &dyn Display); 5] = [
        ("name", name),
        ("before", &Rate::counts_of(tally_of(case, name))),
        ("first", &iterations[index].name),
        (
            "after",
            &next_graded
                .map(|appearance| Rate::counts_of(tally_in(appearance)))
                .unwrap_or_default(),
        ),
        ("next", &next_graded.map_or("", |appearance| &iterations[appearance.iteration].name)),
    ];
    let is_changed = next_graded
        .is_some_and(|appearance| appearance.expectations_changed || appearance.prompt_changed);
    let changed = if is_changed { context.language.text("feedback.effect_changed") } else { "" };
    context.language.fill(key, &values) + changed
}

/// The text of the file for a page, if it is strict JSON and fits into `left`.
fn document(context: RenderContext<'_>, feedback: &Feedback, left: &mut usize) -> Option<String> {
    let path = names::join(context.part.prefix, &feedback.path);
    let bytes = context.part.source.read(&path, *left as u64 + 1).ok()?;
    let rest = left.checked_sub(bytes.len())?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    parse_strict(text).ok()?;
    *left = rest;
    Some(with_escapes(text))
}

/// The same JSON with those characters escaped that pages replace by a mark.
fn with_escapes(text: &str) -> String {
    let mut with_escapes = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\r' => {}
            '\n' | '\t' => with_escapes.push(c),
            _ if c.is_control() || hides(c) => {
                let mut units = [0; 2];
                let units = c.encode_utf16(&mut units).iter();
                with_escapes.extend(units.map(|unit| format!("\\u{unit:04x}")));
            }
            _ => with_escapes.push(c),
        }
    }
    with_escapes
}

#[cfg(test)]
mod tests {
    use super::with_escapes;

    #[test]
    fn hidden_characters_are_escaped_and_the_meaning_stays() {
        let text = "{\r\n\t\"a\": \"b\u{202e}c\u{e0041}\u{85} 結果\"}";
        let expected = "{\n\t\"a\": \"b\\u202ec\\udb40\\udc41\\u0085 結果\"}";
        assert_eq!(with_escapes(text), expected);
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(read(&with_escapes(text)), read(text));
    }
}
