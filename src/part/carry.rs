//! Writes everything another machine needs to read the same workspace.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::iter::once;

use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;

use crate::discover::{REPORT_MARK, names};
use crate::files::{self, Entry, EntryKind, Source, Withheld};
use crate::guard::{FoundInFile, Guard};
use crate::json::{self, Node};
use crate::part::{ContentOmitted, EndLine, FOLDER, INDEX, PartHead, PartLine, SCHEMA_VERSION};
use crate::write::Sink;

/// Texts up to this many bytes are stored in the list itself.
const MAX_TEXT_BYTES: u64 = 64 * 1024;
const AT_ONCE: usize = 512;

/// Number of digits of a hash that name a file.
const NAME_DIGITS: usize = 20;

pub struct Carry<'a> {
    source: &'a dyn Source,
    name: &'a str,
    entries: Vec<Entry>,
    found: BTreeMap<String, FoundInFile>,
    asked: BTreeSet<String>,
    left_out: &'a BTreeSet<String>,
    reports: BTreeSet<String>,
}

/// Addresses in the report at which each file of the source, by path, is already stored.
type StoredAddresses = BTreeMap<String, Vec<String>>;

impl<'a> Carry<'a> {
    /// The files at `asked` must not be published, those at `left_out` are not part of the
    /// workspace.
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

    /// Writes the list in chunks, and every content that is neither in it nor in the report.
    pub fn write(&self, sink: &dyn Sink, stored: &StoredAddresses) -> io::Result<()> {
        let (generator, name) = ("evalbook".to_owned(), self.name.to_owned());
        let head = json_line(&PartHead { generator, part_version: SCHEMA_VERSION, name });
        let line = |entry| self.line(entry, sink, stored);
        let lines = self.entries.chunks(AT_ONCE).map(|entries| {
            let lines: io::Result<Vec<Vec<u8>>> = entries.par_iter().map(line).collect();
            Ok(lines?.concat())
        });
        let rest = once(head)
            .chain(lines)
            .chain(once(json_line(&EndLine { entries: self.entries.len() })));
        let mut list = Chunks { rest, ready: io::Cursor::default() };
        sink.store(&mut list, &|_| INDEX.to_owned()).map(|_| ())
    }

    fn line(
        &self,
        entry: &Entry,
        sink: &dyn Sink,
        stored: &StoredAddresses,
    ) -> io::Result<Vec<u8>> {
        let mut line = PartLine::new(entry);
        line.found = self.found.get(&entry.path).cloned();
        let is_in = |report: &String| names::below(&entry.path, report).is_some();
        match () {
            () if entry.kind != EntryKind::File => {}
            () if self.asked.contains(&entry.path) => line.without = Some(ContentOmitted::Asked),
            () if self.left_out.contains(&entry.path) || self.reports.iter().any(is_in) => {
                line.without = Some(ContentOmitted::LeftOut);
            }
            () => self.add_content(&mut line, sink, stored.get(&entry.path))?,
        }
        json_line(&line)
    }

    fn add_content(
        &self,
        line: &mut PartLine<'_>,
        sink: &dyn Sink,
        addresses: Option<&Vec<String>>,
    ) -> io::Result<()> {
        let examined =
            self.source.open(&line.path).and_then(|mut reader| hash_and_text(reader.as_mut()));
        let (hash, text) = match examined {
            Ok(examined) => examined,
            Err(error) => {
                line.without = Some(match Withheld::new(&error) {
                    Some(Withheld::Asked) => ContentOmitted::Asked,
                    Some(Withheld::Unsafe) => ContentOmitted::Unsafe,
                    None => {
                        line.reason = Some(files::reason(&error));
                        ContentOmitted::Unread
                    }
                });
                return Ok(());
            }
        };
        let is_named = |address: &&String| {
            let name = names::file_name(address).split('.').next().unwrap_or_default();
            name.len() >= NAME_DIGITS && hash.starts_with(name)
        };
        line.at = addresses.into_iter().flatten().find(is_named).cloned();
        match text {
            _ if line.at.is_some() => {}
            Some(text) => {
                // A document with a secret hidden behind escapes is rewritten, with marks and
                // without escapes.
                let is_json = text.contains('\\') && line.path.to_lowercase().ends_with(".json");
                let parsed = if is_json { json::parse(&text).ok() } else { None };
                let mut is_clean = true;
                let marked = parsed.map(|parsed| marked(&parsed.root, self.source, &mut is_clean));
                let marked = marked.filter(|_| !is_clean).map(|marked| marked.to_string());
                line.text = Some(Cow::Owned(marked.unwrap_or(text)));
            }
            None => {
                let mut reader = self.source.open(&line.path)?;
                let address = |hash: &str| format!("{FOLDER}/{}.bin", &hash[..NAME_DIGITS]);
                let place = sink.store(reader.as_mut(), &address)?;
                sink.note(&line.path, &place);
                line.at = Some(place);
            }
        }
        Ok(())
    }
}

/// The hash of the content, and its text if that is short.
fn hash_and_text(reader: &mut dyn Read) -> io::Result<(String, Option<String>)> {
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
    Ok((hash, is_whole.then(|| String::from_utf8(head).ok()).flatten()))
}

struct Chunks<I> {
    rest: I,
    ready: io::Cursor<Vec<u8>>,
}

impl<I: Iterator<Item = io::Result<Vec<u8>>>> Read for Chunks<I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.ready.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            let Some(next) = self.rest.next() else { return Ok(0) };
            self.ready = io::Cursor::new(next?);
        }
    }
}

fn json_line(line: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// `node` with every text marked that `source` would not show as it is.
fn marked(node: &Node<'_>, source: &dyn Source, is_clean: &mut bool) -> Value {
    let shown = |text: &str, is_clean: &mut bool| {
        let marked = source.clean(text);
        *is_clean &= marked.is_none();
        marked.unwrap_or_else(|| text.to_owned())
    };
    match node {
        Node::Null => Value::Null,
        Node::Bool(flag) => Value::from(*flag),
        Node::Number(number) => Value::Number(number.clone()),
        Node::Text(text) => Value::from(shown(text, is_clean)),
        Node::List(items) => items.iter().map(|item| marked(item, source, is_clean)).collect(),
        Node::Object(entries) => {
            // The last of duplicate keys counts.
            let entries: BTreeMap<_, _> = entries.iter().map(|(key, child)| (key, child)).collect();
            let mark = |(key, child): (&Cow<'_, str>, &json::Spanned<'_>)| {
                (shown(key, is_clean), marked(child, source, is_clean))
            };
            entries.into_iter().map(mark).collect()
        }
    }
}
