//! The next steps: a main button, others, and what it takes to be sure.

use serde_json::{Value, json};

use crate::analyze::{Against, Change, FlipKind, Side};
use crate::budget::BRIEF;
use crate::digest::ComparedCase;
use crate::model::{Problem, Run, Severity};
use crate::render::context::{Link, Page};
use crate::render::html::overview::address;
use crate::render::html::review;
use crate::render::html::skill;
use crate::render::text::brief;
use crate::wording::verdict;

pub(super) fn next_view(
    page: &Page<'_>,
    (after, change): (&Side, Option<&Change>),
    cases: &[ComparedCase],
) -> Value {
    let (main, is_review) = main_step(page, (after, change), cases);
    let text = brief::iteration(page.context, after.iteration);
    let is_short = text.len() <= BRIEF;
    let file = page.link(&page.addresses.iteration_file(after.iteration, "brief.md"));
    let edit = skill::edit_of(page, after.iteration).map(|edit| {
        Link::new(edit.href, page.language.fill("next.skill", &[("size", &edit.size)]))
    });
    let is_error = |problem: &&Problem| problem.severity() == Severity::Error;
    let errors = page.part.workspace.problems.iter().filter(is_error).count();
    let to_errors = (errors > 0).then(|| {
        let text = page.language.problems(errors, Severity::Error);
        Link::new(page.to_file("problems.html"), text)
    });
    let to_regressed = change.and_then(|change| regressed_since(page, change));
    json!({
        "main": main,
        "reviewed": change
            .filter(|_| is_review)
            .and_then(|change| review::order_script(page.context, change))
            .map(|to| page.link(&to)),
        "others": to_errors.into_iter().chain(to_regressed).chain(edit).collect::<Vec<_>>(),
        "brief": if is_short { text } else { String::new() },
        "brief_link": (!is_short).then(|| Link::new(file, page.language.text("brief.title"))),
        "sure": change.and_then(|change| verdict::next_step(change, page.language)),
    })
}

/// A link to the checks that regressed since the previous iteration, if `lead` compares with
/// another side.
fn regressed_since(page: &Page<'_>, lead: &Change) -> Option<Link> {
    let previous = page.part.analysis.change(&lead.after, Against::Previous)?;
    let lost = page.part.flips.for_change(previous).count(FlipKind::Regressed);
    let before = &page.part.workspace.iterations[previous.before.iteration].name;
    let text = page.language.fill("next.regressed_since", &[("n", &lost), ("iteration", before)]);
    (previous != lead && lost > 0)
        .then(|| Link::new(page.link(&address(page.context, previous)), text))
}

/// The first that applies: stopped runs, runs to grade, regressions, the review.
fn main_step(
    page: &Page<'_>,
    (after, change): (&Side, Option<&Change>),
    cases: &[ComparedCase],
) -> (Option<Link>, bool) {
    let language = page.language;
    let (stopped, first_stopped) = matching_runs(page, after, |run| run.error.is_some());
    let (ungraded, first_ungraded) = matching_runs(page, after, |run| !run.is_graded());
    let regressed = cases.iter().map(|case| case.count(FlipKind::Regressed)).sum();
    let review = cases.iter().find_map(|case| page.context.review_of(case.line, change?));
    let review = review.map(|to| page.link(&to));
    let outputs = cases.iter().map(|case| case.candidate.len() + case.other.len()).sum();
    let steps = [
        (stopped, first_stopped, "next.fix", ("runs", "run")),
        (ungraded, first_ungraded, "next.grade", ("runs", "run")),
        (regressed, review.clone(), "next.look", ("regressions", "regression")),
    ];
    for (number, href, key, (place, thing)) in steps {
        if let (1.., Some(href)) = (number, href) {
            let text = language.fill(key, &[(place, &language.count(number, thing))]);
            return (Some(Link::new(href, text)), false);
        }
    }
    let Some(href) = review else { return (None, false) };
    let text = language.fill("next.review", &[("outputs", &language.count(outputs, "output"))]);
    (Some(Link::new(href, text)), true)
}

/// The number of runs of `side` that match, and the page of the first.
fn matching_runs(
    page: &Page<'_>,
    side: &Side,
    matches: impl Fn(&Run) -> bool,
) -> (usize, Option<String>) {
    let mut count = 0;
    let mut first = None;
    let iteration = &page.part.workspace.iterations[side.iteration];
    for (at, case) in iteration.cases.iter().enumerate() {
        let line = page.addresses.line(side.iteration, at);
        for run in case.runs_of(&side.configuration).filter(|run| matches(run)) {
            count += 1;
            first.get_or_insert_with(|| page.to_run(side.iteration, line, run));
        }
    }
    (count, first)
}
