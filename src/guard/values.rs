//! What a secret looks like: where one may begin, whether it looks drawn at random, and what only
//! stands for one.

use std::sync::{LazyLock, OnceLock};

use regex::bytes::Regex;

/// A pattern that is made when it is first needed.
pub(super) struct Pattern(&'static str, OnceLock<Option<Regex>>);

impl Pattern {
    /// What `text` describes.
    pub(super) const fn new(text: &'static str) -> Self {
        Self(text, OnceLock::new())
    }

    /// Whether it is in `text`.
    pub(super) fn fits(&self, text: &[u8]) -> bool {
        let regex = self.1.get_or_init(|| Regex::new(self.0).ok());
        regex.as_ref().is_some_and(|regex| regex.is_match(text))
    }
}

/// Whether `text` has `what` at `at`.
pub(super) fn has_at(text: &[u8], at: usize, what: &str) -> bool {
    text.get(at..).is_some_and(|rest| rest.starts_with(what.as_bytes()))
}

/// The byte before `at`, where there is one.
pub(super) fn before(text: &[u8], at: usize) -> Option<u8> {
    at.checked_sub(1).and_then(|at| text.get(at)).copied()
}

/// Whether a byte is of a word: a letter, a digit or `_`.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether a byte is of base64.
pub(super) fn is_of_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Whether a token may begin at `at`: no letter and no digit stands before it, unless an escape ends
/// there. So it may follow a name and `-` or `_`.
pub(super) fn begins(text: &[u8], at: usize) -> bool {
    before(text, at).is_none_or(|byte| !byte.is_ascii_alphanumeric()) || ends_escape(&text[..at])
}

/// The same for a token whose first bytes are a word or stand in any base64: nothing that a name, a
/// path or base64 is made of stands before it. A line of a difference begins with `-` or `+`.
pub(super) fn begins_alone(text: &[u8], at: usize) -> bool {
    match before(text, at) {
        None => true,
        Some(b'-' | b'+') => {
            before(text, at - 1).is_none_or(|byte| byte == b'\n') || ends_escape(&text[..at - 1])
        }
        Some(b'_' | b'/') => false,
        Some(_) => begins(text, at),
    }
}

/// An escape for one character, such as `\n`, `\x1b`, `\u2192` or `%0A`, or the sequence that colors a
/// terminal, however its first character is written.
static ESCAPE: Pattern = Pattern::new(
    r"(?-u)(?:\\[ntrbfv0]|\\u[[:xdigit:]]{4}|\\x[[:xdigit:]]{2}|%[[:xdigit:]]{2}|(?:\x1b|\\u001[bB]|\\x1[bB]|\\033|\\e|\xe2\x90\x9b)\[[0-9;]{0,24}m)\z",
);

/// Whether `text` ends with an escape.
fn ends_escape(text: &[u8]) -> bool {
    ESCAPE.fits(&text[text.len().saturating_sub(36)..])
}

/// Whether `text` looks drawn at random: letters and digits without being words and numbers, and
/// at least 3 bits in each byte, of short ones 2.5.
pub(super) fn is_random(text: &[u8]) -> bool {
    let digits = text.iter().filter(|byte| byte.is_ascii_digit()).count();
    let has_letter = text.iter().any(u8::is_ascii_alphabetic);
    let least = if text.len() < 16 { 2.5 } else { 3.0 };
    digits >= 2 && has_letter && !is_wordy(text) && !is_placeholder(text) && entropy(text) >= least
}

/// Whether `text` is long and changes between letters of both cases and digits as often as base64
/// does, and words never do.
pub(super) fn is_mixed(text: &[u8]) -> bool {
    let class = |byte: &u8| {
        let classes = [byte.is_ascii_lowercase(), byte.is_ascii_uppercase(), byte.is_ascii_digit()];
        classes.iter().position(|is_it| *is_it)
    };
    let changes = text.windows(2).filter(|pair| class(&pair[0]) != class(&pair[1])).count();
    text.len() >= 20 && changes * 5 >= text.len() * 2 && !is_uuid(text)
}

/// Whether every part between separators is a word or a number, as in `claude-3-5-sonnet`.
fn is_wordy(text: &[u8]) -> bool {
    let is_plain = |part: &[u8]| {
        let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
        digits == 0 || digits == part.len() || (part.len() <= 4 && digits <= 2)
    };
    let is_separator = |byte: &u8| matches!(byte, b'-' | b'_' | b'.' | b'/');
    is_uuid(text) || text.split(is_separator).all(is_plain)
}

/// Whether `text` is a UUID: an identifier, and no secret.
pub(super) fn is_uuid(text: &[u8]) -> bool {
    let lengths = text.split(|byte| *byte == b'-').map(<[u8]>::len);
    lengths.eq([8, 4, 4, 4, 12])
        && text.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-')
}

/// What says that a text stands for a secret and is none, wherever in it that is.
static PLACEHOLDER: Pattern = Pattern::new(
    r"(?i-u)example|your|xxxx|placeholder|change[-_]?me|dummy|redacted|insert|replace|\.\.\.|\*\*\*|<|&lt|&#x3c|\$\{|\{\{|\$\(|%\(|\xe2\x80\xa6|\xe2\x80\xa2",
);

/// Whether `text` says that it stands for a secret and is none.
pub(super) fn is_placeholder(text: &[u8]) -> bool {
    PLACEHOLDER.fits(text)
}

/// What is in values that documentation makes up.
static MADE_UP: Pattern = Pattern::new("(?i-u)test|123456|abcdef|abc123|01234|98765");

/// Whether `text` is a value that documentation makes up.
pub(super) fn is_made_up(text: &[u8]) -> bool {
    MADE_UP.fits(text)
}

/// Words of which documentation, types and tests make values that are no secrets, with small words
/// before them, numbers that nobody chose, and what separates words.
const STAND_IN: &str = r#"(?i-u)\A(?:
    (?:{small})*(?:(?:{word})s?)+ | (?:{small})(?:{between}|\z) | (?:{number})(?:{between}|\z) | {between}
)*\z"#;

