//! Tables in text, of Markdown or CSV, with a column whose head names passwords or keys.

use std::ops::Range;

use crate::scan::{among, is_word, leading, piece, trailing};
use crate::value::looks_like;

/// The longest line of a table that is examined.
const LONGEST_LINE: usize = 4096;

/// The longest name of a column, in bytes.
const LONGEST_NAME: usize = 40;

/// A cell below a head that names a secret.
pub(super) struct Cell<'t> {
    pub(super) head: &'t [u8],
    pub(super) range: Range<usize>,
}

/// The cells of the tables whose heads are in a line with one of `names`, which are in order.
pub(super) fn cells_of_secrets<'t>(text: &'t [u8], names: &[usize]) -> Vec<Cell<'t>> {
    let mut found = Vec::new();
    let mut at = 0;
    for &name in names {
        if name < at {
            continue;
        }
        let line = line_at(text, name);
        at = line.end + 1;
        let Some(table) = Table::with_head(text, line) else { continue };
        while at < text.len() {
            let row = line_at(text, at);
            let cells = cells(text, row.clone(), table.separator);
            if cells.len() != table.width {
                break;
            }
            at = row.end + 1;
            for &(column, head) in &table.columns {
                found.push(Cell { head, range: cells[column].clone() });
            }
        }
    }
    found
}

struct Table<'t> {
    separator: u8,
    /// The number of cells in each row.
    width: usize,
    /// The columns of secrets, and their heads.
    columns: Vec<(usize, &'t [u8])>,
}

impl<'t> Table<'t> {
    /// The table below a line, if the line is the head of one with such a column.
    fn with_head(text: &'t [u8], line: Range<usize>) -> Option<Self> {
        let separator = *b"|\t;,".iter().find(|sign| text[line.clone()].contains(sign))?;
        let cells = cells(text, line, separator);
        let heads = cells.iter().map(|cell| &text[cell.clone()]);
        // Lines of Markdown begin and end with a separator, so with an empty cell.
        let filled = heads.clone().filter(|head| !head.is_empty()).count();
        let columns: Vec<(usize, &[u8])> =
            heads.clone().enumerate().filter(|(_, head)| looks_like("column", head)).collect();
        if filled < 2 || columns.is_empty() || !heads.clone().all(can_be_head) {
            return None;
        }
        Some(Self { separator, width: cells.len(), columns })
    }
}

fn can_be_head(cell: &[u8]) -> bool {
    let is_number = cell.first().is_some_and(u8::is_ascii_digit);
    let mut bytes = cell.iter();
    let is_name = bytes.all(|byte| is_word(*byte) || b" -./#".contains(byte) || *byte >= 0x80);
    cell.len() <= LONGEST_NAME && !is_number && is_name
}

/// The line around `at`, up to the longest length of a table's line on each side.
fn line_at(text: &[u8], at: usize) -> Range<usize> {
    let start = at - trailing(&text[at.saturating_sub(LONGEST_LINE)..at], |byte| byte != b'\n');
    start..at + leading(piece(text, at, LONGEST_LINE), |byte| byte != b'\n')
}

/// The cells of a line, without the quotes, marks and spaces around them.
fn cells(text: &[u8], line: Range<usize>, separator: u8) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    let (mut start, mut is_quoted) = (line.start, false);
    for at in line.start..=line.end {
        let byte = if at < line.end { text[at] } else { separator };
        is_quoted ^= byte == b'"' && separator != b'|';
        if byte == separator && (!is_quoted || at == line.end) {
            let is_around = among(b" \t\r\"'`*");
            let skipped = start + leading(&text[start..at], &is_around);
            cells.push(skipped..at - trailing(&text[skipped..at], &is_around));
            start = at + 1;
        }
    }
    cells
}
