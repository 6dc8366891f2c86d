//! Reading strings: their end, their escapes, and what should have been escaped in them.

use std::borrow::Cow;
use std::ops::Range;

use super::ends::End;
use super::ends::Search;
use super::ends::Slot;
use super::reader::Reader;
use super::repair::RepairKind;
use super::repair::excerpt;

/// Length of an escape like `\u00e9`.
const UNICODE_ESCAPE: usize = 6;

impl<'a> Reader<'a> {
    /// Reads the string whose opening quote is at the position.
    pub(super) fn string(&mut self, quote: u8, slot: Slot) -> Cow<'a, str> {
        let open = self.at;
        let end = self.string_end(quote, slot);
        self.at = end.resume;
        if quote == b'\'' {
            self.repair(open..end.resume, RepairKind::SingleQuotes);
        }
        if !end.closed && end.resume < self.look.len() {
            self.repair(open..end.content, RepairKind::UnclosedString);
        }
        if end.plain {
            return Cow::Borrowed(self.look.slice(open + 1, end.content));
        }
        self.unescape(open + 1..end.content, quote)
    }

    fn string_end(&mut self, quote: u8, slot: Slot) -> End {
        let simple = self.reread > self.look.len();
        let search = Search { look: self.look, slot, quote, depth: self.depth(), simple };
        let end = search.run(self.at + 1);
        self.reread += end.searched.saturating_sub(end.resume);
        end
    }

    /// The text that the string with the content `span` means; borrowed if it has no escape.
    fn unescape(&mut self, span: Range<usize>, quote: u8) -> Cow<'a, str> {
        let mut text = String::new();
        let mut copied = span.start;
        let mut at = span.start;
        let mut raw = false;
        while at < span.end {
            match self.look.byte(at) {
                Some(b'\\') => {
                    text.push_str(self.look.slice(copied, at));
                    at = self.escape(at..span.end, quote, &mut text);
                    copied = at;
                    continue;
                }
                Some(byte) if byte == quote => {
                    self.repair(at..at + 1, RepairKind::UnescapedQuote);
                }
                Some(byte @ ..b' ') if !raw => {
                    raw = true;
                    self.repair(at..at + 1, RepairKind::RawControl(char::from(byte)));
                }
                _ => {}
            }
            at += 1;
        }
        let rest = self.look.slice(copied, span.end);
        if copied == span.start {
            return Cow::Borrowed(rest);
        }
        text.push_str(rest);
        Cow::Owned(text)
    }

    /// Adds what the escape at the start of `span` means to `text`, and gives the offset behind it.
    fn escape(&mut self, span: Range<usize>, quote: u8, text: &mut String) -> usize {
        let at = span.start;
        let next = self.look.byte(at + 1).filter(|_| at + 1 < span.end);
        let meaning = match next {
            Some(b'u') => return self.unicode_escape(span, text),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'\'') if quote == b'\'' => '\'',
            Some(b'\'') => {
                self.invalid_escape(at..at + 2);
                '\''
            }
            _ => return self.keep_backslash(span, text),
        };
        text.push(meaning);
        at + 2
    }

    /// Keeps the backslash at the start of `span` as it is.
    fn keep_backslash(&mut self, span: Range<usize>, text: &mut String) -> usize {
        let at = span.start;
        let mut rest = self.look.slice(at + 1, span.end).chars();
        let length = rest.next().map_or(0, char::len_utf8);
        self.invalid_escape(at..at + 1 + length);
        text.push('\\');
        at + 1
    }

    fn invalid_escape(&mut self, span: Range<usize>) {
        let found = excerpt(self.look.slice(span.start, span.end));
        self.repair(span, RepairKind::InvalidEscape(found));
    }

    /// Adds the character of the `\u` escape, or pair of them, at the start of `span`.
    fn unicode_escape(&mut self, span: Range<usize>, text: &mut String) -> usize {
        let Some(first) = self.code_unit(&span) else {
            return self.keep_backslash(span, text);
        };
        let end = span.start + UNICODE_ESCAPE;
        let second = self.code_unit(&(end..span.end)).filter(|_| is_high_surrogate(first));
        let pair = second.and_then(|second| combine(first, second));
        if let Some(character) = char::from_u32(first.into()).or(pair) {
            text.push(character);
        } else {
            let found = excerpt(self.look.slice(span.start, end));
            self.repair(span.start..end, RepairKind::LoneSurrogate(found));
            text.push(char::REPLACEMENT_CHARACTER);
        }
        end + if pair.is_some() { UNICODE_ESCAPE } else { 0 }
    }

    /// The number in the `\u` escape at the start of `span`, if there is one.
    fn code_unit(&self, span: &Range<usize>) -> Option<u16> {
        let end = span.start + UNICODE_ESCAPE;
        let escape = self.look.slice(span.start, end.min(span.end));
        let digits = escape.strip_prefix("\\u").filter(|digits| digits.len() == 4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        u16::from_str_radix(digits, 16).ok()
    }
}

fn is_high_surrogate(unit: u16) -> bool {
    (0xd800..0xdc00).contains(&unit)
}

/// The character of a surrogate pair, or `None` if the two are not a pair.
fn combine(first: u16, second: u16) -> Option<char> {
    char::decode_utf16([first, second]).next()?.ok().filter(|character| *character > '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::super::table::check;

    #[test]
    fn characters_in_strings() {
        check(&[
            ("[\"a\nb\tc\"]", r#"["a\nb\tc"]"#, &["raw-control"]),
            ("[\"a\tb\\\"\"]", r#"["a\tb\""]"#, &["raw-control"]),
            (r#"["\d \x41 \' \u12 \\"]"#, r#"["\\d \\x41 ' \\u12 \\"]"#, &["invalid-escape"; 4]),
            (
                r#"["\ud800 \udc00\ud83d \ud83d\u0041"]"#,
                "[\"\u{fffd} \u{fffd}\u{fffd} \u{fffd}A\"]",
                &["lone-surrogate"; 4],
            ),
        ]);
    }
}
