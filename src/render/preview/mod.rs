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
mod conversation;
mod drawing;
mod json;
mod kind;
mod language;
mod markdown;
mod markup;
mod notebook;
mod office;
mod page;
mod picture;
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
use crate::render::preview::markup::{Markup, Safe};
use crate::render::preview::text::remarks;
use crate::text::{bytes, printable};
use crate::write::Sink;

/// Files beyond this many bytes are named, not stored.
const MAX_STORED_BYTES: u64 = 256 * 1024 * 1024;

/// Bytes of a file that are looked at as text.
const MAX_TEXT_BYTES: usize = 16 * 1024 * 1024;

/// Bytes of JSON and of transcripts that are read to be shown by their structure.
const MAX_TREE_BYTES: usize = 2 * 1024 * 1024;

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
    /// Relative address of the style sheet for previews, on the first preview of a page.
    pub(super) style: String,
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

/// A stored file that is about to be shown.
struct File<'f> {
    name: &'f str,
    content: &'f [u8],
    /// Its text, where it is one.
    text: Option<&'f str>,
    href: &'f str,
    store: &'f Store<'f>,
    is_transcript: bool,
}

/// What a kind shows.
#[derive(Debug, Default)]
struct Shown {
    html: Safe,
    source: Safe,
    remark: String,
}

