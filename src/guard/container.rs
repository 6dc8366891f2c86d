//! Contents of files that are not text: the members of an archive such as an office file, packed
//! streams wherever they begin, the streams of a PDF, the texts of a picture. The unpacked size is
//! bounded, however large the file claims to be.

use std::borrow::Cow;
use std::io::Read;

use memchr::memmem;
use miniz_oxide::inflate::{decompress_to_vec_with_limit, decompress_to_vec_zlib_with_limit};

use crate::formats::archive::{self, Archive};
use crate::formats::pdf::ascii85;
use crate::guard::folded;

/// The most bytes that all contents of a file may unpack to.
const MAX_UNPACKED_BYTES: usize = 96 * 1024 * 1024;

/// The most nested archives.
const MAX_NESTED: usize = 6;

/// The most beginnings of packed streams that are tried.
const MAX_STREAMS: usize = 50_000;

/// How far from its start a PDF may begin: readers allow for lines before it.
const PDF_HEAD: usize = 1024;

/// The longest object of a PDF, in bytes, whose texts are searched for.
const PDF_OBJECT: usize = 4096;

const GZIP: &[u8] = b"\x1f\x8b\x08";
const XZ: &[u8] = b"\xfd7zXZ\0";
const ZIP: &[u8] = b"PK\x03\x04";
const ZIP_END: &[u8] = b"PK\x05\x06";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Beginnings of archives that nothing here can take apart: 7z, Zstandard, RAR, LZ4, LZMA.
const CLOSED: [&[u8]; 5] =
    [b"7z\xbc\xaf\x27\x1c", b"\x28\xb5\x2f\xfd", b"Rar!\x1a\x07", b"\x04\x22\x4d\x18", b"\x5d\0\0"];

/// The beginning of a PDF within the first bytes of a file.
pub(super) fn pdf_start(bytes: &[u8]) -> Option<usize> {
    memmem::find(&bytes[..bytes.len().min(PDF_HEAD)], b"%PDF-")
}

/// Calls `look` with each content of a file. `false` if a part of it could not be opened.
pub(super) fn each_content(bytes: &[u8], look: &mut dyn FnMut(&[u8])) -> bool {
    let mut unpacking = Unpacking { left: MAX_UNPACKED_BYTES, is_open: true, look };
    unpacking.look_into(bytes, MAX_NESTED);
    unpacking.is_open && unpacking.left > 0
}

struct Unpacking<'l> {
    /// The number of bytes that may still be unpacked.
    left: usize,
    is_open: bool,
    look: &'l mut dyn FnMut(&[u8]),
}

