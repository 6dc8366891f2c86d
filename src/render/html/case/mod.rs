//! One case over all iterations: its prompt, checks, runs and comments.

mod matrix;
mod outcomes;
mod picker;
mod rows;

pub(super) use crate::render::html::case::outcomes::{Outcomes, fill};

use crate::analyze::{self, Appearance, CaseMatch, Reliability};
use crate::digest::CaseResult;
use crate::language::{Rate, say};
use crate::render::context::{Frame, Page, RenderContext, Rows, Task, View, view};
use crate::render::html::case::matrix::matrix;
use crate::render::html::comparison_links;
use crate::render::html::feedback::comment;
use crate::render::html::files::task_view;
use crate::render::html::review::head::{CaseVerdict, case_verdict, peer_verdict};
use crate::render::text::brief;
use crate::wording::{quotations, reliability};
use input::model::{Case, Run};

/// Adds a page for each case, linked in the order of the overview.
pub(super) fn pages<'a>(context: RenderContext<'a>, tasks: &mut Vec<Task<'a>>) {
    let order = &context.shared.order;
    for (at, &case_index) in order.iter().enumerate() {
        let previous = at.checked_sub(1).map(|at| order[at]);
        let next = order.get(at + 1).copied();
        let view = move |page: &Page<'_>| view(page, case_index, previous, next);
        tasks.push(context.page("case.html", context.addresses.case(case_index), view));
    }
}

/// The page of one case; `previous` and `next` are the cases before and after it.
fn view(page: &Page<'_>, index: usize, previous: Option<usize>, next: Option<usize>) -> View {
    let history = &page.part.analysis.cases[index];
    let mut cases = Vec::new();
    let mut remarks = Vec::new();
    let mut comments = Vec::new();
    for appearance in history.appearances.iter().rev() {
        cases.push(appearance.case(page.part.workspace));
        remarks.extend(iteration_remarks(page, index, appearance));
        comments.extend(comments_view(page, appearance));
    }
    let compared =
        history.appearances.last().map(|last| comparison_links::rows(page, index, last.iteration));
    let frame = page.frame(&history.name, None);
    let previous = previous.map(|case_index| page.case_link(case_index)).unwrap_or_default();
    let next = next.map(|case_index| page.case_link(case_index)).unwrap_or_default();
    let mut brief = String::new();
    let mut waiting = Rows::default();
    if cases.iter().flat_map(|case| &case.runs).any(Run::is_graded) {
        brief = brief::case(page.context, index);
    } else if let Some(newest) = cases.first() {
        // Without a verdict a brief has nothing to say, and the matrix no row.
        waiting = Rows::all(newest.planned.iter(), |check| check.text.as_str());
    }
    view!({
        "frame": Frame { previous, next, ..frame },
        "name": history.name,
        "result": newest_result(page.context, index),
        "comments": comments,
        "id": cases.iter().find_map(|case| case.id.as_ref()),
        "asked": task_view(&cases, Some(page)),
        "compared": compared.unwrap_or_default(),
        "waiting": waiting,
        "matrix": matrix(page, index),
        "remarks": remarks,
        "brief": brief,
    })
}

/// The comments on a case and its runs in one iteration; `None` without any.
fn comments_view(page: &Page<'_>, appearance: &Appearance) -> Option<View> {
    let reviews = page.shared.reviews[appearance.iteration].on_case_and_runs(appearance.case);
    if reviews.is_empty() {
        return None;
    }
    Some(view!({
        "iteration": page.part.workspace.iterations[appearance.iteration].name,
        "comments": Rows::all(reviews.into_iter(), comment),
    }))
}

/// The result in the newest comparison, or the rate of a candidate alone, or where the case was
/// last seen.
fn newest_result(context: RenderContext<'_>, index: usize) -> CaseVerdict {
    let (analysis, iterations) = (context.part.analysis, &context.part.workspace.iterations);
    let Some(newest) = analysis.shown_side() else { return CaseVerdict::default() };
    let history = &analysis.cases[index];
    let is_gone = history.appearance(newest.iteration).is_none();
    // A case may also be newer than the newest graded iteration.
    if is_gone && let Some(appearance) = history.before(newest.iteration) {
        let (newest, last) = (&iterations[newest.iteration], &iterations[appearance.iteration]);
        let verdict = say!(context.language, "case.gone", newest = newest.name, last = last.name);
        return CaseVerdict { verdict, ..CaseVerdict::default() };
    }
    if context.part.is_unmeasured(newest.iteration) {
        let verdict = context.language.text("headline.no_measurement").to_owned();
        return CaseVerdict { verdict, ..CaseVerdict::default() };
    }
    if let Some(change) = analysis.lead(&newest) {
        let [before, after] = change.sides().map(|side| history.runs(context.part.workspace, side));
        return case_verdict(CaseResult::new(after, before), context.language);
    }
    if let [change, _] = &*analysis.iterations[newest.iteration].peers {
        let [before, after] = change.sides().map(|side| history.runs(context.part.workspace, side));
        return peer_verdict(CaseResult::new(after, before), context.language);
    }
    let tally = analyze::tally(context.part.workspace, history, &newest);
    if tally.graded() == 0 {
        return CaseVerdict::default();
    }
    let verdict = Rate::new(tally, context.language).whole(context.language);
    CaseVerdict { verdict, ..CaseVerdict::default() }
}

/// What is said of the case in one iteration; `None` if there is nothing.
fn iteration_remarks(page: &Page<'_>, case_index: usize, appearance: &Appearance) -> Option<View> {
    let index = appearance.iteration;
    let case = appearance.case(page.part.workspace);
    let mut remarks = remarks(page.context, case_index, appearance, case);
    // How often the runs of each configuration passed everything, if there are several.
    for name in page.part.analysis.iterations[index].roles.order() {
        if let Some(found) = Reliability::new(std::slice::from_ref(case), name) {
            remarks.push(reliability::runs_of_case_sentence(name, &found, page.language));
        }
    }
    let quotes = page.part.quotes();
    remarks.extend(quotations::case_sentence(quotes, index, appearance.case, page.language));
    if remarks.is_empty() {
        return None;
    }
    Some(view!({ "link": page.iteration_link(index), "texts": remarks }))
}

/// How this iteration's case differs from the last: its name, prompt or expectations.
fn remarks(
    context: RenderContext<'_>,
    case_index: usize,
    appearance: &Appearance,
    case: &Case,
) -> Vec<String> {
    let language = context.language;
    let mut remarks = Vec::new();
    // People rename the folders of cases between iterations, so why it is the same case is said.
    let rule = match appearance.rule {
        CaseMatch::First | CaseMatch::Name => None,
        CaseMatch::Id => Some("case.same_by_id"),
        CaseMatch::Prompt => Some("case.same_by_prompt"),
    };
    let before = context.part.analysis.cases[case_index].before(appearance.iteration);
    if let (Some(rule), Some(before)) = (rule, before) {
        let before = &context.part.workspace.iterations[before.iteration].cases[before.case].name;
        remarks.push(say!(language, rule, name = case.name, before));
    }
    if appearance.prompt_changed {
        remarks.push(language.text("case.prompt_changed").to_owned());
    }
    if appearance.expectations_changed {
        remarks.push(language.text("case.expectations_changed").to_owned());
    }
    remarks
}
