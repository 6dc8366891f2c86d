//! An output prepared for comparison: its form, its text, and where it is stored.
//!
//! Nothing is stored here: the page of its run does that, under the same address.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::preview::{address, drawing, hash};
use formats::kind::stored_extension;
use formats::{Content, File, FileKind, picture};

/// Average characters per line from which on plain text counts as prose.
const PROSE_LINE: usize = 40;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Prose,
    /// Prose that is shown as it is read.
    Markdown,
    Lines,
    Json,
    /// By cell; the separator.
    Table(u8),
    Picture,
    Bytes,
}

/// A picture as the report stores it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) stored: StoredName,
    /// The safe copy that is stored instead of the file; `None` for the file itself.
    pub(crate) cleaned: Option<Vec<u8>>,
    pub(crate) size: Option<(usize, usize)>,
}

/// The name of a stored file: the hash of its content and a harmless extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredName {
    /// The beginning of the BLAKE3 hash.
    pub(crate) hash: String,
    pub(crate) extension: &'static str,
}

impl StoredName {
    pub(crate) fn address(&self) -> String {
        address(&self.hash, self.extension)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Comparable<'c> {
    pub(crate) form: Form,
    /// Its text; for office files, PDF and notebooks the words in them.
    pub(crate) text: Option<Cow<'c, str>>,
    pub(crate) picture: Option<Picture>,
    pub(crate) stored: StoredName,
}

/// `content` of the file `name`, prepared for comparison.
pub(crate) fn comparable<'c>(name: &str, content: &'c [u8]) -> Comparable<'c> {
    let file = File::new(name, content);
    let extension = stored_extension(name, content, file.text.is_some());
    let stored = StoredName { hash: hash(content), extension };
    let picture = match file.kind {
        FileKind::Picture => {
            let size = picture::size(content);
            Some(Picture { stored: stored.clone(), cleaned: None, size })
        }
        FileKind::Drawing => file.own_text().and_then(safe_drawing),
        _ => None,
    };
    let words = words(&file);
    let form = if picture.is_some() { Form::Picture } else { form(&file, words.is_some()) };
    // Of an office file a reviewer asks what reads differently, not which bytes of the archive do.
    let text = words.map(Cow::Owned).or(file.text.map(|text| text.content));
    Comparable { form, text, picture, stored }
}

/// The copy of a drawing that is stored instead of it. A drawing that is too large is compared as text.
fn safe_drawing(text: &str) -> Option<Picture> {
    let drawn = catch_unwind(AssertUnwindSafe(|| drawing::clean(text))).ok()??;
    let stored = StoredName { hash: hash(&drawn.svg), extension: "svg" };
    Some(Picture { stored, cleaned: Some(drawn.svg), size: drawn.size })
}

/// What a reader sees of a file that is not compared by its own text.
fn words(file: &File<'_>) -> Option<String> {
    match file.kind {
        FileKind::Document
        | FileKind::Slides
        | FileKind::Pdf
        | FileKind::Workbook
        | FileKind::Notebook => match file.content() {
            Content::Bytes => None,
            content => Some(content.text().into_owned()),
        },
        _ => None,
    }
}

fn form(file: &File<'_>, has_words: bool) -> Form {
    match file.kind {
        FileKind::Document | FileKind::Slides | FileKind::Pdf if has_words => Form::Prose,
        FileKind::Workbook if has_words => Form::Lines,
        _ => match file.own_text() {
            None => Form::Bytes,
            Some(text) => form_of_text(file.kind, text),
        },
    }
}

fn form_of_text(kind: FileKind, text: &str) -> Form {
    match kind {
        FileKind::Markdown => Form::Markdown,
        FileKind::Json => Form::Json,
        FileKind::Delimited(separator) => Form::Table(separator),
        // Agents save letters as `.txt`, and logs and lists as well.
        FileKind::Other if is_prose(text) => Form::Prose,
        _ => Form::Lines,
    }
}

/// Whether the lines of a text are long enough on average to be sentences.
pub(super) fn is_prose(text: &str) -> bool {
    let (mut lines, mut bytes) = (0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        lines += 1;
        bytes += line.len();
    }
    lines > 0 && bytes / lines >= PROSE_LINE
}

#[cfg(test)]
mod tests {
    use super::{Form, comparable};

    #[test]
    fn forms_follow_the_kind_and_the_text() {
        let sentence = "A sentence that is long enough to be one of a letter.\n";
        let table: [(&str, &[u8], Form); 9] = [
            ("a.pdf", b"%PDF-1.7\n1 0 obj", Form::Bytes),
            ("a.md", b"x", Form::Markdown),
            ("a.txt", sentence.as_bytes(), Form::Prose),
            ("a.txt", b"1\n2\n", Form::Lines),
            ("a.json", b"{}", Form::Json),
            ("a.csv", b"a,b", Form::Table(b',')),
            ("a.py", b"x = 1", Form::Lines),
            ("a.png", b"\x89PNG\r\n\x1a\n", Form::Picture),
            ("a.docx", b"PK\x03\x04\0\0", Form::Bytes),
        ];
        for (name, content, form) in table {
            assert_eq!(comparable(name, content).form, form, "{name}");
        }
    }

    #[test]
    fn a_file_is_found_where_its_run_stored_it() {
        let found = comparable("page.html", b"<p>x</p>").stored;
        assert_eq!((found.extension, found.hash.len()), ("txt", 20));
    }
}
