//! Which new checks are probably earlier ones in other words. No number follows from it: it only
//! tells a reader why one check went and a similar one came.

use std::collections::BTreeSet;

use text::folded;

/// Two texts are probably the same check from this share of common letter pairs on.
const PROBABLE: f64 = 0.6;

/// The beginning of a check that is compared, in bytes.
const COMPARED_BYTES: usize = 400;

/// With more checks gone, none is compared: such a case got entirely new checks.
const COMPARED_CHECKS: usize = 100;

/// Checks that are gone, to be compared with new ones.
// 963 of 1,366 public lists of checks are bare texts, so no id tells that a check was sharpened.
pub(super) struct GoneChecks<'w>(Vec<(&'w str, LetterPairs)>);

impl<'w> GoneChecks<'w> {
    pub(super) fn new(texts: impl IntoIterator<Item = &'w str>) -> Self {
        let texts: Vec<&str> = texts.into_iter().collect();
        if texts.len() > COMPARED_CHECKS {
            return Self(Vec::new());
        }
        Self(texts.into_iter().map(|text| (text, LetterPairs::new(text))).collect())
    }

    /// The check that `new` probably says in other words: the most similar one, if any is similar
    /// enough.
    pub(super) fn probably_earlier(&self, new: &str) -> Option<&'w str> {
        if self.0.is_empty() {
            return None;
        }
        let new = LetterPairs::new(new);
        let (mut highest, mut earlier) = (PROBABLE, None);
        for (text, gone) in &self.0 {
            let similarity = gone.similarity(&new);
            if similarity >= highest {
                (highest, earlier) = (similarity, Some(*text));
            }
        }
        earlier
    }
}

/// Every two neighboring characters of a text that are letters or digits. They suit scripts without
/// spaces as well.
struct LetterPairs(BTreeSet<(char, char)>);

impl LetterPairs {
    fn new(text: &str) -> Self {
        let text = folded(&text[..text.floor_char_boundary(COMPARED_BYTES)]);
        let letters: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
        Self(letters.windows(2).map(|pair| (pair[0], pair[1])).collect())
    }

    /// Twice the common pairs over all pairs, in 0..=1 (Dice 1945, Sørensen 1948).
    fn similarity(&self, other: &Self) -> f64 {
        let common = self.0.intersection(&other.0).count();
        2.0 * common as f64 / (self.0.len() + other.0.len()).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::GoneChecks;

    #[test]
    fn the_most_similar_gone_check_is_probably_the_same() {
        for (gone, new, expected) in [
            (&["The output is valid JSON"][..], "Output should be valid JSON.", Some(0)),
            (&["Includes a summary table", "The chart has a title"], "Chart has a title!", Some(1)),
            (&["輸出包含摘要表格"], "輸出的檔案包含摘要表格", Some(0)),
            (&["Names the author of the report"], "All links work", None),
            (&[], "All links work", None),
        ] {
            let actual = GoneChecks::new(gone.iter().copied()).probably_earlier(new);
            assert_eq!(actual, expected.map(|at: usize| gone[at]), "{new}");
        }
    }
}
