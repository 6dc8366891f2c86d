//! Office files: the text and tables that a reader would see.
//!
//! Macros, links, fields and external data are ignored. Only the parts named here are unpacked,
//! each up to a limit.

mod document;
mod slides;
mod workbook;

pub(super) use document::write as document;
pub(super) use slides::write as slides;
pub(super) use workbook::write as workbook;

use std::collections::BTreeMap;

use roxmltree::{Document, Node};

use crate::files::archive::Archive;
use crate::preview::xml;

const MAX_NODES: u32 = 400_000;

/// The most nested elements that a walk enters.
const MAX_DEPTH: usize = 32;

fn parse(text: &str) -> Option<Document<'_>> {
    xml::parse(text, MAX_NODES)
}

/// The child elements with that local name.
fn children<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| is(*child, name))
}

/// The first child element with that local name.
fn child<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> Option<Node<'a, 'i>> {
    children(node, name).next()
}

fn is(node: Node<'_, '_>, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

/// The attribute with that local name, in any namespace.
fn attribute<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.attributes().find(|attribute| attribute.name() == name).map(|found| found.value())
}

/// The relations of `part`: id → path of another part.
fn relations(archive: &Archive<'_>, part: &str) -> BTreeMap<String, String> {
    let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
    let text = archive.text(&format!("{folder}/_rels/{name}.rels"));
    let xml = text.as_ref().and_then(|(text, _)| parse(text));
    let relations = xml.iter().flat_map(|xml| children(xml.root_element(), "Relationship"));
    let inside = relations.filter(|relation| relation.attribute("TargetMode") != Some("External"));
    let target = |relation: Node<'_, '_>| {
        let target = resolve(folder, relation.attribute("Target")?);
        Some((relation.attribute("Id")?.to_owned(), target))
    };
    inside.filter_map(target).collect()
}

/// Resolves a path relative to a folder of the archive against its root.
fn resolve(folder: &str, target: &str) -> String {
    let mut path: Vec<&str> = match target.starts_with('/') {
        true => Vec::new(),
        false => folder.split('/').collect(),
    };
    for name in target.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(path.pop()),
            _ => path.push(name),
        }
    }
    path.join("/")
}

fn relation<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    let mut ids = node.attributes().filter(|attribute| attribute.name() == "id");
    ids.find(|id| id.namespace().is_some()).map(|id| id.value())
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn paths_stay_inside() {
        assert_eq!(resolve("ppt", "slides/slide1.xml"), "ppt/slides/slide1.xml");
        assert_eq!(resolve("ppt/slides", "../notesSlides/n.xml"), "ppt/notesSlides/n.xml");
        assert_eq!(resolve("xl", "/xl/worksheets/s.xml"), "xl/worksheets/s.xml");
        assert_eq!(resolve("xl", "../../../etc/passwd"), "etc/passwd");
    }
}
