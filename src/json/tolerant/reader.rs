//! The state of the tolerant reader, and the reading of what stands between values.

use std::ops::Range;

use super::Unreadable;
use super::look::Look;
use super::repair::MAX_REPAIRS;
use super::repair::Repair;
use super::repair::RepairKind;

/// Levels of lists and objects inside each other that are read.
const MAX_DEPTH: usize = 128;

/// A position in a document, and what was found on the way there.
pub(super) struct Reader<'a> {
    pub(super) look: Look<'a>,
    pub(super) at: usize,
    /// The text ends in the middle of a line that was never trimmed, so a word at its end may have
    /// been cut.
    pub(super) ragged: bool,
    /// Lists that are open at `at`.
    pub(super) lists: usize,
    /// Objects that are open at `at`.
    pub(super) objects: usize,
    /// The end of the text was met inside a list or object.
    pub(super) cut_off: bool,
    /// Bytes that were searched for the end of a string and had to be read again.
    pub(super) reread: usize,
    pub(super) repairs: Vec<Repair>,
}

/// The kinds of value that hold values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    List,
    Object,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `text`.
    pub(super) fn new(text: &'a str, ragged: bool) -> Self {
        Reader {
            look: Look::new(text),
            at: 0,
            ragged,
            lists: 0,
            objects: 0,
            cut_off: false,
            reread: 0,
            repairs: Vec::new(),
        }
    }

    /// The byte at the position, or `None` at the end.
    pub(super) fn peek(&self) -> Option<u8> {
        self.look.byte(self.at)
    }

    /// How many lists and objects the position is in.
    pub(super) fn depth(&self) -> usize {
        self.lists + self.objects
    }

    /// Lists a repair, unless there are too many already.
    pub(super) fn repair(&mut self, span: Range<usize>, kind: RepairKind) {
        if self.repairs.len() < MAX_REPAIRS {
            self.repairs.push(Repair { span, kind });
        }
    }

    /// Counts one more open container and passes its bracket.
    pub(super) fn open(&mut self, container: Container) -> Result<(), Unreadable> {
        if self.depth() == MAX_DEPTH {
            let message = format!("nested deeper than {MAX_DEPTH} levels");
            return Err(Unreadable { at: self.at, message });
        }
        *self.count(container) += 1;
        self.at += 1;
        Ok(())
    }

    /// Counts one open container less, without passing a bracket.
    pub(super) fn close(&mut self, container: Container) {
        *self.count(container) -= 1;
    }

    fn count(&mut self, container: Container) -> &mut usize {
        match container {
            Container::List => &mut self.lists,
            Container::Object => &mut self.objects,
        }
    }

    /// Passes white space and comments.
    pub(super) fn skip_trivia(&mut self) {
        loop {
            self.at = self.look.skip_space(self.at);
            let start = self.at;
            match (self.peek(), self.look.byte(start + 1)) {
                (Some(b'#'), _) | (Some(b'/'), Some(b'/')) => self.at = self.look.line_end(start),
                (Some(b'/'), Some(b'*')) => self.at = self.block_comment_end(),
                (Some(0x0b | 0x0c | 0x80..), _) if self.skip_odd_space() => continue,
                _ => return,
            }
            self.repair(start..self.at, RepairKind::Comment);
        }
    }

    fn block_comment_end(&self) -> usize {
        let body = self.at + 2;
        match self.look.slice(body, self.look.len()).find("*/") {
            Some(length) => body + length + 2,
            None => self.look.len(),
        }
    }

    /// Passes white space that JSON does not know; `false` if there is none.
    fn skip_odd_space(&mut self) -> bool {
        let start = self.at;
        let rest = self.look.slice(start, self.look.len());
        let end = rest.find(|found| !is_odd_space(found)).unwrap_or(rest.len());
        if let Some(first) = rest.get(..end).and_then(|spaces| spaces.chars().next()) {
            self.at = start + end;
            self.repair(start..self.at, RepairKind::OddSpace(first));
        }
        end > 0
    }

    /// The error for bytes that cannot be text, at `at`.
    pub(super) fn binary(at: usize) -> Unreadable {
        Unreadable { at, message: "the file is binary, not JSON".to_owned() }
    }
}

/// Unicode white space, with the invisible characters that copying from web pages leaves behind.
fn is_odd_space(character: char) -> bool {
    let json = matches!(character, ' ' | '\n' | '\r' | '\t');
    !json && (character.is_whitespace() || matches!(character, '\u{200b}' | '\u{feff}'))
}

#[cfg(test)]
mod tests {
    use super::super::table::check;

    #[test]
    fn comments_and_spaces() {
        check(&[
            (
                "// x\n{ /* \"a\" */ \"b\": 1 # c\n, \"d\": 2 // e\n} # f",
                r#"{"b":1,"d":2}"#,
                &["comment"; 5],
            ),
            ("{\"a\": \"x\", // y\n \"b\": \"z\" # w\n}", r#"{"a":"x","b":"z"}"#, &["comment"; 2]),
            ("{\u{a0}\"a\": 1}", r#"{"a":1}"#, &["odd-space"]),
            ("[1 /* never closed ]", "[1]", &["comment", "cut-off"]),
        ]);
    }
}
