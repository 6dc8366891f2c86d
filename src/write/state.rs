//! What a folder on disk holds: a report as it was written, or anything that must not be lost.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Deserialize;
use walkdir::{DirEntry, WalkDir};

use crate::discover::{REPORT_MARK, SITE_MARK};
use crate::files;
use crate::write::temporary::is_temporary;
use crate::write::{Stored, WriteError, attempt, system};

/// Files that systems put into folders by themselves.
const LITTER: [&str; 3] = [".DS_Store", "Thumbs.db", "desktop.ini"];

/// The first path in the folder at `path` that is not as its manifest says; an empty one for what is
/// no folder. A link is not followed, and files of the manifest may be missing.
fn first_foreign(path: &Path) -> io::Result<Option<PathBuf>> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
        Ok(found) if !found.is_dir() => return Ok(Some(PathBuf::new())),
        Ok(_) => {}
    }
    let entries = entries(path)?;
    // Without a manifest that can be read, nothing proves that anything is ours.
    let manifest = Manifest::read(path);
    let is_ours = |entry| manifest.as_ref().is_some_and(|manifest| manifest.describes(path, entry));
    let foreign = entries.par_iter().find_first(|entry| !is_ours(entry));
    Ok(foreign.map(|entry| below(path, entry).to_path_buf()))
}

/// Refuses anything but a report as it was written. Messages call the folder `shown`.
pub(super) fn refuse_foreign(path: &Path, shown: &Path) -> Result<(), WriteError> {
    let Some(stray) = attempt(shown, || first_foreign(path))? else { return Ok(()) };
    let folder = shown.to_path_buf();
    Err(match () {
        () if path.join(SITE_MARK).is_file() => WriteError::Site(folder),
        () if stray.as_os_str().is_empty() => WriteError::NotOurs(folder),
        () => WriteError::Foreign { path: folder.join(stray), folder },
    })
}

/// Everything in the folder at `path` that counts, in order.
pub(super) fn entries(path: &Path) -> io::Result<Vec<DirEntry>> {
    let is_ignored = |entry: &DirEntry| {
        let name = entry.file_name().to_str().unwrap_or_default();
        let is_left = entry.depth() == 1 && is_temporary(name);
        entry.depth() > 0 && (is_left || LITTER.contains(&name) && entry.file_type().is_file())
    };
    let walk = WalkDir::new(path).sort_by_file_name().into_iter();
    let entries = walk.filter_entry(|entry| !is_ignored(entry)).skip(1);
    entries.map(|entry| Ok(entry?)).collect()
}

pub(super) fn below<'e>(folder: &Path, entry: &'e DirEntry) -> &'e Path {
    entry.path().strip_prefix(folder).unwrap_or(entry.path())
}

#[derive(Deserialize)]
struct Manifest {
    files: BTreeMap<String, Stored>,
}

impl Manifest {
    fn read(folder: &Path) -> Option<Self> {
        let bytes = files::regular(&folder.join(REPORT_MARK), u64::MAX).ok()??;
        serde_json::from_slice(&bytes).ok()
    }

    fn describes(&self, folder: &Path, entry: &DirEntry) -> bool {
        let names = below(folder, entry).iter().map(|name| name.to_str());
        let Some(names) = names.collect::<Option<Vec<_>>>() else { return false };
        let path = names.join("/");
        let kind = entry.file_type();
        if kind.is_dir() {
            let inside = format!("{path}/");
            let next = self.files.range(inside.clone()..).next();
            return next.is_some_and(|(known, _)| known.starts_with(&inside));
        }
        if path == REPORT_MARK {
            return true;
        }
        let Some(stored) = self.files.get(&path).filter(|_| kind.is_file()) else { return false };
        entry.metadata().is_ok_and(|found| found.len() == stored.bytes)
            && hash_of(entry.path()).is_ok_and(|hash| hash == stored.blake3)
    }
}

pub(super) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    entries(from)?.into_par_iter().filter(|entry| entry.file_type().is_file()).try_for_each(
        |entry| {
            let target = to.join(below(from, &entry));
            system::in_its_folder(&target, || {
                system::copy(&mut files::open(entry.path())?, &target)
            })
        },
    )
}

pub(super) fn hash_of(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    files::in_pieces(&mut files::open(path)?, |piece| {
        hasher.update(piece);
        Ok(())
    })?;
    Ok(hasher.finalize().to_hex().to_string())
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    pub files: usize,
    pub bytes: u64,
}

/// What is published of the folder at `path`: all but version control and what is being written.
pub fn size(path: &Path) -> Size {
    let is_published = |entry: &DirEntry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || !(name == ".git" || name.starts_with(".evalbook-"))
    };
    let mut size = Size::default();
    for entry in WalkDir::new(path).into_iter().filter_entry(is_published) {
        // A build at the same time may have removed it.
        let Ok(found) = entry.and_then(|entry| entry.metadata()) else { continue };
        if found.is_file() {
            size.files += 1;
            size.bytes += found.len();
        }
    }
    size
}
