//! Tables compared by cell: changed cells hold both values, changed rows have a sign besides their
//! color.

use crate::budget::DIFFERENCE_COLUMNS;
use crate::diff_view::fit::{self, FitPiece};
use crate::language::Language;
use crate::preview::markup::Markup;
use diff::{Column, ColumnAt, Counts, DiffCell, RowChange, TableDiff, TableRow};

/// Adds the rows of `diff` that fit into `room` bytes; returns whether all did.
pub(super) fn write(diff: &TableDiff, room: usize, out: &mut Markup) -> bool {
    let shown = shown_columns(diff);
    let most = (room / 8 / shown.len().max(1)).clamp(16, 1_000);
    let start = out.len();
    out.raw("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"");
    out.word("diff.changed_cells").raw("\"><table class=\"c\"><tr><td>");
    for column in shown.iter().map(|at| &diff.columns[*at]) {
        out.raw("<th scope=\"col\">");
        name(column, most, out);
    }
    let words = out.language().clone();
    let pieces: Vec<FitPiece> =
        diff.rows.iter().map(|row| piece(row, &shown, most, &words)).collect();
    let room = room.saturating_sub(out.len() - start + "</table></div>".len());
    let columns = shown.len() + 1;
    let is_whole = fit::write(&pieces, room, out, |counts, out| {
        fold(&fit::changed(counts, "diff.rows_left_out", "row", &words), columns, out);
    });
    out.raw("</table></div>");
    let hidden = diff.columns.len() - shown.len();
    if hidden > 0 {
        out.raw("<p class=\"f\">").count(hidden, "column_left_out").raw("</p>");
    }
    is_whole && hidden == 0
}

/// The shown columns: if there are too many, changed ones before others.
fn shown_columns(diff: &TableDiff) -> Vec<usize> {
    let columns = 0..diff.columns.len();
    if columns.len() <= DIFFERENCE_COLUMNS {
        return columns.collect();
    }
    let (mut first, rest): (Vec<usize>, Vec<usize>) =
        columns.partition(|column| has_changes(diff, *column));
    first.truncate(DIFFERENCE_COLUMNS);
    let free = DIFFERENCE_COLUMNS - first.len();
    first.extend(rest.into_iter().take(free));
    first.sort_unstable();
    first
}

/// Whether a cell of this column changed in a row that both sides have.
fn has_changes(diff: &TableDiff, column: usize) -> bool {
    diff.rows.iter().any(|row| match row {
        TableRow::Record { change: RowChange::Changed, cells } => {
            cells.get(column).is_some_and(DiffCell::differs)
        }
        _ => false,
    })
}

fn name(column: &Column, most: usize, out: &mut Markup) {
    if let (Some(old), Some(new)) = (&column.old, &column.new)
        && old.name == new.name
    {
        out.text(shortened_name(new, most));
        return;
    }
    for (at, (open, close)) in [(&column.old, fit::REMOVED), (&column.new, fit::ADDED)] {
        if let Some(at) = at {
            out.wrap(open, shortened_name(at, most), close);
        }
    }
}

fn shortened_name(at: &ColumnAt, most: usize) -> &str {
    fit::head(at.name.as_deref().unwrap_or_default(), most).0
}

fn fold(text: &str, columns: usize, out: &mut Markup) {
    out.raw("<tr><td class=\"f\" colspan=\"").number(columns).raw("\">").text(text);
}

fn piece(row: &TableRow, shown: &[usize], most: usize, words: &Language) -> FitPiece {
    let mut html = Markup::new(words);
    let counts = match row {
        TableRow::Record { change, cells } => record(*change, cells, shown, most, &mut html),
        TableRow::Fold { rows } => {
            fold(&words.count(*rows, "unchanged_row"), shown.len() + 1, &mut html);
            Counts::default()
        }
        TableRow::Omitted { rows } => {
            fold(&words.count(*rows, "omitted_row"), shown.len() + 1, &mut html);
            Counts::default()
        }
    };
    FitPiece::new(html.finish(), counts)
}

/// Adds a row; returns what it counts for.
fn record(
    change: RowChange,
    cells: &[DiffCell],
    shown: &[usize],
    most: usize,
    out: &mut Markup,
) -> Counts {
    let (open, removed, added) = match change {
        RowChange::Equal => ("<tr><td>", 0, 0),
        RowChange::Changed => ("<tr><td>±", 1, 1),
        RowChange::Added => ("<tr class=\"a\"><td>+", 0, 1),
        RowChange::Removed => ("<tr class=\"r\"><td>−", 1, 0),
    };
    out.raw(open);
    for cell in shown.iter().filter_map(|at| cells.get(*at)) {
        out.raw("<td>");
        match cell {
            DiffCell::Equal(text) => value(text, ("", ""), most, out),
            // A new row is marked once, by its sign, and not in each cell.
            DiffCell::Added(text) if change == RowChange::Added => value(text, ("", ""), most, out),
            DiffCell::Removed(text) if change == RowChange::Removed => {
                value(text, ("", ""), most, out)
            }
            DiffCell::Added(text) => value(text, fit::ADDED, most, out),
            DiffCell::Removed(text) => value(text, fit::REMOVED, most, out),
            DiffCell::Changed { old, new } => {
                value(old, fit::REMOVED, most, out);
                out.raw(" ");
                value(new, fit::ADDED, most, out);
            }
            DiffCell::Absent => {}
        }
    }
    Counts::changed(removed, added)
}

fn value(text: &str, mark: fit::Mark, most: usize, out: &mut Markup) {
    let (shown, left_out) = fit::head(text, most);
    out.raw(mark.0).text(shown).raw(if left_out > 0 { "…" } else { "" }).raw(mark.1);
}

#[cfg(test)]
mod tests {
    use super::write;
    use crate::language::Language;
    use crate::preview::markup::Markup;
    use diff::{Limits, table};

    fn html(old: &str, new: &str, room: usize) -> String {
        let diff = table(old, new, b',', &Limits::default()).unwrap().unwrap();
        let mut out = Markup::default();
        write(&diff, room, &mut out);
        out.finish().as_str().to_owned()
    }

    #[test]
    fn changed_cells_hold_both_values() {
        let html_text = html("id,v\n1,<a>\n2,b\n", "id,v\n1,<c>\n3,d\n", 10_000);
        let rows = html_text.split("<tr").skip(2).collect::<Vec<_>>();
        let expected = [
            "><td>±<td>1<td><del>&lt;a&gt;</del> <ins>&lt;c&gt;</ins>",
            " class=\"r\"><td>−<td>2<td>b",
            " class=\"a\"><td>+<td>3<td>d</table></div>",
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn many_rows_and_columns_stay_within_their_room() {
        let text = |mark: &str| {
            let row = |at: usize| format!("{at},{mark}{at},x\n");
            format!("id,v,w\n{}", (0..300).map(row).collect::<String>())
        };
        let html_text = html(&text("a"), &text("b"), 1_200);
        assert!(html_text.len() < 1_400, "{}", html_text.len());
        let left_out = Language::default();
        let (_, left_out) = left_out.text("diff.rows_left_out").rsplit_once('}').expect("a place");
        assert!(html_text.contains(left_out), "{html_text}");
        let wide = |mark: &str| {
            let names: Vec<String> = (0..40).map(|at| format!("c{at}")).collect();
            format!("{}\n{}\n", names.join(","), vec![mark; 40].join(","))
        };
        let columns = Language::default().count(16, "column_left_out");
        assert!(html(&wide("1"), &wide("1"), 10_000).contains(&columns));
    }
}
