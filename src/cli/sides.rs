//! Opens one side of a comparison: an iteration, a workspace, a report or a baseline.

use std::path::{Path, PathBuf};

use crate::analyze;
use crate::baseline_json::Baseline;
use crate::cli::name_checks::{self, NamedWorkspace};
use crate::cli::workspaces::{self, FoundPath, OpenedWorkspace, OpenedWorkspaces, bad_settings};
use crate::cli::{CommandResult, Failure, git};
use crate::digest::judged_round;
use crate::gate::NotCheckable;
use crate::report_json::{self, ReadBack, ReadError, add_evidence};
use guard::LastLook;
use input::discover::REPORT_MARK;
use input::files::{self, Disk, Source};
use input::model::{Iteration, Workspace};
use input::names;
use input::settings::{self, Settings};
use serde::de::IgnoredAny;
use workspace::pipeline;

pub(super) struct LoadedPath {
    pub(super) shown: String,
    pub(super) workspace: Workspace,
    pub(super) iteration: usize,
    /// The folder of the iteration, or its name in a report, on this machine.
    pub(super) place: PathBuf,
    /// An iteration that is newer, where none was asked for by name.
    pub(super) newer: Option<NotCheckable<'static>>,
    pub(super) settings: Settings,
    /// Digest of the copy of the skill that belongs to the iteration, if it is at hand.
    pub(super) skill_digest: Option<String>,
    /// Finds secrets that were found in the files; blind for a report.
    pub(super) last_look: LastLook,
    /// What differs between a baseline and the side that it is compared with.
    pub(super) remarks: Vec<String>,
}

impl LoadedPath {
    pub(super) fn named(&self) -> NamedWorkspace<'_> {
        (&self.workspace, &self.settings)
    }

    pub(super) fn iteration(&self) -> &Iteration {
        &self.workspace.iterations[self.iteration]
    }
}

/// The iteration at `path`, the newest graded one, or the one named after a `#`.
pub(super) fn find(path: &Path, flags: &Settings) -> CommandResult<LoadedPath> {
    let (mut path, wanted) = split_iteration(path);
    if path.join(REPORT_MARK).is_file() {
        path.push("report.json");
    }
    refuse_separator(&path)?;
    if !path.is_file() {
        return chosen(read_folder(&path, flags)?, &path, wanted.as_deref());
    }
    let text = text_of(&path)?;
    if Baseline::read(&text).is_some() {
        let message = format!("`{}` is a baseline, which has no run to be judged", path.display());
        return Err(Failure::usage(message)
            .help("give it as the first side, and the workspace as the second"));
    }
    chosen(read_report(&path, &text, flags)?, &path, wanted.as_deref())
}

/// The side that `head` is compared with. A baseline may be that of a commit: `REV:PATH`.
pub(super) fn find_base(
    path: &Path,
    head: &LoadedPath,
    flags: &Settings,
) -> CommandResult<LoadedPath> {
    // A pull request compares with the default branch, which is not checked out.
    let text = if path.is_file() {
        text_of(path)?
    } else if let Some(text) = git::file_of_commit(path) {
        refuse_unmerged(path, &text)?;
        if Baseline::read(&text).is_none() {
            let shown = path.display();
            let message = match serde_json::from_str::<IgnoredAny>(&text) {
                Ok(_) => format!("`{shown}` is no baseline"),
                Err(error) => format!("cannot read {shown}: {error}"),
            };
            let help = "make it again: `evalbook baseline WORKSPACE -o FILE --update`";
            return Err(Failure::nothing(message).help(help));
        }
        text
    } else if let Some((message, near)) = git::missing_in_commit(path).filter(|_| !path.exists()) {
        return Err(Failure::nothing(message).meant(near));
    } else if !path.exists() && path.extension().is_some_and(|ending| ending == "json") {
        let shown = path.display();
        return Err(Failure::nothing(format!("there is no file `{shown}`"))
            .help(format!("to make it: `evalbook baseline WORKSPACE -o {shown}`")));
    } else {
        return find(path, flags).map_err(|failure| failure.meant(baseline_in(path)));
    };
    refuse_unmerged(path, &text)?;
    let Some(baseline) = Baseline::read(&text) else { return find(path, flags) };
    let baseline = baseline.map_err(|error| {
        unreadable(path, &error).help(format!(
            "make it again: `evalbook baseline WORKSPACE -o {} --update`",
            path.display()
        ))
    })?;
    let iteration = baseline.bind(head.iteration());
    let name = iteration.path.clone();
    let workspace = Workspace {
        name: head.workspace.name.clone(),
        path: path.display().to_string(),
        skill: baseline.skill.clone(),
        iterations: vec![iteration],
        ..Workspace::default()
    };
    let mut settings =
        Settings { baseline: baseline.compared_against.clone(), ..Settings::default() };
    settings.override_with(flags);
    let root = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let side = ReadSide { only: Some(name), ..ReadSide::new(workspace, root, settings) };
    let mut base = chosen(side, path, None)?;
    base.remarks = baseline.other_prompts(head.iteration());
    base.skill_digest.clone_from(&baseline.skill_digest);
    if let (Some(before), Some(after)) = (&baseline.skill_digest, &head.skill_digest) {
        base.remarks.push(if before == after {
            format!("the runs measured the skill of the baseline ({before})")
        } else {
            format!(
                "the runs measured another skill than the baseline: {before} there, {after} here"
            )
        });
    }
    Ok(base)
}

