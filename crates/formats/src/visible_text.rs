//! What a reader sees of a text, with the place of each byte in the source: without colors and invisible
//! characters, with escapes and entities as the characters that they stand for.

use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::Regex;

/// Stands for a character beyond ASCII.
const FOREIGN: u8 = 0xff;

const INVISIBLE: [&[u8]; 10] = [
    b"\xe2\x80\x8b",
    b"\xe2\x80\x8c",
    b"\xe2\x80\x8d",
    b"\xe2\x80\x8e",
    b"\xe2\x80\x8f",
    b"\xe2\x81\xa0",
    b"\xef\xbb\xbf",
    b"\xc2\xad",
    b"&shy;",
    b"&ZeroWidthSpace;",
];

/// Tags within a line and marks of Markdown, which may style a part of a word.
static INLINE: LazyLock<Regex> = LazyLock::new(|| {
    let tag =
        r"</?(?i:a|b|code|del|em|font|i|ins|mark|small|span|strong|sub|tspan|u|wbr)\b[^<>]{0,300}>";
    Regex::new(&format!(r"(?-u)\A(?:\*{{2,}}|~{{2,}}|`+)?(?:{tag})*")).expect("a valid expression")
});

const ENTITIES: [(&[u8], u8); 5] =
    [(b"&quot;", b'"'), (b"&amp;", b'&'), (b"&lt;", b'<'), (b"&gt;", b'>'), (b"&apos;", b'\'')];

/// A text as a reader sees it.
#[derive(Debug, Default)]
pub struct View {
    /// What is seen.
    pub text: Vec<u8>,
    pieces: Vec<Piece>,
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Where it begins in the view.
    start: u32,
    /// Where it begins in the source.
    source: u32,
    /// The number of bytes there that stand for its only byte; 0 if each stands for itself.
    escape: u8,
}

impl View {
    /// `None` if a reader sees the text as it is.
    pub fn new(text: &[u8]) -> Option<Self> {
        let mut view = Self::default();
        let (mut done, mut at) = (0, 0);
        while let Some(plain) = text[at..].iter().position(|byte| IS_ODD[usize::from(*byte)]) {
            at += plain;
            let Some((byte, length)) = seen(text, at) else {
                at += 1;
                continue;
            };
            view.add(text, done..at);
            if let Some(byte) = byte {
                view.push(&[byte], at, length);
            }
            at += length;
            done = at;
        }
        if done == 0 {
            return None;
        }
        view.add(text, done..text.len());
        Some(view)
    }

    fn add(&mut self, text: &[u8], range: Range<usize>) {
        self.push(&text[range.clone()], range.start, 0);
    }

    fn push(&mut self, bytes: &[u8], source: usize, escape: usize) {
        if !bytes.is_empty() {
            // No file of 4 GiB is searched.
            let (start, source) = (self.text.len() as u32, source as u32);
            self.pieces.push(Piece { start, source, escape: escape as u8 });
            self.text.extend_from_slice(bytes);
        }
    }

    /// Where a part of the view is in the source, with all that is left out in between.
    pub fn source(&self, range: &Range<usize>) -> Range<usize> {
        self.place(range.start).start..self.place(range.end - 1).end
    }

    fn place(&self, at: usize) -> Range<usize> {
        let next = self.pieces.partition_point(|piece| piece.start as usize <= at);
        let piece = self.pieces[next - 1];
        let start = piece.source as usize + (at - piece.start as usize);
        start..start + usize::from(piece.escape.max(1))
    }
}

/// By byte: whether it may begin something that a reader sees in another way.
static IS_ODD: [bool; 256] = {
    let mut table = [false; 256];
    let mut odd: &[u8] = b"\\&%^\"<*`~\0\x1b\xc2\xe2\xef";
    while let [byte, rest @ ..] = odd {
        table[*byte as usize] = true;
        odd = rest;
    }
    table
};

/// The byte that a reader sees at `at`, if any, and the bytes that stand for it; `None` if these are the
/// same.
fn seen(text: &[u8], at: usize) -> Option<(Option<u8>, usize)> {
    let rest = &text[at..];
    match rest[0] {
        0 => Some((None, 1)),
        b'<' | b'*' | b'`' | b'~' => match within_word(text, at) {
            0 => None,
            length => Some((None, length)),
        },
        0x1b => color(rest, 1),
        b'^' if rest.starts_with(b"^[[") => color(rest, 2),
        b'\\' => unescaped(rest, text[..at].ends_with(b"Users")),
        // Addresses within addresses are escaped again.
        b'%' if rest.starts_with(b"%25") => hex(rest, 3, 2).or(hex(rest, 1, 2)),
        // A space is a part of a value in an address.
        b'%' if rest.starts_with(b"%20") => None,
        b'%' => hex(rest, 1, 2),
        b'"' if rest.starts_with(b"\"\"") && is_in_cell(text, at) => Some((Some(b'"'), 2)),
        0xc2 | 0xe2 | 0xef | b'&' => {
            if let Some(invisible) = INVISIBLE.iter().find(|sign| rest.starts_with(sign)) {
                return Some((None, invisible.len()));
            }
            let named = ENTITIES.iter().find(|(name, _)| rest.starts_with(name));
            named.map(|(name, byte)| (Some(*byte), name.len())).or_else(|| numbered(rest))
        }
        _ => None,
    }
}

