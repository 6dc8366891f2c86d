//! Reading the entries of objects: a key, a colon and a value.

use std::borrow::Cow;
use std::ops::Range;

use super::Unreadable;
use super::ends::Slot;
use super::reader::Reader;
use super::repair::RepairKind;
use super::repair::excerpt;
use super::spanned::SpannedEntry;

/// A key and its place.
struct Key<'a> {
    text: Cow<'a, str>,
    span: Range<usize>,
    quoted: bool,
}

impl<'a> Reader<'a> {
    /// Reads an entry; `None` if it has no key or no value.
    pub(super) fn entry(&mut self) -> Result<Option<SpannedEntry<'a>>, Unreadable> {
        if matches!(self.peek(), Some(b'{' | b'[')) {
            if let Some(value) = self.value(Slot::Entry)? {
                self.repair(value.span, RepairKind::ValueWithoutKey);
            }
            return Ok(None);
        }
        let key = self.key()?;
        let value = if self.pass_colon(&key) { self.value(Slot::Entry)? } else { None };
        let name = || excerpt(&key.text);
        if value.is_none() {
            if self.peek().is_none() {
                // The text breaks off here, which is a repair of its own.
                return Ok(None);
            }
            self.repair(key.span.clone(), RepairKind::KeyWithoutValue(name()));
        } else if !key.quoted {
            self.repair(key.span.clone(), RepairKind::UnquotedKey(name()));
        }
        Ok(value.map(|value| SpannedEntry { key: key.text, key_span: key.span, value }))
    }

    fn key(&mut self) -> Result<Key<'a>, Unreadable> {
        let start = self.at;
        if let Some(quote @ (b'"' | b'\'')) = self.peek() {
            let text = self.string(quote, Slot::Key);
            return Ok(Key { text, span: start..self.at, quoted: true });
        }
        let end = self.look.skip(start, |byte| !b":=,{}[]\"\n".contains(&byte));
        let text = self.look.slice(start, end).trim_end();
        self.at = start + text.len();
        if self.look.slice(self.at, self.at + 2) == "\":" {
            self.at += 1;
        }
        if text.contains('\0') {
            return Err(Self::binary(start));
        }
        Ok(Key { text: Cow::Borrowed(text), span: start..self.at, quoted: false })
    }

    /// Passes the colon behind `key`; `false` if no value follows.
    fn pass_colon(&mut self, key: &Key) -> bool {
        self.skip_trivia();
        let colon = self.at;
        match self.peek() {
            Some(b':') => self.at = self.look.skip(colon, |byte| b":=".contains(&byte)),
            Some(b'=') => self.at = self.look.skip(colon, |byte| b"=>".contains(&byte)),
            Some(b'{' | b'[') => {}
            Some(_) if key.quoted && !self.look.quoted_key(colon) => {}
            _ => return false,
        }
        let sign = colon..self.at;
        self.skip_trivia();
        let follows = self.value_follows(colon);
        if follows && self.look.slice(sign.start, sign.end) != ":" {
            self.repair(sign, RepairKind::MissingColon(excerpt(&key.text)));
        }
        follows
    }

    /// Whether a value begins at the position, rather than the next entry or nothing.
    fn value_follows(&self, colon: usize) -> bool {
        match self.peek() {
            None | Some(b',' | b'}' | b']') => false,
            Some(_) if self.look.quoted_key(self.at) => false,
            Some(_) => {
                !(self.look.breaks_line(colon, self.at) && self.look.bare_key(self.at).is_some())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::check;

    #[test]
    fn keys() {
        check(&[
            (r#"{a": 1, "b": 2}"#, r#"{"a":1,"b":2}"#, &["unquoted-key"]),
            (
                r#"{a: 1, e f: 2, b_c-d: "x"}"#,
                r#"{"a":1,"e f":2,"b_c-d":"x"}"#,
                &["unquoted-key"; 3],
            ),
            (
                r#"{'a': 'it's', 'b': 'say "x"', "c": 'd'}"#,
                r#"{"a":"it's","b":"say \"x\"","c":"d"}"#,
                &[
                    "single-quotes",
                    "single-quotes",
                    "unescaped-quote",
                    "single-quotes",
                    "single-quotes",
                    "single-quotes",
                ],
            ),
            (r#"{"a": , "b": 1}"#, r#"{"b":1}"#, &["key-without-value"]),
            (r#"{"a", "b": 1}"#, r#"{"b":1}"#, &["key-without-value"]),
            ("{\"a\":\n\"b\": 1}", r#"{"b":1}"#, &["key-without-value", "missing-comma"]),
            (r#"{{"a": 1}, "b": 2}"#, r#"{"b":2}"#, &["value-without-key"]),
            (r#"{"a": "x", b: "y"}"#, r#"{"a":"x","b":"y"}"#, &["unquoted-key"]),
            ("{a:\nb: 1}", r#"{"b":1}"#, &["key-without-value", "missing-comma", "unquoted-key"]),
        ]);
    }
}
