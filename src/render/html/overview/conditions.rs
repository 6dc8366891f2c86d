//! One round under several harnesses or models: each against its own baseline, in a matrix. No single
//! one of them speaks for the round. Below, each case under all of them: which one fails under which
//! model.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::analyze::{Change, Side};
use crate::budget::OVERVIEW_CASES;
use crate::chart;
use crate::chart::inline::{Certainty, difference_bar};
use crate::digest::{self, compared_cases};
use crate::language::{DASH, say};
use crate::render::context::{Link, Page, Rows, distinct};
use crate::render::html::comparison_links::{self, address};
use crate::render::html::overview::cases::{SMALLEST_SCALE, certainty, sign};
use crate::render::html::overview::chips::times_runs;
use crate::wording::{headline, verdict};

/// A comparison under one condition.
struct Condition<'a> {
    name: &'a str,
    /// Empty if the name of the condition has only one part.
    harness: &'a str,
    model: &'a str,
    change: &'a Change,
}

/// The matrix of the conditions of the round of `after`; `None` for fewer than two.
pub(super) fn conditions_view(page: &Page<'_>, after: &Side) -> Option<Value> {
    let changes = page.part.analysis.by_condition(page.part.workspace, after);
    if changes.len() < 2 {
        return None;
    }
    let mut conditions = Vec::new();
    for (name, change) in changes {
        let (harness, model) = name.split_once('/').unwrap_or(("", name));
        conditions.push(Condition { name, harness, model, change });
    }
    let scale = scale(&conditions);
    let models = distinct(conditions.iter().map(|condition| condition.model));
    let mut rows = Vec::new();
    for harness in distinct(conditions.iter().map(|condition| condition.harness)) {
        let mut cells = Vec::new();
        for model in &models {
            let found = conditions
                .iter()
                .find(|condition| condition.harness == harness && condition.model == *model);
            cells.push(found.map(|condition| cell(page, condition.change, scale)));
        }
        rows.push(json!({ "harness": harness, "cells": cells }));
    }
    Some(json!({
        "models": models,
        "has_harness": conditions.iter().any(|condition| !condition.harness.is_empty()),
        "rows": rows,
        "names": conditions.iter().map(|condition| condition.name).collect::<Vec<_>>(),
        "cases": case_rows(page, &conditions),
    }))
}

/// A case under one condition.
struct CaseUnder<'a> {
    line: usize,
    condition: usize,
    change: &'a Change,
    difference: f64,
    certainty: Certainty,
    /// The difference as text.
    text: String,
}

/// A row for each case with a difference under some condition, the largest fall first. It is on the
/// first page only: that of each comparison would repeat it.
fn case_rows(page: &Page<'_>, conditions: &[Condition<'_>]) -> Rows<Value> {
    if page.path != page.addresses.report_file("index.html") {
        return Rows::default();
    }
    let mut scale = SMALLEST_SCALE;
    let mut by_line: BTreeMap<usize, Vec<CaseUnder<'_>>> = BTreeMap::new();
    for (at, Condition { change, .. }) in conditions.iter().enumerate() {
        for case in compared_cases(&page.part.flips, &change.after, Some(change)) {
            let Some(difference) = case.difference() else { continue };
            scale = scale.max(difference.abs());
            by_line.entry(case.line).or_default().push(CaseUnder {
                line: case.line,
                condition: at,
                change,
                difference,
                certainty: certainty(&case),
                text: verdict::of_case(&case, change.gain.measure(), page.language).gain,
            });
        }
    }
    let mut cases: Vec<Vec<CaseUnder<'_>>> = by_line.into_values().collect();
    cases.sort_by(|a, b| lowest(a).total_cmp(&lowest(b)));
    Rows::first(OVERVIEW_CASES, cases.iter(), |found| {
        let mut cells = vec![Value::Null; conditions.len()];
        for case in found {
            cells[case.condition] = case_cell(page, case, scale);
        }
        json!({ "link": page.case_link(found[0].line), "cells": cells })
    })
}

fn lowest(found: &[CaseUnder<'_>]) -> f64 {
    found.iter().map(|case| case.difference).fold(f64::INFINITY, f64::min)
}

fn case_cell(page: &Page<'_>, case: &CaseUnder<'_>, scale: f64) -> Value {
    let review = page.context.review_of(case.line, &case.change.after, Some(case.change));
    let href = review.map_or_else(|| page.case_link(case.line).href, |to| page.link(&to));
    let direction = case.change.gain.measure().direction(case.difference);
    let sign = sign(direction, case.certainty == Certainty::OneRun);
    json!({
        "svg": difference_bar(case.difference / scale, case.certainty),
        "sign": sign,
        "link": Link::new(href, case.text.clone()),
    })
}

/// The end of the axis that all cells share, in shares of 1.
fn scale(conditions: &[Condition<'_>]) -> f64 {
    let mut largest: f64 = 0.1;
    for Condition { change, .. } in conditions {
        if let Some(range) = digest::interval(&change.gain) {
            largest = largest.max(range.low.abs()).max(range.high.abs());
        }
        if let Some(paired) = change.gain.shown() {
            largest = largest.max(paired.mean.abs());
        }
    }
    largest.min(1.0)
}

fn cell(page: &Page<'_>, change: &Change, scale: f64) -> Value {
    let (language, gain) = (page.language, &change.gain);
    let tone = comparison_links::tone(gain.verdict());
    let word = headline::word_alone(gain.word(), language);
    // The comparison of the whole analysis, which has a page, is the same pair of sides.
    let mut changes = page.part.analysis.changes.iter();
    let own = changes.find(|own| own.sides() == change.sides()).unwrap_or(change);
    let link = Link::new(page.link(&address(page.context, own)), word);
    let Some(paired) = gain.shown() else {
        return json!({ "link": link, "gain": DASH, "svg": "", "sign": "", "tone": "", "note": "" });
    };
    let range = digest::interval(gain);
    let measure = gain.measure();
    let mut notes = Vec::new();
    if let Some(range) = range {
        let (low, high) =
            (verdict::number(measure, range.low), verdict::number(measure, range.high));
        notes.push(say!(language, "screen.range", low, high));
    }
    let cases = language.count(paired.cases, "case");
    match page.part.analysis.summary(&change.after) {
        Some(summary) => notes.push(format!("{cases} {}", times_runs(summary, language))),
        None => notes.push(cases),
    }
    let size = verdict::size(measure, paired.mean, language);
    json!({
        "link": link,
        "svg": chart::gain(paired.mean, range, scale, tone, &size),
        "sign": headline::sign(gain),
        "tone": tone.class(),
        "gain": verdict::number(measure, paired.mean),
        "note": language.list(notes),
    })
}
