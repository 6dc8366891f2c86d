//! The checks of a case through the iterations: one row a check, one column an iteration, the newest
//! right, with both sides in each cell.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::analyze::{
    Appearance, Measure, Roles, SkillLoadCounts, Statement, case_rate, is_earlier_name, statements,
};
use crate::budget::{DATA_CELLS, DATA_COLUMNS};
use crate::digest::recorded_rate;
use crate::language::{DASH, Language, Rate, say};
use crate::render::context::{Anchors, Link, Page, Rows, View, bounds::take_rows, distinct, view};
use crate::render::html::case::outcomes::{Outcomes, change, fill};
use crate::render::html::case::picker::picker;
use crate::render::html::case::rows::{FirstRows, Row, first_rows};
use crate::render::html::comparison_links::{self, ComparisonRow};
use crate::render::html::disputable::{RunAt, disputable};
use crate::wording::{loading, measured, recorded_results, run_end, verdict};
use input::model::{Case, Run};
use statistics::mean;
use text::{cut_line, tokens};

/// Iterations with a column; pages of older ones are linked from their own.
const ITERATIONS: usize = 60;

/// Configurations of an iteration in one cell.
const SIDES: usize = 6;

/// Characters of evidence below a check; the page of the run has all of it.
const EVIDENCE: usize = 400;

/// A case in one iteration.
pub(super) struct Column<'a> {
    pub(super) iteration: usize,
    /// Its index in the iteration.
    index: usize,
    case: &'a Case,
    pub(super) sides: Vec<ColumnSide<'a>>,
    /// Why it cannot be compared with the column before; empty if it can.
    gap: &'a str,
}

/// A configuration in one iteration.
pub(super) struct ColumnSide<'a> {
    pub(super) name: &'a str,
    /// `candidate`, `baseline` or `other`.
    role: &'static str,
    /// The index of its own baseline.
    other: Option<usize>,
    /// In the order first met, then by their keys.
    pub(super) statements: Vec<Statement<'a>>,
}

pub(super) fn matrix(page: &Page<'_>, case_index: usize) -> View {
    let mut columns = columns(page, case_index);
    let FirstRows { rows, number } = first_rows(&columns);
    for side in columns.iter_mut().flat_map(|column| &mut column.sides) {
        side.statements.sort_unstable_by(|a, b| a.key.cmp(&b.key));
    }
    let statements = columns.iter().flat_map(|column| &column.sides).flat_map(|s| &s.statements);
    let runs: BTreeSet<usize> = statements.map(Statement::runs).collect();
    let mut room = DATA_CELLS;
    let cells = columns.iter().map(|column| column.sides.len()).sum();
    let most = take_rows(&mut room, number, cells);
    let mut anchors = Anchors::default();
    view!({
        "columns": columns.iter().map(|column| head(page, column)).collect::<Vec<_>>(),
        "rows": Rows::first(most, rows.iter(), |row| {
            let anchor = page.addresses.expectation(case_index, &row.key);
            view!({
                "anchor": anchors.take(anchor),
                "text": row.text,
                "evidence": evidence(page, case_index, &columns, row),
                "verdict": shown_verdict(page, &columns[row.last], row),
                "cells": (0..columns.len()).map(|at| cell(page, &columns, at, row)).collect::<Vec<_>>(),
            })
        }).and_more(number - rows.len()),
        "totals": totals(page, case_index, &columns),
        "picker": picker(page, case_index, &columns),
        "has_peers": columns.iter().all(|column| has_peers(page, column.iteration)),
        "has_single": runs.contains(&1),
        "has_shares": runs.last().is_some_and(|most| *most > 1),
        "has_gap": columns.iter().any(|column| !column.gap.is_empty()),
    })
}

fn columns<'a>(page: &'a Page<'_>, case_index: usize) -> Vec<Column<'a>> {
    let appearances = &page.part.analysis.cases[case_index].appearances;
    let shown = &appearances[appearances.len().saturating_sub(ITERATIONS)..];
    let mut columns: Vec<Column<'a>> = Vec::new();
    for appearance in shown {
        let case = appearance.case(page.part.workspace);
        let roles = &page.part.analysis.iterations[appearance.iteration].roles;
        let sides = column_sides(case, roles, has_peers(page, appearance.iteration));
        let gap = gap(page, appearance, columns.last(), &sides);
        let Appearance { iteration, case: index, .. } = *appearance;
        columns.push(Column { iteration, index, case, sides, gap });
    }
    columns
}

