//! The syntax of a PDF: values, and the operators of a page between them.

use std::collections::BTreeMap;

use crate::limits::MAX_NESTING;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum PdfValue {
    Name(Vec<u8>),
    Text(Vec<u8>),
    Number(f64),
    /// The number of another object.
    Reference(u32),
    List(Vec<PdfValue>),
    Dictionary(BTreeMap<Vec<u8>, PdfValue>),
    /// A keyword, such as the operator `Tj`.
    Word(Vec<u8>),
}

impl PdfValue {
    /// The value of a dictionary under `key`.
    pub(super) fn get(&self, key: &str) -> Option<&PdfValue> {
        match self {
            Self::Dictionary(entries) => entries.get(key.as_bytes()),
            _ => None,
        }
    }

    pub(super) fn is_name(&self, name: &str) -> bool {
        matches!(self, Self::Name(found) if found == name.as_bytes())
    }

    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }
}

/// Reads values one after the other; stops at anything else.
pub(super) struct PdfReader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> PdfReader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The unread part.
    pub(super) fn rest(&self) -> &'b [u8] {
        &self.bytes[self.at..]
    }

    pub(super) fn value(&mut self) -> Option<PdfValue> {
        self.value_within(MAX_NESTING)
    }

    fn value_within(&mut self, depth: usize) -> Option<PdfValue> {
        self.skip_space();
        match self.rest() {
            [b'<', b'<', ..] => {
                self.at += 2;
                let (depth, mut entries) = (depth.checked_sub(1)?, BTreeMap::new());
                while let PdfValue::Name(key) = self.value_within(depth)? {
                    entries.insert(key, self.value_within(depth)?);
                }
                // The end was read as a single bracket.
                self.take(1);
                Some(PdfValue::Dictionary(entries))
            }
            [b'<', ..] => Some(self.hexadecimal()),
            [b'(', ..] => Some(self.text()),
            [b'[', ..] => {
                self.at += 1;
                let (depth, mut values) = (depth.checked_sub(1)?, Vec::new());
                loop {
                    match self.value_within(depth)? {
                        PdfValue::Word(word) if word == b"]" => {
                            return Some(PdfValue::List(values));
                        }
                        value => values.push(value),
                    }
                }
            }
            [b'/', ..] => {
                self.at += 1;
                Some(PdfValue::Name(unescaped(self.regular())))
            }
            [b'0'..=b'9' | b'+' | b'-' | b'.', ..] => Some(self.number_or_reference()),
            [_, ..] => {
                let word = self.regular();
                // An unmatched bracket is a word of its own.
                let word = if word.is_empty() { self.take(1) } else { word };
                Some(PdfValue::Word(word.to_vec()))
            }
            [] => None,
        }
    }

    fn take(&mut self, count: usize) -> &'b [u8] {
        let rest = self.rest();
        let taken = &rest[..count.min(rest.len())];
        self.at += taken.len();
        taken
    }

    /// The bytes up to white space or a bracket.
    fn regular(&mut self) -> &'b [u8] {
        let rest = self.rest();
        self.take(rest.iter().position(|byte| ends_word(*byte)).unwrap_or(rest.len()))
    }

    fn skip_space(&mut self) {
        while let [first, ..] = self.rest() {
            match first {
                b'%' => {
                    let rest = self.rest();
                    let end = rest.iter().position(|byte| b"\r\n".contains(byte));
                    self.at += end.unwrap_or(rest.len());
                }
                first if first.is_ascii_whitespace() || *first == 0 => self.at += 1,
                _ => break,
            }
        }
    }

    fn number_or_reference(&mut self) -> PdfValue {
        // Only two more words tell the number 7 from the reference `7 0 R`.
        let number = self.number();
        let after = self.at;
        self.skip_space();
        if number.fract() == 0.0
            && number >= 0.0
            && self.rest().first().is_some_and(u8::is_ascii_digit)
        {
            self.number();
            self.skip_space();
            if self.regular() == b"R" {
                return PdfValue::Reference(number as u32);
            }
        }
        self.at = after;
        PdfValue::Number(number)
    }

    /// A word that is not a number counts as 0, as in other readers.
    fn number(&mut self) -> f64 {
        let digits = self.regular();
        std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()).unwrap_or(0.0)
    }

    fn hexadecimal(&mut self) -> PdfValue {
        self.at += 1;
        let rest = self.rest();
        let digits = self.take(rest.iter().position(|byte| *byte == b'>').unwrap_or(rest.len()));
        self.take(1);
        // White space between digits has no meaning, and a missing last digit is 0.
        let digits: Vec<u32> =
            digits.iter().filter_map(|byte| char::from(*byte).to_digit(16)).collect();
        let pairs = digits.chunks(2).map(|pair| (pair[0] << 4 | pair.get(1).unwrap_or(&0)) as u8);
        PdfValue::Text(pairs.collect())
    }

    fn text(&mut self) -> PdfValue {
        self.at += 1;
        let (mut text, mut depth) = (Vec::new(), 1);
        while let [byte] = *self.take(1) {
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'\\' => {
                    text.extend(self.escaped());
                    continue;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
            text.push(byte);
        }
        PdfValue::Text(text)
    }

    /// The character after a backslash; `None` for a line continuation.
    fn escaped(&mut self) -> Option<u8> {
        let [byte] = *self.take(1) else { return None };
        match byte {
            b'n' => Some(b'\n'),
            b'r' => Some(b'\r'),
            b't' => Some(b'\t'),
            b'b' => Some(8),
            b'f' => Some(12),
            b'\r' | b'\n' => None,
            b'0'..=b'7' => {
                // Up to three octal digits; a fourth is the next character.
                let mut code = byte - b'0';
                for _ in 0..2 {
                    let [digit @ b'0'..=b'7', ..] = *self.rest() else { break };
                    code = (code << 3).wrapping_add(digit - b'0');
                    self.take(1);
                }
                Some(code)
            }
            other => Some(other),
        }
    }
}

