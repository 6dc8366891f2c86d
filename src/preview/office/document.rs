//! Word documents: headings, paragraphs, lists and tables in order.

use roxmltree::Node;

use super::{MAX_DEPTH, attribute, child, children, parse};
use crate::files::archive::Archive;
use crate::preview::markup::Markup;

const PART: &str = "word/document.xml";

/// Adds the document to `out`; returns a note on what was left out, or `None` if it is not a
/// document.
pub(crate) fn write(content: &[u8], out: &mut Markup) -> Option<String> {
    let archive = Archive::open(content)?;
    let (text, is_whole) = archive.text(PART)?;
    if !is_whole {
        return None;
    }
    let xml = parse(&text)?;
    let body = child(xml.root_element(), "body")?;
    out.raw("<div class=\"office\">");
    let mut writer = DocumentWriter { out, in_list: false, has_picture: false };
    writer.blocks(body, 0);
    writer.list(false);
    let key = match writer.out.is_full() {
        true => Some("preview.beginning"),
        false => writer.has_picture.then_some("preview.without_pictures"),
    };
    out.raw("</div>");
    Some(key.map_or("", |key| out.language().text(key)).to_owned())
}

struct DocumentWriter<'m> {
    out: &'m mut Markup,
    in_list: bool,
    has_picture: bool,
}

impl DocumentWriter<'_> {
    fn blocks(&mut self, parent: Node<'_, '_>, depth: usize) {
        for node in parent.children().filter(Node::is_element) {
            if self.out.is_full() || depth > MAX_DEPTH {
                return;
            }
            match node.tag_name().name() {
                "p" => self.paragraph(node),
                "tbl" => self.table(node, depth),
                "sdt" | "sdtContent" | "ins" | "customXml" => self.blocks(node, depth + 1),
                _ => {}
            }
        }
    }

    fn paragraph(&mut self, node: Node<'_, '_>) {
        let mut text = String::new();
        self.gather(node, &mut text, 0);
        let (open, close) = element(node);
        self.list(close == "</li>");
        if !text.trim().is_empty() {
            self.out.wrap(open, &text, close);
        }
    }

    fn list(&mut self, wanted: bool) {
        if wanted != self.in_list {
            self.out.raw(if wanted { "<ul>" } else { "</ul>" });
            self.in_list = wanted;
        }
    }

    fn table(&mut self, table: Node<'_, '_>, depth: usize) {
        self.list(false);
        self.out.raw("<div class=\"wide\" tabindex=\"0\"><table><tbody>");
        for row in children(table, "tr") {
            self.out.raw("<tr>");
            for cell in children(row, "tc") {
                self.out.raw("<td>");
                self.blocks(cell, depth + 1);
                self.list(false);
                self.out.raw("</td>");
            }
            self.out.raw("</tr>");
            if self.out.is_full() {
                break;
            }
        }
        self.out.raw("</tbody></table></div>");
    }

    /// Collects the text of runs. Deleted text of tracked changes is not part of the document.
    fn gather(&mut self, node: Node<'_, '_>, text: &mut String, depth: usize) {
        for part in node.children().filter(Node::is_element) {
            match part.tag_name().name() {
                "t" => text.push_str(part.text().unwrap_or_default()),
                "tab" => text.push('\t'),
                "br" | "cr" => text.push('\n'),
                "noBreakHyphen" => text.push('-'),
                "drawing" | "pict" | "object" => self.has_picture = true,
                "del" | "pPr" | "rPr" | "instrText" | "AlternateContent" => {}
                _ if depth < MAX_DEPTH => self.gather(part, text, depth + 1),
                _ => {}
            }
        }
    }
}

/// The element for a paragraph: by the name of its style, or by its numbering.
fn element(paragraph: Node<'_, '_>) -> (&'static str, &'static str) {
    let properties = child(paragraph, "pPr");
    let style = properties.and_then(|properties| child(properties, "pStyle"));
    let style = style.and_then(|style| attribute(style, "val")).unwrap_or_default();
    let style = style.to_ascii_lowercase();
    let numbered = properties.and_then(|properties| child(properties, "numPr")).is_some();
    let heading = style.strip_prefix("heading").or_else(|| style.strip_prefix("berschrift"));
    match (style.as_str(), heading.map(str::trim)) {
        ("title", _) | (_, Some("1")) => ("<h4>", "</h4>"),
        ("subtitle", _) | (_, Some("2")) => ("<h5>", "</h5>"),
        (_, Some(_)) => ("<h6>", "</h6>"),
        _ if numbered || style.starts_with("list") => ("<li>", "</li>"),
        ("quote" | "intensequote", _) => ("<blockquote>", "</blockquote>"),
        _ => ("<p>", "</p>"),
    }
}

#[cfg(test)]
mod tests {
    use super::{PART, write};
    use crate::files::archive::tests::zip;
    use crate::preview::markup::Markup;

    fn html(body: &str) -> Option<(String, String)> {
        let xml =
            format!("<w:document xmlns:w='w' xmlns:r='r'><w:body>{body}</w:body></w:document>");
        let mut out = Markup::default();
        let remark = write(&zip(&[(PART, xml.as_bytes())]), &mut out)?;
        Some((out.finish().as_str().to_owned(), remark))
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
            format!("<w:tbl><w:tr><w:tc><w:p>{}</w:p></w:tc></w:tr></w:tbl>", run("cell")),
        ];
        let expected = "<div class=\"office\"><h4>A &amp; B</h4><p>one link</p><ul><li>x</li></ul>\
            <div class=\"wide\" tabindex=\"0\"><table><tbody><tr><td><p>cell</p></td></tr></tbody></table></div></div>";
        assert_eq!(html(&body.concat()), Some((expected.to_owned(), String::new())));
    }

    #[test]
    fn anything_but_a_document_is_rejected() {
        assert_eq!(write(b"PK\x03\x04", &mut Markup::default()), None);
        assert_eq!(html("<w:p>"), None);
        let deep = "<w:sdt>".repeat(400) + &"</w:sdt>".repeat(400);
        assert!(html(&deep).is_some());
    }
}
