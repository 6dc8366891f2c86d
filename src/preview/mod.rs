//! An output as a reviewer reads it.
//!
//! Entry point: [`store_and_show`], for the outputs of a run and its transcript. A file is read
//! once, stored under the hash of its content with an extension that no browser runs, and shown by
//! its kind: one file of this folder for each. A file that cannot be shown by its kind is shown as
//! text with the reason, or by name, size and hash if it is not text. A page's [`PreviewRoom`] limits how
//! much it shows.
//!
//! Data never becomes markup: a page only inserts [`Safe`] unescaped, which only [`markup`] can
//! make, from literals of this program and escaped text. Nothing runs, nothing is loaded from
//! elsewhere, and work is bounded by counting, never by the clock.

pub(super) mod aligned;
mod code;
pub(super) mod compared;
mod conversation;
mod drawing;
pub(super) mod evidence;
mod json;
mod markdown;
pub(super) mod markup;
mod notebook;
mod office;
mod picture;
mod plain;
mod references;
mod room;
mod sanitizer;
mod shown;
mod table;
mod text;

#[cfg(test)]
mod tests;

/// The text of a page of HTML with its structure, for tests of what compares renderings.
#[cfg(test)]
pub(crate) fn outline_of(html: &str, language: &Language) -> Safe {
    let mut out = Markup::within(language, 100_000);
    sanitizer::outline(html, &mut out);
    out.finish()
}

pub(super) use crate::preview::room::{PreviewRoom, bytes_per_page};

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::budget::STORED_FILE;
use crate::language::Language;
use crate::preview::evidence::{QuotationMark, Quotations};
use crate::preview::markup::{Markup, Safe};
use crate::preview::shown::{StoredFile, kind_word};
use crate::preview::text::remarks;
use crate::write::Sink;
use ::text::{bytes, printable};
use formats::kind::{is_named_transcript, stored_extension};
use formats::limits::MAX_TEXT_BYTES;
use formats::{Encoding, File, FileKind, Text};
use input::files::{Source, Withheld};
use input::model::Output;
use input::names;

#[derive(Clone, Debug, Default, serde::Serialize)]
pub(super) struct Preview {
    pub(super) name: String,
    pub(super) size: String,
    /// The beginning of its BLAKE3 hash, under which it is stored; empty if it is not.
    pub(super) hash: String,
    pub(super) href: String,
    pub(super) kind: String,
    pub(super) html: Safe,
    /// Its unchanged text if `html` differs from it, or empty.
    pub(super) source: Safe,
    /// The text and structure of a page, which `html` shows in a frame.
    pub(super) outline: Safe,
    /// What was left out and why, or empty.
    pub(super) remark: String,
    /// Whether the stored file is a document that the browser shows by itself: a PDF.
    pub(super) is_document: bool,
    /// Whether it has a frame for a file of the report.
    pub(super) has_frame: bool,
    /// Whether the unchanged text is all that there is to see.
    pub(super) opens_source: bool,
    /// Whether it is a picture, of which nothing is text.
    #[serde(skip)]
    pub(super) is_picture: bool,
    /// Whether it is text in blocks, of which two versions can be shown side by side with each other.
    #[serde(skip)]
    pub(super) has_blocks: bool,
    /// Where the quotations of graders are marked, by their text.
    #[serde(skip)]
    pub(super) marks: BTreeMap<String, QuotationMark>,
}

/// Where outputs are read and stored, and the page that shows them.
pub(super) struct PreviewContext<'p> {
    pub(super) source: &'p dyn Source,
    /// The workspace's folder below the source's root.
    pub(super) prefix: &'p str,
    pub(super) sink: &'p dyn Sink,
    /// The path from the page to the report's root, ending in `/` or empty.
    pub(super) root: &'p str,
    pub(super) language: &'p Language,
    /// How much of them the page shows.
    pub(super) budget: PreviewRoom,
    /// What is marked in them.
    pub(super) quotations: Quotations<'p>,
}

/// A file's role in the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileRole {
    Output,
    /// The record of its steps, shown as a conversation if it is one.
    Transcript,
}

/// Stores `output` and returns its preview.
pub(super) fn store_and_show(
    output: &Output,
    role: FileRole,
    place: &PreviewContext<'_>,
) -> Preview {
    let (path, language) = (names::join(place.prefix, &output.path), place.language);
    let content = if output.bytes > STORED_FILE {
        Err(language.text("preview.too_large").to_owned())
    } else {
        let opened = FileContent::open(place.source, &path, output.bytes);
        opened.map_err(|error| refused(language, &error))
    };
    show(output, role, content, place)
}

