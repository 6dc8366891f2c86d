//! The first half of the pipeline as one call: list, discover, read, assemble.

use rayon::prelude::*;

use crate::assemble;
use crate::discover::{self, Section, names};
use crate::files::Source;
use crate::model::{Ignored, Iteration, Workspace};
use crate::read;

/// What was read from one source.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// Its workspaces, with the folder of each below the source's root.
    pub workspaces: Vec<(Workspace, String)>,
    /// Files beside the workspaces of a folder of many.
    pub outside: Vec<Ignored>,
    /// The first few things that were found and not read, with the reason, for when no workspace is.
    pub nearest: Vec<String>,
}

/// How many files are named when no workspace was found.
const NEAREST: usize = 3;

/// Reads everything in `source`. `name` is the name of its root folder; `path` is how the user
/// named it.
pub fn load(source: &dyn Source, name: &str, path: &str) -> Loaded {
    let entries = source.list(&names::is_never_entered);
    let layout = discover::layout(&entries, name);
    let workspaces = layout
        .sections
        .par_iter()
        .map(|section| (of_section(section, source, path), section.path.clone()))
        .collect();
    let nearest = nearest(&layout.sections);
    Loaded { workspaces, outside: layout.outside, nearest }
}

fn of_section(section: &Section, source: &dyn Source, path: &str) -> Workspace {
    let records = read::records(&section.documents, source, &section.path);
    let path = names::join(path.trim_end_matches('/'), &section.path);
    assemble::workspace(section, records, path.trim_end_matches('/'))
}

/// JSON files first, then what lies nearest to the root; each with the reason it was not read.
fn nearest(sections: &[Section]) -> Vec<String> {
    let mut ignored: Vec<&Ignored> = sections.iter().flat_map(|section| &section.ignored).collect();
    let depth = |path: &str| path.matches('/').count();
    ignored.sort_by_key(|found| (!found.path.ends_with(".json"), depth(&found.path)));
    let describe = |found: &&Ignored| match found.path.as_str() {
        "" => format!("the folder itself, which is {}", found.reason),
        path => format!("`{path}`, which {}", as_predicate(found.reason)),
    };
    ignored.iter().take(NEAREST).map(describe).collect()
}

/// Reasons are either predicates already or name what the file is.
fn as_predicate(reason: &str) -> String {
    let is_verb = reason.starts_with("belongs ") || reason.starts_with("lies ");
    if is_verb { reason.to_owned() } else { format!("is {reason}") }
}

/// Whether nothing of an evaluation was found: no case, benchmark, comparison, plan or history.
pub fn is_empty(workspace: &Workspace) -> bool {
    let says_nothing = |iteration: &Iteration| {
        iteration.cases.is_empty()
            && iteration.benchmarks.is_empty()
            && iteration.comparisons.is_empty()
            && iteration.analyses.is_empty()
            && iteration.feedback.is_empty()
    };
    workspace.iterations.iter().all(says_nothing)
        && workspace.planned.is_empty()
        && workspace.histories.is_empty()
        && workspace.trigger_rounds.is_empty()
}
