//! Texts in files that are not text: the members of an archive, such as an office file, and the
//! streams of a PDF. The unpacked size is bounded, however large the file claims to be.

use std::borrow::Cow;

use miniz_oxide::inflate::{decompress_to_vec_with_limit, decompress_to_vec_zlib_with_limit};

use crate::formats::archive::{self, Archive};
use crate::formats::limits::MAX_UNPACKED_BYTES;
use crate::formats::pdf::ascii85;

/// The most nested archives.
const MAX_NESTED: usize = 3;

/// The most beginnings of packed streams that are tried.
const MAX_STREAMS: usize = 4_096;

const ZIP: &[u8] = b"PK\x03\x04";
const GZIP: &[u8] = b"\x1f\x8b\x08";
const PDF: &[u8] = b"%PDF";

/// Whether a file may have texts that its own bytes do not show.
pub(super) fn is_container(bytes: &[u8]) -> bool {
    [ZIP, GZIP, PDF].iter().any(|mark| bytes.starts_with(mark))
}

/// Calls `look` with each text in a container. `false` if a part of it could not be opened.
pub(super) fn each_text(bytes: &[u8], look: &mut dyn FnMut(&[u8])) -> bool {
    let mut unpacking = Unpacking { left: MAX_UNPACKED_BYTES, look };
    unpacking.look_into(bytes, MAX_NESTED);
    unpacking.left > 0
}

struct Unpacking<'l> {
    /// The number of bytes that may still be unpacked.
    left: usize,
    look: &'l mut dyn FnMut(&[u8]),
}

impl Unpacking<'_> {
    fn look_into(&mut self, bytes: &[u8], depth: usize) {
        if depth == 0 || self.left == 0 {
            return;
        }
        if bytes.starts_with(ZIP) {
            let Some(archive) = Archive::within(bytes, self.left, self.left) else { return };
            for part in archive.parts() {
                self.unpacked(&part, depth);
            }
        } else if bytes.starts_with(GZIP) {
            for start in memchr::memmem::find_iter(bytes, GZIP).take(MAX_STREAMS) {
                let packed = after_gzip_head(&bytes[start..]).unwrap_or_default();
                let inflated = decompress_to_vec_with_limit(packed, self.left);
                self.unpacked(&inflated.unwrap_or_else(|error| error.output), depth);
            }
        } else if bytes.starts_with(PDF) {
            self.look_into_pdf(bytes, depth);
        }
    }

    fn look_into_pdf(&mut self, bytes: &[u8], depth: usize) {
        let starts = memchr::memmem::find_iter(bytes, b"stream").map(|at| at + "stream".len());
        let mut starts = starts.take(MAX_STREAMS).peekable();
        while let Some(start) = starts.next() {
            let end = starts.peek().map_or(bytes.len(), |next| *next);
            // Libraries such as reportlab write packed streams as letters.
            let content = match bytes[start..].trim_ascii_start() {
                packed @ [first, ..] if first & 0x0f == 8 => Cow::Borrowed(packed),
                _ => ascii85::decode(&bytes[start..end]).into(),
            };
            let inflated = decompress_to_vec_zlib_with_limit(&content, self.left);
            self.unpacked(&inflated.unwrap_or_else(|error| error.output), depth);
        }
    }

    fn unpacked(&mut self, content: &[u8], depth: usize) {
        self.left = self.left.saturating_sub(content.len());
        (self.look)(content);
        (self.look)(&words(content));
        self.look_into(content, depth - 1);
    }
}

/// The part after the header of a GZIP stream.
fn after_gzip_head(bytes: &[u8]) -> Option<&[u8]> {
    let flags = *bytes.get(3)?;
    let mut rest = bytes.get(10..)?;
    if flags & 4 != 0 {
        let length = archive::u16_at(rest, 0)?;
        rest = rest.get(2 + usize::from(length)..)?;
    }
    // The name of the file and a comment, each terminated by a zero.
    for _ in 0..(flags >> 3 & 1) + (flags >> 4 & 1) {
        rest = &rest[memchr::memchr(0, rest)? + 1..];
    }
    if flags & 2 != 0 { rest.get(2..) } else { Some(rest) }
}

/// Words without markup tags and PDF operators: a secret may be in pieces.
fn words(content: &[u8]) -> Vec<u8> {
    if content.trim_ascii_start().starts_with(b"<") {
        return words_of_markup(content);
    }
    let is_page = memchr::memmem::find(content, b"Tj").or(memchr::memmem::find(content, b"TJ"));
    is_page.map_or(Vec::new(), |_| words_of_page(content))
}