/// The same for an output whose `content` has been read.
pub(super) fn show_content(output: &Output, content: &[u8], place: &PreviewContext<'_>) -> Preview {
    let (head, rest) = content.split_at(content.len().min(MAX_TEXT_BYTES));
    let content =
        FileContent { head: head.to_vec(), bytes: content.len() as u64, rest: Box::new(rest) };
    show(output, FileRole::Output, Ok(content), place)
}

/// The preview with quotations marked, counted against the budget of the page.
fn show(
    output: &Output,
    role: FileRole,
    content: Result<FileContent<'_>, String>,
    place: &PreviewContext<'_>,
) -> Preview {
    let quotations = place.quotations.in_output(&output.name);
    let prefix = place.quotations.next_prefix();
    let mut preview = match content {
        Ok(content) => inspect(output, role, content, &quotations, &prefix, place),
        Err(remark) => Preview {
            name: printable(&output.name),
            size: bytes(output.bytes),
            remark,
            ..Preview::default()
        },
    };
    let marks = preview.html.mark(&quotations, &prefix, MARK);
    let outlined = preview.outline.mark(&quotations, &format!("{prefix}text-"), MARK);
    preview.source.mark(&quotations, &format!("{prefix}source-"), MARK);
    let marks = marks.into_iter().zip(outlined).map(|(mark, outlined)| mark.or(outlined));
    for (quotation, mark) in quotations.iter().zip(marks) {
        // In the copy of a page it is where a reader expects it.
        if let Some(first) = mark
            && !preview.marks.contains_key(*quotation)
        {
            let mark = QuotationMark::new(&first, "", "");
            preview.marks.insert((*quotation).to_owned(), mark);
        }
    }
    place.budget.take(&preview);
    preview
}

/// As much of a Markdown text as fits in `max_bytes`, shown like outputs; and whether all of it did.
pub(super) fn prose(text: &str, language: &Language, max_bytes: usize) -> (Safe, bool) {
    let mut out = Markup::within(language, max_bytes);
    let is_whole = markdown::write(text, usize::MAX, &mut out) && !out.is_cut();
    (out.finish(), is_whole)
}

/// The attributes of a mark on our pages.
const MARK: &str = " class=\"quotation\"";

impl Preview {
    /// The markup whose blocks are aligned with those of another version.
    pub(super) fn in_blocks(&self) -> Option<&Safe> {
        let shown = if self.outline.as_str().is_empty() { &self.html } else { &self.outline };
        Some(shown).filter(|shown| self.has_blocks && !shown.as_str().is_empty())
    }
}

impl PreviewContext<'_> {
    /// Stores `content` of the file at `path`; returns its address relative to the page.
    fn put(&self, path: &str, content: &[u8], extension: &str) -> Result<String, String> {
        let address = address(&hash(content), extension);
        // Review pages show again what the page of its run has stored.
        if self.sink.stored(&address).is_none() {
            let put = self.sink.put(&address, content).map(|()| address);
            return self.stored(path, put);
        }
        self.stored(path, Ok(address))
    }

    /// Records the address of a stored file; returns it relative to the page.
    fn stored(&self, path: &str, address: io::Result<String>) -> Result<String, String> {
        let not_stored = |error| failed(self.language, "preview.not_stored", &error);
        let address = address.map_err(not_stored)?;
        self.sink.note(path, &address);
        Ok(format!("{}{address}", self.root))
    }
}

/// The path of a stored file in the report: all of them are in one folder.
fn address(hash: &str, extension: &str) -> String {
    format!("files/{hash}.{extension}")
}

fn failed(language: &Language, key: &str, error: &io::Error) -> String {
    language.fill(key, &[("reason", &input::files::reason(error))])
}

/// Why a file is not shown: it is not published, or it cannot be read.
fn refused(language: &Language, error: &io::Error) -> String {
    match Withheld::new(error) {
        Some(Withheld::Asked) => language.text("preview.withheld").to_owned(),
        Some(Withheld::Unsafe) => language.text("preview.withheld_unsafe").to_owned(),
        None => failed(language, "preview.unread", error),
    }
}

/// The beginning of the BLAKE3 hash of `content`.
fn hash(content: &[u8]) -> String {
    short(blake3::hash(content).to_hex().as_str()).to_owned()
}

