//! What is packed in a file, as a person who opens it would find it: one level deep, and never more than
//! a limit, however large the file claims to be.

use std::io::Read;

use memchr::memmem;
use miniz_oxide::inflate::{decompress_to_vec_with_limit, decompress_to_vec_zlib_with_limit};

use crate::archive::{Archive, bzip2, u16_at};
use crate::pdf;

/// The most bytes that all contents of a file may unpack to.
const MAX_UNPACKED_BYTES: usize = 96 * 1024 * 1024;

/// How far from its start a PDF or an archive may begin: readers allow for some bytes before it.
const HEAD: usize = 1024;

const ZIP: &[u8] = b"PK\x03\x04";
const ZIP_END: &[u8] = b"PK\x05\x06";
const GZIP: &[u8] = b"\x1f\x8b\x08";
const BZIP2: &[u8] = b"BZh";
const XZ: &[u8] = b"\xfd7zXZ\0";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// What is packed in a file that is not text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Packed {
    /// The file is of a kind that is opened: the content of each part, of markup its words.
    Parts(Vec<Vec<u8>>),
    /// It is, but a part of it cannot be: it is encrypted, damaged or too large.
    Closed,
    /// It is of another kind; of a picture these are the notes in it.
    Other(Vec<Vec<u8>>),
}

/// Opens a file.
pub fn open(bytes: &[u8]) -> Packed {
    let head = &bytes[..bytes.len().min(HEAD)];
    if let Some(start) = memmem::find(head, b"%PDF-") {
        return pdf::strings(&bytes[start..]).map_or(Packed::Closed, Packed::Parts);
    }
    let parts = if memmem::find(head, ZIP).is_some() {
        parts_of_archive(bytes)
    } else if bytes.starts_with(GZIP) {
        gzip(bytes).map(Vec::from)
    } else if bytes.starts_with(BZIP2) {
        stream(bzip2(bytes)).map(Vec::from)
    } else if bytes.starts_with(XZ) {
        let limit = (MAX_UNPACKED_BYTES / 1024) as u32;
        stream(lzma_rust2::XzReader::new_mem_limit(bytes, true, limit)).map(Vec::from)
    } else if is_tar(bytes) {
        Some(Vec::new())
    } else {
        return Packed::Other(notes_of_png(bytes));
    };
    let Some(parts) = parts else { return Packed::Closed };
    Packed::Parts(parts.into_iter().map(without_markup).collect())
}

/// The words of a part that is markup, else the part itself.
fn without_markup(part: Vec<u8>) -> Vec<u8> {
    if part.trim_ascii_start().starts_with(b"<") { words_of_markup(&part) } else { part }
}

/// Whether a file is an archive of tar, whose parts are not packed.
fn is_tar(bytes: &[u8]) -> bool {
    bytes.get(257..262) == Some(b"ustar")
}

fn parts_of_archive(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let archive = Archive::ending_at(bytes, memmem::rfind(bytes, ZIP_END)?, MAX_UNPACKED_BYTES)?;
    let parts = archive.parts().collect::<Option<Vec<Vec<u8>>>>()?;
    let length: usize = parts.iter().map(Vec::len).sum();
    if length < MAX_UNPACKED_BYTES { Some(parts) } else { None }
}

/// What a reader of packed bytes gives; `None` if that is damaged or too much.
fn stream(packed: impl Read) -> Option<[Vec<u8>; 1]> {
    let mut content = Vec::new();
    packed.take(MAX_UNPACKED_BYTES as u64).read_to_end(&mut content).ok()?;
    if content.len() < MAX_UNPACKED_BYTES { Some([content]) } else { None }
}

/// The content of GZIP: an optional extra field, name, comment and sum precede it.
fn gzip(bytes: &[u8]) -> Option<[Vec<u8>; 1]> {
    let flags = *bytes.get(3)?;
    let mut rest = bytes.get(10..)?;
    if flags & 4 != 0 {
        rest = rest.get(2 + usize::from(u16_at(rest, 0)?)..)?;
    }
    for _ in 0..(flags >> 3 & 1) + (flags >> 4 & 1) {
        rest = &rest[memchr::memchr(0, rest)? + 1..];
    }
    let packed = if flags & 2 != 0 { rest.get(2..)? } else { rest };
    Some([decompress_to_vec_with_limit(packed, MAX_UNPACKED_BYTES).ok()?])
}

/// The packed notes of a PNG; none of another file.
fn notes_of_png(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut notes = Vec::new();
    let mut rest = bytes.strip_prefix(PNG).unwrap_or_default();
    while let Some(([a, b, c, d, kind @ ..], after)) = rest.split_first_chunk::<8>() {
        let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
        let chunk = &after[..length.min(after.len())];
        if matches!(kind, b"zTXt" | b"iTXt") {
            // Packed bytes begin after texts that end with zeros and a few numbers.
            for start in memchr::memchr_iter(0x78, chunk).take(16) {
                notes.extend(decompress_to_vec_zlib_with_limit(&chunk[start..], 1 << 20).ok());
            }
        }
        rest = after.get(length.saturating_add(4)..).unwrap_or_default();
    }
    notes
}

/// The text between tags of markup, with a line for each paragraph, cell and row.
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

/// The words of a file that is no text, each with those near it on a line: databases, settings and
/// serialized objects keep a name and its value next to each other.
pub fn printed(bytes: &[u8]) -> Vec<u8> {
    const SHORTEST_WORD: usize = 6;
    const MAX_GAP: usize = 8;
    let mut words: Vec<u8> = Vec::new();
    let (mut at, mut end) = (0, 0);
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|byte| matches!(byte, b' '..=b'~')).count();
        if length >= SHORTEST_WORD {
            words.push(if at - end <= MAX_GAP { b' ' } else { b'\n' });
            words.extend_from_slice(&bytes[at..at + length]);
            end = at + length;
        }
        at += length + 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{Packed, open, words_of_markup};
    use testing::archive::zip;

    #[test]
    fn parts_of_what_is_opened_are_found() {
        let archive = zip(&[("a.txt", b"one"), ("b.txt", b"two")]);
        let parts = Packed::Parts(vec![b"one".to_vec(), b"two".to_vec()]);
        assert_eq!(open(&archive), parts);
        assert_eq!(open(&[b"\n", &archive[..]].concat()), parts);
        assert_eq!(open(&archive[..archive.len() - 30]), Packed::Closed);
        assert_eq!(open(b"\x1f\x8b\x08\0"), Packed::Closed);
        assert_eq!(open(b"\x89PNG\r\n\x1a\n\0\0"), Packed::Other(Vec::new()));
        let pdf = b"%PDF-1.4\n1 0 obj << /Title (two words) /T <4869> >> stream\nBT [(th) 9 (ree)] TJ\n(b) Tj endstream";
        let Packed::Parts(parts) = open(pdf) else { panic!("a PDF is opened") };
        let words = String::from_utf8(parts.concat()).expect("words");
        assert_eq!(
            words.split_whitespace().collect::<Vec<_>>(),
            ["Hi", "two", "words", "three", "b"]
        );
        assert_eq!(open(b"%PDF-1.4 /Encrypt"), Packed::Closed);
    }

    #[test]
    fn words_of_markup_are_in_lines() {
        let markup = b"<a:p>to<b/>ken</a:p><row><c>x</c><c>y</c></row>";
        assert_eq!(words_of_markup(markup), b"\ntoken\n\n\nx\n\ny\n\n");
    }
}
