//! A verdict that contradicts the reason written next to it: `"passed": false` with "… satisfied. PASS".
//!
//! Few rules, and sure ones: a reason says a verdict where it begins or ends with one that is a clause of its
//! own. Reasons quote outputs and name what failed, so no word within a sentence counts.

use crate::read::alias::expectation;
use crate::read::cursor::Cursor;
use input::model::verdict_words::{AROUND, BEFORE_REASON, FAIL_MARKS, PASS_MARKS, is_mark};
use input::model::{Code, Outcome};

/// Warns at the reason of an item. The verdict stays: nobody knows which of the two was meant.
pub(super) fn check(item: Cursor<'_>, outcome: Outcome) {
    if outcome == Outcome::Ungraded {
        return;
    }
    let Some(reason) = item.get(&expectation::EVIDENCE) else { return };
    let Some(said) = reason.node().as_text().and_then(stated) else { return };
    if said != outcome {
        let message = format!("`{}` says {}", reason.name(), said.word());
        let assumed = format!("the verdict counts, which is {}", outcome.word());
        reason.problem(Code::PassedContradictsReason, message, &assumed, "write one verdict");
    }
}

const PASSES: &[&str] = &["PASS", "PASSED", "PASSES"];
const FAILURES: &[&str] = &["FAIL", "FAILED", "FAILS"];

/// What else a last sentence says that is nothing but the verdict.
const MET: &[&str] = &["met", "satisfied", "fulfilled", "通過", "通过", "符合"];
const UNMET: &[&str] = &[
    "not met",
    "unmet",
    "not satisfied",
    "not fulfilled",
    "未通過",
    "未通过",
    "不通過",
    "不通过",
    "不符合",
];

/// What such a sentence may be about.
const SUBJECTS: &[&str] =
    &["criterion", "expectation", "assertion", "check", "requirement", "condition"];

/// The verdict that a reason says; `None` where it says none, or both.
fn stated(reason: &str) -> Option<Outcome> {
    let first = plain(first_clause(reason));
    let last = last_clause(reason);
    let outcome = first.or_else(|| plain(last)).or_else(|| in_words(last))?;
    let opposite = match outcome {
        Outcome::Passed => (FAILURES, FAIL_MARKS),
        _ => (PASSES, PASS_MARKS),
    };
    let mut words = reason.split(|c: char| !c.is_alphanumeric());
    let has_opposite = words.any(|word| opposite.0.contains(&word)) || reason.contains(opposite.1);
    // The last sentence may take back what the first one says.
    let is_taken_back = in_words(last).is_some_and(|last| last != outcome);
    if has_opposite || is_taken_back { None } else { Some(outcome) }
}

fn first_clause(reason: &str) -> &str {
    let signs = BEFORE_REASON.iter().chain(&[". ", ", ", "\n"]);
    let end = signs.filter_map(|sign| reason.find(sign)).min();
    &reason[..end.unwrap_or(reason.len())]
}

/// What follows the last full stop or line break.
fn last_clause(reason: &str) -> &str {
    let reason = reason.trim_end_matches(|c: char| c.is_whitespace() || ends_sentence(c));
    match reason.char_indices().rfind(|(_, c)| ends_sentence(*c) || *c == '\n') {
        Some((at, sign)) => &reason[at + sign.len_utf8()..],
        None => reason,
    }
}

fn ends_sentence(c: char) -> bool {
    matches!(c, '.' | '!' | '。' | '！')
}

/// The verdict that a clause is, in capitals or as a mark.
fn plain(clause: &str) -> Option<Outcome> {
    let word = clause.trim_matches(|c: char| AROUND.contains(&c) || c == '\n' || is_mark(c));
    if PASSES.contains(&word) || word.is_empty() && clause.contains(PASS_MARKS) {
        Some(Outcome::Passed)
    } else if FAILURES.contains(&word) || word.is_empty() && clause.contains(FAIL_MARKS) {
        Some(Outcome::Failed)
    } else {
        None
    }
}

/// The verdict that a clause is in words: `Not met`, `The criterion is satisfied`.
fn in_words(clause: &str) -> Option<Outcome> {
    let clause = clause.trim_matches(AROUND).to_lowercase();
    let mut words: Vec<&str> = clause.split_whitespace().collect();
    if words.first().is_some_and(|word| ["the", "this"].contains(word)) {
        words.remove(0);
    }
    if words.first().is_some_and(|word| SUBJECTS.contains(word)) {
        words.remove(0);
        if words.first() == Some(&"is") {
            words.remove(0);
        }
    }
    let rest = words.join(" ");
    if MET.contains(&rest.as_str()) {
        Some(Outcome::Passed)
    } else if UNMET.contains(&rest.as_str()) {
        Some(Outcome::Failed)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::stated;
    use input::model::Outcome;

    #[test]
    fn a_reason_says_a_verdict_at_its_begin_or_end() {
        for reason in [
            "All three rows are there, so the rule is satisfied. PASS",
            "PASS: three rows",
            "✅ three rows. ✅",
            "PASS — no row is missing.",
            "Three rows.\n**PASS**",
            "Three rows. The criterion is met.",
            "三列都在。符合",
        ] {
            assert_eq!(stated(reason), Some(Outcome::Passed), "{reason}");
        }
        for reason in [
            "FAIL - no total",
            "There is no total. FAIL.",
            "❌",
            "No total. Not met.",
            "No total. Requirement not satisfied",
            "沒有總計。未通過。",
        ] {
            assert_eq!(stated(reason), Some(Outcome::Failed), "{reason}");
        }
    }

    #[test]
    fn words_of_outputs_are_no_verdict() {
        for reason in [
            "",
            "The log ends with FAIL",
            "It prints 'PASS' and stops",
            "PASS: the script lists each FAIL line",
            "No. 2 of the list has it",
            "The test failed",
            "Login failed: the page says so.",
            "PASS: three rows. Not met.",
            "The report marks the row with ✅",
            "Step 3 passes, as expected",
            "It says whether the deadline is met",
        ] {
            assert_eq!(stated(reason), None, "{reason}");
        }
    }
}
