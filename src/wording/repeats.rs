//! Sentences on what runs make again and again.

use crate::analyze::{Likeness, Repeat, Repeats};
use crate::language::{Language, say};

pub(crate) fn sentence(repeat: &Repeat, repeats: &Repeats, language: &Language) -> String {
    let key = match repeat.likeness {
        _ if repeat.is_block => "repeats.block",
        Likeness::Equal => "repeats.equal",
        Likeness::Similar => "repeats.similar",
        Likeness::Name => "repeats.named",
        Likeness::Sequence => "repeats.sequence",
    };
    say!(
        language,
        key,
        name = repeat.name,
        lines = language.count(repeat.lines, "line"),
        n = repeat.cases,
        cases = language.count(repeats.cases, "case"),
        runs = language.count(repeat.runs, "run"),
    )
}

pub(crate) fn short(repeats: &Repeats, language: &Language) -> String {
    let first = repeats.made.first().map(|repeat| {
        let has_steps = repeats.made.iter().any(|made| made.likeness == Likeness::Sequence);
        let noun = if has_steps { "file_or_steps" } else { "file" };
        let files = language.count(repeats.made.len(), noun);
        say!(language, "repeats.finding", files, name = repeat.name, n = repeat.cases)
    });
    language.sentences(first.into_iter().chain(unopened(repeats, language)))
}

/// A sentence on files of the skill that were not opened; `None` if all were.
pub(crate) fn unopened(repeats: &Repeats, language: &Language) -> Option<String> {
    let files = language.count(repeats.unopened.len(), "file");
    let runs = language.count(repeats.watched_runs, "run");
    let sentence = || language.fill("repeats.unopened", &[("files", &files), ("runs", &runs)]);
    (!repeats.unopened.is_empty()).then(sentence)
}
