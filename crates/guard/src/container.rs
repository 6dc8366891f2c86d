//! What is found in files that are not text: in the members of an archive such as an office file, in the
//! text of a PDF, and in the words of any other. The unpacked size is bounded, however large the file
//! claims to be.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::Read;

use memchr::memmem;
use miniz_oxide::inflate::{decompress_to_vec_with_limit, decompress_to_vec_zlib_with_limit};

use crate::encoded;
use crate::file::Findings;
use crate::finder::{Finder, Kind};
use crate::scan::leading;
use formats::archive::{self, Archive};
use formats::{self, pdf};

/// The most bytes that all contents of a file may unpack to.
const MAX_UNPACKED_BYTES: usize = 96 * 1024 * 1024;

/// How far from its start a PDF or an archive may begin: readers allow for some bytes before it.
const HEAD: usize = 1024;

const ZIP: &[u8] = b"PK\x03\x04";
const ZIP_END: &[u8] = b"PK\x05\x06";
const GZIP: &[u8] = b"\x1f\x8b\x08";
const XZ: &[u8] = b"\xfd7zXZ\0";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// What is found in the file called `name`, which is not text.
pub(super) fn search(finder: &Finder, name: &str, bytes: &[u8]) -> Findings {
    let mut findings = Findings { is_binary: true, ..Findings::default() };
    let contents = contents(bytes);
    if matches!(contents, Contents::Closed) {
        findings.is_closed = true;
        return findings;
    }
    let is_opened = matches!(contents, Contents::Unpacked(_)) && !bytes.starts_with(PNG);
    findings.is_unsearched = !is_opened && !is_tar(bytes);
    search_bytes(finder, bytes, &mut findings);
    // What a reader sees, also of tables and glyphs.
    if let Some(words) = formats::words(name, bytes) {
        findings.count(finder.find(words.text.as_bytes(), Kind::Text));
    }
    let Contents::Unpacked(contents) = contents else { return findings };
    let mut searched = BTreeSet::new();
    for content in &contents {
        for piece in pieces(content) {
            // What unpacks to a hundred times its size repeats itself.
            if searched.insert(blake3::hash(piece).as_bytes().to_owned()) {
                search_content(finder, piece, &mut findings);
            }
        }
    }
    findings
}

/// The parts of a content, each with the beginning of the next: a secret may reach into it.
fn pieces(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    const PIECE: usize = 256 * 1024;
    const AHEAD: usize = 32 * 1024;
    let starts = (0..content.len()).step_by(PIECE);
    starts.map(|start| &content[start..content.len().min(start + PIECE + AHEAD)])
}

fn search_content(finder: &Finder, content: &[u8], findings: &mut Findings) {
    if formats::encoding(content).is_none() {
        search_bytes(finder, content, findings);
        return;
    }
    let is_markup = content.trim_ascii_start().starts_with(b"<");
    let words = if is_markup { words_of_markup(content).into() } else { Cow::Borrowed(content) };
    findings.count(finder.find(&words, Kind::Text));
}

fn search_bytes(finder: &Finder, bytes: &[u8], findings: &mut Findings) {
    findings.count(finder.find(bytes, Kind::Bytes));
    findings.count(finder.find(&printed(bytes), Kind::Text));
}

/// The words of a file that is no text, each with those near it on a line: databases, settings and
/// serialized objects keep a name and its value next to each other.
fn printed(bytes: &[u8]) -> Vec<u8> {
    const SHORTEST_WORD: usize = 6;
    const MAX_GAP: usize = 8;
    let mut words: Vec<u8> = Vec::new();
    let (mut at, mut end) = (0, 0);
    while at < bytes.len() {
        let length = leading(&bytes[at..], |byte| matches!(byte, b' '..=b'~'));
        if length >= SHORTEST_WORD {
            words.push(if at - end <= MAX_GAP { b' ' } else { b'\n' });
            words.extend_from_slice(&bytes[at..at + length]);
            end = at + length;
        }
        at += length + 1;
    }
    words
}

enum Contents {
    /// Of a kind that is not opened.
    Unknown,
    /// Of a kind that is opened, but a part of it could not be.
    Closed,
    Unpacked(Vec<Vec<u8>>),
}

/// What a person would find in a file, one level deep.
fn contents(bytes: &[u8]) -> Contents {
    let head = &bytes[..bytes.len().min(HEAD)];
    let contents = if let Some(start) = memmem::find(head, b"%PDF-") {
        contents_of_pdf(&bytes[start..])
    } else if memmem::find(head, ZIP).is_some() {
        contents_of_archive(bytes)
    } else if bytes.starts_with(GZIP) {
        unpacked(flate(bytes))
    } else if bytes.starts_with(b"BZh") {
        unpacked(stream(archive::bzip2(bytes)))
    } else if bytes.starts_with(XZ) {
        let limit = (MAX_UNPACKED_BYTES / 1024) as u32;
        unpacked(stream(lzma_rust2::XzReader::new_mem_limit(bytes, true, limit)))
    } else if bytes.starts_with(PNG) {
        return Contents::Unpacked(texts_of_png(bytes));
    } else {
        return Contents::Unknown;
    };
    contents.map_or(Contents::Closed, Contents::Unpacked)
}

fn unpacked(content: Option<Vec<u8>>) -> Option<Vec<Vec<u8>>> {
    content.map(|content| vec![content])
}

