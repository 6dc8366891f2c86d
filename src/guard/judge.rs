//! Whether a text that matches a rule is a secret, or a word, a placeholder, code or a measure.
//!
//! On 122 real workspaces more than half of all marks were none: places in code, labels of forms,
//! names of design tokens. Each hid what the author had to read. So a value that only its name calls
//! a secret must look like one.

use std::ops::Range;

use serde::Deserialize;

use crate::guard::expression::Expression;
use crate::guard::scan::{among, before, is_word, leading, piece, trailing};
use crate::guard::token_start::{begins_alone, is_of_base64};
use crate::guard::value::{
    Characters, SHORTEST_STRONG, is_base62, is_blank_token, is_credentials, is_drawn, is_made_up,
    is_measure, is_own_word, is_place_in_file, is_placeholder, is_random, is_sentence, is_stand_in,
    is_strong, is_uuid, is_value,
};

/// How a rule decides about a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Judge {
    /// A token whose keyword suffices, unless a placeholder follows.
    #[default]
    Token,
    /// A token whose keyword is a common word: the rest must look drawn at random.
    Random,
    /// A token whose keyword also occurs within names and base64: nothing of that may surround it.
    Alone,
    /// A part of an address with a digit.
    Path,
    /// Any value of three characters except a placeholder.
    Value,
    /// A value that looks drawn at random, or an identifier in hex.
    Drawn,
    /// A value of six characters with letters and digits.
    Mixed,
    /// A name and a password in base64.
    Credentials,
    /// The words of a wallet.
    SeedPhrase,
    /// A value assigned to the name of a password.
    Password,
    /// A value assigned to `pass`, which may also be a test result.
    Pass,
    /// A value assigned to the name of a secret or of a key.
    Secret,
    /// A value assigned to the name of an API key.
    ApiKey,
    /// A value assigned to `token`: identifiers count only for an API or a registry.
    NamedToken,
    /// A word after a flag.
    Flag,
    /// A value that could be nothing but a password or a key.
    Strong,
    /// The same for a token whose keyword also occurs within names.
    StrongAlone,
    /// The first such value after the keyword.
    Nearby,
    /// Whatever the expression of a user matches.
    #[serde(skip)]
    Expression,
}

impl Judge {
    /// Whether the secret is known by its own shape.
    pub(super) fn is_of_shape(self) -> bool {
        matches!(
            self,
            Self::Token
                | Self::Random
                | Self::Alone
                | Self::StrongAlone
                | Self::Path
                | Self::Expression
        )
    }
}

/// A place that matches the expression of a rule.
#[derive(Clone, Debug)]
pub(super) struct Match<'t> {
    pub(super) text: &'t [u8],
    /// The keyword, for a rule that is anchored there; else the start of the match.
    pub(super) keyword: Range<usize>,
    /// The possible secret.
    pub(super) value: Range<usize>,
    /// Whether the text is what people wrote for people: evidence, a check, a prompt. There names of
    /// secrets are words among others.
    pub(super) is_prose: bool,
}

