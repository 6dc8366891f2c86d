//! Office files as markup: documents, slides, and the sheets of workbooks.

use crate::preview::markup::{Markup, Safe};
use crate::preview::table;
use formats::Sheet;
use formats::blocks::{Block, Slide};
use formats::table::Table;

/// Adds a document to `out`.
pub(super) fn document(blocks: &[Block], out: &mut Markup) {
    out.raw("<div class=\"office\">");
    write_blocks(blocks, out);
    out.raw("</div>");
}

fn write_blocks(blocks: &[Block], out: &mut Markup) {
    let mut in_list = false;
    for block in blocks {
        if out.is_full() {
            break;
        }
        let is_item = matches!(block, Block::ListItem(_));
        if is_item != in_list {
            out.raw(if is_item { "<ul>" } else { "</ul>" });
            in_list = is_item;
        }
        match block {
            // The headings of a page reach down to the third level.
            Block::Heading { level: 1, text } => out.wrap("<h4>", text, "</h4>"),
            Block::Heading { level: 2, text } => out.wrap("<h5>", text, "</h5>"),
            Block::Heading { text, .. } => out.wrap("<h6>", text, "</h6>"),
            Block::Paragraph(text) => out.wrap("<p>", text, "</p>"),
            Block::Quotation(text) => out.wrap("<blockquote>", text, "</blockquote>"),
            Block::ListItem(text) => out.wrap("<li>", text, "</li>"),
            Block::Table(rows) => write_table(rows, out),
            Block::Picture(name) => write_picture(name, out),
        };
    }
    if in_list {
        out.raw("</ul>");
    }
}

fn write_table<'m>(rows: &[Vec<Vec<Block>>], out: &'m mut Markup) -> &'m mut Markup {
    out.raw("<div class=\"wide\" tabindex=\"0\"><table><tbody>");
    out.each(rows, |row, out| {
        out.raw("<tr>");
        for cell in row {
            out.raw("<td>");
            write_blocks(cell, out);
            out.raw("</td>");
        }
        out.raw("</tr>");
    });
    out.raw("</tbody></table></div>")
}

/// Adds a note in place of a picture, which stays in the file.
fn write_picture<'m>(name: &str, out: &'m mut Markup) -> &'m mut Markup {
    out.raw("<p class=\"counts\">");
    match name {
        "" => out.word("preview.picture_unnamed"),
        name => out.word("preview.picture_before").text(name),
    };
    out.raw("</p>")
}

/// Adds slides to `out`; returns a note on how many were left out, or an empty one.
pub(super) fn slides(slides: &[Option<Slide>], out: &mut Markup) -> String {
    out.raw("<ol class=\"slides\">");
    let shown = out.each(slides, |slide, out| {
        out.raw("<li>");
        match slide {
            Some(slide) => write_slide(slide, out),
            None => drop(out.raw("<p class=\"counts\">").word("preview.slide_unread").raw("</p>")),
        }
        out.raw("</li>");
    });
    out.raw("</ol>");
    if shown == slides.len() {
        return String::new();
    }
    out.language().fill("preview.first_slides", &[("shown", &shown), ("all", &slides.len())])
}

fn write_slide(slide: &Slide, out: &mut Markup) {
    write_blocks(&slide.blocks, out);
    // Prompts ask for speaker notes, which no slide shows.
    if !slide.notes.is_empty() {
        out.raw("<p class=\"counts\">").word("preview.slide_notes").raw("</p>");
    }
    for note in &slide.notes {
        out.wrap("<p>", note, "</p>");
    }
}

/// Adds the sheets of a workbook to `out`; returns a note on how many were left out.
pub(super) fn workbook(sheets: &[Sheet], out: &mut Markup) -> String {
    let shown = out.each(sheets, write_sheet);
    if shown == sheets.len() {
        return String::new();
    }
    out.language().fill("preview.first_sheets", &[("shown", &shown), ("all", &sheets.len())])
}

