//! What it costs to put a report into a site of 100 others, compared with writing it alone.
//!
//! `cargo bench --bench site [-- WORKSPACE]` prints the best of five of each.

mod support;

use std::path::Path;

use support::{best, evalbook};

/// Reports in the site before.
const REPORTS: usize = 100;

fn main() {
    let given = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let workspace =
        given.unwrap_or_else(|| format!("{}/examples/skill-creator", env!("CARGO_MANIFEST_DIR")));
    let place = tempfile::tempdir().expect("a temporary folder");
    let site = place.path().join("site");
    let workspace = Path::new(&workspace).canonicalize().expect("a workspace");
    let build = |args: &[&str]| {
        evalbook(&[&["build", "--quiet"], args].concat(), &workspace, place.path());
    };
    let into = |name: &str| build(&["--into", "site", "--name", name]);
    into("pr-0");
    for number in 1..REPORTS {
        copy(&site.join("pr-0"), &site.join(format!("pr-{number}")));
    }
    let alone = best(|| build(&["-o", "report"]));
    let replaced = best(|| into("pr-7"));
    println!("alone {} ms", alone.as_millis());
    println!(
        "into a site of {REPORTS} reports {} ms, {} ms more",
        replaced.as_millis(),
        replaced.saturating_sub(alone).as_millis()
    );
}

fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.expect("a readable entry");
        let target = to.join(entry.path().strip_prefix(from).expect("a path below"));
        if entry.file_type().is_dir() {
            std::fs::create_dir(&target).expect("a folder");
        } else {
            std::fs::copy(entry.path(), &target).expect("a copy");
        }
    }
}
