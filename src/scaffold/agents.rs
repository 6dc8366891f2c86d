//! The skill by which coding agents use evalbook, and where they look for it in a project.

/// The folders of skills: of Claude Code, of Codex and others that follow the Agent Skills format,
/// of Copilot.
const FOLDERS: [&str; 3] = [".claude/skills", ".agents/skills", ".github/skills"];

const FILES: [(&str, &str); 3] = [
    ("SKILL.md", include_str!("../../skills/evalbook/SKILL.md")),
    ("evals/evals.json", include_str!("../../skills/evalbook/evals/evals.json")),
    (
        "evals/files/run-1/outputs/total.md",
        include_str!("../../skills/evalbook/evals/files/run-1/outputs/total.md"),
    ),
];

/// The files by their paths in a project.
pub fn files() -> impl Iterator<Item = (String, &'static str)> {
    FOLDERS.into_iter().flat_map(|folder| {
        FILES.into_iter().map(move |(path, text)| (format!("{folder}/evalbook/{path}"), text))
    })
}
