//! How records of runs are written: calls of tools, their results, messages, ends. All of it is data.
//!
//! A path names fields apart by dots; texts that hold JSON are entered. Several paths or values are
//! apart by spaces.

/// A condition: one of the paths has one of the values. `!` before the paths: it has another one.
pub(super) type Rule = (&'static str, &'static str);

/// A call of a tool, or what it gave back.
pub(super) struct Shape {
    /// Which objects are such; with [`NO_RULE`], those that name a tool, or a call with a result.
    pub(super) when: Rule,
    /// Where the tool is named, `=` before the name that all have; empty for results.
    pub(super) tool: &'static str,
    /// Where the input of a call is, or the text of a result.
    pub(super) body: &'static str,
    pub(super) id: &'static str,
    /// When the call came to nothing.
    pub(super) fails: &'static [Rule],
}

pub(super) const NO_RULE: Rule = ("", "");

/// Results, then calls: of Claude Code, Gemini, agentv, Vally and Codex rollouts; Codex `exec`;
/// Copilot; OpenCode; Cline; ATIF; messages of OpenAI's kind.
pub(super) const SHAPES: &[Shape] = &[
    Shape {
        when: ("type", "tool_result function_call_output custom_tool_call_output"),
        tool: "",
        body: "content output data.content data.result",
        id: "tool_use_id call_id tool_id tool_call_id data.toolCallId",
        fails: &[
            ("is_error data.is_error", "true"),
            ("status data.status", FAILED),
            ("success data.success output.success", "false"),
            ("!output.metadata.exit_code", "0"),
        ],
    },
    Shape {
        when: ("type", "tool.execution_complete ToolExecutionComplete"),
        tool: "",
        body: "data.result.content result",
        id: "data.toolCallId toolCallId",
        fails: &[("data.success", "false"), ("data.toolTelemetry.properties.found", "false")],
    },
    Shape {
        when: ("role", "tool function"),
        tool: "",
        body: "content",
        id: "tool_call_id",
        fails: &[("is_error", "true")],
    },
    Shape { when: NO_RULE, tool: "", body: "content", id: "source_call_id", fails: &[] },
    Shape {
        when: ("type", "tool_use tool_call function_call custom_tool_call"),
        tool: "name tool_name toolName data.toolName data.tool_name data.name data.tool",
        body: "input arguments parameters args data.arguments data.input data.args",
        id: "id call_id tool_id tool_call_id toolCallId data.toolCallId data.id",
        fails: &[("result.status status", FAILED), ("result.is_error", "true")],
    },
    Shape {
        when: ("type", "command_execution"),
        tool: "=shell",
        body: "command",
        id: "id",
        fails: &[("!exit_code", "0"), ("status", "in_progress failed declined")],
    },
    Shape {
        when: ("type", "local_shell_call"),
        tool: "=shell",
        body: "action.command",
        id: "call_id",
        fails: &[("status", "failed incomplete")],
    },
    Shape {
        when: ("type", "tool.execution_start ToolExecutionStart"),
        tool: "data.toolName toolName",
        body: "data.arguments arguments",
        id: "data.toolCallId toolCallId",
        fails: &[],
    },
    Shape {
        when: ("type", "tool"),
        tool: "tool",
        body: "state.input",
        id: "callID",
        fails: &[("!state.status", "completed")],
    },
    Shape { when: ("say", "tool"), tool: "text.tool", body: "text", id: "ts", fails: &[] },
    Shape {
        when: NO_RULE,
        tool: "function_name",
        body: "arguments",
        id: "tool_call_id",
        fails: &[],
    },
    Shape {
        when: NO_RULE,
        tool: "function.name",
        body: "function.arguments",
        id: "id",
        fails: &[],
    },
];

const FAILED: &str = "error failed failure denied declined rejected cancelled aborted";

/// An event that a skill was loaded: kind, path of its name, path of who wanted it.
pub(super) const EVENTS: &[(Rule, &str, &str)] = &[
    (("type", "skill.invoked"), "data.name data.skillName", "data.trigger"),
    (("type", "skill_activation"), "data.name data.skillName data.skill name", "data.trigger"),
];

/// Who speaks in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speaker {
    /// A person, a system, a program in their name.
    Asker,
    Agent,
}

