//! Several folders with parts of one workspace, joined into one.
//!
//! An entry may be in any part; if several have it, it must be the same in all. Otherwise the first
//! part with it wins, and the [`FileConflict`] is kept for the report. Parts are ordered by name,
//! so that the order of arguments does not matter.

use std::cmp::Ordering;
use std::io::{self, Read};

use crate::files::{Entry, EntryKind, LinkTarget, Source};

/// Bytes of two files that are compared at a time.
const COMPARED_BYTES: usize = 64 * 1024;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileConflict {
    pub path: String,
    pub taken: String,
    pub others: Vec<String>,
    /// Whether files differ; else one is a file where another is a folder, a link or unreadable.
    pub are_files: bool,
}

pub struct JoinedSource {
    parts: Vec<(String, Box<dyn Source>)>,
    /// Every entry of any part, in the order of a folder, each with the part that provides it.
    entries: Vec<(Entry, usize)>,
    disagreements: Vec<FileConflict>,
}

impl JoinedSource {
    /// Joins named `parts`; where they disagree, the first wins. Folders whose name `skip` accepts
    /// are not entered.
    pub fn new(parts: Vec<(String, Box<dyn Source>)>, skip: &dyn Fn(&str) -> bool) -> Self {
        let mut listed: Vec<(Entry, usize)> = Vec::new();
        for (index, (_, part)) in parts.iter().enumerate() {
            listed.extend(part.list(skip).into_iter().map(|entry| (entry, index)));
        }
        // Stable, so that parts with the same path stay in order.
        listed.sort_by(|a, b| in_order(&a.0.path, &b.0.path));
        let mut joined = Self { parts, entries: Vec::new(), disagreements: Vec::new() };
        let mut rest = listed.into_iter().peekable();
        while let Some(first) = rest.next() {
            let mut same = vec![first];
            while let Some(next) = rest.next_if(|next| next.0.path == same[0].0.path) {
                same.push(next);
            }
            joined.add(same);
        }
        joined
    }

    pub fn disagreements(&self) -> &[FileConflict] {
        &self.disagreements
    }

    fn add(&mut self, mut same: Vec<(Entry, usize)>) {
        let chosen = (0..same.len()).min_by_key(|at| rank(&same[*at].0.kind)).unwrap_or_default();
        let (mut entry, mut part) = same.swap_remove(chosen);
        let (mut others, mut are_files) = (Vec::new(), false);
        same.sort_by_key(|(_, index)| *index);
        for (other, index) in same {
            match (&entry.kind, &other.kind) {
                (EntryKind::File, EntryKind::File) => {
                    let open = |part: usize| self.parts[part].1.open(&entry.path);
                    match (open(part), open(index)) {
                        (Ok(mut a), Ok(mut b)) => {
                            if !is_same(a.as_mut(), b.as_mut()).unwrap_or(false) {
                                are_files = true;
                                others.push(self.parts[index].0.clone());
                            }
                        }
                        (Err(_), Ok(_)) => (entry, part) = (other, index),
                        (_, Err(_)) => {}
                    }
                }
                (EntryKind::Link(_), EntryKind::Link(_)) => {}
                (taken, other) if taken == other => {}
                _ => others.push(self.parts[index].0.clone()),
            }
        }
        if !others.is_empty() {
            let (path, taken) = (entry.path.clone(), self.parts[part].0.clone());
            self.disagreements.push(FileConflict { path, taken, others, are_files });
        }
        self.entries.push((entry, part));
    }

    fn part(&self, path: &str) -> io::Result<&dyn Source> {
        let found = self.entries.binary_search_by(|(entry, _)| in_order(&entry.path, path));
        let index = found.map_err(|_| io::Error::from(io::ErrorKind::NotFound))?;
        Ok(self.parts[self.entries[index].1].1.as_ref())
    }
}

/// Folders before their contents, names in byte order: the order in which a folder is listed.
fn in_order(a: &str, b: &str) -> Ordering {
    a.split('/').cmp(b.split('/'))
}

/// Precedence of different entries at one path: a folder, so that nothing below it is lost, then
/// readable files.
fn rank(kind: &EntryKind) -> usize {
    match kind {
        EntryKind::Folder => 0,
        EntryKind::File => 1,
        EntryKind::Link(LinkTarget::Inside) => 2,
        EntryKind::Link(LinkTarget::Outside) => 3,
        EntryKind::Link(LinkTarget::Nowhere) => 4,
        EntryKind::Special => 5,
        EntryKind::Skipped => 6,
        EntryKind::Unreadable(_) => 7,
    }
}

