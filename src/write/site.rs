//! A report site on disk: reports in folders of their own, and above them files made from all of
//! them.
//!
//! A report is written next to its place without a lock; everything else happens while a
//! [`ReportSite`] is open. `evalbook-site.json` keeps the order of the reports, and the hashes of
//! the files above them: only those are ever replaced. A hash is saved before its file is written
//! and dropped afterwards, so that a killed build leaves nothing that the next one would take for
//! foreign.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::write::error::attempt;
use crate::write::folder::{self, exchange, refuse_foreign};
use crate::write::system::{Lock, lock, lock_file};
use crate::write::temporary::Temporary;
use crate::write::{FolderSize, ReportFolder, Stranger, WriteError, hash};
use input::discover::{LATEST, REPORT_MARK, SITE_MARK};
use input::files;

/// A site, locked against other commands.
#[derive(Debug)]
pub struct ReportSite {
    root: PathBuf,
    state: SiteState,
    _lock: Lock,
}

#[derive(Debug, Serialize, Deserialize)]
struct SiteState {
    generator: String,
    schema_version: u32,
    /// From the oldest to the newest.
    reports: Vec<String>,
    /// The hashes that each file above the reports may have.
    files: BTreeMap<String, BTreeSet<String>>,
}

impl Default for SiteState {
    fn default() -> Self {
        let (reports, files) = (Vec::new(), BTreeMap::new());
        Self { generator: "evalbook".to_owned(), schema_version: 1, reports, files }
    }
}

impl SiteState {
    fn read(root: &Path) -> Result<Self, WriteError> {
        let path = root.join(SITE_MARK);
        let bytes = attempt(&path, || files::regular(&path, u64::MAX))?;
        let Some(bytes) = bytes else { return Ok(Self::default()) };
        serde_json::from_slice(&bytes).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let message = error.to_string();
            let reason = message.split(" at line ").next().unwrap_or_default().to_owned();
            WriteError::State { path, line, column, reason }
        })
    }
}

impl ReportSite {
    pub fn open(root: &Path) -> Result<Self, WriteError> {
        if root.join(REPORT_MARK).is_file() {
            return Err(WriteError::Report(root.to_path_buf()));
        }
        attempt(root, || fs::create_dir_all(root))?;
        // Only Unix can lock a folder, for which nothing is written.
        let lock = if cfg!(unix) { lock(root)? } else { lock_file(&root.join(".evalbook-lock"))? };
        Ok(Self { root: root.to_path_buf(), state: SiteState::read(root)?, _lock: lock })
    }

    /// Begins the report `name`, once nothing foreign is in its place or at `paths` above it.
    pub fn begin(&self, name: &str, paths: &[String]) -> Result<ReportFolder, WriteError> {
        paths.iter().try_for_each(|path| self.refuse_file(path, None))?;
        for other in self.names()? {
            // Names that differ only in case are the same on many systems.
            if other != name && other.eq_ignore_ascii_case(name) {
                return Err(WriteError::CalledAlike(self.root.join(other)));
            }
        }
        let latest = self.root.join(LATEST);
        refuse_foreign(&latest, &latest)?;
        let report = self.root.join(name);
        ReportFolder::begin_at(&report, report.clone())
    }

    fn names(&self) -> Result<Vec<String>, WriteError> {
        attempt(&self.root, || files::names_in(&self.root))
    }

    fn is_report(&self, name: &str) -> bool {
        let folder = self.root.join(name);
        let is_folder = folder.symlink_metadata().is_ok_and(|found| found.is_dir());
        name != LATEST && is_folder && folder.join(REPORT_MARK).is_file()
    }

    /// Puts a report in its place as the newest, also where an older one had the name.
    pub fn place(&mut self, name: &str, folder: ReportFolder) -> Result<FolderSize, WriteError> {
        // The order first: a report that is not in it counts as the oldest.
        self.state.reports = self.reports()?;
        self.state.reports.retain(|report| report != name);
        self.state.reports.push(name.to_owned());
        self.save()?;
        folder.finish()
    }

    /// From the oldest to the newest; unlisted reports come first.
    pub fn reports(&self) -> Result<Vec<String>, WriteError> {
        let mut names = self.names()?;
        names.retain(|name| self.is_report(name));
        names.sort_by_key(|name| self.state.reports.iter().position(|report| report == name));
        Ok(names)
    }

