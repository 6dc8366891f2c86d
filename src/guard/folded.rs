//! What a reader sees of a text, as far as its bytes do not show it: without colors, tags and marks
//! that style a part of a word, without invisible characters and the ends of wrapped lines.
//!
//! A secret that is only whole in this view cannot be replaced in the text.

use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::guard::scan::{among, leading, piece};

/// The longest tag and the longest gap between two parts of a string, in bytes.
const MAX_GAP: usize = 300;

/// Invisible characters, as bytes and as HTML writes them.
const INVISIBLE: [&[u8]; 12] = [
    b"\xe2\x80\x8b",
    b"\xe2\x80\x8c",
    b"\xe2\x80\x8d",
    b"\xe2\x80\x8e",
    b"\xe2\x80\x8f",
    b"\xe2\x81\xa0",
    b"\xef\xbb\xbf",
    b"\xc2\xad",
    b"&shy;",
    b"&#8203;",
    b"&#x200b;",
    b"&ZeroWidthSpace;",
];

/// Bytes with which nothing begins that is left out or decoded.
const IS_PLAIN: [bool; 256] = {
    let special = b"\0*`~\n\r\\=\x1b<\"'\xc2\xe2\xef&";
    let mut is_plain = [true; 256];
    let mut at = 0;
    while at < special.len() {
        is_plain[special[at] as usize] = false;
        at += 1;
    }
    is_plain
};

/// The view of a whole text.
pub(super) fn fold(text: &[u8]) -> Vec<u8> {
    let mut folded = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let plain = leading(&text[at..], |byte| IS_PLAIN[usize::from(byte)]);
        folded.extend_from_slice(&text[at..at + plain]);
        at += plain;
        let rest = &text[at..];
        if rest.is_empty() {
            break;
        }
        if let Some(byte) = quoted_printable(rest) {
            folded.push(byte);
            at += 3;
            continue;
        }
        let unseen = unseen(rest);
        if unseen == 0 {
            folded.push(rest[0]);
        }
        at += unseen.max(1);
    }
    folded
}

/// How many bytes at the start of `rest` a reader does not see.
fn unseen(rest: &[u8]) -> usize {
    match rest[0] {
        0 | b'*' | b'`' | b'~' => 1,
        // The next line may be indented, quoted or in a frame.
        b'\n' | b'\r' => 1 + leading(piece(rest, 1, 32), among(b" \t\r\n>|")),
        b'\\' if rest.get(1) == Some(&b'\n') => 2,
        b'=' if matches!(rest, [_, b'\n', ..] | [_, b'\r', b'\n', ..]) => 2,
        0x1b => color(rest),
        b'<' => tag(rest),
        b'"' | b'\'' => joint(rest),
        0xc2 | 0xe2 | 0xef | b'&' => {
            let invisible = INVISIBLE.iter().find(|invisible| rest.starts_with(invisible));
            invisible.map_or(0, |invisible| invisible.len())
        }
        _ => 0,
    }
}

/// The byte that mails write as `=5F`.
fn quoted_printable(rest: &[u8]) -> Option<u8> {
    let [b'=', high @ (b'2'..=b'7'), low @ (b'0'..=b'9' | b'A'..=b'F'), ..] = rest else {
        return None;
    };
    let low = if low.is_ascii_digit() { low - b'0' } else { low - b'A' + 10 };
    Some((high - b'0') << 4 | low)
}

/// The length of a color sequence of a terminal.
fn color(rest: &[u8]) -> usize {
    if rest.get(1) != Some(&b'[') {
        return 1;
    }
    let numbers = leading(piece(rest, 2, 32), |byte| byte.is_ascii_digit() || byte == b';');
    2 + numbers + 1
}

/// The length of a tag; 0 if there is none.
fn tag(rest: &[u8]) -> usize {
    let begins = matches!(rest.get(1), Some(b'/' | b'!'))
        || rest.get(1).is_some_and(u8::is_ascii_alphabetic);
    let end = memchr::memchr(b'>', piece(rest, 0, MAX_GAP));
    match end {
        Some(end) if begins => end + 1,
        _ => 0,
    }
}

/// The length of what joins two parts of a string: `" + "`, also over lines; 0 if nothing does.
fn joint(rest: &[u8]) -> usize {
    let gap = leading(piece(rest, 1, MAX_GAP), among(b" \t\r\n\\+"));
    if rest.get(1 + gap) == Some(&rest[0]) { gap + 2 } else { 0 }
}

/// Texts that a text holds as pairs of hexadecimal digits, also in the lines of a dump.
pub(super) fn hexadecimal(text: &[u8]) -> Vec<Vec<u8>> {
    // Twenty bytes, which is the shortest token. Digests are as long; their bytes are no text.
    static RUN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?-u)\b(?:0[xX])?((?:[0-9A-Fa-f]{2}){20,}|(?:[0-9A-Fa-f]{2,4}[ :,]){8,}[0-9A-Fa-f]{0,4})")
            .expect("the expression is tested")
    });
    static DUMP: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?m-u)^[0-9A-Fa-f]{6,8}:?[ \t]+((?:[0-9A-Fa-f]{2,4} {1,2}){4,16}[0-9A-Fa-f]{0,4})",
        )
        .expect("the expression is tested")
    });
    let mut texts: Vec<Vec<u8>> =
        RUN.captures_iter(text).map(|run| from_hexadecimal(&run[1])).collect();
    let mut dumped = Vec::new();
    for line in DUMP.captures_iter(text) {
        dumped.extend(from_hexadecimal(&line[1]));
    }
    texts.push(dumped);
    texts
}

/// The bytes that pairs of digits stand for; anything else between them is skipped.
pub(super) fn from_hexadecimal(digits: &[u8]) -> Vec<u8> {
    let mut digits = digits.iter().filter_map(|byte| char::from(*byte).to_digit(16));
    let mut bytes = Vec::new();
    while let (Some(high), Some(low)) = (digits.next(), digits.next()) {
        bytes.push((high << 4 | low) as u8);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{fold, hexadecimal};

    #[test]
    fn a_word_in_parts_is_whole() {
        let table: [&[u8]; 14] = [
            b"to**ken**",
            b"to\xe2\x80\x8bken",
            b"to&shy;ken",
            b"to\x1b[1;32mken",
            b"<i>to</i><b class=x>ken</b>",
            b"to<wbr>ken",
            b"to\nken",
            b"> to\r\n> ken",
            b"to=\nken",
            b"=74o=6Ben",
            b"to\" + \"ken",
            b"to' \\\n  'ken",
            b"t\0o\0k\0e\0n\0",
            b"`to`ken",
        ];
        for text in table {
            let folded = fold(text);
            let folded = String::from_utf8_lossy(&folded);
            assert!(folded.trim_start_matches("> ").starts_with("token"), "{folded}");
        }
        assert_eq!(fold("a < b, \"c\", \u{20ac}".as_bytes()), "a < b, \"c\", \u{20ac}".as_bytes());
    }

    #[test]
    fn hexadecimal_digits_are_a_text() {
        let table = [
            "746f6b656e746f6b656e746f6b656e746f6b656e",
            "x 0x746f6b656e746f6b656e746f6b656e746f6b656e;",
            "00000000: 746f 6b65 6e74 6f6b 656e 746f 6b65 6e74  tokentokentokent",
            "74 6f 6b 65 6e 74 6f 6b 65 6e 74 6f 6b 65 6e",
        ];
        for text in table {
            let texts = hexadecimal(text.as_bytes());
            assert!(texts.iter().any(|text| text.starts_with(b"tokentoken")), "{text}: {texts:?}");
        }
    }
}
