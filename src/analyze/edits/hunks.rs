//! The edits between two copies of the skill, one by one.

use schemars::JsonSchema;
use serde::Serialize;

use diff::{self, Limits, Row};

/// With more edits between two copies than these, they are two skills.
pub(super) const EDITS_TOLD_APART: usize = 300;

/// One edit: a paragraph, an item of a list or a block of other lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Hunk {
    /// Name of the file in the copy.
    pub file: String,
    /// Line in the newer copy, from 1; in the older one where the edit only removes.
    pub line: usize,
    /// The removed text.
    pub removed: String,
    /// The added text.
    pub added: String,
}

/// The edits from `old` to `new`, the texts of the file `name`; empty where they are too long.
pub(super) fn hunks(name: &str, old: &str, new: &str) -> Vec<Hunk> {
    let Ok(line_diff) = diff::lines(old, new, &Limits::default()) else { return Vec::new() };
    let mut hunks: Vec<Hunk> = Vec::new();
    let mut is_open = false;
    for row in line_diff.rows {
        let (line, removed, added) = match row {
            Row::Removed { old, text } => (old, text.to_owned(), String::new()),
            Row::Added { new, text } => (new, String::new(), text.to_owned()),
            Row::Changed(changed) => {
                (changed.new, joined(&changed.removed), joined(&changed.added))
            }
            _ => (0, String::new(), String::new()),
        };
        if removed.trim().is_empty() && added.trim().is_empty() {
            is_open = false;
            continue;
        }
        let begins = begins_block(name, &removed) || begins_block(name, &added);
        match hunks.last_mut() {
            Some(last) if is_open && !begins => {
                // The line is that of the first added text; of removed text only where nothing is added.
                if last.added.trim().is_empty() {
                    last.line = line;
                }
                append(&mut last.removed, &removed);
                append(&mut last.added, &added);
            }
            _ => hunks.push(Hunk { file: name.to_owned(), line, removed, added }),
        }
        is_open = true;
    }
    hunks
}

fn joined(spans: &[diff::Span<'_>]) -> String {
    spans.iter().map(|span| span.text).collect()
}

fn append(text: &mut String, line: &str) {
    if !line.is_empty() {
        text.push_str(if text.is_empty() { "" } else { "\n" });
        text.push_str(line);
    }
}

/// Whether a line of Markdown begins a heading or an item of a list.
fn begins_block(name: &str, line: &str) -> bool {
    let line = line.trim_start();
    let after_digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = after_digits.len() < line.len() && after_digits.starts_with(['.', ')']);
    let is_marked = ["- ", "* ", "+ ", "#", "|"].iter().any(|mark| line.starts_with(mark));
    name.ends_with(".md") && (is_marked || is_numbered)
}

#[cfg(test)]
mod tests {
    use super::hunks;

    #[test]
    fn each_item_and_paragraph_is_an_edit_of_its_own() {
        let old = "# Skill\n\n- Read the sheet.\n- Keep it short.\n\nA paragraph\nof two lines.\n";
        let new = "# Skill\n\n- Read every sheet.\n- Keep it short.\n- Round to cents.\n\
            - Name the total\n  of each region.\n\nA paragraph\nof three lines\nand more.\n";
        let actual = hunks("SKILL.md", old, new);
        let actual: Vec<(usize, &str, &str)> = actual
            .iter()
            .map(|found| (found.line, found.removed.as_str(), found.added.as_str()))
            .collect();
        let expected = [
            (3, "- Read the sheet.", "- Read every sheet."),
            (5, "", "- Round to cents."),
            (6, "", "- Name the total\n  of each region."),
            (10, "of two lines.", "of three lines\nand more."),
        ];
        assert_eq!(actual, expected);
        assert_eq!(hunks("SKILL.md", old, old), []);
    }

    #[test]
    fn a_removal_is_an_edit_too() {
        let found = hunks("run.py", "a = 1\nb = 2\nc = 3\n", "a = 1\n");
        assert_eq!((found.len(), found[0].line, found[0].removed.as_str()), (1, 3, "b = 2\nc = 3"));
    }
}
