//! One workspace, or a folder of many?
//!
//! A folder is one workspace when it directly holds iterations, cases or the skill's evals. It is a
//! folder of many when several folders below it do, and at least one of them is plainly a
//! workspace: by its name, or by its own evals or history. Otherwise those folders are groups.
//! Where there are workspaces, every other folder with gradings counts as one too.

use std::collections::BTreeSet;

use crate::discover::Section;
use crate::discover::kinds::{self, Kind};
use crate::files::{Entry, EntryKind};
use crate::model::Ignored;
use crate::names;
use text::folded_name;

/// Names that say nothing: a workspace of such a name is called like the folder above it.
const PLAIN_NAMES: &[&str] = &["workspace", "evals", "eval", "root", "results", "evals-workspace"];

/// The workspaces among `entries`, each with its entries, and the files in none.
pub(super) fn split(entries: &[Entry], name: &str) -> (Vec<(Section, Vec<Entry>)>, Vec<Ignored>) {
    let roots = roots(entries, name);
    if roots.len() < 2 {
        let whole = Section { name: name.to_owned(), ..Section::default() };
        return (vec![(whole, entries.to_vec())], Vec::new());
    }
    let mut sections: Vec<(Section, Vec<Entry>)> = Vec::new();
    for root in &roots {
        let (path, name) = (root.clone(), name_of_workspace(root).to_owned());
        sections.push((Section { path, name, ..Section::default() }, Vec::new()));
    }
    let mut outside = Vec::new();
    for entry in entries {
        let mut is_inside = false;
        for (section, inside) in &mut sections {
            if let Some(path) = names::below(&entry.path, &section.path) {
                inside.push(Entry { path: path.to_owned(), ..entry.clone() });
                is_inside = true;
            }
        }
        if !is_inside && entry.kind == EntryKind::File {
            outside.push(Ignored::file(&entry.path, "lies beside the workspaces"));
        }
    }
    (sections, outside)
}

fn name_of_workspace(root: &str) -> &str {
    let (own_name, above) = (names::file_name(root), names::file_name(names::folder(root)));
    if PLAIN_NAMES.contains(&own_name) && !above.is_empty() { above } else { own_name }
}

/// The folders that are workspaces; fewer than two when the whole is one.
fn roots(entries: &[Entry], name: &str) -> Vec<String> {
    let holds_iterations = entries
        .iter()
        .any(|entry| names::is_iteration(entry.path.split('/').next().unwrap_or_default()));
    if names::is_iteration(name) || holds_iterations || has_own_evals(entries, "") {
        return Vec::new();
    }
    let found: BTreeSet<&str> =
        entries.iter().filter_map(|entry| workspace_above(&entry.path)).collect();
    let mut tops = found.clone();
    tops.retain(|top| !top.is_empty() && !found.iter().any(|other| is_below(top, other)));
    let is_plain =
        |top: &&str| folded_name(top).contains("workspace") || has_own_evals(entries, top);
    if !tops.iter().any(is_plain) {
        return Vec::new();
    }
    // Two skills may have plans, and a benchmark beside them the only results: plans push none out.
    let results = entries.iter().filter(|entry| is_result(entry)).map(|entry| entry.path.as_str());
    let (inside, outside): (Vec<&str>, Vec<&str>) =
        results.partition(|path| tops.iter().any(|top| is_below(path, top)));
    if inside.is_empty() && !outside.is_empty() {
        return Vec::new();
    }
    // Also the outermost folders that hold gradings and no workspace.
    let mut roots: BTreeSet<String> = tops.iter().map(|top| (*top).to_owned()).collect();
    for entry in entries {
        let path = entry.path.as_str();
        if kinds::kind_of_path(path) == Some(Kind::Grading)
            && !tops.iter().any(|top| is_below(path, top))
        {
            let mut folders = names::folders_above(names::folder(path));
            let outermost = folders.find(|folder| !tops.iter().any(|top| is_below(top, folder)));
            roots.extend(outermost.map(str::to_owned));
        }
    }
    roots.into_iter().collect()
}

fn is_result(entry: &Entry) -> bool {
    entry.kind == EntryKind::File
        && matches!(kinds::kind_of_path(&entry.path), Some(Kind::Grading | Kind::Benchmark))
}

fn is_below(path: &str, folder: &str) -> bool {
    path != folder && names::below(path, folder).is_some()
}

/// The folder that directly holds the first iteration, evals or history in `path`.
fn workspace_above(path: &str) -> Option<&str> {
    for part in names::folders_above(path).filter(|part| !part.is_empty()) {
        let (name, above) = (names::file_name(part), names::folder(part));
        let is_history = part == path && matches!(name, "history.json" | "evals.json");
        if names::is_snapshot(name) || names::is_output_folder(name) {
            return None;
        }
        if is_history && matches!(names::file_name(above), "evals" | "assets") {
            return Some(names::folder(above));
        }
        if is_history || part != path && names::is_iteration(name) {
            return Some(above);
        }
    }
    None
}

fn has_own_evals(entries: &[Entry], top: &str) -> bool {
    const OWN: &[&str] =
        &["evals.json", "evals/evals.json", "assets/evals/evals.json", "history.json"];
    OWN.iter().any(|own| entries.iter().any(|entry| entry.path == names::join(top, own)))
}
