//! Writes pages into a folder that replaces the earlier report as a whole.
//!
//! Everything is written into a [`Temporary`] folder next to the target. Only when it is complete,
//! with the manifest last, do the two swap places. A folder is replaced only if
//! [`folder::refuse_foreign`] finds nothing in it but an unchanged report.

#![allow(clippy::disallowed_methods, reason = "this stage is the one that writes")]

mod folder;
mod in_folder;
mod site;
mod system;
mod temporary;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

pub use crate::write::folder::{FolderSize, ReportFolder, size};
pub use crate::write::in_folder::{lock_folder_of, replace, tidy};
pub use crate::write::site::ReportSite;
pub use crate::write::system::lock;
pub use crate::write::temporary::{StagedFolder, Temporary, file, new_file, sweep, take_back};

pub trait Sink: Sync {
    /// Writes one page or file at `path`, relative to the report, with `/`.
    fn put(&self, path: &str, bytes: &[u8]) -> io::Result<()>;

    /// Copies a file that is not in memory; `address` returns its path from the BLAKE3 hash of its
    /// content in hexadecimal digits. Returns the path.
    fn store(
        &self,
        content: &mut dyn Read,
        address: &dyn Fn(&str) -> String,
    ) -> io::Result<String> {
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes)?;
        let path = address(&hash(&bytes));
        self.put(&path, &bytes)?;
        Ok(path)
    }

    /// Size and BLAKE3 hash, in hexadecimal digits, of the file at `path`; `None` if they are not
    /// kept.
    fn stored(&self, _path: &str) -> Option<(u64, String)> {
        None
    }

    fn note(&self, _source: &str, _path: &str) {}
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ManifestEntry {
    bytes: u64,
    blake3: String,
}

#[derive(Debug, Default)]
pub struct MemorySink {
    pages: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl MemorySink {
    pub fn into_pages(self) -> BTreeMap<String, Vec<u8>> {
        self.pages.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sink for MemorySink {
    fn put(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.insert(path.to_owned(), bytes.to_vec());
        Ok(())
    }
}

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

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

fn failed(path: &Path, error: &io::Error) -> WriteError {
    WriteError::Io { path: path.to_path_buf(), reason: crate::files::reason(error) }
}

/// Runs `work` and names `path`, as the user knows it, in the error.
fn attempt<T>(path: &Path, work: impl FnOnce() -> io::Result<T>) -> Result<T, WriteError> {
    work().map_err(|error| failed(path, &error))
}

fn taken_or_failed(path: &Path, error: &io::Error) -> WriteError {
    match error.kind() {
        io::ErrorKind::AlreadyExists => WriteError::Taken(path.to_path_buf()),
        _ => failed(path, error),
    }
}
