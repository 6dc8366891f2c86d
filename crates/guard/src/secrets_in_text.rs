//! Secrets of a text at their places: of a document, value by value, and of any other text as a reader
//! sees it. What is not a string stays as it is, so no verdict can change.

use std::borrow::Cow;
use std::ops::Range;

use toml::Spanned as TomlSpanned;
use toml::de::{DeTable, DeValue};

use crate::entry_names::Distinct;
use crate::finder::{Finder, Kind};
use crate::secret::{Label, Secret, mark, marked};
use crate::value::looks_like;
use input::discover::kinds::{self, kind_of_path};
use json::{self, Node, Spanned};
use text::split_extension;

/// A part of a text, and what is shown in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) shown: String,
    pub(super) label: Label,
    /// The secret as a reader would see it.
    pub(super) value: Vec<u8>,
}

impl From<Secret> for Edit {
    fn from(Secret { range, label, value, .. }: Secret) -> Self {
        Self { range, shown: mark(&label).into_owned(), label, value }
    }
}

/// Extensions of files of settings.
const SETTINGS: &[&str] =
    &["yaml", "yml", "ini", "cfg", "conf", "env", "properties", "toml", "tf", "tfvars"];

/// No key that is shorter holds a secret.
const SHORTEST_KEY: usize = 8;

/// What the name of a file says about its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Nature {
    kind: Kind,
    is_toml: bool,
    is_json: bool,
    is_notebook: bool,
    /// Whether it is a file that we read, such as a grading.
    is_record: bool,
}

impl Nature {
    pub(super) fn new(path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        let extension = split_extension(name).1;
        let is_record = kind_of_path(path).is_some_and(|kind| kind != kinds::Kind::Transcript);
        let is_settings = SETTINGS.contains(&extension.as_str())
            || name.starts_with(".env")
            || name.ends_with("rc");
        Self {
            kind: if is_settings && !is_record { Kind::Settings } else { Kind::Text },
            is_toml: extension == "toml",
            is_json: matches!(extension.as_str(), "json" | "jsonl" | "ndjson" | "ipynb"),
            is_notebook: extension == "ipynb",
            is_record,
        }
    }
}

/// The edits that take the secrets out of a text, in order and without overlap.
pub(super) fn edits(finder: &Finder, nature: Nature, text: &str) -> Vec<Edit> {
    let mut search = Search { finder, nature, text, edits: Vec::new() };
    let begins = text.trim_start_matches('\u{feff}').trim_start();
    let is_json = nature.is_json || nature.is_record || begins.starts_with(['{', '[']);
    let is_document =
        if nature.is_toml { search.is_toml() } else { is_json && search.is_json(true) };
    if !is_document {
        search.search_lines();
    }
    search.edits.sort_by_key(|edit| edit.range.start);
    search.edits
}

/// `text` with what is shown in place of its secrets.
pub(super) fn with_edits(text: &str, edits: &[Edit]) -> String {
    let (mut clean, mut done) = (String::with_capacity(text.len()), 0);
    for Edit { range, shown, .. } in edits {
        clean.push_str(&text[done..range.start]);
        clean.push_str(shown);
        done = range.end;
    }
    clean.push_str(&text[done..]);
    clean
}

struct Search<'t> {
    finder: &'t Finder,
    nature: Nature,
    text: &'t str,
    edits: Vec<Edit>,
}

