//! What a reader sees of a text, as far as its bytes do not show it: without colors, tags and marks
//! that style a part of a word, without invisible characters and the ends of wrapped lines.
//!
//! A secret that is only whole in this view is replaced in the text with all that is left out in it.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;
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
    let special = b"\0*`~^\n\r\\=\x1b<\"'\xc2\xe2\xef&";
    let mut is_plain = [true; 256];
    let mut at = 0;
    while at < special.len() {
        is_plain[special[at] as usize] = false;
        at += 1;
    }
    is_plain
};

/// The words that are whole only in this view, each on a line. Most words are not: their text shows them.
#[derive(Debug, Default)]
pub(super) struct PartedWords {
    pub(super) text: Vec<u8>,
    pieces: Vec<Piece>,
}

/// A part of a word. A document of JSON has millions, so it is kept small.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Where it begins in the text of all words.
    start: u32,
    /// Where it begins in the original text.
    source: u32,
    /// The number of bytes there that stand for its only byte; 0 if each stands for itself.
    escape: u8,
}

impl Piece {
    fn new(start: usize, source: usize, escape: u8) -> Self {
        // No file of 4 GiB is searched.
        Self { start: start as u32, source: source as u32, escape }
    }
}

impl PartedWords {
    pub(super) fn new(text: &[u8]) -> Self {
        let mut words = Reader::default();
        let mut at = 0;
        while at < text.len() {
            let plain = leading(&text[at..], |byte| IS_PLAIN[usize::from(byte)]);
            words.add(text, at..at + plain);
            at += plain;
            let rest = &text[at..];
            if rest.is_empty() {
                break;
            }
            let unseen = unseen(rest);
            if let Some(byte) = quoted_printable(rest) {
                words.go_on(&[byte], at..at + 3);
                words.is_in_parts = true;
                at += 3;
            } else if unseen > 0 {
                words.is_behind_gap = true;
                at += unseen;
            } else {
                words.go_on(&rest[..1], at..at + 1);
                at += 1;
            }
        }
        words.end();
        words.found
    }

    /// The text that lines of JSON bring piece by piece, as models and terminals send theirs.
    pub(super) fn of_stream(text: &[u8]) -> Self {
        // Also in a string of a document, with its quotes escaped. A long text is no piece.
        static PIECE: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(
                r#"(?-u)"(?:(?:text|content|partial_json|thinking|delta)\\?": ?|o\\?", ?)\\?"((?:[^"\\]|\\[^"]){1,200})\\?""#,
            )
            .expect("the expression is tested")
        });
        let mut stream = Self::default();
        // Only such records have these words.
        if !["delta", "\"o"].iter().any(|word| memmem::find(text, word.as_bytes()).is_some()) {
            return stream;
        }
        for piece in PIECE.captures_iter(text).filter_map(|found| found.get(1)) {
            stream.pieces.push(Piece::new(stream.text.len(), piece.start(), 0));
            stream.text.extend_from_slice(piece.as_bytes());
        }
        stream
    }

    /// The places where up to two parts of the words in a range begin.
    pub(super) fn starts_within(&self, range: &Range<usize>) -> impl Iterator<Item = usize> {
        let first = self.pieces.partition_point(|piece| piece.start as usize <= range.start);
        let starts = self.pieces[first..].iter().map(|piece| piece.start as usize);
        let end = range.end;
        starts.take(2).filter(move |start| *start < end)
    }

    /// Where a part of a word is in the original text, with all that is left out in between.
    pub(super) fn source(&self, range: &Range<usize>) -> Range<usize> {
        self.place(range.start).start..self.place(range.end - 1).end
    }

    fn place(&self, at: usize) -> Range<usize> {
        let next = self.pieces.partition_point(|piece| piece.start as usize <= at);
        let piece = self.pieces[next - 1];
        let start = piece.source as usize + (at - piece.start as usize);
        start..start + usize::from(piece.escape.max(1))
    }
}

#[derive(Default)]
struct Reader {
    found: PartedWords,
    /// Where the word that was begun last is in what was found: its text, and its pieces.
    start: usize,
    pieces: usize,
    /// Whether something was left out in it.
    is_in_parts: bool,
    /// Whether something was left out after what has begun.
    is_behind_gap: bool,
}

impl Reader {
    /// Adds a part of the original text in which nothing is left out.
    fn add(&mut self, text: &[u8], range: Range<usize>) {
        let part = &text[range.clone()];
        let Some(first) = part.iter().position(u8::is_ascii_whitespace) else {
            self.go_on(part, range);
            return;
        };
        self.go_on(&part[..first], range.start..range.start + first);
        self.end();
        let last = part.len() - trailing(part, |byte| !byte.is_ascii_whitespace());
        self.go_on(&part[last..], range.start + last..range.end);
    }

