//! Reports in a real browser, from disk and from a host, with scripts and without: every page loads
//! without a console message, a failed load or a request to anywhere, and the style sheet applies.
//!
//! Where there is no Chromium, these tests say so and pass.

mod support;

use std::path::Path;

use support::chromium::Chromium;
use support::server::Server;
use support::{Workspace, address, examples, hostile, name_of, report_of};

/// What a style sheet changes of the body, as one text.
const LOOK: &str = "(() => {
    const style = getComputedStyle(document.body);
    return [style.fontFamily, style.margin, style.lineHeight, style.maxWidth].join('|');
})()";

/// Workspaces of the corpus that are opened as the examples are.
const REAL: [&str; 3] = [
    "drmowinckels+ropensci-skills/eval-workspace",
    "Kelet-ai+skills/evals__workspace",
    "MagnyCopper+skills/expert-reviewer-workspace",
];

#[test]
fn every_page_of_every_example_opens_without_a_sound() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let unstyled = look_without_styles(&mut browser);
    for example in examples() {
        let (_place, report) = report_of(&example);
        assert_quiet(&mut browser, &report, &unstyled, &name_of(&example));
    }
}

#[test]
fn every_page_of_every_example_opens_below_a_path_of_a_host() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let unstyled = look_without_styles(&mut browser);
    for example in examples() {
        let (_place, report) = report_of(&example);
        let server = Server::start(&report);
        assert_quiet_at(&mut browser, &report, &server.url(), &unstyled, &name_of(&example));
    }
}

#[test]
fn pages_of_real_workspaces_open_without_a_sound() {
    let beside = support::project().join("../shared/corpus");
    let corpus = std::env::var_os("EVALBOOK_CORPUS").map_or(beside, Into::into);
    if !corpus.is_dir() {
        println!("skipped: there are no real workspaces in {}", corpus.display());
        return;
    }
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let unstyled = look_without_styles(&mut browser);
    for name in REAL {
        let (_place, report) = report_of(&corpus.join(name));
        assert_quiet(&mut browser, &report, &unstyled, name);
        let server = Server::start(&report);
        assert_quiet_at(&mut browser, &report, &server.url(), &unstyled, name);
    }
}

#[test]
fn no_page_of_a_hostile_workspace_runs_or_loads_anything() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let unstyled = look_without_styles(&mut browser);
    for example in examples() {
        let workspace = hostile::workspace(&example);
        assert_quiet(&mut browser, &workspace.build(), &unstyled, &name_of(&example));
    }
}

#[test]
fn a_page_that_does_what_it_should_not_is_noticed() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
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

fn look_without_styles(browser: &mut Chromium) -> String {
    let look = browser.evaluate(LOOK);
    look.as_str().expect("a look").to_owned()
}

/// The same from disk.
fn assert_quiet(browser: &mut Chromium, report: &Path, unstyled: &str, name: &str) {
    assert_quiet_at(browser, report, &address(report), unstyled, name);
}

/// Opens every page of the report below `folder`, with its scripts and without, and asserts that
/// it does nothing but load, and has its styles.
fn assert_quiet_at(
    browser: &mut Chromium,
    report: &Path,
    folder: &str,
    unstyled: &str,
    name: &str,
) {
    let mut breaches = Vec::new();
    let files = support::tree(report).into_keys();
    let pages: Vec<String> = files.filter(|path| path.ends_with(".html")).collect();
    for scripts in [false, true] {
        browser.let_scripts_run(scripts);
        for page in &pages {
            let found = browser.open(&format!("{folder}{page}"), folder);
            let with = if scripts { "with" } else { "without" };
            breaches.extend(found.iter().map(|breach| format!("{page} {with} scripts: {breach}")));
            if browser.evaluate(LOOK) == unstyled {
                breaches.push(format!("{page}: the style sheet does not apply"));
            }
        }
    }
    let list = breaches.join("\n");
    assert!(breaches.is_empty(), "{name}: {} breaches:\n{list}", breaches.len());
}