/// Whether nobody knows which of two sides of an iteration is the baseline.
fn has_peers(page: &Page<'_>, iteration: usize) -> bool {
    !page.part.analysis.iterations[iteration].peers.is_empty()
}

/// The configurations that ran a case: each candidate before what it is compared with.
fn column_sides<'a>(case: &'a Case, roles: &'a Roles, has_peers: bool) -> Vec<ColumnSide<'a>> {
    let mut order: Vec<(&str, &'static str)> = Vec::new();
    for candidate in &roles.candidates {
        if let Some(other) = roles.baseline_of(candidate) {
            order.extend([(candidate.as_str(), "candidate"), (other.as_str(), "baseline")]);
        }
    }
    // Without a baseline, the first is what the page is about.
    let first = if order.is_empty() { "candidate" } else { "other" };
    for (at, name) in roles.order().enumerate() {
        let second = if has_peers && at == 1 { "baseline" } else { "other" };
        order.push((name, if at == 0 { first } else { second }));
    }
    let mut sides: Vec<ColumnSide<'a>> = Vec::new();
    for (name, role) in order {
        let is_known = sides.iter().any(|side| side.name == name);
        if is_known || case.runs_of(name).next().is_none() || sides.len() == SIDES {
            continue;
        }
        sides.push(ColumnSide { name, role, other: None, statements: statements(case, name) });
    }
    for at in 0..sides.len() {
        let other = roles.baseline_of(sides[at].name);
        sides[at].other =
            sides.iter().position(|side| Some(side.name) == other.map(|o| o.as_str()));
    }
    sides
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

impl<'a> ColumnSide<'a> {
    /// The class of its color: an earlier state of the skill is gray.
    fn class(&self) -> &'static str {
        if self.role == "baseline" && is_earlier_name(self.name) { "previous" } else { self.role }
    }

    fn statement(&self, key: &str) -> Option<&Statement<'a>> {
        let at = self.statements.binary_search_by(|statement| (*statement.key).cmp(key)).ok()?;
        Some(&self.statements[at])
    }
}

