//! Where things stand on a page, and what numbers are beside them, measured in a real browser.
//!
//! Where there is no Chromium, these tests say so and pass.

use serde_json::Value;

use crate::support::chromium::Chromium;
use crate::support::{address, project, shared_report};

/// A difference with a workbook whose changed lines are 47 and 49 on both sides, and a table.
const DIFFERENCE: &str =
    "diffs/revenue-workbook/iteration-4.old_skill--iteration-4.with_skill.html";

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
fn changed_lines_have_their_own_numbers_side_by_side() {
    let Some(mut browser) = open("skill-creator", DIFFERENCE, 1440) else { return };
    // Only markers without content of their own are told as text; that they are counted the same.
    browser.evaluate(
        "(() => { const sheet = new CSSStyleSheet();
            sheet.replaceSync('li::marker { content: normal !important; }');
            document.adoptedStyleSheets = [sheet]; })()",
    );
    let markers = browser.markers();
    let times = |wanted: &str| markers.iter().filter(|marker| marker.trim() == wanted).count();
    let runs = times("46.");
    assert!(runs > 0, "{markers:?}");
    assert_eq!([times("47."), times("49."), times("1.")], [2 * runs, 2 * runs, 0], "{markers:?}");
    // The two lines that became each other stand beside each other, however long they are.
    let apart = "Array.from(document.querySelectorAll('.b:not(.t)')).flatMap((block) => {
        const lines = (side) => Array.from(block.querySelectorAll(`${side} > ol > li`), (it) => it.getBoundingClientRect());
        const [old, now] = [lines('del'), lines('ins')];
        return old.slice(0, now.length).map((it, at) => it.top === now[at].top && it.height === now[at].height && it.right < now[at].left);
    })";
    let found = browser.evaluate(apart);
    let found = found.as_array().expect("pairs");
    assert!(found.len() > 2 && found.iter().all(|pair| pair == true), "{found:?}");
}

#[test]
fn numbers_in_a_narrow_table_are_whole() {
    let Some(mut browser) = open("skill-creator", DIFFERENCE, 390) else { return };
    let broken = "Array.from(document.querySelectorAll(':is(.c, .j) td')).filter((cell) => {
        if (!/^[-\\d.]+$/.test(cell.textContent)) return false;
        const range = document.createRange();
        range.selectNodeContents(cell);
        return new Set(Array.from(range.getClientRects(), (it) => it.top)).size > 1;
    }).map((cell) => cell.textContent)";
    assert_eq!(texts(browser.evaluate(broken)), Vec::<String>::new());
    let numbers = "Array.from(document.querySelectorAll('.c td'), (it) => it.textContent).filter((it) => it === '11084.00').length";
    assert_ne!(browser.evaluate(numbers), 0);
}

#[test]
fn print_opens_what_is_folded_but_unchanged_text() {
    let Some(mut browser) = open("skill-creator", DIFFERENCE, 1440) else { return };
    let open = "(() => { document.body.append(document.createElement('details'));
        window.dispatchEvent(new Event('beforeprint'));
        const all = Array.from(document.querySelectorAll('details'));
        const open = (list) => list.filter((it) => it.open).length;
        const unchanged = all.filter((it) => it.matches('.f'));
        return [unchanged.length > 0, open(unchanged), all.length - unchanged.length - open(all)].join(); })()";
    assert_eq!(browser.evaluate(open), "true,0,0");
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
fn the_newest_of_many_iterations_is_in_sight() {
    let Some(mut browser) = open("skill-creator", "index.html", 1440) else { return };
    let widths = "[4, 300].map((number) => {
        const heat = document.querySelector('.heat');
        const cell = heat.lastElementChild;
        heat.replaceChildren(...Array.from({ length: number }, () => cell.cloneNode()));
        const [all, last] = [heat.getBoundingClientRect(), heat.lastElementChild.getBoundingClientRect()];
        return all.width < 320 && last.right <= all.right + 1 && last.width > 0.5;
    }).join()";
    assert_eq!(browser.evaluate(widths), "true,true");
}
