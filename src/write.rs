//! Write: pages into a folder that replaces the earlier report as a whole.
//!
//! Everything is written into a fresh folder beside the target. Only when it is complete, with the
//! manifest last, the two change places; the earlier report is then removed. A build that fails or
//! is killed leaves the earlier report as it was.

mod fresh;
mod replace;
mod scratch;
mod site;
mod written;

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

pub use crate::write::fresh::{Fresh, Lock, lock, new_file, take_back};
pub use crate::write::replace::replace;
pub use crate::write::scratch::Scratch;
pub use crate::write::site::{Held, Pruned, Site};
pub use crate::write::written::{Size, size};

use crate::discover::{REPORT_MARK, SITE_MARK};

/// Bytes of a file that are held at once while it is copied.
const COPY_BYTES: usize = 256 * 1024;

/// Where pages go.
pub trait Sink: Sync {
    /// Puts the bytes of one page or file at `path`, relative to the report, with `/`.
    ///
    /// # Errors
    /// When it cannot be written.
    fn put(&self, path: &str, bytes: &[u8]) -> io::Result<()>;

    /// Puts a file that is not held in memory where `address` says, which is given the BLAKE3 hash
    /// of its content in hexadecimal digits; the place.
    ///
    /// # Errors
    /// When it cannot be read or written.
    fn store(&self, content: &mut dyn Read, address: &dyn Fn(&str) -> String)
    -> io::Result<String>;

    /// Size and BLAKE3 hash, in hexadecimal digits, of what stands at `path`.
    fn stored(&self, _path: &str) -> Option<(u64, String)> {
        None
    }

    /// Takes note that `path` holds the file `source` of a workspace.
    fn note(&self, _source: &str, _path: &str) {}
}

/// A file of a report.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stored {
    bytes: u64,
    blake3: String,
}

