//! Writes what another machine needs to read the same.

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

/// Texts up to this many bytes stand in the list itself.
const MAX_TEXT_BYTES: u64 = 64 * 1024;
const AT_ONCE: usize = 512;

/// So many digits of a hash name a file.
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

/// Where the report holds each file of the source already: by its path, the addresses.
type StoredAddresses = BTreeMap<String, Vec<String>>;

impl<'a> Carry<'a> {
    /// The files at `asked` are not to be published, those at `left_out` take no part.
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

    /// Writes the list, part by part, and every content that stands neither in it nor in the report.
    pub fn write(&self, sink: &dyn Sink, stored: &StoredAddresses) -> io::Result<()> {
        let (generator, name) = ("evalbook".to_owned(), self.name.to_owned());
        let head = of_json(&PartHead { generator, part_version: SCHEMA_VERSION, name });
        let line = |entry| self.line(entry, sink, stored);
        let lines = self.entries.chunks(AT_ONCE).map(|entries| {
            let lines: io::Result<Vec<Vec<u8>>> = entries.par_iter().map(line).collect();
            Ok(lines?.concat())
        });
        let rest =
            once(head).chain(lines).chain(once(of_json(&EndLine { entries: self.entries.len() })));
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
        of_json(&line)
    }

    fn add_content(
        &self,
        line: &mut PartLine<'_>,
        sink: &dyn Sink,
        addresses: Option<&Vec<String>>,
    ) -> io::Result<()> {
        let looked = self.source.open(&line.path).and_then(|mut reader| look(reader.as_mut()));
        let (hash, text) = match looked {
            Ok(looked) => looked,
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
                // A document that still hides a secret behind its escapes is written anew, with marks
                // and without escapes.
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

/// The hash of what `reader` gives, and its text where that is short.
fn look(reader: &mut dyn Read) -> io::Result<(String, Option<String>)> {
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

fn of_json(line: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// `node` with marks in every text that `source` would not show as it is.
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
            // Of a key that is there twice, the last one counts.
            let entries: BTreeMap<_, _> = entries.iter().map(|(key, child)| (key, child)).collect();
            let mark = |(key, child): (&Cow<'_, str>, &json::Spanned<'_>)| {
                (shown(key, is_clean), marked(child, source, is_clean))
            };
            entries.into_iter().map(mark).collect()
        }
    }
}
