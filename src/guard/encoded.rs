//! Tokens of known shape in base64, one level deep.

use std::ops::Range;

use crate::guard::rule::Found;
use crate::guard::values::{among, leading, piece};
use crate::text::base64;

/// The shortest run that is looked at, in bytes; no token is shorter in base64.
const LEAST: usize = 24;

/// The longest run that is looked at as a whole.
const MOST: usize = 16 * 1024;

/// Every run of base64 that begins in `within` and holds what `known` finds.
pub(super) fn find(
    text: &[u8],
    within: Range<usize>,
    known: &dyn Fn(&[u8]) -> Option<usize>,
) -> Vec<Found> {
    let mut found = Vec::new();
    let mut at = within.start;
    // No run so long begins before the last byte of a window that is of none.
    while let Some(window) = text.get(at..at + LEAST).filter(|_| at < within.end) {
        if let Some(other) = window.iter().rposition(|byte| !OF_RUN[usize::from(*byte)]) {
            at += other + 1;
            continue;
        }
        let run = piece(text, at, MOST);
        let length = leading(run, |byte| OF_RUN[usize::from(byte)]);
        let filled = leading(piece(run, length, 2), among(b"="));
        let shape = self::text(&run[..length]).and_then(|plain| known(&plain));
        found.extend(shape.map(|shape| Found { range: at..at + length + filled, shape }));
        at += length;
    }
    found
}

/// Which bytes are of base64 in either alphabet.
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

/// The text that `run` is the base64 of, in either alphabet; `None` where it is none or no text.
pub(super) fn text(run: &[u8]) -> Option<Vec<u8>> {
    let digits = run.iter().copied().take_while(|byte| *byte != b'=');
    let allows = |byte: u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
    base64(digits, allows).filter(|plain| std::str::from_utf8(plain).is_ok())
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Found, find, text};

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
    fn a_run_is_found_wherever_it_stands() {
        let run = base64(b"a secret of a known shape");
        for before in 0..60 {
            let text = format!("{}{run} and more", ". ".repeat(before));
            let found = find(text.as_bytes(), 0..text.len(), &|plain| {
                (plain == b"a secret of a known shape").then_some(7)
            });
            let range = before * 2..before * 2 + run.len();
            let found: Vec<_> =
                found.into_iter().map(|Found { range, shape }| (range, shape)).collect();
            assert_eq!(found, [(range, 7)], "{before}");
        }
    }
}
