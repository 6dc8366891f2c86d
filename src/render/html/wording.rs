//! Both versions of a short text as one text with marked changes.

use crate::analyze::Flip;
use crate::diff::{Limits, RunKind, WordPart, words};
use crate::preview::markup::{Markup, Safe};

/// `before` and `after` as one text; `None` if they are too long or have little in common.
pub(super) fn change(before: &str, after: &str) -> Option<Safe> {
    let diff = words(before, after, &Limits::default()).ok()?;
    let (mut kept, mut total) = (0, 0);
    for part in &diff.parts {
        if let WordPart::Paragraph(runs) = part {
            let length = |kind: RunKind| -> usize {
                runs.iter().filter(|run| run.kind == kind).map(|run| run.text.len()).sum()
            };
            kept += length(RunKind::Equal);
            total += length(RunKind::Equal) + length(RunKind::Removed) + length(RunKind::Added);
        }
    }
    if kept * 3 < total {
        return None;
    }
    let mut markup = Markup::default();
    for part in &diff.parts {
        match part {
            WordPart::Paragraph(runs) => runs.iter().for_each(|run| {
                match run.kind {
                    RunKind::Equal => markup.text(run.text),
                    RunKind::Removed => markup.wrap("<del>", run.text, "</del>"),
                    RunKind::Added => markup.wrap("<ins>", run.text, "</ins>"),
                };
            }),
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

/// Both wordings of a reworded expectation as one text, each cut to `most` bytes.
pub(super) fn reworded(flip: &Flip, most: usize) -> Option<Safe> {
    let cut = |text: &'_ str| text[..text.floor_char_boundary(most)].to_owned();
    change(&cut(flip.earlier_text.as_ref()?), &cut(flip.text))
}

#[cfg(test)]
mod tests {
    use super::change;

    #[test]
    fn removed_and_added_words_are_marked() {
        let change = change("who <b> when", "who and when").unwrap();
        assert_eq!(change.as_str(), "who <del>&lt;b&gt;</del><ins>and</ins> when");
        assert!(super::change("names a signal", "proposes at least three others").is_none());
    }
}
