//! What keeps iterations from being compared, in words.

use std::collections::BTreeSet;
use std::fmt::Display;

use crate::analyze::{Break, breaks};
use crate::chart;
use crate::language::Language;
use crate::render::context::Site;

/// So many cases are named; the others are counted.
const NAMED: usize = 6;

/// A sentence for each break, under the charts.
pub(super) fn sentences(site: Site<'_>) -> Vec<String> {
    let found = breaks(site.part.workspace, site.part.analysis);
    found.iter().map(|found| sentence(site, found)).collect()
}

/// The breaks as the charts mark them.
pub(super) fn marks(site: Site<'_>, found: &[Break]) -> Vec<chart::Break> {
    let mark = |found: &Break| {
        let parts = [
            (!found.new.is_empty() || !found.gone.is_empty(), "history.break_cases"),
            (!found.ungraded.is_empty(), "history.break_ungraded"),
            (!found.prompts.is_empty(), "history.break_prompts"),
            (!found.expectations.is_empty(), "history.break_expectations"),
            (found.models.is_some(), "history.break_models"),
            (found.graders.is_some(), "history.break_graders"),
        ];
        let words = parts.into_iter().filter(|(is_there, _)| *is_there);
        let words: Vec<&str> = words.map(|(_, key)| site.language.text(key)).collect();
        let what = words.join(site.language.text("list.comma"));
        let reason = site.language.fill("history.break_other", &[("what", &what)]);
        chart::Break { index: found.iteration, reason }
    };
    found.iter().map(mark).collect()
}

fn sentence(site: Site<'_>, found: &Break) -> String {
    let parts = [
        ("history.new", &found.new),
        ("history.gone", &found.gone),
        ("history.ungraded", &found.ungraded),
        ("history.prompts", &found.prompts),
        ("history.expectations", &found.expectations),
    ];
    let parts = parts.into_iter().filter(|(_, lines)| !lines.is_empty());
    let parts =
        parts.map(|(key, lines)| site.language.fill(key, &[("cases", &names(site, lines))]));
    let conditions = [("history.models", &found.models), ("history.graders", &found.graders)];
    let conditions = conditions
        .into_iter()
        .filter_map(|(key, names)| Some(both(site.language, key, names.as_ref()?)));
    let parts: Vec<String> = parts.chain(conditions).collect();
    let name = &site.part.workspace.iterations[found.iteration].name;
    let changes = parts.join(site.language.text("history.then"));
    let values: [(&str, &dyn Display); 2] = [("iteration", name), ("changes", &changes)];
    site.language.fill("history.break", &values)
}

/// The names on both sides in the sentence of `key`.
pub(super) fn both(language: &Language, key: &str, names: &[BTreeSet<String>; 2]) -> String {
    let [before, after] = names.each_ref().map(|names| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        names.join(language.text("list.comma"))
    });
    language.fill(key, &[("before", &before), ("after", &after)])
}

fn names(site: Site<'_>, lines: &[usize]) -> String {
    let named = lines.iter().take(NAMED).map(|line| site.part.analysis.lines[*line].name.as_str());
    let named = named.collect::<Vec<_>>().join(site.language.text("list.comma"));
    match lines.len().saturating_sub(NAMED) {
        0 => named,
        more => {
            let values: [(&str, &dyn Display); 2] = [("named", &named), ("number", &more)];
            site.language.fill("history.more", &values)
        }
    }
}
