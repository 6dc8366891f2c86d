//! What the tolerant reader had to repair, in words for the author of the document.
//!
//! Every repair is described three times over: what is wrong ([`RepairKind::message`]), what the
//! reader assumed ([`RepairKind::assumed`]) and what to write instead ([`RepairKind::help`]).

use std::ops::Range;

/// How many repairs are listed for one document; later ones are made all the same.
pub(crate) const MAX_REPAIRS: usize = 1000;

/// Characters of the document that a message quotes at most.
const QUOTED: usize = 40;

/// One departure from JSON and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// Offsets in the text of the document; empty where something is missing.
    pub span: Range<usize>,
    /// What is wrong there.
    pub kind: RepairKind,
}

/// The ways in which a document can depart from JSON and still be read.
///
/// Strings quote the document, shortened to one line of 40 characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RepairKind {
    /// A control character stands unescaped in a string; the first one of that string.
    RawControl(char),
    /// A word such as `NaN`, `None` or `undefined`.
    NoValueWord(String),
    /// A spelling such as `True`.
    BooleanCase(String),
    /// A number such as `+5`, `007`, `.5` or `5.`.
    NumberSpelling {
        /// The number as it is written.
        found: String,
        /// The number as JSON writes it.
        read: String,
    },
    /// A number beyond the range of `f64`.
    NumberRange(String),
    /// A comma between the last value and the closing bracket.
    TrailingComma,
    /// A comma that follows neither an item nor an entry.
    ExtraComma,
    /// No comma between two items or entries; stands behind the first.
    MissingComma,
    /// No colon, or an equals sign, between this key and its value.
    MissingColon(String),
    /// A comment behind `//` or `#`, or between `/*` and `*/`.
    Comment,
    /// White space that JSON does not know, such as a no-break space.
    OddSpace(char),
    /// A key or text between single quotes.
    SingleQuotes,
    /// A key that lacks at least its opening quote.
    UnquotedKey(String),
    /// A value that is neither in quotes nor a number or word that means something.
    UnquotedText(String),
    /// A backslash with the character behind it.
    InvalidEscape(String),
    /// Half of a surrogate pair, as an escape.
    LoneSurrogate(String),
    /// A quote that does not end its string.
    UnescapedQuote,
    /// A string without a closing quote, or with one that comes far too late.
    UnclosedString,
    /// A key, or some other unquoted text among entries, that has no value.
    KeyWithoutValue(String),
    /// A list or object among the entries of an object.
    ValueWithoutKey,
    /// This bracket is missing in front of a bracket of the other kind.
    MissingCloser(char),
    /// Punctuation that fits nothing around it.
    StrayCharacter(char),
    /// A Markdown code fence around the document; the opening one.
    CodeFence,
    /// Text that is no document, behind the document.
    TextAfter,
    /// Prose before the code fence, or before an object that begins a line.
    TextBefore,
    /// Another document, and whatever follows it, behind the document.
    SecondDocument,
    /// The text ends while this many lists and objects are open.
    CutOff(usize),
}

impl RepairKind {
    /// What is wrong: lower case, no full stop, names in backticks.
    pub fn message(&self) -> String {
        match self {
            Self::RawControl(found) => format!("{} inside a string", control_name(*found)),
            Self::NoValueWord(found) | Self::BooleanCase(found) => {
                format!("`{found}` is not a JSON value")
            }
            Self::NumberSpelling { found, .. } => format!("`{found}` is not a JSON number"),
            Self::NumberRange(found) => format!("the number `{found}` is too large"),
            Self::TrailingComma => "comma after the last value".to_owned(),
            Self::ExtraComma => "comma with no value before it".to_owned(),
            Self::MissingComma => "no comma after this value".to_owned(),
            Self::MissingColon(key) => format!("no colon after the key `{key}`"),
            Self::Comment => "JSON has no comments".to_owned(),
            Self::OddSpace(found) => format!("the space `{}` is not JSON", code_point(*found)),
            Self::SingleQuotes => "a string in single quotes".to_owned(),
            Self::UnquotedKey(key) => format!("the key `{key}` is not in quotes"),
            Self::UnquotedText(text) => format!("the text `{text}` is not in quotes"),
            Self::InvalidEscape(found) => format!("`{found}` is not a JSON escape"),
            Self::LoneSurrogate(found) => format!("`{found}` is half of a character"),
            Self::UnescapedQuote => "a quote inside a string is not escaped".to_owned(),
            Self::UnclosedString => "a string is not closed".to_owned(),
            Self::KeyWithoutValue(key) => format!("`{key}` has no value"),
            Self::ValueWithoutKey => "a value in an object has no key".to_owned(),
            Self::MissingCloser(closer) => format!("no `{closer}` before this bracket"),
            Self::StrayCharacter(found) => format!("`{found}` does not belong here"),
            Self::CodeFence => "the document is in a Markdown code fence".to_owned(),
            Self::TextAfter => "text after the end of the document".to_owned(),
            Self::TextBefore => "text before the document".to_owned(),
            Self::SecondDocument => "a second document after the first".to_owned(),
            Self::CutOff(1) => "the file ends with 1 bracket still open".to_owned(),
            Self::CutOff(open) => format!("the file ends with {open} brackets still open"),
        }
    }

