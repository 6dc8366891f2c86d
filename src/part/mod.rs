//! What one machine read, in a form that can be joined with the parts of others. [`INDEX`] has a
//! line for each file and folder as the guard shows them; content that is not a short text is in
//! the report once, named by its hash. [`Carry`] writes a part; [`PartArchive`] reads one as a
//! source.

mod carry;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, BufReader, Read};

use serde::{Deserialize, Serialize};

use crate::files::{Disk, Entry, EntryKind, LinkTarget, Source, Withheld};
use crate::guard::{FoundInFile, Guard};

pub use crate::part::carry::Carry;

pub const FOLDER: &str = "part";
pub const INDEX: &str = "part/index.jsonl";

/// Version of the list, increased when a field changes its meaning.
const SCHEMA_VERSION: u32 = 1;

// The lines of the list: a head, one for each entry, and an end that proves it complete.

#[derive(Debug, Serialize, Deserialize)]
struct PartHead {
    generator: String,
    part_version: u32,
    name: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct EndLine {
    entries: usize,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct PartLine<'l> {
    path: Cow<'l, str>,
    kind: Cow<'l, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    odd_name: bool,
    /// Why it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<Cow<'l, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    without: Option<ContentOmitted>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    found: Option<FoundInFile>,
}

/// Why a file comes without its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ContentOmitted {
    Asked,
    Unsafe,
    /// Excluded by the settings, or part of an earlier report.
    LeftOut,
    Unread,
}

impl<'l> PartLine<'l> {
    /// The line for `entry`, without its content.
    fn new(entry: &'l Entry) -> Self {
        let named_kind = KINDS.iter().find(|(_, kind)| *kind == entry.kind);
        let reason = match &entry.kind {
            EntryKind::Unreadable(reason) => Some(reason.clone()),
            _ => None,
        };
        Self {
            path: Cow::Borrowed(&entry.path),
            kind: Cow::Borrowed(named_kind.map_or(UNREADABLE, |(word, _)| word)),
            bytes: (entry.kind == EntryKind::File).then_some(entry.bytes),
            odd_name: entry.odd_name,
            reason,
            ..Self::default()
        }
    }

    /// The entry; `None` for an unknown kind.
    fn entry(&self) -> Option<Entry> {
        let named_kind = KINDS.iter().find(|(word, _)| *word == self.kind);
        let unreadable = || EntryKind::Unreadable(self.reason.clone().unwrap_or_default());
        let unreadable = || (self.kind == UNREADABLE).then(unreadable);
        let kind = named_kind.map(|(_, kind)| kind.clone()).or_else(unreadable)?;
        let (path, bytes) = (self.path.clone().into_owned(), self.bytes.unwrap_or(0));
        Some(Entry { path, kind, bytes, odd_name: self.odd_name })
    }
}

/// The word for each kind except an unreadable one, which also has its reason.
const KINDS: &[(&str, EntryKind)] = &[
    ("file", EntryKind::File),
    ("folder", EntryKind::Folder),
    ("skipped", EntryKind::Skipped),
    ("link_inside", EntryKind::Link(LinkTarget::Inside)),
    ("link_outside", EntryKind::Link(LinkTarget::Outside)),
    ("link_nowhere", EntryKind::Link(LinkTarget::Nowhere)),
    ("special", EntryKind::Special),
];
const UNREADABLE: &str = "unreadable";

const MAX_LINE_BYTES: u64 = 4 * 1024 * 1024;

#[derive(Debug)]
pub struct PartArchive {
    disk: Disk,
    pub name: String,
    /// Sorted like the files of a folder.
    entries: Vec<(Entry, Payload)>,
    /// The findings of its guard, by path.
    pub earlier: BTreeMap<String, FoundInFile>,
}

#[derive(Debug)]
enum Payload {
    Nothing,
    Line { start: u64, length: usize },
    At(String),
    Omitted(ContentOmitted, Option<String>),
}

#[derive(Debug, thiserror::Error)]
pub enum PartError {
    #[error("there is no `{INDEX}` in it")]
    NoPart,
    #[error("{INDEX}: {0}")]
    Unreadable(String),
    #[error("{INDEX}:{line}: {reason}")]
    Line { line: usize, reason: String },
    #[error("{INDEX}: breaks off after {0} lines")]
    CutOff(usize),
}

impl PartArchive {
    pub fn open(disk: Disk) -> Result<Self, PartError> {
        let reader = disk.open(INDEX).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => PartError::NoPart,
            _ => PartError::Unreadable(crate::files::reason(&error)),
        })?;
        let mut lines = LineReader { reader: BufReader::new(reader), number: 0, start: 0 };
        let first = lines.next()?;
        let head: PartHead = first.parse()?;
        if head.part_version != SCHEMA_VERSION {
            let (version, supported) = (head.part_version, SCHEMA_VERSION);
            let reason =
                format!("the part has version {version}; this program reads version {supported}");
            return Err(PartError::Line { line: 1, reason });
        }
        let (entries, earlier) = read_entries(&mut lines)?;
        drop(lines);
        let mut archive = Self { disk, name: head.name, entries, earlier };
        archive.entries.sort_by(|a, b| a.0.path.split('/').cmp(b.0.path.split('/')));
        match archive.entries.windows(2).find(|pair| pair[0].0.path == pair[1].0.path) {
            Some(pair) => {
                let reason = format!("`{}` is there twice", pair[0].0.path);
                Err(PartError::Line { line: archive.entries.len() + 1, reason })
            }
            None => Ok(archive),
        }
    }

    pub fn withheld(&self) -> BTreeSet<String> {
        let is_asked =
            |content: &Payload| matches!(content, Payload::Omitted(ContentOmitted::Asked, _));
        let entries = self.entries.iter().filter(|(_, content)| is_asked(content));
        entries.map(|(entry, _)| entry.path.clone()).collect()
    }

    /// Files whose content is missing or incomplete.
    pub fn missing(&self) -> Vec<&str> {
        let is_missing = |(entry, content): &&(Entry, Payload)| match content {
            Payload::At(at) => self.disk.size(at) != Some(entry.bytes),
            Payload::Omitted(without, _) => *without == ContentOmitted::LeftOut,
            Payload::Nothing | Payload::Line { .. } => false,
        };
        self.entries.iter().filter(is_missing).map(|(entry, _)| entry.path.as_str()).collect()
    }
}

