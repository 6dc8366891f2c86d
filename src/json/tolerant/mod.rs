//! The tolerant reader: reads what is nearly JSON, and says what it had to repair.
//!
//! It reads in these steps:
//!
//! 1. Empty and binary files are turned away, and a Markdown code fence or prose
//!    before the document is taken off.
//! 2. The document must begin with `{` or `[`, or be one valid scalar; anything else is prose.
//! 3. Values are read by recursive descent, at most 128 levels deep. What does not fit is repaired
//!    on the spot: passed over, read as something near it, or taken as missing.
//! 4. What stands behind the document is passed over.
//!
//! Where guessing is unavoidable, it only ever looks a bounded distance ahead (`look`), so the
//! time it takes is proportional to the length of the text. The main guess is where a string ends
//! (`ends`).
//!
//! Two rules hold for all repairs. Strictly valid documents need none. And no value is invented:
//! where nothing was written, nothing is read.

mod containers;
mod ends;
mod entries;
mod look;
mod reader;
mod repair;
mod spanned;
mod strings;
#[cfg(test)]
mod table;
mod unclosed;
mod unquoted;
mod words;

use std::error::Error;
use std::fmt;

pub use repair::Repair;
pub use repair::RepairKind;
pub use spanned::Spanned;
pub use spanned::SpannedEntry;
pub use spanned::SpannedValue;
pub use spanned::Step;

use ends::Slot;
use reader::Reader;
use repair::excerpt;
use words::read_strictly;

const FENCE: &str = "```";

/// The most code fences in prose that are looked at.
const MOST_FENCES: usize = 64;

/// Bytes at the start of a text that are searched for signs of a binary file.
const PROBE: usize = 1024;

/// A document that could be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Tolerant<'a> {
    /// The value that the whole document is.
    pub root: Spanned<'a>,
    /// In the order of the document, at most [`repair::MAX_REPAIRS`]; empty for strictly valid JSON.
    pub repairs: Vec<Repair>,
}

/// Why there is no document to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Offset at which that became clear.
    pub at: usize,
    /// Lower case, no full stop, names in backticks.
    pub message: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for Unreadable {}

/// Reads `text` as one JSON document, repairing what it can.
pub fn parse(text: &str) -> Result<Tolerant<'_>, Unreadable> {
    let body = text.trim_end();
    if body.trim_start_matches('\u{feff}').trim_start().is_empty() {
        return Err(Unreadable { at: 0, message: "the file is empty".to_owned() });
    }
    refuse_binary(body)?;
    let mut reader = open(body, body.len() == text.len());
    let root = reader.document()?;
    reader.pass_rest();
    let mut repairs = reader.repairs;
    repairs.sort_by_key(|repair| repair.span.start);
    Ok(Tolerant { root, repairs })
}

/// Fails if the start of `text` cannot be text at all.
fn refuse_binary(text: &str) -> Result<(), Unreadable> {
    let start = text.len() - text.trim_start_matches(is_padding).len();
    let mut body = text.get(start..).unwrap_or_default().chars();
    let first = body.next();
    let json = matches!(first, Some('{' | '[' | '"'));
    let junk = first == Some(char::REPLACEMENT_CHARACTER) || body.take(PROBE).any(is_binary);
    match first {
        Some(first) if is_binary(first) || junk && !json => Err(Reader::binary(start)),
        _ => Ok(()),
    }
}

fn is_padding(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

/// Whether no text has such a character: any control except white space and the escape character
/// of colored terminal output.
fn is_binary(character: char) -> bool {
    character.is_control() && !character.is_whitespace() && character != '\u{1b}'
}

/// A reader for `text`, behind the opening and up to the closing code fence if there is one.
fn open(text: &str, ragged: bool) -> Reader<'_> {
    let body = text.trim_start_matches(is_padding);
    let behind = |prose: usize| prose + text.len() - body.len();
    let start = behind(fence_in(body).unwrap_or_default());
    let Some(rest) = text.get(start..).and_then(|body| body.strip_prefix(FENCE)) else {
        let mut reader = Reader::new(text, ragged);
        reader.at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        if let Some(prose) = object_in(body) {
            reader.at = behind(prose);
            reader.repair(behind(0)..behind(prose), RepairKind::TextBefore);
        }
        return reader;
    };
    let language = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let fence = start..start + FENCE.len() + language;
    let closing = rest.strip_suffix(FENCE).map(|rest| start + FENCE.len() + rest.len());
    let prose = text.len() - body.len()..start;
    let document = text.get(..closing.unwrap_or(text.len())).unwrap_or_default().trim_end();
    let mut reader = Reader::new(document, ragged && closing.is_none());
    reader.at = fence.end;
    reader.repair(fence, RepairKind::CodeFence);
    if !prose.is_empty() {
        reader.repair(prose, RepairKind::TextBefore);
    }
    reader
}

/// Where the code fence behind some prose begins, when the text holds only one with a document.
fn fence_in(text: &str) -> Option<usize> {
    if text.starts_with(['{', '[', '"']) || text.starts_with(FENCE) {
        return None;
    }
    let is_line = |at: &usize| text[..*at].ends_with('\n');
    let fences: Vec<usize> =
        text.match_indices(FENCE).map(|(at, _)| at).filter(is_line).take(MOST_FENCES).collect();
    let holds_document = |at: &usize| {
        let language = |c: char| c.is_ascii_alphanumeric();
        let inside = text[at + FENCE.len()..].trim_start_matches(language).trim_start();
        inside.starts_with(['{', '['])
    };
    let mut opening = fences.iter().step_by(2).copied().filter(holds_document);
    opening.next().filter(|_| opening.next().is_none())
}

