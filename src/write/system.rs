//! Operations that change the disk in several steps or differ between systems.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

pub(super) use input::files::parent;

use crate::write::WriteError;
use crate::write::error::attempt;
use input::files::RegularFile;

/// A lock that makes commands wait for each other. It is released on drop, or when the process
/// ends.
#[derive(Debug)]
pub struct Lock(#[allow(dead_code, reason = "held, never read")] Option<File>);

/// Waits for the lock on `folder`, which is created if missing. Nothing is written for it.
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

pub(super) fn locked(file: File) -> io::Result<Lock> {
    file.lock()?;
    Ok(Lock(Some(file)))
}

/// Copies an open file with its permissions.
pub(super) fn copy(from: &mut RegularFile, to: &Path) -> io::Result<()> {
    let mut file = File::create(to)?;
    io::copy(from, &mut file)?;
    file.set_permissions(from.get_ref().metadata()?.permissions())
}

/// Removes whatever is at `path`. Links are not followed.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    if path.symlink_metadata()?.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}

pub(super) fn children(folder: &Path) -> impl Iterator<Item = DirEntry> {
    WalkDir::new(folder).min_depth(1).max_depth(1).into_iter().filter_map(Result::ok)
}

/// The real path of `path`: links are followed; a missing path stays as it is.
pub(super) fn followed(path: &Path) -> io::Result<PathBuf> {
    match path.symlink_metadata() {
        Ok(_) => path.canonicalize(),
        // Without a trailing `/`, which not every call accepts.
        Err(_) => Ok(path.components().collect()),
    }
}

/// Runs `write`; if it fails because the folder of `file` is missing, creates that and tries again.
pub(super) fn in_its_folder(file: &Path, write: impl Fn() -> io::Result<()>) -> io::Result<()> {
    match write() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(parent(file))?;
            write()
        }
        result => result,
    }
}

/// Swaps two folders atomically, where the system can.
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

/// Whether `folder` is a mount point, which cannot be renamed.
#[cfg(unix)]
pub(super) fn is_mount_point(folder: &Path) -> bool {
    let own_device = device(folder);
    own_device.is_some() && (own_device != device(&folder.join("..")) || is_mount_root(folder))
}

#[cfg(unix)]
fn device(path: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    Some(path.metadata().ok()?.dev())
}

#[cfg(not(unix))]
pub(super) fn is_mount_point(_: &Path) -> bool {
    false
}

/// Linux can also mount folders of the same device.
#[cfg(target_os = "linux")]
fn is_mount_root(folder: &Path) -> bool {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
    let status = statx(CWD, folder, AtFlags::empty(), StatxFlags::empty());
    status.is_ok_and(|status| status.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
}

#[cfg(all(unix, not(target_os = "linux")))]
fn is_mount_root(_: &Path) -> bool {
    false
}
