//! The parser: one pass over the text by recursive descent.
//!
//! Common mistakes of real files are repaired on the spot; no value is invented. The only guess is
//! where a string ends (`string`): it looks ahead over at most one line, so the time is
//! proportional to the text.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::node::{Node, Spanned};
use super::repair_kind::{Repair, RepairKind, excerpt, line_of};
use super::source::LineIndex;
use super::word::read_word;

const MAX_DEPTH: usize = 128;

/// The most repairs listed for one document; later ones are made but not listed.
const MAX_REPAIRS: usize = 1000;

/// Bytes of a line that are shown before and after a sign that it lacks.
const SHOWN_BYTES: usize = 60;

type Entries<'a> = Box<[(Cow<'a, str>, Spanned<'a>)]>;

/// A document as it was read, with what had to be repaired.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed<'a> {
    /// The outermost value.
    pub root: Spanned<'a>,
    /// In the order of the document; empty for strictly valid JSON without repeated keys.
    pub repairs: Vec<Repair>,
}

/// Why a text cannot be read as JSON, even with repairs, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} at line {line}, column {column}")]
pub struct NotJson {
    /// Where it was detected; counted from 1.
    pub line: usize,
    /// The character of that line, counted from 1.
    pub column: usize,
    /// The expectation: lower case, no full stop, names in backticks.
    pub message: String,
}

/// Reads `text` as one JSON document, repairing common mistakes of real files.
pub fn parse(text: &str) -> Result<Parsed<'_>, NotJson> {
    let mut parser =
        Parser { text, at: 0, closers: Vec::new(), repairs: Vec::new(), keys: OnceCell::new() };
    let root = parser.document()?;
    let mut repairs = parser.repairs;
    repairs.sort_by_key(|repair| repair.at);
    Ok(Parsed { root, repairs })
}

/// Reads `text` as one JSON document without any repair and without repeated keys.
pub fn parse_strict(text: &str) -> Result<Spanned<'_>, NotJson> {
    let Parsed { root, repairs } = parse(text)?;
    let Some(repair) = repairs.first() else { return Ok(root) };
    let [message, ..] = repair.kind.explain();
    Err(not_json(text, repair.at, message))
}

fn not_json(text: &str, at: usize, message: String) -> NotJson {
    let (line, column) = LineIndex::new(text).place(text, at);
    NotJson { line, column, message }
}

/// A position in a text, and the repairs up to it.
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    /// The brackets that close the lists and objects around the position, the innermost last.
    pub(super) closers: Vec<u8>,
    repairs: Vec<Repair>,
    /// The keys of the document, once they are asked for.
    pub(super) keys: OnceCell<BTreeSet<&'a str>>,
}

