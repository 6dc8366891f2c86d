//! What became of each file from one run to the other, read one after another.

use std::collections::BTreeSet;

use crate::budget::COMPARED_FILE;
use crate::diff_view::pairing::{self, Pair};
use input::files::Source;
use input::model::Output;
use input::names;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FileState {
    /// The same bytes under the same name.
    Same,
    /// Other bytes under the same name.
    Changed,
    Added,
    Removed,
    /// The same bytes under another name.
    Renamed,
    /// Unreadable or too large.
    Unread,
}

/// A file on one side or both. Contents are read and dropped one by one; a file on one side only is
/// read by [`FileChanges::read_alone`].
#[derive(Debug)]
pub(crate) struct FileChange<'w> {
    pub(crate) state: FileState,
    pub(crate) old: Option<&'w Output>,
    pub(crate) new: Option<&'w Output>,
    pub(crate) old_content: Vec<u8>,
    pub(crate) new_content: Vec<u8>,
}

impl FileChange<'_> {
    /// The name on the older side, where the newer one has another.
    pub(crate) fn old_name(&self) -> Option<&str> {
        let (old, new) = self.old.zip(self.new)?;
        Some(old.name.as_str()).filter(|name| *name != new.name)
    }

    /// The name; the newer one if there are two.
    pub(crate) fn name(&self) -> &str {
        self.new.or(self.old).map_or("", |output| &output.name)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct FileReader<'a> {
    pub(crate) source: &'a dyn Source,
    /// The workspace's folder in the source.
    pub(crate) prefix: &'a str,
}

impl FileReader<'_> {
    fn read(&self, output: &Output) -> Option<Vec<u8>> {
        if output.bytes > COMPARED_FILE {
            return None;
        }
        let path = names::join(self.prefix, &output.path);
        self.source.read(&path, COMPARED_FILE).ok()
    }

    pub(super) fn are_same(&self, a: &Output, b: &Output) -> bool {
        match (self.read(a), self.read(b)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        }
    }
}

/// The files of both sides, matched, in the order of the newer ones; then the removed ones.
pub(crate) struct FileChanges<'w, 'r> {
    reader: FileReader<'r>,
    waiting: std::vec::IntoIter<Pair<'w>>,
    renamed: BTreeSet<&'w str>,
}

impl<'w, 'r> FileChanges<'w, 'r> {
    pub(crate) fn new(old: &'w [Output], new: &'w [Output], reader: FileReader<'r>) -> Self {
        let mut files = pairing::by_name(old, new);
        let renamed = pairing::by_content(&mut files, reader);
        Self { reader, waiting: files.into_iter(), renamed }
    }

    /// The same with two files of other names paired where each side has one file of that type.
    pub(crate) fn paired_by_type(mut self) -> Self {
        let mut files: Vec<Pair<'w>> = self.waiting.collect();
        pairing::by_type(&mut files);
        self.waiting = files.into_iter();
        self
    }

    /// The same with the files first of which `is_first` says so.
    pub(crate) fn with_first(mut self, is_first: impl Fn(&Output) -> bool) -> Self {
        let mut files: Vec<Pair<'w>> = self.waiting.collect();
        files
            .sort_by_key(|(old, new)| ![old, new].into_iter().flatten().any(|file| is_first(file)));
        self.waiting = files.into_iter();
        self
    }

    pub(crate) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    fn change(&self, (old, new): Pair<'w>) -> FileChange<'w> {
        let (mut old_content, mut new_content) = (Vec::new(), Vec::new());
        let state = match (old, new) {
            (None, _) => FileState::Added,
            (_, None) => FileState::Removed,
            (_, Some(new)) if self.renamed.contains(new.path.as_str()) => FileState::Renamed,
            (Some(old), Some(new)) => match (self.reader.read(old), self.reader.read(new)) {
                (Some(old), Some(new)) => {
                    (old_content, new_content) = (old, new);
                    // Slices of different length compare at once.
                    let is_same = old_content == new_content;
                    if is_same { FileState::Same } else { FileState::Changed }
                }
                _ => FileState::Unread,
            },
        };
        FileChange { state, old, new, old_content, new_content }
    }

    /// Reads a file that only one side has; called only for files that are shown.
    pub(crate) fn read_alone(&self, change: &mut FileChange<'_>) {
        let (output, content) = match (change.old, change.new) {
            (Some(old), None) => (old, &mut change.old_content),
            (None, Some(new)) => (new, &mut change.new_content),
            _ => return,
        };
        match self.reader.read(output) {
            Some(read) => *content = read,
            None => change.state = FileState::Unread,
        }
    }
}

impl<'w> Iterator for FileChanges<'w, '_> {
    type Item = FileChange<'w>;