/// Pages kept in memory, for tests and for embedding.
#[derive(Debug, Default)]
pub struct MemorySink {
    pages: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl MemorySink {
    /// The pages by path.
    pub fn into_pages(self) -> BTreeMap<String, Vec<u8>> {
        self.pages.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sink for MemorySink {
    fn put(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.insert(path.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn store(
        &self,
        content: &mut dyn Read,
        address: &dyn Fn(&str) -> String,
    ) -> io::Result<String> {
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes)?;
        let path = address(&hash(&bytes));
        self.put(&path, &bytes)?;
        Ok(path)
    }

    fn stored(&self, path: &str) -> Option<(u64, String)> {
        let pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = pages.get(path)?;
        Some((bytes.len() as u64, hash(bytes)))
    }
}

/// A report folder in the making.
#[derive(Debug)]
pub struct Folder {
    target: PathBuf,
    fresh: tempfile::TempDir,
    /// Held so that nobody takes the folder for what a dead command left.
    _held: Option<Lock>,
    files: Mutex<BTreeMap<String, Stored>>,
    failure: Mutex<Option<(PathBuf, String)>>,
}

/// What stands in the way of a report.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The folder holds something that is no report of ours.
    #[error("`{0}` holds files that evalbook did not write")]
    Foreign(PathBuf),
    /// A site of reports stands where one report was meant.
    #[error("`{0}` is a site of reports, not a report")]
    Site(PathBuf),
    /// What a site knows of itself makes no sense.
    #[error("cannot read `{path}:{line}:{column}`: {reason}")]
    State {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong there.
        reason: String,
    },
    /// A file or folder that is no one of ours stands where one is to be.
    #[error("`{0}` was not written by evalbook")]
    NotOurs(PathBuf),
    /// Something of ours was changed by others since.
    #[error("`{0}` is not as evalbook wrote it")]
    Changed(PathBuf),
    /// The same of a file that is made from all reports of a site.
    #[error("`{0}` is not as evalbook wrote it")]
    ChangedAbove(PathBuf),
    /// A report stands where a site of reports was meant.
    #[error("`{0}` is a report, not a site of reports")]
    Report(PathBuf),
    /// Something stands already where something new was to be put.
    #[error("`{0}` exists")]
    Taken(PathBuf),
    /// It could not be written.
    #[error("cannot write `{path}`: {reason}")]
    Io {
        /// What was to be written.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Files, without the manifest.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
}

impl Folder {
    /// Begins a report that is to stand at `target`.
    ///
    /// # Errors
    /// When `target` holds something else, or nothing can be written beside it.
    pub fn begin(target: &Path) -> Result<Self, WriteError> {
        refuse_foreign(target)?;
        Self::beside(target, ".evalbook-")
    }

    /// Begins a report at `target` in a folder beside it whose name begins with `prefix`.
    fn beside(target: &Path, prefix: &str) -> Result<Self, WriteError> {
        let target = std::path::absolute(target).map_err(|error| failed(target, &error))?;
        let parent = target.parent().unwrap_or(&target).to_path_buf();
        create_folders(&parent).map_err(|error| failed(&parent, &error))?;
        let fresh = tempfile::Builder::new()
            .prefix(prefix)
            .tempdir_in(&parent)
            .map_err(|error| failed(&parent, &error))?;
        let (files, failure) = (Mutex::default(), Mutex::default());
        Ok(Self { target, fresh, _held: None, files, failure })
    }

    /// Bytes and hash of every file so far, by path.
    pub fn contents(&self) -> BTreeMap<String, (u64, String)> {
        let files = self.files();
        let each = files.iter();
        each.map(|(path, file)| (path.clone(), (file.bytes, file.blake3.clone()))).collect()
    }

    /// Writes the manifest and puts the report in its place.
    ///
    /// # Errors
    /// When that fails, or when any file before could not be written; the earlier report then
    /// still stands.
    pub fn finish(self) -> Result<Written, WriteError> {
        let failure = self.failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some((path, reason)) = failure {
            return Err(WriteError::Io { path, reason });
        }
        let files = self.files.into_inner().unwrap_or_else(PoisonError::into_inner);
        let written =
            Written { files: files.len(), bytes: files.values().map(|file| file.bytes).sum() };
        let text =
            manifest(&files).map_err(|error| failed(&self.target, &io::Error::other(error)))?;
        let mark = self.fresh.path().join(REPORT_MARK);
        write_file(&mark, text.as_bytes()).map_err(|error| failed(&mark, &error))?;
        exchange(self.fresh, &self.target).map_err(|error| failed(&self.target, &error))?;
        Ok(written)
    }
}

/// The manifest: a line for each file.
fn manifest(files: &BTreeMap<String, Stored>) -> serde_json::Result<String> {
    let mut lines = Vec::with_capacity(files.len());
    for (path, file) in files {
        lines.push(format!("{}:{}", serde_json::to_string(path)?, serde_json::to_string(file)?));
    }
    let head = "{\"generator\":\"evalbook\",\"schema_version\":1,\"files\":{";
    Ok(format!("{head}\n{}\n}}}}\n", lines.join(",\n")))
}

impl Folder {
    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let file = self.fresh.path().join(path);
        in_its_folder(&file, || write_file(&file, bytes))
    }

    /// Copies `content` into the report under a name of its own; the file, its size and its hash.
    fn copy(&self, content: &mut dyn Read) -> io::Result<(tempfile::NamedTempFile, Stored)> {
        let file = self.noted("", tempfile::NamedTempFile::new_in(self.fresh.path()))?;
        let (mut hasher, mut bytes) = (blake3::Hasher::new(), 0);
        let mut part = vec![0; COPY_BYTES];
        loop {
            let length = content.read(&mut part)?;
            if length == 0 {
                break;
            }
            hasher.update(&part[..length]);
            self.noted("", file.as_file().write_all(&part[..length]))?;
            bytes += length as u64;
        }
        Ok((file, Stored { bytes, blake3: hasher.finalize().to_hex().to_string() }))
    }

    /// Moves a copied file to its place.
    fn place(&self, file: tempfile::NamedTempFile, path: &str) -> io::Result<()> {
        let place = self.fresh.path().join(path);
        allow_reading(file.path(), 0o644)?;
        let file = file.into_temp_path();
        in_its_folder(&place, || rename(&file, &place))
    }

    /// `result`, whose error keeps the report from being finished.
    fn noted<T>(&self, path: &str, result: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &result {
            let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            failure.get_or_insert((self.target.join(path), crate::files::reason(error)));
        }
        result
    }

    fn files(&self) -> MutexGuard<'_, BTreeMap<String, Stored>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Does `write`; where that fails because the folder of `file` is missing, makes it and tries again.
fn in_its_folder(file: &Path, write: impl Fn() -> io::Result<()>) -> io::Result<()> {
    match (write(), file.parent()) {
        (Err(error), Some(parent)) if error.kind() == io::ErrorKind::NotFound => {
            create_folders(parent)?;
            write()
        }
        (result, _) => result,
    }
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

impl Sink for Folder {
    fn put(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let entry = Stored { bytes: bytes.len() as u64, blake3: hash(bytes) };
        if self.files().get(path) == Some(&entry) {
            return Ok(());
        }
        self.noted(path, self.write(path, bytes))?;
        self.files().insert(path.to_owned(), entry);
        Ok(())
    }

    fn store(
        &self,
        content: &mut dyn Read,
        address: &dyn Fn(&str) -> String,
    ) -> io::Result<String> {
        let (file, entry) = self.copy(content)?;
        let path = address(&entry.blake3);
        if self.files().get(&path) != Some(&entry) {
            self.noted(&path, self.place(file, &path))?;
            self.files().insert(path.clone(), entry);
        }
        Ok(path)
    }

    fn stored(&self, path: &str) -> Option<(u64, String)> {
        self.files().get(path).map(|file| (file.bytes, file.blake3.clone()))
    }
}

/// Writes one file as a whole: beside it first, then renamed over it.
///
/// # Errors
/// When it cannot be written.
pub fn file(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let path = std::path::absolute(path).map_err(|error| failed(path, &error))?;
    let parent = path.parent().unwrap_or(&path);
    let write = || -> io::Result<()> {
        create_folders(parent)?;
        let fresh = tempfile::NamedTempFile::new_in(parent)?;
        io::Write::write_all(&mut fresh.as_file(), bytes)?;
        allow_reading(fresh.path(), 0o644)?;
        fresh.persist(&path)?;
        Ok(())
    };
    write().map_err(|error| failed(&path, &error))
}

/// A folder that is not empty must carry our mark.
fn refuse_foreign(target: &Path) -> Result<(), WriteError> {
    let is_report = target.join(REPORT_MARK).is_file();
    match entries(target) {
        Ok(0) => Ok(()),
        Ok(_) if is_report => Ok(()),
        Ok(_) if target.join(SITE_MARK).is_file() => Err(WriteError::Site(target.to_path_buf())),
        Ok(_) => Err(WriteError::Foreign(target.to_path_buf())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(failed(target, &error)),
    }
}

#[allow(clippy::disallowed_methods, reason = "this module is the one that writes")]
fn entries(target: &Path) -> io::Result<usize> {
    Ok(std::fs::read_dir(target)?.take(1).count())
}

#[allow(clippy::disallowed_methods, reason = "this module is the one that writes")]
fn create_folders(path: &Path) -> io::Result<()> {
    std::fs::create_dir_all(path)
}

#[allow(clippy::disallowed_methods, reason = "this module is the one that writes")]
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::rename(from, to)
}

#[allow(clippy::disallowed_methods, reason = "this module is the one that writes")]
fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    std::fs::write(path, bytes)
}

/// Temporary files and folders are private; a report is meant to be read.
fn allow_reading(path: &Path, mode: u32) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))?;
    }
    #[cfg(not(unix))]
    let _ = (path, mode);
    Ok(())
}

/// Puts the fresh folder in the place of the old one; the old one goes with the temporary folder.
#[allow(clippy::disallowed_methods, reason = "this module is the one that writes")]
fn exchange(fresh: tempfile::TempDir, target: &Path) -> io::Result<()> {
    allow_reading(fresh.path(), 0o755)?;
    if !target.exists() {
        return std::fs::rename(fresh.keep(), target);
    }
    if swap(fresh.path(), target).is_ok() {
        return fresh.close();
    }
    let aside = tempfile::Builder::new()
        .prefix(".evalbook-old-")
        .tempdir_in(target.parent().unwrap_or(target))?;
    let old = aside.path().join("report");
    std::fs::rename(target, &old)?;
    if let Err(error) = std::fs::rename(fresh.path(), target) {
        std::fs::rename(&old, target)?;
        return Err(error);
    }
    let _ = fresh.keep();
    aside.close()
}

#[cfg(target_os = "linux")]
fn swap(a: &Path, b: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE)?)
}

#[cfg(not(target_os = "linux"))]
fn swap(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

fn failed(path: &Path, error: &io::Error) -> WriteError {
    WriteError::Io { path: path.to_path_buf(), reason: crate::files::reason(error) }
}