/// A message: which objects are one, who speaks, where the text is.
pub(super) const MESSAGES: &[(Rule, Speaker, &str)] = &[
    (("role", "user human system developer"), Speaker::Asker, "content text message parts"),
    (("role", "assistant model agent"), Speaker::Agent, "content text message parts"),
    (("source", "user system"), Speaker::Asker, "message"),
    (("source", "agent"), Speaker::Agent, "message"),
    (("type", "user.message user_message"), Speaker::Asker, "data.content data.text message"),
    (("type", "assistant.message assistant_message"), Speaker::Agent, "data.content data.text"),
    (("type", "agent_message"), Speaker::Agent, "text message"),
    (("type", "user system"), Speaker::Asker, "content text"),
    (("type", "assistant"), Speaker::Agent, "content text"),
    (("type", "text"), Speaker::Agent, "part.text"),
    (("say", "completion_result text"), Speaker::Agent, "text"),
    (("type", "result"), Speaker::Agent, "result"),
];

/// How a record says that its run did not come to its end.
pub(super) const BREAKS: &[Rule] = &[
    ("type", "turn.failed session.error error stream_error"),
    ("subtype", "error_max_turns error_during_execution error_max_budget_usd"),
    ("endReason end_reason", "agent_timeout timeout error cancelled aborted"),
    ("timedOut timed_out", "true"),
    ("stop_reason finish_reason", "max_tokens length"),
    ("is_error", "true"),
];

/// Fields with calls of tools. Where one is filled and no call of a known shape is there, the record
/// is of an unknown harness.
pub(super) const CALL_FIELDS: &str = "tool_calls toolCalls tool_uses toolUses tool_use toolUse \
     tool tool_invocations toolInvocations function_call functionCall function_calls toolRequests \
     action actions invocations commands";

/// Fields that say it outright. They are looked for in the outermost object.
pub(super) const FIELDS: &str = "skill_invoked skill_loaded activated did_trigger activationFired \
     skillActivation skillActivationIsolated skills_triggered skillCalls skill_calls \
     trajectory.metrics.skillActivationBreakdown metrics.skillActivationBreakdown";

/// Tools that load a skill, in lower case without `_` and `-`.
pub(super) const LOADERS: &str = "skill activateskill useskill skillview loadskill invokeskill";

/// Where a loader is given the name.
pub(super) const SKILL_KEYS: &str = "skill name skill_name skillName command path";

/// Tools that read a file, spelled likewise.
pub(super) const READERS: &str = "read readfile fileread view viewfile openfile readtextfile \
     readmcpresource fsread getfilecontent";

pub(super) const PATH_KEYS: &str =
    "file_path path absolute_path filePath target_file filename file uri paths";

/// Tools that run a command, spelled likewise.
pub(super) const SHELLS: &str = "shell bash exec execcommand runshellcommand runterminalcmd \
     runinterminal runcommand executecommand powershell pwsh terminal localshell containerexec \
     runterminalcommand commandexecution";

pub(super) const COMMAND_KEYS: &str = "command cmd script commands";

/// Tools that write a file, spelled likewise.
pub(super) const WRITERS: &str = "write writefile filewrite createfile create";

/// Extensions of scripts.
pub(super) const SCRIPTS: &str = "py sh bash js mjs cjs ts rb pl ps1 bat r lua php awk";

/// Other tools; that a record names them says that it lists calls.
pub(super) const OTHER_TOOLS: &str = "edit multiedit grep glob ls task agent todowrite \
     webfetch websearch notebookedit patch applypatch fileedit replace \
     searchfilecontent listdirectory toolsearch askuserquestion taskcreate taskupdate";

/// What code given to a tool calls to run a command, and the field with the command.
pub(super) const COMMAND_IN_CODE: (&str, &str) = ("exec_command(", "cmd");

/// What a text names by which a harness says that a skill is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    Skill,
    Folder,
    /// The skill, as a person typed it.
    Command,
}

/// How such a text begins, what ends the name, and what is named.
pub(super) const ECHOES: &[(&str, &str, Names)] = &[
    ("Launching skill: ", "\n", Names::Skill),
    ("Base directory for this skill: ", "\n", Names::Folder),
    ("<skill>\n<name>", "</name>", Names::Command),
    ("<command-name>/", "</command-name>", Names::Command),
    ("<activated_skill name=\"", "\"", Names::Skill),
    ("<skill_content name=\"", "\"", Names::Skill),
    ("Skill **", "** activated", Names::Skill),
    ("Skill \"", "\" loaded", Names::Skill),
    ("Using skill: ", "\n", Names::Skill),
];

/// How the result of a call begins that came to nothing.
pub(super) const FAILURES: &[&str] = &[
    "<tool_use_error>",
    "Error",
    "error:",
    "Unknown skill",
    "File does not exist",
    "Permission",
    "The user doesn't want to proceed",
    "cat: ",
    "sed: ",
    "Exit code 1",
    "No such file",
];
