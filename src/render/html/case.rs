//! One case over all iterations: its prompt, runs and expectations.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::analyze::{self, Appearance, CaseMatch, Reliability, key};
use crate::budget::{DATA_CELLS, DATA_COLUMNS};
use crate::model::{Case, Expectation, Outcome, Run, Tally};
use crate::render::context::{
    Anchors, DASH, Frame, Language, Page, Rate, RenderContext, Rows, bounds::take_rows, view::mark,
};
use crate::render::html::comparison_links;
use crate::render::html::feedback::comment;
use crate::render::html::files::task_view;
use crate::render::html::overview::cases::case_columns;
use crate::render::html::review::head::{CaseVerdict, case_verdict};
use crate::render::text::brief;
use crate::text::tokens;
use crate::wording::{loading, quotations, reliability};

/// The verdicts of a run on a statement: failed if any failed, passed only if all passed, empty
/// without any. Differing verdicts are counted.
fn cell(verdicts: &[Outcome], language: &Language) -> Value {
    let order = [Outcome::Failed, Outcome::Ungraded, Outcome::Passed];
    let Some(worst) = order.into_iter().find(|outcome| verdicts.contains(outcome)) else {
        return json!({ "mark": "", "outcome": "", "is_plain": false, "counts": "" });
    };
    let tally = Tally::new(verdicts.iter().copied());
    let Rate { counts, rest, .. } = Rate::new(tally, language);
    let parts = [counts, rest].into_iter().filter(|part| !part.is_empty() && part != DASH);
    let counts = language.list(parts);
    json!({
        "mark": mark(worst),
        "outcome": worst.word(),
        "is_plain": verdicts.iter().all(|outcome| *outcome == worst),
        "counts": if verdicts.len() > 1 { counts } else { String::new() },
    })
}

/// The page of one case; its neighbors are the lines before and after it on the overview.
pub(super) fn view(page: &Page<'_>, index: usize, neighbors: [Option<usize>; 2]) -> Value {
    let iterations = &page.part.workspace.iterations;
    let line = &page.part.analysis.cases[index];
    let newest_first = line.appearances.iter().rev();
    let cases = newest_first
        .clone()
        .map(|appearance| &iterations[appearance.iteration].cases[appearance.case]);
    let newest = page.part.analysis.newest_candidate();
    // An anchor leads to the newest iteration that has the expectation.
    let mut remaining = CellRoom { cells: DATA_CELLS, anchors: Anchors::default() };
    let shown: Vec<Value> = newest_first
        .zip(cases.clone())
        .map(|appearance| iteration(page, index, appearance, &mut remaining))
        .collect();
    let frame = page.frame(&line.name, None);
    let [previous, next] =
        neighbors.map(|line| line.map(|line| page.case_link(line)).unwrap_or_default());
    let comments = |appearance: &Appearance| {
        let reviews = page.shared.reviews[appearance.iteration].on_case_and_runs(appearance.case);
        let comments = Rows::all(reviews.into_iter(), comment);
        let iteration = &iterations[appearance.iteration].name;
        (!comments.is_empty()).then(|| json!({ "iteration": iteration, "comments": comments }))
    };
    json!({
        "frame": Frame { crumbs: vec![frame.brand.clone()], previous, next, ..frame },
        "name": line.name,
        "result": newest_result(page.context, index),
        "columns": newest.map(|side| case_columns(page.context, index, &side)).unwrap_or_default(),
        "comments": line.appearances.iter().rev().filter_map(comments).collect::<Vec<_>>(),
        "markdown": page.link(&page.addresses.case_markdown(index)),
        "id": cases.clone().find_map(|case| case.id.as_ref()),
        "asked": task_view(cases, Some(page)),
        "iterations": shown,
        "brief": brief::case(page.context, index),
    })
}

/// The result in the newest comparison, or the rate of a candidate alone, or where the case was
/// last seen.
fn newest_result(context: RenderContext<'_>, index: usize) -> CaseVerdict {
    let (analysis, iterations) = (context.part.analysis, &context.part.workspace.iterations);
    let Some(newest) = analysis.newest_candidate() else { return CaseVerdict::default() };
    let line = &analysis.cases[index];
    let gone =
        line.before(newest.iteration).filter(|_| line.appearance(newest.iteration).is_none());
    let text = match (gone, analysis.lead(&newest)) {
        (Some(appearance), _) => {
            let [last, newest] = [appearance.iteration, newest.iteration]
                .map(|index| iterations[index].name.as_str());
            context.language.fill("case.gone", &[("newest", &newest), ("last", &last)])
        }
        (None, Some(change)) => {
            return case_verdict(context, index, [&change.after, &change.before]);
        }
        (None, None) => {
            let tally = analyze::tally(context.part.workspace, line, &newest);
            Rate::new(tally, context.language).whole(context.language)
        }
    };
    CaseVerdict { verdict: text, ..CaseVerdict::default() }
}

