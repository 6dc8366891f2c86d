//! Workbooks: the first rows and columns of each sheet, with values as last computed.
//!
//! No formula is computed. Cells are placed by their address, so that a cell in the last row of a
//! sheet costs nothing.

use std::borrow::Cow;
use std::collections::BTreeMap;

use roxmltree::Node;

use super::xml::{attribute, child, children, is, parse, relation, relations};
use crate::archive::Archive;
use crate::limits::{MAX_PARTS, MAX_READ_BYTES};
use crate::table::{KEPT_COLUMNS, KEPT_ROWS, Table};

const PART: &str = "xl/workbook.xml";

/// A sheet of a workbook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// The name of the sheet; empty for a table that is no sheet of a workbook.
    pub name: String,
    /// Whether the workbook hides the sheet.
    pub is_hidden: bool,
    /// `None` if it cannot be read.
    pub table: Option<Table>,
}

/// The sheets in `content`; `None` if it is not a workbook.
pub fn read(content: &[u8]) -> Option<Vec<Sheet>> {
    let archive = Archive::open(content)?;
    let (text, _) = archive.text(PART)?;
    let xml = parse(&text)?;
    let parts = relations(&archive, PART);
    let values = SharedValues::read(&archive, xml.root_element());
    let nodes = children(child(xml.root_element(), "sheets")?, "sheet");
    let mut sheets = Vec::new();
    for node in nodes.take(MAX_PARTS) {
        let part = relation(node).and_then(|id| parts.get(id));
        let text = part.and_then(|part| archive.text(part));
        sheets.push(Sheet {
            name: attribute(node, "name").unwrap_or_default().to_owned(),
            is_hidden: attribute(node, "state").is_some_and(|state| state != "visible"),
            table: text.and_then(|(text, _)| table(&text, &values)),
        });
    }
    Some(sheets)
}

/// Tables that the cells of all sheets refer to.
struct SharedValues {
    strings: Vec<String>,
    formats: Vec<NumberFormat>,
    from_1904: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberFormat {
    Number,
    Percent,
    Date,
    Time,
}

impl SharedValues {
    fn read(archive: &Archive<'_>, workbook: Node<'_, '_>) -> Self {
        let strings = archive.text("xl/sharedStrings.xml").and_then(|(text, _)| strings(&text));
        let formats = archive.text("xl/styles.xml").and_then(|(text, _)| formats(&text));
        let properties = child(workbook, "workbookPr");
        let from_1904 = properties.and_then(|property| attribute(property, "date1904"));
        Self {
            strings: strings.unwrap_or_default(),
            formats: formats.unwrap_or_default(),
            from_1904: matches!(from_1904, Some("1" | "true")),
        }
    }

