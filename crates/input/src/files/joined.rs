//! Folders that each hold a part of one workspace's files, joined into one source.
//!
//! The same file in several folders counts once. Where folders have different things at one path,
//! the first folder counts, and a [`Conflict`] is kept for the report.

use std::cmp::Ordering;
use std::io::{self, Read};

use crate::files::{Entry, EntryKind, Source};

/// How many bytes of two files are compared at a time.
const COMPARED_BYTES: u64 = 64 * 1024;

/// Different things at the same path of several folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The path below each of the folders, with `/`.
    pub path: String,
    /// The name of the folder whose entry counts.
    pub taken: String,
    /// The names of the folders with something else.
    pub others: Vec<String>,
}

/// One folder, with the name that a [`Conflict`] gives.
pub struct NamedSource {
    /// What problems call it, such as the last name of its path.
    pub name: String,
    /// Its files.
    pub source: Box<dyn Source>,
}

/// Several folders as one source, listed when they were joined.
pub struct JoinedSource {
    folders: Vec<NamedSource>,
    /// Every entry, in the order in which a folder lists it.
    entries: Vec<JoinedEntry>,
    conflicts: Vec<Conflict>,
}

struct JoinedEntry {
    entry: Entry,
    /// Index of the folder that it is read from.
    folder: usize,
}

impl JoinedSource {
    /// Joins `folders`, of which the first has precedence. Folders in them whose name `skip`
    /// accepts are not entered.
    pub fn new(folders: Vec<NamedSource>, skip: &dyn Fn(&str) -> bool) -> Self {
        let mut listed = Vec::new();
        for (folder, named) in folders.iter().enumerate() {
            let entries = named.source.list(skip);
            listed.extend(entries.into_iter().map(|entry| JoinedEntry { entry, folder }));
        }
        // Stable, so that entries at the same path stay in the order of the folders.
        listed.sort_by(|a, b| listing_order(&a.entry.path, &b.entry.path));

        let mut joined = Self { folders, entries: Vec::new(), conflicts: Vec::new() };
        let mut rest = listed.into_iter().peekable();
        while let Some(first) = rest.next() {
            let mut at_path = vec![first];
            while let Some(next) = rest.next_if(|next| next.entry.path == at_path[0].entry.path) {
                at_path.push(next);
            }
            joined.add(at_path);
        }
        joined
    }

    /// Paths with different things in them, folders before their contents; empty if all agree.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }

    /// Adds the entries of all folders at one path.
    fn add(&mut self, mut at_path: Vec<JoinedEntry>) {
        // Stable, so that among equals the first folder counts.
        at_path.sort_by_key(|found| precedence(&found.entry.kind));
        let taken = at_path.remove(0);
        let mut others = Vec::new();
        for other in at_path {
            if !self.is_same(&taken, &other) {
                others.push(self.folders[other.folder].name.clone());
            }
        }
        if !others.is_empty() {
            let path = taken.entry.path.clone();
            let taken = self.folders[taken.folder].name.clone();
            self.conflicts.push(Conflict { path, taken, others });
        }
        self.entries.push(taken);
    }

    fn is_same(&self, a: &JoinedEntry, b: &JoinedEntry) -> bool {
        match (&a.entry.kind, &b.entry.kind) {
            (EntryKind::File, EntryKind::File) => self.have_same_content(a, b).unwrap_or(false),
            // No link is followed, so it does not matter where it leads.
            (EntryKind::Link(_), EntryKind::Link(_)) => true,
            (a, b) => a == b,
        }
    }

    fn have_same_content(&self, a: &JoinedEntry, b: &JoinedEntry) -> io::Result<bool> {
        let mut left_file = self.folders[a.folder].source.open(&a.entry.path)?;
        let mut right_file = self.folders[b.folder].source.open(&b.entry.path)?;
        loop {
            let [mut left, mut right] = [Vec::new(), Vec::new()];
            left_file.by_ref().take(COMPARED_BYTES).read_to_end(&mut left)?;
            right_file.by_ref().take(COMPARED_BYTES).read_to_end(&mut right)?;
            if left != right || left.is_empty() {
                return Ok(left == right);
            }
        }
    }
}

