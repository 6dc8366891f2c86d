//! Quotations marked in every kind of output, and outputs that imitate marks.

use std::collections::BTreeMap;

use crate::language::Language;
use crate::preview::evidence::QuotationMark;
use crate::preview::{FileRole, Preview, PreviewContext, PreviewRoom, Quotations, store_and_show};
use crate::write::MemorySink;
use input::files::Memory;
use input::model::Output;
use testing::archive::zip;

const QUOTED: &str = "fourteen late shipments in May";

/// The preview of a file with `quotation` marked, and the stored files by address.
fn quoted(name: &str, content: &[u8], quotation: &str) -> (Preview, BTreeMap<String, Vec<u8>>) {
    let (sink, language) = (MemorySink::default(), &Language::default());
    let output =
        Output { path: name.to_owned(), name: name.to_owned(), bytes: content.len() as u64 };
    let place = PreviewContext {
        source: &Memory::new([(name, content)]),
        prefix: "",
        sink: &sink,
        root: "",
        language,
        budget: PreviewRoom::new(100_000, 1),
        quotations: Quotations::new([(name, vec![quotation])].into(), "quote-".to_owned()),
    };
    let preview = store_and_show(&output, FileRole::Output, &place);
    (preview, sink.into_pages())
}

#[test]
fn words_are_marked_in_every_kind_of_output() {
    let document = zip(&[(
        "word/document.xml",
        b"<d><body><p><r><t>We count fourteen late </t></r><r><t>shipments in May.</t></r></p></body></d>",
    )]);
    let pdf = "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Kids [3 0 R] \
        /Resources << /Font << /F1 4 0 R >> >> >>\nendobj\n3 0 obj\n<< /Type /Page /Contents 5 0 R >>\n\
        endobj\n4 0 obj\n<< /Type /Font >>\nendobj\n5 0 obj\n<< >>\nstream\nBT /F1 9 Tf (fourteen late) Tj \
        T* (shipments in May) Tj ET\nendstream\nendobj\n";
    let notebook = r#"{"cells": [{"cell_type": "code", "source": "x", "outputs": [
        {"output_type": "stream", "text": ["fourteen late ", "shipments in May"]}]}]}"#;
    let table: [(&str, &[u8], &str); 9] = [
        ("a.txt", b"We count\nfourteen late shipments in May.\n", "fourteen late shipments in May"),
        ("a.md", b"We count *fourteen* late shipments in May.", "fourteen"),
        ("a.csv", b"what,when\nfourteen late shipments,in May\n", "fourteen late shipments"),
        (
            "a.json",
            b"{\"a\": \"fourteen late\\nshipments in May\"}",
            "fourteen late\nshipments in May",
        ),
        ("a.py", b"x = 1 # fourteen late shipments in May", "fourteen late shipments in May"),
        ("a.docx", &document, "fourteen late shipments in May"),
        ("a.pdf", pdf.as_bytes(), "fourteen late\nshipments in May"),
        ("a.ipynb", notebook.as_bytes(), "fourteen late shipments in May"),
        ("a.html", b"<p>We count <b>fourteen</b> late shipments in May.", "fourteen"),
    ];
    for (name, content, marked) in table {
        let (preview, stored) = quoted(name, content, QUOTED);
        let QuotationMark { href, frame, times } = &preview.marks[QUOTED];
        assert_eq!(*times, 1, "{name}");
        let (address, id) = href.split_once('#').expect("a fragment");
        let (shown, attributes) = if name == "a.html" {
            assert!(preview.html.as_str().contains(&format!("name=\"{frame}\"")), "{name}");
            (String::from_utf8(stored[address].clone()).expect("text"), " style=")
        } else {
            assert_eq!((address, frame.as_str()), ("", ""), "{name}");
            (preview.html.as_str().to_owned(), " class=\"quotation\">")
        };
        let mark = format!("<mark id=\"{id}\"{attributes}");
        assert_eq!(shown.matches(&mark).count(), 1, "{name}: {shown}");
        assert!(
            shown[shown.find(&mark).unwrap()..].contains(&format!(">{marked}</mark>")),
            "{shown}"
        );
    }
    let (preview, _) = quoted("a.md", b"fourteen late shipments in May", QUOTED);
    assert!(preview.source.as_str().contains("id=\"quote-1-source-1\""), "the source shows it too");
    assert!(quoted("a.md", b"fourteen shipments", QUOTED).0.marks.is_empty());
}

#[test]
fn an_output_cannot_take_the_place_of_a_mark() {
    let first = quoted("a.html", b"<p>fourteen late shipments in May", QUOTED);
    let id = first.0.marks[QUOTED].href.rsplit('#').next().expect("a fragment").to_owned();
    // A page that knows the id of a mark in itself would have another one: ids depend on the page.
    let page = format!(
        "<style>mark{{display:none}} #{id}{{opacity:0}}</style><mark id=\"{id}\">all is well</mark>\
         <p id=\"quote-1-1\">fourteen late shipments in May"
    );
    let (preview, stored) = quoted("a.html", page.as_bytes(), QUOTED);
    let (address, ours) = preview.marks[QUOTED].href.split_once('#').expect("a fragment");
    let copy = String::from_utf8(stored[address].clone()).expect("text");
    assert_ne!(ours, id);
    assert_eq!(copy.matches(&format!("id=\"{ours}\"")).count(), 1, "{copy}");
    assert!(
        copy.contains(&format!("<mark id=\"{ours}\" style=\"display:inline!important")),
        "{copy}"
    );
    assert!(copy.contains(&format!("<mark id=\"{id}\">all is well</mark>")), "its own ids stay");
    // On our own page no output has an id or a mark.
    for (name, text) in [
        ("a.md", "<mark id=\"quote-1-1\">x</mark> fourteen late shipments in May"),
        (
            "a.txt",
            "<mark class=\"quotation\" id=\"quote-1-1\">x</mark> fourteen late shipments in May",
        ),
    ] {
        let html = quoted(name, text.as_bytes(), QUOTED).0.html.as_str().to_owned();
        assert_eq!(html.matches("<mark").count(), 1, "{html}");
        assert_eq!(html.matches(" id=\"").count(), 1, "{html}");
    }
}

#[test]
fn a_quotation_that_is_everywhere_is_marked_a_hundred_times_and_counted() {
    let text = "fourteen late shipments in May\n".repeat(2_000);
    let (preview, _) = quoted("a.txt", text.as_bytes(), QUOTED);
    assert_eq!(preview.html.as_str().matches("<mark").count(), crate::budget::QUOTATION_MARKS);
    assert_eq!(preview.marks[QUOTED].times, 2_000);
}
