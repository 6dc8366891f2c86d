//! Presentations: the title, text, tables and notes of each slide, in order.

use roxmltree::Node;

use super::{attribute, child, children, is, parse, relation, relations};
use crate::files::archive::Archive;
use crate::preview::markup::Markup;

const PART: &str = "ppt/presentation.xml";
const MAX_SLIDES: usize = 100;

/// Adds the slides to `out`; returns a note on what was left out, or `None` if there are none.
pub(crate) fn write(content: &[u8], out: &mut Markup) -> Option<String> {
    let archive = Archive::open(content)?;
    let (text, _) = archive.text(PART)?;
    let xml = parse(&text)?;
    let parts = relations(&archive, PART);
    let slides = children(child(xml.root_element(), "sldIdLst")?, "sldId");
    let slides: Vec<_> = slides.filter_map(|slide| parts.get(relation(slide)?)).collect();
    out.raw("<ol class=\"slides\">");
    let shown = out.each(slides.iter().take(MAX_SLIDES), |part, out| {
        out.raw("<li>");
        slide(&archive, part, out);
        out.raw("</li>");
    });
    out.raw("</ol>");
    let cut =
        out.language().fill("preview.first_slides", &[("shown", &shown), ("all", &slides.len())]);
    Some(if shown < slides.len() { cut } else { String::new() })
}

fn slide(archive: &Archive<'_>, part: &str, out: &mut Markup) {
    let text = archive.text(part);
    let Some(xml) = text.as_ref().and_then(|(text, _)| parse(text)) else {
        out.raw("<p class=\"counts\">").word("preview.slide_unread").raw("</p>");
        return;
    };
    shapes(xml.root_element(), out);
    let notes = relations(archive, part).into_values().find(|value| value.contains("notesSlide"));
    let notes = notes.and_then(|part| archive.text(&part));
    if let Some(xml) = notes.as_ref().and_then(|(text, _)| parse(text)) {
        let bodies = xml
            .descendants()
            .filter(|descendant| is(*descendant, "sp") && placeholder(*descendant) == "body");
        let text: Vec<String> = bodies.flat_map(paragraphs).collect();
        if !text.is_empty() {
            out.raw("<p class=\"counts\">").word("preview.slide_notes").raw("</p>");
            lines(&text, out);
        }
    }
}

fn shapes(root: Node<'_, '_>, out: &mut Markup) {
    for node in root.descendants().filter(Node::is_element) {
        match node.tag_name().name() {
            "sp" => shape(node, out),
            "tbl" => table(node, out),
            "pic" => {
                let name = descendant(node, "cNvPr").and_then(|properties| {
                    attribute(properties, "descr").or(attribute(properties, "name"))
                });
                out.raw("<p class=\"counts\">");
                match name {
                    Some(name) => out.word("preview.picture_before").text(name),
                    None => out.word("preview.picture_unnamed"),
                };
                out.raw("</p>");
            }
            _ => {}
        }
    }
}

fn shape(node: Node<'_, '_>, out: &mut Markup) {
    let texts = paragraphs(node);
    match placeholder(node) {
        "title" | "ctrTitle" => drop(out.wrap("<h4>", &texts.join(" "), "</h4>")),
        "sldNum" | "dt" | "ftr" => {}
        _ => lines(&texts, out),
    }
}

fn lines(texts: &[String], out: &mut Markup) {
    for text in texts {
        out.wrap("<p>", text, "</p>");
    }
}

fn descendant<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.descendants().find(|descendant| is(*descendant, name))
}

/// The kind of placeholder that a shape is, or empty.
fn placeholder<'a>(shape: Node<'a, '_>) -> &'a str {
    let properties = child(shape, "nvSpPr");
    let found = properties.and_then(|properties| descendant(properties, "ph"));
    found.and_then(|found| attribute(found, "type")).unwrap_or_default()
}

fn table(table: Node<'_, '_>, out: &mut Markup) {
    out.raw("<div class=\"wide\" tabindex=\"0\"><table><tbody>");
    for row in children(table, "tr") {
        out.raw("<tr>");
        for cell in children(row, "tc") {
            out.wrap("<td>", &paragraphs(cell).join("\n"), "</td>");
        }
        out.raw("</tr>");
    }
    out.raw("</tbody></table></div>");
}

fn paragraphs(node: Node<'_, '_>) -> Vec<String> {
    let body = child(node, "txBody");
    let paragraphs = body.into_iter().flat_map(|body| children(body, "p"));
    let texts = paragraphs.map(|paragraph| {
        let text = |node: Node<'_, '_>| match node.tag_name().name() {
            "t" => node.text().unwrap_or_default().to_owned(),
            "br" => "\n".to_owned(),
            _ => String::new(),
        };
        paragraph.descendants().filter(Node::is_element).map(text).collect::<String>()
    });
    texts.filter(|text| !text.trim().is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::{PART, write};
    use crate::files::archive::tests::zip;
    use crate::preview::markup::Markup;

    #[test]
    fn slides_come_in_their_order_with_notes() {
        let list = "<p:presentation xmlns:p='p' xmlns:r='r'><p:sldIdLst><p:sldId id='256' r:id='b'/>\
            <p:sldId id='257' r:id='a'/></p:sldIdLst></p:presentation>";
        let relations = "<R><Relationship Id='a' Target='slides/s1.xml'/><Relationship Id='b' \
            Target='slides/s2.xml'/><Relationship Id='c' Target='http://x.example' TargetMode='External'/></R>";
        let slide = |title: &str| {
            format!(
                "<p:sld xmlns:p='p' xmlns:a='a'><p:sp><p:nvSpPr><p:nvPr><p:ph type='title'/></p:nvPr>\
                </p:nvSpPr><p:txBody><a:p><a:r><a:t>{title}</a:t></a:r></a:p></p:txBody></p:sp></p:sld>"
            )
        };
        let notes = slide("say &lt;hi&gt;").replace("'title'", "'body'");
        let notes_of = "<R><Relationship Id='n' Target='../notesSlides/notesSlide1.xml'/></R>";
        let bytes = zip(&[
            (PART, list.as_bytes()),
            ("ppt/_rels/presentation.xml.rels", relations.as_bytes()),
            ("ppt/slides/s1.xml", slide("One").as_bytes()),
            ("ppt/slides/s2.xml", slide("Two").as_bytes()),
            ("ppt/slides/_rels/s1.xml.rels", notes_of.as_bytes()),
            ("ppt/notesSlides/notesSlide1.xml", notes.as_bytes()),
        ]);
        let mut out = Markup::default();
        assert_eq!(write(&bytes, &mut out), Some(String::new()));
        let expected = "<ol class=\"slides\"><li><h4>Two</h4></li><li><h4>One</h4>\
            <p class=\"counts\">Notes</p><p>say &lt;hi&gt;</p></li></ol>";
        assert_eq!(out.finish().as_str(), expected);
    }
}
