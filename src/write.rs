//! Writes pages into a folder that replaces the earlier report as a whole.
//!
//! Everything is written into a [`Temporary`] folder next to the target. Only when it is complete,
//! with the manifest last, do the two swap places. A folder is replaced only if
//! [`folder::refuse_foreign`] finds nothing in it but an unchanged report.

#![allow(clippy::disallowed_methods, reason = "this stage is the one that writes")]

mod error;
mod folder;
mod in_folder;
mod site;
mod system;
mod temporary;

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

pub use crate::write::error::{Stranger, WriteError};
pub use crate::write::folder::{FolderSize, ReportFolder, size};
pub use crate::write::in_folder::{lock_folder_of, replace, tidy};
pub use crate::write::site::ReportSite;
pub use crate::write::system::lock;
pub use crate::write::temporary::{StagedFolder, Temporary, file, new_file, sweep, take_back};

pub trait Sink: Sync {
    /// Writes one page or file at `path`, relative to the report, with `/`.
    fn put(&self, path: &str, bytes: &[u8]) -> io::Result<()>;

    /// Copies a file that is not in memory; `address` returns its path from the BLAKE3 hash of its
    /// content in hexadecimal digits. Returns the path.
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

    /// Size and BLAKE3 hash, in hexadecimal digits, of the file at `path`; `None` if they are not
    /// kept.
    fn stored(&self, _path: &str) -> Option<(u64, String)> {
        None
    }

    fn note(&self, _source: &str, _path: &str) {}
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ManifestEntry {
    bytes: u64,
    blake3: String,
}

#[derive(Debug, Default)]
pub struct MemorySink {
    pages: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl MemorySink {
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
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}
