//! New folders in a workspace: each appears at once, and only where nothing is yet.

use std::io;
use std::path::{Path, PathBuf};

use crate::files::Regular;
use crate::write::system::{self, in_its_folder, parent};
use crate::write::temporary::Temporary;
use crate::write::{WriteError, attempt, taken_or_failed};

const FRESH: &str = "folder";

/// A folder in the making. Until [`Fresh::place`] it lies beside its place under a name that no
/// command reads; a command that is killed leaves nothing under the name that was meant.
#[derive(Debug)]
pub struct Fresh {
    target: PathBuf,
    temporary: Temporary,
}

impl Fresh {
    pub fn begin(target: &Path) -> Result<Self, WriteError> {
        // Anything at all counts, also a link that leads nowhere.
        if target.symlink_metadata().is_ok() {
            return Err(WriteError::Taken(target.to_path_buf()));
        }
        let temporary = attempt(target, || Temporary::with_folder(parent(target), FRESH))?;
        Ok(Self { target: target.to_path_buf(), temporary })
    }

    pub fn folder(&self, path: &str) -> Result<(), WriteError> {
        self.make(Path::new(path), system::create_folders)
    }

    pub fn file(&self, path: &str, bytes: &[u8]) -> Result<(), WriteError> {
        let write = |place: &Path| in_its_folder(place, || system::write_file(place, bytes));
        self.make(Path::new(path), write)
    }

    pub fn copy(&self, path: &Path, mut from: Regular) -> Result<(), WriteError> {
        self.make(path, |place| {
            system::create_folders(parent(place))?;
            system::copy(&mut from, place)
        })
    }

    pub fn place(self) -> Result<(), WriteError> {
        system::rename_to_free(&self.fresh(), &self.target)
            .map_err(|error| taken_or_failed(&self.target, &error))
    }

    fn fresh(&self) -> PathBuf {
        self.temporary.path().join(FRESH)
    }

    fn make(
        &self,
        path: &Path,
        make: impl FnOnce(&Path) -> io::Result<()>,
    ) -> Result<(), WriteError> {
        attempt(&self.target.join(path), || make(&self.fresh().join(path)))
    }
}

/// Removes a folder that was just placed. It leaves its place at once, so that nobody finds a part.
pub fn take_back(target: &Path) -> Result<(), WriteError> {
    let removed = || {
        let temporary = Temporary::inside(parent(target))?;
        system::rename(target, &temporary.path().join(FRESH))
    };
    removed().map_err(|error: io::Error| WriteError::Io {
        path: target.to_path_buf(),
        reason: format!("it cannot be removed: {}", crate::files::reason(&error)),
    })
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
        assert_eq!(crate::files::names_in(place.path()).expect("listed"), ["new"]);
    }

    #[test]
    fn what_was_placed_can_be_taken_back() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let target = place.path().join("v0");
        let fresh = Fresh::begin(&target).expect("begun");
        fresh.file("skill/SKILL.md", b"a skill").expect("written");
        fresh.place().expect("placed");
        take_back(&target).expect("removed");
        assert!(crate::files::names_in(place.path()).expect("listed").is_empty());
        assert!(take_back(&target).is_err());
    }
}
