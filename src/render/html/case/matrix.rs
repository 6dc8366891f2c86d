//! The checks of a case through the iterations: one row a check, one column an iteration, the newest
//! right, with both sides in each cell.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::analyze::{Appearance, SkillLoadCounts, Statement, case_rate, statements};
use crate::budget::{DATA_CELLS, DATA_COLUMNS};
use crate::language::{DASH, Rate, say};
use crate::model::{Case, Run, Tally};
use crate::render::context::{Anchors, Link, Page, Rows, bounds::take_rows};
use crate::render::html::comparison_links;
use crate::statistics::mean;
use crate::text::{cut_line, tokens};
use crate::wording::loading;

/// Iterations with a column; pages of older ones are linked from their own.
const ITERATIONS: usize = 60;

/// Configurations of an iteration in one cell.
const SIDES: usize = 6;

/// Characters of evidence below a check; the page of the run has all of it.
const EVIDENCE: usize = 400;

/// A case in one iteration.
struct Column<'a> {
    iteration: usize,
    case: &'a Case,
    sides: Vec<ColumnSide<'a>>,
    /// Why it cannot be compared with the column before; empty if it can.
    gap: &'a str,
}

/// A configuration in one iteration.
struct ColumnSide<'a> {
    name: &'a str,
    /// The class of its color.
    role: &'static str,
    statements: BTreeMap<String, Statement<'a>>,
}

/// The verdicts of a side on a check.
#[derive(Clone, Copy, Default, PartialEq)]
struct Outcomes {
    tally: Tally,
    /// Whether they are those of one run.
    is_single: bool,
}

/// A check with the columns that have it.
struct Row<'a> {
    key: String,
    text: &'a str,
    first: usize,
    last: usize,
}

pub(super) fn matrix(page: &Page<'_>, line: usize) -> Value {
    let columns = columns(page, line);
    let rows = rows(&columns);
    let mut room = DATA_CELLS;
    let cells = columns.iter().map(|column| column.sides.len()).sum();
    let most = take_rows(&mut room, rows.len(), cells);
    let mut anchors = Anchors::default();
    json!({
        "columns": columns.iter().map(|column| head(page, column)).collect::<Vec<_>>(),
        "rows": Rows::first(most, rows.iter(), |row| {
            let anchor = page.addresses.expectation(line, &row.key);
            json!({
                "anchor": anchors.take(anchor),
                "text": row.text,
                "evidence": evidence(page, line, &columns[row.last], row),
                "cells": (0..columns.len()).map(|at| cell(page, &columns, at, row)).collect::<Vec<_>>(),
            })
        }),
        "totals": columns.iter().map(|column| totals(page, line, column)).collect::<Vec<_>>(),
        "has_loading": columns.iter().any(|column| column.loads().is_some()),
    })
}

fn columns<'a>(page: &'a Page<'_>, line: usize) -> Vec<Column<'a>> {
    let appearances = &page.part.analysis.cases[line].appearances;
    let shown = &appearances[appearances.len().saturating_sub(ITERATIONS)..];
    let mut columns: Vec<Column<'a>> = Vec::new();
    for appearance in shown {
        let case = appearance.case(page.part.workspace);
        let roles = &page.part.analysis.iterations[appearance.iteration].roles;
        let mut sides = Vec::new();
        let lead = roles.candidates.iter().find(|name| case.runs_of(name).next().is_some());
        for name in lead.into_iter().chain(&roles.baseline).map(String::as_str).chain(roles.order())
        {
            let is_known = sides.iter().any(|side: &ColumnSide<'_>| side.name == name);
            if is_known || case.runs_of(name).next().is_none() || sides.len() == SIDES {
                continue;
            }
            let role = if Some(name) == lead.map(String::as_str) {
                "candidate"
            } else if roles.baseline.as_deref() == Some(name) {
                "baseline"
            } else {
                "other"
            };
            let found = statements(case, name).into_iter();
            let statements =
                found.map(|statement| (statement.key.to_string(), statement)).collect();
            sides.push(ColumnSide { name, role, statements });
        }
        let gap = gap(page, appearance, columns.last(), &sides);
        columns.push(Column { iteration: appearance.iteration, case, sides, gap });
    }
    columns
}

/// Why a column cannot be compared with the one before; empty if it can.
fn gap<'a>(
    page: &'a Page<'_>,
    appearance: &Appearance,
    before: Option<&Column<'_>>,
    sides: &[ColumnSide<'_>],
) -> &'a str {
    let Some(before) = before else { return "" };
    if appearance.prompt_changed {
        return page.language.text("case.gap_prompt");
    }
    if appearance.expectations_changed {
        return page.language.text("case.gap_checks");
    }
    match [baseline(&before.sides), baseline(sides)] {
        [Some(old), Some(new)] if old != new => page.language.text("case.gap_baseline"),
        _ => "",
    }
}

