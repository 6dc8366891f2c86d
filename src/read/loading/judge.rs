//! What the events of a record say of one skill.

use std::collections::BTreeSet;

use crate::model::{Loading, LoadingState};
use crate::read::loading::events::{Call, Event, Record, Stated};
use crate::read::loading::names::{SkillNames, bare, skill_of};
use crate::read::loading::shapes::{
    COMMAND_IN_CODE, COMMAND_KEYS, ECHOES, FAILURES, LOADERS, Names, OTHER_TOOLS, PATH_KEYS,
    READERS, SCRIPTS, SHELLS, SKILL_KEYS, Speaker, WRITERS,
};
use crate::read::loading::shell;
use crate::text::is_listed;

/// So many other skills are named.
const MOST_OTHERS: usize = 5;

/// So many files of each kind are named.
const MOST_FILES: usize = 100;

/// Longer names of skills are none.
const MOST_NAME: usize = 100;

/// What one event says.
#[derive(Debug, PartialEq)]
enum Sign {
    /// The skill was loaded: by which call, and whether by a person.
    Loaded(String, bool),
    Used,
    Other(String),
    /// A call opened this file of the skill.
    Opened(String),
    /// A call wrote a script of this name.
    Written(String),
}

/// What `record` says of the skill, without the file it stands in.
pub(super) fn judge(record: &Record, names: &SkillNames) -> Loading {
    let mut loading = Loading::default();
    let [mut others, mut opened, mut written] = [const { BTreeSet::new() }; 3];
    let mut loaded: Option<usize> = None;
    let failed = failed_ids(record);
    for (at, (line, event)) in record.events.iter().enumerate() {
        for sign in signs(event, names, &failed) {
            match sign {
                Sign::Loaded(call, by_user) if loaded.is_none() => {
                    loaded = Some(at);
                    loading.state = LoadingState::Loaded;
                    (loading.line, loading.call, loading.by_user) =
                        (Some(*line), Some(call), by_user);
                }
                Sign::Loaded(..) => {}
                Sign::Used => loading.used = true,
                Sign::Other(name) => others.extend([name]),
                Sign::Opened(path) => opened.extend([path]),
                Sign::Written(name) => written.extend([name]),
            }
        }
    }
    loading.other_skills = others.into_iter().take(MOST_OTHERS).collect();
    loading.opened = opened.into_iter().take(MOST_FILES).collect();
    loading.written = written.into_iter().take(MOST_FILES).collect();
    if let Some(at) = loaded {
        let is_call = |(_, event): &(usize, Event)| matches!(event, Event::Call(_));
        loading.idle = record.is_complete && !record.events[at + 1..].iter().any(is_call);
    } else if let Some(line) = given(record, names) {
        (loading.state, loading.line) = (LoadingState::Given, Some(line));
    } else if record.is_complete && !loading.used && !names.is_empty() {
        loading.state = LoadingState::NotLoaded;
    }
    state_outright(&mut loading, record, names);
    loading
}

/// A field that says it stands above what is derived.
fn state_outright(loading: &mut Loading, record: &Record, names: &SkillNames) {
    let Some((field, line, stated)) = &record.field else { return };
    let flag = match stated {
        Stated::Flag(flag) => *flag,
        Stated::Names(_) if names.is_empty() => return,
        Stated::Names(all) => all.iter().any(|name| names.are(name)),
    };
    if flag && loading.state == LoadingState::Loaded {
        return;
    }
    let state = if flag { LoadingState::Loaded } else { LoadingState::NotLoaded };
    let (line, call) = (Some(*line), Some((*field).to_owned()));
    *loading = Loading { state, line, call, by_user: false, idle: false, ..loading.clone() };
}

/// The name of a script at `path`.
fn script(path: &str) -> Option<String> {
    let name = path.trim_matches(['"', '\'', '`', ' ']).rsplit(['/', '\\']).next()?;
    let (_, extension) = name.rsplit_once('.')?;
    (is_listed(SCRIPTS, &extension.to_ascii_lowercase()) && name.len() <= MOST_NAME)
        .then(|| name.to_owned())
}

/// Ids of calls that came to nothing.
fn failed_ids(record: &Record) -> BTreeSet<&str> {
    let failed = record.events.iter().filter_map(|(_, event)| match event {
        Event::Result { id, text, failed } if *failed || is_failure(text) => Some(id.as_str()),
        _ => None,
    });
    failed.filter(|id| !id.is_empty()).collect()
}

/// Whether what a call gave back says that it came to nothing.
pub(super) fn is_failure(text: &str) -> bool {
    let text = text.trim_start();
    FAILURES.iter().any(|start| text.starts_with(start))
}

/// The line of a prompt that holds the skill, before anything was done.
fn given(record: &Record, names: &SkillNames) -> Option<usize> {
    for (line, event) in &record.events {
        let Event::Message { speaker: Speaker::Asker, text } = event else { return None };
        if names.are_of_text(text) {
            return Some(*line);
        }
    }
    None
}

