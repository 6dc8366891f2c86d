//! Opens workspaces from the paths a user gives.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use crate::analyze::{self, Analysis, Texts};
use crate::baseline_json::digest;
use crate::cli::name_checks::{self, NamedWorkspace};
use crate::cli::{CommandResult, Failure, exit, today};
use crate::render::Part;
use adapters::Origins;
use guard::Guarded;
use input::files::{self, Disk, Source};
use input::model::{Code, Ignored, Severity, Workspace};
use input::names;
use input::settings::{self, Settings};
use text::{count, mistyped};
use workspace::pipeline::{self, BadSettings, Input, Loaded, LoadedWorkspace};

pub(super) struct OpenedWorkspace {
    pub(super) workspace: Workspace,
    /// The source as it may be published.
    pub(super) source: Guarded,
    /// Where the source is on disk: one folder, or all that were joined.
    disks: Arc<[Disk]>,
    /// The workspace's folder below the folder given; empty for that folder itself.
    pub(super) prefix: String,
    pub(super) settings: Settings,
    origins: Origins,
}

impl OpenedWorkspace {
    pub(super) fn analysis(&self) -> Analysis {
        analyze::analysis(&self.workspace, &self.settings)
    }

    /// The analysis with what pages and briefs need from the contents of files.
    pub(super) fn analysis_with_texts(&self) -> Analysis {
        let texts = Texts { source: &self.source, prefix: &self.prefix };
        analyze::analysis_with_texts(&self.workspace, &self.settings, texts)
    }

    pub(super) fn part<'a>(&'a self, analysis: &'a Analysis) -> Part<'a> {
        Part::new(&self.workspace, analysis, &self.source, &self.prefix, &self.settings)
    }

    /// Where a file is on disk: in the first folder that has it, else where it would be in the
    /// first.
    pub(super) fn locate(&self, path: &str) -> PathBuf {
        let path = self.path(path);
        let path = self.origins.of(&path).unwrap_or(&path);
        // A name with a secret is shown with a mark, and lies on disk as it is.
        let path = self.source.guard().in_source(path);
        let mut places = self.disks.iter().map(|disk| disk.locate(path));
        let first = self.disks.first().map(|disk| disk.locate(path)).unwrap_or_default();
        places.find(|file| file.symlink_metadata().is_ok()).unwrap_or(first)
    }

    /// The folder that has the source, the first of those that were joined.
    pub(super) fn disk(&self) -> &Disk {
        &self.disks[0]
    }

    /// How many folders lie between `place`, an absolute path in the workspace, and the folder that has
    /// the workspace; `None` for a place outside of it.
    pub(super) fn levels_above(&self, place: &Path) -> Option<usize> {
        let mut below = self.disks.iter().filter_map(|disk| {
            let root = disk.locate(&self.prefix);
            place.strip_prefix(root).ok().map(|below| below.components().count())
        });
        below.next().map(|below| below + 1)
    }

    pub(super) fn named(&self) -> NamedWorkspace<'_> {
        (&self.workspace, &self.settings)
    }

    /// Digest of the names and contents of the copy of the skill that belongs to an iteration;
    /// `None` without one, and where a file of it cannot be read.
    pub(super) fn skill_digest(&self, iteration: usize) -> Option<String> {
        let mut parts = Vec::new();
        for copy in &self.workspace.snapshots {
            if copy.iteration == Some(iteration) {
                for file in &copy.files {
                    parts.push(file.name.clone().into_bytes());
                    parts.push(self.source.read(&self.path(&file.path), u64::MAX).ok()?);
                }
            }
        }
        if parts.is_empty() { None } else { Some(digest(parts.iter().map(Vec::as_slice))) }
    }

    /// A path of the workspace in its source.
    pub(super) fn path(&self, path: &str) -> String {
        names::join(&self.prefix, path)
    }
}

/// A folder that a user gave.
pub(super) struct InputFolder {
    pub(super) disk: Disk,
    pub(super) name: String,
    /// Its absolute paths, which texts in it may mention.
    pub(super) roots: Vec<String>,
}

