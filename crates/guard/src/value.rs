//! What a value looks like: drawn at random, or a word, a placeholder, a place in a file, a measure.

use std::collections::BTreeSet;

use crate::encoded;
use crate::rules::RULES;

/// Whether `text` looks as one of the expressions in the table `looks` of the rules says.
pub(super) fn looks_like(name: &str, text: &[u8]) -> bool {
    RULES.looks[name].fits(text)
}

/// How many characters of each class a value has.
#[derive(Default)]
pub(super) struct Characters {
    pub(super) letters: usize,
    pub(super) digits: usize,
    pub(super) signs: usize,
    pub(super) spaces: usize,
}

impl Characters {
    pub(super) fn new(value: &[u8]) -> Self {
        let mut counts = Self::default();
        for byte in value {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' => counts.letters += 1,
                b'0'..=b'9' => counts.digits += 1,
                b' ' => counts.spaces += 1,
                _ if b"!@#$%^&*+=?~".contains(byte) => counts.signs += 1,
                _ => {}
            }
        }
        counts
    }

    pub(super) fn are_mixed(&self) -> bool {
        let others = self.digits + self.signs;
        self.spaces == 0 && self.letters > 0 && others > 0 && self.letters + others >= 4
    }

    /// Whether prose would not contain such a word.
    pub(super) fn are_more_than_a_word(&self) -> bool {
        self.are_mixed() && self.digits > 0 && self.letters + self.digits + self.signs >= 6
    }
}

/// Whether prose would not contain such a word, and no document made it up.
pub(super) fn is_own_word(value: &[u8]) -> bool {
    Characters::new(value).are_more_than_a_word() && !is_made_up(value)
}

/// Any value except a placeholder.
pub(super) fn is_value(value: &[u8]) -> bool {
    value.len() >= 3 && !is_stand_in(value) && !matches!(value[0], b'{' | b'$')
}

/// Whether the rest of a token is a placeholder: words, or few different letters.
pub(super) fn is_blank_token(body: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_');
    let different: BTreeSet<u8> = body.iter().map(u8::to_ascii_lowercase).collect();
    different.len() < 4 || (body.iter().all(is_letter) && is_placeholder(body))
}

/// Whether a value is a name and a password in base64.
pub(super) fn is_credentials(value: &[u8]) -> bool {
    let Some(plain) = encoded::base64_text(value) else { return false };
    let Some(colon) = plain.iter().position(|byte| *byte == b':') else { return false };
    plain.len() > colon + 3 && !is_stand_in(&plain[colon + 1..])
}

/// Whether a value names a file, or a place in one: `server.ts:22-32`.
pub(super) fn is_place_in_file(value: &[u8]) -> bool {
    looks_like("file", value)
}

/// Whether a value is a number with a unit, or a time: `+34%`, `12px`, `2026-01-31T09:30:00Z`.
pub(super) fn is_measure(value: &[u8]) -> bool {
    looks_like("measure", value)
}

/// Whether a value looks drawn at random, though it may be short.
pub(super) fn is_drawn(value: &[u8]) -> bool {
    let is_mixed = value.iter().any(u8::is_ascii_digit) && is_base62(value);
    value.len() >= 8
        && !looks_like("type_name", value)
        && (is_random(value) || (is_mixed && !is_placeholder(value)))
        && !is_made_up(value)
}

/// Whether `text` looks drawn at random: letters and digits other than words and numbers, with at
/// least 3 bits per byte, 2.5 if short.
pub(super) fn is_random(text: &[u8]) -> bool {
    let digits = text.iter().filter(|byte| byte.is_ascii_digit()).count();
    let has_letter = text.iter().any(u8::is_ascii_alphabetic);
    let least = if text.len() < 16 { 2.5 } else { 3.0 };
    digits >= 2 && has_letter && !is_wordy(text) && !is_placeholder(text) && entropy(text) >= least
}

/// Whether `text` is long and alternates between letters of both cases and digits as often as
/// base64 does, and words never do.
pub(super) fn is_base62(text: &[u8]) -> bool {
    text.len() >= 20 && changes(text) * 5 >= text.len() * 2 && !is_uuid(text)
}

/// How often the class of characters changes.
fn changes(text: &[u8]) -> usize {
    text.windows(2).filter(|pair| class(pair[0]) != class(pair[1])).count()
}

fn class(byte: u8) -> usize {
    match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    }
}

/// How many bytes of each class a value has.
fn classes(value: &[u8]) -> [usize; 4] {
    let mut counts = [0; 4];
    value.iter().for_each(|byte| counts[class(*byte)] += 1);
    counts
}

