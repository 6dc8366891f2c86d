//! New folders and files in a workspace: each appears at once, and only where nothing is yet.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::files::Regular;
use crate::write::{WriteError, allow_reading, create_folders, failed, write_file};

/// A folder in the making. Until [`Fresh::place`] it lies beside its place under a name that no
/// command reads; a command that is killed leaves nothing under the name that was meant.
#[derive(Debug)]
pub struct Fresh {
    target: PathBuf,
    folder: tempfile::TempDir,
}

impl Fresh {
    /// Begins a folder that is to stand at `target`.
    ///
    /// # Errors
    /// When something stands there, or nothing can be written beside it.
    pub fn begin(target: &Path) -> Result<Self, WriteError> {
        refuse_taken(target)?;
        let target = std::path::absolute(target).map_err(|error| failed(target, &error))?;
        let parent = target.parent().unwrap_or(&target).to_path_buf();
        create_folders(&parent).map_err(|error| failed(&parent, &error))?;
        let folder = tempfile::Builder::new()
            .prefix(".evalbook-")
            .tempdir_in(&parent)
            .map_err(|error| failed(&parent, &error))?;
        Ok(Self { target, folder })
    }

    /// Makes a folder at `path` below, with those above it.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn folder(&self, path: &str) -> Result<(), WriteError> {
        create_folders(&self.folder.path().join(path)).map_err(|error| self.failed(path, &error))
    }

    /// Writes a file at `path` below, with the folders above it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn file(&self, path: &str, bytes: &[u8]) -> Result<(), WriteError> {
        let place = self.prepared(path.as_ref())?;
        write_file(&place, bytes).map_err(|error| self.failed(path, &error))
    }

    /// Copies the file `from` to `path` below, with its permissions.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub fn copy(&self, path: &Path, mut from: Regular) -> Result<(), WriteError> {
        let place = self.prepared(path)?;
        let mut copied = || {
            let mut file = std::fs::File::create(&place)?;
            std::io::copy(&mut from, &mut file)?;
            file.set_permissions(from.get_ref().metadata()?.permissions())
        };
        copied().map_err(|error| self.failed(path, &error))
    }

    /// Puts the folder in its place.
    ///
    /// # Errors
    /// When something stands there by now, or it cannot be moved.
    pub fn place(self) -> Result<(), WriteError> {
        allow_reading(self.folder.path(), 0o755).map_err(|error| failed(&self.target, &error))?;
        move_to_free(self.folder.path(), &self.target)?;
        // The folder lies elsewhere now; there is nothing left to remove.
        let _ = self.folder.keep();
        Ok(())
    }

    fn prepared(&self, path: &Path) -> Result<PathBuf, WriteError> {
        let place = self.folder.path().join(path);
        let folder = place.parent().unwrap_or(&place);
        create_folders(folder).map_err(|error| self.failed(path, &error))?;
        Ok(place)
    }

    fn failed(&self, path: impl AsRef<Path>, error: &std::io::Error) -> WriteError {
        failed(&self.target.join(path), error)
    }
}

/// Removes a folder that was just placed. It leaves its place at once, so that nobody finds a part.
///
/// # Errors
/// When it cannot be moved or removed.
pub fn take_back(target: &Path) -> Result<(), WriteError> {
    let target = std::path::absolute(target).map_err(|error| failed(target, &error))?;
    let removed = || {
        let parent = target.parent().unwrap_or(&target);
        let away = tempfile::Builder::new().prefix(".evalbook-").tempdir_in(parent)?;
        crate::write::rename(&target, &away.path().join("away"))?;
        away.close()
    };
    removed().map_err(|error: std::io::Error| WriteError::Io {
        path: target.clone(),
        reason: format!("it cannot be removed: {}", crate::files::reason(&error)),
    })
}

/// Writes a file that appears at once, where nothing is yet.
///
/// # Errors
/// When something stands there, or it cannot be written.
pub fn new_file(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let path = std::path::absolute(path).map_err(|error| failed(path, &error))?;
    let parent = path.parent().unwrap_or(&path);
    let fresh = || {
        create_folders(parent)?;
        let fresh = tempfile::Builder::new().prefix(".evalbook-").tempfile_in(parent)?;
        fresh.as_file().write_all(bytes)?;
        allow_reading(fresh.path(), 0o644)?;
        Ok(fresh)
    };
    let fresh = fresh().map_err(|error| failed(&path, &error))?;
    match fresh.persist_noclobber(&path) {
        Ok(_) => Ok(()),
        Err(refused) => Err(taken_or_failed(&path, &refused.error)),
    }
}

