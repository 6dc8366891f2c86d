//! Reports on large inputs: no page grows without bound, nothing is left out silently, and
//! everything missing from the pages is in the data.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::tests::words;
use input::files::Memory;

/// The most bytes that a page may have before compression.
const MAX_PAGE: usize = 500 * 1024;

/// The notes on a page that does not show everything.
const CUT: [&str; 2] = ["page.cut", "page.cut_lines"];

/// The files of a workspace by their paths.
type Files = BTreeMap<String, String>;

/// Every page and file of the report of a workspace in memory.
fn report(files: Files) -> BTreeMap<String, Vec<u8>> {
    super::report(&Memory::new(files)).1
}

/// The files a person opens: pages and texts in Markdown, without the outputs of runs.
fn opened(report: &BTreeMap<String, Vec<u8>>) -> impl Iterator<Item = (&str, &str)> {
    let is_page = |path: &str| path.ends_with(".html") || path.ends_with(".md");
    let pages = report.iter().filter(move |(path, _)| is_page(path) && !path.starts_with("files/"));
    pages.map(|(path, page)| (path.as_str(), std::str::from_utf8(page).expect("text")))
}

fn run(iteration: usize, case: &str, configuration: &str) -> String {
    format!("iteration-{iteration}/{case}/{configuration}/run-1/grading.json")
}

/// This many checks, every third of which failed; each is made unique by its number.
fn grading(checks: usize, text: &str, evidence: &str) -> String {
    let one = |at: usize| json!({ "text": format!("{text} {at}"), "passed": !at.is_multiple_of(3), "evidence": evidence });
    list("expectations", (0..checks).map(one))
}

fn list(name: &str, items: impl Iterator<Item = Value>) -> String {
    json!({ name: items.collect::<Vec<Value>>() }).to_string()
}

/// A case with a graded run on both sides, and more files.
fn graded<'f>(files: impl IntoIterator<Item = (&'f str, String)>) -> Files {
    let sides = ["with_skill", "without_skill"];
    let sides = sides.map(|side| (run(1, "a", side), grading(3, "check", "seen")));
    sides.into_iter().chain(files.into_iter().map(|(path, text)| (path.to_owned(), text))).collect()
}

/// Every shape that once made a page of megabytes, with its name.
fn shapes() -> Vec<(&'static str, Files)> {
    let comparison = |at: usize| {
        let mapping = json!({ "A": format!("v{at}"), "B": format!("v{}", at + 1) });
        json!({ "eval_id": at % 50, "winner": "A", "mapping": mapping, "reasoning": "clearer" })
    };
    let review = |at: usize| json!({ "run_id": format!("unknown-{at}"), "feedback": "too long" });
    let version = |at: usize| json!({ "version": format!("v{at}"), "parent": format!("v{}", at / 2), "notes": "kept" });
    let listed = |at: usize| {
        let result = json!({ "pass_rate": 0.5, "passed": 1, "total": 2 });
        json!({ "eval_id": at, "configuration": "with_skill", "result": result })
    };
    let doubtful = |at: usize| json!({ "text": format!("check {at}"), "passed": "perhaps" });
    let alone = |path: &str, text: String| Files::from([(path.to_owned(), text)]);
    let sides = ["with_skill", "without_skill"];
    let case_files = (0..700).flat_map(|at| sides.map(|side| run(1, &format!("case-{at}"), side)));
    let round_files =
        (1..=6).map(|at| (run(at, "a", "with_skill"), format!("in round {at} check")));
    let outputs = (0..7_000).map(|at| format!("iteration-1/a/with_skill/run-1/outputs/{at}.txt"));
    let configurations = (0..260).map(|at| run(1, "a", &format!("configuration-{at:03}")));
    let mut with_outputs = graded([]);
    with_outputs.extend(outputs.map(|path| (path, String::new())));
    vec![
        (
            "comparisons",
            graded([("iteration-1/comparison.json", list("pairs", (0..3_000).map(comparison)))]),
        ),
        (
            "comments",
            graded([("iteration-1/feedback.json", list("reviews", (0..4_000).map(review)))]),
        ),
        ("checks", [(run(1, "a", "with_skill"), grading(4_000, "check", "seen"))].into()),
        (
            "problems",
            alone(&run(1, "a", "with_skill"), list("expectations", (0..3_000).map(doubtful))),
        ),
        ("versions", graded([("history.json", list("versions", (0..6_000).map(version)))])),
        ("listed runs", alone("iteration-1/benchmark.json", list("runs", (0..6_000).map(listed)))),
        ("cases", case_files.map(|path| (path, grading(2, "check", ""))).collect()),
        ("rounds", round_files.map(|(path, text)| (path, grading(1_500, &text, ""))).collect()),
        ("outputs", with_outputs),
        ("configurations", configurations.map(|path| (path, grading(12, "check", ""))).collect()),
    ]
}

