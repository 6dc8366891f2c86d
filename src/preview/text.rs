//! The text of a file in any encoding, and how much of it a page shows.

use std::borrow::Cow;

use crate::language::Language;
use crate::preview::markup::{Markup, Safe};
use crate::text::{Utf16, utf_16};

/// Text beyond this many bytes is cut on the page; the stored file is complete.
pub(super) const MAX_SHOWN_BYTES: usize = 128 * 1024;

/// Bytes that are examined to tell text from other files.
const SAMPLE_BYTES: usize = 8 * 1024;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Text<'b> {
    /// Its characters, without a byte order mark.
    pub(super) content: Cow<'b, str>,
    /// The key of a remark on its encoding, or empty.
    pub(super) remark: &'static str,
}

/// The text in `content`; `None` if it is not text.
pub(super) fn decode(content: &[u8]) -> Option<Text<'_>> {
    let marked = content.strip_prefix(b"\xef\xbb\xbf");
    let wide = if marked.is_some() { None } else { utf_16(content) };
    let Some((order, mark)) = wide else {
        let content = marked.unwrap_or(content);
        let text = String::from_utf8_lossy(content);
        let remark = if matches!(text, Cow::Owned(_)) { "preview.not_utf_8" } else { "" };
        return (!is_binary(content)).then_some(Text { content: text, remark });
    };
    let units = content[mark..].chunks_exact(2).map(|pair| match order {
        Utf16::Little => u16::from_le_bytes([pair[0], pair[1]]),
        Utf16::Big => u16::from_be_bytes([pair[0], pair[1]]),
    });
    let text: String =
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    let is_text = !is_binary(text.as_bytes());
    is_text.then_some(Text { content: Cow::Owned(text), remark: "preview.utf_16" })
}

/// Whether the sample contains a zero, or more than a tenth of it is not text.
fn is_binary(content: &[u8]) -> bool {
    let sample = &content[..content.len().min(SAMPLE_BYTES)];
    let control = |byte: &&u8| **byte < 32 && !matches!(**byte, b'\t' | b'\n' | b'\r' | 12 | 27);
    let lossy = String::from_utf8_lossy(sample);
    let odd = sample.iter().filter(control).count()
        + lossy.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count();
    sample.contains(&0) || odd * 10 > sample.len()
}

/// At most `limit` bytes of `text`, cut after a line if one ends in the last half.
pub(super) fn head(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let cut = &text[..text.floor_char_boundary(limit)];
    match cut.rfind('\n') {
        Some(end) if end >= limit / 2 => &cut[..=end],
        _ => cut,
    }
}

pub(super) fn pre(text: &str) -> Safe {
    let mut out = Markup::default();
    out.raw("<pre>\n").value(text).raw("</pre>");
    out.finish()
}

/// Joins the non-empty parts of a remark.
pub(super) fn remarks<'r>(parts: impl IntoIterator<Item = &'r str>, language: &Language) -> String {
    language.list(parts.into_iter().filter(|part| !part.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::{Text, decode, head};

    /// The text and the remark.
    type Expected = Option<(&'static str, &'static str)>;

    fn decoded(bytes: &[u8]) -> Option<(String, &'static str)> {
        decode(bytes).map(|Text { content, remark }| (content.into_owned(), remark))
    }

    #[test]
    fn encodings_are_distinguished() {
        let table: [(&[u8], Expected); 9] = [
            (b"plain", Some(("plain", ""))),
            (b"\xef\xbb\xbfmark", Some(("mark", ""))),
            (b"\xff\xfeh\0i\0", Some(("hi", "preview.utf_16"))),
            (b"\xfe\xff\0h\0i", Some(("hi", "preview.utf_16"))),
            (b"n\0o\0 \0m\0a\0r\0k\0", Some(("no mark", "preview.utf_16"))),
            (b"caf\xe9 au lait", Some(("caf\u{fffd} au lait", "preview.not_utf_8"))),
            (b"", Some(("", ""))),
            (b"PK\x03\x04\0\0\0\x01\x02", None),
            (&[0x80, 0x91, 0xfe, 0xc0, 0x41, 0x42], None),
        ];
        for (bytes, expected) in table {
            let expected = expected.map(|(text, remark)| (text.to_owned(), remark));
            assert_eq!(decoded(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn cuts_are_between_characters_and_lines() {
        assert_eq!(head("ab\ncd\nef", 7), "ab\ncd\n");
        assert_eq!(head("äöü", 3), "ä");
        assert_eq!(head("a\nbbbbbbbb", 6), "a\nbbbb");
        assert_eq!(head("short", 10), "short");
    }
}
