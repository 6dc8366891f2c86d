//! What keeps iterations from being compared, in words.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::analyze::Break;
use crate::chart;
use crate::language::Language;
use crate::render::context::Site;

/// So many cases are named; the others are counted.
const NAMED: usize = 6;

/// What changed before an iteration.
#[derive(Serialize)]
pub(super) struct Changed {
    /// `other cases, prompts`.
    kinds: String,
    /// What of each kind: `new: a, b`.
    parts: Vec<String>,
}

/// What is another before the iteration of a break.
pub(super) fn changed(site: Site<'_>, found: &Break) -> Changed {
    let lines = [
        ("history.new", &found.new),
        ("history.gone", &found.gone),
        ("history.ungraded", &found.ungraded),
        ("history.prompts", &found.prompts),
        ("history.checks", &found.expectations),
    ];
    let lines = lines.into_iter().filter(|(_, lines)| !lines.is_empty());
    let mut parts: Vec<String> = lines
        .map(|(key, lines)| site.language.fill(key, &[("cases", &names(site, lines))]))
        .collect();
    let conditions = [("history.models", &found.models), ("history.graders", &found.graders)];
    let conditions = conditions
        .into_iter()
        .filter_map(|(key, names)| Some(both(site.language, key, names.as_ref()?)));
    parts.extend(conditions);
    Changed { kinds: kinds(site, found, "history.break_kinds"), parts }
}

/// The breaks as the charts mark them.
pub(super) fn marks(site: Site<'_>, found: &[Break]) -> Vec<chart::Break> {
    let mark = |found: &Break| chart::Break {
        index: found.iteration,
        reason: kinds(site, found, "history.break_other"),
    };
    found.iter().map(mark).collect()
}

/// What kinds of things are another, in the words of `key`.
fn kinds(site: Site<'_>, found: &Break, key: &str) -> String {
    let has_other_cases = !found.new.is_empty() || !found.gone.is_empty();
    let kinds = [
        (has_other_cases, "history.break_cases"),
        (!found.ungraded.is_empty() && !has_other_cases, "history.break_ungraded"),
        (!found.prompts.is_empty(), "history.break_prompts"),
        (!found.expectations.is_empty(), "history.break_checks"),
        (found.models.is_some(), "history.break_models"),
        (found.graders.is_some(), "history.break_graders"),
    ];
    let kinds = kinds.into_iter().filter(|(is_there, _)| *is_there);
    let words: Vec<&str> = kinds.map(|(_, key)| site.language.text(key)).collect();
    site.language.fill(key, &[("what", &words.join(site.language.text("list.comma")))])
}

/// The names on both sides in the sentence of `key`.
fn both(language: &Language, key: &str, names: &[BTreeSet<String>; 2]) -> String {
    let [before, after] = names.each_ref().map(|names| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        names.join(language.text("list.comma"))
    });
    language.fill(key, &[("before", &before), ("after", &after)])
}

fn names(site: Site<'_>, lines: &[usize]) -> String {
    let names = lines.iter().map(|line| site.part.analysis.lines[*line].name.clone());
    site.language.first_few(names.collect(), NAMED, "list.comma")
}
