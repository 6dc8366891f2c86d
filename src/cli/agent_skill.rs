//! `evalbook init --agents`: the skill of evalbook where coding agents look for skills.

use std::path::{Path, PathBuf};

use crate::cli::skill_workspace::{made_line, refused_write};
use crate::cli::{CommandResult, Console, Failure};
use crate::scaffold;
use crate::write;
use input::files;

/// Installs the skill where it is not. A file that differs is somebody's work, so then nothing is
/// written.
pub(super) fn install(project: &Path, is_dry: bool, console: &mut Console) -> CommandResult {
    if !project.is_dir() {
        return Err(Failure::nothing(format!("there is no folder `{}`", project.display())));
    }
    // There it would count as an edit of that skill, which no run measured.
    if project.join("SKILL.md").is_file() {
        return Err(Failure::usage(format!("`{}` is a skill, not a project", project.display()))
            .help("give the folder of the project: `evalbook init --agents=DIR`"));
    }
    let files: Vec<(PathBuf, &str)> = scaffold::agent_files()
        .into_iter()
        .map(|(path, text)| (project.join(path), text))
        .collect();
    let mut differing: Vec<&Path> = Vec::new();
    for (place, text) in &files {
        if place.symlink_metadata().is_ok() && files::text(place).as_deref() != Some(*text) {
            differing.push(place);
        }
    }
    if !differing.is_empty() {
        return Err(stays(&differing));
    }
    let mut made = String::new();
    for (place, text) in &files {
        // Looked at again: one of the folders may be a link to another.
        if place.symlink_metadata().is_ok() {
            continue;
        }
        if !is_dry {
            write::new_file(place, text.as_bytes()).map_err(refused_write)?;
        }
        made += &made_line(place, "", is_dry);
    }
    if made.is_empty() {
        console.remark("agents have the skill already");
    }
    console.result(&made)
}

fn stays(differing: &[&Path]) -> Failure {
    let mut failure = Failure::nothing("files differ from the skill of this evalbook");
    for place in differing {
        failure =
            failure.help(format!("`{}` was edited, or is of another version", place.display()));
    }
    failure.help("nothing was written; move them away, and run this again to get the skill anew")
}
