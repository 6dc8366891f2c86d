//! What commands ask `git`: files of commits, and branches.

use std::env::var;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::cli::name_checks::is_address;
use input::files;
use text::most_similar;

/// The output of `git` in `folder` on `input`; `None` where it is missing or fails.
pub(super) fn ask(folder: &Path, args: &[&str], input: &str) -> Option<String> {
    let mut command = Command::new("git");
    // Set in hooks, they would name another repository than that of the skill.
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
    // Written while the output is read, so that neither side waits for the other.
    let writer = std::thread::spawn(move || pipe.write_all(input.as_bytes()));
    let output = child.wait_with_output().ok()?;
    let is_written = writer.join().is_ok_and(|written| written.is_ok()) || !output.status.success();
    let text = String::from_utf8(output.stdout).ok()?;
    if output.status.success() && is_written { Some(text) } else { None }
}

/// The text of `REV:PATH`, a file of a commit; `None` where there is none.
pub(super) fn file_of_commit(name: &Path) -> Option<String> {
    let (revision, path) = name.to_str()?.split_once(':')?;
    // `git` would take it for a flag.
    if revision.is_empty() || revision.starts_with('-') || path.is_empty() {
        return None;
    }
    ask(Path::new("."), &["cat-file", "blob", &format!("{revision}:{path}")], "")
}

/// Whether the repository around this folder has a branch of this name.
pub(super) fn has_branch(name: &str) -> bool {
    let branch = format!("refs/heads/{name}");
    ask(Path::new("."), &["rev-parse", "--verify", "--quiet", &branch], "").is_some()
}

/// Why there is no file `REV:PATH`, and what it may be meant to be; `None` outside of a repository, and where
/// `name` has another form.
pub(super) fn missing_in_commit(name: &Path) -> Option<(String, Option<String>)> {
    let name = name.to_str().filter(|name| !is_address(name))?;
    let (revision, path) = name.split_once(':')?;
    let here = Path::new(".");
    if revision.is_empty() || revision.starts_with('-') || path.is_empty() {
        return None;
    }
    ask(here, &["rev-parse", "--git-dir"], "")?;
    let Some(files) = ask(here, &["ls-tree", "-r", "--name-only", "--full-tree", revision], "")
    else {
        let branches = ask(here, &["for-each-ref", "--format=%(refname:short)"], "");
        let near = most_similar(revision, branches.as_deref().unwrap_or_default().lines());
        return Some((
            format!("there is no commit `{revision}`"),
            near.map(|near| format!("{near}:{path}")),
        ));
    };
    let near = most_similar(path, files.lines()).map(|near| format!("{revision}:{near}"));
    Some((format!("`{revision}` has no file `{path}`"), near))
}

/// The commit that is checked out in the repository with `folder`, and its time; `None` for what
/// `git` does not know.
pub(super) fn commit_of(folder: Option<&PathBuf>) -> (Option<String>, Option<String>) {
    let folder = folder.map_or(Path::new("."), PathBuf::as_path);
    // A folder of results may be an archive, which is no place to ask at.
    let folder = if folder.is_dir() { folder } else { Path::new(".") };
    let Some(text) = ask(folder, &["log", "-1", "--format=%H %cI"], "") else {
        return (None, None);
    };
    let mut words = text.split_whitespace().map(str::to_owned);
    (words.next(), words.next())
}

/// The branch that is checked out: as the workflow says, which checks out a commit, else as `git`
/// does.
pub(super) fn current_branch() -> Option<String> {
    if var("GITHUB_REF_TYPE").is_ok() {
        // The ref of a pull request is `12/merge`, which is the name of no branch that is built on.
        return var("GITHUB_REF_NAME").ok();
    }
    if let Ok(branch) = var("CI_COMMIT_BRANCH") {
        return Some(branch);
    }
    let branch = ask(Path::new("."), &["symbolic-ref", "--short", "HEAD"], "")?;
    Some(branch.trim().to_owned())
}

/// The default branch of the repository: as the workflow says, else that of `origin`, else the one
/// that is called `main` or `master`.
pub(super) fn default_branch() -> Option<String> {
    if let Some(branch) = var("GITHUB_EVENT_PATH").ok().and_then(|path| branch_of_event(&path)) {
        return Some(branch);
    }
    if let Ok(branch) = var("CI_DEFAULT_BRANCH") {
        return Some(branch);
    }
    let here = Path::new(".");
    // A clone knows it, a checkout by a runner does not.
    if let Some(name) = ask(here, &["symbolic-ref", "--short", "refs/remotes/origin/HEAD"], "") {
        return Some(name.trim().trim_start_matches("origin/").to_owned());
    }
    for name in ["main", "master"] {
        if has_branch(name) {
            return Some(name.to_owned());
        }
    }
    None
}

fn branch_of_event(path: &str) -> Option<String> {
    let event: Value = serde_json::from_str(&files::text(Path::new(path))?).ok()?;
    Some(event["repository"]["default_branch"].as_str()?.to_owned())
}
