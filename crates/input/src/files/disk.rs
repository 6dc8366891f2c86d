//! A workspace in a folder on disk.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;

use crate::files::folder::{self, ChildKind, Folder, RegularFile};
use crate::files::{Entry, EntryKind, LinkTarget, Source, is_litter, on_disk, reason, shown};

/// The most nested folders that are entered: each is held open on the way down.
const MAX_DEPTH: usize = 128;

/// A folder on disk. Everything is opened from it and never through a link, so nobody can swap one
/// in.
#[derive(Clone, Debug)]
pub struct Disk {
    root: PathBuf,
    folder: Arc<Folder>,
}

impl Disk {
    /// The folder at `root`, which may be a link.
    ///
    /// # Errors
    /// There is nothing at `root`, it is no folder, or it may not be opened.
    pub fn open(root: &Path) -> io::Result<Self> {
        // The user may name a link; from here on, none is followed.
        let root = root.canonicalize()?;
        if !root.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "not a folder"));
        }
        let folder = Arc::new(Folder::open(&root)?);
        Ok(Self { root, folder })
    }

    /// Its absolute path, with all links resolved.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The path of a listed entry on disk, to be written or named; [`Disk::file`] opens it.
    pub fn locate(&self, path: &str) -> PathBuf {
        self.root.join(on_disk(path))
    }

    /// Opens a listed file by its path with `/`.
    ///
    /// # Errors
    /// It is gone, is no regular file, or may not be opened; or the path has a link or `..` in it.
    pub fn file(&self, path: &str) -> io::Result<RegularFile> {
        #[cfg(target_os = "linux")]
        if let Some(file) = self.folder.file_below(&names_of(path)?)? {
            return Ok(file);
        }
        self.place(path)?.open()
    }

    /// The place of a file that may not exist yet, in its folder, which does.
    pub fn place(&self, path: &str) -> io::Result<FilePlace> {
        let mut names = names_of(path)?;
        let Some(name) = names.pop() else { return Err(io::ErrorKind::NotFound.into()) };
        let mut folder = Arc::clone(&self.folder);
        for name in names {
            folder = Arc::new(folder.folder(&name)?);
        }
        Ok(FilePlace { folder, name, shown: self.locate(path) })
    }
}

/// A name in a folder that is held open: nobody can lead it elsewhere.
#[derive(Debug)]
pub struct FilePlace {
    /// The open folder in which the name is looked up.
    pub folder: Arc<Folder>,
    /// The name in that folder, as it is on disk.
    pub name: OsString,
    /// The path in messages.
    pub shown: PathBuf,
}

impl FilePlace {
    /// Opens the file for reading.
    ///
    /// # Errors
    /// There is none, it is a link or not a regular file, or it may not be opened.
    pub fn open(&self) -> io::Result<RegularFile> {
        self.folder.file(&self.name)
    }

    /// At most `limit` bytes of the file; `None` if there is none.
    pub fn read(&self, limit: u64) -> io::Result<Option<Vec<u8>>> {
        match self.open() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            file => folder::read(file?, limit).map(Some),
        }
    }
}

fn names_of(path: &str) -> io::Result<Vec<OsString>> {
    path.split('/').map(single_name).collect()
}

/// The name on disk for one that is shown; an error for one that leads to another folder.
fn single_name(shown: &str) -> io::Result<OsString> {
    let name = on_disk(shown);
    let mut parts = name.components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(_)), None) => Ok(OsString::from(name)),
        _ => Err(io::ErrorKind::NotFound.into()),
    }
}

impl Source for Disk {
    fn list(&self, skip: &dyn Fn(&str) -> bool) -> Vec<Entry> {
        let mut walk = DiskWalk { disk: self, skip, entries: Vec::new() };
        if let Err(error) = walk.enter("", &self.folder, MAX_DEPTH) {
            let kind = EntryKind::Unreadable(reason(&error));
            walk.entries.push(Entry { path: String::new(), kind, bytes: 0, odd_name: false });
        }
        walk.entries
    }

    fn read(&self, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        folder::read(self.file(path)?, limit)
    }

    fn open<'s>(&'s self, path: &str) -> io::Result<Box<dyn Read + 's>> {
        Ok(Box::new(self.file(path)?))
    }
}

struct DiskWalk<'w> {
    disk: &'w Disk,
    skip: &'w dyn Fn(&str) -> bool,
    entries: Vec<Entry>,
}

