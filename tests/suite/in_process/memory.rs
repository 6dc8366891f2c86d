//! From documents to pages without a disk: everything is a library call.

use evalbook::analyze;
use evalbook::files::Memory;
use evalbook::pipeline::{self, Read};
use evalbook::render::{self, Look, Part};
use evalbook::write::MemorySink;

#[test]
fn a_report_is_made_in_memory() {
    let grading = r#"{"expectations": [{"text": "Has a <table>", "passed": true}]}"#;
    let source = Memory::new([
        ("iteration-1/csv/with_skill/grading.json", grading),
        ("iteration-1/csv/with_skill/outputs/answer.md", "# Done & dusted"),
    ]);
    let loaded = pipeline::load(&source, "ws", "ws", &[]).unwrap();
    let Read { workspace, prefix, settings } = &loaded.workspaces[0];
    let analysis = analyze::analysis(workspace, settings);
    let parts = [Part { workspace, analysis: &analysis, source: &source, prefix, settings }];
    let sink = MemorySink::default();
    let written = render::report(&parts, &Look::default(), None, &sink, &|_| ()).unwrap();
    let pages = sink.into_pages();
    // One of them is the output, which stands beside the pages.
    assert_eq!(written + 1, pages.len());
    let run = &pages["iterations/iteration-1/csv/with_skill-1.html"];
    let run = String::from_utf8(run.clone()).unwrap();
    assert!(run.contains("Has a &lt;table&gt;"), "{run}");
    assert!(run.contains("Done &amp; dusted"), "{run}");
}
