//! An output prepared for comparison: its form, its text, and where it is stored.
//!
//! Nothing is stored here: the page of its run does that, under the same address.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::files::Source;
use crate::preview::kind::{self, FileKind};
use crate::preview::markup::Markup;
use crate::preview::{
    address, drawing, hash, notebook, office, pdf, picture, plain, text, text_bytes,
};

/// Average characters per line from which on plain text counts as prose.
const PROSE_LINE: usize = 40;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Prose,
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
    /// Its text; for office files, PDF and notebooks the one in their preview.
    pub(crate) text: Option<Cow<'c, str>>,
    pub(crate) picture: Option<Picture>,
    pub(crate) stored: StoredName,
}

/// `content` of the file `name`, prepared for comparison. Text that appears only when its format is
/// decoded is cleaned by `source`.
pub(crate) fn comparable<'c>(name: &str, content: &'c [u8], source: &dyn Source) -> Comparable<'c> {
    let decoded = text::decode(text_bytes(content)).map(|text| text.content);
    let extension = kind::stored_extension(name, content, decoded.is_some());
    let stored = StoredName { hash: hash(content), extension };
    let kind = FileKind::new(name, content);
    // A file that exceeds an unforeseen limit is compared by its bytes.
    let shown = catch_unwind(AssertUnwindSafe(|| {
        let text = decoded.as_deref();
        let picture = match kind {
            FileKind::Picture => {
                let size = picture::size(content);
                Some(Picture { stored: stored.clone(), cleaned: None, size })
            }
            FileKind::Drawing => text.and_then(|text| drawing::clean(text, source)).map(|drawn| {
                let stored = StoredName { hash: hash(&drawn.svg), extension: "svg" };
                Picture { stored, cleaned: Some(drawn.svg), size: drawn.size }
            }),
            _ => None,
        };
        (picture, shown_text(kind, content, text))
    }));
    let (picture, shown) = shown.unwrap_or_default();
    let form = match kind {
        FileKind::Picture => Form::Picture,
        FileKind::Drawing if picture.is_some() => Form::Picture,
        FileKind::Document | FileKind::Slides | FileKind::Pdf if shown.is_some() => Form::Prose,
        FileKind::Workbook | FileKind::Notebook if shown.is_some() => Form::Lines,
        _ if matches!(kind, FileKind::Pdf) || decoded.is_none() => Form::Bytes,
        FileKind::Markdown => Form::Prose,
        FileKind::Json => Form::Json,
        FileKind::Delimited(separator) => Form::Table(separator),
        FileKind::Other if decoded.as_deref().is_some_and(is_prose) => Form::Prose,
        _ => Form::Lines,
    };
    // Text that differs from the bytes of its file was not scanned yet.
    let clean = |text: String| Cow::Owned(source.clean(&text).unwrap_or(text));
    let text = match shown.map(Cow::Owned).or(decoded) {
        Some(Cow::Owned(text)) => Some(clean(text)),
        text => text,
    };
    Comparable { form, text, picture, stored }
}

/// Whether the lines of a text are long enough on average to be sentences.
fn is_prose(text: &str) -> bool {
    let (mut lines, mut bytes) = (0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        (lines, bytes) = (lines + 1, bytes + line.len());
    }
    lines > 0 && bytes / lines >= PROSE_LINE
}

/// The text in an office file or a PDF; `None` if unknown.
pub(crate) fn extracted_text(name: &str, content: &[u8]) -> Option<String> {
    let kind = FileKind::new(name, content);
    catch_unwind(AssertUnwindSafe(|| shown_text(kind, content, None))).ok()?
}

/// The text in the preview of an office file, a PDF or a notebook.
fn shown_text(kind: FileKind, content: &[u8], text: Option<&str>) -> Option<String> {
    let mut out = Markup::default();
    let is_shown = match kind {
        FileKind::Workbook => office::workbook(content, &mut out).is_some(),
        FileKind::Document => office::document(content, &mut out).is_some(),
        FileKind::Slides => office::slides(content, &mut out).is_some(),
        FileKind::Notebook => notebook::write(text?, &|_, _| Some(String::new()), &mut out).is_ok(),
        FileKind::Pdf => return pdf::text(content),
        _ => false,
    };
    is_shown.then(|| plain::text(&out.finish()))
}

#[cfg(test)]
mod tests {
    use super::{Form, comparable};
    use crate::files::Memory;

    #[test]
    fn forms_follow_the_kind_and_the_text() {
        let sentence = "A sentence that is long enough to be one of a letter.\n";
        let table: [(&str, &[u8], Form); 9] = [
            ("a.pdf", b"%PDF-1.7\n1 0 obj", Form::Bytes),
            ("a.md", b"x", Form::Prose),
            ("a.txt", sentence.as_bytes(), Form::Prose),
            ("a.txt", b"1\n2\n", Form::Lines),
            ("a.json", b"{}", Form::Json),
            ("a.csv", b"a,b", Form::Table(b',')),
            ("a.py", b"x = 1", Form::Lines),
            ("a.png", b"\x89PNG\r\n\x1a\n", Form::Picture),
            ("a.docx", b"PK\x03\x04\0\0", Form::Bytes),
        ];
        for (name, content, form) in table {
            assert_eq!(comparable(name, content, &Memory::default()).form, form, "{name}");
        }
    }

    #[test]
    fn a_file_is_found_where_its_run_stored_it() {
        let found = comparable("page.html", b"<p>x</p>", &Memory::default()).stored;
        assert_eq!((found.extension, found.hash.len()), ("txt", 20));
    }
}
