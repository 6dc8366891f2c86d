//! For tests: checks that a drawing is well-formed and has everything a drawing must have.

use std::collections::BTreeSet;

use roxmltree::{Document, Node};

const KNOWN: [&str; 10] =
    ["svg", "title", "desc", "g", "a", "path", "circle", "rect", "text", "line"];

/// Returns the texts of `svg`. Panics unless it is a row of well-formed `<svg>` elements with
/// title, description and role, finite numbers and unique ids, without script, style or handlers.
pub(in crate::chart) fn checked(svg: &str) -> Vec<String> {
    let row = format!("<row>{svg}</row>");
    let document = Document::parse(&row).unwrap_or_else(|why| panic!("{why}: {svg}"));
    let mut ids = BTreeSet::new();
    let mut texts = Vec::new();
    for node in document.root_element().descendants().skip(1) {
        if let Some(text) = node.text().filter(|_| node.is_text()) {
            assert!(!text.chars().any(char::is_control), "{text}");
            texts.push(text.to_owned());
        } else {
            check_element(node, &mut ids);
        }
    }
    texts
}

fn check_element<'a>(element: Node<'a, '_>, ids: &mut BTreeSet<&'a str>) {
    let name = element.tag_name().name();
    assert!(KNOWN.contains(&name), "unknown element {name}");
    let is_outermost =
        element.parent_element().is_some_and(|parent| parent.tag_name().name() == "row");
    assert!(!is_outermost || name == "svg", "{name} outside");
    for attribute in element.attributes() {
        let (key, value) = (attribute.name(), attribute.value());
        assert!(!key.starts_with("on") && key != "style", "{key}");
        match key {
            "id" => assert!(ids.insert(value), "id {value} twice"),
            "d" | "x" | "y" | "cx" | "cy" | "r" | "width" | "height" | "viewBox" => numbers(value),
            _ => {}
        }
    }
    if name == "svg" {
        assert!(element.has_attribute("role") && element.has_attribute("viewBox"), "{element:?}");
        let labels = ["aria-label", "aria-labelledby"];
        assert!(labels.iter().any(|key| element.has_attribute(*key)), "svg without a label");
    }
}

/// Checks that every number is finite and has at most two decimals.
fn numbers(value: &str) {
    for number in value.split(|c: char| c.is_ascii_alphabetic() || c == ' ') {
        if !number.is_empty() {
            let parsed: f64 = number.parse().expect("a number");
            assert!(parsed.is_finite() && number != "-0", "{number}");
            assert!(number.split_once('.').is_none_or(|(_, digits)| digits.len() <= 2), "{number}");
        }
    }
}
