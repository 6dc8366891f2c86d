//! Every expectation of an iteration, by case and configuration.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::analyze::{Statement, statements};
use crate::model::Case;
use crate::render::addresses::link;
use crate::render::html::overview::tally;
use crate::render::pages::Site;
use crate::render::view::{DASH, Link, Rate};

/// With more statements than this the cases are folded.
const OPEN: usize = 40;

/// The expectations by case.
#[derive(Serialize)]
pub(super) struct Matrix {
    configurations: Vec<String>,
    cases: Vec<CaseBlock>,
    is_open: bool,
}

#[derive(Serialize)]
struct CaseBlock {
    name: String,
    counts: String,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    statement: Link,
    cells: Vec<Link>,
}

/// The expectations of the iteration at `index`, for the page at `path`.
pub(super) fn matrix(site: Site<'_>, index: usize, path: &str) -> Matrix {
    let iteration = &site.part.workspace.iterations[index];
    let order: Vec<&str> = site.part.analysis.iterations[index].roles.order().collect();
    let cases = iteration.cases.iter().enumerate();
    let blocks = cases.map(|(at, case)| block(site, path, [index, at], case, &order));
    let cases: Vec<CaseBlock> = blocks.filter(|block| !block.rows.is_empty()).collect();
    Matrix {
        is_open: cases.iter().map(|block| block.rows.len()).sum::<usize>() <= OPEN,
        configurations: order.iter().map(|name| (*name).to_owned()).collect(),
        cases,
    }
}

fn block(
    site: Site<'_>,
    path: &str,
    [index, at]: [usize; 2],
    case: &Case,
    order: &[&str],
) -> CaseBlock {
    let line = site.addresses.line(index, at);
    let found: Vec<Vec<Statement>> = order.iter().map(|name| statements(case, name)).collect();
    let mut rows: Vec<Row> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let page = link(path, &site.addresses.expectations());
    for (column, statement) in found
        .iter()
        .enumerate()
        .flat_map(|(column, all)| all.iter().map(move |statement| (column, statement)))
    {
        let place = *places.entry(statement.key.clone()).or_insert(rows.len());
        let anchor = site.addresses.expectation(line, &statement.key);
        if place == rows.len() {
            let (href, text) = (format!("{page}#{anchor}"), statement.text.clone());
            let dash = Link { href: String::new(), text: DASH.to_owned() };
            rows.push(Row { statement: Link { href, text }, cells: vec![dash; order.len()] });
        }
        let run = &case.runs[statement.run];
        let page = link(path, &site.addresses.run(index, line, run));
        let href = format!("{page}#{anchor}");
        rows[place].cells[column] =
            Link { href, text: Rate::of(statement.tally, site.language).counts };
    }
    let counts = order
        .iter()
        .map(|name| format!("{name} {}", Rate::of(tally(case, name), site.language).counts));
    CaseBlock {
        name: case.name.clone(),
        counts: counts.collect::<Vec<_>>().join(site.language.text("list.comma")),
        rows,
    }
}