/// The part of a hash that names a file.
fn short(hash: &str) -> &str {
    &hash[..20]
}

/// A file to be stored: its beginning, and where to read the rest.
struct FileContent<'c> {
    head: Vec<u8>,
    rest: Box<dyn Read + 'c>,
    bytes: u64,
}

impl<'c> FileContent<'c> {
    /// Opens a file of this size and reads its beginning.
    fn open(source: &'c dyn Source, path: &str, bytes: u64) -> io::Result<Self> {
        let mut rest = source.open(path)?;
        let limit = MAX_TEXT_BYTES as u64;
        let mut head = Vec::with_capacity(bytes.min(limit) as usize + 1);
        rest.by_ref().take(limit).read_to_end(&mut head)?;
        // An agent may still write to a file after it was listed.
        let bytes = bytes.max(head.len() as u64);
        Ok(Self { head, rest: Box::new(rest.take(STORED_FILE)), bytes })
    }
}

/// Stores `content` and shows it within the budget for the next output. `prefix` is unique on the page.
fn inspect(
    output: &Output,
    role: FileRole,
    content: FileContent<'_>,
    quotations: &[&str],
    prefix: &str,
    place: &PreviewContext<'_>,
) -> Preview {
    let (name, language) = (&output.name, place.language);
    let path = &names::join(place.prefix, &output.path);
    let FileContent { head, mut rest, bytes: size } = content;
    let is_whole = head.len() < MAX_TEXT_BYTES;
    let file = File::new(name, &head);
    let extension = stored_extension(name, &head, file.text.is_some());
    let preview = Preview {
        name: printable(name),
        size: bytes(size),
        kind: kind_word(file.kind, language).to_owned(),
        ..Preview::default()
    };
    let stored = if is_whole {
        place.put(path, &head, extension)
    } else {
        // It is not entirely in memory.
        let address = |hash: &str| address(short(hash), extension);
        place.stored(path, place.sink.store(&mut head.as_slice().chain(&mut rest), &address))
    };
    let href = match stored {
        Ok(href) => href,
        Err(remark) => return Preview { remark, ..preview },
    };
    let stored_file = StoredFile {
        name,
        file: &file,
        is_whole,
        bytes: size,
        href: &href,
        place,
        path,
        is_transcript: role == FileRole::Transcript || is_named_transcript(name),
        max_bytes: place.budget.for_next(),
        quotations,
        prefix,
    };
    // A file that exceeds an unforeseen limit costs its preview, not the report.
    let shown = catch_unwind(AssertUnwindSafe(|| stored_file.show()));
    let shown = shown.unwrap_or_else(|_| Err(language.text("preview.failed").to_owned()));
    let shown = shown.unwrap_or_else(|reason| stored_file.fall_back(reason));
    let encoding = file.text.as_ref().map_or("", |text| encoding_remark(text, language));
    let cut = if is_whole { "" } else { language.text("preview.beginning_looked_at") };
    let hash = href.rsplit('/').next().and_then(|name| name.split('.').next());
    Preview {
        hash: hash.unwrap_or_default().to_owned(),
        remark: remarks([shown.remark.as_str(), encoding, cut], language),
        is_document: matches!(file.kind, FileKind::Pdf) && extension == "pdf",
        has_frame: shown.has_frame,
        opens_source: shown.opens_source,
        marks: shown.marks,
        is_picture: matches!(file.kind, FileKind::Picture | FileKind::Drawing),
        has_blocks: has_blocks(&file),
        html: shown.html,
        outline: shown.outline,
        source: shown.source,
        href,
        ..preview
    }
}

/// Whether a reader sees blocks of text, whose words can be compared. Code and data are compared by line.
fn has_blocks(file: &File<'_>) -> bool {
    match file.kind {
        FileKind::Markdown
        | FileKind::Delimited(_)
        | FileKind::Workbook
        | FileKind::Document
        | FileKind::Slides
        | FileKind::Page => true,
        FileKind::Other => file.own_text().is_some_and(compared::is_prose),
        _ => false,
    }
}

/// What a reader should know about the encoding of a text, or empty.
fn encoding_remark<'l>(text: &Text<'_>, language: &'l Language) -> &'l str {
    match text.encoding {
        Encoding::Utf16(_) => language.text("preview.utf_16"),
        Encoding::Utf8 if text.is_repaired => language.text("preview.not_utf_8"),
        Encoding::Utf8 => "",
    }
}
