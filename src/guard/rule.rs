//! The row of a table of rules, the basics that all finders share, and the findings in one file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::model::Place;

/// How far back from its first byte a finder looks.
pub(super) const BEHIND: usize = 8 * 1024;

/// The longest secret, in bytes; longer texts are not secrets of these shapes.
pub(super) const LONGEST: usize = 16 * 1024;

/// The name of a finding in marks, problems and counts.
pub(super) type Label = &'static str;

pub(super) const HOME: Label = "home folder";

pub(super) const WORKSPACE: Label = "workspace folder";

/// Plain ASCII without quotes, so that it is text in every format.
pub(super) fn mark(label: Label) -> Cow<'static, str> {
    match label {
        HOME => "~".into(),
        WORKSPACE => ".".into(),
        label => format!("[redacted: {label}]").into(),
    }
}

/// Whether it is a folder of a machine: made relative, but not a leaked secret.
pub(super) fn is_folder(label: Label) -> bool {
    matches!(label, HOME | WORKSPACE)
}

pub(super) type Ranges = Vec<Range<usize>>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundSecret {
    pub(super) range: Range<usize>,
    /// The number of its rule.
    pub(super) shape: usize,
}

pub(super) struct SecretRule {
    pub(super) label: Label,
    /// Texts, one of which directly precedes the match of the pattern.
    pub(super) keywords: &'static [&'static str],
    pub(super) case: LetterCase,
    /// How many bytes after a keyword are examined.
    pub(super) reach: usize,
    pub(super) look: RuleContext,
    /// Texts with matches between `«` and `»`.
    #[cfg(test)]
    pub(super) finds: &'static [&'static str],
    #[cfg(test)]
    pub(super) leaves: &'static [&'static str],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LetterCase {
    /// Letter by letter; if it begins with a letter or digit, it may not continue a word.
    Exact,
    Any,
    /// In any case, and no word continues after it except with a plural `s`.
    Word,
}

/// How the place of a keyword is examined.
pub(super) enum RuleContext {
    /// By the text before and after the keyword; the check may take less than the pattern did.
    Pattern {
        before: &'static str,
        after: &'static str,
        check: fn(&PatternHit<'_>) -> Option<Range<usize>>,
    },
    /// By a function that finds one.
    One(fn(&[u8], Range<usize>) -> Option<Range<usize>>),
    /// By a function that finds several, and returns how far it looked.
    Many(fn(&[u8], Range<usize>, &mut Ranges) -> usize),
    Column,
}

/// A place that matches a pattern.
#[derive(Clone)]
pub(super) struct PatternHit<'t> {
    pub(super) text: &'t [u8],
    pub(super) keyword: Range<usize>,
    /// The possible secret.
    pub(super) value: Range<usize>,
}

/// Declares a table: its name, how keywords are compared, and how many bytes after them are
/// examined.
macro_rules! rules {
    (@look column) => { $crate::guard::rule::RuleContext::Column };
    (@look one $by:path) => { $crate::guard::rule::RuleContext::One($by) };
    (@look many $by:path) => { $crate::guard::rule::RuleContext::Many($by) };
    (@look before $before:literal $after:literal $check:path) => {
        $crate::guard::rule::RuleContext::Pattern { before: $before, after: $after, check: $check }
    };
    (@look $after:literal $check:path) => { rules!(@look before "" $after $check) };
    ($table:ident, $case:ident, reach $reach:literal:
        $($label:tt [$($keyword:literal)*] {$($look:tt)+}
            finds [$($finds:literal),* $(,)?] $(leaves [$($leaves:literal),* $(,)?])?;)+) => {
        pub(super) static $table: &[$crate::guard::rule::SecretRule] = &[$($crate::guard::rule::SecretRule {
            label: $label,
            keywords: &[$($keyword),*],
            case: $crate::guard::rule::LetterCase::$case,
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

/// The findings of this scan in one file.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) found: FoundInFile,
    /// Where each place's mark begins in the displayed file.
    pub(super) shown: Vec<Place>,
    pub(super) bytes: u64,
}

/// The secrets and home folders in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FoundInFile {
    /// How often each was replaced in the file.
    pub(super) replaced: BTreeMap<Label, usize>,
    /// The first secrets, each with its line and column in the original file.
    pub(super) places: Vec<(Place, Label)>,
    pub(super) is_binary: bool,
}

impl FoundInFile {
    pub(super) fn count(&mut self, label: Label) {
        *self.replaced.entry(label).or_default() += 1;
    }

    /// Whether the secrets of the file stay in it, since it is not text.
    pub(super) fn cannot_be_redacted(&self) -> bool {
        self.is_binary && !self.places.is_empty()
    }

    pub(super) fn is_redacted(&self) -> bool {
        !self.is_binary && !self.replaced.is_empty()
    }
}
