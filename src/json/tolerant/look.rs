//! Looking ahead in the text without reading it.
//!
//! A *look* is a question about the bytes at an offset, such as "does a quoted key begin here". It
//! neither moves the reader nor records repairs. To keep the reader linear on hostile text, a look
//! passes over white space, one word and one string at most, and never over a second one; so every
//! byte is looked at a bounded number of times, however many quotes ask about it.

use super::words::is_scalar_word;

/// Closing brackets that [`Look::closers_fit`] passes over before it believes the rest.
const CLOSERS: usize = 16;

/// Answers questions about one text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look<'a> {
    text: &'a str,
}

impl<'a> Look<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Look { text }
    }

    pub(super) fn len(self) -> usize {
        self.text.len()
    }

    pub(super) fn byte(self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    pub(super) fn slice(self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// The first offset from `at` whose byte does not pass `test`.
    pub(super) fn skip(self, at: usize, test: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        at + rest.iter().position(|byte| !test(*byte)).unwrap_or(rest.len())
    }

    /// Behind the white space at `at`, line breaks included.
    pub(super) fn skip_space(self, at: usize) -> usize {
        self.skip(at, |byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t'))
    }

    /// Behind the white space at `at`, up to the end of the line.
    pub(super) fn skip_blank(self, at: usize) -> usize {
        self.skip(at, |byte| matches!(byte, b' ' | b'\r' | b'\t'))
    }

    /// The line feed that ends the line of `at`, or the end of the text.
    pub(super) fn line_end(self, at: usize) -> usize {
        self.skip(at, |byte| byte != b'\n')
    }

    /// Behind the word at `at`: letters, digits and the signs found in numbers and timestamps.
    pub(super) fn word_end(self, at: usize) -> usize {
        self.skip(at, |byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'_')
        })
    }

    pub(super) fn breaks_line(self, from: usize, to: usize) -> bool {
        self.slice(from, to).contains('\n')
    }

    /// Whether what is at `at`, behind a value, can only be a comment.
    ///
    /// More careful than the reader itself, which takes any `#` between values for a comment: this
    /// is asked where `#1` may be part of a sentence.
    pub(super) fn comment(self, at: usize) -> bool {
        match (self.byte(at), self.byte(at + 1)) {
            (Some(b'/'), Some(b'/' | b'*')) => true,
            (Some(b'#'), next) => matches!(next, None | Some(b' ' | b'\t' | b'\r' | b'\n')),
            _ => false,
        }
    }

    /// The quote that closes the string whose opening quote is at `at`, if it is on the same line.
    fn closing_quote(self, at: usize) -> Option<usize> {
        let quote = self.byte(at)?;
        let mut at = at + 1;
        loop {
            at = self.skip(at, |byte| byte != quote && byte != b'\\' && byte != b'\n');
            match self.byte(at)? {
                b'\\' => at += 2,
                b'\n' => return None,
                _ => return Some(at),
            }
        }
    }

    /// Whether a string and a colon begin at `at`.
    pub(super) fn quoted_key(self, at: usize) -> bool {
        self.quoted(at)
            && self.closing_quote(at).is_some_and(|close| {
                let next = self.skip_space(close + 1);
                self.byte(next) == Some(b':')
            })
    }

    /// Like [`Look::quoted_key`], also true if the text ends before the colon.
    fn quoted_key_or_cut(self, at: usize) -> bool {
        if !self.quoted(at) {
            return false;
        }
        let next = match self.closing_quote(at) {
            Some(close) => self.skip_space(close + 1),
            None => self.line_end(at),
        };
        matches!(self.byte(next), None | Some(b':'))
    }

    pub(super) fn quoted(self, at: usize) -> bool {
        matches!(self.byte(at), Some(b'"' | b'\''))
    }

    /// The colon behind the unquoted name at `at`, if there are both.
    pub(super) fn bare_key(self, at: usize) -> Option<usize> {
        let first = self.byte(at)?;
        if !(first.is_ascii_alphabetic() || matches!(first, b'_' | b'$')) {
            return None;
        }
        let end = self
            .skip(at, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'-'));
        let colon = self.skip_blank(end);
        (self.byte(colon) == Some(b':')).then_some(colon)
    }

    /// Whether an entry of an object begins at `at`.
    ///
    /// An unquoted name is believed at the start of a line (`fresh`), or in front of a value that
    /// cannot be part of a sentence.
    pub(super) fn entry(self, at: usize, fresh: bool) -> bool {
        self.quoted_key_or_cut(at)
            || self.bare_key(at).is_some_and(|colon| {
                let value = self.skip_blank(colon + 1);
                fresh || self.item(value)
            })
    }

    /// Whether a value begins at `at`: a string, a list, an object, or a whole number or word.
    pub(super) fn item(self, at: usize) -> bool {
        match self.byte(at) {
            Some(b'"' | b'\'' | b'{' | b'[') => true,
            Some(_) => self.scalar(at),
            None => false,
        }
    }

    /// Whether a list or object begins at `at`, rather than a remark in brackets.
    pub(super) fn container(self, at: usize) -> bool {
        let next = self.skip_space(at + 1);
        match (self.byte(at), self.byte(next)) {
            (Some(b'['), Some(b']')) | (Some(b'{'), Some(b'}')) => true,
            (Some(b'['), _) => self.item(next),
            (Some(b'{'), _) => self.quoted_key(next),
            _ => false,
        }
    }

    /// Whether a number or a word like `true` stands at `at`, with nothing of a sentence behind.
    fn scalar(self, at: usize) -> bool {
        let end = self.word_end(at);
        let next = self.skip_blank(end);
        end > at
            && (self.byte(next).is_none()
                || is_scalar_word(self.slice(at, end)) && self.ends_scalar(next))
    }

    /// Whether an unquoted word is at `at`, with nothing of a sentence behind.
    pub(super) fn bare_item(self, at: usize) -> bool {
        let end = self.word_end(at);
        end > at && self.ends_scalar(self.skip_blank(end))
    }

    /// Whether `at`, behind the blanks after an unquoted value, must be behind its end.
    pub(super) fn ends_scalar(self, at: usize) -> bool {
        matches!(self.byte(at), None | Some(b',' | b'}' | b']' | b'\n')) || self.comment(at)
    }

    /// Whether a number or a word like `true` is at `at`, whatever is behind it.
    pub(super) fn scalar_word(self, at: usize) -> bool {
        is_scalar_word(self.slice(at, self.word_end(at)))
    }

    /// Whether a whole string that can be an item of a list makes up the line at `at`.
    pub(super) fn item_line(self, at: usize) -> bool {
        self.quoted(at)
            && self.closing_quote(at).is_some_and(|close| {
                let next = self.skip_blank(close + 1);
                match self.byte(next) {
                    Some(b',') => {
                        let next = self.skip_blank(next + 1);
                        matches!(self.byte(next), None | Some(b'\n'))
                    }
                    next => matches!(next, None | Some(b'\n' | b']')),
                }
            })
    }

    /// Whether the comma before `at` separates values, judged by what begins behind it.
    pub(super) fn after_comma(self, at: usize) -> bool {
        let next = self.skip_space(at);
        matches!(self.byte(next), None | Some(b',' | b'}' | b']'))
            || self.comment(next)
            || self.item(next)
            || self.entry(next, self.breaks_line(at, next))
    }

    /// Whether the closing brackets at `at` belong to the document, rather than to a text that
    /// happens to quote a bracket.
    pub(super) fn closers_fit(self, at: usize) -> bool {
        let mut next = at;
        for _ in 0..CLOSERS {
            match self.byte(next) {
                Some(b'}' | b']') => next = self.skip_space(next + 1),
                Some(b',') => return self.after_comma(next + 1),
                None => return true,
                Some(_) => return self.comment(next) || self.quoted_key(next),
            }
        }
        true
    }
}
