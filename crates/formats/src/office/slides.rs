//! Presentations: the title, text, tables, pictures and notes of each slide, in order.

use roxmltree::Node;

use super::xml::{
    attribute, child, children, descendant, is, parse, picture_name, relation, relations,
};
use crate::archive::Archive;
use crate::blocks::{Block, Slide};
use crate::limits::MAX_PARTS;

const PART: &str = "ppt/presentation.xml";

/// The slides in `content`, `None` for each that cannot be read; `None` if it is no presentation.
pub fn read(content: &[u8]) -> Option<Vec<Option<Slide>>> {
    let archive = Archive::open(content)?;
    let (text, _) = archive.text(PART)?;
    let xml = parse(&text)?;
    let parts = relations(&archive, PART);
    let mut slides = Vec::new();
    for id in children(child(xml.root_element(), "sldIdLst")?, "sldId") {
        let Some(part) = relation(id).and_then(|id| parts.get(id)) else { continue };
        slides.push(if slides.len() < MAX_PARTS { slide(&archive, part) } else { None });
    }
    Some(slides)
}

fn slide(archive: &Archive<'_>, part: &str) -> Option<Slide> {
    let (text, _) = archive.text(part)?;
    let mut slide = Slide { blocks: shapes(parse(&text)?.root_element()), notes: Vec::new() };
    let mut related = relations(archive, part).into_values();
    let notes = related.find(|path| path.contains("notesSlide"));
    if let Some((text, _)) = notes.and_then(|path| archive.text(&path))
        && let Some(xml) = parse(&text)
    {
        // The other shapes of a notes page are the slide itself, its number and its date.
        let shapes = xml.descendants().filter(|node| is(*node, "sp"));
        let bodies = shapes.filter(|shape| placeholder(*shape) == "body");
        slide.notes = bodies.flat_map(paragraphs).collect();
    }
    Some(slide)
}

fn shapes(root: Node<'_, '_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    for node in root.descendants().filter(Node::is_element) {
        match node.tag_name().name() {
            "sp" => match placeholder(node) {
                "title" | "ctrTitle" => {
                    blocks.push(Block::Heading { level: 1, text: paragraphs(node).join(" ") });
                }
                // The number, date and footer of a slide are not its content.
                "sldNum" | "dt" | "ftr" => {}
                _ => blocks.extend(paragraphs(node).into_iter().map(Block::Paragraph)),
            },
            "tbl" => {
                let rows = children(node, "tr").map(|row| children(row, "tc").map(cell).collect());
                blocks.push(Block::Table(rows.collect()));
            }
            "pic" => blocks.push(Block::Picture(picture_name(node, "cNvPr"))),
            _ => {}
        }
    }
    blocks
}

fn cell(cell: Node<'_, '_>) -> Vec<Block> {
    paragraphs(cell).into_iter().map(Block::Paragraph).collect()
}

/// The kind of placeholder that a shape is, or empty.
fn placeholder<'a>(shape: Node<'a, '_>) -> &'a str {
    let properties = child(shape, "nvSpPr");
    let found = properties.and_then(|properties| descendant(properties, "ph"));
    found.and_then(|found| attribute(found, "type")).unwrap_or_default()
}

fn paragraphs(shape: Node<'_, '_>) -> Vec<String> {
    let Some(body) = child(shape, "txBody") else { return Vec::new() };
    let texts = children(body, "p").map(paragraph_text);
    texts.filter(|text| !text.trim().is_empty()).collect()
}

fn paragraph_text(paragraph: Node<'_, '_>) -> String {
    let mut text = String::new();
    for node in paragraph.descendants().filter(Node::is_element) {
        match node.tag_name().name() {
            "t" => text.push_str(node.text().unwrap_or_default()),
            "br" => text.push('\n'),
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{PART, read};
    use crate::blocks::{Block, Slide};
    use testing::archive::zip;

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
        let titled = |text: &str, notes: &[&str]| {
            let notes = notes.iter().map(|note| (*note).to_owned()).collect();
            let blocks = vec![Block::Heading { level: 1, text: text.to_owned() }];
            Some(Slide { blocks, notes })
        };
        assert_eq!(read(&bytes), Some(vec![titled("Two", &[]), titled("One", &["say <hi>"])]));
    }
}
