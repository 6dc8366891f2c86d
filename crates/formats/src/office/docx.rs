//! Word documents: headings, paragraphs, lists, tables and pictures in order.

use roxmltree::Node;

use super::xml::{attribute, child, children, parse, picture_name};
use crate::archive::Archive;
use crate::blocks::Block;
use crate::limits::MAX_NESTING;

const PART: &str = "word/document.xml";

/// The document in `content`; `None` if it is not one.
pub fn read(content: &[u8]) -> Option<Vec<Block>> {
    let (text, is_whole) = Archive::open(content)?.text(PART)?;
    // Unlike the rows of a sheet, a document that is cut is no XML.
    if !is_whole {
        return None;
    }
    let xml = parse(&text)?;
    Some(blocks(child(xml.root_element(), "body")?, 0))
}

/// The blocks in `parent`, at this depth of nesting.
fn blocks(parent: Node<'_, '_>, depth: usize) -> Vec<Block> {
    let mut found = Vec::new();
    if depth > MAX_NESTING {
        return found;
    }
    for node in parent.children().filter(Node::is_element) {
        match node.tag_name().name() {
            "p" => add_paragraph(node, &mut found),
            "tbl" => found.push(table(node, depth)),
            // Content controls, accepted insertions and custom markup only wrap what a reader sees.
            "sdt" | "sdtContent" | "ins" | "customXml" => found.extend(blocks(node, depth + 1)),
            _ => {}
        }
    }
    found
}

fn table(node: Node<'_, '_>, depth: usize) -> Block {
    let mut rows = Vec::new();
    for row in children(node, "tr") {
        rows.push(children(row, "tc").map(|cell| blocks(cell, depth + 1)).collect());
    }
    Block::Table(rows)
}

fn add_paragraph(node: Node<'_, '_>, found: &mut Vec<Block>) {
    let (mut text, mut pictures) = (String::new(), Vec::new());
    gather(node, &mut text, &mut pictures, 0);
    if !text.trim().is_empty() {
        found.push(styled(node, text));
    }
    found.extend(pictures);
}

/// Collects the text of runs, and pictures. Deleted text of tracked changes is not part of the
/// document.
fn gather(node: Node<'_, '_>, text: &mut String, pictures: &mut Vec<Block>, depth: usize) {
    for part in node.children().filter(Node::is_element) {
        match part.tag_name().name() {
            "t" => text.push_str(part.text().unwrap_or_default()),
            "tab" => text.push('\t'),
            "br" | "cr" => text.push('\n'),
            "noBreakHyphen" => text.push('-'),
            "drawing" | "pict" | "object" => {
                pictures.push(Block::Picture(picture_name(part, "docPr")));
            }
            // The alternative of an `AlternateContent` repeats what is in it for older programs.
            "del" | "pPr" | "rPr" | "instrText" | "AlternateContent" => {}
            _ if depth < MAX_NESTING => gather(part, text, pictures, depth + 1),
            _ => {}
        }
    }
}

/// The block for a paragraph: by the name of its style, or by its numbering.
fn styled(paragraph: Node<'_, '_>, text: String) -> Block {
    let properties = child(paragraph, "pPr");
    let style = properties.and_then(|properties| child(properties, "pStyle"));
    let style = style.and_then(|style| attribute(style, "val")).unwrap_or_default();
    let style = style.to_ascii_lowercase();
    // A German Word calls its styles `berschrift1` without the umlaut.
    let heading = style.strip_prefix("heading").or_else(|| style.strip_prefix("berschrift"));
    if let Some(number) = heading {
        return Block::Heading { level: number.trim().parse().unwrap_or(3), text };
    }
    let is_numbered = properties.is_some_and(|properties| child(properties, "numPr").is_some());
    match style.as_str() {
        "title" => Block::Heading { level: 1, text },
        "subtitle" => Block::Heading { level: 2, text },
        "quote" | "intensequote" if !is_numbered => Block::Quotation(text),
        _ if is_numbered || style.starts_with("list") => Block::ListItem(text),
        _ => Block::Paragraph(text),
    }
}

#[cfg(test)]
mod tests {
    use super::{PART, read};
    use crate::blocks::Block;
    use testing::archive::zip;

    fn blocks(body: &str) -> Option<Vec<Block>> {
        let xml =
            format!("<w:document xmlns:w='w' xmlns:r='r'><w:body>{body}</w:body></w:document>");
        read(&zip(&[(PART, xml.as_bytes())]))
    }

    #[test]
    fn structure_is_kept() {
        let run = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
        let styled = |style: &str, text: &str| {
            format!("<w:p><w:pPr><w:pStyle w:val='{style}'/></w:pPr>{}</w:p>", run(text))
        };
        let body = [
            styled("Heading1", "A &amp; B"),
            format!(
                "<w:p>{}<w:del>{}</w:del><w:hyperlink r:id='x'>{}</w:hyperlink></w:p>",
                run("one "),
                run("gone"),
                run("link")
            ),
            styled("ListBullet", "x"),
            "<w:p><w:r><w:drawing><w:docPr name='logo'/></w:drawing></w:r></w:p>".to_owned(),
            format!("<w:tbl><w:tr><w:tc><w:p>{}</w:p></w:tc></w:tr></w:tbl>", run("cell")),
        ];
        let expected = vec![
            Block::Heading { level: 1, text: "A & B".to_owned() },
            Block::Paragraph("one link".to_owned()),
            Block::ListItem("x".to_owned()),
            Block::Picture("logo".to_owned()),
            Block::Table(vec![vec![vec![Block::Paragraph("cell".to_owned())]]]),
        ];
        assert_eq!(blocks(&body.concat()), Some(expected));
    }

    #[test]
    fn anything_but_a_document_is_rejected() {
        assert_eq!(read(b"PK\x03\x04"), None);
        assert_eq!(blocks("<w:p>"), None);
        let deep = "<w:sdt>".repeat(400) + &"</w:sdt>".repeat(400);
        assert_eq!(blocks(&deep), Some(Vec::new()));
    }
}
