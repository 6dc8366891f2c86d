//! Checks of the rules: whether a match of a pattern is a secret.
//!
//! Code has types, variables and calls for values; documents have placeholders. Neither is marked.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::guard::escapes;
use crate::guard::rule::PatternHit;
use crate::guard::values::{
    Pattern, among, before, begins, begins_alone, is_made_up, is_mixed, is_of_base64,
    is_placeholder, is_random, is_stand_in, is_uuid, is_word, leading, trailing,
};

type ValueRange = Option<Range<usize>>;

/// An unquoted value from a program: a call, a member, a constant, a variable, an address.
static CODE: Pattern = Pattern::new(
    r"(?-u)\A(?://|[\w.]+(?:\(|\[|!\()|:|[A-Za-z_]+\d{0,2}(?:\.[A-Za-z_]+\d{0,2})+\z|[A-Z0-9_]*_[A-Z0-9_]*\z|[$&*@!%][A-Za-z][\w.>:\[\]-]*\z)|::|->|\(\)|\{|://",
);

/// The name of a key whose value is drawn at random, as for APIs.
static OF_INTERFACE: Pattern = Pattern::new(
    r"(?i-u)(?:api|access|auth|account|license|service|subscription|admin|app|client|shared|webhook|instrumentation|write|ingest)[ _.-]?(?:key|token)\z",
);

