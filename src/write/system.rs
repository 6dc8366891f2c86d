//! The calls that change the disk in more than one step, or in a way of their own on each system.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

pub(super) use crate::files::parent;

use crate::files::RegularFile;
use crate::write::{WriteError, attempt};

/// A lock by which commands wait for each other. It ends with the value, or with the process.
#[derive(Debug)]
pub struct Lock(#[allow(dead_code, reason = "held, never read")] Option<File>);

/// Waits for the lock on `folder`, which is made where there is none. Nothing is written for it.
pub fn lock(folder: &Path) -> Result<Lock, WriteError> {
    attempt(folder, || {
        fs::create_dir_all(folder)?;
        if cfg!(not(unix)) {
            return Ok(Lock(None));
        }
        locked(File::open(folder)?)
    })
}

pub(super) fn lock_file(path: &Path) -> Result<Lock, WriteError> {
    attempt(path, || locked(File::options().create(true).append(true).open(path)?))
}

fn locked(file: File) -> io::Result<Lock> {
    file.lock()?;
    Ok(Lock(Some(file)))
}

/// Copies an open file with its permissions.
pub(super) fn copy(from: &mut RegularFile, to: &Path) -> io::Result<()> {
    let mut file = File::create(to)?;
    io::copy(from, &mut file)?;
    file.set_permissions(from.get_ref().metadata()?.permissions())
}

/// Removes what lies at `path`, whatever that is. Links are not followed.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match path.symlink_metadata()?.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    }
}

pub(super) fn children(folder: &Path) -> impl Iterator<Item = DirEntry> {
    WalkDir::new(folder).min_depth(1).max_depth(1).into_iter().filter_map(Result::ok)
}

/// Where `path` leads: links are followed, and what is not there yet lies where it was named.
pub(super) fn followed(path: &Path) -> io::Result<PathBuf> {
    match path.symlink_metadata() {
        Ok(_) => path.canonicalize(),
        // Without a `/` at its end, which not every call takes.
        Err(_) => Ok(path.components().collect()),
    }
}

/// Does `write`; where that fails because the folder of `file` is missing, makes it and tries again.
pub(super) fn in_its_folder(file: &Path, write: impl Fn() -> io::Result<()>) -> io::Result<()> {
    match write() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(parent(file))?;
            write()
        }
        result => result,
    }
}

/// A name is on the disk once its folder is.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Lets two folders change places at once, where the system can.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
pub(super) fn swap(a: &Path, b: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
pub(super) fn swap(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(any(target_os = "linux", target_vendor = "apple"))]
pub(super) fn rename_to_free(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // Some file systems cannot rename this way.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => rename_unless_taken(from, to),
        moved => Ok(moved?),
    }
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
pub(super) fn rename_to_free(from: &Path, to: &Path) -> io::Result<()> {
    rename_unless_taken(from, to)
}

fn rename_unless_taken(from: &Path, to: &Path) -> io::Result<()> {
    match to.symlink_metadata() {
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(from, to),
    }
}

/// Whether a file system is mounted at `folder`, which therefore cannot be renamed.
#[cfg(unix)]
pub(super) fn is_mount_point(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let device = |path: &Path| path.metadata().ok().map(|found| found.dev());
    let own = device(folder);
    own.is_some() && (own != device(&folder.join("..")) || is_mount_root(folder))
}

#[cfg(not(unix))]
pub(super) fn is_mount_point(_: &Path) -> bool {
    false
}

/// Linux also mounts folders of the same device.
#[cfg(target_os = "linux")]
fn is_mount_root(folder: &Path) -> bool {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
    let found = statx(CWD, folder, AtFlags::empty(), StatxFlags::empty());
    found.is_ok_and(|found| found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
}

#[cfg(all(unix, not(target_os = "linux")))]
fn is_mount_root(_: &Path) -> bool {
    false
}
