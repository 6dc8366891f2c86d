//! One JSON object per line.

use serde_json::Value;

use crate::render::data::export::cell::{Cell, Column};

/// The lines of each case.
pub(super) fn pieces<'a, R: 'a>(
    columns: Vec<Column<R>>,
    cases: impl Iterator<Item = Vec<R>> + 'a,
) -> impl Iterator<Item = Vec<u8>> + 'a {
    cases.map(move |rows| rows.iter().flat_map(|row| line(&columns, row).into_bytes()).collect())
}

fn line<R>(columns: &[Column<R>], row: &R) -> String {
    let pair = |column: &Column<R>| format!("\"{}\":{}", column.name, value((column.value)(row)));
    let pairs: Vec<String> = columns.iter().map(pair).collect();
    format!("{{{}}}\n", pairs.join(","))
}

fn value(cell: Cell<'_>) -> String {
    match cell {
        Cell::Absent => "null".to_owned(),
        Cell::Number(number) => number.to_string(),
        Cell::Flag(flag) => flag.to_string(),
        Cell::Text(text) => Value::from(&*text).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::pieces;
    use crate::render::data::export::cell::{Cell, column};

    #[test]
    fn a_line_is_an_object_whatever_its_texts_hold() {
        let columns = vec![
            column("a", "", "", |row: &String| Cell::text(row)),
            column("b", "", "", |_: &String| Cell::Absent),
            column("c", "", "", |_: &String| Cell::Number(1e21)),
            column("d", "", "", |_: &String| Cell::Flag(true)),
        ];
        let rows = ["=1+1", "a\nb\u{2028}\"\\\0"].map(str::to_owned);
        let bytes: Vec<u8> = pieces(columns, std::iter::once(rows.to_vec())).flatten().collect();
        let text = String::from_utf8(bytes).unwrap();
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let expected = rows.map(|row| json!({"a": row, "b": null, "c": 1e21, "d": true}));
        assert_eq!(lines, expected);
    }
}
