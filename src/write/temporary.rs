//! Folders for what is being written, and what removes those that a killed command left.
//!
//! Everything unfinished lies in a folder `.evalbook-new-XXXXXX`. The command that made it locks the
//! file `lock` in it, and the lock ends with the process. Before a command makes such a folder, it
//! removes those in the same place that nobody locks.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::write::system::{self, parent};
use crate::write::{WriteError, attempt};

/// How the names begin; six letters and digits follow.
const PREFIX: &str = ".evalbook-new-";
const DRAWN: usize = 6;
const LOCK: &str = "lock";

/// The folder for what was moved away so that something new can take its place.
const ASIDE: &str = "earlier";

/// How often a folder is made that somebody else removes at once.
const MOST_TRIES: usize = 16;

/// A private folder that is removed with the value, or by the next command.
#[derive(Debug)]
pub struct Temporary {
    folder: PathBuf,
    _lock: File,
}

impl Temporary {
    /// A fresh one in `place`, from which what killed commands left is removed.
    pub fn new(place: &Path) -> Result<Self, WriteError> {
        attempt(place, || Self::inside(place))
    }

    /// A fresh one in `place`, which is made where it is missing, with a folder `name` in it.
    pub(super) fn with_folder(place: &Path, name: &str) -> io::Result<Self> {
        system::create_folders(place)?;
        let temporary = Self::inside(place)?;
        system::create_folders(&temporary.path().join(name))?;
        Ok(temporary)
    }

    pub(super) fn inside(place: &Path) -> io::Result<Self> {
        sweep(place);
        for _ in 0..MOST_TRIES {
            let drawn =
                tempfile::Builder::new().prefix(PREFIX).rand_bytes(DRAWN).tempdir_in(place)?;
            let lock = match open_lock(drawn.path()) {
                // Somebody removed it before it was locked.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                opened => opened?,
            };
            match lock.try_lock() {
                Err(TryLockError::WouldBlock) => drop(drawn.keep()),
                // On a file system without locks nothing that was left is ever removed.
                Ok(()) | Err(TryLockError::Error(_)) if is_locked_still(drawn.path()) => {
                    return Ok(Self { folder: drawn.keep(), _lock: lock });
                }
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }

    pub fn path(&self) -> &Path {
        &self.folder
    }

    pub fn remove(&self, name: &str) {
        // What is still open elsewhere may stay until the whole folder goes.
        let _ = system::remove(&self.folder.join(name));
    }

    /// Moves `target`, which lies beside this folder, into it, and gives its place there. If this
    /// process is killed before something else takes the place, the next command moves it back.
    pub(super) fn set_aside(&self, target: &Path) -> io::Result<PathBuf> {
        let aside = self.folder.join(ASIDE);
        system::create_folders(&aside)?;
        let place = aside.join(target.file_name().unwrap_or_default());
        system::rename(target, &place)?;
        Ok(place)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        clear(&self.folder);
    }
}

pub(super) fn is_temporary(name: &str) -> bool {
    let drawn = name.strip_prefix(PREFIX);
    drawn.is_some_and(|drawn| {
        drawn.len() == DRAWN && drawn.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Removes the folders in `place` that killed commands left.
pub fn sweep(place: &Path) {
    for found in system::children(place) {
        let is_ours = found.file_name().to_str().is_some_and(is_temporary);
        if !is_ours || !found.file_type().is_dir() {
            continue;
        }
        let folder = found.path();
        let Ok(lock) = open_lock(folder) else { continue };
        if lock.try_lock().is_ok() && is_locked_still(folder) {
            put_back(folder);
            clear(folder);
        }
    }
}

/// What was set aside belongs beside the folder, unless something took its place.
fn put_back(folder: &Path) {
    let aside = folder.join(ASIDE);
    if !aside.symlink_metadata().is_ok_and(|found| found.is_dir()) {
        return;
    }
    for found in system::children(&aside) {
        let _ = system::rename_to_free(found.path(), &parent(folder).join(found.file_name()));
    }
}

/// Removes the folder, the locked file last: until then nobody else takes it for abandoned.
fn clear(folder: &Path) {
    // What cannot be removed stays for the next command.
    for found in system::children(folder).filter(|found| found.file_name() != LOCK) {
        let _ = system::remove(found.path());
    }
    let _ = system::remove_file(&folder.join(LOCK));
    let _ = system::remove_empty_folder(folder);
}

/// Opens the file to be locked, and makes it where there is none. What somebody else put there is
/// neither followed nor waited for.
fn open_lock(folder: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        options.custom_flags(flags.bits().cast_signed());
    }
    options.open(folder.join(LOCK))
}

/// Whoever held the lock before may have removed the file.
fn is_locked_still(folder: &Path) -> bool {
    folder.join(LOCK).symlink_metadata().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(place: &Path) -> Vec<String> {
        crate::files::names_in(place).expect("listed")
    }

    #[test]
    fn what_nobody_locks_is_removed_and_what_somebody_locks_is_not() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let alive = Temporary::inside(place.path()).expect("made");
        system::write_file(&alive.path().join("page.html"), b"x").expect("written");
        let left = place.path().join(".evalbook-new-aB3xY9");
        system::create_folders(&left.join("report")).expect("made");
        system::write_file(&left.join("report/page.html"), b"x").expect("written");
        let foreign = place.path().join(".evalbook-new-notes");
        system::create_folders(&foreign).expect("made");
        sweep(place.path());
        assert!(!left.exists() && foreign.exists());
        assert!(alive.path().join("page.html").is_file());
        drop(alive);
        assert_eq!(names(place.path()), [".evalbook-new-notes"]);
    }

    #[test]
    fn what_was_set_aside_by_a_killed_command_is_put_back() {
        let place = tempfile::tempdir().expect("a temporary folder");
        for (name, is_taken) in [("first", false), ("second", true)] {
            let target = place.path().join(name);
            system::create_folders(&target).expect("made");
            system::write_file(&target.join("old"), b"old").expect("written");
            let killed = Temporary::inside(place.path()).expect("made");
            killed.set_aside(&target).expect("moved");
            if is_taken {
                system::create_folders(&target).expect("made");
            }
            // Dropped under another name, it leaves what a killed process does.
            let left = place.path().join(".evalbook-new-aB3xY9");
            system::rename(killed.path(), &left).expect("moved");
            drop(killed);
            sweep(place.path());
            assert_eq!(target.join("old").is_file(), !is_taken);
        }
        assert_eq!(names(place.path()), ["first", "second"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_place_of_the_lock_is_not_followed() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let left = place.path().join(".evalbook-new-aB3xY9");
        system::create_folders(&left).expect("made");
        let outside = place.path().join("outside");
        std::os::unix::fs::symlink(&outside, left.join(LOCK)).expect("a link");
        std::os::unix::fs::symlink(place.path(), place.path().join(".evalbook-new-link12"))
            .expect("a link");
        sweep(place.path());
        assert!(!outside.exists() && left.exists());
    }
}
