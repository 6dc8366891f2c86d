//! What a value looks like: drawn at random, or a word, a placeholder, a place in a file, a measure.

use std::collections::BTreeSet;

use crate::rules::RULES;
use formats::encoded;

/// Whether `text` looks as one of the expressions in the table `looks` of the rules says.
pub(super) fn looks_like(name: &str, text: &[u8]) -> bool {
    RULES.looks[name].fits(text)
}

/// How many characters of each class a value has.
pub(super) struct Characters {
    lower: usize,
    upper: usize,
    pub(super) letters: usize,
    pub(super) digits: usize,
    pub(super) signs: usize,
    pub(super) spaces: usize,
    /// Whether a capital letter follows something else within the value.
    pub(super) has_inner_capital: bool,
}

impl Characters {
    pub(super) fn new(value: &[u8]) -> Self {
        let mut of_class = [0; 4];
        for byte in value {
            of_class[class(*byte)] += 1;
        }
        let [lower, upper, digits, _] = of_class;
        let signs = value.iter().filter(|byte| b"!@#$%^&*+=?~".contains(byte)).count();
        let spaces = value.iter().filter(|byte| **byte == b' ').count();
        let mut pairs = value.windows(2);
        let has_inner_capital = lower > 2
            && spaces == 0
            && pairs.any(|pair| !pair[0].is_ascii_uppercase() && pair[1].is_ascii_uppercase());
        Self { lower, upper, letters: lower + upper, digits, signs, spaces, has_inner_capital }
    }

    pub(super) fn are_mixed(&self) -> bool {
        let others = self.digits + self.signs;
        self.spaces == 0 && self.letters > 0 && others > 0 && self.letters + others >= 4
    }

    /// Whether prose would not contain such a word.
    pub(super) fn are_more_than_a_word(&self) -> bool {
        self.are_mixed() && self.digits > 0 && self.letters + self.digits + self.signs >= 6
    }

    fn are_of_three_classes(&self) -> bool {
        self.lower > 0 && self.upper > 0 && self.digits > 0
    }
}

/// Whether prose would not contain such a word, and no document made it up.
pub(super) fn is_own_word(value: &[u8]) -> bool {
    Characters::new(value).are_more_than_a_word() && !looks_like("made_up", value)
}

/// Any value except a placeholder.
pub(super) fn is_value(value: &[u8]) -> bool {
    value.len() >= 3 && !is_stand_in(value) && !matches!(value[0], b'{' | b'$')
}

/// Whether a token is a placeholder: words, or few different letters after its prefix.
pub(super) fn is_blank_token(token: &[u8]) -> bool {
    let rest = &token[token.len() / 2..];
    let different: BTreeSet<u8> = rest.iter().map(u8::to_ascii_lowercase).collect();
    different.len() < 4 || looks_like("blank_token", rest)
}

/// Whether a value is a name and a password in base64.
pub(super) fn is_credentials(value: &[u8]) -> bool {
    let Some(plain) = encoded::base64_text(value) else { return false };
    let Some(colon) = memchr::memchr(b':', &plain) else { return false };
    plain.len() > colon + 3 && !is_stand_in(&plain[colon + 1..])
}

/// Whether a value looks drawn at random, though it may be short.
pub(super) fn is_drawn(value: &[u8]) -> bool {
    let is_mixed = value.iter().any(u8::is_ascii_digit) && is_base62(value);
    value.len() >= 8
        && !looks_like("type_name", value)
        && (is_random(value) || (is_mixed && !looks_like("placeholder", value)))
        && !looks_like("made_up", value)
}

/// Whether `text` looks drawn at random: letters and digits other than words and numbers, with at
/// least 2.5 bits per byte.
pub(super) fn is_random(text: &[u8]) -> bool {
    let characters = Characters::new(text);
    characters.digits >= 2
        && characters.letters > 0
        && !looks_like("words_and_numbers", text)
        && !looks_like("placeholder", text)
        && entropy(text) >= 2.5
}

/// Whether `text` is long and alternates between letters of both cases and digits as often as
/// base64 does, and words never do.
pub(super) fn is_base62(text: &[u8]) -> bool {
    text.len() >= 20 && changes(text) * 5 >= text.len() * 2
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

/// Whether a value could be nothing but a password or a key, wherever it is: classes of characters
/// change in it as often as they do in what is drawn by chance, and in words, names and versions
/// they do not.
pub(super) fn is_strong(value: &[u8]) -> bool {
    if !(10..=200).contains(&value.len()) || changes(value) * 40 < value.len() * 19 {
        return false;
    }
    let characters = Characters::new(value);
    // `Utf8Base64Key` has as many changes; capital letters begin its words.
    let parts = value.windows(2).filter(|pair| begins_part(pair[0], pair[1])).count() + 1;
    let is_mixed = if characters.signs > 0 {
        characters.letters > 1 && characters.digits > 0
    } else {
        characters.are_of_three_classes() && parts * 5 >= value.len() * 2
    };
    const NONE: [&str; 6] = ["names", "signs_of_code", "type_name", "made_up", "measure", "file"];
    is_mixed && !NONE.iter().any(|name| looks_like(name, value)) && !is_stand_in(value)
}

/// Whether a part of a name such as `Utf8Base64Key` begins between two bytes.
fn begins_part(first: u8, second: u8) -> bool {
    class(first) != class(second) && !(first.is_ascii_uppercase() && second.is_ascii_lowercase())
}

/// Whether `text` is a UUID: an identifier, and a secret only where it is assigned to a key.
pub(super) fn is_uuid(text: &[u8]) -> bool {
    text.len() == 36 && looks_like("uuid", text)
}

/// Whether `text` is written like an identifier of a message, a call, a file or an object.
pub(super) fn is_identifier(text: &[u8]) -> bool {
    is_uuid(text) || looks_like("identifier", text)
}

/// Whether `text` is a placeholder: marked as one, or short and made of words that many documents
/// have.
pub(super) fn is_stand_in(text: &[u8]) -> bool {
    looks_like("placeholder", text) || (text.len() <= 64 && looks_like("stand_in", text))
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
    let body = &run[split + 1..];
    body.len() >= 28
        && Characters::new(body).are_of_three_classes()
        && looks_like("service_prefix", &run[..split])
        && !is_identifier(run)
        && is_base62(body)
        && entropy(body) >= 3.5
}

/// Whether a secret is hidden wherever else it is: it is long enough, and not a word.
pub(super) fn is_worth_knowing(value: &[u8]) -> bool {
    (8..=512).contains(&value.len())
        && is_own_word(value)
        && !value.iter().any(|byte| byte.is_ascii_whitespace() || *byte == b'<')
        && !looks_like("type_name", value)
}
