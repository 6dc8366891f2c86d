//! Regular expressions that checks state, such as `/^## Decisions$/m`.

use std::sync::LazyLock;

use regex::Regex;

use crate::expression::expression;

/// The expression with its flags as `(?m)`, where a check states one between slashes, or in backticks
/// after a word that says so.
pub(super) fn in_check(check: &str) -> Option<String> {
    // A path such as `/etc/hosts` has no sign that an expression needs.
    let found = SLASHES.captures(check.trim());
    if let Some(found) = found.filter(|found| found[1].contains(SIGNS)) {
        let flags: String = found[2].chars().filter(|flag| "imsx".contains(*flag)).collect();
        return Some(if flags.is_empty() {
            found[1].to_owned()
        } else {
            format!("(?{flags}){}", &found[1])
        });
    }
    Some(QUOTED.captures(check)?[1].to_owned())
}

/// What makes a text an expression.
const SIGNS: [char; 11] = ['^', '$', '*', '+', '?', '(', ')', '[', ']', '|', '\\'];

/// A whole check, or the end of one after a colon.
static SLASHES: LazyLock<Regex> =
    LazyLock::new(|| expression(r"(?:^|: |`)/([^/\s](?:[^/]|\\/)*)/([dgimsuvy]{0,6})`?$"));

static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
    expression(r"(?i)\b(?:regex|regexp|regular expression|pattern)\b[^`]{0,30}`([^`]+)`")
});

/// The compiled expression; `None` where it uses what other engines have and this one has not.
///
/// # Errors
/// Why it compiles nowhere.
pub(super) fn compiled(pattern: &str) -> Result<Option<Regex>, String> {
    match Regex::new(pattern) {
        Ok(pattern) => Ok(Some(pattern)),
        Err(regex::Error::Syntax(text)) => {
            let reason = text.lines().last().unwrap_or_default();
            let reason = reason.trim_start_matches("error: ");
            let is_ours =
                ["look-around", "backreferences", "unrecognized", "Unicode", "invalid hex"]
                    .iter()
                    .any(|word| reason.contains(word));
            if is_ours { Ok(None) } else { Err(reason.to_owned()) }
        }
        Err(_) => Ok(None),
    }
}

/// Whether an expected output is the output itself: most are sentences about it.
pub(super) fn is_literal(expected: &str) -> bool {
    let lines: Vec<&str> = expected.trim().lines().collect();
    let marked = lines.iter().filter(|line| {
        line.starts_with(['#', '{', '[', '|', '-', '<'])
            || line.ends_with(['}', ']', '|', ';', '{'])
    });
    lines.len() >= 2 && marked.count() * 2 >= lines.len()
}
