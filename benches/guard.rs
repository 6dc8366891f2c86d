//! What the leak guard costs: 60 MB of outputs with and without it, and texts made to be slow.
//!
//! `cargo bench --bench guard` prints how long `build` takes with the guard and with `--no-redact`,
//! the share that the guard adds, and the speed on each hostile text.

#![allow(clippy::disallowed_methods, reason = "a measurement makes folders and measures time")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs of each measurement; the fastest counts, since noise only ever adds.
const ROUNDS: usize = 5;

const LINE: &str =
    "The task asks for a token summary; see /home/alice/work and sk-learn (key: value).\n";

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let workspace = folder.path().join("workspace");
    fill(&workspace);
    let with = best(|| build(&workspace, folder.path(), &[]));
    let without = best(|| build(&workspace, folder.path(), &["--no-redact"]));
    let share = (with.as_secs_f64() / without.as_secs_f64() - 1.0) * 100.0;
    println!("60 MB: {with:.2?} with the guard, {without:.2?} without: {share:+.1} %");
    let beginnings = [
        LINE,
        "-----BEGIN PRIVATE KEY-----\n",
        "eyJeyJ.eyJ.",
        "https://a:b",
        "api_key=\"",
        "Bearer ",
        "sk-sk-",
        "/home/",
        "://",
        "Authorization: Basic ",
        "\\u0061\\/",
        "a1B2c3D4",
        "token=",
        "@:@//",
    ];
    for beginning in beginnings {
        let text = beginning.repeat(4_000_000 / beginning.len());
        let time = best(evalbook::bench_guard(text));
        println!("{:>8.0} MB/s {beginning:?}", 4.0 / time.as_secs_f64());
    }
}

/// 600 runs with 100 KB each.
fn fill(workspace: &Path) {
    for case in 0..100 {
        for (configuration, runs) in [("with_skill", 1..=3), ("without_skill", 1..=3)] {
            for run in runs {
                let folder =
                    workspace.join(format!("iteration-1/case-{case}/{configuration}/run-{run}"));
                fs::create_dir_all(folder.join("outputs")).expect("a folder");
                let grading =
                    r#"{"expectations": [{"text": "a", "passed": true, "evidence": "b"}]}"#;
                fs::write(folder.join("grading.json"), grading).expect("a grading");
                let text = format!("{case} {configuration} {run}\n{}", LINE.repeat(1_220));
                fs::write(folder.join("outputs/answer.md"), text).expect("an output");
            }
        }
    }
}

fn build(workspace: &Path, folder: &Path, flags: &[&str]) {
    let status = Command::new(env!("CARGO_BIN_EXE_evalbook"))
        .args(["build", "--quiet", "-o", "report"])
        .args(flags)
        .arg(workspace)
        .current_dir(folder)
        .stderr(Stdio::null())
        .status()
        .expect("the program starts");
    assert!(status.success());
}

fn best(mut work: impl FnMut()) -> Duration {
    let mut time = || {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..ROUNDS).map(|_| time()).min().unwrap_or_default()
}
