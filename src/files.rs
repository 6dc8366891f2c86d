//! Where a workspace comes from: a folder on disk, or a map in memory.
//!
//! A [`Source`] lists its entries once and reads single files afterwards. Only [`Disk`] touches
//! the file system. Paths are relative to the workspace, with `/` between names, on every system.

mod watch;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::WalkDir;

mod joined;

pub use crate::files::joined::{Disagreement, Joined};
pub use crate::files::watch::Seen;

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A folder that was not entered because of its name.
    Skipped,
    /// A symbolic link, never followed.
    Link(LinkTarget),
    /// Neither file, folder nor link: a socket, a device.
    Special,
    /// It could not be looked at, and why.
    Unreadable(String),
}

/// Where a symbolic link leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkTarget {
    /// Into the workspace, where the target is read under its own path.
    Inside,
    /// Out of the workspace.
    Outside,
    /// Nowhere: it dangles or leads to itself.
    Nowhere,
}

/// One file or folder of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Relative path; bytes that are not UTF-8 are written as `\xFF`.
    pub path: String,
    /// What it is.
    pub kind: EntryKind,
    /// Size of a file in bytes, else 0.
    pub bytes: u64,
    /// Whether its own name on disk is not valid UTF-8.
    pub odd_name: bool,
}

impl Entry {
    /// A file, as tests need them.
    pub fn file(path: impl Into<String>, bytes: u64) -> Self {
        Self { path: path.into(), kind: EntryKind::File, bytes, odd_name: false }
    }
}

/// Something that holds a workspace.
pub trait Source: Send + Sync {
    /// Everything below the root, folders before what they hold, in byte order of the paths.
    /// Folders whose name `skip` accepts are listed but not entered.
    fn list(&self, skip: &dyn Fn(&str) -> bool) -> Vec<Entry>;

    /// The bytes of one file listed before, at most `limit` of them.
    ///
    /// # Errors
    /// When the file is gone or may not be read.
    fn read(&self, path: &str, limit: u64) -> io::Result<Vec<u8>>;

    /// The same file to be read part by part.
    ///
    /// # Errors
    /// When the file is gone or may not be read.
    fn open<'s>(&'s self, path: &str) -> io::Result<Box<dyn Read + 's>>;

    /// A text made from one of its files as it may be shown; `None` where it may as it is. Files
    /// themselves are given so already: this is for what only shows once a format is taken apart.
    fn clean(&self, text: &str) -> Option<String> {
        let hidden = self.hidden(text);
        let mut done = 0;
        let mut out = String::new();
        for Hidden { range, mark } in &hidden {
            out.push_str(&text[done..range.start]);
            out.push_str(mark);
            done = range.end;
        }
        (!hidden.is_empty()).then(|| out + &text[done..])
    }

    /// What of such a text may not be shown, in its order.
    fn hidden(&self, _text: &str) -> Vec<Hidden> {
        Vec::new()
    }
}

/// A part of a text that may not be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// Its bytes, from character to character.
    pub range: Range<usize>,
    /// What stands in its place: text without a character of markup.
    pub mark: String,
}

impl<S: Source + ?Sized> Source for Arc<S> {
    fn list(&self, skip: &dyn Fn(&str) -> bool) -> Vec<Entry> {
        self.as_ref().list(skip)
    }

    fn read(&self, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        self.as_ref().read(path, limit)
    }

    fn open<'s>(&'s self, path: &str) -> io::Result<Box<dyn Read + 's>> {
        self.as_ref().open(path)
    }

    fn clean(&self, text: &str) -> Option<String> {
        self.as_ref().clean(text)
    }

    fn hidden(&self, text: &str) -> Vec<Hidden> {
        self.as_ref().hidden(text)
    }
}

/// A folder on disk.
#[derive(Clone, Debug)]
pub struct Disk {
    root: PathBuf,
}

impl Disk {
    /// The folder at `root`.
    ///
    /// # Errors
    /// When there is no such folder or it may not be listed.
    #[allow(clippy::disallowed_methods, reason = "this module is the one that reads")]
    pub fn open(root: &Path) -> io::Result<Self> {
        let root = root.canonicalize()?;
        if root.is_dir() {
            std::fs::read_dir(&root)?;
            Ok(Self { root })
        } else {
            Err(io::Error::new(io::ErrorKind::NotADirectory, "not a folder"))
        }
    }

    /// The folder's real path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where a listed path lies on disk. Odd names are looked up again in their folder.
    pub fn locate(&self, path: &str) -> PathBuf {
        let direct = self.root.join(path);
        if path.contains("\\x") && direct.symlink_metadata().is_err() {
            return self.locate_odd(path).unwrap_or(direct);
        }
        direct
    }

    /// The content of a listed path, to be read part by part.
    ///
    /// # Errors
    /// When the file is gone or may not be read.
    pub fn stream(&self, path: &str) -> io::Result<Box<dyn Read>> {
        Ok(Box::new(std::fs::File::open(self.locate(path))?))
    }

