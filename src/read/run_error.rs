//! Whether a document reports an error of its run or grader.

use crate::read::alias::error as fields;
use crate::read::cursor::Cursor;
use crate::text::{folded_name, is_listed};

/// The error reported by the document at `root`.
pub(super) fn in_document(root: Cursor<'_>) -> Option<String> {
    let report = reported(root).or_else(|| reported(root.object(&fields::PART)?));
    report.map(|report| shortened(&report))
}

fn reported(cursor: Cursor<'_>) -> Option<String> {
    let message = cursor.get(&fields::ERROR).and_then(error_message);
    let Some(state) = error_state(cursor) else { return message };
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
    const STATES: &str = "error errored execution_error grader_error judge_error infra_error \
        timeout timed_out agent_timeout crash crashed aborted exception";
    if let Some(state) = cursor.label(&fields::STATE)
        && is_listed(STATES, &folded_name(state.trim()))
    {
        return Some(state);
    }
    if cursor.flag(&fields::TIMED_OUT) == Some(true) { Some("timed out".to_owned()) } else { None }
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
