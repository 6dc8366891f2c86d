//! From files to workspaces in one call: list, settings, adapt, guard, discover, read, assemble.

pub use crate::assemble::relabel;

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use rayon::prelude::*;

use crate::assemble;
use crate::measured;
use crate::read;
use adapters::{Origins, RowSettings};
use guard::{Guard, Guarded};
use input::discover::kinds::Kind;
use input::discover::{self, Section};
use input::files::{self, Entry, Source, Withheld};
use input::model::{Code, Ignored, Iteration, Problem, Run, Snapshot, Workspace};
use input::names;
use input::settings::{self, PathPattern, Settings, SettingsError};

/// A source, and what is known of it besides its files.
pub struct Input<'a> {
    /// The files as they are, with secrets and home folders.
    pub source: Arc<dyn Source>,
    /// What its root folder is called.
    pub name: &'a str,
    /// The path of the root as the user wrote it.
    pub path: &'a str,
    /// The absolute paths of the root on this machine, which texts in it may mention.
    pub roots: Vec<String>,
    /// Settings above those of all files.
    pub flags: &'a Settings,
    /// What is wrong with how the source was put together, by path in it.
    pub problems: Vec<Problem>,
    /// Whether it must be known what each run was asked, for a plan of the next ones.
    pub needs_plans: bool,
}

impl<'a> Input<'a> {
    /// A source of which nothing else is known.
    pub fn new(source: Arc<dyn Source>, name: &'a str, flags: &'a Settings) -> Self {
        Self {
            source,
            name,
            path: name,
            roots: Vec::new(),
            flags,
            problems: Vec::new(),
            needs_plans: false,
        }
    }
}

/// Everything that was read from one source.
#[derive(Clone, Default)]
pub struct Loaded {
    /// One for each section of the layout; several only in a folder of many workspaces.
    pub workspaces: Vec<LoadedWorkspace>,
    /// Files outside the workspaces of a folder of many.
    pub outside: Vec<Ignored>,
    /// The first few things that were found and not read, with the reason, for when no workspace is.
    pub nearest: Vec<String>,
}

/// A workspace with all that a report of it needs.
#[derive(Clone)]
pub struct LoadedWorkspace {
    /// What was read, without secrets.
    pub workspace: Workspace,
    /// The source as it may be published.
    pub source: Guarded,
    /// The workspace's folder in the source; empty for the root.
    pub prefix: String,
    /// Those of the files in its folder and in the folders above, and the flags.
    pub settings: Settings,
    /// Which real files the results of another tool come from.
    pub origins: Origins,
}

/// A file of settings that is of no use: what it meant to leave out or compare is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSettings {
    /// The file was read and makes no sense.
    #[error("{path}:{error}")]
    Wrong {
        /// The file, below the source's root.
        path: String,
        /// What is wrong, with line and column.
        error: SettingsError,
    },
    /// The file has more than 1 MiB or cannot be read.
    #[error("cannot read `{path}`: {reason}")]
    Unread {
        /// The file, below the source's root.
        path: String,
        /// Why, in a few lower-case words.
        reason: String,
    },
}

/// Reads every workspace in the source. No secret is in what is read, nor in what
/// [`LoadedWorkspace::source`] gives from then on.
///
/// # Errors
/// A file of settings cannot be read or makes no sense.
pub fn load(mut input: Input<'_>) -> Result<Loaded, BadSettings> {
    let entries = input.source.list(&names::is_never_entered);
    let mut guard = guard(entries.clone(), &input);
    let settings = AllSettings::read(&guard, &*input.source, input.flags)?;
    let is_left_out =
        |path: &str| is_settings(path) || settings.why_left_out(guard.shown(path)).is_some();
    let rows = settings.rows();
    let adapted =
        adapters::adapt(&input.source, &entries, None, &rows, &is_left_out, &mut input.problems);
    let mut origins = Origins::default();
    if let Some(adapted) = adapted {
        (input.source, origins) = (Arc::from(adapted.source), adapted.origins);
        guard = self::guard(adapted.entries, &input);
    }
    // A workspace may have a hundred thousand files, and the guard has their names.
    drop(entries);
    let raw = Arc::clone(&input.source);
    let source = scanned(guard, input.source, &settings);

    let entries = source.guard().entries();
    let mut layout = discover::layout(entries, input.name, &|path| settings.why_left_out(path));
    for problem in input.problems {
        let path = source.guard().shown(&problem.path).to_owned();
        add_problem(Problem { path, ..problem }, &mut layout.sections);
    }

    let sections = layout.sections.par_iter();
    let mut workspaces: Vec<LoadedWorkspace> = sections
        .map(|section| {
            read_workspace(section, (&source, &*raw), input.needs_plans, input.path, &settings)
        })
        .collect();
    for loaded in &mut workspaces {
        for problem in &mut loaded.workspace.problems {
            origins.restore(problem, &loaded.prefix);
        }
        loaded.origins = origins.clone();
    }
    Ok(Loaded { workspaces, outside: layout.outside, nearest: nearest(&layout.sections) })
}

