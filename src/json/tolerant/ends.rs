//! Where a string ends, when its author forgot to escape or to close something.
//!
//! The *slot* of a string says what may follow it. Its *end* is found in these steps:
//!
//! 1. A quote ends the string if what follows fits the slot: a colon behind a key, a closing
//!    bracket, or a comma that leads to the next key or value. In strictly valid JSON that is
//!    always the first quote.
//! 2. Any other quote is taken for an unescaped part of the text. If the string could end there
//!    all the same, because the quote ends its line or because the next entry seems to begin at
//!    it, the first such place is remembered as the *fallback*.
//! 3. Unescaped quotes come in pairs. If step 1 finds an end behind an odd number of them, and the
//!    fallback is a place where the next entry begins, the fallback is the end.
//! 4. At a line break, the string is *unclosed* if the next line begins with a key and a colon or
//!    with closing brackets that fit. At the end of the text it is unclosed in any case. An
//!    unclosed string ends at the fallback if there is one, and else right here.
//!
//! Going back to a fallback means to read some text twice. Once that sums up to more than the
//! length of the document, every string ends at its first quote, which keeps the reader linear.

use super::look::Look;

/// Where a string stands, which decides what may follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// A key of an object.
    Key,
    /// The value of a key.
    Entry,
    /// An item of a list.
    Item,
}

/// The end of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// Behind the last byte of the content.
    pub(super) content: usize,
    /// Where reading goes on.
    pub(super) resume: usize,
    /// Whether a closing quote stands between the two.
    pub(super) closed: bool,
    /// The content holds no escape, control character or quote.
    pub(super) plain: bool,
    /// How far the text was searched for this end.
    pub(super) searched: usize,
}

/// Searches for the end of one string.
pub(super) struct Search<'a> {
    pub(super) look: Look<'a>,
    pub(super) slot: Slot,
    pub(super) quote: u8,
    /// How many lists and objects the string is in.
    pub(super) depth: usize,
    /// The first quote ends the string, whatever follows.
    pub(super) simple: bool,
}

impl End {
    /// The end at the closing quote at `at`.
    pub(super) fn at_quote(at: usize) -> Self {
        let resume = at + 1;
        End { content: at, resume, closed: true, plain: false, searched: resume }
    }
}

