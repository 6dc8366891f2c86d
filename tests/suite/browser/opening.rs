//! Reports in a real browser, from disk and from a host, with scripts and without: every page loads
//! without a console message, a failed load or a request to anywhere, and the style sheet applies.
//!
//! Where there is no Chromium, these tests say so and pass.

use std::net::TcpListener;
use std::path::Path;

use crate::support;
use crate::support::chromium::Chromium;
use crate::support::server::Server;
use crate::support::site::{every_page, one_of_each_kind};
use crate::support::{Workspace, address, examples, hostile, name_of, shared_report};

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
fn every_kind_of_page_opens_without_a_sound() {
    open_examples(one_of_each_kind);
}

#[test]
#[ignore = "slow: `tests/run --all`"]
fn every_page_opens_without_a_sound() {
    open_examples(every_page);
}

/// Opens pages of every example from disk and below a path of a host.
fn open_examples(pages_of: fn(&Path) -> Vec<String>) {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let unstyled = look_without_styles(&mut browser);
    for example in examples() {
        let report = shared_report(&example);
        let pages = pages_of(&report);
        let server = Server::start(&report);
        for folder in [address(&report), server.url()] {
            assert_quiet(&mut browser, &folder, &pages, &unstyled, &name_of(&example));
        }
    }
}

#[test]
fn every_kind_of_page_of_real_workspaces_opens_without_a_sound() {
    open_real_workspaces(one_of_each_kind);
}

#[test]
#[ignore = "slow: `tests/run --all`"]
fn every_page_of_real_workspaces_opens_without_a_sound() {
    open_real_workspaces(every_page);
}

fn open_real_workspaces(pages_of: fn(&Path) -> Vec<String>) {
    let neighbor = support::project().join("../shared/corpus");
    let corpus = std::env::var_os("EVALBOOK_CORPUS").map_or(neighbor, Into::into);
    if !corpus.is_dir() {
        println!("skipped: there are no real workspaces in {}", corpus.display());
        return;
    }
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let unstyled = look_without_styles(&mut browser);
    for name in REAL {
        let report = shared_report(&corpus.join(name));
        assert_quiet(&mut browser, &address(&report), &pages_of(&report), &unstyled, name);
    }
}

#[test]
fn no_kind_of_page_of_a_hostile_workspace_runs_or_loads_anything() {
    open_hostile_workspaces(one_of_each_kind);
}

#[test]
#[ignore = "slow: `tests/run --all`"]
fn no_page_of_a_hostile_workspace_runs_or_loads_anything() {
    open_hostile_workspaces(every_page);
}

fn open_hostile_workspaces(pages_of: fn(&Path) -> Vec<String>) {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let unstyled = look_without_styles(&mut browser);
    for example in examples() {
        let workspace = hostile::workspace(&example);
        let report = workspace.build();
        let pages = pages_of(&report);
        assert_quiet(&mut browser, &address(&report), &pages, &unstyled, &name_of(&example));
    }
}

/// A page that runs, loads, leaves and asks for focus wherever a page can.
const HOSTILE: &str = "<!doctype html><html onclick=x><base href=//x.example/ target=_top>\
    <meta http-equiv=refresh content='0;url=//x.example'><link rel=stylesheet href=//x.example>\
    <style>@import '//x.example';@font-face{font-family:a;src:url(//x.example)}\
    body{background:url(//x.example)} p{color:rgb(1,2,3)} b{background:u\\72l(//x.example)}</style>\
    <body onload=alert(1) background=//x.example><p id=p style='background:url(//x.example)'>shown\
    <script>document.title='ran';alert(1)</script><script src=//x.example></script>\
    <img src=//x.example onerror=alert(1)><img src=a.png srcset='//x.example 1x' alt=there>\
    <svg onload=alert(1)><script>alert(1)</script><style><img src=x onerror=alert(1)></style></svg>\
    <math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=x onerror=alert(1)&gt;'>\
    </math><noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>\
    <iframe src=//x.example></iframe><iframe srcdoc='<script>alert(1)</script>'></iframe>\
    <object data=//x.example></object><embed src=//x.example><video src=//x.example autoplay></video>\
    <form action=//x.example><input autofocus onfocus=alert(1)><button>b</button></form>\
    <a href=javascript:alert(1)>x</a><a href=#p>y</a><template><script>alert(1)</script></template>\
    <select><option>a</select><table background=//x.example><td>z";

