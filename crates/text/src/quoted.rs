//! Where a text holds quoted words, ignoring white space, punctuation, Markdown and case.

use std::collections::BTreeMap;
use std::ops::Range;

/// The fewest words and letters that are a quotation: anything shorter is a name or a term.
const WORDS: usize = 3;
const LETTERS: usize = 12;

/// The most words of a quotation that are looked up; so many in a row are a copy.
const MAX_WORDS: usize = 60;

/// A text with its words, to look up many quotations.
#[derive(Debug)]
pub struct WordIndex {
    words: Vec<Word>,
    /// The indices of each word.
    places: BTreeMap<u64, Vec<usize>>,
}

/// A word of a text, as it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Of its letters in lower case, so that texts need not be kept.
    pub hash: u64,
    letters: usize,
    /// Its bytes in the text.
    range: Range<usize>,
}

impl WordIndex {
    /// The words of `text`. Places that [`Self::find`] returns are bytes of it.
    pub fn new(text: &str) -> Self {
        let words = words(text);
        let mut places: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (at, word) in words.iter().enumerate() {
            places.entry(word.hash).or_default().push(at);
        }
        Self { words, places }
    }

    /// The bytes of each place of the words of `quotation`, in order; empty if they are too few, or not
    /// there. Quotations that leave something out have a place for each part.
    pub fn find(&self, quotation: &str) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        for part in &quotation_parts(quotation) {
            ranges.extend(self.exact(part));
        }
        ranges.sort_unstable_by_key(|range| range.start);
        ranges.dedup();
        ranges
    }

    /// The bytes of a range of words.
    fn bytes(&self, words: Range<usize>) -> Range<usize> {
        self.words[words.start].range.start..self.words[words.end - 1].range.end
    }

    fn places(&self, word: &Word) -> &[usize] {
        self.places.get(&word.hash).map_or(&[], Vec::as_slice)
    }

    /// The bytes of every place where all words of `part` are in a row.
    fn exact(&self, part: &[Word]) -> Vec<Range<usize>> {
        let rarest = (0..part.len()).min_by_key(|at| self.places(&part[*at]).len());
        let Some(rarest) = rarest else { return Vec::new() };
        let mut found = Vec::new();
        let mut next = 0;
        for place in self.places(&part[rarest]) {
            let Some(start) = place.checked_sub(rarest) else { continue };
            // A word that repeats within the quotation must not count a place twice.
            if start >= next && self.common(start, part) == part.len() {
                next = start + part.len();
                found.push(self.bytes(start..next));
            }
        }
        found
    }

    /// How many words from `start` on are the first ones of `part`.
    fn common(&self, start: usize, part: &[Word]) -> usize {
        let text = &self.words[start..];
        text.iter().zip(part).take_while(|(ours, theirs)| ours.hash == theirs.hash).count()
    }
}

/// The parts of a quotation between marks for something left out, without those that are too short.
pub fn quotation_parts(quotation: &str) -> Vec<Vec<Word>> {
    let mut parts = Vec::new();
    for part in quotation.split("...").flat_map(|part| part.split('…')) {
        let mut words = words(part);
        let letters: usize = words.iter().map(|word| word.letters).sum();
        words.truncate(MAX_WORDS);
        if words.len() >= WORDS && letters >= LETTERS {
            parts.push(words);
        }
    }
    parts
}

/// The words of `text`. In a script without spaces a character is a word, and counts as three letters.
pub fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut open: Option<Word> = None;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        // In JSON within a text, `\n` ends a word as a line break does.
        let is_escape = before == '\\' && matches!(c, 'n' | 't' | 'r');
        let is_letter = c.is_alphanumeric() && !is_escape;
        before = c;
        let range = at..at + c.len_utf8();
        if is_letter && c < '\u{2e80}' {
            let word = open.get_or_insert(Word { hash: START, letters: 0, range: range.clone() });
            // Most texts are ASCII, whose lower case needs no table.
            word.hash = if c.is_ascii() {
                add_letter(word.hash, c.to_ascii_lowercase())
            } else {
                c.to_lowercase().fold(word.hash, add_letter)
            };
            word.letters += 1;
            word.range.end = range.end;
            continue;
        }
        words.extend(open.take());
        if is_letter {
            words.push(Word { hash: add_letter(START, c), letters: 3, range });
        }
    }
    words.extend(open);
    words
}

/// FNV-1a over characters.
const START: u64 = 0xcbf2_9ce4_8422_2325;

fn add_letter(hash: u64, letter: char) -> u64 {
    (hash ^ u64::from(letter)).wrapping_mul(0x0100_0000_01b3)
}

#[cfg(test)]
mod tests {
    use super::WordIndex;

    const TEXT: &str = "# Report\n\nThe **total** of the second\nquarter is 1,204 orders. The total of \
        the second half is open.\n會議在三月舉行，共十人。\n{\"a\": \"late\\nshipments in May\"}\n";

    fn found(quotation: &str) -> Vec<&str> {
        let places = WordIndex::new(TEXT).find(quotation);
        places.into_iter().map(|range| &TEXT[range]).collect()
    }

    #[test]
    fn words_are_found_in_their_order() {
        let table: [(&str, &[&str]); 9] = [
            ("second quarter is 1,204", &["second\nquarter is 1,204"]),
            (
                "THE `total` of the  second",
                &["The **total** of the second", "The total of the second"],
            ),
            (
                "total of the second … second half is open",
                &["total** of the second", "total of the second", "second half is open"],
            ),
            ("會議在三月舉行", &["會議在三月舉行"]),
            ("late shipments in May", &["late\\nshipments in May"]),
            ("we say the second quarter is 1,300", &[]),
            ("half second the of total", &[]),
            ("a b c d", &[]),
            ("nothing of the kind here", &[]),
        ];
        for (quotation, expected) in table {
            assert_eq!(found(quotation), expected, "{quotation}");
        }
    }

    #[test]
    fn words_that_are_everywhere_cost_little() {
        let text = "a b c d e f g h i j\n".repeat(20_000);
        let index = WordIndex::new(&text);
        assert_eq!(index.find("j i h g f e d c b a j i h g f e"), []);
        let places = index.find("a b c d e f g h i j a b c d e");
        assert_eq!(places.len(), 10_000);
    }
}