impl InputFolder {
    pub(super) fn open(path: &Path) -> CommandResult<Self> {
        let disk = Disk::open(path).map_err(|error| {
            let help = if error.kind() == ErrorKind::PermissionDenied {
                "ask for the right to read it"
            } else {
                "give the folder that holds the iterations, or the results of another tool"
            };
            let failure = Failure::io("open", path, &error);
            let near = name_checks::near_workspace(path);
            let failure = failure.meant(near);
            if let Some(iterations) = name_checks::iterations_beside(path) {
                return failure.help(format!("there are {iterations}"));
            }
            failure.help(name_checks::help_for(path).as_deref().unwrap_or(help))
        })?;
        let name = disk.root().file_name().map(|name| name.to_string_lossy().into_owned());
        let mut roots = Vec::new();
        for root in [path, disk.root()] {
            if let Some(text) = root.to_str().filter(|_| root.is_absolute()) {
                roots.push(text.trim_end_matches('/').to_owned());
            }
        }
        Ok(Self { disk, name: name.unwrap_or_else(|| "workspace".to_owned()), roots })
    }
}

#[derive(Default)]
pub(super) struct OpenedWorkspaces {
    /// The workspaces with any content of an evaluation.
    pub(super) opened: Vec<OpenedWorkspace>,
    /// What lies outside of them.
    pub(super) outside: Vec<Ignored>,
    /// What was opened instead of a folder given.
    pub(super) remarks: Vec<String>,
}

/// Reads every workspace at `paths`; the current folder when none is given.
pub(super) fn open(paths: &[PathBuf], flags: &Settings) -> CommandResult<OpenedWorkspaces> {
    refuse_twice(paths)?;
    let paths = or_current_folder(paths).into_par_iter();
    let found: Vec<_> = paths.map(|path| open_folder_or_its_workspace(path, flags)).collect();
    let mut all = OpenedWorkspaces::default();
    for found in found {
        let found = found?;
        all.opened.extend(found.opened);
        all.outside.extend(found.outside);
        all.remarks.extend(found.remarks);
    }
    all.check_pinned()?;
    Ok(all)
}

fn refuse_twice(paths: &[PathBuf]) -> CommandResult<()> {
    let mut seen = BTreeSet::new();
    for path in paths {
        if path.canonicalize().is_ok_and(|path| !seen.insert(path)) {
            let failure = Failure::usage(format!("`{}` is given twice", path.display()));
            return Err(failure.help("give every workspace once"));
        }
    }
    Ok(())
}

/// People name the skill, whose evaluations lie beside it.
fn open_folder_or_its_workspace(path: &Path, flags: &Settings) -> CommandResult<OpenedWorkspaces> {
    let found = open_folder(path, flags);
    let is_empty = match &found {
        Ok(found) => !found.opened.iter().any(|opened| pipeline::has_results(&opened.workspace)),
        // Settings that cannot be used are no reason to look elsewhere.
        Err(failure) => failure.code == exit::NOTHING,
    };
    if is_empty
        && let Some(workspace) = name_checks::workspace_of_skill(path)
        && let Ok(mut other) = open_folder(&workspace, flags)
    {
        let (path, workspace) = (path.display(), workspace.display());
        other.remarks.push(format!("`{path}` holds no results; reading `{workspace}`"));
        return Ok(other);
    }
    found
}

/// The cases planned in the folder of a skill, whose results lie elsewhere; `None` for any other folder.
pub(super) fn open_skill(path: &Path, flags: &Settings) -> Option<OpenedWorkspace> {
    if !path.join("SKILL.md").is_file() && !path.join("evals/evals.json").is_file() {
        return None;
    }
    let opened = open_folder(path, flags).ok()?.opened;
    opened.into_iter().find(|opened| !opened.workspace.planned.is_empty())
}

fn open_folder(path: &Path, flags: &Settings) -> CommandResult<OpenedWorkspaces> {
    let mut found = OpenedWorkspaces::default();
    let InputFolder { disk, name, roots } = InputFolder::open(path)?;
    let shown = if path == Path::new(".") { name.clone() } else { path.display().to_string() };
    let source = Arc::new(disk.clone());
    let skill = today::skill_of(path);
    let needs_plans = skill.is_some();
    let problems = Vec::new();
    let input = Input { source, name: &name, path: &shown, roots, flags, problems, needs_plans };
    found.read(input, vec![disk]).map_err(|failure| match failure.code {
        exit::NOTHING => failure.meant(name_checks::near_workspace(path)),
        _ => failure,
    })?;
    let mut rounds = found.opened.iter().flat_map(|opened| &opened.workspace.iterations);
    if rounds.all(|iteration| iteration.implicit && !names::is_iteration(&name))
        && let Some(whole) = name_checks::near_workspace(path)
    {
        let remark = format!("`{shown}` is only a part of the workspace `{whole}`: give that");
        found.remarks.push(remark);
    }
    found.remarks.extend(unread_settings(skill.as_ref(), path));
    // Of a folder of many workspaces nobody can say whose skill lies beside it.
    if let (Some(skill), [opened]) = (skill, &mut found.opened[..]) {
        opened.workspace.today = Some(today::skill_today(&skill, opened));
    }
    Ok(found)
}

