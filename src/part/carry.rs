//! Writes what another machine needs to read the same.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};

use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;

use crate::discover::{REPORT_MARK, names};
use crate::files::{self, Entry, EntryKind, Source, Withheld};
use crate::guard::{FoundInFile, Guard};
use crate::json::{self, Node};
use crate::part::{End, FOLDER, Head, INDEX, Line, SCHEMA_VERSION, Without};
use crate::write::Sink;

/// Texts up to this many bytes stand in the list itself.
const MAX_TEXT_BYTES: u64 = 64 * 1024;
const AT_ONCE: usize = 512;

pub struct Carry<'a> {
    source: &'a dyn Source,
    name: &'a str,
    entries: Vec<Entry>,
    found: BTreeMap<String, FoundInFile>,
    asked: BTreeSet<String>,
    left_out: &'a BTreeSet<String>,
    reports: BTreeSet<String>,
}

/// Where the report holds each file of the source already: by its path, the addresses.
type Stored = BTreeMap<String, Vec<String>>;

impl<'a> Carry<'a> {
    /// What `source` gives, whose root folder is called `name`. The files at `asked` are not to be
    /// published, those at `left_out` take no part.
    pub fn new(
        (source, name): (&'a dyn Source, &'a str),
        guard: &Guard,
        asked: BTreeSet<String>,
        left_out: &'a BTreeSet<String>,
    ) -> Self {
        let entries = source.list(&names::is_never_entered);
        let marks = entries.iter().filter(|entry| names::file_name(&entry.path) == REPORT_MARK);
        let reports = marks.map(|entry| names::folder(&entry.path).to_owned()).collect();
        Self { source, name, entries, found: guard.all_found(), asked, left_out, reports }
    }

    /// Writes the list and every content that stands neither in it nor in the report.
    pub fn write(&self, sink: &dyn Sink, stored: &Stored) -> io::Result<()> {
        let writer = Writer { carry: self, sink, stored };
        let mut lines = Lines { writer, next: 0, is_ended: false, ready: io::Cursor::default() };
        sink.store(&mut lines, &|_| INDEX.to_owned()).map(|_| ())
    }

    fn without(&self, path: &str) -> Option<Without> {
        let is_in = |report: &String| names::below(path, report).is_some();
        match () {
            () if self.asked.contains(path) => Some(Without::Asked),
            () if self.left_out.contains(path) => Some(Without::LeftOut),
            () if self.reports.iter().any(is_in) => Some(Without::LeftOut),
            () => None,
        }
    }
}

struct Writer<'w> {
    carry: &'w Carry<'w>,
    sink: &'w dyn Sink,
    stored: &'w Stored,
}

impl Writer<'_> {
    fn line(&self, entry: &Entry) -> io::Result<Vec<u8>> {
        let mut line = Line::new(entry);
        line.found = self.carry.found.get(&entry.path).cloned();
        if entry.kind == EntryKind::File {
            match self.carry.without(&entry.path) {
                None => self.add_content(entry, &mut line)?,
                without => line.without = without,
            }
        }
        of_json(&line)
    }

    fn add_content(&self, entry: &Entry, line: &mut Line<'_>) -> io::Result<()> {
        let opened = self.carry.source.open(&entry.path);
        let looked = opened.and_then(|mut reader| Looked::at(reader.as_mut()));
        let looked = match looked {
            Ok(looked) => looked,
            Err(error) => {
                let withheld = Withheld::new(&error).map(Without::new);
                line.reason = withheld.is_none().then(|| files::reason(&error));
                line.without = Some(withheld.unwrap_or(Without::Unread));
                return Ok(());
            }
        };
        let addresses = self.stored.get(&entry.path);
        line.at =
            addresses.into_iter().flatten().find(|address| is_of(address, &looked.hash)).cloned();
        if line.at.is_some() {
            return Ok(());
        }
        match looked.text {
            Some(text) => line.text = Some(Cow::Owned(self.harmless(&entry.path, text))),
            None => line.at = Some(self.store(&entry.path)?),
        }
        Ok(())
    }

    fn store(&self, path: &str) -> io::Result<String> {
        let mut reader = self.carry.source.open(path)?;
        let address = |hash: &str| format!("{FOLDER}/{}.bin", &hash[..SHORT]);
        let stored = self.sink.store(reader.as_mut(), &address)?;
        self.sink.note(path, &stored);
        Ok(stored)
    }

    /// The text of a document as it may be published. A document that still hides a secret behind
    /// its escapes is written anew, with marks and without escapes.
    fn harmless(&self, path: &str, text: String) -> String {
        if !text.contains('\\') || !path.to_lowercase().ends_with(".json") {
            return text;
        }
        let (mut node, mut is_clean) = match json::parse(&text) {
            Ok(parsed) => (value(&parsed.root), true),
            Err(_) => return text,
        };
        clean(&mut node, self.carry.source, &mut is_clean);
        if is_clean { text } else { node.to_string() }
    }
}