fn write_sheet(sheet: &Sheet, out: &mut Markup) {
    let (table, remark) = table_of_sheet(sheet.table.as_ref(), out);
    out.raw("<h4>").text(&sheet.name);
    if sheet.is_hidden {
        out.raw(" <span class=\"counts\">").word("preview.hidden").raw("</span>");
    }
    if !remark.is_empty() {
        out.wrap(" <span class=\"counts\">", &remark, "</span>");
    }
    out.raw("</h4>").safe(&table);
}

/// The table of a sheet as far as it fits into `out`, and what its heading says about it.
fn table_of_sheet(table: Option<&Table>, out: &Markup) -> (Safe, String) {
    // The heading before the table says how much of it is left out.
    let mut html = Markup::within(out.language(), out.left());
    let remark = match table {
        Some(table) if !table.rows.is_empty() => {
            let shown = table::write(table, has_head(table), &mut html);
            table::remark(table, shown, out.language())
        }
        _ => {
            html.raw("<p class=\"counts\">").word("preview.nothing").raw("</p>");
            match table {
                Some(table) => table::remark(table, 0, out.language()),
                None => out.language().text("preview.sheet_unread").to_owned(),
            }
        }
    };
    (html.finish(), remark)
}

/// Whether the first row names the columns: every cell is filled and none begins like a number.
fn has_head(table: &Table) -> bool {
    table.rows.len() > 1 && table.rows[0].iter().all(|cell| is_name(cell))
}

fn is_name(cell: &str) -> bool {
    cell.starts_with(|c: char| !c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{document, slides, workbook};
    use crate::language::Language;
    use crate::preview::markup::Markup;
    use formats::Sheet;
    use formats::blocks::{Block, Slide};
    use formats::table::delimited;

    fn paragraph(text: &str) -> Block {
        Block::Paragraph(text.to_owned())
    }

    #[test]
    fn documents_keep_their_structure() {
        let blocks = [
            Block::Heading { level: 1, text: "A & B".to_owned() },
            Block::ListItem("x".to_owned()),
            Block::Table(vec![vec![vec![paragraph("cell"), Block::ListItem("y".to_owned())]]]),
            Block::Picture("<logo>".to_owned()),
        ];
        let mut out = Markup::default();
        document(&blocks, &mut out);
        let expected = "<div class=\"office\"><h4>A &amp; B</h4><ul><li>x</li></ul>\
            <div class=\"wide\" tabindex=\"0\"><table><tbody><tr><td><p>cell</p><ul><li>y</li></ul>\
            </td></tr></tbody></table></div><p class=\"counts\">picture: &lt;logo&gt;</p></div>";
        assert_eq!(out.finish().as_str(), expected);
    }

    #[test]
    fn slides_have_notes_and_are_counted() {
        let slide = |text: &str, notes: &[&str]| {
            let notes = notes.iter().map(|note| (*note).to_owned()).collect();
            Some(Slide { blocks: vec![paragraph(text)], notes })
        };
        let mut out = Markup::default();
        assert_eq!(slides(&[slide("One", &["say <hi>"]), None], &mut out), "");
        let expected = "<ol class=\"slides\"><li><p>One</p><p class=\"counts\">Notes</p>\
            <p>say &lt;hi&gt;</p></li><li><p class=\"counts\">this slide cannot be read</p></li></ol>";
        assert_eq!(out.finish().as_str(), expected);
        let mut out = Markup::within(&Language::default(), 30);
        assert!(slides(&[slide("One", &[]), slide("Two", &[])], &mut out).contains("1 of 2"));
    }

    #[test]
    fn sheets_have_names_and_heads() {
        let table = Some(delimited("name,n\nx,1", b','));
        let sheet = Sheet { name: "S<1".to_owned(), is_hidden: true, table };
        let mut out = Markup::default();
        assert_eq!(workbook(&[sheet, Sheet::default()], &mut out), "");
        let html = out.finish().as_str().to_owned();
        assert!(html.starts_with("<h4>S&lt;1 <span class=\"counts\">hidden</span></h4>"), "{html}");
        assert!(html.contains("<thead><tr><th>name<th>n</thead>"), "{html}");
        assert!(
            html.ends_with("cannot be read</span></h4><p class=\"counts\">nothing to show</p>"),
            "{html}"
        );
    }
}
