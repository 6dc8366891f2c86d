//! What the record of a run says about one skill.

use std::collections::BTreeSet;

use crate::read::loading::commands::{SCRIPTS, usage};
use crate::read::loading::skill_names::{SkillNames, bare, folder_of_skill};
use crate::read::loading::stated::{self, Statement};
use formats::transcript::{
    Announcement, Call, CallResult, Documents, Part, Subject, ToolKind, Transcript, announcement,
    read, tool_kind,
};
use input::model::{Loading, LoadingState};
use text::{is_cut_off, is_listed};

/// The most names kept of a run, so that a hostile record cannot fill the report.
const MAX_NAMES: usize = 300;

/// Longer names are data that only looks like a name.
const MAX_NAME_BYTES: usize = 100;

/// What one record says.
#[derive(Debug, Default)]
pub(super) struct RecordFindings {
    /// Without the path of the record.
    pub(super) loading: Loading,
    pub(super) model: Option<String>,
    /// The line where the agent read the expectations of cases.
    pub(super) answer_key: Option<usize>,
    /// The files of runs that it read, by their paths as written, with their lines.
    pub(super) run_files: Vec<(String, usize)>,
}

/// What the record `text` says about the skill. What a statement says wins over what was done.
pub(super) fn search_record(text: &str, names: &SkillNames) -> RecordFindings {
    let documents = Documents::parse(text);
    let transcript = documents.as_ref().map_or_else(|| read(text), Documents::transcript);
    let (found, given) = (RecordFindings::default(), None);
    let mut search = SkillSearch { names, found, given, written: BTreeSet::new(), line: 0 };
    search.take_all(&transcript);
    let mut found = search.finish(transcript.is_complete);
    let statement = match &documents {
        Some(documents) => {
            documents.roots().find_map(|(line, root)| stated::in_document(root, line, names))
        }
        None if calls(&transcript).next().is_none() => stated::in_text(text),
        None => None,
    };
    if let Some(statement) = statement {
        apply(statement, &mut found.loading);
    }
    found.model = documents.as_ref().and_then(Documents::model);
    found
}

fn calls(transcript: &Transcript) -> impl Iterator<Item = &Part> {
    let parts = transcript.turns.iter().flat_map(|turn| &turn.parts);
    parts.filter(|part| matches!(part, Part::Call(_)))
}

/// An explicit statement overrides what was derived.
fn apply(statement: Statement, loading: &mut Loading) {
    if statement.is_loaded && loading.state == LoadingState::Loaded {
        return;
    }
    let is_loaded = statement.is_loaded;
    loading.state = if is_loaded { LoadingState::Loaded } else { LoadingState::NotLoaded };
    loading.line = Some(statement.line);
    loading.call = Some(statement.source.to_owned());
    (loading.by_user, loading.idle) = (false, false);
}

struct SkillSearch<'n> {
    names: &'n SkillNames,
    found: RecordFindings,
    /// The line of the prompt that contains the skill, if the agent was given one before it did anything.
    given: Option<usize>,
    /// Paths that it has written: a file of its own is no answer key.
    written: BTreeSet<String>,
    /// The line of the current turn.
    line: usize,
}