    fn cell(&self, cell: Node<'_, '_>) -> String {
        let value = child(cell, "v").and_then(|child| child.text()).unwrap_or_default();
        match attribute(cell, "t").unwrap_or("n") {
            "s" => {
                let string = value.parse().ok().and_then(|at: usize| self.strings.get(at));
                string.cloned().unwrap_or_default()
            }
            "inlineStr" => child(cell, "is").map(text_of).unwrap_or_default(),
            "b" => (if value == "1" { "TRUE" } else { "FALSE" }).to_owned(),
            "n" if !value.is_empty() => {
                let style = attribute(cell, "s").and_then(|style| style.parse::<usize>().ok());
                let format = style.and_then(|style| self.formats.get(style)).copied();
                number(value, format.unwrap_or(NumberFormat::Number), self.from_1904)
            }
            _ if value.is_empty() => {
                // openpyxl writes formulas without values: only a spreadsheet program computes them.
                let formula = child(cell, "f").and_then(|child| child.text());
                formula.map(|formula| format!("={formula}")).unwrap_or_default()
            }
            _ => value.to_owned(),
        }
    }
}

fn strings(text: &str) -> Option<Vec<String>> {
    let text = closed(text, "</si>", "</sst>", usize::MAX);
    Some(children(parse(&text)?.root_element(), "si").map(text_of).collect())
}

/// The text of a string, without its phonetic reading.
fn text_of(item: Node<'_, '_>) -> String {
    let parts = item.descendants().filter(|part| is(*part, "t") && !is_phonetic(*part));
    parts.filter_map(|part| part.text()).collect()
}

/// Whether a text is in `rPh`, which says how Japanese or Chinese characters are read.
fn is_phonetic(text: Node<'_, '_>) -> bool {
    text.ancestors().take(3).any(|ancestor| is(ancestor, "rPh"))
}

/// The number format of each style, by its index.
fn formats(text: &str) -> Option<Vec<NumberFormat>> {
    let xml = parse(text)?;
    let mut custom = BTreeMap::new();
    if let Some(list) = child(xml.root_element(), "numFmts") {
        for format in children(list, "numFmt") {
            let (id, code) = (attribute(format, "numFmtId"), attribute(format, "formatCode"));
            custom.insert(id.unwrap_or_default(), code.unwrap_or_default());
        }
    }
    let mut formats = Vec::new();
    for style in children(child(xml.root_element(), "cellXfs")?, "xf") {
        let id = attribute(style, "numFmtId").unwrap_or_default();
        formats.push(match custom.get(id) {
            Some(code) => by_code(code),
            None => built_in(id),
        });
    }
    Some(formats)
}

/// The format with an id that the standard defines.
fn built_in(id: &str) -> NumberFormat {
    match id.parse::<u32>() {
        Ok(9 | 10) => NumberFormat::Percent,
        Ok(14..=17 | 22) => NumberFormat::Date,
        Ok(18..=21 | 45..=47) => NumberFormat::Time,
        _ => NumberFormat::Number,
    }
}

/// The format shown by a format code, ignoring quotes and brackets.
fn by_code(code: &str) -> NumberFormat {
    let (mut quoted, mut bracketed) = (false, false);
    let mut bare = String::new();
    for c in code.chars() {
        match c {
            '"' => quoted = !quoted,
            '[' => bracketed = true,
            ']' => bracketed = false,
            _ if !quoted && !bracketed => bare.push(c.to_ascii_lowercase()),
            _ => {}
        }
    }
    if bare.contains(['y', 'd']) {
        NumberFormat::Date
    } else if bare.contains(['h', 's']) && !bare.contains("general") {
        NumberFormat::Time
    } else if bare.contains('%') {
        NumberFormat::Percent
    } else {
        NumberFormat::Number
    }
}

fn number(literal: &str, format: NumberFormat, from_1904: bool) -> String {
    let Ok(value) = literal.parse::<f64>() else { return literal.to_owned() };
    let shown = match format {
        NumberFormat::Number => None,
        NumberFormat::Percent => Some(format!("{} %", plain(value * 100.0))),
        NumberFormat::Date => date(value, from_1904),
        NumberFormat::Time if (0.0..1.0).contains(&value) => Some(clock(value)),
        NumberFormat::Time => date(value, from_1904),
    };
    shown.unwrap_or_else(|| plain(value))
}

/// A number with the fifteen digits that a workbook keeps.
fn plain(value: f64) -> String {
    let rounded = format!("{value:.14e}").parse::<f64>().unwrap_or(value);
    if rounded.abs() < 1e16 { rounded.to_string() } else { format!("{rounded:e}") }
}

/// The date for a number of days, with the time of day if any; `None` if there is no such date.
fn date(days: f64, from_1904: bool) -> Option<String> {
    let (year, month, day) = if from_1904 { (1904, 1, 1) } else { (1899, 12, 30) };
    let whole = days.floor();
    if !(0.0..3_000_000.0).contains(&whole) {
        return None;
    }
    let span = jiff::Span::new().try_days(whole as i64).ok()?;
    let day = jiff::civil::date(year, month, day).checked_add(span).ok()?;
    let seconds = (days - whole) * 86_400.0;
    Some(if seconds < 0.5 { day.to_string() } else { format!("{day} {}", clock(days - whole)) })
}

fn clock(fraction: f64) -> String {
    let seconds = (fraction * 86_400.0).round() as u64;
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn table(text: &str, values: &SharedValues) -> Option<Table> {
    // A sheet of many megabytes is read as far as its first rows.
    let part = closed(text, "</row>", "</sheetData></worksheet>", MAX_READ_BYTES);
    let xml = parse(&part)?;
    let mut table = Table::default();
    let mut next_row = 0;
    for row in children(child(xml.root_element(), "sheetData")?, "row") {
        let number = attribute(row, "r").and_then(|number| number.parse::<usize>().ok());
        let row_index = number.map_or(next_row, |number| number.saturating_sub(1));
        next_row = row_index + 1;
        let mut next_column = 0;
        for cell in children(row, "c") {
            let column = attribute(cell, "r").and_then(column).unwrap_or(next_column);
            next_column = column + 1;
            let value = values.cell(cell);
            if !value.is_empty() {
                place(value, row_index, column, &mut table);
            }
        }
    }
    if part.len() < text.len() {
        table.all_rows = table.all_rows.max(text.matches("<row ").count());
    }
    Some(table)
}

fn place(value: String, row: usize, column: usize, table: &mut Table) {
    // Cells beyond the limits only count.
    table.all_rows = table.all_rows.max(row + 1);
    table.all_columns = table.all_columns.max(column + 1);
    if row >= KEPT_ROWS || column >= KEPT_COLUMNS {
        return;
    }
    if table.rows.len() <= row {
        table.rows.resize(row + 1, Vec::new());
    }
    let cells = &mut table.rows[row];
    if cells.len() <= column {
        cells.resize(column + 1, String::new());
    }
    cells[column] = value;
}

/// The column of an address such as `BC12`, from 0.
fn column(address: &str) -> Option<usize> {
    let letters = address.bytes().take_while(u8::is_ascii_uppercase).take(4);
    let number = letters.fold(0, |sum, letter| sum * 26 + usize::from(letter - b'A') + 1);
    number.checked_sub(1)
}

/// `text` up to the last `end` within `limit` bytes, with `close` after it; all of a complete text.
fn closed<'t>(text: &'t str, end: &str, close: &str, limit: usize) -> Cow<'t, str> {
    let part = &text[..text.floor_char_boundary(limit)];
    let Some(at) = part.rfind(end) else { return text.into() };
    let at = at + end.len();
    let is_complete = text[at..].trim_start().starts_with("</");
    if is_complete { text.into() } else { format!("{}{close}", &text[..at]).into() }
}

