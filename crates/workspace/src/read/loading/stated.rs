//! Fields by which other evaluators say outright whether the skill was loaded.

use std::borrow::Cow;

use crate::read::alias::{grading, is_spelling};
use crate::read::cursor::Cursor;
use crate::read::loading::skill_names::SkillNames;
use crate::read::loading::state::is_answer_key;
use input::model::{Loading, LoadingState};
use json::{Node, Spanned};
use text::{folded_name, is_listed};

/// An explicit statement of a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Statement {
    /// The field, or the words, that make it.
    pub(super) source: &'static str,
    /// Its line, from 1.
    pub(super) line: usize,
    pub(super) is_loaded: bool,
}

/// The statement in the outermost object of a document, which begins at `line`.
pub(super) fn in_document(root: &Node<'_>, line: usize, names: &SkillNames) -> Option<Statement> {
    const FIELDS: &str = "skill_invoked skill_invocations skill_loaded activated did_trigger \
        activation_fired skill_activation skill_activation_isolated skills_triggered skill_calls";
    for field in FIELDS.split(' ') {
        if let Some(is_loaded) = value(spelled(root, field), names) {
            return Some(Statement { source: field, line, is_loaded });
        }
    }
    // Vally counts by skill.
    for metrics in [&root["trajectory"]["metrics"], &root["metrics"]] {
        const FIELD: &str = "skillActivationBreakdown";
        if let Some(is_loaded) = value(&metrics[FIELD], names) {
            return Some(Statement { source: FIELD, line, is_loaded });
        }
    }
    None
}

/// The value of a field in any spelling, such as `skillLoaded`; null if there is none.
fn spelled<'n>(root: &'n Node<'n>, field: &str) -> &'n Node<'n> {
    let mut entries = root.as_object().unwrap_or_default().iter();
    match entries.find(|(name, _)| is_spelling(name, field)) {
        Some((_, value)) => &value.node,
        None => &root[field],
    }
}

/// The statement in a document about a run, such as its grading or its timing.
pub(in crate::read) fn in_run_document(root: Cursor<'_>) -> Option<Loading> {
    let unnamed = SkillNames::default();
    // eval-magic has it in the remarks on the run: `"meta_summary": {"skill_invoked": false}`.
    let mut parts = std::iter::once(root).chain(root.all(&grading::META));
    let found = parts.find_map(|part| in_document(part.node(), part.place().line, &unnamed));
    let answer_key = given_answer_key(root);
    let is_given_checks = answer_key.is_some();
    let mut loading = Loading { answer_key, is_given_checks, ..Loading::default() };
    if let Some(found) = found {
        let is_loaded = found.is_loaded;
        loading.state = if is_loaded { LoadingState::Loaded } else { LoadingState::NotLoaded };
        loading.file = Some(root.path());
        loading.line = Some(found.line);
        loading.call = Some(found.source.to_owned());
    }
    if loading.is_empty() { None } else { Some(loading) }
}

/// The place where a run lists the checks among the files that it was given, such as
/// `"skill_files": ["skill/SKILL.md", "skill/evals/evals.json"]`.
fn given_answer_key(root: Cursor<'_>) -> Option<(String, usize)> {
    const LISTS: &str =
        "skill_files files_given given_files loaded_files files_loaded context_files";
    for (name, list) in root.entries() {
        if is_listed(LISTS, &folded_name(name))
            && list.as_texts().iter().any(|path| is_answer_key(path))
        {
            return Some((root.path(), list.place().line));
        }
    }
    None
}

/// The statement in a text, for records without calls.
pub(super) fn in_text(text: &str) -> Option<Statement> {
    const NOT_LOADED: &[&str] = &["did not trigger the skill", "skill did not trigger"];
    for (index, line) in text.lines().enumerate() {
        if let Some(words) = NOT_LOADED.iter().find(|words| line.contains(**words)) {
            return Some(Statement { source: words, line: index + 1, is_loaded: false });
        }
    }
    None
}

/// Whether a field says that the skill was loaded; `None` if it does not say, as a count of loaded
/// skills without their names.
fn value(node: &Node<'_>, names: &SkillNames) -> Option<bool> {
    match node {
        Node::Bool(is_loaded) => Some(*is_loaded),
        Node::Number(_) => Some(is_counted(node)),
        // No skill at all was loaded.
        Node::List(items) if items.is_empty() => Some(false),
        Node::List(items) if !names.is_empty() => {
            Some(items.iter().any(|item| names_skill(item, names)))
        }
        Node::Object(entries) => {
            if let Some(is_loaded) = node["activated"].as_bool() {
                return Some(is_loaded);
            }
            let is_loaded =
                |(name, count): &(Cow<'_, str>, Spanned<'_>)| is_counted(count) && names.has(name);
            if names.is_empty() { None } else { Some(entries.iter().any(is_loaded)) }
        }
        _ => None,
    }
}

fn is_counted(count: &Node<'_>) -> bool {
    count.as_f64().is_some_and(|count| count > 0.0)
}

/// Whether an item of a list of loaded skills is the skill, and not one that was only offered.
fn names_skill(item: &Node<'_>, names: &SkillNames) -> bool {
    let keys = ["name", "skill", "skillName", "skill_name"];
    let name = item.as_text().or_else(|| keys.iter().find_map(|key| item[key].as_text()));
    item["source"].as_text() != Some("init_list") && name.is_some_and(|name| names.has(name))
}
