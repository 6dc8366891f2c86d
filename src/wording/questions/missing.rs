//! Rows without data: what is missing.

use crate::digest::{MissingRow, Question, Row};
use crate::language::say;
use crate::wording::questions::NAME;
use crate::wording::{Facts, verdict};
use text::cut_line;

/// What is missing, and when the question was last answered.
pub(super) fn missing_texts(
    facts: Facts<'_>,
    row: &Row<'_>,
    missing: &MissingRow<'_>,
) -> [String; 2] {
    let language = facts.language;
    let name = |iteration: usize| cut_line(&facts.workspace.iterations[iteration].name, NAME);
    let text = |key: &str| language.entry(&["questions", key]).to_owned();
    match missing {
        MissingRow::NotAsked { last: Some(change) } => {
            let gain = verdict::gain_size(&change.gain, language).unwrap_or_default();
            let last = say!(
                language,
                "questions.last_known",
                other = cut_line(&change.before.configuration, NAME),
                iteration = name(change.after.iteration),
                gain,
            );
            [text("not_asked"), last]
        }
        MissingRow::NotAsked { last: None } if row.question == Question::Helps => {
            [text("not_asked"), text("never_without")]
        }
        MissingRow::NotAsked { last: None } => [text("not_asked"), text("never_before")],
        MissingRow::Recorded(other) => {
            let [file, side] = [other.file, other.name].map(|name| cut_line(name, NAME));
            let rate = language.percent(other.rate);
            [text("recorded"), say!(language, "questions.recorded_in", file, rate, side)]
        }
        MissingRow::NotGraded { configuration, iteration } => {
            let side = cut_line(configuration, NAME);
            let iteration = name(*iteration);
            [text("not_graded"), say!(language, "questions.ungraded", side, iteration)]
        }
        MissingRow::FirstIteration => [text("first_iteration"), String::new()],
        MissingRow::OtherModel { iteration } => {
            let iteration = name(*iteration);
            [text("not_comparable"), say!(language, "questions.other_model", iteration)]
        }
        MissingRow::SameRuns { iteration } => {
            let iteration = name(*iteration);
            [text("same_runs"), say!(language, "questions.runs_of", iteration)]
        }
        MissingRow::NoOrder => [text("not_comparable"), text("no_order")],
        MissingRow::WhichBaseline => [text("not_asked"), text("which_baseline")],
    }
}
