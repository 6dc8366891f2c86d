//! Where a string ends that has no closing quote, or none that fits.
//!
//! These are steps 2 and 4 of the search for the end of a string; see `ends`.

use super::ends::End;
use super::ends::Search;
use super::ends::Slot;

impl Search<'_> {
    /// The second-best end at the quote at `at`, which does not end the string by itself.
    pub(super) fn fallback(&self, start: usize, at: usize) -> Option<End> {
        if self.ends_line(at) || self.leads_to_bare_word(at) {
            return Some(End::at_quote(at));
        }
        let comma = self.just_before(start, at, b',').filter(|_| self.look.quoted_key(at));
        let end = match self.slot {
            Slot::Key => comma.or_else(|| self.just_before(start, at, b':')),
            _ => comma,
        };
        end.map(|end| self.without_quote(start, end))
    }

    /// Whether the line ends behind the quote at `at`, or behind a comma after it.
    fn ends_line(&self, at: usize) -> bool {
        let mut next = self.look.skip_blank(at + 1);
        if self.look.byte(next) == Some(b',') {
            next = self.look.skip_blank(next + 1);
        }
        self.look.byte(next) == Some(b'\n')
    }

    /// Whether the quote at `at`, a comma, and an unquoted key or item stand in a row.
    fn leads_to_bare_word(&self, at: usize) -> bool {
        let comma = self.look.skip_blank(at + 1);
        let word = self.look.skip_blank(comma + 1);
        self.look.byte(comma) == Some(b',')
            && match self.slot {
                Slot::Item => self.look.bare_item(word),
                _ => self.look.bare_key(word).is_some(),
            }
    }

    /// Whether the line at `at` continues the document rather than the string.
    pub(super) fn next_line_is_structure(&self, at: usize) -> bool {
        let at = self.look.skip_blank(at);
        match self.look.byte(at) {
            Some(b'}' | b']') => self.look.closers_fit(at),
            Some(b'{') => self.look.quoted_key(self.look.skip_blank(at + 1)),
            Some(_) if self.look.quoted_key(at) => true,
            _ => self.slot == Slot::Item && self.look.item_line(at),
        }
    }

    /// The end of a string that has no closing quote up to `at`.
    pub(super) fn unclosed(&self, start: usize, at: usize, fallback: Option<End>) -> End {
        let at = at.min(self.look.len());
        let end = fallback.unwrap_or_else(|| self.without_quote(start, self.tail(start, at)));
        End { searched: at, ..end }
    }

    /// Where the commas and brackets begin that end the line at `at`, if they belong to the
    /// document rather than to the string.
    fn tail(&self, start: usize, at: usize) -> usize {
        let cut_off = at == self.look.len();
        let next = self.look.skip_space(at);
        if cut_off || self.slot == Slot::Entry && self.look.byte(next) == Some(b'{') {
            let comma = self.just_before(start, at, b',').filter(|_| !cut_off);
            return self.closers_before(start, comma.unwrap_or(at)).or(comma).unwrap_or(at);
        }
        self.just_before(start, at, b',').unwrap_or(at)
    }

    /// Where the brackets before `at` begin, if they can close what the string is in.
    fn closers_before(&self, start: usize, at: usize) -> Option<usize> {
        let own = if self.slot == Slot::Item { ']' } else { '}' };
        let mut rest = self.look.slice(start, at).trim_end();
        let mut first = None;
        for _ in 0..self.depth {
            let Some(closer) = rest.chars().next_back().filter(|last| matches!(last, '}' | ']'))
            else {
                break;
            };
            rest = rest.get(..rest.len() - 1).unwrap_or_default().trim_end();
            first = Some((closer, start + rest.len()));
        }
        first.filter(|(closer, _)| *closer == own).map(|(_, at)| at)
    }

    /// Where `byte` stands before `at`, if only white space is between them.
    fn just_before(&self, start: usize, at: usize, byte: u8) -> Option<usize> {
        let found = self.trim(start, at).checked_sub(1)?;
        (found >= start && self.look.byte(found) == Some(byte)).then_some(found)
    }

    /// An end before `at` with no quote; reading goes on at `at`.
    fn without_quote(&self, start: usize, at: usize) -> End {
        End { content: self.trim(start, at), resume: at, closed: false, plain: false, searched: 0 }
    }

    /// Behind the last byte from `start` to `at` that is not white space.
    fn trim(&self, start: usize, at: usize) -> usize {
        start + self.look.slice(start, at).trim_end().len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::check;

    #[test]
    #[allow(clippy::too_many_lines, reason = "one table")]
    fn unclosed_strings() {
        check(&[
            (r#"{"a": "5, "b": "x"}"#, r#"{"a":"5","b":"x"}"#, &["unclosed-string"]),
            (
                r#"{"a": "x, "b": "the "y"", "c": 1}"#,
                r#"{"a":"x","b":"the \"y\"","c":1}"#,
                &["unclosed-string", "unescaped-quote", "unescaped-quote"],
            ),
            (
                r#"{"a": "{"b": 1, "c": [2]}", "d": 1}"#,
                r#"{"a":"{\"b\": 1, \"c\": [2]}","d":1}"#,
                &["unescaped-quote"; 4],
            ),
            (r#"{"a: "x", "b": 1}"#, r#"{"a":"x","b":1}"#, &["unclosed-string"]),
            (r#"{"a: 5, "b": 1}"#, r#"{"b":1}"#, &["unclosed-string", "key-without-value"]),
            (
                "{\"a\": \"text...\n \"b\": 1}",
                r#"{"a":"text...","b":1}"#,
                &["unclosed-string", "missing-comma"],
            ),
            ("{\"a\": \"text,\n \"b\": 1}", r#"{"a":"text","b":1}"#, &["unclosed-string"]),
            (
                "[{\"a\": \"text\n}, {\"a\": \"x\"}]",
                r#"[{"a":"text"},{"a":"x"}]"#,
                &["unclosed-string"],
            ),
            (
                "{\"a\": \"f {\n}\nend\", \"b\": 1}",
                r#"{"a":"f {\n}\nend","b":1}"#,
                &["raw-control"],
            ),
            ("[\"one,\n\"two\",\n\"three\"]", r#"["one","two","three"]"#, &["unclosed-string"]),
            (r#"{"a": "text, "b": 1}"#, r#"{"a":"text","b":1}"#, &["unclosed-string"]),
            (r#"{"a": "text}"#, r#"{"a":"text"}"#, &["unclosed-string"]),
            (r#"[{"a": "x[1]}]"#, r#"[{"a":"x[1]"}]"#, &["unclosed-string"]),
            (
                "[{\"a\": \"text},\n{\"a\": \"x\"}]",
                r#"[{"a":"text"},{"a":"x"}]"#,
                &["unclosed-string"],
            ),
            (
                "{\"a\": \"text\",\n garbage\n \"b\": 1}",
                r#"{"a":"text","b":1}"#,
                &["key-without-value", "missing-comma"],
            ),
            (r#"["x", PASS]"#, r#"["x","PASS"]"#, &["unquoted-text"]),
        ]);
    }
}
