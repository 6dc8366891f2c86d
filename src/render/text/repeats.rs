//! What runs make again and again, in sentences.

use std::fmt::Display;

use crate::analyze::{Likeness, Repeat, Repeats};
use crate::language::Language;

pub(crate) fn sentence(found: &Repeat, repeats: &Repeats, language: &Language) -> String {
    let key = match found.likeness {
        _ if found.is_block => "repeats.block",
        Likeness::Equal => "repeats.equal",
        Likeness::Similar => "repeats.similar",
        Likeness::Name => "repeats.named",
        Likeness::Sequence => "repeats.sequence",
    };
    let values: [(&str, &dyn Display); 5] = [
        ("name", &found.name),
        ("lines", &language.count(found.lines, "line")),
        ("n", &found.cases),
        ("cases", &language.count(repeats.cases, "case")),
        ("runs", &language.count(found.runs, "run")),
    ];
    language.fill(key, &values)
}

pub(crate) fn short(repeats: &Repeats, language: &Language) -> String {
    let first = repeats.made.first().map(|found| {
        let has_steps = repeats.made.iter().any(|made| made.likeness == Likeness::Sequence);
        let noun = if has_steps { "file_or_steps" } else { "file" };
        let files = language.count(repeats.made.len(), noun);
        let values: [(&str, &dyn Display); 3] =
            [("files", &files), ("name", &found.name), ("n", &found.cases)];
        language.fill("repeats.finding", &values)
    });
    language.sentences(first.into_iter().chain(unopened(repeats, language)))
}

/// That files of the skill were not opened; `None` where all were.
pub(crate) fn unopened(repeats: &Repeats, language: &Language) -> Option<String> {
    let files = language.count(repeats.unopened.len(), "file");
    let runs = language.count(repeats.watched_runs, "run");
    let sentence = || language.fill("repeats.unopened", &[("files", &files), ("runs", &runs)]);
    (!repeats.unopened.is_empty()).then(sentence)
}
