//! What a reader sees of a text, as far as its bytes do not show it: without colors, tags and marks
//! that style a part of a word, without invisible characters and the ends of wrapped lines.
//!
//! A secret that is only whole in this view cannot be replaced in the text.

use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::guard::escapes;
use crate::guard::scan::{among, leading, piece, trailing};

/// The longest tag and the longest gap between two parts of a string, in bytes.
const MAX_GAP: usize = 300;

/// No value with fewer bytes is a secret by itself.
const SHORTEST_SECRET: usize = 8;

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

/// The words that are whole only in this view, each on a line. Most words are not: their text shows them.
pub(super) fn words_in_parts(text: &[u8]) -> Vec<u8> {
    let mut words = Words::default();
    let mut at = 0;
    while at < text.len() {
        let plain = leading(&text[at..], |byte| IS_PLAIN[usize::from(byte)]);
        words.add(&text[at..at + plain]);
        at += plain;
        let rest = &text[at..];
        if rest.is_empty() {
            break;
        }
        if let Some(byte) = quoted_printable(rest) {
            words.go_on(&[byte]);
            words.is_in_parts = true;
            at += 3;
            continue;
        }
        let unseen = unseen(rest);
        if unseen == 0 {
            words.go_on(&rest[..1]);
        } else {
            words.is_behind_gap = true;
        }
        at += unseen.max(1);
    }
    words.end();
    words.found
}

#[derive(Default)]
struct Words {
    found: Vec<u8>,
    /// The word that has begun, and whether something was left out in it.
    word: Vec<u8>,
    is_in_parts: bool,
    /// Whether something was left out after what has begun.
    is_behind_gap: bool,
}

impl Words {
    /// Adds text in which nothing is left out.
    fn add(&mut self, text: &[u8]) {
        let Some(first) = text.iter().position(u8::is_ascii_whitespace) else {
            self.go_on(text);
            return;
        };
        self.go_on(&text[..first]);
        self.end();
        let last = text.len() - trailing(text, |byte| !byte.is_ascii_whitespace());
        self.go_on(&text[last..]);
    }

    fn go_on(&mut self, text: &[u8]) {
        if !text.is_empty() {
            self.is_in_parts |= self.is_behind_gap && !self.word.is_empty();
            self.is_behind_gap = false;
            self.word.extend_from_slice(text);
        }
    }

    fn end(&mut self) {
        if self.is_in_parts && self.word.len() >= SHORTEST_SECRET {
            self.found.append(&mut self.word);
            self.found.push(b'\n');
        }
        self.word.clear();
        self.is_in_parts = false;
    }
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
            r"(?-u)\A[0-9A-Fa-f]{6,8}:?[ \t]+((?:[0-9A-Fa-f]{2,4} {1,2}){4,16}[0-9A-Fa-f]{0,4})",
        )
        .expect("the expression is tested")
    });
    let (mut texts, mut dumped) = (Vec::new(), Vec::new());
    for range in escapes::runs(text, SHORTEST_DUMP, is_of_dump) {
        let digits = &text[range];
        texts.extend(RUN.captures_iter(digits).map(|run| from_hexadecimal(&run[1])));
        for line in DUMP.captures_iter(digits) {
            dumped.extend(from_hexadecimal(&line[1]));
        }
    }
    texts.push(dumped);
    texts
}

/// The shortest line of a dump, in bytes.
const SHORTEST_DUMP: usize = 19;

fn is_of_dump(byte: u8) -> bool {
    byte.is_ascii_hexdigit() || matches!(byte, b' ' | b'\t' | b':' | b',' | b'x' | b'X')
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
    use super::{hexadecimal, words_in_parts};

    #[test]
    fn a_word_in_parts_is_whole() {
        let table: [&[u8]; 14] = [
            b"my to**kentoken**",
            b"to\xe2\x80\x8bkentoken is",
            b"to&shy;kentoken",
            b"to\x1b[1;32mkentoken",
            b"<i>to</i><b class=x>kentoken</b>",
            b"to<wbr>kentoken",
            b"to\nkentoken\tx",
            b"> to\r\n> kentoken",
            b"to=\nkentoken",
            b"=74o=6Bentoken",
            b"to\" + \"kentoken",
            b"to' \\\n  'kentoken",
            b"t\0o\0k\0e\0n\0t\0o\0k\0e\0n\0",
            b"`to`kentoken",
        ];
        for text in table {
            let words = words_in_parts(text);
            assert_eq!(String::from_utf8_lossy(&words), "tokentoken\n");
        }
        let whole = "a < b, \"c\", \u{20ac}\nto ken, tokentoken <b>tokentoken</b>";
        assert_eq!(words_in_parts(whole.as_bytes()), b"");
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