impl Unpacking<'_> {
    fn look_into(&mut self, bytes: &[u8], depth: usize) {
        if CLOSED.iter().any(|start| bytes.starts_with(start)) {
            self.is_open = false;
        }
        if let Some(start) = pdf_start(bytes) {
            self.look_into_pdf(&bytes[start..], depth);
            return;
        }
        let mut archives = 0;
        for end in memmem::find_iter(bytes, ZIP_END).take(MAX_STREAMS) {
            let Some(archive) = Archive::ending_at(bytes, end, self.left) else { continue };
            archives += 1;
            for part in archive.parts() {
                match part {
                    Some(content) => self.unpacked(&content, depth),
                    None => self.is_open = false,
                }
            }
        }
        if bytes.starts_with(ZIP) && archives == 0 {
            self.is_open = false;
        }
        for start in memmem::find_iter(bytes, GZIP).take(MAX_STREAMS) {
            let packed = after_gzip_head(&bytes[start..]).unwrap_or_default();
            let inflated = decompress_to_vec_with_limit(packed, self.left);
            self.unpacked(&inflated.unwrap_or_else(|error| error.output), depth);
        }
        // Git and databases keep such streams one after the other. Those of a PNG are its picture.
        let starts = memchr::memchr_iter(0x78, bytes).filter(|start| is_zlib(&bytes[*start..]));
        for start in starts.take(if bytes.starts_with(PNG) { 0 } else { MAX_STREAMS }) {
            let inflated = decompress_to_vec_zlib_with_limit(&bytes[start..], self.left);
            self.unpacked(&inflated.unwrap_or_default(), depth);
        }
        for start in memmem::find_iter(bytes, b"1AY&SY").take(MAX_STREAMS) {
            let Some(start) = start.checked_sub(4) else { continue };
            self.stream(archive::bzip2(&bytes[start..]), depth);
        }
        for start in memmem::find_iter(bytes, XZ).take(MAX_STREAMS) {
            let limit = (MAX_UNPACKED_BYTES / 1024) as u32;
            self.stream(lzma_rust2::XzReader::new_mem_limit(&bytes[start..], true, limit), depth);
        }
        if bytes.starts_with(PNG) {
            self.look_into_png(bytes, depth);
        }
    }

    /// What a reader of packed bytes gives, as far as it is valid.
    fn stream(&mut self, packed: impl Read, depth: usize) {
        let mut content = Vec::new();
        let _ = packed.take(self.left as u64).read_to_end(&mut content);
        self.unpacked(&content, depth);
    }

    fn look_into_pdf(&mut self, bytes: &[u8], depth: usize) {
        let starts = memmem::find_iter(bytes, b"stream").map(|at| at + "stream".len());
        let mut starts = starts.take(MAX_STREAMS).peekable();
        while let Some(start) = starts.next() {
            let end = starts.peek().map_or(bytes.len(), |next| *next);
            let plain = bytes[start..end].trim_ascii_start();
            // Libraries such as reportlab write packed streams as letters.
            let packed = match plain {
                [first, ..] if first & 0x0f == 8 => Cow::Borrowed(plain),
                _ => ascii85::decode(plain).into(),
            };
            let inflated = decompress_to_vec_zlib_with_limit(&packed, self.left);
            self.unpacked(&inflated.unwrap_or_else(|error| error.output), depth);
            (self.look)(&words(plain));
        }
        // What is not packed: the title, notes and links.
        for part in memmem::find_iter(bytes, b"endobj").take(MAX_STREAMS) {
            let head = &bytes[..part];
            let start = memmem::rfind(&head[part.saturating_sub(PDF_OBJECT)..], b" obj");
            let Some(start) = start else { continue };
            let object = &head[part.saturating_sub(PDF_OBJECT) + start..];
            if memmem::find(object, b"stream").is_none() {
                let mut words = words_of_page(object);
                // Texts of an object may be in UTF-16.
                words.retain(|byte| matches!(byte, b'\n' | b' '..=b'~'));
                (self.look)(&words);
            }
        }
    }

    /// The texts of a PNG, which may be packed.
    fn look_into_png(&mut self, bytes: &[u8], depth: usize) {
        let mut at = PNG.len();
        while let Some(head) = bytes.get(at..at + 8) {
            let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
            let chunk = bytes.get(at + 8..(at + 8).saturating_add(length)).unwrap_or_default();
            if matches!(&head[4..], b"zTXt" | b"iTXt" | b"iCCP") {
                // Packed bytes begin after texts that end with zeros and a few numbers.
                for start in memchr::memchr_iter(0x78, chunk).take(16) {
                    let inflated = decompress_to_vec_zlib_with_limit(&chunk[start..], self.left);
                    self.unpacked(&inflated.unwrap_or_default(), depth);
                }
            }
            at = at.saturating_add(12).saturating_add(length);
        }
    }

    fn unpacked(&mut self, content: &[u8], depth: usize) {
        if content.is_empty() {
            return;
        }
        self.left = self.left.saturating_sub(content.len());
        (self.look)(content);
        (self.look)(&words(content));
        if depth == 0 {
            self.is_open = false;
        } else {
            self.look_into(content, depth - 1);
        }
    }
}

