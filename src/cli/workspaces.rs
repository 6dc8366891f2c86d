//! Opens workspaces from the paths a user gives.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::analyze::{self, Analysis};
use crate::cli::name_checks::{self, NamedWorkspace};
use crate::cli::settings::bad_settings;
use crate::cli::{CommandResult, Failure, exit};
use crate::discover::names;
use crate::files::{Disk, Source};
use crate::guard::Guarded;
use crate::model::{Ignored, Severity, Workspace};
use crate::pipeline::{self, Loaded, Read, SourceNotes};
use crate::render::Part;
use crate::settings::Settings;
use crate::text::count;

/// The most documents named when none of them had any content.
const MOST_LINES: usize = 3;

pub(super) struct OpenedWorkspace {
    pub(super) workspace: Workspace,
    pub(super) disk: Guarded,
    /// Where the source is: one folder, or those of the parts of a workspace.
    disks: Arc<[Disk]>,
    /// The workspace's folder below the folder given; empty for that folder itself.
    pub(super) prefix: String,
    pub(super) settings: Settings,
}

impl OpenedWorkspace {
    pub(super) fn analysis(&self) -> Analysis {
        analyze::analysis(&self.workspace, &self.settings)
    }

    pub(super) fn part<'a>(&'a self, analysis: &'a Analysis) -> Part<'a> {
        let Self { workspace, disk, prefix, settings, .. } = self;
        Part::new(workspace, analysis, (disk, prefix), settings)
    }

    /// Where a file is on disk: in the first folder that has it, else where it would be in the
    /// first.
    pub(super) fn locate(&self, path: &str) -> PathBuf {
        let path = self.path(path);
        let path = self.disk.guard().in_source(&path);
        let mut all = self.disks.iter().map(|disk| disk.locate(path));
        let first = self.disks.first().map(|disk| disk.locate(path)).unwrap_or_default();
        all.find(|file| file.symlink_metadata().is_ok()).unwrap_or(first)
    }

    pub(super) fn holds(&self, place: &Path) -> bool {
        self.disks.iter().any(|disk| place.starts_with(disk.locate(&self.prefix)))
    }

    pub(super) fn named(&self) -> NamedWorkspace<'_> {
        (&self.workspace, &self.settings)
    }

    pub(super) fn path(&self, path: &str) -> String {
        names::join(&self.prefix, path)
    }
}

#[derive(Default)]
pub(super) struct OpenedWorkspaces {
    /// The workspaces with any content of an evaluation.
    pub(super) opened: Vec<OpenedWorkspace>,
    pub(super) outside: Vec<Ignored>,
    pub(super) names: Vec<String>,
    /// The files left out by the settings, below their root folder.
    pub(super) left_out: BTreeSet<String>,
}

/// Reads every workspace at `paths`; the current folder when none is given.
pub(super) fn open(paths: &[PathBuf], flags: &Settings) -> CommandResult<OpenedWorkspaces> {
    let mut opening = OpenedWorkspaces::default();
    for path in or_current_folder(paths) {
        let (disk, name, roots) = open_disk(path)?;
        let name = name.unwrap_or_else(|| "workspace".to_owned());
        let shown = path.display().to_string();
        let shown = if shown == "." { name.clone() } else { shown };
        let (source, disks) = (Arc::new(disk.clone()), Arc::new([disk]));
        let input =
            WorkspaceInput { source, disks, name, shown, roots, notes: SourceNotes::default() };
        read(input, flags, &mut opening).map_err(|failure| match failure.code {
            exit::NOTHING => failure.meant(name_checks::near_workspace(path)),
            _ => failure,
        })?;
    }
    opening.pinned()
}

/// The paths given, else the current folder.
pub(super) fn or_current_folder(paths: &[PathBuf]) -> Vec<&Path> {
    match paths.is_empty() {
        true => vec![Path::new(".")],
        false => paths.iter().map(PathBuf::as_path).collect(),
    }
}

/// The workspaces at a path, and the folder of the iteration meant, if it is one.
pub(super) type OpenedPath = (Vec<OpenedWorkspace>, Option<String>);

/// An iteration is read with its workspace, which has the skill and the cases' names.
pub(super) fn find(path: &Path, flags: &Settings) -> CommandResult<OpenedPath> {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let name = real.file_name().map(|name| name.to_string_lossy().into_owned());
    // A folder named like a version may be a workspace itself.
    let is_version = |name: &String| {
        names::version_number(name).is_some() && !name_checks::holds_iterations(path)
    };
    let name = name.filter(|name| names::is_iteration(name) || is_version(name));
    if let (Some(name), Some(parent)) = (name, real.parent()) {
        let opened = match open(&[parent.to_path_buf()], flags) {
            Err(failure) if is_version(&name) && failure.code == exit::NOTHING => Vec::new(),
            opening => opening?.opened,
        };
        let mut iterations = opened.iter().flat_map(|opened| &opened.workspace.iterations);
        if iterations.any(|iteration| iteration.path == name) {
            return Ok((opened, Some(name)));
        }
    }
    Ok((open(&[path.to_path_buf()], flags)?.opened, None))
}