    /// What the reader took it for, to follow a message.
    pub fn assumed(&self) -> String {
        let assumed = match self {
            Self::RawControl(_) | Self::UnescapedQuote => "kept in the text",
            Self::NoValueWord(_) | Self::NumberRange(_) => "read as not recorded",
            Self::BooleanCase(found) => return format!("read as `{}`", found.to_lowercase()),
            Self::NumberSpelling { read, .. } => return format!("read as `{read}`"),
            Self::TrailingComma | Self::ExtraComma | Self::StrayCharacter(_) => "ignored",
            Self::Comment | Self::OddSpace(_) | Self::CodeFence => "ignored",
            Self::TextAfter | Self::TextBefore => "ignored",
            Self::MissingComma => "read as if there were a comma",
            Self::MissingColon(_) => "read as if there were a colon",
            Self::SingleQuotes | Self::UnquotedKey(_) => "read as if in double quotes",
            Self::UnquotedText(_) => "read as text",
            Self::InvalidEscape(found) if found == "\\'" => "read as `'`",
            Self::InvalidEscape(_) => "kept as written",
            Self::LoneSurrogate(_) => "read as the replacement character U+FFFD",
            Self::UnclosedString => "closed at the end of its line or entry",
            Self::KeyWithoutValue(_) => "left out",
            Self::ValueWithoutKey => "left out",
            Self::MissingCloser(_) => "read as if it were there",
            Self::SecondDocument => "only the first is read",
            Self::CutOff(_) => "kept what comes before the end",
        };
        assumed.to_owned()
    }

    /// What to write instead.
    pub fn help(&self) -> String {
        let help = match self {
            Self::RawControl(found) => return format!("write `{}`", escape(*found)),
            Self::NoValueWord(_) => "write `null`",
            Self::BooleanCase(found) => return format!("write `{}`", found.to_lowercase()),
            Self::NumberSpelling { read, .. } => return format!("write `{read}`"),
            Self::NumberRange(_) => "write a number below 1.7e308, or `null`",
            Self::TrailingComma | Self::ExtraComma => "remove the comma",
            Self::MissingComma => "write `,` between two values",
            Self::MissingColon(_) => "write `:` between key and value",
            Self::Comment => "remove the comment",
            Self::OddSpace(_) => "write a plain space",
            Self::SingleQuotes => "write `\"` around the string",
            Self::UnquotedKey(_) => "write `\"` around the key",
            Self::UnquotedText(_) => "write `\"` around the text",
            Self::InvalidEscape(found) if found == "\\'" => "write `'`",
            Self::InvalidEscape(_) => "write `\\\\` for a backslash",
            Self::LoneSurrogate(_) => "write the character itself, or both halves",
            Self::UnescapedQuote => "write `\\\"`",
            Self::UnclosedString => "write `\"` at the end of the string",
            Self::KeyWithoutValue(_) => "write `:` and a value, or `null`, after the key",
            Self::ValueWithoutKey => "write a key in quotes and `:` before the value",
            Self::MissingCloser(closer) => return format!("write `{closer}` before it"),
            Self::StrayCharacter(found) => return format!("remove the `{found}`"),
            Self::CodeFence => "remove the fence",
            Self::TextAfter | Self::TextBefore => "remove the text",
            Self::SecondDocument => "write each document to a file of its own",
            Self::CutOff(_) => "write the missing end of the document",
        };
        help.to_owned()
    }
}

/// The start of `text` as messages quote it: one line, no control characters, no backticks.
pub(super) fn excerpt(text: &str) -> String {
    let mut characters = text.chars().map(|found| match found {
        '`' => '\'',
        _ if found.is_control() => ' ',
        _ => found,
    });
    let mut excerpt: String = characters.by_ref().take(QUOTED).collect();
    if characters.next().is_some() {
        excerpt.push_str("...");
    }
    excerpt
}

fn control_name(control: char) -> String {
    match control {
        '\n' | '\r' => "raw line break".to_owned(),
        '\t' => "raw tab".to_owned(),
        _ => format!("raw control character `{}`", code_point(control)),
    }
}

fn escape(control: char) -> String {
    match control {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        _ => format!("\\u{:04x}", u32::from(control)),
    }
}

fn code_point(character: char) -> String {
    format!("U+{:04X}", u32::from(character))
}

#[cfg(test)]
mod tests {
    use super::RepairKind;
    use super::excerpt;

    #[test]
    fn words() {
        let word = |text: &str| text.to_owned();
        let number = RepairKind::NumberSpelling { found: word("+5"), read: word("5") };
        let table = [
            (
                RepairKind::NoValueWord(word("NaN")),
                "`NaN` is not a JSON value; read as not recorded; write `null`",
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
            (
                RepairKind::InvalidEscape(word(r"\d")),
                r"`\d` is not a JSON escape; kept as written; write `\\` for a backslash",
            ),
        ];
        for (kind, words) in table {
            assert_eq!([kind.message(), kind.assumed(), kind.help()].join("; "), words);
        }
    }

    #[test]
    fn excerpts_fit_one_line() {
        assert_eq!(excerpt("a\nb`c"), "a b'c");
        assert_eq!(excerpt(&"é".repeat(40)), "é".repeat(40));
        assert_eq!(excerpt(&"é".repeat(41)), "é".repeat(40) + "...");
    }
}