/// What an escape of JSON, Markdown or a program stands for, also one of a string within a string.
fn unescaped(rest: &[u8], follows_users: bool) -> Option<(Option<u8>, usize)> {
    let slashes = leading(rest, 4, |byte| byte == b'\\');
    let after = &rest[slashes..];
    let byte = match after {
        [b'u', ..] => return hex(rest, slashes + 1, 4),
        [b'x', ..] => return hex(rest, slashes + 1, 2),
        [b'e', b'[', ..] => return color(rest, slashes + 1),
        [b'0', b'3', b'3', b'[', ..] => return color(rest, slashes + 3),
        // A user may be called so.
        [b'n' | b'r' | b't', ..] if follows_users => return None,
        [b'n' | b'r', ..] => b'\n',
        [b't', ..] => b'\t',
        [byte @ (b'"' | b'\'' | b'/' | b'_' | b'-'), ..] => *byte,
        _ => return None,
    };
    Some((Some(byte), slashes + 1))
}

/// The character whose number is in `width` hexadecimal digits from `start` on.
fn hex(rest: &[u8], start: usize, width: usize) -> Option<(Option<u8>, usize)> {
    let digits = rest.get(start..start + width)?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let number = u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    let end = start + width;
    if number == 0x1b && rest.get(end) == Some(&b'[') {
        return color(rest, end);
    }
    Some((character(number), end))
}

/// The character of `&#95;` or `&#x5f;`.
fn numbered(rest: &[u8]) -> Option<(Option<u8>, usize)> {
    let number = rest.strip_prefix(b"&#")?;
    let length = number.iter().take(8).position(|byte| *byte == b';')?;
    let digits = std::str::from_utf8(&number[..length]).ok()?;
    let number = match digits.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some((character(number), length + 3))
}

/// The byte for a character; `None` for one that is not seen.
fn character(number: u32) -> Option<u8> {
    match number {
        0xad | 0x200b..=0x200f | 0x2060 | 0xfeff => None,
        9..=126 => Some(number as u8),
        _ => Some(FOREIGN),
    }
}

/// The length of a color sequence of a terminal, whose `[` is at `at`.
fn color(rest: &[u8], at: usize) -> Option<(Option<u8>, usize)> {
    if rest.get(at) != Some(&b'[') {
        return Some((None, at));
    }
    let numbers = leading(&rest[at + 1..], 32, |byte| byte.is_ascii_digit() || byte == b';');
    Some((None, rest.len().min(at + numbers + 2)))
}

/// Whether two quotes are one of a cell, not an empty text: a word is right next to them.
fn is_in_cell(text: &[u8], at: usize) -> bool {
    text.get(at + 2).is_some_and(u8::is_ascii_alphanumeric)
        || at.checked_sub(1).is_some_and(|before| text[before].is_ascii_alphanumeric())
}

/// The length of the tags and marks at `at` that are in the middle of a word; 0 if none are.
fn within_word(text: &[u8], at: usize) -> usize {
    let is_word =
        |at: usize| text.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    if !at.checked_sub(1).is_some_and(is_word) {
        return 0;
    }
    let length = INLINE.find(&text[at..]).map_or(0, |inline| inline.len());
    if is_word(at + length) { length } else { 0 }
}

/// The number of bytes at the start, at most `most`, for which `is_one` holds.
fn leading(text: &[u8], most: usize, is_one: impl Fn(u8) -> bool) -> usize {
    text.iter().take(most).take_while(|byte| is_one(**byte)).count()
}

#[cfg(test)]
mod tests {
    use super::View;

    #[test]
    fn a_reader_sees_characters_for_escapes_and_no_colors() {
        let table: [(&[u8], &[u8]); 22] = [
            (b"my to**ken**", b"my token**"),
            (b"<i>to</i><b class=x>ken</b>", b"<i>token</b>"),
            (b"to<wbr>ken and `to`ken", b"token and `token"),
            (b"<td>to</td><td>ken</td>", b"<td>to</td><td>ken</td>"),
            (b"<password>token</password>", b"<password>token</password>"),
            (b"a*b, c < d, ~/x, **e**", b"a*b, c < d, ~/x, **e**"),
            (b"to\xe2\x80\x8bken", b"token"),
            (b"to&shy;ken", b"token"),
            (b"to\x1b[1;32mken", b"token"),
            (b"to^[[0mken", b"token"),
            (br"to\u001b[32mken", b"token"),
            (br"a\x1b[1mb\033[0mc\e[2md", b"abcd"),
            (br"a\u0026b\x5fc\/d\_e", b"a&b_c/d_e"),
            (br"one\ntwo\\n\tthree", b"one\ntwo\n\tthree"),
            (b"&#95;&#x5f;&amp;&lt;", b"__&<"),
            (b"%5Fa%255Fb%zz", b"_a_b%zz"),
            (br"C:\Users\nan\docs", br"C:\Users\nan\docs"),
            (b"x,\"a \"\"b\"\" c\",\"\"", b"x,\"a \"b\" c\",\"\""),
            (br"a\u2192b", b"a\xffb"),
            (b"t\0o\0", b"to"),
            (b"50% of it & more", b"50% of it & more"),
            (b"", b""),
        ];
        for (text, wanted) in table {
            let seen = View::new(text).map_or(text.to_vec(), |view| view.text);
            assert_eq!(String::from_utf8_lossy(&seen), String::from_utf8_lossy(wanted));
        }
    }

    #[test]
    fn every_byte_has_its_place() {
        let text = br"a\u0026b &#95;c\nd";
        let view = View::new(text).unwrap();
        for (part, wanted) in [("&", r"\u0026"), ("b _", "b &#95;"), ("c\nd", r"c\nd")] {
            let at = view.text.windows(part.len()).position(|it| it == part.as_bytes()).unwrap();
            let source = view.source(&(at..at + part.len()));
            assert_eq!(&text[source], wanted.as_bytes());
        }
    }
}
