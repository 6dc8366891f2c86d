//! A report under construction, and how it replaces the earlier one.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use serde::Deserialize;
use walkdir::{DirEntry, WalkDir};

use crate::write::error::{attempt, failed};
use crate::write::system::{self, followed, in_its_folder, is_mount_point, lock, parent};
use crate::write::temporary::{Temporary, is_temporary};
use crate::write::{ManifestEntry, Sink, Stranger, WriteError, hash};
use input::discover::{REPORT_MARK, SITE_MARK};
use input::files;

#[derive(Debug)]
pub struct ReportFolder {
    /// The target as the user named it.
    shown: PathBuf,
    /// The target with links followed.
    target: PathBuf,
    /// A mount point cannot be renamed, so it is filled file by file.
    is_mount: bool,
    temporary: Temporary,
    fresh: PathBuf,
    /// Number of files copied so far, for unique names until their hashes are known.
    copies: AtomicUsize,
    files: Mutex<BTreeMap<String, ManifestEntry>>,
    failure: Mutex<Option<WriteError>>,
}

impl ReportFolder {
    /// Begins a report at `target`, which may be a link to a folder.
    pub fn begin(target: &Path) -> Result<Self, WriteError> {
        Self::begin_at(target, attempt(target, || followed(target))?)
    }

    pub(super) fn begin_at(shown: &Path, target: PathBuf) -> Result<Self, WriteError> {
        refuse_foreign(&target, shown)?;
        let is_mount = is_mount_point(&target);
        let location = if is_mount { &target } else { parent(&target) };
        let (temporary, fresh) = attempt(shown, || Temporary::with_folder(location))?;
        Ok(Self {
            shown: shown.to_path_buf(),
            target,
            is_mount,
            fresh,
            temporary,
            copies: AtomicUsize::default(),
            files: Mutex::default(),
            failure: Mutex::default(),
        })
    }

    /// The BLAKE3 hash of each file, in hexadecimal digits.
    pub fn hashes(&self) -> BTreeMap<String, String> {
        self.files().iter().map(|(path, file)| (path.clone(), file.blake3.clone())).collect()
    }

    pub fn failure(&self) -> Option<WriteError> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Writes the manifest and puts the report in its place; returns its size without the manifest.
    pub fn finish(self) -> Result<FolderSize, WriteError> {
        if let Some(error) = self.failure() {
            return Err(error);
        }
        let written = {
            let files = self.files();
            attempt(&self.shown.join(REPORT_MARK), || {
                self.write(REPORT_MARK, manifest(&files)?.as_bytes())
            })?;
            FolderSize { files: files.len(), bytes: files.values().map(|file| file.bytes).sum() }
        };
        // Filling takes a while, in which another build would find half a report.
        let _lock = if self.is_mount { Some(lock(&self.target)?) } else { None };
        // Somebody may have added something in the meantime.
        refuse_foreign(&self.target, &self.shown)?;
        if self.is_mount {
            attempt(&self.shown, || fill(&self.fresh, &self.target))?;
        } else {
            exchange(&self.temporary, &self.fresh, &self.target, &self.shown)?;
        }
        Ok(written)
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let file = self.fresh.join(path);
        in_its_folder(&file, || fs::write(&file, bytes))
    }

    fn copy(&self, content: &mut dyn Read, file: &Path) -> io::Result<ManifestEntry> {
        let mut file = self.recorded("", File::create(file))?;
        let (mut hasher, mut bytes) = (blake3::Hasher::new(), 0);
        files::in_pieces(content, |piece| {
            hasher.update(piece);
            bytes += piece.len() as u64;
            self.recorded("", file.write_all(piece))
        })?;
        Ok(ManifestEntry { bytes, blake3: hasher.finalize().to_hex().to_string() })
    }

    /// Passes `result` on; an error keeps the report from being finished.
    fn recorded<T>(&self, path: &str, result: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &result {
            let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            let place = if path.is_empty() { self.shown.clone() } else { self.shown.join(path) };
            failure.get_or_insert(failed(&place, error));
        }
        result
    }

    fn files(&self) -> MutexGuard<'_, BTreeMap<String, ManifestEntry>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sink for ReportFolder {
    fn put(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let entry = ManifestEntry { bytes: bytes.len() as u64, blake3: hash(bytes) };
        if self.files().get(path) == Some(&entry) {
            return Ok(());
        }
        self.recorded(path, self.write(path, bytes))?;
        self.files().insert(path.to_owned(), entry);
        Ok(())
    }