    fn next(&mut self) -> Option<FileChange<'w>> {
        self.waiting.next().map(|matched| self.change(matched))
    }
}

#[cfg(test)]
mod tests {
    use super::{FileChanges, FileReader, FileState};
    use input::files::Memory;
    use input::model::Output;

    fn outputs(folder: &str, files: &[(&str, &str)]) -> Vec<Output> {
        let output = |(name, content): &(&str, &str)| Output {
            path: format!("{folder}/{name}"),
            name: (*name).to_owned(),
            bytes: content.len() as u64,
        };
        files.iter().map(output).collect()
    }

    #[test]
    fn files_belong_together_by_name_then_by_content() {
        let old = [("a.md", "1"), ("b.md", "2"), ("old.md", "same bytes"), ("gone.md", "x")];
        let new = [("a.md", "1"), ("b.md", "3"), ("new.md", "same bytes"), ("more.md", "yy")];
        let sides = [("o", &old), ("n", &new)];
        let memory = Memory::new(sides.iter().flat_map(|(folder, files)| {
            files.iter().map(move |(name, content)| (format!("{folder}/{name}"), *content))
        }));
        let reader = FileReader { source: &memory, prefix: "" };
        let (old, new) = (outputs("o", &old), outputs("n", &new));
        let states: Vec<(String, FileState)> = FileChanges::new(&old, &new, reader)
            .map(|change| (change.name().to_owned(), change.state))
            .collect();
        let expected = [
            ("a.md", FileState::Same),
            ("b.md", FileState::Changed),
            ("new.md", FileState::Renamed),
            ("more.md", FileState::Added),
            ("gone.md", FileState::Removed),
        ];
        assert_eq!(states, expected.map(|(name, state)| (name.to_owned(), state)));
    }

    #[test]
    fn files_that_are_alone_of_their_type_belong_together() {
        let (old, new) = (
            outputs("o", &[("summary.md", "1"), ("a.csv", "1"), ("b.csv", "2"), ("same.txt", "")]),
            outputs("n", &[("report.MD", "2"), ("c.csv", "3"), ("same.txt", "")]),
        );
        let memory = Memory::new(std::iter::empty::<(String, &str)>());
        let reader = FileReader { source: &memory, prefix: "" };
        let names: Vec<[String; 2]> = FileChanges::new(&old, &new, reader)
            .paired_by_type()
            .map(|change| {
                [change.old, change.new]
                    .map(|file| file.map_or_else(String::new, |file| file.name.clone()))
            })
            .collect();
        let expected = [
            ["summary.md", "report.MD"],
            ["", "c.csv"],
            ["same.txt", "same.txt"],
            ["a.csv", ""],
            ["b.csv", ""],
        ];
        assert_eq!(names, expected.map(|pair| pair.map(str::to_owned)));
    }

    #[test]
    fn a_file_whose_partner_was_renamed_is_not_lost() {
        let files = [("o/a.csv", "same"), ("o/b.txt", "gone"), ("n/c.txt", "same")];
        let memory = Memory::new(files.map(|(path, content)| (path.to_owned(), content)));
        let reader = FileReader { source: &memory, prefix: "" };
        let old = outputs("o", &[("a.csv", "same"), ("b.txt", "gone")]);
        let new = outputs("n", &[("c.txt", "same")]);
        let states: Vec<FileState> = FileChanges::new(&old, &new, reader)
            .paired_by_type()
            .map(|change| change.state)
            .collect();
        assert_eq!(states, [FileState::Renamed, FileState::Removed]);
    }
}