    /// So many bytes of a file, from `start` on.
    ///
    /// # Errors
    /// When the file is gone, may not be read or ends before.
    pub fn read_at(&self, path: &str, start: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut file = std::fs::File::open(self.locate(path))?;
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = vec![0; length];
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// The size of the file at `path`; `None` where none lies in the folder itself, links followed.
    pub fn own_size(&self, path: &str) -> Option<u64> {
        let file = self.root.join(path).canonicalize().ok()?;
        let data = file.metadata().ok()?;
        (file.starts_with(&self.root) && data.is_file()).then_some(data.len())
    }

    fn locate_odd(&self, path: &str) -> Option<PathBuf> {
        let mut found = self.root.clone();
        for name in path.split('/') {
            let children = WalkDir::new(&found).min_depth(1).max_depth(1).sort_by_file_name();
            let child = children
                .into_iter()
                .filter_map(Result::ok)
                .find(|child| readable(child.file_name()) == name)?;
            found = child.into_path();
        }
        Some(found)
    }

    fn entry(&self, found: &walkdir::DirEntry, skipped: bool) -> Entry {
        let (path, odd_name) = relative(&self.root, found.path());
        let file_type = found.file_type();
        let kind = match () {
            () if file_type.is_symlink() => EntryKind::Link(self.target_of(found.path())),
            () if file_type.is_dir() && skipped => EntryKind::Skipped,
            () if file_type.is_dir() => EntryKind::Folder,
            () if file_type.is_file() => EntryKind::File,
            () => EntryKind::Special,
        };
        let is_file = kind == EntryKind::File;
        let bytes = if is_file { found.metadata().map_or(0, |data| data.len()) } else { 0 };
        Entry { path, kind, bytes, odd_name }
    }

    fn target_of(&self, link: &Path) -> LinkTarget {
        match link.canonicalize() {
            Ok(target) if target.starts_with(&self.root) => LinkTarget::Inside,
            Ok(_) => LinkTarget::Outside,
            Err(_) => LinkTarget::Nowhere,
        }
    }

    fn unreadable(&self, error: &walkdir::Error) -> Entry {
        let (path, odd_name) = relative(&self.root, error.path().unwrap_or(&self.root));
        let reason = error.io_error().map_or("it is part of a loop".to_owned(), reason);
        Entry { path, kind: EntryKind::Unreadable(reason), bytes: 0, odd_name }
    }
}

impl Source for Disk {
    fn list(&self, skip: &dyn Fn(&str) -> bool) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut walk = WalkDir::new(&self.root).min_depth(1).sort_by_file_name().into_iter();
        while let Some(found) = walk.next() {
            match found {
                Err(error) => entries.push(self.unreadable(&error)),
                Ok(found) => {
                    let is_dir = found.file_type().is_dir();
                    let skipped = is_dir && skip(&found.file_name().to_string_lossy());
                    if skipped {
                        walk.skip_current_dir();
                    }
                    entries.push(self.entry(&found, skipped));
                }
            }
        }
        entries
    }

    fn read(&self, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        let file = std::fs::File::open(self.locate(path))?;
        let mut bytes = Vec::new();
        file.take(limit).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn open<'s>(&'s self, path: &str) -> io::Result<Box<dyn Read + 's>> {
        self.stream(path)
    }
}

/// The path below `root` with `/` between names, and whether it is not valid UTF-8.
fn relative(root: &Path, path: &Path) -> (String, bool) {
    let below = path.strip_prefix(root).unwrap_or(path);
    let names: Vec<&OsStr> = below.iter().collect();
    let odd = names.last().is_some_and(|name| name.to_str().is_none());
    let names: Vec<String> = names.iter().map(|name| readable(name)).collect();
    (names.join("/"), odd)
}

/// A name as text; two names are never the same text.
fn readable(name: &OsStr) -> String {
    let mut text = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02X}")));
    }
    text
}

/// Why a file that is there is not given: it is not to be published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Withheld {
    /// The user says so.
    #[error("not published, as the settings say")]
    Asked,
    /// It holds secrets that cannot be replaced in it.
    #[error("not published, because it holds secrets that cannot be replaced in it")]
    Unsafe,
}

impl Withheld {
    /// The reason in `error`, where the file is withheld.
    pub fn of(error: &io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref::<Self>().copied()
    }
}

/// The [`reason`] where somebody lacks the right.
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

/// The text of one file anywhere; `None` when it cannot be read or is not UTF-8.
#[allow(clippy::disallowed_methods, reason = "this module is the one that reads")]
pub fn text(path: &Path) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// The bytes of one regular file anywhere, at most `limit` of them; `None` where there is nothing.
///
/// # Errors
/// When it is something else than a file, such as a link, or may not be read.
pub fn regular(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
        Ok(data) if data.is_file() => {}
        Ok(_) => return Err(io::Error::other("it is no regular file")),
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// The names that stand directly in the folder at `path`, in order; none where there is no folder.
///
/// # Errors
/// When the folder may not be read.
#[allow(clippy::disallowed_methods, reason = "this module is the one that reads")]
pub fn names_in(path: &Path) -> io::Result<Vec<String>> {
    let entries = match std::fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let names = entries.map(|entry| Ok(readable(&entry?.file_name())));
    let mut names: Vec<String> = names.collect::<io::Result<_>>()?;
    names.sort();
    Ok(names)
}

/// A workspace in memory, for tests and for embedding.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: BTreeMap<String, Vec<u8>>,
}

impl Memory {
    /// A workspace of these files.
    pub fn new<P: Into<String>, B: Into<Vec<u8>>>(files: impl IntoIterator<Item = (P, B)>) -> Self {
        let files = files.into_iter().map(|(path, bytes)| (path.into(), bytes.into())).collect();
        Self { files }
    }
}

impl Source for Memory {
    fn list(&self, _skip: &dyn Fn(&str) -> bool) -> Vec<Entry> {
        self.files.iter().map(|(path, bytes)| Entry::file(path, bytes.len() as u64)).collect()
    }

    fn read(&self, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        let bytes = self.files.get(path).ok_or(io::ErrorKind::NotFound)?;
        let length = usize::try_from(limit).unwrap_or(usize::MAX).min(bytes.len());
        Ok(bytes[..length].to_vec())
    }

    fn open<'s>(&'s self, path: &str) -> io::Result<Box<dyn Read + 's>> {
        let bytes = self.files.get(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(bytes.as_slice()))
    }
}
