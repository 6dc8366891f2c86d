//! Text taken apart into words, white space and marks.

use similar::DiffableStr;

use super::sequence::Block;

/// The words of `text`, the white space and the marks between them: each character belongs to
/// one. By the Unicode rules, so that a Chinese character is a word of its own; neighboring white
/// space is one token.
pub fn tokens(text: &str) -> Vec<&str> {
    let mut tokens: Vec<&str> = Vec::new();
    let mut start = 0;
    let mut end = 0;
    let mut space = false;
    for piece in text.tokenize_unicode_words() {
        let is_space = is_space(piece);
        if end > start && !(space && is_space) {
            tokens.push(&text[start..end]);
            start = end;
        }
        space = is_space;
        end += piece.len();
    }
    if end > start {
        tokens.push(&text[start..end]);
    }
    tokens
}

pub(super) fn is_space(token: &str) -> bool {
    token.chars().all(char::is_whitespace)
}

/// Whether an equal block of tokens is white space only.
pub(super) fn only_space(tokens: &[&str], block: &Block) -> bool {
    tokens[block.old.clone()].iter().all(|token| is_space(token))
}

/// The words of a text without their order, to measure how alike two texts are.
#[derive(Clone, Debug)]
pub(super) struct Bag<'a> {
    words: Vec<&'a str>,
    bytes: usize,
}

impl<'a> Bag<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let mut words = tokens(text);
        words.retain(|token| !is_space(token));
        words.sort_unstable();
        let bytes = words.iter().map(|word| word.len()).sum();
        Self { words, bytes }
    }

    pub(super) fn words(&self) -> usize {
        self.words.len()
    }

    /// The share of both texts that lies in common words, in thousandths.
    pub(super) fn alike(&self, other: &Self) -> u32 {
        let total = self.bytes + other.bytes;
        if total == 0 {
            return 1000;
        }
        let shorter = self.bytes.min(other.bytes);
        if shorter * 4 < total {
            return 0;
        }
        (2000 * self.common(other) / total) as u32
    }

    fn common(&self, other: &Self) -> usize {
        let (mut i, mut j, mut common) = (0, 0, 0);
        while let (Some(a), Some(b)) = (self.words.get(i), other.words.get(j)) {
            match a.cmp(b) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => {
                    common += a.len();
                    (i, j) = (i + 1, j + 1);
                }
            }
        }
        common
    }
}

#[cfg(test)]
mod tests {
    use super::{Bag, tokens};

    #[test]
    fn words_of_many_scripts() {
        let table: &[(&str, &[&str])] = &[
            ("", &[]),
            ("don't  stop\t\n!", &["don't", "  ", "stop", "\t\n", "!"]),
            ("3.14, x_1", &["3.14", ",", " ", "x_1"]),
            ("會議記錄", &["會", "議", "記", "錄"]),
            ("カタカナ", &["カタカナ"]),
            ("안녕 세상", &["안녕", " ", "세상"]),
        ];
        for (text, expected) in table {
            assert_eq!(tokens(text), *expected, "{text:?}");
        }
    }

    #[test]
    fn alike_in_thousandths() {
        let alike = |a, b| Bag::of(a).alike(&Bag::of(b));
        assert_eq!(alike("ab cd", "cd  ab"), 1000);
        assert_eq!(alike("", " "), 1000);
        assert_eq!(alike("ab cd", "ab xy"), 500);
        assert_eq!(alike("ab", ""), 0);
    }
}