impl<'a> Parser<'a> {
    fn document(&mut self) -> Result<Spanned<'a>, NotJson> {
        if u32::try_from(self.text.len()).is_err() {
            return Err(self.fail(0, "the file has more than 4 GiB"));
        }
        // Windows tools put it before UTF-8.
        if self.text.starts_with('\u{feff}') {
            self.at += '\u{feff}'.len_utf8();
        }
        if self.text[self.at..].trim().is_empty() {
            return Err(self.fail(0, "the file is empty"));
        }
        self.skip_trivia();
        let word = self.slice(self.at, self.word_end(self.at));
        let begins = matches!(self.byte(self.at), None | Some(b'{' | b'[' | b'"' | b'\''));
        if !begins && read_word(word).is_none() {
            let rest = &self.text[self.at..];
            // An archive or a picture has a byte that no text has within the first few.
            if rest.chars().take(1024).any(is_odd) {
                return Err(self.fail(self.at, "the file is binary, not JSON"));
            }
            let first = excerpt(rest.split_whitespace().next().unwrap_or_default());
            let message = format!("the file begins with `{first}`, not with `{{` or `[`");
            return Err(self.fail(self.at, message));
        }
        let root = self.value()?.ok_or_else(|| self.expected("a value"))?;
        self.skip_trivia();
        if self.at < self.text.len() {
            return Err(self.expected("the end of the file"));
        }
        if !self.closers.is_empty() {
            // Exempt from the limit of listed repairs, because this one lost something.
            let kind = RepairKind::CutOff(self.closers.len());
            self.repairs.push(Repair { at: self.text.trim_end().len(), kind });
        }
        Ok(root)
    }

    /// Reads the value that begins here; `None` if the file ends instead.
    fn value(&mut self) -> Result<Option<Spanned<'a>>, NotJson> {
        let start = self.at;
        let node = match self.byte(start) {
            None => None,
            Some(b'{') => Some(Node::Object(self.object()?)),
            Some(b'[') => Some(Node::List(self.list()?)),
            Some(b'"' | b'\'') => Some(Node::Text(self.string(false)?)),
            Some(_) => self.word()?,
        };
        Ok(node.map(|node| Spanned::new(start..self.at, node)))
    }

    fn list(&mut self) -> Result<Box<[Spanned<'a>]>, NotJson> {
        self.open(b']')?;
        let mut items = Vec::new();
        let mut end = None;
        while self.next_part(end)? {
            items.extend(self.value()?);
            end = Some(self.at);
        }
        Ok(items.into())
    }

    fn object(&mut self) -> Result<Entries<'a>, NotJson> {
        self.open(b'}')?;
        let mut entries = Vec::new();
        let mut key_starts = Vec::new();
        let mut end = None;
        while self.next_part(end)? {
            let start = self.at;
            let key = self.key()?;
            self.skip_trivia();
            match self.byte(self.at) {
                None => {}
                Some(found) => {
                    if found == b':' {
                        self.at += 1;
                    } else if self.begins_value(self.at) {
                        let after_key = self.end_of_trimmed(self.at);
                        self.repair(
                            after_key,
                            RepairKind::MissingColon(self.with_sign(after_key, ':')),
                        );
                    } else {
                        return Err(self.expected("`:`"));
                    }
                    self.skip_trivia();
                    if let Some(value) = self.value()? {
                        entries.push((key, value));
                        key_starts.push(start);
                    }
                }
            }
            end = Some(self.at);
        }
        let mut keys: Vec<(&str, usize)> = Vec::with_capacity(entries.len());
        for ((key, _), start) in entries.iter().zip(key_starts) {
            keys.push((key, start));
        }
        // Equal keys are neighbors now, the later one second; most objects have none.
        keys.sort_unstable();
        for pair in keys.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            self.repair(pair[1].1, RepairKind::DuplicateKey(excerpt(pair[1].0)));
        }
        Ok(entries.into())
    }

    fn key(&mut self) -> Result<Cow<'a, str>, NotJson> {
        if matches!(self.byte(self.at), Some(b'"' | b'\'')) {
            return self.string(true);
        }
        let Some(end) = self.end_of_bare_key(self.at) else {
            return Err(self.expected("a key in quotes"));
        };
        let key = self.slice(self.at, end);
        self.repair(self.at, RepairKind::UnquotedKey(excerpt(key)));
        self.at = end;
        Ok(Cow::Borrowed(key))
    }

    fn open(&mut self, closer: u8) -> Result<(), NotJson> {
        if self.closers.len() == MAX_DEPTH {
            return Err(self.fail(self.at, format!("nested deeper than {MAX_DEPTH} levels")));
        }
        self.closers.push(closer);
        self.at += 1;
        Ok(())
    }

    /// Passes the separator of items or entries in a list or object; `false` at its end.
    ///
    /// `end` is where the part before ended, if there is one. Brackets left open at the end of the
    /// file stay among `closers`.
    fn next_part(&mut self, end: Option<usize>) -> Result<bool, NotJson> {
        self.skip_trivia();
        let mut comma = None;
        if end.is_some() && self.byte(self.at) == Some(b',') {
            comma = Some(self.at);
            self.at += 1;
            self.skip_trivia();
        }
        let closer = self.closers.last().copied();
        match self.byte(self.at) {
            None => Ok(false),
            next if next == closer => {
                self.closers.pop();
                if let Some(comma) = comma {
                    self.repair(comma, RepairKind::TrailingComma);
                }
                self.at += 1;
                Ok(false)
            }
            Some(_) => {
                if let (Some(end), None) = (end, comma) {
                    // Within a line, `5 points` or `84 852` is more likely than a missing comma.
                    if !self.slice(end, self.at).contains('\n') && !self.begins_part(self.at) {
                        let closer = closer.map_or('}', char::from);
                        return Err(self.expected(&format!("`,` or `{closer}`")));
                    }
                    self.repair(end, RepairKind::MissingComma(self.with_sign(end, ',')));
                }
                Ok(true)
            }
        }
    }

    /// Reads a number, word or unquoted text; `None` at the end of the file, which may have cut it.
    fn word(&mut self) -> Result<Option<Node<'a>>, NotJson> {
        let start = self.at;
        let is_inside = !self.closers.is_empty();
        let end = self.word_end(start);
        // Half of a number is another number: a file that a full disk cut must not show one.
        if is_inside && end == self.text.len() {
            self.at = end;
            return Ok(None);
        }
        if let Some((node, repair)) = read_word(self.slice(start, end)) {
            if let Some(kind) = repair {
                self.repair(start, kind);
            }
            self.at = end;
            return Ok(Some(node));
        }
        let end = self.skip(start, |byte| !b",{}[]\"'\n".contains(&byte));
        let text = self.slice(start, end).trim_end();
        if !text.starts_with(char::is_alphanumeric) {
            return Err(self.expected("a value"));
        }
        self.repair(start, RepairKind::UnquotedText(excerpt(text)));
        self.at = start + text.len();
        Ok(Some(Node::Text(Cow::Borrowed(text))))
    }

    /// Whether a value begins at `at`: no word without quotes, which may be anything.
    pub(super) fn begins_value(&self, at: usize) -> bool {
        let is_word = || read_word(self.slice(at, self.word_end(at))).is_some();
        matches!(self.byte(at), Some(b'{' | b'[' | b'"' | b'\'')) || is_word()
    }

    /// Whether an entry of the object here, or an item in brackets or quotes of the list here, begins
    /// at `at`.
    fn begins_part(&self, at: usize) -> bool {
        let is_marked = matches!(self.byte(at), Some(b'{' | b'[' | b'"' | b'\''));
        if self.closers.last() == Some(&b']') { is_marked } else { self.is_key(at) }
    }

    /// The end of what comes before the spaces that end at `at`.
    fn end_of_trimmed(&self, at: usize) -> usize {
        self.slice(0, at).trim_end().len()
    }

    /// The line around `at`, as it should be with `sign` there.
    fn with_sign(&self, at: usize, sign: char) -> String {
        let from = self.text.ceil_char_boundary(at.saturating_sub(SHOWN_BYTES));
        let to = self.text.floor_char_boundary(at + SHOWN_BYTES);
        let (before, after) = (self.slice(from, at), self.slice(at, to));
        let before = before.rsplit('\n').next().unwrap_or_default();
        let after = after.split('\n').next().unwrap_or_default();
        line_of(&format!("{}{sign}{}", before.trim_start(), after.trim_end()))
    }

    pub(super) fn repair(&mut self, at: usize, kind: RepairKind) {
        if self.repairs.len() < MAX_REPAIRS {
            self.repairs.push(Repair { at, kind });
        }
    }

    /// The error for finding anything but `what` here.
    pub(super) fn expected(&self, what: &str) -> NotJson {
        let found = match self.slice(self.at, self.text.len()).split_whitespace().next() {
            None => "the end of the file".to_owned(),
            Some(word) => format!("`{}`", excerpt(word)),
        };
        self.fail(self.at, format!("expected {what}, found {found}"))
    }

    pub(super) fn fail(&self, at: usize, message: impl Into<String>) -> NotJson {
        not_json(self.text, at, message.into())
    }

    fn skip_trivia(&mut self) {
        loop {
            self.at = self.skip_space(self.at);
            let start = self.at;
            if !self.is_comment(start) {
                return;
            }
            self.repair(start, RepairKind::Comment);
            self.at = match self.byte(start + 1) {
                Some(b'*') => {
                    let body = self.slice(start + 2, self.text.len());
                    body.find("*/").map_or(self.text.len(), |length| start + 2 + length + 2)
                }
                _ => self.skip(start, |byte| byte != b'\n'),
            };
        }
    }

    pub(super) fn is_comment(&self, at: usize) -> bool {
        let next = self.byte(at + 1);
        match self.byte(at) {
            Some(b'#') => true,
            Some(b'/') => matches!(next, Some(b'/' | b'*')),
            _ => false,
        }
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    pub(super) fn slice(&self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// The first position from `at` whose byte does not pass `test`.
    pub(super) fn skip(&self, at: usize, test: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        at + rest.iter().position(|byte| !test(*byte)).unwrap_or(rest.len())
    }

    pub(super) fn skip_space(&self, at: usize) -> usize {
        self.skip(at, |byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t'))
    }

    /// The end of the word at `at`: letters, digits and the signs of numbers.
    pub(super) fn word_end(&self, at: usize) -> usize {
        self.skip(at, |byte| byte.is_ascii_alphanumeric() || b"+-._".contains(&byte))
    }
}

/// Whether no text has this character.
fn is_odd(c: char) -> bool {
    c == char::REPLACEMENT_CHARACTER || (c.is_control() && !c.is_whitespace())
}

#[cfg(test)]
mod tests;
