//! Workbooks: the first rows and columns of each sheet, with values as last computed.
//!
//! No formula is computed. Cells are placed by their address, so that a cell in the last row of a
//! sheet costs nothing.

use roxmltree::Node;

use super::{attribute, child, children, is, parse, relation, relations};
use crate::files::archive::Archive;
use crate::preview::markup::Markup;
use crate::preview::table::{MAX_COLUMNS, MAX_ROWS, ShownTable};

const PART: &str = "xl/workbook.xml";
const MAX_SHEETS: usize = 10;

/// The most bytes of a sheet that are read: enough for the rows shown.
const MAX_SHEET_BYTES: usize = 2 * 1024 * 1024;

/// Adds the sheets to `out`; returns a note on what was left out, or `None` if there are none.
pub(crate) fn write(content: &[u8], out: &mut Markup) -> Option<String> {
    let archive = Archive::open(content)?;
    let (text, _) = archive.text(PART)?;
    let xml = parse(&text)?;
    let parts = relations(&archive, PART);
    let sheets: Vec<_> = children(child(xml.root_element(), "sheets")?, "sheet").collect();
    let values = SharedValues::read(&archive, xml.root_element());
    let shown = out.each(sheets.iter().take(MAX_SHEETS), |sheet, out| {
        let part = relation(*sheet).and_then(|id| parts.get(id));
        let text = part.and_then(|part| archive.text(part));
        let table = text.and_then(|(text, _)| read(&text, &values));
        let hidden = attribute(*sheet, "state").is_some_and(|state| state != "visible");
        write_sheet(attribute(*sheet, "name").unwrap_or_default(), hidden, table, out);
    });
    let cut =
        out.language().fill("preview.first_sheets", &[("shown", &shown), ("all", &sheets.len())]);
    Some(if sheets.len() > shown { cut } else { String::new() })
}

fn write_sheet(name: &str, hidden: bool, table: Option<ShownTable>, out: &mut Markup) {
    let mut sheet = Markup::within(out.language(), out.left());
    let remark = match table {
        Some(mut table) if !table.rows.is_empty() => {
            // The first row is a header if every cell is filled and none begins like a number.
            let starts_with_digit = |cell: &str| cell.starts_with(|c: char| c.is_ascii_digit());
            let is_name = |cell: &String| !cell.is_empty() && !starts_with_digit(cell);
            let has_head = table.rows.len() > 1 && table.rows[0].iter().all(is_name);
            table.write(has_head, &mut sheet);
            table.remark(out.language())
        }
        empty => {
            sheet.raw("<p class=\"counts\">").word("preview.nothing").raw("</p>");
            let unread = || out.language().text("preview.sheet_unread").to_owned();
            empty.map_or_else(unread, |table| table.remark(out.language()))
        }
    };
    out.raw("<h4>").text(name);
    if hidden {
        out.raw(" <span class=\"counts\">").word("preview.hidden").raw("</span>");
    }
    if !remark.is_empty() {
        out.wrap(" <span class=\"counts\">", &remark, "</span>");
    }
    out.raw("</h4>").safe(&sheet.finish());
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
            "s" => value.parse().ok().and_then(|at: usize| self.strings.get(at)).cloned(),
            "inlineStr" => child(cell, "is").map(text_of),
            "b" => Some(if value == "1" { "TRUE".to_owned() } else { "FALSE".to_owned() }),
            "n" if !value.is_empty() => {
                let style = attribute(cell, "s").and_then(|style| style.parse::<usize>().ok());
                let format = style.and_then(|style| self.formats.get(style)).copied();
                Some(number(value, format.unwrap_or(NumberFormat::Number), self.from_1904))
            }
            _ if value.is_empty() => {
                child(cell, "f").and_then(|child| child.text()).map(|formula| format!("={formula}"))
            }
            _ => Some(value.to_owned()),
        }
        .unwrap_or_default()
    }
}

fn strings(text: &str) -> Option<Vec<String>> {
    let text = cut(text, "</si>", usize::MAX, "</sst>");
    Some(children(parse(&text)?.root_element(), "si").map(text_of).collect())
}

/// The text of a string, without its phonetic reading.
fn text_of(item: Node<'_, '_>) -> String {
    let reading = |node: Node<'_, '_>| node.ancestors().take(3).any(|ancestor| is(ancestor, "rPh"));
    let parts = item.descendants().filter(|part| is(*part, "t") && !reading(*part));
    parts.filter_map(|part| part.text()).collect()
}

