//! Tolerant access to a document that keeps the position of each value.
//!
//! A [`Cursor`] is a value with the key that led to it. Its methods look a [`Field`] up under every
//! spelling and convert its value; a value that cannot be converted becomes a problem at its own
//! line and column, and the field counts as absent.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;

use crate::read::alias::{Field, is_any, is_spelling};
use input::model::{Code, Place, Problem};
use json::{LineIndex, Node, Spanned, number_text};
use text::{folded_name, is_listed, mistyped};

/// A document being read: its text for positions, and the problems so far.
pub(super) struct Context<'d> {
    path: &'d str,
    text: &'d str,
    /// Lines at the start of the text that are not in the document.
    added: usize,
    lines: OnceCell<LineIndex>,
    problems: RefCell<Vec<Problem>>,
}

impl<'d> Context<'d> {
    /// A context for the document at `path`, whose text begins with `added` extra lines.
    pub(super) fn new(path: &'d str, text: &'d str, added: usize) -> Self {
        Self { path, text, added, lines: OnceCell::new(), problems: RefCell::default() }
    }

    pub(super) fn path(&self) -> &str {
        self.path
    }

    pub(super) fn place_at(&self, offset: usize) -> Place {
        let lines = self.lines.get_or_init(|| LineIndex::new(self.text));
        let (line, column) = lines.place(self.text, offset);
        Place { line: line.saturating_sub(self.added).max(1), column }
    }

    pub(super) fn problem(&self, problem: Problem) {
        self.problems.borrow_mut().push(problem);
    }

    /// The problems in the order found; each once, although a value may have been read twice.
    pub(super) fn into_problems(self) -> Vec<Problem> {
        let mut problems = self.problems.into_inner();
        let mut known = BTreeSet::new();
        problems.retain(|found| known.insert((found.place, found.code, found.message.clone())));
        problems
    }

    pub(super) fn root<'c>(&'c self, value: &'c Spanned<'c>) -> Cursor<'c> {
        Cursor { value, context: self, key: None, index: None }
    }
}

/// Reports each key of the objects in a list that is likely one of `fields` with a typing error; one problem
/// for a list. `whose` is such as `a case`.
pub(super) fn report_mistyped(items: Cursor<'_>, fields: &[&Field], whose: &str) {
    let mut seen = BTreeSet::new();
    for item in items.items().filter(|item| item.is_object()) {
        for (key, value) in item.entries() {
            // Most keys are known or in every item, so few are compared with all spellings.
            if !seen.insert(key) || is_any(fields, key) {
                continue;
            }
            let missing = fields.iter().filter(|field| !item.has(field));
            let spellings = missing.flat_map(|field| field.spellings).filter(|name| name.len() > 5);
            if let Some(near) = mistyped(key, spellings.copied()) {
                let message = format!("`{key}` is no field of {whose}");
                let help = format!("did you mean `{near}`?");
                value.problem(Code::NearMiss, message, "not read", &help);
            }
        }
    }
}

/// A value, and how it was reached.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'c> {
    value: &'c Spanned<'c>,
    context: &'c Context<'c>,
    /// The last key on the way; `None` where there was none.
    key: Option<&'c str>,
    /// Its index in a list, if it is an item of one.
    index: Option<usize>,
}

impl<'c> Cursor<'c> {
    pub(super) fn node(self) -> &'c Node<'c> {
        &self.value.node
    }

    pub(super) fn path(self) -> String {
        self.context.path().to_owned()
    }