/// Folders before their contents, names in byte order.
fn listing_order(a: &str, b: &str) -> Ordering {
    a.split('/').cmp(b.split('/'))
}

/// A folder counts before anything else, so that nothing in it is lost; then a file.
fn precedence(kind: &EntryKind) -> u8 {
    match kind {
        EntryKind::Folder => 0,
        EntryKind::File => 1,
        _ => 2,
    }
}

impl Source for JoinedSource {
    fn list(&self, _skip: &dyn Fn(&str) -> bool) -> Vec<Entry> {
        self.entries.iter().map(|found| found.entry.clone()).collect()
    }

    fn open<'s>(&'s self, path: &str) -> io::Result<Box<dyn Read + 's>> {
        let found = self.entries.binary_search_by(|found| listing_order(&found.entry.path, path));
        let Ok(index) = found else { return Err(io::ErrorKind::NotFound.into()) };
        self.folders[self.entries[index].folder].source.open(path)
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::{Conflict, JoinedSource, NamedSource};
    use crate::files::{Entry, EntryKind, LinkTarget, Memory, Source};

    fn join(folders: Vec<(&str, Box<dyn Source>)>) -> JoinedSource {
        let mut named = Vec::new();
        for (name, source) in folders {
            named.push(NamedSource { name: name.to_owned(), source });
        }
        JoinedSource::new(named, &|_| false)
    }

    fn files(files: &[(&str, &str)]) -> Box<dyn Source> {
        Box::new(Memory::new(files.iter().copied()))
    }

    #[test]
    fn all_files_are_listed_in_the_order_of_a_folder() {
        let joined = join(vec![
            ("a", files(&[("x/b", "1"), ("x-y", "2")])),
            ("b", files(&[("x/a", "3"), ("x/b", "1"), ("w", "4")])),
        ]);
        let entries = joined.list(&|_| false);
        let paths: Vec<&str> = entries.iter().map(|entry| entry.path.as_str()).collect();
        assert_eq!(paths, ["w", "x/a", "x/b", "x-y"]);
        assert_eq!(joined.conflicts(), []);
        assert_eq!(joined.read("x/a", 9).unwrap(), b"3");
        assert!(joined.read("x", 9).is_err());
    }

    #[test]
    fn the_first_folder_counts_and_every_other_content_is_a_conflict() {
        let joined = join(vec![
            ("a", files(&[("f", "1")])),
            ("b", files(&[("f", "2")])),
            ("c", files(&[("f", "1")])),
            ("d", files(&[("f", "3")])),
        ]);
        assert_eq!(joined.read("f", 9).unwrap(), b"1");
        let others = vec!["b".to_owned(), "d".to_owned()];
        let (path, taken) = ("f".to_owned(), "a".to_owned());
        assert_eq!(joined.conflicts(), [Conflict { path, taken, others }]);
    }

    /// A source that lists one entry `f` without content.
    struct SingleEntry(EntryKind);

    impl Source for SingleEntry {
        fn list(&self, _skip: &dyn Fn(&str) -> bool) -> Vec<Entry> {
            vec![Entry { kind: self.0.clone(), ..Entry::file("f", 0) }]
        }

        fn open<'s>(&'s self, _path: &str) -> io::Result<Box<dyn io::Read + 's>> {
            Err(io::ErrorKind::NotFound.into())
        }
    }

    #[test]
    fn what_can_be_read_counts_and_different_kinds_are_a_conflict() {
        let unreadable = EntryKind::Unreadable("permission denied".to_owned());
        let link = EntryKind::Link(LinkTarget::Outside);
        for (kind, taken) in [(unreadable, "b"), (link, "b"), (EntryKind::Folder, "a")] {
            let joined =
                join(vec![("a", Box::new(SingleEntry(kind))), ("b", files(&[("f", "1")]))]);
            assert_eq!(joined.conflicts()[0].taken, taken);
        }
        let links = [LinkTarget::Inside("a".to_owned()), LinkTarget::Nowhere].map(EntryKind::Link);
        let [a, b] = links.map(|link| Box::new(SingleEntry(link)) as Box<dyn Source>);
        assert_eq!(join(vec![("a", a), ("b", b)]).conflicts(), []);
    }
}