/// Where the object behind some prose begins, when it stands in no fence: at the start of a line,
/// with a key in quotes.
fn object_in(text: &str) -> Option<usize> {
    if text.starts_with(['{', '[', '"', '/', '#']) || text.contains(FENCE) {
        return None;
    }
    let has_key =
        |(at, line): &(usize, &str)| text[at + line.len()..].trim_start().starts_with('"');
    text.match_indices("\n{").find(has_key).map(|(at, _)| at + 1)
}

impl<'a> Reader<'a> {
    /// Reads the value that the whole document is.
    fn document(&mut self) -> Result<Spanned<'a>, Unreadable> {
        self.skip_trivia();
        let start = self.at;
        let rest = self.look.slice(start, self.look.len());
        let root = match self.peek() {
            None => None,
            Some(b'{' | b'[') => self.value(Slot::Item)?,
            Some(_) => read_strictly(rest).map(|value| {
                self.at = start + rest.len();
                Spanned { span: start..self.at, value }
            }),
        };
        root.ok_or_else(|| {
            let first = excerpt(rest.split_whitespace().next().unwrap_or_default());
            let message = match first.as_str() {
                "" => "the file holds no JSON document".to_owned(),
                _ => format!("the file begins with `{first}`, not with `{{` or `[`"),
            };
            Unreadable { at: start, message }
        })
    }

    /// Passes what stands behind the document.
    fn pass_rest(&mut self) {
        self.skip_trivia();
        let fenced =
            matches!(self.repairs.first(), Some(first) if first.kind == RepairKind::CodeFence);
        if fenced && self.look.slice(self.at, self.look.len()).starts_with(FENCE) {
            self.at += FENCE.len();
            self.skip_trivia();
        }
        let end = self.look.len();
        let next = self.look.skip(self.at, |byte| byte == b',' || byte.is_ascii_whitespace());
        let kind = match self.look.byte(next) {
            Some(b'{' | b'[') => RepairKind::SecondDocument,
            _ => RepairKind::TextAfter,
        };
        if self.at < end {
            self.repair(self.at..end, kind);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use super::table::check;

    #[test]
    fn strict_documents() {
        check(&[
            ("{}", "{}", &[]),
            (" [ ] ", "[]", &[]),
            ("\u{feff}{}", "{}", &[]),
            (r#" "a" "#, r#""a""#, &[]),
            ("-1.5e3", "-1500.0", &[]),
            (
                r#"{"a":[1,"x",{"b":null}],"a":"\ud83d\ude00\/"}"#,
                r#"{"a":[1,"x",{"b":null}],"a":"😀/"}"#,
                &[],
            ),
        ]);
    }

    #[test]
    fn around_the_document() {
        check(&[
            ("```json\n{\"a\": 1}\n```\n", r#"{"a":1}"#, &["code-fence"]),
            ("\n```\n[1]\n``` \nHope this helps", "[1]", &["code-fence", "text-after"]),
            ("```json\n{\"a\": \"cut\n```", r#"{"a":"cut"}"#, &["code-fence", "cut-off"]),
            ("Here it is:\n```json\n[1]\n```\n", "[1]", &["text-before", "code-fence"]),
            ("So:\n```json\n[1]\n```\nDone", "[1]", &["text-before", "code-fence", "text-after"]),
            ("So:\n```\nls\n```\nand\n```\n[1]\n```", "[1]", &["text-before", "code-fence"]),
            ("So:\n\n{\n  \"a\": 1\n}\nDone", r#"{"a":1}"#, &["text-before", "text-after"]),
            ("{} thanks", "{}", &["text-after"]),
            ("{\"a\": 1}\n{\"a\": 2}", r#"{"a":1}"#, &["second-document"]),
            ("{\"a\": 1},\n{\"a\": 2}", r#"{"a":1}"#, &["second-document"]),
        ]);
    }

    #[test]
    fn unreadable() {
        let deep = "[".repeat(100_000);
        let deep_objects = r#"{"a":"#.repeat(100_000);
        let table = [
            ("", 0, "the file is empty"),
            ("\u{feff} \n", 0, "the file is empty"),
            ("// nothing", 10, "the file holds no JSON document"),
            (
                " test_case:abc overall_result:PASS",
                1,
                "the file begins with `test_case:abc`, not with `{` or `[`",
            ),
            (
                "Either\n```\n[1]\n```\nor\n```\n[2]\n```",
                0,
                "the file begins with `Either`, not with `{` or `[`",
            ),
            ("Use\n{braces}", 0, "the file begins with `Use`, not with `{` or `[`"),
            ("5 apples", 0, "the file begins with `5`, not with `{` or `[`"),
            ("\"a\" b", 0, "the file begins with `\"a\"`, not with `{` or `[`"),
            ("\u{fffd}PNG\r\n\u{1a}\n\0\0\0\rIHDR", 0, "the file is binary, not JSON"),
            ("PK\u{3}\u{4}\0\0", 0, "the file is binary, not JSON"),
            ("\0\0", 0, "the file is binary, not JSON"),
            ("{\0\0}", 1, "the file is binary, not JSON"),
            ("[1, \0]", 4, "the file is binary, not JSON"),
            (&deep, 128, "nested deeper than 128 levels"),
            (&deep_objects, 640, "nested deeper than 128 levels"),
        ];
        for (text, at, message) in table {
            let error = parse(text).expect_err("unreadable");
            assert_eq!((error.at, &*error.message), (at, message), "{:.40}", text);
        }
    }

    #[test]
    fn depth_limit() {
        let deep = "[".repeat(128) + &"]".repeat(128);
        assert_eq!(parse(&deep).expect("readable").repairs, []);
    }

    #[test]
    fn at_most_1000_repairs_are_listed() {
        let text = format!("[{}]", ",".repeat(5000));
        assert_eq!(parse(&text).expect("readable").repairs.len(), 1000);
    }
}
