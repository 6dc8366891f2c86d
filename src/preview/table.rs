//! Rows and columns as a table, and comma- or tab-separated values read into one.

use crate::language::Language;
use crate::preview::markup::Markup;
use crate::preview::text::remarks;

pub(super) const MAX_ROWS: usize = 200;
pub(super) const MAX_COLUMNS: usize = 50;
const MAX_COUNTED: usize = 1_000_000;

/// The shown part of a table, and its full size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ShownTable {
    /// At most [`MAX_ROWS`] and the head, each of at most [`MAX_COLUMNS`] cells, without padding.
    pub(super) rows: Vec<Vec<String>>,
    /// Rows in total, with the head.
    pub(super) all_rows: usize,
    /// Cells in the longest row.
    pub(super) all_columns: usize,
    pub(super) is_ragged: bool,
}

impl ShownTable {
    pub(super) fn remark(&self, language: &Language) -> String {
        let rows = self.all_rows.saturating_sub(self.rows.len());
        let columns = self.all_columns.saturating_sub(MAX_COLUMNS);
        let more = |number: usize, thing| match number {
            0 => String::new(),
            _ => language.count(number, thing),
        };
        let ragged = if self.is_ragged { language.text("preview.ragged") } else { "" };
        let (rows, columns) = (more(rows, "row_more"), more(columns, "column_more"));
        remarks([rows.as_str(), columns.as_str(), ragged], language)
    }

    /// Keeps the head and the rows that fit in `out`, and adds them, the first row as the head if
    /// `has_head`. Cells and rows omit the end tags that HTML does not require.
    pub(super) fn write(&mut self, has_head: bool, out: &mut Markup) {
        let width = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let body = if has_head { self.rows.get(1..).unwrap_or_default() } else { &self.rows[..] };
        out.raw("<div class=\"wide\" tabindex=\"0\"><table class=\"sheet");
        for column in (0..width).filter(|column| is_numeric(body, *column)) {
            out.raw(" n").number(column + 1);
        }
        out.raw("\">");
        let mut shown = 0;
        if let Some(head) = self.rows.first().filter(|_| has_head) {
            out.raw("<thead>");
            row(head, width, "<th>", out);
            out.raw("</thead>");
            shown = 1;
        }
        out.raw("<tbody>");
        for cells in body {
            let least = cells.iter().map(String::len).sum::<usize>() + "<td>".len() * width;
            if least + "<tr>".len() > out.left() {
                break;
            }
            row(cells, width, "<td>", out);
            shown += 1;
        }
        out.raw("</table></div>");
        self.rows.truncate(shown);
    }
}

fn row(cells: &[String], width: usize, open: &'static str, out: &mut Markup) {
    out.raw("<tr>");
    for index in 0..width {
        out.raw(open).text(cells.get(index).map_or("", String::as_str));
    }
}

/// Whether a column contains only numbers.
fn is_numeric(rows: &[Vec<String>], column: usize) -> bool {
    let cells = rows.iter().filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty());
    let mut cells = cells.peekable();
    cells.peek().is_some() && cells.all(|cell| is_number(cell))
}

/// Whether a reader would take the text for a number: digits with separators, sign, currency or
/// percent sign.
fn is_number(text: &str) -> bool {
    let text = text.trim();
    let sign = |c| matches!(c, '-' | '+' | '\u{2212}' | '$' | '€' | '£' | '¥' | '(' | ' ');
    let tail = |c| matches!(c, '%' | ')' | ' ' | '€');
    let digits = text.trim_start_matches(sign).trim_end_matches(tail);
    let exponent = |at: usize| at > 0 && matches!(digits.as_bytes()[at - 1], b'e' | b'E');
    let inner = |(at, c): (usize, char)| match c {
        '-' | '+' => exponent(at),
        _ => c.is_ascii_digit() || matches!(c, '.' | ',' | 'e' | 'E' | '\''),
    };
    digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && digits.ends_with(|c: char| c.is_ascii_digit() || c == '.')
        && digits.len() <= 30
        && digits.char_indices().all(inner)
}

