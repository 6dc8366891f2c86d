//! Small steps over bytes that all finders share.

use std::sync::OnceLock;

use memchr::memmem;

/// A text that is looked for in every file. Its search is prepared once: most texts are short.
#[derive(Debug)]
pub(super) struct Needle {
    text: &'static str,
    finder: OnceLock<memmem::Finder<'static>>,
}

impl Needle {
    pub(super) const fn new(text: &'static str) -> Self {
        Self { text, finder: OnceLock::new() }
    }

    pub(super) fn text(&self) -> &'static str {
        self.text
    }

    /// Where it begins, from left to right.
    pub(super) fn find_in<'t>(&'t self, text: &'t [u8]) -> memmem::FindIter<'t, 't> {
        self.finder.get_or_init(|| memmem::Finder::new(self.text)).find_iter(text)
    }
}

/// At most `length` bytes of `text` from `at` on.
pub(super) fn piece(text: &[u8], at: usize, length: usize) -> &[u8] {
    let end = text.len().min(at.saturating_add(length));
    text.get(at..end).unwrap_or_default()
}

/// The number of bytes at the start for which `is_one` holds.
pub(super) fn leading(text: &[u8], is_one: impl Fn(u8) -> bool) -> usize {
    text.iter().take_while(|byte| is_one(**byte)).count()
}

/// The number of bytes at the end for which `is_one` holds.
pub(super) fn trailing(text: &[u8], is_one: impl Fn(u8) -> bool) -> usize {
    text.iter().rev().take_while(|byte| is_one(**byte)).count()
}

pub(super) fn among(bytes: &'static [u8]) -> impl Fn(u8) -> bool {
    move |byte| bytes.contains(&byte)
}

pub(super) fn before(text: &[u8], at: usize) -> Option<u8> {
    at.checked_sub(1).and_then(|at| text.get(at)).copied()
}

/// Whether a byte is part of a word: a letter, a digit or `_`.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
