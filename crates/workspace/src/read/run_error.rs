//! Whether a document reports an error of its run or grader.

use crate::read::alias::error as fields;
use crate::read::cursor::Cursor;
use text::{folded_name, is_listed};

/// The error reported by the document at `root`.
pub(super) fn in_document(root: Cursor<'_>) -> Option<String> {
    let report = reported(root).or_else(|| reported(root.object(&fields::PART)?));
    report.or_else(|| excluded(root)).map(|report| shortened(&report))
}

/// That a run must not count, from a file whose name says so: `contaminated.json`.
pub(super) fn in_contaminated(root: Cursor<'_>) -> Option<String> {
    let is_taken_back =
        root.get(&fields::EXCLUDED).is_some_and(|flag| flag.as_flag() == Some(false));
    if is_taken_back {
        return None;
    }
    let reason = root.text(&fields::EXCLUSION_REASON).or_else(|| root.as_text());
    let report = reason.map_or_else(String::new, |reason| format!(": {reason}"));
    Some(shortened(&format!("contaminated{report}")))
}

/// That a run says that it must not count, with its reason. What is only invalid needs one: it may be about
/// something else.
fn excluded(cursor: Cursor<'_>) -> Option<String> {
    let reason = cursor.text(&fields::EXCLUSION_REASON);
    if cursor.flag(&fields::INVALID) == Some(true)
        && let Some(reason) = &reason
    {
        return Some(format!("excluded: {reason}"));
    }
    let stated = cursor.get(&fields::EXCLUDED)?;
    match (stated.as_flag(), reason) {
        (Some(true), Some(reason)) => Some(format!("excluded: {reason}")),
        (Some(true), None) => Some("excluded".to_owned()),
        _ => None,
    }
}

fn reported(cursor: Cursor<'_>) -> Option<String> {
    let message = cursor.get(&fields::ERROR).and_then(error_message);
    let Some(state) = error_state(cursor) else {
        return message
            .or_else(|| cursor.text(&fields::REASON).filter(|reason| names_limit(reason)));
    };
    match message.or_else(|| cursor.text(&fields::REASON)) {
        Some(reason) => Some(format!("{state}: {reason}")),
        None => Some(state),
    }
}

fn error_message(error: Cursor<'_>) -> Option<String> {
    if error.is_object() {
        return error.text(&fields::REASON).or_else(|| error.as_text());
    }
    // `"error": false` and `"error": "none"` say that there was none.
    error.as_text().filter(|text| error.as_flag() != Some(false) && text != "none")
}

/// A state that is an error; a failed run is a verdict.
fn error_state(cursor: Cursor<'_>) -> Option<String> {
    let mut states = cursor.all(&fields::STATE).filter_map(|state| state.as_label());
    if let Some(state) = states.find(|state| is_error_state(state)) {
        return Some(state);
    }
    if cursor.flag(&fields::TIMED_OUT) == Some(true) { Some("timed out".to_owned()) } else { None }
}

/// Whether the state of a run says that it broke, or never ran.
fn is_error_state(state: &str) -> bool {
    const STATES: &str = "error errored timeout timed_out agent_timeout crash crashed aborted exception \
        canceled cancelled killed interrupted skipped not_run never_ran did_not_run not_executed \
        rate_limited quota_exceeded budget_exceeded out_of_credits spending_cap cheat_detected \
        harness_failure infra_failure";
    // Some say why after a colon: `errored: monthly spend limit`.
    let folded = folded_name(state.split(':').next().unwrap_or(state).trim());
    let is_named_error = folded.ends_with("_error") && folded.matches('_').count() < 3;
    is_listed(STATES, &folded)
        || is_named_error && !folded.contains("no_") && !folded.contains("without")
        || names_limit(state)
}

/// Whether a short text says that a limit of the account was reached, so that there was no answer:
/// `Spending cap reached, resets 4:30am`.
// Coding agents print this in place of an answer, and graders fail every check of it.
pub(crate) fn names_limit(text: &str) -> bool {
    const LONGEST: usize = 160;
    const LIMITS: &[&str] = &[
        "spending cap",
        "spending limit",
        "usage cap",
        "usage limit",
        "rate limit",
        "credit balance",
        "credits",
        "quota",
        "session limit",
    ];
    const REACHED: &[&str] =
        &["reached", "exceeded", "hit", "exhausted", "too low", "out of", "used up"];
    if text.len() > LONGEST {
        return false;
    }
    let text = text.to_lowercase().replace(['_', '-'], " ");
    [LIMITS, REACHED].iter().all(|words| words.iter().any(|word| text.contains(word)))
}

/// The error in the output of a crashed program, where a document is expected.
pub(super) fn in_trace(text: &str) -> Option<String> {
    const STARTS: &[&str] =
        &["Traceback (most recent call last)", "Error: ", "error: ", "panicked at"];
    let text = text.trim();
    if !STARTS.iter().any(|start| text.starts_with(start)) {
        return None;
    }
    let last = text.lines().rev().find(|line| !line.trim().is_empty())?;
    Some(shortened(last.trim()))
}

/// The beginning of a report, short enough for a table of problems.
fn shortened(report: &str) -> String {
    match report.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", &report[..end]),
        None => report.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::is_error_state;

    #[test]
    fn a_state_may_say_why_after_a_colon() {
        for state in ["errored: monthly limit", "infra_error", "INFRA ERROR: no host", "timed out"]
        {
            assert!(is_error_state(state), "{state}");
        }
        for state in ["completed", "passed: an error was handled", "failed: error in the sheet"] {
            assert!(!is_error_state(state), "{state}");
        }
    }
}
