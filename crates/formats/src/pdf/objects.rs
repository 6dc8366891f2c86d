//! The objects of a PDF. The whole file is searched, so that a damaged cross-reference table does
//! no harm; if an object was written again, the last one counts.

use std::cell::Cell;
use std::collections::BTreeMap;

use memchr::memmem::find_iter;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use crate::limits::{MAX_ITEMS, MAX_UNPACKED_BYTES};
use crate::pdf::ascii85;
use crate::pdf::syntax::{PdfReader, PdfValue};

/// The bytes that an unpacked stream counts at least, so that the number of streams is bounded too.
const STREAM_COST: usize = 1024;

pub(super) struct Objects<'b> {
    values: BTreeMap<u32, (PdfValue, &'b [u8])>,
    /// The unpacked contents of object streams.
    packed: BTreeMap<u32, PdfValue>,
    /// Bytes that may still be unpacked.
    left: Cell<usize>,
}

impl<'b> Objects<'b> {
    /// `None` if the file is encrypted.
    pub(super) fn new(bytes: &'b [u8]) -> Option<Self> {
        if memchr::memmem::find(bytes, b"/Encrypt").is_some() {
            return None;
        }
        let mut objects = Self {
            values: BTreeMap::new(),
            packed: BTreeMap::new(),
            left: Cell::new(MAX_UNPACKED_BYTES),
        };
        let mut read_to = 0;
        for at in find_iter(bytes, b" obj").take(MAX_ITEMS) {
            // Nothing is read twice, whatever a value contains.
            if at < read_to {
                continue;
            }
            let Some(number) = number_before(&bytes[..at]) else { continue };
            let mut reader = PdfReader::new(&bytes[at + b" obj".len()..]);
            let value = reader.value();
            read_to = bytes.len() - reader.rest().len();
            if let Some(value) = value {
                objects.values.insert(number, (value, reader.rest()));
            }
        }
        // Since PDF 1.5 most objects of a file are packed together.
        let holders = objects.values.iter().filter(|(_, (value, _))| has_type(value, "ObjStm"));
        let members = holders.filter_map(|(number, _)| objects.members_of(*number)).flatten();
        objects.packed = members.collect();
        Some(objects)
    }

    /// The object that `value` refers to, else `value` itself.
    pub(super) fn resolved<'v>(&'v self, value: &'v PdfValue) -> &'v PdfValue {
        match value {
            PdfValue::Reference(number) => self.object(*number).unwrap_or(value),
            _ => value,
        }
    }

    /// The value in `dictionary` under `key`, with references resolved.
    pub(super) fn entry<'v>(&'v self, dictionary: &'v PdfValue, key: &str) -> Option<&'v PdfValue> {
        dictionary.get(key).map(|value| self.resolved(value))
    }

    /// The first object with that type.
    pub(super) fn first_of(&self, kind: &str) -> Option<&PdfValue> {
        let mut values = self.values.values().map(|(value, _)| value).chain(self.packed.values());
        values.find(|value| has_type(value, kind))
    }

    /// All objects with their numbers.
    pub(super) fn all(&self) -> impl Iterator<Item = (u32, &PdfValue)> {
        let values = self.values.iter().map(|(number, (value, _))| (*number, value));
        values.chain(self.packed.iter().map(|(number, value)| (*number, value)))
    }

    /// The unpacked content of a stream; `None` if it is not one, or packed in another way.
    pub(super) fn stream(&self, reference: &PdfValue) -> Option<Vec<u8>> {
        let PdfValue::Reference(number) = reference else { return None };
        let (dictionary, rest) = self.values.get(number)?;
        let data = rest.trim_ascii_start().strip_prefix(b"stream")?;
        let data = data.strip_prefix(b"\r\n").or(data.strip_prefix(b"\n")).unwrap_or(data);
        let filters = match self.entry(dictionary, "Filter") {
            Some(PdfValue::List(filters)) => &filters[..],
            Some(filter) => std::slice::from_ref(filter),
            None => &[],
        };
        let mut names = Vec::new();
        for filter in filters {
            let PdfValue::Name(name) = self.resolved(filter) else { return None };
            names.push(name.as_slice());
        }
        let limit = self.left.get();
        let content = match names[..] {
            [] => before_end(data).to_vec(),
            // Unpacking finds the end of packed bytes: they may contain `endstream` by chance.
            [b"FlateDecode"] => inflated(data, limit)?,
            [b"ASCII85Decode"] => ascii85::decode(before_end(data)),
            // reportlab writes its pages so.
            [b"ASCII85Decode", b"FlateDecode"] => {
                inflated(&ascii85::decode(before_end(data)), limit)?
            }
            _ => return None,
        };
        self.left.set(limit.checked_sub(content.len().max(STREAM_COST))?);
        Some(content)
    }

    fn object(&self, number: u32) -> Option<&PdfValue> {
        self.values.get(&number).map(|(value, _)| value).or_else(|| self.packed.get(&number))
    }

    /// The objects within a stream of objects, by number.
    fn members_of(&self, holder: u32) -> Option<Vec<(u32, PdfValue)>> {
        let first = self.object(holder)?.get("First")?.number()? as usize;
        let content = self.stream(&PdfValue::Reference(holder))?;
        let (head, bodies) = content.split_at_checked(first)?;
        let mut head = PdfReader::new(head);
        let numbers: Vec<usize> =
            std::iter::from_fn(|| Some(head.value()?.number()? as usize)).collect();
        let mut pairs = numbers.chunks_exact(2).take(MAX_ITEMS).peekable();
        let mut members = Vec::new();
        while let Some(pair) = pairs.next() {
            // Up to the next object, so that a damaged one does not read all others as its own.
            let end = pairs.peek().map_or(bodies.len(), |next| next[1]);
            let value = bodies.get(pair[1]..end).and_then(|body| PdfReader::new(body).value());
            members.extend(u32::try_from(pair[0]).ok().zip(value));
        }
        Some(members)
    }
}

fn has_type(value: &PdfValue, kind: &str) -> bool {
    value.get("Type").is_some_and(|found| found.is_name(kind))
}

/// The number of an object before its ` obj`: `12 0`.
fn number_before(bytes: &[u8]) -> Option<u32> {
    let tail = &bytes[bytes.len().saturating_sub(24)..];
    let mut words = tail.rsplit(u8::is_ascii_whitespace);
    let generation = words.next()?;
    let number = words.next()?;
    if generation.is_empty() || !generation.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(number).ok()?.parse().ok()
}

fn before_end(data: &[u8]) -> &[u8] {
    &data[..memchr::memmem::find(data, b"endstream").unwrap_or(data.len())]
}

fn inflated(packed: &[u8], limit: usize) -> Option<Vec<u8>> {
    decompress_to_vec_zlib_with_limit(packed, limit).ok()
}

#[cfg(test)]
mod tests {
    use super::number_before;

    #[test]
    fn an_object_has_a_number_and_a_generation() {
        assert_eq!(number_before(b"endobj\n12 0"), Some(12));
        assert_eq!(number_before(b"no 0"), None);
        assert_eq!(number_before(b"12"), None);
    }
}