    /// The value under the first spelling that is not empty, else the first that is not null.
    pub(super) fn get(self, field: &Field) -> Option<Cursor<'c>> {
        let filled = self.get_where(field, Cursor::is_filled);
        filled.or_else(|| self.get_where(field, |found| !found.is_null()))
    }

    /// The value of `field` under its first spelling whose value `wanted` accepts.
    pub(super) fn get_where(
        self,
        field: &Field,
        wanted: impl Fn(Cursor<'c>) -> bool,
    ) -> Option<Cursor<'c>> {
        self.all(field).find(|found| wanted(*found))
    }

    /// The values of `field` under each of its spellings.
    pub(super) fn all(self, field: &Field) -> impl Iterator<Item = Cursor<'c>> + use<'c> {
        field.spellings.iter().filter_map(move |key| self.key(key))
    }

    pub(super) fn object(self, field: &Field) -> Option<Cursor<'c>> {
        self.get_where(field, Cursor::is_object)
    }

    /// The value if it is a list, else the first list under `field`.
    pub(super) fn list(self, field: &Field) -> Option<Cursor<'c>> {
        if self.is_list() { Some(self) } else { self.get_where(field, Cursor::is_list) }
    }

    /// Whether `field` exists under any spelling, null or not.
    pub(super) fn has(self, field: &Field) -> bool {
        self.all(field).next().is_some()
    }

    /// The value of one key: spelled exactly so, else in any spelling.
    pub(super) fn key(self, key: &str) -> Option<Cursor<'c>> {
        let entries = self.value.as_object()?;
        let exact = entries.iter().rev().find(|(name, _)| name == key);
        let (name, value) =
            exact.or_else(|| entries.iter().rev().find(|(name, _)| is_spelling(name, key)))?;
        Some(Cursor { value, key: Some(name), index: None, ..self })
    }

    /// The entries of an object, in the order written; none for other values.
    pub(super) fn entries(self) -> impl Iterator<Item = (&'c str, Cursor<'c>)> {
        let entries = self.value.as_object().unwrap_or_default();
        entries.iter().map(move |(name, value)| {
            (name.as_ref(), Cursor { value, key: Some(name), index: None, ..self })
        })
    }

    /// The items of a list; none for other values.
    pub(super) fn items(self) -> impl Iterator<Item = Cursor<'c>> {
        let items = self.value.as_list().unwrap_or_default();
        items.iter().enumerate().map(move |(index, value)| Cursor {
            value,
            index: Some(index),
            ..self
        })
    }

    /// The items of the first list under `field`.
    pub(super) fn items_of(self, field: &Field) -> impl Iterator<Item = Cursor<'c>> + use<'c> {
        self.get_where(field, Cursor::is_list).into_iter().flat_map(Cursor::items)
    }

    /// The entries of the first object under `field`.
    pub(super) fn entries_of(
        self,
        field: &Field,
    ) -> impl Iterator<Item = (&'c str, Cursor<'c>)> + use<'c> {
        self.object(field).into_iter().flat_map(Cursor::entries)
    }

    pub(super) fn is_null(self) -> bool {
        matches!(self.node(), Node::Null)
    }

    pub(super) fn is_filled(self) -> bool {
        self.value.is_filled()
    }

    pub(super) fn is_root(self) -> bool {
        self.key.is_none() && self.index.is_none()
    }

    pub(super) fn is_object(self) -> bool {
        self.value.as_object().is_some()
    }

    pub(super) fn is_list(self) -> bool {
        self.value.as_list().is_some()
    }

    /// The last key or index on the way, as text for messages.
    pub(super) fn name(self) -> String {
        let key = self.key.unwrap_or("the document");
        match self.index {
            Some(index) => format!("{key}[{index}]"),
            None => key.to_owned(),
        }
    }

    pub(super) fn problem(self, code: Code, message: impl Into<String>, assumed: &str, help: &str) {
        let mut problem = Problem::new(code, self.context.path, message).at(Some(self.place()));
        problem = problem.assuming(assumed);
        if !help.is_empty() {
            problem = problem.help(help);
        }
        self.context.problem(problem);
    }

    /// The value of `field`, else the value itself: the place for a problem with the field.
    pub(super) fn at(self, field: &Field) -> Cursor<'c> {
        self.get(field).unwrap_or(self)
    }

    /// The texts of the entries of an object whose key `wanted` accepts, each after its key.
    pub(super) fn named_texts(self, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let mut texts = Vec::new();
        for (key, part) in self.entries().filter(|(key, _)| wanted(key)) {
            texts.extend(part.as_texts().into_iter().map(|text| format!("{key}: {text}")));
        }
        texts
    }

    pub(super) fn place(self) -> Place {
        self.context.place_at(self.value.span().start)
    }

    /// The value as text: a text unchanged, numbers and flags written out, a list of texts as
    /// lines. `None` for null, blank text and placeholders.
    pub(super) fn as_text(self) -> Option<String> {
        match self.node() {
            Node::Text(text) if is_placeholder(text.trim()) => {
                let (name, text) = (self.name(), text.trim());
                let message = format!("`{name}` still holds the placeholder `{text}`");
                self.problem(Code::Placeholder, message, "read as not recorded", "write the value");
                None
            }
            Node::List(items) => {
                joined(items.iter().filter_map(|item| plain_text(item)).collect(), "\n")
            }
            other => plain_text(other),
        }
    }

    pub(super) fn text(self, field: &Field) -> Option<String> {
        self.get(field)?.as_text()
    }

    /// A field as text, only if it is a text or a number.
    pub(super) fn label(self, field: &Field) -> Option<String> {
        self.get_where(field, Cursor::is_label)?.as_label()
    }

    /// The name of a model; templates and runners that do not know it write a placeholder, a dash or
    /// a word, which is no problem.
    pub(super) fn model(self, field: &Field) -> Option<String> {
        const UNKNOWN: &str = "unknown none null default unspecified tbd todo na";
        self.all(field).filter_map(|found| found.node().as_text()).map(str::trim).find_map(|name| {
            let is_name = name.chars().any(char::is_alphanumeric) && !is_placeholder(name);
            let is_known = is_name && !is_listed(UNKNOWN, &folded_name(name).replace('/', ""));
            if is_known { Some(name.to_owned()) } else { None }
        })
    }

    /// Whether the value is a non-empty text or a number.
    pub(super) fn is_label(self) -> bool {
        matches!(self.node(), Node::Text(_) | Node::Number(_)) && self.is_filled()
    }

    /// The value as text without outer spaces.
    pub(super) fn as_label(self) -> Option<String> {
        Some(self.as_text()?.trim().to_owned())
    }

    /// A field as a number, only if it is written as one.
    pub(super) fn number(self, field: &Field) -> Option<f64> {
        self.all(field).find_map(|found| found.value.as_f64())
    }

    /// A field as a measure: 0 counts as not recorded, a negative number is a problem.
    pub(super) fn measure(self, field: &Field) -> Option<f64> {
        let found = self.measured(field)?;
        let Some(text) = found.value.as_text() else {
            return found.above_zero(found.value.as_f64()?);
        };
        // Models put numbers in quotation marks. `84.8k` and `1m 23s` were never met, so nothing is
        // guessed from words.
        match text.trim().parse::<f64>() {
            Ok(number) if number.is_finite() => found.above_zero(number),
            _ => {
                let message = format!("`{}` should be a number, not text", found.name());
                let help = "write the number that was measured, or leave it out";
                found.problem(Code::WrongType, message, "read as not recorded", help);
                None
            }
        }
    }

    /// The value under the first spelling with a number other than 0 or a text; else with a 0.
    pub(super) fn measured(self, field: &Field) -> Option<Cursor<'c>> {
        let mut zero = None;
        for found in self.all(field).filter(|found| found.is_label()) {
            if found.value.as_f64() != Some(0.0) {
                return Some(found);
            }
            zero = zero.or(Some(found));
        }
        zero
    }

    /// The number if it is positive; a negative one or one beyond any measure is a problem.
    fn above_zero(self, number: f64) -> Option<f64> {
        // No run costs as much, and sums of smaller numbers stay exact.
        let possible = 0.0..=1e12;
        if !possible.contains(&number) {
            let what = if number < 0.0 { "negative" } else { "too large" };
            let message = format!("`{}` is {what}", self.name());
            let help = "write what was measured";
            self.problem(Code::OutOfRange, message, "read as not recorded", help);
            return None;
        }
        if number > 0.0 { Some(number) } else { None }
    }

    /// A field as a share in 0..=1.
    pub(super) fn rate(self, field: &Field) -> Option<f64> {
        self.get(field)?.as_rate()
    }

    /// The value as a pass rate in any notation: `0.75`, `75`, `"75%"`, `"3/4"`, `"2/8 (25%)"`. An
    /// impossible one is a problem.
    pub(super) fn as_rate(self) -> Option<f64> {
        let name = self.name();
        let rate = match self.node() {
            Node::Text(text) if text.trim().is_empty() => return None,
            Node::Text(text) => share_in_text(text),
            node if name.contains("pct") => Some(node.as_f64()? / 100.0),
            node => Some(node.as_f64()?).map(|rate| if rate > 1.0 { rate / 100.0 } else { rate }),
        };
        let rate = rate.filter(|rate| (0.0..=1.0).contains(rate));
        if rate.is_none() {
            let message = format!("`{name}` is not a share of 1");
            let help = "write a number from 0 to 1";
            self.problem(Code::OutOfRange, message, "read as not recorded", help);
        }
        rate
    }

    /// A field as a flag: `true` and `false`, and the words for them.
    pub(super) fn flag(self, field: &Field) -> Option<bool> {
        self.get(field)?.as_flag()
    }

    pub(super) fn as_flag(self) -> Option<bool> {
        let word = match self.node() {
            Node::Bool(flag) => return Some(*flag),
            Node::Text(text) => text.trim().to_lowercase(),
            Node::Number(number) => number.to_string(),
            _ => return None,
        };
        match word.as_str() {
            "true" | "yes" | "y" | "1" => Some(true),
            "false" | "no" | "n" | "0" => Some(false),
            _ => None,
        }
    }

    /// A field as a list of texts; one text counts as a list of one, and an object as its texts.
    pub(super) fn texts(self, field: &Field) -> Vec<String> {
        self.get(field).map(|found| found.as_texts()).unwrap_or_default()
    }

    pub(super) fn as_texts(self) -> Vec<String> {
        match self.node() {
            Node::List(items) => items.iter().filter_map(|item| plain_text(item)).collect(),
            _ => self.as_text().into_iter().collect(),
        }
    }
}

