//! What runs make again and again.

use crate::analyze::{Likeness, Repeat, Repeats};
use crate::language::{Language, say};

pub(crate) fn sentence(repeat: &Repeat, repeats: &Repeats, language: &Language) -> String {
    let key = match repeat.likeness {
        _ if repeat.is_block => "repeats.block",
        Likeness::Equal => "repeats.equal",
        Likeness::Similar => "repeats.similar",
        Likeness::Name => "repeats.named",
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

/// The first repeated file and the number of all, then unopened files of the skill.
pub(crate) fn short(repeats: &Repeats, language: &Language) -> String {
    let mut sentences = Vec::new();
    if let Some(first) = repeats.made.first() {
        let files = language.count(repeats.made.len(), "file");
        sentences.push(say!(
            language,
            "repeats.finding",
            files,
            name = first.name,
            n = first.cases
        ));
    }
    sentences.extend(unopened(repeats, language));
    language.sentences(sentences)
}

/// A sentence on files of the skill that were not opened; `None` if all were.
pub(crate) fn unopened(repeats: &Repeats, language: &Language) -> Option<String> {
    if repeats.unopened.is_empty() {
        return None;
    }
    let files = language.count(repeats.unopened.len(), "file");
    let runs = language.count(repeats.watched_runs, "run");
    Some(say!(language, "repeats.unopened", files, runs))
}
