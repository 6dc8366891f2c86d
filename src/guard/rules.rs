//! The rules: tables of the shapes of secrets. A keyword makes a place worth checking; the pattern
//! matches what follows. The secret is the first group of the pattern that participates; a value
//! that begins there, if the group is empty; or everything from the keyword on. A check decides
//! what a pattern cannot.

mod named;
mod tokens;

#[cfg(test)]
pub(super) mod tests;

use std::ops::Range;
use std::sync::LazyLock;

use crate::guard::context;
use crate::guard::context::TextTable;
use crate::guard::rule::{
    HOME, LetterCase, PatternHit, Ranges, RuleContext, SecretRule, WORKSPACE, rules,
};
use crate::guard::values::{Pattern, among, before, begins, leading, piece, trailing};

/// How many bytes before a keyword are examined.
const BEFORE: usize = 96;

/// A rule with its pattern, split into the bytes before and after a keyword.
pub(super) struct RuleKind {
    pub(super) rule: &'static SecretRule,
    before: Option<Pattern>,
    after: Pattern,
}

/// Every rule; when several match the same, the first one's label counts.
pub(super) static KINDS: LazyLock<Vec<RuleKind>> = LazyLock::new(|| {
    let tables = [tokens::TOKENS, named::HEADERS, named::NAMED, named::COMMANDS, FOLDERS];
    tables.into_iter().flatten().map(RuleKind::new).collect()
});

/// How many of the first [`KINDS`] are secrets of known shape, wherever they are.
pub(super) const KNOWN: usize = tokens::TOKENS.len();

// The keywords of the last one come from the machine.
rules! { FOLDERS, Exact, reach 0:

HOME ["/home" "/Users" "\\Users\\" "/root"] {one context::home}
    finds [] leaves ["https://example.com/home/dashboard/x and a/Users/b", "./root/x and /roots/a, ~/home/x, $HOME/home/y"];
WORKSPACE [] {many context::workspace} finds [];
}

impl RuleKind {
    fn new(rule: &'static SecretRule) -> Self {
        let flags = if rule.case == LetterCase::Exact { "(?-u)" } else { "(?i-u)" };
        let (before, after) = match rule.look {
            RuleContext::Pattern { before, after, .. } => (before, after),
            _ => ("", ""),
        };
        let before = (!before.is_empty()).then(|| Pattern::made(format!("{flags}{before}")));
        Self { rule, before, after: Pattern::made(format!(r"{flags}\A(?:{after})")) }
    }

    #[cfg(test)]
    fn is_made(&self) -> bool {
        self.before.iter().chain([&self.after]).all(|pattern| pattern.regex().is_some())
    }

    /// Adds the secrets up to `end` that a keyword leads to; returns where to resume. `table`
    /// becomes the one that continues there.
    pub(super) fn find(
        &self,
        text: &[u8],
        keyword: Range<usize>,
        end: usize,
        table: &mut Option<TextTable>,
        ranges: &mut Ranges,
    ) -> usize {
        let one = match self.rule.look {
            RuleContext::Pattern { check, .. } => {
                self.fit(text, keyword).and_then(|hit| check(&hit))
            }
            RuleContext::One(find) => find(text, keyword),
            RuleContext::Many(find) => return find(text, keyword, ranges),
            RuleContext::Column => {
                let Some((head, rows)) = TextTable::at(text, keyword.start) else { return 0 };
                let is_open = head.rows(text, rows..end, ranges);
                *table = is_open.then_some(head);
                return ranges.last().map_or(rows, |last| last.end.max(rows));
            }
        };
        let end = one.as_ref().map_or(0, |range| range.end);
        ranges.extend(one);
        end
    }

    fn fit<'t>(&self, text: &'t [u8], keyword: Range<usize>) -> Option<PatternHit<'t>> {
        let is_word =
            self.rule.case == LetterCase::Exact && text[keyword.start].is_ascii_alphanumeric();
        let (mut first, mut start) = (keyword.start, keyword.start);
        if let Some(before) = self.before.as_ref().and_then(Pattern::regex) {
            let from = start.saturating_sub(BEFORE);
            let head = &text[from..start];
            if !before.is_match(head) {
                return None;
            }
            if before.captures_len() > 1 {
                let captures = before.captures(head)?;
                (first, start) = (from + captures.get(0)?.start(), from + captures.get(1)?.start());
            }
        }
        if (is_word || first < keyword.start) && !begins(text, first) {
            return None;
        }
        let after = self.after.regex()?;
        let rest = piece(text, keyword.end, self.rule.reach);
        let captures = after.is_match(rest).then(|| after.captures(rest)).flatten()?;
        let value = match captures.iter().skip(1).flatten().next().map(|group| group.range()) {
            None => start..keyword.end + captures.get(0)?.end(),
            Some(group) if group.is_empty() => {
                let start = keyword.end + group.start;
                start..value_end(text, start)?
            }
            Some(group) => keyword.end + group.start..keyword.end + group.end,
        };
        Some(PatternHit { text, keyword, value })
    }
}

/// The end of a value that begins at `at`: at its closing quote, or at the end of a word. A value
/// has at most 320 bytes.
fn value_end(text: &[u8], at: usize) -> Option<usize> {
    let rest = piece(text, at, 320);
    let Some(quote @ (b'"' | b'\'' | b'`')) = before(text, at) else {
        let length =
            leading(rest, |byte| !byte.is_ascii_whitespace() && !b"\"'`<>\\|".contains(&byte));
        let is_element = before(text, at) == Some(b'>');
        return (!is_element || rest.get(length) == Some(&b'<')).then_some(at + length);
    };
    // The closing quote follows as many backslashes as the opening one.
    let escapes = |end: usize| trailing(&text[..end], among(b"\\"));
    let escapes_before = escapes(at - 1);
    let ends = |end: &usize| text[*end] == quote && escapes(*end) == escapes_before;
    let line = leading(rest, |byte| byte != b'\n');
    (at..at + line).find(ends).map(|end| end - escapes_before)
}