fn contents_of_archive(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let archive = Archive::ending_at(bytes, memmem::rfind(bytes, ZIP_END)?, MAX_UNPACKED_BYTES)?;
    let contents = archive.parts().collect::<Option<Vec<Vec<u8>>>>()?;
    let length: usize = contents.iter().map(Vec::len).sum();
    if length < MAX_UNPACKED_BYTES { Some(contents) } else { None }
}

/// What a reader of packed bytes gives; `None` if that is damaged or too much.
fn stream(packed: impl Read) -> Option<Vec<u8>> {
    let mut content = Vec::new();
    packed.take(MAX_UNPACKED_BYTES as u64).read_to_end(&mut content).ok()?;
    if content.len() < MAX_UNPACKED_BYTES { Some(content) } else { None }
}

/// The content of GZIP: an optional extra field, name, comment and sum precede it.
fn flate(bytes: &[u8]) -> Option<Vec<u8>> {
    let flags = *bytes.get(3)?;
    let mut rest = bytes.get(10..)?;
    if flags & 4 != 0 {
        rest = rest.get(2 + usize::from(archive::u16_at(rest, 0)?)..)?;
    }
    for _ in 0..(flags >> 3 & 1) + (flags >> 4 & 1) {
        rest = &rest[memchr::memchr(0, rest)? + 1..];
    }
    let packed = if flags & 2 != 0 { rest.get(2..)? } else { rest };
    decompress_to_vec_with_limit(packed, MAX_UNPACKED_BYTES).ok()
}

/// The strings in the objects and streams of a PDF: also its title, notes and links. `None` if its pages
/// cannot be read: what they show may be numbers of glyphs.
fn contents_of_pdf(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let text = pdf::read(bytes);
    if text.is_none() && memmem::find(bytes, b"/Page").is_some() {
        return None;
    }
    let mut contents = vec![text.unwrap_or_default().into_bytes()];
    let (mut rest, mut left) = (bytes, MAX_UNPACKED_BYTES);
    while let Some(start) = memmem::find(rest, b"stream") {
        contents.push(strings_of_page(&rest[..start]));
        let body = &rest[start + "stream".len()..];
        let end = memmem::find(body, b"endstream").unwrap_or(body.len());
        let packed = body[..end].trim_ascii_start();
        let content = decompress_to_vec_zlib_with_limit(packed, left);
        let content = content.unwrap_or_else(|error| error.output);
        left -= content.len();
        contents.push(strings_of_page(if content.is_empty() { packed } else { &content }));
        rest = body.get(end + "endstream".len()..).unwrap_or_default();
    }
    contents.push(strings_of_page(rest));
    Some(contents)
}

/// The strings in brackets, also as hexadecimal digits; those of one array are one word.
fn strings_of_page(content: &[u8]) -> Vec<u8> {
    let mut strings = Vec::new();
    let (mut open, mut is_array, mut at) = (0, false, 0);
    // Of the last string: some programs print letter by letter.
    let mut length = 0;
    while let Some(&byte) = content.get(at) {
        at += 1;
        match byte {
            b'\\' if open > 0 => {
                strings.extend(content.get(at));
                at += 1;
            }
            b'(' => (open, length) = (open + 1, 0),
            b')' if open > 0 => open -= 1,
            _ if open > 0 => {
                strings.push(byte);
                length += 1;
            }
            b'<' => {
                let digits = leading(&content[at..], |byte| byte.is_ascii_hexdigit());
                strings.extend(encoded::hex_text(&content[at..at + digits]).unwrap_or_default());
                at += digits;
            }
            b'[' | b']' => is_array = byte == b'[',
            b'T' if !is_array && length != 1 => strings.push(b'\n'),
            _ => {}
        }
    }
    // Texts of an object may be in UTF-16.
    strings.retain(|byte| matches!(byte, b'\n' | b' '..=b'~'));
    strings
}

/// The packed texts of a PNG.
fn texts_of_png(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    let mut at = PNG.len();
    while let Some(head) = bytes.get(at..at + 8) {
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let chunk = bytes.get(at + 8..(at + 8).saturating_add(length)).unwrap_or_default();
        if matches!(&head[4..], b"zTXt" | b"iTXt") {
            // Packed bytes begin after texts that end with zeros and a few numbers.
            for start in memchr::memchr_iter(0x78, chunk).take(16) {
                texts.extend(decompress_to_vec_zlib_with_limit(&chunk[start..], 1 << 20).ok());
            }
        }
        at = at.saturating_add(12).saturating_add(length);
    }
    texts
}

/// Whether a file is an archive of tar, which is not packed.
fn is_tar(bytes: &[u8]) -> bool {
    bytes.get(257..262) == Some(b"ustar")
}

/// Text between tags; a line for each paragraph, cell and row.
fn words_of_markup(content: &[u8]) -> Vec<u8> {
    let mut words = Vec::new();
    for part in content.split(|byte| *byte == b'<') {
        let end = memchr::memchr(b'>', part);
        let tag = part[..end.unwrap_or_default()].trim_ascii_end();
        let name = tag.rsplit(|byte| b":/".contains(byte)).next().unwrap_or_default();
        if matches!(name, b"p" | b"si" | b"c" | b"is" | b"row" | b"td" | b"tr" | b"li" | b"br") {
            words.push(b'\n');
        }
        words.extend_from_slice(&part[end.map_or(0, |end| end + 1)..]);
    }
    words
}