impl Source for PartArchive {
    fn list(&self, _skip: &dyn Fn(&str) -> bool) -> Vec<Entry> {
        self.entries.iter().map(|(entry, _)| entry.clone()).collect()
    }

    fn open<'s>(&'s self, path: &str) -> io::Result<Box<dyn Read + 's>> {
        let order = |candidate: &(Entry, Payload)| candidate.0.path.split('/').cmp(path.split('/'));
        let index = self.entries.binary_search_by(order);
        let index = index.map_err(|_| io::Error::from(io::ErrorKind::NotFound))?;
        let (entry, content) = &self.entries[index];
        let missing = || io::Error::other("its content is missing in its part");
        match content {
            Payload::Line { start, length } => {
                let bytes = self.disk.read_at(INDEX, *start, *length)?;
                let line: PartLine<'_> = serde_json::from_slice(&bytes)?;
                let text = line.text.map(Cow::into_owned).unwrap_or_default();
                Ok(Box::new(io::Cursor::new(text)))
            }
            Payload::At(at) => match self.disk.file(at) {
                Ok(file) if file.limit() == entry.bytes => Ok(Box::new(file)),
                _ => Err(missing()),
            },
            Payload::Omitted(ContentOmitted::Asked, _) => Err(io::Error::other(Withheld::Asked)),
            Payload::Omitted(ContentOmitted::Unsafe, _) => Err(io::Error::other(Withheld::Unsafe)),
            Payload::Omitted(ContentOmitted::Unread, Some(reason)) => {
                Err(io::Error::other(&**reason))
            }
            Payload::Omitted(..) => Err(missing()),
            Payload::Nothing => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

type PartContents = (Vec<(Entry, Payload)>, BTreeMap<String, FoundInFile>);

fn read_entries(lines: &mut LineReader<'_>) -> Result<PartContents, PartError> {
    let (mut entries, mut earlier) = (Vec::new(), BTreeMap::new());
    loop {
        let line = lines.next()?;
        if line.bytes.starts_with(b"{\"entries\":") {
            let end: EndLine = line.parse()?;
            return match end.entries == entries.len() {
                true => Ok((entries, earlier)),
                false => Err(line.wrong("a wrong number of entries")),
            };
        }
        let shape: PartLine<'_> = line.parse()?;
        let Some(entry) = shape.entry() else {
            return Err(line.wrong("a kind of entry that this program does not know"));
        };
        if !is_below(&entry.path) {
            return Err(line.wrong("a path that leads out of the workspace"));
        }
        if let Some(found) = &shape.found {
            if !Guard::knows(found) {
                return Err(line.wrong("a kind of secret that this program does not know"));
            }
            earlier.insert(entry.path.clone(), found.clone());
        }
        let content = match (shape.text, shape.at, shape.without) {
            _ if entry.kind != EntryKind::File => Payload::Nothing,
            (Some(_), _, _) => Payload::Line { start: line.start, length: line.bytes.len() },
            (None, Some(at), _) if is_below(&at) => Payload::At(at),
            (None, None, Some(without)) => Payload::Omitted(without, shape.reason),
            _ => return Err(line.wrong("a file without its content")),
        };
        entries.push((entry, content));
    }
}

/// Whether a path stays below the folder it starts from.
fn is_below(path: &str) -> bool {
    !path.is_empty() && path.split('/').all(|name| !matches!(name, "" | "." | ".."))
}

struct RawLine {
    number: usize,
    start: u64,
    bytes: Vec<u8>,
}

impl RawLine {
    fn parse<'r, T: Deserialize<'r>>(&'r self) -> Result<T, PartError> {
        serde_json::from_slice(&self.bytes).map_err(|error| self.wrong(&error.to_string()))
    }

    fn wrong(&self, reason: &str) -> PartError {
        PartError::Line { line: self.number, reason: reason.to_owned() }
    }
}

struct LineReader<'l> {
    reader: BufReader<Box<dyn Read + 'l>>,
    number: usize,
    start: u64,
}

impl LineReader<'_> {
    /// The next line. Running out of lines is an error, as the list marks its own end.
    fn next(&mut self) -> Result<RawLine, PartError> {
        let mut bytes = Vec::new();
        let read = self.reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes);
        read.map_err(|error| PartError::Unreadable(crate::files::reason(&error)))?;
        self.number += 1;
        let start = self.start;
        self.start += bytes.len() as u64;
        match bytes.pop() {
            Some(b'\n') => Ok(RawLine { number: self.number, start, bytes }),
            Some(_) if bytes.len() as u64 + 1 == MAX_LINE_BYTES => {
                let reason = "the line is too long".to_owned();
                Err(PartError::Line { line: self.number, reason })
            }
            _ => Err(PartError::CutOff(self.number - 1)),
        }
    }
}