    /// Folders that are neither reports nor written by us.
    pub fn foreign_folders(&self) -> Result<Vec<String>, WriteError> {
        let mut foreign = Vec::new();
        for name in self.names()? {
            let inside = format!("{name}/");
            let is_ours = name == LATEST
                || self.state.files.keys().any(|path| path.starts_with(&inside))
                || self.is_report(&name);
            // Version control keeps its files in a hidden folder of the site.
            if self.root.join(&name).is_dir() && !name.starts_with('.') && !is_ours {
                foreign.push(name);
            }
        }
        Ok(foreign)
    }

    pub fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, String> {
        files::read(&self.root.join(path), limit).map_err(|error| files::reason(&error))
    }

    /// Copies the report `name` to where the newest is expected.
    pub fn copy_latest(&self, name: &str) -> Result<(), WriteError> {
        let [from, to] = [name, LATEST].map(|name| self.root.join(name));
        // Copying thousands of files again would take longer than building them.
        let [new, current] =
            [&from, &to].map(|folder| files::regular(&folder.join(REPORT_MARK), u64::MAX).ok());
        if new == current {
            return Ok(());
        }
        refuse_foreign(&to, &to)?;
        let temporary = Temporary::new(&self.root)?;
        let fresh = temporary.path().join(LATEST);
        attempt(&to, || folder::copy(&from, &fresh))?;
        exchange(&temporary, &fresh, &to, &to)
    }

    /// Replaces the files above the reports with `files`, which link all of `reports`. Earlier
    /// files that are no longer needed are removed, unless they were changed.
    pub fn write(
        &mut self,
        files: &[(String, Vec<u8>)],
        reports: Vec<String>,
    ) -> Result<(), WriteError> {
        let hashes: Vec<String> = files.iter().map(|(_, bytes)| hash(bytes)).collect();
        for ((path, _), hash) in files.iter().zip(&hashes) {
            self.refuse_file(path, Some(hash))?;
        }
        for ((path, _), hash) in files.iter().zip(&hashes) {
            self.state.files.entry(path.clone()).or_default().insert(hash.clone());
        }
        self.state.reports = reports;
        self.save()?;
        for ((path, bytes), hash) in files.iter().zip(&hashes) {
            let place = self.root.join(path);
            if folder::hash_of(&place).ok().as_ref() != Some(hash) {
                self.put(&place, bytes)?;
            }
        }
        let paths: BTreeSet<&String> = files.iter().map(|(path, _)| path).collect();
        for path in self.state.files.keys().filter(|path| !paths.contains(path)) {
            if self.refuse_file(path, None).is_ok() {
                // A file that stays does no harm and is not reported as new.
                let _ = fs::remove_file(self.root.join(path));
            }
        }
        let now = files.iter().zip(hashes);
        self.state.files =
            now.map(|((path, _), hash)| (path.clone(), BTreeSet::from([hash]))).collect();
        self.save()
    }

    /// Refuses a file that others wrote or changed, unless it is empty or already as wanted.
    fn refuse_file(&self, path: &str, wanted: Option<&String>) -> Result<(), WriteError> {
        let place = self.root.join(path);
        match place.symlink_metadata() {
            Err(_) => return Ok(()),
            Ok(metadata) if metadata.is_file() && metadata.len() == 0 => return Ok(()),
            Ok(_) => {}
        }
        let current = attempt(&place, || folder::hash_of(&place))?;
        let seen = match self.state.files.get(path) {
            Some(hashes) if hashes.contains(&current) => return Ok(()),
            // A killed build wrote the file, and not yet that it did.
            _ if wanted == Some(&current) => return Ok(()),
            Some(_) => Stranger::Changed,
            None => Stranger::Unknown,
        };
        Err(WriteError::NotOurs { path: place, seen })
    }

    fn save(&self) -> Result<(), WriteError> {
        let path = self.root.join(SITE_MARK);
        // Only strings and a number, which always serialize.
        let mut text = serde_json::to_string_pretty(&self.state).unwrap_or_default();
        text.push('\n');
        self.put(&path, text.as_bytes())
    }

    fn put(&self, place: &Path, bytes: &[u8]) -> Result<(), WriteError> {
        attempt(place, || Temporary::inside(&self.root)?.put(place, bytes))
    }
}
