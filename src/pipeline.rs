//! The first half of the pipeline as one call: list, settings, discover, read, assemble.

pub use crate::assemble::relabel;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

use rayon::prelude::*;

use crate::assemble;
use crate::discover::{self, Section, names};
use crate::files::{self, Entry, EntryKind, Source, Withheld};
use crate::guard::{FoundInFile, Guard, Guarded};
use crate::model::{Ignored, Iteration, Problem, Workspace};
use crate::read;
use crate::settings::{self, Origin, Settings, SettingsError};

#[derive(Clone, Debug, Default)]
pub struct Loaded {
    pub workspaces: Vec<Read>,
    pub outside: Vec<Ignored>,
    /// The first few things that were found and not read, with the reason, for when no workspace is.
    pub nearest: Vec<String>,
    pub left_out: BTreeSet<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Read {
    pub workspace: Workspace,
    /// Its folder below the source's root; empty for the root.
    pub prefix: String,
    /// What its files of settings say, those of the folders above it lowest.
    pub settings: Settings,
}

/// A file of settings that is of no use: what it meant to leave out or compare is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSettings {
    #[error("{path}:{error}")]
    Wrong {
        /// The file, below the source's root.
        path: String,
        error: SettingsError,
    },
    #[error("cannot read `{path}`: {reason}")]
    Unread { path: String, reason: String },
}

const MAX_SETTINGS_BYTES: u64 = 1024 * 1024;
const NEAREST: usize = 3;

/// Reads all of `source`, whose root folder is `name`; fails where a file of settings makes no sense.
pub fn load(source: &dyn Source, name: &str, path: &str) -> Result<Loaded, BadSettings> {
    let entries = source.list(&names::is_never_entered);
    let found = settings_files(&entries, &|path, limit| source.read(path, limit))?;
    Ok(loaded(source, (&entries, &found), (name, path), &[], Vec::new()))
}

/// What is known of a source besides what lies in it.
#[derive(Debug, Default)]
pub struct SourceNotes {
    /// What is wrong with how it was put together; reported where the path takes part in a workspace.
    pub problems: Vec<Problem>,
    /// What guards on other machines found and marked in it, by path.
    pub earlier: BTreeMap<String, FoundInFile>,
    /// What users on other machines keep out of the report, by path.
    pub withheld: BTreeSet<String>,
}

/// The same behind a guard: what is read holds no secret, and neither does what the source gives
/// from then on. `flags` override the files of settings; `roots` are the folders where the
/// source lies on its machine.
/// Fails as [`load`] does.
pub fn load_guarded(
    source: Arc<dyn Source>,
    (name, path): (&str, &str),
    flags: &Settings,
    roots: &[String],
    notes: SourceNotes,
) -> Result<(Loaded, Guarded), BadSettings> {
    let entries = source.list(&names::is_never_entered);
    let mut guard = if flags.no_redact { Guard::off(entries) } else { Guard::new(entries, roots) };
    guard.keeps_secret_files = flags.keep_secret_files;
    let read = |path: &str, limit| guard.read(&*source, path, limit);
    let found = settings_files(guard.entries(), &read)?;
    let is_meant =
        |path: &str| is_settings(path) || apart(path, &found, &flags.leave_out).is_none();
    guard.scan(&*source, &is_meant);
    guard.add_earlier(notes.earlier, notes.withheld);
    let own = |problem: Problem| Problem { path: guard.shown(&problem.path).to_owned(), ..problem };
    let problems: Vec<Problem> = notes.problems.into_iter().map(own).collect();
    let source = Guarded::new(source, guard);
    let read = (source.guard().entries(), &found[..]);
    let loaded = loaded(&source, read, (name, path), &flags.leave_out, problems);
    Ok((loaded, source))
}

fn loaded(
    source: &dyn Source,
    (entries, found): (&[Entry], &[(String, Settings)]),
    (name, path): (&str, &str),
    leave_out: &[String],
    problems: Vec<Problem>,
) -> Loaded {
    let left_out = |entry: &&Entry| {
        entry.kind == EntryKind::File
            && !is_settings(&entry.path)
            && apart(&entry.path, found, leave_out).is_some()
    };
    let left_out = entries.iter().filter(left_out).map(|entry| entry.path.clone()).collect();
    let mut layout = discover::layout(entries, name, &|path| apart(path, found, leave_out));
    give_problems(&mut layout.sections, problems);
    let read = |section: &Section| {
        // The settings of every folder from the root down, each above the one before.
        let mut settings = Settings::default();
        for (folder, own) in found {
            if names::is_in(&section.path, folder) {
                settings.override_with(own);
            }
        }
        let workspace = of_section(section, source, path);
        Read { workspace, prefix: section.path.clone(), settings }
    };
    let workspaces = layout.sections.par_iter().map(read).collect();
    let nearest = nearest(&layout.sections);
    Loaded { workspaces, outside: layout.outside, nearest, left_out }
}

/// Gives each section the problems of what takes part in it, by paths below it.
fn give_problems(sections: &mut [Section], problems: Vec<Problem>) {
    for problem in problems {
        let home = sections.iter_mut().find_map(|section| {
            let below = names::below(&problem.path, &section.path)?.to_owned();
            Some((section, below))
        });
        let Some((section, path)) = home else { continue };
        let mut ignored = section.ignored.iter().map(|ignored| &ignored.path);
        if !ignored.any(|folder| !is_settings(folder) && names::is_in(&path, folder)) {
            section.problems.push(Problem { path, ..problem });
        }
    }
}

