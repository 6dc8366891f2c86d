//! Scaffold: what is to be made in a workspace: the next iteration and version, what a comment changes,
//! and the skill that agents need. Nothing is written here; `cli` puts it on disk through `write`.

mod edits;
pub mod feedback;
pub mod iteration;
pub mod version;

use crate::discover::{Document, Kind, Place};
use crate::files::Source;
use crate::model::Problem;
use crate::read::{self, EvalsRecord, Record};

/// Where a skill keeps its evals, in the order looked for.
pub const EVALS: &[&str] = &["evals/evals.json", "evals.json", "assets/evals/evals.json"];

pub fn evals(source: &dyn Source, path: &str) -> (Option<EvalsRecord>, Vec<Problem>) {
    let record = record(source, path, Kind::Evals);
    (record.evals, record.problems)
}

fn record(source: &dyn Source, path: &str, kind: Kind) -> Record {
    let document = Document { path: path.to_owned(), kind, place: Place::default(), bytes: 0 };
    read::records(&[document], source, "").pop().unwrap_or_default()
}

/// Of Claude Code, of Codex and others that follow the Agent Skills format, of Copilot.
const AGENT_FOLDERS: [&str; 3] = [".claude/skills", ".agents/skills", ".github/skills"];

const AGENT_FILES: [(&str, &str); 3] = [
    ("SKILL.md", include_str!("../../skills/evalbook/SKILL.md")),
    ("evals/evals.json", include_str!("../../skills/evalbook/evals/evals.json")),
    (
        "evals/files/run-1/outputs/total.md",
        include_str!("../../skills/evalbook/evals/files/run-1/outputs/total.md"),
    ),
];

/// The files of the skill by which agents use evalbook, by their paths in a project.
pub fn agent_files() -> impl Iterator<Item = (String, &'static str)> {
    AGENT_FOLDERS.into_iter().flat_map(|folder| {
        AGENT_FILES.into_iter().map(move |(path, text)| (format!("{folder}/evalbook/{path}"), text))
    })
}
