//! Regular expressions that are part of the program.

use regex::Regex;

/// Compiles a constant expression; a test of each file that has some compiles them. `\b` is a border of ASCII
/// words: for one of Unicode a search in text beyond ASCII takes ten times as long, and evidence is full of
/// dashes and arrows.
pub(crate) fn expression(pattern: &str) -> Regex {
    let pattern = pattern.replace(r"\b", r"(?-u:\b)");
    Regex::new(&pattern).expect("the patterns are constants, and a test compiles them")
}
