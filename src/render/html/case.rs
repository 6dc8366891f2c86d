//! One case over all iterations: its prompt, runs and expectations.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::analyze::{self, Appearance, CaseMatch, Reliability, key};
use crate::budget::{DATA_CELLS, DATA_COLUMNS};
use crate::language::{DASH, Language, Rate, say};
use crate::model::{Case, Expectation, Outcome, Run, Tally};
use crate::render::context::{
    Anchors, Frame, Page, RenderContext, Rows, Task, bounds::take_rows, view::mark,
};
use crate::render::html::comparison_links;
use crate::render::html::feedback::comment;
use crate::render::html::files::task_view;
use crate::render::html::overview::cases::case_columns;
use crate::render::html::review::head::{CaseVerdict, case_verdict};
use crate::render::text::brief;
use crate::text::tokens;
use crate::wording::{loading, quotations, reliability};

/// Adds a page for each case, linked in the order of the overview.
pub(super) fn pages<'a>(context: RenderContext<'a>, tasks: &mut Vec<Task<'a>>) {
    let order = &context.shared.order;
    for (at, &line) in order.iter().enumerate() {
        let previous = at.checked_sub(1).map(|at| order[at]);
        let next = order.get(at + 1).copied();
        let view = move |page: &Page<'_>| view(page, line, previous, next);
        tasks.push(context.page("case.html", context.addresses.case(line), view));
    }
}

/// The page of one case; `previous` and `next` are the cases before and after it.
fn view(page: &Page<'_>, index: usize, previous: Option<usize>, next: Option<usize>) -> Value {
    let line = &page.part.analysis.cases[index];
    let newest = page.part.analysis.newest_candidate();
    let mut cases = Vec::new();
    let mut shown = Vec::new();
    let mut comments = Vec::new();
    // An anchor leads to the newest iteration that has the expectation.
    let mut remaining = CellRoom { cells: DATA_CELLS, anchors: Anchors::default() };
    for appearance in line.appearances.iter().rev() {
        let case = &page.part.workspace.iterations[appearance.iteration].cases[appearance.case];
        shown.push(iteration(page, index, appearance, case, &mut remaining));
        comments.extend(comments_view(page, appearance));
        cases.push(case);
    }
    let frame = page.frame(&line.name, None);
    let previous = previous.map(|line| page.case_link(line)).unwrap_or_default();
    let next = next.map(|line| page.case_link(line)).unwrap_or_default();
    json!({
        "frame": Frame { crumbs: vec![frame.brand.clone()], previous, next, ..frame },
        "name": line.name,
        "result": newest_result(page.context, index),
        "columns": newest.map(|side| case_columns(page.context, index, &side)).unwrap_or_default(),
        "comments": comments,
        "markdown": page.link(&page.addresses.case_markdown(index)),
        "id": cases.iter().find_map(|case| case.id.as_ref()),
        "asked": task_view(&cases, Some(page)),
        "iterations": shown,
        "brief": brief::case(page.context, index),
    })
}

/// The comments on a case and its runs in one iteration; `None` without any.
fn comments_view(page: &Page<'_>, appearance: &Appearance) -> Option<Value> {
    let reviews = page.shared.reviews[appearance.iteration].on_case_and_runs(appearance.case);
    if reviews.is_empty() {
        return None;
    }
    Some(json!({
        "iteration": page.part.workspace.iterations[appearance.iteration].name,
        "comments": Rows::all(reviews.into_iter(), comment),
    }))
}

/// The result in the newest comparison, or the rate of a candidate alone, or where the case was
/// last seen.
fn newest_result(context: RenderContext<'_>, index: usize) -> CaseVerdict {
    let (analysis, iterations) = (context.part.analysis, &context.part.workspace.iterations);
    let Some(newest) = analysis.newest_candidate() else { return CaseVerdict::default() };
    let line = &analysis.cases[index];
    let is_gone = line.appearance(newest.iteration).is_none();
    // A case may also be newer than the newest graded iteration.
    if is_gone && let Some(appearance) = line.before(newest.iteration) {
        let (newest, last) = (&iterations[newest.iteration], &iterations[appearance.iteration]);
        let verdict = say!(context.language, "case.gone", newest = newest.name, last = last.name);
        return CaseVerdict { verdict, ..CaseVerdict::default() };
    }
    if let Some(change) = analysis.lead(&newest) {
        return case_verdict(context, index, &change.after, &change.before);
    }
    let tally = analyze::tally(context.part.workspace, line, &newest);
    let case = line.case(context.part.workspace, newest.iteration);
    let rate = case.and_then(|case| analyze::case_rate(case, &newest.configuration));
    let verdict = Rate::over_cases(rate, tally, context.language).whole(context.language);
    CaseVerdict { verdict, ..CaseVerdict::default() }
}

