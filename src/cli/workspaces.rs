//! From the paths a user gives to workspaces.

use std::path::{Path, PathBuf};

use crate::cli::failure::Failure;
use crate::discover::names;
use crate::files::{self, Disk};
use crate::model::{Ignored, Workspace};
use crate::pipeline::{self, Loaded};

/// A workspace with the folder it was read from.
pub(super) struct Opened {
    /// What was read.
    pub(super) workspace: Workspace,
    /// The folder given, in which every path of the workspace lies.
    pub(super) disk: Disk,
    /// The workspace's folder below the folder given; empty for that folder itself.
    pub(super) prefix: String,
}

impl Opened {
    /// The path of one of the workspace's files below the folder given.
    pub(super) fn path(&self, path: &str) -> String {
        names::join(&self.prefix, path)
    }
}

/// What was found at the paths given.
#[derive(Default)]
pub(super) struct Opening {
    /// The workspaces that hold something of an evaluation.
    pub(super) opened: Vec<Opened>,
    /// Files and folders beside them, in a folder of many workspaces.
    pub(super) outside: Vec<Ignored>,
}

/// Reads every workspace at `paths`; the current folder when none is given.
pub(super) fn open(paths: &[PathBuf]) -> Result<Opening, Failure> {
    let here = [PathBuf::from(".")];
    let paths = if paths.is_empty() { &here[..] } else { paths };
    let mut opening = Opening::default();
    for path in paths {
        open_one(path, &mut opening)?;
    }
    Ok(opening)
}

fn open_one(path: &Path, opening: &mut Opening) -> Result<(), Failure> {
    let shown = path.display().to_string();
    let disk = open_disk(path)?;
    let name = disk
        .root()
        .file_name()
        .map_or_else(|| "workspace".to_owned(), |name| name.to_string_lossy().into_owned());
    let shown = if shown == "." { name.clone() } else { shown };
    let loaded = pipeline::load(&disk, &name, &shown);
    if loaded.workspaces.iter().all(|(workspace, _)| pipeline::is_empty(workspace)) {
        return Err(nothing_found(&shown, &loaded));
    }
    let root = disk.root().to_path_buf();
    opening.outside.extend(loaded.outside);
    for (workspace, prefix) in loaded.workspaces {
        if pipeline::is_empty(&workspace) {
            let (reason, files) = ("holds no evaluation results", Some(workspace.files));
            opening.outside.push(Ignored { path: prefix, reason, files });
        } else {
            opening.opened.push(Opened { workspace, disk: open_disk(&root)?, prefix });
        }
    }
    Ok(())
}

fn open_disk(path: &Path) -> Result<Disk, Failure> {
    Disk::open(path).map_err(|error| {
        let reason = files::reason(&error);
        let failure = Failure::nothing(format!("cannot open `{}`: {reason}", path.display()));
        failure.help("give the folder that holds the iterations")
    })
}

/// What was looked for, and the nearest thing that was found.
fn nothing_found(shown: &str, loaded: &Loaded) -> Failure {
    let failure = Failure::nothing(format!("found no evaluation results in `{shown}`")).help(
        "looked for folders such as `iteration-1/<case>/<configuration>/` with `grading.json`, \
               `timing.json` or `outputs/`, and for `evals.json` and `benchmark.json`",
    );
    let files: usize = loaded.workspaces.iter().map(|(workspace, _)| workspace.files).sum();
    if loaded.nearest.is_empty() {
        return failure.help(format!("there is no file in it ({files} found)"));
    }
    failure.help(format!("the nearest thing found: {}", loaded.nearest.join("; ")))
}
