//! The folder of a skill and that of its workspace, for `init` and `snapshot`.

use std::path::Path;
use std::sync::Arc;

use crate::cli::{CommandResult, Failure, name_checks};
use crate::write::WriteError;
use input::files::{self, Disk, EntryKind, Source};
use input::model::Iteration;
use input::names::{self, GivenSkill};
use input::settings::Settings;
use text::printable;
use workspace::measured;
use workspace::pipeline::{self, Input};

/// The line on what was made, or would be, and what is in it.
pub(super) fn made_line(made: &Path, what: &str, is_dry: bool) -> String {
    let verb = if is_dry { "would make" } else { "made" };
    let what = if what.is_empty() { String::new() } else { format!(": {what}") };
    printable(&format!("{verb} {}{what}", made.display())) + "\n"
}

/// Opens the folder of a skill.
pub(super) fn open_skill(path: &Path) -> CommandResult<Disk> {
    Disk::open(path).map_err(|error| {
        let mut near = name_checks::similar_path(path);
        // People give the `SKILL.md` itself.
        if near.is_none() && path.is_file() {
            near = Some(files::parent(path).display().to_string());
        }
        let failure = Failure::io("open", path, &error).meant(near);
        failure.help("give the folder of the skill, which holds its `SKILL.md`")
    })
}

/// The digest of a skill; `None` where it is not whole.
pub(super) fn skill_digest(skill: &Disk) -> Option<String> {
    let entries = skill.list(&names::is_never_entered);
    let files = entries.iter().filter(|entry| entry.kind == EntryKind::File);
    measured::digest_of_skill(files.map(|file| file.path.as_str()), |path| {
        skill.read(path, measured::SKILL_FILE_BYTES + 1).ok()
    })
}

pub(super) fn names_in(workspace: &Path) -> CommandResult<Vec<String>> {
    files::names_in(workspace).map_err(|error| {
        Failure::io("open", workspace, &error)
            .help("give the folder of the workspace, or one that does not exist yet")
    })
}

pub(super) fn refused_write(error: WriteError) -> Failure {
    let help = match &error {
        WriteError::Io { reason, .. } if reason == files::DENIED => {
            Some("make it writable for you, or give another folder for the workspace")
        }
        WriteError::Taken(_) => Some("another command made it just now; run this again"),
        _ => None,
    };
    help.into_iter().fold(Failure::from(error), Failure::help)
}

/// The newest iteration with a run that was made with the skill of this digest.
pub(super) fn round_of<'i>(evaluated: &'i [Iteration], skill: &str) -> Option<&'i Iteration> {
    evaluated.iter().rev().find(|iteration| {
        iteration.runs().any(|run| {
            names::given_skill(&run.configuration) == Some(GivenSkill::Today)
                && run.reuse.is_none()
                && run.measured.skill.as_deref() == Some(skill)
        })
    })
}

/// The newest copy of the skill in the workspace with this digest: `v2/skill`.
pub(super) fn copy_of(workspace: &Path, taken: &[String], skill: &str) -> Option<String> {
    let mut versions: Vec<&String> =
        taken.iter().filter(|name| names::version_number(name).is_some()).collect();
    versions.sort_by_key(|name| std::cmp::Reverse(names::version_number(name)));
    let mut copies = versions.into_iter().map(|name| format!("{name}/skill"));
    copies.find(|copy| {
        let disk = Disk::open(&workspace.join(copy)).ok();
        disk.and_then(|disk| skill_digest(&disk)).as_deref() == Some(skill)
    })
}

/// The iterations of the workspace. One that cannot be read has none: the copy is made all the same.
pub(super) fn evaluated(workspace: &Path) -> Vec<Iteration> {
    let Ok(disk) = Disk::open(workspace) else { return Vec::new() };
    let flags = Settings::default();
    let input = Input { needs_plans: true, ..Input::new(Arc::new(disk), "workspace", &flags) };
    let Ok(loaded) = pipeline::load(input) else { return Vec::new() };
    loaded.workspaces.into_iter().flat_map(|loaded| loaded.workspace.iterations).collect()
}
