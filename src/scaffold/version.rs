//! The next version of a skill: which files are copied, and what `history.json` says afterwards.
//!
//! A history is changed in its own text: what stands there keeps its bytes, its order and every key
//! that is not ours. Only what is strictly JSON is changed at all.

use serde::Serialize;

use crate::discover::{Document, Kind, Place, names};
use crate::files::{Entry, EntryKind, Memory};
use crate::json::{Spanned, SpannedValue, Step, parse_strict, parse_tolerant};
use crate::model::History;
use crate::read;
use crate::scaffold::edits::{Edit, appended, applied, items};

/// The most files that are copied.
pub const MOST_FILES: usize = 5_000;

/// The most bytes that are copied.
pub const MOST_BYTES: u64 = 100 * 1024 * 1024;

/// Spellings of the list of versions.
const LISTS: &[&str] = read::alias::history::VERSIONS.spellings;

/// Which of a skill's files are copied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Paths below the skill.
    pub files: Vec<String>,
    /// Their bytes.
    pub bytes: u64,
    /// What is left out, with the reason.
    pub left_out: Vec<(String, &'static str)>,
}

/// Why a skill cannot be copied, or its history not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VersionError {
    /// There is no `SKILL.md`.
    #[error("there is no `SKILL.md` in it")]
    NoSkill,
    /// Too many files, or too large ones.
    #[error("it holds {0}; a copy has at most {1}")]
    TooMuch(String, String),
    /// Something in it can be neither copied nor left out.
    #[error("`{0}` {1}")]
    Odd(String, String),
    /// The history cannot be changed without losing something.
    #[error("{0}")]
    History(String),
}