/// Splits `PATH#iteration`; a path that exists is not split.
pub(super) fn split_iteration(path: &Path) -> (PathBuf, Option<String>) {
    let text = path.to_string_lossy();
    match text.rsplit_once('#') {
        Some((before, wanted)) if !path.exists() && !wanted.is_empty() => {
            // Who stands in the workspace names the iteration alone.
            let before = if before.is_empty() { "." } else { before };
            (PathBuf::from(before), Some(wanted.to_owned()))
        }
        _ => (path.to_path_buf(), None),
    }
}

/// Refuses `WORKSPACE:iteration-1` and the like, where only `#` names an iteration.
fn refuse_separator(path: &Path) -> CommandResult<()> {
    let text = path.to_string_lossy();
    if let Some((workspace, name)) = text.rsplit_once([':', '@'])
        && names::is_iteration(name)
        && Path::new(workspace).is_dir()
        && !path.exists()
    {
        let failure = Failure::usage(format!("there is no `{text}`"));
        return Err(failure.meant(Some(format!("{workspace}#{name}"))));
    }
    Ok(())
}

/// The iteration of `side` that is meant.
fn chosen(side: ReadSide, path: &Path, wanted: Option<&str>) -> CommandResult<LoadedPath> {
    let ReadSide { workspace, root, settings, only, opened } = side;
    let mut iterations = workspace.iterations.iter();
    let (mut newer, mut remarks) = (None, Vec::new());
    let iteration = match (&only, wanted) {
        (Some(only), _) => iterations.position(|iteration| iteration.path == *only),
        (None, Some(name)) => {
            iterations.position(|iteration| iteration.name == name || iteration.path == name)
        }
        (None, None) => {
            let analysis = analyze::analysis(&workspace, &settings);
            let newest = analysis.newest();
            let judged = newest.map(|newest| judged_round(&workspace, &analysis, newest));
            if let (Some(newest), Some((judged, _))) = (newest, &judged)
                && newest != *judged
            {
                let [newest, judged] = [newest, *judged].map(|at| &workspace.iterations[at].name);
                let text = format!("The skill is that of {judged} again, so {judged}");
                remarks.push(format!("{text} is taken, not {newest}."));
            }
            let (iteration, obstacle) = judged.unzip();
            newer = obstacle.flatten();
            iteration
        }
    };
    let name = wanted.map_or(String::new(), |wanted| format!("#{wanted}"));
    let shown = format!("{}{name}", path.display());
    let Some(iteration) = iteration else {
        if wanted.is_none() {
            let message = format!("`{shown}` holds no run of a candidate with a verdict");
            return Err(Failure::nothing(message));
        }
        let names = workspace.iterations.iter().map(|iteration| iteration.name.as_str());
        return Err(Failure::usage(format!("there is no iteration `{shown}`"))
            .help(format!("there are {}", name_checks::list(names))));
    };
    let place = root.join(&workspace.iterations[iteration].path);
    let skill_digest = opened.as_ref().and_then(|opened| opened.skill_digest(iteration));
    let last_look = LastLook::new(opened.iter().map(|opened| &opened.source));
    Ok(LoadedPath {
        shown,
        workspace,
        iteration,
        place,
        newer,
        settings,
        skill_digest,
        last_look,
        remarks,
    })
}

struct ReadSide {
    workspace: Workspace,
    /// The folder of the workspace, or the file of the report.
    root: PathBuf,
    settings: Settings,
    /// The folder of the iteration, if the path is that of one.
    only: Option<String>,
    /// The folder as it was opened; `None` for a file.
    opened: Option<OpenedWorkspace>,
}

impl ReadSide {
    fn new(workspace: Workspace, root: PathBuf, settings: Settings) -> Self {
        Self { workspace, root, settings, only: None, opened: None }
    }
}