/// The cells and anchors that are left for the iterations of a page.
struct CellRoom {
    cells: usize,
    anchors: Anchors,
}

fn iteration(
    page: &Page<'_>,
    line: usize,
    appearance: &Appearance,
    case: &Case,
    remaining: &mut CellRoom,
) -> Value {
    let index = appearance.iteration;
    let runs = page.shared.progress[index].runs_in_order(case);
    let mut remarks = remarks(page.context, line, appearance, case);
    // How often the runs of each configuration passed everything, if there are several.
    for name in page.part.analysis.iterations[index].roles.order() {
        if let Some(found) = Reliability::new(std::slice::from_ref(case), name) {
            remarks.push(reliability::runs_of_case_sentence(name, &found, page.language));
        }
    }
    let quotes = page.part.quotes();
    remarks.extend(quotations::case_sentence(quotes, index, appearance.case, page.language));
    json!({
        "link": page.iteration_link(index),
        "remarks": remarks,
        "compared": comparison_links::rows(page, line, index),
        "runs": Rows::first(DATA_COLUMNS, runs.iter(), |run| run_column(page, index, line, run)),
        "has_loading": runs.iter().any(|run| run.loading.had_skill().is_some()),
        "expectations": expectations(page.context, &runs, line, remaining),
    })
}

fn run_column(page: &Page<'_>, iteration: usize, line: usize, run: &Run) -> Value {
    let language = page.language;
    let Run { metrics, .. } = run;
    json!({
        "link": page.run_link(iteration, line, run),
        "rate": Rate::new(run.tally(), language),
        "time": metrics.duration_s.map_or(DASH.to_owned(), |time| language.seconds(time)),
        "tokens": metrics.tokens.map_or(DASH.to_owned(), tokens),
        "outputs": run.outputs.len(),
        "skill": loading::state(&run.loading, language),
    })
}

/// How this iteration's case differs from the last: its name, prompt or expectations.
fn remarks(
    context: RenderContext<'_>,
    line: usize,
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
    let before = context.part.analysis.cases[line].before(appearance.iteration);
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

/// A statement with its verdicts by the index of the run.
struct StatementRow<'a> {
    first: &'a Expectation,
    verdicts: BTreeMap<usize, Vec<Outcome>>,
}

/// All statements of the runs in order of first appearance, with their verdicts in each run.
fn expectations(
    context: RenderContext<'_>,
    runs: &[&Run],
    line: usize,
    remaining: &mut CellRoom,
) -> Rows<Value> {
    let mut positions: BTreeMap<&str, usize> = BTreeMap::new();
    let mut statements: Vec<StatementRow<'_>> = Vec::new();
    for (at, run) in runs.iter().enumerate() {
        for expectation in run.expectations() {
            let position = *positions.entry(&expectation.text).or_insert(statements.len());
            if position == statements.len() {
                statements.push(StatementRow { first: expectation, verdicts: BTreeMap::new() });
            }
            let verdicts = statements[position].verdicts.entry(at).or_default();
            verdicts.push(expectation.outcome);
        }
    }
    let most = take_rows(&mut remaining.cells, statements.len(), runs.len());
    Rows::first(most, statements.into_iter(), |StatementRow { first, verdicts }| {
        let cells = Rows::first(DATA_COLUMNS, 0..runs.len(), |run| {
            cell(verdicts.get(&run).map_or(&[][..], Vec::as_slice), context.language)
        });
        let anchor = context.addresses.expectation(line, &key(first));
        json!({ "anchor": remaining.anchors.take(anchor), "text": first.text, "cells": cells })
    })
}

/// The verdicts of a run on a statement: failed if any failed, passed only if all passed, empty
/// without any. A grading may list a statement twice, so differing verdicts are counted.
fn cell(verdicts: &[Outcome], language: &Language) -> Value {
    let order = [Outcome::Failed, Outcome::Ungraded, Outcome::Passed];
    let Some(worst) = order.into_iter().find(|outcome| verdicts.contains(outcome)) else {
        return json!({ "mark": "", "outcome": "", "is_plain": false, "counts": "" });
    };
    let mut counts = Vec::new();
    if verdicts.len() > 1 {
        let rate = Rate::new(Tally::new(verdicts.iter().copied()), language);
        counts.extend([rate.counts, rate.rest]);
        counts.retain(|text| !text.is_empty() && text != DASH);
    }
    json!({
        "mark": mark(worst),
        "outcome": worst.word(),
        "is_plain": verdicts.iter().all(|outcome| *outcome == worst),
        "counts": language.list(counts),
    })
}
