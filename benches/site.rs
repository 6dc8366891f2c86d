//! What it costs to put a report into a site of 100 others, compared with writing it alone.
//!
//! `cargo bench --bench site [-- WORKSPACE]` prints the best of five of each.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Reports in the site before.
const REPORTS: usize = 100;

/// How often each is done; the best counts.
const ROUNDS: usize = 5;

fn main() {
    let given = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let workspace =
        given.unwrap_or_else(|| format!("{}/examples/skill-creator", env!("CARGO_MANIFEST_DIR")));
    let place = tempfile::tempdir().expect("a temporary folder");
    let site = place.path().join("site");
    let into = |name: &str| build(&workspace, &["--into", "site", "--name", name], place.path());
    into("pr-0");
    for number in 1..REPORTS {
        copy(&site.join("pr-0"), &site.join(format!("pr-{number}")));
    }
    let best = |run: &dyn Fn() -> Duration| (0..ROUNDS).map(|_| run()).min().unwrap_or_default();
    let alone = best(&|| build(&workspace, &["-o", "report"], place.path()));
    let replaced = best(&|| into("pr-7"));
    println!("alone {} ms", alone.as_millis());
    println!(
        "into a site of {REPORTS} reports {} ms, {} ms more",
        replaced.as_millis(),
        replaced.saturating_sub(alone).as_millis()
    );
}

#[allow(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn build(workspace: &str, flags: &[&str], place: &Path) -> Duration {
    let start = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalbook"));
    let status = command
        .arg("build")
        .arg(Path::new(workspace).canonicalize().expect("a workspace"))
        .args(flags)
        .arg("--quiet")
        .current_dir(place)
        .status();
    assert!(status.expect("the program starts").success());
    start.elapsed()
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
