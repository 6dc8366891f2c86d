//! Briefs for programs: the content of the Markdown brief, uncut and in English.

use serde::Serialize;

use crate::digest::Brief;
use crate::render::context::Part;
use crate::render::data::ordered_json::for_terminal;

/// Increased when a field changes its meaning.
const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct BriefsJson<'a> {
    schema_version: u32,
    workspaces: Vec<WorkspaceJson<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum WorkspaceJson<'a> {
    Found {
        title: &'a str,
        #[serde(flatten)]
        brief: Box<Brief<'a>>,
    },
    /// A workspace without an iteration.
    Nothing { title: &'a str, iteration: () },
}

pub fn json(parts: &[Part<'_>]) -> String {
    let workspaces = parts.iter().map(workspace).collect();
    for_terminal(&BriefsJson { schema_version: SCHEMA_VERSION, workspaces })
}

fn workspace<'a>(part: &Part<'a>) -> WorkspaceJson<'a> {
    let title = part.title();
    match Brief::of_newest(&part.comparisons) {
        Some(brief) => WorkspaceJson::Found { title, brief: Box::new(brief) },
        None => WorkspaceJson::Nothing { title, iteration: () },
    }
}
