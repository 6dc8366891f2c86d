//! The calls, results and messages in a record written as JSON.

use std::borrow::Cow;

use crate::json::{LineIndex, Node, Spanned, parse_strict};
use crate::read::loading::shapes::{
    BREAKS, CALL_FIELDS, EVENTS, FIELDS, MESSAGES, NO_RULE, Rule, SHAPES, Speaker,
};
use crate::text::is_listed;

/// One thing that a record tells.
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
    Message {
        speaker: Speaker,
        text: String,
    },
}

/// A call of a tool.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Call {
    pub(super) tool: String,
    /// What it was given, by name; all of it under no name where that is a text.
    pub(super) input: Vec<(String, String)>,
    pub(super) id: String,
    pub(super) failed: bool,
}

/// What a record tells.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Record {
    /// Each with its line.
    pub(super) events: Vec<(usize, Event)>,
    /// What a field says outright: its name and line, and what it says.
    pub(super) field: Option<(&'static str, usize, Stated)>,
    /// Whether the run came to its end and all of its calls are known.
    pub(super) is_complete: bool,
}

/// What a field says of skills.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stated {
    /// That the skill under test was loaded, or was not.
    Flag(bool),
    /// Which skills were loaded.
    Names(Vec<String>),
}

/// Longer texts are kept up to here: what is looked for stands at their beginning.
const MOST_TEXT: usize = 64 * 1024;

/// What a JSON document tells, or lines of JSON, or several documents in a row; `None` for any other
/// text.
pub(super) fn read_record(text: &str) -> Option<Record> {
    if !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let mut walk = Walk::default();
    if let Ok(root) = parse_strict(text) {
        let lines = LineIndex::new(text);
        walk.root(&root, &|node| lines.place(text, node.span().start).0);
        return Some(walk.finish(true));
    }
    let mut documents = parts(text);
    let whole = documents.iter().filter(|(_, part)| parse_strict(part).is_ok()).count();
    if whole == 0 {
        return None;
    }
    let is_whole = whole == documents.len();
    documents.retain(|(_, part)| part.contains(['{', '[']));
    for (line, part) in documents {
        if let Ok(root) = parse_strict(part) {
            walk.root(&root, &|_| line);
        }
    }
    Some(walk.finish(is_whole))
}

/// The documents of a text with their first lines: each line, else each block that ends in a line
/// with a bracket alone.
fn parts(text: &str) -> Vec<(usize, &str)> {
    let is_spread = text.lines().next().is_some_and(|line| line.trim_end() == "{");
    let mut found = Vec::new();
    let (mut start, mut at, mut first) = (0, 0, 1);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        at += line.len();
        if !is_spread || line.trim_end() == "}" {
            found.push((first, &text[start..at]));
            (start, first) = (at, number + 2);
        }
    }
    found.push((first, &text[start..]));
    found.retain(|(_, part)| !part.trim().is_empty());
    found
}

#[derive(Default)]
struct Walk {
    record: Record,
    is_broken: bool,
    /// Whether something looks like a call and is of no known shape.
    has_unknown_calls: bool,
}

impl Walk {
    fn finish(self, is_whole: bool) -> Record {
        let events = &self.record.events;
        let has_calls = events.iter().any(|(_, event)| matches!(event, Event::Call(_)));
        let is_known = has_calls || !self.has_unknown_calls;
        let is_ended =
            matches!(events.last(), Some((_, Event::Message { speaker: Speaker::Agent, .. })));
        Record { is_complete: is_whole && is_known && is_ended && !self.is_broken, ..self.record }
    }

