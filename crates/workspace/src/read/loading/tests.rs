use super::SkillNames;
use super::state::search_record;
use input::model::{Loading, LoadingState};
use testing::table::rows;

fn names() -> SkillNames {
    SkillNames::new(["pdf"].into_iter(), ["skill-snapshot", "skill"].into_iter())
}

/// The state in one word, with the line, and marks: by a user, used, idle, other skills.
fn shown(loading: &Loading) -> String {
    let state = match loading.state {
        LoadingState::Loaded => "loaded",
        LoadingState::NotLoaded => "not loaded",
        LoadingState::Given => "given",
        LoadingState::Unknown => "unknown",
    };
    let mut text = state.to_owned();
    if let Some(line) = loading.line {
        text.push_str(&format!(" {line}"));
    }
    let marks = [(loading.by_user, "user"), (loading.used, "used"), (loading.idle, "idle")];
    for (_, mark) in marks.into_iter().filter(|(is_so, _)| *is_so) {
        text.push_str(&format!(" {mark}"));
    }
    for other in &loading.other_skills {
        text.push_str(&format!(" +{other}"));
    }
    text
}

fn check(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(shown(&search_record(text, &names()).loading), *expected, "{text}");
    }
}

fn check_rows(table: &str) {
    for [text, expected] in rows(table) {
        check(&[(&text, &expected)]);
    }
}

/// A record of one call with its result, as Claude Code streams it, and a last message.
fn claude(name: &str, input: &str, result: &str) -> String {
    format!(
        r#"{{"type":"system","subtype":"init","tools":["Bash"],"skills":["pdf"]}}
{{"type":"assistant","message":{{"role":"assistant","content":[{{"type":"tool_use","id":"t1","name":"{name}","input":{input}}}]}}}}
{{"type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t1",{result}}}]}}}}
{{"type":"assistant","message":{{"role":"assistant","content":[{{"type":"text","text":"Done."}}]}}}}
"#
    )
}

#[test]
fn claude_code() {
    let table = r#"
        Skill => {"skill":"pdf"} => "content":"x" => loaded 2 idle
        Skill => {"command":"pdf"} => "content":"x" => loaded 2 idle
        Skill => {"name":"office:PDF"} => "content":"x" => loaded 2 idle
        Read => {"file_path":"/a/.claude/skills/pdf/SKILL.md"} => "content":"x" => loaded 2 idle
        Read => {"file_path":"C:\\skills\\pdf\\SKILL.md"} => "content":"x" => loaded 2 idle
        Read => {"file_path":"/a/other/../pdf/./SKILL.md"} => "content":"x" => loaded 2 idle
        Read => {"file_path":"w/skill-snapshot/SKILL.md"} => "content":"x" => loaded 2 idle
        Bash => {"command":"ls && cat ~/.claude/skills/pdf/SKILL.md"} => "content":"x" => loaded 2 idle
        -- Not signs.
        Skill => {"skill":"pdf"} => "is_error":true,"content":"x" => not loaded
        Skill => {"skill":"pdf"} => "content":"Unknown skill: pdf" => not loaded
        Skill => {"skill":"pdf-helper"} => "content":"x" => not loaded +pdf-helper
        Read => {"file_path":"/a/pdf-helper/SKILL.md"} => "content":"x" => not loaded +pdf-helper
        Read => {"file_path":"/a/pdf/sub/SKILL.md"} => "content":"x" => not loaded +sub
        Read => {"file_path":"/a/pdf/README.md"} => "content":"x" => not loaded
        Bash => {"command":"ls /a/pdf/SKILL.md"} => "content":"/a/pdf/SKILL.md" => not loaded
        Bash => {"command":"find . -name SKILL.md; rg --files"} => "content":"x" => not loaded
        Bash => {"command":"cat > pdf/SKILL.md <<E\ncat pdf/SKILL.md\nE"} => "content":"x" => not loaded
        Write => {"file_path":"/a/pdf/SKILL.md","content":"x"} => "content":"x" => not loaded
        Edit => {"file_path":"/a/pdf/SKILL.md"} => "content":"x" => not loaded
        Grep => {"pattern":"x","path":"/a/pdf/SKILL.md"} => "content":"x" => not loaded
        Bash => {"command":"python pdf/scripts/fill.py"} => "content":"x" => unknown used
        Task => {"prompt":"Use the skill pdf"} => "content":"see Launching skill: pdf" => not loaded
    "#;
    for [name, input, result, expected] in rows(table) {
        let text = claude(&name, &input, &result);
        assert_eq!(shown(&search_record(&text, &names()).loading), expected, "{text}");
    }
}

