//! `[[rows]]`: how rows of results in a shape of their own become runs and checks.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use regex::Regex;
use serde::{Deserialize, Deserializer, Serialize};
use toml::de::ValueDeserializer;

use crate::settings::values::one_or_more;

/// One mapping: which files have rows, and which fields of a row say what.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rows {
    /// The files, relative to the folder of the settings.
    pub files: FilePattern,
    /// The way from a document to its rows; `None`: the document is their list.
    pub list: Option<ListPath>,
    /// Fields that a row must have with these values.
    pub only: BTreeMap<FieldPath, Word>,
    /// The field with the case.
    pub case: Option<FieldPath>,
    /// The field with the configuration; without one, all rows are of one.
    pub configuration: Option<FieldPath>,
    /// What configurations in the rows are called in the report.
    pub sides: BTreeMap<String, String>,
    /// The field that tells the runs of a case and side apart.
    pub run: Option<FieldPath>,
    /// The field with the iteration; without one, all rows are of one.
    pub iteration: Option<FieldPath>,
    /// The field with the statement of the check.
    pub check: Option<FieldPath>,
    /// The fields with verdicts; without any, the rows only add figures to the runs of another mapping.
    #[serde(deserialize_with = "one_or_more")]
    pub passed: Vec<FieldPath>,
    /// The least score that passes; without one, 1.
    pub threshold: Option<f64>,
    /// The field with the reason of the verdict.
    pub evidence: Option<FieldPath>,
    /// Fields with tokens, which are summed.
    #[serde(deserialize_with = "one_or_more")]
    pub tokens: Vec<FieldPath>,
    /// The field with the duration in seconds.
    pub seconds: Option<FieldPath>,
    /// The field with the duration in milliseconds.
    pub milliseconds: Option<FieldPath>,
    /// The field with the cost in US dollars.
    pub dollars: Option<FieldPath>,
    /// The field that is true, or has a text, where the run was lost.
    pub error: Option<FieldPath>,
    /// The field with a text that is shown as the output of the run.
    pub output: Option<FieldPath>,
    /// The field with the model.
    pub model: Option<FieldPath>,
    /// The line of each key in the file of settings; empty where it is from a flag.
    #[serde(skip)]
    pub lines: BTreeMap<String, usize>,
}

impl Rows {
    /// Every field that is mapped, by its key.
    pub fn fields(&self) -> Vec<(&'static str, &FieldPath)> {
        let mut fields: Vec<(&'static str, &FieldPath)> =
            self.only.keys().map(|field| ("only", field)).collect();
        let single = [
            ("case", &self.case),
            ("configuration", &self.configuration),
            ("run", &self.run),
            ("iteration", &self.iteration),
            ("check", &self.check),
            ("evidence", &self.evidence),
            ("seconds", &self.seconds),
            ("milliseconds", &self.milliseconds),
            ("dollars", &self.dollars),
            ("error", &self.error),
            ("output", &self.output),
            ("model", &self.model),
        ];
        fields.extend(single.into_iter().filter_map(|(key, field)| Some((key, field.as_ref()?))));
        fields.extend(self.passed.iter().map(|field| ("passed", field)));
        fields.extend(self.tokens.iter().map(|field| ("tokens", field)));
        fields
    }

    /// Why it makes no sense as a whole.
    fn check(&self) -> Result<(), String> {
        if self.files.text.is_empty() {
            return Err("a mapping needs `files`".to_owned());
        }
        for part in Part::ALL {
            let field = match part {
                Part::Iteration => &self.iteration,
                Part::Case => &self.case,
                Part::Configuration => &self.configuration,
                Part::Run => &self.run,
            };
            let in_list = self.list.as_ref().is_some_and(|list| list.has(part));
            let places = [self.files.has(part), in_list, field.is_some()];
            let name = part.name();
            match places.iter().filter(|is_there| **is_there).count() {
                0 if part == Part::Case => {
                    return Err(
                        "a mapping needs `case`: a field, or `{case}` in `files`".to_owned()
                    );
                }
                0 | 1 => {}
                _ => return Err(format!("`{name}` and `{{{name}}}` are the same; keep one")),
            }
        }
        if self.seconds.is_some() && self.milliseconds.is_some() {
            return Err("`seconds` and `milliseconds` are the same; keep one".to_owned());
        }
        if self.threshold.is_some_and(|threshold| !(0.0..=1.0).contains(&threshold)) {
            return Err("`threshold` is from 0 to 1".to_owned());
        }
        Ok(())
    }
}

impl FromStr for Rows {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if !text.trim_start().starts_with('{') {
            let form = "{ files = \"…\", case = \"…\", configuration = \"…\", passed = \"…\" }";
            return Err(format!("write it as `{form}`"));
        }
        let value = ValueDeserializer::parse(text).and_then(CheckedRows::deserialize);
        value.map(|CheckedRows(rows)| rows).map_err(|error| error.message().to_owned())
    }
}

