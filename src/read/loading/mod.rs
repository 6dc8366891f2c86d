//! Whether the agent of a run loaded the skill, according to the records of the run.
//!
//! Entry point: [`find`], for all runs of a workspace. Steps:
//!
//! 1. Files that may record a run are chosen by their names.
//! 2. A record becomes a list of calls, results and messages, whichever harness wrote it: JSON by
//!    the tables of `harness`, Markdown by the forms in `prose`.
//! 3. `judge` looks for the skill in whatever loads one: a tool for skills, a read of its
//!    `SKILL.md`, a command that prints it, an event, a message of the harness.
//!
//! Failed calls, lists of available skills, an order to read the skill, and counts such as
//! `{"Skill": 1}` without a name are not signs. *Not loaded* needs a complete record with calls of
//! a known shape: an agent's own account of its run may leave some out.

mod harness;
mod judge;
mod names;
mod prose;
mod record;
mod shell;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::discover::names::{file_name, folder, folders_above, join, split_extension};
use crate::files::Source;
use crate::model::{Code, Loading, LoadingState, Output, Place, Problem, Run, Workspace};
use crate::read::document;
use crate::read::loading::names::SkillNames;
use crate::text::{folded_name, is_listed};

/// Files that record a run: words in their names, whole names without extension, extensions.
const RECORD_WORDS: &[&str] = &["transcript", "trajectory", "rollout"];
const RECORD_NAMES: &str = "events session trace stream conversation messages claude_code codex \
    opencode gemini_cli reward result prompts run_record";
const RECORD_EXTENSIONS: &str = "json jsonl ndjson md txt log";

/// Only the beginning of a longer record is read; it can show that the skill was loaded.
const MAX_RECORD_BYTES: u64 = 16 * 1024 * 1024;

/// The part of a `SKILL.md` that is read for its name, in bytes.
const MAX_HEAD_BYTES: u64 = 16 * 1024;

const MAX_RECORDS_OF_RUN: usize = 8;

/// Words in names of configurations that run without the skill.
const WITHOUT: &[&str] = &["without", "no_skill", "noskill", "skill_free"];

/// Names of those that do so unless several copies of the skill show that versions are compared.
const PERHAPS_WITHOUT: &str = "baseline vanilla control base";

/// What the record `text` says about the skill, without the record's own path.
fn judge_text(text: &str, names: &SkillNames) -> Loading {
    let record = record::read_json(text, names).unwrap_or_else(|| prose::read_prose(text));
    judge::judge(&record, names)
}

/// Fills in what the records of every run in `workspace` say. `paths` are all files below the
/// workspace, which is at `prefix` in `source`.
pub fn find(workspace: &mut Workspace, paths: &[&str], source: &dyn Source, prefix: &str) {
    let records: Vec<&str> = paths.iter().copied().filter(|path| is_record(path)).collect();
    if records.is_empty() {
        return;
    }
    let names = skill_names(workspace, source, prefix);
    let runs: Vec<&Run> =
        workspace.iterations.iter().flat_map(|iteration| iteration.runs()).collect();
    let homes: BTreeSet<&str> = runs.iter().map(|run| run.path.as_str()).collect();
    // A record belongs to the nearest run above it.
    let mut by_home: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for path in records {
        let above = folders_above(folder(path)).filter(|folder| !folder.is_empty());
        if let Some(home) = above.filter(|folder| homes.contains(folder)).last() {
            by_home.entry(home).or_default().push(path);
        }
    }
    let finder = Finder { by_home, names, source, prefix };
    let loadings: Vec<Loading> = runs.par_iter().map(|run| finder.loading_of(run)).collect();
    let copies = workspace.snapshots.len();
    let cases = workspace.iterations.iter_mut().flat_map(|iteration| &mut iteration.cases);
    for (run, loading) in cases.flat_map(|case| &mut case.runs).zip(loadings) {
        workspace.problems.extend(contamination(run, &loading, copies));
        run.loading = loading;
    }
}

