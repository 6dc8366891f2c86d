//! Repairs of a document, in words for its author.

/// One departure from JSON, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The byte of the document at which it begins, from 0.
    pub at: usize,
    /// What was wrong, and how it was read.
    pub kind: RepairKind,
}

/// The ways in which a document can depart from JSON and still be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RepairKind {
    /// A comment after `//` or `#`, or between `/*` and `*/`.
    Comment,
    /// A comma after the last value of a list or object: `[1, 2,]`.
    TrailingComma,
    /// No comma between two values: the line as it should be.
    MissingComma(String),
    /// No colon between a key and its value: the line as it should be.
    MissingColon(String),
    /// A string in single quotes: `'passed'`.
    SingleQuotes,
    /// A quote inside a string without a backslash, as in `"he said "yes""`.
    UnescapedQuote,
    /// A string without a closing quote at the end of its line.
    UnclosedString,
    /// A control character in a string, such as a line break; the first one of that string.
    RawControl(char),
    /// `True` or `False`, as Python prints them: the word found.
    BooleanCase(String),
    /// A word for no value, such as `NaN` or `None`, or a number too large to hold.
    NoValue(String),
    /// A number such as `+5`, `007`, `.5` or `5.`, and how JSON writes it.
    NumberSpelling(String, String),
    /// A text without quotes, such as `PASS`: its beginning, in one line.
    UnquotedText(String),
    /// A key without quotes, as in JavaScript.
    UnquotedKey(String),
    /// A key that an object has more than once: its beginning, in one line.
    DuplicateKey(String),
    /// The text ends while this many lists and objects are open.
    CutOff(usize),
}

impl RepairKind {
    /// The repair in words: what was wrong, what was assumed, and what to write.
    pub fn explain(&self) -> [String; 3] {
        let in_quotes = "write `\"` around the text";
        let (message, assumed, help): (&str, &str, &str) = match self {
            Self::Comment => ("JSON has no comments", "ignored", "remove the comment"),
            Self::TrailingComma => ("comma after the last value", "ignored", "remove the comma"),
            Self::MissingComma(line) => (
                "no comma after this value",
                "read as if there were a comma",
                &*format!("write `{line}`"),
            ),
            Self::MissingColon(line) => (
                "no colon after this key",
                "read as if there were a colon",
                &*format!("write `{line}`"),
            ),
            Self::SingleQuotes => {
                ("a string in single quotes", "read as if in double quotes", in_quotes)
            }
            Self::UnescapedQuote => {
                ("a quote inside a string is not escaped", "kept in the text", "write `\\\"`")
            }
            Self::UnclosedString => (
                "a string is not closed",
                "closed at the end of its line or entry",
                "write `\"` at the end of the string",
            ),
            Self::RawControl(found) => return raw_control(*found),
            Self::BooleanCase(found) => return read_as(found, "value", &found.to_lowercase()),
            Self::NumberSpelling(found, json) => return read_as(found, "number", json),
            Self::NoValue(found) => {
                (&*format!("`{found}` is not a JSON value"), "read as not recorded", "write `null`")
            }
            Self::UnquotedText(text) => {
                (&*format!("the text `{text}` is not in quotes"), "read as text", in_quotes)
            }
            Self::UnquotedKey(key) => (
                &*format!("the key `{key}` is not in quotes"),
                "read as that key",
                &*format!("write `\"{key}\"`"),
            ),
            Self::DuplicateKey(key) => (
                &*format!("the key `{key}` is there twice"),
                "the last value was taken",
                "remove one of them",
            ),
            Self::CutOff(open) => (
                &*format!(
                    "the file ends with {open} bracket{} still open",
                    if *open == 1 { "" } else { "s" }
                ),
                "kept what comes before the end",
                "write the missing end of the document",
            ),
        };
        [message, assumed, help].map(str::to_owned)
    }
}

fn raw_control(found: char) -> [String; 3] {
    let code = u32::from(found);
    let (name, escape) = match found {
        '\n' => ("line break", "\\n"),
        '\r' => ("line break", "\\r"),
        '\t' => ("tab", "\\t"),
        _ => (&*format!("control character `U+{code:04X}`"), &*format!("\\u{code:04x}")),
    };
    let message = format!("raw {name} inside a string");
    [message, "kept in the text".to_owned(), format!("write `{escape}`")]
}

fn read_as(found: &str, kind: &str, json: &str) -> [String; 3] {
    let message = format!("`{found}` is not a JSON {kind}");
    [message, format!("read as `{json}`"), format!("write `{json}`")]
}

/// Characters of the document that a message quotes.
const QUOTED_CHARS: usize = 40;

/// The start of `text` as quoted in messages: one line, no control characters, no backticks.
pub(super) fn excerpt(text: &str) -> String {
    let mut characters = text.chars().map(plain);
    let mut excerpt: String = characters.by_ref().take(QUOTED_CHARS).collect();
    if characters.next().is_some() {
        excerpt.push_str("...");
    }
    excerpt
}

/// A line as quoted in messages: no control characters, no backticks.
pub(super) fn line_of(text: &str) -> String {
    text.chars().map(plain).collect()
}

fn plain(c: char) -> char {
    match c {
        '`' => '\'',
        _ if c.is_control() => ' ',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::RepairKind;
    use super::excerpt;

    #[test]
    fn repairs_in_words() {
        let number = RepairKind::NumberSpelling("+5".to_owned(), "5".to_owned());
        let table = [
            (
                RepairKind::NoValue("NaN".to_owned()),
                "`NaN` is not a JSON value; read as not recorded; write `null`",
            ),
            (
                RepairKind::BooleanCase("True".to_owned()),
                "`True` is not a JSON value; read as `true`; write `true`",
            ),
            (
                RepairKind::RawControl('\t'),
                r"raw tab inside a string; kept in the text; write `\t`",
            ),
            (
                RepairKind::RawControl('\u{1}'),
                r"raw control character `U+0001` inside a string; kept in the text; write `\u0001`",
            ),
            (number, "`+5` is not a JSON number; read as `5`; write `5`"),
        ];
        for (kind, words) in table {
            assert_eq!(kind.explain().join("; "), words);
        }
    }

    #[test]
    fn excerpts_fit_one_line() {
        assert_eq!(excerpt("a\nb`c"), "a b'c");
        assert_eq!(excerpt(&"é".repeat(40)), "é".repeat(40));
        assert_eq!(excerpt(&"é".repeat(41)), "é".repeat(40) + "...");
    }
}
