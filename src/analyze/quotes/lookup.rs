//! Finds quotations in texts: word by word, ignoring white space, quotation marks, Markdown and
//! case, then with some words changed.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use text::{quotation_parts, words};

/// One word in this many may differ. Graders shorten and correct what they quote; sentences that
/// say the same in other words differ in more than half of theirs.
const ONE_IN: usize = 5;

/// Where words of a quotation occur in a text is looked at so often, and so many of these places
/// are compared word by word.
const MAX_STARTS: usize = 1024;
const COMPARED_PLACES: usize = 8;

/// A word: a hash of its letters in lower case, so that texts need not be kept.
pub(super) type WordHash = u64;

/// The words of a quotation, split where it leaves something out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct QuotedWords(Vec<Vec<WordHash>>);

impl QuotedWords {
    /// The words of `text`; `None` if they are too few to be judged.
    pub(super) fn new(text: &str) -> Option<Self> {
        let mut pieces: Vec<Vec<WordHash>> = Vec::new();
        for part in quotation_parts(text) {
            pieces.push(part.iter().map(|word| word.hash).collect());
        }
        if pieces.is_empty() { None } else { Some(Self(pieces)) }
    }

    pub(super) fn words(&self) -> impl Iterator<Item = WordHash> {
        self.0.iter().flatten().copied()
    }
}

/// An inverted index of a text: its words with their lines.
#[derive(Debug)]
pub(super) struct Indexed {
    words: Vec<WordHash>,
    /// For each line the index of its first word.
    lines: Vec<u32>,
    /// The indices of each word that occurs in a quotation.
    places: BTreeMap<WordHash, Vec<u32>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct QuoteHit {
    pub(super) line: usize,
    /// How many words are changed, added or missing.
    pub(super) distance: usize,
}

impl Indexed {
    /// Indexes `text`; `vocabulary` holds the words of all quotations to look up.
    pub(super) fn new(text: &str, vocabulary: &BTreeSet<WordHash>) -> Self {
        let mut hashes: Vec<WordHash> = Vec::new();
        let mut lines = Vec::new();
        for line in text.split('\n') {
            lines.push(hashes.len() as u32);
            hashes.extend(words(line).iter().map(|word| word.hash));
        }
        let mut places: BTreeMap<WordHash, Vec<u32>> = BTreeMap::new();
        for (place, word) in hashes.iter().enumerate() {
            if vocabulary.contains(word) {
                places.entry(*word).or_default().push(place as u32);
            }
        }
        Self { words: hashes, lines, places }
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The best match for a quotation; `None` if there is none. A piece that is not found counts as
    /// changed as a whole.
    pub(super) fn find(&self, quotation: &QuotedWords) -> Option<QuoteHit> {
        let mut first: Option<QuoteHit> = None;
        let mut distance = 0;
        for piece in &quotation.0 {
            if let Some(hit) = self.exact(piece).or_else(|| self.close(piece)) {
                distance += hit.distance;
                first.get_or_insert(hit);
            } else {
                distance += piece.len();
            }
        }
        if distance * ONE_IN > quotation.words().count() {
            return None;
        }
        Some(QuoteHit { distance, ..first? })
    }

    fn places(&self, word: WordHash) -> &[u32] {
        self.places.get(&word).map_or(&[], Vec::as_slice)
    }

    fn line(&self, word: usize) -> usize {
        self.lines.partition_point(|first| *first as usize <= word)
    }

    /// The first place where all words are in a row.
    fn exact(&self, piece: &[WordHash]) -> Option<QuoteHit> {
        let rarest = (0..piece.len()).min_by_key(|at| self.places(piece[*at]).len())?;
        let starts = self.places(piece[rarest]).iter();
        let mut starts = starts.filter_map(|place| (*place as usize).checked_sub(rarest));
        let start = starts.find(|start| self.words[*start..].starts_with(piece))?;
        Some(QuoteHit { line: self.line(start), distance: 0 })
    }

    /// The place with the fewest changed words, if they are few enough.
    fn close(&self, piece: &[WordHash]) -> Option<QuoteHit> {
        let most = piece.len() / ONE_IN;
        let present = piece.iter().filter(|word| self.places.contains_key(word)).count();
        if most == 0 || present + most < piece.len() {
            return None;
        }
        let mut closest: Option<QuoteHit> = None;
        for start in self.candidates(piece, most) {
            let from = start.saturating_sub(most);
            let to = (start + piece.len() + most).min(self.words.len());
            let hit = QuoteHit {
                line: self.line(start),
                distance: distance(piece, &self.words[from..to]),
            };
            let is_closer =
                closest.is_none_or(|known| (hit.distance, hit.line) < (known.distance, known.line));
            if hit.distance <= most && is_closer {
                closest = Some(hit);
            }
        }
        closest
    }

    /// Where the quotation may begin: the places on which most of its words agree.
    fn candidates(&self, piece: &[WordHash], most: usize) -> Vec<usize> {
        let mut by_rarity: Vec<usize> = (0..piece.len()).collect();
        by_rarity.sort_by_cached_key(|at| (self.places(piece[*at]).len(), *at));
        let mut starts: Vec<usize> = Vec::new();
        for at in by_rarity {
            let remaining = MAX_STARTS - starts.len();
            let places = self.places(piece[at]).iter().take(remaining);
            starts.extend(places.map(|place| (*place as usize).saturating_sub(at)));
        }
        starts.sort_unstable();
        let mut groups: Vec<Range<usize>> = Vec::new();
        let mut end = 0;
        for at in 0..starts.len() {
            end = end.max(at);
            while end < starts.len() && starts[end] <= starts[at] + most {
                end += 1;
            }
            groups.push(at..end);
        }
        groups.sort_by_key(|group| (usize::MAX - group.len(), group.start));
        groups.truncate(COMPARED_PLACES);
        groups.into_iter().map(|group| starts[group.start + group.len() / 2]).collect()
    }
}

/// The smallest edit distance, in words, from `piece` to a part of `window`.
fn distance(piece: &[WordHash], window: &[WordHash]) -> usize {
    let mut row: Vec<usize> = vec![0; window.len() + 1];
    for (at, word) in piece.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (to, other) in window.iter().enumerate() {
            let changed = diagonal + usize::from(word != other);
            diagonal = row[to + 1];
            row[to + 1] = changed.min(diagonal + 1).min(row[to] + 1);
        }
    }
    row.into_iter().min().unwrap_or(piece.len())
}

#[cfg(test)]
mod tests {
    use super::{Indexed, QuoteHit, QuotedWords};