/// Reads separated values; quotes and line breaks within them as in RFC 4180.
pub(super) fn delimited(text: &str, separator: u8) -> ShownTable {
    // A semicolon or a tab if the first line has more of them than commas.
    let first = text.lines().next().unwrap_or_default();
    let times = |mark: &u8| first.bytes().filter(|byte| byte == mark).count();
    let guessed = || [b'\t', b';', b','].into_iter().max_by_key(times).unwrap_or(b',');
    let separator = if separator == b',' { guessed() } else { separator };
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .from_reader(text.as_bytes());
    let mut table = ShownTable::default();
    let mut record = csv::StringRecord::new();
    let mut width = None;
    while table.all_rows < MAX_COUNTED && reader.read_record(&mut record).unwrap_or(false) {
        table.all_rows += 1;
        table.all_columns = table.all_columns.max(record.len());
        table.is_ragged |= *width.get_or_insert(record.len()) != record.len();
        if table.rows.len() <= MAX_ROWS {
            table.rows.push(record.iter().take(MAX_COLUMNS).map(str::to_owned).collect());
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{ShownTable, delimited, is_number};
    use crate::language::Language;
    use crate::preview::markup::Markup;

    fn html(table: &ShownTable) -> String {
        let mut out = Markup::default();
        table.clone().write(true, &mut out);
        out.finish().as_str().to_owned()
    }

    #[test]
    fn quotes_breaks_and_ragged_rows() {
        let table = delimited("a,b\n\"x,\ny\",\"q\"\"q\"\n1\n2,3,4\n", b',');
        assert_eq!(table.rows[1], ["x,\ny", "q\"q"]);
        assert_eq!((table.all_rows, table.all_columns, table.is_ragged), (4, 3, true));
        let english = Language::default();
        assert_eq!(table.remark(&english), english.text("preview.ragged"));
        assert_eq!(delimited("a;b;c,d\n1;2;3", b',').rows[1], ["1", "2", "3"]);
        assert_eq!(delimited("a\tb", b'\t').rows[0], ["a", "b"]);
        assert_eq!(delimited("", b','), ShownTable::default());
    }

    #[test]
    fn numbers_are_right_aligned() {
        let actual = html(&delimited("name,n\nx,1\ny,-2.5 %\nz,\n", b','));
        let expected = "<table class=\"sheet n2\"><thead><tr><th>name<th>n</thead><tbody>\
            <tr><td>x<td>1<tr><td>y<td>-2.5 %<tr><td>z<td></table>";
        assert!(actual.contains(expected), "{actual}");
        for text in ["1", "-1,234.50", "$ 3", "1e-5", "12 %", "(3)", "7 €"] {
            assert!(is_number(text), "{text}");
        }
        for text in ["", "x1", "2026-01-01", "555-1234", "-", "e", "v1.2"] {
            assert!(!is_number(text), "{text}");
        }
    }

    #[test]
    fn rows_without_room_are_counted() {
        let mut table = delimited(&format!("a,b\n{}", "10,20\n".repeat(100)), b',');
        let mut out = Markup::within(&Language::default(), 213);
        table.write(true, &mut out);
        assert_eq!(table.rows.len(), 8);
        let english = Language::default();
        assert_eq!(table.remark(&english), english.count(93, "row_more"));
        assert!(!out.is_cut());
    }

    #[test]
    fn large_tables_are_cut_and_counted() {
        let line = "1,".repeat(60) + "1\n";
        let table = delimited(&line.repeat(1_000), b',');
        assert_eq!((table.rows.len(), table.rows[0].len()), (201, 50));
        let english = Language::default();
        let more = [english.count(799, "row_more"), english.count(11, "column_more")];
        assert_eq!(table.remark(&english), more.join(english.text("list.comma")));
    }
}
