//! Where a workspace comes from: a folder on disk, or a map in memory.
//!
//! A [`Source`] lists its entries once and then reads single files. Only [`Disk`] touches the file
//! system. Paths are relative to the workspace, with `/` between names, on every system. Every file
//! is opened by `folder.rs`: never through a link, never blocking, regular files only.

mod disk;
mod folder;
mod joined;
mod shown;
mod watch;

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

pub use crate::files::disk::{Disk, FilePlace};
pub use crate::files::folder::{Folder, RegularFile, open};
pub use crate::files::joined::{Conflict, JoinedSource, NamedSource};
pub use crate::files::shown::{on_disk, shown};
pub use crate::files::watch::WatchedFiles;

/// Whether a file of this name was left by a system, or only keeps an empty folder in a repository: it is
/// no part of what was evaluated, and is not listed.
pub fn is_litter(name: &str) -> bool {
    matches!(name, ".DS_Store" | "Thumbs.db" | "desktop.ini" | ".gitkeep" | ".keep")
        || name.starts_with("._")
}

/// What lies at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder; what is in it follows in the list.
    Folder,
    /// A folder that was not entered because of its name.
    Skipped,
    /// A symbolic link. It is never followed.
    Link(LinkTarget),
    /// Neither file, folder nor link: a socket, a device.
    Special,
    /// Something that could not be looked at or into: the [`reason`].
    Unreadable(String),
}

/// Where a symbolic link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkTarget {
    /// Into the workspace, where the target is read under this path of its own.
    Inside(String),
    /// Out of the workspace.
    Outside,
    /// Nowhere: it dangles or leads to itself.
    Nowhere,
}

/// What a source has at one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Relative path, unique among the entries; bytes that are not UTF-8 are shown as `\xFF`.
    pub path: String,
    /// What it is. Only an [`EntryKind::File`] can be read.
    pub kind: EntryKind,
    /// Size of a file in bytes, else 0.
    pub bytes: u64,
    /// Whether its own name, without the folders above it, is not valid UTF-8.
    pub odd_name: bool,
}

impl Entry {
    /// A file entry for tests.
    pub fn file(path: impl Into<String>, bytes: u64) -> Self {
        Self { path: path.into(), kind: EntryKind::File, bytes, odd_name: false }
    }
}

/// Files by their paths: those of a folder on disk, of several folders, or in memory.
pub trait Source: Send + Sync {
    /// Everything below the root, folders before their contents, in byte order of the paths.
    /// Folders whose name `skip` accepts are listed but not entered.
    fn list(&self, skip: &dyn Fn(&str) -> bool) -> Vec<Entry>;

    /// At most `limit` bytes of a file listed before.
    fn read(&self, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open(path)?.take(limit).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// A reader of a file listed before.
    ///
    /// # Errors
    /// It is gone, is not or no longer a regular file, cannot be read, or is [`Withheld`].
    fn open<'s>(&'s self, path: &str) -> io::Result<Box<dyn Read + 's>>;
}

/// Why an existing file is withheld: it is not to be published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Withheld {
    /// The settings exclude it, by a pattern or by which outputs are published.
    #[error("not published, as the settings say")]
    Asked,
    /// A secret in it cannot be replaced, as in an archive or a PDF.
    #[error("not published, because it holds secrets that cannot be replaced in it")]
    Unsafe,
}

impl Withheld {
    /// Why a file was withheld, by the error of reading it; `None` for any other error.
    pub fn new(error: &io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref::<Self>().copied()
    }
}

const PIECE_BYTES: usize = 256 * 1024;

/// The [`reason`] for missing permission.
pub const DENIED: &str = "permission denied";

/// An I/O error in a few lower-case words, the same on every system.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        io::ErrorKind::PermissionDenied => DENIED.to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::NotADirectory => "it is not a folder".to_owned(),
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
        _ => error.to_string().to_lowercase(),
    }
}

/// At most `limit` bytes of the file at `path`, anywhere. It is opened as by [`open`].
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    folder::read(open(path)?, limit)
}

/// Like [`read`], but `None` if there is no file.
pub fn regular(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    match read(path, limit) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

/// The parent folder of `path`.
pub fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Passes everything in `reader` to `take` in pieces, so that a large file is never held.
pub fn in_pieces(
    reader: &mut dyn Read,
    mut take: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        match reader.read(&mut piece)? {
            0 => return Ok(()),
            length => take(&piece[..length])?,
        }
    }
}

/// The text of one file anywhere; `None` when it cannot be read or is not UTF-8.
pub fn text(path: &Path) -> Option<String> {
    String::from_utf8(read(path, u64::MAX).ok()?).ok()
}

/// The names directly in the folder at `path`, in order; empty if there is no folder.
#[allow(clippy::disallowed_methods, reason = "this module is the one that reads")]
pub fn names_in(path: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    match std::fs::read_dir(path) {
        Ok(entries) => {
            for entry in entries {
                names.push(shown(&entry?.file_name()));
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    names.sort();
    Ok(names)
}

/// A workspace in memory, for tests and for embedding.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: BTreeMap<String, Vec<u8>>,
}

impl Memory {
    /// A workspace of these files, each by its path with `/`. Of equal paths the last one counts.
    pub fn new<P: Into<String>, B: Into<Vec<u8>>>(files: impl IntoIterator<Item = (P, B)>) -> Self {
        let files = files.into_iter().map(|(path, bytes)| (path.into(), bytes.into())).collect();
        Self { files }
    }
}

impl Source for Memory {
    fn list(&self, _skip: &dyn Fn(&str) -> bool) -> Vec<Entry> {
        self.files.iter().map(|(path, bytes)| Entry::file(path, bytes.len() as u64)).collect()
    }

    fn open<'s>(&'s self, path: &str) -> io::Result<Box<dyn Read + 's>> {
        let bytes = self.files.get(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(bytes.as_slice()))
    }
}
