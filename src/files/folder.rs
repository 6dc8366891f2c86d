//! An open folder, and the files in it: by name, never through a link, regular files only.
//!
//! On Unix a folder is a descriptor, so that swapping a name on the way leads nowhere else.
//! Elsewhere a folder is its path: see `folder/paths.rs` for the remaining gap.

#[cfg(not(unix))]
mod paths;
#[cfg(unix)]
mod unix;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

#[cfg(not(unix))]
pub use crate::files::folder::paths::Folder;
#[cfg(not(unix))]
use crate::files::folder::paths::open_file;
#[cfg(unix)]
pub use crate::files::folder::unix::Folder;
#[cfg(unix)]
use crate::files::folder::unix::open_file;

/// A regular file, limited to its length when opened: one that keeps growing still has an end.
pub type RegularFile = io::Take<File>;

/// The most bytes allocated at once for a file, whose size is only a claim of the system.
const MAX_ALLOCATION: u64 = 16 * 1024 * 1024;
const NOT_REGULAR: &str = "it is not a regular file";
const LINK: &str = "it is a link, which is not followed";

pub(super) struct Child {
    pub(super) name: OsString,
    pub(super) kind: ChildKind,
}

pub(super) enum ChildKind {
    File(u64),
    Folder,
    Link,
    Special,
    Unknown(io::Error),
}

/// Opens the file at `path`, which must not be a link; folders on the way may be links.
pub fn open(path: &Path) -> io::Result<RegularFile> {
    regular(open_file(path)?)
}

pub(super) fn read(file: RegularFile, limit: u64) -> io::Result<Vec<u8>> {
    let size = file.limit().min(limit);
    let mut bytes = Vec::with_capacity(size.min(MAX_ALLOCATION) as usize);
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn regular(file: File) -> io::Result<RegularFile> {
    let data = file.metadata()?;
    if data.is_file() { Ok(file.take(data.len())) } else { Err(io::Error::other(NOT_REGULAR)) }
}
