//! Documented rules of gradings. A breach is a problem, never a refusal.

use crate::model::{Code, Grading, Outcome, RATE_ROUNDING, RecordedCounts, SCORE_ROUNDING, mean};
use crate::read::alias::{Field, expectation, grading};
use crate::read::cursor::Cursor;
use crate::text::fixed;

const CONVENTIONS: &[&str] = &[
    "frontmatter",
    "description_field",
    "token_efficiency",
    "progressive_disclosure",
    "type_alignment",
];

/// The least score that passes (scored dialect).
const PASSING_SCORE: f64 = 3.0;

/// Whether the verdicts are scores on the rubric of 1 to 5.
pub(super) fn is_scored(cursor: Cursor<'_>, items: Cursor<'_>) -> bool {
    const SIGNS: [&Field; 3] =
        [&grading::OVERALL_SCORE, &grading::REQUIRED_SCORE, &grading::CONVENTIONS];
    let all_criteria = items.is_list() && items.items().all(|item| item.key("criterion").is_some());
    let mut all = items.items().chain(items.entries().map(|(_, item)| item));
    (all_criteria || SIGNS.iter().any(|field| cursor.has(field))) && all.any(has_score)
}

/// Whether the item has a score: a number, or a text such as `4/5`.
pub(super) fn has_score(item: Cursor<'_>) -> bool {
    item.get(&expectation::SCORE).is_some_and(|found| score_at(found).is_some())
}

/// The score of an item. A text is read with a problem.
pub(super) fn score(item: Cursor<'_>) -> Option<f64> {
    let value = item.get(&expectation::SCORE)?;
    let score = score_at(value);
    if value.node().as_text().is_some() {
        let message = format!("`{}` should be a number, not text", value.name());
        let assumed = score.map(|score| format!("read as {}", short(score)));
        let assumed = assumed.unwrap_or_else(|| "read as not recorded".to_owned());
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
    let is_outside = !is_on_rubric(score);
    let problem = |words: &str, assumed: &str| {
        let message = format!("`score` is {}, {words}", short(score));
        let help = "write a whole number from 1 to 5";
        item.at(&expectation::SCORE).problem(Code::OutOfRange, message, assumed, help);
    };
    match stated {
        Some(stated) if is_outside => {
            problem("outside 1 to 5", "read as not recorded, and the stated verdict was taken");
            return stated;
        }
        None if is_outside => {
            problem("outside 1 to 5", "read as not recorded, and as ungraded");
            return Outcome::Ungraded;
        }
        _ if score.fract() != 0.0 => problem("not a whole number", "taken as it is"),
        _ => {}
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

/// A number without needless decimals.
fn short(value: f64) -> String {
    if value.fract() == 0.0 { fixed(value, 0) } else { fixed(value, 2) }
}

/// A convention check may only have one of the five fixed names.
pub(super) fn check_convention(check: Cursor<'_>, name: &str) {
    if !CONVENTIONS.contains(&name) {
        let message = format!("`{name}` is not a convention check of the dialect");
        let help = format!("use one of {}", CONVENTIONS.join(", "));
        check.problem(Code::ConventionKey, message, "shown as written", &help);
    }
}

/// A score without a verdict decides nothing if its scale is unknown.
pub(super) fn score_alone(item: Cursor<'_>, score: f64) {
    let message = format!("`score` is {}, and there is no verdict", short(score));
    let help = "add `passed`; nobody can tell from which score on it passes";
    let found = item.at(&expectation::SCORE);
    found.problem(Code::LostVerdicts, message, "read as ungraded", help);
}

/// Recorded counts must match the list. The list wins.
pub(super) fn check_counts(cursor: Cursor<'_>, read: &Grading) {
    let tally = read.tally();
    let RecordedCounts { passed, failed, total, pass_rate } = read.recorded;
    let differs = |recorded: Option<f64>, counted: usize| {
        recorded.is_some_and(|recorded| (recorded - counted as f64).abs() > 0.5)
    };
    let mut rates = pass_rate.into_iter().zip(tally.pass_rate());
    let wrong = differs(passed, tally.passed)
        || differs(failed, tally.failed)
        || (differs(total, read.expectations.len()) && differs(total, tally.graded()))
        || rates.any(|(rate, counted)| (rate - counted).abs() > RATE_ROUNDING);
    if !wrong {
        return;
    }
    let stated = match (passed, failed, total, pass_rate) {
        (Some(passed), _, Some(total), _) => {
            format!("{} of {} passed", short(passed), short(total))
        }
        (Some(passed), Some(failed), ..) => {
            format!("{} passed and {} failed", short(passed), short(failed))
        }
        (Some(passed), ..) => format!("{} passed", short(passed)),
        (.., Some(rate)) => format!("a pass rate of {}", fixed(rate, 2)),
        _ => "something else".to_owned(),
    };
    let message = format!("the summary says {stated}");
    let assumed = format!("the list gives {} of {} and was taken", tally.passed, tally.graded());
    let help = "correct the summary or leave it out; it is counted from the list";
    let summary = cursor.object(&grading::SUMMARY);
    summary.unwrap_or(cursor).problem(Code::SummaryMismatch, message, &assumed, help);
}

/// `overall_score` is the mean of all scores. `required_score` needs the plan (`assemble::checks`).
pub(super) fn check_mean(cursor: Cursor<'_>, read: &Grading) {
    let scores: Option<Vec<f64>> = read.expectations.iter().map(|e| e.score).collect();
    let Some(recorded) = cursor.get(&grading::OVERALL_SCORE) else { return };
    let both = recorded.node().as_f64().zip(scores.and_then(mean));
    if let Some((stated, mean)) =
        both.filter(|(stated, mean)| (mean - stated).abs() > SCORE_ROUNDING)
    {
        let message = format!("`overall_score` is {}", short(stated));
        let assumed = format!("the mean of the scores is {}", fixed(mean, 2));
        recorded.problem(Code::ScoreMean, message, &assumed, "write the mean with one decimal");
    }
}
