//! What a person's verdicts say about the grader's, and what the answers would be with them.

use crate::digest::{Comparisons, JudgedVerdicts, Questions, rows_with};
use crate::language::{Language, say};
use crate::wording::questions;
use input::model::{Outcome, Workspace};
use input::settings::Settings;

/// What a person said, as feedback files and pages write it.
pub(crate) fn word(said: Outcome) -> &'static str {
    match said {
        Outcome::Passed => "passed",
        Outcome::Failed => "failed",
        Outcome::Ungraded => "unknown",
    }
}

/// `You agreed with 10 of 12 verdicts (52 to 98 %). …`
pub(crate) fn agreement(judged: &JudgedVerdicts, language: &Language) -> String {
    let mut sentences = Vec::new();
    if let Some(share) = judged.share() {
        let range = share.exact();
        sentences.push(say!(
            language,
            "deciding.agreed",
            agreed = share.passed(),
            verdicts = language.count(share.total() as usize, "verdict"),
            low = language.percent(range.low),
            high = language.percent(range.high),
        ));
        sentences.push(language.text("deciding.these").to_owned());
    }
    if judged.unknown > 0 {
        sentences.push(language.count(judged.unknown, "cannot_tell"));
    }
    language.sentences(sentences)
}

/// The word of each answer with other verdicts: `Does the skill help? Still better.`
pub(crate) fn answers<'a>(
    cache: &Comparisons<'a>,
    questions: &Questions<'a>,
    changed: &Workspace,
    settings: &Settings,
    language: &Language,
) -> Vec<String> {
    let mut answers = Vec::new();
    rows_with(cache, questions, changed, settings, |row, again| {
        let Some(found) = row.compared() else { return };
        let [word, new] = [questions::word(found, language), questions::word(again, language)];
        let answer = if word == new {
            say!(language, "deciding.still", word = within(&word))
        } else {
            say!(language, "deciding.instead", new, word = within(&word))
        };
        answers.push(language.labelled(&questions::question(row, language), &answer));
    });
    answers
}

/// The word of each answer with other verdicts, as it is: `Does the skill help? Better`.
pub(crate) fn words<'a>(
    cache: &Comparisons<'a>,
    questions: &Questions<'a>,
    changed: &Workspace,
    settings: &Settings,
    language: &Language,
) -> Vec<String> {
    let mut words = Vec::new();
    rows_with(cache, questions, changed, settings, |row, again| {
        let question = questions::question(row, language);
        words.push(language.labelled(&question, &questions::word(again, language)));
    });
    words
}

/// A word of an answer within a sentence: `better`, but `API` as it is.
fn within(word: &str) -> String {
    let mut letters = word.chars();
    match (letters.next(), letters.next()) {
        (Some(first), Some(second)) if first.is_ascii_uppercase() && second.is_lowercase() => {
            first.to_ascii_lowercase().to_string() + &word[1..]
        }
        _ => word.to_owned(),
    }
}
