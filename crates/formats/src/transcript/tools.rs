//! Tools and messages of harnesses by their names.

use text::is_listed;

/// What a tool is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolKind {
    /// Loads a skill.
    Skill,
    /// Reads a file.
    Read,
    /// Writes a file.
    Write,
    /// Runs a command.
    Shell,
    /// Anything else that harnesses bring along.
    Other,
}

/// The kind of the tool with this name; `None` if no known harness has it.
pub fn tool_kind(name: &str) -> Option<ToolKind> {
    // In lower case without `_` and `-`.
    const KINDS: &[(ToolKind, &str)] = &[
        (ToolKind::Skill, "skill activateskill useskill skillview loadskill invokeskill"),
        (
            ToolKind::Read,
            "read readfile fileread view viewfile openfile readtextfile readmcpresource fsread \
             getfilecontent",
        ),
        (ToolKind::Write, "write writefile filewrite createfile create"),
        (
            ToolKind::Shell,
            "shell bash exec execcommand runshellcommand runterminalcmd runinterminal runcommand \
             executecommand powershell pwsh terminal localshell containerexec runterminalcommand \
             commandexecution",
        ),
        (
            ToolKind::Other,
            "edit multiedit grep glob ls task agent todowrite webfetch websearch notebookedit patch \
             applypatch fileedit replace searchfilecontent listdirectory toolsearch askuserquestion \
             taskcreate taskupdate",
        ),
    ];
    let name = name.rsplit(['.', ':']).next().unwrap_or(name);
    let mut name = name.replace(['_', '-', ' '], "");
    name.make_ascii_lowercase();
    KINDS.iter().find(|(_, names)| is_listed(names, &name)).map(|(kind, _)| *kind)
}

/// A message by which a harness says that it loaded a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Announcement<'t> {
    /// What `name` is the name of.
    pub subject: Subject,
    /// The skill or command without its slash, or the path of a folder.
    pub name: &'t str,
    /// The start of the message, without punctuation.
    pub message: &'static str,
}

/// What such a message names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The skill.
    Skill,
    /// The folder of the skill.
    Folder,
    /// A command that a person typed, which may be a skill.
    Command,
}

/// The announcement at the start of `text`.
pub fn announcement(text: &str) -> Option<Announcement<'_>> {
    // The start of the message, the end of the name, and whose name it is.
    const MESSAGES: &[(&str, &str, Subject)] = &[
        ("Launching skill: ", "\n", Subject::Skill),
        ("Base directory for this skill: ", "\n", Subject::Folder),
        ("<skill>\n<name>", "</name>", Subject::Command),
        ("<command-name>/", "</command-name>", Subject::Command),
        ("<activated_skill name=\"", "\"", Subject::Skill),
        ("<skill_content name=\"", "\"", Subject::Skill),
        ("Skill **", "** activated", Subject::Skill),
        ("Skill \"", "\" loaded", Subject::Skill),
        ("Using skill: ", "\n", Subject::Skill),
    ];
    let text = text.trim_start();
    for (start, end, subject) in MESSAGES {
        if let Some(rest) = text.strip_prefix(start) {
            let name = rest.split(end).next().unwrap_or(rest).trim();
            let message = start.trim_matches(|c: char| !c.is_alphanumeric());
            return Some(Announcement { subject: *subject, name, message });
        }
    }
    None
}

/// Whether the result of a call reports a failure in its text.
pub(super) fn is_failure(text: &str) -> bool {
    const STARTS: &[&str] = &[
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
    STARTS.iter().any(|start| text.trim_start().starts_with(start))
}