impl<'t> PatternHit<'t> {
    fn bytes(&self) -> &'t [u8] {
        &self.text[self.value.clone()]
    }

    fn when(&self, is_one: bool) -> ValueRange {
        is_one.then(|| self.value.clone())
    }

    /// Whether the value is in quotes or in an element.
    fn is_quoted(&self) -> bool {
        matches!(before(self.text, self.value.start), Some(b'"' | b'\'' | b'>'))
    }

    /// The part of the line before the value.
    fn line(&self) -> &'t [u8] {
        let head = &self.text[self.value.start.saturating_sub(200)..self.value.start];
        head.rsplit(|byte| *byte == b'\n').next().unwrap_or_default()
    }

    /// The start of the whole name that includes the keyword.
    fn name_start(&self) -> usize {
        let at = self.keyword.start;
        let is_of_name = |byte| is_word(byte) || b"-.$".contains(&byte);
        at - trailing(&self.text[at.saturating_sub(64)..at], is_of_name)
    }

    /// From the keyword to the value.
    fn between(&self) -> &'t [u8] {
        &self.text[self.keyword.start..self.value.start]
    }

    /// A token without its keyword.
    fn body(&self) -> &'t [u8] {
        let is_around = self.value.start < self.keyword.start;
        let start = if is_around { 0 } else { self.keyword.end };
        &self.text[self.value.start.max(start)..self.value.end]
    }

    /// Whether a token with its keyword is part of a word.
    fn goes_on(&self) -> bool {
        let next = self.text.get(self.value.end);
        self.value.start <= self.keyword.start && next.is_some_and(u8::is_ascii_alphanumeric)
    }

    /// Whether the name is an environment variable: `DB_PASSWORD=` or `DB_PASSWORD: `.
    fn is_variable(&self) -> bool {
        static VARIABLE: Pattern =
            Pattern::new(r#"(?-u)\A(?:[A-Z0-9_]+=|[A-Z0-9]+_[A-Z0-9_]+: ?)["']?\z"#);
        VARIABLE.fits(&self.text[self.name_start()..self.value.start])
    }

    /// Whether a line has nothing but the name and the value, as in settings.
    fn is_entry(&self) -> bool {
        let line = self.text[..self.name_start()].iter().rev().take_while(|byte| **byte != b'\n');
        let is_last = matches!(self.text.get(self.value.end), None | Some(b'\n' | b'\r'));
        is_last && line.take(64).all(|byte| b" \t-\"'".contains(byte))
    }

    /// An unquoted value, up to where it ends in an address, a list or a sentence.
    fn without_rest(&self) -> Self {
        let value = self.bytes();
        let cut = |stops: &[u8]| value.iter().position(|byte| stops.contains(byte));
        let is_next = |at: &usize| {
            let name = leading(&value[at + 1..], is_word);
            value[*at] == b'&' && name > 0 && value.get(at + 1 + name) == Some(&b'=')
        };
        let length = match before(self.text, self.name_start()) {
            _ if self.is_quoted() => return self.clone(),
            Some(b'?' | b'&') => cut(b"&#)]"),
            Some(b';' | b'"' | b'\'') => cut(b";"),
            _ if self.line().contains(&b';') => cut(b";"),
            _ => None,
        };
        let length = length.unwrap_or(value.len());
        let value = &value[..(0..length).find(is_next).unwrap_or(length)];
        let length = value.len() - trailing(value, among(b",;.)]}*|:"));
        Self { value: self.value.start..self.value.start + length, ..self.clone() }
    }

    /// Whether the value comes from a program rather than settings.
    fn is_code(&self) -> bool {
        // Letters, and at most two digits at the end.
        static NAME: Pattern = Pattern::new(r"(?-u)\A[A-Za-z_]+\d{0,2}\z");
        let value = self.bytes();
        let after = &self.text[self.value.end..];
        if self.is_quoted() {
            return false;
        }
        // A value never precedes these, only a type or a function name.
        if matches!(after.trim_ascii_start(), [b'=' | b'(' | b'{', ..]) {
            return true;
        }
        let is_of_settings = before(self.text, self.name_start()).is_some_and(among(b";?&"));
        let ends_statement = after.first().copied().is_some_and(among(b";,).?"));
        let is_of_program = CODE.fits(value) || (ends_statement && NAME.fits(value));
        is_of_program && !is_of_settings && !self.is_variable()
    }

    /// Whether the value is not one: a placeholder, or computed by a program.
    fn is_none(&self) -> bool {
        // A path, a text that begins with a variable, or the message of `${NAME:?…}`.
        static PATH: Pattern = Pattern::new(
            r"(?-u)\A(?:(?:~|\.{1,2})?/[\w./-]+\z|\$[A-Z_]{2}|%[A-Za-z]\b|%\w+%\z|\w+://|\?)",
        );
        let is_path = || PATH.fits(self.bytes()) && !is_random(self.bytes());
        self.value.is_empty() || is_stand_in(self.bytes()) || is_path() || self.is_code()
    }

    /// Whether words are a passphrase: by its name, or by having at least four words of four
    /// letters.
    fn is_phrase(&self) -> bool {
        let name = self.between();
        let is_of_name = name.len() > 10 && name[..10].eq_ignore_ascii_case(b"passphrase");
        let words: Vec<&[u8]> = self.bytes().split(|byte| *byte == b' ').collect();
        let is_lower = |word: &&[u8]| word.len() == 4 && word.iter().all(u8::is_ascii_lowercase);
        let is_sentence = self.bytes()[0].is_ascii_uppercase() || self.bytes().ends_with(b".");
        (words.len() == 4 && words.iter().all(is_lower))
            || (is_of_name && (3..=12).contains(&words.len()) && !is_sentence)
    }

    /// Whether a sign assigns the value to the name; in a call or a sentence it must be more than a
    /// word.
    fn is_given(&self, counts: &CharCounts) -> bool {
        static SIGN: Pattern = Pattern::new(r"(?-u)[=:>?]|\|\|| or ");
        static CALL: Pattern = Pattern::new(r#"(?-u)[,(] ?["']\z"#);
        let between = self.between();
        if SIGN.fits(between) {
            return true;
        }
        let name = self.text[..self.name_start()].trim_ascii_end();
        let name = name.strip_suffix(b"\"").or(name.strip_suffix(b"'")).unwrap_or(name);
        let is_first = matches!(name.trim_ascii_end(), [.., b'(' | b'[' | b'{']);
        let is_of_call =
            is_first || between.trim_ascii_end().ends_with(b"(\"") || between.ends_with(b"('");
        let is_in_place = !CALL.fits(between) || is_of_call;
        is_in_place
            && counts.is_more_than_a_word()
            && !self.bytes().contains(&b'/')
            && !CODE.fits(self.bytes())
    }
}

struct CharCounts {
    letters: usize,
    digits: usize,
    signs: usize,
    spaces: usize,
}

impl CharCounts {
    fn new(value: &[u8]) -> Self {
        let count = |is_one: fn(&u8) -> bool| value.iter().filter(|byte| is_one(byte)).count();
        Self {
            letters: count(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80),
            digits: count(u8::is_ascii_digit),
            signs: count(|byte| b"!@#$%^&*+=?~".contains(byte)),
            spaces: count(|byte| *byte == b' '),
        }
    }

    fn are_mixed(&self) -> bool {
        let others = self.digits + self.signs;
        self.spaces == 0 && self.letters > 0 && others > 0 && self.letters + others >= 4
    }

    /// Whether prose would not contain such a word.
    fn is_more_than_a_word(&self) -> bool {
        self.are_mixed() && self.digits > 0 && self.letters + self.digits + self.signs >= 6
    }
}

/// A token whose keyword suffices, unless a placeholder follows: words, or one letter repeated.
pub(super) fn known(hit: &PatternHit<'_>) -> ValueRange {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_');
    let body = hit.body();
    let different: BTreeSet<u8> = body.iter().map(u8::to_ascii_lowercase).collect();
    let is_stand_in = different.len() < 4 || (body.iter().all(is_letter) && is_placeholder(body));
    hit.when(!hit.goes_on() && !is_stand_in)
}

