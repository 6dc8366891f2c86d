//! How harnesses record runs: their names of tools, fields and events. All of it is data.
//!
//! A path separates fields by dots and enters texts that are JSON. Several paths or values are
//! separated by spaces.

/// A condition: one of the paths has one of the values. `!` before the paths: it has another one;
/// `*` for the values: it has any.
pub(super) type Condition = (&'static str, &'static str);

/// Results of calls: Claude Code, Gemini, Vally, Codex; Copilot; OpenAI's messages; ATIF.
pub(super) const RESULTS: &[Condition] = &[
    (
        "type",
        "tool_result function_call_output custom_tool_call_output tool.execution_complete \
         ToolExecutionComplete",
    ),
    ("role", "tool function"),
    ("source_call_id", "*"),
];

/// Tool calls: the same, Codex `exec`, OpenCode, Cline.
pub(super) const CALLS: &[Condition] = &[
    (
        "type",
        "tool_use tool_call function_call custom_tool_call tool.execution_start ToolExecutionStart \
         tool command_execution local_shell_call",
    ),
    ("say", "tool"),
    ("function_name function.name", "*"),
];

pub(super) const TOOL: &str = "name tool_name toolName data.toolName data.tool_name data.name \
     data.tool tool text.tool function_name function.name";

/// Calls that run a command without naming a tool.
pub(super) const COMMANDS: Condition = ("type", "command_execution local_shell_call");

pub(super) const INPUT: &str = "input arguments parameters args data.arguments data.input data.args \
     state.input function.arguments action.command command text";

pub(super) const RESULT: &str =
    "content output data.content data.result.content data.result result";

/// Fields that link a result to its call.
pub(super) const IDS: &str = "tool_use_id call_id tool_id tool_call_id toolCallId data.toolCallId \
     source_call_id callID id data.id";

/// Signs of a failed call.
pub(super) const FAILS: &[Condition] = &[
    ("is_error data.is_error result.is_error", "true"),
    (
        "status data.status result.status",
        "error failed failure denied declined rejected cancelled aborted incomplete",
    ),
    ("success data.success output.success data.toolTelemetry.properties.found", "false"),
    ("!exit_code output.metadata.exit_code", "0"),
    ("!state.status", "completed"),
];

/// Starts of the results of failed calls.
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

/// An event for a loaded skill, if it names the skill and who wanted it.
pub(super) const LOADED: Condition = ("type", "skill.invoked skill_activation");
pub(super) const LOADED_SKILL: &str = "data.name data.skillName data.skill name";
pub(super) const LOADED_BY: &str = "data.trigger";

/// Messages of a person or a system, or of a program on their behalf.
pub(super) const ASKERS: &[Condition] = &[
    ("role", "user human system developer"),
    ("source", "user system"),
    ("type", "user.message user_message user system"),
];

pub(super) const AGENTS: &[Condition] = &[
    ("role", "assistant model agent"),
    ("source", "agent"),
    ("type", "assistant.message assistant_message agent_message assistant result"),
    ("part.type", "text"),
    ("say", "completion_result text"),
];

pub(super) const MESSAGE: &str =
    "content text message parts data.content data.text part.text result";

/// Signs of a run that did not finish.
pub(super) const BREAKS: &[Condition] = &[
    ("type", "turn.failed session.error error stream_error"),
    ("subtype", "error_max_turns error_during_execution error_max_budget_usd"),
    ("endReason end_reason", "agent_timeout timeout error cancelled aborted"),
    ("timedOut timed_out is_error", "true"),
    ("stop_reason finish_reason", "max_tokens length"),
];

/// Fields with tool calls. If one is filled without a call of a known shape, the harness is
/// unknown.
pub(super) const CALL_FIELDS: &str = "tool_calls toolCalls tool_uses toolUses tool_use toolUse \
     tool tool_invocations toolInvocations function_call functionCall function_calls toolRequests \
     action actions invocations commands";

/// Fields that directly state whether the skill was loaded, in the outermost object.
pub(super) const FIELDS: &str = "skill_invoked skill_loaded activated did_trigger activationFired \
     skillActivation skillActivationIsolated skills_triggered skillCalls skill_calls \
     trajectory.metrics.skillActivationBreakdown metrics.skillActivationBreakdown";

/// Tools that load a skill, in lower case without `_` and `-`.
pub(super) const LOADERS: &str = "skill activateskill useskill skillview loadskill invokeskill";

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

pub(super) const SCRIPTS: &str = "py sh bash js mjs cjs ts rb pl ps1 bat r lua php awk";

/// Other tools; their names show that a record lists calls.
pub(super) const OTHER_TOOLS: &str = "edit multiedit grep glob ls task agent todowrite \
     webfetch websearch notebookedit patch applypatch fileedit replace \
     searchfilecontent listdirectory toolsearch askuserquestion taskcreate taskupdate";

/// The subject of a message by which a harness announces a loaded skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoadMessage {
    Skill,
    Folder,
    /// The skill, as typed by a person.
    Command,
}

/// The start of such a message, the end of the name, and its subject.
pub(super) const ECHOES: &[(&str, &str, LoadMessage)] = &[
    ("Launching skill: ", "\n", LoadMessage::Skill),
    ("Base directory for this skill: ", "\n", LoadMessage::Folder),
    ("<skill>\n<name>", "</name>", LoadMessage::Command),
    ("<command-name>/", "</command-name>", LoadMessage::Command),
    ("<activated_skill name=\"", "\"", LoadMessage::Skill),
    ("<skill_content name=\"", "\"", LoadMessage::Skill),
    ("Skill **", "** activated", LoadMessage::Skill),
    ("Skill \"", "\" loaded", LoadMessage::Skill),
    ("Using skill: ", "\n", LoadMessage::Skill),
];