impl File<'_> {
    /// The file by its kind.
    ///
    /// # Errors
    /// Why it cannot be shown so.
    fn show(&self, kind: Kind) -> Result<Shown, String> {
        if self.is_transcript
            && let Some(shown) = self.conversation(kind)
        {
            return Ok(shown);
        }
        match kind {
            Kind::Markdown => {
                self.written(|text, out| Ok(markdown::write(text, markdown::Style::default(), out)))
            }
            Kind::Json => self.tree(json::document),
            Kind::JsonLines => match self.conversation(kind) {
                Some(shown) => Ok(shown),
                None => self.tree(json::lines),
            },
            Kind::Delimited(separator) => self.table(separator),
            Kind::Code(language) => self.code(language),
            Kind::Picture => Ok(self.picture()),
            Kind::Drawing => self.drawing(),
            Kind::Notebook => self.notebook(),
            Kind::Workbook => self.office(office::workbook),
            Kind::Document => {
                self.office(|content, out| office::document(content, out).map(str::to_owned))
            }
            Kind::Slides => self.office(office::slides),
            Kind::Page => self.page(),
            Kind::Pdf => Ok(Shown::default()),
            Kind::Other => Ok(self.fall_back(String::new())),
        }
    }

    /// The file as it stands where it is text, else nothing; `reason` says why not otherwise.
    fn fall_back(&self, reason: String) -> Shown {
        let Some(text) = self.text else { return Shown { remark: reason, ..Shown::default() } };
        let (part, cut) = text::shown(text);
        let html = if part.is_empty() { Safe::default() } else { text::pre(part) };
        Shown { html, remark: remarks([reason.as_str(), &cut]), ..Shown::default() }
    }

    fn text(&self) -> Result<&str, String> {
        self.text.ok_or("not a text".to_owned())
    }

    /// Shows the text by `write`, which says whether all of it found room, with its source.
    fn written(
        &self,
        write: impl FnOnce(&str, &mut Markup) -> Result<bool, String>,
    ) -> Result<Shown, String> {
        let (part, cut) = text::shown(self.text()?);
        let mut out = Markup::default();
        let is_whole = write(part, &mut out)?;
        let rest = if is_whole || !cut.is_empty() { "" } else { "only the beginning" };
        let source = text::pre(part);
        Ok(Shown { html: out.finish(), source, remark: remarks([cut.as_str(), rest]) })
    }

    fn tree(&self, write: fn(&str, &mut Markup) -> Result<bool, String>) -> Result<Shown, String> {
        let text = self.text()?;
        if text.len() > MAX_TREE_BYTES {
            return Err("too large for a tree".to_owned());
        }
        let mut out = Markup::default();
        let is_whole = write(text, &mut out)?;
        let rest = if is_whole { "" } else { "the tree shows the beginning" };
        let (part, cut) = text::shown(text);
        let cut = if cut.is_empty() { cut } else { format!("the text {cut}") };
        Ok(Shown { html: out.finish(), source: text::pre(part), remark: remarks([rest, &cut]) })
    }

    fn conversation(&self, kind: Kind) -> Option<Shown> {
        let text = text::head(self.text?, MAX_TREE_BYTES);
        let mut out = Markup::default();
        let turns = match kind {
            Kind::Json => Some(turns::of_json(text)?),
            Kind::JsonLines => Some(turns::of_lines(text)?),
            Kind::Other => Some(turns::of_text(text)?),
            Kind::Markdown => None,
            _ => return None,
        };
        let is_whole = match turns {
            Some(turns) => conversation::write(&turns, &mut out),
            None => conversation::write_markdown(text::shown(text).0, &mut out),
        };
        let (part, cut) = text::shown(text);
        let rest = if is_whole { cut } else { "shown in part".to_owned() };
        Some(Shown { html: out.finish(), source: text::pre(part), remark: rest })
    }

    fn table(&self, separator: u8) -> Result<Shown, String> {
        let text = self.text()?;
        let table = table::delimited(text, separator);
        if table.rows.is_empty() {
            return Ok(Shown { remark: "empty".to_owned(), ..Shown::default() });
        }
        let mut out = Markup::default();
        table.write(true, &mut out);
        let source = text::pre(text::shown(text).0);
        Ok(Shown { html: out.finish(), source, remark: table.remark() })
    }

    fn code(&self, language: &'static language::Language) -> Result<Shown, String> {
        let (part, remark) = text::shown(self.text()?);
        let mut out = Markup::default();
        out.raw("<pre class=\"code\">\n");
        code::highlight(part, language, &mut out);
        out.raw("</pre>");
        Ok(Shown { html: out.finish(), remark, ..Shown::default() })
    }

    fn picture(&self) -> Shown {
        let size = picture::size(self.content);
        let mut out = Markup::default();
        picture::write(self.href, self.name, size, &mut out);
        let remark = size.map_or(String::new(), |(width, height)| format!("{width} × {height}"));
        Shown { html: out.finish(), remark, ..Shown::default() }
    }

    /// A safe copy as a picture, and the source.
    fn drawing(&self) -> Result<Shown, String> {
        let text = self.text()?;
        let drawing = drawing::clean(text).ok_or("no drawing that can be shown safely")?;
        let href = self.store.put(&drawing.svg, "svg")?;
        let mut out = Markup::default();
        picture::write(&href, self.name, drawing.size, &mut out);
        let remark = if drawing.is_cut { "shown without what could run, load or link" } else { "" };
        let source = text::pre(text::shown(text).0);
        Ok(Shown { html: out.finish(), source, remark: remark.to_owned() })
    }

    fn notebook(&self) -> Result<Shown, String> {
        let mut out = Markup::default();
        let is_whole = notebook::write(self.text()?, self.store, &mut out)?;
        let remark = if is_whole { "" } else { "only the beginning" };
        Ok(Shown { html: out.finish(), remark: remark.to_owned(), ..Shown::default() })
    }

    fn office(
        &self,
        write: impl FnOnce(&[u8], &mut Markup) -> Option<String>,
    ) -> Result<Shown, String> {
        let mut out = Markup::default();
        let remark = write(self.content, &mut out).ok_or("cannot be read as what its name says")?;
        Ok(Shown { html: out.finish(), remark, ..Shown::default() })
    }

    fn page(&self) -> Result<Shown, String> {
        let shown = self.written(|text, out| Ok(page::write(text, out)))?;
        let remark =
            remarks(["text and structure without styles, scripts and pictures", &shown.remark]);
        Ok(Shown { remark, ..shown })
    }
}