    fn store(
        &self,
        content: &mut dyn Read,
        address: &dyn Fn(&str) -> String,
    ) -> io::Result<String> {
        let number = self.copies.fetch_add(1, Ordering::Relaxed);
        let copied = self.temporary.path().join(format!("copy-{number}"));
        let entry = self.copy(content, &copied)?;
        let path = address(&entry.blake3);
        if self.files().get(&path) == Some(&entry) {
            self.recorded(&path, system::remove(&copied))?;
            return Ok(path);
        }
        let place = self.fresh.join(&path);
        self.recorded(&path, in_its_folder(&place, || fs::rename(&copied, &place)))?;
        self.files().insert(path.clone(), entry);
        Ok(path)
    }

    fn stored(&self, path: &str) -> Option<(u64, String)> {
        self.files().get(path).map(|file| (file.bytes, file.blake3.clone()))
    }
}

fn manifest(files: &BTreeMap<String, ManifestEntry>) -> serde_json::Result<String> {
    let mut lines = Vec::with_capacity(files.len());
    for (path, file) in files {
        lines.push(format!("{}:{}", serde_json::to_string(path)?, serde_json::to_string(file)?));
    }
    let head = "{\"generator\":\"evalbook\",\"schema_version\":1,\"files\":{";
    Ok(format!("{head}\n{}\n}}}}\n", lines.join(",\n")))
}

/// Puts the folder `fresh`, which is in `temporary`, in the place of `target`, which messages call
/// `shown`. The old folder is removed with `temporary`, unless somebody saved something in it
/// meanwhile: then it is moved back.
pub(super) fn exchange(
    temporary: &Temporary,
    fresh: &Path,
    target: &Path,
    shown: &Path,
) -> Result<(), WriteError> {
    if target.symlink_metadata().is_err() {
        return attempt(shown, || fs::rename(fresh, target));
    }
    if system::swap(fresh, target).is_ok() {
        return refuse_foreign(fresh, shown).or_else(|error| {
            attempt(shown, || system::swap(fresh, target))?;
            Err(error)
        });
    }
    let earlier = attempt(shown, || temporary.set_aside(target))?;
    let replaced =
        refuse_foreign(&earlier, shown).and_then(|()| attempt(shown, || fs::rename(fresh, target)));
    replaced.or_else(|error| {
        attempt(shown, || fs::rename(&earlier, target))?;
        Err(error)
    })
}

/// Moves the files of `fresh` to `target`, whose own files are removed first. The manifest is
/// replaced in between: if the process is killed, every remaining file is in the manifest.
fn fill(fresh: &Path, target: &Path) -> io::Result<()> {
    // In reverse, so that a folder comes after its content.
    for entry in entries(target)?.iter().rev() {
        if entry.file_type().is_dir() {
            // It may hold files that systems put there.
            let _ = fs::remove_dir(entry.path());
        } else if below(target, entry) != Path::new(REPORT_MARK) {
            system::remove(entry.path())?;
        }
    }
    let mut files = entries(fresh)?;
    files.retain(|entry| entry.file_type().is_file());
    files.sort_by_key(|entry| below(fresh, entry) != Path::new(REPORT_MARK));
    for entry in files {
        let place = target.join(below(fresh, &entry));
        in_its_folder(&place, || fs::rename(entry.path(), &place))?;
    }
    Ok(())
}

/// Refuses anything but a report that is unchanged by its manifest. Messages call the folder
/// `shown`. A link is not followed, and files of the manifest may be missing.
pub(super) fn refuse_foreign(path: &Path, shown: &Path) -> Result<(), WriteError> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(shown, &error)),
        Ok(found) if !found.is_dir() => {
            return Err(WriteError::NotOurs { path: shown.to_path_buf(), seen: Stranger::Unknown });
        }
        Ok(_) => {}
    }
    let entries = attempt(shown, || entries(path))?;
    let manifest = Manifest::of_folder(path);
    let stray = match &manifest {
        Some(manifest) => entries.par_iter().find_first(|entry| !manifest.describes(path, entry)),
        // Without a readable manifest, nothing proves that anything is ours.
        None => entries.first(),
    };
    let Some(stray) = stray else { return Ok(()) };
    let folder = shown.to_path_buf();
    if path.join(SITE_MARK).is_file() {
        return Err(WriteError::Site(folder));
    }
    let seen = match &manifest {
        Some(manifest) if manifest.names(path, stray) => Stranger::Changed,
        _ => Stranger::Unknown,
    };
    Err(WriteError::Foreign { path: folder.join(below(path, stray)), folder, seen })
}

