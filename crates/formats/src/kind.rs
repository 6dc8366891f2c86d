//! What a file is: by the first bytes of a picture, then by its extension, then by its other bytes.

use crate::picture;
use crate::syntax::{self, CodeLanguage};
use text::split_extension;

/// What a file is. A file may be damaged or misnamed: its content tells.
#[derive(Clone, Copy, Debug)]
pub enum FileKind {
    /// Markdown: `.md`, `.markdown`, `.mdx` or `.qmd`.
    Markdown,
    /// One JSON document: `.json` or `.geojson`.
    Json,
    /// A JSON document in each line: `.jsonl` or `.ndjson`.
    JsonLines,
    /// Separated values, with their separator.
    Delimited(u8),
    /// Source code in a language known by the extension or the name of the file.
    Code(&'static CodeLanguage),
    /// A PNG, JPEG, GIF or WebP, by its first bytes.
    Picture,
    /// SVG.
    Drawing,
    /// A Jupyter notebook: `.ipynb`.
    Notebook,
    /// An Excel workbook: `.xlsx` or `.xlsm`.
    Workbook,
    /// A Word document.
    Document,
    /// A PowerPoint presentation: `.pptx` or `.pptm`.
    Slides,
    /// HTML.
    Page,
    /// A PDF, by its first bytes, unless its extension is one of the above.
    Pdf,
    /// Any other file, text or not.
    Other,
}

/// Extensions of stored files, besides those of pictures, that no browser runs.
const HARMLESS: &[&str] = &["txt", "pdf", "zip", "xlsx", "docx", "pptx", "csv", "tsv", "json"];

/// Beginnings of the names of transcripts.
const TRANSCRIPTS: &[&str] = &["transcript", "conversation", "trajectory", "session"];

impl FileKind {
    /// The kind of the file called `name` that begins with `head`.
    pub fn new(name: &str, head: &[u8]) -> Self {
        if picture::extension(head).is_some() {
            return Self::Picture;
        }
        let extension = split_extension(name).1;
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
            _ if head.starts_with(b"%PDF-") => Self::Pdf,
            _ => syntax::for_file(&extension, name).map_or(Self::Other, Self::Code),
        }
    }
}

/// The extension for storing a file: one that no browser runs.
pub fn stored_extension(name: &str, head: &[u8], is_text: bool) -> &'static str {
    if let Some(extension) = picture::extension(head) {
        return extension;
    }
    let extension = split_extension(name).1;
    match HARMLESS.iter().find(|harmless| **harmless == extension) {
        Some(harmless) => harmless,
        None if is_text => "txt",
        None => "bin",
    }
}

/// Whether a file is named like a transcript.
pub fn is_named_transcript(name: &str) -> bool {
    let file_name = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    TRANSCRIPTS.iter().any(|start| file_name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::{FileKind, stored_extension};

    #[test]
    fn kinds_follow_extension_and_content() {
        let table: [(&str, &[u8], &str); 10] = [
            ("x.md", b"x", "Markdown"),
            ("x.json", b"{}", "Json"),
            ("x.py", b"x = 1", "Code"),
            ("x.png", b"<script>", "Other"),
            ("x.txt", b"\x89PNG\r\n\x1a\n", "Picture"),
            ("x.pdf", b"%PDF-1.7", "Pdf"),
            ("x.pdf", b"<script>", "Other"),
            ("x.svg", b"<svg/>", "Drawing"),
            ("x", b"", "Other"),
            ("Dockerfile", b"FROM x", "Code"),
        ];
        for (name, content, kind) in table {
            let found = format!("{:?}", FileKind::new(name, content));
            assert!(found.starts_with(kind), "{name}: {found}");
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