fn is_record(path: &str) -> bool {
    let (stem, extension) = split_extension(file_name(path));
    let stem = folded_name(stem);
    let ends = |word: &&str| stem.starts_with(*word) || stem.ends_with(*word);
    is_listed(RECORD_EXTENSIONS, &extension)
        && (is_listed(RECORD_NAMES, &stem) || RECORD_WORDS.iter().any(ends))
}

/// The names of the skill: recorded, stated in its copies, or from the workspace.
fn skill_names(workspace: &Workspace, source: &dyn Source, prefix: &str) -> SkillNames {
    let stated = |file: &Output| {
        let bytes = source.read(&join(prefix, &file.path), MAX_HEAD_BYTES).ok()?;
        names::name_in_file(&String::from_utf8_lossy(&bytes)).map(str::to_owned)
    };
    let files = workspace.snapshots.iter().flat_map(|copy| &copy.files);
    let skills = files.filter(|file| file.name.eq_ignore_ascii_case("SKILL.md"));
    let mut own_names: Vec<String> = skills.filter_map(stated).collect();
    own_names.extend(workspace.skill.clone());
    if own_names.is_empty() {
        own_names.extend(workspace.name.strip_suffix("-workspace").map(str::to_owned));
    }
    let folders = workspace.snapshots.iter().map(|copy| file_name(&copy.path));
    // A folder that may contain the skill under test without its own name.
    SkillNames::new(own_names.iter().map(String::as_str), folders.chain(["skill"]))
}

struct Finder<'a> {
    by_home: BTreeMap<&'a str, Vec<&'a str>>,
    names: SkillNames,
    source: &'a dyn Source,
    prefix: &'a str,
}

impl Finder<'_> {
    fn loading_of(&self, run: &Run) -> Loading {
        let transcript_path = run.transcript.as_ref().map(|transcript| transcript.path.as_str());
        let inside = self.by_home.get(run.path.as_str()).into_iter().flatten().copied();
        let paths =
            transcript_path.into_iter().chain(inside.filter(|path| Some(*path) != transcript_path));
        let loadings: Vec<Loading> =
            paths.take(MAX_RECORDS_OF_RUN).filter_map(|path| self.judge_file(path, run)).collect();
        let used = loadings.iter().any(|loading| loading.used);
        let best = loadings.into_iter().min_by_key(|loading| match loading.state {
            // An explicit field.
            LoadingState::NotLoaded if loading.call.is_some() => 0,
            LoadingState::Loaded => 1,
            LoadingState::Given => 2,
            LoadingState::NotLoaded => 3,
            LoadingState::Unknown => 4,
        });
        Loading { used, ..best.unwrap_or_default() }
    }

    fn judge_file(&self, path: &str, run: &Run) -> Option<Loading> {
        let bytes = self.source.read(&join(self.prefix, path), MAX_RECORD_BYTES + 1).ok()?;
        let (text, _) = document::decode(path, &bytes);
        let mut loading = judge_text(&text, &self.names);
        let is_whole = bytes.len() as u64 <= MAX_RECORD_BYTES && run.error.is_none();
        let is_own = run.transcript.as_ref().is_some_and(|transcript| transcript.path == path);
        // A deeper file may be a requested output of the run.
        let shows_all = is_whole && (is_own || folder(path) == run.path);
        let is_derived = loading.call.is_none() && loading.state != LoadingState::Loaded;
        if is_derived && !shows_all {
            loading.state = LoadingState::Unknown;
        }
        loading.file = (loading.state != LoadingState::Unknown).then(|| path.to_owned());
        Some(loading)
    }
}

/// The problem of a run without the skill that loaded it.
fn contamination(run: &Run, loading: &Loading, copies: usize) -> Option<Problem> {
    let name = folded_name(&run.configuration);
    let is_without = WITHOUT.iter().any(|word| name.contains(word))
        || (copies < 2 && is_listed(PERHAPS_WITHOUT, &name));
    let file = loading.file.as_ref()?;
    if !is_without || loading.had_skill() != Some(true) {
        return None;
    }
    let message = format!("a run of `{}` had the skill", run.configuration);
    let place = loading.line.map(|line| Place { line, column: 1 });
    let help = "run it again where the skill cannot be found";
    Some(Problem::new(Code::BaselineLoaded, file, message).at(place).help(help))
}

#[cfg(test)]
mod tests;
