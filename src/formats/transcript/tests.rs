use super::{Part, Turn, read, read_speakers};

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
    let table = [
        (r#"[{"role": "user", "content": "hi"}]"#, "user: hi"),
        (
            r#"{"messages": [{"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}, {"type": "image"}]}]}"#,
            "assistant: a | [Bash: command ls] | [attachment]",
        ),
        (
            r#"{"entries": [{"role": "assistant", "text": "a", "tool_calls": [{"function": {"name": "f", "arguments": "{\"n\": [1, 2]}"}, "output": "done"}]}]}"#,
            "assistant: a | [f: n 1\n2] | [result: done]",
        ),
        (
            r#"[{"role": "tool", "tool_call_id": "c1", "content": "a"}, {"role": "tool", "content": [{"type": "text", "text": "Error: c"}]}]"#,
            "tool: [result: a]\ntool: [failed: Error: c]",
        ),
        (
            "{\"type\": \"user\", \"message\": {\"role\": \"user\", \"content\": \"do\"}}\n{\"type\": \"assistant\", \"message\": {\"role\": \"assistant\", \"content\": [{\"type\": \"thinking\", \"thinking\": \"hm\"}]}}",
            "user: do\nassistant: [thinking: hm]",
        ),
        (
            r#"[{"role": "user", "content": [{"type": "tool_result", "is_error": true, "content": [{"type": "text", "text": "no"}]}]}]"#,
            "user: [failed: no]",
        ),
        (r#"[1, 2, {"role": "x", "content": "y"}]"#, "x: y"),
        (r#"[{"a": 1}, {"a": 2}, {"role": "x", "content": "y"}]"#, "none"),
        (r#"{"a": [1]}"#, "none"),
        (r#"[{"name": "x", "value": 3}]"#, "none"),
        ("{", "none"),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn events_of_harnesses() {
    let table = [
        // Copilot.
        (
            r#"[{"type": "user.message", "data": {"content": "hi"}}, {"type": "session.usage_info", "data": {"currentTokens": 1}},
            {"type": "tool.execution_start", "data": {"toolName": "skill", "arguments": {"skill": "pdf"}, "toolCallId": "c"}},
            {"type": "skill.invoked", "data": {"name": "pdf"}}]"#,
            "user.message: hi\ntool.execution_start: [skill: skill pdf]\nskill.invoked: [skill: pdf]",
        ),
        // Codex.
        (
            r#"[{"type": "item.started", "item": {"type": "command_execution", "command": "ls"}},
            {"type": "item.completed", "item": {"type": "command_execution", "command": "ls", "aggregated_output": "a", "exit_code": 1}},
            {"type": "item.completed", "item": {"type": "agent_message", "text": "Done."}}]"#,
            "command_execution: [shell:  ls] | [failed: a]\nagent_message: Done.",
        ),
        (
            r#"[{"payload": {"type": "function_call", "name": "shell", "arguments": "{\"command\": [\"bash\", \"-lc\", \"ls\"]}"}}]"#,
            "function_call: [shell: command 'bash' '-lc' 'ls']",
        ),
        // Gemini.
        (
            r#"[{"type": "tool_use", "tool_id": "g", "tool_name": "read_file", "parameters": {"path": "a"}},
            {"type": "tool_result", "tool_id": "g", "status": "success", "output": "x"}]"#,
            "tool_use: [read_file: path a]\ntool_result: [result: x]",
        ),
        // OpenCode, Cline and ATIF.
        (
            r#"[{"type": "tool_use", "part": {"type": "tool", "tool": "bash", "state": {"status": "error", "input": {"command": "ls"}, "output": "no"}}}]"#,
            "tool: [bash: command ls] | [failed: no]",
        ),
        (
            r#"[{"say": "tool", "text": "{\"tool\": \"readFile\", \"path\": \"a\"}"}, {"say": "text", "text": "Done."}]"#,
            "tool: [readFile: tool readFile, path a]\ntext: Done.",
        ),
        (
            r#"{"steps": [{"source": "agent", "message": "a", "tool_calls": [{"function_name": "f", "arguments": {}}], "observation": {"results": [{"content": "b"}]}}]}"#,
            "agent: a | [f: ] | [result: b]",
        ),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn plain_text_with_speakers() {
    let table = [
        ("User: hi\nthere\n**Assistant:** yes", "User: hi\nthere\nAssistant: yes"),
        ("User: hi\nTool: a\nb", "User: hi\nTool: [result: a\nb]"),
        ("Note: this\nis a text", "none"),
    ];
    for (text, expected) in table {
        let turns = read_speakers(text);
        let shown = turns.map(|turns| turns.iter().map(turn_text).collect::<Vec<_>>().join("\n"));
        assert_eq!(shown.unwrap_or_else(|| "none".to_owned()), expected, "{text}");
    }
}
