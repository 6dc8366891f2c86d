//! An output as a reviewer reads it.
//!
//! Entry points: [`of`] for what a run produced and [`transcript`] for the record of its steps. A
//! file is read once, stored under the hash of its content with an extension that no browser runs,
//! and shown by its kind: one file of this folder for each. Whatever cannot be shown by its kind is
//! shown as text where it is text, with the reason, and by name, size and hash where it is not.
//!
//! Nothing of the data becomes markup: what a page places as it is is [`Safe`], which only
//! [`markup`] can make, from literals of this program and escaped text. Nothing runs, nothing is
//! loaded from elsewhere, and work is bounded by counting, never by the clock.

mod archive;
mod code;
pub(super) mod compared;
mod conversation;
mod drawing;
mod entities;
mod json;
mod kind;
mod language;
mod markdown;
pub(super) mod markup;
mod notebook;
mod office;
mod page;
mod picture;
mod plain;
mod shown;
mod table;
mod text;
mod turns;
mod xml;

#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::discover::names;
use crate::files::Source;
use crate::model::Output;
use crate::render::addresses::PartAddresses;
use crate::render::preview::kind::Kind;
use crate::render::preview::markup::Safe;
use crate::render::preview::shown::File;
use crate::render::preview::text::remarks;
use crate::text::{bytes, printable};
use crate::write::Sink;

/// Files beyond this many bytes are named, not stored.
const MAX_STORED_BYTES: u64 = 256 * 1024 * 1024;

/// Bytes of a file that are looked at as text.
const MAX_TEXT_BYTES: usize = 16 * 1024 * 1024;

/// What is shown of one output.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub(super) struct Preview {
    /// Its name.
    pub(super) name: String,
    /// Its size in words.
    pub(super) size: String,
    /// The beginning of its BLAKE3 hash, under which it is stored; empty when it is not.
    pub(super) hash: String,
    /// Relative address of the stored file, or empty.
    pub(super) href: String,
    /// The word for its kind, or empty.
    pub(super) kind: &'static str,
    /// What is shown of it, or empty.
    pub(super) html: Safe,
    /// Its text as it stands where `html` shows it otherwise, or empty.
    pub(super) source: Safe,
    /// What was left out and why, or empty.
    pub(super) remark: String,
}

/// Stores `output` and says what to show of it. `link` makes an address relative to the page.
pub(super) fn of(
    output: &Output,
    path: &str,
    source: &dyn Source,
    sink: &dyn Sink,
    addresses: &PartAddresses,
    link: &dyn Fn(&str) -> String,
) -> Preview {
    let address = |hash: &str, extension: &str| addresses.file(hash, extension);
    let store = Store { sink, address: &address, link };
    read(output, path, source, &store, Role::Output)
}

/// The same for the record of a run's steps, as a conversation where it is one.
pub(super) fn transcript(
    output: &Output,
    path: &str,
    source: &dyn Source,
    sink: &dyn Sink,
    addresses: &PartAddresses,
    link: &dyn Fn(&str) -> String,
) -> Preview {
    let address = |hash: &str, extension: &str| addresses.file(hash, extension);
    let store = Store { sink, address: &address, link };
    read(output, path, source, &store, Role::Transcript)
}

/// What a file is to the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Output,
    Transcript,
}

/// Where files are stored, each under the hash of its content.
struct Store<'s> {
    sink: &'s dyn Sink,
    address: &'s dyn Fn(&str, &str) -> String,
    link: &'s dyn Fn(&str) -> String,
}

impl Store<'_> {
    /// Stores `content`; its address relative to the page.
    fn put(&self, content: &[u8], extension: &str) -> Result<String, String> {
        let address = (self.address)(&hash(content), extension);
        match self.sink.put(&address, content) {
            Ok(()) => Ok((self.link)(&address)),
            Err(error) => Err(format!("cannot be stored: {}", crate::files::reason(&error))),
        }
    }
}

fn hash(content: &[u8]) -> String {
    blake3::hash(content).to_hex()[..20].to_owned()
}

fn read(
    output: &Output,
    path: &str,
    source: &dyn Source,
    store: &Store<'_>,
    role: Role,
) -> Preview {
    let unread = |remark: String| Preview {
        name: printable(&output.name),
        size: bytes(output.bytes),
        remark,
        ..Preview::default()
    };
    if output.bytes > MAX_STORED_BYTES {
        return unread("too large to be kept in the report".to_owned());
    }
    match source.read(path, MAX_STORED_BYTES) {
        Ok(content) => inspect(&output.name, &content, store, role),
        Err(error) => unread(format!("cannot be read: {}", crate::files::reason(&error))),
    }
}

/// Stores `content` and shows it.
fn inspect(name: &str, content: &[u8], store: &Store<'_>, role: Role) -> Preview {
    let extension = names::split_extension(name).1;
    let text = text::decode(text_bytes(content));
    let stored_as = kind::stored_extension(&extension, content, text.is_some());
    let kind = Kind::of(&extension, name, content);
    let mut preview = Preview {
        name: printable(name),
        size: bytes(content.len() as u64),
        kind: kind.word(),
        ..Preview::default()
    };
    match store.put(content, stored_as) {
        Ok(href) => (preview.href, preview.hash) = (href, hash(content)),
        Err(reason) => return Preview { remark: reason, ..preview },
    }
    let encoding = text.as_ref().map_or("", |text| text.remark);
    let file = File {
        name,
        content,
        text: text.as_ref().map(|text| text.content.as_ref()),
        href: &preview.href,
        store,
        is_transcript: role == Role::Transcript || is_named_transcript(name),
    };
    // A file that no limit here foresaw costs its preview, not the report.
    let shown = catch_unwind(AssertUnwindSafe(|| file.show(kind)));
    let shown = shown.unwrap_or_else(|_| Err("its preview failed".to_owned()));
    let shown = shown.unwrap_or_else(|reason| file.fall_back(reason));
    preview.remark = remarks([shown.remark.as_str(), encoding]);
    (preview.html, preview.source) = (shown.html, shown.source);
    preview
}

/// The part of a file that is looked at as text, cut between characters.
fn text_bytes(content: &[u8]) -> &[u8] {
    let mut end = content.len().min(MAX_TEXT_BYTES);
    while end < content.len() && end > MAX_TEXT_BYTES - 4 && content[end] & 0xc0 == 0x80 {
        end -= 1;
    }
    &content[..end]
}

/// Whether an output's name says that it is a transcript.
fn is_named_transcript(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    ["transcript", "conversation", "trajectory", "session"]
        .iter()
        .any(|word| last.starts_with(word))
}
