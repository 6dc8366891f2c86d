//! Every kind of page of every example before axe-core: light and dark, wide and narrow, folded
//! and unfolded.
//!
//! Where there is no Chromium, this test says so and passes.

use crate::support::chromium::Chromium;
use crate::support::site::{is_copy, one_of_each_kind};
use crate::support::{address, examples, name_of, shared_report};

/// axe-core, which runs inside of the page and is never shipped.
const AXE: &str = include_str!("../../vendor/axe.min.js");

/// Its findings as lines. A difference shows parts of documents, whose headings keep their level.
const FINDINGS: &str = "axe.run(document, { iframes: false, resultTypes: ['violations'], reporter: 'v1' }).then((result) =>
    result.violations.flatMap((violation) => violation.nodes.filter((node) =>
        violation.id != 'heading-order' || !node.target.join(' ').includes('.two')).slice(0, 3).map((node) =>
        `${violation.id} at ${node.target.join(' ')}: ${node.any.concat(node.all, node.none).map((check) => check.message).join('; ') || violation.help}`)))";

/// Width, scheme, and whether everything folded is open.
const WAYS: [(u32, &str, bool); 3] =
    [(1440, "light", false), (1440, "dark", true), (390, "light", true)];

#[test]
fn no_kind_of_page_keeps_anyone_out() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let mut breaches = Vec::new();
    for example in examples() {
        let report = shared_report(&example);
        let folder = address(&report);
        let pages = one_of_each_kind(&report).into_iter();
        for page in pages.filter(|page| !is_copy(page)) {
            browser.open(&format!("{folder}{page}"), &folder);
            browser.evaluate(&format!("{AXE};true"));
            for (width, scheme, open) in WAYS {
                browser.show(width, scheme, "screen");
                let unfold =
                    "document.querySelectorAll('details').forEach((it) => { it.open = OPEN; })";
                browser.evaluate(&unfold.replace("OPEN", if open { "true" } else { "false" }));
                let found = browser.evaluate(FINDINGS);
                let place = format!("{}/{page}, {width} px, {scheme}", name_of(&example));
                let found = found.as_array().expect("a list").iter();
                breaches.extend(found.map(|finding| format!("{place}: {finding}")));
            }
        }
    }
    assert!(breaches.is_empty(), "{} breaches:\n{}", breaches.len(), breaches.join("\n"));
}
