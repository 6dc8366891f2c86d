//! How a run ended, where its verdicts alone would mislead.

use crate::language::{Language, say};
use input::model::Run;
use text::cut_line;

/// Characters of an error that a page shows.
const ERROR: usize = 200;

/// In one or two words; `None` for a run that ended with an answer.
pub(crate) fn word<'l>(run: &Run, language: &'l Language) -> Option<&'l str> {
    let key = if run.error.is_some() {
        "run.stopped_word"
    } else if run.answered_nothing() {
        "run.no_answer_word"
    } else {
        return None;
    };
    Some(language.text(key))
}

/// In a sentence, with the error; `None` for a run that ended with an answer.
pub(crate) fn sentence(run: &Run, language: &Language) -> Option<String> {
    match &run.error {
        Some(error) => Some(say!(language, "run.stopped", error = cut_line(error, ERROR))),
        None if run.answered_nothing() => Some(language.text("run.no_answer").to_owned()),
        None => None,
    }
}
