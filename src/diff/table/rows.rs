//! The rows of two tables whose columns correspond.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::diff::align::{self, Item};
use crate::diff::limits::{Work, divided};
use crate::diff::sequence::{Block, blocks};
use crate::diff::table::{Cell, Column, RowChange, Table, TableCounts, TableRow};

pub(super) fn rows(
    old: &Table,
    new: &Table,
    columns: &[Column],
    work: &mut Work<'_>,
) -> (Vec<TableRow>, TableCounts) {
    let shared = columns
        .iter()
        .filter_map(|column| Some((column.old.as_ref()?.index, column.new.as_ref()?.index)))
        .collect();
    let (rows, counts) = (Vec::new(), TableCounts::default());
    let mut builder = Builder { old, new, columns, shared, rows, counts, work };
    let items = builder.items();
    builder.all(&items);
    builder.finish()
}

/// Rows under construction. Rows are counted from 0 below the names.
struct Builder<'t, 'w, 'l> {
    old: &'t Table,
    new: &'t Table,
    columns: &'t [Column],
    /// The columns of both tables, as pairs of indices.
    shared: Vec<(usize, usize)>,
    rows: Vec<TableRow>,
    counts: TableCounts,
    work: &'w mut Work<'l>,
}

impl<'t> Builder<'t, '_, '_> {
    fn items(&mut self) -> Vec<Item> {
        if self.shared.is_empty() {
            let block = Block { equal: false, old: 0..self.old.rows(), new: 0..self.new.rows() };
            return align::items(&block, &[]);
        }
        let cells = |table: &'t Table, side: fn(&(usize, usize)) -> usize| {
            let row = |row| self.shared.iter().map(|pair| table.cell(row, side(pair))).collect();
            (0..table.rows()).map(row).collect::<Vec<Vec<_>>>()
        };
        let (old, new) = (cells(self.old, |pair| pair.0), cells(self.new, |pair| pair.1));
        let mut items = Vec::new();
        for block in blocks(&old, &new, self.work) {
            if block.equal {
                items.extend(block.old.zip(block.new).map(|(i, j)| Item::Pair(i, j)));
            } else {
                self.different(&block, &mut items);
            }
        }
        items
    }

    /// Matches the rows of a different block by their first column, the rest by equal cells.
    fn different(&mut self, block: &Block, items: &mut Vec<Item>) {
        let Some((a, b)) = self.key_column() else { return };
        let olds: Vec<_> = block.old.clone().map(|row| self.old.cell(row, a)).collect();
        let news: Vec<_> = block.new.clone().map(|row| self.new.cell(row, b)).collect();
        if !is_distinct(&olds) || !is_distinct(&news) {
            return self.similar(block, items);
        }
        for part in blocks(&olds, &news, self.work) {
            let old = shifted(&part.old, block.old.start);
            let new = shifted(&part.new, block.new.start);
            if part.equal {
                items.extend(old.zip(new).map(|(i, j)| Item::Pair(i, j)));
            } else {
                self.similar(&Block { equal: false, old, new }, items);
            }
        }
    }

    /// The first common column, of the side that comes first.
    fn key_column(&self) -> Option<(usize, usize)> {
        let side = |pair: &&(usize, usize)| if self.work.swapped { pair.1 } else { pair.0 };
        self.shared.iter().min_by_key(side).copied()
    }

    fn similar(&mut self, block: &Block, items: &mut Vec<Item>) {
        let alike = |i, j| {
            let same = |&(a, b): &(usize, usize)| self.old.cell(i, a) == self.new.cell(j, b);
            let count = self.shared.iter().copied().filter(same).count();
            (1000 * count / self.shared.len()) as u32
        };
        items.extend(align::by_measure(block, self.shared.len(), self.work, alike));
    }

    /// Adds the rows of all items, runs of unchanged ones folded.
    fn all(&mut self, items: &[Item]) {
        let mut start = 0;
        while start < items.len() {
            let equal = items[start..].iter().take_while(|item| self.is_equal(**item)).count();
            if equal == 0 {
                self.changed(items[start]);
                start += 1;
                continue;
            }
            let end = start + equal;
            self.unchanged(&items[start..end], start == 0, end == items.len());
            start = end;
        }
    }

    fn is_equal(&self, item: Item) -> bool {
        let Item::Pair(i, j) = item else { return false };
        self.columns.iter().all(|column| {
            let (old, new) = self.cells(column, Some(i), Some(j));
            old == new
        })
    }

    fn cells(
        &self,
        column: &Column,
        old: Option<usize>,
        new: Option<usize>,
    ) -> (Option<&'t str>, Option<&'t str>) {
        let old = column.old.as_ref().zip(old).and_then(|(at, row)| self.old.cell(row, at.index));
        let new = column.new.as_ref().zip(new).and_then(|(at, row)| self.new.cell(row, at.index));
        (old, new)
    }

    fn unchanged(&mut self, items: &[Item], first: bool, last: bool) {
        self.counts.unchanged += items.len();
        let [head, folded, tail] = divided(items.len(), self.work.limits.context, first, last);
        items[head].iter().for_each(|item| self.record(RowChange::Equal, *item));
        if !folded.is_empty() {
            self.rows.push(TableRow::Fold { rows: folded.len() });
        }
        items[tail].iter().for_each(|item| self.record(RowChange::Equal, *item));
    }

    fn changed(&mut self, item: Item) {
        let (change, count) = match item {
            Item::Removed(_) => (RowChange::Removed, &mut self.counts.removed),
            Item::Added(_) => (RowChange::Added, &mut self.counts.added),
            Item::Pair(..) => (RowChange::Changed, &mut self.counts.changed),
        };
        *count += 1;
        self.record(change, item);
    }

    fn record(&mut self, change: RowChange, item: Item) {
        let (old, new) = match item {
            Item::Removed(i) => (Some(i), None),
            Item::Added(j) => (None, Some(j)),
            Item::Pair(i, j) => (Some(i), Some(j)),
        };
        let cell = |column| cell(self.cells(column, old, new));
        let cells: Vec<Cell> = self.columns.iter().map(cell).collect();
        if change == RowChange::Changed {
            let differs = |cell: &&Cell| !matches!(cell, Cell::Equal(_) | Cell::Absent);
            self.counts.cells += cells.iter().filter(differs).count();
        }
        self.rows.push(TableRow::Record { change, cells });
    }

    fn finish(mut self) -> (Vec<TableRow>, TableCounts) {
        self.work.shorten(&mut self.rows, |rows| {
            let rows = rows.iter().map(|row| match row {
                TableRow::Record { .. } => 1,
                TableRow::Fold { rows } | TableRow::Omitted { rows } => *rows,
            });
            TableRow::Omitted { rows: rows.sum() }
        });
        (self.rows, self.counts)
    }
}

fn cell(sides: (Option<&str>, Option<&str>)) -> Cell {
    match sides {
        (Some(old), Some(new)) if old == new => Cell::Equal(new.to_owned()),
        (Some(old), Some(new)) => Cell::Changed { old: old.to_owned(), new: new.to_owned() },
        (Some(old), None) => Cell::Removed(old.to_owned()),
        (None, Some(new)) => Cell::Added(new.to_owned()),
        (None, None) => Cell::Absent,
    }
}

fn is_distinct(keys: &[Option<&str>]) -> bool {
    keys.iter().collect::<BTreeSet<_>>().len() == keys.len()
}

fn shifted(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}
