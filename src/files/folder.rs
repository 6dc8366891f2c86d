//! A folder that is open, and the files in it: by name, never through a link, regular files only.
//!
//! On Unix a folder is a descriptor, so that no swap of a name on the way leads anywhere else.
//! Elsewhere a folder is its path: see `folder/paths.rs` for what that leaves open.

#[cfg(not(unix))]
mod paths;
#[cfg(unix)]
mod unix;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

#[cfg(not(unix))]
pub(super) use crate::files::folder::paths::Folder;
#[cfg(not(unix))]
use crate::files::folder::paths::open_file;
#[cfg(unix)]
pub(super) use crate::files::folder::unix::Folder;
#[cfg(unix)]
use crate::files::folder::unix::open_file;

/// A regular file, as long as it was when it was opened: one that grows meanwhile has an end.
pub type Regular = io::Take<File>;

/// Bytes of a file that are made room for at once; its size is only what the system says.
const MOST_AT_ONCE: u64 = 16 * 1024 * 1024;
const NOT_REGULAR: &str = "it is no regular file";
const LINK: &str = "it is no regular file but a link, which is not followed";

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

/// Opens the file at `path`. A link in its own place is refused; folders on the way may be links.
pub fn open(path: &Path) -> io::Result<Regular> {
    regular(open_file(path)?)
}

pub(super) fn read(file: Regular, limit: u64) -> io::Result<Vec<u8>> {
    let size = file.limit().min(limit);
    let mut bytes = Vec::with_capacity(size.min(MOST_AT_ONCE) as usize);
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn regular(file: File) -> io::Result<Regular> {
    let data = file.metadata()?;
    match data.is_file() {
        true => Ok(file.take(data.len())),
        false => Err(io::Error::other(NOT_REGULAR)),
    }
}
