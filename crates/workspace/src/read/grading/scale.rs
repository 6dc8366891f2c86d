//! What a document itself says of its scores and grades: from which score on they pass, or which
//! letters do. Without such words a score or letter decides nothing, since nobody knows its scale.

use crate::read::alias::{expectation, grading};
use crate::read::cursor::Cursor;
use crate::read::grading::score;
use crate::read::verdict;
use input::model::{Code, Outcome};
use json::Node;
use text::folded;

/// How the verdicts of a list follow from scores and grades.
#[derive(Clone, Copy, Default)]
pub(in crate::read) struct Scale<'c> {
    /// Whether the scores are on the rubric of 1 to 5, where they decide.
    pub(super) is_rubric: bool,
    /// The least score that passes.
    threshold: Option<Cursor<'c>>,
    /// What the grades mean.
    grades: Option<Cursor<'c>>,
    /// Whether the verdicts are grades from A to F, so that F is no short form of "failed".
    are_letters: bool,
}

impl<'c> Scale<'c> {
    /// The scale of `items`, which lie in `holder`.
    pub(super) fn read(holder: Cursor<'c>, items: Cursor<'_>) -> Self {
        let threshold = holder.get_where(&grading::THRESHOLD, is_amount);
        let grades = holder.get_where(&grading::GRADES, Cursor::is_filled);
        let is_rubric = threshold.is_none() && score::is_scored(holder, items);
        Self { is_rubric, threshold, grades, are_letters: are_letters(items) }
    }

    /// The verdict that follows from the grade or score of `item`; `None` if nothing explains it.
    pub(super) fn outcome(self, item: Cursor<'_>) -> Option<Outcome> {
        if has_flag(item) {
            return None;
        }
        let mut stated = item.all(&expectation::VERDICT).filter_map(|value| value.as_label());
        if let Some(outcome) = stated.find_map(|grade| self.outcome_of_grade(&grade)) {
            return Some(outcome);
        }
        let own = item.get_where(&grading::THRESHOLD, is_amount);
        let threshold = amount_at(own.or(self.threshold)?)?;
        let mut score = amount_at(score_of(item)?)?;
        if score.scale.is_none() {
            score.scale = item.number(&expectation::MAX_SCORE).filter(|most| *most > 0.0);
        }
        Some(Outcome::from(reaches(score, threshold)?))
    }

    /// What a grade means: `{"A": "pass"}`, `{"pass": ["A", "B"]}`, or a list of those that pass.
    fn outcome_of_grade(self, grade: &str) -> Option<Outcome> {
        let grades = self.grades?;
        if grades.is_list() {
            let passes = grades.items().any(|item| is_grade(item, grade));
            return Some(Outcome::from(passes));
        }
        for (key, meaning) in grades.entries() {
            if folded(key) == folded(grade) {
                return verdict::parse_flag_or_text(meaning);
            }
            if meaning.items().any(|item| is_grade(item, grade)) {
                return verdict::parse_word(key);
            }
        }
        None
    }
}

/// Whether the verdict of an item is plain, as that of most items is.
fn has_flag(item: Cursor<'_>) -> bool {
    item.get_where(&expectation::VERDICT, |value| matches!(value.node(), Node::Bool(_))).is_some()
}

fn is_grade(item: Cursor<'_>, grade: &str) -> bool {
    item.as_label().is_some_and(|label| folded(&label) == folded(grade))
}

/// The score of an item, or the share in the place of its verdict: `"result": "90%"`.
fn score_of<'c>(item: Cursor<'c>) -> Option<Cursor<'c>> {
    let score = item.get_where(&expectation::SCORE, is_amount);
    score.or_else(|| item.get_where(&expectation::VERDICT, is_amount))
}

fn is_amount(found: Cursor<'_>) -> bool {
    amount_at(found).is_some()
}

/// A number, and the most it could be if that is known: 100 of `90%`, 10 of `9/10`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Amount {
    value: f64,
    scale: Option<f64>,
}

fn amount_at(value: Cursor<'_>) -> Option<Amount> {
    let Some(text) = value.node().as_text() else {
        return Some(Amount { value: value.node().as_f64()?, scale: None });
    };
    let text = text.trim().trim_start_matches(['>', '=', '≥']);
    if let Some(percent) = text.trim().strip_suffix('%') {
        return Some(Amount { value: percent.trim().parse().ok()?, scale: Some(100.0) });
    }
    let (value, scale) = match text.split_once('/') {
        Some((value, scale)) => (value, Some(scale.trim().parse().ok().filter(|s| *s > 0.0)?)),
        None => (text, None),
    };
    let value = value.trim().parse().ok().filter(|value: &f64| value.is_finite())?;
    Some(Amount { value, scale })
}

