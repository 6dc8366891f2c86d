//! One value of a table, as CSV and as JSON.

use csv::{Terminator, WriterBuilder};
use serde_json::Value;

use crate::budget::EXPORT_TEXT;
use text::cut;

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
        Self::Text(cut(text, EXPORT_TEXT))
    }

    pub(super) fn count(number: usize) -> Self {
        Self::Number(number as f64)
    }

    fn in_csv(&self) -> String {
        match self {
            Self::Absent => String::new(),
            Self::Number(number) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::Text(text) => neutralize(text),
        }
    }

    fn in_json(&self) -> String {
        match self {
            Self::Absent => "null".to_owned(),
            Self::Number(number) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::Text(text) => Value::from(text.as_str()).to_string(),
        }
    }
}

impl From<Option<f64>> for ExportCell {
    fn from(number: Option<f64>) -> Self {
        match number {
            Some(number) if number.is_finite() => Self::Number(number),
            _ => Self::Absent,
        }
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

/// Rows by RFC 4180, ending in `\n` and without a byte order mark.
pub(super) fn csv_rows(rows: impl Iterator<Item = Vec<ExportCell>>) -> Vec<u8> {
    let mut builder = WriterBuilder::new();
    let mut writer = builder.terminator(Terminator::Any(b'\n')).from_writer(Vec::new());
    for row in rows {
        // This cannot fail: writing to memory succeeds, and all rows have the same length.
        let _ = writer.write_record(row.iter().map(ExportCell::in_csv));
    }
    writer.into_inner().unwrap_or_default()
}

/// A row as a JSON object with these keys, ending in `\n`.
pub(super) fn json_line(keys: impl Iterator<Item = &'static str>, row: &[ExportCell]) -> String {
    let fields: Vec<String> =
        keys.zip(row).map(|(key, cell)| format!("\"{key}\":{}", cell.in_json())).collect();
    format!("{{{}}}\n", fields.join(","))
}

/// Characters at which spreadsheets start a formula; East Asian ones accept the wide forms.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// Prevents formulas in spreadsheets and removes control characters; numbers stay numbers.
fn neutralize(text: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    let plain = lines.replace(|c: char| c.is_control() && c != '\n' && c != '\t', "\u{fffd}");
    if text.starts_with(FORMULA) && !is_number(text) { format!("'{plain}") } else { plain }
}

/// A sign and decimal digits with at most one point.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    are_digits(whole) && are_digits(part)
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{ExportCell, FORMULA, csv_rows, is_number, json_line, neutralize};

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
            assert_eq!(neutralize(text), expected, "{text:?}");
        }
    }

    fn row(text: &str) -> Vec<ExportCell> {
        vec![ExportCell::text(text), ExportCell::Absent, ExportCell::Number(-0.5)]
    }

    #[test]
    fn rows_are_rfc_4180() {
        let bytes = csv_rows([row("x,y"), row("\"q\"\nr")].into_iter());
        assert_eq!(String::from_utf8(bytes).unwrap(), "\"x,y\",,-0.5\n\"\"\"q\"\"\nr\",,-0.5\n");
    }

    proptest! {
        #[test]
        fn every_text_comes_back_as_one_field(text in r#"([=+\-@",'\n\r\t ]|\PC|\x00){0,20}"#) {
            let bytes = csv_rows([row(&text)].into_iter());
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&bytes[..]);
            let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
            prop_assert_eq!(rows.len(), 1);
            prop_assert_eq!(&rows[0][0], neutralize(&text));
            prop_assert!(!rows[0][0].starts_with(FORMULA) || is_number(&text));
        }
    }

    #[test]
    fn a_line_is_an_object_whatever_its_texts_hold() {
        for text in ["=1+1", "a\nb\u{2028}\"\\\0"] {
            let row = [
                ExportCell::text(text),
                ExportCell::Absent,
                ExportCell::Number(1e21),
                ExportCell::Flag(true),
            ];
            let line = json_line(["a", "b", "c", "d"].into_iter(), &row);
            assert_eq!(line.matches('\n').count(), 1);
            let value: Value = serde_json::from_str(&line).unwrap();
            assert_eq!(value, json!({"a": text, "b": null, "c": 1e21, "d": true}));
        }
    }
}