/// A mapping that makes sense as a whole.
#[derive(Deserialize)]
#[serde(try_from = "Rows")]
struct CheckedRows(Rows);

impl TryFrom<Rows> for CheckedRows {
    type Error = String;

    fn try_from(rows: Rows) -> Result<Self, String> {
        rows.check()?;
        Ok(Self(rows))
    }
}

/// Mappings of which each makes sense as a whole.
pub(super) fn list<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Rows>, D::Error> {
    let rows = Vec::<CheckedRows>::deserialize(from)?;
    Ok(rows.into_iter().map(|CheckedRows(rows)| rows).collect())
}

/// What a placeholder in braces stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// `{iteration}`
    Iteration,
    /// `{case}`
    Case,
    /// `{configuration}`
    Configuration,
    /// `{run}`
    Run,
}

impl Part {
    const ALL: [Self; 4] = [Self::Iteration, Self::Case, Self::Configuration, Self::Run];

    fn name(self) -> &'static str {
        match self {
            Self::Iteration => "iteration",
            Self::Case => "case",
            Self::Configuration => "configuration",
            Self::Run => "run",
        }
    }

    fn new(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|part| part.name() == name);
        known.ok_or_else(|| {
            format!(
                "there is no `{{{name}}}`, only `{{iteration}}`, `{{case}}`, `{{configuration}}` and `{{run}}`"
            )
        })
    }
}

/// What the placeholders of a path or of a list stand for in one place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts([Option<String>; Part::ALL.len()]);

impl Parts {
    /// What `part` stands for; `None` if it has no placeholder.
    pub fn get(&self, part: Part) -> Option<&str> {
        self.0[part as usize].as_deref()
    }

    /// These parts with one more; `None` if it already stands for something else.
    #[must_use]
    pub fn with(&self, part: Part, text: &str) -> Option<Self> {
        let mut parts = self.clone();
        match &mut parts.0[part as usize] {
            Some(known) if known != text => return None,
            place => *place = Some(text.to_owned()),
        }
        Some(parts)
    }

    /// Each with what it stands for, in a fixed order.
    pub fn texts(&self) -> &[Option<String>] {
        &self.0
    }
}

/// A pattern of files in which `*` and placeholders stand for a part of one name.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct FilePattern {
    text: String,
    /// Every placeholder in the order of the groups of `expression`.
    parts: Vec<Part>,
    expression: Option<Regex>,
}

impl FilePattern {
    /// What the placeholders stand for, if the pattern covers all of `path`.
    pub fn matches(&self, path: &str) -> Option<Parts> {
        let found = self.expression.as_ref()?.captures(path)?;
        let mut parts = Parts::default();
        for (index, part) in self.parts.iter().enumerate() {
            parts = parts.with(*part, found.get(index + 1)?.as_str())?;
        }
        Some(parts)
    }

    fn has(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }
}