    fn go_on(&mut self, text: &[u8], source: Range<usize>) {
        if text.is_empty() {
            return;
        }
        self.is_in_parts |= self.is_behind_gap && self.found.text.len() > self.start;
        self.is_behind_gap = false;
        let escape = if text.len() < source.len() { source.len() as u8 } else { 0 };
        self.found.pieces.push(Piece::new(self.found.text.len(), source.start, escape));
        self.found.text.extend_from_slice(text);
    }

    /// Keeps the word that ends here if it is long enough and in parts.
    fn end(&mut self) {
        if self.is_in_parts && self.found.text.len() - self.start >= SHORTEST_SECRET {
            self.found.text.push(b'\n');
            (self.start, self.pieces) = (self.found.text.len(), self.found.pieces.len());
        } else {
            self.found.text.truncate(self.start);
            self.found.pieces.truncate(self.pieces);
        }
        self.is_in_parts = false;
    }
}

/// How many bytes at the start of `rest` a reader does not see.
fn unseen(rest: &[u8]) -> usize {
    match rest[0] {
        0 | b'*' | b'`' | b'~' => 1,
        b'\n' | b'\r' => 1 + line_start(&rest[1..]),
        b'\\' => escaped(rest),
        b'^' if rest.starts_with(b"^[[") => 1 + color(&rest[1..]),
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

/// What a line may begin with: it is indented, quoted, in a frame or numbered.
fn line_start(rest: &[u8]) -> usize {
    let frame = leading(piece(rest, 0, 32), among(b" \t\r\n>|"));
    let number = leading(piece(rest, frame, 8), |byte| byte.is_ascii_digit());
    match &rest[frame + number..] {
        [b'\t', ..] if number > 0 => frame + number + 1,
        [b'\\', b't', ..] if number > 0 => frame + number + 2,
        [0xe2, 0x86, 0x92, ..] if number > 0 => frame + number + 3,
        _ => frame,
    }
}

/// The length of an escape that stands for something unseen: strings of JSON and of programs hold all
/// of the above.
fn escaped(rest: &[u8]) -> usize {
    let slashes = leading(piece(rest, 0, 8), among(b"\\"));
    let after = &rest[slashes..];
    for escape in [&b"u001b"[..], b"u001B", b"x1b", b"x1B", b"033", b"e"] {
        if after.starts_with(escape) && after.get(escape.len()) == Some(&b'[') {
            return slashes + escape.len() - 1 + color(&after[escape.len() - 1..]);
        }
    }
    let invisible = ["u200b", "u200c", "u200d", "u2060", "ufeff", "u00ad"];
    match after.first() {
        Some(b'\n') => slashes + 1 + line_start(&after[1..]),
        Some(b'n' | b'r') => {
            let next = leading(piece(after, 1, 8), among(b"\\rn"));
            slashes + 1 + next + line_start(&after[1 + next..])
        }
        Some(b'"' | b'\'') if joint(after) > 0 => slashes + joint(after),
        Some(b'u') if invisible.iter().any(|sign| after.starts_with(sign.as_bytes())) => {
            slashes + 5
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
    const SECTION: &[u8] = b"<![CDATA[";
    if rest.starts_with(SECTION) {
        return SECTION.len();
    }
    let begins = matches!(rest.get(1), Some(b'/' | b'!'))
        || rest.get(1).is_some_and(u8::is_ascii_alphabetic);
    let end = memchr::memchr(b'>', piece(rest, 0, MAX_GAP));
    match end {
        Some(end) if begins => end + 1,
        _ => 0,
    }
}

/// The length of what joins two parts of a string: `" + "`, `', '`, also over lines; 0 if nothing does.
fn joint(rest: &[u8]) -> usize {
    let mut gap = 1;
    while gap < MAX_GAP {
        gap += match &rest[gap..] {
            // A line ends in a string of a string.
            [b'\\', b'n' | b'r' | b't', ..] => 2,
            // Basic goes on in the next line after `_`.
            [b' ' | b'\t' | b'\r' | b'\n' | b'\\' | b'+' | b'.' | b',' | b'&' | b'_', ..] => 1,
            _ => break,
        };
    }
    if rest.get(gap) == Some(&rest[0]) { gap + 1 } else { 0 }
}

/// A text that is written as numbers, and its place.
pub(super) type Digits = (Range<usize>, Vec<u8>);

/// Texts that a text holds as pairs of hexadecimal digits, also in the lines of a dump, or as decimal
/// numbers.
pub(super) fn in_digits(text: &[u8]) -> Vec<Digits> {
    // Twenty bytes, which is the shortest token. Digests are as long; their bytes are no text.
    static RUN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?-u)\b(?:0[xX])?(?:[0-9A-Fa-f]{2}){20,}|(?:(?:0[xX])?[0-9A-Fa-f]{2,4}[ :,]{1,2}){8,}(?:0[xX])?[0-9A-Fa-f]{0,4}")
            .expect("the expression is tested")
    });
    static DUMP: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?-u)\A[0-9A-Fa-f]{6,8}:?[ \t]+((?:[0-9A-Fa-f]{4} ){3,8}|(?:[0-9A-Fa-f]{2} {1,2}){4,16})",
        )
        .expect("the expression is tested")
    });
    let mut texts = Vec::new();
    let mut dump: Digits = (0..0, Vec::new());
    for range in escapes::runs(text, SHORTEST_DUMP, is_of_dump) {
        let digits = &text[range.clone()];
        for run in RUN.find_iter(digits) {
            let place = range.start + run.start()..range.start + run.end();
            let mut plain = from_hexadecimal(run.as_bytes());
            // The registry keeps texts in UTF-16.
            plain.retain(|byte| *byte != 0);
            texts.push((place.clone(), plain));
            texts.push((place, from_decimal(run.as_bytes())));
        }
        if let Some(line) = DUMP.captures(digits) {
            if dump.1.is_empty() {
                dump.0.start = range.start;
            }
            dump.0.end = range.end;
            dump.1.extend(from_hexadecimal(&line[1]));
        }
    }
    texts.push(dump);
    texts
}

