//! Temporary folders for unfinished work, and single files and new folders that appear atomically.
//!
//! Everything unfinished is in a folder `.evalbook-new-XXXXXX` with a file `lock` that is locked
//! while its process lives. Before a command creates one, it removes unlocked ones in the same
//! place. The content of `lock` says that the folder is ours: one of somebody else may have the name.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::write::WriteError;
use crate::write::error::{attempt, taken_or_failed};
use crate::write::system::{self, followed, in_its_folder, parent};
use input::files::RegularFile;

/// Prefix of the names; six letters and digits follow.
const PREFIX: &str = ".evalbook-new-";
const DRAWN: usize = 6;
const LOCK: &str = "lock";
const LOCK_CONTENT: &[u8] = b"evalbook\n";

/// The folder for what was moved away to make room for something new.
const ASIDE: &str = "earlier";

/// Attempts to create a folder that somebody else keeps removing.
const ATTEMPTS: usize = 16;

/// A private folder that is removed on drop, or by the next command.
#[derive(Debug)]
pub struct Temporary {
    folder: PathBuf,
    _lock: File,
}

impl Temporary {
    /// Creates one in `place`, after removing what killed commands left there.
    pub fn new(place: &Path) -> Result<Self, WriteError> {
        attempt(place, || Self::inside(place))
    }

    /// Creates one in `place`, which is created if missing, with an empty folder in it.
    pub(super) fn with_folder(place: &Path) -> io::Result<(Self, PathBuf)> {
        fs::create_dir_all(place)?;
        let temporary = Self::inside(place)?;
        let fresh = temporary.path().join(FRESH);
        fs::create_dir_all(&fresh)?;
        Ok((temporary, fresh))
    }

    pub(super) fn inside(place: &Path) -> io::Result<Self> {
        sweep(place);
        for _ in 0..ATTEMPTS {
            let drawn =
                tempfile::Builder::new().prefix(PREFIX).rand_bytes(DRAWN).tempdir_in(place)?;
            let mut lock = match open_lock(drawn.path(), true) {
                // Removed by another command before it was locked.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                opened => opened?,
            };
            match lock.try_lock() {
                Err(TryLockError::WouldBlock) => drop(drawn.keep()),
                // On a file system without locks, nothing left behind is ever removed.
                Ok(()) | Err(TryLockError::Error(_)) if is_locked_still(drawn.path()) => {
                    lock.write_all(LOCK_CONTENT)?;
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
        // An open file may stay until the whole folder goes.
        let _ = system::remove(&self.folder.join(name));
    }

    /// Moves `target` into the folder. If this process is killed, the next command moves it back.
    pub(super) fn set_aside(&self, target: &Path) -> io::Result<PathBuf> {
        let aside = self.folder.join(ASIDE);
        fs::create_dir_all(&aside)?;
        let place = aside.join(target.file_name().unwrap_or_default());
        fs::rename(target, &place)?;
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
    for entry in system::children(place) {
        let is_called_so = entry.file_name().to_str().is_some_and(is_temporary);
        if !is_called_so || !entry.file_type().is_dir() {
            continue;
        }
        let folder = entry.path();
        let Ok(mut lock) = open_lock(folder, false) else {
            // Killed before it had a lock. A folder with anything in it stays.
            let _ = fs::remove_dir(folder);
            continue;
        };
        if lock.try_lock().is_err() || !is_locked_still(folder) || !is_ours(folder, &mut lock) {
            continue;
        }
        let aside = folder.join(ASIDE);
        if aside.symlink_metadata().is_ok_and(|found| found.is_dir()) {
            // What was set aside goes back to its place, unless that is taken.
            for moved in system::children(&aside) {
                let _ = system::rename_to_free(moved.path(), &place.join(moved.file_name()));
            }
        }
        clear(folder);
    }
}

/// Removes the folder, the lock file last: until then nobody else takes it for abandoned.
fn clear(folder: &Path) {
    // Anything that cannot be removed is left to the next command.
    for entry in system::children(folder).filter(|entry| entry.file_name() != LOCK) {
        let _ = system::remove(entry.path());
    }
    let _ = fs::remove_file(folder.join(LOCK));
    let _ = fs::remove_dir(folder);
}

/// Whether the lock is one that we wrote. A command that was killed before that left nothing else.
fn is_ours(folder: &Path, lock: &mut File) -> bool {
    let mut content = Vec::new();
    let is_read = lock.take(LOCK_CONTENT.len() as u64 + 1).read_to_end(&mut content).is_ok();
    is_read
        && (content == LOCK_CONTENT
            || content.is_empty()
                && system::children(folder).all(|entry| entry.file_name() == LOCK))
}

/// Opens the lock file. Something else in its place is neither followed nor waited for.
fn open_lock(folder: &Path, is_new: bool) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create(is_new);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        options.custom_flags(flags.bits().cast_signed());
    }
    options.open(folder.join(LOCK))
}

/// The previous owner of the lock may have removed the file.
fn is_locked_still(folder: &Path) -> bool {
    folder.join(LOCK).symlink_metadata().is_ok()
}

const FRESH: &str = "fresh";

/// Replaces a file. A link stays and its target is replaced; a device is written to.
pub fn file(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    attempt(path, || match path.metadata() {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => File::options().write(true).open(path)?.write_all(bytes),
        _ => {
            let place = followed(path)?;
            fs::create_dir_all(parent(&place))?;
            Temporary::inside(parent(&place))?.put(&place, bytes)
        }
    })
}

pub fn new_file(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    place_new(path, bytes).map_err(|error| taken_or_failed(path, &error))
}

fn place_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(parent(path))?;
    let temporary = Temporary::inside(parent(path))?;
    let fresh = temporary.path().join(FRESH);
    fs::write(&fresh, bytes)?;
    system::rename_to_free(&fresh, path)
}

impl Temporary {
    pub(super) fn put(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let fresh = self.prepared(path, bytes)?;
        in_its_folder(path, || fs::rename(&fresh, path))
    }

