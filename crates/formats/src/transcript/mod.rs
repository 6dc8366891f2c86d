//! Records of what an agent did: turns of a conversation with tool calls and their results.
//!
//! Entry point: [`read`]. Steps:
//!
//! 1. A text in JSON is split into events: lines, objects in a row, or the list in a document.
//! 2. `harness` turns each event into a turn, with one function for each harness.
//! 3. Any other text is read by `markdown_log`, line by line, or by `plain`.

mod harness;
mod markdown_log;
mod plain;
#[cfg(test)]
mod tests;
mod tools;

use crate::blocks::write_lines;
use crate::encoding::without_colors;
use json::{LineIndex, Node, Spanned, parse_strict};
use text::is_listed;

pub(crate) use markdown_log::read_speakers;
pub use tools::{Announcement, Subject, ToolKind, announcement, tool_kind};

/// What a record says, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    /// Turns with at least one part.
    pub turns: Vec<Turn>,
    /// Whether at least half of its events are turns, or belong to a harness that wrote some.
    pub is_conversation: bool,
    /// Whether the run finished, the agent had the last word, and all calls are of a known shape.
    pub is_complete: bool,
}

/// Something that one side said or did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Its line in the record, from 1.
    pub line: usize,
    /// The speaker, as the record names it; empty if unknown.
    pub speaker: String,
    /// What was said and done, in the order of the record.
    pub parts: Vec<Part>,
}

/// A part of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// What the speaker says.
    Text(String),
    /// What the agent thought, where the harness records it.
    Thinking(String),
    /// The agent calls a tool.
    Call(Call),
    /// A tool answers a call.
    Result(CallResult),
    /// A skill was loaded, as the harness itself records.
    Skill {
        /// The skill, as the harness names it.
        name: String,
        /// Whether a person asked for it, and not the agent.
        by_user: bool,
    },
    /// A picture or document, without its content.
    Attachment,
    /// Anything else, as text.
    Data(String),
}

/// A call of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// The tool as the record names it; may be empty.
    pub tool: String,
    /// Its inputs by name; an input that is only a text has no name.
    pub input: Vec<(String, String)>,
    /// What links its result to it; empty if nothing does.
    pub id: String,
    /// Whether its own entry shows a failure, as logs in Markdown do; results have a mark of their
    /// own.
    pub has_failed: bool,
}

/// What a call returned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallResult {
    /// The id of its call; empty if unknown.
    pub id: String,
    /// What the tool printed or returned, as text; may be empty.
    pub text: String,
    /// Whether the harness marks it as failed, or its text begins like an error.
    pub has_failed: bool,
}

impl Part {
    /// Its title if it is shown on demand; empty for a tool without a name. `None` for what is said.
    pub fn title(&self) -> Option<&str> {
        match self {
            Self::Text(_) => None,
            Self::Thinking(_) => Some("thinking"),
            Self::Call(call) => Some(&call.tool),
            Self::Result(result) if result.has_failed => Some("failed"),
            Self::Result(_) => Some("result"),
            Self::Skill { .. } => Some("skill"),
            Self::Attachment => Some("attachment"),
            Self::Data(_) => Some("data"),
        }
    }

    /// Its words, without the colors of a terminal.
    pub fn text(&self) -> String {
        let text = match self {
            Self::Text(text) | Self::Thinking(text) | Self::Data(text) => text,
            Self::Result(result) => &result.text,
            Self::Skill { name, .. } => name,
            Self::Attachment => "",
            Self::Call(call) => &call.input_text(),
        };
        without_colors(text)
    }
}

impl Call {
    /// The inputs, one in a line.
    fn input_text(&self) -> String {
        let mut lines = Vec::new();
        for (name, value) in &self.input {
            lines.push(if name.is_empty() { value.clone() } else { format!("{name}: {value}") });
        }
        lines.join("\n")
    }
}

/// Adds the words of `turns` to `text`.
pub(crate) fn write_text(turns: &[Turn], text: &mut String) {
    for part in turns.iter().flat_map(|turn| &turn.parts) {
        write_lines(part.title().unwrap_or_default(), text);
        write_lines(&part.text(), text);
    }
}

