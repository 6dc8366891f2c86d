//! Adding a version to a `history.json`: edits in place, so that existing parts keep their bytes, their
//! order and every other key. Only strictly valid JSON, apart from a byte order mark, is changed at
//! all.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use crate::scaffold::json_edit::{
    Edit, append, apply, entries, entry, field_where, items, split_mark,
};
use crate::scaffold::record;
use input::discover::Kind;
use input::files::Memory;
use input::model::{History, Place};
use input::names;
use json::{LineIndex, Node, Spanned, parse_strict};
use workspace::read;
use workspace::read::alias::history::VERSIONS;

/// The key of the list of versions in a new history.
const LIST: &str = "versions";

/// Why a version cannot be added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct HistoryError {
    /// The place in the history.
    pub place: Option<Place>,
    pub message: String,
}

/// The record of a version, in the shape of the scored dialect.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordedVersion {
    /// Its number, as a number or as `v2`.
    version: Value,
    /// When it was made; `None` for a version that an earlier, killed command made.
    pub timestamp: Option<String>,
    pub description: String,
    /// The commit whose files are the copied ones.
    pub git_hash: Option<String>,
    path: String,
    /// The iteration that is run with it, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration: Option<String>,
    /// Mean score of its gradings, if there are any.
    pub average_score: Option<f64>,
}

impl RecordedVersion {
    pub fn new(number: u32) -> Self {
        Self {
            version: Value::from(number),
            timestamp: None,
            description: String::new(),
            git_hash: None,
            path: format!("v{number}/skill"),
            iteration: None,
            average_score: None,
        }
    }

    /// `v2`.
    pub fn name(&self) -> &str {
        self.path.strip_suffix("/skill").unwrap_or(&self.path)
    }
}

/// A new history without versions.
pub fn empty_history() -> String {
    format!("{{\n  \"{LIST}\": [],\n  \"current_version\": null\n}}\n")
}

/// An existing history, or none.
#[derive(Debug)]
pub struct HistoryFile<'t> {
    /// A byte order mark, or nothing.
    mark: &'t str,
    text: &'t str,
    root: Option<Spanned<'t>>,
    history: History,
}

impl<'t> HistoryFile<'t> {
    /// Reads a `history.json`; a blank one is a new history.
    pub fn read(bytes: &'t [u8]) -> Result<Self, HistoryError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            error_at(&before, before.len(), "it is not UTF-8")
        })?;
        let (mark, text) = split_mark(text);
        let mut file = Self { mark, text, root: None, history: History::default() };
        if text.trim().is_empty() {
            return Ok(file);
        }
        let root = parse_strict(text).map_err(|error| HistoryError {
            place: Some(Place { line: error.line, column: error.column }),
            message: format!("it is not plain JSON: {}", error.message),
        })?;
        match &root.node {
            Node::Object(entries) if entries.is_empty() => return Ok(file),
            Node::Object(_) | Node::List(_) => {}
            _ => {
                return Err(error_at(
                    text,
                    root.span().start,
                    "it is neither an object nor a list",
                ));
            }
        }
        let source = Memory::new([("history.json", text)]);
        file.history = record(&source, "history.json", Kind::History).history.unwrap_or_default();
        file.root = Some(root);
        file.check()?;
        Ok(file)
    }

    fn check(&self) -> Result<(), HistoryError> {
        // Optimizers of descriptions call their file `history.json` too.
        let has_rounds = self.list().is_some_and(|list| !items(list).is_empty());
        if has_rounds && self.history.versions.is_empty() {
            let message = "it holds the rounds of a trigger loop, not versions".to_owned();
            return Err(HistoryError { place: None, message });
        }
        if self.list().is_none()
            && let Some(value) = self.value_of_list()
            && !matches!(value.node, Node::Null)
        {
            return Err(error_at(self.text, value.span().start, format!("`{LIST}` is not a list")));
        }
        Ok(())
    }

    /// The number after the highest in the history and in `taken`, the names in the workspace.
    pub fn next_number(&self, taken: &[String]) -> u32 {
        let recorded = self.history.versions.iter().map(|version| &version.name);
        let numbers = recorded.chain(taken).filter_map(|name| names::version_number(name));
        numbers.max().map_or(0, |highest| highest.saturating_add(1))
    }

    /// The numbers of the folders among `taken` that are named like versions and are not recorded, in
    /// order.
    pub fn unrecorded(&self, taken: &[String]) -> Vec<u32> {
        let recorded = self.history.versions.iter().map(|version| &version.name);
        let recorded: BTreeSet<u32> =
            recorded.filter_map(|name| names::version_number(name)).collect();
        let mut numbers = BTreeSet::new();
        for name in taken {
            if let Some(number) = names::version_number(name)
                && *name == format!("v{number}")
                && !recorded.contains(&number)
            {
                numbers.insert(number);
            }
        }
        numbers.into_iter().collect()
    }

    /// The text with one more version, and with scores that earlier versions lack: `score` has those
    /// known by name.
    pub fn with(&self, recorded: &RecordedVersion, score: &dyn Fn(&str) -> Option<f64>) -> String {
        let mut recorded = recorded.clone();
        // Versions are named as the history names them: `3` or `v3`.
        let versions = self.list().map(items).unwrap_or_default();
        if !versions.iter().all(has_a_number) {
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

        let mut edits = self.late_scores(versions, score);
        edits.push(match (self.list(), self.value_of_list()) {
            (Some(list), _) => append(list, &version, "    "),
            (None, Some(null)) => Edit { at: null.span(), text: list },
            (None, None) => append(root, &format!("\"{LIST}\": {list}"), "  "),
        });
        // A bare list of versions has no place for the current one.
        if root.as_list().is_none() {
            edits.push(match entry(root, "current_version") {
                Some(found) => Edit { at: found.span(), text: current },
                None => append(root, &format!("\"current_version\": {current}"), "  "),
            });
        }
        self.mark.to_owned() + &apply(self.text, edits)
    }

    /// Fills in scores that are null: a version is recorded before its runs are graded.
    fn late_scores(
        &self,
        versions: &[Spanned<'_>],
        score: &dyn Fn(&str) -> Option<f64>,
    ) -> Vec<Edit> {
        let mut edits = Vec::new();
        for (item, version) in versions.iter().zip(&self.history.versions) {
            if let Some(value) = entry(item, "average_score")
                && matches!(value.node, Node::Null)
                && let Some(score) = score(&version.name)
            {
                edits.push(Edit { at: value.span(), text: rounded(score).to_string() });
            }
        }
        edits
    }

    fn list(&self) -> Option<&Spanned<'t>> {
        let root = self.root.as_ref()?;
        if root.as_list().is_some() {
            return Some(root);
        }
        field_where(root, &VERSIONS, |found| found.as_list().is_some())
    }

    /// The value at the key of the list of versions, whatever it is.
    fn value_of_list(&self) -> Option<&Spanned<'t>> {
        let mut all = entries(self.root.as_ref()?).iter();
        all.find(|(key, _)| read::is_spelling(key, LIST)).map(|(_, value)| value)
    }
}

fn has_a_number(version: &Spanned<'_>) -> bool {
    let name = entry(version, "version").map(|name| &name.node);
    matches!(name, Some(Node::Number(number)) if !number.is_f64())
}

fn error_at(text: &str, offset: usize, message: impl Into<String>) -> HistoryError {
    let (line, column) = LineIndex::new(text).place(text, offset);
    HistoryError { place: Some(Place { line, column }), message: message.into() }
}

/// A score rounded to two decimals, as in histories.
pub fn rounded(score: f64) -> f64 {
    (score * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests;
