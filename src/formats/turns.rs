//! Reads transcripts of any agent into turns.
//!
//! Known shapes: a list of `{role, content}`; an object with such a list under one of several
//! names; one JSON object per line, with the message inside or not; text with lines such as
//! `User:`. Content is a text, or a list of parts: text, thinking, tool calls and their results.

use crate::formats::blocks::write_lines;
use crate::formats::encoding::without_colors;
use crate::formats::limits::MAX_NESTING;
use crate::json::{Node, Spanned, number_text, parse_strict};
use crate::text::{is_listed, listed};

/// Names under which an object keeps its list of messages.
const LISTS: &str = "messages entries conversation transcript turns events history steps log";

const ROLES: &str = "role speaker author sender from type";

const CONTENTS: &str = "content text message output value parts";

/// Names of lists of calls next to the content.
const CALLS: &str = "tool_calls toolCalls tools tool_uses";

/// Roles of a tool's answer.
const TOOLS: &str = "tool function tool_result tool_response observation";

/// Something said or done by one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The speaker, as in the file; empty if unknown.
    pub role: String,
    pub parts: Vec<TurnPart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnPart {
    Text(String),
    /// Something shown on demand: a tool call, its result, a thought.
    Folded {
        /// Its title; empty for a tool without a name.
        name: String,
        text: String,
    },
}

/// Adds the words of `turns` to `text`.
pub fn write_text(turns: &[Turn], text: &mut String) {
    for part in turns.iter().flat_map(|turn| &turn.parts) {
        match part {
            TurnPart::Text(words) => write_lines(words, text),
            TurnPart::Folded { name, text: words } => {
                write_lines(name, text);
                write_lines(words, text);
            }
        }
    }
}

/// The turns in a JSON document; `None` if it is not a conversation.
pub fn from_json(text: &str) -> Option<Vec<Turn>> {
    let document = parse_strict(text).ok()?;
    let list = match document.as_list() {
        Some(list) => list,
        None => fields(&document, LISTS).find_map(Node::as_list)?,
    };
    from_list(list)
}

/// The turns in lines of JSON; `None` if they are not a conversation.
pub fn from_lines(text: &str) -> Option<Vec<Turn>> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let list: Result<Vec<Spanned<'_>>, _> = lines.map(parse_strict).collect();
    from_list(&list.ok()?)
}

