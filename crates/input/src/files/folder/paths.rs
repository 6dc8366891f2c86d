//! Folders as paths, where the standard library cannot open files relative to a folder.
//!
//! Every folder on the way is checked before the next name is appended, and Windows opens a link
//! itself where a file is meant. One gap remains: swapping a *folder* for a link between that check
//! and the opening of a file in it goes unnoticed. Windows has no FIFO that lies in a folder. A
//! name that is not valid Unicode cannot be opened.

use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::files::folder::regular::{LINK, RegularFile, regular};
use crate::files::folder::{Child, ChildKind};

/// A folder by its path, since it cannot be held open here.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder at `path`, which may be a link.
    pub(in crate::files) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(path.to_owned()))
    }

    /// For operations that change what is in the folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    pub(in crate::files) fn folder(&self, name: &OsStr) -> io::Result<Self> {
        let path = self.0.join(name);
        if path.symlink_metadata()?.is_dir() {
            Ok(Self(path))
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    }

    pub(in crate::files) fn file(&self, name: &OsStr) -> io::Result<RegularFile> {
        regular(open_file(&self.0.join(name))?)
    }

    #[allow(clippy::disallowed_methods, reason = "this module is one that reads")]
    pub(in crate::files) fn children(&self) -> io::Result<Vec<Child>> {
        let children = std::fs::read_dir(&self.0)?.map(|entry| {
            let entry = entry?;
            let kind = entry.metadata().map_or_else(ChildKind::Unknown, |data| kind(&data));
            Ok(Child { name: entry.file_name(), kind })
        });
        children.collect()
    }
}

fn kind(data: &Metadata) -> ChildKind {
    match data.file_type() {
        file_type if file_type.is_symlink() => ChildKind::Link,
        file_type if file_type.is_dir() => ChildKind::Folder,
        file_type if file_type.is_file() => ChildKind::File(data.len()),
        _ => ChildKind::Special,
    }
}

/// Opens the entry at `path`, which is checked before it is read.
pub(super) fn open_file(path: &Path) -> io::Result<File> {
    if path.symlink_metadata()?.is_symlink() {
        return Err(io::Error::other(LINK));
    }
    let mut options = OpenOptions::new();
    options.read(true);
    // A link is opened itself then, and is no regular file.
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
        options.custom_flags(FILE_FLAG_OPEN_REPARSE_POINT);
    }
    options.open(path)
}