#[test]
fn messages_of_claude_code() {
    let user = |text: &str| {
        format!(
            "{{\"type\":\"user\",\"isMeta\":true,\"message\":{{\"role\":\"user\",\"content\":\"{text}\"}}}}\n"
        )
    };
    check(&[
        (&user("Base directory for this skill: /a/.claude/skills/pdf"), "loaded 1"),
        (&user("Base directory for this skill: /a/pdf-helper"), "unknown"),
        (&user("<command-name>/pdf</command-name>"), "loaded 1 user"),
        (&user("<command-name>/clear</command-name>"), "unknown"),
        (&user("Please use the skill pdf: /a/pdf/SKILL.md"), "unknown"),
        (&user("---\\nname: pdf\\ndescription: x\\n---\\nDo it."), "given 1"),
        (&user("You are helpful.\\n---\\nname: pdf\\ndescription: x\\n---\\n"), "given 1"),
        (&user("---\\nname: other\\ndescription: x\\n---\\n"), "unknown"),
        (&user("<available_skills><skill><name>pdf</name></skill></available_skills>"), "unknown"),
    ]);
    let echo = claude("Other", "{}", r#""content":"Launching skill: pdf""#);
    assert_eq!(shown(&search_record(&echo, &names()).loading), "loaded 3 idle");
}

#[test]
fn codex() {
    let exec = |command: &str, exit: &str| {
        let command = command.replace('"', "\\\"");
        format!(
            r#"{{"type":"item.completed","item":{{"id":"1","type":"command_execution","command":"{command}","exit_code":{exit}}}}}
{{"type":"item.completed","item":{{"id":"2","type":"agent_message","text":"Done."}}}}
{{"type":"turn.completed"}}"#
        )
    };
    let rollout = |call: &str| {
        format!(
            r#"{{"type":"response_item","payload":{call}}}
{{"type":"response_item","payload":{{"type":"function_call_output","call_id":"c","output":"{{\"metadata\":{{\"exit_code\":0}}}}"}}}}
{{"type":"response_item","payload":{{"type":"message","role":"assistant","content":[{{"type":"output_text","text":"Done."}}]}}}}"#
        )
    };
    let shell = r#"{"type":"function_call","name":"shell","call_id":"c","arguments":"{\"command\":[\"bash\",\"-lc\",\"cat .agents/skills/pdf/SKILL.md\"]}"}"#;
    let exec_command = r#"{"type":"function_call","name":"exec_command","call_id":"c","arguments":"{\"cmd\":\"sed -n 1,9p pdf/SKILL.md\"}"}"#;
    let code = r#"{"type":"custom_tool_call","name":"exec","call_id":"c","input":"await tools.exec_command({cmd:\"cat /a/pdf/SKILL.md\"})"}"#;
    let local =
        r#"{"type":"local_shell_call","call_id":"c","action":{"command":["cat","pdf/SKILL.md"]}}"#;
    let asked = r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"<skill>\n<name>pdf</name>\n<path>/a</path>"}]}"#;
    check(&[
        (&exec("bash -lc \"sed -n 1,80p .agents/skills/pdf/SKILL.md\"", "0"), "loaded 1 idle"),
        (&exec("cat pdf/SKILL.md", "1"), "not loaded"),
        (&exec("cat pdf/SKILL.md", "null"), "not loaded"),
        (&exec("D=.agents/skills/pdf; cat $D/SKILL.md", "0"), "loaded 1 idle"),
        (&rollout(shell), "loaded 1 idle"),
        (&rollout(exec_command), "loaded 1 idle"),
        (&rollout(code), "loaded 1 idle"),
        (&rollout(local), "loaded 1 idle"),
        (&rollout(asked), "loaded 1 user idle"),
        (&rollout(shell).replace("exit_code\\\":0", "exit_code\\\":1"), "not loaded"),
        (&format!("{}\n{{\"type\":\"turn.failed\"}}", exec("ls", "0")), "unknown"),
    ]);
}

