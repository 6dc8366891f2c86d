//! Whether a text that matches a rule is a secret, or a word, a placeholder, code or a measure.
//!
//! On 122 real workspaces more than half of all marks were none: places in code, labels of forms,
//! names of design tokens. Each hid what the author had to read. So a value that only its name calls
//! a secret must look like one.

use std::ops::Range;

use serde::Deserialize;

use crate::finder::{Kind, Reading};
use crate::rules::RULES;
use crate::scan::{among, before, begins_alone, is_of_base64, is_word, leading, piece, trailing};
use crate::value::{
    Characters, is_base62, is_blank_token, is_credentials, is_drawn, is_identifier, is_own_word,
    is_random, is_stand_in, is_strong, is_uuid, is_value, looks_like,
};

/// How many bytes after a name are searched for a value that could be nothing but a secret.
const LONGEST_NEARBY: usize = 512;

/// How a rule decides about a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Judge {
    /// A token whose keyword suffices, unless a placeholder follows.
    #[default]
    Token,
    /// A token whose keyword also occurs within names and base64: nothing of that may surround it, and
    /// the rest must look drawn at random.
    Alone,
    /// The lines of a private key, whatever is around them.
    Block,
    /// Any value of three characters except a placeholder.
    Value,
    /// A value that looks drawn at random, or an identifier in hex.
    Drawn,
    /// A value of six characters with letters and digits.
    Mixed,
    /// A name and a password in base64.
    Credentials,
    /// A value assigned to the name of a password.
    Password,
    /// A value assigned to the name of a secret.
    Secret,
    /// A value assigned to the name of a key or token.
    Key,
    /// A word after a flag.
    Flag,
    /// A value that could be nothing but a password or a key.
    Strong,
    /// The first such value after the keyword.
    Nearby,
    /// Whatever the expression matches, as of a rule of a user.
    Expression,
}

impl Judge {
    /// Whether the secret is known by its own shape, wherever it is.
    pub(super) fn is_of_shape(self) -> bool {
        self.is_exact() || self == Self::Alone
    }

    /// Whether no identifier has the shape.
    pub(super) fn is_exact(self) -> bool {
        matches!(self, Self::Token | Self::Block | Self::Expression)
    }

    /// Whether the keyword is the name of a secret, of which no other word may be longer.
    pub(super) fn is_named(self) -> bool {
        matches!(self, Self::Password | Self::Secret | Self::Key | Self::Flag | Self::Nearby)
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
    pub(super) reading: Reading,
}

impl Match<'_> {
    /// The secret in this match; `None` if there is none.
    pub(super) fn secret(mut self, judge: Judge) -> Option<Range<usize>> {
        if matches!(judge, Judge::Password | Judge::Secret | Judge::Key) {
            self.cut_rest();
        }
        let value = self.bytes();
        let goes_on = self.text.get(self.value.end).is_some_and(u8::is_ascii_alphanumeric);
        let is_secret = match judge {
            Judge::Token => !goes_on && !is_blank_token(value),
            Judge::Alone => self.is_alone() && (is_random(value) || is_base62(value)),
            Judge::Block => self.is_block(),
            Judge::Expression => !value.is_empty(),
            Judge::Value => is_value(value),
            Judge::Drawn => (is_drawn(value) || is_uuid(value)) && !self.is_none(),
            Judge::Mixed => is_own_word(value) && !self.is_none(),
            Judge::Credentials => is_credentials(value),
            Judge::Strong => is_strong(value) && !self.is_none(),
            Judge::Nearby => return self.nearby(),
            Judge::Flag => self.is_flag_value() && !looks_like("made_up", value) && !self.is_none(),
            Judge::Password => self.is_given() && self.is_password() && !self.is_none(),
            Judge::Secret => self.is_given() && self.is_secret_value() && !self.is_none(),
            Judge::Key => self.is_given() && self.is_key() && !self.is_none(),
        };
        if is_secret { Some(self.value) } else { None }
    }

    fn bytes(&self) -> &[u8] {
        &self.text[self.value.clone()]
    }

    fn is_alone(&self) -> bool {
        let next = self.text.get(self.value.end);
        begins_alone(self.text, self.value.start)
            && !next.is_some_and(|byte| is_of_base64(*byte) || *byte == b'_')
    }

