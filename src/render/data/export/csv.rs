//! Tables as RFC 4180 has them, with `\n` at the end of a row and no byte order mark.

use std::borrow::Cow;

use csv::{Terminator, WriterBuilder};

use crate::render::data::export::cell::{Cell, Column};

/// What a spreadsheet takes for the beginning of a formula; the wide forms count in East Asian
/// ones.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// The head, then the rows of each case.
pub(super) fn pieces<'a, R: 'a>(
    columns: Vec<Column<R>>,
    cases: impl Iterator<Item = Vec<R>> + 'a,
) -> impl Iterator<Item = Vec<u8>> + 'a {
    let head: Vec<Cow<'static, str>> =
        columns.iter().map(|column| Cow::Borrowed(column.name)).collect();
    let head = written([head].into_iter());
    std::iter::once(head).chain(cases.map(move |rows| {
        let row = |row: &R| -> Vec<Cow<'static, str>> {
            columns.iter().map(|column| Cow::Owned(field((column.value)(row)))).collect()
        };
        written(rows.iter().map(row))
    }))
}

fn written(rows: impl Iterator<Item = Vec<Cow<'static, str>>>) -> Vec<u8> {
    let mut builder = WriterBuilder::new();
    let mut writer = builder.terminator(Terminator::Any(b'\n')).from_writer(Vec::new());
    for row in rows {
        // Nothing fails: memory takes every byte, and all rows have the same length.
        let _ = writer.write_record(row.iter().map(|field| field.as_bytes()));
    }
    writer.into_inner().unwrap_or_default()
}

fn field(cell: Cell<'_>) -> String {
    match cell {
        Cell::Absent => String::new(),
        Cell::Number(number) => number.to_string(),
        Cell::Flag(flag) => flag.to_string(),
        Cell::Text(text) => harmless(&text),
    }
}

/// `text` so that no spreadsheet takes it for a formula and no reader stumbles over a control
/// character. What is a number stays one.
fn harmless(text: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    let shown = |c: char| match c {
        '\n' | '\t' => c,
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    let plain: String = lines.chars().map(shown).collect();
    if text.starts_with(FORMULA) && !is_number(text) { format!("'{plain}") } else { plain }
}

/// A sign and decimal digits with at most one point.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let all = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    all(whole) && all(part)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{FORMULA, harmless, is_number, pieces};
    use crate::render::data::export::cell::{Cell, column};

    #[test]
    fn a_formula_is_a_text_and_a_number_is_a_number() {
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
            assert_eq!(harmless(text), expected, "{text:?}");
        }
    }

    fn table(rows: Vec<Vec<String>>) -> Vec<u8> {
        let columns = vec![
            column("a", "", "", |row: &String| Cell::text(row)),
            column("b", "", "", |_: &String| Cell::Absent),
            column("c", "", "", |_: &String| Cell::Number(-0.5)),
        ];
        pieces(columns, rows.into_iter()).flatten().collect()
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
            prop_assert_eq!(&rows[0][0], harmless(&text));
            prop_assert!(!rows[0][0].starts_with(FORMULA) || is_number(&text));
        }
    }
}
