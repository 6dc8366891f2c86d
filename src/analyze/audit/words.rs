//! Words of prompts and checks, as far as an audit compares them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

/// Words that say nothing about what is asked for.
const STOP_WORDS: &str = "a an the of to in on at by for from with as is are was were be been being it its this \
                          that these those and or but if then than so do does did has have had can could will would \
                          shall should may might must there their they them he she his her you your we our i my me \
                          which who whom whose what when where how all any each every some such into over under \
                          about after before between during through out up down off again further once here both \
                          few more most other own same too very just also output response answer result file \
                          agent model user assistant includes include contains contain uses use";

static STOPS: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| STOP_WORDS.split_ascii_whitespace().collect());

/// Share of words that two prompts have in common to be alike, and the words that they need.
const ALIKE: f64 = 0.8;
const ENOUGH_FOR_PROMPTS: usize = 5;

/// Earlier prompts that one is compared with.
const COMPARED: usize = 200;

/// The different words of a text that carry its meaning, lower case and without the `s` of a plural.
/// Of texts without spaces between words, pieces of two characters.
pub(super) fn content_words(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for word in in_order(text) {
        if !STOPS.contains(word.as_str()) {
            words.insert(without_plural(&word).to_owned());
        }
    }
    words
}

/// All words of a text in order, lower case. An identifier such as `max_width` or `minutes.md` is one.
pub(super) fn in_order(text: &str) -> Vec<String> {
    placed(text).into_iter().map(|word| word.text).collect()
}

/// A word of a text and its place in bytes.
struct PlacedWord {
    text: String,
    place: Range<usize>,
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '\'' | '’')
}

fn placed(text: &str) -> Vec<PlacedWord> {
    let mut words = Vec::new();
    let mut next = 0;
    for piece in text.split_inclusive(|c: char| !is_part(c)) {
        let start =
            next + piece.len() - piece.trim_start_matches(|c: char| !c.is_alphanumeric()).len();
        next += piece.len();
        let piece = piece.trim_matches(|c: char| !c.is_alphanumeric());
        if piece.is_empty() {
            continue;
        }
        if !piece.chars().any(has_no_spaces) {
            let place = start..start + piece.len();
            words.push(PlacedWord { text: piece.to_lowercase(), place });
            continue;
        }
        let letters: Vec<(usize, char)> = piece.char_indices().collect();
        for pair in letters.windows(2) {
            let place = start + pair[0].0..start + pair[1].0 + pair[1].1.len_utf8();
            words.push(PlacedWord { text: text[place.clone()].to_owned(), place });
        }
    }
    words
}

/// The longest part of `text` whose words stand in `other` in the same order; `None` where they say nothing.
pub(super) fn longest_shared_part<'t>(text: &'t str, other: &str) -> Option<&'t str> {
    let placed = placed(text);
    let words: Vec<String> = placed.iter().map(|word| word.text.clone()).collect();
    let shared = longest_shared_run(&words, &in_order(other));
    let (first, last) = (&placed[shared.start..].first()?, placed[..shared.end].last()?);
    let part = &text[first.place.start..last.place.end.max(first.place.start)];
    if content_words(part).is_empty() { None } else { Some(part) }
}

/// Whether a letter is of a script that writes no spaces between words.
fn has_no_spaces(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

fn without_plural(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(one) if one.len() > 2 && !one.ends_with(['s', 'u', 'i']) => one,
        _ => word,
    }
}

/// Whether a word looks like a name in code, which nobody writes by chance.
pub(super) fn is_identifier(word: &str) -> bool {
    word.len() >= 6
        && word.contains(['_', '-'])
        && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
        && (word.contains('_') || word.contains(|c: char| c.is_ascii_digit()))
}

/// Whether a word is spelled as names in code are: `use_github_action`.
pub(super) fn is_name_in_code(word: &str) -> bool {
    word.contains('_') && word.chars().any(char::is_alphanumeric)
}

/// The share of `words` that are among `others`, in 0..=1; 0 without words.
pub(super) fn share_of(words: &BTreeSet<String>, others: &BTreeSet<String>) -> f64 {
    words.intersection(others).count() as f64 / words.len().max(1) as f64
}

/// Pairs of prompts with these content words that have most of them in common: each with the first one
/// that it is like.
///
/// Prompts that are alike share one of their rarest words, so each is compared with those that have one of
/// these, and with no more than [`COMPARED`]: pairs of everything would grow with the square.
pub(super) fn alike(prompts: &[BTreeSet<String>]) -> Vec<(usize, usize)> {
    let mut prompts_with: BTreeMap<&str, usize> = BTreeMap::new();
    for word in prompts.iter().flatten() {
        *prompts_with.entry(word).or_default() += 1;
    }
    let mut by_rare_word: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut pairs = Vec::new();
    for (at, words) in prompts.iter().enumerate() {
        let mut rarest: Vec<&str> = words.iter().map(String::as_str).collect();
        rarest.sort_by_key(|word| prompts_with[word]);
        let in_common = (words.len() as f64 * ALIKE).ceil() as usize;
        rarest.truncate(words.len() - in_common + 1);
        let known = rarest.iter().filter_map(|word| by_rare_word.get(word)).flatten();
        let mut known: Vec<usize> = known.copied().take(COMPARED).collect();
        known.sort_unstable();
        if let Some(first) = known.into_iter().find(|other| are_alike(&prompts[*other], words)) {
            pairs.push((first, at));
        }
        for word in rarest {
            by_rare_word.entry(word).or_default().push(at);
        }
    }
    pairs
}

/// Whether two prompts with these content words have most of them in common.
pub(super) fn are_alike(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let most = one.len().max(other.len());
    most >= ENOUGH_FOR_PROMPTS && one.intersection(other).count() as f64 >= most as f64 * ALIKE
}

/// The place in `words` of their longest run that stands in `others` in the same order.
pub(super) fn longest_shared_run(words: &[String], others: &[String]) -> Range<usize> {
    let mut longest = 0..0;
    // How many words up to each of `words` are those up to the word of `others` before.
    let mut lengths = vec![0; words.len() + 1];
    for other in others {
        for at in (0..words.len()).rev() {
            lengths[at + 1] = if words[at] == *other { lengths[at] + 1 } else { 0 };
            if lengths[at + 1] > longest.len() {
                longest = at + 1 - lengths[at + 1]..at + 1;
            }
        }
    }
    longest
}