impl OpenedWorkspaces {
    /// Refuses settings that compare with an iteration that does not exist.
    pub(super) fn pinned(self) -> CommandResult<Self> {
        name_checks::check_pinned(&self.named())?;
        Ok(self)
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
            pipeline::relabel(&mut opened.workspace, &opened.settings.labels).map_err(|label| {
                let message = format!("`labels`: two configurations would be called `{label}`");
                Failure::usage(message).help("give each a label of its own")
            })?;
        }
        Ok(self)
    }
}

pub(super) struct WorkspaceInput {
    pub(super) source: Arc<dyn Source>,
    pub(super) disks: Arc<[Disk]>,
    pub(super) name: String,
    pub(super) shown: String,
    pub(super) roots: Vec<String>,
    pub(super) notes: SourceNotes,
}

pub(super) fn read(
    input: WorkspaceInput,
    flags: &Settings,
    opening: &mut OpenedWorkspaces,
) -> CommandResult<()> {
    let WorkspaceInput { source, disks, name, shown, roots, notes } = input;
    let (loaded, source) = pipeline::load_guarded(source, (&name, &shown), flags, &roots, notes)
        .map_err(|bad| bad_settings(&shown, bad))?;
    if loaded.workspaces.iter().all(|read| pipeline::is_empty(&read.workspace)) {
        return Err(nothing_found(&shown, &loaded));
    }
    opening.outside.extend(loaded.outside);
    opening.names.push(name);
    opening.left_out.extend(loaded.left_out);
    let has_results = loaded.workspaces.iter().any(|read| pipeline::has_results(&read.workspace));
    for Read { mut workspace, prefix, mut settings } in loaded.workspaces {
        if let Some(reason) = left_out(&workspace, has_results) {
            let files = Some(workspace.files);
            opening.outside.push(Ignored { path: prefix, reason, files });
        } else {
            settings.override_with(flags);
            let mut disk = source.clone();
            disk.finish(&mut workspace, &prefix, &settings);
            let disks = Arc::clone(&disks);
            opening.opened.push(OpenedWorkspace { workspace, disk, disks, prefix, settings });
        }
    }
    Ok(())
}

/// Why a workspace is left out. Problems of a plan are still reported.
fn left_out(workspace: &Workspace, others_have_results: bool) -> Option<&'static str> {
    let is_sound = workspace.problems.iter().all(|problem| problem.severity() == Severity::Note);
    match pipeline::has_results(workspace) {
        true => None,
        false if pipeline::is_empty(workspace) => Some("holds no evaluation results"),
        false => (others_have_results && is_sound).then_some("plans cases and holds no results"),
    }
}

/// A folder, its name, and the folders that texts may call the workspace's own.
pub(super) fn open_disk(path: &Path) -> CommandResult<(Disk, Option<String>, Vec<String>)> {
    let disk = Disk::open(path).map_err(|error| {
        let failure = Failure::io("open", path, &error).meant(name_checks::near_workspace(path));
        failure.help(match error.kind() {
            ErrorKind::PermissionDenied => "ask for the right to read it",
            _ => "give the folder that holds the iterations",
        })
    })?;
    let name = disk.root().file_name().map(|name| name.to_string_lossy().into_owned());
    let roots = [path, disk.root()].into_iter().filter(|root| root.is_absolute());
    let roots = roots.filter_map(|root| Some(root.to_str()?.trim_end_matches('/').to_owned()));
    let roots = roots.collect();
    Ok((disk, name, roots))
}

fn nothing_found(shown: &str, loaded: &Loaded) -> Failure {
    let failure = Failure::nothing(format!("found no evaluation results in `{shown}`"))
        .meant(name_checks::near_workspace(Path::new(shown)));
    let mut lines = Vec::new();
    for read in &loaded.workspaces {
        let problems = read.workspace.problems.iter();
        for problem in problems.filter(|problem| problem.severity() != Severity::Note) {
            let (path, message) = (names::join(&read.prefix, &problem.path), &problem.message);
            lines.push(format!("found `{path}`, but nothing in it could be used: {message}"));
        }
    }
    let failure = lines.iter().take(MOST_LINES).cloned().fold(failure, Failure::help);
    let failure = failure.help(
        "looked for folders such as `iteration-1/<case>/<configuration>/` with `grading.json`, \
               `timing.json` or `outputs/`, and for `evals.json` and `benchmark.json`",
    );
    let files: usize = loaded.workspaces.iter().map(|read| read.workspace.files).sum();
    match files {
        _ if !loaded.nearest.is_empty() => {
            failure.help(format!("the nearest thing found: {}", loaded.nearest.join("; ")))
        }
        0 => failure.help("there is no file in it; `evalbook init` starts a workspace"),
        _ if !lines.is_empty() => failure,
        _ => failure.help(format!("none of its {} is one of them", count(files, "file"))),
    }
}
