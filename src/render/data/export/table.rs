//! Tables as CSV and JSON Lines: their columns and values.

use csv::{Terminator, WriterBuilder};
use serde_json::Value;

use crate::render::context::cut;

const LONGEST: usize = 500;

/// Name, unit and meaning of a column.
pub type Documented = [&'static str; 3];

pub(super) struct ExportColumn<R> {
    pub(super) documented: Documented,
    value: fn(&R) -> ExportCell,
}

pub(super) fn column<R>(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    value: fn(&R) -> ExportCell,
) -> ExportColumn<R> {
    ExportColumn { documented: [name, unit, meaning], value }
}

/// One value. Absent is not zero.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ExportCell {
    Absent,
    Text(String),
    Number(f64),
    Flag(bool),
}

impl ExportCell {
    /// A text, cut if it is very long.
    pub(super) fn text(text: &str) -> Self {
        Self::Text(cut(text, LONGEST))
    }

    pub(super) fn count(number: usize) -> Self {
        Self::Number(number as f64)
    }
}

impl From<Option<f64>> for ExportCell {
    fn from(number: Option<f64>) -> Self {
        number.filter(|number| number.is_finite()).map_or(Self::Absent, Self::Number)
    }
}

impl From<Option<bool>> for ExportCell {
    fn from(flag: Option<bool>) -> Self {
        flag.map_or(Self::Absent, Self::Flag)
    }
}

impl From<Option<&String>> for ExportCell {
    fn from(text: Option<&String>) -> Self {
        text.map_or(Self::Absent, |text| Self::text(text))
    }
}

/// RFC 4180, with rows ending in `\n` and no byte order mark.
pub(super) fn csv_pieces<'a, R: 'a>(
    columns: Vec<ExportColumn<R>>,
    cases: impl Iterator<Item = Vec<R>> + 'a,
) -> impl Iterator<Item = Vec<u8>> + 'a {
    let head = columns.iter().map(|column| column.documented[0].to_owned()).collect();
    std::iter::once(written([head].into_iter())).chain(cases.map(move |rows| {
        written(
            rows.iter()
                .map(|row| columns.iter().map(|column| field((column.value)(row))).collect()),
        )
    }))
}

fn written(rows: impl Iterator<Item = Vec<String>>) -> Vec<u8> {
    let mut builder = WriterBuilder::new();
    let mut writer = builder.terminator(Terminator::Any(b'\n')).from_writer(Vec::new());
    for row in rows {
        // This cannot fail: writing to memory succeeds, and all rows have the same length.
        let _ = writer.write_record(row);
    }
    writer.into_inner().unwrap_or_default()
}

fn field(cell: ExportCell) -> String {
    match cell {
        ExportCell::Absent => String::new(),
        ExportCell::Number(number) => number.to_string(),
        ExportCell::Flag(flag) => flag.to_string(),
        ExportCell::Text(text) => neutralized(&text),
    }
}

/// Characters at which spreadsheets start a formula; East Asian ones accept the wide forms.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// Prevents formulas in spreadsheets and removes control characters; numbers stay numbers.
fn neutralized(text: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    let plain = lines.replace(|c: char| c.is_control() && c != '\n' && c != '\t', "\u{fffd}");
    if text.starts_with(FORMULA) && !is_number(text) { format!("'{plain}") } else { plain }
}

/// A sign and decimal digits with at most one point.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let are_digits =
        |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    are_digits(whole) && are_digits(part)
}

/// One JSON object per line: the lines of each case.
pub(super) fn jsonl_pieces<'a, R: 'a>(
    columns: Vec<ExportColumn<R>>,
    cases: impl Iterator<Item = Vec<R>> + 'a,
) -> impl Iterator<Item = Vec<u8>> + 'a {
    cases.map(move |rows| rows.iter().flat_map(|row| line(&columns, row).into_bytes()).collect())
}

fn line<R>(columns: &[ExportColumn<R>], row: &R) -> String {
    let pair = |column: &ExportColumn<R>| {
        let value = match (column.value)(row) {
            ExportCell::Absent => "null".to_owned(),
            ExportCell::Number(number) => number.to_string(),
            ExportCell::Flag(flag) => flag.to_string(),
            ExportCell::Text(text) => Value::from(text).to_string(),
        };
        format!("\"{}\":{value}", column.documented[0])
    };
    let pairs: Vec<String> = columns.iter().map(pair).collect();
    format!("{{{}}}\n", pairs.join(","))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{ExportCell, FORMULA, column, csv_pieces, is_number, jsonl_pieces, neutralized};

    #[test]
    fn formulas_become_text_and_numbers_stay() {
        let table = [
            ("=1+1", "'=1+1"),
            ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
            ("-2+3", "'-2+3"),
            ("-2.5", "-2.5"),
            ("+7", "+7"),
            ("-", "'-"),
            ("-.5.", "'-.5."),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "'\n=1"),
            ("\n=1", "'\n=1"),
            ("＝1", "'＝1"),
            ("a=1", "a=1"),
            ("a\r\nb\rc\0", "a\nb\nc\u{fffd}"),
            ("", ""),
        ];
        for (text, expected) in table {
            assert_eq!(neutralized(text), expected, "{text:?}");
        }
    }

    fn table(rows: Vec<Vec<String>>) -> Vec<u8> {
        let columns = vec![
            column("a", "", "", |row: &String| ExportCell::text(row)),
            column("b", "", "", |_: &String| ExportCell::Absent),
            column("c", "", "", |_: &String| ExportCell::Number(-0.5)),
        ];
        csv_pieces(columns, rows.into_iter()).flatten().collect()
    }

    #[test]
    fn a_table_is_rfc_4180() {
        let rows = vec![vec!["x,y".to_owned()], vec![], vec!["\"q\"\nr".to_owned()]];
        let text = String::from_utf8(table(rows)).unwrap();
        assert_eq!(text, "a,b,c\n\"x,y\",,-0.5\n\"\"\"q\"\"\nr\",,-0.5\n");
    }

    proptest! {
        #[test]
        fn every_text_comes_back_as_one_field(text in r#"([=+\-@",'\n\r\t ]|\PC|\x00){0,20}"#) {
            let bytes = table(vec![vec![text.clone()]]);
            let mut reader = csv::ReaderBuilder::new().flexible(false).from_reader(&bytes[..]);
            let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
            prop_assert_eq!(rows.len(), 1);
            prop_assert_eq!(&rows[0][0], neutralized(&text));
            prop_assert!(!rows[0][0].starts_with(FORMULA) || is_number(&text));
        }
    }

    #[test]
    fn a_line_is_an_object_whatever_its_texts_hold() {
        let columns = vec![
            column("a", "", "", |row: &String| ExportCell::text(row)),
            column("b", "", "", |_: &String| ExportCell::Absent),
            column("c", "", "", |_: &String| ExportCell::Number(1e21)),
            column("d", "", "", |_: &String| ExportCell::Flag(true)),
        ];
        let rows = ["=1+1", "a\nb\u{2028}\"\\\0"].map(str::to_owned);
        let bytes: Vec<u8> =
            jsonl_pieces(columns, std::iter::once(rows.to_vec())).flatten().collect();
        let text = String::from_utf8(bytes).unwrap();
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let expected = rows.map(|row| json!({"a": row, "b": null, "c": 1e21, "d": true}));
        assert_eq!(lines, expected);
    }
}