    fn root(&mut self, root: &Spanned<'_>, line: &dyn Fn(&Spanned<'_>) -> usize) {
        let fields = FIELDS.split_ascii_whitespace();
        let mut stated =
            fields.filter_map(|field| Some((field, stated(&*value_at(root, field)?)?)));
        if self.record.field.is_none() {
            self.record.field = stated.next().map(|(field, stated)| (field, line(root), stated));
        }
        self.node(root, line);
    }

    fn node(&mut self, node: &Spanned<'_>, line: &dyn Fn(&Spanned<'_>) -> usize) {
        if let Some(items) = node.as_list() {
            items.iter().for_each(|item| self.node(item, line));
        }
        let Some(entries) = node.as_object() else { return };
        if let Some(event) = event(node) {
            self.record.events.push((line(node), event));
            return;
        }
        self.is_broken |= BREAKS.iter().any(|rule| holds(node, *rule));
        self.is_broken |= node.get("errors").is_some_and(|node| !is_bare(node));
        if let Some((speaker, text)) = message(node) {
            self.record.events.push((line(node), Event::Message { speaker, text }));
        }
        for (name, value) in entries {
            self.has_unknown_calls |= is_listed(CALL_FIELDS, name) && !is_bare(value);
            self.node(value, line);
        }
    }
}

/// Whether a value is neither a list nor an object, or one of nothing but zeros.
fn is_bare(node: &Node<'_>) -> bool {
    match node {
        Node::List(items) => items.is_empty(),
        Node::Object(entries) => entries.iter().all(|(_, value)| value.as_f64() == Some(0.0)),
        _ => true,
    }
}

fn event(node: &Node<'_>) -> Option<Event> {
    for (when, name, trigger) in EVENTS {
        if holds(node, *when) {
            let by_user = word_at(node, trigger).is_some_and(|at| at.contains("user"));
            return Some(Event::Skill { name: word_at(node, name)?, by_user });
        }
    }
    SHAPES.iter().find_map(|shape| {
        let has_rule = shape.when != NO_RULE;
        if has_rule && !holds(node, shape.when) {
            return None;
        }
        let id = word_at(node, shape.id);
        let body = || first_at(node, shape.body);
        let failed = || shape.fails.iter().any(|rule| holds(node, *rule));
        let tool = match shape.tool.strip_prefix('=') {
            Some(tool) => tool.to_owned(),
            None if shape.tool.is_empty() => {
                let id = if has_rule { id.unwrap_or_default() } else { id? };
                let text = body().map(|body| text_of(&body)).unwrap_or_default();
                return Some(Event::Result { id, text, failed: failed() });
            }
            None => word_at(node, shape.tool)?,
        };
        let input = body().map(|body| input_of(&body)).unwrap_or_default();
        Some(Event::Call(Call { tool, input, id: id.unwrap_or_default(), failed: failed() }))
    })
}

fn message(node: &Node<'_>) -> Option<(Speaker, String)> {
    MESSAGES.iter().filter(|(when, ..)| holds(node, *when)).find_map(|(_, speaker, paths)| {
        let text = text_of(&*first_at(node, paths)?);
        (!text.is_empty()).then_some((*speaker, text))
    })
}

/// Whether one of the paths has one of the values, or another one than those.
fn holds(node: &Node<'_>, (paths, values): Rule) -> bool {
    let (paths, wants) = paths.strip_prefix('!').map_or((paths, true), |paths| (paths, false));
    paths.split_ascii_whitespace().any(|path| {
        value_at(node, path).is_some_and(|found| is_listed(values, &word(&found)) == wants)
    })
}

fn first_at<'n, 't>(node: &'n Node<'t>, paths: &str) -> Option<Cow<'n, Node<'t>>> {
    let mut paths = paths.split_ascii_whitespace();
    paths.find_map(|path| value_at(node, path).filter(|at| **at != Node::Null))
}

fn word_at(node: &Node<'_>, paths: &str) -> Option<String> {
    let paths = paths.split_ascii_whitespace();
    let found = paths.filter_map(|path| value_at(node, path)).find(|at| is_bare(at))?;
    Some(word(&found)).filter(|part| !part.is_empty() && part != "null")
}