/// Sorts out the `entries` of a skill's folder; `workspace` is the workspace's folder below it,
/// where it lies there.
///
/// # Errors
/// When there is no skill, or something would be missing from the copy.
pub fn copied(entries: &[Entry], workspace: Option<&str>) -> Result<Copied, VersionError> {
    let is_own =
        |path: &str| workspace.is_some_and(|own| path == own || names::below(path, own).is_some());
    let mut copied = Copied::default();
    for entry in entries.iter().filter(|entry| !is_own(&entry.path)) {
        let odd = |what: &str| Err(VersionError::Odd(entry.path.clone(), what.to_owned()));
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
    check(&copied).map(|()| copied)
}

fn check(copied: &Copied) -> Result<(), VersionError> {
    if !copied.files.iter().any(|path| path == "SKILL.md") {
        return Err(VersionError::NoSkill);
    }
    if copied.files.len() > MOST_FILES {
        let (found, most) = (copied.files.len(), MOST_FILES);
        return Err(VersionError::TooMuch(format!("{found} files"), most.to_string()));
    }
    if copied.bytes > MOST_BYTES {
        let (found, most) = (crate::text::bytes(copied.bytes), crate::text::bytes(MOST_BYTES));
        return Err(VersionError::TooMuch(found, most));
    }
    Ok(())
}

/// What is recorded of a version, in the shape of the scored dialect.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recorded {
    /// Its number, as a number or as `v2`.
    version: Name,
    /// When, in UTC.
    pub timestamp: String,
    /// What it represents.
    pub description: String,
    /// The commit whose files are the copied ones.
    pub git_hash: Option<String>,
    /// Where its files lie.
    path: String,
    /// Mean score of its gradings, where there are some.
    pub average_score: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Name {
    Number(u32),
    Text(String),
}

impl Recorded {
    /// The version of that number, of which no more is known.
    pub fn new(number: u32) -> Self {
        Self {
            version: Name::Number(number),
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

/// A history that is there already, or none.
#[derive(Debug)]
pub struct Ledger<'t> {
    text: &'t str,
    root: Option<Spanned<'t>>,
    history: History,
}

impl<'t> Ledger<'t> {
    /// Reads the text of a `history.json`; an empty one is a history to be begun.
    ///
    /// # Errors
    /// When it is not JSON, or no history of versions.
    pub fn read(text: &'t str) -> Result<Self, VersionError> {
        if text.is_empty() {
            return Ok(Self { text, root: None, history: History::default() });
        }
        let refused = |what: &str| VersionError::History(what.to_owned());
        parse_strict(text.as_bytes()).map_err(|_| refused("it is not JSON"))?;
        let root = parse_tolerant(text).map_err(|_| refused("it is not JSON"))?.root;
        if !root.duplicate_keys().is_empty() {
            return Err(refused("a key is there twice"));
        }
        let history = history_of(text).unwrap_or_default();
        let ledger = Self { text, root: Some(root), history };
        let is_begun = ledger.list().is_some_and(|list| !items(list).is_empty());
        if is_begun && ledger.history.versions.is_empty() {
            return Err(refused("it holds the rounds of a trigger loop, not versions"));
        }
        match ledger.root.as_ref().map(|root| &root.value) {
            Some(SpannedValue::Object(entries)) if entries.is_empty() => Self::read(""),
            Some(SpannedValue::Object(_) | SpannedValue::List(_)) => Ok(ledger),
            _ => Err(refused("it is neither an object nor a list")),
        }
    }

    /// The number after the highest there is in the history and in `taken`, the names that stand in
    /// the workspace.
    pub fn next(&self, taken: &[String]) -> u32 {
        let recorded = self.history.versions.iter().map(|version| &version.name);
        let numbers = recorded.chain(taken).filter_map(|name| names::version_number(name));
        numbers.max().map_or(0, |highest| highest.saturating_add(1))
    }

    /// The text with one more version, which is the current one. Where a version before has no
    /// average score and `score` knows one for its name, that is recorded too.
    pub fn with(&self, recorded: &Recorded, score: &dyn Fn(&str) -> Option<f64>) -> String {
        let mut recorded = recorded.clone();
        if !self.counts_in_numbers() {
            recorded.version = Name::Text(recorded.name().to_owned());
        }
        let current = serde_json::to_string(&recorded.version).unwrap_or_default();
        let Some(root) = &self.root else {
            let entry = pretty(&recorded, "    ");
            return format!(
                "{{\n  \"versions\": [\n    {entry}\n  ],\n  \"current_version\": {current}\n}}\n"
            );
        };
        let mut edits = self.scores(score);
        match self.list() {
            Some(list) => edits.push(appended(list, &pretty(&recorded, "    "), "    ")),
            None => {
                let list = format!("\"versions\": [\n    {}\n  ]", pretty(&recorded, "    "));
                edits.push(appended(root, &list, "  "));
            }
        }
        edits.extend(self.current(root, &current));
        applied(self.text, edits)
    }

    /// Whether versions are written as numbers: all are, or there is none.
    fn counts_in_numbers(&self) -> bool {
        let versions = self.list().map(|list| items(list)).unwrap_or_default();
        versions.iter().all(|version| {
            let name = version.find(&[Step::Key("version".to_owned())]);
            matches!(name.map(|name| &name.value), Some(SpannedValue::Integer(_)))
        })
    }

    /// The list of versions.
    fn list(&self) -> Option<&Spanned<'t>> {
        let root = self.root.as_ref()?;
        if matches!(root.value, SpannedValue::List(_)) {
            return Some(root);
        }
        let lists = LISTS.iter().filter_map(|key| root.find(&[Step::Key((*key).to_owned())]));
        lists.into_iter().find(|found| matches!(found.value, SpannedValue::List(_)))
    }

    /// The change of `current_version`; a bare list of versions has no place for it.
    fn current(&self, root: &Spanned<'_>, current: &str) -> Option<Edit> {
        if matches!(root.value, SpannedValue::List(_)) {
            return None;
        }
        match root.find(&[Step::Key("current_version".to_owned())]) {
            Some(found) => Some(Edit { at: found.span.clone(), text: current.to_owned() }),
            None => Some(appended(root, &format!("\"current_version\": {current}"), "  ")),
        }
    }

    /// Scores of versions before that say `null`.
    fn scores(&self, score: &dyn Fn(&str) -> Option<f64>) -> Vec<Edit> {
        let Some(list) = self.list() else { return Vec::new() };
        let versions = items(list).iter().zip(&self.history.versions);
        let edits = versions.filter_map(|(item, version)| {
            let found = item.find(&[Step::Key("average_score".to_owned())])?;
            let is_open = matches!(found.value, SpannedValue::Null);
            let score = is_open.then(|| score(&version.name)).flatten()?;
            Some(Edit { at: found.span.clone(), text: rounded(score).to_string() })
        });
        edits.collect()
    }
}

/// A score with two decimals, as histories have it.
pub fn rounded(score: f64) -> f64 {
    (score * 100.0).round() / 100.0
}

fn history_of(text: &str) -> Option<History> {
    let path = "history.json".to_owned();
    let (kind, place) = (Kind::History, Place::default());
    let bytes = text.len() as u64;
    let source = Memory::new([(path.clone(), text)]);
    let document = Document { path, kind, place, bytes };
    read::records(&[document], &source, "").pop().and_then(|record| record.history)
}

/// `value` as indented JSON, to stand where lines begin with `indent`.
fn pretty(value: &impl Serialize, indent: &str) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.replace('\n', &format!("\n{indent}"))
}

#[cfg(test)]
mod tests;
