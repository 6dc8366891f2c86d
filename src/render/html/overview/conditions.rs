//! The cases of a round under several harnesses or models, each under all of them: which one fails under
//! which model.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::analyze::{Change, Side};
use crate::budget::OVERVIEW_CASES;
use crate::chart::inline::{Certainty, difference_bar};
use crate::digest::{Questions, compared_cases};
use crate::render::context::{Link, Page, Rows};
use crate::render::html::overview::cases::SMALLEST_SCALE;
use crate::render::html::overview::columns::{certainty, sign, tone};
use crate::wording::verdict;

/// A comparison under one condition.
struct Condition<'a> {
    name: &'a str,
    change: &'a Change,
}

/// The cases of the round of `after` under each of its conditions, in the order of the `questions`; `None` for
/// fewer than two.
pub(super) fn conditions_view(
    page: &Page<'_>,
    after: &Side,
    questions: &Questions<'_>,
) -> Option<Value> {
    let changes = page.part.analysis.by_condition(page.part.workspace, after);
    if changes.len() < 2 {
        return None;
    }
    let mut conditions: Vec<Condition<'_>> =
        changes.into_iter().map(|(name, change)| Condition { name, change }).collect();
    let rows = questions.rows().filter(|row| row.compared().is_some());
    let rows: Vec<&str> = rows.filter_map(|row| row.condition).collect();
    conditions.sort_by_key(|condition| rows.iter().position(|name| *name == condition.name));
    Some(json!({
        "names": conditions.iter().map(|condition| condition.name).collect::<Vec<_>>(),
        "cases": case_rows(page, &conditions),
    }))
}

/// A case under one condition.
struct CaseUnder<'a> {
    case_index: usize,
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
    let mut by_case: BTreeMap<usize, Vec<CaseUnder<'_>>> = BTreeMap::new();
    for (at, Condition { change, .. }) in conditions.iter().enumerate() {
        for case in compared_cases(&page.part.comparisons, &change.after, Some(change)) {
            let Some(difference) = case.difference() else { continue };
            scale = scale.max(difference.abs());
            by_case.entry(case.case_index).or_default().push(CaseUnder {
                case_index: case.case_index,
                condition: at,
                change,
                difference,
                certainty: certainty(&case),
                text: verdict::of_case(&case, change.gain.measure(), page.language).gain,
            });
        }
    }
    let mut cases: Vec<Vec<CaseUnder<'_>>> = by_case.into_values().collect();
    cases.sort_by(|a, b| lowest(a).total_cmp(&lowest(b)));
    Rows::first(OVERVIEW_CASES, cases.iter(), |found| {
        let mut cells = vec![Value::Null; conditions.len()];
        for case in found {
            cells[case.condition] = case_cell(page, case, scale);
        }
        json!({ "link": page.case_link(found[0].case_index), "cells": cells })
    })
}

fn lowest(found: &[CaseUnder<'_>]) -> f64 {
    found.iter().map(|case| case.difference).fold(f64::INFINITY, f64::min)
}

fn case_cell(page: &Page<'_>, case: &CaseUnder<'_>, scale: f64) -> Value {
    let review = page.context.review_of(case.case_index, &case.change.after, Some(case.change));
    let href = review.map_or_else(|| page.case_link(case.case_index).href, |to| page.link(&to));
    let direction = case.change.gain.measure().direction(case.difference);
    json!({
        "svg": difference_bar(case.difference / scale, case.certainty),
        "sign": sign(direction, case.certainty),
        "tone": tone(direction, case.certainty),
        "link": Link::new(href, case.text.clone()),
    })
}