#[test]
fn a_hostile_html_output_is_shown_without_a_sound() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let run = "iteration-1/good-case/with_skill/run-1/outputs";
    let workspace = Workspace::good().file(&format!("{run}/hostile.html"), HOSTILE);
    let report = workspace.build();
    let page = "iterations/iteration-1/good-case/with_skill-1.html";
    let files = support::tree(&report).into_keys();
    let copies: Vec<String> = files.filter(|path| support::site::is_copy(path)).collect();
    assert_eq!(copies.len(), 1);
    let server = Server::start(&report);
    for folder in [address(&report), server.url()] {
        for scripts in [false, true] {
            browser.let_scripts_run(scripts);
            let found = browser.open(&format!("{folder}{page}"), &folder);
            assert!(found.is_empty(), "{folder}: {found:?}");
            let frame = browser.evaluate(
                "(() => { const frame = document.querySelector('iframe'); frame.scrollIntoView();
                return [frame.sandbox.length, frame.getAttribute('sandbox'),
                    frame.contentDocument === null].join(); })()",
            );
            assert_eq!(frame, "0,,true");
            let found = browser.open(&format!("{folder}{}", copies[0]), &folder);
            assert!(found.is_empty(), "{folder}: {found:?}");
            assert_eq!(browser.evaluate(IN_COPY), "hostile.html|rgb(1, 2, 3)|");
        }
    }
}

/// What a copy is in the browser: its title, a color, what is there that must not.
const IN_COPY: &str = "(() => {
    const runs = 'script,iframe,object,embed,video,base,form,svg,math,template,img:not([src^=data])';
    const is_handler = name => name.startsWith('on') || name === 'autofocus';
    const all = [...document.querySelectorAll('*')];
    const odd = all.filter(it => it.matches(runs) || it.getAttributeNames().some(is_handler));
    const style = getComputedStyle(document.querySelector('#p'));
    return [document.title, style.color, odd.map(it => it.outerHTML).join()].join('|');
})()";

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

#[test]
fn what_one_page_had_on_its_way_is_not_held_against_the_next() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let never_answers = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let frame = never_answers.local_addr().expect("an address");
    // Asked for once the page is loaded, as a frame that is there from the start may hold that up.
    let ask = format!(
        "document.body.append(Object.assign(document.createElement('iframe'),
            {{ src: 'http://{frame}/' }}))"
    );
    let workspace = Workspace::new().file("quiet.html", "<p>nothing to load</p>");
    let folder = address(&workspace.path());
    for _ in 0..5 {
        let found = browser.open(&format!("{folder}quiet.html"), &folder);
        assert!(found.is_empty(), "{found:?}");
        browser.evaluate(&ask);
        never_answers.accept().expect("the frame is asked for");
    }
}

fn look_without_styles(browser: &mut Chromium) -> String {
    let look = browser.evaluate(LOOK);
    look.as_str().expect("a look").to_owned()
}

/// Opens each of `pages` below `folder`, with its scripts and without, and asserts that it does
/// nothing but load, and has its styles.
fn assert_quiet(
    browser: &mut Chromium,
    folder: &str,
    pages: &[String],
    unstyled: &str,
    name: &str,
) {
    let mut breaches = Vec::new();
    for scripts in [false, true] {
        browser.let_scripts_run(scripts);
        for page in pages {
            let found = browser.open(&format!("{folder}{page}"), folder);
            let with = if scripts { "with" } else { "without" };
            breaches.extend(found.iter().map(|breach| format!("{page} {with} scripts: {breach}")));
            if browser.evaluate(LOOK) == unstyled && !support::site::is_copy(page) {
                breaches.push(format!("{page}: the style sheet does not apply"));
            }
        }
    }
    let list = breaches.join("\n");
    assert!(breaches.is_empty(), "{name}: {} breaches:\n{list}", breaches.len());
}
