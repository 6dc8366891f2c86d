//! How each harness records what an agent does: one function for each.

use super::plain::plain;
use super::tools::is_failure;
use super::{Call, CallResult, Part};
use crate::limits::MAX_NESTING;
use json::{Node, parse_strict};
use text::is_listed;

/// The speaker of an event with the parts of its turn; `None` if no known harness writes it.
pub(super) fn read(event: &Node<'_>) -> Option<(String, Vec<Part>)> {
    if event["say"].is_filled() {
        cline(event)
    } else if event["part"].as_object().is_some() {
        opencode(event)
    } else if event["payload"].as_object().is_some() {
        codex(&event["payload"])
    } else if event["item"].as_object().is_some() {
        codex_exec(event)
    } else if event["data"].as_object().is_some() {
        copilot(event)
    } else if event["tool_id"].is_filled() {
        gemini(event)
    } else if event["source"].as_text().is_some() || event["observation"].is_filled() {
        atif(event)
    } else {
        message(event)
    }
}

/// Cline: what the agent says, with a tool call as JSON in a text.
fn cline(event: &Node<'_>) -> Option<(String, Vec<Part>)> {
    let (speaker, text) = (event["say"].as_text()?, event["text"].as_text()?);
    let parts = match speaker {
        "tool" => {
            let call = parse_strict(text).ok()?;
            call_parts(call["tool"].as_text()?, &call, &Node::Null)
        }
        _ => texts(&event["text"]),
    };
    Some((speaker.to_owned(), parts))
}

/// OpenCode: a part of a message in each event.
fn opencode(event: &Node<'_>) -> Option<(String, Vec<Part>)> {
    let (part, state) = (&event["part"], &event["part"]["state"]);
    let kind = part["type"].as_text()?;
    let parts = match kind {
        "tool" => {
            let mut parts = call_parts(part["tool"].as_text()?, &state["input"], &part["callID"]);
            let has_failed = state["status"].as_text() != Some("completed");
            parts.push(result(&part["callID"], &state["output"], has_failed));
            parts
        }
        "text" => texts(&part["text"]),
        "reasoning" => thinking(&part["text"]),
        _ => Vec::new(),
    };
    Some((kind.to_owned(), parts))
}

/// `codex exec --json`: an item in each event.
fn codex_exec(event: &Node<'_>) -> Option<(String, Vec<Part>)> {
    // Each item appears again when it is completed.
    match event["type"].as_text() {
        Some("item.started" | "item.updated") => Some((String::new(), Vec::new())),
        _ => codex(&event["item"]),
    }
}

/// Items of Codex, also those in the `payload` of its session files.
fn codex(item: &Node<'_>) -> Option<(String, Vec<Part>)> {
    let kind = item["type"].as_text()?;
    let parts = match kind {
        "message" => return message(item),
        "agent_message" => texts(first(item, &["text", "message"])),
        "reasoning" => thinking(first(item, &["text", "summary"])),
        "command_execution" => {
            let is_ended = item["exit_code"].as_f64() == Some(0.0);
            let has_failed = item.get("exit_code").is_some() && !is_ended;
            let mut parts = call_parts("shell", &item["command"], &item["id"]);
            parts.push(result(&item["id"], &item["aggregated_output"], has_failed));
            parts
        }
        "local_shell_call" => call_parts("shell", &item["action"]["command"], &item["call_id"]),
        "function_call" | "custom_tool_call" => {
            let input = first(item, &["arguments", "input"]);
            call_parts(item["name"].as_text()?, input, &item["call_id"])
        }
        "function_call_output" | "custom_tool_call_output" => {
            // The output is JSON with the exit code of the command, written as a text.
            let output = item["output"].as_text().unwrap_or_default();
            let exit_code = parse_strict(output).ok();
            let exit_code = exit_code.and_then(|output| output["metadata"]["exit_code"].as_f64());
            let has_failed = exit_code.is_some_and(|code| code != 0.0);
            vec![result(&item["call_id"], &item["output"], has_failed)]
        }
        _ => Vec::new(),
    };
    Some((kind.to_owned(), parts))
}

