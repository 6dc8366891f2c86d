//! One workspace, or a folder of many?
//!
//! A folder is one workspace when it directly holds iterations, cases or the skill's evals. It is a
//! folder of many when several folders below it do, and at least one of them is plainly a
//! workspace: by its name, or by its own evals or history. Otherwise those folders are groups.
//! Where there are workspaces, every other folder with gradings counts as one too.

use std::collections::BTreeSet;

use crate::discover::kinds::{self, Kind};
use crate::discover::{Section, names};
use crate::files::{Entry, EntryKind};
use crate::model::Ignored;
use crate::text::folded_name;

/// The workspaces among `entries`, each with its entries, and the files in none.
pub(super) fn split(entries: &[Entry], name: &str) -> (Vec<(Section, Vec<Entry>)>, Vec<Ignored>) {
    let roots = roots(entries, name);
    if roots.len() < 2 {
        let whole = Section { name: name.to_owned(), ..Section::default() };
        return (vec![(whole, entries.to_vec())], Vec::new());
    }
    let cut = |root: &String| {
        let inside = |entry: &Entry| {
            let path = names::below(&entry.path, root)?.to_owned();
            Some(Entry { path, ..entry.clone() })
        };
        // A folder with a name such as `workspace` is named after the one above.
        const PLAIN: &[&str] =
            &["workspace", "evals", "eval", "root", "results", "evals-workspace"];
        let (own_name, above) = (names::file_name(root), names::file_name(names::folder(root)));
        let name = if PLAIN.contains(&own_name) && !above.is_empty() { above } else { own_name }
            .to_owned();
        let section = Section { path: root.clone(), name, ..Section::default() };
        (section, entries.iter().filter_map(inside).collect())
    };
    let is_outside = |entry: &&Entry| {
        let is_inside = roots.iter().any(|root| names::below(&entry.path, root).is_some());
        entry.kind == EntryKind::File && !is_inside
    };
    let outside = entries.iter().filter(is_outside);
    let outside = outside.map(|entry| Ignored::file(&entry.path, "lies beside the workspaces"));
    (roots.iter().map(cut).collect(), outside.collect())
}

/// The folders that are workspaces; fewer than two when the whole is one.
fn roots(entries: &[Entry], name: &str) -> Vec<String> {
    let is_first =
        |entry: &Entry| names::is_iteration(entry.path.split('/').next().unwrap_or_default());
    let is_whole = names::is_iteration(name) || has_own_evals(entries, "");
    if is_whole || entries.iter().any(is_first) {
        return Vec::new();
    }
    let tops: BTreeSet<&str> =
        entries.iter().filter_map(|entry| workspace_above(&entry.path)).collect();
    let is_nested =
        |top: &str| tops.iter().any(|other| *other != top && names::below(top, other).is_some());
    let tops: Vec<&str> =
        tops.iter().copied().filter(|top| !top.is_empty() && !is_nested(top)).collect();
    let is_plain =
        |top: &&str| folded_name(top).contains("workspace") || has_own_evals(entries, top);
    if !tops.iter().any(is_plain) {
        return Vec::new();
    }
    // Also the outermost folders that hold gradings and no workspace.
    let is_taken = |path: &str| tops.iter().any(|top| names::below(path, top).is_some());
    let holds_top = |folder: &str| tops.iter().any(|top| names::below(top, folder).is_some());
    let gradings = entries.iter().filter(|entry| {
        kinds::kind_of_path(&entry.path) == Some(Kind::Grading) && !is_taken(&entry.path)
    });
    let unmarked = gradings.filter_map(|entry| {
        names::folders_above(names::folder(&entry.path)).find(|folder| !holds_top(folder))
    });
    let all_roots: BTreeSet<&str> = tops.iter().copied().chain(unmarked).collect();
    all_roots.into_iter().map(str::to_owned).collect()
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
