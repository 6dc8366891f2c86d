//! The files of runs and of the skill's copies as texts, for what is found out from their words.

use std::io;

use crate::files::Source;
use crate::model::Output;

/// The most bytes of one file that are read. Longer ones are logs, of which the first part is enough
/// to find most of what is sought, and the rest counts as unread.
pub(super) const MAX_FILE_BYTES: u64 = 2 * 1024 * 1024;

/// The most bytes of a file that is taken apart for its text.
const MAX_PACKED_BYTES: u64 = 8 * 1024 * 1024;

/// The most files of a run, or of a copy of the skill, that are read.
pub(super) const MAX_FILES: usize = 200;

/// The most bytes of the files of a run that are read.
pub(super) const MAX_RUN_BYTES: u64 = 16 * 1024 * 1024;

/// How many bytes at the beginning decide whether a file is a text.
const SAMPLE: usize = 8 * 1024;

/// Where the files of a workspace can be read.
#[derive(Clone, Copy)]
pub struct Texts<'a> {
    pub source: &'a dyn Source,
    /// The workspace's folder in it.
    pub prefix: &'a str,
    /// The text that an office file or a PDF of this name shows; `None` where it is not known.
    pub extract: fn(name: &str, content: &[u8]) -> Option<String>,
}

impl Texts<'_> {
    /// The text of a file, as far as it is read; `None` where it is no text or cannot be read.
    pub(super) fn read(&self, file: &Output) -> Option<String> {
        let bytes = self.bytes(&file.path, MAX_FILE_BYTES).ok()?;
        let sample = &bytes[..bytes.len().min(SAMPLE)];
        let is_text = !sample.contains(&0) && !sample.starts_with(b"%PDF-");
        is_text.then(|| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The text that a file shows which is no text itself. Numbers may be rounded in it and lines
    /// broken elsewhere, so what is not found there may still be in the file.
    pub(super) fn extracted(&self, file: &Output) -> Option<String> {
        (self.extract)(&file.name, &self.bytes(&file.path, MAX_PACKED_BYTES).ok()?)
    }

    /// At most `limit` bytes of the file at `path` below the workspace.
    pub(super) fn bytes(&self, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        match self.prefix {
            "" => self.source.read(path, limit),
            prefix => self.source.read(&format!("{prefix}/{path}"), limit),
        }
    }
}
