//! Bounds that hold for any input: the page of a run.

use std::collections::BTreeMap;

use crate::tests::words;
use input::files::Memory;
use testing::gradings::verdicts;

/// The most bytes that a page may have before compression.
const MAX_PAGE: usize = 500 * 1024;

fn grading(expectations: usize, evidence: &str) -> String {
    verdicts(&"p".repeat(expectations)).evidence(evidence).json()
}

fn run_page(pages: &BTreeMap<String, Vec<u8>>) -> &str {
    let found = pages.iter().find(|(path, _)| path.ends_with("/with_skill-1.html"));
    std::str::from_utf8(found.expect("the page of the run").1).expect("text")
}

#[test]
fn no_run_grows_its_page_without_end() {
    let run = "iteration-1/a/with_skill/run-1";
    let quotes = "\"quoted\" & 'so' <b> ".repeat(100);
    let evidence = [grading(5_000, "short"), grading(200, &quotes.repeat(20)), grading(1, "x")];
    let outputs: [(&str, String); 5] = [
        ("a.md", format!("# A\n\n{}", quotes.repeat(200))),
        ("b.csv", "a,b\n".to_owned() + &"1,\"x\"\n".repeat(50_000)),
        ("c.json", format!("[{}1]", "{\"a\": \"<b>\"},".repeat(20_000))),
        ("d.py", "x = 'a' # b\n".repeat(5_000)),
        ("e.html", "<p>a<td><a href='https://a.example/'>b</a>".repeat(10_000)),
    ];
    for grading in evidence {
        let mut files = vec![(format!("{run}/grading.json"), grading)];
        for number in 0..2 {
            for (name, content) in &outputs {
                files.push((format!("{run}/outputs/{number:02}-{name}"), content.clone()));
            }
        }
        let (_, pages) = super::report(&Memory::new(files));
        for (path, page) in pages.iter().filter(|(path, _)| path.contains("with_skill")) {
            assert!(page.len() <= MAX_PAGE, "{path}: {} bytes", page.len());
        }
        let page = run_page(&pages);
        let is_cut = |key| words::says(page, key, &[]);
        assert!(["preview.first_of", "preview.beginning"].into_iter().any(is_cut), "{page:.3000}");
    }
}

#[test]
fn the_rest_of_many_outputs_is_counted() {
    let run = "iteration-1/a/with_skill/run-1";
    let mut files = vec![(format!("{run}/grading.json"), grading(1, "x"))];
    files.extend((0..350).map(|number| (format!("{run}/outputs/{number}.txt"), "x".to_owned())));
    let (_, pages) = super::report(&Memory::new(files));
    let page = run_page(&pages);
    assert!(page.len() <= MAX_PAGE, "{} bytes", page.len());
    assert!(words::says(page, "output.more", &[("n", "50")]), "{page:.3000}");
}

#[test]
fn a_few_runs_are_shown_in_full() {
    let run = "iteration-1/a/with_skill/run-1";
    let text = "Every word of it.\n".repeat(1_000);
    let (_, pages) = super::report(&Memory::new([
        (format!("{run}/grading.json"), grading(40, &"why ".repeat(100))),
        (format!("{run}/outputs/a.md"), text.clone()),
        (format!("{run}/outputs/b.csv"), "a,b\n".to_owned() + &"1,2\n".repeat(150)),
    ]));
    let page = run_page(&pages);
    assert_eq!(
        page.matches("Every word of it.").count(),
        2_000,
        "as a reader sees it, and as it is"
    );
    assert_eq!(page.matches("<tr><td>1<td>2").count(), 150);
    assert_eq!(page.matches(&"why ".repeat(100)).count(), 40);
    assert!(!words::says(page, "page.cut", &[]));
}

/// A text of about this many bytes in lines of their own.
fn lines(mark: &str, bytes: usize) -> String {
    (0..)
        .map(|at| format!("{mark} {at}: <what> & \"why\"\n"))
        .scan(0, |sum, line: String| {
            *sum += line.len();
            (*sum <= bytes).then_some(line)
        })
        .collect()
}

#[test]
fn a_review_page_compares_ordinary_files_whole_and_names_those_without_room() {
    let sides = ["with_skill", "without_skill"];
    let run = |side: &str| format!("iteration-1/a/{side}/run-1");
    let files = sides.iter().flat_map(|side| {
        let outputs = (0..9).map(move |at| {
            let text = lines(&format!("{side} {at}"), 30_000);
            (format!("{}/outputs/{at}.py", run(side)), text)
        });
        outputs.chain([(format!("{}/grading.json", run(side)), grading(3, "short"))])
    });
    let (_, pages) = super::report(&Memory::new(files));
    let (path, page) = pages
        .iter()
        .find(|(path, _)| path.starts_with("diffs/a/") && path.ends_with(".html"))
        .expect("a review page");
    assert!(page.len() <= MAX_PAGE, "{path}: {} bytes", page.len());
    let page = std::str::from_utf8(page).expect("text");
    let first = page.split("id=\"f2\"").next().expect("the first file");
    assert!(first.contains(" 0 10:") && !words::says(first, "diff.shown_in_part", &[]));
    assert_eq!(page.matches("<section class=\"file\"").count(), 9, "every file is named");
    assert!(words::says(page, "review.no_room", &[]));
}