/// A token whose keyword is a common word: the rest must look drawn at random.
pub(super) fn random(hit: &PatternHit<'_>) -> ValueRange {
    hit.when(!hit.goes_on() && is_random(hit.body()))
}

/// The keyword also ends longer names, or occurs in base64: such text must not surround it.
pub(super) fn alone(hit: &PatternHit<'_>) -> ValueRange {
    let next = hit.text.get(hit.value.end);
    let is_alone = begins_alone(hit.text, hit.value.start)
        && !next.is_some_and(|byte| is_of_base64(*byte) || *byte == b'_');
    hit.when(is_alone && (is_random(hit.body()) || is_mixed(hit.body())))
}

pub(super) fn path(hit: &PatternHit<'_>) -> ValueRange {
    hit.when(hit.body().iter().any(u8::is_ascii_digit) && !is_placeholder(hit.body()))
}

/// A value assigned to a name, if `is_one` holds.
fn assigned(hit: &PatternHit<'_>, is_one: fn(&PatternHit<'_>, &CharCounts) -> bool) -> ValueRange {
    let hit = hit.without_rest();
    let counts = CharCounts::new(hit.bytes());
    hit.when(is_one(&hit, &counts) && hit.is_given(&counts) && !hit.is_none())
}

pub(super) fn password(hit: &PatternHit<'_>) -> ValueRange {
    assigned(hit, |hit, counts| match hit.is_quoted() {
        _ if counts.spaces > 0 => hit.is_phrase(),
        true => counts.are_mixed() || counts.letters >= 6 || counts.digits >= 6,
        false => {
            let is_word = counts.letters >= 8 && !hit.bytes().contains(&b'_') && hit.is_entry();
            counts.are_mixed() || is_word || (hit.is_variable() && hit.value.len() >= 4)
        }
    })
}

