//! Discover: from paths alone, which folder is an iteration, a case, a configuration, a run.
//!
//! [`layout`] splits its input into workspaces (`sections`), gathers the contents of each folder
//! (`tree`), assigns folders their levels (`roles`) and files their place (`place`). It reads no
//! file.

mod iterations;
pub mod kinds;
mod place;
mod roles;
mod sections;
mod tree;

use std::collections::{BTreeMap, BTreeSet};

pub use crate::discover::iterations::{
    list_again, order as iteration_order, sort as sort_iterations,
};
pub use crate::discover::kinds::Kind;
pub use crate::discover::place::{FileLevels, IterationKey};

use crate::discover::place::FolderLookup;
use crate::discover::roles::{FolderRole, FolderRoles};
use crate::discover::tree::Tree;
use crate::files::{Entry, EntryKind, LinkTarget};
use crate::model::{Code, Ignored, Output, Problem, Snapshot};
use crate::names;
use text::natural_order;

/// The file that marks a folder as one of our reports.
pub const REPORT_MARK: &str = "evalbook-manifest.json";

/// The file that marks a folder as one of our sites of reports.
pub const SITE_MARK: &str = "evalbook-site.json";

/// The folder of a site with a copy of the newest report.
pub const LATEST: &str = "latest";

/// A file that has a reader of its own: results, a plan, a review, a record of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its path below the workspace, with `/`.
    pub path: String,
    /// What its name says it is.
    pub kind: Kind,
    /// Where its folders and its name say it belongs.
    pub place: FileLevels,
    /// Its size in bytes.
    pub bytes: u64,
}

/// A file that a run produced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundOutput {
    /// Its name is relative to the folder of outputs, or to the run's.
    pub file: Output,
    /// The run it belongs to, as far as its folders say.
    pub place: FileLevels,
}

/// An iteration by its folder, or by the groups above runs in no such folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundIteration {
    /// Which folder or groups they are.
    pub key: IterationKey,
    /// Its name: the folder's, with the groups above it if they differ between iterations.
    pub name: String,
}

/// One workspace: its levels and the role of each file.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// Its path below the folder given; empty for that folder itself.
    pub path: String,
    /// What its folder is called, or the folder above one with a plain name such as `workspace`.
    pub name: String,
    /// Its iterations, in the order of [`sort_iterations`].
    pub iterations: Vec<FoundIteration>,
    /// Folders that a link such as `latest` calls the newest of their neighbors.
    pub newest: Vec<String>,
    /// Documents to be read, in natural order of their paths.
    pub documents: Vec<Document>,
    /// Outputs, in natural order of their paths.
    pub outputs: Vec<FoundOutput>,
    /// Copies of the skill, in natural order of their paths; not yet named.
    pub snapshots: Vec<Snapshot>,
    /// Files and folders that take no part, each with the reason.
    pub ignored: Vec<Ignored>,
    /// What is wrong with names, links and folders; no file has been read yet.
    pub problems: Vec<Problem>,
    /// How many files it has, read or not; those in folders that were not entered are unknown.
    pub files: usize,
}

impl Section {
    /// Where each document and each output belongs.
    pub fn places(&self) -> impl Iterator<Item = &FileLevels> {
        let documents = self.documents.iter().map(|document| &document.place);
        documents.chain(self.outputs.iter().map(|output| &output.place))
    }

    /// Those places, for a stage that settles them by what the documents say.
    pub fn places_mut(&mut self) -> impl Iterator<Item = &mut FileLevels> {
        let documents = self.documents.iter_mut().map(|document| &mut document.place);
        documents.chain(self.outputs.iter_mut().map(|output| &mut output.place))
    }
}

/// The contents of a folder given to the tool.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// One section per workspace, in natural order.
    pub sections: Vec<Section>,
    /// Files outside the workspaces of a folder of many.
    pub outside: Vec<Ignored>,
}

/// Lays out `entries` of the folder `name`. Files for which `why_left_out` returns a reason are ignored.
pub fn layout(
    entries: &[Entry],
    name: &str,
    why_left_out: &dyn Fn(&str) -> Option<&'static str>,
) -> Layout {
    let (entries, copies) = without_copies(entries);
    let (entries, left_out) = without(entries, why_left_out);
    let (sections, mut outside) = sections::split(&entries, name);
    let sections = sections.into_iter().map(|(section, entries)| fill(section, &entries));
    let mut sections: Vec<Section> = sections.collect();
    for ignored in copies.into_iter().chain(left_out) {
        let home = sections.iter_mut().find_map(|section| {
            let path = names::below(&ignored.path, &section.path)?.to_owned();
            Some((section, path))
        });
        match home {
            Some((section, path)) => {
                section.files += ignored.files.unwrap_or(0);
                section.ignored.push(Ignored { path, ..ignored });
            }
            None => outside.push(ignored),
        }
    }
    Layout { sections, outside }
}