impl Search<'_> {
    /// Documents of one line, and the text between them.
    fn search_lines(&mut self) {
        let (mut done, mut at) = (0, 0);
        for line in self.text.split_inclusive('\n') {
            if line.starts_with(['{', '[']) && line.trim_end().ends_with(['}', ']']) {
                let mut document = Search { text: line, edits: Vec::new(), ..*self };
                if document.is_json(self.nature.is_json) {
                    self.search_text(done..at);
                    self.add(document.edits, at);
                    done = at + line.len();
                }
            }
            at += line.len();
        }
        self.search_text(done..self.text.len());
    }

    fn search_text(&mut self, range: Range<usize>) {
        let secrets = self.finder.find(&self.text[range.clone()], self.nature.kind);
        self.add(secrets.into_iter().map(Edit::from), range.start);
    }

    /// Adds edits of the part of the text that begins at `start`.
    fn add(&mut self, edits: impl IntoIterator<Item = Edit>, start: usize) {
        for mut edit in edits {
            edit.range = start + edit.range.start..start + edit.range.end;
            self.edits.push(edit);
        }
    }

    /// Searches the text as JSON, if it is; `may_be_near` says whether mistakes are mended.
    fn is_json(&mut self, may_be_near: bool) -> bool {
        let fenced = json::without_fence(self.text).filter(|_| self.nature.is_record);
        let text = fenced.as_deref().unwrap_or(self.text);
        let Ok(parsed) = json::parse(text) else { return false };
        if !parsed.repairs.is_empty() && !may_be_near {
            return false;
        }
        self.search_node("", &parsed.root);
        if !parsed.repairs.is_empty() && !self.edits.is_empty() {
            self.mend(text, &parsed.root);
        }
        true
    }

    /// Where the end of a string is a guess, a mark in it may change the guess. Then the letters of the
    /// secrets are replaced one by one, which the reader cannot tell from those before.
    fn mend(&mut self, text: &str, before: &Spanned<'_>) {
        self.edits.sort_by_key(|edit| edit.range.start);
        let clean = with_edits(text, &self.edits);
        if json::parse(&clean).is_ok_and(|after| before.is_alike(&after.root)) {
            return;
        }
        for edit in &mut self.edits {
            let source = &text[edit.range.clone()];
            edit.shown = source.replace(|letter: char| letter.is_ascii_alphanumeric(), "x");
        }
    }

    fn search_node(&mut self, name: &str, node: &Spanned<'_>) {
        match &node.node {
            Node::Text(text) => self.search_strings(name, &[(text, node.span())]),
            Node::List(items) => {
                // The lines of a text, or the words of a command.
                let mut strings = Vec::new();
                for item in items {
                    match &item.node {
                        Node::Text(text) => strings.push((text, item.span())),
                        _ => self.search_node(name, item),
                    }
                }
                self.search_strings(name, &strings);
            }
            Node::Object(entries) => self.search_object(node, entries),
            Node::Null | Node::Bool(_) | Node::Number(_) => {}
        }
    }

    fn search_object(&mut self, node: &Spanned<'_>, entries: &[(Cow<'_, str>, Spanned<'_>)]) {
        let is_secret = node.get("kind").and_then(Node::as_text) == Some("Secret");
        let is_web_key = node.get("kty").is_some();
        let own_name = node.get("name").or_else(|| node.get("key")).and_then(Node::as_text);
        if !self.nature.is_record {
            self.search_keys(node.span().start, entries);
        }
        for (key, value) in entries {
            match (key.as_ref(), own_name) {
                ("value" | "val" | "default", Some(name)) => self.search_node(name, value),
                ("d" | "k" | "p" | "q" | "dp" | "dq" | "qi", _) if is_web_key => {
                    self.search_node("private_key", value);
                }
                // All that a Secret of Kubernetes holds, whatever its key.
                ("data" | "stringData", _) if is_secret => {
                    for (_, value) in value.as_object().unwrap_or_default() {
                        self.search_node("password", value);
                    }
                }
                (key, _) => self.search_node(key, value),
            }
        }
    }

    /// Replaces exact shapes and folders in the keys of an object, so that keys that differ still do.
    fn search_keys(&mut self, mut end: usize, entries: &[(Cow<'_, str>, Spanned<'_>)]) {
        let mut keys = None;
        for (key, value) in entries {
            let start = end;
            end = value.span().end;
            if key.len() < SHORTEST_KEY {
                continue;
            }
            let secrets = self.finder.find(key, Kind::Id);
            let Some(first) = secrets.first().cloned() else { continue };
            let distinct = keys.get_or_insert_with(|| {
                Distinct::new(entries.iter().map(|(key, _)| key.clone().into_owned()))
            });
            let shown = quoted(&distinct.give(&marked(key, &secrets)));
            let text = &self.text[start..value.span().start];
            if let (Some(open), Some(close)) = (text.find(['"', '\'']), text.rfind(['"', '\''])) {
                let range = start + open..start + close + 1;
                self.edits.push(Edit { range, shown, ..first.into() });
            }
        }
    }

    /// Searches strings that a reader sees one after the other.
    fn search_strings(&mut self, name: &str, strings: &[(&Cow<'_, str>, Range<usize>)]) {
        let (open, glue) = match self.nature {
            Nature { is_notebook: true, .. } => ("", ""),
            // The words of a command.
            _ if strings.iter().any(|(text, _)| text.starts_with('-')) => ("\"", "\", \""),
            _ => ("", "\n"),
        };
        let (joined, mut start) = match strings {
            [(text, _)] => (Cow::Borrowed(text.as_ref()), 0),
            _ => {
                let texts: Vec<&str> = strings.iter().map(|(text, _)| text.as_ref()).collect();
                (Cow::Owned(format!("{open}{}{open}", texts.join(glue))), open.len())
            }
        };
        if joined.len() < 4 {
            return;
        }
        // A name that says secret as well counts for the rules.
        let is_id = looks_like("field_of_ids", name.as_bytes());
        let kind = if is_id { Kind::Id } else { self.nature.kind };
        let secrets = self.finder.find_in_field(name, &joined, kind);
        for (text, span) in strings {
            let mut parts = Vec::new();
            for secret in &secrets {
                let from = secret.range.start.saturating_sub(start);
                let to = secret.range.end.saturating_sub(start).min(text.len());
                if from < to {
                    parts.push(Secret { range: from..to, ..secret.clone() });
                }
            }
            self.edit_string(text, span.clone(), parts);
            start += text.len() + glue.len();
        }
    }

    /// Adds edits for the secrets of the string at `span`.
    fn edit_string(&mut self, text: &str, span: Range<usize>, secrets: Vec<Secret>) {
        let source = &self.text[span.clone()];
        let Some(first) = secrets.first().cloned() else { return };
        if source.starts_with(['"', '\'']) && !self.nature.is_toml {
            for mut secret in secrets {
                secret.range = in_source(&source[1..], text, &secret.range);
                self.add([secret.into()], span.start + 1);
            }
        } else {
            // Without quotes a mark would be a list. TOML has several kinds of them.
            let shown = quoted(&marked(text, &secrets));
            self.edits.push(Edit { range: span, shown, ..first.into() });
        }
    }

    /// Searches the text as TOML, if it is.
    fn is_toml(&mut self) -> bool {
        let Ok(document) = DeTable::parse(self.text) else { return false };
        for (key, value) in document.get_ref() {
            self.search_toml(key.get_ref(), value);
        }
        true
    }

    fn search_toml(&mut self, name: &str, value: &TomlSpanned<DeValue<'_>>) {
        match value.get_ref() {
            DeValue::String(text) => self.search_strings(name, &[(text, value.span())]),
            DeValue::Array(items) => items.iter().for_each(|item| self.search_toml(name, item)),
            DeValue::Table(table) => {
                for (key, value) in table {
                    self.search_toml(key.get_ref(), value);
                }
            }
            _ => {}
        }
    }
}

/// Where a part of a decoded string is in its source, which begins after the quote.
fn in_source(source: &str, text: &str, range: &Range<usize>) -> Range<usize> {
    json::place_in_source(source, text, range.start)..json::place_in_source(source, text, range.end)
}

/// A text as a string of JSON, which is one of TOML as well.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
