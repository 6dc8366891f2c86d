//! The skill that a workspace evaluates, as it is today: where it lies, what it holds and what it asks.

use std::path::{Path, PathBuf};

use crate::cli::skill_workspace::skill_digest;
use crate::cli::workspaces::OpenedWorkspace;
use crate::scaffold::{self, EVALS};
use input::discover::names;
use input::files::{Disk, Source};
use input::model::{Case, Measured, SkillToday};
use workspace::measured;

const SKILL: &str = "SKILL.md";

/// The folder of the skill of a workspace: the folder itself, the one beside it by its name, or the one that
/// it lies in.
pub(super) fn skill_of(workspace: &Path) -> Option<Disk> {
    let mut folders = vec![workspace.to_path_buf()];
    let real = workspace.canonicalize().ok()?;
    let name = real.file_name()?.to_string_lossy().into_owned();
    if let Some(skill) = name.strip_suffix("-workspace") {
        folders.push(real.with_file_name(skill));
    }
    folders.extend(real.parent().map(PathBuf::from));
    let skill = folders.into_iter().find(|folder| folder.join(SKILL).is_file())?;
    Disk::open(&skill).ok()
}

/// What the skill is today.
pub(super) fn skill_today(skill: &Disk, opened: &OpenedWorkspace) -> SkillToday {
    let mut today = SkillToday { digest: skill_digest(skill), ..SkillToday::default() };
    if let Some(name) = EVALS.iter().find(|name| skill.locate(name).is_file())
        && let (Some(evals), _) = scaffold::evals(skill, name)
    {
        for case in evals.cases {
            today.asked.push(asked(skill, name, &case));
            today.cases.push(case);
        }
    }
    let text = |source: &dyn Source, path: &str| {
        String::from_utf8(source.read(path, measured::SKILL_FILE_BYTES).ok()?).ok()
    };
    let Some(now) = text(skill, SKILL) else { return today };
    for copy in &opened.workspace.snapshots {
        let then = text(&opened.source, &opened.path(&names::join(&copy.path, SKILL)));
        if let (Some(digest), Some(then)) = (&copy.skill, then)
            && let Ok(difference) = diff::lines(&then, &now, &diff::Limits::default())
        {
            let counts = difference.counts;
            today.lines.insert(digest.clone(), [counts.added, counts.removed]);
        }
    }
    today
}

/// What a case asks, whose input files are named from the skill on, or from the file of the evals on.
pub(super) fn asked(skill: &Disk, evals: &str, case: &Case) -> Measured {
    measured::of_case(case, |name| {
        let places = [name.to_owned(), names::join(names::folder(evals), name)];
        places.iter().find_map(|path| skill.read(path, measured::SKILL_FILE_BYTES).ok())
    })
}
