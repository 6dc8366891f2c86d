//! `evalbook init --agents`: the skill of evalbook where coding agents look for skills.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::cli::skill_workspace::{made_line, refused_write};
use crate::cli::{CommandResult, Console, Failure};
use crate::scaffold;
use crate::write;
use input::files;
use text::printable;

/// A file that is to be written.
struct AgentFile {
    place: PathBuf,
    /// What is there already.
    before: Option<String>,
    text: &'static str,
}

/// Installs the skill, and updates an earlier version of it; a file of somebody else stays.
pub(super) fn install(project: &Path, is_dry: bool, console: &mut Console) -> CommandResult {
    if !project.is_dir() {
        return Err(Failure::nothing(format!("there is no folder `{}`", project.display())));
    }
    let mut files = Vec::new();
    // All places first: one file that stays in the way leaves none of them half installed.
    for (path, text) in scaffold::agent_files() {
        let place = project.join(path);
        let before = current(&place, text)?;
        files.push(AgentFile { place, before, text });
    }
    let mut made = String::new();
    for AgentFile { place, before, text } in files {
        // Read again: one of the folders may be a link to another.
        if current(&place, text)?.as_deref() == Some(text) {
            continue;
        }
        if !is_dry && before.is_none() {
            write::new_file(&place, text.as_bytes()).map_err(refused_write)?;
        } else if !is_dry {
            write::file(&place, text.as_bytes())?;
        }
        match before {
            None => made += &made_line(&place, is_dry),
            Some(before) => made += &difference(&place, &before, text, is_dry),
        }
    }
    if made.is_empty() {
        console.remark("agents have the skill already");
    }
    console.result(&made)
}

/// The text at `place`; a failure if it is neither `text` nor of an earlier version of the skill.
fn current(place: &Path, text: &str) -> CommandResult<Option<String>> {
    if place.symlink_metadata().is_err() {
        return Ok(None);
    }
    let found = files::text(place);
    let is_ours = files::text(&skill_of(place)).is_some_and(|skill| {
        skill.starts_with("---") && skill.lines().any(|line| line == "name: evalbook")
    });
    match found {
        Some(found) if is_ours || found == text => Ok(Some(found)),
        _ => Err(Failure::nothing(format!("`{}` is not what would be written", place.display()))
            .help("remove it to get the skill of this version of evalbook")),
    }
}

/// The `SKILL.md` of the skill that `place` is a file of.
fn skill_of(place: &Path) -> PathBuf {
    let folder = place.ancestors().find(|folder| folder.ends_with("evalbook"));
    folder.unwrap_or(place).join("SKILL.md")
}

/// What an update changes: the lines that go, then those that come.
fn difference(place: &Path, before: &str, after: &str, is_dry: bool) -> String {
    let verb = if is_dry { "would update" } else { "updated" };
    let mut text = printable(&format!("{verb} {}", place.display())) + "\n";
    for (sign, from, other) in [("-", before, after), ("+", after, before)] {
        let known: BTreeSet<&str> = other.lines().collect();
        for line in from.lines().filter(|line| !known.contains(line)) {
            text += &format!("  {sign} {}\n", printable(line));
        }
    }
    text
}
