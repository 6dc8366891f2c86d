//! Which bytes a secret is made of, and whether a text looks drawn at random.

/// A set of ASCII bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chars {
    /// `a` to `f` and digits.
    Hex,
    /// Upper-case letters and digits.
    Upper,
    /// Letters and digits.
    Alnum,
    /// Letters, digits and `_`.
    Word,
    /// Letters, digits, `_` and `-`.
    Url,
    /// Letters, digits, `_`, `-` and `.`.
    Dotted,
    /// Letters, digits, `+`, `/` and `=`.
    Base64,
    /// Letters, digits, `_`, `-` and `$`.
    Dollar,
    /// Letters, digits, `_`, `-`, `+`, `/`, `=` and `%`.
    Percent,
}

impl Chars {
    /// Whether `byte` is one of them.
    pub(super) fn has(self, byte: u8) -> bool {
        let is_alnum = byte.is_ascii_alphanumeric();
        match self {
            Self::Hex => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
            Self::Upper => matches!(byte, b'0'..=b'9' | b'A'..=b'Z'),
            Self::Alnum => is_alnum,
            Self::Word => is_alnum || byte == b'_',
            Self::Url => is_alnum || matches!(byte, b'_' | b'-'),
            Self::Dotted => is_alnum || matches!(byte, b'_' | b'-' | b'.'),
            Self::Base64 => is_alnum || matches!(byte, b'+' | b'/' | b'='),
            Self::Dollar => is_alnum || matches!(byte, b'_' | b'-' | b'$'),
            Self::Percent => is_alnum || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=' | b'%'),
        }
    }

    /// How many of the first bytes of `text` are of the set; more than `most` are not counted.
    pub(super) fn run(self, text: &[u8], most: usize) -> usize {
        text.iter().take(most.saturating_add(1)).take_while(|byte| self.has(**byte)).count()
    }
}

/// Whether `text` has `what` at `at`.
pub(super) fn stands(text: &[u8], at: usize, what: &str) -> bool {
    text.get(at..).is_some_and(|rest| rest.starts_with(what.as_bytes()))
}

/// The byte before `at`, where there is one.
pub(super) fn before(text: &[u8], at: usize) -> Option<u8> {
    at.checked_sub(1).and_then(|at| text.get(at)).copied()
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

/// Whether `text` ends with an escape: `\n`, `\x1b`, `\u2192` or `%0A` for one character, or the
/// sequence that colors a terminal.
fn ends_escape(text: &[u8]) -> bool {
    let has = |mark: &[u8], digits: usize| {
        let at = text.len().checked_sub(mark.len() + digits);
        at.is_some_and(|at| {
            text[at..].starts_with(mark)
                && text[at + mark.len()..].iter().all(u8::is_ascii_hexdigit)
        })
    };
    match text {
        [.., b'\\', b'n' | b't' | b'r' | b'b' | b'f' | b'v' | b'0'] => true,
        [.., b'm'] => ends_color(&text[..text.len() - 1]),
        _ => has(b"\\u", 4) || has(b"\\x", 2) || has(b"%", 2),
    }
}

/// Whether `text` ends with `ESC[` and the numbers of a color, however the escape is written.
fn ends_color(text: &[u8]) -> bool {
    let is_number = |byte: &&u8| byte.is_ascii_digit() || **byte == b';';
    let numbers = text.iter().rev().take(24).take_while(is_number).count();
    let before = &text[..text.len() - numbers];
    let escapes: [&[u8]; 7] =
        [b"\x1b[", b"\\u001b[", b"\\u001B[", b"\\x1b[", b"\\x1B[", b"\\033[", b"\\e["];
    escapes.iter().any(|escape| before.ends_with(escape))
        || before.ends_with("\u{241b}[".as_bytes())
}

/// Whether `text` looks drawn at random: letters and digits without being words and numbers, and
/// at least 3 bits in each byte.
pub(super) fn is_random(text: &[u8]) -> bool {
    let digits = text.iter().filter(|byte| byte.is_ascii_digit()).count();
    let has_letter = text.iter().any(u8::is_ascii_alphabetic);
    digits >= 2 && has_letter && !is_wordy(text) && !is_placeholder(text) && entropy(text) >= 3.0
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

/// Whether `text` says that it stands for a secret and is none.
pub(super) fn is_placeholder(text: &[u8]) -> bool {
    const WORDS: [&[u8]; 9] = [
        b"example",
        b"your",
        b"xxxx",
        b"placeholder",
        b"changeme",
        b"dummy",
        b"redacted",
        b"....",
        b"****",
    ];
    let lower = text.to_ascii_lowercase();
    WORDS.iter().any(|word| lower.windows(word.len()).any(|part| part == *word))
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
