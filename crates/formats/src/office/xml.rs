//! What the three kinds of office file share: elements by their local names, and relations between parts.

use std::collections::BTreeMap;

use roxmltree::{Document, Node};

use crate::archive::Archive;
use crate::limits::MAX_ITEMS;
use crate::xml;

pub(super) fn parse(text: &str) -> Option<Document<'_>> {
    xml::parse(text, MAX_ITEMS)
}

/// The child elements with that local name.
pub(super) fn children<'a, 'i>(
    node: Node<'a, 'i>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| is(*child, name))
}

/// The first child element with that local name.
pub(super) fn child<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> Option<Node<'a, 'i>> {
    children(node, name).next()
}

/// The first element below `node` with that local name.
pub(super) fn descendant<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.descendants().find(|descendant| is(*descendant, name))
}

pub(super) fn is(node: Node<'_, '_>, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

/// The attribute with that local name, in any namespace.
pub(super) fn attribute<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.attributes().find(|attribute| attribute.name() == name).map(|found| found.value())
}

/// The description of a drawing, else its name; empty without both.
pub(super) fn picture_name(drawing: Node<'_, '_>, properties: &str) -> String {
    let properties = descendant(drawing, properties);
    let name = properties.and_then(|found| attribute(found, "descr").or(attribute(found, "name")));
    name.unwrap_or_default().to_owned()
}

/// The relations of `part`: id → path of another part.
pub(super) fn relations(archive: &Archive<'_>, part: &str) -> BTreeMap<String, String> {
    let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
    let Some((text, _)) = archive.text(&format!("{folder}/_rels/{name}.rels")) else {
        return BTreeMap::new();
    };
    let Some(xml) = parse(&text) else { return BTreeMap::new() };
    let mut parts = BTreeMap::new();
    for relation in children(xml.root_element(), "Relationship") {
        let (id, target) = (relation.attribute("Id"), relation.attribute("Target"));
        if let (Some(id), Some(target)) = (id, target)
            && relation.attribute("TargetMode") != Some("External")
        {
            parts.insert(id.to_owned(), resolve(folder, target));
        }
    }
    parts
}

/// Resolves a path relative to a folder of the archive against its root.
fn resolve(folder: &str, target: &str) -> String {
    let mut path: Vec<&str> = Vec::new();
    if !target.starts_with('/') {
        path.extend(folder.split('/'));
    }
    for name in target.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(path.pop()),
            _ => path.push(name),
        }
    }
    path.join("/")
}

/// The id of the part that `node` refers to.
pub(super) fn relation<'a>(node: Node<'a, '_>) -> Option<&'a str> {
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
