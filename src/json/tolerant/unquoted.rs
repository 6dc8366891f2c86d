//! Reading values that are not in quotes: numbers, words, and text that lacks its quotes.

use std::borrow::Cow;

use super::Unreadable;
use super::ends::Slot;
use super::reader::Reader;
use super::repair::RepairKind;
use super::repair::excerpt;
use super::spanned::SpannedValue;
use super::words::is_half_word;
use super::words::read_word;

impl<'a> Reader<'a> {
    /// Reads the unquoted value at the position; `None` if it is a word that was cut off.
    pub(super) fn unquoted(&mut self, slot: Slot) -> Result<Option<SpannedValue<'a>>, Unreadable> {
        let start = self.at;
        self.at = self.unquoted_end(slot);
        let found = self.look.slice(start, self.at);
        if found.contains('\0') {
            return Err(Self::binary(start));
        }
        if let Some((value, repair)) = read_word(found) {
            if let Some(kind) = repair {
                self.repair(start..self.at, kind);
            }
            return Ok(Some(value));
        }
        if self.ragged && self.at == self.look.len() && is_half_word(found) {
            return Ok(None);
        }
        self.repair(start..self.at, RepairKind::UnquotedText(excerpt(found)));
        Ok(Some(SpannedValue::Text(Cow::Borrowed(found))))
    }

    /// Behind the unquoted value at the position: one word, or everything up to the next comma,
    /// bracket, comment or line.
    fn unquoted_end(&self, slot: Slot) -> usize {
        if let Some(end) = self.grouped_end().filter(|_| slot == Slot::Entry) {
            return end;
        }
        let word = self.look.word_end(self.at);
        let next = self.look.skip_blank(word);
        let alone = word > self.at
            && (self.look.ends_scalar(next)
                || self.look.scalar_word(self.at) && self.next_value(next, slot));
        if alone { word } else { self.run_end(slot) }
    }

    /// Behind a number whose digits commas group by three: `84,852`. Its first part alone would be
    /// another number.
    fn grouped_end(&self) -> Option<usize> {
        let digits = |at: usize| self.look.skip(at, |byte| byte.is_ascii_digit());
        let first = digits(self.at);
        let mut end = first;
        while self.look.byte(end) == Some(b',') && digits(end + 1) == end + 4 {
            end += 4;
        }
        let is_grouped = (1..=3).contains(&(first - self.at)) && end > first;
        (is_grouped && self.look.ends_scalar(self.look.skip_blank(end))).then_some(end)
    }

    /// Whether another value begins at `at` without a comma before it.
    fn next_value(&self, at: usize, slot: Slot) -> bool {
        match slot {
            Slot::Item => {
                matches!(self.look.byte(at), Some(b'"' | b'{' | b'[')) || self.look.scalar_word(at)
            }
            _ => self.look.quoted_key(at),
        }
    }

    fn run_end(&self, slot: Slot) -> usize {
        let mut at = self.at;
        loop {
            let blank = self.look.skip(at, |byte| !b",}]\n \t\r".contains(&byte));
            at = self.look.skip_blank(blank);
            let entry = slot == Slot::Entry && self.look.quoted_key(at);
            if blank == at || self.look.ends_scalar(at) || entry {
                return blank;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::check;

    #[test]
    fn words_and_numbers() {
        check(&[
            ("[NaN, -Infinity, None, undefined]", "[null,null,null,null]", &["no-value-word"; 4]),
            ("[True, FALSE]", "[true,false]", &["boolean-case"; 2]),
            (
                "[+1, 007, .5, 5., 1e400]",
                "[1,7,0.5,5.0,null]",
                &[
                    "number-spelling",
                    "number-spelling",
                    "number-spelling",
                    "number-spelling",
                    "number-range",
                ],
            ),
            (
                r#"{"at": 20260618T212203Z, "x": 1}"#,
                r#"{"at":"20260618T212203Z","x":1}"#,
                &["unquoted-text"],
            ),
            ("{\"a\": not recorded\n}", r#"{"a":"not recorded"}"#, &["unquoted-text"]),
            (
                r#"{"a": 84,852, "b": 1,234,567}"#,
                r#"{"a":"84,852","b":"1,234,567"}"#,
                &["unquoted-text"; 2],
            ),
            (r#"{"a": [84,852]}"#, r#"{"a":[84,852]}"#, &[]),
            (r#"{"a": 12:30, "b": 85%}"#, r#"{"a":"12:30","b":"85%"}"#, &["unquoted-text"; 2]),
            (
                r#"{"a": 5 points "b": 1}"#,
                r#"{"a":"5 points","b":1}"#,
                &["unquoted-text", "missing-comma"],
            ),
            (
                r#"{"a": http://x.org/ // seen
            }"#,
                r#"{"a":"http://x.org/"}"#,
                &["unquoted-text", "comment"],
            ),
        ]);
    }
}