fn guard(entries: Vec<Entry>, input: &Input<'_>) -> Guard {
    if input.flags.no_redact {
        return Guard::off(entries);
    }
    let mut rules = input.flags.own_secret_rules.clone().unwrap_or_default();
    for entry in entries.iter().filter(|entry| is_settings(&entry.path)) {
        // Settings that make no sense are an error a little later, when they are read for themselves.
        let settings = settings_in(&entry.path, |limit| input.source.read(&entry.path, limit));
        if let Ok(settings) = settings {
            rules.rules.extend(settings.secret_rules);
        }
    }
    let mut guard = Guard::new(entries, &input.roots, &rules);
    guard.keeps_secret_files = input.flags.keep_secret_files;
    guard
}

/// The source behind `guard`. What is left out is never published, so it is not scanned.
fn scanned(mut guard: Guard, source: Arc<dyn Source>, settings: &AllSettings<'_>) -> Guarded {
    guard.scan(&*source, &|path| is_settings(path) || settings.why_left_out(path).is_none());
    Guarded::new(source, guard)
}

/// Gives `problem` to the workspace in which its path takes part, if there is one.
fn add_problem(problem: Problem, sections: &mut [Section]) {
    for section in sections {
        let Some(path) = names::below(&problem.path, &section.path) else { continue };
        let mut ignored = section.ignored.iter().map(|ignored| &ignored.path);
        // A file of settings is listed as ignored, and still decides what is read. Results of others
        // that are not read are ignored, which is what the problem says.
        let is_told = problem.code == Code::UnreadResults;
        if is_told || !ignored.any(|folder| !is_settings(folder) && names::is_in(path, folder)) {
            let path = path.to_owned();
            section.problems.push(Problem { path, ..problem });
        }
        return;
    }
}

/// `path` is the root of the source as the user wrote it. `raw` is the source as it is, which digests are of.
fn read_workspace(
    section: &Section,
    (source, raw): (&Guarded, &dyn Source),
    needs_plans: bool,
    path: &str,
    settings: &AllSettings<'_>,
) -> LoadedWorkspace {
    let prefix = section.path.clone();
    let path = names::join(path.trim_end_matches('/'), &prefix);
    let records = read::records(&section.documents, source, &prefix);
    let files = Files { source, raw, prefix: &prefix };
    let path = path.trim_end_matches('/');
    let mut workspace = assemble::workspace(section, records, path, &|path| files.bytes(path));
    add_loading(section, source, &mut workspace);
    for snapshot in &mut workspace.snapshots {
        snapshot.digest = digest(snapshot, source, &prefix);
    }
    assemble::mark_lost(&mut workspace, &|path| files.text(path));
    measured::add_skills(&mut workspace, &|path| files.raw(path));
    if needs_plans || workspace.iterations.iter().flat_map(Iteration::runs).any(is_reused) {
        let mut plans = section.documents.iter().filter(|document| {
            matches!(document.kind, Kind::CaseMetadata | Kind::Evals | Kind::Prompt)
        });
        // A mark in a prompt would give it another digest than it has.
        if plans.all(|plan| files.raw(&plan.path) == files.bytes(&plan.path)) {
            measured::add_plans(&mut workspace, &|path| files.raw(path));
        }
        assemble::take_reused(&mut workspace, &|path| {
            Some(measured::digest_of_file(&files.raw(path)?))
        });
    }
    adapters::name_rows(&mut workspace, &|path| files.bytes(path));
    assemble::name_test_reports(&mut workspace, &|path| files.text(path));
    assemble::sort_problems(&mut workspace.problems);

    let settings = settings.of_folder(&prefix);
    let mut source = source.clone();
    source.finish(&mut workspace, &prefix, &settings);
    LoadedWorkspace { workspace, source, prefix, settings, origins: Origins::default() }
}