impl Turn {
    /// Whether a person, or a system or program on their behalf, speaks to the agent.
    pub fn is_request(&self) -> bool {
        const ASKERS: &str = "user human system developer user.message user_message";
        is_listed(ASKERS, &self.speaker)
    }

    /// Whether the agent speaks.
    fn is_answer(&self) -> bool {
        const AGENTS: &str = "assistant model agent assistant.message assistant_message \
            agent_message completion_result text";
        is_listed(AGENTS, &self.speaker) && matches!(self.parts.last(), Some(Part::Text(_)))
    }

    fn calls(&self) -> impl Iterator<Item = &Call> {
        self.parts
            .iter()
            .filter_map(|part| if let Part::Call(call) = part { Some(call) } else { None })
    }
}

/// Reads a record of any known harness; text that is not JSON is read as Markdown.
pub fn read(text: &str) -> Transcript {
    match Documents::parse(text) {
        Some(documents) => documents.transcript(),
        None => markdown_log::read_markdown(text),
    }
}

/// The JSON documents in a text: one, one in each line, or several in a row.
pub struct Documents<'t> {
    text: &'t str,
    lines: LineIndex,
    /// Each with the offset of its text.
    documents: Vec<(usize, Spanned<'t>)>,
    /// Whether a document could not be read, as the last one of a run that was killed.
    is_broken: bool,
}

impl<'t> Documents<'t> {
    /// `None` if the text has no document.
    pub fn parse(text: &'t str) -> Option<Self> {
        if !text.trim_start().starts_with(['{', '[']) {
            return None;
        }
        let mut documents = Vec::new();
        let mut is_broken = false;
        if let Ok(root) = parse_strict(text) {
            documents.push((0, root));
        } else {
            for (start, part) in parts(text) {
                match parse_strict(part) {
                    Ok(root) => documents.push((start, root)),
                    Err(_) => is_broken = true,
                }
            }
        }
        if documents.is_empty() {
            return None;
        }
        Some(Self { text, lines: LineIndex::new(text), documents, is_broken })
    }

    /// The outermost value of each document, with its line.
    pub fn roots(&self) -> impl Iterator<Item = (usize, &Node<'t>)> {
        self.documents.iter().map(|(start, root)| (self.line(*start, root), &root.node))
    }

    /// The model named first; sub-agents and summaries with others come later.
    pub fn model(&self) -> Option<String> {
        const HOLDERS: [&str; 5] = ["message", "data", "payload", "agent", "part"];
        const FIELDS: [&str; 4] = ["model", "model_name", "modelID", "model_id"];
        for (_, root) in self.roots() {
            let holders = HOLDERS.iter().map(|holder| &root[holder]);
            for holder in std::iter::once(root).chain(holders) {
                let names = FIELDS.iter().filter_map(|field| holder[field].as_text());
                // Claude Code writes `<synthetic>` for messages of its own.
                let mut names = names.filter(|name| !name.is_empty() && !name.starts_with('<'));
                if let Some(name) = names.next() {
                    return Some(name.chars().take(80).collect());
                }
            }
        }
        None
    }

    /// The turns of all documents, in order, as one record.
    pub fn transcript(&self) -> Transcript {
        let mut events = Events { is_broken: self.is_broken, ..Events::default() };
        for (start, root) in &self.documents {
            events.add_all(root, &|node| self.line(*start, node));
        }
        events.transcript()
    }

    fn line(&self, start: usize, node: &Spanned<'_>) -> usize {
        self.lines.place(self.text, start + node.span().start).0
    }
}

/// The texts of documents with their offsets: each line, or each block that ends in a line with
/// only a bracket.
fn parts(text: &str) -> Vec<(usize, &str)> {
    let end = match text.split_inclusive('\n').next() {
        Some("{\n") => "\n}\n",
        Some("{\r\n") => "\r\n}\r\n",
        _ => "\n",
    };
    let mut parts = Vec::new();
    let mut start = 0;
    for part in text.split_inclusive(end) {
        if !part.trim().is_empty() {
            parts.push((start, part));
        }
        start += part.len();
    }
    parts
}

