//! The next version of a skill: the files to copy, and the new text of `history.json`. A history is
//! edited in place: existing parts keep their bytes, their order and every other key. Only strictly
//! valid JSON, apart from a byte order mark, is changed at all.

use serde::Serialize;
use serde_json::Value;

use crate::discover::{Kind, names};
use crate::files::{Entry, EntryKind, Memory};
use crate::json::{LineIndex, Node, Spanned, parse_strict};
use crate::model::{History, Place, Version};
use crate::read;
use crate::read::alias::history::VERSIONS;
use crate::scaffold::{
    Edit, appended, applied, entries, entry, field_where, items, record, without_mark,
};

pub const MOST_FILES: usize = 5_000;
pub const MOST_BYTES: u64 = 100_000_000;

const LIST: &str = "versions";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    pub files: Vec<String>,
    pub bytes: u64,
    pub left_out: Vec<(String, &'static str)>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct VersionError {
    /// The place in the history.
    pub place: Option<Place>,
    pub message: String,
    pub help: Option<&'static str>,
}

impl VersionError {
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }
}

/// Sorts the `entries` of a skill's folder; `workspace` is the workspace's folder below it, if any.
pub fn copied(entries: &[Entry], workspace: Option<&str>) -> Result<Copied, VersionError> {
    let is_own = |path: &str| {
        workspace.is_some_and(|workspace_folder| {
            path == workspace_folder || names::below(path, workspace_folder).is_some()
        })
    };
    let mut copied = Copied::default();
    for entry in entries.iter().filter(|entry| !is_own(&entry.path)) {
        let odd = |what: &str| Err(VersionError::new(format!("`{}` {what}", entry.path)));
        let mut leave_out = |why| copied.left_out.push((entry.path.clone(), why));
        match &entry.kind {
            EntryKind::Folder => {}
            EntryKind::Skipped => leave_out("a tool's own store"),
            EntryKind::Link(_) => leave_out("a symbolic link"),
            EntryKind::Special => leave_out("neither a file nor a folder"),
            EntryKind::Unreadable(reason) => return odd(&format!("cannot be read: {reason}")),
            EntryKind::File if entry.odd_name => return odd("has a name that is not valid UTF-8"),
            EntryKind::File => {
                copied.bytes = copied.bytes.saturating_add(entry.bytes);
                copied.files.push(entry.path.clone());
            }
        }
    }
    let refused = |message: String, help| {
        Err(VersionError { help: Some(help), ..VersionError::new(message) })
    };
    let is_large = "keep what is large outside the skill";
    if !copied.files.iter().any(|path| path == "SKILL.md") {
        return refused("there is no `SKILL.md` in it".to_owned(), "give the folder of the skill");
    }
    let files = copied.files.len();
    if files > MOST_FILES {
        return refused(
            format!("it holds {files} files; a copy has at most {MOST_FILES}"),
            is_large,
        );
    }
    if copied.bytes > MOST_BYTES {
        let [size, most] = [copied.bytes, MOST_BYTES].map(crate::text::bytes);
        let size = if size == most { format!("more than {most}") } else { size };
        return refused(format!("it holds {size}; a copy has at most {most}"), is_large);
    }
    Ok(copied)
}

/// The record of a version, in the shape of the scored dialect.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordedVersion {
    /// Its number, as a number or as `v2`.
    version: Value,
    pub timestamp: String,
    pub description: String,
    /// The commit whose files are the copied ones.
    pub git_hash: Option<String>,
    path: String,
    /// Mean score of its gradings, if there are any.
    pub average_score: Option<f64>,
}

impl RecordedVersion {
    pub fn new(number: u32) -> Self {
        Self {
            version: Value::from(number),
            timestamp: String::new(),
            description: String::new(),
            git_hash: None,
            path: format!("v{number}/skill"),
            average_score: None,
        }
    }

    /// `v2`.
    pub fn name(&self) -> &str {
        self.path.strip_suffix("/skill").unwrap_or(&self.path)
    }
}

pub fn text(bytes: &[u8]) -> Result<&str, VersionError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        refused(&before, before.len(), "it is not UTF-8")
    })
}

fn refused(text: &str, offset: usize, message: impl Into<String>) -> VersionError {
    let (line, column) = LineIndex::new(text).place(text, offset);
    VersionError { place: Some(Place { line, column }), ..VersionError::new(message) }
}

/// An existing history, or none.
#[derive(Debug)]
pub struct HistoryFile<'t> {
    mark: &'t str,
    text: &'t str,
    root: Option<Spanned<'t>>,
    history: History,
}

