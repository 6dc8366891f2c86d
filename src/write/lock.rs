//! Locks by which commands wait for each other. They end with the process.

use std::fs::File;
use std::path::Path;

use crate::write::{WriteError, failed, system};

/// A lock that ends with the value.
#[derive(Debug)]
pub struct Lock(#[allow(dead_code, reason = "held, never read")] Option<File>);

/// Waits until no other command holds the lock on `folder`, which is made where there is none.
/// Nothing is written for it.
pub fn lock(folder: &Path) -> Result<Lock, WriteError> {
    system::create_folders(folder).map_err(|error| failed(folder, &error))?;
    if cfg!(not(unix)) {
        return Ok(Lock(None));
    }
    let locked = || {
        let file = File::open(folder)?;
        file.lock()?;
        Ok(file)
    };
    locked().map(|file| Lock(Some(file))).map_err(|error| failed(folder, &error))
}

/// Waits until no other command holds the lock on the file at `path`, which is made for it.
pub(super) fn lock_file(path: &Path) -> Result<Lock, WriteError> {
    let locked = || {
        let file = File::options().create(true).append(true).open(path)?;
        file.lock()?;
        Ok(file)
    };
    locked().map(|file| Lock(Some(file))).map_err(|error| failed(path, &error))
}