/// Turns and what else the events of a record say.
#[derive(Default)]
struct Events {
    turns: Vec<Turn>,
    /// Events that no harness is known to write.
    unknown: usize,
    /// Whether the run failed, ran out of time or broke off.
    is_broken: bool,
    /// Whether something looks like a call but has no known shape.
    has_unknown_calls: bool,
}

impl Events {
    /// Adds the events in a document: itself, its items, or those of the list in it.
    fn add_all(&mut self, node: &Spanned<'_>, line: &dyn Fn(&Spanned<'_>) -> usize) {
        /// Fields with the list of events, or with the object that has it.
        const LISTS: &str = "messages entries conversation transcript trajectory turns events \
            history steps log";
        if let Some(items) = node.as_list() {
            for item in items {
                self.add_all(item, line);
            }
            return;
        }
        let Some(fields) = node.as_object() else { return };
        self.is_broken |= is_break(node);
        let mut lists = fields.iter().filter(|(name, value)| {
            is_listed(LISTS, name) && (value.as_list().is_some() || value.as_object().is_some())
        });
        match lists.next() {
            Some((_, list)) => self.add_all(list, line),
            None => self.add(node, line(node)),
        }
    }

    fn add(&mut self, event: &Node<'_>, line: usize) {
        let Some((speaker, parts)) = harness::read(event) else {
            self.unknown += 1;
            self.has_unknown_calls |= holds_calls(event);
            return;
        };
        let turn = Turn { line, speaker, parts };
        self.has_unknown_calls |= turn.calls().next().is_none() && holds_calls(event);
        if !turn.parts.is_empty() {
            self.turns.push(turn);
        }
    }

    fn transcript(self) -> Transcript {
        let has_calls = self.turns.iter().any(|turn| turn.calls().next().is_some());
        let is_ended = self.turns.last().is_some_and(Turn::is_answer);
        let are_known = has_calls || !self.has_unknown_calls;
        Transcript {
            is_conversation: !self.turns.is_empty() && self.unknown <= self.turns.len(),
            is_complete: are_known && is_ended && !self.is_broken,
            turns: self.turns,
        }
    }
}

/// Whether an event, or the document around events, shows that the run did not finish.
fn is_break(event: &Node<'_>) -> bool {
    const TYPES: &str = "turn.failed session.error error stream_error";
    const SUBTYPES: &str = "error_max_turns error_during_execution error_max_budget_usd";
    const ENDS: &str = "agent_timeout timeout error cancelled aborted max_tokens length";
    for key in ["endReason", "end_reason", "stop_reason", "finish_reason"] {
        if has_word(event, key, ENDS) {
            return true;
        }
    }
    for key in ["timedOut", "timed_out", "is_error"] {
        if event[key].as_bool() == Some(true) {
            return true;
        }
    }
    has_word(event, "type", TYPES)
        || has_word(event, "subtype", SUBTYPES)
        || is_filled_list(&event["errors"])
        // Claude Code wraps the message with its stop reason.
        || (event["message"].as_object().is_some() && is_break(&event["message"]))
}

fn has_word(event: &Node<'_>, key: &str, words: &'static str) -> bool {
    is_listed(words, event[key].as_text().unwrap_or_default())
}

/// Whether an event has a field for calls that is filled. If its shape is unknown, so is the
/// harness, and nothing can be concluded from what it does not say.
fn holds_calls(event: &Node<'_>) -> bool {
    const FIELDS: &str = "tool_calls toolCalls tool_uses toolUses tool_use toolUse tool \
        tool_invocations toolInvocations function_call functionCall function_calls toolRequests \
        action actions invocations commands";
    let fields = event.as_object().unwrap_or_default();
    fields.iter().any(|(name, value)| is_listed(FIELDS, name) && is_filled_list(value))
}

/// Whether a value is a list or object with more than zeros.
fn is_filled_list(node: &Node<'_>) -> bool {
    match node {
        Node::List(items) => !items.is_empty(),
        Node::Object(entries) => entries.iter().any(|(_, value)| value.as_f64() != Some(0.0)),
        _ => false,
    }
}