impl Match<'_> {
    /// The secret in this match; `None` if there is none.
    pub(super) fn secret(&self, judge: Judge) -> Option<Range<usize>> {
        let value = self.bytes();
        let is_secret = match judge {
            Judge::Token => !self.goes_on() && !is_blank_token(self.body()),
            Judge::Random => !self.goes_on() && (is_random(self.body()) || is_base62(self.body())),
            Judge::Alone => self.is_alone() && (is_random(self.body()) || is_base62(self.body())),
            Judge::Path => value.iter().any(u8::is_ascii_digit) && !is_placeholder(value),
            Judge::Expression => !value.is_empty(),
            Judge::Value => is_value(value),
            Judge::Drawn => {
                (is_drawn(value) || is_uuid(value) || is_strong(value)) && !self.is_none()
            }
            Judge::Mixed => is_own_word(value) && !self.is_none(),
            Judge::Credentials => is_credentials(value),
            Judge::SeedPhrase => !is_sentence(value),
            Judge::Strong => is_strong(value) && !self.is_none(),
            Judge::StrongAlone => self.is_alone() && is_strong(self.body()),
            Judge::Nearby => return self.nearby(),
            Judge::Flag => self.is_flag_value() && !is_made_up(value) && !self.is_none(),
            Judge::Password | Judge::Pass | Judge::Secret | Judge::ApiKey | Judge::NamedToken => {
                return self.without_rest().assigned(judge);
            }
        };
        if is_secret { Some(self.value.clone()) } else { None }
    }

    fn bytes(&self) -> &[u8] {
        &self.text[self.value.clone()]
    }

    /// A token without the keyword that it begins with.
    fn body(&self) -> &[u8] {
        let start = if self.value.start < self.keyword.start {
            self.value.start
        } else {
            self.keyword.end.clamp(self.value.start, self.value.end)
        };
        &self.text[start..self.value.end]
    }

    /// Whether the token is the beginning of a longer word.
    fn goes_on(&self) -> bool {
        self.text.get(self.value.end).is_some_and(u8::is_ascii_alphanumeric)
    }

    fn is_alone(&self) -> bool {
        let next = self.text.get(self.value.end);
        begins_alone(self.text, self.value.start)
            && !next.is_some_and(|byte| is_of_base64(*byte) || *byte == b'_')
    }

    fn is_flag_value(&self) -> bool {
        (self.is_quoted() && self.value.len() >= 6) || Characters::new(self.bytes()).are_mixed()
    }

    /// The first strong value after the keyword: people write `token: Some("…")`, `the password for
    /// it is …` and `口令为…`, and no list of forms has them all.
    fn nearby(&self) -> Option<Range<usize>> {
        // A name, a user or a flag in front of the value: `--pass=`, `admin/`, `user:`.
        static NAME: Expression =
            Expression::constant(r"(?-u)\A-{0,2}[A-Za-z][\w.@-]{0,40}(?:[=/]|:=?)");
        // `is_valid_password("…")` tests a password.
        static TEST: Expression = Expression::constant(
            r#"(?i-u)(?:is|has|valid|check|verif|assert|test|expect|match|equal)\w*\(\s*["'`]?\z"#,
        );
        let mut at = self.keyword.end;
        at += leading(&self.text[at..self.value.end.max(at)], |byte| is_word(byte) || byte == b'-');
        while at < self.value.end {
            at += leading(&self.text[at..], ends_value);
            let word = piece(self.text, at, 256);
            let mut length = leading(word, |byte| !ends_value(byte));
            let end = at + length;
            while let Some(name) = NAME.get().and_then(|name| name.find(&self.text[at..end])) {
                at += name.end();
                length -= name.end();
            }
            let value = &self.text[at..end];
            let start = leading(value, among(b"*=:"));
            length -= trailing(&value[..length], among(b".:*"));
            let range = at + start..(at + length).max(at + start);
            if range.start >= self.value.end {
                return None;
            }
            let head = &self.text[range.start.saturating_sub(64)..range.start];
            if is_strong(&self.text[range.clone()]) && !TEST.fits(head) {
                return Some(range);
            }
            at = end.max(at + 1);
        }
        None
    }

    /// A value that is assigned to a name.
    fn assigned(&self, judge: Judge) -> Option<Range<usize>> {
        let is_secret = match judge {
            Judge::Password => self.is_password(),
            Judge::Pass => self.is_pass(),
            Judge::Secret => self.is_secret_value(),
            Judge::ApiKey => self.is_api_key(true),
            _ => self.is_api_key(self.is_named_for_api()),
        };
        if is_secret && self.is_given() && !self.is_none() && self.is_clear_in_prose() {
            Some(self.value.clone())
        } else {
            None
        }
    }

    fn is_password(&self) -> bool {
        let characters = Characters::new(self.bytes());
        if characters.spaces > 0 {
            return self.is_quoted() && self.is_phrase();
        }
        // Settings say of no word that it is the password of a variable.
        if self.is_variable() && self.is_entry() && self.value.len() >= 8 {
            return characters.letters + characters.digits >= 8;
        }
        // The text of an element may be a label: `<label for="password">Password*</label>`.
        if before(self.text, self.value.start) == Some(b'>') {
            return characters.are_more_than_a_word();
        }
        characters.are_mixed()
    }

    fn is_pass(&self) -> bool {
        let is_part_of_name = before(self.text, self.keyword.start).is_some_and(among(b"_-."))
            || self.name_start() < self.keyword.start;
        let least = if self.is_variable() { 4 } else { 6 };
        (self.is_quoted() || is_part_of_name) && self.value.len() >= least && self.is_password()
    }

    fn is_secret_value(&self) -> bool {
        let characters = Characters::new(self.bytes());
        let is_setting = self.is_quoted() || self.is_variable() || self.is_entry();
        let is_long = self.value.len() >= 8 && characters.are_mixed() && characters.digits > 0;
        is_drawn(self.bytes()) || (is_setting && is_long)
    }

    /// A value that looks drawn at random, or an identifier where these are keys.
    fn is_api_key(&self, may_be_identifier: bool) -> bool {
        if is_uuid(self.bytes()) {
            return may_be_identifier;
        }
        // After a colon a program may name a type, whose digits are in one place.
        let is_after_colon = self.line().trim_ascii_end().ends_with(b":") && !self.is_quoted();
        let digits = self.bytes().split(|byte| !byte.is_ascii_digit());
        let is_type = is_after_colon && digits.filter(|part| !part.is_empty()).count() < 2;
        is_drawn(self.bytes()) && !is_type
    }

    /// Whether the name is that of a token of an API, or of an environment variable.
    fn is_named_for_api(&self) -> bool {
        static API_TOKEN: Expression = Expression::constant(
            r"(?i-u)(?:api|access|auth|account|license|service|admin|app|client|server|shared|webhook|write|ingest)[ _.-]?token\z",
        );
        let name = &self.text[self.name_start()..self.keyword.end];
        API_TOKEN.fits(name) || name.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_')
    }

    /// Whether the value is in quotes or in an element.
    fn is_quoted(&self) -> bool {
        matches!(before(self.text, self.value.start), Some(b'"' | b'\'' | b'`' | b'>'))
    }

    /// The part of the line before the value.
    fn line(&self) -> &[u8] {
        let head = &self.text[self.value.start.saturating_sub(200)..self.value.start];
        head.rsplit(|byte| *byte == b'\n').next().unwrap_or_default()
    }

    /// The start of the whole name that includes the keyword.
    fn name_start(&self) -> usize {
        let at = self.keyword.start;
        let head = &self.text[at.saturating_sub(64)..at];
        at - trailing(head, |byte| is_word(byte) || b"-.$".contains(&byte))
    }

    /// From the keyword to the value.
    fn between(&self) -> &[u8] {
        &self.text[self.keyword.start..self.value.start]
    }

    /// Whether the name is an environment variable: `DB_PASSWORD=` or `DB_PASSWORD: `.
    fn is_variable(&self) -> bool {
        static VARIABLE: Expression =
            Expression::constant(r#"(?-u)\A(?:[A-Z0-9_]+=|[A-Z0-9]+_[A-Z0-9_]+: ?)["']?\z"#);
        VARIABLE.fits(&self.text[self.name_start()..self.value.start])
    }

    /// Whether a line has nothing but the name and the value, as in settings.
    fn is_entry(&self) -> bool {
        let mut line = self.text[..self.name_start()].iter().rev().take_while(|b| **b != b'\n');
        let is_last = matches!(self.text.get(self.value.end), None | Some(b'\n' | b'\r'));
        is_last && line.by_ref().take(64).all(|byte| b" \t-\"'".contains(byte))
    }

    /// The same with an unquoted value that ends where an address, a list or a sentence goes on.
    fn without_rest(&self) -> Self {
        if self.is_quoted() {
            return self.clone();
        }
        let value = self.bytes();
        let stops: &[u8] = match before(self.text, self.name_start()) {
            Some(b'?' | b'&') => b"&#)]",
            Some(b';' | b'"' | b'\'') => b";",
            _ if self.line().contains(&b';') => b";",
            _ => b"",
        };
        let mut length = leading(value, |byte| !stops.contains(&byte));
        if let Some(next) = (0..length).find(|at| begins_parameter(&value[*at..])) {
            length = next;
        }
        length -= trailing(&value[..length], among(b",;.)]}*|:"));
        Self { value: self.value.start..self.value.start + length, ..self.clone() }
    }

    /// Whether something assigns the value to the name: a sign, a call that sets it, or a sentence
    /// with a value that is more than a word.
    fn is_given(&self) -> bool {
        static SIGN: Expression = Expression::constant(r"(?-u)[=:>?]|\|\|| or ");
        static CALL: Expression = Expression::constant(r#"(?-u)[,(] ?["']\z"#);
        static SETTER: Expression = Expression::constant(
            r"(?i-u)\A[\w$.]*?(?:set|with|use|add|update|change|reset)_?\w*\z",
        );
        let between = self.between();
        if SIGN.fits(between) {
            return true;
        }
        if !Characters::new(self.bytes()).are_more_than_a_word() {
            return false;
        }
        if !CALL.fits(between) {
            return true;
        }
        // `is_valid_password("abc123")` tests a password, `setPassword("abc123")` gives one.
        if between.contains(&b'(') {
            return SETTER.fits(&self.text[self.name_start()..self.keyword.end]);
        }
        // The name is the first argument: `define('DB_PASSWORD', 'abc123')`.
        let head = self.text[..self.name_start()].trim_ascii_end();
        let head = head.strip_suffix(b"\"").or(head.strip_suffix(b"'")).unwrap_or(head);
        matches!(head.trim_ascii_end(), [.., b'(' | b'[' | b'{'])
    }

    /// Whether evidence or a prompt would write a secret so: a statement with the value in quotes,
    /// or a value that can be nothing else.
    fn is_clear_in_prose(&self) -> bool {
        if !self.is_prose || (self.value.len() >= 16 && is_drawn(self.bytes())) {
            return true;
        }
        let is_stated = self.is_quoted()
            || self.line().ends_with(b" is ")
            // Languages that write no spaces: `口令为…`.
            || before(self.text, self.value.start).is_some_and(|byte| !byte.is_ascii())
            || self.is_variable();
        is_stated && Characters::new(self.bytes()).are_more_than_a_word()
    }

    /// Whether the value comes from a program rather than settings.
    fn is_code(&self) -> bool {
        // A call, a member, a constant, a variable, a flag, a type, an address.
        static CODE: Expression = Expression::constant(
            r"(?-u)\A(?://|--|\$?[\w.]+(?:\(|\[|!\()|:|[A-Za-z_]+\d{0,2}(?:\.[A-Za-z_]+\d{0,2})+\z|[A-Z0-9_]*_[A-Z0-9_]*\z|[$&*@!%]\$?[A-Za-z][\w.>:\[\]-]*\z)|::|->|\(\)|\{|://",
        );
        static QUOTED_CODE: Expression = Expression::constant(r"(?-u)\A--|[\w$]\(|\)\z|=>|</");
        // Letters, and at most two digits at the end.
        static NAME: Expression = Expression::constant(r"(?-u)\A[A-Za-z_]+\d{0,2}\z");
        let value = self.bytes();
        if self.is_quoted() {
            return QUOTED_CODE.fits(value);
        }
        let after = &self.text[self.value.end..];
        // A value never precedes these, only a type or a function name.
        if matches!(after.trim_ascii_start(), [b'=' | b'(' | b'{', ..]) {
            return true;
        }
        let is_setting = before(self.text, self.name_start()).is_some_and(among(b";?&"));
        let ends_statement = after.first().copied().is_some_and(among(b";,).?"));
        let is_code = CODE.fits(value) || (ends_statement && NAME.fits(value));
        is_code && !is_setting && !self.is_variable()
    }

    /// Whether the value is not one: a placeholder, a path, a measure, or computed by a program.
    fn is_none(&self) -> bool {
        // A path, a text that begins with a variable, or the message of `${NAME:?…}`.
        static PATH: Expression = Expression::constant(
            r"(?-u)\A(?:(?:~|\.{1,2})?/[\w./%{}:*-]+\z|\$[A-Z_]{2}|%[A-Za-z]\b|%\w+%\z|\w+://|\?)",
        );
        let value = self.bytes();
        value.is_empty()
            || is_stand_in(value)
            || is_place_in_file(value)
            || is_measure(value)
            || (PATH.fits(value) && (value[1..].contains(&b'/') || !is_random(value)))
            || self.is_code()
    }

    /// Whether words are a passphrase: by its name, or by being four words of four letters.
    fn is_phrase(&self) -> bool {
        let name = self.between();
        let is_named = name.len() > 10 && name[..10].eq_ignore_ascii_case(b"passphrase");
        let words: Vec<&[u8]> = self.bytes().split(|byte| *byte == b' ').collect();
        let is_lower = |word: &&[u8]| word.len() == 4 && word.iter().all(u8::is_ascii_lowercase);
        let is_sentence = self.bytes()[0].is_ascii_uppercase() || self.bytes().ends_with(b".");
        (words.len() == 4 && words.iter().all(is_lower))
            || (is_named && (3..=12).contains(&words.len()) && !is_sentence)
    }
}

/// Whether one of the words of a text may be a strong value: it is long and has a digit. Few words
/// have one, so that most texts are only passed over.
pub(super) fn may_hold_strong(text: &[u8]) -> bool {
    let mut at = 0;
    while let Some(digit) = text[at..].iter().position(u8::is_ascii_digit) {
        let digit = at + digit;
        let start = digit - trailing(&text[at..digit], |byte| !ends_value(byte));
        let end = digit + leading(&text[digit..], |byte| !ends_value(byte));
        if end - start >= SHORTEST_STRONG && text[start..end].iter().any(u8::is_ascii_alphabetic) {
            return true;
        }
        at = end;
    }
    false
}

/// Whether no value goes on here: at spaces, quotes, brackets and letters beyond ASCII.
fn ends_value(byte: u8) -> bool {
    byte.is_ascii_whitespace() || !byte.is_ascii() || b"\"'`<>(){}[];,|\\".contains(&byte)
}

/// Whether the next parameter of an address begins: `&name=`.
fn begins_parameter(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"&") else { return false };
    let name = leading(rest, is_word);
    name > 0 && rest.get(name) == Some(&b'=')
}

/// Whether a cell below the name of a password or of a key holds a secret.
pub(super) fn is_secret_cell(cell: &[u8], is_password: bool) -> bool {
    let is_one = if is_password {
        Characters::new(cell).are_mixed() && !cell.ends_with(b")")
    } else {
        is_drawn(cell) || is_uuid(cell)
    };
    let quoted = Match { text: cell, keyword: 0..0, value: 0..cell.len(), is_prose: false };
    is_one && !is_made_up(cell) && !quoted.is_none()
}