#[test]
fn copilot() {
    let call = |found: &str| {
        format!(
            r#"{{"type":"assistant.message","data":{{"content":"","toolRequests":[{{"name":"skill","toolCallId":"c","type":"function","arguments":{{"skill":"pdf"}}}}]}}}}
{{"type":"tool.execution_start","data":{{"toolCallId":"c","toolName":"skill","arguments":{{"skill":"pdf"}}}}}}
{{"type":"tool.execution_complete","data":{{"toolCallId":"c","success":true,"toolTelemetry":{{"properties":{{"skillName":"pdf","found":"{found}"}}}}}}}}
{{"type":"assistant.message","data":{{"content":"Done."}}}}"#
        )
    };
    check(&[
        (&call("true"), "loaded 2 idle"),
        (&call("false"), "not loaded"),
        (r#"{"type":"skill.invoked","data":{"name":"pdf","trigger":"agent-invoked"}}"#, "loaded 1"),
        (r#"{"type":"skill.invoked","data":{"skillName":"a:pdf"}}"#, "loaded 1"),
        (
            r#"{"type":"skill.invoked","data":{"name":"pdf","trigger":"user-invoked"}}"#,
            "loaded 1 user",
        ),
        (r#"{"type":"skill.invoked","data":{"name":"docx"}}"#, "unknown +docx"),
        ("Using skill: pdf", "loaded 1"),
        // Objects in a row over several lines.
        (
            "{\n  \"type\": \"user.message\", \"data\": {\"content\": \"hi\"}\n}\n{\n  \"type\": \"skill.invoked\",\n  \"data\": {\"name\": \"pdf\"}\n}\n",
            "loaded 4",
        ),
    ]);
}

#[test]
fn gemini_and_opencode() {
    let gemini = |call: &str, result: &str| {
        format!(
            r#"{{"type":"tool_use","tool_id":"g","tool_name":"{call},"timestamp":"t"}}
{{"type":"tool_result","tool_id":"g",{result}}}
{{"type":"message","role":"assistant","content":"Done."}}"#
        )
    };
    let opencode = |status: &str, output: &str| {
        format!(
            r#"{{"type":"tool_use","part":{{"type":"tool","callID":"o","tool":"skill","state":{{"status":"{status}","input":{{"name":"pdf"}},"output":"{output}"}}}}}}
{{"type":"text","part":{{"type":"text","text":"Done."}}}}"#
        )
    };
    let ok = r#""status":"success","output":"x""#;
    check(&[
        (&gemini(r#"activate_skill","parameters":{"name":"pdf"}"#, ok), "loaded 1 idle"),
        (&gemini(r#"activate_skill","parameters":{"skill":"pdf"}"#, ok), "loaded 1 idle"),
        (
            &gemini(r#"activate_skill","parameters":{"name":"pdf"}"#, r#""status":"error""#),
            "not loaded",
        ),
        (&gemini(r#"read_file","parameters":{"path":"s/pdf/SKILL.md"}"#, ok), "loaded 1 idle"),
        (
            &gemini(r#"x","parameters":{}"#, r#""output":"<activated_skill name=\"pdf\">""#),
            "loaded 2 idle",
        ),
        (
            &gemini(r#"x","parameters":{}"#, r#""output":"Skill **pdf** activated""#),
            "loaded 2 idle",
        ),
        (&opencode("completed", ""), "loaded 1 idle"),
        (&opencode("error", ""), "not loaded"),
        (
            r#"{"role":"tool","tool_call_id":"1","content":"<skill_content name=\"pdf\">"}"#,
            "loaded 1",
        ),
    ]);
}

#[test]
fn other_harnesses() {
    check_rows(
        r#"
        [{"say":"tool","text":"{\"tool\":\"useSkill\",\"path\":\"pdf\"}"}] => loaded 1
        [{"say":"tool","text":"{\"tool\":\"readFile\",\"path\":\"a/pdf/SKILL.md\"}"}] => loaded 1
        {"type":"tool_use","name":"skill_view","input":{"name":"pdf"}} => loaded 1
        {"steps":[⏎{"source":"agent","message":"","tool_calls":[{"tool_call_id":"1","function_name":"skill","arguments":{"name":"pdf"}}]},⏎{"source":"agent","message":"Done."}]} => loaded 2 idle
        {"steps":[{"tool_calls":[{"tool_call_id":"1","function_name":"skill","arguments":{"skill":"pdf"}}],"observation":{"results":[{"source_call_id":"1","content":"Error: no"}]}},{"source":"agent","message":"Done."}]} => not loaded
        {"messages":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"bash","arguments":"{\"command\":\"cat pdf/SKILL.md\"}"}}]}]} => loaded 1
        {"turns":[{"type":"assistant","content":[{"type":"tool_use","tool_name":"file_read","name":"Read","input":{"path":"pdf/SKILL.md"},"result":{"status":"unknown"}}]}]} => loaded 1
        {"trajectory":{"events":[{"type":"skill_activation","data":{"name":"pdf"}}]}} => loaded 1
        {"trajectory":{"events":[{"type":"tool_call","data":{"toolName":"skill","arguments":{"skill":"pdf"}}}]}} => loaded 1
        -- An unknown harness, a run that was stopped, a record that breaks off.
        [{"role":"assistant","content":"Done.","actions":[{"do":"open"}]}] => unknown
        [{"role":"assistant","content":"Done."}] => not loaded
        [{"role":"assistant","content":"Done."},{"endReason":"agent_timeout"}] => unknown
        [{"role":"user","content":"Do it."}] => unknown
        {"role":"assistant","content":"Done."}⏎{"role":"assis => unknown
        {"total_tokens": 3} => unknown
         => unknown
    "#,
    );
}

#[test]
fn fields_that_say_it_outright() {
    let call = r#""messages":[{"type":"tool_use","name":"Skill","input":{"skill":"pdf"}}]"#;
    check(&[
        (r#"{"skill_invoked": true}"#, "loaded 1"),
        (r#"{"skill_invoked": false}"#, "not loaded 1"),
        (&format!("{{\"skill_invoked\": false, {call}}}"), "not loaded 1"),
        (&format!("{{\"skill_invoked\": true, {call}}}"), "loaded 1"),
        (r#"{"did_trigger": true}"#, "loaded 1"),
        (r#"{"activated": ["pdf"]}"#, "loaded 1"),
        (r#"{"activated": []}"#, "not loaded 1"),
        (r#"{"activated": null}"#, "unknown"),
        (r#"{"skillActivation": {"activated": true, "detectedSkills": []}}"#, "loaded 1"),
        (r#"{"skillActivationIsolated": {"activated": false}}"#, "not loaded 1"),
        (r#"{"skills_triggered": [{"name": "pdf", "source": "tool_use"}]}"#, "loaded 1"),
        (r#"{"skills_triggered": [{"name": "pdf", "source": "init_list"}]}"#, "not loaded 1"),
        (r#"{"skillCalls": [{"skill": "pdf"}]}"#, "loaded 1"),
        (r#"{"activationFired": 1}"#, "loaded 1"),
        (r#"{"trajectory":{"metrics":{"skillActivationBreakdown":{"pdf":1}}}}"#, "loaded 1"),
        // A count alone does not tell which skill.
        (r#"{"tool_calls": {"Skill": 1}}"#, "unknown"),
        (r#"{"trajectory":{"metrics":{"skillActivationCount":1}}}"#, "unknown"),
    ]);
}

#[test]
fn markdown() {
    let ended = "# Run\n\n**executor**: x | **exit**: 0\n\n## assistant\n";
    check(&[
        ("- **Skill** `{\"skill\":\"pdf\"}`\n\n  > Launching skill: pdf\n", "loaded 1"),
        ("**Skill** — {\"skill\": \"pdf\", \"args\": \"x\"}\n\n> Launching skill: pdf", "loaded 1"),
        ("- **Skill** `{\"skill\":\"pdf\"}`\n\n  > <tool_use_error>no</tool_use_error>", "unknown"),
        ("4. `Skill: {\"skill\": \"pdf\"}`\n   → Launching skill: pdf", "loaded 1"),
        ("Skill: {\"skill\": \"pdf\"}", "loaded 1"),
        ("tool_use Skill\nid: t\n```json\n{\n  \"skill\": \"pdf\"\n}\n```", "loaded 1"),
        ("### tool_use: Skill\n\n```json\n{\"skill\": \"pdf\"}\n```\n", "loaded 1"),
        ("### tool_result\n\n```\nLaunching skill: pdf\n```", "loaded 4"),
        ("ACTION: activate_skill({\"name\":\"pdf\"})", "loaded 1"),
        ("- **Bash** `cat .agents/skills/pdf/SKILL.md`", "loaded 1"),
        ("- **exec** `/bin/zsh -lc \"sed -n '1,9p' a/pdf/SKILL.md\"` → exit 0", "loaded 1"),
        ("- **exec** `/bin/zsh -lc \"sed -n '1,9p' a/pdf/SKILL.md\"` → exit 1", "unknown"),
        ("2. **Read** `/a/pdf/SKILL.md` (full).", "loaded 1"),
        ("- Read: `skill/SKILL.md`", "loaded 1"),
        ("Loaded `/a/pdf/SKILL.md` in full.", "loaded 1"),
        ("## Execution\nClaude did not trigger the skill loading mechanism.", "not loaded 2"),
        ("  > x\n\n  > Launching skill: pdf", "loaded 3"),
        ("Base directory for this skill: /a/pdf", "loaded 1"),
        // Mentions and other skills.
        ("**Skill:** `pdf` v1.4.0", "unknown"),
        ("**Skill**: pdf 1.3.10 (master branch)", "unknown"),
        ("As loaded from `/a/pdf/SKILL.md`: \"x\"", "unknown"),
        ("- `/a/pdf/SKILL.md`, 290 lines", "unknown"),
        ("Read the skill pdf at /a/pdf/SKILL.md", "unknown"),
        ("The log says: Launching skill: pdf", "unknown"),
        (
            "- **Bash** `ls .agents/skills/pdf/SKILL.md`\n\n  > .agents/skills/pdf/SKILL.md",
            "unknown",
        ),
        ("- **Skill** `{\"skill\":\"docx\"}`", "unknown +docx"),
        ("```\n- **Skill** `{\"skill\":\"pdf\"}`\n```", "unknown"),
        ("- **Bash** `ls`\n\n  > a\n  > Launching skill: pdf", "unknown"),
        // Complete, and complete except for a cut.
        (&format!("{ended}- **Bash** `ls`\n\n  > a\n\n## assistant\nDone."), "not loaded"),
        (&format!("{ended}- **Bash** `ls … [9 more chars]`\n\n  > a\n"), "unknown"),
        ("## assistant\n- **Bash** `ls`\n\nDone.", "unknown"),
    ]);
}

#[test]
fn a_skill_without_a_name_is_never_reported_as_missing() {
    let none = SkillNames::default();
    let text = r#"[{"type":"tool_use","name":"Skill","input":{"skill":"pdf"}},{"role":"assistant","content":"Done."}]"#;
    assert_eq!(shown(&search_record(text, &none).loading), "unknown +pdf");
}

#[test]
fn other_calls_after_loading_are_not_idle() {
    let text = r#"[{"type":"tool_use","name":"Skill","input":{"skill":"pdf"}},{"type":"tool_use","name":"Bash","input":{"command":"ls"}},{"role":"assistant","content":"Done."}]"#;
    assert_eq!(shown(&search_record(text, &names()).loading), "loaded 1");
}