/// Whether a score reaches a threshold; `None` if they may be on different scales.
fn reaches(score: Amount, threshold: Amount) -> Option<bool> {
    let (value, least) = match (score.scale, threshold.scale) {
        (Some(of_score), Some(of_threshold)) => {
            (score.value / of_score, threshold.value / of_threshold)
        }
        // A threshold of 0.7 or 70 for a score such as `9/10`, else one on its own scale.
        (Some(scale), None) if threshold.value <= 1.0 && scale > 1.0 => {
            (score.value / scale, threshold.value)
        }
        (Some(scale), None) if threshold.value > scale => {
            (score.value / scale, threshold.value / 100.0)
        }
        (None, Some(scale)) if score.value <= 1.0 => (score.value, threshold.value / scale),
        _ => (score.value, threshold.value),
    };
    // Percents and shares without their signs cannot be told from other scales.
    let is_other_scale = value > 1.0 && least <= 1.0 || value <= 1.0 && least > 10.0;
    if is_other_scale { None } else { Some(value >= least) }
}

/// The score of an item in any form, without its scale.
pub(super) fn score(item: Cursor<'_>) -> Option<f64> {
    Some(amount_at(item.get(&expectation::SCORE)?)?.value)
}

/// The grade of an item that no word explains: a letter, a share or a score.
fn unexplained<'c>(item: Cursor<'c>, scale: Scale<'c>) -> Option<Cursor<'c>> {
    if scale.is_rubric || has_flag(item) || scale.outcome(item).is_some() {
        return None;
    }
    let stated = item.get_where(&expectation::VERDICT, |value| !value.is_null());
    let Some(stated) = stated else {
        return score_of(item).filter(|_| !item.has(&expectation::VERDICT));
    };
    let text = stated.node().as_text()?.trim();
    let is_letter = text.len() <= 2 && text.starts_with(|c: char| c.is_ascii_alphabetic());
    // A bare number in quotation marks may still be a flag.
    let is_share = amount_at(stated).is_some_and(|amount| amount.scale.is_some());
    let is_odd = is_letter || is_share;
    let is_grade = scale.are_letters && grade_letter(text) == Some('f');
    let is_verdict = verdict::parse_text(text).is_some() && !is_grade;
    if is_odd && !is_verdict { Some(stated) } else { None }
}

/// Whether the letters among the verdicts of `items` are grades: an A to E among them, or nothing but
/// F under `grade`.
fn are_letters(items: Cursor<'_>) -> bool {
    let all = items.items().chain(items.entries().map(|(_, item)| item));
    let (mut is_any_grade, mut is_any_word) = (false, false);
    for item in all {
        for value in item.all(&expectation::VERDICT) {
            let letter = value.node().as_text().and_then(grade_letter);
            match letter {
                Some('a'..='e') => return true,
                Some('f') => is_any_grade |= folded(&value.name()) == "grade",
                // P, T, Y and N are verdicts.
                Some(_) => is_any_word = true,
                None => {}
            }
        }
    }
    is_any_grade && !is_any_word
}

/// The letter of a verdict such as `B+`, in lower case.
fn grade_letter(text: &str) -> Option<char> {
    let bare = text.trim().trim_end_matches(['+', '-', '−']);
    let mut letters = bare.chars();
    let letter = letters.next().filter(char::is_ascii_alphabetic)?;
    if letters.next().is_none() { Some(letter.to_ascii_lowercase()) } else { None }
}

/// Whether nothing says what the grade of an item means, which [`report_unexplained`] reports.
pub(super) fn is_unexplained(item: Cursor<'_>, scale: Scale<'_>) -> bool {
    unexplained(item, scale).is_some()
}

/// One problem for all grades and scores in `items` that nothing explains.
pub(super) fn report_unexplained(items: Cursor<'_>, scale: Scale<'_>) {
    let all = items.items().chain(items.entries().map(|(_, item)| item));
    let mut odd = all.filter(|item| item.is_object()).filter_map(|item| unexplained(item, scale));
    let Some(first) = odd.next() else { return };
    let (name, value) = (first.name(), first.as_label().unwrap_or_default());
    let more = match odd.count() {
        0 => String::new(),
        more => format!(" ({more} more like it)"),
    };
    let message = format!("`{name}` is `{value}`, and nothing says what passes{more}");
    let help = "add `passed`, or a `threshold` or `grading_scale` beside the list";
    first.problem(Code::LostVerdicts, message, "read as ungraded", help);
}

#[cfg(test)]
mod tests {
    use super::{Amount, reaches};

    fn plain(value: f64) -> Amount {
        Amount { value, scale: None }
    }

    fn share(value: f64, scale: f64) -> Amount {
        Amount { value, scale: Some(scale) }
    }

    #[test]
    fn a_threshold_counts_where_its_scale_is_clear() {
        let cases = [
            (plain(0.9), plain(0.7), Some(true)),
            (plain(3.0), plain(4.0), Some(false)),
            (share(90.0, 100.0), plain(0.7), Some(true)),
            (share(40.0, 100.0), plain(70.0), Some(false)),
            (share(9.0, 10.0), plain(7.0), Some(true)),
            (share(9.0, 10.0), plain(95.0), Some(false)),
            (plain(0.9), share(70.0, 100.0), Some(true)),
            (plain(90.0), share(70.0, 100.0), Some(true)),
            (plain(0.9), plain(70.0), None),
            (plain(90.0), plain(0.7), None),
        ];
        for (score, threshold, expected) in cases {
            assert_eq!(reaches(score, threshold), expected, "{score:?} {threshold:?}");
        }
    }
}
