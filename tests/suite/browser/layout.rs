//! Where things stand on a page, and what numbers are beside them, measured in a real browser.
//!
//! Where there is no Chromium, these tests say so and pass.

use serde_json::{Value, json};

use crate::support::chromium::Chromium;
use crate::support::{Workspace, address, files, project, shared_report};

/// A difference with a workbook and a table.
const DIFFERENCE: &str =
    "diffs/revenue-workbook/iteration-4.old_skill--iteration-4.with_skill--run-1.html";

/// The report of an example in a browser; `None` where there is none.
fn open(example: &str, page: &str, width: u32) -> Option<Chromium> {
    let mut browser = Chromium::start_if_found()?;
    let report = shared_report(&project().join("examples").join(example));
    let folder = address(&report);
    browser.show(width, "light", "screen");
    let found = browser.open(&format!("{folder}{page}"), &folder);
    assert!(found.is_empty(), "{page}: {found:?}");
    Some(browser)
}

fn texts(found: Value) -> Vec<String> {
    serde_json::from_value(found).expect("texts")
}

#[test]
fn numbers_in_a_narrow_table_are_whole() {
    let Some(mut browser) = open("skill-creator", DIFFERENCE, 390) else { return };
    let broken = "Array.from(document.querySelectorAll('.preview td')).filter((cell) => {
        if (!/^[-\\d.]+$/.test(cell.textContent)) return false;
        const range = document.createRange();
        range.selectNodeContents(cell);
        return new Set(Array.from(range.getClientRects(), (it) => it.top)).size > 1;
    }).map((cell) => cell.textContent)";
    assert_eq!(texts(browser.evaluate(broken)), Vec::<String>::new());
    let numbers = "Array.from(document.querySelectorAll('.preview td'), (it) => it.textContent).filter((it) => it.includes('11084.00')).length";
    assert_ne!(browser.evaluate(numbers), 0);
}

#[test]
fn a_prompt_takes_two_lines_of_a_phone() {
    let page = "diffs/board-slides/iteration-4.old_skill--iteration-4.with_skill.html";
    let lines = "(() => { const prompt = document.querySelector('.asked .prose');
        return Math.round(prompt.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(prompt).lineHeight)); })()";
    let Some(mut phone) = open("skill-creator", page, 390) else { return };
    assert_eq!(phone.evaluate(lines), 2);
    assert_eq!(phone.evaluate("document.querySelector('.asked').open = true"), true);
    assert!(phone.evaluate(lines).as_u64() > Some(2), "all of it on request");
}

#[test]
fn a_list_in_a_language_from_the_right_begins_there() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let workspace = Workspace::new()
        .file("iteration-1/a/with_skill/outputs/a.md", "# محضر\n\n- أحمد\n- سارة\n")
        .file("iteration-1/a/with_skill/grading.json", r#"{"expectations": []}"#);
    let folder = address(&workspace.build());
    browser.open(&format!("{folder}iterations/iteration-1/a/with_skill-1.html"), &folder);
    let item = "(() => { const item = document.querySelector('.preview li');
        const range = document.createRange(); range.selectNodeContents(item);
        const [text, list] = [range.getBoundingClientRect(), item.parentElement.getBoundingClientRect()];
        return list.right - text.right < 60 && text.left - list.left > 60; })()";
    assert_eq!(browser.evaluate(item), true);
}

#[test]
fn long_names_leave_the_bar_one_row() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let mut workspace = Workspace::new();
    for iteration in 1..=3 {
        let name =
            format!("iteration-{iteration}-after-the-glossary-and-the-examples-were-rewritten");
        workspace = workspace.runs(&format!("{name}/a,b/with_skill,without_skill +-"));
    }
    let folder = address(&workspace.build());
    browser.show(1440, "light", "screen");
    browser.open(&format!("{folder}index.html"), &folder);
    let height = "document.querySelector('header.bar').getBoundingClientRect().height <= 60
        && document.documentElement.scrollWidth <= window.innerWidth";
    assert_eq!(browser.evaluate(height), true);
}

