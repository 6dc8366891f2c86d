//! From bytes to a tree: strictly first, then with tolerance, every leniency a problem.

use std::cell::OnceCell;

use crate::json;
use crate::json::Encoding;
use crate::json::LineIndex;
use crate::json::Node;
use crate::json::RepairKind;
use crate::json::Spanned;
use crate::json::Step;
use crate::model::Code;
use crate::model::Place;
use crate::model::Problem;

/// The largest document that is read; larger ones are data, not documents.
pub const MAX_DOCUMENT_BYTES: u64 = 64 * 1024 * 1024;

/// The largest text in which values are looked up for their line and column. In a larger one that
/// would take more memory than anything else, and nobody goes there by line.
pub(super) const MAX_PLACED_BYTES: usize = 16 * 1024 * 1024;

/// A document's text, with the places of its values found when first asked for.
pub(super) struct Text<'d> {
    path: &'d str,
    text: &'d str,
    /// Lines at the beginning of the text that the document does not have.
    added: usize,
    places: OnceCell<Option<(Spanned<'d>, LineIndex)>>,
}

impl<'d> Text<'d> {
    /// The text of the document at `path`.
    pub(super) fn new(path: &'d str, text: &'d str) -> Self {
        Self { path, text, added: 0, places: OnceCell::new() }
    }

    /// The same for a text that [`list_of_lines`] made.
    pub(super) fn of_lines(path: &'d str, text: &'d str) -> Self {
        Self { added: 1, ..Self::new(path, text) }
    }

    /// The document's path relative to the workspace.
    pub(super) fn path(&self) -> &str {
        self.path
    }

    /// Where the value at the end of `steps` stands; `None` when it is not there, or in a text beyond
    /// [`MAX_PLACED_BYTES`].
    pub(super) fn place_of(&self, steps: &[Step]) -> Option<Place> {
        let places = self.places.get_or_init(|| {
            if self.text.len() > MAX_PLACED_BYTES {
                return None;
            }
            let tolerant = json::parse_tolerant(self.text).ok()?;
            Some((tolerant.root, LineIndex::new(self.text)))
        });
        let (root, lines) = places.as_ref()?;
        let span = root.find(steps)?.span.clone();
        let Place { line, column } = place(lines, self.text, span.start);
        Some(Place { line: line.saturating_sub(self.added).max(1), column })
    }
}

/// The list of a document that has an object on each line, which holds no objects in lists itself:
/// graded expectations, written one by one. The list has one line more, at its beginning.
pub(super) fn list_of_lines(text: &str) -> Option<String> {
    let holds_objects = |node: &Node<'_>| {
        node.as_list().is_some_and(|items| items.iter().any(|item| item.as_object().is_some()))
    };
    let is_item = |line: &str| {
        let node = json::parse_strict(line.as_bytes());
        let flat = |entries: &[_]| entries.iter().all(|(_, node)| !holds_objects(node));
        node.is_ok_and(|node| node.as_object().is_some_and(flat))
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

fn place(lines: &LineIndex, text: &str, offset: usize) -> Place {
    let (line, column) = lines.place(text, offset);
    Place { line, column }
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
    let what = match decoded.encoding {
        Encoding::Utf8 => None,
        Encoding::Utf8Bom => Some("begins with a byte-order mark"),
        Encoding::Utf16Le | Encoding::Utf16Be => Some("is UTF-16"),
        Encoding::InvalidUtf8 => Some("holds bytes that are not UTF-8"),
    };
    let problem = what.map(|what| {
        Problem::new(Code::Encoding, path, format!("the document {what}"))
            .assuming("converted to UTF-8")
            .help("save it as UTF-8 without a byte-order mark")
    });
    Decoded { text: decoded.text, problem }
}

/// Parses `text`; the problems say what was tolerated, or why nothing could be read.
pub(super) fn parse<'d>(path: &str, text: &'d str) -> (Option<Node<'d>>, Vec<Problem>) {
    if let Ok(node) = json::parse_strict(text.as_bytes()) {
        let problems = duplicate_keys(path, text, &node);
        return (Some(node), problems);
    }
    match json::parse_tolerant(text) {
        Ok(tolerant) => {
            let lines = LineIndex::new(text);
            let mut problems: Vec<Problem> = tolerant
                .repairs
                .iter()
                .map(|repair| {
                    Problem::new(code_of(&repair.kind), path, repair.kind.message())
                        .at(Some(place(&lines, text, repair.span.start)))
                        .assuming(repair.kind.assumed())
                        .help(repair.kind.help())
                })
                .collect();
            problems.extend(key_problems(path, text, &lines, &tolerant.root));
            (Some(tolerant.root.into_node()), problems)
        }
        Err(unreadable) => {
            let at = place(&LineIndex::new(text), text, unreadable.at);
            let problem = Problem::new(Code::NotJson, path, unreadable.message)
                .at(Some(at))
                .assuming("nothing was read from it")
                .help("write it again as JSON");
            (None, vec![problem])
        }
    }
}

/// A document that breaks off lost what came after; every other repair lost nothing.
fn code_of(repair: &RepairKind) -> Code {
    if matches!(repair, RepairKind::CutOff(_)) { Code::CutOff } else { Code::NearJson }
}

fn duplicate_keys(path: &str, text: &str, node: &Node<'_>) -> Vec<Problem> {
    if !has_duplicates(node) {
        return Vec::new();
    }
    let Ok(tolerant) = json::parse_tolerant(text) else {
        return Vec::new();
    };
    key_problems(path, text, &LineIndex::new(text), &tolerant.root)
}

fn key_problems(path: &str, text: &str, lines: &LineIndex, root: &Spanned<'_>) -> Vec<Problem> {
    let duplicates = root.duplicate_keys().into_iter();
    duplicates
        .map(|(span, key)| {
            Problem::new(Code::DuplicateKey, path, format!("the key `{key}` is there twice"))
                .at(Some(place(lines, text, span.start)))
                .assuming("the last value was taken")
                .help("remove one of them")
        })
        .collect()
}

fn has_duplicates(node: &Node<'_>) -> bool {
    match node {
        Node::List(items) => items.iter().any(has_duplicates),
        Node::Object(entries) => {
            let mut keys: Vec<&str> = entries.iter().map(|(key, _)| key.as_ref()).collect();
            keys.sort_unstable();
            keys.windows(2).any(|pair| pair[0] == pair[1])
                || entries.iter().any(|(_, value)| has_duplicates(value))
        }
        _ => false,
    }
}
