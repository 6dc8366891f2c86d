//! What the events of a record say about one skill.

use std::collections::BTreeSet;

use crate::model::{Loading, LoadingState};
use crate::read::loading::harness::{
    COMMAND_KEYS, ECHOES, FAILURES, LOADERS, LoadMessage, OTHER_TOOLS, PATH_KEYS, READERS, SCRIPTS,
    SHELLS, SKILL_KEYS, WRITERS,
};
use crate::read::loading::names::{SkillNames, bare, folder_of_skill};
use crate::read::loading::record::{Call, Event, RunRecord};
use crate::read::loading::shell;
use crate::text::is_listed;

const MAX_OTHER_SKILLS: usize = 5;
/// The most opened files, and the most written ones.
const MAX_FILES: usize = 100;
const MAX_STEPS: usize = 300;

const MAX_NAME_BYTES: usize = 100;

/// What `record` says about the skill, without the record's own path.
pub(super) fn judge(record: &RunRecord, names: &SkillNames) -> Loading {
    let failed = record.events.iter().filter_map(|(_, event)| match event {
        Event::Result { id, text, failed } if *failed || is_failure(text) => Some(id.as_str()),
        _ => None,
    });
    let failed: BTreeSet<&str> = failed.filter(|id| !id.is_empty()).collect();
    let mut search = SkillSearch { names, loading: Loading::default(), line: 0 };
    let (mut asked_with_skill, mut has_acted) = (None, false);
    for (line, event) in &record.events {
        search.line = *line;
        match event {
            Event::Request(text) => {
                if !has_acted && asked_with_skill.is_none() && names.are_in_text(text) {
                    asked_with_skill = Some(*line);
                }
                search.take_echo(text);
            }
            Event::Call(call) => {
                search.loading.idle = false;
                if !call.failed && !failed.contains(call.id.as_str()) {
                    search.take_call(call);
                }
            }
            Event::Skill { name, by_user } => search.load(name, "skill", *by_user),
            Event::Result { text, failed: false, .. } => search.take_echo(text),
            Event::Result { .. } | Event::Answer => {}
        }
        has_acted |= !matches!(event, Event::Request(_));
    }
    let mut loading = search.loading;
    for (names, most) in [
        (&mut loading.other_skills, MAX_OTHER_SKILLS),
        (&mut loading.opened, MAX_FILES),
        (&mut loading.written, MAX_FILES),
    ] {
        names.sort();
        names.dedup();
        names.truncate(most);
    }
    loading.steps.retain(|step| step.len() <= MAX_NAME_BYTES);
    loading.steps.dedup();
    loading.steps.truncate(MAX_STEPS);
    loading.idle &= record.is_complete;
    if loading.state != LoadingState::Loaded {
        if let Some(line) = asked_with_skill {
            (loading.state, loading.line) = (LoadingState::Given, Some(line));
        } else if record.is_complete && !loading.used && !names.is_empty() {
            loading.state = LoadingState::NotLoaded;
        }
    }
    apply_field(&mut loading, record);
    loading
}

/// An explicit field overrides derived facts.
fn apply_field(loading: &mut Loading, record: &RunRecord) {
    let Some((field, line, is_loaded)) = record.field else { return };
    if is_loaded && loading.state == LoadingState::Loaded {
        return;
    }
    loading.state = if is_loaded { LoadingState::Loaded } else { LoadingState::NotLoaded };
    (loading.line, loading.call) = (Some(line), Some(field.to_owned()));
    (loading.by_user, loading.idle) = (false, false);
}

/// Whether the result of a call reports a failure.
pub(super) fn is_failure(text: &str) -> bool {
    let text = text.trim_start();
    FAILURES.iter().any(|start| text.starts_with(start))
}

struct SkillSearch<'n> {
    names: &'n SkillNames,
    loading: Loading,
    /// The line of the current event.
    line: usize,
}