impl<'t> HistoryFile<'t> {
    /// Reads the text of a `history.json`; a blank one is a new history.
    pub fn read(text: &'t str) -> Result<Self, VersionError> {
        let (mark, text) = without_mark(text);
        let begun = Self { mark, text, root: None, history: History::default() };
        if text.trim().is_empty() {
            return Ok(begun);
        }
        let root = parse_strict(text).map_err(|error| VersionError {
            place: Some(Place { line: error.line, column: error.column }),
            ..VersionError::new(format!("it is not plain JSON: {}", error.message))
        })?;
        match &root.node {
            Node::Object(entries) if entries.is_empty() => return Ok(begun),
            Node::Object(_) | Node::List(_) => {}
            _ => {
                return Err(refused(text, root.span().start, "it is neither an object nor a list"));
            }
        }
        let source = Memory::new([("history.json", text)]);
        let history = record(&source, "history.json", Kind::History).history.unwrap_or_default();
        let ledger = Self { root: Some(root), history, ..begun };
        ledger.check().map(|()| ledger)
    }

    fn check(&self) -> Result<(), VersionError> {
        let is_begun = self.list().is_some_and(|list| !items(list).is_empty());
        if is_begun && self.history.versions.is_empty() {
            return Err(VersionError::new("it holds the rounds of a trigger loop, not versions"));
        }
        match self.open().filter(|value| !matches!(value.node, Node::Null)) {
            Some(value) if self.list().is_none() => {
                Err(refused(self.text, value.span().start, format!("`{LIST}` is not a list")))
            }
            _ => Ok(()),
        }
    }

    /// The number after the highest in the history and in `taken`, the names in the workspace.
    pub fn next(&self, taken: &[String]) -> u32 {
        let recorded = self.history.versions.iter().map(|version| &version.name);
        let numbers = recorded.chain(taken).filter_map(|name| names::version_number(name));
        numbers.max().map_or(0, |highest| highest.saturating_add(1))
    }

    /// The text with one more version, and with scores that earlier versions lack.
    pub fn with(&self, recorded: &RecordedVersion, score: &dyn Fn(&str) -> Option<f64>) -> String {
        let mut recorded = recorded.clone();
        let is_number = |version: &Spanned<'_>| {
            let name = entry(version, "version").map(|name| &name.node);
            matches!(name, Some(Node::Number(number)) if !number.is_f64())
        };
        let versions = self.list().map(items).unwrap_or_default();
        if !versions.iter().all(is_number) {
            recorded.version = Value::from(recorded.name());
        }
        let current = recorded.version.to_string();
        let version = serde_json::to_string_pretty(&recorded).unwrap_or_default();
        let version = version.replace('\n', "\n    ");
        let list = format!("[\n    {version}\n  ]");
        let Some(root) = &self.root else {
            let text = format!("{{\n  \"{LIST}\": {list},\n  \"current_version\": {current}\n}}\n");
            return self.mark.to_owned() + &text;
        };
        let recorded_versions = versions.iter().zip(&self.history.versions);
        let late_score = |(item, version): (&Spanned<'_>, &Version)| {
            let open = entry(item, "average_score").filter(|at| matches!(at.node, Node::Null))?;
            Some(Edit { at: open.span(), text: rounded(score(&version.name)?).to_string() })
        };
        let mut edits: Vec<Edit> = recorded_versions.filter_map(late_score).collect();
        edits.push(match (self.list(), self.open()) {
            (Some(list), _) => appended(list, &version, "    "),
            (None, Some(null)) => Edit { at: null.span(), text: list },
            (None, None) => appended(root, &format!("\"{LIST}\": {list}"), "  "),
        });
        // A bare list of versions has no place for the current one.
        if root.as_list().is_none() {
            edits.push(match entry(root, "current_version") {
                Some(found) => Edit { at: found.span(), text: current },
                None => appended(root, &format!("\"current_version\": {current}"), "  "),
            });
        }
        self.mark.to_owned() + &applied(self.text, edits)
    }

    fn list(&self) -> Option<&Spanned<'t>> {
        let root = self.root.as_ref()?;
        let is_list = |found: &Spanned<'_>| found.as_list().is_some();
        if is_list(root) { Some(root) } else { field_where(root, &VERSIONS, is_list) }
    }

    /// The value at the key of the list of versions.
    fn open(&self) -> Option<&Spanned<'t>> {
        let mut all = entries(self.root.as_ref()?).iter();
        all.find(|(key, _)| read::is_spelling(key, LIST)).map(|(_, value)| value)
    }
}

/// A score rounded to two decimals, as in histories.
pub fn rounded(score: f64) -> f64 {
    (score * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests;
