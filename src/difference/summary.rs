//! What the files of two sides come to, in numbers.

use crate::diff::{self, Compared, Limits};
use crate::difference::{Changes, Fate};
use crate::language::Language;
use crate::preview::compared::comparable;

/// What the files of two sides come to, for a line of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) changed: usize,
    pub(crate) added: usize,
    pub(crate) removed: usize,
    /// Files with the same bytes, renamed ones included.
    pub(crate) same: usize,
    pub(crate) unread: usize,
    /// Lines of changed texts that only the newer side has.
    pub(crate) added_lines: usize,
    /// Lines of changed texts that only the older side has.
    pub(crate) removed_lines: usize,
}

impl Summary {
    pub(crate) fn count(&mut self, fate: Fate) {
        match fate {
            Fate::Changed => self.changed += 1,
            Fate::Added => self.added += 1,
            Fate::Removed => self.removed += 1,
            Fate::Same | Fate::Renamed => self.same += 1,
            Fate::Unread => self.unread += 1,
        }
    }

    /// Counts files and the lines of texts among them.
    pub(crate) fn add(&mut self, changes: Changes<'_, '_>) {
        let source = changes.source();
        for change in changes {
            self.count(change.fate);
            if change.fate != Fate::Changed {
                continue;
            }
            let old = comparable(change.name(), &change.old_content, source);
            let new = comparable(change.name(), &change.new_content, source);
            if let (Some(old), Some(new)) = (&old.text, &new.text)
                && let Compared::Full(diff) = diff::lines(old, new, &Limits::default())
            {
                self.added_lines += diff.counts.added;
                self.removed_lines += diff.counts.removed;
            }
        }
    }

    pub(crate) fn text(&self, words: &Language) -> String {
        let mut text = words.counts([
            (self.changed, "file_changed"),
            (self.added, "file_added"),
            (self.removed, "file_removed"),
            (self.same, "file_same"),
            (self.unread, "file_unread"),
        ]);
        if text.is_empty() {
            return words.text("diff.no_files").to_owned();
        }
        if self.added_lines + self.removed_lines > 0 {
            text += &format!(" (+{} \u{2212}{})", self.added_lines, self.removed_lines);
        }
        text
    }
}
