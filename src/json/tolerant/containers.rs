//! Reading lists and objects.

use std::mem;

use super::Unreadable;
use super::ends::Slot;
use super::reader::Container;
use super::reader::Reader;
use super::repair::RepairKind;
use super::spanned::Spanned;
use super::spanned::SpannedValue;

/// The commas of one list or object; a *part* is an item of the one or an entry of the other.
#[derive(Default)]
struct Commas {
    /// Where the last part ended.
    part: Option<usize>,
    /// The comma since then.
    comma: Option<usize>,
}

/// What the next byte means to a list or an object.
enum Next {
    /// The list or object is complete.
    End,
    /// Punctuation, which was passed.
    Passed,
    /// A part begins here.
    Part,
}

impl<'a> Reader<'a> {
    /// Reads the value at the position; `None` if it is a word that was cut off.
    pub(super) fn value(&mut self, slot: Slot) -> Result<Option<Spanned<'a>>, Unreadable> {
        let start = self.at;
        let value = match self.peek() {
            Some(b'{') => Some(self.object()?),
            Some(b'[') => Some(self.list()?),
            Some(quote @ (b'"' | b'\'')) => Some(SpannedValue::Text(self.string(quote, slot))),
            _ => self.unquoted(slot)?,
        };
        Ok(value.map(|value| Spanned { span: start..self.at, value }))
    }

    fn list(&mut self) -> Result<SpannedValue<'a>, Unreadable> {
        self.open(Container::List)?;
        let mut items = Vec::new();
        let mut commas = Commas::default();
        loop {
            match self.next(Container::List, &mut commas) {
                Next::End => break,
                Next::Passed => {}
                Next::Part => {
                    items.extend(self.value(Slot::Item)?);
                    commas.part = Some(self.at);
                }
            }
        }
        self.close(Container::List);
        Ok(SpannedValue::List(items))
    }

    fn object(&mut self) -> Result<SpannedValue<'a>, Unreadable> {
        self.open(Container::Object)?;
        let mut entries = Vec::new();
        let mut commas = Commas::default();
        loop {
            match self.next(Container::Object, &mut commas) {
                Next::End => break,
                Next::Passed => {}
                Next::Part => {
                    entries.extend(self.entry()?);
                    commas.part = Some(self.at);
                }
            }
        }
        self.close(Container::Object);
        Ok(SpannedValue::Object(entries))
    }

    /// Passes trivia and at most one punctuation mark inside a container.
    fn next(&mut self, container: Container, commas: &mut Commas) -> Next {
        self.skip_trivia();
        let Some(byte) = self.peek() else {
            if !mem::replace(&mut self.cut_off, true) {
                self.repair(self.at..self.at, RepairKind::CutOff(self.depth()));
            }
            return Next::End;
        };
        match byte {
            b',' => self.pass_comma(commas),
            b'}' | b']' => return self.pass_closer(byte, container, commas),
            b':' | b'=' => self.pass_stray(byte),
            _ => {
                if let (Some(end), None) = (commas.part, commas.comma.take()) {
                    self.repair(end..end, RepairKind::MissingComma);
                }
                return Next::Part;
            }
        }
        Next::Passed
    }

    fn pass_comma(&mut self, commas: &mut Commas) {
        if commas.part.is_none() || commas.comma.is_some() {
            self.repair(self.at..self.at + 1, RepairKind::ExtraComma);
        } else {
            commas.comma = Some(self.at);
        }
        self.at += 1;
    }

    fn pass_closer(&mut self, byte: u8, container: Container, commas: &Commas) -> Next {
        let (own, others) = match container {
            Container::List => (b']', self.objects),
            Container::Object => (b'}', self.lists),
        };
        if byte != own && others == 0 {
            self.pass_stray(byte);
            return Next::Passed;
        }
        if let Some(comma) = commas.comma {
            self.repair(comma..comma + 1, RepairKind::TrailingComma);
        }
        if byte == own {
            self.at += 1;
        } else {
            self.repair(self.at..self.at + 1, RepairKind::MissingCloser(char::from(own)));
        }
        Next::End
    }

    fn pass_stray(&mut self, byte: u8) {
        self.repair(self.at..self.at + 1, RepairKind::StrayCharacter(char::from(byte)));
        self.at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::check;

    #[test]
    fn commas_and_colons() {
        check(&[
            ("[1, 2,]", "[1,2]", &["trailing-comma"]),
            (r#"{"a": 1,}"#, r#"{"a":1}"#, &["trailing-comma"]),
            ("[,1,,2]", "[1,2]", &["extra-comma", "extra-comma"]),
            ("[1 2 \"a\" [] {}]", r#"[1,2,"a",[],{}]"#, &["missing-comma"; 4]),
            ("[\"a\" \"b\"\n\"c\"]", r#"["a","b","c"]"#, &["missing-comma"; 2]),
            (
                "{\"a\": 1\n\"b\": \"x\"\n\"c\": [] \"d\": 2}",
                r#"{"a":1,"b":"x","c":[],"d":2}"#,
                &["missing-comma"; 3],
            ),
            (r#"{"a": "x" "b": 1}"#, r#"{"a":"x","b":1}"#, &["missing-comma"]),
            (
                r#"{"a" 1, "c"=2, "d" => 3, "e" {}, "b" "x"}"#,
                r#"{"a":1,"c":2,"d":3,"e":{},"b":"x"}"#,
                &["missing-colon"; 5],
            ),
            (r#"["a": 1]"#, r#"["a",1]"#, &["stray-character", "missing-comma"]),
        ]);
    }

    #[test]
    fn brackets() {
        check(&[
            (r#"{"a": [1, 2}"#, r#"{"a":[1,2]}"#, &["missing-closer"]),
            (r#"[{"a": 1]"#, r#"[{"a":1}]"#, &["missing-closer"]),
            ("[1}, 2]", "[1,2]", &["stray-character"]),
            ("{\"a\": 1}}", r#"{"a":1}"#, &["text-after"]),
        ]);
    }

    #[test]
    fn cut_off_documents() {
        check(&[
            ("[", "[]", &["cut-off"]),
            (r#"{"a": [1, 2"#, r#"{"a":[1,2]}"#, &["cut-off"]),
            (r#"{"a": "x", "b"#, r#"{"a":"x"}"#, &["cut-off"]),
            (r#"{"a": "x", "b""#, r#"{"a":"x"}"#, &["cut-off"]),
            (r#"{"a": "x", "b":"#, r#"{"a":"x"}"#, &["cut-off"]),
            (r#"{"a": "x", "b": tru"#, r#"{"a":"x"}"#, &["cut-off"]),
            (r#"{"a": "x", "b": "tex"#, r#"{"a":"x","b":"tex"}"#, &["cut-off"]),
            (r#"{"a": "tex\"#, r#"{"a":"tex\\"}"#, &["invalid-escape", "cut-off"]),
            (r#"["a", "b"#, r#"["a","b"]"#, &["cut-off"]),
            ("[1,", "[1]", &["cut-off"]),
            ("[-", "[]", &["cut-off"]),
        ]);
    }
}
