//! Compares the rows of two tables with matched columns.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::align::{self, Aligned};
use crate::fold::{CONTEXT, fold_equal};
use crate::limits::Work;
use crate::sequence::{Block, blocks};
use crate::table::{Column, DiffCell, ParsedTable, RowChange, TableCounts, TableRow};

pub(super) fn rows(
    old: &ParsedTable,
    new: &ParsedTable,
    columns: &[Column],
    work: &mut Work<'_>,
) -> (Vec<TableRow>, TableCounts) {
    let shared = columns
        .iter()
        .filter_map(|column| Some((column.old.as_ref()?.index, column.new.as_ref()?.index)))
        .collect();
    let tables = Tables { old, new, columns, shared };
    let items = tables.items(work);
    let (mut rows, mut counts, mut start) = (Vec::new(), TableCounts::default(), 0);
    for run in items.chunk_by(|a, b| tables.is_equal(*a) && tables.is_equal(*b)) {
        let ends = [start == 0, start + run.len() == items.len()];
        start += run.len();
        if tables.is_equal(run[0]) {
            rows.extend(fold_equal(
                run.len(),
                CONTEXT,
                ends,
                |at| tables.record(RowChange::Equal, run[at]),
                |middle| TableRow::Fold { rows: middle.len() },
            ));
            continue;
        }
        let change = match run[0] {
            Aligned::Removed(_) => {
                counts.removed += 1;
                RowChange::Removed
            }
            Aligned::Added(_) => {
                counts.added += 1;
                RowChange::Added
            }
            Aligned::Pair(..) => {
                counts.cells += tables.cells(run[0]).filter(DiffCell::differs).count();
                RowChange::Changed
            }
        };
        rows.push(tables.record(change, run[0]));
    }
    work.shorten(&mut rows, |rows| {
        let rows = rows.iter().map(|row| match row {
            TableRow::Record { .. } => 1,
            TableRow::Fold { rows } | TableRow::Omitted { rows } => *rows,
        });
        TableRow::Omitted { rows: rows.sum() }
    });
    (rows, counts)
}

/// Two tables, with rows counted from 0 below the header.
struct Tables<'t> {
    old: &'t ParsedTable,
    new: &'t ParsedTable,
    columns: &'t [Column],
    /// The columns of both tables, as pairs of indices.
    shared: Vec<(usize, usize)>,
}

impl<'t> Tables<'t> {
    fn items(&self, work: &mut Work<'_>) -> Vec<Aligned> {
        // The first common column on the side that comes first.
        let first =
            self.shared.iter().min_by_key(|pair| if work.swapped { pair.1 } else { pair.0 });
        let Some(&key) = first else {
            let block = Block { equal: false, old: 0..self.old.rows(), new: 0..self.new.rows() };
            return align::items(&block, &[]);
        };
        let (old_columns, new_columns): (Vec<usize>, Vec<usize>) =
            self.shared.iter().copied().unzip();
        let (old, new) = (self.old.rows_of(&old_columns), self.new.rows_of(&new_columns));
        let mut items = Vec::new();
        for block in blocks(&old, &new, work) {
            if block.equal {
                items.extend(block.old.zip(block.new).map(|(i, j)| Aligned::Pair(i, j)));
            } else {
                self.different(&block, key, &mut items, work);
            }
        }
        items
    }

    /// Matches the rows of a differing block by their `key` column, the rest by equal cells.
    fn different(
        &self,
        block: &Block,
        key: (usize, usize),
        items: &mut Vec<Aligned>,
        work: &mut Work<'_>,
    ) {
        let olds: Vec<_> = block.old.clone().map(|row| self.old.cell(row, key.0)).collect();
        let news: Vec<_> = block.new.clone().map(|row| self.new.cell(row, key.1)).collect();
        // Distinct values in the first column are ids, so a row with the same one is the same row.
        let parts = if is_distinct(&olds) && is_distinct(&news) {
            blocks(&olds, &news, work)
        } else {
            vec![Block { equal: false, old: 0..olds.len(), new: 0..news.len() }]
        };
        for part in parts {
            let old = shifted(&part.old, block.old.start);
            let new = shifted(&part.new, block.new.start);
            if part.equal {
                items.extend(old.zip(new).map(|(i, j)| Aligned::Pair(i, j)));
            } else {
                let part = Block { equal: false, old, new };
                let cost = self.shared.len();
                items.extend(align::by_measure(&part, cost, work, |i, j| self.alike(i, j)));
            }
        }
    }

    /// The share of equal cells of an old and a new row, in thousandths.
    fn alike(&self, old: usize, new: usize) -> u32 {
        let shared = self.shared.iter();
        let same = shared.filter(|(a, b)| self.old.cell(old, *a) == self.new.cell(new, *b)).count();
        (1000 * same / self.shared.len()) as u32
    }

    fn is_equal(&self, item: Aligned) -> bool {
        matches!(item, Aligned::Pair(..)) && self.sides(item).all(|(old, new)| old == new)
    }

    fn record(&self, change: RowChange, item: Aligned) -> TableRow {
        TableRow::Record { change, cells: self.cells(item).collect() }
    }

    fn cells(&self, item: Aligned) -> impl Iterator<Item = DiffCell> {
        self.sides(item).map(|sides| match sides {
            (Some(old), Some(new)) if old == new => DiffCell::Equal(new.to_owned()),
            (Some(old), Some(new)) => {
                DiffCell::Changed { old: old.to_owned(), new: new.to_owned() }
            }
            (Some(old), None) => DiffCell::Removed(old.to_owned()),
            (None, Some(new)) => DiffCell::Added(new.to_owned()),
            (None, None) => DiffCell::Absent,
        })
    }

    /// The cells of both tables in each column of a row.
    fn sides(&self, item: Aligned) -> impl Iterator<Item = (Option<&'t str>, Option<&'t str>)> {
        let (old, new) = item.sides();
        self.columns.iter().map(move |column| {
            let old = column.old.as_ref().zip(old);
            let new = column.new.as_ref().zip(new);
            let old = old.and_then(|(at, row)| self.old.cell(row, at.index));
            (old, new.and_then(|(at, row)| self.new.cell(row, at.index)))
        })
    }
}

fn is_distinct(keys: &[Option<&str>]) -> bool {
    keys.iter().collect::<BTreeSet<_>>().len() == keys.len()
}

fn shifted(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}