impl SkillSearch<'_> {
    /// A skill was loaded by `call`.
    fn load(&mut self, name: &str, call: &str, by_user: bool) {
        if self.names.has(name) {
            self.load_own(call, by_user);
        } else if !name.trim().is_empty() && name.len() <= MAX_NAME_BYTES {
            self.loading.other_skills.push(bare(name));
        }
    }

    /// The skill under test was loaded; the first time counts.
    fn load_own(&mut self, call: &str, by_user: bool) {
        if self.loading.state != LoadingState::Loaded {
            (self.loading.state, self.loading.idle) = (LoadingState::Loaded, true);
            self.loading.line = Some(self.line);
            self.loading.call = Some(call.to_owned());
            self.loading.by_user = by_user;
        }
    }

    /// A call of `tool` read the file at `path`.
    fn read(&mut self, path: &str, tool: &str) {
        let Some(folder) = folder_of_skill(path) else { return };
        if self.names.has_folder(&folder) {
            self.load_own(tool, false);
        } else {
            self.loading.other_skills.push(folder);
        }
    }

    fn write(&mut self, path: &str) {
        let name = path.trim_matches(['"', '\'', '`', ' ']).rsplit(['/', '\\']).next();
        let is_script = |name: &&str| {
            let extension = name.rsplit_once('.').map(|(_, extension)| extension);
            name.len() <= MAX_NAME_BYTES
                && extension.is_some_and(|word| is_listed(SCRIPTS, &word.to_ascii_lowercase()))
        };
        self.loading.written.extend(name.filter(is_script).map(str::to_owned));
    }

    /// Takes the signs in a text that a harness may have written.
    fn take_echo(&mut self, text: &str) {
        let text = text.trim_start();
        for (start, end, kind) in ECHOES {
            let Some(rest) = text.strip_prefix(start) else { continue };
            let value = rest.split(end).next().unwrap_or(rest).trim();
            let call = start.trim_matches(|c: char| !c.is_alphanumeric());
            match kind {
                LoadMessage::Folder if self.names.has_folder(value) => self.load_own(call, false),
                LoadMessage::Skill => self.load(value, call, false),
                // People type the names of many other commands.
                LoadMessage::Command if self.names.has(value) => self.load_own(call, true),
                LoadMessage::Folder | LoadMessage::Command => {}
            }
            return;
        }
    }

    fn take_call(&mut self, call: &Call) {
        let tool = spelled(&call.tool);
        let is_reader = is_listed(READERS, &tool);
        if is_listed(LOADERS, &tool) {
            let skill = given_to(call, SKILL_KEYS).next().unwrap_or_default();
            let folder = folder_of_skill(skill);
            self.load(folder.as_deref().unwrap_or(skill), &call.tool, false);
        }
        for path in given_to(call, PATH_KEYS) {
            if is_reader {
                self.read(path, &call.tool);
                self.loading.opened.extend(self.names.below(path));
            } else if is_listed(WRITERS, &tool) {
                self.write(path);
            }
        }
        let in_code = call.input.first().and_then(|(key, code)| command_in_code(key, code));
        let is_shell = is_listed(SHELLS, &tool);
        if !is_tool(&call.tool) {
            self.loading.steps.push(call.tool.clone());
        }
        for command in in_code.into_iter().chain(given_to(call, COMMAND_KEYS).filter(|_| is_shell))
        {
            let used = shell::used_by(command);
            used.read.iter().for_each(|path| self.read(path, &call.tool));
            used.written.iter().for_each(|path| self.write(path));
            self.loading.used |= used.run.iter().any(|path| self.names.has_script(path));
            let paths = used.read.iter().chain(&used.run);
            self.loading.opened.extend(paths.filter_map(|path| self.names.below(path)));
            self.loading.steps.extend(used.steps);
        }
    }
}

/// The inputs of a call under one of these names, or under none.
fn given_to<'c>(call: &'c Call, keys: &'static str) -> impl Iterator<Item = &'c str> {
    let given = call.input.iter().filter(move |(key, _)| key.is_empty() || is_listed(keys, key));
    given.map(|(_, value)| value.as_str())
}

/// The command that code runs: `tools.exec_command({cmd: "cat a"})`.
fn command_in_code<'c>(key: &str, code: &'c str) -> Option<&'c str> {
    let (_, after) = code.split_once("exec_command(").filter(|_| matches!(key, "" | "code"))?;
    let after = after.split_once("cmd")?.1.trim_start_matches(['"', '\'', ':', ' ']);
    let before = code.len() - after.len();
    let quote = code[..before].chars().next_back().filter(|c| matches!(c, '"' | '\''))?;
    after.split(quote).next()
}

/// The name of a tool in the spelling of the tables.
fn spelled(tool: &str) -> String {
    let last = tool.rsplit(['.', ':']).next().unwrap_or(tool);
    let letters = last.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
    letters.flat_map(char::to_lowercase).collect()
}

pub(super) fn is_loader(name: &str) -> bool {
    is_listed(LOADERS, &spelled(name))
}

pub(super) fn is_tool(name: &str) -> bool {
    let name = spelled(name);
    [LOADERS, READERS, WRITERS, SHELLS, OTHER_TOOLS].iter().any(|table| is_listed(table, &name))
}