/// A lock on a folder that ends with the value, or with the process; nothing is written for it.
#[derive(Debug)]
pub struct Lock(#[allow(dead_code, reason = "held, never read")] Option<std::fs::File>);

/// Waits until no other command holds the lock on `folder`, which is made where there is none.
///
/// # Errors
/// When the folder cannot be made or locked.
pub fn lock(folder: &Path) -> Result<Lock, WriteError> {
    create_folders(folder).map_err(|error| failed(folder, &error))?;
    if cfg!(not(unix)) {
        return Ok(Lock(None));
    }
    let locked = || {
        let file = std::fs::File::open(folder)?;
        file.lock()?;
        Ok(file)
    };
    locked().map(|file| Lock(Some(file))).map_err(|error| failed(folder, &error))
}

/// Waits until no other command holds the lock on the file at `path`, which is made for it.
pub(super) fn lock_file(path: &Path) -> Result<Lock, WriteError> {
    let locked = || {
        let file = std::fs::File::options().create(true).append(true).open(path)?;
        file.lock()?;
        Ok(file)
    };
    locked().map(|file| Lock(Some(file))).map_err(|error| failed(path, &error))
}

/// The lock on a folder of ours that nobody waits for; `None` where folders have none.
pub(super) fn hold(folder: &Path) -> Option<Lock> {
    let file = std::fs::File::open(folder).ok()?;
    file.try_lock().ok()?;
    Some(Lock(Some(file)))
}

/// Anything at all counts, also a link that leads nowhere.
fn refuse_taken(target: &Path) -> Result<(), WriteError> {
    match target.symlink_metadata() {
        Ok(_) => Err(WriteError::Taken(target.to_path_buf())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(failed(target, &error)),
    }
}

#[cfg(target_os = "linux")]
fn move_to_free(from: &Path, to: &Path) -> Result<(), WriteError> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // Some file systems cannot rename this way.
        Err(Errno::INVAL | Errno::NOSYS) => move_unless_taken(from, to),
        moved => moved.map_err(|error| taken_or_failed(to, &error.into())),
    }
}

#[cfg(not(target_os = "linux"))]
fn move_to_free(from: &Path, to: &Path) -> Result<(), WriteError> {
    move_unless_taken(from, to)
}

fn move_unless_taken(from: &Path, to: &Path) -> Result<(), WriteError> {
    refuse_taken(to)?;
    crate::write::rename(from, to).map_err(|error| taken_or_failed(to, &error))
}

fn taken_or_failed(path: &Path, error: &std::io::Error) -> WriteError {
    match error.kind() {
        std::io::ErrorKind::AlreadyExists => WriteError::Taken(path.to_path_buf()),
        _ => failed(path, error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_appears_as_a_whole_and_replaces_nothing() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let target = place.path().join("new");
        let (first, second) = (Fresh::begin(&target), Fresh::begin(&target));
        let (first, second) = (first.expect("begun"), second.expect("begun"));
        first.file("a/b.txt", b"first").expect("written");
        second.folder("c").expect("made");
        assert!(!target.exists());
        first.place().expect("placed");
        assert!(matches!(second.place(), Err(WriteError::Taken(_))));
        assert!(target.join("a/b.txt").is_file() && !target.join("c").exists());
        assert!(matches!(Fresh::begin(&target), Err(WriteError::Taken(_))));
        assert_eq!(crate::write::entries(place.path()).expect("listed"), 1);
    }

    #[test]
    fn what_was_placed_can_be_taken_back() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let target = place.path().join("v0");
        let fresh = Fresh::begin(&target).expect("begun");
        fresh.file("skill/SKILL.md", b"a skill").expect("written");
        fresh.place().expect("placed");
        take_back(&target).expect("removed");
        assert_eq!(crate::write::entries(place.path()).expect("listed"), 0);
        assert!(take_back(&target).is_err());
    }

    #[test]
    fn a_new_file_replaces_nothing() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let path = place.path().join("a/history.json");
        new_file(&path, b"{}").expect("written");
        assert!(matches!(new_file(&path, b"[]"), Err(WriteError::Taken(_))));
        assert_eq!(crate::files::text(&path).as_deref(), Some("{}"));
    }
}
