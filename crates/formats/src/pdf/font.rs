//! The characters that the codes of a font mean.

use std::collections::BTreeMap;

use crate::pdf::objects::Objects;
use crate::pdf::syntax::{PdfReader, PdfValue};

/// The characters 0x80 to 0x9F of Windows-1252, the encoding of Latin letters in PDF.
const WINDOWS: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

pub(super) enum Font {
    /// One byte per Latin letter.
    Latin,
    /// A table from codes of `length` bytes to texts.
    Table { length: usize, texts: BTreeMap<u32, String> },
}

impl Font {
    /// `None` if nothing tells which letters the font draws.
    pub(super) fn new(font: &PdfValue, objects: &Objects) -> Option<Self> {
        if let Some(table) = font.get("ToUnicode") {
            return Some(table_of(&objects.stream(table)?));
        }
        match font.get("Encoding").map(|encoding| objects.resolved(encoding)) {
            Some(encoding) if !encoding.is_name("WinAnsiEncoding") => None,
            _ => Some(Self::Latin),
        }
    }

    pub(super) fn decode(&self, codes: &[u8]) -> String {
        match self {
            Self::Latin => codes.iter().map(|code| latin(*code)).collect(),
            Self::Table { length, texts } => {
                let texts = codes.chunks(*length).filter_map(|code| texts.get(&number(code)));
                texts.map(String::as_str).collect()
            }
        }
    }
}

fn latin(code: u8) -> char {
    match code {
        0x80..=0x9f => WINDOWS.chars().nth(usize::from(code - 0x80)).unwrap_or(char::from(code)),
        _ => char::from(code),
    }
}

fn number(code: &[u8]) -> u32 {
    code.iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// A table of characters from a `ToUnicode` stream.
fn table_of(stream: &[u8]) -> Font {
    let mut reader = PdfReader::new(stream);
    let (mut operands, mut texts) = (Vec::new(), BTreeMap::new());
    let mut length = 1;
    // Ranges may overlap, so their codes are counted: no font has more.
    let mut left = usize::from(u16::MAX);
    while let Some(value) = reader.value() {
        let PdfValue::Word(word) = value else {
            operands.push(value);
            continue;
        };
        match &word[..] {
            b"endcodespacerange" => {
                if let Some(PdfValue::Text(code)) = operands.last() {
                    length = code.len().clamp(1, 4);
                }
            }
            b"endbfchar" => {
                for pair in operands.chunks_exact(2) {
                    if let [PdfValue::Text(code), PdfValue::Text(text)] = pair {
                        texts.insert(number(code), wide(text, 0));
                    }
                }
            }
            b"endbfrange" => {
                for range in operands.chunks_exact(3) {
                    let added = texts_of_range(range, left);
                    left -= added.len();
                    texts.extend(added);
                }
            }
            _ => {}
        }
        operands.clear();
    }
    Font::Table { length, texts }
}

/// The codes of a range with their texts, at most `most`. The range has a first code, a last code,
/// and the text of the first or a list of texts.
fn texts_of_range(range: &[PdfValue], most: usize) -> Vec<(u32, String)> {
    let [PdfValue::Text(first), PdfValue::Text(last), to] = range else { return Vec::new() };
    let first = number(first);
    let codes = (first..=number(last)).take(most);
    match to {
        PdfValue::Text(text) => codes.map(|code| (code, wide(text, code - first))).collect(),
        PdfValue::List(list) => {
            let texts = codes.zip(list).filter_map(|(code, text)| match text {
                PdfValue::Text(text) => Some((code, wide(text, 0))),
                _ => None,
            });
            texts.collect()
        }
        _ => Vec::new(),
    }
}

/// UTF-16 as text, with the last unit increased by `more`.
fn wide(text: &[u8], more: u32) -> String {
    // A code may mean several letters, as in `ffi`, but no text.
    let mut units: Vec<u16> = text.chunks(2).take(8).map(|unit| number(unit) as u16).collect();
    if let Some(last) = units.last_mut() {
        *last = last.wrapping_add(more as u16);
    }
    String::from_utf16_lossy(&units)
}

#[cfg(test)]
mod tests {
    use super::{Font, table_of};

    #[test]
    fn a_table_maps_codes_and_ranges() {
        let font = table_of(
            b"1 begincodespacerange <0000> <FFFF> endcodespacerange\n\
              2 beginbfchar <0001> <0048> <0002> <D83DDE00> endbfchar\n\
              2 beginbfrange <0010> <0012> <0061> <0020> <0021> [<0058> <00660069>] endbfrange",
        );
        assert_eq!(font.decode(&[0, 1, 0, 0x11, 0, 0x21, 0, 2, 0, 9]), "Hbfi😀");
    }

    #[test]
    fn latin_letters_are_those_of_windows() {
        assert_eq!(Font::Latin.decode(b"caf\xe9 \x80 \x97"), "café € —");
    }
}
