//! Whether the agent of a run loaded the skill, according to the records of the run.
//!
//! Entry point: [`of_runs`], a step after the runs of a workspace are known. It chooses files that
//! may record a run by their names; `formats::transcript` reads them, whichever harness wrote them;
//! `state` looks for the skill in whatever loads one: a tool for skills, a read of its `SKILL.md`, a
//! command that prints it, an event, a message of the harness.
//!
//! Failed calls, lists of available skills, an order to read the skill, and counts such as
//! `{"Skill": 1}` without a name are not signs. *Not loaded* needs a complete record with calls of
//! a known shape: an agent's own account of its run may leave some out.

mod commands;
mod skill_names;
mod state;
mod stated;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::read::document;
use crate::read::loading::skill_names::{SkillNames, name_in_file};
use crate::read::loading::state::{RecordFindings, search_record};
pub(super) use crate::read::loading::stated::in_run_document as stated_in;
use formats::limits::MAX_DOCUMENT_BYTES;
use input::files::Source;
use input::model::{Loading, LoadingState, Output, Run, Workspace};
use input::names::{file_name, folder, folders_above, join, split_extension};
use text::{folded_name, is_listed};

/// What the records of one run say.
#[derive(Clone, Debug, Default)]
pub struct RunRecords {
    /// Whether the agent loaded the skill, and the file and line that show it.
    pub loading: Loading,
    /// The model that the first record with one names.
    pub model: Option<String>,
    /// The record that shows the agent reading the expectations of cases, and its line.
    pub answer_key: Option<(String, usize)>,
    /// The record that shows the agent reading an output of another run, its line, and that run.
    pub other_run: Option<(String, usize, String)>,
}

/// What the records of each run in `workspace` say, in the order of its runs; empty if there are no
/// records. `paths` are all files below the workspace, which is at `prefix` in `source`.
pub fn of_runs(
    workspace: &Workspace,
    paths: &[&str],
    source: &dyn Source,
    prefix: &str,
) -> Vec<RunRecords> {
    let records: Vec<&str> = paths.iter().copied().filter(|path| is_record(path)).collect();
    let runs: Vec<&Run> =
        workspace.iterations.iter().flat_map(|iteration| iteration.runs()).collect();
    if records.is_empty() && runs.iter().all(|run| run.loading.is_empty()) {
        return Vec::new();
    }
    let names = skill_names(workspace, source, prefix);
    let homes: BTreeSet<&str> = runs.iter().map(|run| run.path.as_str()).collect();
    // A record belongs to the nearest run above it.
    let mut by_home: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for path in records {
        let above = folders_above(folder(path)).filter(|folder| !folder.is_empty());
        if let Some(home) = above.filter(|folder| homes.contains(folder)).last() {
            by_home.entry(home).or_default().push(path);
        }
    }
    let finder = Finder { homes, by_home, names, source, prefix };
    runs.par_iter().map(|run| finder.records_of(run)).collect()
}

/// Whether a file may record a run, by its name.
fn is_record(path: &str) -> bool {
    const WORDS: &[&str] = &["transcript", "trajectory", "rollout"];
    const NAMES: &str = "events session trace stream conversation messages claude_code codex \
        opencode gemini_cli reward result prompts run run_record raw";
    let (stem, extension) = split_extension(file_name(path));
    let stem = folded_name(stem);
    let has_word = WORDS.iter().any(|word| stem.starts_with(word) || stem.ends_with(word));
    is_listed("json jsonl ndjson md txt log", &extension) && (has_word || is_listed(NAMES, &stem))
}

/// The names of the skill: recorded, stated in its copies, or from the workspace.
fn skill_names(workspace: &Workspace, source: &dyn Source, prefix: &str) -> SkillNames {
    let files = workspace.snapshots.iter().flat_map(|copy| &copy.files);
    let skills = files.filter(|file| file.name.eq_ignore_ascii_case("SKILL.md"));
    let mut names: Vec<String> =
        skills.filter_map(|skill| stated_name(skill, source, prefix)).collect();
    names.extend(workspace.skill.clone());
    if names.is_empty() {
        names.extend(workspace.name.strip_suffix("-workspace").map(str::to_owned));
    }
    let folders = workspace.snapshots.iter().map(|copy| file_name(&copy.path));
    // A folder that may contain the skill under test without its own name.
    SkillNames::new(names.iter().map(String::as_str), folders.chain(["skill"]))
}

