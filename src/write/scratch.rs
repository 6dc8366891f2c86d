//! A folder of our own that goes with the program.

use std::path::Path;

use crate::write::{WriteError, failed};

/// A private folder in the system's place for temporary files; it is removed when it is dropped.
#[derive(Debug)]
pub struct Scratch(tempfile::TempDir);

impl Scratch {
    /// A fresh one in `place`.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new(place: &Path) -> Result<Self, WriteError> {
        let made = tempfile::Builder::new().prefix(".evalbook-serve-").tempdir_in(place);
        made.map(Self).map_err(|error| failed(place, &error))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Removes the folder `name` in it, if it is there.
    pub fn remove(&self, name: &str) {
        // What is still open elsewhere may stay until the whole folder goes.
        let _ = remove(&self.0.path().join(name));
    }
}

#[allow(clippy::disallowed_methods, reason = "this module is the one that writes")]
fn remove(folder: &Path) -> std::io::Result<()> {
    std::fs::remove_dir_all(folder)
}