#[cfg(test)]
mod tests {
    use super::{NumberFormat, Sheet, by_code, column, number, read};
    use crate::limits::MAX_READ_BYTES;
    use crate::table::{KEPT_ROWS, Table};
    use testing::archive::zip;

    fn table(sheet: &str) -> Table {
        let workbook =
            "<workbook xmlns:r='r'><sheets><sheet name='S&lt;1' r:id='a'/></sheets></workbook>";
        let relations = "<R><Relationship Id='a' Target='worksheets/sheet1.xml'/></R>";
        let strings = "<sst><si><t>name</t></si><si><r><t>a</t></r><r><t>b</t></r></si></sst>";
        let styles =
            "<s><cellXfs><xf numFmtId='0'/><xf numFmtId='14'/><xf numFmtId='10'/></cellXfs></s>";
        let sheet = format!("<worksheet><sheetData>{sheet}</sheetData></worksheet>");
        let bytes = zip(&[
            ("xl/workbook.xml", workbook.as_bytes()),
            ("xl/_rels/workbook.xml.rels", relations.as_bytes()),
            ("xl/sharedStrings.xml", strings.as_bytes()),
            ("xl/styles.xml", styles.as_bytes()),
            ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
        ]);
        let [Sheet { name, table, .. }] = &read(&bytes).unwrap()[..] else { panic!("one sheet") };
        assert_eq!(name, "S<1");
        table.clone().unwrap()
    }

    #[test]
    fn cells_are_placed_by_address() {
        let table = table(
            "<row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1' t='inlineStr'><is><t>n</t></is></c></row>\
             <row r='2'><c r='A2' t='s'><v>1</v></c><c r='B2'><v>0.30000000000000004</v></c></row>\
             <row r='3'><c r='B3' s='2'><v>0.25</v></c></row>",
        );
        assert_eq!(table.rows, [["name", "n"], ["ab", "0.3"], ["", "25 %"]]);
    }

    #[test]
    fn far_cells_cost_nothing() {
        let table = table(
            "<row r='1'><c r='A1'><v>1</v></c></row>\
             <row r='1048576'><c r='XFD1048576'><v>2</v></c></row>",
        );
        assert_eq!(table.rows, [["1"]]);
        assert_eq!((table.all_rows, table.all_columns), (1_048_576, 16_384));
    }

    #[test]
    fn long_sheets_are_cut_before_they_are_read() {
        let row = |n| format!("<row r='{n}'><c r='A{n}'><v>{n}</v></c></row>");
        let rows: String = (1..=60_000).map(row).collect();
        assert!(rows.len() > MAX_READ_BYTES);
        let table = table(&rows);
        assert_eq!((table.rows.len(), table.all_rows), (KEPT_ROWS, 60_000));
    }

    #[test]
    fn numbers_are_shown_as_formatted() {
        assert_eq!(number("45000", NumberFormat::Date, false), "2023-03-15");
        assert_eq!(number("45000.5", NumberFormat::Date, false), "2023-03-15 12:00:00");
        assert_eq!(number("0.75", NumberFormat::Time, false), "18:00:00");
        assert_eq!(number("1e300", NumberFormat::Date, false), "1e300");
        assert_eq!(number("x", NumberFormat::Number, false), "x");
        assert_eq!(by_code("yyyy-mm-dd"), NumberFormat::Date);
        assert_eq!(by_code("0.0%"), NumberFormat::Percent);
        assert_eq!(by_code("[Red]0.00 \"days\""), NumberFormat::Number);
        assert_eq!((column("A1"), column("AB7"), column("7")), (Some(0), Some(27), None));
    }
}