fn formats(text: &str) -> Option<Vec<NumberFormat>> {
    let xml = parse(text)?;
    let root = xml.root_element();
    let listed =
        |list, item| child(root, list).into_iter().flat_map(move |list| children(list, item));
    let pair = |child| Some((attribute(child, "numFmtId")?, attribute(child, "formatCode")?));
    let custom: Vec<(&str, &str)> = listed("numFmts", "numFmt").filter_map(pair).collect();
    let format = |id: &str| match custom.iter().find(|(known, _)| *known == id) {
        Some((_, code)) => by_code(code),
        None => match id.parse::<u32>() {
            Ok(9 | 10) => NumberFormat::Percent,
            Ok(14..=17 | 22) => NumberFormat::Date,
            Ok(18..=21 | 45..=47) => NumberFormat::Time,
            _ => NumberFormat::Number,
        },
    };
    let id = |cell| attribute(cell, "numFmtId").unwrap_or_default();
    Some(listed("cellXfs", "xf").map(|cell| format(id(cell))).collect())
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
    match () {
        () if bare.contains(['y', 'd']) => NumberFormat::Date,
        () if bare.contains(['h', 's']) && !bare.contains("general") => NumberFormat::Time,
        () if bare.contains('%') => NumberFormat::Percent,
        () => NumberFormat::Number,
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

fn read(text: &str, values: &SharedValues) -> Option<ShownTable> {
    let total = text.matches("<row ").count();
    let cut = cut(text, "</row>", MAX_ROWS + 1, "</sheetData></worksheet>");
    let is_cut = cut.len() < text.len() && total > MAX_ROWS;
    let xml = parse(&cut)?;
    let mut table = ShownTable::default();
    let mut next = 0;
    for row in children(child(xml.root_element(), "sheetData")?, "row") {
        let number = attribute(row, "r").and_then(|number| number.parse::<usize>().ok());
        let at = number.map_or(next, |number| number.saturating_sub(1));
        next = at + 1;
        let mut next_column = 0;
        for cell in children(row, "c") {
            let column = attribute(cell, "r").and_then(column).unwrap_or(next_column);
            next_column = column + 1;
            let text = values.cell(cell);
            if text.is_empty() {
                continue;
            }
            table.all_rows = table.all_rows.max(at + 1);
            table.all_columns = table.all_columns.max(column + 1);
            if at <= MAX_ROWS && column < MAX_COLUMNS {
                let rows = table.rows.len().max(at + 1);
                table.rows.resize(rows, Vec::new());
                let cells = &mut table.rows[at];
                cells.resize(cells.len().max(column + 1), String::new());
                cells[column] = text;
            }
        }
    }
    if is_cut {
        table.all_rows = table.all_rows.max(total);
    }
    Some(table)
}

/// The column of an address such as `BC12`, from 0.
fn column(address: &str) -> Option<usize> {
    let letters = address.bytes().take_while(u8::is_ascii_uppercase).take(4);
    let number = letters.fold(0, |sum, letter| sum * 26 + usize::from(letter - b'A') + 1);
    number.checked_sub(1)
}

/// `text` up to the given number of `mark`s and within the limit, with `close` after it; all of a
/// shorter one.
fn cut<'t>(text: &'t str, mark: &str, marks: usize, close: &str) -> std::borrow::Cow<'t, str> {
    let wanted = text.match_indices(mark).take(marks).map(|(at, _)| at + mark.len());
    let limit = if marks == usize::MAX { usize::MAX } else { MAX_SHEET_BYTES };
    let end = wanted.take_while(|end| *end <= limit).last();
    match end {
        Some(end) if !text[end..].trim_start().starts_with("</") => {
            format!("{}{close}", &text[..end]).into()
        }
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{NumberFormat, by_code, column, number, write};
    use crate::files::archive::tests::zip;
    use crate::preview::markup::Markup;

    fn html(sheet: &str) -> Option<String> {
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
        let mut out = Markup::default();
        write(&bytes, &mut out)?;
        Some(out.finish().as_str().to_owned())
    }

    #[test]
    fn cells_are_placed_by_address() {
        let actual = html(
            "<row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1' t='inlineStr'><is><t>n</t></is></c></row>\
             <row r='2'><c r='A2' t='s'><v>1</v></c><c r='B2'><v>0.30000000000000004</v></c></row>\
             <row r='3'><c r='B3' s='2'><v>0.25</v></c></row>",
        );
        let actual = actual.unwrap();
        assert!(actual.starts_with("<h4>S&lt;1</h4>"), "{actual}");
        assert!(actual.contains("<table class=\"sheet n2\">"), "{actual}");
        assert!(actual.contains("<tr><td>ab<td>0.3<tr><td><td>25 %</table>"), "{actual}");
    }

    #[test]
    fn far_cells_cost_nothing() {
        let actual = html(
            "<row r='1'><c r='A1'><v>1</v></c></row>\
             <row r='1048576'><c r='XFD1048576'><v>2</v></c></row>",
        );
        let actual = actual.unwrap();
        assert!(actual.len() < 500 && actual.contains("16 334 "), "{actual}");
    }

    #[test]
    fn long_sheets_are_cut_before_they_are_read() {
        let rows: String =
            (1..=5_000).map(|n| format!("<row r='{n}'><c r='A{n}'><v>{n}</v></c></row>")).collect();
        let found = html(&rows).unwrap();
        assert!(found.contains("4799 ") && !found.contains("<td>202</td>"), "{}", &found[..200]);
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
