//! What a file is, and what is in it: the room where all stages ask.
//!
//! Entry points: [`File`], a file with its name and bytes, and [`words`], what a reader would find in
//! it. One file of this folder for each format. Nothing here knows a page or a folder: bytes come in,
//! and [`Content`] comes out. Every reader is bounded ([`limits`]) and takes hostile files.

mod archive;
pub mod blocks;
pub mod encoded;
pub mod encoding;
pub mod kind;
pub mod limits;
pub mod markdown;
pub mod notebook;
mod office;
pub mod packed;
mod pdf;
pub mod picture;
pub mod syntax;
pub mod table;
pub mod transcript;
pub mod visible_text;
pub mod xml;

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::blocks::{Block, Slide};
pub use crate::encoding::{Encoding, Text, decode, encoding};
pub use crate::kind::FileKind;
use crate::notebook::Notebook;
pub use crate::office::Sheet;
use crate::transcript::{Documents, Turn};

/// A file by its bytes, which may be only the beginning of a large one.
#[derive(Clone, Debug)]
pub struct File<'b> {
    /// All its bytes, or the first ones.
    pub bytes: &'b [u8],
    /// By its name and first bytes; [`Self::content`] decides whether that is true.
    pub kind: FileKind,
    /// Its characters, if it is text.
    pub text: Option<Text<'b>>,
}

/// What is in a file. A file that cannot be read as its kind is text or bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content<'f> {
    /// Text without further structure, such as prose, source code or JSON; also that of a PDF.
    Text(Cow<'f, str>),
    /// A document.
    Blocks(Vec<Block>),
    /// Slides in order; `None` for one that cannot be read.
    Slides(Vec<Option<Slide>>),
    /// The sheets of a workbook, or one table without a name.
    Tables(Vec<Sheet>),
    /// The cells of a notebook, with their saved outputs.
    Notebook(Notebook),
    /// The turns of a conversation.
    Turns(Vec<Turn>),
    /// Width and height in pixels, if known.
    Picture(Option<(usize, usize)>),
    /// HTML.
    Page(&'f str),
    /// No text, and nothing that could be read as a file of its kind.
    Bytes,
}

/// The words in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words<'b> {
    /// The words in lines, in the order of the file.
    pub text: Cow<'b, str>,
    /// Whether they are the text of the file itself, line by line. The words extracted from an office
    /// file or a PDF can be incomplete, rounded, and broken into other lines.
    pub is_exact: bool,
}

impl<'b> File<'b> {
    /// The file called `name`, of which `bytes` is all or the beginning.
    pub fn new(name: &str, bytes: &'b [u8]) -> Self {
        Self { bytes, kind: FileKind::new(name, bytes), text: decode(bytes) }
    }

    /// Its content by its kind.
    pub fn content(&self) -> Content<'_> {
        // A file that exceeds an unforeseen limit costs its structure, not the report.
        let structured = catch_unwind(AssertUnwindSafe(|| self.structured()));
        match (structured, self.own_text()) {
            (Ok(Some(content)), _) => content,
            (_, Some(text)) => Content::Text(text.into()),
            (_, None) => Content::Bytes,
        }
    }

    /// Its structure; `None` if it has none, or is damaged or misnamed.
    fn structured(&self) -> Option<Content<'_>> {
        match self.kind {
            FileKind::Picture => Some(Content::Picture(picture::size(self.bytes))),
            FileKind::Document => office::document(self.bytes).map(Content::Blocks),
            FileKind::Slides => office::slides(self.bytes).map(Content::Slides),
            FileKind::Workbook => office::workbook(self.bytes).map(Content::Tables),
            FileKind::Pdf => Some(Content::Text(pdf::text(self.bytes)?.into())),
            FileKind::Notebook => notebook::read(self.own_text()?).map(Content::Notebook),
            FileKind::Page => Some(Content::Page(self.own_text()?)),
            FileKind::Delimited(separator) => {
                let table = Some(table::delimited(self.own_text()?, separator));
                Some(Content::Tables(vec![Sheet { table, ..Sheet::default() }]))
            }
            // Only logs of harnesses have one message a line.
            FileKind::JsonLines => self.turns().map(Content::Turns),
            FileKind::Markdown
            | FileKind::Json
            | FileKind::Code(_)
            | FileKind::Drawing
            | FileKind::Other => None,
        }
    }

    /// Its turns if it is a conversation. A transcript in Markdown is text with headings.
    pub fn turns(&self) -> Option<Vec<Turn>> {
        let text = self.own_text()?;
        match self.kind {
            FileKind::Json | FileKind::JsonLines => {
                let transcript = Documents::parse(text)?.transcript();
                if transcript.is_conversation { Some(transcript.turns) } else { None }
            }
            FileKind::Other => transcript::read_speakers(text),
            _ => None,
        }
    }

    /// The characters of a text file.
    pub fn own_text(&self) -> Option<&str> {
        self.text.as_ref().map(|text| text.content.as_ref())
    }
}