/// Every file of settings by its folder, folders before what they hold.
fn settings_files(
    entries: &[Entry],
    read: &dyn Fn(&str, u64) -> io::Result<Vec<u8>>,
) -> Result<Vec<(String, Settings)>, BadSettings> {
    let files = entries.iter().filter(|entry| is_settings(&entry.path));
    let found = files.map(|entry| {
        let settings = settings_in(&entry.path, |limit| read(&entry.path, limit))?;
        Ok((names::folder(&entry.path).to_owned(), settings))
    });
    found.collect()
}

/// The settings in the file at `path`; a file that is not published says nothing.
pub fn settings_in(
    path: &str,
    read: impl FnOnce(u64) -> io::Result<Vec<u8>>,
) -> Result<Settings, BadSettings> {
    let unread = |reason| BadSettings::Unread { path: path.to_owned(), reason };
    let bytes = match read(MAX_SETTINGS_BYTES + 1) {
        Err(error) if Withheld::new(&error).is_some() => return Ok(Settings::default()),
        read => read.map_err(|error| unread(files::reason(&error)))?,
    };
    if bytes.len() as u64 > MAX_SETTINGS_BYTES {
        return Err(unread("it has more than 1 MiB".to_owned()));
    }
    let text = String::from_utf8_lossy(&bytes);
    let origin = |line| Origin::File { path: path.to_owned(), line };
    Settings::read_as(text.trim_start_matches('\u{feff}'), &origin)
        .map_err(|error| BadSettings::Wrong { path: path.to_owned(), error })
}

fn is_settings(path: &str) -> bool {
    names::file_name(path) == settings::FILE
}

/// Why a file takes no part: it is a file of settings, or one says so.
fn apart(path: &str, found: &[(String, Settings)], leave_out: &[String]) -> Option<&'static str> {
    if is_settings(path) {
        return Some("the settings of a report");
    }
    let matches = |pattern: &String, path: &str| {
        glob::Pattern::new(pattern).is_ok_and(|pattern| pattern.matches(path))
    };
    let by_file = found.iter().any(|(folder, settings)| {
        let below = names::below(path, folder);
        below.is_some_and(|path| settings.leave_out.iter().any(|pattern| matches(pattern, path)))
    });
    let by_flag = leave_out.iter().any(|pattern| matches(pattern, path));
    (by_file || by_flag).then_some("left out by the settings")
}

fn of_section(section: &Section, source: &dyn Source, path: &str) -> Workspace {
    let records = read::records(&section.documents, source, &section.path);
    let path = names::join(path.trim_end_matches('/'), &section.path);
    let mut workspace = assemble::workspace(section, records, path.trim_end_matches('/'));
    let documents = section.documents.iter().map(|document| document.path.as_str());
    let outputs = section.outputs.iter().map(|output| output.file.path.as_str());
    let ignored = section.ignored.iter().filter(|ignored| ignored.files == Some(1));
    let ignored = ignored.map(|ignored| ignored.path.as_str()).filter(|path| !is_settings(path));
    let paths: BTreeSet<&str> = documents.chain(outputs).chain(ignored).collect();
    let paths: Vec<&str> = paths.into_iter().collect();
    let problems = workspace.problems.len();
    read::loading::find(&mut workspace, &paths, source, &section.path);
    if workspace.problems.len() > problems {
        assemble::sort_problems(&mut workspace.problems);
    }
    workspace
}

/// JSON files first, then what lies nearest to the root; each with the reason it was not read.
fn nearest(sections: &[Section]) -> Vec<String> {
    let mut ignored: Vec<&Ignored> = sections.iter().flat_map(|section| &section.ignored).collect();
    let depth = |path: &str| path.matches('/').count();
    ignored.sort_by_key(|found| (!found.path.ends_with(".json"), depth(&found.path)));
    // Reasons are either predicates already or name what the file is.
    let is_predicate = |reason: &str| reason.starts_with("belongs ") || reason.starts_with("lies ");
    let describe = |found: &&Ignored| match (found.path.as_str(), found.reason) {
        ("", reason) => format!("the folder itself, which is {reason}"),
        (path, reason) if is_predicate(reason) => format!("`{path}`, which {reason}"),
        (path, reason) => format!("`{path}`, which is {reason}"),
    };
    ignored.iter().take(NEAREST).map(describe).collect()
}

/// Whether nothing of an evaluation was found: no case, benchmark, comparison, plan or history.
pub fn is_empty(workspace: &Workspace) -> bool {
    !has_results(workspace) && workspace.planned.is_empty()
}

/// Whether anything of an evaluation was found besides planned cases.
pub fn has_results(workspace: &Workspace) -> bool {
    let says_nothing = |iteration: &Iteration| {
        iteration.cases.is_empty()
            && iteration.benchmarks.is_empty()
            && iteration.comparisons.is_empty()
            && iteration.analyses.is_empty()
            && iteration.feedback.is_empty()
    };
    !workspace.iterations.iter().all(says_nothing)
        || !workspace.histories.is_empty()
        || !workspace.trigger_rounds.is_empty()
}
