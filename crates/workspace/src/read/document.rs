//! From bytes to a tree; every repair is a problem.

use std::borrow::Cow;

use crate::read::cursor::Context;
use input::model::{Code, Place, Problem};
use json::{self, RepairKind, Spanned};

/// Turns a document with one object per line into a list, if no object has objects in lists: graded
/// expectations, written one by one. The list has one extra line at its start.
pub(super) fn list_of_lines(text: &str) -> Option<String> {
    let filled: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    if filled.len() < 2 || !filled.iter().all(|line| is_flat_object(line)) {
        return None;
    }
    let mut list = String::from("[\n");
    for line in text.lines() {
        let comma = if line.trim().is_empty() { "" } else { "," };
        list.push_str(&format!("{line}{comma}\n"));
    }
    Some(format!("{}]", list.trim_end().trim_end_matches(',')))
}

/// Whether a line is an object without objects in lists.
fn is_flat_object(line: &str) -> bool {
    let Ok(value) = json::parse_strict(line) else { return false };
    let Some(entries) = value.as_object() else { return false };
    entries.iter().all(|(_, value)| {
        let items = value.as_list().unwrap_or_default();
        items.iter().all(|item| item.as_object().is_none())
    })
}

/// Decodes the bytes of the document at `path`; an odd encoding is a problem.
// Windows PowerShell redirects into UTF-16, and editors there write a byte order mark.
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
// Models write many documents: unquoted times, `+0.5`, unescaped quotation marks, control
// characters and texts that never close all occur in public workspaces.
pub(super) fn parse<'d>(context: &Context<'_>, text: &'d str) -> Option<Spanned<'d>> {
    let parsed = match json::parse(text) {
        Ok(parsed) => parsed,
        Err(not_json) => {
            let place = Place { line: not_json.line, column: not_json.column };
            let is_pointer = text.starts_with("version https://git-lfs");
            let help = if is_pointer {
                "it stands for a file of Git LFS: run `git lfs pull`, or check out with `lfs: true`"
            } else {
                "write it again as JSON"
            };
            let problem = Problem::new(Code::NotJson, context.path(), not_json.message)
                .at(Some(place))
                .assuming("nothing was read from it")
                .help(help);
            context.problem(problem);
            return None;
        }
    };
    for repair in &parsed.repairs {
        // Only a document that breaks off lost something; no other repair does.
        let is_cut_off = matches!(repair.kind, RepairKind::CutOff(_));
        let code = if is_cut_off { Code::CutOff } else { Code::NearJson };
        let [message, assumed, help] = repair.kind.explain();
        let problem = Problem::new(code, context.path(), message)
            .at(Some(context.place_at(repair.at)))
            .assuming(assumed)
            .help(help);
        context.problem(problem);
    }
    Some(parsed.root)
}