impl SkillSearch<'_> {
    /// Takes the signs of all turns.
    fn take_all(&mut self, transcript: &Transcript) {
        let parts = transcript.turns.iter().flat_map(|turn| &turn.parts);
        let failed: BTreeSet<&str> = parts
            .filter_map(|part| match part {
                Part::Result(result) if result.has_failed => Some(result.id.as_str()),
                _ => None,
            })
            .filter(|id| !id.is_empty())
            .collect();
        let mut has_acted = false;
        for turn in &transcript.turns {
            self.line = turn.line;
            for part in &turn.parts {
                if turn.is_request()
                    && let Part::Text(text) = part
                {
                    self.take_request(text, has_acted);
                    continue;
                }
                has_acted = true;
                match part {
                    Part::Call(call) => {
                        self.found.loading.idle = false;
                        if !call.has_failed && !failed.contains(call.id.as_str()) {
                            self.take_call(call);
                        }
                    }
                    Part::Skill { name, by_user } => self.load(name, "skill", *by_user),
                    Part::Result(CallResult { text, has_failed: false, .. }) => {
                        self.take_announcement(text);
                    }
                    _ => {}
                }
            }
        }
    }

    fn take_request(&mut self, text: &str, has_acted: bool) {
        if !has_acted {
            self.found.loading.is_prompt_cut |= is_cut_off(text);
            if self.given.is_none() && self.names.are_in_text(text) {
                self.given = Some(self.line);
            }
        }
        self.take_announcement(text);
    }

    /// What was found, once all turns are taken. Only a complete record shows that nothing was loaded.
    fn finish(self, is_complete: bool) -> RecordFindings {
        let mut found = self.found;
        let loading = &mut found.loading;
        for names in [&mut loading.other_skills, &mut loading.opened, &mut loading.written] {
            names.sort();
            names.dedup();
            names.truncate(MAX_NAMES);
        }
        loading.idle &= is_complete;
        if loading.state == LoadingState::Loaded {
            return found;
        }
        if self.given.is_some() {
            (loading.state, loading.line) = (LoadingState::Given, self.given);
        } else if is_complete && !loading.used && !self.names.is_empty() {
            loading.state = LoadingState::NotLoaded;
        }
        found
    }

    /// A skill was loaded by `call`.
    fn load(&mut self, name: &str, call: &str, by_user: bool) {
        if self.names.has(name) {
            self.load_own(call, by_user);
        } else if !name.trim().is_empty() && name.len() <= MAX_NAME_BYTES {
            self.found.loading.other_skills.push(bare(name));
        }
    }

    /// The skill under test was loaded; the first time counts.
    fn load_own(&mut self, call: &str, by_user: bool) {
        let loading = &mut self.found.loading;
        if loading.state != LoadingState::Loaded {
            (loading.state, loading.idle) = (LoadingState::Loaded, true);
            loading.line = Some(self.line);
            loading.call = Some(call.to_owned());
            loading.by_user = by_user;
        }
    }

    fn take_announcement(&mut self, text: &str) {
        let Some(Announcement { subject, name, message }) = announcement(text) else { return };
        match subject {
            Subject::Skill => self.load(name, message, false),
            Subject::Folder if self.names.has_folder(name) => self.load_own(message, false),
            // People type the names of many other commands.
            Subject::Command if self.names.has(name) => self.load_own(message, true),
            Subject::Folder | Subject::Command => {}
        }
    }

    fn take_call(&mut self, call: &Call) {
        const SKILL_KEYS: &str = "skill name skill_name skillName command path";
        const PATH_KEYS: &str =
            "file_path path absolute_path filePath target_file filename file uri paths";
        const COMMAND_KEYS: &str = "command cmd script commands";
        let kind = tool_kind(&call.tool);
        match kind {
            Some(ToolKind::Skill) => {
                let skill = inputs(call, SKILL_KEYS).next().unwrap_or_default();
                let folder = folder_of_skill(skill);
                self.load(folder.as_deref().unwrap_or(skill), &call.tool, false);
            }
            Some(ToolKind::Read) => {
                for path in inputs(call, PATH_KEYS) {
                    self.take_read(path, &call.tool);
                }
            }
            Some(ToolKind::Write) => {
                for path in inputs(call, PATH_KEYS) {
                    self.take_written(path);
                }
            }
            Some(ToolKind::Shell) => {
                for command in inputs(call, COMMAND_KEYS) {
                    self.take_command(command, &call.tool);
                }
            }
            Some(ToolKind::Other) | None => {}
        }
        if let Some(command) =
            call.input.first().and_then(|(name, code)| command_in_code(name, code))
        {
            self.take_command(command, &call.tool);
        }
    }

    fn take_command(&mut self, command: &str, tool: &str) {
        let usage = usage(command);
        for path in &usage.read {
            self.take_read(path, tool);
        }
        for path in &usage.searched {
            self.take_file(path);
        }
        for path in &usage.written {
            self.take_written(path);
        }
        for path in &usage.run {
            self.found.loading.used |= self.names.has_script(path);
            self.found.loading.opened.extend(self.names.below(path));
        }
    }

    /// A call of `tool` read the file at `path`.
    fn take_read(&mut self, path: &str, tool: &str) {
        self.found.loading.opened.extend(self.names.below(path));
        self.take_file(path);
        let Some(folder) = folder_of_skill(path) else { return };
        if self.names.has_folder(&folder) {
            self.load_own(tool, false);
        } else {
            self.found.loading.other_skills.push(folder);
        }
    }

    /// Some of the file at `path` was seen.
    fn take_file(&mut self, path: &str) {
        let path = path.trim_matches(['"', '\'', '`', ' ']);
        if self.written.contains(path) {
            return;
        }
        if is_answer_key(path) {
            self.found.answer_key = self.found.answer_key.or(Some(self.line));
        }
        if is_run_file(path) && self.found.run_files.len() < MAX_NAMES {
            self.found.run_files.push((path.to_owned(), self.line));
        }
    }

    fn take_written(&mut self, path: &str) {
        let path = path.trim_matches(['"', '\'', '`', ' ']);
        if self.written.len() < MAX_NAMES {
            self.written.insert(path.to_owned());
        }
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let Some((_, extension)) = name.rsplit_once('.') else { return };
        if name.len() <= MAX_NAME_BYTES && is_listed(SCRIPTS, &extension.to_ascii_lowercase()) {
            self.found.loading.written.push(name.to_owned());
        }
    }
}

/// Whether a file has the expectations that runs are graded by. Among inputs it is part of the task,
/// as for a skill that writes evaluations.
pub(super) fn is_answer_key(path: &str) -> bool {
    const KEYS: &str = "evals.json evals.jsonl evals.yaml evals.yml eval_metadata.json assertions.json \
        expectations.json grading.json";
    const INPUTS: &str = "input inputs fixtures files outputs";
    let mut parts = path.trim_matches(['"', '\'', '`', ' ']).rsplit(['/', '\\']).peekable();
    let Some(name) = parts.next() else { return false };
    // `cat evals/*.json`
    let is_all = name.contains('*') && parts.peek() == Some(&"evals");
    (is_all || is_listed(KEYS, name)) && parts.all(|folder| !is_listed(INPUTS, folder))
}

/// Whether a path may be that of a run's output.
fn is_run_file(path: &str) -> bool {
    path.split(['/', '\\']).any(|folder| folder == "outputs")
}

/// The inputs of a call under one of these names, or under none.
fn inputs<'c>(call: &'c Call, names: &'static str) -> impl Iterator<Item = &'c str> {
    let inputs =
        call.input.iter().filter(move |(name, _)| name.is_empty() || is_listed(names, name));
    inputs.map(|(_, value)| value.as_str())
}

/// The command that code runs: `tools.exec_command({cmd: "cat a"})`, with or without quotes around the key.
fn command_in_code<'c>(name: &str, code: &'c str) -> Option<&'c str> {
    if !matches!(name, "" | "code") {
        return None;
    }
    let (_, after) = code.split_once("exec_command(")?;
    let (_, after) = after.split_once("cmd")?;
    let value = after.trim_start_matches(['"', '\'']).trim_start_matches([':', ' ']);
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    value[1..].split(quote).next()
}