fn baseline<'s>(sides: &[ColumnSide<'s>]) -> Option<&'s str> {
    Some(sides.iter().find(|side| side.role == "baseline")?.name)
}

impl Column<'_> {
    fn outcome(&self, side: usize, key: &str) -> Outcomes {
        match self.sides[side].statements.get(key) {
            Some(found) => Outcomes { tally: found.tally, is_single: found.runs() == 1 },
            None => Outcomes::default(),
        }
    }

    fn has_verdicts(&self) -> bool {
        self.sides.iter().any(|side| !side.statements.is_empty())
    }

    /// Whether the runs of the first side loaded the skill; `None` if that is unknown.
    fn loads(&self) -> Option<SkillLoadCounts> {
        let side = self.sides.first()?;
        let loads = SkillLoadCounts::new(std::slice::from_ref(self.case), side.name);
        if loads.known() > 0 { Some(loads) } else { None }
    }
}

/// Every check in its newest wording: those of the newest iteration first, in their order there.
fn rows<'a>(columns: &[Column<'a>]) -> Vec<Row<'a>> {
    let mut positions: BTreeMap<String, usize> = BTreeMap::new();
    let mut rows: Vec<Row<'a>> = Vec::new();
    for (at, column) in columns.iter().enumerate().rev() {
        for side in &column.sides {
            let places = places_of_texts(column.case);
            let mut statements: Vec<&Statement<'a>> = side.statements.values().collect();
            statements.sort_by_key(|statement| {
                let run = statement.by_run.first().map_or(0, |(run, _)| *run);
                (run, places.get(&(run, statement.text)).copied().unwrap_or(usize::MAX))
            });
            for statement in statements {
                let key = statement.key.to_string();
                let position = *positions.entry(key.clone()).or_insert(rows.len());
                if position == rows.len() {
                    rows.push(Row { key, text: statement.text, first: at, last: at });
                }
                rows[position].first = at;
            }
        }
    }
    rows
}

/// Where each text comes first in the grading of each run. A grading may have a million.
fn places_of_texts(case: &Case) -> BTreeMap<(usize, &str), usize> {
    let mut places = BTreeMap::new();
    for (at, run) in case.runs.iter().enumerate() {
        for (place, check) in run.expectations().iter().enumerate() {
            places.entry((at, check.text.as_str())).or_insert(place);
        }
    }
    places
}

fn head(page: &Page<'_>, column: &Column<'_>) -> Value {
    let mut names = Vec::new();
    for side in &column.sides {
        let runs = page.language.count(column.case.runs_of(side.name).count(), "run");
        names.push(json!({ "role": side.role, "name": side.name, "runs": runs }));
    }
    json!({
        "link": page.iteration_link(column.iteration),
        "sides": names,
        "gap": column.gap,
    })
}

fn cell(page: &Page<'_>, columns: &[Column<'_>], at: usize, row: &Row<'_>) -> Value {
    let column = &columns[at];
    let outcomes: Vec<Outcomes> =
        (0..column.sides.len()).map(|side| column.outcome(side, &row.key)).collect();
    if outcomes.iter().all(|found| *found == Outcomes::default()) {
        return json!({ "gap": column.gap, "note": absent(page, columns, at, row), "sides": [] });
    }
    let mut sides = Vec::new();
    for (side, found) in column.sides.iter().zip(&outcomes) {
        sides.push(json!({
            "class": format!("{} {}", side.role, fill(*found)),
            "counts": Rate::counts_of(found.tally),
        }));
    }
    let [sign, tone] = change(&column.sides, &outcomes);
    json!({ "gap": column.gap, "note": "", "sides": sides, "sign": sign, "tone": tone })
}

/// Why a check has no verdict in a column: it was not asked yet, or not any more.
fn absent(page: &Page<'_>, columns: &[Column<'_>], at: usize, row: &Row<'_>) -> String {
    if at + 1 == row.first {
        let iteration = &page.part.workspace.iterations[columns[row.first].iteration].name;
        return say!(page.language, "case.asked_since", iteration);
    }
    if at == row.last + 1 && columns[at].has_verdicts() {
        return page.language.text("case.not_asked").to_owned();
    }
    DASH.to_owned()
}

