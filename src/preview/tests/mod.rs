//! Malicious input of every kind: whatever the input, only known tags and attributes are output.

mod checker;
mod corpus;
mod evidence;

use std::collections::BTreeMap;

use crate::language::Language;
use crate::preview::{
    FileContent, FileRole, Preview, PreviewContext, PreviewRoom, Quotations, bytes_per_page,
    store_and_show,
};
use crate::write::MemorySink;
use formats::limits::MAX_TEXT_BYTES;
use input::files::Memory;
use input::model::Output;

/// The preview of a file, and the stored files by address.
pub(super) fn preview(
    name: &str,
    content: &[u8],
    role: FileRole,
) -> (Preview, BTreeMap<String, Vec<u8>>) {
    let sink = MemorySink::default();
    let language = &Language::default();
    let source = Memory::new([(name, content)]);
    let budget = PreviewRoom::new(bytes_per_page(1), 1);
    let (name, bytes) = (name.to_owned(), content.len() as u64);
    let output = Output { path: name.clone(), name, bytes };
    // Whatever an output says may be quoted.
    let text = String::from_utf8_lossy(content);
    let quoted = [text.get(..40), text.get(..9), text.get(20..90)].into_iter().flatten().collect();
    let quotations = Quotations::new([(output.name.as_str(), quoted)].into(), "quote-".to_owned());
    let place = PreviewContext {
        source: &source,
        prefix: "",
        sink: &sink,
        root: "../",
        language,
        budget,
        quotations,
    };
    let preview = store_and_show(&output, role, &place);
    (preview, sink.into_pages())
}

/// The markup of an output.
fn html(name: &str, content: &[u8]) -> String {
    preview(name, content, FileRole::Output).0.html.as_str().to_owned()
}

#[test]
fn each_kind_is_shown_by_itself() {
    let table: [(&str, &[u8], &str, &str); 11] = [
        ("a.md", b"# A", "Markdown", "<h4>A</h4>"),
        ("a.json", b"{\"a\": 1}", "JSON", "<span class=\"key\">a</span>"),
        ("a.jsonl", b"{\"a\": 1}\n", "JSON lines", "<span class=\"key\">a</span>"),
        ("a.csv", b"a,b\n1,2", "table", "<table class=\"sheet n1 n2\"><thead><tr><th>a<th>b"),
        ("a.py", b"x = 1", "Python", "<span class=\"n\">1</span>"),
        ("a.txt", b"x < 1", "", "<pre>\nx &lt; 1</pre>"),
        ("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG", "<img class=\"picture\""),
        ("a.html", b"<h1>A</h1>", "HTML", "<iframe sandbox loading=\"lazy\""),
        (
            "a.ipynb",
            b"{\"cells\": [{\"cell_type\": \"markdown\", \"source\": [\"# A\"]}]}",
            "notebook",
            "<h4>A</h4>",
        ),
        ("transcript.txt", b"User: a\nAssistant: b", "", "<p class=\"speaker\">User</p>"),
        ("a.bin", b"\0\x01", "", ""),
    ];
    for (name, content, kind, part) in table {
        let (preview, stored) = preview(name, content, FileRole::Output);
        assert_eq!(preview.kind, kind, "{name}");
        assert!(preview.html.as_str().contains(part), "{name}: {}", preview.html.as_str());
        assert!(stored.contains_key(preview.href.trim_start_matches("../")), "{name}");
    }
}

#[test]
fn a_misnamed_file_is_text_with_a_reason() {
    let table: [(&str, &[u8], &str); 5] = [
        ("a.json", b"{\"a\": }", "no_json"),
        ("a.xlsx", b"plain text", "not_its_kind"),
        ("a.svg", b"<html/>", "no_drawing"),
        ("a.ipynb", b"{}", "not_its_kind"),
        ("a.docx", b"PK\x05\x06", "not_its_kind"),
    ];
    for (name, content, reason) in table {
        let (preview, _) = preview(name, content, FileRole::Output);
        let reason = Language::default().text(&format!("preview.{reason}")).to_owned();
        let begin = reason.split('{').next().unwrap();
        assert!(preview.remark.contains(begin), "{name}: {}", preview.remark);
        let text = String::from_utf8_lossy(content).replace('"', "&quot;").replace('<', "&lt;");
        let shown = preview.html.as_str();
        assert!(shown.contains(text.split('>').next().unwrap()) || content.contains(&5), "{shown}");
    }
}

#[test]
fn the_same_content_is_stored_once() {
    let (first, _) = preview("a/x.txt", b"same", FileRole::Output);
    let (second, _) = preview("b/y.log", b"same", FileRole::Output);
    assert_eq!(first.href, second.href);
    assert_eq!(first.hash.len(), 20);
}

#[test]
fn pictures_of_notebooks_are_stored_by_their_type() {
    let cell = |form: &str, data: &str| {
        let output =
            format!(r#"{{"output_type": "display_data", "data": {{"{form}": "{data}"}}}}"#);
        format!(r#"{{"cells": [{{"cell_type": "code", "source": "", "outputs": [{output}]}}]}}"#)
    };
    let (shown, stored) =
        preview("a.ipynb", cell("image/png", "iVBORw0KGgo=").as_bytes(), FileRole::Output);
    assert!(shown.html.as_str().contains(".png\""));
    assert_eq!(stored.keys().filter(|name| name.ends_with(".png")).count(), 1);
    let script = "PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==";
    let (_, stored) = preview("a.ipynb", cell("image/png", script).as_bytes(), FileRole::Output);
    assert_eq!(stored.len(), 1);
}

#[test]
fn large_files_are_stored_without_being_held() {
    let content = "1,2\n".repeat(MAX_TEXT_BYTES / 4 + 10);
    let (preview, stored) = preview("a.csv", content.as_bytes(), FileRole::Output);
    let stored = &stored[preview.href.trim_start_matches("../")];
    assert!(stored == content.as_bytes());
    assert_eq!(preview.hash, blake3::hash(stored).to_hex()[..20]);
    let beginning = Language::default();
    let beginning = beginning.text("preview.beginning_looked_at");
    assert!(preview.remark.ends_with(beginning), "{}", preview.remark);
    let source = Memory::new([("a.csv", content)]);
    assert_eq!(FileContent::open(&source, "a.csv", 1).unwrap().head.len(), MAX_TEXT_BYTES);
}
