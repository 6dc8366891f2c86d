//! Why something was not written.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, thiserror::Error)]
pub enum WriteError {
    /// The folder contains something that would be lost.
    #[error("cannot replace `{folder}`: `{path}` {seen}")]
    Foreign {
        folder: PathBuf,
        /// The first entry that does not belong to an unchanged report.
        path: PathBuf,
        seen: Stranger,
    },
    #[error("`{0}` is a site of reports, not a report")]
    Site(PathBuf),
    #[error("cannot read `{path}:{line}:{column}`: {reason}")]
    State { path: PathBuf, line: usize, column: usize, reason: String },
    /// Something that others wrote or changed is in the place of one of our files or folders.
    #[error("`{path}` {seen}")]
    NotOurs { path: PathBuf, seen: Stranger },
    /// On many systems it has the same name as the new report.
    #[error("`{0}` is called so too, in upper and lower case")]
    CalledAlike(PathBuf),
    #[error("`{0}` is a report, not a site of reports")]
    Report(PathBuf),
    #[error("`{0}` exists")]
    Taken(PathBuf),
    #[error("cannot write `{path}`: {reason}")]
    Io { path: PathBuf, reason: String },
}

/// What is known of a file that is in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stranger {
    Changed,
    /// No record says that evalbook wrote it.
    Unknown,
}

impl fmt::Display for Stranger {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Self::Changed => "was changed since evalbook wrote it",
            Self::Unknown => "was not written by evalbook",
        })
    }
}

pub(super) fn failed(path: &Path, error: &io::Error) -> WriteError {
    WriteError::Io { path: path.to_path_buf(), reason: input::files::reason(error) }
}

/// Runs `work` and names `path`, as the user knows it, in the error.
pub(super) fn attempt<T>(
    path: &Path,
    work: impl FnOnce() -> io::Result<T>,
) -> Result<T, WriteError> {
    work().map_err(|error| failed(path, &error))
}

pub(super) fn taken_or_failed(path: &Path, error: &io::Error) -> WriteError {
    match error.kind() {
        io::ErrorKind::AlreadyExists => WriteError::Taken(path.to_path_buf()),
        _ => failed(path, error),
    }
}
