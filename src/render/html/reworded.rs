//! Both versions of a short text as one text with marked changes.

use crate::analyze::Flip;
use crate::preview::markup::{Markup, Safe};
use diff::{Limits, RunKind, WordPart, WordRun, words};

/// Bytes of each wording of a check that are compared.
const WORDING: usize = 2_000;

/// `before` and `after` as one text; `None` if they are too long or have little in common.
pub(super) fn change(before: &str, after: &str) -> Option<Safe> {
    let diff = words(before, after, &Limits::default()).ok()?;
    let (mut kept, mut total) = (0, 0);
    for part in &diff.parts {
        let WordPart::Paragraph(runs) = part else { continue };
        for run in runs {
            total += run.text.len();
            if run.kind == RunKind::Equal {
                kept += run.text.len();
            }
        }
    }
    // A text with more marks than words is harder to read than both texts.
    if kept * 3 < total {
        return None;
    }
    let mut markup = Markup::default();
    for part in &diff.parts {
        match part {
            WordPart::Paragraph(runs) => push_runs(runs, &mut markup),
            WordPart::Fold { text, .. } => {
                markup.text(text);
            }
            WordPart::Omitted { .. } => {
                markup.raw("\n…\n");
            }
        }
    }
    Some(markup.finish())
}

fn push_runs(runs: &[WordRun<'_>], markup: &mut Markup) {
    for run in runs {
        match run.kind {
            RunKind::Equal => markup.text(run.text),
            RunKind::Removed => markup.wrap("<del>", run.text, "</del>"),
            RunKind::Added => markup.wrap("<ins>", run.text, "</ins>"),
        };
    }
}

/// Both wordings of a reworded check as one text.
pub(super) fn check(flip: &Flip) -> Option<Safe> {
    change(beginning(flip.earlier_text.as_ref()?), beginning(flip.text))
}

fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(WORDING)]
}

#[cfg(test)]
mod tests {
    use super::change;

    #[test]
    fn removed_and_added_words_are_marked() {
        let marked = change("who <b> when", "who and when").unwrap();
        assert_eq!(marked.as_str(), "who <del>&lt;b&gt;</del><ins>and</ins> when");
        assert!(change("names a signal", "proposes at least three others").is_none());
    }
}
