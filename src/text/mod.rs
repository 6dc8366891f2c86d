//! Text for people: order, counts and numbers. A leaf.

mod encoded;
mod natural;
mod number;
mod printable;
mod slug;

use std::borrow::Cow;

pub(crate) use encoded::base64;
pub use encoded::{Utf16, utf_16};
pub use natural::natural_order;
pub use number::{
    Duration, Percent, bytes, count, fixed, percent, points, seconds, signed, signed_points,
    signed_score, tokens,
};
pub use printable::{hides, printable, printable_json};
pub use slug::Slugs;

/// Text without differences of case and white space, to compare statements and prompts.
pub fn folded(text: &str) -> Cow<'_, str> {
    if is_folded(text) {
        return Cow::Borrowed(text);
    }
    let mut words = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        words.push_str(if words.is_empty() { "" } else { " " });
        words.push_str(word);
    }
    if words.is_ascii() {
        words.make_ascii_lowercase();
        return Cow::Owned(words);
    }
    Cow::Owned(words.to_lowercase())
}

/// Whether a text is plainly as [`folded`] would make it, so that nothing has to be copied.
fn is_folded(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_kept =
        |byte: &u8| byte.is_ascii_graphic() && !byte.is_ascii_uppercase() || *byte == b' ';
    let ends_in_space = [bytes.first(), bytes.last()].contains(&Some(&b' '));
    !ends_in_space && bytes.iter().all(is_kept) && !text.contains("  ")
}

/// The name among `names`, which are apart by spaces.
pub fn listed(names: &'static str, name: &str) -> Option<&'static str> {
    names.split_ascii_whitespace().find(|known| *known == name)
}

/// Whether `name` is among `names`, which are apart by spaces.
pub fn is_listed(names: &'static str, name: &str) -> bool {
    listed(names, name).is_some()
}

/// A name in lower case, with `_` for `-`, `.` and spaces, so that spellings compare equal.
pub fn folded_name(name: &str) -> String {
    name.chars()
        .flat_map(char::to_lowercase)
        .map(|c| if matches!(c, '-' | '.' | ' ') { '_' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn case_and_white_space_make_no_difference() {
        let table = [
            ("names all 3", "names all 3"),
            ("Names  all\n3 ", "names all 3"),
            (" a", "a"),
            ("a\u{a0}ÜB", "a üb"),
            ("İ", "i\u{307}"),
            ("", ""),
        ];
        for (text, expected) in table {
            assert_eq!(folded(text), expected, "{text:?}");
        }
    }
}
