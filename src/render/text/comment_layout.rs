//! The layout of a comment: what is visible, what is folded, and what fits.

use crate::language::{Language, say};
use crate::render::context::escape;

/// Cases that are named with checks of one evidence.
const NAMED_CASES: usize = 3;

/// The text for one workspace.
#[derive(Default)]
pub(super) struct CommentContent {
    pub(super) heading: String,
    pub(super) body: String,
    /// The checks that changed, which come after the body; texts of their own can be long.
    pub(super) checks: String,
    pub(super) details: Vec<CommentBlock>,
    pub(super) footer: String,
}

pub(super) struct CommentBlock {
    pub(super) head: String,
    /// Each row is complete in itself.
    pub(super) rows: Vec<String>,
}

/// Lost checks in groups of equal evidence; one without evidence is alone.
pub(super) fn by_evidence<'e, T>(
    lost: impl IntoIterator<Item = &'e T>,
    evidence: impl Fn(&'e T) -> Option<&'e str>,
) -> Vec<Vec<&'e T>> {
    let mut groups: Vec<Vec<&T>> = Vec::new();
    for check in lost {
        let own = evidence(check).filter(|text| !text.trim().is_empty());
        match groups.iter_mut().find(|group| own.is_some() && evidence(group[0]) == own) {
            Some(group) => group.push(check),
            None => groups.push(vec![check]),
        }
    }
    groups
}

/// How many checks with one evidence are in which cases, given the case of each, and one of them.
pub(super) fn one_reason(
    cases: impl Iterator<Item = String>,
    check: &str,
    language: &Language,
) -> String {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for case in cases {
        match counts.iter_mut().find(|(known, _)| *known == case) {
            Some((_, count)) => *count += 1,
            None => counts.push((case, 1)),
        }
    }
    let checks = language.count(counts.iter().map(|(_, count)| count).sum(), "check");
    let named = counts.iter().map(|(case, count)| format!("{case} ({count})")).collect();
    let named = language.first_few(named, NAMED_CASES, "list.comma");
    say!(language, "pull_request.one_reason", checks, named, check)
}

/// The text in at most `room` bytes, without details, checks or body if they do not fit; else `None`.
pub(super) fn fitted(
    content: &CommentContent,
    room: usize,
    url: Option<&str>,
    language: &Language,
) -> Option<String> {
    let CommentContent { heading, body, checks, footer, .. } = content;
    let mut link = String::new();
    if let Some(url) = url {
        link = format!("[{}]({url})\n\n", language.text("pull_request.report"));
    }
    for checks in [checks.as_str(), ""] {
        let visible = format!("{heading}{body}{checks}{link}");
        if let Some(left) = room.checked_sub(visible.len() + footer.len()) {
            return Some(visible + &details(content, left, language) + footer);
        }
    }
    // A verdict with a link is still of use, and half a table is not.
    if heading.len() + link.len() > room {
        return None;
    }
    Some(format!("{heading}{link}"))
}

/// The folded part in at most `room` bytes; empty if nothing is folded or fits.
fn details(content: &CommentContent, room: usize, language: &Language) -> String {
    let total: usize = content.details.iter().map(|block| block.rows.len()).sum();
    let summary = escape::markdown(language.text("pull_request.details"));
    let (start, end) = (format!("<details><summary>{summary}</summary>\n\n"), "</details>\n\n");
    let frame = start.len() + end.len() + more(total, language).len();
    let Some(mut left) = room.checked_sub(frame).filter(|_| total > 0) else {
        return String::new();
    };
    let (mut text, mut written) = (start, 0);
    for CommentBlock { head, rows } in &content.details {
        let mut shown = 0;
        for row in rows {
            // The head and an empty line come with the first row.
            let length = if shown == 0 { head.len() + row.len() + 1 } else { row.len() };
            if length > left {
                break;
            }
            if shown == 0 {
                text.push_str(head);
            }
            text.push_str(row);
            left -= length;
            shown += 1;
        }
        if shown > 0 {
            text.push('\n');
        }
        written += shown;
    }
    if written < total {
        text += &more(total - written, language);
    }
    text + end
}

fn more(rows: usize, language: &Language) -> String {
    say!(language, "pull_request.more", n = rows) + "\n\n"
}
