//! The files of runs and of the skill's copies as texts, for findings based on their words.

use std::io;

use formats::{self, limits::MAX_TEXT_BYTES};
use input::files::Source;
use input::model::Output;

/// The most bytes read of one file. Longer ones are logs: the first part is enough to find most
/// matches, and the rest counts as unread.
pub(super) const MAX_FILE_BYTES: u64 = 2 * 1024 * 1024;

/// The most files read of a run, or of a copy of the skill.
pub(super) const MAX_FILES: usize = 200;

/// The most bytes read of the files of a run.
pub(super) const MAX_RUN_BYTES: u64 = 16 * 1024 * 1024;

/// Where the files of a workspace can be read.
#[derive(Clone, Copy)]
pub struct Texts<'a> {
    pub source: &'a dyn Source,
    /// The workspace's folder in it.
    pub prefix: &'a str,
}

impl Texts<'_> {
    /// The text of a file, as far as it is read; `None` if it is not text or cannot be read.
    pub(super) fn read(&self, file: &Output) -> Option<String> {
        let bytes = self.bytes(&file.path, MAX_FILE_BYTES).ok()?;
        formats::decode(&bytes).map(|text| text.content.into_owned())
    }

    /// The extracted text of a file that is not text itself. Numbers may be rounded and lines
    /// broken elsewhere, so words missing from it may still be in the file.
    // Skills for documents, slides and sheets leave office files and PDF alone.
    pub(super) fn extracted(&self, file: &Output) -> Option<String> {
        let bytes = self.bytes(&file.path, MAX_TEXT_BYTES as u64).ok()?;
        formats::words(&file.name, &bytes).map(|words| words.text.into_owned())
    }

    /// At most `limit` bytes of the file at `path` below the workspace.
    pub(super) fn bytes(&self, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        match self.prefix {
            "" => self.source.read(path, limit),
            prefix => self.source.read(&format!("{prefix}/{path}"), limit),
        }
    }
}
