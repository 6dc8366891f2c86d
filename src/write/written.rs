//! Reports that stand on disk: whether they are as they were written, their copies, their size.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

use rayon::prelude::*;
use serde::Deserialize;

use crate::discover::REPORT_MARK;
use crate::files::{Disk, EntryKind, Source};
use crate::write::{COPY_BYTES, Stored, WriteError, create_folders, failed};

/// Files that systems put into folders by themselves.
const LITTER: [&str; 3] = [".DS_Store", "Thumbs.db", "desktop.ini"];

/// What a folder holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Files.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
}

/// What is published of the folder at `path`: all but version control and what is being written.
///
/// # Errors
/// When there is no such folder.
pub fn size(path: &Path) -> Result<Size, WriteError> {
    let disk = Disk::open(path).map_err(|error| failed(path, &error))?;
    let mut size = Size::default();
    for entry in disk.list(&|name| name == ".git" || name.starts_with(".evalbook-")) {
        if entry.kind == EntryKind::File {
            size.files += 1;
            size.bytes += entry.bytes;
        }
    }
    Ok(size)
}

#[derive(Deserialize)]
struct Manifest {
    files: BTreeMap<String, Stored>,
}

/// Refuses a folder at `path` that holds anything but a report as it was written. Files of it may
/// be missing: nothing is lost with the rest.
pub(super) fn refuse_changed(path: &Path) -> Result<(), WriteError> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(path, &error)),
        Ok(found) if !found.is_dir() => return Err(WriteError::NotOurs(path.to_path_buf())),
        Ok(_) => {}
    }
    let disk = Disk::open(path).map_err(|error| failed(path, &error))?;
    let entries = disk.list(&|_| false);
    let is_something = |kind: &EntryKind| *kind != EntryKind::Folder;
    if !entries.iter().any(|entry| is_something(&entry.kind)) {
        return Ok(());
    }
    let Some(manifest) = manifest(path) else {
        return Err(WriteError::Foreign(path.to_path_buf()));
    };
    let is_ours = |path: &str, bytes: u64| {
        let name = path.rsplit('/').next().unwrap_or(path);
        if path == REPORT_MARK || LITTER.contains(&name) {
            return true;
        }
        let Some(stored) = manifest.files.get(path) else { return false };
        stored.bytes == bytes
            && hash_of(&disk.root().join(path)).is_ok_and(|it| it == stored.blake3)
    };
    let stray = entries.par_iter().find_first(|entry| match &entry.kind {
        EntryKind::Folder => false,
        EntryKind::File => !is_ours(&entry.path, entry.bytes),
        _ => true,
    });
    match stray {
        Some(entry) => Err(WriteError::Changed(path.join(&entry.path))),
        None => Ok(()),
    }
}

/// Copies the report at `from` into the folder `to`, which is empty.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), WriteError> {
    let Some(manifest) = manifest(from) else {
        return Err(WriteError::Foreign(from.to_path_buf()));
    };
    let paths: Vec<&str> = manifest.files.keys().map(String::as_str).chain([REPORT_MARK]).collect();
    let copied = paths.par_iter().map(|path| {
        let target = to.join(path);
        super::in_its_folder(&target, || std::fs::copy(from.join(path), &target).map(drop))
            .map_err(|error| failed(&from.join(path), &error))
    });
    create_folders(to).map_err(|error| failed(to, &error))?;
    copied.collect()
}

/// The manifest of the report at `path`, where there is one.
fn manifest(path: &Path) -> Option<Manifest> {
    serde_json::from_str(&crate::files::text(&path.join(REPORT_MARK))?).ok()
}

/// The hash of a file, read part by part.
pub(super) fn hash_of(path: &Path) -> io::Result<String> {
    let mut file = crate::files::open(path)?;
    let (mut hasher, mut part) = (blake3::Hasher::new(), vec![0; COPY_BYTES]);
    loop {
        let length = file.read(&mut part)?;
        if length == 0 {
            return Ok(hasher.finalize().to_hex().to_string());
        }
        hasher.update(&part[..length]);
    }
}
