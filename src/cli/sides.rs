//! From a path a user gives to one side of a comparison, and from two sides to one workspace.

use std::path::{Path, PathBuf};

use crate::analyze;
use crate::cli::named::Named;
use crate::cli::settings::bad_settings;
use crate::cli::workspaces::{self, Opening};
use crate::cli::{Failure, Outcome};
use crate::files::{self, Disk, Source};
use crate::model::{Iteration, Snapshot, Workspace};
use crate::pipeline;
use crate::report_json::{self, ReadBack, add_evidence};
use crate::settings::{self, Settings};

pub(super) struct Place {
    pub(super) shown: String,
    workspace: Workspace,
    iteration: usize,
    pub(super) settings: Settings,
}

impl Place {
    pub(super) fn named(&self) -> Named<'_> {
        (&self.workspace, &self.settings)
    }

    pub(super) fn iteration(&self) -> &Iteration {
        &self.workspace.iterations[self.iteration]
    }
}

/// The iteration that `path` means: a folder of an iteration, the newest graded iteration of a
/// workspace or of a `report.json`, or the one named after a `#`.
pub(super) fn find(path: &Path, flags: &Settings) -> Outcome<Place> {
    let (path, wanted) = parts(path);
    let shown = path.display().to_string();
    let (workspace, settings, only) = match path.is_file() {
        true => of_report(&path, flags)?,
        false => of_folder(&path, flags)?,
    };
    let named = |iteration: &Iteration| match (&only, &wanted) {
        (Some(only), _) => iteration.path == *only,
        (None, Some(wanted)) => iteration.name == *wanted || iteration.path == *wanted,
        (None, None) => false,
    };
    let iteration = match (only.is_some(), &wanted) {
        (false, None) => analyze::analysis(&workspace, &settings).newest(),
        _ => workspace.iterations.iter().position(named),
    };
    let shown = wanted.as_ref().map_or(shown.clone(), |wanted| format!("{shown}#{wanted}"));
    match iteration {
        Some(iteration) => Ok(Place { shown, workspace, iteration, settings }),
        None => Err(missing(&shown, wanted.as_deref(), &workspace)),
    }
}

pub(super) fn parts(path: &Path) -> (PathBuf, Option<String>) {
    let text = path.to_string_lossy();
    match text.rsplit_once('#') {
        Some((before, wanted)) if !path.exists() && !wanted.is_empty() => {
            (PathBuf::from(before), Some(wanted.to_owned()))
        }
        _ => (path.to_path_buf(), None),
    }
}

fn missing(shown: &str, wanted: Option<&str>, workspace: &Workspace) -> Failure {
    let names: Vec<&str> =
        workspace.iterations.iter().map(|iteration| iteration.name.as_str()).collect();
    match wanted {
        Some(_) => Failure::usage(format!("there is no iteration `{shown}`"))
            .help(format!("there are `{}`", names.join("`, `"))),
        None => Failure::nothing(format!("`{shown}` holds no run of a candidate with a verdict")),
    }
}

type Read = (Workspace, Settings, Option<String>);

fn of_folder(path: &Path, flags: &Settings) -> Outcome<Read> {
    let (mut opened, only) = workspaces::find(path, flags)?;
    let holds = |workspace: &Workspace| {
        only.as_ref()
            .is_none_or(|only| workspace.iterations.iter().any(|iteration| iteration.path == *only))
    };
    opened.retain(|opened| holds(&opened.workspace));
    let count = opened.len();
    let opened = Opening { opened, ..Opening::default() }.labelled()?.opened.pop();
    match (opened, count) {
        (Some(opened), 1) => Ok((opened.workspace, opened.settings, only)),
        _ => Err(Failure::usage(format!("`{}` holds {count} workspaces", path.display()))
            .help("give the folder of one of them")),
    }
}

fn of_report(path: &Path, flags: &Settings) -> Outcome<Read> {
    let shown = path.display();
    let refused = |why: &str| Failure::nothing(format!("cannot read `{shown}`: {why}"));
    // What the user names may be a link; what lies beside it may not.
    let bytes = path.canonicalize().and_then(|path| files::read(&path, u64::MAX));
    let bytes = bytes.map_err(|error| refused(&files::reason(&error)))?;
    let text = String::from_utf8(bytes).map_err(|_| refused("it is not UTF-8 text"))?;
    let mut found = report_json::read(&text).map_err(|error| {
        Failure::nothing(format!("cannot read {shown}:{error}"))
            .help("give the `report.json` of a report, an iteration's folder or a workspace")
    })?;
    let count = found.len();
    let Some(ReadBack { mut workspace, benchmarks, baselines }) =
        found.pop().filter(|_| count == 1)
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
    // What the settings of the report said is known by the baseline it found.
    let baseline = baselines.into_iter().rev().flatten().next();
    let written = baseline.map(|name| format!("baseline = {}", serde_json::Value::from(name)));
    let mut settings = Settings::read(&written.unwrap_or_default()).unwrap_or_default();
    settings.lay_over(&settings_in(folder)?);
    settings.lay_over(flags);
    Ok((workspace, settings, None))
}

/// What the file of settings in `folder` says; nothing where there is none.
fn settings_in(folder: &Path) -> Outcome<Settings> {
    let file = folder.join(settings::FILE);
    let read = |limit| Ok(files::regular(&file, limit)?.unwrap_or_default());
    pipeline::settings_in(settings::FILE, read).map_err(|bad| bad_settings(folder.display(), bad))
}

/// Both iterations in one workspace: the base first, with names that tell them apart. Everything
/// else is the head's.
pub(super) fn joined(base: &Place, head: &Place) -> Workspace {
    let names = names(base, head);
    let iterations = [base, head].into_iter().zip(names);
    let iterations = iterations.map(|(side, name)| Iteration { name, ..side.iteration().clone() });
    let snapshots = [base, head].into_iter().enumerate().flat_map(|(at, side)| {
        let own = side.workspace.snapshots.iter();
        let own = own.filter(|copy| copy.iteration == Some(side.iteration));
        own.map(move |copy| Snapshot { iteration: Some(at), ..copy.clone() })
    });
    Workspace {
        name: head.workspace.name.clone(),
        path: head.workspace.path.clone(),
        skill: head.workspace.skill.clone(),
        iterations: iterations.collect(),
        snapshots: snapshots.collect(),
        gates: head.workspace.gates.clone(),
        ..Workspace::default()
    }
}

/// The iterations' own names; where they are equal, the paths given; where those are too, what they
/// are here.
fn names(base: &Place, head: &Place) -> [String; 2] {
    let own = [base, head].map(|side| side.iteration().name.clone());
    if own[0] != own[1] {
        return own;
    }
    let shown = [base, head].map(|side| side.shown.clone());
    if shown[0] != shown[1] {
        return shown;
    }
    let [base, head] = own;
    [format!("{base} (base)"), format!("{head} (head)")]
}
