//! Text as it is, and how much of it a page shows.

use crate::language::Language;
use crate::preview::markup::{Markup, Safe};

/// At most `limit` bytes of `text`, cut after a line if one ends in the last half.
pub(super) fn head(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let cut = &text[..text.floor_char_boundary(limit)];
    match cut.rfind('\n') {
        // Minified files have no line end near the limit.
        Some(end) if end >= limit / 2 => &cut[..=end],
        _ => cut,
    }
}

pub(super) fn pre(text: &str) -> Safe {
    let mut out = Markup::default();
    out.raw("<pre>\n").value(text).raw("</pre>");
    out.finish()
}

/// Joins the non-empty parts of a remark.
pub(super) fn remarks<'r>(parts: impl IntoIterator<Item = &'r str>, language: &Language) -> String {
    language.list(parts.into_iter().filter(|part| !part.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::head;

    #[test]
    fn cuts_are_between_characters_and_lines() {
        assert_eq!(head("ab\ncd\nef", 7), "ab\ncd\n");
        assert_eq!(head("äöü", 3), "ä");
        assert_eq!(head("a\nbbbbbbbb", 6), "a\nbbbb");
        assert_eq!(head("short", 10), "short");
    }
}
