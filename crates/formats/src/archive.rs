//! The parts of a ZIP archive such as an office file: located by its directory, unpacked one at a
//! time and never beyond a limit.
//!
//! Only the features that office programs use are supported: parts stored, deflated or packed by
//! bzip2, no encryption, no archive beyond 4 GB. Everything else is an error, never a guess.

use std::cell::Cell;
use std::io::Read;

use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};

use crate::limits::{MAX_TEXT_BYTES, MAX_UNPACKED_BYTES};

/// A ZIP archive in memory. All its parts together unpack to a limited number of bytes.
#[derive(Debug)]
pub struct Archive<'b> {
    bytes: &'b [u8],
    parts: Vec<ArchiveEntry<'b>>,
    most_of_part: usize,
    left: Cell<usize>,
}

#[derive(Debug)]
struct ArchiveEntry<'b> {
    name: &'b [u8],
    method: u16,
    packed: usize,
    offset: usize,
}

impl<'b> Archive<'b> {
    /// The archive in `bytes`; `None` if its last 64 KB have no end record, or its directory is
    /// damaged.
    pub fn open(bytes: &'b [u8]) -> Option<Self> {
        // The end record of the archive has its signature in the last 64 KB.
        let from = bytes.len().saturating_sub(22 + 0xffff);
        let mut windows = bytes[from..].windows(4);
        let end = from + windows.rposition(|window| window == b"PK\x05\x06")?;
        Self::with_directory(bytes, end, MAX_TEXT_BYTES, MAX_UNPACKED_BYTES)
    }

    /// The archive whose end record is at `end`, which may follow other bytes: programs skip them.
    /// At most `left` bytes are unpacked.
    pub(crate) fn ending_at(bytes: &'b [u8], end: usize, left: usize) -> Option<Self> {
        // The directory precedes the end record, so this is how far all offsets are moved.
        let directory = u32_at(bytes, end + 12)?.checked_add(u32_at(bytes, end + 16)?)?;
        let start = end.checked_sub(directory)?;
        Self::with_directory(&bytes[start..], directory, left, left)
    }

    fn with_directory(
        bytes: &'b [u8],
        end: usize,
        most_of_part: usize,
        left: usize,
    ) -> Option<Self> {
        let count = usize::from(u16_at(bytes, end + 10)?);
        let mut at = u32_at(bytes, end + 16)?;
        let mut parts = Vec::new();
        for _ in 0..count {
            if bytes.get(at..at.checked_add(4)?)? != b"PK\x01\x02" {
                return None;
            }
            let [name, extra, comment] = [28, 30, 32].map(|field| u16_at(bytes, at + field));
            let (name, rest) = (usize::from(name?), usize::from(extra?) + usize::from(comment?));
            parts.push(ArchiveEntry {
                name: bytes.get(at + 46..at + 46 + name)?,
                method: u16_at(bytes, at + 10)?,
                packed: u32_at(bytes, at + 20)?,
                offset: u32_at(bytes, at + 42)?,
            });
            at += 46 + name + rest;
        }
        Some(Self { bytes, parts, most_of_part, left: Cell::new(left) })
    }

    /// The text of a part, and whether it is complete; `None` if it is missing, is not text or the
    /// limit is reached.
    pub fn text(&self, name: &str) -> Option<(String, bool)> {
        let part = self.parts.iter().find(|part| part.name == name.as_bytes())?;
        let (content, is_whole) = self.unpack(part)?;
        let mut content = &content[..];
        if !is_whole {
            content =
                content.utf8_chunks().next().map_or(&[][..], |chunk| chunk.valid().as_bytes());
        }
        let text = std::str::from_utf8(content).ok()?;
        Some((text.strip_prefix('\u{feff}').unwrap_or(text).to_owned(), is_whole))
    }

    /// The content of each part in turn; `None` for one that cannot be unpacked.
    pub fn parts(&self) -> impl Iterator<Item = Option<Vec<u8>>> {
        self.parts.iter().map(|part| self.unpack(part).map(|(content, _)| content))
    }

    fn unpack(&self, part: &ArchiveEntry<'_>) -> Option<(Vec<u8>, bool)> {
        let at = part.offset;
        if self.bytes.get(at..at.checked_add(4)?)? != b"PK\x03\x04" {
            return None;
        }
        let name = usize::from(u16_at(self.bytes, at + 26)?);
        let extra = usize::from(u16_at(self.bytes, at + 28)?);
        let start = at + 30 + name + extra;
        let packed = self.bytes.get(start..start.checked_add(part.packed)?)?;
        let limit = self.most_of_part.min(self.left.get());
        let unpacked = match part.method {
            0 => (packed[..packed.len().min(limit)].to_vec(), packed.len() <= limit),
            8 => match decompress_to_vec_with_limit(packed, limit) {
                Ok(content) => (content, true),
                Err(error) if error.status == TINFLStatus::HasMoreOutput => (error.output, false),
                Err(_) => return None,
            },
            12 => {
                let mut content = Vec::new();
                bzip2(packed).take(limit as u64).read_to_end(&mut content).ok()?;
                let is_whole = content.len() < limit;
                (content, is_whole)
            }
            _ => return None,
        };
        self.left.set(self.left.get().saturating_sub(unpacked.0.len()));
        Some(unpacked)
    }
}

/// A reader of what bzip2 packed.
pub(crate) fn bzip2(packed: &[u8]) -> impl Read {
    bzip2::bufread::MultiBzDecoder::new(packed)
}

/// A little-endian number in two bytes.
pub(crate) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    let number = u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?);
    usize::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    use testing::archive::zip;

    use super::Archive;
    use crate::limits::MAX_TEXT_BYTES;

    #[test]
    fn parts_are_found_and_unpacked() {
        let bytes = zip(&[("a.xml", b"<a/>"), ("b.xml", "\u{feff}ü".as_bytes())]);
        let archive = Archive::open(&bytes).unwrap();
        assert_eq!(archive.text("a.xml"), Some(("<a/>".to_owned(), true)));
        assert_eq!(archive.text("b.xml"), Some(("ü".to_owned(), true)));
        assert_eq!(archive.text("c.xml"), None);
    }

    #[test]
    fn bombs_are_cut() {
        let bomb = zip(&[("a", &vec![b'a'; 4 * MAX_TEXT_BYTES])]);
        let archive = Archive::open(&bomb).unwrap();
        for expected in [MAX_TEXT_BYTES; 4].into_iter().chain([0]) {
            let (text, is_whole) = archive.text("a").unwrap();
            assert_eq!((text.len(), is_whole), (expected, false));
        }
    }

    #[test]
    fn damage_is_an_error() {
        let bytes = zip(&[("a.xml", b"<a/>"), ("b.xml", b"<b/>")]);
        for at in 0..bytes.len() {
            for change in [0x00, 0xff, 0x80] {
                let mut bytes = bytes.clone();
                bytes[at] = change;
                if let Some(archive) = Archive::open(&bytes) {
                    drop((archive.text("a.xml"), archive.text("b.xml")));
                }
            }
            if let Some(archive) = Archive::open(&bytes[..at]) {
                drop(archive.text("a.xml"));
            }
        }
    }
}
