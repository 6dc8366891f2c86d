//! Characters of ASCII that a document wrote as escapes: `\u0026` or `&#38;` for `&`, `\/` for `/`,
//! `\_` for `_`.

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
    let may_begin = |byte: &u8| matches!(byte, b'\\' | b'&');
    while let Some(at) = text[from..].iter().position(may_begin) {
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
        [b'\\', byte @ (b'/' | b'_' | b'-'), ..] => Some((*byte, 2)),
        // Markdown within JSON.
        [b'\\', b'\\', byte @ (b'_' | b'-'), ..] => Some((*byte, 3)),
        [b'&', b'#', b'x' | b'X', rest @ ..] => number(rest, 16).map(|(it, most)| (it, most + 3)),
        [b'&', b'#', rest @ ..] => number(rest, 10).map(|(it, most)| (it, most + 2)),
        [b'\\', b'u', b'0', b'0', high @ b'2'..=b'7', low, ..] => {
            let low = char::from(*low).to_digit(16)? as u8;
            Some((((high - b'0') << 4) | low, 6))
        }
        // JSON within JSON.
        [b'\\', b'\\', b'u', b'0', b'0', b'2'..=b'7', ..] => {
            one(&text[1..]).map(|(byte, length)| (byte, length + 1))
        }
        _ => None,
    }
}

/// The visible character of ASCII whose number `text` begins with, and the length up to its `;`.
fn number(text: &[u8], base: u32) -> Option<(u8, usize)> {
    let length = text.iter().take(8).position(|byte| *byte == b';')?;
    let digits = std::str::from_utf8(&text[..length]).ok()?;
    let number = u32::from_str_radix(digits, base).ok()?;
    let byte = u8::try_from(number).ok().filter(u8::is_ascii_graphic)?;
    Some((byte, length + 1))
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
        assert!(!are_in(br"a \u4e2d \n \\ &amp; &#8594; &#x; &#+9;"));
    }

    #[test]
    fn what_markdown_and_markup_escape_is_undone() {
        let text = br"a\_b\\_c&#95;d&#x5F;\-&#0045;&#10;\\u005f";
        assert_eq!(decode(text).text, b"a_b_c_d_--&#10;_");
    }
}