    fn find(quotation: &str, text: &str) -> Option<QuoteHit> {
        let pieces = QuotedWords::new(quotation).expect("long enough to be judged");
        Indexed::new(text, &pieces.words().collect()).find(&pieces)
    }

    const TEXT: &str = "# Report\n\nThe **total** of the second\nquarter is 1,204 orders — 12 % more.\n\
        | Region | Orders |\n{\"log\": \"It said \\\"late shipments\\\" were\\nfour in May\"}\n\
        會議在三月舉行，共十人。\n";

    #[test]
    fn only_the_words_and_their_order_count() {
        let hit = |line, distance| Some(QuoteHit { line, distance });
        let table = [
            ("The total of the second quarter", hit(3, 0)),
            ("the `total` of the\n  second quarter is", hit(3, 0)),
            ("“quarter is 1,204 orders - 12% more”", hit(4, 0)),
            ("Region Orders log", hit(5, 0)),
            ("late shipments were four in May", hit(6, 0)),
            ("會議在三月舉行", hit(7, 0)),
            ("The total ... 1,204 orders - 12 %", hit(4, 0)),
            ("The total of the ... orders — 12 % more", hit(3, 0)),
            ("The total of this second quarter is", hit(3, 1)),
            ("The total of second quarter is 1,204 orders", hit(3, 1)),
            ("The sum of this second quarter is", None),
            ("quarter second the of total The", None),
            ("The total of the ... nothing of the kind here", None),
            ("The total of the third", hit(3, 1)),
            ("No such words anywhere", None),
        ];
        for (quotation, expected) in table {
            assert_eq!(find(quotation, TEXT), expected, "{quotation}");
        }
    }

    #[test]
    fn short_quotations_are_not_judged() {
        for text in ["", "Medium", "two words", "a b c d", "12 3 4", "...", "會議在"] {
            assert!(QuotedWords::new(text).is_none(), "{text}");
        }
        for text in ["three whole words", "會議在三月"] {
            assert!(QuotedWords::new(text).is_some(), "{text}");
        }
    }

    #[test]
    fn words_that_occur_everywhere_cost_no_more_than_the_text_is_long() {
        let text = "a b c d e f g h i j\n".repeat(20_000);
        let quotation = "a b c d e x g h i j a b c d e y g h i j";
        assert_eq!(find(quotation, &text), Some(QuoteHit { line: 1, distance: 2 }));
        assert_eq!(find("j i h g f e d c b a j i h g f", &text), None);
    }
}