/// The bytes that numbers between separators stand for; none if one is no byte.
fn from_decimal(numbers: &[u8]) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(numbers) else { return Vec::new() };
    let numbers = text.split([',', ' ', ':']).filter(|number| !number.is_empty());
    numbers.map(|number| number.parse().ok()).collect::<Option<Vec<u8>>>().unwrap_or_default()
}

/// The shortest line of a dump, in bytes.
const SHORTEST_DUMP: usize = 19;

fn is_of_dump(byte: u8) -> bool {
    byte.is_ascii_hexdigit() || matches!(byte, b' ' | b'\t' | b':' | b',' | b'x' | b'X')
}

/// The bytes that pairs of digits stand for; anything else between them is skipped.
pub(super) fn from_hexadecimal(digits: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Programs write `0x5f` for each byte.
    let mut parts = digits.split(|byte| matches!(byte, b'x' | b'X')).peekable();
    while let Some(mut part) = parts.next() {
        if parts.peek().is_some() {
            part = part.strip_suffix(b"0").unwrap_or(part);
        }
        let mut digits = part.iter().filter_map(|byte| char::from(*byte).to_digit(16));
        while let (Some(high), Some(low)) = (digits.next(), digits.next()) {
            bytes.push((high << 4 | low) as u8);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{Digits, PartedWords, in_digits};

    #[test]
    fn a_word_in_parts_is_whole() {
        let table: [&[u8]; 25] = [
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
            b"to', 'kentoken",
            b"to^[[0mkentoken",
            br#"to\u001b[32mkentoken"#,
            br#"to\nkentoken"#,
            br#"to\" + \"kentoken"#,
            br#"to\\\n  kentoken"#,
            b"to\n    12\tkentoken",
            br"to\n    12\tkentoken",
            b"to<![CDATA[kentoken",
            b"to\" & _\r\n  \"kentoken",
            br#"to\"\n  \"kentoken"#,
        ];
        for text in table {
            let words = PartedWords::new(text);
            assert_eq!(String::from_utf8_lossy(&words.text), "tokentoken\n");
            let place = words.source(&(0..10));
            assert!(text[place.clone()].ends_with(b"n") || text.starts_with(b"=74"), "{place:?}");
            assert!(text[place].starts_with(b"t") || text.starts_with(b"=74"));
        }
        let whole = "a < b, \"c\", \u{20ac}\nto ken, tokentoken <b>tokentoken</b>";
        assert_eq!(PartedWords::new(whole.as_bytes()).text, b"");
    }

    #[test]
    fn digits_are_a_text() {
        let table = [
            "746f6b656e746f6b656e746f6b656e746f6b656e",
            "x 0x746f6b656e746f6b656e746f6b656e746f6b656e;",
            "00000000: 746f 6b65 6e74 6f6b 656e 746f 6b65 6e61  face",
            "74,00,6f,00,6b,00,65,00,6e,00,74,00,6f,00,6b,00,65,00,6e,00",
            "00000000: 746f 6b65 6e74 6f6b 656e 746f 6b65 6e74  tokentokentokent",
            "74 6f 6b 65 6e 74 6f 6b 65 6e 74 6f 6b 65 6e",
            "{0x74,0x6f,0x6b,0x65,0x6e, 0x74,0x6f,0x6b,0x65,0x6e}",
            "[116, 111, 107, 101, 110, 116, 111, 107, 101, 110]",
        ];
        for text in table {
            let texts = in_digits(text.as_bytes());
            let is_one = |(_, text): &Digits| text.starts_with(b"tokentoken");
            assert!(texts.iter().any(is_one), "{text}: {texts:?}");
        }
    }
}