/// Splits off our earlier reports and other checkouts of the same files, each as one folder.
fn without_copies(entries: &[Entry]) -> (Vec<Entry>, Vec<Ignored>) {
    let mut copies: BTreeMap<&str, Ignored> = BTreeMap::new();
    for entry in entries {
        let is_mark = matches!(names::file_name(&entry.path), REPORT_MARK | SITE_MARK);
        let (folder, reason) = if is_mark {
            (Some(names::folder(&entry.path)), "an earlier report of evalbook")
        } else {
            (names::checkouts_above(&entry.path), "other checkouts of the same files")
        };
        if let Some(path) = folder {
            let ignored = Ignored { path: path.to_owned(), reason, files: Some(0) };
            copies.insert(path, ignored);
        }
    }
    let mut kept = Vec::with_capacity(entries.len());
    for entry in entries {
        let copy = names::folders_above(&entry.path).find(|folder| copies.contains_key(folder));
        match copy.and_then(|copy| copies.get_mut(copy)) {
            Some(ignored) if entry.kind == EntryKind::File => {
                ignored.files = ignored.files.map(|files| files + 1);
            }
            Some(_) => {}
            None => kept.push(entry.clone()),
        }
    }
    (kept, copies.into_values().collect())
}

/// Splits off the files for which `why_left_out` returns a reason, and folders with nothing else in them.
fn without(
    mut kept: Vec<Entry>,
    why_left_out: &dyn Fn(&str) -> Option<&'static str>,
) -> (Vec<Entry>, Vec<Ignored>) {
    let mut ignored = Vec::new();
    kept.retain(|entry| {
        let reason = match entry.kind {
            // Archives made on macOS have one beside each file, with the same extension.
            EntryKind::File if names::file_name(&entry.path).starts_with("._") => {
                Some("what macOS keeps beside a file")
            }
            EntryKind::File => why_left_out(&entry.path),
            _ => None,
        };
        ignored.extend(reason.map(|reason| Ignored::file(&entry.path, reason)));
        reason.is_none()
    });
    let mut emptied: BTreeSet<&str> =
        ignored.iter().flat_map(|ignored| names::folders_above(&ignored.path)).collect();
    for entry in kept.iter().filter(|entry| entry.kind != EntryKind::Folder) {
        for folder in names::folders_above(&entry.path) {
            emptied.remove(folder);
        }
    }
    kept.retain(|entry| entry.kind != EntryKind::Folder || !emptied.contains(entry.path.as_str()));
    (kept, ignored)
}

/// Files each of the `entries` of a workspace by its folders and its name.
fn fill(mut section: Section, entries: &[Entry]) -> Section {
    let tree = Tree::new(entries);
    let roles = FolderRoles::new(&tree, &section.name);
    let groups = place::telling_groups(&tree, &roles);
    let root_name = section.name.clone();
    let folders =
        FolderLookup { tree: &tree, roles: &roles, groups: &groups, root_name: &root_name };
    let mut sorted: Vec<&Entry> = entries.iter().collect();
    sorted.sort_by(|a, b| natural_order(&a.path, &b.path));
    for entry in &sorted {
        add(&mut section, entry, &folders);
    }
    section.problems.extend(iterations::buried_gradings(&section));
    section.iterations = iterations::list_iterations(&roles, &section);
    section
}

fn add(section: &mut Section, entry: &Entry, folders: &FolderLookup<'_>) {
    let path = entry.path.as_str();
    if entry.odd_name {
        let message = format!("the name of `{path}` is not valid UTF-8");
        section.problems.push(
            Problem::new(Code::OddName, path, message)
                .assuming("its odd bytes are shown as `\\xFF`")
                .help("rename it with UTF-8 letters"),
        );
    }
    match &entry.kind {
        EntryKind::File => add_file(section, entry, folders),
        EntryKind::Folder => {
            let is_document = names::file_name(path).to_lowercase().ends_with(".json");
            if is_document && kinds::kind_of_path(path).is_some() {
                let message = "a folder is where a document is expected";
                let help = "rename the folder, or move the document out of it";
                section.problems.push(Problem::new(Code::NotAFile, path, message).help(help));
            }
        }
        EntryKind::Skipped => {
            let reason = "a tool's own store, not entered";
            section.ignored.push(Ignored { path: path.to_owned(), reason, files: None });
        }
        EntryKind::Link(target) => {
            if let LinkTarget::Inside(target) = target
                && kinds::is_pointer(path)
            {
                section.newest.extend(names::below(target, &section.path).map(str::to_owned));
            }
            let (message, reason) = match target {
                LinkTarget::Inside(_) => (
                    "a symbolic link into the workspace; read under its own path",
                    "a symbolic link",
                ),
                LinkTarget::Outside => (
                    "a symbolic link out of the workspace is not followed",
                    "a link out of the workspace",
                ),
                LinkTarget::Nowhere => (
                    "a symbolic link that leads nowhere is not followed",
                    "a link that leads nowhere",
                ),
            };
            section.ignored.push(Ignored { path: path.to_owned(), reason, files: Some(0) });
            section.problems.push(Problem::new(Code::LinkNotFollowed, path, message));
        }
        EntryKind::Special => {
            let reason = "neither a file nor a folder";
            section.ignored.push(Ignored { path: path.to_owned(), reason, files: None });
        }
        EntryKind::Unreadable(reason) => {
            let problem =
                Problem::new(Code::UnreadableFile, path, format!("cannot be read: {reason}"));
            section.problems.push(problem.help("check its permissions"));
        }
    }
}

