//! Text as XML takes it. A leaf.

/// `text` between tags. No `>` stays, and so no `]]>`; what XML cannot hold becomes U+FFFD.
pub(crate) fn content(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '\n' | '\t' => safe.push(c),
            '\r' => safe.push_str("&#13;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

/// `text` in an attribute between double quotes.
pub(crate) fn attribute(text: &str) -> String {
    content(text).replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use roxmltree::Document;

    use super::{attribute, content};

    proptest! {
        #[test]
        fn every_text_is_xml(text in r#"([\]<>&"'\x00-\x1f]|\PC|\u{fffe}|\]\]>|--|<!\[CDATA\[){0,30}"#) {
            let xml = format!("<a b=\"{}\">{}</a>", attribute(&text), content(&text));
            let document = Document::parse(&xml).map_err(|it| TestCaseError::fail(it.to_string()))?;
            let root = document.root_element();
            prop_assert_eq!(root.descendants().filter(|node| node.is_element()).count(), 1);
            let plain = |c: char| match c {
                '\n' | '\t' | '\r' => c,
                c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => '\u{fffd}',
                c => c,
            };
            let expected: String = text.chars().map(plain).collect();
            prop_assert_eq!(root.text().unwrap_or_default(), expected);
        }
    }
}
