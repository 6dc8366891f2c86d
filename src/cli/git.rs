//! The commit whose files are the ones at hand, asked of `git`.
//!
//! Only `ls-tree` and `hash-object --no-filters` look at files: they run no hook, no filter and no
//! monitor that a repository's settings could name, and what they compare is what is copied.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The commit in which exactly `files` of `folder` stand with the content they have; none without
/// git, outside a repository, or when anything is not committed.
pub(super) fn commit(folder: &Path, files: &[String]) -> Option<String> {
    // Relative paths would be taken from the top of the repository.
    let root = folder.to_str()?;
    let paths: String = files.iter().map(|path| format!("{root}/{path}\n")).collect();
    if paths.contains('\r') || paths.matches('\n').count() != files.len() {
        return None;
    }
    let head = ask(folder, &["rev-parse", "--verify", "--short=12", "HEAD"], "")?;
    let head = head.trim().to_owned();
    let tree = ask(folder, &["ls-tree", "-r", "-z", &head], "")?;
    let ids = ask(folder, &["hash-object", "--no-filters", "--stdin-paths"], &paths)?;
    let ids: Vec<&str> = ids.lines().collect();
    let at_hand: BTreeMap<&str, &str> =
        files.iter().map(String::as_str).zip(ids.iter().copied()).collect();
    let is_same = ids.len() == files.len() && committed(&tree) == at_hand;
    is_same.then_some(head)
}

/// Path to id of every file, without links and repositories inside.
fn committed(tree: &str) -> BTreeMap<&str, &str> {
    let entry = |line: &'_ str| -> Option<(usize, usize)> {
        let tab = line.find('\t')?;
        line.starts_with("100").then_some(())?;
        Some((line[..tab].rfind(' ')? + 1, tab))
    };
    let lines = tree.split('\0');
    lines
        .filter_map(|line| entry(line).map(|(id, tab)| (&line[tab + 1..], &line[id..tab])))
        .collect()
}

/// What `git` prints; none where it is missing or fails.
fn ask(folder: &Path, args: &[&str], input: &str) -> Option<String> {
    let mut command = Command::new("git");
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(name);
    }
    let mut child = command
        .args(["-c", "core.fsmonitor=false", "-c", "core.quotePath=false"])
        .args(args)
        .current_dir(folder)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut pipe = child.stdin.take()?;
    let input = input.to_owned();
    // Written beside reading, so that neither side waits for the other.
    let writer = std::thread::spawn(move || pipe.write_all(input.as_bytes()));
    let output = child.wait_with_output().ok()?;
    let is_written = writer.join().is_ok_and(|written| written.is_ok()) || !output.status.success();
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && is_written).then_some(text)
}
