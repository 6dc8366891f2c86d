//! The layout of a comment: what is visible, what is folded, and what fits.

use crate::language::{Language, say};
use crate::render::context::escape;

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