/// A value as plain text; `None` for null and blank text.
fn plain_text(node: &Node<'_>) -> Option<String> {
    match node {
        Node::Null => None,
        Node::Text(text) if text.trim().is_empty() => None,
        Node::Text(text) => Some(text.to_string()),
        Node::Bool(flag) => Some(flag.to_string()),
        Node::Number(number) => Some(number_text(number)),
        Node::List(items) => {
            joined(items.iter().filter_map(|item| plain_text(item)).collect(), ", ")
        }
        Node::Object(entries) => {
            let fields = entries
                .iter()
                .filter_map(|(key, value)| Some(format!("{key}: {}", plain_text(value)?)));
            joined(fields.collect(), "; ")
        }
    }
}

fn joined(texts: Vec<String>, separator: &str) -> Option<String> {
    if texts.is_empty() { None } else { Some(texts.join(separator)) }
}

/// The share in a text: `75%`, `3/4`, `2/8 (25%)`. Graders write it next to or instead of a number.
fn share_in_text(text: &str) -> Option<f64> {
    let head = text.split('(').next().unwrap_or(text).trim();
    if let Some((part, whole)) = head.split_once('/') {
        let (part, whole): (f64, f64) = (part.trim().parse().ok()?, whole.trim().parse().ok()?);
        return if whole > 0.0 { Some(part / whole) } else { None };
    }
    match head.strip_suffix('%') {
        Some(percent) => Some(percent.trim().parse::<f64>().ok()? / 100.0),
        None => head.parse().ok(),
    }
}

/// Whether a text is an unfilled placeholder of a template: `<model-name>`, `<path/to/skill>`.
// 149 public benchmarks still have `<model-name>` of the template of the skill-creator.
fn is_placeholder(text: &str) -> bool {
    let Some(inner) = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) else {
        return false;
    };
    let mut letters = inner.chars();
    (1..=60).contains(&inner.len())
        && letters.all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | ' ' | '.'))
}

#[cfg(test)]
mod tests {
    use super::is_placeholder;

    #[test]
    fn placeholders_are_words_in_angle_brackets() {
        assert!(is_placeholder("<model-name>") && is_placeholder("<path/to/skill>"));
        for text in ["<b>bold</b>", "a < b > c", "<>"] {
            assert!(!is_placeholder(text), "{text}");
        }
    }
}
