//! Matches the columns of two tables.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::table::{Column, ColumnAt, ParsedTable};

/// The columns of both tables in display order.
///
/// Columns with the same name correspond, the second `x` to the second `x`. Unmatched columns
/// between two matched ones count as renamed if there are equally many on both sides.
pub(super) fn columns(old: &ParsedTable, new: &ParsedTable) -> Vec<Column> {
    let old_columns: BTreeMap<_, _> = names(old).into_iter().zip(0..).collect();
    let mut partners: Vec<Option<usize>> =
        names(new).iter().map(|name| old_columns.get(name).copied()).collect();
    match_renamed(old.width, &mut partners);
    let mut columns = Vec::new();
    let mut next = 0;
    for (index, partner) in partners.iter().enumerate() {
        if let Some(end) = *partner {
            push_removed(next..end, &partners, old, &mut columns);
            next = next.max(end);
        }
        columns.push(Column { old: partner.map(|p| at(old, p)), new: Some(at(new, index)) });
    }
    push_removed(next..old.width, &partners, old, &mut columns);
    columns
}

/// Adds the columns of the old table in `range` that have no partner.
fn push_removed(
    range: Range<usize>,
    partners: &[Option<usize>],
    old: &ParsedTable,
    columns: &mut Vec<Column>,
) {
    for column in range {
        if !partners.contains(&Some(column)) {
            columns.push(Column { old: Some(at(old, column)), new: None });
        }
    }
}

fn at(table: &ParsedTable, index: usize) -> ColumnAt {
    ColumnAt { index, name: table.name(index).map(str::to_owned) }
}

/// The names of a table, numbered among equal ones.
fn names(table: &ParsedTable) -> Vec<(Option<&str>, usize)> {
    let mut times: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    let mut names = Vec::with_capacity(table.width);
    for column in 0..table.width {
        let name = table.name(column);
        let time = times.entry(name).or_default();
        *time += 1;
        names.push((name, *time));
    }
    names
}

/// Matches columns that are equally many after the same pair of partners.
fn match_renamed(old_width: usize, partners: &mut [Option<usize>]) {
    let mut followers: Vec<Option<usize>> = vec![None; old_width];
    for (new, old) in partners.iter().enumerate() {
        if let Some(old) = old {
            followers[*old] = Some(new);
        }
    }
    let news = groups(partners);
    for (before, olds) in groups(&followers) {
        let partner = before.and_then(|old| followers[old]);
        // Columns that changed their names keep their places between those that did not.
        let Some(group) = news.get(&partner).filter(|group| group.len() == olds.len()) else {
            continue;
        };
        for (&new, old) in group.iter().zip(olds) {
            partners[new] = Some(old);
        }
    }
}

/// The columns without a partner, grouped by the last column before them that has one.
fn groups(partners: &[Option<usize>]) -> BTreeMap<Option<usize>, Vec<usize>> {
    let mut groups: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    let mut matched_before = None;
    for (column, partner) in partners.iter().enumerate() {
        match partner {
            Some(_) => matched_before = Some(column),
            None => groups.entry(matched_before).or_default().push(column),
        }
    }
    groups
}