/// The files of a workspace by their paths in it; `None` for one that cannot be read.
struct Files<'f> {
    source: &'f Guarded,
    raw: &'f dyn Source,
    prefix: &'f str,
}

impl Files<'_> {
    /// The bytes without secrets.
    fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        self.source.read(&names::join(self.prefix, path), read::MAX_DOCUMENT_BYTES).ok()
    }

    fn text(&self, path: &str) -> Option<String> {
        Some(String::from_utf8_lossy(&self.bytes(path)?).into_owned())
    }

    /// The bytes as they are.
    fn raw(&self, path: &str) -> Option<Vec<u8>> {
        let shown = names::join(self.prefix, path);
        self.raw.read(self.source.guard().in_source(&shown), read::MAX_DOCUMENT_BYTES).ok()
    }
}

fn is_reused(run: &Run) -> bool {
    run.reuse.is_some()
}

/// The most files of a copy of the skill that are read, and the most bytes of each.
const COPY_FILES: usize = 200;
const COPY_FILE_BYTES: u64 = 2 * 1024 * 1024;

/// The digest of a copy of the skill; `None` where a file of it is large or cannot be read.
fn digest(snapshot: &Snapshot, source: &Guarded, prefix: &str) -> Option<String> {
    if snapshot.files.is_empty() || snapshot.files.len() > COPY_FILES {
        return None;
    }
    let mut hasher = blake3::Hasher::new();
    // What an editor or a file manager leaves in a copy is no edit of the skill.
    for file in snapshot.files.iter().filter(|file| names::is_of_skill(&file.name)) {
        if file.bytes > COPY_FILE_BYTES {
            return None;
        }
        let bytes = source.read(&names::join(prefix, &file.path), COPY_FILE_BYTES).ok()?;
        let bytes = measured::with_plain_line_ends(bytes);
        for part in [file.name.as_bytes(), &bytes] {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
        }
    }
    Some(hasher.finalize().to_hex().to_string())
}

/// Adds to each run whether it loaded the skill. Transcripts say so, and any file near a run can be
/// one, so the runs must be known first.
fn add_loading(section: &Section, source: &Guarded, workspace: &mut Workspace) {
    let mut paths = BTreeSet::new();
    paths.extend(section.documents.iter().map(|document| document.path.as_str()));
    paths.extend(section.outputs.iter().map(|output| output.file.path.as_str()));
    for ignored in &section.ignored {
        if ignored.files == Some(1) && !is_settings(&ignored.path) {
            paths.insert(&ignored.path);
        }
    }
    let paths: Vec<&str> = paths.into_iter().collect();
    let loadings = read::loading::of_runs(workspace, &paths, source, &section.path);
    assemble::add_loadings(workspace, loadings);
}

/// Every file of settings in a source, and the flags above them.
struct AllSettings<'a> {
    /// By folder, a folder before those in it.
    files: Vec<(String, Settings)>,
    flags: &'a Settings,
}

impl<'a> AllSettings<'a> {
    fn read(guard: &Guard, source: &dyn Source, flags: &'a Settings) -> Result<Self, BadSettings> {
        let mut files = Vec::new();
        for entry in guard.entries() {
            if is_settings(&entry.path) {
                let settings =
                    settings_in(&entry.path, |limit| guard.read(source, &entry.path, limit))?;
                files.push((names::folder(&entry.path).to_owned(), settings));
            }
        }
        Ok(Self { files, flags })
    }

    /// The settings of the workspace in `folder`: those of each folder override those above it.
    fn of_folder(&self, folder: &str) -> Settings {
        let mut settings = Settings::default();
        for (place, own) in &self.files {
            if names::is_in(folder, place) {
                settings.override_with(own);
            }
        }
        settings.override_with(self.flags);
        settings
    }