fn is_same(a: &mut dyn Read, b: &mut dyn Read) -> io::Result<bool> {
    loop {
        let [mut left, mut right] = [Vec::new(), Vec::new()];
        a.take(COMPARED_BYTES as u64).read_to_end(&mut left)?;
        b.take(COMPARED_BYTES as u64).read_to_end(&mut right)?;
        if left != right || left.is_empty() {
            return Ok(left == right);
        }
    }
}

impl Source for JoinedSource {
    fn list(&self, _skip: &dyn Fn(&str) -> bool) -> Vec<Entry> {
        self.entries.iter().map(|(entry, _)| entry.clone()).collect()
    }

    fn open<'s>(&'s self, path: &str) -> io::Result<Box<dyn Read + 's>> {
        self.part(path)?.open(path)
    }
}

#[cfg(test)]
mod tests {
    use super::{FileConflict, JoinedSource};
    use crate::files::{Entry, EntryKind, Memory, Source};

    fn joined(parts: &[(&str, &[(&str, &str)])]) -> JoinedSource {
        let part = |(name, files): &(&str, &[(&str, &str)])| {
            let source = Memory::new(files.iter().copied());
            ((*name).to_owned(), Box::new(source) as Box<dyn Source>)
        };
        JoinedSource::new(parts.iter().map(part).collect(), &|_| false)
    }

    #[test]
    fn the_union_is_listed_in_the_order_of_a_folder() {
        let joined = joined(&[
            ("a", &[("x/b", "1"), ("x-y", "2")]),
            ("b", &[("x/a", "3"), ("x/b", "1"), ("w", "4")]),
        ]);
        let paths: Vec<String> =
            joined.list(&|_| false).into_iter().map(|entry| entry.path).collect();
        assert_eq!(paths, ["w", "x/a", "x/b", "x-y"]);
        assert!(joined.disagreements().is_empty());
        assert_eq!(joined.read("x/a", 9).unwrap(), b"3");
        assert!(joined.read("x", 9).is_err());
    }

    #[test]
    fn the_first_part_wins_and_the_others_are_reported() {
        let joined = joined(&[
            ("a", &[("f", "1")]),
            ("b", &[("f", "2")]),
            ("c", &[("f", "1")]),
            ("d", &[("f", "3")]),
        ]);
        assert_eq!(joined.read("f", 9).unwrap(), b"1");
        let others = vec!["b".to_owned(), "d".to_owned()];
        let (path, taken) = ("f".to_owned(), "a".to_owned());
        let expected = FileConflict { path, taken, others, are_files: true };
        assert_eq!(joined.disagreements(), [expected]);
    }

    /// A source that lists one entry without content.
    struct SingleEntry(EntryKind);

    impl Source for SingleEntry {
        fn list(&self, _skip: &dyn Fn(&str) -> bool) -> Vec<Entry> {
            vec![Entry { kind: self.0.clone(), ..Entry::file("f", 0) }]
        }

        fn read(&self, _path: &str, _limit: u64) -> std::io::Result<Vec<u8>> {
            Err(std::io::ErrorKind::NotFound.into())
        }

        fn open<'s>(&'s self, _path: &str) -> std::io::Result<Box<dyn std::io::Read + 's>> {
            Err(std::io::ErrorKind::NotFound.into())
        }
    }

    #[test]
    fn readable_entries_win_over_unreadable_ones() {
        let of = |kind: EntryKind| {
            let parts: Vec<(String, Box<dyn Source>)> = vec![
                ("a".to_owned(), Box::new(SingleEntry(kind))),
                ("b".to_owned(), Box::new(Memory::new([("f", "1")]))),
            ];
            JoinedSource::new(parts, &|_| false)
        };
        let unreadable = of(EntryKind::Unreadable("permission denied".to_owned()));
        assert_eq!(unreadable.read("f", 9).unwrap(), b"1");
        assert_eq!(unreadable.disagreements()[0].taken, "b");
        let missing = of(EntryKind::File);
        assert_eq!(missing.read("f", 9).unwrap(), b"1");
        assert!(missing.disagreements().is_empty());
        let folder = of(EntryKind::Folder);
        assert_eq!(folder.list(&|_| false)[0].kind, EntryKind::Folder);
        assert!(!folder.disagreements()[0].are_files);
    }
}