fn ends_word(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"\0()<>[]{}/%".contains(&byte)
}

/// A name with `#20` and the like decoded.
fn unescaped(name: &[u8]) -> Vec<u8> {
    let mut parts = name.split(|byte| *byte == b'#');
    let mut bytes = parts.next().unwrap_or_default().to_vec();
    for part in parts {
        let (code, rest) = part.split_at(part.len().min(2));
        let code = std::str::from_utf8(code).ok();
        bytes.extend(code.and_then(|code| u8::from_str_radix(code, 16).ok()));
        bytes.extend_from_slice(rest);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{PdfReader, PdfValue};

    fn values(text: &str) -> Vec<PdfValue> {
        let mut reader = PdfReader::new(text.as_bytes());
        std::iter::from_fn(|| reader.value()).collect()
    }

    #[test]
    fn values_are_read_in_every_notation() {
        let text = |text: &str| PdfValue::Text(text.as_bytes().to_vec());
        assert_eq!(values(r"(a\(b\) (c) \101\n)"), [text("a(b) (c) A\n")]);
        assert_eq!(values("<48 65 6>"), [text("He`")]);
        let numbers = [PdfValue::Number(1.0), PdfValue::Number(0.0), PdfValue::Number(-2.5)];
        assert_eq!(values("1 0 -2.5 % a remark"), numbers);
        assert_eq!(values("7 0 R"), [PdfValue::Reference(7)]);
        let page = &values("<< /Type /Page /Kids [1 0 R 2 0 R] /A#20b << /X (y) >> >> ET")[..];
        assert!(page[0].get("Type").is_some_and(|kind| kind.is_name("Page")));
        assert_eq!(page[0].get("A b").and_then(|inner| inner.get("X")), Some(&text("y")));
        assert_eq!(page[1], PdfValue::Word(b"ET".to_vec()));
    }

    #[test]
    fn depth_and_ends_are_bounded() {
        assert_eq!(values(&"[".repeat(100_000)), []);
        assert_eq!(values("<< /a"), []);
        assert_eq!(values("(open"), [PdfValue::Text(b"open".to_vec())]);
        assert_eq!(values(") >"), [PdfValue::Word(b")".to_vec()), PdfValue::Word(b">".to_vec())]);
    }
}
