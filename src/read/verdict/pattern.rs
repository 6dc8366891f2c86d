//! The words for a verdict as one regular expression, for the schema of gradings.
//!
//! It needs nothing that engines disagree on: no flags, no classes of letters. So it takes a little
//! more than the reader, such as a word beside a mark that contradicts it, and never less.

use crate::read::verdict::words::{
    EMPHASES, EMPHASES_JOINED, FAIL_MARKS, NEGATIONS, NEGATIONS_JOINED, PAIRS, PASS_MARKS,
    UNGRADED, VERBS,
};

/// What may stand around a word: anything but letters and digits.
const AROUND: &str = "[^0-9A-Za-z\u{c0}-\u{24f}\u{3400}-\u{9fff}]*";

/// What may stand between two words.
const JOINT: &str = r"[ _\-]+";

/// The regular expression of every word that is read as a verdict or as the lack of one.
pub fn pattern() -> String {
    let passed = || PAIRS.iter().flat_map(|(passed, _)| passed.iter());
    let failed = PAIRS.iter().flat_map(|(_, failed)| failed.iter());
    let ungraded = UNGRADED.iter().filter(|word| word.contains(char::is_alphanumeric));
    let words = any(passed().chain(failed).chain(ungraded));
    let denied = any(passed().chain(VERBS));
    let (not, joined) = (any(NEGATIONS), any(NEGATIONS_JOINED));
    let not = format!("(?:{not}{JOINT}(?:[Bb][Ee](?:[Ee][Nn])?{JOINT})?|{joined})");
    let stressed = format!("(?:{}{JOINT}|{})?", any(EMPHASES), any(EMPHASES_JOINED));
    let marks: Vec<String> = PASS_MARKS.iter().chain(FAIL_MARKS).map(char::to_string).collect();
    let marks = marks.join("|");
    format!(
        r"^{AROUND}{stressed}(?:{words}|{not}{denied}){AROUND}$|^{AROUND}(?:{marks}){AROUND}$|^\s*[\-–—?]*\s*$"
    )
}

fn any<'w>(words: impl IntoIterator<Item = &'w &'static str>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| in_any_case(word)).collect();
    format!("(?:{})", words.join("|"))
}

/// A word in upper and lower case, with any joint for a space.
fn in_any_case(word: &str) -> String {
    let one = |c: char| match c {
        ' ' => JOINT.to_owned(),
        '\'' => "['’]".to_owned(),
        c if c.is_ascii_alphabetic() => format!("[{}{c}]", c.to_ascii_uppercase()),
        c => c.to_string(),
    };
    word.chars().map(one).collect()
}
