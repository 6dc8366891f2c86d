//! The text of a `feedback.json` for the script of its page, which puts a reader's comments into it
//! and gives it back with everything else that it says.

use crate::discover::names;
use crate::json::parse_strict;
use crate::model::Feedback;
use crate::preview::markup::hides;
use crate::render::context::Site;

/// Bytes of such texts on one page; a file beyond them is not carried along, and the page says so.
pub(super) const ROOM: usize = 96 * 1024;

/// The text of the file as a page can hold it, where it is strictly JSON and finds room in `left`.
pub(super) fn feedback_document(
    site: Site<'_>,
    feedback: &Feedback,
    left: &mut usize,
) -> Option<String> {
    let path = names::join(site.part.prefix, &feedback.path);
    let bytes = site.part.source.read(&path, *left as u64 + 1).ok()?;
    let rest = left.checked_sub(bytes.len())?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    parse_strict(text).ok()?;
    *left = rest;
    Some(plain(text))
}

/// The same JSON without a character that pages show by a mark: such a one is escaped where it
/// stands in a text, and what else is a control character only ends a line.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\r' => {}
            '\n' | '\t' => plain.push(c),
            _ if c.is_control() || hides(c) => {
                let mut units = [0; 2];
                let units = c.encode_utf16(&mut units).iter();
                plain.extend(units.map(|unit| format!("\\u{unit:04x}")));
            }
            _ => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn what_hides_is_escaped_and_means_the_same() {
        let text = "{\r\n\t\"a\": \"b\u{202e}c\u{e0041}\u{85} 結果\"}";
        let expected = "{\n\t\"a\": \"b\\u202ec\\udb40\\udc41\\u0085 結果\"}";
        assert_eq!(plain(text), expected);
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(read(&plain(text)), read(text));
    }
}
