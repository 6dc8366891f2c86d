//! Reads whether a document of a run reports an error of the run or of its grader.

use crate::read::alias::error as fields;
use crate::read::cursor::Cursor;
use crate::text::{folded_name, is_listed};

/// States that are errors; that a run failed is a verdict.
const STATES: &str = "error errored execution_error grader_error judge_error infra_error \
    timeout timed_out agent_timeout crash crashed aborted exception";

/// How the output of a program begins that broke off, where a document is expected.
const TRACES: &[&str] = &["Traceback (most recent call last)", "Error: ", "error: ", "panicked at"];

/// Longer reports are cut.
const LONGEST: usize = 300;

/// What the document at `root` reports of an error.
pub(super) fn read(root: &Cursor<'_>) -> Option<String> {
    let part = root.get_where(&fields::PART, Cursor::is_object);
    let found = [Some(reported(root)), part.as_ref().map(reported)];
    found.into_iter().flatten().flatten().next().map(|report| shortened(&report))
}

fn reported(cursor: &Cursor<'_>) -> Option<String> {
    let message = cursor.get(&fields::ERROR).and_then(|found| match found.is_object() {
        true => found.words(&fields::REASON).or_else(|| found.as_words()),
        false => found.as_words().filter(|words| found.as_flag() != Some(false) && words != "none"),
    });
    let state =
        cursor.label(&fields::STATE).filter(|state| is_listed(STATES, &folded_name(state.trim())));
    let state = state.or_else(|| {
        Some("timed out".to_owned()).filter(|_| cursor.flag(&fields::TIMED_OUT) == Some(true))
    });
    let reason = cursor.words(&fields::REASON).filter(|_| state.is_some());
    match (state, message.or(reason)) {
        (Some(state), Some(reason)) => Some(format!("{state}: {reason}")),
        (state, reason) => state.or(reason),
    }
}

/// What a text reports that is no document but the output of a program that broke off.
pub(super) fn of_trace(text: &str) -> Option<String> {
    let text = text.trim();
    let is_trace = TRACES.iter().any(|begin| text.starts_with(begin));
    let last = text.lines().rev().find(|line| !line.trim().is_empty())?;
    is_trace.then(|| shortened(last.trim()))
}

fn shortened(report: &str) -> String {
    match report.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &report[..end]),
        None => report.to_owned(),
    }
}