/// A warning where settings lie in the folder of the skill or in the current one and `given` is elsewhere, or
/// where their name has a slip: a gate there would judge nothing.
fn unread_settings(skill: Option<&Disk>, given: &Path) -> Option<String> {
    let (real, current) = (given.canonicalize().ok()?, Path::new(".").canonicalize().ok()?);
    for name in files::names_in(&real).unwrap_or_default() {
        if let Some(meant) = mistyped(&name, std::iter::once(settings::FILE)) {
            return Some(format!("`{name}` is not read: did you mean `{meant}`?"));
        }
    }
    let folders = [skill.map(Disk::root), Some(&*current)];
    for folder in folders.into_iter().flatten().filter(|folder| !folder.starts_with(&real)) {
        let file = folder.join(settings::FILE);
        if file.is_file() {
            let (file, given) = (file.display(), given.display());
            return Some(format!("`{file}` is not read: move it to `{given}`"));
        }
    }
    None
}

/// The paths given, else the current folder.
pub(super) fn or_current_folder(paths: &[PathBuf]) -> Vec<&Path> {
    if paths.is_empty() {
        return vec![Path::new(".")];
    }
    paths.iter().map(PathBuf::as_path).collect()
}

/// What is at a path: workspaces, or one iteration of a workspace.
pub(super) struct FoundPath {
    pub(super) opened: Vec<OpenedWorkspace>,
    /// The folder of the iteration, if the path is that of one.
    pub(super) iteration: Option<String>,
}

/// Reads what is at `path`. An iteration is read with its workspace, which has the skill and the
/// cases' names.
pub(super) fn find(path: &Path, flags: &Settings) -> CommandResult<FoundPath> {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let name = real.file_name().map(|name| name.to_string_lossy().into_owned());
    if let Some(name) = name {
        let parent = files::parent(&real);
        // A folder named like a version may be a workspace itself.
        let is_version =
            names::version_number(&name).is_some() && !name_checks::holds_iterations(path);
        if names::is_iteration(&name) || is_version {
            let opened = match open(&[parent.to_path_buf()], flags) {
                Err(failure) if is_version && failure.code == exit::NOTHING => Vec::new(),
                all => all?.opened,
            };
            let mut iterations = opened.iter().flat_map(|opened| &opened.workspace.iterations);
            if iterations.any(|iteration| iteration.path == name) {
                return Ok(FoundPath { opened, iteration: Some(name) });
            }
        }
    }
    Ok(FoundPath { opened: open(&[path.to_path_buf()], flags)?.opened, iteration: None })
}

impl OpenedWorkspaces {
    /// Adds the workspaces in a source, which is on `disks`.
    pub(super) fn read(&mut self, input: Input<'_>, disks: Vec<Disk>) -> CommandResult<()> {
        let path = input.path;
        let loaded = pipeline::load(input).map_err(|bad| bad_settings(path, bad))?;
        if loaded.workspaces.iter().all(|found| pipeline::is_empty(&found.workspace)) {
            return Err(nothing_found(path, &loaded));
        }
        let has_results =
            loaded.workspaces.iter().any(|found| pipeline::has_results(&found.workspace));
        let disks: Arc<[Disk]> = disks.into();
        self.outside.extend(loaded.outside);
        for LoadedWorkspace { workspace, source, prefix, settings, origins } in loaded.workspaces {
            if let Some(reason) = why_left_out(&workspace, has_results) {
                let files = Some(workspace.files);
                self.outside.push(Ignored { path: prefix, reason, files });
            } else {
                let disks = Arc::clone(&disks);
                self.opened.push(OpenedWorkspace {
                    workspace,
                    source,
                    disks,
                    prefix,
                    settings,
                    origins,
                });
            }
        }
        Ok(())
    }

