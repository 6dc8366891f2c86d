//! Replacing a file in a folder that is held open: whoever swaps the folder for a link meanwhile
//! leads nothing elsewhere.

use std::fs::File;
use std::io::{self, Write};

use crate::write::WriteError;
use crate::write::error::attempt;
use crate::write::system::{Lock, locked};
use input::files::{FilePlace, Folder};

/// The next content of a file. The lock on its folder says whose it is, so one name is enough, and
/// what a killed command left is replaced by the next one.
const FRESH: &str = ".evalbook-next";

/// Waits for the lock on the folder of `place`.
pub fn lock_folder_of(place: &FilePlace) -> Result<Lock, WriteError> {
    attempt(&place.shown, || locked(system::to_lock(&place.folder)?))
}

/// Removes what a killed command left in the folder of `place`.
pub fn tidy(place: &FilePlace) {
    if let Ok(_lock) = lock_folder_of(place) {
        // Mostly there is nothing. What cannot be removed is replaced by the next save.
        let _ = system::remove(&place.folder, FRESH);
    }
}

/// Replaces the content `before` with `bytes`, or creates the file if that is `None`. It is on disk
/// when this returns. Returns `false`, without a change, if the content is no longer `before`. The
/// caller holds the lock.
pub fn replace(place: &FilePlace, before: Option<&[u8]>, bytes: &[u8]) -> Result<bool, WriteError> {
    attempt(&place.shown, || {
        let folder = &*place.folder;
        write_fresh(place, bytes)?;
        let placed = match place.read(u64::MAX)? {
            current if current.as_deref() != before => Ok(false),
            Some(_) => system::rename(folder, FRESH, &place.name).map(|()| true),
            // Created by others at the last moment, it is as good as changed.
            None => match system::rename_to_free(folder, FRESH, &place.name) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
                placed => placed.map(|()| true),
            },
        };
        match placed {
            Ok(true) => system::sync(folder)?,
            _ => system::remove(folder, FRESH)?,
        }
        placed
    })
}

fn write_fresh(place: &FilePlace, bytes: &[u8]) -> io::Result<()> {
    let mut file = match system::create(&place.folder, FRESH) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            system::remove(&place.folder, FRESH)?;
            system::create(&place.folder, FRESH)?
        }
        created => created?,
    };
    file.write_all(bytes)?;
    if let Ok(current) = place.open() {
        file.set_permissions(current.get_ref().metadata()?.permissions())?;
    }
    file.sync_all()
}

#[cfg(unix)]
mod system {
    use std::ffi::OsStr;

    use rustix::fs::{AtFlags, Mode, OFlags, openat, renameat, unlinkat};

    use super::{File, Folder, io};

    pub(super) fn to_lock(folder: &Folder) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(File::from(openat(folder, ".", flags, Mode::empty())?))
    }

    pub(super) fn create(folder: &Folder, name: &str) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        Ok(File::from(openat(folder, name, flags, Mode::from_raw_mode(0o666))?))
    }

    pub(super) fn remove(folder: &Folder, name: &str) -> io::Result<()> {
        Ok(unlinkat(folder, name, AtFlags::empty())?)
    }

    pub(super) fn rename(folder: &Folder, from: &str, to: &OsStr) -> io::Result<()> {
        Ok(renameat(folder, from, folder, to)?)
    }

    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    pub(super) fn rename_to_free(folder: &Folder, from: &str, to: &OsStr) -> io::Result<()> {
        use rustix::fs::{RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(folder, from, folder, to, RenameFlags::NOREPLACE) {
            // Some file systems cannot rename this way. Nothing was there a moment ago.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => rename(folder, from, to),
            moved => Ok(moved?),
        }
    }

    #[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
    pub(super) use self::rename as rename_to_free;

    /// Flushes the folder, so that the names in it are on disk.
    pub(super) fn sync(folder: &Folder) -> io::Result<()> {
        to_lock(folder)?.sync_all()
    }
}

/// Where the standard library knows no open folders: see `files/folder/paths.rs`.
#[cfg(not(unix))]
mod system {
    use std::ffi::OsStr;
    use std::fs;

    use super::{File, Folder, io};

    /// Folders cannot be locked; other commands notice a change by the content.
    pub(super) fn to_lock(folder: &Folder) -> io::Result<File> {
        File::options().create(true).append(true).open(folder.path().join(".evalbook-lock"))
    }

    pub(super) fn create(folder: &Folder, name: &str) -> io::Result<File> {
        File::create_new(folder.path().join(name))
    }

    pub(super) fn remove(folder: &Folder, name: &str) -> io::Result<()> {
        fs::remove_file(folder.path().join(name))
    }

    pub(super) fn rename(folder: &Folder, from: &str, to: &OsStr) -> io::Result<()> {
        fs::rename(folder.path().join(from), folder.path().join(to))
    }

    pub(super) fn rename_to_free(folder: &Folder, from: &str, to: &OsStr) -> io::Result<()> {
        if folder.path().join(to).symlink_metadata().is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        rename(folder, from, to)
    }

    pub(super) fn sync(_: &Folder) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{lock_folder_of, replace};
    use input::files::{Disk, FilePlace, names_in, text};

    fn place(folder: &Path) -> FilePlace {
        Disk::open(folder).expect("a folder").place("a.json").expect("a place")
    }

    #[test]
    fn only_what_was_seen_is_replaced() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = place(folder.path());
        let _lock = lock_folder_of(&place).expect("locked");
        // What a killed command left.
        std::fs::write(folder.path().join(super::FRESH), "half").expect("written");
        let table: [(Option<&[u8]>, &[u8], bool, &str); 5] = [
            (None, b"1", true, "1"),
            (None, b"2", false, "1"),
            (Some(b"0"), b"2", false, "1"),
            (Some(b"1"), b"2", true, "2"),
            (Some(b"2"), b"2", true, "2"),
        ];
        for (before, bytes, is_replaced, after) in table {
            assert_eq!(replace(&place, before, bytes).expect("no error"), is_replaced);
            assert_eq!(text(&folder.path().join("a.json")).as_deref(), Some(after));
            assert_eq!(names_in(folder.path()).expect("listed"), ["a.json"]);
        }
    }

    #[cfg(unix)]
    #[test]
    fn no_link_leads_elsewhere_and_permissions_are_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let root = tempfile::tempdir().expect("a temporary folder");
        let [folder, outside] = ["folder", "outside"].map(|name| root.path().join(name));
        std::fs::create_dir(&folder).expect("made");
        std::fs::create_dir(&outside).expect("made");
        let place = place(&folder);
        assert!(replace(&place, None, b"1").expect("written"));
        let file = folder.join("a.json");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("set");

        let aside = root.path().join("aside");
        std::fs::rename(&folder, &aside).expect("moved");
        symlink(&outside, &folder).expect("a link");
        assert!(replace(&place, Some(b"1"), b"2").expect("written"));
        assert!(names_in(&outside).expect("listed").is_empty());
        let file = aside.join("a.json");
        assert_eq!(text(&file).as_deref(), Some("2"));
        assert_eq!(file.metadata().expect("there").permissions().mode() & 0o777, 0o600);

        std::fs::remove_file(&file).expect("removed");
        symlink(outside.join("b"), &file).expect("a link");
        assert!(replace(&place, Some(b"2"), b"3").is_err());
        assert!(names_in(&outside).expect("listed").is_empty());
    }
}