/// The name in the head of a `SKILL.md`.
fn stated_name(skill: &Output, source: &dyn Source, prefix: &str) -> Option<String> {
    const HEAD_BYTES: u64 = 16 * 1024;
    let bytes = source.read(&join(prefix, &skill.path), HEAD_BYTES).ok()?;
    name_in_file(&String::from_utf8_lossy(&bytes)).map(str::to_owned)
}

struct Finder<'a> {
    /// The paths of all runs.
    homes: BTreeSet<&'a str>,
    /// The records of each run by its path.
    by_home: BTreeMap<&'a str, Vec<&'a str>>,
    names: SkillNames,
    source: &'a dyn Source,
    prefix: &'a str,
}

impl Finder<'_> {
    fn records_of(&self, run: &Run) -> RunRecords {
        let mut paths: Vec<&str> = Vec::new();
        paths.extend(run.transcript.as_ref().map(|transcript| transcript.path.as_str()));
        for path in self.by_home.get(run.path.as_str()).into_iter().flatten() {
            if !paths.contains(path) {
                paths.push(path);
            }
        }
        let answer_key = run.loading.answer_key.clone();
        let mut records = RunRecords { answer_key, ..RunRecords::default() };
        let mut loadings = Vec::new();
        if !run.loading.is_empty() {
            loadings.push(run.loading.clone());
        }
        for path in paths {
            let Some(found) = self.judge_file(path, run) else { continue };
            loadings.push(found.loading);
            records.model = records.model.or(found.model);
            records.answer_key = records.answer_key.or(found.answer_key);
            records.other_run = records.other_run.or(found.other_run);
        }
        let used = loadings.iter().any(|loading| loading.used);
        let is_prompt_cut = loadings.iter().any(|loading| loading.is_prompt_cut);
        let best = loadings.into_iter().min_by_key(|loading| match loading.state {
            // An explicit field.
            LoadingState::NotLoaded if loading.call.is_some() => 0,
            LoadingState::Loaded => 1,
            LoadingState::Given => 2,
            LoadingState::NotLoaded => 3,
            LoadingState::Unknown => 4,
        });
        let answer_key = records.answer_key.clone();
        let is_given_checks = run.loading.is_given_checks;
        let best = best.unwrap_or_default();
        records.loading = Loading { used, is_prompt_cut, answer_key, is_given_checks, ..best };
        records
    }

    fn judge_file(&self, path: &str, run: &Run) -> Option<RunRecords> {
        // The beginning of a longer record can still show that the skill was loaded.
        let bytes = self.source.read(&join(self.prefix, path), MAX_DOCUMENT_BYTES + 1).ok()?;
        let (text, _) = document::decode(path, &bytes);
        let RecordFindings { mut loading, model, answer_key, run_files } =
            search_record(&text, &self.names);
        let is_whole = bytes.len() as u64 <= MAX_DOCUMENT_BYTES && run.error.is_none();
        let is_own = run.transcript.as_ref().is_some_and(|transcript| transcript.path == path);
        // A deeper file may be a requested output of the run.
        let shows_all = is_whole && (is_own || folder(path) == run.path);
        let is_derived = loading.call.is_none() && loading.state != LoadingState::Loaded;
        if is_derived && !shows_all {
            loading.state = LoadingState::Unknown;
        }
        if loading.state != LoadingState::Unknown {
            loading.file = Some(path.to_owned());
        }
        let answer_key = answer_key.map(|line| (path.to_owned(), line));
        let other_run = run_files.into_iter().find_map(|(file, line)| {
            Some((path.to_owned(), line, self.other_run(run, &file)?.to_owned()))
        });
        Some(RunRecords { loading, model, answer_key, other_run })
    }

    /// The run other than `run` that has the file at `file`, a path as an agent wrote it.
    fn other_run(&self, run: &Run, file: &str) -> Option<&str> {
        let file = file.replace('\\', "/");
        // Where an agent began is not recorded: mostly its run's folder, or that of its outputs.
        let places =
            [file.clone(), format!("{}/{file}", run.path), format!("{}/outputs/{file}", run.path)];
        for place in places {
            let Some(parts) = without_parents(&place) else { continue };
            let Some(end) = parts.iter().position(|part| *part == "outputs") else { continue };
            for start in 0..end {
                let folder = parts[start..end].join("/");
                if folder == run.path {
                    return None;
                }
                if let Some(home) = self.homes.get(folder.as_str()) {
                    return Some(home);
                }
            }
        }
        None
    }
}

/// The folders and the name of a path, with `..` taken back; `None` if it leaves its beginning.
fn without_parents(path: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts)
}

#[cfg(test)]
mod tests;