/// What stands at a path; a text on the way is read as JSON.
fn value_at<'n, 't>(node: &'n Node<'t>, path: &str) -> Option<Cow<'n, Node<'t>>> {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    let found = node.get(first)?;
    match found {
        found if rest.is_empty() => Some(Cow::Borrowed(found)),
        Node::Text(text) if text.trim_start().starts_with('{') => {
            let inner = parse_strict(text).ok()?;
            let word = word(&*value_at(&inner, rest)?);
            Some(Cow::Owned(Node::Text(Cow::Owned(word))))
        }
        found => value_at(found, rest),
    }
}

/// A value in one word: a text, a number, `true`, `false` or `null`.
fn word(node: &Node<'_>) -> String {
    match node {
        Node::Text(text) => text.clone().into_owned(),
        Node::Bool(value) => value.to_string(),
        Node::Number(number) => number.to_string(),
        Node::Null => "null".to_owned(),
        Node::List(_) | Node::Object(_) => String::new(),
    }
}

/// The text of a message: itself, or those of its parts that are text.
fn text_of(node: &Node<'_>) -> String {
    let mut all = match node {
        Node::Text(text) => text.clone().into_owned(),
        Node::List(items) => {
            let texts = items.iter().map(|item| match &item.node {
                Node::Text(text) => text.clone().into_owned(),
                item => item.get("text").and_then(Node::as_text).unwrap_or_default().to_owned(),
            });
            texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
        }
        Node::Object(_) => {
            let inner = ["content", "output", "text"].iter().find_map(|key| node.get(key));
            inner.map(|inner| inner.as_text().unwrap_or_default().to_owned()).unwrap_or_default()
        }
        _ => String::new(),
    };
    all.truncate(all.floor_char_boundary(MOST_TEXT));
    all
}

/// What a call was given; a text that is an object in JSON is read as one.
pub(super) fn input_of(node: &Node<'_>) -> Vec<(String, String)> {
    let joined = |node: &Node<'_>| match node {
        Node::List(items) => {
            items.iter().map(|item| quoted(&item.node)).collect::<Vec<_>>().join(" ")
        }
        node => word(node),
    };
    match node {
        Node::Object(entries) => {
            entries.iter().map(|(name, value)| (name.to_string(), joined(value))).collect()
        }
        Node::Text(text) => input_of_text(text),
        node => vec![(String::new(), joined(node))],
    }
}

/// The same of a text.
pub(super) fn input_of_text(text: &str) -> Vec<(String, String)> {
    if text.trim_start().starts_with('{')
        && let Ok(inner) = parse_strict(text)
    {
        return input_of(&inner);
    }
    vec![(String::new(), text.to_owned())]
}

/// A word of a command as a list: quoted where it is more than one.
fn quoted(node: &Node<'_>) -> String {
    let word = word(node);
    let is_plain = !word.contains([' ', '\n', '\'', '"', ';', '&', '|']);
    if is_plain { word } else { format!("'{}'", word.replace('\'', "\"")) }
}

fn stated(node: &Node<'_>) -> Option<Stated> {
    let name = |item: &Node<'_>| {
        let is_offer = item.get("source").and_then(Node::as_text) == Some("init_list");
        let keys = ["name", "skill", "skillName", "skill_name"];
        let named = item.as_text().or_else(|| keys.iter().find_map(|key| item.get(key)?.as_text()));
        named.filter(|_| !is_offer).map(str::to_owned)
    };
    match node {
        Node::Bool(flag) => Some(Stated::Flag(*flag)),
        Node::Number(number) => Some(Stated::Flag(number.as_f64()? > 0.0)),
        Node::List(items) => {
            Some(Stated::Names(items.iter().filter_map(|item| name(item)).collect()))
        }
        Node::Object(entries) => match node.get("activated").and_then(Node::as_bool) {
            Some(flag) => Some(Stated::Flag(flag)),
            None => {
                let is_counted = |count: &Node<'_>| count.as_f64().is_some_and(|n| n > 0.0);
                let counted = entries.iter().filter(|(_, count)| is_counted(count));
                Some(Stated::Names(counted.map(|(name, _)| name.to_string()).collect()))
            }
        },
        Node::Null | Node::Text(_) => None,
    }
}