fn read_folder(path: &Path, flags: &Settings) -> CommandResult<ReadSide> {
    let FoundPath { mut opened, iteration: only } = workspaces::find(path, flags)?;
    if let Some(only) = &only {
        opened.retain(|opened| {
            opened.workspace.iterations.iter().any(|iteration| iteration.path == *only)
        });
    }
    let count = opened.len();
    let folders: Vec<String> =
        opened.iter().map(|found| path.join(&found.prefix).display().to_string()).collect();
    let labelled = OpenedWorkspaces { opened, ..OpenedWorkspaces::default() }.labelled()?;
    match labelled.opened.into_iter().next() {
        Some(mut opened) if count == 1 => {
            let workspace = opened.workspace.clone();
            let settings = std::mem::take(&mut opened.settings);
            let side = ReadSide::new(workspace, opened.locate(""), settings);
            Ok(ReadSide { only, opened: Some(opened), ..side })
        }
        _ => Err(Failure::usage(format!("`{}` holds {count} workspaces", path.display()))
            .help(format!("give one of them: {}", name_checks::list(folders)))),
    }
}

/// The text of a file that the user named.
fn text_of(path: &Path) -> CommandResult<String> {
    // A path named by the user may be a link; files next to it may not.
    let bytes = path.canonicalize().and_then(|path| files::read(&path, u64::MAX));
    let bytes = bytes.map_err(|error| Failure::io("read", path, &error))?;
    String::from_utf8(bytes).map_err(|_| {
        Failure::nothing(format!("cannot read `{}`: it is not UTF-8 text", path.display()))
            .help("write it with `-o`: a redirection of PowerShell is UTF-16")
    })
}

/// Refuses a baseline in which two branches were not merged.
fn refuse_unmerged(path: &Path, text: &str) -> CommandResult<()> {
    let Some(at) = text.lines().position(|line| line.starts_with("<<<<<<< ")) else {
        return Ok(());
    };
    let shown = path.display();
    let failure = Failure::nothing(format!("{shown}:{}: a merge is not resolved", at + 1));
    Err(failure.help("make it again: `evalbook baseline WORKSPACE -o FILE --update`"))
}

/// The only baseline in a folder that is given in its place.
fn baseline_in(folder: &Path) -> Option<String> {
    let mut files = Vec::new();
    for name in files::names_in(folder).unwrap_or_default() {
        let file = folder.join(&name);
        if name.ends_with(".json")
            && files::text(&file).is_some_and(|text| Baseline::read(&text).is_some())
        {
            files.push(file.display().to_string());
        }
    }
    if files.len() == 1 { files.pop() } else { None }
}

fn unreadable(path: &Path, error: &ReadError) -> Failure {
    Failure::nothing(format!("cannot read {}:{error}", path.display()))
}

fn read_report(path: &Path, text: &str, flags: &Settings) -> CommandResult<ReadSide> {
    let shown = path.display();
    let mut report = report_json::read(text).map_err(|error| {
        let beside = path.with_file_name("report.json");
        let is_page = path.extension().is_some_and(|ending| ending == "html") && beside.is_file();
        let report = if is_page { Some(beside.display().to_string()) } else { None };
        unreadable(path, &error)
            .meant(report)
            .help("give the `report.json` of a report, a baseline, an iteration's folder or a workspace")
            .help("a file that breaks off must be made again; `evalbook baseline` makes a baseline")
    })?;
    let count = report.len();
    let Some(ReadBack { mut workspace, benchmarks, baseline }) =
        report.pop().filter(|_| count == 1)
    else {
        return Err(Failure::usage(format!("`{shown}` holds {count} workspaces"))
            .help("give a report of one workspace"));
    };
    let folder = files::parent(path);
    let disk = Disk::open(folder).ok();
    for (iteration, benchmark) in workspace.iterations.iter_mut().zip(&benchmarks) {
        let bytes = disk.as_ref().and_then(|disk| disk.read(benchmark, u64::MAX).ok());
        if let Some(text) = bytes.and_then(|bytes| String::from_utf8(bytes).ok()) {
            add_evidence(iteration, &text);
        }
    }
    workspace.path = shown.to_string();
    // The settings of the report show in the baseline it found.
    let mut settings = Settings { baseline, ..Settings::default() };
    let file = folder.join(settings::FILE);
    let own_settings = pipeline::settings_in(settings::FILE, |limit| {
        Ok(files::regular(&file, limit)?.unwrap_or_default())
    });
    settings.override_with(&own_settings.map_err(|bad| bad_settings(folder.display(), bad))?);
    settings.override_with(flags);
    let root = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    Ok(ReadSide::new(workspace, root, settings))
}