impl Content<'_> {
    /// The words that a reader would see, in lines; empty for pictures and other bytes.
    pub fn text(&self) -> Cow<'_, str> {
        let mut text = String::new();
        match self {
            Self::Text(own) => return Cow::Borrowed(own),
            Self::Page(html) => return Cow::Borrowed(html),
            Self::Blocks(blocks) => blocks::write_text(blocks, &mut text),
            Self::Slides(slides) => {
                for slide in slides.iter().flatten() {
                    blocks::write_text(&slide.blocks, &mut text);
                    slide.notes.iter().for_each(|note| blocks::write_lines(note, &mut text));
                }
            }
            Self::Tables(sheets) => {
                for sheet in sheets {
                    blocks::write_lines(&sheet.name, &mut text);
                    if let Some(table) = &sheet.table {
                        table.write_text(&mut text);
                    }
                }
            }
            Self::Notebook(notebook) => notebook.write_text(&mut text),
            Self::Turns(turns) => transcript::write_text(turns, &mut text),
            Self::Picture(_) | Self::Bytes => {}
        }
        Cow::Owned(text)
    }
}

/// The words in the file called `name`; `None` if it has none or they cannot be read.
pub fn words<'b>(name: &str, bytes: &'b [u8]) -> Option<Words<'b>> {
    if let Some(text) = decode(bytes) {
        return Some(Words { text: text.content, is_exact: true });
    }
    let file = File::new(name, bytes);
    let text = file.content().text().into_owned();
    if text.is_empty() { None } else { Some(Words { text: text.into(), is_exact: false }) }
}

#[cfg(test)]
mod tests {
    use super::{Content, File, words};
    use testing::archive::zip;

    #[test]
    fn words_are_exact_in_text_files_only() {
        let document = b"<d><body><p><r><t>one</t></r></p></body></d>";
        let docx = zip(&[("word/document.xml", document)]);
        type Case<'a> = (&'a str, &'a [u8], Option<(&'a str, bool)>);
        let table: [Case<'_>; 4] = [
            ("a.txt", b"\xff\xfeo\0n\0e\0", Some(("one", true))),
            ("a.docx", &docx, Some(("one\n", false))),
            ("a.docx", b"PK\x03\x04", None),
            ("a.png", b"\x89PNG\r\n\x1a\n\0", None),
        ];
        for (name, bytes, expected) in table {
            let found = words(name, bytes);
            let found = found.as_ref().map(|words| (words.text.as_ref(), words.is_exact));
            assert_eq!(found, expected, "{name}");
        }
    }

    #[test]
    fn a_misnamed_file_is_text_or_bytes() {
        assert_eq!(File::new("a.xlsx", b"plain").content(), Content::Text("plain".into()));
        assert_eq!(File::new("a.ipynb", b"{}").content(), Content::Text("{}".into()));
        assert_eq!(File::new("a.docx", b"PK\x03\x04").content(), Content::Bytes);
    }
}
