//! The answer of the first screen about a comparison, for the comment.

use crate::digest::{Comparisons, Questions, Row, RowWord};
use crate::gate::RuleResult;
use crate::language::Language;
use crate::render::context::escape::markdown as escaped;
use crate::render::questions_table;
use crate::render::text::compare::{Candidate, Comparison};
use crate::wording::answer::answer_for;
use crate::wording::{Facts, headline};

/// Both questions with their answer and the next step, where the last change is the one that is compared.
pub(super) fn markdown(comparison: Comparison<'_>, language: &Language) -> Option<String> {
    let Candidate { question, change, judgement } = *comparison.shown;
    let facts = Facts { workspace: question.workspace, analysis: question.analysis, language };
    let comparisons = Comparisons::empty(question.workspace, question.analysis);
    let questions = Questions::new(&comparisons, &change.after);
    let is_compared =
        |row: &Row<'_>| row.compared().is_some_and(|found| found.change.sides() == change.sides());
    if judgement.is_same_runs || !questions.changed.iter().any(is_compared) {
        return None;
    }
    let lead = question.analysis.lead(&change.after);
    let mut answer = answer_for(&comparisons, language, &change.after, lead)?;
    // The heading names this comparison, so a word on the skill against none would be read as its own.
    if lead.is_some_and(|lead| lead != change && answer.verdict == headline::headline(facts, lead))
    {
        answer = answer_for(&comparisons, language, &change.after, Some(change))?;
        if is_kept(&questions, comparison.shown) {
            answer.verdict = headline::no_regression(change, language);
        }
    }
    if judgement.rulings.iter().any(RuleResult::lacks_verdicts) {
        answer.next = language.text("next.grade").to_owned();
    }
    let told = questions_table::told(facts, &answer, Some(&questions));
    let mut text = format!("**{}**\n\n{told}", escaped(answer.verdict.trim()));
    text.truncate(text.trim_end().len() + 1);
    Some(text)
}

/// Whether a changed skill kept all that it passed, by the row of this comparison. Where a rule could not be
/// checked, nobody knows.
pub(super) fn is_kept(questions: &Questions<'_>, shown: &Candidate<'_>) -> bool {
    let sides = shown.change.sides();
    let mut rows = questions.changed.iter().filter_map(Row::compared);
    shown.judgement.rulings.iter().all(|ruling| ruling.decision.is_ok())
        && rows.any(|row| row.change.sides() == sides && row.word == RowWord::NoRegression)
}
