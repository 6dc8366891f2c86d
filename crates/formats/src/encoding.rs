//! Whether a file is text, and in which encoding. All stages ask here.

use std::borrow::Cow;

use text::{ByteOrder, decode_utf_16, utf_16};

use crate::limits::MAX_TEXT_BYTES;

/// Bytes at the beginning of a file that decide.
const SAMPLE_BYTES: usize = 8 * 1024;

/// Beginnings of files that may look like text for a while.
const PACKED: &[&[u8]] = &[b"%PDF", b"PK\x03\x04", b"\x1f\x8b\x08"];

/// How the characters of a text file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, or an older encoding that writes ASCII in the same way.
    Utf8,
    /// UTF-16, by its byte order mark, or by the zero bytes of a file without one.
    Utf16(ByteOrder),
}

impl Encoding {
    /// All characters of `bytes`, also a byte order mark.
    pub fn decode_all(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            // Almost all texts are valid, which is checked many times faster than repaired.
            Self::Utf8 => match std::str::from_utf8(bytes) {
                Ok(text) => text.into(),
                Err(_) => String::from_utf8_lossy(bytes),
            },
            Self::Utf16(order) => decode_utf_16(bytes, order).into(),
        }
    }

    /// `text` in this encoding.
    pub fn encode(self, text: String) -> Vec<u8> {
        match self {
            Self::Utf8 => text.into_bytes(),
            Self::Utf16(ByteOrder::Little) => {
                text.encode_utf16().flat_map(u16::to_le_bytes).collect()
            }
            Self::Utf16(ByteOrder::Big) => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        }
    }
}

/// The characters of a text file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text<'b> {
    /// Without a byte order mark.
    pub content: Cow<'b, str>,
    /// The encoding that the bytes were decoded from.
    pub encoding: Encoding,
    /// Whether bytes were not valid and are replacement characters in `content`.
    pub is_repaired: bool,
}

/// The encoding of a file that begins with `head`; `None` if it is not text.
pub fn encoding(head: &[u8]) -> Option<Encoding> {
    encoding_of(head, false)
}

/// The same, told whether all that could be UTF-8 is: that is not checked twice.
fn encoding_of(head: &[u8], is_valid: bool) -> Option<Encoding> {
    if let Some((order, mark)) = utf_16(head) {
        let sample = &head[mark..head.len().min(SAMPLE_BYTES)];
        let is_binary = is_binary(decode_utf_16(sample, order).as_bytes(), true);
        return if is_binary { None } else { Some(Encoding::Utf16(order)) };
    }
    let is_packed = PACKED.iter().any(|start| head.starts_with(start));
    if is_packed || is_binary(head, is_valid) { None } else { Some(Encoding::Utf8) }
}

/// The text in `bytes`, at most [`MAX_TEXT_BYTES`] of them; `None` if they are not text.
pub fn decode(bytes: &[u8]) -> Option<Text<'_>> {
    let head = &bytes[..bytes.len().min(MAX_TEXT_BYTES)];
    let mut plain = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    // Cutting a large file must not make it one with invalid bytes.
    if plain.len() + 4 > MAX_TEXT_BYTES {
        plain = without_cut_character(plain);
    }
    let valid = std::str::from_utf8(plain);
    let encoding = encoding_of(head, valid.is_ok())?;
    if let Encoding::Utf16(order) = encoding {
        let mark = utf_16(head).map_or(0, |(_, mark)| mark);
        let content = Cow::Owned(decode_utf_16(&head[mark..], order));
        return Some(Text { content, encoding, is_repaired: false });
    }
    let content = valid.map_or_else(|_| String::from_utf8_lossy(plain), Cow::from);
    Some(Text { content, encoding, is_repaired: valid.is_err() })
}