    /// Whether the lines of a key have enough letters of base64, and show no placeholder.
    fn is_block(&self) -> bool {
        let lines = self.bytes().split(|byte| !is_of_base64(*byte));
        lines.filter(|line| is_base62(line)).map(<[u8]>::len).sum::<usize>() >= 40
    }

    fn is_flag_value(&self) -> bool {
        (self.is_quoted() && self.value.len() >= 6) || Characters::new(self.bytes()).are_mixed()
    }

    /// The first strong value after the keyword: people write `token: Some("…")`, `the password for
    /// it is …` and `口令为…`, and no list of forms has them all.
    fn nearby(&self) -> Option<Range<usize>> {
        let mut at = self.keyword.end;
        at += leading(piece(self.text, at, 64), |byte| is_word(byte) || byte == b'-');
        for word in piece(self.text, at, LONGEST_NEARBY).split(|byte| !is_of_value(*byte)) {
            // A name, a user or a flag in front of the value: `--pass=`, `admin/`, `user:`.
            let head = RULES.looks["head_of_value"].get().find(word).map_or(0, |head| head.end());
            let length = word.len() - trailing(&word[head..], among(b".:*"));
            let value = at + head..at + length;
            if value.start >= self.value.end {
                return None;
            }
            // `is_valid_password("…")` tests a password.
            let before = &self.text[value.start.saturating_sub(64)..value.start];
            if is_strong(&self.text[value.clone()]) && !looks_like("test", before) {
                return Some(value);
            }
            at += word.len() + 1;
        }
        None
    }

    fn is_password(&self) -> bool {
        let characters = Characters::new(self.bytes());
        if characters.spaces > 0 {
            return self.is_quoted() && self.is_phrase();
        }
        // Settings and variables say of no word that it is a password.
        let length = characters.letters + characters.digits + characters.signs;
        let is_stated = self.text[..self.value.start].ends_with(b" is ") && self.is_joined();
        if is_stated || (self.is_setting() && length >= 4) {
            return true;
        }
        // The text of an element may be a label: `<label for="password">Password*</label>`.
        if before(self.text, self.value.start) == Some(b'>') {
            return characters.are_more_than_a_word();
        }
        // Code has names with capital letters inside; without quotes or a sign a value is like one.
        let is_no_name = self.is_quoted() || !looks_like("name", self.bytes());
        characters.are_mixed() || (characters.has_inner_capital && is_no_name)
    }

    /// Whether the value is three words or more with `-` in between.
    fn is_joined(&self) -> bool {
        self.value.len() >= 14 && self.bytes().split(|byte| *byte == b'-').count() >= 3
    }

    fn is_secret_value(&self) -> bool {
        let characters = Characters::new(self.bytes());
        let is_long = self.value.len() >= 8 && characters.are_mixed() && characters.digits > 0;
        is_drawn(self.bytes()) || is_long
    }

    /// A value that looks drawn at random, or an identifier where these are keys.
    fn is_key(&self) -> bool {
        if is_identifier(self.bytes()) {
            return self.is_named_for_api();
        }
        is_drawn(self.bytes())
    }

    /// Whether the name is that of a key or token of an API, or of an environment variable.
    fn is_named_for_api(&self) -> bool {
        let name = &self.text[self.name_start()..self.keyword.end];
        let is_variable = name.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_');
        looks_like("api_name", name) || is_variable
    }

    /// Whether a file of settings, a field of a document or a variable gives the value to the name.
    fn is_setting(&self) -> bool {
        let is_field = self.keyword.start < self.reading.head;
        // `DB_PASSWORD=` or `DB_PASSWORD: `
        let is_variable = looks_like("variable", &self.text[self.name_start()..self.value.start]);
        let is_of_settings = self.reading.kind == Kind::Settings || is_variable;
        is_field || (is_of_settings && self.is_entry())
    }