/// GitHub Copilot, Vally and waza: the content of each event is in `data`.
fn copilot(event: &Node<'_>) -> Option<(String, Vec<Part>)> {
    let (kind, data) = (event["type"].as_text()?, &event["data"]);
    let parts = match kind {
        "tool.execution_start" | "ToolExecutionStart" | "tool_call" => {
            let tool = first(data, &["toolName", "tool_name", "name", "tool"]).as_text()?;
            call_parts(tool, first(data, &["arguments", "input", "args"]), &data["toolCallId"])
        }
        "tool.execution_complete" | "ToolExecutionComplete" | "tool_result" => {
            // A skill that was asked for and does not exist is no error of the tool.
            let found = data["toolTelemetry"]["properties"]["found"].as_text();
            let output = match &data["result"] {
                Node::Null => first(data, &["content", "output"]),
                Node::Object(_) => &data["result"]["content"],
                output => output,
            };
            let has_failed = has_failed(data) || found == Some("false");
            vec![result(&data["toolCallId"], output, has_failed)]
        }
        "skill.invoked" | "skill_activation" => {
            let name = first(data, &["name", "skillName", "skill"]).as_text()?.to_owned();
            let trigger = data["trigger"].as_text().unwrap_or_default();
            vec![Part::Skill { name, by_user: trigger.contains("user") }]
        }
        // The calls that it asks for are events of their own.
        _ => {
            let mut parts = thinking(&data["reasoningText"]);
            parts.extend(texts(first(data, &["content", "text"])));
            parts
        }
    };
    Some((kind.to_owned(), parts))
}

/// Calls of the Gemini CLI and their results; its messages have the common form.
fn gemini(event: &Node<'_>) -> Option<(String, Vec<Part>)> {
    let kind = event["type"].as_text()?;
    let parts = match kind {
        "tool_use" => {
            call_parts(event["tool_name"].as_text()?, &event["parameters"], &event["tool_id"])
        }
        _ => vec![result(&event["tool_id"], &event["output"], has_failed(event))],
    };
    Some((kind.to_owned(), parts))
}

/// ATIF, the format of Harbor: steps with their calls and observations.
fn atif(step: &Node<'_>) -> Option<(String, Vec<Part>)> {
    let mut parts = thinking(&step["reasoning_content"]);
    parts.extend(texts(&step["message"]));
    for call in step["tool_calls"].as_list().unwrap_or_default() {
        let tool = call["function_name"].as_text()?;
        parts.extend(call_parts(tool, &call["arguments"], &call["tool_call_id"]));
    }
    for observed in step["observation"]["results"].as_list().unwrap_or_default() {
        let has_failed = has_failed(observed);
        parts.push(result(&observed["source_call_id"], &observed["content"], has_failed));
    }
    Some((step["source"].as_text().unwrap_or("agent").to_owned(), parts))
}

/// A message of Claude Code, which wraps it in `message`, of OpenAI and of most others: a speaker,
/// and a text or a list of parts.
fn message(event: &Node<'_>) -> Option<(String, Vec<Part>)> {
    const SPEAKERS: &[&str] = &["role", "speaker", "author", "sender", "from", "type"];
    const CALLS: &[&str] = &["tool_calls", "toolCalls", "tools", "tool_uses"];
    let is_wrapped = event["message"].as_object().is_some();
    let message = if is_wrapped { &event["message"] } else { event };
    let own = first(message, SPEAKERS).as_text();
    let speaker = own.or_else(|| first(event, SPEAKERS).as_text())?;
    let speaker: String = speaker.chars().take(NAME_CHARS).collect();
    let mut parts = Vec::new();
    if is_tool_part(message) {
        add_parts(message, &mut parts, 0);
    } else {
        add_parts(first(message, CONTENTS), &mut parts, 0);
    }
    for call in first(message, CALLS).as_list().unwrap_or_default() {
        add_call(call, &mut parts);
    }
    // The answer of a tool is a message of its own in OpenAI's form.
    const TOOLS: &str = "tool function tool_result tool_response observation";
    if is_listed(TOOLS, &speaker.to_ascii_lowercase()) {
        for part in &mut parts {
            if let Part::Text(text) = part {
                let id = word(&message["tool_call_id"]);
                let has_failed = has_failed(message) || is_failure(text);
                *part = Part::Result(CallResult { id, text: std::mem::take(text), has_failed });
            }
        }
    }
    if parts.is_empty() { None } else { Some((speaker, parts)) }
}

/// Names of speakers and tools are cut to this many characters.
const NAME_CHARS: usize = 80;

const CONTENTS: &[&str] = &["content", "text", "message", "output", "value", "parts"];

fn is_tool_part(node: &Node<'_>) -> bool {
    const KINDS: &str = "tool_use tool_call tool_result function_call function_call_output";
    is_listed(KINDS, node["type"].as_text().unwrap_or_default())
}

