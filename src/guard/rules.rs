//! The rules: tables of what secrets look like, each row with a name, keywords, a pattern and values
//! to test it with.
//!
//! A keyword makes a place worth a look; the pattern is what follows it. A secret is the first group
//! of the pattern that takes part; a value that begins there, where the group is empty; or all from
//! the keyword on, where there is no group. What a pattern cannot say, a check does.

mod named;
mod tokens;

#[cfg(test)]
pub(super) mod tests;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use regex::bytes::{Match, Regex, RegexBuilder};

use crate::guard::homes;
use crate::guard::values::{
    before, begins, begins_alone, is_mixed, is_of_base64, is_placeholder, is_random,
};

/// What a finding is called in marks, problems and counts.
pub(super) type Label = &'static str;

/// One row of a table.
pub(super) struct Rule {
    /// What it finds.
    pub(super) label: Label,
    /// Texts, one of which stands right before what the pattern describes.
    pub(super) keywords: &'static [&'static str],
    /// How keywords are compared.
    pub(super) case: Case,
    /// How many bytes behind a keyword are looked at.
    pub(super) reach: usize,
    /// How the place of a keyword is looked at.
    pub(super) look: Look,
    /// Texts with what is found between `«` and `»`.
    #[cfg(test)]
    pub(super) finds: &'static [&'static str],
    /// Texts in which nothing is found.
    #[cfg(test)]
    pub(super) leaves: &'static [&'static str],
}

/// How a keyword is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    /// Letter by letter.
    Exact,
    /// In whatever case.
    Any,
    /// In whatever case, and no word goes on behind it but with the `s` of several.
    Word,
}

/// How the place of a keyword is looked at.
pub(super) enum Look {
    /// By what stands before the keyword and after it.
    Pattern { before: &'static str, after: &'static str, check: Check },
    /// By a program that finds one.
    One(fn(&[u8], usize) -> Option<Range<usize>>),
    /// By a program that finds several, and says up to where it looked.
    Many(fn(&[u8], usize, &mut Vec<Range<usize>>) -> usize),
    /// As the head of a column of secrets.
    Column,
}