/// So many digits of a hash name a file.
const SHORT: usize = 20;

/// Whether the file at `address` is named by `hash`.
fn is_of(address: &str, hash: &str) -> bool {
    let name = names::file_name(address).split('.').next().unwrap_or_default();
    name.len() >= SHORT && hash.starts_with(name)
}

struct Looked {
    hash: String,
    text: Option<String>,
}

impl Looked {
    fn at(reader: &mut dyn Read) -> io::Result<Self> {
        let mut head = Vec::new();
        reader.take(MAX_TEXT_BYTES + 1).read_to_end(&mut head)?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&head);
        let is_whole = head.len() as u64 <= MAX_TEXT_BYTES;
        if !is_whole {
            files::in_pieces(reader, |piece| {
                hasher.update(piece);
                Ok(())
            })?;
        }
        let hash = hasher.finalize().to_hex().to_string();
        Ok(Self { hash, text: is_whole.then(|| String::from_utf8(head).ok()).flatten() })
    }
}

struct Lines<'w> {
    writer: Writer<'w>,
    next: usize,
    is_ended: bool,
    ready: io::Cursor<Vec<u8>>,
}

impl Lines<'_> {
    /// The lines that come next; nothing at the end.
    fn more(&mut self) -> io::Result<Vec<u8>> {
        let carry = self.writer.carry;
        let mut out = Vec::new();
        if self.next == 0 && !self.is_ended {
            let (generator, name) = ("evalbook".to_owned(), carry.name.to_owned());
            out = of_json(&Head { generator, part_version: SCHEMA_VERSION, name })?;
        }
        let end = carry.entries.len().min(self.next + AT_ONCE);
        let entries = &carry.entries[self.next..end];
        self.next = end;
        let lines: io::Result<Vec<Vec<u8>>> =
            entries.par_iter().map(|entry| self.writer.line(entry)).collect();
        out.extend(lines?.concat());
        if end == carry.entries.len() && !self.is_ended {
            self.is_ended = true;
            out.extend(of_json(&End { entries: end })?);
        }
        Ok(out)
    }
}

impl Read for Lines<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.ready.read(buffer)?;
        if length > 0 || buffer.is_empty() {
            return Ok(length);
        }
        self.ready = io::Cursor::new(self.more()?);
        self.ready.read(buffer)
    }
}

fn of_json(line: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn value(node: &Node<'_>) -> Value {
    match node {
        Node::Null => Value::Null,
        Node::Bool(flag) => Value::from(*flag),
        Node::Number(number) => Value::Number(number.clone()),
        Node::Text(text) => Value::from(text.as_ref()),
        Node::List(items) => Value::Array(items.iter().map(|item| value(item)).collect()),
        Node::Object(entries) => {
            let entries = entries.iter();
            Value::Object(
                entries.map(|(key, child)| (key.clone().into_owned(), value(child))).collect(),
            )
        }
    }
}

/// Puts marks into every text of `value` that `source` would not show as it is.
fn clean(value: &mut Value, source: &dyn Source, is_clean: &mut bool) {
    match value {
        Value::String(text) => {
            if let Some(marked) = source.clean(text) {
                (*text, *is_clean) = (marked, false);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| clean(item, source, is_clean)),
        Value::Object(entries) => {
            for (key, mut child) in std::mem::take(entries) {
                clean(&mut child, source, is_clean);
                let marked = source.clean(&key);
                *is_clean &= marked.is_none();
                entries.insert(marked.unwrap_or(key), child);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
