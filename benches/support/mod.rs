//! What benches share: made-up files, commands of evalbook, their time and memory.

#![allow(dead_code, reason = "each bench uses some of it")]
#![allow(clippy::disallowed_methods, reason = "a benchmark makes its input and measures time")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs of each measurement; the fastest counts, since noise only ever adds.
const ROUNDS: usize = 5;

/// How long the fastest of five runs takes.
pub fn best(mut run: impl FnMut()) -> Duration {
    let mut time = || {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..ROUNDS).map(|_| time()).min().unwrap_or_default()
}

fn command(program: &str, args: &[&str], workspace: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(args).arg(workspace).current_dir(folder);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Runs a command of evalbook on `workspace` in `folder`.
pub fn evalbook(args: &[&str], workspace: &Path, folder: &Path) {
    let status = command(env!("CARGO_BIN_EXE_evalbook"), args, workspace, folder).status();
    assert!(status.expect("evalbook").code().is_some_and(|code| code < 2));
}

/// Builds the report of `workspace` in `folder` with `program`: how long that takes, and the most
/// memory it holds, in bytes, as the system counts it while it runs; 0 where it does not.
pub fn measured_build(program: &str, workspace: &Path, folder: &Path) -> (Duration, u64) {
    let start = Instant::now();
    let args = ["build", "--quiet", "-o", "report"];
    let mut build = command(program, &args, workspace, folder).spawn().expect("evalbook");
    let status = format!("/proc/{}/status", build.id());
    let mut peak = 0;
    while build.try_wait().expect("a process").is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        peak = peak.max(kilobytes.unwrap_or(0_u64) * 1024);
        std::thread::sleep(Duration::from_millis(2));
    }
    (start.elapsed(), peak)
}

/// Writes a file below `workspace`, in folders that are made for it.
pub fn put(workspace: &Path, path: &str, text: &str) {
    let path = workspace.join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

/// Every file below `folder` with its size in bytes.
pub fn sizes(folder: &Path) -> Vec<(PathBuf, u64)> {
    let found = walkdir::WalkDir::new(folder).into_iter().filter_map(Result::ok);
    let files = found.filter(|entry| entry.file_type().is_file());
    let size = |entry: &walkdir::DirEntry| entry.metadata().map_or(0, |data| data.len());
    files.map(|entry| (entry.path().to_owned(), size(&entry))).collect()
}

pub fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