/// A value assigned to `pass`, which may also be a test result.
pub(super) fn pass(hit: &PatternHit<'_>) -> ValueRange {
    let at = hit.keyword.start;
    let is_named = before(hit.text, at).is_some_and(among(b"_-."))
        || (hit.name_start() < at && hit.text[..hit.value.start].ends_with(b"="));
    let is_one = if hit.is_quoted() || is_named { password(hit) } else { key(hit) };
    let least = if hit.is_variable() { 4 } else { 6 };
    is_one.filter(|range| {
        range.len() >= least && CharCounts::new(&hit.text[range.clone()]).are_mixed()
    })
}

pub(super) fn secret(hit: &PatternHit<'_>) -> ValueRange {
    assigned(hit, |hit, counts| {
        let length = hit.value.len();
        let is_setting = hit.is_quoted() || hit.is_variable() || hit.is_entry();
        let is_long = length >= 8 && is_setting && counts.are_mixed() && counts.digits > 0;
        let is_variable = length >= 12 && counts.spaces == 0 && hit.is_variable();
        is_drawn(hit.bytes()) || is_long || is_variable
    })
}

/// A value assigned to a key: an API key looks drawn at random or is an identifier.
pub(super) fn key(hit: &PatternHit<'_>) -> ValueRange {
    let at = hit.keyword.start;
    let name = &hit.text[at.saturating_sub(16)..at + 3];
    let is_of_interface = OF_INTERFACE.fits(name) || !name.to_ascii_lowercase().ends_with(b"key");
    if is_of_interface { drawn_key(hit) } else { secret(hit) }
}

fn drawn_key(hit: &PatternHit<'_>) -> ValueRange {
    assigned(hit, |hit, _| {
        // After a colon a program may name a type, whose digits are in one place.
        let is_after_colon = hit.line().trim_ascii_end().ends_with(b":") && !hit.is_quoted();
        let parts = hit.bytes().split(|byte| !byte.is_ascii_digit());
        let is_type = is_after_colon && parts.filter(|part| !part.is_empty()).count() < 2;
        is_uuid(hit.bytes()) || (is_drawn(hit.bytes()) && !is_type)
    })
}

/// A value assigned to a token. Identifiers count only for an API or a registry.
pub(super) fn token(hit: &PatternHit<'_>) -> ValueRange {
    let name = &hit.text[hit.name_start()..hit.keyword.start + 5];
    let is_constant = name.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_');
    let may_be_uuid = OF_INTERFACE.fits(name) || is_constant;
    drawn_key(hit).filter(|range| may_be_uuid || !is_uuid(&hit.text[range.clone()]))
}

/// Any value except a placeholder.
pub(super) fn any(hit: &PatternHit<'_>) -> ValueRange {
    let value = hit.bytes();
    hit.when(value.len() >= 3 && !is_stand_in(value) && !matches!(value[0], b'{' | b'$'))
}

pub(super) fn mixed(hit: &PatternHit<'_>) -> ValueRange {
    hit.when(CharCounts::new(hit.bytes()).are_mixed() && !hit.is_none())
}

/// A value that is more than a word, for a keyword that prose has as well.
pub(super) fn prose_word(hit: &PatternHit<'_>) -> ValueRange {
    hit.when(CharCounts::new(hit.bytes()).is_more_than_a_word() && !hit.is_none())
}

/// The value of a flag, or of `ENV` in a Dockerfile.
pub(super) fn flag(hit: &PatternHit<'_>) -> ValueRange {
    let is_long = hit.is_quoted() && hit.value.len() >= 6;
    hit.when((is_long || CharCounts::new(hit.bytes()).are_mixed()) && !hit.is_none())
}

/// The password of `user:password` after a flag.
pub(super) fn user(hit: &PatternHit<'_>) -> ValueRange {
    let is_curl = hit.line().windows(4).any(|part| part == b"curl");
    let is_number = hit.bytes().iter().all(u8::is_ascii_digit);
    let one = if is_curl { any(hit) } else { mixed(hit) };
    one.filter(|_| !is_number && !hit.is_none())
}

