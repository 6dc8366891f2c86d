//! Lines of a workspace's documents, to show beside what is said of them.

use crate::cli::workspaces::Opened;
use crate::files::Source;
use crate::model::{Code, Place, Problem};
use crate::read;

/// Lines of the documents that have problems; one document is kept, since problems come sorted.
pub(super) struct Lines<'o> {
    opened: &'o Opened,
    last: Option<(String, Vec<String>)>,
}

impl<'o> Lines<'o> {
    /// The lines of the documents of `opened`.
    pub(super) fn of(opened: &'o Opened) -> Self {
        Self { opened, last: None }
    }

    /// A line by its number from 1; `None` where the document has no such line.
    pub(super) fn get(&mut self, path: &str, line: usize) -> Option<String> {
        self.all(path).get(line.checked_sub(1)?).cloned()
    }

    /// Where the place of a problem is in the lines, in which secrets and homes are marks.
    pub(super) fn shown(&self, problem: &Problem, place: Place) -> Place {
        let is_raw = problem.code == Code::SecretRedacted;
        let shown =
            || self.opened.disk.guard().shown_place(&self.opened.path(&problem.path), place);
        if is_raw { shown() } else { place }
    }

    /// Where `text` stands first.
    pub(super) fn find(&mut self, path: &str, text: &str) -> Option<Place> {
        let found = |(index, line): (usize, &String)| {
            let at = line.find(text)?;
            Some(Place { line: index + 1, column: line[..at].chars().count() + 1 })
        };
        self.all(path).iter().enumerate().find_map(found)
    }

    fn all(&mut self, path: &str) -> &[String] {
        if self.last.as_ref().is_none_or(|(last, _)| last != path) {
            let bytes = self.opened.disk.read(&self.opened.path(path), read::MAX_DOCUMENT_BYTES);
            let lines = bytes.map(|bytes| read::lines(&bytes)).unwrap_or_default();
            self.last = Some((path.to_owned(), lines));
        }
        self.last.as_ref().map_or(&[], |(_, lines)| lines)
    }
}