impl Search<'_> {
    /// The end of the string whose content starts at `start`.
    pub(super) fn run(&self, start: usize) -> End {
        let mut at = start;
        let mut plain = true;
        let mut quotes = 0;
        let mut fallback = None;
        loop {
            at = self.look.skip(at, |byte| byte >= b' ' && byte != self.quote && byte != b'\\');
            match self.look.byte(at) {
                None => return self.unclosed(start, at, fallback),
                Some(b'\n') if self.next_line_is_structure(at + 1) => {
                    return self.unclosed(start, at, fallback);
                }
                Some(byte) if byte == self.quote => {
                    if self.simple || self.ends(at) {
                        return self.closed(at, plain, fallback.filter(|_| quotes % 2 == 1));
                    }
                    quotes += 1;
                    fallback = fallback.or_else(|| self.fallback(start, at));
                }
                Some(b'\\') => at += 1,
                Some(_) => {}
            }
            plain = false;
            at += 1;
        }
    }

    /// The end at the quote at `at`, or at the `fallback` if that is where the next entry begins.
    fn closed(&self, at: usize, plain: bool, fallback: Option<End>) -> End {
        let end = End { plain, ..End::at_quote(at) };
        match fallback {
            Some(fallback) if !fallback.closed => End { searched: end.searched, ..fallback },
            _ => end,
        }
    }

    /// Whether the quote at `at` ends the string.
    fn ends(&self, at: usize) -> bool {
        let next = self.look.skip_space(at + 1);
        let Some(byte) = self.look.byte(next) else {
            return true;
        };
        match (byte, self.slot) {
            (b':', slot) => slot != Slot::Entry,
            (b'=' | b',' | b'}' | b']', Slot::Key) => true,
            (b',', slot) => self.goes_on(next + 1, slot),
            (b'}' | b']', slot) => self.closes(next, slot),
            _ => self.look.comment(next) || self.misses_separator(at + 1, next),
        }
    }

    /// Whether the next entry or item begins behind the comma before `at`.
    fn goes_on(&self, at: usize, slot: Slot) -> bool {
        let next = self.look.skip_space(at);
        if matches!(self.look.byte(next), None | Some(b',' | b'}' | b']')) {
            return true;
        }
        let begins = match slot {
            Slot::Item => self.look.item(next),
            _ => self.look.entry(next, self.look.breaks_line(at, next)),
        };
        begins || self.look.comment(next)
    }

    /// Whether the bracket at `at` closes something of the document.
    fn closes(&self, at: usize, slot: Slot) -> bool {
        let own = if slot == Slot::Item { b']' } else { b'}' };
        if self.depth == 1 && self.look.byte(at) == Some(own) {
            return true;
        }
        let next = self.look.skip_space(at + 1);
        match self.look.byte(next) {
            None | Some(b'}' | b']') => true,
            Some(b',') => self.look.after_comma(next + 1),
            Some(_) => self.look.breaks_line(at, next) || self.look.comment(next),
        }
    }

    /// Whether a new part begins at `next`, behind a quote before `from`, without the colon or
    /// comma that should stand between them.
    fn misses_separator(&self, from: usize, next: usize) -> bool {
        let fresh = self.look.breaks_line(from, next);
        match self.slot {
            Slot::Key => next > from && self.look.item(next),
            Slot::Entry => self.look.quoted_key(next) || fresh && self.look.entry(next, fresh),
            Slot::Item if fresh => self.look.item(next),
            Slot::Item if next == from => false,
            Slot::Item => self.look.byte(next) == Some(b'"') || self.look.container(next),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::check;

    #[test]
    #[allow(clippy::too_many_lines, reason = "one table")]
    fn unescaped_quotes() {
        check(&[
            (
                r#"{"a": "he said "yes" twice", "b": 1}"#,
                r#"{"a":"he said \"yes\" twice","b":1}"#,
                &["unescaped-quote"; 2],
            ),
            (
                r#"{"a": "he said "yes"", "b": 1}"#,
                r#"{"a":"he said \"yes\"","b":1}"#,
                &["unescaped-quote"; 2],
            ),
            (
                r#"{"a": ""yes", he said", "b": 1}"#,
                r#"{"a":"\"yes\", he said","b":1}"#,
                &["unescaped-quote"; 2],
            ),
            (
                r#"{"a": "both "x", and "y": fine", "b": 1}"#,
                r#"{"a":"both \"x\", and \"y\": fine","b":1}"#,
                &["unescaped-quote"; 4],
            ),
            (
                r#"{"a": "list ["x", "y"] is wrong"}"#,
                r#"{"a":"list [\"x\", \"y\"] is wrong"}"#,
                &["unescaped-quote"; 4],
            ),
            (
                r#"[{"a": "f("x", {"b": "c"}, d)"}]"#,
                r#"[{"a":"f(\"x\", {\"b\": \"c\"}, d)"}]"#,
                &["unescaped-quote"; 6],
            ),
            (
                "{\"a\": \"the \"x\",\n\"y\", and \"z\" here\",\n\"b\": 1}",
                r#"{"a":"the \"x\",\n\"y\", and \"z\" here","b":1}"#,
                &[
                    "unescaped-quote",
                    "unescaped-quote",
                    "raw-control",
                    "unescaped-quote",
                    "unescaped-quote",
                    "unescaped-quote",
                    "unescaped-quote",
                ],
            ),
            (
                r#"["the "best" answer", "x"]"#,
                r#"["the \"best\" answer","x"]"#,
                &["unescaped-quote"; 2],
            ),
            (
                r#"["he said "yes", then left", 5, "x"]"#,
                r#"["he said \"yes\", then left",5,"x"]"#,
                &["unescaped-quote"; 2],
            ),
            (r#"{"the "best" key": 1}"#, r#"{"the \"best\" key":1}"#, &["unescaped-quote"; 2]),
            (
                r#"{"a": "he said "no", reason: none", "b": 1}"#,
                r#"{"a":"he said \"no\", reason: none","b":1}"#,
                &["unescaped-quote"; 2],
            ),
        ]);
    }
}