/// Whether a packed stream of zlib may begin here, of any of the usual levels.
fn is_zlib(bytes: &[u8]) -> bool {
    matches!(bytes, [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..])
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

/// Text in the brackets of strings, also as hexadecimal digits; the strings of one array are one word.
fn words_of_page(content: &[u8]) -> Vec<u8> {
    let mut words = Vec::new();
    let (mut open, mut is_array, mut is_escaped) = (0_usize, false, false);
    let mut digits: Option<Vec<u8>> = None;
    for byte in content.iter().copied() {
        if let Some(digit) = digits.as_mut().filter(|_| byte.is_ascii_hexdigit()) {
            digit.push(byte);
            continue;
        }
        if let Some(digits) = digits.take() {
            words.extend(folded::from_hexadecimal(&digits));
        }
        match byte {
            _ if is_escaped => words.push(byte),
            b'\\' if open > 0 => {}
            b'(' => open += 1,
            b')' => open = open.saturating_sub(1),
            _ if open > 0 => words.push(byte),
            b'<' => digits = Some(Vec::new()),
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
    use super::{MAX_UNPACKED_BYTES, each_content};
    use crate::formats::archive::tests::zip;

    const BZIP2: &[u8] = b"BZh91AY&SY\x8a\xa1\x05\xf4\0\0\0\x01\x80\x01\0\x92\0\x20\0\x21\x9a\x68\x33\x4d\x30\xbc\x5d\xc9\x14\xe1\x42\x42\x2a\x84\x17\xd0";
    const XZ: &[u8] = b"\xfd7zXZ\0\0\x04\xe6\xd6\xb4\x46\x02\0\x21\x01\x16\0\0\0\x74\x2f\xe5\xa3\x01\0\x03four\0\xd0\x58\x3b\x3c\xad\xcb\x93\x7e\0\x01\x1c\x04\x6f\x2c\x9c\xc1\x1f\xb6\xf3\x7d\x01\0\0\0\0\x04YZ";

    fn texts(bytes: &[u8]) -> Vec<String> {
        let mut texts = Vec::new();
        each_content(bytes, &mut |text| texts.push(String::from_utf8_lossy(text).into_owned()));
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
        assert_eq!(texts(&[b"some bytes before", &inner[..]].concat()), ["one"]);
        // "four" packed by bzip2 and xz.
        assert_eq!(texts(BZIP2), ["four"]);
        assert_eq!(texts(XZ), ["four"]);
        assert_eq!(texts(&gzip(b"two")), ["two"]);
        assert_eq!(texts(&[gzip(b"two"), gzip(b"three")].concat()), ["two", "three"]);
        let object = miniz_oxide::deflate::compress_to_vec_zlib(b"six", 6);
        assert_eq!(texts(&[b"PACK\0", &object[..], b"\x78\x9c\0"].concat()), ["six"]);
        let outer = texts(&zip(&[("b.zip", &inner), ("c.gz", &gzip(b"two"))]));
        assert!(["one", "two"].iter().all(|word| outer.iter().any(|text| text == word)));
        let page =
            miniz_oxide::deflate::compress_to_vec_zlib(b"BT [(gh) -20 (p_\\(x)] TJ (y) Tj", 6);
        let pdf = [b"\n%PDF-1.7\n<< >> stream\r\n", &page[..], b"\nendstream"].concat();
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
        each_content(&archive, &mut |text| {
            ends.push(text[text.len().saturating_sub(3)..].to_vec())
        });
        assert!([b"one", b"two"].iter().all(|end| ends.iter().any(|found| found == *end)));
    }

    #[test]
    fn bombs_are_bounded() {
        let million = gzip(&vec![b'a'; 16 * 1024 * 1024]);
        let parts: Vec<(&str, &[u8])> = (0..50).map(|_| ("a.gz", &million[..])).collect();
        let bomb = zip(&parts);
        let mut length = 0;
        each_content(&bomb, &mut |text| length += text.len());
        // The members of an archive count before their packed contents do.
        assert!(length <= 2 * MAX_UNPACKED_BYTES, "{length}");
    }

    #[test]
    fn damage_does_no_harm() {
        let bytes = zip(&[("a.gz", &gzip(b"<p>one</p>"))]);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0xff;
            each_content(&damaged, &mut |_| ());
            each_content(&bytes[..at], &mut |_| ());
        }
    }
}
