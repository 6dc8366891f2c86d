//! The record of a run: tool calls, their results and messages. Reads those in JSON.

use std::borrow::Cow;

use crate::json::{LineIndex, Node, Spanned, parse_strict};
use crate::read::loading::harness::{
    AGENTS, ASKERS, BREAKS, CALL_FIELDS, CALLS, COMMANDS, Condition, FAILS, FIELDS, IDS, INPUT,
    LOADED, LOADED_BY, LOADED_SKILL, MESSAGE, RESULT, RESULTS, TOOL,
};
use crate::read::loading::names::SkillNames;
use crate::text::is_listed;

#[derive(Debug, PartialEq)]
pub(super) enum Event {
    Call(Call),
    Result {
        id: String,
        text: String,
        failed: bool,
    },
    /// A skill was loaded.
    Skill {
        name: String,
        by_user: bool,
    },
    /// The agent spoke.
    Answer,
    /// A message of a person or a system, or of a program on their behalf.
    Request(String),
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct Call {
    pub(super) tool: String,
    /// Its inputs by name; a text input is under no name.
    pub(super) input: Vec<(String, String)>,
    pub(super) id: String,
    pub(super) failed: bool,
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct RunRecord {
    /// Each with its line.
    pub(super) events: Vec<(usize, Event)>,
    /// An explicit field: its name and line, and whether the skill was loaded.
    pub(super) field: Option<(&'static str, usize, bool)>,
    /// Whether the run finished and all of its calls are known.
    pub(super) is_complete: bool,
}

/// Longer texts are cut to this many bytes: signs are at their beginning.
const MAX_TEXT_BYTES: usize = 64 * 1024;

/// Reads a JSON document, lines of JSON, or several documents in a row; `None` for any other text.
pub(super) fn read_json(text: &str, names: &SkillNames) -> Option<RunRecord> {
    if !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let lines = LineIndex::new(text);
    let whole = parse_strict(text).map(|root| (0, Ok(root)));
    let parts = if whole.is_ok() { Vec::new() } else { parts(text) };
    let parsed = parts.into_iter().map(|(start, part)| (start, parse_strict(part)));
    let mut walk = RecordWalk {
        names,
        record: RunRecord::default(),
        is_broken: false,
        has_unknown_calls: false,
    };
    let mut is_known = false;
    for (start, document) in whole.into_iter().chain(parsed) {
        match document {
            Ok(root) => {
                is_known = true;
                walk.root(&root, &|node| lines.place(text, start + node.span().start).0);
            }
            Err(_) => walk.is_broken = true,
        }
    }
    is_known.then(|| walk.finish())
}

/// The documents in a text with their lines: each line, or each block that ends in a line with only
/// a bracket.
fn parts(text: &str) -> Vec<(usize, &str)> {
    let end = match text.split_inclusive('\n').next() {
        Some("{\n") => "\n}\n",
        Some("{\r\n") => "\r\n}\r\n",
        _ => "\n",
    };
    let mut at = 0;
    let parts = text.split_inclusive(end).map(|part| {
        at += part.len();
        (at - part.len(), part)
    });
    parts.filter(|(_, part)| !part.trim().is_empty()).collect()
}

struct RecordWalk<'n> {
    names: &'n SkillNames,
    record: RunRecord,
    is_broken: bool,
    /// Whether something looks like a call but has no known shape.
    has_unknown_calls: bool,
}

impl RecordWalk<'_> {
    fn finish(self) -> RunRecord {
        let events = &self.record.events;
        let has_calls = events.iter().any(|(_, event)| matches!(event, Event::Call(_)));
        let is_known = has_calls || !self.has_unknown_calls;
        let is_ended = matches!(events.last(), Some((_, Event::Answer)));
        RunRecord { is_complete: is_known && is_ended && !self.is_broken, ..self.record }
    }

    fn root(&mut self, root: &Spanned<'_>, line: &dyn Fn(&Spanned<'_>) -> usize) {
        if self.record.field.is_none() {
            let fields = FIELDS.split_ascii_whitespace();
            let mut stated =
                fields.filter_map(|field| Some((field, stated(at(root, field)?, self.names)?)));
            self.record.field = stated.next().map(|(field, stated)| (field, line(root), stated));
        }
        self.node(root, line);
    }