#[test]
fn much_of_one_thing_makes_no_page_larger_than_a_page() {
    let unlisted = words::text("count.file_unlisted.other", &[("n", "")]);
    for (name, files) in shapes() {
        let report = report(files);
        for (path, page) in opened(&report) {
            assert!(page.len() <= MAX_PAGE, "{name}, {path}: {} bytes", page.len());
        }
        let is_mentioned = opened(&report).any(|(_, page)| {
            CUT.iter().any(|key| words::says(page, key, &[])) || page.contains(&unlisted)
        });
        assert!(is_mentioned, "{name}: what is left out is mentioned");
    }
}

#[test]
fn content_missing_from_pages_is_in_the_data() {
    let report = report([(run(1, "a", "with_skill"), grading(8_000, "check", "seen"))].into());
    let text = |path: &str| std::str::from_utf8(&report[path]).expect("text");
    let last = "check 7999";
    let pages = opened(&report).filter(|(_, page)| page.contains(last)).map(|(path, _)| path);
    assert_eq!(pages.collect::<Vec<_>>(), [""; 0]);
    assert!(text("report.json").contains(last));
    // 8,000 checks are cut to what fits; the page's own figures add up.
    let page = text("iterations/iteration-1/a/with_skill-1.html");
    let shown = page.matches("<li id=\"e-").count();
    let left_out = (8_000 - shown).to_string();
    assert!(words::says(page, "page.cut", &[("entries", &left_out)]), "{left_out} {page:.3000}");
}

#[test]
fn long_texts_make_no_page_larger_than_a_page() {
    let long = "\"quoted\" & <b>bold</b> words ".repeat(20_000);
    let metadata = json!({ "eval_name": "a", "prompt": long, "expected_output": long }).to_string();
    let about = |run_id: &str| json!({ "run_id": run_id, "feedback": long });
    let reviews = ["a", "a-with_skill-run-1", "unknown"].map(about);
    let version = json!({ "version": "v1", "description": long, "notes": long });
    let comparison = json!({ "eval_id": "a", "winner": "A", "reasoning": long, "prompt": long });
    let report = report(graded([
        (run(1, "a", "with_skill").as_str(), grading(3, &long, &long)),
        ("iteration-1/a/eval_metadata.json", metadata),
        ("iteration-1/feedback.json", list("reviews", reviews.into_iter())),
        ("iteration-1/a/comparison.json", comparison.to_string()),
        ("history.json", list("versions", [version].into_iter())),
    ]));
    for (path, page) in opened(&report) {
        assert!(page.len() <= MAX_PAGE, "{path}: {} bytes", page.len());
    }
}

#[test]
fn no_script_takes_the_beginning_of_a_comment_for_the_whole() {
    let long = "very long ".repeat(100_000);
    let review = |text: &str| {
        let reviews = [json!({ "run_id": "a-with_skill-run-1", "feedback": text })];
        graded([("iteration-1/feedback.json", list("reviews", reviews.into_iter()))])
    };
    for (text, is_recorded) in [("short", true), (long.as_str(), false)] {
        let report = report(review(text));
        for path in ["feedback.html", "iterations/iteration-1/a/with_skill-1.html"] {
            let page = std::str::from_utf8(&report[path]).expect("text");
            let start = page.find("<blockquote").expect("the comment is shown");
            let tag = page[start..].split('>').next().expect("a tag");
            assert_eq!(tag.contains("data-recorded"), is_recorded, "{path}");
        }
    }
}

#[test]
fn twice_the_configurations_are_about_twice_the_report() {
    let size = |number: usize| {
        let configurations = (0..number).map(|at| format!("configuration-{at:03}"));
        let runs = configurations.chain(["without_skill".to_owned()]);
        let files = runs.map(|name| (run(1, "a", &name), grading(2, "check", ""))).collect();
        report(files).values().map(Vec::len).sum::<usize>()
    };
    let (once, twice) = (size(150), size(300));
    assert!(twice * 10 < once * 23, "{once} and {twice} bytes");
}

#[test]
fn hidden_characters_are_shown_in_the_search_index() {
    let text = "seen \u{202e}12 of 34";
    let report = report([(run(1, "a", "with_skill"), grading(1, text, text))].into());
    for path in ["search/cases.js", "search/evidence-iteration-1.js"] {
        let script = std::str::from_utf8(&report[path]).expect("text");
        assert!(script.contains("seen ⟨U+202E⟩12 of 34"), "{path}: {script}");
        assert!(!script.contains('\u{202e}'), "{path}");
    }
}