    /// Whether the value is in quotes or in an element.
    fn is_quoted(&self) -> bool {
        matches!(before(self.text, self.value.start), Some(b'"' | b'\'' | b'`' | b'>'))
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

    /// Whether a line has nothing but the name, the value and a comment, as in settings, or both are an
    /// entry of a list in braces: `db: {user: app, password: …}`.
    fn is_entry(&self) -> bool {
        let after = &self.text[self.value.end..];
        let after = &after[leading(after, among(b"\"'"))..];
        let blanks = leading(after, among(b" \t"));
        let rest = &after[blanks..];
        let head = &self.text[self.name_start().saturating_sub(64)..self.name_start()];
        let head = head.rsplit(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii();
        match rest {
            [b',' | b'}', ..] => is_in_braces(head),
            [] | [b'\n' | b'\r', ..] => is_start_of_entry(head),
            [b'#' | b';', ..] => blanks > 0 && is_start_of_entry(head),
            _ => false,
        }
    }

    /// Ends an unquoted value where an address, a list or a sentence goes on.
    fn cut_rest(&mut self) {
        if !self.is_quoted() {
            let value = self.bytes();
            let next = RULES.looks["next_parameter"].get().find(value);
            let value = next.map_or(value, |next| &value[..next.start()]);
            let length = value.len() - trailing(value, among(b",;.)]}*|:"));
            self.value.end = self.value.start + length;
        }
    }

    /// Whether a sign gives the value to the name, or a sentence with a value that is more than a word.
    fn is_given(&self) -> bool {
        looks_like("sign", self.between())
            || self.is_joined()
            || Characters::new(self.bytes()).are_more_than_a_word()
    }

    /// Whether the value comes from a program rather than settings.
    fn is_code(&self) -> bool {
        let value = self.bytes();
        let after = &self.text[self.value.end..];
        if self.is_quoted() {
            // Tests build long values from short ones.
            let is_joined = after.get(1..).is_some_and(|rest| rest.starts_with(b" +"));
            return is_joined || looks_like("quoted_code", value);
        }
        // A value never precedes these, only a type or a function name.
        if matches!(after.trim_ascii_start(), [b'=' | b'(' | b'{', ..]) {
            return true;
        }
        let is_parameter = before(self.text, self.name_start()).is_some_and(among(b";?&"));
        looks_like("code", value) && !is_parameter
    }

    /// Whether the value is not one: a placeholder, a path, a measure, or computed by a program.
    pub(super) fn is_none(&self) -> bool {
        let value = self.bytes();
        value.is_empty()
            || is_stand_in(value)
            || looks_like("file", value)
            || looks_like("measure", value)
            || (looks_like("path", value) && (value[1..].contains(&b'/') || !is_random(value)))
            || self.is_code()
    }

    /// Whether words are a passphrase: by its name, or by being four words of four letters.
    fn is_phrase(&self) -> bool {
        let is_named = self.between().to_ascii_lowercase().starts_with(b"passphrase");
        looks_like("four_words", self.bytes()) || (is_named && looks_like("phrase", self.bytes()))
    }
}

/// Whether `head`, the start of a line, opens a list in braces, and not a variable such as `${NAME`.
fn is_in_braces(head: &[u8]) -> bool {
    let open = head.iter().rposition(|byte| *byte == b'{');
    open.is_some_and(|at| {
        head[..at].iter().all(|byte| *byte != b'$') && !head[at..].contains(&b'}')
    })
}

/// Whether `head`, the start of a line, has no words of its own.
fn is_start_of_entry(head: &[u8]) -> bool {
    head == b"export" || head.iter().copied().all(among(b" \t-\"'"))
}

/// Whether a name, or a part of one, ends with the keyword: `passwords`, `apiKeyFile` and
/// `TOKEN_2`, but not `tokenizer`.
pub(super) fn ends_name(text: &[u8], keyword: &Range<usize>) -> bool {
    let rest = &text[keyword.end..];
    let next = rest.strip_prefix(b"s").unwrap_or(rest).first();
    let is_small = text[keyword.end - 1].is_ascii_lowercase();
    next.is_none_or(|next| !next.is_ascii_alphabetic() || (is_small && next.is_ascii_uppercase()))
}

/// Whether one of the words of a text may be a strong value: it is long and has a digit. Few words have
/// one, so that most texts are only passed over.
pub(super) fn may_hold_strong(text: &[u8]) -> bool {
    let mut digits = (0..text.len()).filter(|at| text[*at].is_ascii_digit());
    digits.any(|at| trailing(&text[..at], is_of_value) + leading(&text[at..], is_of_value) >= 10)
}

/// Whether a value goes on here: not at spaces, quotes, brackets and letters beyond ASCII.
fn is_of_value(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&*+-./:=?@^_~".contains(&byte)
}
