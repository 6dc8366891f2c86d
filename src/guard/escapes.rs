//! ASCII characters written as escapes: `\u0026`, `&#38;`, `&amp;` or `%26` for `&`, `\/` for `/`,
//! `\_` for `_`. And tokens of known shape in base64, one level deep.

use std::ops::Range;

use crate::guard::rule::FoundSecret;
use crate::guard::values::{among, leading, piece};
use crate::text::base64;

pub(super) struct Unescaped {
    pub(super) text: Vec<u8>,
    /// The offsets of each byte, and of the end, in the text with escapes.
    starts: Vec<u32>,
    /// Its bytes at which something with an escape may begin.
    pub(super) within: Range<usize>,
}

/// How far before an escape something that contains it may begin.
const BEFORE: usize = 1024;

/// Bytes after an escape that are examined with it.
const BEHIND: usize = 4096;

/// The parts of `text` with escapes, for matches that begin in `within`.
pub(super) fn parts(text: &[u8], within: Range<usize>) -> Vec<Unescaped> {
    // Most JSON strings have escaped newlines; they only matter before the values of a Secret.
    let is_worth_a_look = |at: usize| match one(&text[at..]) {
        Some((b'\n', _)) => text[..at].ends_with(b"data:") || text[..at].ends_with(b"Data:"),
        found => found.is_some(),
    };
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let from = within.start.saturating_sub(BEFORE);
    for at in memchr::memchr3_iter(b'\\', b'&', b'%', &text[from..]).map(|at| from + at) {
        let start = at.saturating_sub(BEFORE).max(from);
        match ranges.last_mut() {
            _ if start >= within.end => break,
            _ if !is_worth_a_look(at) => {}
            Some(last) if at < last.end => last.end = text.len().min(at + BEHIND),
            _ => ranges.push(start..text.len().min(at + BEHIND)),
        }
    }
    ranges.into_iter().map(|range| Unescaped::new(text, range, &within)).collect()
}

/// The character of the escape that `text` begins with, and the length of the escape.
fn one(text: &[u8]) -> Option<(u8, usize)> {
    let hex = |high: u8, low: u8, length| {
        let low = char::from(low).to_digit(16)? as u8;
        Some((((high - b'0') << 4) | low, length))
    };
    match text {
        [b'\\', byte @ (b'/' | b'_' | b'-'), ..] => Some((*byte, 2)),
        [b'\\', b'n', ..] => Some((b'\n', 2)),
        // Markdown within JSON.
        [b'\\', b'\\', byte @ (b'_' | b'-'), ..] => Some((*byte, 3)),
        [b'%', high @ b'2'..=b'7', low, ..] => hex(*high, *low, 3),
        [b'&', b'q', b'u', b'o', b't', b';', ..] => Some((b'"', 6)),
        [b'&', b'a', b'm', b'p', b';', ..] => Some((b'&', 5)),
        [b'&', b'#', b'x' | b'X', rest @ ..] => number(rest, 16, 3),
        [b'&', b'#', rest @ ..] => number(rest, 10, 2),
        [b'\\', b'u', b'0', b'0', high @ b'2'..=b'7', low, ..] => hex(*high, *low, 6),
        // JSON within JSON.
        [b'\\', b'\\', b'u', b'0', b'0', b'2'..=b'7', ..] => {
            one(&text[1..]).map(|(byte, length)| (byte, length + 1))
        }
        _ => None,
    }
}

/// The visible ASCII character whose number `text` begins with, after `head` bytes of its escape.
fn number(text: &[u8], base: u32, head: usize) -> Option<(u8, usize)> {
    let length = text.iter().take(8).position(|byte| *byte == b';')?;
    let digits = std::str::from_utf8(&text[..length]).ok()?;
    let number = u32::from_str_radix(digits, base).ok()?;
    let byte = u8::try_from(number).ok().filter(u8::is_ascii_graphic)?;
    Some((byte, head + length + 1))
}

impl Unescaped {
    fn new(text: &[u8], range: Range<usize>, within: &Range<usize>) -> Self {
        let (mut bytes, mut starts) = (Vec::with_capacity(range.len()), Vec::new());
        let mut at = range.start;
        while at < range.end {
            let (byte, length) = one(&text[at..]).unwrap_or((text[at], 1));
            bytes.push(byte);
            starts.push(at as u32);
            at += length;
        }
        starts.push(at as u32);
        let mut plain = Self { text: bytes, starts, within: 0..0 };
        plain.within = plain.position(within.start)..plain.position(within.end);
        plain
    }

    /// The first byte at or after `raw` in the text with escapes.
    fn position(&self, raw: usize) -> usize {
        self.starts.partition_point(|start| (*start as usize) < raw).min(self.text.len())
    }

    /// The range of bytes in the text with escapes.
    pub(super) fn raw(&self, range: &Range<usize>) -> Range<usize> {
        self.starts[range.start] as usize..self.starts[range.end] as usize
    }
}

