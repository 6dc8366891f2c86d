//! Splits text into words, white space and punctuation.

use similar::DiffableStr;

use super::sequence::Block;

/// The words of `text` and the white space and punctuation between them, by the Unicode rules: each
/// character belongs to one token. A Chinese character is a word of its own; adjacent white space
/// is one token.
pub fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::with_capacity(text.len() / 3);
    let mut at = 0;
    while at < text.len() {
        let (start, known) = (at, tokens.len());
        while let Some(length) = length_of_plain(&text.as_bytes()[at..]) {
            tokens.push(&text[at..at + length]);
            at += length;
        }
        let mut rest = &text[at..];
        // Most words end at a blank; what else there is takes decoding.
        if !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
            at += rest.find(char::is_whitespace).unwrap_or(rest.len());
            tokens.truncate(known);
            tokens.extend(text[start..at].tokenize_unicode_words());
            rest = &text[at..];
        }
        let space = rest.len() - rest.trim_start().len();
        if space > 0 {
            tokens.push(&rest[..space]);
        }
        at += space;
    }
    tokens
}

/// The length of the first token where it needs no table of Unicode, which is many times faster: words of
/// ASCII letters, digits and `_`, with single marks inside numbers (`3.14`) and between letters (`don't`);
/// other signs of ASCII; Chinese characters.
fn length_of_plain(bytes: &[u8]) -> Option<usize> {
    match bytes.first()? {
        byte if IS_WORD[usize::from(*byte)] => Some(end_of_word(bytes)),
        // U+4000 to U+9FFF.
        0xe4..=0xe9 => Some(3),
        byte => byte.is_ascii_graphic().then_some(1),
    }
}

/// By byte: ASCII letters, digits and `_`.
static IS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

fn end_of_run(bytes: &[u8], start: usize) -> usize {
    let length = bytes[start..].iter().take_while(|byte| IS_WORD[usize::from(**byte)]).count();
    start + length
}

fn end_of_word(bytes: &[u8]) -> usize {
    let mut end = end_of_run(bytes, 0);
    while let Some([last, mark, next]) = bytes.get(end - 1..end + 2) {
        let are_letters = last.is_ascii_alphabetic() && next.is_ascii_alphabetic();
        let are_digits = last.is_ascii_digit() && next.is_ascii_digit();
        let is_joined = match mark {
            b'.' | b'\'' => are_letters || are_digits,
            b':' => are_letters,
            b',' | b';' => are_digits,
            _ => false,
        };
        if !is_joined {
            break;
        }
        end = end_of_run(bytes, end + 1);
    }
    end
}

/// Whether a token is white space: it is all of it or none.
pub(super) fn is_space(token: &str) -> bool {
    token.starts_with(char::is_whitespace)
}

/// Whether an equal block of tokens is white space only.
pub(super) fn only_space(tokens: &[&str], block: &Block) -> bool {
    tokens[block.old.clone()].iter().all(|token| is_space(token))
}

/// Pairs of items with the same key, from two lists that are both sorted by `key`.
pub fn in_both<'a, T, K: Ord>(
    old: &'a [T],
    new: &'a [T],
    key: impl Fn(&'a T) -> K,
) -> impl Iterator<Item = (&'a T, &'a T)> {
    let (mut i, mut j) = (0, 0);
    std::iter::from_fn(move || {
        while let (Some(a), Some(b)) = (old.get(i), new.get(j)) {
            let order = key(a).cmp(&key(b));
            i += usize::from(order.is_le());
            j += usize::from(order.is_ge());
            if order.is_eq() {
                return Some((a, b));
            }
        }
        None
    })
}

/// The words of a text regardless of order, to measure how similar two texts are.
#[derive(Clone, Debug)]
pub(super) struct WordBag<'a> {
    words: Vec<&'a str>,
    bytes: usize,
}

impl<'a> WordBag<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut words = tokens(text);
        words.retain(|token| !is_space(token));
        words.sort_unstable();
        let bytes = words.iter().map(|word| word.len()).sum();
        Self { words, bytes }
    }

    pub(super) fn words(&self) -> usize {
        self.words.len()
    }

    /// The share of both texts in common words, in thousandths.
    pub(super) fn alike(&self, other: &Self) -> u32 {
        let total = self.bytes + other.bytes;
        if total == 0 {
            return 1000;
        }
        let shorter = self.bytes.min(other.bytes);
        // Even if all of the shorter one is common, the two are not alike.
        if shorter * 4 < total {
            return 0;
        }
        let common = in_both(&self.words, &other.words, |word| *word);
        (2000 * common.map(|(word, _)| word.len()).sum::<usize>() / total) as u32
    }
}

#[cfg(test)]
mod tests {
    use similar::DiffableStr;

    use super::{WordBag, tokens};

    /// All texts of up to four characters from an alphabet with one character of each kind.
    #[test]
    fn plain_texts_are_taken_apart_as_unicode_says() {
        let alphabet = "aZ5_.':,;\"-\u{1c}表é\u{301}’，カ";
        let mut texts = vec![String::new()];
        for _ in 0..4 {
            let shorter = std::mem::take(&mut texts);
            for text in &shorter {
                assert_eq!(tokens(text), text.tokenize_unicode_words(), "{text:?}");
                texts.extend(alphabet.chars().map(|sign| format!("{text}{sign}")));
            }
        }
    }

    #[test]
    fn words_of_many_scripts() {
        let table: &[(&str, &[&str])] = &[
            ("", &[]),
            ("don't  stop\t\n!", &["don't", "  ", "stop", "\t\n", "!"]),
            (" a\u{b}\u{a0}\u{1c}b\r\n", &[" ", "a", "\u{b}\u{a0}", "\u{1c}", "b", "\r\n"]),
            ("naïve 3.14 d’été", &["naïve", " ", "3.14", " ", "d’été"]),
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
        let alike = |a, b| WordBag::new(a).alike(&WordBag::new(b));
        assert_eq!(alike("ab cd", "cd  ab"), 1000);
        assert_eq!(alike("", " "), 1000);
        assert_eq!(alike("ab cd", "ab xy"), 500);
        assert_eq!(alike("ab", ""), 0);
    }
}