/// The password in `scheme://user:password@host`, or a token in place of the user.
pub(super) fn url(hit: &PatternHit<'_>) -> ValueRange {
    let scheme = before(hit.text, hit.keyword.start);
    let is_scheme = scheme.is_some_and(|byte| byte.is_ascii_alphanumeric());
    let both = hit.bytes();
    let colon = both.iter().position(|byte| *byte == b':');
    let (user, password) = both.split_at(colon.unwrap_or(both.len()));
    let password = password.get(1..).unwrap_or_default();
    // An unmatched closing bracket ends the address, and so does the comma after a port.
    let is_open = password.contains(&b')') && !password.contains(&b'(');
    let digits = leading(password, |byte| byte.is_ascii_digit());
    let is_list = digits > 0 && password.get(digits) == Some(&b',');
    let is_none = || is_open || is_list || is_stand_in(password) || password[0] == b'$';
    let is_password = password.len() >= 3 && password != user && !is_none();
    let is_token = user.len() >= 20 && is_random(user);
    let start = if is_token { hit.value.start } else { hit.value.end - password.len() };
    (is_scheme && (is_token || is_password)).then_some(start..hit.value.end)
}

/// The token after `Bearer`; in a header it may be short.
pub(super) fn bearer(hit: &PatternHit<'_>) -> ValueRange {
    let value = hit.bytes();
    let line = hit.line().to_ascii_lowercase();
    let least = if line.windows(13).any(|part| part == b"authorization") { 8 } else { 16 };
    let is_token = is_drawn(value) || is_uuid(value) || is_mixed(value);
    hit.when(begins(hit.text, hit.keyword.start) && value.len() >= least && is_token)
}

/// The value of `Authorization` in any scheme without a rule of its own.
pub(super) fn header(hit: &PatternHit<'_>) -> ValueRange {
    let value = hit.bytes();
    let line = hit.line().to_ascii_lowercase();
    let has_rule = line.ends_with(b"basic ") || line.ends_with(b"bearer ");
    let is_token = is_random(value) || is_uuid(value) || is_mixed(value);
    hit.when(!has_rule && is_token && !hit.is_none())
}

/// A name and a password in base64.
pub(super) fn credentials(hit: &PatternHit<'_>) -> ValueRange {
    let plain = escapes::text(hit.bytes())?;
    let password = match plain.iter().position(|byte| *byte == b':') {
        Some(at) => &plain[at + 1..],
        None if hit.text[hit.keyword.start..].starts_with(b"_password") => &plain[..],
        None => return None,
    };
    hit.when(password.len() >= 3 && !is_stand_in(password))
}

/// The secret key of an AWS account: of that length, with letters of both cases.
pub(super) fn aws_secret(hit: &PatternHit<'_>) -> ValueRange {
    let value = hit.bytes();
    let number = |is_one: fn(&u8) -> bool| value.iter().filter(|byte| is_one(byte)).count();
    let is_both = number(u8::is_ascii_uppercase) >= 6 && number(u8::is_ascii_lowercase) >= 6;
    let goes_on = hit.text.get(hit.value.end).is_some_and(|byte| is_word(*byte) || *byte == b'/');
    hit.when(!goes_on && !is_placeholder(value) && (is_both || is_random(value)))
}

/// The words of a wallet, without words that make sentences.
pub(super) fn seed(hit: &PatternHit<'_>) -> ValueRange {
    static SENTENCE: Pattern = Pattern::new(
        r"(?-u)\b(?:the|and|for|with|are|was|not|you|your|from|have|has|must|should|into)\b",
    );
    hit.when(!SENTENCE.fits(hit.bytes()))
}

/// Whether a value looks drawn at random, though it may be short.
pub(super) fn is_drawn(value: &[u8]) -> bool {
    let is_mixed =
        || value.iter().any(u8::is_ascii_digit) && is_mixed(value) && !is_placeholder(value);
    value.len() >= 8 && (is_random(value) || is_mixed()) && !is_made_up(value)
}