/// How much of a square is filled: the share of runs that passed. A single run is drawn in gray.
fn fill(found: Outcomes) -> &'static str {
    let Some(rate) = found.tally.pass_rate() else { return "none" };
    if found.is_single {
        return if found.tally.failed == 0 { "pencil full" } else { "pencil" };
    }
    match rate {
        0.0 => "empty",
        1.0 => "full",
        rate if rate < 0.4 => "third",
        rate if rate < 0.6 => "half",
        _ => "most",
    }
}

/// The sign and the tone of the candidate's change against the baseline; hollow for single runs.
fn change(sides: &[ColumnSide<'_>], outcomes: &[Outcomes]) -> [&'static str; 2] {
    let Some(at) = sides.iter().position(|side| side.role == "baseline") else { return ["", ""] };
    let (after, before) = (outcomes[0], outcomes[at]);
    let rates = [after, before].map(|found| found.tally.pass_rate());
    let [Some(new), Some(old)] = rates else { return ["", ""] };
    let is_single = after.is_single || before.is_single;
    match (new > old, new < old) {
        (true, _) if is_single => ["△", "neutral"],
        (true, _) => ["▲", "better"],
        (_, true) if is_single => ["▽", "neutral"],
        (_, true) => ["▼", "worse"],
        _ if new < 1.0 => ["■", "neutral"],
        _ => ["", ""],
    }
}

/// What the graders of both sides said in the newest iteration that has the check.
fn evidence(page: &Page<'_>, line: usize, column: &Column<'_>, row: &Row<'_>) -> Vec<Value> {
    let mut quotes = Vec::new();
    for side in column.sides.iter().take(2) {
        let Some(statement) = side.statements.get(&row.key) else { continue };
        let run = &column.case.runs[statement.run];
        let check = run.expectations().iter().find(|check| check.text == statement.text);
        let Some(check) = check else { continue };
        let Some(text) = &check.evidence else { continue };
        let outcome = page.language.entry(&["outcome", check.outcome.word()]);
        quotes.push(json!({
            "role": side.role,
            "link": Link::new(
                page.to_check(column.iteration, line, run, &row.key),
                say!(page.language, "changes.who", side = side.name, run = run.number, outcome),
            ),
            "text": cut_line(text, EVIDENCE),
        }));
    }
    quotes
}

/// What is below the checks of a column: pass rates, comparisons, runs and costs.
fn totals(page: &Page<'_>, line: usize, column: &Column<'_>) -> Value {
    let language = page.language;
    let mut sides = Vec::new();
    let mut rates = Vec::new();
    for side in &column.sides {
        let runs: Vec<&Run> = column.case.runs_of(side.name).collect();
        let rate = case_rate(column.case, side.name);
        let time = mean_of(&runs, |run| run.metrics.duration_s);
        let used = mean_of(&runs, |run| run.metrics.tokens);
        rates.push(rate);
        sides.push(json!({
            "role": side.role,
            "passed": rate.map_or(DASH.to_owned(), |rate| language.percent(rate)),
            "time": time.map_or(DASH.to_owned(), |time| language.seconds(time)),
            "tokens": used.map_or(DASH.to_owned(), tokens),
            "outputs": runs.iter().map(|run| run.outputs.len()).sum::<usize>(),
            "runs": Rows::first(DATA_COLUMNS, runs.iter(), |run| {
                let Link { href, text } = page.run_link(column.iteration, line, run);
                json!({ "href": href, "label": text, "number": run.number })
            }),
        }));
    }
    let loading = column.loads().and_then(|loads| loading::counts(&loads, language));
    let other = column.sides.iter().position(|side| side.role == "baseline");
    let gain = match (rates.first().copied().flatten(), other.and_then(|at| rates[at])) {
        (Some(new), Some(old)) => language.points(new - old),
        _ => DASH.to_owned(),
    };
    json!({
        "gap": column.gap,
        "sides": sides,
        "gain": gain,
        "compared": comparison_links::rows(page, line, column.iteration),
        "loading": loading.unwrap_or_default(),
    })
}

fn mean_of(runs: &[&Run], figure: impl Fn(&Run) -> Option<f64>) -> Option<f64> {
    let known: Vec<f64> = runs.iter().filter_map(|run| figure(run)).collect();
    mean(&known)
}