/// The fewest bytes of a value that is known without a name.
pub(super) const SHORTEST_STRONG: usize = 10;

/// Whether a value could be nothing but a password or a key, wherever it is: classes of characters
/// change in it as often as they do in what is drawn by chance, and in words, names and versions
/// they do not.
pub(super) fn is_strong(value: &[u8]) -> bool {
    if !(SHORTEST_STRONG..=200).contains(&value.len()) {
        return false;
    }
    let [lower, upper, digits, _] = classes(value);
    // `Utf8Base64Key` has as many changes; capital letters begin its words.
    let words = value.windows(2).filter(|pair| begins_part(pair[0], pair[1])).count() + 1;
    let is_mixed = if Characters::new(value).signs > 0 {
        lower + upper > 1 && digits > 0
    } else {
        // Long names have fewer parts.
        let is_in_parts =
            words * 5 >= value.len() * 2 || (value.len() >= 28 && words * 3 >= value.len());
        lower > 0 && upper > 0 && digits > 0 && is_in_parts
    };
    is_mixed
        && changes(value) * 40 >= value.len() * 19
        && !looks_like("names", value)
        && !looks_like("signs_of_code", value)
        && !is_stand_in(value)
        && !is_made_up(value)
        && !is_measure(value)
        && !is_place_in_file(value)
        && !is_identifier(value)
}

/// Whether a part of a name such as `Utf8Base64Key` begins between two bytes.
fn begins_part(first: u8, second: u8) -> bool {
    class(first) != class(second) && !(first.is_ascii_uppercase() && second.is_ascii_lowercase())
}

/// Whether `text` consists of words and numbers, such as `kebab-case-1` or `claude-3-5-sonnet`.
fn is_wordy(text: &[u8]) -> bool {
    let is_separator = |byte: &u8| matches!(byte, b'-' | b'_' | b'.' | b'/');
    is_uuid(text) || text.split(is_separator).all(is_word_or_number)
}

fn is_word_or_number(part: &[u8]) -> bool {
    let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
    digits == 0 || digits == part.len() || (part.len() <= 4 && digits <= 2)
}

/// Whether `text` is a UUID: an identifier, and a secret only where it is assigned to a key.
pub(super) fn is_uuid(text: &[u8]) -> bool {
    let lengths = text.split(|byte| *byte == b'-').map(<[u8]>::len);
    lengths.eq([8, 4, 4, 4, 12])
        && text.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-')
}

/// Whether `text` is written like an identifier of a message, a call, a file or an object.
pub(super) fn is_identifier(text: &[u8]) -> bool {
    is_uuid(text) || looks_like("identifier", text)
}

/// Whether any part of `text` marks it as a placeholder.
pub(super) fn is_placeholder(text: &[u8]) -> bool {
    looks_like("placeholder", text)
}

/// Whether `text` is a value made up by documentation.
pub(super) fn is_made_up(text: &[u8]) -> bool {
    looks_like("made_up", text)
}

/// Whether `text` is a placeholder: marked as one, or short and made of words that many documents
/// have.
pub(super) fn is_stand_in(text: &[u8]) -> bool {
    is_placeholder(text) || (text.len() <= 64 && looks_like("stand_in", text))
}

/// Shannon's entropy in bits per byte.
pub(super) fn entropy(text: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text {
        counts[usize::from(*byte)] += 1;
    }
    let length = text.len().max(1) as f64;
    let mut bits = 0.0;
    for count in counts.into_iter().filter(|count| *count > 0) {
        let share = f64::from(count) / length;
        bits -= share * libm::log2(share);
    }
    bits
}

/// The token in a run of letters, digits, `-` and `_` that begins with the prefix of a service, as in
/// `nfp_…`: most services write theirs so, and no list has all of them.
pub(super) fn is_prefixed_token(run: &[u8]) -> bool {
    let Some(split) = run.iter().rposition(|byte| matches!(byte, b'-' | b'_')) else {
        return false;
    };
    let (prefix, body) = (&run[..split], &run[split + 1..]);
    let [lower, upper, digits, others] = classes(body);
    body.len() >= 28
        && lower > 0
        && upper > 0
        && digits > 0
        && others == 0
        && looks_like("service_prefix", prefix)
        && !is_identifier(run)
        && is_base62(body)
        && entropy(body) >= 3.5
}

/// Whether a secret is hidden wherever else it is: it is long enough, and not a word.
pub(super) fn is_worth_knowing(value: &[u8]) -> bool {
    (8..=512).contains(&value.len())
        && is_own_word(value)
        && !value.iter().any(|byte| byte.is_ascii_whitespace() || *byte == b'<')
        && !is_stand_in(value)
        && !looks_like("type_name", value)
}
