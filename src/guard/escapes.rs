//! Characters of ASCII that a document wrote as escapes: `\u0026` for `&`, `\/` for `/`.

use std::ops::Range;

/// A text without such escapes.
pub(super) struct Plain {
    /// The text.
    pub(super) text: Vec<u8>,
    /// Where each of its bytes, and its end, stands in the text with escapes.
    starts: Vec<u32>,
}

/// Whether there is an escape that stands for a character of ASCII.
pub(super) fn are_in(text: &[u8]) -> bool {
    let mut from = 0;
    while let Some(at) = text[from..].iter().position(|byte| *byte == b'\\') {
        from += at + 1;
        if one(&text[from - 1..]).is_some() {
            return true;
        }
    }
    false
}

/// The character of the escape that `text` begins with, and the length of the escape.
fn one(text: &[u8]) -> Option<(u8, usize)> {
    match text {
        [b'\\', b'/', ..] => Some((b'/', 2)),
        [b'\\', b'u', b'0', b'0', high @ b'2'..=b'7', low, ..] => {
            let low = char::from(*low).to_digit(16)? as u8;
            Some((((high - b'0') << 4) | low, 6))
        }
        _ => None,
    }
}

/// `text` without its escapes.
pub(super) fn decode(text: &[u8]) -> Plain {
    let mut plain = Plain { text: Vec::with_capacity(text.len()), starts: Vec::new() };
    let mut at = 0;
    while at < text.len() {
        let (byte, length) = one(&text[at..]).unwrap_or((text[at], 1));
        plain.text.push(byte);
        plain.starts.push(at as u32);
        at += length;
    }
    plain.starts.push(text.len() as u32);
    plain
}

impl Plain {
    /// The first byte that stands at or after `raw` in the text with escapes.
    pub(super) fn position(&self, raw: usize) -> usize {
        self.starts.partition_point(|start| (*start as usize) < raw).min(self.text.len())
    }

    /// Where bytes stand in the text with escapes.
    pub(super) fn raw(&self, range: &Range<usize>) -> Range<usize> {
        self.starts[range.start] as usize..self.starts[range.end] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::{are_in, decode};

    #[test]
    fn places_lead_back_to_the_escapes() {
        let text = br"a\u0026b\/\u4e2d\n";
        let plain = decode(text);
        assert_eq!(plain.text, br"a&b/\u4e2d\n");
        assert_eq!(plain.raw(&(1..4)), 1..10);
        assert_eq!(plain.position(7), 2);
        assert!(are_in(text));
        assert!(!are_in(br"a \u4e2d \n \\"));
    }
}