fn add_file(section: &mut Section, entry: &Entry, folders: &FolderLookup<'_>) {
    section.files += 1;
    let (path, bytes) = (entry.path.clone(), entry.bytes);
    let place = folders.place(&path);
    // Notes of a grader may lie beside what they became.
    let are_notes = path.ends_with(".txt") && folders.tree.get(names::folder(&path)).is_graded();
    if !place.in_outputs
        && !are_notes
        && let Some(near) = kinds::misspelt(&path)
    {
        let message = "no document of a known kind has this name";
        let problem = Problem::new(Code::NearMiss, &path, message).assuming("not read as one");
        section.problems.push(problem.help(format!("did you mean `{near}`?")));
    }
    let folder = names::folder(&path);
    let is_above_cases = place.case.is_none() && folders.tree.get(folder).runs_below;
    match class_of_file(&path, folders.roles.get(folder), &place, is_above_cases) {
        FileClass::Document(kind) => section.documents.push(Document { path, kind, place, bytes }),
        FileClass::Output => {
            let name = place.output_name(&path, false).to_owned();
            section.outputs.push(FoundOutput { file: Output { name, path, bytes }, place });
        }
        FileClass::Snapshot => add_to_snapshot(section, path, bytes, folders),
        FileClass::Ignored(reason) => section.ignored.push(Ignored::file(path, reason)),
    }
}

/// Adds a file to the copy of the skill that it lies in: the topmost folder with that role.
fn add_to_snapshot(section: &mut Section, path: String, bytes: u64, folders: &FolderLookup<'_>) {
    let root = names::folders_above(names::folder(&path))
        .find(|folder| folders.roles.get(folder) == FolderRole::Snapshot)
        .unwrap_or_default();
    let name = names::below(&path, root).unwrap_or(&path).to_owned();
    let position = section.snapshots.iter().position(|snapshot| snapshot.path == root);
    let at = position.unwrap_or_else(|| {
        section.snapshots.push(Snapshot { path: root.to_owned(), ..Snapshot::default() });
        section.snapshots.len() - 1
    });
    section.snapshots[at].files.push(Output { name, path, bytes });
}

enum FileClass {
    Document(Kind),
    Output,
    Snapshot,
    Ignored(&'static str),
}

const OF_NO_RUN: FileClass = FileClass::Ignored("belongs to no run");

fn class_of_file(
    path: &str,
    role: FolderRole,
    place: &FileLevels,
    is_above_cases: bool,
) -> FileClass {
    let kind = kinds::kind_of_path(path);
    match role {
        FolderRole::Snapshot => FileClass::Snapshot,
        FolderRole::Outputs => match kind {
            Some(kind) if kind.lies_in_outputs() => FileClass::Document(kind),
            _ => FileClass::Output,
        },
        FolderRole::Inside => FileClass::Output,
        FolderRole::Case | FolderRole::Configuration | FolderRole::Run => match kind {
            Some(kind) if kind.lies_in_runs() => FileClass::Document(kind),
            None if role == FolderRole::Case && kinds::is_case_metadata(path) => {
                FileClass::Document(Kind::CaseMetadata)
            }
            // `rigidity/before/result.json` beside `rigidity/before/p1-dune` is of all cases there.
            None if role == FolderRole::Configuration
                && is_above_cases
                && kinds::may_have_results(path) =>
            {
                FileClass::Document(Kind::Unknown)
            }
            _ => FileClass::Output,
        },
        FolderRole::Iteration | FolderRole::Group | FolderRole::Container | FolderRole::Apart => {
            class_above_cases(path, kind, place.is_in_run(), role == FolderRole::Apart)
        }
    }
}

/// The class of a file outside the folders of cases; its name alone may say that it is of a run.
fn class_above_cases(path: &str, kind: Option<Kind>, in_run: bool, is_apart: bool) -> FileClass {
    match kind {
        Some(Kind::CaseMetadata) if is_apart => OF_NO_RUN,
        Some(kind) if kind.lies_above_runs() || in_run => FileClass::Document(kind),
        Some(_) => OF_NO_RUN,
        None if in_run => FileClass::Output,
        None if kinds::is_pointer(path) => FileClass::Document(Kind::Pointer),
        // Any name may have results, as `eval_summary.json` or those of other evaluators.
        None if kinds::may_have_results(path) => FileClass::Document(Kind::Unknown),
        None if is_apart => OF_NO_RUN,
        None if names::file_name(path) == "benchmark.md" => {
            FileClass::Ignored("a summary of the figures for people")
        }
        None => FileClass::Ignored("not a document of a known kind"),
    }
}

#[cfg(test)]
mod tests;
