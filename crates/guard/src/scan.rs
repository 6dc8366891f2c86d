//! Small steps over bytes that all finders share.

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

pub(super) fn is_of_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Whether a token may begin at `at`: no letter or digit precedes it, so that it may follow a name and
/// `-` or `_`.
pub(super) fn begins(text: &[u8], at: usize) -> bool {
    before(text, at).is_none_or(|byte| !byte.is_ascii_alphanumeric())
}

/// The same for a token whose first bytes are a word or occur in base64: no part of a name, a path
/// or base64 precedes it. A line of a difference begins with `-` or `+`.
pub(super) fn begins_alone(text: &[u8], at: usize) -> bool {
    match before(text, at) {
        Some(b'-' | b'+') => before(text, at - 1).is_none_or(|byte| byte == b'\n'),
        Some(b'_' | b'/') => false,
        _ => begins(text, at),
    }
}