    fn node(&mut self, node: &Spanned<'_>, line: &dyn Fn(&Spanned<'_>) -> usize) {
        node.as_list().into_iter().flatten().for_each(|item| self.node(item, line));
        let Some(entries) = node.as_object() else { return };
        if let Some(event) = event(node) {
            self.record.events.push((line(node), event));
            return;
        }
        self.is_broken |= holds(node, BREAKS);
        self.is_broken |= node.get("errors").is_some_and(|node| !is_bare(node));
        self.record.events.extend(message(node).map(|message| (line(node), message)));
        for (name, value) in entries {
            self.has_unknown_calls |= is_listed(CALL_FIELDS, name) && !is_bare(value);
            self.node(value, line);
        }
    }
}

/// Whether a value is neither a list nor an object, or has nothing but zeros.
fn is_bare(node: &Node<'_>) -> bool {
    match node {
        Node::List(items) => items.is_empty(),
        Node::Object(entries) => entries.iter().all(|(_, value)| value.as_f64() == Some(0.0)),
        _ => true,
    }
}

fn event(node: &Node<'_>) -> Option<Event> {
    if holds(node, &[LOADED]) {
        let by_user = word_at(node, LOADED_BY).is_some_and(|trigger| trigger.contains("user"));
        return Some(Event::Skill { name: word_at(node, LOADED_SKILL)?, by_user });
    }
    let is_result = holds(node, RESULTS);
    if !is_result && !holds(node, CALLS) {
        return None;
    }
    let id = word_at(node, IDS).unwrap_or_default();
    let failed = holds(node, FAILS);
    if is_result {
        let text = first_at(node, RESULT).map(text_of).unwrap_or_default();
        return Some(Event::Result { id, text, failed });
    }
    let shell = || holds(node, &[COMMANDS]).then(|| "shell".to_owned());
    let tool = word_at(node, TOOL).or_else(shell)?;
    let input = first_at(node, INPUT).map(input_of).unwrap_or_default();
    Some(Event::Call(Call { tool, input, id, failed }))
}

fn message(node: &Node<'_>) -> Option<Event> {
    let is_request = holds(node, ASKERS);
    if !is_request && !holds(node, AGENTS) {
        return None;
    }
    // An object with a speaker is a message of its own.
    let text = first_at(node, MESSAGE).filter(|text| text.get("role").is_none()).map(text_of)?;
    let event = if is_request { Event::Request(text.clone()) } else { Event::Answer };
    (!text.is_empty()).then_some(event)
}

fn holds(node: &Node<'_>, rules: &[Condition]) -> bool {
    rules.iter().any(|(paths, values)| {
        let (paths, wants) = paths.strip_prefix('!').map_or((*paths, true), |paths| (paths, false));
        paths.split_ascii_whitespace().filter_map(|path| value_at(node, path)).any(|word| {
            if *values == "*" { !word.is_empty() } else { is_listed(values, &word) == wants }
        })
    })
}

fn at<'n, 't>(node: &'n Node<'t>, path: &str) -> Option<&'n Node<'t>> {
    path.split('.').try_fold(node, |node, key| node.get(key))
}

fn first_at<'n, 't>(node: &'n Node<'t>, paths: &str) -> Option<&'n Node<'t>> {
    let mut found = paths.split_ascii_whitespace().filter_map(|path| at(node, path));
    found.find(|found| **found != Node::Null)
}

fn word_at(node: &Node<'_>, paths: &str) -> Option<String> {
    let mut words = paths.split_ascii_whitespace().filter_map(|path| value_at(node, path));
    words.find(|word| !word.is_empty() && word != "null").map(Cow::into_owned)
}

