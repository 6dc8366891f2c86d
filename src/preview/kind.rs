//! The kind of an output file: by its extension first, then by its first bytes.

use crate::discover::names;
use crate::language::Language as Words;
use crate::preview::syntax::{self, CodeLanguage};

#[derive(Clone, Copy, Debug)]
pub(super) enum FileKind {
    Markdown,
    Json,
    JsonLines,
    /// Separated values, with their separator.
    Delimited(u8),
    Code(&'static CodeLanguage),
    Picture,
    Drawing,
    Notebook,
    Workbook,
    Document,
    Slides,
    Page,
    Pdf,
    /// Text if it is text, else name and size.
    Other,
}

/// Pictures that browsers show without running anything, with their signature and its offset.
const PICTURES: &[(&str, usize, &[u8])] = &[
    ("png", 0, b"\x89PNG\r\n\x1a\n"),
    ("jpg", 0, b"\xff\xd8\xff"),
    ("gif", 0, b"GIF8"),
    ("webp", 8, b"WEBP"),
];

/// Extensions of stored files, besides those of pictures, that no browser runs.
const HARMLESS: &[&str] = &["txt", "pdf", "zip", "xlsx", "docx", "pptx", "csv", "tsv", "json"];

impl FileKind {
    pub(super) fn new(name: &str, content: &[u8]) -> Self {
        if picture(content).is_some() {
            return Self::Picture;
        }
        let extension = names::split_extension(name).1;
        match extension.as_str() {
            "md" | "markdown" | "mdx" | "qmd" => Self::Markdown,
            "json" | "geojson" => Self::Json,
            "jsonl" | "ndjson" => Self::JsonLines,
            "csv" => Self::Delimited(b','),
            "tsv" | "tab" => Self::Delimited(b'\t'),
            "svg" => Self::Drawing,
            "ipynb" => Self::Notebook,
            "xlsx" | "xlsm" => Self::Workbook,
            "docx" | "docm" => Self::Document,
            "pptx" | "pptm" => Self::Slides,
            "html" | "htm" | "xhtml" => Self::Page,
            _ if content.starts_with(b"%PDF-") => Self::Pdf,
            _ => syntax::for_file(&extension, name).map_or(Self::Other, Self::Code),
        }
    }

    /// The word for it next to a file's name, or empty.
    pub(super) fn word(self, words: &Words) -> &str {
        match self {
            Self::Markdown => "Markdown",
            Self::Json => "JSON",
            Self::JsonLines => words.text("kind.json_lines"),
            Self::Delimited(_) => words.text("kind.table"),
            Self::Code(language) => language.name,
            Self::Picture => words.text("kind.picture"),
            Self::Drawing => "SVG",
            Self::Notebook => words.text("kind.notebook"),
            Self::Workbook => words.text("kind.workbook"),
            Self::Document => words.text("kind.document"),
            Self::Slides => words.text("kind.slides"),
            Self::Page => "HTML",
            Self::Pdf => "PDF",
            Self::Other => "",
        }
    }
}

pub(super) fn picture(content: &[u8]) -> Option<&'static str> {
    let begins = |(_, at, magic): &&(&str, usize, &[u8])| {
        content.get(*at..).is_some_and(|rest| rest.starts_with(magic))
    };
    PICTURES.iter().find(begins).map(|(extension, ..)| *extension)
}

/// The extension for storing a file: one that no browser runs.
pub(super) fn stored_extension(name: &str, content: &[u8], is_text: bool) -> &'static str {
    let extension = names::split_extension(name).1;
    let harmless = || HARMLESS.iter().find(|harmless| **harmless == extension).copied();
    picture(content).or_else(harmless).unwrap_or(if is_text { "txt" } else { "bin" })
}

#[cfg(test)]
mod tests {
    use super::{FileKind, stored_extension};
    use crate::language::Language as Words;

    #[test]
    fn kinds_follow_extension_and_content() {
        let table: [(&str, &[u8], &str); 10] = [
            ("x.md", b"x", "Markdown"),
            ("x.json", b"{}", "JSON"),
            ("x.py", b"x = 1", "Python"),
            ("x.png", b"<script>", ""),
            ("x.txt", b"\x89PNG\r\n\x1a\n", "picture"),
            ("x.pdf", b"%PDF-1.7", "PDF"),
            ("x.pdf", b"<script>", ""),
            ("x.svg", b"<svg/>", "SVG"),
            ("x", b"", ""),
            ("Dockerfile", b"FROM x", "Dockerfile"),
        ];
        for (name, content, word) in table {
            assert_eq!(FileKind::new(name, content).word(&Words::default()), word, "{name}");
        }
    }

    #[test]
    fn nothing_is_stored_with_an_extension_that_browsers_run() {
        for extension in ["html", "htm", "svg", "xhtml", "xml", "js", "mjs", "css", "swf", "xlsm"] {
            let name = format!("x.{extension}");
            assert_eq!(stored_extension(&name, b"<x>", true), "txt", "{name}");
            assert_eq!(stored_extension(&name, b"\0", false), "bin", "{name}");
        }
        assert_eq!(stored_extension("x.png", b"<html>", true), "txt");
        assert_eq!(stored_extension("x.pdf", b"%PDF-1.4", false), "pdf");
    }
}