fn signs(event: &Event, names: &SkillNames, failed: &BTreeSet<&str>) -> Vec<Sign> {
    let found = match event {
        Event::Call(call) if call.failed || failed.contains(call.id.as_str()) => None,
        Event::Call(call) => return of_call(call, names),
        Event::Skill { name, by_user } => named(name, "skill", *by_user, names),
        Event::Result { text, failed: false, .. }
        | Event::Message { text, speaker: Speaker::Asker } => echoed(text, names),
        Event::Result { .. } | Event::Message { .. } => None,
    };
    found.into_iter().collect()
}

/// What the loading of a skill by `call` shows.
fn named(name: &str, call: &str, by_user: bool, names: &SkillNames) -> Option<Sign> {
    if names.are(name) {
        return Some(Sign::Loaded(call.to_owned(), by_user));
    }
    let is_name = !name.trim().is_empty() && name.len() <= MOST_NAME;
    is_name.then(|| Sign::Other(bare(name)))
}

/// What a text shows that a harness may have written.
fn echoed(text: &str, names: &SkillNames) -> Option<Sign> {
    let text = text.trim_start();
    let mut echoes = ECHOES.iter();
    let (start, rest, end, kind) = echoes
        .find_map(|(start, end, kind)| Some((start, text.strip_prefix(start)?, end, *kind)))?;
    let value = rest.split(end).next().unwrap_or(rest).trim();
    let call = start.trim_matches(|c: char| !c.is_alphanumeric());
    match kind {
        Names::Folder => names.has_folder(value).then(|| Sign::Loaded(call.to_owned(), false)),
        // A person types the names of many other commands.
        Names::Command if !names.are(value) => None,
        Names::Command | Names::Skill => named(value, call, kind == Names::Command, names),
    }
}

fn of_call(call: &Call, names: &SkillNames) -> Vec<Sign> {
    let tool = spelled(&call.tool);
    let mut found = Vec::new();
    let opened = |path: &str| names.below(path).map(Sign::Opened);
    let written = |path: &str| script(path).map(Sign::Written);
    let loaded = |path: &str| {
        let folder = skill_of(path)?;
        Some(match names.has_file(path) {
            true => Sign::Loaded(call.tool.clone(), false),
            false => Sign::Other(folder),
        })
    };
    let (is_loader, is_reader) = (is_listed(LOADERS, &tool), is_listed(READERS, &tool));
    if is_loader {
        let given = given_to(call, SKILL_KEYS).next().unwrap_or_default();
        let folder = skill_of(given);
        found.extend(named(folder.as_deref().unwrap_or(given), &call.tool, false, names));
    } else if is_reader {
        found.extend(given_to(call, PATH_KEYS).filter_map(loaded));
        found.extend(given_to(call, PATH_KEYS).filter_map(opened));
    } else if is_listed(WRITERS, &tool) {
        found.extend(given_to(call, PATH_KEYS).filter_map(written));
    }
    for command in commands(call, &tool) {
        let used = shell::used_by(command);
        let paths = used.read.iter().chain(&used.run);
        found.extend(paths.filter_map(|path| opened(path)));
        found.extend(used.written.iter().filter_map(|path| written(path)));
        if !is_loader && !is_reader {
            found.extend(used.read.iter().filter_map(|path| loaded(path)));
            let runs = used.run.iter().any(|path| names.has_script(path));
            found.extend(runs.then_some(Sign::Used));
        }
    }
    found
}

/// The commands that a call of this tool runs.
fn commands<'c>(call: &'c Call, tool: &str) -> Vec<&'c str> {
    let in_code = call.input.first().and_then(|(key, code)| command_in_code(key, code));
    let mut commands: Vec<&str> = in_code.into_iter().collect();
    if is_listed(SHELLS, tool) {
        commands.extend(given_to(call, COMMAND_KEYS));
    }
    commands
}

/// What a call was given under one of these names, or under none.
fn given_to<'c>(call: &'c Call, keys: &'static str) -> impl Iterator<Item = &'c str> {
    let all = call.input.iter();
    all.filter(move |(key, _)| key.is_empty() || is_listed(keys, key))
        .map(|(_, value)| value.as_str())
}

/// The command that code runs: `tools.exec_command({cmd: "cat a"})`.
fn command_in_code<'c>(key: &str, code: &'c str) -> Option<&'c str> {
    let (call, field) = COMMAND_IN_CODE;
    let after = code.split_once(call).filter(|_| key.is_empty() || key == "code")?.1;
    let after = after.split_once(field)?.1.trim_start_matches(['"', '\'', ':', ' ']);
    let before = code.len() - after.len();
    let quote = code[..before].chars().next_back().filter(|c| matches!(c, '"' | '\''))?;
    after.split(quote).next()
}

/// The name of a tool as the tables spell it.
fn spelled(tool: &str) -> String {
    let last = tool.rsplit(['.', ':']).next().unwrap_or(tool);
    let bare = last.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
    bare.flat_map(char::to_lowercase).collect()
}

/// Whether a name is that of a tool that loads skills.
pub(super) fn is_loader(name: &str) -> bool {
    is_listed(LOADERS, &spelled(name))
}

/// Whether a name is that of a tool that is known.
pub(super) fn is_tool(name: &str) -> bool {
    let name = spelled(name);
    [LOADERS, READERS, WRITERS, SHELLS, OTHER_TOOLS].iter().any(|table| is_listed(table, &name))
}
