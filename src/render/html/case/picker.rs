//! Every side of a case in a grid, with a link to the page that compares it with the newest one. A script puts two
//! grids in its place, where any two sides are picked.

use crate::language::DASH;
use crate::render::context::{Page, View, view};
use crate::render::html::case::matrix::{Column, passed};
use crate::render::html::comparison_links;

/// `None` where nothing is compared with the newest side.
pub(super) fn picker(page: &Page<'_>, case_index: usize, columns: &[Column<'_>]) -> Option<View> {
    let newest = columns.last()?;
    let new = newest.sides.first()?.name;
    let iteration = |column: &Column<'_>| &*page.part.workspace.iterations[column.iteration].name;
    let key_of = |column: &Column<'_>, name: &str| format!("{}\n{name}", iteration(column));

    let mut pages = comparison_links::rows(page, case_index, newest.iteration);
    pages.retain(|row| row.sides[1] == key_of(newest, new));
    if pages.is_empty() {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    for side in columns.iter().flat_map(|column| &column.sides) {
        if !names.contains(&side.name) {
            names.push(side.name);
        }
    }
    let mut rows = Vec::new();
    for column in columns {
        let rates = passed(page, column);
        let mut cells = Vec::new();
        for name in &names {
            let side = column.sides.iter().position(|side| side.name == *name);
            let key = key_of(column, name);
            cells.push(view!({
                "name": name,
                "rate": side.map_or(DASH, |side| &*rates[side].text),
                "href": pages.iter().find(|row| row.sides[0] == key).map(|row| &row.link.href),
            }));
        }
        rows.push(view!({ "iteration": iteration(column), "cells": cells }));
    }
    let new = page.language.apart([iteration(newest), new]);
    Some(view!({ "new": new, "names": names, "rows": rows }))
}
