//! Folders as descriptors: names are looked up in them with `openat`, without following links.

use std::ffi::OsStr;
#[cfg(target_os = "linux")]
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, statat};
use rustix::io::Errno;
use rustix::path::Arg;

use crate::files::folder::regular::{LINK, NOT_REGULAR, RegularFile, regular};
use crate::files::folder::{Child, ChildKind};

/// An open folder. It stays the same one, whatever its path leads to later.
#[derive(Debug)]
pub struct Folder(OwnedFd);

/// For operations that change what is in the folder.
impl AsFd for Folder {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Folder {
    /// The folder at `path`, which may be a link.
    pub(in crate::files) fn open(path: &Path) -> io::Result<Self> {
        enter(CWD, path, OFlags::empty())
    }

    pub(in crate::files) fn folder(&self, name: &OsStr) -> io::Result<Self> {
        enter(&self.0, name, OFlags::NOFOLLOW)
    }

    pub(in crate::files) fn file(&self, name: &OsStr) -> io::Result<RegularFile> {
        regular(file_at(&self.0, name)?)
    }

    /// The file that `names` lead to, in one step and without a link on the way; `None` if the
    /// system has no such call, or not for so long a path.
    #[cfg(target_os = "linux")]
    pub(in crate::files) fn file_below(
        &self,
        names: &[OsString],
    ) -> io::Result<Option<RegularFile>> {
        use rustix::fs::{ResolveFlags, openat2};
        let path: std::path::PathBuf = names.iter().collect();
        let links = ResolveFlags::NO_SYMLINKS | ResolveFlags::BENEATH;
        match openat2(&self.0, &path, FILE, Mode::empty(), links) {
            Ok(file) => regular(File::from(file)).map(Some),
            Err(Errno::NOSYS | Errno::PERM | Errno::NAMETOOLONG | Errno::AGAIN) => Ok(None),
            Err(error) => Err(file_error(error)),
        }
    }

    pub(in crate::files) fn children(&self) -> io::Result<Vec<Child>> {
        let mut children = Vec::new();
        for entry in Dir::read_from(&self.0)? {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name != "." && name != ".." {
                let kind = self.kind(name, entry.file_type());
                children.push(Child { name: name.to_owned(), kind });
            }
        }
        Ok(children)
    }

    /// The kind of `name`. `listed` comes from the directory, without sizes and not always with a
    /// type.
    fn kind(&self, name: &OsStr, listed: FileType) -> ChildKind {
        // Some network file systems leave the type out of a listing.
        let (kind, bytes) = match listed {
            FileType::Directory | FileType::Symlink => (listed, 0),
            _ => match statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
                Err(error) => return ChildKind::Unknown(error.into()),
                Ok(data) => (FileType::from_raw_mode(data.st_mode), data.st_size as u64),
            },
        };
        match kind {
            FileType::RegularFile => ChildKind::File(bytes),
            FileType::Directory => ChildKind::Folder,
            FileType::Symlink => ChildKind::Link,
            _ => ChildKind::Special,
        }
    }
}

/// Opens the entry at `path`, which is checked before it is read.
pub(super) fn open_file(path: &Path) -> io::Result<File> {
    file_at(CWD, path)
}

fn enter(at: impl AsFd, path: impl Arg, flags: OFlags) -> io::Result<Folder> {
    let flags = flags | OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(Folder(openat(at, path, flags, Mode::empty())?))
}

/// A file is opened without blocking: a FIFO would wait for its other end.
const FILE: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

fn file_at(at: impl AsFd, path: impl Arg) -> io::Result<File> {
    openat(at, path, FILE, Mode::empty()).map(File::from).map_err(file_error)
}

fn file_error(error: Errno) -> io::Error {
    match error {
        Errno::LOOP | Errno::MLINK => io::Error::other(LINK),
        // A socket.
        Errno::NXIO => io::Error::other(NOT_REGULAR),
        error => error.into(),
    }
}