#[test]
fn print_opens_what_is_folded_but_text_that_is_given_or_unchanged() {
    let Some(mut browser) = open("skill-creator", DIFFERENCE, 1440) else { return };
    let open = "(() => { document.body.append(document.createElement('details'));
        window.dispatchEvent(new Event('beforeprint'));
        const all = Array.from(document.querySelectorAll('details'));
        const open = (list) => list.filter((it) => it.open).length;
        const kept = all.filter((it) => it.matches('.f, .given, .output, .source, .fold'));
        return [open(kept), all.length - kept.length - open(all)].join(); })()";
    assert_eq!(browser.evaluate(open), "0,0");
}

#[test]
fn a_picture_has_its_room_before_it_is_there() {
    let page = "iterations/iteration-4/board-slides/with_skill-1.html";
    let Some(mut browser) = open("skill-creator", page, 1440) else { return };
    // Far below the screen, so that nobody loads it.
    let room = "(() => {
        const known = document.querySelector('img.picture');
        const [space, picture] = [document.createElement('div'), known.cloneNode()];
        picture.src += '?unknown';
        space.style.height = '40000px';
        known.after(space);
        space.after(picture);
        const { width, height } = picture.getBoundingClientRect();
        return [picture.loading, picture.complete && picture.naturalWidth > 0, Math.round(width) === picture.width, height > 50].join();
    })()";
    assert_eq!(browser.evaluate(room), "lazy,false,true,true");
}

#[test]
fn no_table_makes_a_page_wider_than_the_window() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let word = "a_word_of_many_letters_".repeat(10);
    let file = format!("{word}.csv");
    let run = "iteration-1/a/with_skill/run-1";
    let conventions = json!({ &word: { "passed": true, "evidence": word } });
    let grading = json!({
        "expectations": [{ "text": word, "passed": false, "evidence": word }],
        "convention_compliance": conventions,
        "claims": [{ "claim": word, "verified": true, "evidence": word }],
    });
    let scores: serde_json::Map<String, Value> =
        (0..120).map(|at| (format!("{word}{at}"), json!({ "A": 1, "B": 2 }))).collect();
    let comparison = json!({ "eval_id": "a", "winner": "A", "scores": scores });
    let metrics = json!({ "total_tokens": 12, "model": word, "duration_ms": 12_000 });
    let version = json!({ "version": word, "parent": word, "description": word });
    let workspace = Workspace::new()
        .file(&format!("{run}/grading.json"), grading.to_string())
        .file(&format!("{run}/timing.json"), metrics.to_string())
        .file(&format!("{run}/outputs/{file}"), format!("{word},b\n{word},2\n"))
        .file(
            &format!("{run}/outputs/a.md"),
            format!("| {word} | b |\n|---|---|\n| {word} | 2 |\n"),
        )
        .file(&format!("{run}/outputs/a.html"), format!("<table><tr><td>{word}<td>{word}</table>"))
        .file("iteration-1/a/without_skill/run-1/grading.json", grading.to_string())
        .file("iteration-2/a/with_skill/run-1/grading.json", grading.to_string())
        .file("iteration-1/a/comparison.json", comparison.to_string())
        .file("history.json", json!({ "versions": [version] }).to_string());
    let report = workspace.build();
    let folder = address(&report);
    browser.show(390, "light", "screen");
    let wide = "Array.from(document.querySelectorAll('table')).filter((table) => {
        const holder = table.closest('.wide');
        return (holder ?? table).getBoundingClientRect().right > window.innerWidth + 1;
    }).map((table) => table.outerHTML.slice(0, 200))";
    let pages = files(&report).into_iter();
    let pages = pages.filter(|path| path.extension().is_some_and(|it| it == "html"));
    let stored = report.join("files");
    for page in pages.filter(|page| !page.starts_with(&stored)) {
        let path = page.strip_prefix(&report).expect("a page").display().to_string();
        browser.open(&format!("{folder}{path}"), &folder);
        browser
            .evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })");
        let found: Vec<String> = serde_json::from_value(browser.evaluate(wide)).expect("tables");
        assert_eq!(found, Vec::<String>::new(), "{path}");
    }
}