const PARTS: &[(&str, &str)] = &[
    (
        "{small}",
        "my|the|an?|is|in|of|to|for|with|and|or|not|this|that|any|some|no|on|off|db|id|n|at|me|as",
    ),
    ("{between}", r#"[-_.\x20"'()\[\]{}<>/:,;]"#),
    (
        "{number}",
        "0|1|2|3|4|5|6|7|8|9|12|123|1234|12345|123456|1234567|12345678|123456789|1234567890|16|32|64|128|256|512|509",
    ),
    (
        "{word}",
        "password|passwd|pass|pwd|pw|passphrase|passcode|secret|token|key|api|access|auth|credential|user|username|admin|root|\
        login|test|testing|tester|foo|bar|baz|qux|abc|xyz|aa|x|default|sample|demo|here|value|new|old|current|wrong|bad|good|valid|\
        invalid|correct|incorrect|real|fake|mock|stub|string|str|text|none|null|nil|undefined|true|false|yes|ok|required|optional|\
        empty|blank|missing|unset|set|enabled|disabled|hidden|masked|encrypted|encoded|hashed|hash|plain|raw|secure|strong|weak|\
        safe|unsafe|simple|long|short|random|generated|generate|temp|tmp|todo|fixme|database|env|environment|var|variable|config|\
        file|path|input|field|name|type|object|number|int|integer|bool|boolean|char|varchar|byte|array|list|option|param|arg|data|\
        prod|production|dev|development|local|localhost|staging|stage|live|server|client|app|service|super|very|really|enough|min|\
        max|length|only|never|change|please|put|goes|bearer|basic|jwt|oauth|session|cookie|eval|signing|encryption|private|public|\
        master|least|character|postgres|mysql|redis|changeit|guest|base|sha|md|utf|pbkdf|argon|aes|rsa|hmac|bcrypt|scrypt",
    ),
];

/// Texts longer than this are no stand-in.
const LONGEST_STAND_IN: usize = 64;

/// Whether `text` stands for a secret: it says so, or is made of words that many documents have.
pub(super) fn is_stand_in(text: &[u8]) -> bool {
    static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let written_out =
            PARTS.iter().fold(STAND_IN.to_owned(), |text, (name, part)| text.replace(name, part));
        Regex::new(&format!("(?x){written_out}")).ok()
    });
    let is_made_of_words = || PATTERN.as_ref().is_some_and(|pattern| pattern.is_match(text));
    is_placeholder(text) || (text.len() <= LONGEST_STAND_IN && is_made_of_words())
}

/// Shannon's entropy in bits per byte.
fn entropy(text: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    text.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    let length = text.len().max(1) as f64;
    let bits = |count: &u32| {
        let share = f64::from(*count) / length;
        if share > 0.0 { -share * libm::log2(share) } else { 0.0 }
    };
    counts.iter().map(bits).sum()
}

#[cfg(test)]
mod tests {
    use super::is_random;

    #[test]
    fn words_and_identifiers_are_not_random() {
        let table = [
            ("claude-3-5-sonnet-20241022", false),
            ("550e8400-e29b-41d4-a716-446655440000", false),
            ("your-api-key-goes-here-1234", false),
            ("aaaaaaaaaaaaaaaa1111", false),
            ("settings.OPENAI_API_KEY_2", false),
            ("the_quick_brown_fox", false),
            ("q7Zt2Lk9Xv4Rb8Nm", true),
            ("9f8e7d6c5b4a39281706f5e4d3c2b1a0", true),
        ];
        for (text, is) in table {
            assert_eq!(is_random(text.as_bytes()), is, "{text}");
        }
    }
}
