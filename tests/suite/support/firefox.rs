//! A headless Firefox that opens one page. It cannot be asked what the page did: a server that pages
//! lead to counts the requests.

use std::process::{Command, Stdio};

/// Names under which a Firefox is looked for.
const NAMES: &[&str] = &["firefox-esr", "firefox"];

/// The name of a Firefox that starts, or a word on why the test checks nothing.
pub(crate) fn find() -> Option<&'static str> {
    let found = NAMES.iter().copied().find(|name| {
        let mut version = Command::new(name);
        version.arg("--version").stdin(Stdio::null());
        version.output().is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        println!("skipped: there is no Firefox on the path");
    }
    found
}

/// Opens `url` with a fresh profile until the page is loaded, and says whether it was drawn.
pub(crate) fn open(program: &str, url: &str) -> bool {
    let profile = tempfile::tempdir().expect("a temporary folder");
    let picture = profile.path().join("page.png");
    let status = Command::new(program)
        .args(["--headless", "--no-remote", "--profile"])
        .arg(profile.path())
        .arg("--screenshot")
        .arg(&picture)
        .arg(url)
        .env("HOME", profile.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.is_ok_and(|status| status.success()), "{program} opens {url}");
    picture.is_file()
}
