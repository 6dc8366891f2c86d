//! The skill that a workspace evaluates, as it is today: where it lies, what it holds and what it asks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::cli::skill_workspace::skill_digest;
use crate::cli::workspaces::OpenedWorkspace;
use crate::scaffold::{self, EVALS};
use guard::Guard;
use input::files::{Disk, EntryKind, Source};
use input::model::{Case, Measured, SkillToday, Workspace};
use input::names;
use input::settings::Settings;
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
        today.name = evals.skill;
        today.never_run = never_run(&evals.cases, &opened.workspace);
        for case in evals.cases {
            today.asked.push(asked(skill, name, &case));
            today.cases.push(case);
        }
    }
    // The skill-creator keeps one copy, from before its edit: what came after is the skill itself.
    if let Some(copy) = opened.workspace.snapshots.last()
        && names::is_snapshot(names::file_name(&copy.path))
    {
        today.texts = shown_texts(skill, &opened.settings);
    }
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

/// The names of the planned cases that no iteration ran; none where it is not known of every case that ran
/// which of the planned ones it is.
fn never_run(planned: &[Case], workspace: &Workspace) -> Vec<String> {
    let rounds = workspace.iterations.iter().flat_map(|round| &round.cases);
    let ran: Vec<&Case> = rounds.filter(|case| !case.runs.is_empty()).collect();
    if ran.is_empty() || !ran.iter().all(|ran| planned.iter().any(|case| case.is_same_as(ran))) {
        return Vec::new();
    }
    let mut names = Vec::new();
    for case in planned {
        if !ran.iter().any(|ran| case.is_same_as(ran)) {
            names.extend(case.stated_name().or(case.id.as_deref()).map(str::to_owned));
        }
    }
    names
}

fn text(source: &dyn Source, path: &str) -> Option<String> {
    String::from_utf8(source.read(path, measured::SKILL_FILE_BYTES).ok()?).ok()
}

/// The texts of the files of a skill as they may be shown. It lies outside of the workspace, so what was
/// searched there for secrets says nothing of it.
fn shown_texts(skill: &Disk, settings: &Settings) -> BTreeMap<String, String> {
    let mut entries = skill.list(&names::is_never_entered);
    entries.retain(|entry| {
        let is_small = entry.bytes <= measured::SKILL_FILE_BYTES;
        entry.kind == EntryKind::File && is_small && names::is_of_skill(&entry.path)
    });
    entries.truncate(measured::SKILL_FILES);
    let mut guard = if settings.no_redact {
        Guard::off(entries)
    } else {
        let mut rules = settings.own_secret_rules.clone().unwrap_or_default();
        rules.rules.extend(settings.secret_rules.iter().cloned());
        Guard::new(entries, &[], &rules)
    };
    guard.scan(skill, &|_| true);
    let mut texts = BTreeMap::new();
    for entry in guard.entries() {
        let bytes = guard.read(skill, &entry.path, measured::SKILL_FILE_BYTES);
        if let Some(text) = bytes.ok().as_deref().and_then(formats::decode) {
            texts.insert(entry.path.clone(), text.content.into_owned());
        }
    }
    texts
}

/// What a run of a case would miss, as the end of a sentence about the case.
pub(super) fn lacks(skill: &Disk, evals: &str, case: &Case) -> Vec<String> {
    const LEFT_OPEN: [&str; 2] = ["…", "..."];
    let mut lacks = Vec::new();
    if case.prompt.as_deref().is_some_and(|prompt| LEFT_OPEN.contains(&prompt.trim())) {
        lacks.push("has its `prompt` still to be written".to_owned());
    }
    if case.planned.iter().any(|check| LEFT_OPEN.contains(&check.text.trim())) {
        lacks.push("has a check still to be written".to_owned());
    }
    for file in &case.files {
        if !places(evals, file).iter().any(|path| skill.locate(path).exists()) {
            lacks.push(format!("needs `{file}`, and there is no such file in the skill"));
        }
    }
    lacks
}

fn places(evals: &str, name: &str) -> [String; 2] {
    [name.to_owned(), names::join(names::folder(evals), name)]
}

/// What a case asks, whose input files are named from the skill on, or from the file of the evals on.
pub(super) fn asked(skill: &Disk, evals: &str, case: &Case) -> Measured {
    measured::of_case(case, |name| {
        let places = places(evals, name);
        places.iter().find_map(|path| skill.read(path, measured::SKILL_FILE_BYTES).ok())
    })
}
