//! An open folder, and the files in it: by name, never through a link, regular files only.
//!
//! On Unix a folder is a descriptor, so that swapping a name on the way leads nowhere else.
//! Elsewhere a folder is its path: see `folder/paths.rs` for the remaining gap.

#[cfg(not(unix))]
mod paths;
mod regular;
#[cfg(unix)]
mod unix;

use std::ffi::OsString;
use std::io;
use std::path::Path;

#[cfg(not(unix))]
pub use crate::files::folder::paths::Folder;
#[cfg(not(unix))]
use crate::files::folder::paths::open_file;
pub use crate::files::folder::regular::RegularFile;
pub(super) use crate::files::folder::regular::read;
use crate::files::folder::regular::regular;
#[cfg(unix)]
pub use crate::files::folder::unix::Folder;
#[cfg(unix)]
use crate::files::folder::unix::open_file;

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
