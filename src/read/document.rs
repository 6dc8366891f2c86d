//! From bytes to a tree; every repair is a problem. And whether a document reports an error of its
//! run or grader.

use std::borrow::Cow;

use crate::json::{self, RepairKind, Spanned};
use crate::model::{Code, Place, Problem};
use crate::read::alias::error as fields;
use crate::read::cursor::{Context, Cursor};
use crate::text::{folded_name, is_listed};

/// The largest document that is read, in bytes; larger ones are data.
pub const MAX_DOCUMENT_BYTES: u64 = 64 * 1024 * 1024;

/// Turns a document with one object per line into a list, if no object has objects in lists: graded
/// expectations, written one by one. The list has one extra line at its start.
pub(super) fn list_of_lines(text: &str) -> Option<String> {
    let holds_objects = |value: &Spanned<'_>| {
        value.as_list().is_some_and(|items| items.iter().any(|item| item.as_object().is_some()))
    };
    let is_item = |line: &str| {
        let value = json::parse_strict(line);
        let flat = |entries: &[_]| entries.iter().all(|(_, value)| !holds_objects(value));
        value.is_ok_and(|value| value.as_object().is_some_and(flat))
    };
    let is_filled = |line: &&str| !line.trim().is_empty();
    let mut lines = text.lines().filter(is_filled);
    (lines.clone().count() > 1 && lines.all(is_item)).then(|| {
        let ended = |line| format!("{line}{}\n", if is_filled(&line) { "," } else { "" });
        let body: String = text.lines().map(ended).collect();
        format!("[\n{}]", body.trim_end().trim_end_matches(','))
    })
}

/// Decodes the bytes of the document at `path`; an odd encoding is a problem.
pub(super) fn decode<'d>(path: &str, bytes: &'d [u8]) -> (Cow<'d, str>, Option<Problem>) {
    let (text, oddity) = json::decode(bytes);
    let problem = oddity.map(|oddity| {
        Problem::new(Code::Encoding, path, format!("the document {oddity}"))
            .assuming("converted to UTF-8")
            .help("save it as UTF-8 without a byte-order mark")
    });
    (text, problem)
}

/// Parses the text of `context`. Every repair is a problem, and so is the reason why nothing could
/// be read.
pub(super) fn parse<'d>(context: &Context<'_>, text: &'d str) -> Option<Spanned<'d>> {
    let parsed = json::parse(text).map_err(|not_json| {
        let place = Place { line: not_json.line, column: not_json.column };
        let problem = Problem::new(Code::NotJson, context.path(), not_json.message)
            .at(Some(place))
            .assuming("nothing was read from it")
            .help("write it again as JSON");
        context.problem(problem);
    });
    let parsed = parsed.ok()?;
    for repair in &parsed.repairs {
        // Only a document that breaks off lost something; no other repair does.
        let is_cut_off = matches!(repair.kind, RepairKind::CutOff(_));
        let code = if is_cut_off { Code::CutOff } else { Code::NearJson };
        let [message, assumed, help] = repair.kind.explain();
        let problem = Problem::new(code, context.path(), message);
        let problem = problem.at(Some(context.place_at(repair.at))).assuming(assumed).help(help);
        context.problem(problem);
    }
    Some(parsed.root)
}

/// States that are errors; a failed run is a verdict.
const ERROR_STATES: &str = "error errored execution_error grader_error judge_error infra_error \
    timeout timed_out agent_timeout crash crashed aborted exception";

/// Starts of the output of a crashed program, where a document is expected.
const TRACES: &[&str] = &["Traceback (most recent call last)", "Error: ", "error: ", "panicked at"];

const MAX_REPORT_CHARS: usize = 300;

/// The error reported by the document at `root`.
pub(super) fn error(root: Cursor<'_>) -> Option<String> {
    let part = || reported(root.object(&fields::PART)?);
    reported(root).or_else(part).map(|report| shortened(&report))
}

fn reported(cursor: Cursor<'_>) -> Option<String> {
    let message = cursor.get(&fields::ERROR).and_then(|value| match value.is_object() {
        true => value.words(&fields::REASON).or_else(|| value.as_words()),
        false => value.as_words().filter(|words| value.as_flag() != Some(false) && words != "none"),
    });
    let is_error = |state: &String| is_listed(ERROR_STATES, &folded_name(state.trim()));
    let is_over = || cursor.flag(&fields::TIMED_OUT) == Some(true);
    let state = cursor.label(&fields::STATE).filter(is_error);
    let state = state.or_else(|| is_over().then(|| "timed out".to_owned()));
    let reason = cursor.words(&fields::REASON).filter(|_| state.is_some());
    match (state, message.or(reason)) {
        (Some(state), Some(reason)) => Some(format!("{state}: {reason}")),
        (state, reason) => state.or(reason),
    }
}

/// The error in the output of a crashed program that is not a document.
pub(super) fn error_of_trace(text: &str) -> Option<String> {
    let text = text.trim();
    let is_trace = TRACES.iter().any(|begin| text.starts_with(begin));
    let last = text.lines().rev().find(|line| !line.trim().is_empty())?;
    is_trace.then(|| shortened(last.trim()))
}

fn shortened(report: &str) -> String {
    match report.char_indices().nth(MAX_REPORT_CHARS) {
        Some((end, _)) => format!("{}…", &report[..end]),
        None => report.to_owned(),
    }
}