    /// Prepares the replacement of the file at `path`, with its permissions.
    fn prepared(&self, path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
        let fresh = self.path().join(FRESH);
        fs::write(&fresh, bytes)?;
        if let Ok(found) = path.metadata() {
            std::fs::set_permissions(&fresh, found.permissions())?;
        }
        Ok(fresh)
    }
}

/// A folder under construction, with a name that no command reads until [`StagedFolder::place`].
#[derive(Debug)]
pub struct StagedFolder {
    target: PathBuf,
    fresh: PathBuf,
    _temporary: Temporary,
}

impl StagedFolder {
    pub fn begin(target: &Path) -> Result<Self, WriteError> {
        // Anything counts, even a dangling link.
        if target.symlink_metadata().is_ok() {
            return Err(WriteError::Taken(target.to_path_buf()));
        }
        let (temporary, fresh) = attempt(target, || Temporary::with_folder(parent(target)))?;
        Ok(Self { target: target.to_path_buf(), fresh, _temporary: temporary })
    }

    pub fn folder(&self, path: &str) -> Result<(), WriteError> {
        self.make(Path::new(path), |place| fs::create_dir_all(place))
    }

    pub fn file(&self, path: &str, bytes: &[u8]) -> Result<(), WriteError> {
        self.make(Path::new(path), |place| in_its_folder(place, || fs::write(place, bytes)))
    }

    pub fn copy(&self, path: &Path, mut from: RegularFile) -> Result<(), WriteError> {
        self.make(path, |place| {
            fs::create_dir_all(parent(place))?;
            system::copy(&mut from, place)
        })
    }

    pub fn place(self) -> Result<(), WriteError> {
        system::rename_to_free(&self.fresh, &self.target)
            .map_err(|error| taken_or_failed(&self.target, &error))
    }

