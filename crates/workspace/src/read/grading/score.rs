//! Scores of the scored dialect: a rubric of 1 to 5, where the score decides. A breach of its rules
//! is a problem, never a refusal.

use crate::read::alias::{Field, expectation, grading};
use crate::read::cursor::Cursor;
use input::model::{Code, Outcome};
use text::fixed;

/// The least score that passes (scored dialect).
const PASSING_SCORE: f64 = 3.0;

/// Whether the verdicts are scores on the rubric of 1 to 5.
pub(super) fn is_scored(cursor: Cursor<'_>, items: Cursor<'_>) -> bool {
    const SIGNS: [&Field; 3] =
        [&grading::OVERALL_SCORE, &grading::REQUIRED_SCORE, &grading::CONVENTIONS];
    let are_criteria = items.is_list() && items.items().all(|item| item.key("criterion").is_some());
    if !are_criteria && !SIGNS.iter().any(|field| cursor.has(field)) {
        return false;
    }
    items.items().any(has_score) || items.entries().any(|(_, item)| has_score(item))
}

/// Whether the item has a score: a number, or a text such as `4/5`.
pub(super) fn has_score(item: Cursor<'_>) -> bool {
    item.get(&expectation::SCORE).is_some_and(|found| score_at(found).is_some())
}

/// The score of an item. A text is read with a problem.
pub(super) fn read(item: Cursor<'_>) -> Option<f64> {
    let value = item.get(&expectation::SCORE)?;
    let score = score_at(value);
    if value.node().as_text().is_some() {
        let message = format!("`{}` should be a number, not text", value.name());
        let assumed = match score {
            Some(score) => format!("read as {}", short(score)),
            None => "read as not recorded".to_owned(),
        };
        value.problem(Code::WrongType, message, &assumed, "write a whole number from 1 to 5");
    }
    score
}

/// The score in a value; in a text only on the scale of 5.
fn score_at(value: Cursor<'_>) -> Option<f64> {
    let Some(text) = value.node().as_text() else { return value.node().as_f64() };
    let (score, scale) = text.split_once('/').unwrap_or((text, "5"));
    score.trim().parse().ok().filter(|score: &f64| score.is_finite() && scale.trim() == "5")
}

/// Whether the rubric of the scored dialect includes this score.
pub(super) fn is_on_rubric(score: f64) -> bool {
    (1.0..=5.0).contains(&score)
}

/// The outcome that follows from a score; the stated verdict is only compared with it.
pub(super) fn outcome_of_score(item: Cursor<'_>, score: f64, stated: Option<Outcome>) -> Outcome {
    if !is_on_rubric(score) {
        let assumed = match stated {
            Some(_) => "read as not recorded, and the stated verdict was taken",
            None => "read as not recorded, and as ungraded",
        };
        problem_with_score(item, score, "outside 1 to 5", assumed);
        return stated.unwrap_or_default();
    }
    if score.fract() != 0.0 {
        problem_with_score(item, score, "not a whole number", "taken as it is");
    }
    let derived = Outcome::from(score >= PASSING_SCORE);
    if stated.is_some_and(|stated| stated != derived) {
        let message = format!("`passed` contradicts the score of {}", short(score));
        let assumed = format!("read as {}, because 3 and more pass", derived.word());
        let help = if derived == Outcome::Passed { "write true" } else { "write false" };
        let verdict = item.at(&expectation::VERDICT);
        verdict.problem(Code::PassedContradictsScore, message, &assumed, help);
    }
    derived
}

fn problem_with_score(item: Cursor<'_>, score: f64, what: &str, assumed: &str) {
    let message = format!("`score` is {}, {what}", short(score));
    let help = "write a whole number from 1 to 5";
    item.at(&expectation::SCORE).problem(Code::OutOfRange, message, assumed, help);
}

/// A number without needless decimals.
pub(super) fn short(value: f64) -> String {
    if value.fract() == 0.0 { fixed(value, 0) } else { fixed(value, 2) }
}