/// What a secret must be besides fitting its pattern.
#[derive(Clone, Copy)]
pub(super) enum Check {
    /// The keyword says enough, unless a stand-in follows.
    Known,
    /// The keyword is a common word: what follows must look drawn at random.
    Random,
    /// The keyword ends longer names, too, or stands in any base64: nothing of these may be around it.
    Alone,
    /// It is a path with a digit.
    Path,
    /// What a program says; it may take less than the pattern did.
    By(fn(&Hit<'_>) -> Option<Range<usize>>),
}

/// A place that fits a pattern.
#[derive(Clone)]
pub(super) struct Hit<'t> {
    /// The text.
    pub(super) text: &'t [u8],
    /// Where the keyword begins.
    pub(super) at: usize,
    /// What may be secret.
    pub(super) value: Range<usize>,
}

/// Declares a table: its name, how keywords are compared, and how many bytes behind them are looked at.
macro_rules! rules {
    (@check known) => { $crate::guard::rules::Check::Known };
    (@check random) => { $crate::guard::rules::Check::Random };
    (@check alone) => { $crate::guard::rules::Check::Alone };
    (@check path) => { $crate::guard::rules::Check::Path };
    (@check $by:path) => { $crate::guard::rules::Check::By($by) };
    (@look one $by:path) => { $crate::guard::rules::Look::One($by) };
    (@look column) => { $crate::guard::rules::Look::Column };
    (@look many $by:path) => { $crate::guard::rules::Look::Many($by) };
    (@look before $before:literal $after:literal $($check:tt)+) => {
        $crate::guard::rules::Look::Pattern {
            before: $before, after: $after, check: rules!(@check $($check)+),
        }
    };
    (@look $after:literal $($check:tt)+) => { rules!(@look before "" $after $($check)+) };
    ($table:ident, $case:ident, reach $reach:literal:
        $($label:literal [$($keyword:literal)+] {$($look:tt)+}
            finds [$($finds:literal),* $(,)?] $(leaves [$($leaves:literal),* $(,)?])?;)+) => {
        pub(super) static $table: &[Rule] = &[$(Rule {
            label: $label,
            keywords: &[$($keyword),+],
            case: $crate::guard::rules::Case::$case,
            reach: $reach,
            look: rules!(@look $($look)+),
            #[cfg(test)]
            finds: &[$($finds),*],
            #[cfg(test)]
            leaves: &[$($($leaves),*)?],
        }),+];
    };
}
pub(super) use rules;

/// What stands in patterns between braces, as `{firm}`. A later one may hold an earlier one.
const SHORTHANDS: &[(&str, &str)] = &[
    ("{given}", "{plural}(?:{is}{value}|{pair}|{inside}|{default}|{fallback}|{loose}|{argument})"),
    // How a name goes on that still is the name of a secret.
    (
        "{plural}",
        "s?(?:[_-]?(?:[0-9]{1,2}|prod(?:uction)?|dev|staging|stage|test|live|old|new|main|primary|backup|value|base|plain|text|key|hex|raw|b64|base64)\\b)*",
    ),
    // What gives a value to a name, in whatever quotes that is.
    ("{is}", r#"[\\"'`\])*]{0,5}[ \t]{0,8}(?::=|:-|=>|->|={1,3}|:)[ \t]{0,8}\*{0,2}[ \t]{0,8}"#),
    // An element of XML, or one that an attribute names.
    ("{inside}", r#"["']?(?:\s[^<>\n]*)?>()"#),
    // An attribute or a key `value` behind that of the name.
    (
        "{pair}",
        r#"\\*["']?(?:,?\s{1,40}|\s{0,4}:\s{0,4}\{\s{0,40})(?:[\w-]+=["'][^"'\n]*["']\s+){0,2}\\*["']?value\\*["']?\s{0,4}[:=]\s{0,4}{value}"#,
    ),
    // A variable of Terraform.
    ("{default}", r#""\s*\{[^{}]*?\bdefault\s*=\s*"()"#),
    // What is taken where a variable is not set.
    ("{fallback}", r#"["'\])]{0,3}\s{0,4}(?:\|\||\?\?|\bor\b)\s{0,4}["']()"#),
    // Prose and cells of a table.
    (
        "{loose}",
        r#"["'`*]{0,3}(?:[ \t]{0,20}\|[ \t]{0,20}[`*"']{0,3}()| (?:(?:is|was|to|with|of|=) )?(?:now |set to )?(?:\*{0,2}["'`]|\*\*)()| (?:is|was) ())"#,
    ),
    // The second of two arguments, or the only one of a call that the name is.
    ("{argument}", r#"["'`\])]{0,3}[,(][ \t]{0,4}["']()"#),
    ("{value}", r#"\\*["'`]?()"#),
    // A word of a command, in quotes or not.
    ("{word}", r#"["']?()[^\s"'`$<-]"#),
];

/// What a pattern says once its shorthands are written out.
fn written_out(pattern: &str) -> String {
    SHORTHANDS.iter().fold(pattern.to_owned(), |text, (name, long)| text.replace(name, long))
}

/// How many bytes before a keyword are looked at.
const BEFORE: usize = 96;

/// A rule with its patterns, which are made when they are first needed.
pub(super) struct Kind {
    /// The rule.
    pub(super) rule: &'static Rule,
    patterns: OnceLock<Option<(Option<Regex>, Regex)>>,
}

/// Every rule, those first whose label counts where several find the same.
pub(super) static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    let rules = tokens::TOKENS
        .iter()
        .chain(named::HEADERS)
        .chain(named::NAMED)
        .chain(named::COMMANDS)
        .chain(HOMES);
    rules.map(|rule| Kind { rule, patterns: OnceLock::new() }).collect()
});

/// What the cells of a column of secrets are called.
pub(super) const COLUMN: Label = "column of secrets";

/// How many of the first [`KINDS`] are secrets of known shape, wherever they stand.
pub(super) const KNOWN: usize = tokens::TOKENS.len();

rules! { HOMES, Exact, reach 0:

"home folder" ["/home" "/Users" "\\Users\\" "/root"] {one homes::home}
    finds [] leaves ["https://example.com/home/dashboard/x and a/Users/b", "./root/x and /roots/a, ~/home/x, $HOME/home/y"];
}

impl Kind {
    /// Adds what is secret where one of the keywords stands; up to where it need not look again.
    pub(super) fn find(
        &self,
        text: &[u8],
        keyword: Range<usize>,
        found: &mut Vec<Range<usize>>,
    ) -> usize {
        let one = match self.rule.look {
            Look::Many(find) => return find(text, keyword.start, found),
            Look::Column => None,
            Look::One(find) => find(text, keyword.start),
            Look::Pattern { before, after, check } => {
                self.fit(text, keyword, (before, after), check)
            }
        };
        let end = one.as_ref().map_or(0, |range| range.end);
        found.extend(one);
        end
    }

    pub(super) fn patterns(&self, before: &str, after: &str) -> Option<&(Option<Regex>, Regex)> {
        let make = |pattern: &str| {
            let mut builder = RegexBuilder::new(pattern);
            builder.unicode(false).case_insensitive(self.rule.case != Case::Exact).build().ok()
        };
        let both = || {
            let after = make(&format!(r"\A(?:{})", written_out(after)))?;
            Some(((!before.is_empty()).then(|| make(before)).flatten(), after))
        };
        self.patterns.get_or_init(both).as_ref()
    }

    /// Whether its keywords are heads of columns.
    pub(super) fn is_column(&self) -> bool {
        matches!(self.rule.look, Look::Column)
    }

    /// Whether its patterns can be made.
    #[cfg(test)]
    fn is_made(&self) -> bool {
        match self.rule.look {
            Look::Pattern { before, after, .. } => self.patterns(before, after).is_some(),
            Look::One(_) | Look::Many(_) | Look::Column => true,
        }
    }

    fn fit(
        &self,
        text: &[u8],
        keyword: Range<usize>,
        (before, after): (&str, &str),
        check: Check,
    ) -> Option<Range<usize>> {
        let (before, after) = self.patterns(before, after)?;
        let is_word = text[keyword.start].is_ascii_alphanumeric() && !matches!(check, Check::By(_));
        let mut start = keyword.start;
        let mut first = start;
        if let Some(before) = before {
            let from = start.saturating_sub(BEFORE);
            let head = &text[from..start];
            if !before.is_match(head) {
                return None;
            }
            if before.captures_len() > 1 {
                let found = before.captures(head)?;
                (first, start) = (from + found.get(0)?.start(), from + found.get(1)?.start());
            }
        }
        if (is_word || first < keyword.start) && !begins(text, first) {
            return None;
        }
        let rest = &text[keyword.end..text.len().min(keyword.end + self.rule.reach)];
        let found = after.is_match(rest).then(|| after.captures(rest)).flatten()?;
        let group = found.iter().skip(1).flatten().next();
        let end = keyword.end + found.get(0)?.end();
        let inner = |group: Match<'_>| keyword.end + group.start()..keyword.end + group.end();
        let value = match group.map(inner) {
            Some(value) if value.is_empty() => value.start..value_end(text, value.start)?,
            value => value.unwrap_or(start..end),
        };
        let is_whole = start < keyword.start;
        let body_start = if is_whole { start } else { value.start.max(keyword.end) };
        let body = &text[body_start..value.end];
        let goes_on = group.is_none() && text.get(end).is_some_and(u8::is_ascii_alphanumeric);
        let is_alone = || {
            begins_alone(text, start)
                && !text.get(end).is_some_and(|byte| is_of_base64(*byte) || *byte == b'_')
        };
        let is_one = match check {
            Check::Known => !goes_on && !is_stand_in_of_token(body),
            Check::Random => !goes_on && is_random(body),
            Check::Alone => is_alone() && (is_random(body) || is_mixed(body)),
            Check::Path => body.iter().any(u8::is_ascii_digit) && !is_placeholder(body),
            Check::By(check) => return check(&Hit { text, at: keyword.start, value }),
        };
        is_one.then_some(value)
    }
}

/// Bytes of a value; more are no secret.
const LONGEST_VALUE: usize = 320;

/// Where a value ends that begins at `at`: at the quote that closes it, or where a word does.
fn value_end(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..text.len().min(at + LONGEST_VALUE)];
    let Some(quote @ (b'"' | b'\'' | b'`')) = before(text, at) else {
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`<>\\|".contains(byte);
        let length = rest.iter().position(is_end).unwrap_or(rest.len());
        let is_element = before(text, at) == Some(b'>');
        return (!is_element || rest.get(length) == Some(&b'<')).then_some(at + length);
    };
    // As many backslashes stand before the quote that closes as before the one that opens.
    let escapes = |end: usize| text[..end].iter().rev().take_while(|byte| **byte == b'\\').count();
    let own = escapes(at - 1);
    let ends = |end: &usize| text[*end] == quote && escapes(*end) == own;
    let line = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    (at..at + line).find(ends).map(|end| end - own)
}

/// Whether `body` stands for a token in documentation: words, or one letter repeated.
fn is_stand_in_of_token(body: &[u8]) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_');
    let different: BTreeSet<u8> = body.iter().map(u8::to_ascii_lowercase).collect();
    different.len() < 4 || (body.iter().all(is_word) && is_placeholder(body))
}
