//! The newest iteration as Markdown with a size limit, for a comment on a pull request or a CI
//! step.
//!
//! Verdict, counts, worst cases and regressions are visible at once; the rest is folded.

mod content;

use crate::language::Language;
use crate::render::context::{Part, addresses, escape};
use crate::render::text::pull_request::content::{CommentBlock, CommentContent};
use crate::text::Slugs;

/// The start of the hidden first line, by which a comment is found again; the name follows.
pub const MARKER: &str = "<!-- evalbook:";

/// Most bytes of a comment: the limit is 65,536 characters, each at least a byte.
pub const COMMENT_BYTES: usize = 60_000;

/// Most bytes of a step summary: the limit is 1 MiB.
pub const SUMMARY_BYTES: usize = 1_000 * 1024;

/// The text for `parts` in at most `budget` bytes, with a final newline. `url` is where the report
/// is published, ending in `/`.
pub fn markdown(
    parts: &[Part<'_>],
    budget: usize,
    url: Option<&str>,
    language: &Language,
) -> String {
    let addresses = addresses(parts);
    let names: Vec<&str> = parts.iter().map(Part::title).collect();
    // The first line is invisible when rendered, and the same for every text about the same skills.
    let mut text = format!("{MARKER}{} -->\n", Slugs::default().give(&names.join(" ")));
    let mut missing = 0;
    let reserved = if parts.len() > 1 { omitted(parts.len(), url, language).len() } else { 0 };
    for (index, part) in parts.iter().enumerate() {
        let content = CommentContent::new(part, &addresses[index], url, language);
        let left = budget.saturating_sub(text.len() + reserved);
        match fitted(&content, left / (parts.len() - index), url, language) {
            Some(section) => text.push_str(&section),
            None => missing += 1,
        }
    }
    if missing > 0 {
        text.push_str(&omitted(missing, url, language));
    }
    if text.len() > budget {
        return String::new();
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

fn omitted(number: usize, url: Option<&str>, language: &Language) -> String {
    let place = match url {
        Some(url) => format!("[{}]({url})", language.text("pull_request.report")),
        None => language.text("pull_request.unpublished").to_owned(),
    };
    let list = language.count(number, "workspace_left_out");
    language.fill("pull_request.cut", &[("list", &list), ("place", &place)]) + "\n\n"
}

/// The text in at most `room` bytes, without details or body if they do not fit; else `None`.
fn fitted(
    content: &CommentContent,
    room: usize,
    url: Option<&str>,
    words: &Language,
) -> Option<String> {
    let CommentContent { heading, body, footer, .. } = content;
    let link = url
        .map_or(String::new(), |url| format!("[{}]({url})\n\n", words.text("pull_request.report")));
    let visible = format!("{heading}{body}{link}");
    let Some(left) = room.checked_sub(visible.len() + footer.len()) else {
        return (heading.len() + link.len() <= room).then(|| format!("{heading}{link}"));
    };
    Some(visible + &details(content, left, words).unwrap_or_default() + footer)
}

/// The folded part in at most `room` bytes; `None` if it does not fit or is empty.
fn details(content: &CommentContent, room: usize, language: &Language) -> Option<String> {
    let total_rows: usize = content.details.iter().map(|block| block.rows.len()).sum();
    let summary = escape::markdown(language.text("pull_request.details"));
    let more = |n: usize| language.fill("pull_request.more", &[("n", &n)]) + "\n\n";
    let (start, end) = (format!("<details><summary>{summary}</summary>\n\n"), "</details>\n\n");
    let mut left = room.checked_sub(start.len() + end.len() + more(total_rows).len())?;
    let (mut text, mut written) = (String::new(), 0);
    for CommentBlock { head, rows } in &content.details {
        let mut frame = head.len() + 1;
        for (at, row) in rows.iter().enumerate() {
            if frame + row.len() > left {
                break;
            }
            if at == 0 {
                text.push_str(head);
            }
            left -= frame + row.len();
            frame = 0;
            text.push_str(row);
            written += 1;
        }
        if frame == 0 {
            text.push('\n');
        }
    }
    let missing = if written < total_rows { more(total_rows - written) } else { String::new() };
    (total_rows > 0).then(|| format!("{start}{text}{missing}{end}"))
}