/// The shortest run examined, in bytes; no token is shorter in base64.
const LEAST: usize = 24;

/// The longest run that is examined as a whole.
const MOST: usize = 16 * 1024;

/// Every base64 run that begins in `within` and has a match of `known`.
pub(super) fn find(
    text: &[u8],
    within: Range<usize>,
    find_known: &dyn Fn(&[u8]) -> Option<usize>,
) -> Vec<FoundSecret> {
    let mut runs = Vec::new();
    let mut at = within.start;
    // No run this long begins before the last foreign byte of a window.
    while let Some(window) = text.get(at..at + LEAST).filter(|_| at < within.end) {
        if let Some(other) = window.iter().rposition(|byte| !OF_RUN[usize::from(*byte)]) {
            at += other + 1;
            continue;
        }
        let run = piece(text, at, MOST);
        let length = leading(run, |byte| OF_RUN[usize::from(byte)]);
        let filled = leading(piece(run, length, 2), among(b"="));
        let shape = self::text(&run[..length]).and_then(|plain| find_known(&plain));
        runs.extend(shape.map(|shape| FoundSecret { range: at..at + length + filled, shape }));
        at += length;
    }
    runs
}

/// Bytes of either base64 alphabet.
const OF_RUN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] =
            byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_');
        byte += 1;
    }
    table
};

/// The text encoded by `run`, in either alphabet; `None` if it is not base64 of a text.
pub(super) fn text(run: &[u8]) -> Option<Vec<u8>> {
    let digits = run.iter().copied().take_while(|byte| *byte != b'=');
    let allows = |byte: u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
    base64(digits, allows).filter(|plain| std::str::from_utf8(plain).is_ok())
}

#[cfg(test)]
pub(super) mod tests {
    use super::{FoundSecret, Unescaped, find, parts, text};

    fn plain(text: &[u8]) -> Unescaped {
        parts(text, 0..text.len()).pop().unwrap()
    }

    #[test]
    fn places_lead_back_to_the_escapes() {
        let plain = plain(br"a\u0026b\/\u4e2d\n");
        assert_eq!(plain.text, b"a&b/\\u4e2d\n");
        assert_eq!(plain.raw(&(1..4)), 1..10);
        assert_eq!(plain.position(7), 2);
    }

    #[test]
    fn escapes_of_markdown_markup_and_addresses_are_undone() {
        let text = br"a\_b\\_c&#95;d&#x5F;\-&#0045;&#10;\\u005f%3a&amp;&quot;";
        assert_eq!(plain(text).text, br#"a_b_c_d_--&#10;_:&""#);
        let other = br"a \u4e2d \n \\ &lt; &#8594; &#x; &#+9; 5% %0a";
        assert!(parts(other, 0..other.len()).is_empty());
    }

    #[test]
    fn only_the_surroundings_of_escapes_are_looked_at() {
        let text =
            [vec![b'a'; 20_000], b"%41".to_vec(), vec![b'b'; 20_000], b"%42".to_vec()].concat();
        let parts = parts(&text, 0..text.len());
        let lengths: Vec<usize> = parts.iter().map(|part| part.text.len()).collect();
        assert_eq!(lengths, [1024 + 4096 - 2, 1024 + 1]);
        assert_eq!(parts[1].raw(&(1024..1025)), 40_003..40_006);
    }

    /// `bytes` in base64.
    pub(in crate::guard) fn base64(bytes: &[u8]) -> String {
        const ALPHABET: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let four = |three: &[u8]| -> String {
            let bits = (0..3).fold(0_u32, |bits, at| {
                bits << 8 | u32::from(three.get(at).copied().unwrap_or_default())
            });
            let letter = |at: usize| match at <= three.len() {
                true => char::from(ALPHABET[(bits >> (18 - 6 * at) & 63) as usize]),
                false => '=',
            };
            (0..4).map(letter).collect()
        };
        bytes.chunks(3).map(four).collect()
    }

    #[test]
    fn only_texts_are_decoded() {
        assert_eq!(text(b"aGVsbG8=").as_deref(), Some(&b"hello"[..]));
        assert_eq!(text("größe".as_bytes()), None);
        assert_eq!(text(base64("größe\n".as_bytes()).as_bytes()), Some("größe\n".into()));
        assert_eq!(text(base64(b"\x89PNG\r\n").as_bytes()), None);
    }

    #[test]
    fn a_run_is_found_at_any_position() {
        let run = base64(b"a secret of a known shape");
        for before in 0..60 {
            let text = format!("{}{run} and more", ". ".repeat(before));
            let found = find(text.as_bytes(), 0..text.len(), &|plain| {
                (plain == b"a secret of a known shape").then_some(7)
            });
            let range = before * 2..before * 2 + run.len();
            let found: Vec<_> =
                found.into_iter().map(|FoundSecret { range, shape }| (range, shape)).collect();
            assert_eq!(found, [(range, 7)], "{before}");
        }
    }
}
