//! Whether a token may begin at a place, or is a part of a longer word.

use crate::guard::expression::Expression;
use crate::guard::scan::before;

pub(super) fn is_of_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Whether a token may begin at `at`: no letter or digit precedes it, unless an escape ends there.
/// So it may follow a name and `-` or `_`.
pub(super) fn begins(text: &[u8], at: usize) -> bool {
    before(text, at).is_none_or(|byte| !byte.is_ascii_alphanumeric()) || ends_escape(&text[..at])
}

/// The same for a token whose first bytes are a word or occur in base64: no part of a name, a path
/// or base64 precedes it. A line of a difference begins with `-` or `+`.
pub(super) fn begins_alone(text: &[u8], at: usize) -> bool {
    match before(text, at) {
        None => true,
        Some(b'-' | b'+') => {
            before(text, at - 1).is_none_or(|byte| byte == b'\n') || ends_escape(&text[..at - 1])
        }
        Some(b'_' | b'/') => false,
        Some(_) => begins(text, at),
    }
}

/// Whether `text` ends with an escape for one character, such as `\n`, `\x1b`, `\u2192` or `%0A`,
/// or with a terminal's color sequence in any spelling.
fn ends_escape(text: &[u8]) -> bool {
    static ESCAPE: Expression = Expression::constant(
        r"(?-u)(?:\\[ntrbfv0]|\\u[[:xdigit:]]{4}|\\x[[:xdigit:]]{2}|%[[:xdigit:]]{2}|(?:\x1b|\\u001[bB]|\\x1[bB]|\\033|\\e|\xe2\x90\x9b)\[[0-9;]{0,24}m)\z",
    );
    ESCAPE.fits(&text[text.len().saturating_sub(36)..])
}
