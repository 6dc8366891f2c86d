//! Tolerant access to a document that keeps the position of each value.
//!
//! A [`Cursor`] is a value with the key that led to it. Its methods look a [`Field`] up under every
//! spelling and convert its value; a value that cannot be converted becomes a problem at its own
//! line and column, and the field counts as absent.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;

use crate::json::{LineIndex, Node, Spanned};
use crate::model::{Code, Place, Problem};
use crate::read::alias::Field;
use crate::read::words::{self, is_placeholder, is_spelling, plain};

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

/// Larger than any count of tokens or seconds; sums of such numbers stay exact.
const MAX_NUMBER: f64 = 1e12;

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
        self.index.map_or_else(|| key.to_owned(), |index| format!("{key}[{index}]"))
    }

    pub(super) fn problem(self, code: Code, message: impl Into<String>, assumed: &str, help: &str) {
        let text = |words: &str| (!words.is_empty()).then(|| words.to_owned());
        let problem = Problem::new(code, self.context.path(), message).at(Some(self.place()));
        self.context.problem(Problem { assumed: text(assumed), help: text(help), ..problem });
    }

    /// The value of `field`, else the value itself: the place for a problem with the field.
    pub(super) fn at(self, field: &Field) -> Cursor<'c> {
        self.get(field).unwrap_or(self)
    }

    /// The texts of the entries of an object whose key `wanted` accepts, each after its key.
    pub(super) fn named_texts(self, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let named = self.entries().filter(|(key, _)| wanted(key)).map(|(key, part)| {
            part.as_texts().into_iter().map(move |text| format!("{key}: {text}"))
        });
        named.flatten().collect()
    }

    pub(super) fn place(self) -> Place {
        self.context.place_at(self.value.span().start)
    }

    /// The value as text: a text unchanged, numbers and flags written out, a list of texts as
    /// lines. `None` for null, blank text and placeholders.
    pub(super) fn as_words(self) -> Option<String> {
        match self.node() {
            Node::Text(text) if is_placeholder(text.trim()) => {
                let (name, text) = (self.name(), text.trim());
                let message = format!("`{name}` still holds the placeholder `{text}`");
                self.problem(Code::Placeholder, message, "read as not recorded", "write the value");
                None
            }
            Node::List(items) => {
                let lines: Vec<String> = items.iter().filter_map(|item| plain(item)).collect();
                (!lines.is_empty()).then(|| lines.join("\n"))
            }
            other => plain(other),
        }
    }

    /// The value as a finite number: a number, or a text that is one. Texts that only people read
    /// as numbers, such as `12,345` or `84.8k`, are read with a problem.
    pub(super) fn as_number(self) -> Option<f64> {
        let number = match self.node() {
            Node::Text(text) => {
                let plain = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
                plain.or_else(|| words::number(text).inspect(|number| self.rewritten(*number, "")))
            }
            _ => self.value.as_f64(),
        };
        let is_blank = self.is_null() || self.value.as_text().is_some_and(|t| t.trim().is_empty());
        if number.is_none() && !is_blank {
            let (name, kind) = (self.name(), self.value.kind());
            let message = format!("`{name}` should be a number, not {kind}");
            self.problem(Code::WrongType, message, "read as not recorded", "");
        }
        number
    }

    fn rewritten(self, number: f64, unit: &str) {
        let message = format!("`{}` should be a number, not text", self.name());
        let assumed = format!("read as {number}{unit}");
        self.problem(Code::WrongType, message, &assumed, &format!("write {number}"));
    }

    pub(super) fn words(self, field: &Field) -> Option<String> {
        self.get(field)?.as_words()
    }

    /// A field as text, only if it is a text or a number.
    pub(super) fn label(self, field: &Field) -> Option<String> {
        self.get_where(field, Cursor::is_label)?.as_label()
    }

    /// Whether the value is a non-empty text or a number.
    pub(super) fn is_label(self) -> bool {
        self.is_scalar() && self.is_filled()
    }

    /// The value as text without outer spaces.
    pub(super) fn as_label(self) -> Option<String> {
        Some(self.as_words()?.trim().to_owned())
    }

    pub(super) fn number(self, field: &Field) -> Option<f64> {
        self.get(field)?.as_number()
    }

    /// A field as a number, only if it is written as one.
    pub(super) fn plain_number(self, field: &Field) -> Option<f64> {
        self.get_where(field, |found| found.value.as_f64().is_some())?.value.as_f64()
    }

    /// A field as a measure: 0 counts as not recorded, a negative number is a problem.
    pub(super) fn measure(self, field: &Field) -> Option<f64> {
        let found = self.measured(field)?;
        found.above_zero(found.as_number()?)
    }

    /// A field as a duration in seconds: a bare number counts `unit` seconds, and `1m 23s` is read with
    /// a problem.
    pub(super) fn seconds(self, field: &Field, unit: f64) -> Option<f64> {
        let found = self.measured(field)?;
        let written = found.value.as_text().and_then(|text| words::seconds(text.trim()));
        let written = written.inspect(|seconds| found.rewritten(*seconds, " seconds"));
        let number = || found.as_number().map(|number| number * unit);
        found.above_zero(written.or_else(number)?)
    }

    /// The value under the first spelling with a number other than 0 or a text; else with a 0.
    pub(super) fn measured(self, field: &Field) -> Option<Cursor<'c>> {
        let is_number = |found: Cursor<'c>| found.is_scalar() && found.is_filled();
        let is_set = |found: Cursor<'c>| is_number(found) && found.value.as_f64() != Some(0.0);
        self.get_where(field, is_set).or_else(|| self.get_where(field, is_number))
    }

    fn is_scalar(self) -> bool {
        matches!(self.node(), Node::Text(_) | Node::Number(_))
    }

    fn above_zero(self, number: f64) -> Option<f64> {
        self.in_range(number).filter(|number| *number > 0.0)
    }

    /// A field as a count that may be 0; a negative number is a problem.
    pub(super) fn tally(self, field: &Field) -> Option<f64> {
        let found = self.get_where(field, |found| found.value.as_f64().is_some())?;
        found.in_range(found.value.as_f64()?)
    }

    /// The number, unless it is negative or too large for any measure here.
    fn in_range(self, number: f64) -> Option<f64> {
        if (0.0..=MAX_NUMBER).contains(&number) {
            return Some(number);
        }
        let what = if number < 0.0 { "negative" } else { "too large" };
        let message = format!("`{}` is {what}", self.name());
        self.problem(Code::OutOfRange, message, "read as not recorded", "write what was measured");
        None
    }

    /// A field as a share in 0..=1.
    pub(super) fn rate(self, field: &Field) -> Option<f64> {
        self.get(field)?.as_rate()
    }

    /// The value as a pass rate in any notation: `0.75`, `75`, `"75%"`, `"3/4"`, `"2/8 (25%)"`. An
    /// impossible one is a problem.
    pub(super) fn as_rate(self) -> Option<f64> {
        let rate = match self.node() {
            Node::Text(text) if text.trim().is_empty() => return None,
            Node::Text(text) => words::rate(text),
            node => {
                let (number, name) = (node.as_f64()?, self.name());
                let is_percent = number > 1.0 || name.contains("pct") || name.contains("percent");
                Some(if is_percent { number / 100.0 } else { number })
            }
        };
        let read = rate.filter(|rate| (0.0..=1.0).contains(rate));
        if read.is_none() {
            let message = format!("`{}` is not a share of 1", self.name());
            let help = "write a number from 0 to 1";
            self.problem(Code::OutOfRange, message, "read as not recorded", help);
        }
        read
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
            Node::List(items) => items.iter().filter_map(|item| plain(item)).collect(),
            _ => self.as_words().into_iter().collect(),
        }
    }
}