    /// The mappings of rows: those of the flags, else those of each file for its own folder.
    fn rows(&self) -> Vec<RowSettings<'_>> {
        if !self.flags.rows.is_empty() {
            return vec![RowSettings { folder: "", is_flag: true, rows: &self.flags.rows }];
        }
        let mut rows = Vec::new();
        for (folder, settings) in &self.files {
            if !settings.rows.is_empty() {
                rows.push(RowSettings { folder, is_flag: false, rows: &settings.rows });
            }
        }
        rows
    }

    /// Why a file takes no part: it is a file of settings, or one says so.
    fn why_left_out(&self, path: &str) -> Option<&'static str> {
        if is_settings(path) {
            return Some("the settings of a report");
        }
        let is_left_out = matches_any(&self.flags.leave_out, path)
            || self.files.iter().any(|(folder, settings)| {
                names::below(path, folder)
                    .is_some_and(|path| matches_any(&settings.leave_out, path))
            });
        if is_left_out { Some("left out by the settings") } else { None }
    }
}

fn matches_any(patterns: &[PathPattern], path: &str) -> bool {
    patterns.iter().any(|pattern| pattern.matches(path))
}

fn is_settings(path: &str) -> bool {
    names::file_name(path) == settings::FILE
}

/// The settings in the file at `path`, of which `read` gives the first bytes up to a limit. A file
/// that is not published says nothing.
///
/// # Errors
/// It cannot be read or makes no sense.
pub fn settings_in(
    path: &str,
    read: impl FnOnce(u64) -> io::Result<Vec<u8>>,
) -> Result<Settings, BadSettings> {
    let path = path.to_owned();
    let bytes = match read(settings::MAX_FILE_BYTES + 1) {
        Ok(bytes) if bytes.len() as u64 > settings::MAX_FILE_BYTES => {
            return Err(BadSettings::Unread { path, reason: "it has more than 1 MiB".to_owned() });
        }
        Ok(bytes) => bytes,
        Err(error) if Withheld::new(&error).is_some() => return Ok(Settings::default()),
        Err(error) => return Err(BadSettings::Unread { path, reason: files::reason(&error) }),
    };
    let text = String::from_utf8_lossy(&bytes);
    Settings::read_file(text.trim_start_matches('\u{feff}'), &path)
        .map_err(|error| BadSettings::Wrong { path, error })
}

/// JSON files first, then what is nearest to the root.
fn nearest(sections: &[Section]) -> Vec<String> {
    let mut found: Vec<(&str, String)> = Vec::new();
    for section in sections {
        for document in section.documents.iter().filter(|document| document.kind == Kind::Unknown) {
            let reason = format!("`{}`, which holds no results that evalbook knows", document.path);
            found.push((&document.path, reason));
        }
        for ignored in &section.ignored {
            found.push((&ignored.path, describe_ignored(ignored)));
        }
    }
    found.sort_by_key(|(path, _)| (!path.ends_with(".json"), path.matches('/').count()));
    found.truncate(3);
    found.into_iter().map(|(_, reason)| reason).collect()
}

fn describe_ignored(ignored: &Ignored) -> String {
    let Ignored { path, reason, .. } = ignored;
    if path.is_empty() {
        return format!("the folder itself, which is {reason}");
    }
    // Reasons are predicates, or name what the file is.
    if reason.starts_with("belongs ") || reason.starts_with("lies ") {
        return format!("`{path}`, which {reason}");
    }
    format!("`{path}`, which is {reason}")
}

/// Whether nothing of an evaluation was found: no case, benchmark, comparison, plan or history.
pub fn is_empty(workspace: &Workspace) -> bool {
    !has_results(workspace) && workspace.planned.is_empty()
}

/// Whether anything of an evaluation was found besides planned cases.
pub fn has_results(workspace: &Workspace) -> bool {
    workspace.iterations.iter().any(iteration_has_results)
        || !workspace.histories.is_empty()
        || !workspace.trigger_rounds.is_empty()
}

fn iteration_has_results(iteration: &Iteration) -> bool {
    !iteration.cases.is_empty()
        || !iteration.benchmarks.is_empty()
        || !iteration.comparisons.is_empty()
        || !iteration.analyses.is_empty()
        || !iteration.feedback.is_empty()
}
