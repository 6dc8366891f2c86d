//! How long a page takes until a reader can use it, over a blank page, in a real Chromium.
//!
//! `cargo bench --bench opening -- REPORT` prints the median milliseconds from the start of the
//! navigation to the end of the load event, when the scripts of the page have run.

#![allow(clippy::disallowed_methods, reason = "a benchmark makes its own page and waits for it")]

use std::path::{Path, PathBuf};

#[allow(dead_code, reason = "tests use more of it")]
#[path = "../tests/suite/support/chromium.rs"]
mod chromium;
#[path = "../tests/suite/support/waiting.rs"]
mod waiting;

/// How often each page is opened; the median counts.
const ROUNDS: usize = 15;

/// The pages that are measured.
const PAGES: &[&str] = &["index.html", "expectations.html", "history.html"];

fn main() {
    let report = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let Some(report) = report.map(PathBuf::from) else {
        println!("give the folder of a report: cargo bench --bench opening -- REPORT");
        return;
    };
    let Some(mut browser) = chromium::Chromium::start_if_found() else { return };
    let place = tempfile::tempdir().expect("a temporary folder");
    let blank = place.path().join("blank.html");
    std::fs::write(&blank, "<!doctype html><html lang=en><title>blank</title>").expect("a page");
    let base = median(&mut browser, &blank);
    println!("blank page {base:.0} ms");
    for page in PAGES {
        let path = report.canonicalize().expect("a report").join(page);
        // The landing page of many reports has no pages of one of them beside it.
        if !path.exists() {
            continue;
        }
        let time = median(&mut browser, &path);
        println!("{page} {time:.0} ms, {:.0} ms over a blank page", time - base);
    }
}

fn median(browser: &mut chromium::Chromium, page: &Path) -> f64 {
    let address = format!("file://{}", page.display());
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            browser.open(&address, "file://");
            let loaded = "performance.getEntriesByType('navigation')[0].loadEventEnd";
            browser.wait_for(&format!("{loaded} > 0"));
            browser.evaluate(loaded).as_f64().unwrap_or_default()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}
