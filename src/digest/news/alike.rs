//! Which of several checks are about one thing: the same check in several cases, or one name of code.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::Flip;
use crate::digest::news::Finding;

/// This share of their words makes two checks one.
const SAME_WORDS: f64 = 0.6;
/// So many gained checks show a word that most of them have, this share of them; of the others only a few.
const CHECKS_OF_ONE_WORD: usize = 4;
const MOST_OF_THE_GAIN: f64 = 0.7;
const FEW_OTHERS: f64 = 0.2;
const LETTERS_OF_A_NAME: usize = 6;

/// The checks that ask the same thing, by the same text or most of its words; the largest group first.
///
/// Two checks of one case ask for two things, however alike they are: `Step 1 is named` and `Step 2 is named`.
pub(super) fn groups_of<'f, 'w>(checks: &[&'f Flip<'w>]) -> Vec<Vec<&'f Flip<'w>>> {
    let mut groups: Vec<Group<'f, 'w>> = Vec::new();
    for flip in checks {
        let words = words_of(flip.text);
        let may_be = groups.iter_mut().filter(|group| group.may_have(flip, &words));
        // Step 2 of one case goes with step 2 of another.
        let own = tokens(flip.text);
        let nearest =
            may_be.max_by_key(|group| tokens(group.members[0].text).intersection(&own).count());
        match nearest {
            Some(group) => group.members.push(flip),
            None => groups.push(Group { words, members: vec![flip] }),
        }
    }
    let mut groups: Vec<_> = groups.into_iter().map(|group| group.members).collect();
    groups.sort_by_key(|members| std::cmp::Reverse(members.len()));
    groups
}

/// The text of a group. Where only numbers differ, they are left out: `Report … has a total`.
pub(super) fn text_of(group: &[&Flip<'_>]) -> String {
    let whole = group[0].text;
    let without = without_numbers(whole);
    let are_others = group.iter().any(|flip| flip.text != whole);
    if are_others && group.iter().all(|flip| without_numbers(flip.text) == without) {
        return without;
    }
    whole.to_owned()
}

fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if !c.is_ascii_digit() {
            out.push(c);
        } else if !out.ends_with('…') {
            out.push('…');
        }
    }
    out
}

/// Checks of several cases that ask the same thing.
struct Group<'f, 'w> {
    /// Those of the first check.
    words: BTreeSet<String>,
    members: Vec<&'f Flip<'w>>,
}

impl Group<'_, '_> {
    /// Whether a check with these words asks what the group asks, and is of another case.
    fn may_have(&self, flip: &Flip<'_>, words: &BTreeSet<String>) -> bool {
        if self.members.iter().any(|member| member.case == flip.case) {
            return false;
        }
        let first = self.members[0].text;
        first == flip.text
            || have_one_name(first, flip.text)
            || words.len() >= 2
                && are_alike(words, &self.words)
                && identifiers(first) == identifiers(flip.text)
    }
}

/// All words and numbers of a text.
fn tokens(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|token| !token.is_empty()).collect()
}

/// Whether two checks have the same short name before a colon: `cites-cases: at least 2 cases`, or
/// `statistics: include a table` as in a real workspace.
fn have_one_name(one: &str, other: &str) -> bool {
    let name = short_name(one);
    name.is_some() && name == short_name(other)
}

fn short_name(check: &str) -> Option<&str> {
    let (name, _) = check.split_once(':')?;
    let is_name = name.len() >= LETTERS_OF_A_NAME
        && name.chars().all(|c| c.is_lowercase() || c.is_ascii_digit() || "-_".contains(c));
    if is_name { Some(name) } else { None }
}

/// The names of code in a check: `useFetcher` is not `useFetcherQuery`.
fn identifiers(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words
        .filter(|word| {
            let inner = word.trim_matches('_');
            let is_camel = inner.chars().skip(1).any(char::is_uppercase)
                && inner.chars().any(char::is_lowercase);
            is_camel || inner.contains('_')
        })
        .collect()
}

fn are_alike(a: &BTreeSet<String>, b: &BTreeSet<String>) -> bool {
    let shared = a.intersection(b).count() as f64;
    let all = a.union(b).count().max(1) as f64;
    shared / all >= SAME_WORDS
}

/// The words of a text that say something.
pub(super) fn words_of(text: &str) -> BTreeSet<String> {
    const COMMON: &str = "the and that with for from not are was has have its this any all each which into \
         than then they when uses use using contains includes include output response must does should \
         least one more skill";
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric() && !"()_-+".contains(c));
    let words = words.filter(|word| {
        word.chars().count() >= 3 && !COMMON.split(' ').any(|common| common == *word)
    });
    words.map(str::to_owned).collect()
}

/// The name of code that most gained checks have and hardly another one: a skill that teaches a package is
/// told from none by its name.
pub(super) fn one_word(checks: &[&Flip<'_>], gained: &[&Flip<'_>]) -> Option<Finding> {
    if gained.len() < CHECKS_OF_ONE_WORD {
        return None;
    }
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for word in gained.iter().flat_map(|flip| names_of_code(flip.text)) {
        *numbers.entry(word).or_default() += 1;
    }
    // Of equal ones the longest: a package, and not the scope that it is published under.
    let (word, number) = numbers.into_iter().max_by_key(|(word, number)| (*number, word.len()))?;
    let others = checks.iter().filter(|flip| !gained.contains(flip));
    let (mut has_word, mut total) = (0, 0);
    for flip in others {
        total += 1;
        has_word += usize::from(names_of_code(flip.text).contains(word));
    }
    let carries = number as f64 >= gained.len() as f64 * MOST_OF_THE_GAIN;
    let is_apart = has_word as f64 <= f64::from(total) * FEW_OTHERS;
    (carries && is_apart).then(|| Finding::OneWord {
        checks: number,
        gained: gained.len(),
        word: word.to_owned(),
    })
}

/// The names of code and packages in a check: `load_chart()`, `fetcher-eventbus`.
fn names_of_code(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && !"-_()".contains(c));
    let words = words.filter(|word| {
        let inner = word.trim_matches(['-', '(', ')']);
        inner.len() >= LETTERS_OF_A_NAME && (inner.contains(['-', '_']) || word.contains("()"))
    });
    words.map(|word| word.trim_matches(['-', '(', ')'])).collect()
}

#[cfg(test)]
mod tests {
    use super::{are_alike, words_of};

    #[test]
    fn checks_with_most_words_in_common_are_one() {
        let alike = |a, b| are_alike(&words_of(a), &words_of(b));
        assert!(alike("All weights are given in kilograms", "Weights are given in kilograms."));
        assert!(!alike("The hive number comes first", "Weather at the time is written down"));
    }
}