impl Column<'_> {
    fn outcome(&self, side: usize, key: Option<&str>) -> Outcomes {
        match key.and_then(|key| self.sides[side].statement(key)) {
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

fn head(page: &Page<'_>, column: &Column<'_>) -> View {
    let mut names = Vec::new();
    for side in &column.sides {
        let runs = || column.case.runs_of(side.name);
        let mut notes = vec![page.language.count(runs().count(), "run")];
        if runs().all(|run| run.reuse.is_some()) {
            notes.extend(distinct(runs().filter_map(|run| measured::origin(run, page.language))));
        }
        let runs = page.language.list(notes);
        names.push(view!({ "role": side.class(), "name": side.name, "runs": runs }));
    }
    view!({
        "link": page.iteration_link(column.iteration),
        "sides": names,
        "gap": column.gap,
    })
}

fn cell(page: &Page<'_>, columns: &[Column<'_>], at: usize, row: &Row<'_>) -> View {
    let column = &columns[at];
    let outcomes: Vec<Outcomes> =
        (0..column.sides.len()).map(|side| column.outcome(side, row.key_in(at, side))).collect();
    if outcomes.iter().all(|found| *found == Outcomes::default()) {
        return view!({ "gap": column.gap, "note": absent(page, columns, at, row), "sides": [""; 0] });
    }
    let mut sides = Vec::new();
    for (index, (side, found)) in column.sides.iter().zip(&outcomes).enumerate() {
        let [sign, tone] = side.other.map_or(["", ""], |other| change(*found, outcomes[other]));
        sides.push(view!({
            "class": format!("{} {}", side.class(), fill(*found)),
            "counts": Rate::counts_of(found.tally),
            "sign": sign,
            "tone": tone,
            "is_disputed": is_disputed(page, column, side, row.key_in(at, index)),
        }));
    }
    view!({ "gap": column.gap, "note": "", "sides": sides })
}

/// Whether a person says that the grader is wrong on a check of a side.
fn is_disputed(
    page: &Page<'_>,
    column: &Column<'_>,
    side: &ColumnSide<'_>,
    key: Option<&str>,
) -> bool {
    let Some(statement) = key.and_then(|key| side.statement(key)) else { return false };
    let reviews = &page.shared.reviews[column.iteration];
    let mut runs = column.case.runs.iter().enumerate();
    runs.any(|(at, run)| {
        run.configuration == side.name && reviews.is_disputed(column.index, at, statement.text)
    })
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

/// The verdict of the newest candidate that has the check, for those who say that it is wrong.
fn shown_verdict(page: &Page<'_>, column: &Column<'_>, row: &Row<'_>) -> Option<View> {
    let statement = column.sides.first()?.statement(row.key_in(row.last, 0)?)?;
    let Column { iteration, index, .. } = *column;
    let at = RunAt { iteration, case: index, run: statement.run };
    disputable(page, at, statement.text)
}

/// What the graders of both sides said in the newest iteration that has the check.
fn evidence(
    page: &Page<'_>,
    case_index: usize,
    columns: &[Column<'_>],
    row: &Row<'_>,
) -> Vec<View> {
    let column = &columns[row.last];
    let mut quotes = Vec::new();
    for (index, side) in column.sides.iter().enumerate().take(2) {
        let Some(key) = row.key_in(row.last, index) else { continue };
        let Some(statement) = side.statement(key) else { continue };
        let run = &column.case.runs[statement.run];
        let check = run.expectations().iter().find(|check| check.text == statement.text);
        let Some(check) = check else { continue };
        let Some(text) = &check.evidence else { continue };
        let outcome = page.language.entry(&["outcome", check.outcome.word()]);
        quotes.push(view!({
            "role": side.class(),
            "link": Link::new(
                page.to_check(column.iteration, case_index, run, key),
                say!(page.language, "changes.who", side = side.name, run = run.number, outcome),
            ),
            "text": cut_line(text, EVIDENCE),
        }));
    }
    quotes
}

/// A line of a cell below the checks.
#[derive(Default, Serialize)]
pub(super) struct TotalLine {
    /// The class of the key in front; empty for none.
    role: &'static str,
    pub(super) text: String,
    links: Rows<View>,
    /// Behind the links.
    note: String,
}

/// What is below the checks: pass rates, runs, comparisons and costs. Rows without a figure are left out.
fn totals(page: &Page<'_>, case_index: usize, columns: &[Column<'_>]) -> Vec<View> {
    let language = page.language;
    let time = |column: &Column<'_>| {
        figures(column, |run| run.metrics.duration_s, |t| language.seconds(t))
    };
    let used = |column: &Column<'_>| figures(column, |run| run.metrics.tokens, tokens);
    let rows: [(&str, Vec<Vec<TotalLine>>); 7] = [
        ("configurations.passed", columns.iter().map(|column| passed(page, column)).collect()),
        ("cases.difference", columns.iter().map(|column| gains(page, column)).collect()),
        ("case.runs", columns.iter().map(|column| runs(page, case_index, column)).collect()),
        ("case.outputs", columns.iter().map(|column| compared(page, case_index, column)).collect()),
        ("configurations.time", columns.iter().map(time).collect()),
        ("configurations.tokens", columns.iter().map(used).collect()),
        ("loading.title", columns.iter().map(|column| loaded(page, column)).collect()),
    ];
    let mut shown = Vec::new();
    for (key, lines) in rows {
        let has_figure = lines.iter().flatten().any(|line| !matches!(&*line.text, "" | DASH))
            || matches!(key, "case.runs" | "case.outputs");
        if has_figure {
            let cells = columns.iter().zip(lines);
            let cells = cells.map(|(column, lines)| view!({ "gap": column.gap, "lines": lines }));
            let head = language.text(key);
            shown.push(view!({ "head": head, "of": key, "cells": cells.collect::<Vec<_>>() }));
        }
    }
    shown
}

fn text_line(text: impl Into<String>) -> TotalLine {
    TotalLine { text: text.into(), ..TotalLine::default() }
}

/// The pass rate of each side.
pub(super) fn passed(page: &Page<'_>, column: &Column<'_>) -> Vec<TotalLine> {
    let mut lines = Vec::new();
    for side in &column.sides {
        let counted = case_rate(column.case, side.name).map(|rate| page.language.percent(rate));
        // What is recorded of runs without verdicts is all that there is to read.
        let text = counted.unwrap_or_else(|| recorded(page, column.case, side.name));
        lines.push(text_line(text));
    }
    lines
}

/// `5/5, as recorded`; a dash without a record.
fn recorded(page: &Page<'_>, case: &Case, configuration: &str) -> String {
    let Some(rate) = recorded_rate(case, configuration) else { return DASH.to_owned() };
    let counts = recorded_results::counts(&rate, page.language);
    page.language.apart([&counts, page.language.text("screen.as_recorded")])
}

fn gains(page: &Page<'_>, column: &Column<'_>) -> Vec<TotalLine> {
    let mut lines = Vec::new();
    for side in &column.sides {
        let Some(other) = side.other else { continue };
        let other = case_rate(column.case, column.sides[other].name);
        if let (Some(after), Some(before)) = (case_rate(column.case, side.name), other) {
            let shown = verdict::difference(Measure::PassRate, [before, after], page.language);
            lines.push(text_line(shown.gain));
        }
    }
    lines
}

fn runs(page: &Page<'_>, case_index: usize, column: &Column<'_>) -> Vec<TotalLine> {
    let mut lines = Vec::new();
    for side in &column.sides {
        let runs: Vec<&Run> = column.case.runs_of(side.name).collect();
        let ends = runs.iter().filter_map(|run| run_end::word(run, page.language));
        let mut note = distinct(ends.map(str::to_owned));
        note.extend(origins(&runs, page.language));
        let links = Rows::first(DATA_COLUMNS, runs.into_iter(), |run| {
            let Link { href, text } = page.run_link(column.iteration, case_index, run);
            view!({ "href": href, "label": text, "text": run.number })
        });
        let note = page.language.list(note);
        lines.push(TotalLine { role: side.class(), links, note, ..TotalLine::default() });
    }
    lines
}

/// `run 2 from iteration-1` for each run of an earlier round; no more than `from iteration-1` where all are.
fn origins(runs: &[&Run], language: &Language) -> Vec<String> {
    let mut notes = Vec::new();
    let is_all = runs.iter().all(|run| run.reuse.is_some());
    for run in runs {
        if let Some(origin) = measured::origin(run, language) {
            let number = run.number;
            notes.push(if is_all {
                origin
            } else {
                say!(language, "measured.run_from", number, origin)
            });
        }
    }
    distinct(notes)
}

fn compared(page: &Page<'_>, case_index: usize, column: &Column<'_>) -> Vec<TotalLine> {
    let rows = comparison_links::rows(page, case_index, column.iteration).into_iter();
    let line = |row: ComparisonRow| TotalLine {
        links: Rows::all([row.link].into_iter(), |link| {
            let [old, new] = &row.sides;
            view!({ "href": link.href, "text": link.text, "old": old, "new": new })
        }),
        note: row.flips,
        ..TotalLine::default()
    };
    rows.map(line).collect()
}

/// The mean of a figure over the runs of each side.
fn figures(
    column: &Column<'_>,
    figure: impl Fn(&Run) -> Option<f64>,
    text: impl Fn(f64) -> String,
) -> Vec<TotalLine> {
    let mut lines = Vec::new();
    for side in &column.sides {
        let known: Vec<f64> = column.case.runs_of(side.name).filter_map(&figure).collect();
        lines.push(text_line(mean(&known).map_or(DASH.to_owned(), &text)));
    }
    lines
}

fn loaded(page: &Page<'_>, column: &Column<'_>) -> Vec<TotalLine> {
    let Some(loads) = column.loads() else { return Vec::new() };
    vec![text_line(loading::counts(&loads, page.language).unwrap_or_default())]
}
