//! Rare words, which show that an edit of the skill and a check are about the same thing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use diff::tokens;

/// A word in more than one of this many texts is common, and its weight is 0.
const COMMON: usize = 5;

/// Stop words: they say how something is to be done, not what. They link no check to an edit, even
/// where they are rare.
const STOP_WORDS: &str = "the and for with that this from into are was were has have not must should each \
    every all any when where which then than only also use used using make made sure does will can \
    may its their there your you one two first last before after always never both same such more \
    most less least include contain provide show state give list output file response result answer \
    report section skill user check correct clear appropriate specific least exactly";

/// The words of a text without stop words: each stem with its first spelling.
pub(super) fn content_words(text: &str) -> BTreeMap<String, String> {
    let mut words = BTreeMap::new();
    let mut before: Option<&str> = None;
    for token in tokens(text) {
        let is_unspaced = token.chars().all(|c| c >= '\u{2e80}' && c.is_alphanumeric());
        // In a script without spaces, a word is a character together with the next one.
        if is_unspaced {
            if let Some(before) = before {
                let pair = format!("{before}{token}");
                words.entry(pair.clone()).or_insert(pair);
            }
            before = Some(token);
            continue;
        }
        before = None;
        for part in token.split(|c: char| !c.is_alphanumeric()) {
            let stem = stem(part);
            if stem.chars().count() >= 3 && !STOP_STEMS.contains(&stem) {
                words.entry(stem).or_insert_with(|| part.to_lowercase());
            }
        }
    }
    words
}

static STOP_STEMS: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| STOP_WORDS.split_ascii_whitespace().map(stem).collect());

/// A word without its English ending, so that `rounded` and `rounds` are one.
fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    if !word.is_ascii() || !word.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return word;
    }
    let endings = ["ings", "ing", "ies", "ied", "ed", "es", "s", "ly", "e", "y"];
    let mut stems = endings.iter().filter_map(|ending| word.strip_suffix(ending));
    stems.find(|stem| stem.len() >= 3).unwrap_or(&word).to_owned()
}

/// The weight of each word, its inverse document frequency: the fewer texts have it, the higher.
#[derive(Debug)]
pub(super) struct Weights {
    texts: usize,
    with: BTreeMap<String, usize>,
}

impl Weights {
    pub(super) fn new<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let mut weights = Self { texts: 0, with: BTreeMap::new() };
        for text in texts {
            weights.texts += 1;
            for word in content_words(text).into_keys() {
                *weights.with.entry(word).or_default() += 1;
            }
        }
        weights
    }

    /// 0 for a common word; 1 for one in at most two texts, one of the skill and one check.
    pub(super) fn weight(&self, word: &str) -> f64 {
        let with = self.with.get(word).copied().unwrap_or(1).max(2);
        if with > (self.texts / COMMON).max(3) {
            return 0.0;
        }
        // Very few texts cannot tell how common a word is.
        let texts = self.texts.max(10) as f64;
        libm::log(texts / with as f64) / libm::log(texts / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Weights, content_words};

    #[test]
    fn words_are_compared_without_their_endings() {
        let words = |text: &str| content_words(text).into_keys().collect::<Vec<_>>();
        assert_eq!(words("Rounded amounts, rounding: ROUNDS."), ["amount", "round"]);
        assert_eq!(words("the value of values must be stated"), ["valu"]);
        assert_eq!(words("`late_shipments.tsv`"), ["lat", "shipment", "tsv"]);
        assert_eq!(words("四捨五入"), ["五入", "四捨", "捨五"]);
        assert_eq!(words("a b 12"), [""; 0]);
    }

    #[test]
    fn rare_words_weigh_more() {
        let texts = (0..40).map(|at| match at {
            3 => "totals of the basilica",
            at if at % 10 == 0 => "totals of a region",
            _ => "totals",
        });
        let weights = Weights::new(texts);
        assert_eq!([weights.weight("total"), weights.weight("basilica")], [0.0, 1.0]);
        let some = weights.weight("region");
        assert!(some > 0.0 && some < 1.0, "{some}");
    }
}
