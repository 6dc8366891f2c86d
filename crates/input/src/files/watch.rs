//! Detects changes in folders by the size and times of every file.
//!
//! A check costs one walk and works on every file system. Notifications would need a library for
//! each system, and are limited for large folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use walkdir::WalkDir;

type FileStamp = (u64, Option<SystemTime>, i64);

/// What lay in some folders at one moment, to be compared with a later one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WatchedFiles {
    stamps: BTreeMap<PathBuf, FileStamp>,
}

impl WatchedFiles {
    /// Records everything below `roots` except folders and files whose name `skip` accepts.
    pub fn new(roots: &[PathBuf], skip: &dyn Fn(&str) -> bool) -> Self {
        let mut stamps = BTreeMap::new();
        for root in roots {
            let walk = WalkDir::new(root).into_iter().filter_entry(|entry| {
                // The user named the root, whatever it is called.
                entry.depth() == 0 || !skip(&entry.file_name().to_string_lossy())
            });
            for entry in walk.filter_map(Result::ok) {
                let stamp = stamp(&entry);
                stamps.insert(entry.into_path(), stamp);
            }
        }
        Self { stamps }
    }

    /// How many files and folders there were, the roots included.
    pub fn count(&self) -> usize {
        self.stamps.len()
    }

    /// The paths that are new or changed since `earlier`, then those that are gone; in order each.
    pub fn changed_since<'s>(&'s self, earlier: &'s Self) -> Vec<&'s Path> {
        let mut changed = Vec::new();
        for (path, stamp) in &self.stamps {
            if earlier.stamps.get(path) != Some(stamp) {
                changed.push(path.as_path());
            }
        }
        for path in earlier.stamps.keys() {
            if !self.stamps.contains_key(path) {
                changed.push(path);
            }
        }
        changed
    }
}

fn stamp(entry: &walkdir::DirEntry) -> FileStamp {
    // Only the name of a folder: changes in it are changes of its files.
    let data = if entry.file_type().is_dir() { None } else { entry.metadata().ok() };
    data.map(|data| (data.len(), data.modified().ok(), changed(&data))).unwrap_or_default()
}

/// A time that users cannot set, if the system has one: copies may keep the time of their source.
#[cfg(unix)]
fn changed(data: &std::fs::Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;
    data.ctime().wrapping_mul(1_000_000_000).wrapping_add(data.ctime_nsec())
}

#[cfg(not(unix))]
fn changed(_: &std::fs::Metadata) -> i64 {
    0
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests change files")]
mod tests {
    use super::WatchedFiles;

    #[test]
    fn new_removed_and_changed_files_are_detected() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let root = place.path().to_path_buf();
        let look = || {
            WatchedFiles::new(std::slice::from_ref(&root), &|name| name.starts_with(".evalbook-"))
        };
        std::fs::write(root.join("a"), "1").expect("written");
        let first = look();
        assert_eq!(first, look());
        std::fs::write(root.join(".evalbook-x"), "1").expect("written");
        assert_eq!(first, look());
        std::fs::write(root.join("a"), "22").expect("written");
        std::fs::write(root.join("b"), "1").expect("written");
        let second = look();
        assert_eq!(second.changed_since(&first), [root.join("a"), root.join("b")]);
        std::fs::remove_file(root.join("b")).expect("removed");
        assert_eq!(look().changed_since(&second), [root.join("b")]);
        assert_eq!(second.count(), 3);
    }
}
