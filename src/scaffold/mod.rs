//! Scaffold: plans changes to a workspace: the next iteration and version, edits for a comment, and
//! the skill that agents need. Nothing is written here; `cli` puts it on disk through `write`.

pub mod comparison_file;
pub mod feedback_file;
pub mod history_file;
pub mod iteration;
mod json_edit;
pub mod reuse;
pub mod run_folders;
pub mod skill_copy;

use input::discover::{Document, FileLevels, Kind};
use input::files::Source;
use input::model::Problem;
use workspace::read::{self, EvalsRecord, Record};

/// Where a skill keeps its evals, in search order.
pub const EVALS: &[&str] = &["evals/evals.json", "evals.json", "assets/evals/evals.json"];

/// The evals in the file at `path`, `None` without any, and the problems in it.
pub fn evals(source: &dyn Source, path: &str) -> (Option<EvalsRecord>, Vec<Problem>) {
    let record = record(source, path, Kind::Evals);
    (record.evals, record.problems)
}

fn record(source: &dyn Source, path: &str, kind: Kind) -> Record {
    let document = Document { path: path.to_owned(), kind, place: FileLevels::default(), bytes: 0 };
    read::records(&[document], source, "").pop().unwrap_or_default()
}

/// For Claude Code, for Codex and others that follow the Agent Skills format, for Copilot.
const AGENT_FOLDERS: [&str; 3] = [".claude/skills", ".agents/skills", ".github/skills"];

const AGENT_FILES: [(&str, &str); 3] = [
    ("SKILL.md", include_str!("../../skills/evalbook/SKILL.md")),
    ("evals/evals.json", include_str!("../../skills/evalbook/evals/evals.json")),
    (
        "evals/files/run-1/outputs/total.md",
        include_str!("../../skills/evalbook/evals/files/run-1/outputs/total.md"),
    ),
];

/// The files of the skill that teaches agents evalbook, by their paths in a project.
pub fn agent_files() -> Vec<(String, &'static str)> {
    let mut files = Vec::new();
    for folder in AGENT_FOLDERS {
        for (path, text) in AGENT_FILES {
            files.push((format!("{folder}/evalbook/{path}"), text));
        }
    }
    files
}
