//! Converts bytes to text, and offsets to lines and columns.
//!
//! JSON is UTF-8, but Windows tools save it as UTF-16 or put a byte order mark in front. Bytes that
//! are neither valid UTF-8 nor UTF-16 are still read, with replacement characters, because one odd
//! byte in a comment should not cost a whole file.

use std::borrow::Cow;

const UTF8_BOM: &[u8] = &[0xef, 0xbb, 0xbf];

/// The text of a file without its byte order mark, and how the bytes differ from plain UTF-8, to
/// follow "the document". All other offsets in this module count bytes of this text.
pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, Option<&'static str>) {
    if let Some((order, mark)) = text::utf_16(bytes) {
        return (text::decode_utf_16(&bytes[mark..], order).into(), Some("is UTF-16"));
    }
    let body = bytes.strip_prefix(UTF8_BOM);
    let without_mark = body.unwrap_or(bytes);
    // Almost all texts are valid, which is checked many times faster than repaired.
    match std::str::from_utf8(without_mark) {
        Ok(text) => (text.into(), body.map(|_| "begins with a byte-order mark")),
        Err(_) => {
            let repaired = String::from_utf8_lossy(without_mark);
            (repaired, Some("holds bytes that are not UTF-8"))
        }
    }
}

/// The text with everything blanked that is not in its only fenced block of JSON, as models answer;
/// offsets stay the same. `None` if it has no such block.
pub fn without_fence(text: &str) -> Option<String> {
    // A document that begins like JSON may quote a fence.
    if text.trim_start().starts_with(['{', '[']) || text.matches("```").count() > 2 {
        return None;
    }
    let start = text.find("```")?;
    let start = start + text[start..].find('\n')?;
    let end = text[start..].find("```").map_or(text.len(), |end| start + end);
    if !text[start..end].trim_start().starts_with(['{', '[']) {
        return None;
    }
    let mut blanked = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        if c == '\n' || (start..end).contains(&at) {
            blanked.push(c);
        } else {
            blanked.extend(std::iter::repeat_n(' ', c.len_utf8()));
        }
    }
    Some(blanked)
}

/// Bytes between two marks of a [`LineIndex`].
const MARK_EVERY: usize = 4096;

/// The line starts of one text, to turn offsets into lines and columns.
///
/// A line ends at a line feed. A lookup takes the same short time in a text of many lines and in
/// one very long line.
#[derive(Clone, Debug)]
pub struct LineIndex {
    /// Offset of the first byte of each line; the first is 0.
    starts: Vec<usize>,
    /// The number of characters that begin before byte 0, 4096, 8192 and so on.
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

    /// Line and column of the byte at `offset`; both count from 1, the column counts characters.
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

/// The number of UTF-8 characters that begin in `bytes`, which may cut characters at both ends.
fn count_characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

/// Where the byte `wanted` of a decoded string is in its source, which begins after the quote.
pub fn place_in_source(source: &str, decoded: &str, wanted: usize) -> usize {
    let (mut at, mut seen) = (0, 0);
    while seen < wanted {
        let rest = &source.as_bytes()[at..];
        let escape = rest.iter().position(|byte| *byte == b'\\');
        let plain = escape.unwrap_or(rest.len()).min(wanted - seen);
        (at, seen) = (at + plain, seen + plain);
        if seen == wanted {
            break;
        }
        let Some(letter) = decoded[seen..].chars().next() else { break };
        // Characters beyond U+FFFF are written as two escapes.
        let is_number = source.as_bytes().get(at + 1) == Some(&b'u');
        at += if is_number { 6 * letter.len_utf16() } else { 2 };
        seen += letter.len_utf8();
    }
    at
}

#[cfg(test)]
mod tests {
    use super::LineIndex;
    use super::decode;

    #[test]
    fn encodings() {
        let (mark, wide, wrong) =
            ("begins with a byte-order mark", "is UTF-16", "holds bytes that are not UTF-8");
        let table: [(&[u8], &str, &str); 11] = [
            (b"", "", ""),
            ("{\"a\": \"é\"}".as_bytes(), "{\"a\": \"é\"}", ""),
            (b"\xef\xbb\xbf{}", "{}", mark),
            (b"\xff\xfe{\0}\0", "{}", wide),
            (b"\xfe\xff\0{\0}", "{}", wide),
            // PowerShell's older pipes leave out the mark.
            (b"{\0\"\0a\0\"\0:\0 \0{\0}\0}\0", "{\"a\": {}}", wide),
            (b"\xff\xfe\x3d\xd8\x00\xde", "😀", wide),
            (b"\xff\xfe\x3d\xd8a\0", "\u{fffd}a", wide),
            (b"\xff\xfea\0b", "a\u{fffd}", wide),
            (b"{\xff}", "{\u{fffd}}", wrong),
            (b"\xef\xbb\xbf\xff", "\u{fffd}", wrong),
        ];
        for (bytes, text, oddity) in table {
            let decoded = decode(bytes);
            let actual = (&*decoded.0, decoded.1.unwrap_or_default());
            assert_eq!(actual, (text, oddity), "{bytes:?}");
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
    }

    #[test]
    fn places_in_a_long_line() {
        let text = "é".repeat(10_000);
        let index = LineIndex::new(&text);
        for characters in [0, 1, 2047, 2048, 2049, 5000, 9999, 10_000] {
            assert_eq!(index.place(&text, characters * 2), (1, characters + 1));
        }
    }

    #[test]
    fn an_empty_text_has_one_place() {
        assert_eq!(LineIndex::new("").place("", 0), (1, 1));
    }
}
