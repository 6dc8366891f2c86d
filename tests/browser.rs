//! Reports in a real browser, opened from disk: every page loads without a console message, a
//! failed load or a request to anywhere, and the style sheet applies.
//!
//! Where there is no Chromium, these tests say so and pass.

mod support;

use std::path::Path;

use support::chromium::{self, Chromium};
use support::{Ran, Workspace, evalbook, examples, hostile, name_of};

/// What a style sheet changes of the body, as one text.
const LOOK: &str = "(() => {
    const style = getComputedStyle(document.body);
    return [style.fontFamily, style.margin, style.lineHeight, style.maxWidth].join('|');
})()";

#[test]
fn every_page_of_every_example_opens_without_a_sound() {
    let Some(mut browser) = start() else { return };
    let unstyled = look_without_styles(&mut browser);
    for example in examples() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let mut command = evalbook(place.path());
        let ran = Ran::of(command.arg("build").arg(&example).args(["-o", "report"]));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let report = place.path().join("report");
        assert_quiet(&mut browser, &report, &unstyled, &name_of(&example));
    }
}

#[test]
fn no_page_of_a_hostile_workspace_runs_or_loads_anything() {
    let Some(mut browser) = start() else { return };
    let unstyled = look_without_styles(&mut browser);
    for example in examples() {
        let workspace = hostile::workspace(&example);
        assert_quiet(&mut browser, &workspace.build(), &unstyled, &name_of(&example));
    }
}

#[test]
fn a_page_that_does_what_it_should_not_is_noticed() {
    let Some(mut browser) = start() else { return };
    let pages = [
        ("<script>console.log('hello')</script>", "console"),
        ("<script>nothing.here()</script>", "threw"),
        ("<img src=\"http://localhost/x.png\">", "a request to http://localhost/x.png"),
        ("<img src=\"../outside.png\">", "a request to file:"),
        ("<link rel=stylesheet href=\"gone.css\">", "failed load"),
        (
            "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">\
             <p style=\"color: red\">",
            "console message",
        ),
    ];
    for (page, expected) in pages {
        let workspace = Workspace::new().file("page/index.html", page);
        let folder = address(&workspace.path().join("page"));
        let found = browser.open(&format!("{folder}index.html"), &folder);
        assert!(found.iter().any(|breach| breach.contains(expected)), "{page}: {found:?}");
    }
}

/// A browser, or a word on why these tests check nothing.
fn start() -> Option<Chromium> {
    let program = chromium::find();
    if program.is_none() {
        println!("skipped: there is no Chromium on the path");
    }
    program.map(Chromium::start)
}

fn look_without_styles(browser: &mut Chromium) -> String {
    let look = browser.evaluate(LOOK);
    look.as_str().expect("a look").to_owned()
}

/// Opens every page of the report and asserts that it does nothing but load, and has its styles.
fn assert_quiet(browser: &mut Chromium, report: &Path, unstyled: &str, name: &str) {
    let folder = address(report);
    let mut breaches = Vec::new();
    let pages = support::tree(report).into_keys().filter(|path| path.ends_with(".html"));
    for page in pages {
        let found = browser.open(&format!("{folder}{page}"), &folder);
        breaches.extend(found.iter().map(|breach| format!("{page}: {breach}")));
        if browser.evaluate(LOOK) == unstyled {
            breaches.push(format!("{page}: the style sheet does not apply"));
        }
    }
    let list = breaches.join("\n");
    assert!(breaches.is_empty(), "{name}: {} breaches:\n{list}", breaches.len());
}

/// The address of a folder on disk, with `/` at its end.
fn address(folder: &Path) -> String {
    let folder = folder.canonicalize().expect("a folder on disk");
    let path = folder.to_str().expect("a path in UTF-8");
    assert!(!path.contains(['%', '#', '?', ' ']), "`{path}` needs no escapes in an address");
    format!("file://{path}/")
}
