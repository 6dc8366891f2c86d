//! What limits the word of a row, or says where it comes from.

use std::collections::BTreeSet;

use crate::analyze::{FlipKind, SharedOutcome, VerdictWord};
use crate::digest::{ComparedRow, Question, RowWord};
use crate::language::{Language, say};
use crate::wording::Facts;
use crate::wording::questions::NAME;
use text::cut_line;

/// With more verdicts that would have to be others, a word is firm enough.
const MOST_UNDOING: usize = 3;

pub(super) fn limit(facts: Facts<'_>, row: &ComparedRow<'_>) -> String {
    let mut limits = vec![limit_of_word(facts, row)];
    limits.extend(compared(facts, row));
    limits.extend(not_run(facts, row));
    limits.extend(undoing(row, facts.language));
    limits.retain(|limit| !limit.is_empty());
    limits.join(facts.language.text("list.semicolon"))
}

/// `3 of 8 cases compared`; `None` where all that the candidate ran are. The rates of a row are of those
/// alone: in one workspace 0 % stood for a round of three reruns and five new cases.
fn compared(facts: Facts<'_>, row: &ComparedRow<'_>) -> Option<String> {
    let compared = row.change.gain.paired()?.cases;
    let of = facts.analysis.summary(&row.change.after)?.cases;
    let cases = facts.language.share_of_cases(compared, of);
    (compared < of).then(|| say!(facts.language, "questions.compared", cases))
}

/// `1 earlier case not run`: a case that failed may be gone from the round. `None` where all are there.
fn not_run(facts: Facts<'_>, row: &ComparedRow<'_>) -> Option<String> {
    let (analysis, after) = (facts.analysis, &row.change.after);
    row.change.gain.paired()?;
    let cases = row.change.gain.only_before.iter().map(|case| &analysis.cases[*case]);
    let gone = cases.filter(|case| case.runs(facts.workspace, after).next().is_none()).count();
    if row.question() != Question::Changed || gone == 0 {
        return None;
    }
    Some(facts.language.count(gone, "case_not_run"))
}

/// `would not hold if 2 verdicts flipped`; `None` where it takes more than a few.
fn undoing(row: &ComparedRow<'_>, language: &Language) -> Option<String> {
    let RowWord::Verdict(_) = row.word else { return None };
    let number = row.undoing?.count();
    if number > MOST_UNDOING {
        return None;
    }
    Some(language.counted(&number.to_string(), number == 1, "undoing"))
}

fn limit_of_word(facts: Facts<'_>, row: &ComparedRow<'_>) -> String {
    let language = facts.language;
    match row.word {
        RowWord::Lost(_) => cases_of(facts, row, FlipKind::Regressed),
        RowWord::Repaired(_) => cases_of(facts, row, FlipKind::Improved),
        RowWord::NoRegression if row.checks.passing == row.checks.shared => {
            let checks = language.all(row.checks.shared, "check");
            say!(language, "questions.still_pass", checks)
        }
        RowWord::NoRegression | RowWord::Unmeasured => String::new(),
        RowWord::Flipped { .. } => language.text("questions.same_skill").to_owned(),
        RowWord::Verdict(word) => verdict_limit(row, word, language),
    }
}

fn verdict_limit(row: &ComparedRow<'_>, word: VerdictWord, language: &Language) -> String {
    let gain = &row.change.gain;
    let lost = row.surely_lost();
    if lost > 0 && row.is_better() {
        return say!(language, "questions.but_lost", n = lost);
    }
    match word {
        VerdictWord::NotDecided => {
            let missing = gain.missing.iter().map(|side| side.missing).sum();
            let verdicts = language.count(missing, "verdict");
            return say!(language, "questions.missing_verdicts", verdicts);
        }
        VerdictWord::NoComparison => {
            let key = if gain.unlike.is_empty() { "no_shared_case" } else { "unlike" };
            return language.entry(&["questions", key]).to_owned();
        }
        VerdictWord::AboutTheSame { shared: Some(outcome) } => {
            let key = if outcome == SharedOutcome::AllPassed { "both_pass" } else { "both_fail" };
            return language.entry(&["questions", key]).to_owned();
        }
        VerdictWord::UpInSome { .. } => return language.text("questions.none_down").to_owned(),
        VerdictWord::DownInSome { .. } => return language.text("questions.none_up").to_owned(),
        _ => {}
    }
    let Some(paired) = gain.shown() else { return String::new() };
    let (key, n) = match word {
        VerdictWord::Mixed => {
            let (up, down) = (paired.better, paired.worse);
            return say!(language, "questions.up_and_down", up, down);
        }
        _ if row.is_better() => ("questions.up_in_cases", paired.better),
        _ if row.is_worse() => ("questions.down_in_cases", paired.worse),
        _ => return String::new(),
    };
    say!(language, key, cases = language.share_of_cases(n, paired.cases))
}

/// Where the checks of one kind are: `in noisy-transcript`, or `in 2 cases`.
fn cases_of(facts: Facts<'_>, row: &ComparedRow<'_>, kind: FlipKind) -> String {
    let flips = match kind {
        FlipKind::Regressed => row.changes.regressed(),
        kind => row.changes.of_kind(kind),
    };
    let cases: BTreeSet<usize> = flips.iter().map(|flip| flip.case).collect();
    let where_ = match (cases.len(), cases.first()) {
        (1, Some(case)) => cut_line(&facts.analysis.cases[*case].name, NAME),
        (n, _) => facts.language.count(n, "case"),
    };
    say!(facts.language, "questions.in_cases", cases = where_)
}
