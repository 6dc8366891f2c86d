//! What the files of two sides come to, in numbers.

use crate::difference::FileState;
use crate::language::Language;

/// What the files of two sides come to, for a line of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) changed: usize,
    pub(crate) added: usize,
    pub(crate) removed: usize,
    /// Files with the same bytes, renamed ones included.
    pub(crate) same: usize,
    pub(crate) unread: usize,
}

impl Summary {
    pub(crate) fn count(&mut self, state: FileState) {
        match state {
            FileState::Changed => self.changed += 1,
            FileState::Added => self.added += 1,
            FileState::Removed => self.removed += 1,
            FileState::Same | FileState::Renamed => self.same += 1,
            FileState::Unread => self.unread += 1,
        }
    }

    pub(crate) fn text(&self, words: &Language) -> String {
        let text = words.counts([
            (self.changed, "file_changed"),
            (self.added, "file_added"),
            (self.removed, "file_removed"),
            (self.same, "file_same"),
            (self.unread, "file_unread"),
        ]);
        match text.is_empty() {
            true => words.text("diff.no_files").to_owned(),
            false => text,
        }
    }
}