/// Adds the parts of a message's content.
fn add_parts(node: &Node<'_>, parts: &mut Vec<Part>, depth: usize) {
    if depth > MAX_NESTING {
        parts.push(Part::Data(plain(node)));
        return;
    }
    match node {
        Node::Text(_) => parts.extend(texts(node)),
        Node::List(items) => {
            for item in items {
                add_parts(item, parts, depth + 1);
            }
        }
        Node::Object(_) => match node["type"].as_text().unwrap_or_default() {
            "tool_use" | "tool_call" | "function_call" => add_call(node, parts),
            "tool_result" | "function_call_output" => {
                let id = first(node, &["tool_use_id", "call_id", "id"]);
                let output = first(node, &["content", "output", "result"]);
                parts.push(result(id, output, has_failed(node)));
            }
            "thinking" | "reasoning" => parts.extend(thinking(first(node, &["thinking", "text"]))),
            "image" | "document" => parts.push(Part::Attachment),
            _ => match first(node, CONTENTS) {
                Node::Null => parts.push(Part::Data(plain(node))),
                content => add_parts(content, parts, depth + 1),
            },
        },
        _ => {}
    }
}

/// Adds a call in a message, with its result if that is there too.
fn add_call(node: &Node<'_>, parts: &mut Vec<Part>) {
    let function = if node["function"].as_object().is_some() { &node["function"] } else { node };
    let tool = first(function, &["name", "tool", "tool_name"]).as_text().unwrap_or_default();
    let input = first(function, &["input", "arguments", "args", "parameters"]);
    parts.extend(call_parts(tool, input, first(node, &["id", "call_id"])));
    let output = first(node, &["output", "result"]);
    if *output != Node::Null {
        parts.push(result(first(node, &["id", "call_id"]), output, has_failed(node)));
    }
}

fn call_parts(tool: &str, input: &Node<'_>, id: &Node<'_>) -> Vec<Part> {
    let tool = tool.chars().take(NAME_CHARS).collect();
    vec![Part::Call(Call { tool, input: inputs(input), id: word(id), has_failed: false })]
}

fn result(id: &Node<'_>, output: &Node<'_>, has_failed: bool) -> Part {
    let text = if *output == Node::Null { String::new() } else { plain(output) };
    let has_failed = has_failed || is_failure(&text);
    Part::Result(CallResult { id: word(id), text, has_failed })
}

fn texts(node: &Node<'_>) -> Vec<Part> {
    let text = node.as_text().filter(|text| !text.trim().is_empty());
    text.map(|text| Part::Text(text.to_owned())).into_iter().collect()
}

fn thinking(node: &Node<'_>) -> Vec<Part> {
    if node.is_filled() { vec![Part::Thinking(plain(node))] } else { Vec::new() }
}

/// The inputs of a call by name; a text with a JSON object is read as one.
// OpenAI has the arguments of a call as JSON in a text, Claude and Gemini as an object.
fn inputs(node: &Node<'_>) -> Vec<(String, String)> {
    match node {
        Node::Null => Vec::new(),
        Node::Object(fields) => {
            fields.iter().map(|(name, value)| (name.to_string(), argument(value))).collect()
        }
        Node::Text(text) => inputs_in_text(text),
        node => vec![(String::new(), argument(node))],
    }
}

/// The inputs of a call in a text that may be a JSON object.
pub(super) fn inputs_in_text(text: &str) -> Vec<(String, String)> {
    match parse_strict(text) {
        Ok(object) if object.as_object().is_some() => inputs(&object),
        _ => vec![(String::new(), text.to_owned())],
    }
}

/// One input as text. A list of words is a command with its arguments.
fn argument(node: &Node<'_>) -> String {
    match node.as_list() {
        Some(words) if words.iter().all(|word| word.as_text().is_some()) => {
            let quoted = words.iter().map(|word| format!("'{}'", word_in_quotes(word)));
            quoted.collect::<Vec<_>>().join(" ")
        }
        _ => plain(node),
    }
}

fn word_in_quotes(node: &Node<'_>) -> String {
    node.as_text().unwrap_or_default().replace('\'', "\"")
}

/// Whether a call or its result is marked as failed.
// Claude Code has `is_error`, Copilot `success`, and Codex a word.
fn has_failed(node: &Node<'_>) -> bool {
    const WORDS: &str =
        "error failed failure denied declined rejected cancelled aborted incomplete";
    node["is_error"].as_bool() == Some(true)
        || node["success"].as_bool() == Some(false)
        || is_listed(WORDS, node["status"].as_text().unwrap_or_default())
}

/// An id, which may be a number.
fn word(node: &Node<'_>) -> String {
    match node {
        Node::Text(_) | Node::Number(_) => plain(node),
        _ => String::new(),
    }
}

/// The first of these fields that is not null.
fn first<'n, 't>(node: &'n Node<'t>, names: &[&str]) -> &'n Node<'t> {
    let mut found = names.iter().map(|name| &node[name]).filter(|node| **node != Node::Null);
    found.next().unwrap_or(&node[""])
}
