//! From documents to pages without a disk.

use input::files::Memory;

#[test]
fn a_report_is_made_in_memory() {
    let grading = r#"{"expectations": [{"text": "Has a <table>", "passed": true}]}"#;
    let (rendered, pages) = super::report(&Memory::new([
        ("iteration-1/csv/with_skill/grading.json", grading),
        ("iteration-1/csv/with_skill/outputs/answer.md", "# Done & dusted"),
    ]));
    // The output is next to the pages.
    assert_eq!(rendered + 1, pages.len());
    let run = &pages["iterations/iteration-1/csv/with_skill-1.html"];
    let run = String::from_utf8(run.clone()).unwrap();
    assert!(run.contains("Has a &lt;table&gt;"), "{run}");
    assert!(run.contains("Done &amp; dusted"), "{run}");
}
