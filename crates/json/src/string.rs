//! Strings: where they end, and what their escapes mean.
//!
//! In strictly valid JSON the first unescaped quote ends the string. Here a quote ends it only
//! before something that may follow a string; any other quote is part of the text. And a line break
//! ends it if the next line continues the document.

use std::borrow::Cow;

use super::parser::{NotJson, Parser};
use super::repair_kind::RepairKind;
use super::word::read_word;

const UNICODE_ESCAPE: usize = 6;

impl<'a> Parser<'a> {
    /// Reads the string that begins here. The first quote ends a key, since keys have no quotes
    /// inside.
    pub(super) fn string(&mut self, is_key: bool) -> Result<Cow<'a, str>, NotJson> {
        let open = self.at;
        let quote = if self.byte(open) == Some(b'\'') { b'\'' } else { b'"' };
        if quote == b'\'' {
            self.repair(open, RepairKind::SingleQuotes);
        }
        self.at += 1;
        let end = self.pass_string(quote, is_key)?;
        let content = self.slice(open + 1, end);
        if content.contains('\\') {
            return self.unescape(open + 1, end, quote).map(Cow::Owned);
        }
        Ok(Cow::Borrowed(content))
    }

    /// Passes the string whose content begins here, and returns the end of its content.
    fn pass_string(&mut self, quote: u8, is_key: bool) -> Result<usize, NotJson> {
        let start = self.at;
        let mut has_control = false;
        let mut has_quote = false;
        loop {
            self.at = self.skip(self.at, |byte| byte >= b' ' && byte != quote && byte != b'\\');
            match self.byte(self.at) {
                None if has_quote || self.closers.is_empty() => {
                    let message = "the string that begins here has no clear end";
                    return Err(self.fail(start - 1, message));
                }
                None => {
                    self.at = self.text.len();
                    return Ok(start + self.slice(start, self.at).trim_end().len());
                }
                Some(b'\\') => self.at += 1,
                Some(found) if found == quote => {
                    // Models write `"he said "yes""` without escapes.
                    if is_key || self.is_end_of_string() {
                        self.at += 1;
                        return Ok(self.at - 1);
                    }
                    has_quote = true;
                    self.repair(self.at, RepairKind::UnescapedQuote);
                }
                // Tools that shorten a text to so many characters drop its closing quote.
                Some(b'\n') if self.is_structure(self.at + 1) => {
                    self.repair(start - 1, RepairKind::UnclosedString);
                    let content = self.slice(start, self.at).trim_end();
                    self.at = start + content.strip_suffix(',').unwrap_or(content).len();
                    return Ok(self.at);
                }
                Some(found) if !has_control => {
                    has_control = true;
                    self.repair(self.at, RepairKind::RawControl(char::from(found)));
                }
                Some(_) => {}
            }
            self.at += 1;
        }
    }

    /// Whether the quote here ends its string, judged by what follows it.
    fn is_end_of_string(&self) -> bool {
        let next = self.skip_space(self.at + 1);
        let closer = self.closers.last().copied();
        match self.byte(next) {
            None => true,
            found if found == closer => true,
            Some(b',') => {
                let next = self.skip_space(next + 1);
                let byte = self.byte(next);
                byte.is_none() || byte == closer || self.is_comment(next) || self.is_part(next)
            }
            Some(_) if closer.is_none() || self.is_comment(next) => true,
            Some(_) if self.slice(self.at, next).contains('\n') => self.is_part(next),
            // Joined, two checks would count as one.
            Some(_) => next > self.at + 1 && self.is_part_in_line(next),
        }
    }

    /// Whether a part begins at `at` after a comma that its line lacks: `"expected": ` of an object, or
    /// a whole string that ends its list or stands before another item.
    fn is_part_in_line(&self, at: usize) -> bool {
        let Some(end) = self.end_within_line(at) else { return false };
        if self.closers.last() == Some(&b'}') {
            return self.is_word(at, end) && self.is_key(at);
        }
        let next = self.skip_space(end);
        match self.byte(next) {
            Some(b']') => true,
            Some(b',') => self.is_part(self.skip_space(next + 1)),
            _ => false,
        }
    }

    /// Whether an entry whose colon is missing begins at `at`: `"passed" false`. Words in quotes one
    /// after another occur in texts, so before a text the key must be one that the document has.
    fn lacks_colon(&self, at: usize) -> bool {
        let Some(end) = self.end_within_line(at).filter(|end| self.is_word(at, *end)) else {
            return false;
        };
        let value = self.skip(end, |byte| byte == b' ');
        let end_of_value = match self.byte(value) {
            Some(b'"') if self.is_known_key(self.slice(at + 1, end - 1)) => {
                self.end_within_line(value)
            }
            _ => {
                let end = self.word_end(value);
                read_word(self.slice(value, end)).map(|_| end)
            }
        };
        let next = end_of_value.map(|end| self.byte(self.skip(end, |byte| byte == b' ')));
        matches!(next, Some(None | Some(b',' | b'}' | b'\r' | b'\n')))
    }

    /// Whether the string between two quotes is one word, as keys of results are.
    fn is_word(&self, open: usize, end: usize) -> bool {
        let word = self.slice(open + 1, end.saturating_sub(1));
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    }

    /// Whether the document has an entry with this key and a colon.
    fn is_known_key(&self, key: &str) -> bool {
        let keys = self.keys.get_or_init(|| {
            let parts: Vec<&str> = self.text.split('"').collect();
            let pairs = parts.windows(2).filter(|pair| pair[1].trim_start().starts_with(':'));
            pairs.map(|pair| pair[0]).collect()
        });
        keys.contains(key)
    }

    /// Whether an entry of the object around the position, or an item of the list, begins at `at`.
    fn is_part(&self, at: usize) -> bool {
        let is_list = self.closers.last() == Some(&b']');
        match self.byte(at) {
            Some(b'"' | b'\'') => is_list || self.is_key(at) || self.lacks_colon(at),
            Some(b'{' | b'[') => is_list,
            _ if !is_list => self.is_known_bare_key(at),
            _ => {
                let end = self.word_end(at);
                let is_cut = end > at && end == self.text.len();
                is_cut || read_word(self.slice(at, end)).is_some()
            }
        }
    }

    /// Whether a key in quotes begins at `at`: a string within the line, and a colon.
    pub(super) fn is_key(&self, at: usize) -> bool {
        self.end_within_line(at).is_some_and(|end| {
            let next = self.byte(self.skip_space(end));
            next.is_none() || next == Some(b':')
        })
    }

    /// Whether a key without quotes begins at `at`, inside of what may be a text: it must be a key elsewhere in
    /// the document.
    fn is_known_bare_key(&self, at: usize) -> bool {
        let end = self.end_of_bare_key(at);
        end.is_some_and(|end| self.is_known_key(self.slice(at, end)))
    }

    /// The end of the key without quotes that begins at `at`: a word, a colon and a value.
    pub(super) fn end_of_bare_key(&self, at: usize) -> Option<usize> {
        let end = self.skip(at, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let colon = self.skip_space(end);
        let is_key = end > at && self.byte(colon) == Some(b':');
        if is_key && self.begins_value(self.skip_space(colon + 1)) { Some(end) } else { None }
    }

    /// The end of the string that begins at `at`, if its line or the last line contains it.
    fn end_within_line(&self, at: usize) -> Option<usize> {
        let quote = self.byte(at).filter(|byte| matches!(byte, b'"' | b'\''))?;
        let mut at = at + 1;
        loop {
            at = self.skip(at, |byte| byte != quote && byte != b'\\' && byte != b'\n');
            match self.byte(at) {
                None => return Some(self.text.len()),
                Some(b'\\') => at += 2,
                Some(b'\n') => return None,
                Some(_) => return Some(at + 1),
            }
        }
    }

    /// Whether the line at `at` continues the document, rather than a string before it.
    fn is_structure(&self, at: usize) -> bool {
        let at = self.skip(at, |byte| matches!(byte, b' ' | b'\r' | b'\t'));
        if self.closers.last() == Some(&b']')
            && let Some(end) = self.end_within_line(at)
            && matches!(self.byte(end), None | Some(b',' | b']' | b'\r' | b'\n'))
        {
            return true;
        }
        self.is_key(at) || self.closes_document(at)
    }

    /// Whether the brackets at `at` close open ones, and the document continues after them. Else
    /// they are part of a text, such as code.
    fn closes_document(&self, at: usize) -> bool {
        let mut next = at;
        // No document that was cut closes more at once, and every line is examined so.
        for closer in self.closers.iter().rev().take(16) {
            if self.byte(next) != Some(*closer) {
                break;
            }
            next = self.skip_space(next + 1);
        }
        let is_comma = self.byte(next) == Some(b',');
        let after = if is_comma { self.skip_space(next + 1) } else { next };
        let goes_on = match self.byte(after) {
            None => true,
            Some(b'"') => is_comma || self.is_key(after),
            byte => matches!(byte, Some(b'{' | b'[')),
        };
        next > at && goes_on
    }

    /// The decoded text of the string with the content from `start` to `end`.
    fn unescape(&mut self, start: usize, end: usize, quote: u8) -> Result<String, NotJson> {
        let mut text = String::new();
        let mut at = start;
        while let Some(plain) = self.slice(at, end).find('\\') {
            text.push_str(self.slice(at, at + plain));
            at += plain;
            let escape = self.slice(at, end);
            let is_cut_off = end == self.text.trim_end().len();
            match meaning(escape, quote) {
                Some((character, length)) => {
                    text.push(character);
                    at += length;
                }
                None if is_cut_off && (escape == "\\" || escape.starts_with("\\u")) => at = end,
                None => {
                    self.at = at;
                    return Err(self.expected("an escape such as `\\\\` or `\\n`"));
                }
            }
        }
        text.push_str(self.slice(at, end));
        Ok(text)
    }
}

/// The number in the `\u` escape at the start of `text`.
fn unit(text: &str) -> Option<u16> {
    let digits = text.get(..UNICODE_ESCAPE)?.strip_prefix("\\u")?;
    // Rust also reads `+12f` as a number.
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    u16::from_str_radix(digits, 16).ok()
}

/// The meaning of the escape at the start of `text`, and its length; one `\u` escape or a pair of
/// them.
fn meaning(text: &str, quote: u8) -> Option<(char, usize)> {
    let character = match text.as_bytes().get(1)? {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            // Characters beyond U+FFFF are written as two escapes.
            let second = text.get(UNICODE_ESCAPE..).and_then(unit);
            let units = [unit(text)?].into_iter().chain(second);
            let character = char::decode_utf16(units).next()?.ok()?;
            return Some((character, UNICODE_ESCAPE * character.len_utf16()));
        }
        byte @ (b'"' | b'\\' | b'/') => char::from(*byte),
        b'\'' if quote == b'\'' => '\'',
        _ => return None,
    };
    Some((character, 2))
}
