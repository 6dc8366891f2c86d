use super::{Part, Turn, read, read_speakers};
use testing::table::rows;

/// Turns as `speaker: text | [tool: inputs]`, one per line, with the results of calls.
fn shown(text: &str) -> String {
    let transcript = read(text);
    let turns: Vec<String> = transcript.turns.iter().map(turn_text).collect();
    if transcript.is_conversation { turns.join("\n") } else { "none".to_owned() }
}

fn turn_text(turn: &Turn) -> String {
    let parts: Vec<String> = turn.parts.iter().map(part_text).collect();
    format!("{}: {}", turn.speaker, parts.join(" | "))
}

fn part_text(part: &Part) -> String {
    match part {
        Part::Text(text) => text.clone(),
        Part::Thinking(text) => format!("[thinking: {text}]"),
        Part::Call(call) => {
            let inputs: Vec<String> =
                call.input.iter().map(|(name, value)| format!("{name} {value}")).collect();
            format!("[{}: {}]", call.tool, inputs.join(", "))
        }
        Part::Result(result) if result.has_failed => format!("[failed: {}]", result.text),
        Part::Result(result) => format!("[result: {}]", result.text),
        Part::Skill { name, .. } => format!("[skill: {name}]"),
        Part::Attachment => "[attachment]".to_owned(),
        Part::Data(text) => format!("[data: {text}]"),
    }
}

#[test]
fn messages() {
    let table = r#"
        [{"role": "user", "content": "hi"}] => user: hi
        {"messages": [{"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}, {"type": "image"}]}]} => assistant: a | [Bash: command ls] | [attachment]
        {"entries": [{"role": "assistant", "text": "a", "tool_calls": [{"function": {"name": "f", "arguments": "{\"n\": [1, 2]}"}, "output": "done"}]}]} => assistant: a | [f: n 1⏎2] | [result: done]
        [{"role": "tool", "tool_call_id": "c1", "content": "a"}, {"role": "tool", "content": [{"type": "text", "text": "Error: c"}]}] => tool: [result: a]⏎tool: [failed: Error: c]
        {"type": "user", "message": {"role": "user", "content": "do"}}⏎{"type": "assistant", "message": {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]}} => user: do⏎assistant: [thinking: hm]
        [{"role": "user", "content": [{"type": "tool_result", "is_error": true, "content": [{"type": "text", "text": "no"}]}]}] => user: [failed: no]
        [1, 2, {"role": "x", "content": "y"}] => x: y
        [{"a": 1}, {"a": 2}, {"role": "x", "content": "y"}] => none
        {"a": [1]} => none
        [{"name": "x", "value": 3}] => none
        { => none
    "#;
    for [text, expected] in rows(table) {
        assert_eq!(shown(&text), expected, "{text}");
    }
}

#[test]
fn events_of_harnesses() {
    let table = r#"
        -- Copilot.
        [{"type": "user.message", "data": {"content": "hi"}}, {"type": "session.usage_info", "data": {"currentTokens": 1}}, {"type": "tool.execution_start", "data": {"toolName": "skill", "arguments": {"skill": "pdf"}, "toolCallId": "c"}}, {"type": "skill.invoked", "data": {"name": "pdf"}}] => user.message: hi⏎tool.execution_start: [skill: skill pdf]⏎skill.invoked: [skill: pdf]
        -- Codex.
        [{"type": "item.started", "item": {"type": "command_execution", "command": "ls"}}, {"type": "item.completed", "item": {"type": "command_execution", "command": "ls", "aggregated_output": "a", "exit_code": 1}}, {"type": "item.completed", "item": {"type": "agent_message", "text": "Done."}}] => command_execution: [shell:  ls] | [failed: a]⏎agent_message: Done.
        [{"payload": {"type": "function_call", "name": "shell", "arguments": "{\"command\": [\"bash\", \"-lc\", \"ls\"]}"}}] => function_call: [shell: command 'bash' '-lc' 'ls']
        -- Gemini.
        [{"type": "tool_use", "tool_id": "g", "tool_name": "read_file", "parameters": {"path": "a"}}, {"type": "tool_result", "tool_id": "g", "status": "success", "output": "x"}] => tool_use: [read_file: path a]⏎tool_result: [result: x]
        -- OpenCode, Cline and ATIF.
        [{"type": "tool_use", "part": {"type": "tool", "tool": "bash", "state": {"status": "error", "input": {"command": "ls"}, "output": "no"}}}] => tool: [bash: command ls] | [failed: no]
        [{"say": "tool", "text": "{\"tool\": \"readFile\", \"path\": \"a\"}"}, {"say": "text", "text": "Done."}] => tool: [readFile: tool readFile, path a]⏎text: Done.
        {"steps": [{"source": "agent", "message": "a", "tool_calls": [{"function_name": "f", "arguments": {}}], "observation": {"results": [{"content": "b"}]}}]} => agent: a | [f: ] | [result: b]
    "#;
    for [text, expected] in rows(table) {
        assert_eq!(shown(&text), expected, "{text}");
    }
}

#[test]
fn plain_text_with_speakers() {
    let table = r#"
        User: hi⏎there⏎**Assistant:** yes => User: hi⏎there⏎Assistant: yes
        User: hi⏎Tool: a⏎b => User: hi⏎Tool: [result: a⏎b]
        Note: this⏎is a text => none
    "#;
    for [text, expected] in rows(table) {
        let turns = read_speakers(&text);
        let shown = turns.map(|turns| turns.iter().map(turn_text).collect::<Vec<_>>().join("\n"));
        assert_eq!(shown.unwrap_or_else(|| "none".to_owned()), expected, "{text}");
    }
}
