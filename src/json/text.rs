//! Makes text of bytes, and lines and columns of offsets.
//!
//! JSON is UTF-8, but Windows tools save it as UTF-16 or put a byte order mark in front. Bytes
//! that are neither valid UTF-8 nor UTF-16 are still read, with replacement characters, because
//! one odd byte in a comment should not cost a whole file.

use std::borrow::Cow;

const UTF8_BOM: &[u8] = &[0xef, 0xbb, 0xbf];
const UTF16_LE_BOM: &[u8] = &[0xff, 0xfe];
const UTF16_BE_BOM: &[u8] = &[0xfe, 0xff];

/// How the bytes of a file spell its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Plain UTF-8.
    Utf8,
    /// UTF-8 behind a byte order mark.
    Utf8Bom,
    /// UTF-16, low byte first, with or without a byte order mark.
    Utf16Le,
    /// UTF-16, high byte first, with or without a byte order mark.
    Utf16Be,
    /// Not valid in any of these; read as UTF-8 with replacement characters.
    InvalidUtf8,
}

/// The text of a file, without byte order mark, and how it was spelled.
///
/// Every offset and span elsewhere in this module counts the bytes of this text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// Borrowed from the bytes where they are valid UTF-8.
    pub text: Cow<'a, str>,
    /// How the bytes spelled it.
    pub encoding: Encoding,
}

/// Makes text of `bytes`; never fails.
pub fn decode(bytes: &[u8]) -> Decoded<'_> {
    let (encoding, body) = detect(bytes);
    match encoding {
        Encoding::Utf16Le => utf16(body, encoding, u16::from_le_bytes),
        Encoding::Utf16Be => utf16(body, encoding, u16::from_be_bytes),
        _ => utf8(body, encoding),
    }
}

/// The encoding that byte order mark or zero bytes suggest, and the bytes behind the mark.
fn detect(bytes: &[u8]) -> (Encoding, &[u8]) {
    if let Some(body) = bytes.strip_prefix(UTF8_BOM) {
        (Encoding::Utf8Bom, body)
    } else if let Some(body) = bytes.strip_prefix(UTF16_LE_BOM) {
        (Encoding::Utf16Le, body)
    } else if let Some(body) = bytes.strip_prefix(UTF16_BE_BOM) {
        (Encoding::Utf16Be, body)
    } else {
        (detect_unmarked(bytes), bytes)
    }
}

/// A JSON document begins with two ASCII characters, so zero bytes among its first four give
/// UTF-16 away.
fn detect_unmarked(bytes: &[u8]) -> Encoding {
    match bytes {
        [1..=0x7f, 0] | [1..=0x7f, 0, 1..=0xff, 0, ..] => Encoding::Utf16Le,
        [0, 1..=0x7f] | [0, 1..=0x7f, 0, 1..=0xff, ..] => Encoding::Utf16Be,
        _ => Encoding::Utf8,
    }
}

fn utf8(body: &[u8], encoding: Encoding) -> Decoded<'_> {
    let text = String::from_utf8_lossy(body);
    let encoding = match text {
        Cow::Borrowed(_) => encoding,
        Cow::Owned(_) => Encoding::InvalidUtf8,
    };
    Decoded { text, encoding }
}

/// Reads UTF-16; a lone surrogate or a lone last byte becomes a replacement character.
fn utf16(body: &[u8], encoding: Encoding, unit: fn([u8; 2]) -> u16) -> Decoded<'_> {
    let (pairs, rest) = body.as_chunks::<2>();
    let units = pairs.iter().map(|pair| unit(*pair));
    let mut text: String = char::decode_utf16(units)
        .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    Decoded { text: Cow::Owned(text), encoding }
}

/// Bytes between two marks of a [`LineIndex`].
const MARK_EVERY: usize = 4096;

/// Where the lines of one text begin, to turn offsets into lines and columns.
///
/// A line ends at a line feed. Looking a place up takes the same short time in a text of many
/// lines and in a text that is one very long line.
#[derive(Clone, Debug)]
pub struct LineIndex {
    /// Offset of the first byte of each line; the first is 0.
    starts: Vec<usize>,
    /// How many characters begin before byte 0, 4096, 8192 and so on.
    marks: Vec<usize>,
}

