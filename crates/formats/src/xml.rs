//! XML of untrusted files, read with bounded work.

use roxmltree::{Document, ParsingOptions};

use crate::limits::MAX_PARTS;

/// Reads `text`; `None` if it is not XML, too large, or made to be slow. Document type definitions
/// are refused, so no entity can expand.
pub fn parse(text: &str, max_nodes: usize) -> Option<Document<'_>> {
    // The parser copies the namespaces of the outer elements for each that declares one.
    if text.matches("xmlns").nth(4_000).is_some() {
        return None;
    }
    // Attributes are between the `<` of their element and the next one, which no value may contain.
    if text.split('<').any(has_too_many_attributes) {
        return None;
    }
    let nodes_limit = u32::try_from(max_nodes).unwrap_or(u32::MAX);
    let options = ParsingOptions { allow_dtd: false, nodes_limit, ..Default::default() };
    Document::parse_with_options(text, options).ok()
}

fn has_too_many_attributes(tag: &str) -> bool {
    if tag.len() < MAX_PARTS {
        return false;
    }
    let values = tag.split('=').skip(1);
    values.filter(|value| value.trim_start().starts_with(['"', '\''])).count() > MAX_PARTS
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn harm_is_refused() {
        let attributes: String = (0..400).map(|n| format!(" a{n}='='")).collect();
        let names: String = (0..5_000).map(|n| format!("<a xmlns:n{n}='u{n}'>")).collect();
        let bomb = "<!DOCTYPE a [<!ENTITY b \"cc\"><!ENTITY d \"&b;&b;\">]><a>&d;</a>";
        for text in [format!("<a{attributes}/>"), names, bomb.to_owned()] {
            assert!(parse(&text, 100_000).is_none());
        }
        assert!(parse("<?xml version='1.0'?><a b='c'>======</a>", 10).is_some());
        let deep = "<a>".repeat(50_000) + &"</a>".repeat(50_000);
        assert!(parse(&deep, 100_000).is_some() && parse(&deep, 1_000).is_none());
    }
}