/// The cells and anchors that are left for the iterations of a page.
struct CellRoom {
    cells: usize,
    anchors: Anchors,
}

fn iteration(
    page: &Page<'_>,
    line: usize,
    (appearance, case): (&Appearance, &Case),
    remaining: &mut CellRoom,
) -> Value {
    let index = appearance.iteration;
    let runs = page.shared.progress[index].runs_in_order(case);
    let seconds = |value| page.language.seconds(value);
    let mut remarks = remarks(page.context, line, appearance, case);
    // How often the runs of each configuration passed everything, if there are several.
    let repeated = |name| {
        let reliability = Reliability::new(std::slice::from_ref(case), name)?;
        Some(reliability::runs_of_case_sentence(name, &reliability, page.language))
    };
    let roles = &page.part.analysis.iterations[index].roles;
    remarks.extend(roles.order().filter_map(repeated));
    remarks.extend(quotations::case_sentence(
        page.part.quotes(),
        index,
        appearance.case,
        page.language,
    ));
    json!({
        "link": page.iteration_link(index),
        "remarks": remarks,
        "compared": comparison_links::rows(page, line, index),
        "runs": Rows::first(DATA_COLUMNS, runs.iter(), |run| json!({
            "link": page.run_link(index, line, run),
            "rate": Rate::new(run.tally(), page.language),
            "time": run.metrics.duration_s.map_or(DASH.to_owned(), seconds),
            "tokens": run.metrics.tokens.map_or(DASH.to_owned(), tokens),
            "outputs": run.outputs.len(),
            "skill": loading::state(&run.loading, page.language),
        })),
        "has_loading": runs.iter().any(|run| run.loading.had_skill().is_some()),
        "expectations": expectations(page.context, &runs, line, remaining),
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
    let appearances = context.part.analysis.cases[line].appearances.iter();
    let before = appearances.rev().find(|earlier| earlier.iteration < appearance.iteration);
    let before = before.map(|earlier| {
        &context.part.workspace.iterations[earlier.iteration].cases[earlier.case].name
    });
    let rule = match appearance.rule {
        CaseMatch::First | CaseMatch::Name => None,
        CaseMatch::Id => Some("case.same_by_id"),
        CaseMatch::Prompt => Some("case.same_by_prompt"),
    };
    let mut remarks = Vec::new();
    if let Some((rule, before)) = rule.zip(before) {
        remarks.push(language.fill(rule, &[("name", &case.name), ("before", before)]));
    }
    if appearance.prompt_changed {
        remarks.push(language.text("case.prompt_changed").to_owned());
    }
    if appearance.expectations_changed {
        remarks.push(language.text("case.expectations_changed").to_owned());
    }
    remarks
}

/// All statements of the runs in order of first appearance, with their verdicts in each run.
fn expectations(
    context: RenderContext<'_>,
    runs: &[&Run],
    line: usize,
    remaining: &mut CellRoom,
) -> Rows<Value> {
    let mut positions: BTreeMap<&str, usize> = BTreeMap::new();
    let mut statements: Vec<(&Expectation, BTreeMap<usize, Vec<Outcome>>)> = Vec::new();
    for (at, run) in runs.iter().enumerate() {
        for expectation in run.expectations() {
            let position = *positions.entry(&expectation.text).or_insert_with(|| {
                statements.push((expectation, BTreeMap::new()));
                statements.len() - 1
            });
            statements[position].1.entry(at).or_default().push(expectation.outcome);
        }
    }
    let cell = |outcomes: Option<&Vec<Outcome>>| {
        cell(outcomes.map(Vec::as_slice).unwrap_or_default(), context.language)
    };
    let most = take_rows(&mut remaining.cells, statements.len(), runs.len());
    Rows::first(most, statements.into_iter(), |(first, verdicts)| {
        json!({
            "anchor": remaining.anchors.take(context.addresses.expectation(line, &key(first))),
            "text": first.text,
            "cells": Rows::first(DATA_COLUMNS, 0..runs.len(), |run| cell(verdicts.get(&run))),
        })
    })
}
