//! `build --one-file`: one page to send, with all that fits, without requests. Its only script is the comment box.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::chromium::Chromium;
use crate::support::html::{Tag, tags};
use crate::support::{CommandOutput, Workspace, evalbook, grading, project, read_text, words};

/// The most bytes that mail and chat take.
const MOST: usize = 5_000_000;

fn one_file(place: &Workspace) -> String {
    let mut command = evalbook(&place.elsewhere());
    CommandOutput::of(command.arg("build").arg(place.path()).args(["--one-file", "sent.html"]))
        .assert_code(0);
    read_text(place.elsewhere().join("sent.html"))
}

/// What makes a browser ask for something, or a link that leads nowhere.
fn breaches(html: &str) -> Vec<String> {
    let tags = tags(html);
    let ids: Vec<&str> = tags.iter().filter_map(|tag| tag.get("id")).collect();
    let known: BTreeSet<&str> = ids.iter().copied().collect();
    let mut found = Vec::new();
    if known.len() < ids.len() {
        found.push("an id is there twice".to_owned());
    }
    for tag in &tags {
        for (name, value) in &tag.attributes {
            let is_fine = match name.as_str() {
                "href" => value.strip_prefix('#').is_some_and(|id| known.contains(id)),
                "src" => value.starts_with("data:"),
                "data" | "srcset" | "target" | "action" => false,
                _ => !name.starts_with("on"),
            };
            if !is_fine || tag.name == "link" {
                found.push(format!("<{} {name}=\"{value:.60}\">", tag.name));
            }
        }
    }
    found
}

#[test]
fn the_example_is_one_page_without_requests() {
    let place = Workspace::new().with(&project().join("examples/skill-creator"));
    let html = one_file(&place);
    assert!(html.len() <= MOST, "{} bytes", html.len());
    assert_eq!(breaches(&html), Vec::<String>::new());
    let scripts: Vec<Tag> = tags(&html).into_iter().filter(|tag| tag.name == "script").collect();
    assert!(scripts.len() == 1 && scripts[0].attributes.is_empty(), "{scripts:?}");
    // Without a script every case is one click away.
    let cases = html.split("class=\"file-cases\"").nth(1).expect("a list of cases");
    let cases = cases.split("</nav>").next().unwrap_or_default();
    assert_eq!(cases.matches("<li>").count(), 5, "{cases}");
    for part in ["class=\"headline\"", "review-page", "srcdoc=\"", "src=\"data:image/"] {
        assert!(html.contains(part), "{part}");
    }
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let file = place.elsewhere().join("sent.html");
    let address = format!("file://{}", file.display());
    assert_eq!(browser.open(&address, &address), Vec::<String>::new());
    let loaded = "performance.getEntriesByType('resource').filter((it) => !it.name.startsWith('data:')).length";
    assert_eq!(browser.evaluate(loaded), 0);
    let comment = "(() => {
        window.saved = [];
        URL.createObjectURL = (blob) => { blob.text().then((text) => window.saved.push(text)); return 'blob:x'; };
        const place = document.querySelector('.send-back');
        const field = place.querySelector('textarea');
        field.value = 'Shorter, please.';
        field.dispatchEvent(new Event('input'));
        document.querySelector('[data-save]').click();
        return place.dataset.commentOn;
    })()";
    let run = browser.evaluate(comment);
    browser.wait_for("window.saved.length === 1");
    let saved = browser.evaluate("window.saved[0]");
    let saved: Value = serde_json::from_str(saved.as_str().expect("a text")).expect("JSON");
    assert_eq!(saved["reviews"], json!([{ "run_id": run, "feedback": "Shorter, please." }]));
    let doubt = "(() => {
        const button = document.querySelector('.wrong-button');
        button.click();
        document.querySelector('[data-save]').click();
        return button.closest('li').querySelector('.check > b').textContent;
    })()";
    let check = browser.evaluate(doubt);
    browser.wait_for("window.saved.length === 2");
    let saved = browser.evaluate("window.saved[1]");
    let saved: Value = serde_json::from_str(saved.as_str().expect("a text")).expect("JSON");
    let reviews = saved["reviews"].as_array().expect("a list").iter();
    let disputed: Vec<&Value> = reviews.filter_map(|review| review.get("disputed")).collect();
    assert_eq!(disputed, [&json!([check])]);
    for width in [390, 1440] {
        browser.show(width, "light", "screen");
        let fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth";
        assert_eq!(browser.evaluate(fits), true, "{width}");
    }
}

#[test]
fn what_has_no_room_is_named() {
    let mut place = Workspace::new();
    for case in 0..24 {
        for side in ["with_skill", "without_skill"] {
            let folder = format!("iteration-1/case-{case}/{side}/run-1");
            let line = format!("A line of {side} in case {case} that says something.\n");
            place = place
                .file(&format!("{folder}/grading.json"), grading(&[("it is long", true, "yes")]))
                .file(&format!("{folder}/outputs/long.txt"), line.repeat(4_000));
        }
    }
    let html = one_file(&place);
    assert!(html.len() <= MOST, "{} bytes", html.len());
    assert_eq!(breaches(&html), Vec::<String>::new());
    assert!(html.contains("class=\"headline\""), "the overview comes first");
    let start = words::raw("one_file.left_out");
    let start = start.split('{').next().expect("a beginning").to_owned();
    assert!(html.contains(&start), "{start}");
}

#[test]
fn one_file_is_not_a_folder() {
    let place = Workspace::good();
    let ran = CommandOutput::of(evalbook(&place.path()).args([
        "build",
        ".",
        "--one-file",
        "a.html",
        "-o",
        "b",
    ]));
    assert_eq!(ran.code, Some(2), "{ran:?}");
}
