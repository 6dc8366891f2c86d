//! From bytes to a tree; everything that had to be repaired is a problem.

use std::cell::OnceCell;

use crate::json;
use crate::json::LineIndex;
use crate::json::RepairKind;
use crate::json::Spanned;
use crate::model::Code;
use crate::model::Place;
use crate::model::Problem;

/// The largest document that is read; larger ones are data, not documents.
pub const MAX_DOCUMENT_BYTES: u64 = 64 * 1024 * 1024;

/// A document's text, and the lines and columns of its values.
pub(super) struct Text<'d> {
    path: &'d str,
    text: &'d str,
    /// Lines at the beginning of the text that the document does not have.
    added: usize,
    lines: OnceCell<LineIndex>,
}

impl<'d> Text<'d> {
    /// The text of the document at `path`.
    pub(super) fn new(path: &'d str, text: &'d str) -> Self {
        Self { path, text, added: 0, lines: OnceCell::new() }
    }

    /// The same for a text that [`list_of_lines`] made.
    pub(super) fn of_lines(path: &'d str, text: &'d str) -> Self {
        Self { added: 1, ..Self::new(path, text) }
    }

    /// The document's path relative to the workspace.
    pub(super) fn path(&self) -> &str {
        self.path
    }

    /// Line and column of a value.
    pub(super) fn place_of(&self, value: &Spanned<'_>) -> Place {
        self.place_at(value.span.start)
    }

    fn place_at(&self, offset: usize) -> Place {
        let lines = self.lines.get_or_init(|| LineIndex::new(self.text));
        let (line, column) = lines.place(self.text, offset);
        Place { line: line.saturating_sub(self.added).max(1), column }
    }
}

/// The list of a document that has an object on each line, which holds no objects in lists itself:
/// graded expectations, written one by one. The list has one line more, at its beginning.
pub(super) fn list_of_lines(text: &str) -> Option<String> {
    let holds_objects = |value: &Spanned<'_>| {
        value.as_list().is_some_and(|items| items.iter().any(|item| item.as_object().is_some()))
    };
    let is_item = |line: &str| {
        let value = json::parse_strict(line);
        let flat = |entries: &[_]| entries.iter().all(|(_, value)| !holds_objects(value));
        value.is_ok_and(|value| value.as_object().is_some_and(flat))
    };
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).peekable();
    let all = lines.clone().count() > 1 && lines.all(is_item);
    all.then(|| {
        let filled = |line: &str| {
            if line.trim().is_empty() { "\n".to_owned() } else { format!("{line},\n") }
        };
        let body: String = text.lines().map(filled).collect();
        format!("[\n{}]", body.trim_end().trim_end_matches(','))
    })
}

/// The problem of such a document.
pub(super) fn problem_of_lines(path: &str) -> Problem {
    Problem::new(Code::NearJson, path, "the document has an object on each line")
        .at(Some(Place { line: 1, column: 1 }))
        .assuming("read as a list of them")
        .help("put them into a list under `expectations`")
}

/// A text decoded from bytes, with the problem its encoding was.
pub(super) struct Decoded<'d> {
    /// The text.
    pub(super) text: std::borrow::Cow<'d, str>,
    /// What was wrong with the encoding.
    pub(super) problem: Option<Problem>,
}

/// Decodes the bytes of the document at `path`.
pub(super) fn decode<'d>(path: &str, bytes: &'d [u8]) -> Decoded<'d> {
    let decoded = json::decode(bytes);
    let problem = decoded.oddity.map(|what| {
        Problem::new(Code::Encoding, path, format!("the document {what}"))
            .assuming("converted to UTF-8")
            .help("save it as UTF-8 without a byte-order mark")
    });
    Decoded { text: decoded.text, problem }
}

/// Parses `text`; the problems say what was repaired, or why nothing could be read.
pub(super) fn parse<'d>(path: &str, text: &'d str) -> (Option<Spanned<'d>>, Vec<Problem>) {
    match json::parse(text) {
        Ok(parsed) => {
            let places = Text::new(path, text);
            let problem = |repair: &json::Repair| {
                let words = repair.kind.explain();
                Problem::new(code_of(&repair.kind), path, words.message)
                    .at(Some(places.place_at(repair.at)))
                    .assuming(words.assumed)
                    .help(words.help)
            };
            (Some(parsed.root), parsed.repairs.iter().map(problem).collect())
        }
        Err(not_json) => {
            let problem = Problem::new(Code::NotJson, path, not_json.message)
                .at(Some(Place { line: not_json.line, column: not_json.column }))
                .assuming("nothing was read from it")
                .help("write it again as JSON");
            (None, vec![problem])
        }
    }
}

/// A document that breaks off lost what came after; every other repair lost nothing.
fn code_of(repair: &RepairKind) -> Code {
    match repair {
        RepairKind::CutOff(_) => Code::CutOff,
        RepairKind::DuplicateKey(_) => Code::DuplicateKey,
        _ => Code::NearJson,
    }
}