/// All relevant entries in the folder at `path`, in order.
pub(super) fn entries(path: &Path) -> io::Result<Vec<DirEntry>> {
    let walk = WalkDir::new(path).sort_by_file_name().into_iter();
    let entries = walk.filter_entry(|entry| !is_ignored(entry)).skip(1);
    entries.map(|entry| Ok(entry?)).collect()
}

/// Whether an entry counts as nothing: what systems create, or what a killed command left.
fn is_ignored(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_str().unwrap_or_default();
    match entry.depth() {
        0 => false,
        1 if is_temporary(name) => true,
        _ => files::is_litter(name) && entry.file_type().is_file(),
    }
}

pub(super) fn below<'e>(folder: &Path, entry: &'e DirEntry) -> &'e Path {
    entry.path().strip_prefix(folder).unwrap_or(entry.path())
}

#[derive(Deserialize)]
struct Manifest {
    files: BTreeMap<String, ManifestEntry>,
}

impl Manifest {
    /// The manifest in `folder`; `None` if there is none that can be read.
    fn of_folder(folder: &Path) -> Option<Self> {
        let bytes = files::regular(&folder.join(REPORT_MARK), u64::MAX).ok()??;
        serde_json::from_slice(&bytes).ok()
    }

    /// Whether there was a file of this name in the report.
    fn names(&self, folder: &Path, entry: &DirEntry) -> bool {
        path_in_manifest(folder, entry).is_some_and(|path| self.files.contains_key(&path))
    }

    fn describes(&self, folder: &Path, entry: &DirEntry) -> bool {
        let Some(path) = path_in_manifest(folder, entry) else { return false };
        if entry.file_type().is_dir() {
            let inside = format!("{path}/");
            let next = self.files.range(inside.clone()..).next();
            return next.is_some_and(|(path, _)| path.starts_with(&inside));
        }
        if path == REPORT_MARK {
            return true;
        }
        let Some(stored) = self.files.get(&path) else { return false };
        // The size first: it tells most changed files apart without reading them.
        entry.file_type().is_file()
            && entry.metadata().is_ok_and(|metadata| metadata.len() == stored.bytes)
            && hash_of(entry.path()).is_ok_and(|hash| hash == stored.blake3)
    }
}

/// The path of an entry as a manifest has it; `None` if it is not UTF-8.
fn path_in_manifest(folder: &Path, entry: &DirEntry) -> Option<String> {
    let names = below(folder, entry).iter().map(|name| name.to_str());
    Some(names.collect::<Option<Vec<_>>>()?.join("/"))
}

pub(super) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut files = entries(from)?;
    files.retain(|entry| entry.file_type().is_file());
    files.par_iter().try_for_each(|entry| {
        let target = to.join(below(from, entry));
        in_its_folder(&target, || system::copy(&mut files::open(entry.path())?, &target))
    })
}

pub(super) fn hash_of(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    Ok(hasher.update_reader(files::open(path)?)?.finalize().to_hex().to_string())
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FolderSize {
    pub files: usize,
    pub bytes: u64,
}

/// The size of what is published of the folder at `path`: all but version control and unfinished
/// files.
pub fn size(path: &Path) -> FolderSize {
    let mut size = FolderSize::default();
    for entry in WalkDir::new(path).into_iter().filter_entry(is_published) {
        // A concurrent build may have removed it.
        let Ok(metadata) = entry.and_then(|entry| entry.metadata()) else { continue };
        if metadata.is_file() {
            size.files += 1;
            size.bytes += metadata.len();
        }
    }
    size
}

fn is_published(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    entry.depth() == 0 || !(name == ".git" || name.starts_with(".evalbook-"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::exchange;
    use crate::write::WriteError;
    use crate::write::temporary::Temporary;

    #[test]
    fn what_was_saved_at_the_last_moment_is_not_lost() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("report");
        fs::create_dir(&target).unwrap();
        fs::write(target.join("notes.md"), "mine").unwrap();
        let (temporary, fresh) = Temporary::with_folder(place.path()).unwrap();
        let refused = exchange(&temporary, &fresh, &target, &target);
        assert!(matches!(refused, Err(WriteError::Foreign { .. })), "{refused:?}");
        drop(temporary);
        assert_eq!(fs::read(target.join("notes.md")).unwrap(), b"mine");
    }
}
