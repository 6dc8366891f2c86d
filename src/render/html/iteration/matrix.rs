//! Every expectation of an iteration, by case and configuration.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::analyze::{Statement, statements, tally_of};
use crate::model::Case;
use crate::render::context::{
    DASH, Link, Rate, Rows, Site,
    bounds::{COLUMNS, Cells},
    link,
};

/// The expectations by case.
#[derive(Serialize)]
pub(super) struct Matrix {
    configurations: Rows<String>,
    cases: Vec<CaseBlock>,
}

#[derive(Serialize)]
struct CaseBlock {
    name: String,
    counts: String,
    rows: Rows<Row>,
}

#[derive(Serialize)]
struct Row {
    statement: Link,
    cells: Rows<Link>,
}

/// The expectations of the iteration at `index`, for the page at `path`.
pub(super) fn matrix(site: Site<'_>, index: usize, path: &str) -> Matrix {
    let iteration = &site.part.workspace.iterations[index];
    let order: Vec<&str> = site.part.analysis.iterations[index].roles.order().collect();
    // The pages of the comparison show every check of two sides.
    let cases = iteration.cases.iter().enumerate().filter(|_| order.len() > 2);
    let mut room = Cells::default();
    let blocks = cases.map(|(at, case)| block(site, path, [index, at], (case, &order), &mut room));
    let cases: Vec<CaseBlock> = blocks.filter(|block| !block.rows.is_empty()).collect();
    Matrix { configurations: Rows::first(COLUMNS, order.iter(), |name| (*name).to_owned()), cases }
}

fn block(
    site: Site<'_>,
    path: &str,
    [index, at]: [usize; 2],
    (case, order): (&Case, &[&str]),
    room: &mut Cells,
) -> CaseBlock {
    let line = site.addresses.line(index, at);
    let found: Vec<Vec<Statement>> = order.iter().map(|name| statements(case, name)).collect();
    let mut rows: Vec<(&Statement, BTreeMap<usize, &Statement>)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (column, all) in found.iter().enumerate() {
        for statement in all {
            let place = *places.entry(&statement.key).or_insert_with(|| {
                rows.push((statement, BTreeMap::new()));
                rows.len() - 1
            });
            rows[place].1.insert(column, statement);
        }
    }
    let page = link(path, &site.addresses.expectations());
    let cell = |statement: Option<&&Statement>, anchor: &str| {
        let Some(statement) = statement else {
            return Link { href: String::new(), text: DASH.to_owned() };
        };
        let page = link(path, &site.addresses.run(index, line, &case.runs[statement.run]));
        let text = Rate::of(statement.tally, site.language).counts;
        Link { href: format!("{page}#{anchor}"), text }
    };
    let row = |(first, by_column): (&Statement, BTreeMap<usize, &Statement>)| {
        let anchor = site.addresses.expectation(line, &first.key);
        let (href, text) = (format!("{page}#{anchor}"), first.text.to_owned());
        let columns = 0..order.len();
        let cells = Rows::first(COLUMNS, columns, |at| cell(by_column.get(&at), &anchor));
        Row { statement: Link { href, text }, cells }
    };
    let counts = order
        .iter()
        .map(|name| format!("{name} {}", Rate::of(tally_of(case, name), site.language).counts));
    CaseBlock {
        name: case.name.clone(),
        counts: counts.collect::<Vec<_>>().join(site.language.text("list.comma")),
        rows: Rows::first(room.rows(rows.len(), order.len()), rows.into_iter(), row),
    }
}
