//! Matches the files of two runs: by name, else by content.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::budget::COMPARED_FILE;
use input::files::Source;
use input::model::Output;
use input::names;

/// At most this many pairs of equal size are read to find renamed files.
const MAX_RENAMES_READ: usize = 200;

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

    fn are_same(&self, a: &Output, b: &Output) -> bool {
        match (self.read(a), self.read(b)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        }
    }
}

/// Two matching files, or one alone.
type Matched<'w> = (Option<&'w Output>, Option<&'w Output>);

/// The files of both sides, matched, in the order of the newer ones; then the removed ones.
pub(crate) struct FileChanges<'w, 'r> {
    reader: FileReader<'r>,
    waiting: std::vec::IntoIter<Matched<'w>>,
    renamed: BTreeSet<&'w str>,
}

impl<'w, 'r> FileChanges<'w, 'r> {
    pub(crate) fn new(old: &'w [Output], new: &'w [Output], reader: FileReader<'r>) -> Self {
        let mut by_name: BTreeMap<&str, VecDeque<usize>> = BTreeMap::new();
        for (index, output) in old.iter().enumerate() {
            by_name.entry(&output.name).or_default().push_back(index);
        }
        let mut matched: Vec<Matched<'w>> = Vec::with_capacity(new.len());
        for output in new {
            let index = by_name.get_mut(output.name.as_str()).and_then(VecDeque::pop_front);
            matched.push((index.map(|index| &old[index]), Some(output)));
        }
        let unmatched: BTreeSet<usize> = by_name.into_values().flatten().collect();
        let mut removed: Vec<&Output> = unmatched.into_iter().map(|index| &old[index]).collect();
        let renamed = find_renamed(&mut matched, &mut removed, reader);
        matched.extend(removed.into_iter().map(|output| (Some(output), None)));
        Self { reader, waiting: matched.into_iter(), renamed }
    }

    /// The same with two files of other names paired where each side has one file of that type: they are
    /// what both runs were asked for.
    pub(crate) fn paired_by_type(mut self) -> Self {
        let mut files: Vec<Matched<'w>> = self.waiting.collect();
        let counts = [0, 1].map(|side| {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for output in files.iter().filter_map(|(old, new)| [*old, *new][side]) {
                *counts.entry(extension(&output.name)).or_default() += 1;
            }
            counts
        });
        let is_single = |output: &Output| {
            let kind = extension(&output.name);
            !kind.is_empty() && counts.iter().all(|counts| counts.get(&kind) == Some(&1))
        };
        let removed: Vec<&Output> = files
            .iter()
            .filter_map(|(old, new)| old.filter(|old| new.is_none() && is_single(old)))
            .collect();
        for old in removed {
            let kind = extension(&old.name);
            files.retain(|(other, _)| !other.is_some_and(|other| std::ptr::eq(other, old)));
            let partner = files.iter_mut().find(|(before, new)| {
                before.is_none() && new.is_some_and(|new| extension(&new.name) == kind)
            });
            if let Some((before, _)) = partner {
                *before = Some(old);
            }
        }
        self.waiting = files.into_iter();
        self
    }

    /// The same with the files first of which `is_first` says so.
    pub(crate) fn with_first(mut self, is_first: impl Fn(&Output) -> bool) -> Self {
        let mut files: Vec<Matched<'w>> = self.waiting.collect();
        files
            .sort_by_key(|(old, new)| ![old, new].into_iter().flatten().any(|file| is_first(file)));
        self.waiting = files.into_iter();
        self
    }

    pub(crate) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    fn change(&self, (old, new): Matched<'w>) -> FileChange<'w> {
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

/// What a file's name says about its type, in small letters; empty for nothing.
fn extension(name: &str) -> String {
    let name = name.rsplit('/').next().unwrap_or(name);
    match name.rsplit_once('.') {
        Some((_, extension)) => extension.to_ascii_lowercase(),
        None => String::new(),
    }
}

/// Matches added files with removed ones of the same bytes; returns the paths of these.
fn find_renamed<'w>(
    matched: &mut [Matched<'w>],
    removed: &mut Vec<&'w Output>,
    reader: FileReader<'_>,
) -> BTreeSet<&'w str> {
    let mut renamed = BTreeSet::new();
    let mut reads_left = MAX_RENAMES_READ;
    for (old, new) in matched.iter_mut().filter(|(old, _)| old.is_none()) {
        // All empty files are equal, which says nothing.
        let Some(added) = new.filter(|new| new.bytes > 0) else { continue };
        for at in 0..removed.len() {
            if removed[at].bytes != added.bytes || reads_left == 0 {
                continue;
            }
            reads_left -= 1;
            if reader.are_same(removed[at], added) {
                *old = Some(removed.remove(at));
                renamed.insert(added.path.as_str());
                break;
            }
        }
    }
    renamed
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
}