    fn make(
        &self,
        path: &Path,
        make: impl FnOnce(&Path) -> io::Result<()>,
    ) -> Result<(), WriteError> {
        attempt(&self.target.join(path), || make(&self.fresh.join(path)))
    }
}

/// Removes a folder that was just placed. It is moved away first, so that nobody sees a part of it.
pub fn take_back(target: &Path) -> Result<(), WriteError> {
    let removed = Temporary::inside(parent(target))
        .and_then(|temporary| fs::rename(target, temporary.path().join(FRESH)));
    removed.map_err(|error| WriteError::Io {
        path: target.to_path_buf(),
        reason: format!("it cannot be removed: {}", input::files::reason(&error)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(place: &Path) -> Vec<String> {
        input::files::names_in(place).expect("listed")
    }

    #[test]
    fn only_unlocked_folders_are_removed() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let alive = Temporary::inside(place.path()).expect("made");
        fs::write(alive.path().join("page.html"), b"x").expect("written");
        // Of a folder: what its lock says, whether it holds more, and whether it is removed.
        let table: [(&str, Option<&[u8]>, bool, bool); 6] = [
            ("ours12", Some(LOCK_CONTENT), true, true),
            ("killed", Some(b""), false, true),
            ("empty1", None, false, true),
            ("theirs", None, true, false),
            ("their2", Some(b""), true, false),
            ("their3", Some(b"12345\n"), true, false),
        ];
        let folder = |name: &str| place.path().join(format!("{PREFIX}{name}"));
        for (name, lock, has_more, _) in table {
            fs::create_dir_all(folder(name)).expect("made");
            if let Some(content) = lock {
                fs::write(folder(name).join(LOCK), content).expect("written");
            }
            if has_more {
                fs::create_dir_all(folder(name).join("report")).expect("made");
            }
        }
        sweep(place.path());
        for (name, lock, _, is_removed) in table {
            assert_eq!(folder(name).exists(), !is_removed, "{name}");
            assert!(lock.is_some() || !folder(name).join(LOCK).exists(), "{name}");
        }
        assert!(alive.path().join("page.html").is_file());
        drop(alive);
        assert_eq!(names(place.path()).len(), 3);
    }

    #[test]
    fn what_was_set_aside_by_a_killed_command_is_put_back() {
        let place = tempfile::tempdir().expect("a temporary folder");
        for (name, is_taken) in [("first", false), ("second", true)] {
            let target = place.path().join(name);
            fs::create_dir_all(&target).expect("made");
            fs::write(target.join("old"), b"old").expect("written");
            let killed = Temporary::inside(place.path()).expect("made");
            killed.set_aside(&target).expect("moved");
            if is_taken {
                fs::create_dir_all(&target).expect("made");
            }
            // Dropped under another name, it leaves what a killed process does.
            let left = place.path().join(".evalbook-new-aB3xY9");
            fs::rename(killed.path(), &left).expect("moved");
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
        fs::create_dir_all(&left).expect("made");
        let outside = place.path().join("outside");
        std::os::unix::fs::symlink(&outside, left.join(LOCK)).expect("a link");
        std::os::unix::fs::symlink(place.path(), place.path().join(".evalbook-new-link12"))
            .expect("a link");
        sweep(place.path());
        assert!(!outside.exists() && left.exists());
    }

    #[test]
    fn a_new_file_replaces_nothing() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let path = place.path().join("a/history.json");
        new_file(&path, b"{}").expect("written");
        assert!(matches!(new_file(&path, b"[]"), Err(WriteError::Taken(_))));
        assert_eq!(input::files::text(&path).as_deref(), Some("{}"));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_written_through_a_link_that_stays() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let (path, link) = (place.path().join("a"), place.path().join("b"));
        file(&path, b"1").expect("written");
        std::os::unix::fs::symlink(&path, &link).expect("a link");
        file(&link, b"2").expect("written");
        assert!(link.is_symlink());
        assert_eq!(input::files::text(&path).as_deref(), Some("2"));
        assert_eq!(names(place.path()), ["a", "b"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_stays_one() {
        assert!(file(Path::new("/dev/null"), b"1").is_ok());
        let full = file(Path::new("/dev/full"), b"1").expect_err("refused");
        assert_eq!(full.to_string(), "cannot write `/dev/full`: the disk is full");
        assert!(!Path::new("/dev/null").metadata().expect("there").is_file());
    }

    #[test]
    fn a_folder_appears_as_a_whole_and_replaces_nothing() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let target = place.path().join("new");
        let (first, second) = (StagedFolder::begin(&target), StagedFolder::begin(&target));
        let (first, second) = (first.expect("begun"), second.expect("begun"));
        first.file("a/b.txt", b"first").expect("written");
        second.folder("c").expect("made");
        assert!(!target.exists());
        first.place().expect("placed");
        assert!(matches!(second.place(), Err(WriteError::Taken(_))));
        assert!(target.join("a/b.txt").is_file() && !target.join("c").exists());
        assert!(matches!(StagedFolder::begin(&target), Err(WriteError::Taken(_))));
        assert_eq!(input::files::names_in(place.path()).expect("listed"), ["new"]);
    }

    #[test]
    fn what_was_placed_can_be_taken_back() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let target = place.path().join("v0");
        let fresh = StagedFolder::begin(&target).expect("begun");
        fresh.file("skill/SKILL.md", b"a skill").expect("written");
        fresh.place().expect("placed");
        take_back(&target).expect("removed");
        assert!(input::files::names_in(place.path()).expect("listed").is_empty());
        assert!(take_back(&target).is_err());
    }
}
