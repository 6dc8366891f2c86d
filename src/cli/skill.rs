//! The folder of a skill, and the workspace that belongs to it.

use std::path::{Path, PathBuf};

use crate::cli::near;
use crate::cli::{Failure, Outcome};
use crate::files::{self, Disk};
use crate::write::WriteError;

pub(super) fn open(path: &Path) -> Outcome<Disk> {
    Disk::open(path).map_err(|error| {
        let failure = Failure::io("open", path, &error).meant(near::skill(path));
        failure.help("give the folder of the skill, which holds its `SKILL.md`")
    })
}

pub(super) fn workspace(asked: Option<&Path>, path: &Path, skill: &Disk) -> PathBuf {
    let named = |path: &Path| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        Some(path.with_file_name(format!("{name}-workspace")))
    };
    let sibling = || named(path).or_else(|| named(skill.root()));
    asked.map(Path::to_path_buf).or_else(sibling).unwrap_or_else(|| PathBuf::from("workspace"))
}

pub(super) fn names(workspace: &Path) -> Outcome<Vec<String>> {
    files::names_in(workspace).map_err(|error| {
        Failure::io("open", workspace, &error)
            .help("give the folder of the workspace, or one that does not exist yet")
    })
}

pub(super) fn refused(error: WriteError) -> Failure {
    let failure = Failure::from(&error);
    match error {
        WriteError::Io { reason, .. } if reason == files::DENIED => {
            failure.help("make it writable for you, or give another folder for the workspace")
        }
        WriteError::Taken(_) => failure.help("another command made it just now; run this again"),
        _ => failure,
    }
}