impl DiskWalk<'_> {
    fn enter(&mut self, above: &str, folder: &Folder, left: usize) -> io::Result<()> {
        let children = folder.children()?.into_iter();
        let mut children: Vec<_> = children.map(|child| (shown(&child.name), child)).collect();
        // File systems list in an order of their own, and reports must not depend on it.
        children.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, child) in children {
            if matches!(child.kind, ChildKind::File(_)) && is_litter(&name) {
                continue;
            }
            let path = if above.is_empty() { name.clone() } else { format!("{above}/{name}") };
            let (kind, bytes) = match child.kind {
                ChildKind::File(bytes) => (EntryKind::File, bytes),
                ChildKind::Folder if (self.skip)(&name) => (EntryKind::Skipped, 0),
                ChildKind::Folder => (EntryKind::Folder, 0),
                ChildKind::Link => (EntryKind::Link(self.link_target(&path)), 0),
                ChildKind::Special => (EntryKind::Special, 0),
                ChildKind::Unknown(error) => (EntryKind::Unreadable(reason(&error)), 0),
            };
            let is_entered = kind == EntryKind::Folder;
            let place = self.entries.len();
            let odd_name = child.name.to_str().is_none();
            self.entries.push(Entry { path: path.clone(), kind, bytes, odd_name });
            if is_entered && let Err(error) = self.enter_child(&path, folder, &child.name, left) {
                // What was listed before the error stays: one bad file does not cost the others.
                self.entries[place].kind = EntryKind::Unreadable(reason(&error));
            }
        }
        Ok(())
    }

    fn enter_child(
        &mut self,
        path: &str,
        parent: &Folder,
        name: &OsStr,
        left: usize,
    ) -> io::Result<()> {
        let Some(left) = left.checked_sub(1) else {
            return Err(io::Error::other("it lies too deep in other folders"));
        };
        self.enter(path, &parent.folder(name)?, left)
    }

    fn link_target(&self, path: &str) -> LinkTarget {
        match self.disk.locate(path).canonicalize() {
            Ok(target) => match target.strip_prefix(&self.disk.root) {
                Ok(inside) => {
                    LinkTarget::Inside(inside.to_string_lossy().replace(MAIN_SEPARATOR, "/"))
                }
                Err(_) => LinkTarget::Outside,
            },
            Err(_) => LinkTarget::Nowhere,
        }
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::disallowed_methods, reason = "tests change files")]
mod tests {
    use std::io::{Read, Write};

    use super::Disk;
    use crate::files::{EntryKind, Source};

    #[test]
    fn a_file_ends_where_it_ended_when_it_was_opened() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let path = place.path().join("a.txt");
        std::fs::write(&path, "first ").expect("written");
        let disk = Disk::open(place.path()).expect("a folder");
        let mut file = disk.open("a.txt").expect("a file");
        let mut writer = std::fs::File::options().append(true).open(&path).expect("a file");
        writer.write_all(b"second").expect("appended");
        let mut text = String::new();
        file.read_to_string(&mut text).expect("read");
        assert_eq!(text, "first ");
        assert_eq!(disk.read("a.txt", 99).expect("read"), b"first second");
    }

    #[test]
    fn no_path_leads_out_of_the_folder() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let inner = place.path().join("inner/deeper");
        std::fs::create_dir_all(&inner).expect("a folder");
        std::fs::write(place.path().join("a.txt"), "outside").expect("written");
        std::fs::write(inner.join("b.txt"), "inside").expect("written");
        std::os::unix::fs::symlink("..", place.path().join("inner/up")).expect("a link");
        let disk = Disk::open(&place.path().join("inner")).expect("a folder");
        let root = place.path().join("a.txt");
        let root = root.to_str().expect("a path");
        let ways =
            ["../a.txt", "up/a.txt", "deeper/../../a.txt", "./up/a.txt", "", ".", "up", root];
        for path in ways {
            assert!(disk.read(path, 9).is_err(), "{path}");
        }
        assert_eq!(disk.read("deeper/b.txt", 9).expect("read"), b"inside");
    }

    #[test]
    fn folders_far_within_each_other_are_reported_and_not_entered() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let deep = place.path().join(["d"; 200].join("/"));
        std::fs::create_dir_all(deep).expect("folders");
        let entries = Disk::open(place.path()).expect("a folder").list(&|_| false);
        let kinds = entries.iter().map(|entry| &entry.kind);
        assert_eq!(kinds.filter(|kind| matches!(kind, EntryKind::Unreadable(_))).count(), 1);
        assert_eq!(entries.len(), super::MAX_DEPTH + 1);
    }
}
