//! What a value looks like: drawn at random, or a word, a placeholder, a place in a file, a measure.

use std::collections::BTreeSet;

use crate::guard::escapes;
use crate::guard::expression::Expression;

/// How many characters of each class a value has.
pub(super) struct Characters {
    pub(super) letters: usize,
    pub(super) digits: usize,
    pub(super) signs: usize,
    pub(super) spaces: usize,
}

impl Characters {
    pub(super) fn new(value: &[u8]) -> Self {
        let mut counts = Self { letters: 0, digits: 0, signs: 0, spaces: 0 };
        for byte in value {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' => counts.letters += 1,
                b'0'..=b'9' => counts.digits += 1,
                b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'+' | b'=' | b'?'
                | b'~' => {
                    counts.signs += 1;
                }
                b' ' => counts.spaces += 1,
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

pub(super) fn is_credentials(value: &[u8]) -> bool {
    let Some(plain) = escapes::decoded(value) else { return false };
    let Some(colon) = plain.iter().position(|byte| *byte == b':') else { return false };
    plain.len() > colon + 3 && !is_stand_in(&plain[colon + 1..])
}

/// Whether words make a sentence, which the words of a wallet do not.
pub(super) fn is_sentence(words: &[u8]) -> bool {
    static SENTENCE: Expression = Expression::constant(
        r"(?-u)\b(?:the|and|for|with|are|was|not|you|your|from|have|has|must|should|into)\b",
    );
    SENTENCE.fits(words)
}

/// Whether a value names a file, or a place in one: `server.ts:22-32`.
pub(super) fn is_place_in_file(value: &[u8]) -> bool {
    static PLACE: Expression = Expression::constant(
        r"(?i-u)\A[\w./@\\-]+\.(?:rs|pyi?|m?jsx?|tsx?|go|java|kts?|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|sh|ps1|mdx?|txt|rst|jsonl?|ya?ml|toml|html?|s?css|sql|xml|csv|tsv|pdf|png|jpe?g|svg|log|ini|cfg|conf|lock|vue|svelte|tf|docx|xlsx|pptx|ipynb)(?::\d[\d:,L-]*)?\z",
    );
    PLACE.fits(value)
}

/// Whether a value is a number with a unit, or a time: `+34%`, `12px`, `2026-01-31T09:30:00Z`.
pub(super) fn is_measure(value: &[u8]) -> bool {
    static MEASURE: Expression = Expression::constant(
        r"(?-u)\A[+~<>=$-]*\d{1,6}(?:[.,:/_-]\d{1,6})*(?:%|[A-Za-z]{1,3})?\+?\z|\A\d{4}-\d\d-\d\dT[\d:.+-]+Z?\z",
    );
    MEASURE.fits(value)
}

/// Whether a value is the name of a type, as in `key: ed25519.Ed25519PublicKey`.
fn is_type_name(value: &[u8]) -> bool {
    static TYPE_NAME: Expression = Expression::constant(
        r"(?-u)\A&?(?:[a-z]\w*(?:\.|::))*[A-Z][a-z]*\d{1,6}(?:[A-Z][a-z]{2,}){2,}\z",
    );
    TYPE_NAME.fits(value)
}

/// Whether a value looks drawn at random, though it may be short.
pub(super) fn is_drawn(value: &[u8]) -> bool {
    let is_mixed = value.iter().any(u8::is_ascii_digit) && is_base62(value);
    value.len() >= 8
        && !is_type_name(value)
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
    let changes = text.windows(2).filter(|pair| class(pair[0]) != class(pair[1])).count();
    text.len() >= 20 && changes * 5 >= text.len() * 2 && !is_uuid(text)
}

pub(super) fn class(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    }
}

/// The fewest bytes of a value that is known without a name.
pub(super) const SHORTEST_STRONG: usize = 10;

/// Whether a value could be nothing but a password or a key, wherever it is: classes of characters
/// change in it as often as they do in what is drawn by chance, and in words, names and versions
/// they do not.
pub(super) fn is_strong(value: &[u8]) -> bool {
    // Names and versions, as in `GPT-4o-mini` and `OAuth2.0-PKCE`.
    static NAMES: Expression = Expression::constant(
        r"(?-u)\A[^[:alnum:]]*(?:(?:[A-Z]{0,2}[a-z]+\d{0,2}[a-z]?|[A-Z]+\d{0,3}|\d+[a-z]?)(?:[^[:alnum:]]+|\z))+\z",
    );
    // Addresses, paths, operators and members of code, sums of packages, classes of characters.
    static CODE: Expression = Expression::constant(
        r"(?-u)\A(?:[/.~$@#%]|--|sha\d)|://|&&|\|\||[=!]=|=>|->|::|\+\+|\?\.|/\w+/|[A-Za-z]{3}\.[A-Za-z]{3}|[aA]-[zZ]|0-9|%3A|%2F|\d\.\d+%",
    );
    if !(SHORTEST_STRONG..=200).contains(&value.len()) {
        return false;
    }
    let count = |wanted| value.iter().filter(|byte| class(**byte) == wanted).count();
    let [lower, upper, digits] = [count(0), count(1), count(2)];
    let signs = Characters::new(value).signs;
    let changes = value.windows(2).filter(|pair| class(pair[0]) != class(pair[1])).count();
    // `Utf8Base64Key` has as many changes; capital letters begin its words.
    let words = value.windows(2).filter(|pair| begins_part(pair[0], pair[1])).count() + 1;
    let is_mixed = if signs > 0 {
        lower + upper > 1 && digits > 0
    } else {
        // Long names have fewer parts.
        let is_in_parts =
            words * 5 >= value.len() * 2 || (value.len() >= 28 && words * 3 >= value.len());
        lower > 0 && upper > 0 && digits > 0 && is_in_parts
    };
    is_mixed
        && changes * 40 >= value.len() * 19
        && !NAMES.fits(value)
        && !CODE.fits(value)
        && !is_stand_in(value)
        && !is_made_up(value)
        && !is_measure(value)
        && !is_place_in_file(value)
}

/// Whether a part of a word begins at the second of two characters, as in `baseUrl` and `v2`.
fn begins_part(first: u8, second: u8) -> bool {
    class(first) != class(second) && (class(first), class(second)) != (1, 0)
}

/// Whether every part between separators is a word or a number, as in `claude-3-5-sonnet`.
pub(super) fn is_wordy(text: &[u8]) -> bool {
    let is_separator = |byte: &u8| matches!(byte, b'-' | b'_' | b'.' | b'/');
    is_uuid(text) || text.split(is_separator).all(is_word_or_number)
}

pub(super) fn is_word_or_number(part: &[u8]) -> bool {
    let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
    digits == 0 || digits == part.len() || (part.len() <= 4 && digits <= 2)
}

/// Whether `text` is a UUID: an identifier, and a secret only where it is assigned to a key.
pub(super) fn is_uuid(text: &[u8]) -> bool {
    let lengths = text.split(|byte| *byte == b'-').map(<[u8]>::len);
    lengths.eq([8, 4, 4, 4, 12])
        && text.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-')
}

/// Whether any part of `text` marks it as a placeholder.
pub(super) fn is_placeholder(text: &[u8]) -> bool {
    static PLACEHOLDER: Expression = Expression::constant(
        r"(?i-u)example|your|xxxx|placeholder|change[-_]?me|dummy|redacted|insert|replace|\.\.\.|\*\*\*|<|&lt|&#x3c|\$\{|\{\{|\$\(|%\(|\xe2\x80\xa6|\xe2\x80\xa2",
    );
    PLACEHOLDER.fits(text)
}

/// Whether `text` is a value made up by documentation.
pub(super) fn is_made_up(text: &[u8]) -> bool {
    static MADE_UP: Expression =
        Expression::constant("(?i-u)test|123456|abcdef|abc123|01234|98765");
    MADE_UP.fits(text)
}

/// Whether `text` is a placeholder: marked as one, or short and made of words that many documents
/// have.
pub(super) fn is_stand_in(text: &[u8]) -> bool {
    static WORDS: Expression = Expression::constant(STAND_IN);
    is_placeholder(text) || (text.len() <= 64 && WORDS.fits(text))
}

/// Small words, separators, obvious numbers, and words of documentation, types and tests.
const STAND_IN: &str = r#"(?xi-u)\A(?:
    (?:my|the|an?|is|in|of|to|for|with|and|or|not|this|that|any|some|no|on|off|db|id|n|at|me|as)
        (?:[-_.\x20"'()\[\]{}<>/:,;]|\z)
    | (?:0|1|2|3|4|5|6|7|8|9|12|123|1234|12345|123456|1234567|12345678|123456789|1234567890|16|32
        |64|128|256|512|509)(?:[-_.\x20"'()\[\]{}<>/:,;]|\z)
    | [-_.\x20"'()\[\]{}<>/:,;]
    | (?:my|the|an?|is|in|of|to|for|with|and|or|not|this|that|any|some|no|on|off|db|id|n|at|me|as)*
      (?:(?:password|passwd|pass|pwd|pw|passphrase|passcode|secret|token|key|api|access|auth|credential
        |user|username|admin|root|login|test|testing|tester|foo|bar|baz|qux|abc|xyz|aa|x|default|sample
        |demo|here|value|new|old|current|wrong|bad|good|valid|invalid|correct|incorrect|real|fake|mock
        |stub|string|str|text|none|null|nil|undefined|true|false|yes|ok|required|optional|empty|blank
        |missing|unset|set|enabled|disabled|hidden|masked|encrypted|encoded|hashed|hash|plain|raw|secure
        |strong|weak|safe|unsafe|simple|long|short|random|generated|generate|temp|tmp|todo|fixme
        |database|env|environment|var|variable|config|file|path|input|field|name|type|object|number|int
        |integer|bool|boolean|char|varchar|byte|array|list|option|param|arg|data|prod|production|dev
        |development|local|localhost|staging|stage|live|server|client|app|service|super|very|really
        |enough|min|max|length|only|never|change|please|put|goes|bearer|basic|jwt|oauth|session|cookie
        |eval|signing|encryption|private|public|master|least|character|postgres|mysql|redis|changeit
        |guest|base|sha|md|utf|pbkdf|argon|aes|rsa|hmac|bcrypt|scrypt)s?)+
)*\z"#;

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
pub(super) fn prefixed_token(run: &[u8]) -> bool {
    static PREFIX: Expression = Expression::constant(
        r"(?-u)\A(?:[a-z][a-z0-9]{1,11}(?:[_-][a-z0-9]{1,10}){0,2}|[A-Z][A-Z0-9]{1,11})\z",
    );
    // Identifiers of messages, files and objects are written alike, and are no secrets.
    static IDENTIFIER: Expression = Expression::constant(
        r"(?-u)\A(?:msg|toolu|srvtoolu|req|resp|rs|fc|call|run|step|thread|asst|file|item|evt|event|gen|chatcmpl|cmpl|batch|conv|sess|session|container|trace|span|user|org|proj|project|cus|sub|price|prod|pi|ch|cs|acct|task|job|build|sha\d+|md5|uuid|id|data|hash|digest|etag)\z",
    );
    let Some(split) = run.iter().rposition(|byte| matches!(byte, b'-' | b'_')) else {
        return false;
    };
    let (prefix, body) = (&run[..split], &run[split + 1..]);
    let classes = body.iter().fold([false; 4], |mut classes, byte| {
        classes[usize::from(class(*byte))] = true;
        classes
    });
    body.len() >= 28
        && classes == [true, true, true, false]
        && PREFIX.fits(prefix)
        && !IDENTIFIER.fits(prefix)
        && is_base62(body)
        && entropy(body) >= 3.5
}

/// Whether a secret is hidden wherever else it is: it is long enough, and not a word.
pub(super) fn is_worth_knowing(value: &[u8]) -> bool {
    (8..=512).contains(&value.len())
        && is_own_word(value)
        && !is_stand_in(value)
        && !is_type_name(value)
}