/// The turns of messages; `None` unless at least half of them have text and a speaker.
fn from_list(list: &[Spanned<'_>]) -> Option<Vec<Turn>> {
    let turns: Vec<Turn> =
        list.iter().filter_map(|message| turn(message)).map(with_answers_folded).collect();
    (!turns.is_empty() && turns.len() * 2 >= list.len()).then_some(turns)
}

/// The turns in plain text with lines that name the speaker; `None` with fewer than two of these.
pub fn from_text(text: &str) -> Option<Vec<Turn>> {
    let (mut turns, mut named): (Vec<Turn>, _) = (Vec::new(), 0);
    let turn = |role: &str, text: &str| {
        let parts = vec![TurnPart::Text(text.to_owned())];
        Turn { role: role.to_owned(), parts }
    };
    for line in text.lines() {
        let last = turns.last_mut().and_then(|turn| turn.parts.last_mut());
        if let Some((role, rest)) = speaker(line) {
            named += 1;
            turns.push(turn(role, rest));
        } else if let Some(TurnPart::Text(text)) = last {
            text.push('\n');
            text.push_str(line);
        } else {
            turns.push(turn("", line));
        }
    }
    (named >= 2).then(|| turns.into_iter().map(with_answers_folded).collect())
}

/// The same turn, with a tool's text folded as its result.
fn with_answers_folded(mut turn: Turn) -> Turn {
    let is_tool = is_listed(TOOLS, &turn.role.to_ascii_lowercase());
    for part in turn.parts.iter_mut().filter(|_| is_tool) {
        if let TurnPart::Text(text) = part {
            *part = folded("result", std::mem::take(text));
        }
    }
    turn
}

/// The speaker and the rest of a line that begins with `User:` or the like.
fn speaker(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(':')?;
    let name = name.trim_matches(['*', '[', ']', ' ', '#']);
    let known = "user human assistant agent system tool claude model";
    listed(known, &name.to_ascii_lowercase())?;
    Some((name, rest.trim_matches(['*', ' '])))
}

fn fields<'n, 't>(node: &'n Node<'t>, names: &'static str) -> impl Iterator<Item = &'n Node<'t>> {
    names.split(' ').filter_map(|name| node.get(name))
}

fn turn(message: &Node<'_>) -> Option<Turn> {
    let inner = message.get("message").filter(|message| message.as_object().is_some());
    let role = inner.and_then(role).or_else(|| role(message))?;
    let message = inner.unwrap_or(message);
    let mut parts = Vec::new();
    let kind = message.get("type").and_then(Node::as_text).unwrap_or_default();
    if is_listed("tool_use tool_call tool_result function_call function_call_output", kind) {
        part(message, &mut parts, 0);
    } else {
        fields(message, CONTENTS).take(1).for_each(|field| part(field, &mut parts, 0));
    }
    let calls = fields(message, CALLS).find_map(Node::as_list);
    calls.unwrap_or_default().iter().for_each(|item| call(item, &mut parts));
    (!parts.is_empty()).then_some(Turn { role, parts })
}

fn role(message: &Node<'_>) -> Option<String> {
    let found = fields(message, ROLES).find_map(Node::as_text);
    found.map(|role| role.chars().take(40).collect())
}

fn part(node: &Node<'_>, parts: &mut Vec<TurnPart>, depth: usize) {
    match node {
        Node::Text(text) if text.trim().is_empty() => {}
        Node::Text(text) => parts.push(TurnPart::Text(text.clone().into_owned())),
        Node::List(items) if depth < MAX_NESTING => {
            items.iter().for_each(|item| part(item, parts, depth + 1));
        }
        Node::Object(_) => object(node, parts, depth),
        _ => {}
    }
}

fn object(node: &Node<'_>, parts: &mut Vec<TurnPart>, depth: usize) {
    let text = |name: &str| node.get(name).and_then(Node::as_text);
    match text("type").unwrap_or_default() {
        "tool_use" | "tool_call" | "function_call" => call(node, parts),
        "tool_result" | "function_call_output" => {
            let content = fields(node, "content output result").next();
            let text_of_part = content.map(plain).unwrap_or_default();
            let failed = node.get("is_error").and_then(Node::as_bool) == Some(true);
            parts.push(folded(if failed { "failed" } else { "result" }, text_of_part));
        }
        "thinking" | "reasoning" => {
            let text_of_part = text("thinking").or(text("text")).unwrap_or_default();
            parts.push(folded("thinking", text_of_part.to_owned()));
        }
        "image" | "document" => parts.push(folded("attachment", String::new())),
        _ => match fields(node, CONTENTS).next() {
            Some(inner) if depth < MAX_NESTING => part(inner, parts, depth + 1),
            _ => parts.push(folded("data", plain(node))),
        },
    }
}

/// A tool call: its name and input.
fn call(node: &Node<'_>, parts: &mut Vec<TurnPart>) {
    let function = node.get("function").filter(|node| node.as_object().is_some()).unwrap_or(node);
    let name = fields(function, "name tool tool_name").find_map(Node::as_text);
    let input = fields(function, "input arguments args parameters").next();
    parts.push(folded(name.unwrap_or_default(), input.map(plain).unwrap_or_default()));
    let result = fields(node, "output result").next();
    parts.extend(result.map(|result| folded("result", plain(result))));
}

fn folded(name: &str, text: String) -> TurnPart {
    TurnPart::Folded { name: name.chars().take(80).collect(), text: without_colors(&text) }
}

/// A value as text: texts unchanged, the fields of an object one per line.
fn plain(node: &Node<'_>) -> String {
    let mut text = String::new();
    write(node, &mut text, 0);
    text
}

fn write(node: &Node<'_>, out: &mut String, depth: usize) {
    match node {
        Node::Null => out.push_str("null"),
        Node::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Node::Number(number) => out.push_str(&number_text(number)),
        Node::Text(text) => out.push_str(text),
        Node::List(items) => items.iter().for_each(|item| line("", item, out, depth)),
        Node::Object(fields) => {
            match (node.get("type").and_then(Node::as_text), node.get("text")) {
                (Some("text"), Some(text)) => write(text, out, depth),
                _ => fields.iter().for_each(|(name, value)| line(name, value, out, depth)),
            }
        }
    }
}

fn line(name: &str, value: &Node<'_>, out: &mut String, depth: usize) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out.push_str(&"  ".repeat(depth.min(20)));
    if !name.is_empty() {
        out.push_str(name);
        out.push_str(": ");
    }
    let nests = matches!(value, Node::List(_) | Node::Object(_));
    write(value, out, if nests { depth + 1 } else { depth });
}

#[cfg(test)]
mod tests {
    use super::{Turn, TurnPart, from_json, from_lines, from_text};

    /// Turns as `role: said | [name: first line]`, one per line.
    fn shown(turns: Option<Vec<Turn>>) -> String {
        let part = |part: &TurnPart| match part {
            TurnPart::Text(text) => text.clone(),
            TurnPart::Folded { name, text } => {
                format!("[{name}: {}]", text.lines().next().unwrap_or_default())
            }
        };
        let turn = |turn: &Turn| {
            let parts: Vec<String> = turn.parts.iter().map(part).collect();
            format!("{}: {}", turn.role, parts.join(" | "))
        };
        turns.map_or("none".to_owned(), |turns| {
            turns.iter().map(turn).collect::<Vec<_>>().join("\n")
        })
    }

    #[test]
    fn documents() {
        let table = [
            (r#"[{"role": "user", "content": "hi"}]"#, "user: hi"),
            (
                r#"{"messages": [{"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}]}]}"#,
                "assistant: a | [Bash: command: ls]",
            ),
            (
                r#"{"entries": [{"role": "assistant", "text": "a", "tool_calls": [{"function": {"name": "f", "arguments": "{}"}, "output": "done"}]}]}"#,
                "assistant: a | [f: {}] | [result: done]",
            ),
            (
                r#"[{"role": "tool", "tool_call_id": "c1", "content": "a\nb"}, {"role": "tool", "content": [{"type": "text", "text": "c"}]}]"#,
                "tool: [result: a]\ntool: [result: c]",
            ),
            (r#"[1, 2, {"role": "x", "content": "y"}]"#, "none"),
            (r#"{"a": [1]}"#, "none"),
            (r#"[{"name": "x", "value": 3}]"#, "none"),
            ("{", "none"),
        ];
        for (text, expected) in table {
            assert_eq!(shown(from_json(text)), expected, "{text}");
        }
    }

    #[test]
    fn sessions() {
        let text = r#"{"type": "user", "message": {"role": "user", "content": "do"}}
            {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]}}
            {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "is_error": true, "content": [{"type": "text", "text": "no"}]}]}}
            {"type": "tool_use", "name": "Read", "input": {"path": "a", "n": 2}}"#;
        let expected =
            "user: do\nassistant: [thinking: hm]\nuser: [failed: no]\ntool_use: [Read: path: a]";
        assert_eq!(shown(from_lines(text)), expected);
        assert_eq!(shown(from_lines("{\"a\": 1}\n{\"a\": 2}")), "none");
    }

    #[test]
    fn plain_text() {
        assert_eq!(
            shown(from_text("User: hi\nthere\n**Assistant:** yes")),
            "User: hi\nthere\nAssistant: yes"
        );
        assert_eq!(shown(from_text("User: hi\nTool: a\nb")), "User: hi\nTool: [result: a]");
        assert_eq!(shown(from_text("Note: this\nis a text")), "none");
    }
}