impl LineIndex {
    /// Indexes `text`; takes time in proportion to its length.
    pub fn new(text: &str) -> Self {
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(breaks).collect();
        let marks = text.as_bytes().chunks(MARK_EVERY).scan(0, |characters, chunk| {
            let before = *characters;
            *characters += count_characters(chunk);
            Some(before)
        });
        LineIndex { starts, marks: marks.collect() }
    }

    /// Line and column of the byte at `offset` in the indexed `text`.
    ///
    /// Both count from 1; the column counts characters. An offset behind the end is taken as the
    /// end.
    pub fn place(&self, text: &str, offset: usize) -> (usize, usize) {
        let offset = text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let column = self.characters_before(text, offset) - self.characters_before(text, start);
        (line, column + 1)
    }

    fn characters_before(&self, text: &str, offset: usize) -> usize {
        let mark = (offset / MARK_EVERY).min(self.marks.len().saturating_sub(1));
        let before = self.marks.get(mark).copied().unwrap_or(0);
        let rest = text.as_bytes().get(mark * MARK_EVERY..offset).unwrap_or_default();
        before + count_characters(rest)
    }
}

/// How many characters of UTF-8 begin in `bytes`, which may cut characters at both ends.
fn count_characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::Encoding;
    use super::LineIndex;
    use super::decode;

    #[test]
    fn encodings() {
        let table: [(&[u8], &str, Encoding); 14] = [
            (b"", "", Encoding::Utf8),
            ("{\"a\": \"é\"}".as_bytes(), "{\"a\": \"é\"}", Encoding::Utf8),
            (b"\xef\xbb\xbf{}", "{}", Encoding::Utf8Bom),
            (b"\xff\xfe{\0}\0", "{}", Encoding::Utf16Le),
            (b"\xfe\xff\0{\0}", "{}", Encoding::Utf16Be),
            (b"{\0}\0", "{}", Encoding::Utf16Le),
            (b"\0{\0}", "{}", Encoding::Utf16Be),
            (b"1\0", "1", Encoding::Utf16Le),
            (b"\xff\xfe\x3d\xd8\x00\xde", "😀", Encoding::Utf16Le),
            (b"\xff\xfe\x3d\xd8a\0", "\u{fffd}a", Encoding::Utf16Le),
            (b"\xff\xfea\0b", "a\u{fffd}", Encoding::Utf16Le),
            (b"{\xff}", "{\u{fffd}}", Encoding::InvalidUtf8),
            (b"\xef\xbb\xbf\xff", "\u{fffd}", Encoding::InvalidUtf8),
            (b"a\0\0\0", "a\0\0\0", Encoding::Utf8),
        ];
        for (bytes, text, encoding) in table {
            let decoded = decode(bytes);
            assert_eq!((&*decoded.text, decoded.encoding), (text, encoding), "{bytes:?}");
        }
    }

    #[test]
    fn places() {
        let text = "ab\r\né😀x\n\nlast";
        let index = LineIndex::new(text);
        let table = [
            (0, (1, 1)),
            (2, (1, 3)),
            (4, (2, 1)),
            (6, (2, 2)),
            (7, (2, 2)),
            (10, (2, 3)),
            (11, (2, 4)),
            (12, (3, 1)),
            (13, (4, 1)),
            (17, (4, 5)),
            (99, (4, 5)),
        ];
        for (offset, place) in table {
            assert_eq!(index.place(text, offset), place, "{offset}");
        }
        assert_eq!(LineIndex::new("").place("", 0), (1, 1));
    }

    #[test]
    fn places_in_a_long_line() {
        let text = "é".repeat(10_000);
        let index = LineIndex::new(&text);
        for characters in [0, 1, 2047, 2048, 2049, 5000, 9999, 10_000] {
            assert_eq!(index.place(&text, characters * 2), (1, characters + 1));
        }
    }
}
