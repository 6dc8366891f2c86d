//! The look of a secret: where one may begin, whether it looks drawn at random, and whether it is
//! only a placeholder.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex::bytes::Regex;

/// Replacements in patterns for names in braces, as `{firm}`. A later one may use an earlier one.
const SHORTHANDS: &[(&str, &str)] = &[
    ("{given}", "{plural}(?:{is}{value}|{pair}|{inside}|{default}|{fallback}|{loose}|{argument})"),
    // The rest of a name that is still the name of a secret.
    (
        "{plural}",
        "s?(?:[_-]?(?:[0-9]{1,2}|prod(?:uction)?|dev|staging|stage|test|live|old|new|main|primary|backup|value|base|plain|text|key|hex|raw|b64|base64)\\b)*",
    ),
    // Assigns a value to a name, in whatever quotes.
    ("{is}", r#"[\\"'`\])*]{0,5}[ \t]{0,8}(?::=|:-|=>|->|={1,3}|:)[ \t]{0,8}\*{0,2}[ \t]{0,8}"#),
    // An element of XML, or one named by an attribute.
    ("{inside}", r#"["']?(?:\s[^<>\n]*)?>()"#),
    // An attribute or a key `value` after that of the name.
    (
        "{pair}",
        r#"\\*["']?(?:,?\s{1,40}|\s{0,4}:\s{0,4}\{\s{0,40})(?:[\w-]+=["'][^"'\n]*["']\s+){0,2}\\*["']?value\\*["']?\s{0,4}[:=]\s{0,4}{value}"#,
    ),
    // A variable of Terraform.
    ("{default}", r#""\s*\{[^{}]*?\bdefault\s*=\s*"()"#),
    // The default for a variable that is not set.
    ("{fallback}", r#"["'\])]{0,3}\s{0,4}(?:\|\||\?\?|\bor\b)\s{0,4}["']()"#),
    // Prose and cells of a table.
    (
        "{loose}",
        r#"["'`*]{0,3}(?:[ \t]{0,20}\|[ \t]{0,20}[`*"']{0,3}()| (?:(?:is|was|to|with|of|=) )?(?:now |set to )?(?:\*{0,2}["'`]|\*\*)()| (?:is|was) ())"#,
    ),
    // The second of two arguments, or the only one of a call to the name.
    ("{argument}", r#"["'`\])]{0,3}[,(][ \t]{0,4}["']()"#),
    ("{value}", r#"\\*["'`]?()"#),
    // A word of a command, in quotes or not.
    ("{word}", r#"["']?()[^\s"'`$<-]"#),
    // Parts of placeholders: small words, separators of words, obvious numbers, and words of
    // documentation, types and tests.
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
        "{common}",
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

/// A pattern that is compiled when first needed.
pub(super) struct Pattern(Cow<'static, str>, OnceLock<Option<Regex>>);

impl Pattern {
    /// The pattern in `text`, which may use shorthands.
    pub(super) const fn new(text: &'static str) -> Self {
        Self(Cow::Borrowed(text), OnceLock::new())
    }

    /// The same for a computed text.
    pub(super) fn made(text: String) -> Self {
        Self(Cow::Owned(text), OnceLock::new())
    }

    /// `None` if the pattern is invalid.
    pub(super) fn regex(&self) -> Option<&Regex> {
        let make = || {
            let text = self.0.clone().into_owned();
            let fill = |text: String, (name, long): &(&str, &str)| text.replace(name, long);
            Regex::new(&SHORTHANDS.iter().fold(text, fill)).ok()
        };
        self.1.get_or_init(make).as_ref()
    }

    pub(super) fn fits(&self, text: &[u8]) -> bool {
        self.regex().is_some_and(|regex| regex.is_match(text))
    }
}

/// At most `length` bytes of `text` from `at` on.
pub(super) fn piece(text: &[u8], at: usize, length: usize) -> &[u8] {
    &text[at..text.len().min(at + length)]
}

/// The number of bytes at the start for which `is_one` holds.
pub(super) fn leading(text: &[u8], is_one: impl Fn(u8) -> bool) -> usize {
    text.iter().take_while(|byte| is_one(**byte)).count()
}

/// The number of bytes at the end for which `is_one` holds.
pub(super) fn trailing(text: &[u8], is_one: impl Fn(u8) -> bool) -> usize {
    text.iter().rev().take_while(|byte| is_one(**byte)).count()
}

pub(super) fn among(bytes: &'static [u8]) -> impl Fn(u8) -> bool {
    move |byte| bytes.contains(&byte)
}

pub(super) fn has_at(text: &[u8], at: usize, what: &str) -> bool {
    text.get(at..).is_some_and(|rest| rest.starts_with(what.as_bytes()))
}

pub(super) fn before(text: &[u8], at: usize) -> Option<u8> {
    at.checked_sub(1).and_then(|at| text.get(at)).copied()
}

/// Whether a byte is part of a word: a letter, a digit or `_`.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

pub(super) fn is_of_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Whether a token may begin at `at`: no letter or digit precedes it, unless an escape ends there.
/// So it may follow a name and `-` or `_`.
pub(super) fn begins(text: &[u8], at: usize) -> bool {
    before(text, at).is_none_or(|byte| !byte.is_ascii_alphanumeric()) || ends_escape(&text[..at])
}

/// The same for a token whose first bytes are a word or occur in base64: no part of a name, a path
/// or base64 precedes it. A line of a difference begins with `-` or `+`.
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

/// Whether `text` ends with an escape for one character, such as `\n`, `\x1b`, `\u2192` or `%0A`,
/// or with a terminal's color sequence in any spelling.
fn ends_escape(text: &[u8]) -> bool {
    static ESCAPE: Pattern = Pattern::new(
        r"(?-u)(?:\\[ntrbfv0]|\\u[[:xdigit:]]{4}|\\x[[:xdigit:]]{2}|%[[:xdigit:]]{2}|(?:\x1b|\\u001[bB]|\\x1[bB]|\\033|\\e|\xe2\x90\x9b)\[[0-9;]{0,24}m)\z",
    );
    ESCAPE.fits(&text[text.len().saturating_sub(36)..])
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

/// Whether `text` is a UUID: an identifier, not a secret.
pub(super) fn is_uuid(text: &[u8]) -> bool {
    let lengths = text.split(|byte| *byte == b'-').map(<[u8]>::len);
    lengths.eq([8, 4, 4, 4, 12])
        && text.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-')
}

/// Whether any part of `text` marks it as a placeholder.
pub(super) fn is_placeholder(text: &[u8]) -> bool {
    static PLACEHOLDER: Pattern = Pattern::new(
        r"(?i-u)example|your|xxxx|placeholder|change[-_]?me|dummy|redacted|insert|replace|\.\.\.|\*\*\*|<|&lt|&#x3c|\$\{|\{\{|\$\(|%\(|\xe2\x80\xa6|\xe2\x80\xa2",
    );
    PLACEHOLDER.fits(text)
}

/// Whether `text` is a value made up by documentation.
pub(super) fn is_made_up(text: &[u8]) -> bool {
    static MADE_UP: Pattern = Pattern::new("(?i-u)test|123456|abcdef|abc123|01234|98765");
    MADE_UP.fits(text)
}

/// Whether `text` is a placeholder: marked as one, or short and made of words that many documents
/// have.
pub(super) fn is_stand_in(text: &[u8]) -> bool {
    static WORDS: Pattern = Pattern::new(
        r#"(?xi-u)\A(?:
            (?:{small})*(?:(?:{common})s?)+ | (?:{small})(?:{between}|\z) |
            (?:{number})(?:{between}|\z) | {between}
        )*\z"#,
    );
    is_placeholder(text) || (text.len() <= 64 && WORDS.fits(text))
}

/// Shannon's entropy in bits per byte.
fn entropy(text: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    text.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    let length = text.len().max(1) as f64;
    let bits = |count: &u32| {
        let share = f64::from(*count) / length;
        -share * libm::log2(share)
    };
    counts.iter().filter(|count| **count > 0).map(bits).sum()
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
