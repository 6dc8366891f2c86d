//! A short text before and after, as one text with what went and what came marked in it.

use crate::analyze::{Fate, Flip};
use crate::diff::{Limits, RunKind, WordDiff, WordPart, words};
use crate::render::context::Language;
use crate::render::preview::markup::{Markup, Safe};

/// `before` and `after` as one text; `None` where they are too long to be compared.
pub(super) fn change(before: &str, after: &str) -> Option<Safe> {
    let diff = words(before, after, &Limits::default()).full()?;
    Some(markup(&diff))
}

/// Both wordings of a reworded expectation as one text, each cut to `most` bytes; `None` where it was
/// not reworded.
pub(super) fn reworded(flip: &Flip, most: usize) -> Option<Safe> {
    let cut = |text: &'_ str| text[..text.floor_char_boundary(most)].to_owned();
    change(&cut(flip.earlier_text.as_ref()?), &cut(&flip.text))
}

/// The key of the word for how an expectation fared, told apart in part and in full; `None` where
/// it neither regressed nor was fixed nor fails on both sides. Between two configurations of one iteration, `is_beside`,
/// nothing was broken or mended.
pub(in crate::render) fn fate(flip: &Flip, is_beside: bool) -> Option<&'static str> {
    match (flip.fate, flip.is_partial(), is_beside) {
        (Fate::Regressed, false, false) => Some("diff.regressed"),
        (Fate::Regressed, true, false) => Some("diff.regressed_in_part"),
        (Fate::Regressed, false, true) => Some("diff.worse"),
        (Fate::Regressed, true, true) => Some("diff.worse_in_part"),
        (Fate::Fixed, false, false) => Some("diff.fixed"),
        (Fate::Fixed, true, false) => Some("diff.fixed_in_part"),
        (Fate::Fixed, false, true) => Some("diff.better"),
        (Fate::Fixed, true, true) => Some("diff.better_in_part"),
        (Fate::StillFailing, false, false) => Some("diff.still_failing"),
        (Fate::StillFailing, true, false) => Some("diff.still_failing_in_part"),
        (Fate::StillFailing, false, true) => Some("diff.failing_both"),
        (Fate::StillFailing, true, true) => Some("diff.failing_both_in_part"),
        _ => None,
    }
}

/// `counts` of `flips`, with how many of them are in part, where any is.
pub(in crate::render) fn in_part<'f>(
    counts: String,
    flips: impl IntoIterator<Item = &'f Flip>,
    language: &Language,
) -> String {
    let (partial, whole): (Vec<&Flip>, Vec<&Flip>) =
        flips.into_iter().partition(|flip| flip.is_partial());
    let key = match (partial.len(), whole.len()) {
        (0, _) => return counts,
        (1, 0) => "diff.one_in_part",
        (_, 0) => "diff.all_in_part",
        _ => "diff.of_them_in_part",
    };
    language.fill(key, &[("counts", &counts), ("n", &partial.len())])
}

fn markup(diff: &WordDiff<'_>) -> Safe {
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
    markup.finish()
}

#[cfg(test)]
mod tests {
    use super::{change, in_part};
    use crate::analyze::{Fate, Flip};
    use crate::model::Tally;
    use crate::render::context::language::Language;

    #[test]
    fn words_that_went_and_came_are_marked() {
        let change = change("who <b> when", "who and when").unwrap();
        assert_eq!(change.as_str(), "who <del>&lt;b&gt;</del><ins>and</ins> when");
    }

    #[test]
    fn how_many_are_in_part_is_told_where_any_is() {
        let flip = |before: usize| Flip {
            line: 0,
            text: "x".to_owned(),
            earlier_text: None,
            before: Tally { passed: before, failed: 2 - before, ungraded: 0 },
            after: Tally { passed: 2, failed: 0, ungraded: 0 },
            fate: Fate::Fixed,
        };
        let told = |of: &[usize]| {
            let flips: Vec<Flip> = of.iter().map(|before| flip(*before)).collect();
            in_part("fixed".to_owned(), &flips, &Language::default())
        };
        let fixed = |key: &str, n: usize| {
            let values: [(&str, &dyn std::fmt::Display); 2] = [("counts", &"fixed"), ("n", &n)];
            Language::default().fill(&format!("diff.{key}"), &values)
        };
        assert_eq!(told(&[0, 0]), "fixed");
        assert_eq!(told(&[1]), fixed("one_in_part", 1));
        assert_eq!(told(&[1, 1]), fixed("all_in_part", 2));
        assert_eq!(told(&[1, 0, 1]), fixed("of_them_in_part", 2));
    }
}