/// The value at a path as one word; a text on the way is read as JSON.
fn value_at<'n>(node: &'n Node<'_>, path: &str) -> Option<Cow<'n, str>> {
    let Some((first, rest)) = path.split_once('.') else { return node.get(path).map(word) };
    match node.get(first)? {
        Node::Text(text) if text.trim_start().starts_with('{') => {
            let inner = parse_strict(text).ok()?;
            Some(value_at(&inner, rest)?.into_owned().into())
        }
        found => value_at(found, rest),
    }
}

/// A value as one word: a text, a number, `true`, `false` or `null`.
fn word<'n>(node: &'n Node<'_>) -> Cow<'n, str> {
    match node {
        Node::Text(text) => Cow::Borrowed(text),
        Node::Bool(value) => value.to_string().into(),
        Node::Number(number) => number.to_string().into(),
        Node::Null => "null".into(),
        Node::List(_) | Node::Object(_) => "".into(),
    }
}

/// The text of a message: itself, or those of its parts that are text.
fn text_of(node: &Node<'_>) -> String {
    let mut text = match node {
        Node::List(items) => {
            let texts = items.iter().filter_map(|item| {
                item.as_text().or_else(|| item.get("text").and_then(Node::as_text))
            });
            texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
        }
        Node::Object(_) => {
            let inner = ["content", "output", "text"].iter().find_map(|key| node.get(key));
            inner.and_then(Node::as_text).unwrap_or_default().to_owned()
        }
        node => node.as_text().unwrap_or_default().to_owned(),
    };
    text.truncate(text.floor_char_boundary(MAX_TEXT_BYTES));
    text
}

/// The input of a call; a text that is a JSON object is read as one.
fn input_of(node: &Node<'_>) -> Vec<(String, String)> {
    // A list is a command with its arguments.
    let quoted = |word: &Spanned<'_>| format!("'{}'", self::word(word).replace('\'', "\""));
    let joined = |node: &Node<'_>| match node {
        Node::List(words) => words.iter().map(quoted).collect::<Vec<_>>().join(" "),
        node => word(node).into_owned(),
    };
    match node {
        Node::Object(entries) => {
            entries.iter().map(|(name, value)| (name.to_string(), joined(value))).collect()
        }
        Node::Text(text) => input_of_text(text),
        node => vec![(String::new(), joined(node))],
    }
}

pub(super) fn input_of_text(text: &str) -> Vec<(String, String)> {
    match parse_strict(text) {
        Ok(inner) if inner.as_object().is_some() => input_of(&inner),
        _ => vec![(String::new(), text.to_owned())],
    }
}

/// Whether a field says that the skill was loaded.
fn stated(node: &Node<'_>, names: &SkillNames) -> Option<bool> {
    let has_name = |item: &Node<'_>| {
        let is_offer = item.get("source").and_then(Node::as_text) == Some("init_list");
        let keys = ["name", "skill", "skillName", "skill_name"];
        let name = item.as_text().or_else(|| keys.iter().find_map(|key| item.get(key)?.as_text()));
        !is_offer && name.is_some_and(|name| names.has(name))
    };
    let is_counted = |count: &Node<'_>| count.as_f64().is_some_and(|count| count > 0.0);
    match node {
        Node::Bool(flag) => Some(*flag),
        Node::Number(_) => Some(is_counted(node)),
        Node::List(items) => (!names.is_empty()).then(|| items.iter().any(|item| has_name(item))),
        Node::Object(entries) => {
            let named =
                |(name, count): &(Cow<'_, str>, Spanned<'_>)| is_counted(count) && names.has(name);
            let flag = node.get("activated").and_then(Node::as_bool);
            flag.or_else(|| (!names.is_empty()).then(|| entries.iter().any(named)))
        }
        Node::Null | Node::Text(_) => None,
    }
}