impl TryFrom<String> for FilePattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        // A workspace may be anybody's: what it names lies in it.
        let is_outside = text.starts_with('/') || text.split('/').any(|name| name == "..");
        if is_outside || text.contains('\\') || text.split('/').any(|name| name.ends_with(':')) {
            return Err(format!(
                "`{text}` must be a path below this folder, with `/` between names and without `..`"
            ));
        }
        let (mut expression, mut parts, mut rest) = ("^".to_owned(), Vec::new(), text.as_str());
        while let Some(at) = rest.find(['*', '{']) {
            expression += &regex::escape(&rest[..at]);
            rest = &rest[at + 1..];
            if text.as_bytes()[text.len() - rest.len() - 1] == b'*' {
                expression += "[^/]*";
            } else {
                let (name, after) =
                    rest.split_once('}').ok_or_else(|| format!("`{{{rest}` lacks its `}}`"))?;
                parts.push(Part::new(name)?);
                expression += "([^/]+)";
                rest = after;
            }
        }
        if text.contains("**") {
            return Err("a `*` stops at `/`: name the folders between, or write `*/*`".to_owned());
        }
        expression += &format!("{}$", regex::escape(rest));
        let expression = Regex::new(&expression).map_err(|error| error.to_string())?;
        Ok(Self { text, parts, expression: Some(expression) })
    }
}

impl From<FilePattern> for String {
    fn from(pattern: FilePattern) -> Self {
        pattern.text
    }
}

impl fmt::Display for FilePattern {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.text)
    }
}

impl PartialEq for FilePattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// A field of a row: a key, or several with dots in between; a dot in a key has a backslash before it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct FieldPath(Vec<String>);

impl FieldPath {
    /// The field with these keys, from the outermost on.
    pub fn new(keys: Vec<String>) -> Self {
        Self(keys)
    }

    /// Its keys, from the outermost on.
    pub fn keys(&self) -> &[String] {
        &self.0
    }
}

impl TryFrom<String> for FieldPath {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mut keys = vec![String::new()];
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            let is_escaped = character == '\\' && characters.peek() == Some(&'.');
            match keys.last_mut() {
                Some(key) if is_escaped => key.extend(characters.next()),
                Some(key) if character != '.' => key.push(character),
                _ => keys.push(String::new()),
            }
        }
        if keys.iter().any(String::is_empty) {
            return Err(format!("`{text}` has an empty key"));
        }
        Ok(Self(keys))
    }
}

impl From<FieldPath> for String {
    fn from(path: FieldPath) -> Self {
        path.to_string()
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys: Vec<String> = self.0.iter().map(|key| key.replace('.', "\\.")).collect();
        to.write_str(&keys.join("."))
    }
}

/// The way to the rows of a document. Lists on it are passed through.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(try_from = "FieldPath", into = "FieldPath")]
pub struct ListPath(Vec<ListStep>);

/// One step on the way to a list.
#[derive(Clone, Debug, PartialEq)]
pub enum ListStep {
    /// The value of this key.
    Key(String),
    /// Every value of an object, or every item of a list, with its key or its place.
    Every(Part),
}

impl ListPath {
    /// Its steps, from the document on.
    pub fn steps(&self) -> &[ListStep] {
        &self.0
    }

    fn has(&self, part: Part) -> bool {
        self.0.contains(&ListStep::Every(part))
    }
}

impl TryFrom<FieldPath> for ListPath {
    type Error = String;

    fn try_from(path: FieldPath) -> Result<Self, String> {
        let mut steps = Vec::new();
        for key in path.0 {
            let placeholder = key.strip_prefix('{').and_then(|key| key.strip_suffix('}'));
            steps.push(match placeholder {
                Some(name) => ListStep::Every(Part::new(name)?),
                None => ListStep::Key(key),
            });
        }
        Ok(Self(steps))
    }
}

impl From<ListPath> for FieldPath {
    fn from(list: ListPath) -> Self {
        let key = |step| match step {
            ListStep::Key(key) => key,
            ListStep::Every(part) => format!("{{{}}}", part.name()),
        };
        Self(list.0.into_iter().map(key).collect())
    }
}

/// The value of a field as a text: numbers and `true` count as they are written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Word(pub String);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected a text, a number or a boolean")]
        enum Written {
            Bool(bool),
            Integer(i64),
            Number(f64),
            Text(String),
        }
        Ok(Self(match Written::deserialize(from)? {
            Written::Bool(flag) => flag.to_string(),
            Written::Integer(number) => number.to_string(),
            Written::Number(number) => number.to_string(),
            Written::Text(text) => text,
        }))
    }
}
