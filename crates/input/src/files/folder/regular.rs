//! What can be read of a folder: regular files.

use std::fs::File;
use std::io::{self, Read};

/// A regular file, limited to its length when opened: one that keeps growing still has an end.
pub type RegularFile = io::Take<File>;

/// The most bytes allocated at once for a file, whose size is only a claim of the system.
const MAX_ALLOCATION: u64 = 16 * 1024 * 1024;
pub(super) const NOT_REGULAR: &str = "it is not a regular file";
pub(super) const LINK: &str = "it is a link, which is not followed";

pub(in crate::files) fn read(file: RegularFile, limit: u64) -> io::Result<Vec<u8>> {
    let size = file.limit().min(limit);
    let mut bytes = Vec::with_capacity(size.min(MAX_ALLOCATION) as usize);
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub(super) fn regular(file: File) -> io::Result<RegularFile> {
    let data = file.metadata()?;
    if data.is_file() { Ok(file.take(data.len())) } else { Err(io::Error::other(NOT_REGULAR)) }
}
