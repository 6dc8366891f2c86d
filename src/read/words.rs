//! Keys and texts: spellings of one name, values as plain text, holes of templates.

use crate::json::{Node, number_text};

/// A value as plain text without looking for placeholders; `None` for null and blank text.
pub(super) fn plain(node: &Node<'_>) -> Option<String> {
    match node {
        Node::Null => None,
        Node::Text(text) => (!text.trim().is_empty()).then(|| text.to_string()),
        Node::Bool(flag) => Some(flag.to_string()),
        Node::Number(number) => Some(number_text(number)),
        Node::List(items) => {
            let parts: Vec<String> = items.iter().filter_map(|item| plain(item)).collect();
            (!parts.is_empty()).then(|| parts.join(", "))
        }
        Node::Object(entries) => {
            let parts: Vec<String> = entries
                .iter()
                .filter_map(|(key, value)| Some(format!("{key}: {}", plain(value)?)))
                .collect();
            (!parts.is_empty()).then(|| parts.join("; "))
        }
    }
}

/// Whether `name` is `key` but for case and the joints between words: `passRate`, `Pass Rate` and
/// `pass-rate` are `pass_rate`.
pub fn is_spelling(name: &str, key: &str) -> bool {
    fn letters(text: &str) -> impl Iterator<Item = u8> {
        let is_joint = |byte: &u8| matches!(byte, b'_' | b'-' | b' ');
        text.bytes().filter(move |byte| !is_joint(byte)).map(|byte| byte.to_ascii_lowercase())
    }
    let first = |text: &str| text.bytes().next().map(|byte| byte.to_ascii_lowercase());
    first(name) == first(key) && letters(name).eq(letters(key))
}

/// Whether a text is a template's hole that nobody filled: `<model-name>`, `<path/to/skill>`.
pub(super) fn is_placeholder(text: &str) -> bool {
    let Some(inner) = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) else {
        return false;
    };
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | ' ' | '.');
    !inner.is_empty() && inner.len() <= 60 && inner.chars().all(is_word)
}

#[cfg(test)]
mod tests {
    use super::is_placeholder;

    #[test]
    fn placeholders() {
        assert!(is_placeholder("<model-name>"));
        assert!(is_placeholder("<path/to/skill>"));
        assert!(!is_placeholder("<b>bold</b>"));
        assert!(!is_placeholder("a < b > c"));
        assert!(!is_placeholder("<>"));
    }
}
