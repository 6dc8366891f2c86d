//! Tables as markup.

use crate::budget::{TABLE_COLUMNS, TABLE_ROWS};
use crate::language::Language;
use crate::preview::markup::Markup;
use crate::preview::text::remarks;
use formats::table::Table;

/// Adds the rows of `table` that fit in `out`, the first as the head if `has_head`; returns how many
/// rows were added. Cells and rows omit the end tags that HTML does not require.
pub(super) fn write(table: &Table, has_head: bool, out: &mut Markup) -> usize {
    let rows = &table.rows[..table.rows.len().min(TABLE_ROWS + 1)];
    let (head, body) = rows.split_at(usize::from(has_head).min(rows.len()));
    let width = rows.iter().map(Vec::len).max().unwrap_or_default().min(TABLE_COLUMNS);
    out.raw("<div class=\"wide\" tabindex=\"0\"><table class=\"sheet");
    for column in (0..width).filter(|column| is_numeric(body, *column)) {
        out.raw(" n").number(column + 1);
    }
    out.raw("\">");
    if let [head] = head {
        out.raw("<thead>");
        row(head, width, "<th>", out);
        out.raw("</thead>");
    }
    out.raw("<tbody>");
    let mut shown = head.len();
    for cells in body {
        // Only whole rows are shown, so that no cell looks as if its value ended early.
        let text: usize = cells.iter().take(width).map(String::len).sum();
        if "<tr>".len() + "<td>".len() * width + text > out.left() {
            break;
        }
        row(cells, width, "<td>", out);
        shown += 1;
    }
    out.raw("</table></div>");
    shown
}

/// What is left out of a table of which `shown` rows are shown, and what is odd about it.
pub(super) fn remark(table: &Table, shown: usize, language: &Language) -> String {
    let rows = table.all_rows.saturating_sub(shown);
    let columns = table.all_columns.saturating_sub(TABLE_COLUMNS);
    let mut parts = Vec::new();
    if rows > 0 {
        parts.push(language.count(rows, "row_more"));
    }
    if columns > 0 {
        parts.push(language.count(columns, "column_more"));
    }
    // An unquoted comma in a cell shifts all cells after it.
    if table.is_ragged {
        parts.push(language.text("preview.ragged").to_owned());
    }
    remarks(parts.iter().map(String::as_str), language)
}

/// Adds a row of `width` cells, which begin with `open`.
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
    const BEFORE: &[char] = &['-', '+', '\u{2212}', '$', '€', '£', '¥', '(', ' '];
    const AFTER: &[char] = &['%', ')', ' ', '€'];
    let digits = text.trim().trim_start_matches(BEFORE).trim_end_matches(AFTER);
    if digits.len() > 30 || !digits.starts_with(is_digit) || !digits.ends_with(is_digit) {
        return false;
    }
    let mut before = ' ';
    for c in digits.chars() {
        let fits = match c {
            // `1e-5` is a number, `2026-01-01` is not.
            '-' | '+' => matches!(before, 'e' | 'E'),
            _ => is_digit(c) || matches!(c, ',' | 'e' | 'E' | '\''),
        };
        if !fits {
            return false;
        }
        before = c;
    }
    true
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || c == '.'
}

#[cfg(test)]
mod tests {
    use super::{is_number, remark, write};
    use crate::language::Language;
    use crate::preview::markup::Markup;
    use formats::table::delimited;

    #[test]
    fn numbers_are_right_aligned() {
        let mut out = Markup::default();
        write(&delimited("name,n\nx,1\ny,-2.5 %\nz,\n", b','), true, &mut out);
        let expected = "<table class=\"sheet n2\"><thead><tr><th>name<th>n</thead><tbody>\
            <tr><td>x<td>1<tr><td>y<td>-2.5 %<tr><td>z<td></table>";
        let html = out.finish().as_str().to_owned();
        assert!(html.contains(expected), "{html}");
        for text in ["1", "-1,234.50", "$ 3", "1e-5", "12 %", "(3)", "7 €"] {
            assert!(is_number(text), "{text}");
        }
        for text in ["", "x1", "2026-01-01", "555-1234", "-", "e", "v1.2"] {
            assert!(!is_number(text), "{text}");
        }
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let english = Language::default();
        let table = delimited(&format!("a,b\n{}1\n", "10,20\n".repeat(99)), b',');
        let mut out = Markup::within(&english, 213);
        assert_eq!(write(&table, true, &mut out), 8);
        assert!(!out.is_cut());
        let parts = [english.count(93, "row_more"), english.text("preview.ragged").to_owned()];
        assert_eq!(remark(&table, 8, &english), parts.join(english.text("list.comma")));
        let line = "1,".repeat(60) + "1\n";
        let table = delimited(&line.repeat(1_000), b',');
        let shown = write(&table, true, &mut Markup::default());
        let more = [english.count(799, "row_more"), english.count(11, "column_more")];
        assert_eq!(remark(&table, shown, &english), more.join(english.text("list.comma")));
    }
}