    /// Refuses settings that compare with an iteration that does not exist.
    pub(super) fn check_pinned(&self) -> CommandResult<()> {
        name_checks::check_pinned(&self.named())
    }

    /// Refuses settings that name a configuration that no iteration has.
    pub(super) fn checked(self) -> CommandResult<Self> {
        name_checks::check_configurations(&self.named())?;
        Ok(self)
    }

    fn named(&self) -> Vec<NamedWorkspace<'_>> {
        self.opened.iter().map(OpenedWorkspace::named).collect()
    }

    /// Renames every configuration to its label.
    pub(super) fn labelled(mut self) -> CommandResult<Self> {
        for opened in &mut self.opened {
            let labels = opened.settings.labels.iter().cloned().collect();
            pipeline::relabel(&mut opened.workspace, &labels).map_err(|label| {
                let message = format!("`labels`: two configurations would be called `{label}`");
                Failure::usage(message).help("give each a label of its own")
            })?;
        }
        Ok(self)
    }
}

/// Why a workspace is left out of the report; `None` if it belongs there.
fn why_left_out(workspace: &Workspace, others_have_results: bool) -> Option<&'static str> {
    if pipeline::has_results(workspace) {
        return None;
    }
    // Repositories of many skills also have folders of skills that were never evaluated.
    if pipeline::is_empty(workspace) {
        return Some("holds no evaluation results");
    }
    // What is wrong with a plan is still reported.
    let is_sound = workspace.problems.iter().all(|problem| problem.severity() == Severity::Note);
    if others_have_results && is_sound { Some("plans cases and holds no results") } else { None }
}

/// The failure for settings in `folder` that cannot be used.
pub(super) fn bad_settings(folder: impl Display, bad: BadSettings) -> Failure {
    let message = format!("{folder}: {bad}");
    match bad {
        BadSettings::Wrong { error, .. } => {
            error.help.into_iter().fold(Failure::usage(message), Failure::help)
        }
        BadSettings::Unread { .. } => Failure::nothing(message)
            .help("put a file there that can be read, or remove it: what it says is not known"),
    }
}

/// `path` is what the user gave.
fn nothing_found(path: &str, loaded: &Loaded) -> Failure {
    let mut failure = Failure::nothing(format!("found no evaluation results in `{path}`"));
    let mut unused = Vec::new();
    for LoadedWorkspace { workspace, prefix, .. } in &loaded.workspaces {
        for problem in &workspace.problems {
            if problem.severity() != Severity::Note {
                let (path, message) = (names::join(prefix, &problem.path), &problem.message);
                unused.push(match &problem.help {
                    Some(help)
                        if matches!(
                            problem.code,
                            Code::UnreadResults | Code::ResultsNotRead | Code::RowsMismatch
                        ) =>
                    {
                        format!("`{path}`: {message}; {help}")
                    }
                    _ => format!("found `{path}`, but nothing in it could be used: {message}"),
                });
            }
        }
    }
    // More would push the advice below off the screen.
    for line in unused.iter().take(3).flat_map(|found| found.lines()) {
        failure = failure.help(line);
    }
    failure = failure.help(
        "looked for folders such as `iteration-1/<case>/<configuration>/` with `grading.json`, \
         `timing.json` or `outputs/`, and for `evals.json` and `benchmark.json`",
    );
    let files: usize = loaded.workspaces.iter().map(|found| found.workspace.files).sum();
    // People point at the folder that they would show others.
    if loaded.nearest.iter().any(|found| found.contains("benchmark.md`")) {
        failure = failure.help(
            "`benchmark.md` was made from other files: point evalbook at the folder with the \
             `grading.json` of each run, or with `benchmark.json`",
        );
    }
    if loaded.nearest.iter().any(|found| found.contains("SKILL.md`")) {
        failure = failure.help(
            "a skill without evaluations: write its `evals/evals.json`, then `evalbook init SKILL`",
        );
    }
    if loaded.nearest.iter().any(|found| found.contains("an earlier report of evalbook")) {
        failure = failure.help("give the workspace that the report was built from");
    }
    if !loaded.nearest.is_empty() {
        failure.help(format!("the nearest thing found: {}", loaded.nearest.join("; ")))
    } else if files == 0 {
        failure.help("there is no file in it; `evalbook init` starts a workspace")
    } else if unused.is_empty() {
        failure.help(format!("none of its {} is one of them", count(files, "file")))
    } else {
        failure
    }
}
