//! Which new checks are probably earlier ones in other words. No number follows from it: it only
//! tells a reader why one check went and a similar one came.

use crate::text::folded;

/// Two texts are probably the same check from this share of common letter pairs on.
const PROBABLE: f64 = 0.7;

/// The beginning of a check that is compared, in bytes.
const COMPARED_BYTES: usize = 400;

/// With more earlier checks, none is compared: such a case got entirely new checks.
const MAX_COMPARED: usize = 100;

/// Checks that are gone, to be compared with new ones.
pub(super) struct GoneChecks<'w>(Vec<(&'w str, String)>);

impl<'w> GoneChecks<'w> {
    pub(super) fn new(texts: impl IntoIterator<Item = &'w str>) -> Self {
        let gone: Vec<(&str, String)> =
            texts.into_iter().map(|text| (text, compared_text(text))).collect();
        if gone.len() > MAX_COMPARED { Self(Vec::new()) } else { Self(gone) }
    }

    /// The check that `new` probably says in other words: the most similar one, if any is similar
    /// enough.
    pub(super) fn probably_earlier(&self, new: &str) -> Option<&'w str> {
        if self.0.is_empty() {
            return None;
        }
        let new = compared_text(new);
        let (mut highest, mut earlier) = (PROBABLE, None);
        for (text, compared) in &self.0 {
            // Sørensen and Dice: twice the common pairs of letters over all pairs.
            let similarity = strsim::sorensen_dice(compared, &new);
            if similarity >= highest {
                (highest, earlier) = (similarity, Some(*text));
            }
        }
        earlier
    }
}

fn compared_text(text: &str) -> String {
    folded(&text[..text.floor_char_boundary(COMPARED_BYTES)]).into_owned()
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
