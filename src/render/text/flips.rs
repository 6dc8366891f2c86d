//! An expectation that regressed or improved, in words.

use std::fmt::Write;

use crate::analyze::{Fate, Flip};
use crate::language::Language;
use crate::render::context::{Rate, escape::markdown};

/// The key of the word for how an expectation fared, told apart in part and in full; `None` where
/// it neither regressed nor was fixed nor fails on both sides. Between two configurations of one iteration, `is_beside`,
/// nothing was broken or mended.
pub(crate) fn fate(flip: &Flip, is_beside: bool) -> Option<&'static str> {
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
pub(crate) fn in_part<'f>(
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

/// One change as an item of a list in Markdown, after the name of its `case` where there is one; `None`
/// where the expectation neither regressed nor was fixed nor fails on both sides.
pub(crate) fn item(
    flip: &Flip,
    (case, is_beside): (&str, bool),
    words: &Language,
) -> Option<String> {
    let mut item = format!("- {}: ", words.text(fate(flip, is_beside)?));
    if !case.is_empty() {
        let _ = write!(item, "{}: ", markdown(case));
    }
    let counts = Rate::counts_of_both(flip.before, flip.after);
    let _ = write!(item, "{} ({counts})", markdown(&flip.text));
    if let Some(earlier) = &flip.earlier_text {
        let reworded = words.fill("diff.reworded_from", &[("text", earlier)]);
        let _ = write!(item, "{}{}", words.text("list.semicolon"), markdown(&reworded));
    }
    item.push('\n');
    Some(item)
}

#[cfg(test)]
mod tests {
    use super::in_part;
    use crate::analyze::{Fate, Flip};
    use crate::language::Language;
    use crate::model::Tally;

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
