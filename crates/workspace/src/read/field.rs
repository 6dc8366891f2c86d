//! A field of a document by all its spellings.

use crate::read::forms::{Shape, ValueForm};

/// One field of a kind of document.
#[derive(Debug)]
pub struct Field {
    /// What the reference calls it, such as `pass rate`.
    pub name: &'static str,
    /// Every spelling, the documented one first.
    pub spellings: &'static [&'static str],
    /// The object of a schema that has it, and the form of its value there.
    pub form: Option<(Shape, ValueForm)>,
}

impl Field {
    /// Whether `key` is a spelling of it, whatever its case and word separators.
    pub fn is(&self, key: &str) -> bool {
        self.spellings.iter().any(|spelling| is_spelling(key, spelling))
    }
}

/// Whether `key` is a spelling of one of `fields`.
pub(super) fn is_any(fields: &[&Field], key: &str) -> bool {
    fields.iter().any(|field| field.is(key))
}

/// Whether `name` is `key` except for case and word separators: `passRate`, `Pass Rate` and
/// `pass-rate` are `pass_rate`.
pub fn is_spelling(name: &str, key: &str) -> bool {
    fn first(text: &str) -> Option<u8> {
        text.bytes().next().map(|byte| byte.to_ascii_lowercase())
    }
    fn letters(text: &str) -> impl Iterator<Item = u8> {
        let letters = text.bytes().filter(|byte| !matches!(byte, b'_' | b'-' | b' '));
        letters.map(|byte| byte.to_ascii_lowercase())
    }
    // Most names differ in their first letter, and a document has very many of them.
    first(name) == first(key) && letters(name).eq(letters(key))
}