/// Whether the beginning contains a zero, or more than a tenth of it is no character of a text.
fn is_binary(content: &[u8], is_valid: bool) -> bool {
    let sample = &content[..content.len().min(SAMPLE_BYTES)];
    if sample.contains(&0) {
        return true;
    }
    // In counts of a byte, so that many bytes are compared at once.
    let foreign = |chunk: &[u8]| chunk.iter().map(|byte| u8::from(is_foreign(*byte))).sum::<u8>();
    let mut not_text: usize = sample.chunks(255).map(|chunk| usize::from(foreign(chunk))).sum();
    // The sample may end within a character.
    let sample = without_cut_character(sample);
    if !is_valid && std::str::from_utf8(sample).is_err() {
        let text = String::from_utf8_lossy(sample);
        not_text += text.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count();
    }
    not_text * 10 > sample.len()
}

/// Whether a byte is a control character that no text has. Logs have form feeds, and escapes that color
/// them. Without a branch, as it is asked of many bytes at once.
fn is_foreign(byte: u8) -> bool {
    (byte < 0x20)
        & (byte != b'\t')
        & (byte != b'\n')
        & (byte != 0x0c)
        & (byte != b'\r')
        & (byte != 0x1b)
}

/// `bytes` without a UTF-8 character that the end cuts.
fn without_cut_character(bytes: &[u8]) -> &[u8] {
    // No character has more than four bytes.
    let tail = &bytes[bytes.len().saturating_sub(3)..];
    let Some(start) = tail.iter().rposition(|byte| *byte & 0xc0 == 0xc0) else { return bytes };
    match std::str::from_utf8(&tail[start..]) {
        Err(error) if error.error_len().is_none() => &bytes[..bytes.len() - tail.len() + start],
        _ => bytes,
    }
}

/// `text` without the color codes that programs write for terminals.
pub(crate) fn without_colors(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(part.len());
        match part[end..].chars().next() {
            Some(last) if last.is_ascii_alphabetic() => plain.push_str(&part[end + 1..]),
            _ => plain.extend(["\u{1b}[", part]),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::{Encoding, Text, decode, without_colors, without_cut_character};
    use text::ByteOrder;

    #[test]
    fn encodings_are_distinguished() {
        let (little, big) = (Encoding::Utf16(ByteOrder::Little), Encoding::Utf16(ByteOrder::Big));
        type Case = (&'static [u8], Option<(&'static str, Encoding, bool)>);
        let table: [Case; 11] = [
            (b"plain", Some(("plain", Encoding::Utf8, false))),
            (b"\xef\xbb\xbfmark", Some(("mark", Encoding::Utf8, false))),
            (b"\xff\xfeh\0i\0", Some(("hi", little, false))),
            (b"\xfe\xff\0h\0i", Some(("hi", big, false))),
            (b"n\0o\0 \0m\0a\0r\0k\0", Some(("no mark", little, false))),
            (b"caf\xe9 au lait", Some(("caf\u{fffd} au lait", Encoding::Utf8, true))),
            (b"", Some(("", Encoding::Utf8, false))),
            (b"PK\x03\x04\0\0\0\x01\x02", None),
            (b"%PDF-1.7 text for a while", None),
            (b"\xff\xfe\0\0\0\0", None),
            (&[0x80, 0x91, 0xfe, 0xc0, 0x41, 0x42], None),
        ];
        for (bytes, expected) in table {
            let expected = expected.map(|(content, encoding, is_repaired)| Text {
                content: content.into(),
                encoding,
                is_repaired,
            });
            assert_eq!(decode(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn only_a_character_at_the_end_is_cut() {
        assert_eq!(without_cut_character("aä".as_bytes().split_last().unwrap().1), b"a");
        assert_eq!(without_cut_character(b"a\xff\xc3"), b"a\xff");
    }

    #[test]
    fn colors_go_and_nothing_else() {
        assert_eq!(without_colors("\u{1b}[0;31mError\u{1b}[0m: a[1]"), "Error: a[1]");
        assert_eq!(without_colors("\u{1b}[?x"), "\u{1b}[?x");
    }
}