/// Text between tags; a line for each paragraph and cell.
fn words_of_markup(content: &[u8]) -> Vec<u8> {
    const ENDS: &[&[u8]] = &[b"p", b"si", b"c", b"is", b"row", b"td", b"tr", b"li", b"div", b"br"];
    let mut words = Vec::new();
    for part in content.split(|byte| *byte == b'<') {
        let end = memchr::memchr(b'>', part);
        let tag = part[..end.unwrap_or_default()].trim_ascii_end();
        let name = tag.split(|byte| b" \t\r\n".contains(byte)).next().unwrap_or_default();
        let local_name = name.strip_suffix(b"/").unwrap_or(name);
        let local_name = local_name.rsplit(|byte| b":/".contains(byte)).next().unwrap_or_default();
        if (tag.starts_with(b"/") || tag.ends_with(b"/")) && ENDS.contains(&local_name) {
            words.push(b'\n');
        }
        words.extend_from_slice(&part[end.map_or(0, |end| end + 1)..]);
    }
    words
}

/// Text in the brackets of strings; those of one array are one word.
fn words_of_page(content: &[u8]) -> Vec<u8> {
    let mut words = Vec::new();
    let (mut open, mut is_array, mut is_escaped) = (0_usize, false, false);
    for byte in content.iter().copied() {
        match byte {
            _ if is_escaped => words.push(byte),
            b'\\' if open > 0 => {}
            b'(' => open += 1,
            b')' => open = open.saturating_sub(1),
            _ if open > 0 => words.push(byte),
            b'[' | b']' => is_array = byte == b'[',
            b'T' if !is_array => words.push(b'\n'),
            _ => {}
        }
        is_escaped = byte == b'\\' && open > 0 && !is_escaped;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{MAX_UNPACKED_BYTES, each_text, is_container};
    use crate::formats::archive::tests::zip;

    fn texts(bytes: &[u8]) -> Vec<String> {
        assert!(is_container(bytes));
        let mut texts = Vec::new();
        each_text(bytes, &mut |text| texts.push(String::from_utf8_lossy(text).into_owned()));
        texts.retain(|text| !text.is_empty());
        texts
    }

    fn gzip(content: &[u8]) -> Vec<u8> {
        let packed = miniz_oxide::deflate::compress_to_vec(content, 6);
        [b"\x1f\x8b\x08\x08\0\0\0\0\0\x03a.txt\0", &packed[..], &[0; 8]].concat()
    }

    #[test]
    fn packed_texts_are_unpacked() {
        let inner = zip(&[("a.txt", b"one")]);
        assert_eq!(texts(&inner), ["one"]);
        assert_eq!(texts(&gzip(b"two")), ["two"]);
        assert_eq!(texts(&[gzip(b"two"), gzip(b"three")].concat()), ["two", "three"]);
        let outer = texts(&zip(&[("b.zip", &inner), ("c.gz", &gzip(b"two"))]));
        assert!(["one", "two"].iter().all(|word| outer.iter().any(|text| text == word)));
        let page =
            miniz_oxide::deflate::compress_to_vec_zlib(b"BT [(gh) -20 (p_\\(x)] TJ (y) Tj", 6);
        let pdf = [b"%PDF-1.7\n<< >> stream\r\n", &page[..], b"\nendstream"].concat();
        assert!(texts(&pdf).iter().any(|text| text.contains("ghp_(x\ny")), "{:?}", texts(&pdf));
        // "BT (two) Tj" packed and written as ASCII85.
        let pdf = br#"%PDF-1.4 << >> stream Garg^;:$^?cdu,%aT;GT^]Qh~>endstream endobj"#;
        assert!(texts(pdf).iter().any(|text| text.contains("two")), "{:?}", texts(pdf));
    }

    #[test]
    fn a_word_in_several_pieces_is_one() {
        let document = "<w:p><w:r><w:t>gh</w:t></w:r><w:r><w:t>p_x</w:t></w:r></w:p><w:p>y</w:p>";
        let texts = texts(&zip(&[("word/document.xml", document.as_bytes())]));
        assert!(texts.iter().any(|text| text == "ghp_x\ny\n"), "{texts:?}");
    }

    #[test]
    fn neither_long_nor_many_parts_hide_anything() {
        let long = [&b"x ".repeat(6 * 1024 * 1024)[..], b"one"].concat();
        let mut parts: Vec<(&str, &[u8])> = vec![("a.txt", b"x"); 5_000];
        parts.extend([("b.txt", &long[..]), ("c.txt", b"two")]);
        let (mut ends, archive) = (Vec::new(), zip(&parts));
        each_text(&archive, &mut |text| ends.push(text[text.len().saturating_sub(3)..].to_vec()));
        assert!([b"one", b"two"].iter().all(|end| ends.iter().any(|found| found == *end)));
    }

    #[test]
    fn bombs_are_bounded() {
        let million = gzip(&vec![b'a'; 16 * 1024 * 1024]);
        let parts: Vec<(&str, &[u8])> = (0..50).map(|_| ("a.gz", &million[..])).collect();
        let bomb = zip(&parts);
        let mut length = 0;
        each_text(&bomb, &mut |text| length += text.len());
        // The members of an archive count before their packed contents do.
        assert!(length <= 2 * MAX_UNPACKED_BYTES, "{length}");
    }

    #[test]
    fn damage_does_no_harm() {
        let bytes = zip(&[("a.gz", &gzip(b"<p>one</p>"))]);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0xff;
            each_text(&damaged, &mut |_| ());
            each_text(&bytes[..at], &mut |_| ());
        }
    }
}
