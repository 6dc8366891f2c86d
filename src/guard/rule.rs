//! What a row of the tables of rules holds, and what all finders share.

use std::borrow::Cow;
use std::ops::Range;

/// How far before its first byte a finder looks.
pub(super) const BEHIND: usize = 8 * 1024;

/// The longest secret, in bytes; what is longer is no secret of these shapes.
pub(super) const LONGEST: usize = 16 * 1024;

/// What a finding is called in marks, problems and counts.
pub(super) type Label = &'static str;

/// What a home is called.
pub(super) const HOME: Label = "home folder";

/// What the workspace's own folder is called.
pub(super) const WORKSPACE: Label = "workspace folder";

/// What stands in the place of such a secret: plain ASCII, without a quote, that is text in every
/// format.
pub(super) fn mark(label: Label) -> Cow<'static, str> {
    match label {
        HOME => "~".into(),
        WORKSPACE => ".".into(),
        label => format!("[redacted: {label}]").into(),
    }
}

/// Whether it is a folder of a machine: made relative, and no secret that leaked.
pub(super) fn is_folder(label: Label) -> bool {
    matches!(label, HOME | WORKSPACE)
}

/// Places of a text, as finders add to them.
pub(super) type Ranges = Vec<Range<usize>>;

/// A secret that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The bytes to replace.
    pub(super) range: Range<usize>,
    /// The number of its rule.
    pub(super) shape: usize,
}

/// One row of a table.
pub(super) struct Rule {
    /// What it finds.
    pub(super) label: Label,
    /// Texts, one of which stands right before what the pattern describes.
    pub(super) keywords: &'static [&'static str],
    pub(super) case: Case,
    /// How many bytes behind a keyword are looked at.
    pub(super) reach: usize,
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
    /// Letter by letter; where it begins with a letter or digit, it may not go on a word.
    Exact,
    /// In whatever case.
    Any,
    /// In whatever case, and no word goes on behind it but with the `s` of several.
    Word,
}

/// How the place of a keyword is looked at.
pub(super) enum Look {
    /// By what stands before the keyword and after it; the check may take less than the pattern did.
    Pattern {
        before: &'static str,
        after: &'static str,
        check: fn(&Hit<'_>) -> Option<Range<usize>>,
    },
    /// By a program that finds one.
    One(fn(&[u8], Range<usize>) -> Option<Range<usize>>),
    /// By a program that finds several, and says up to where it looked.
    Many(fn(&[u8], Range<usize>, &mut Ranges) -> usize),
    /// As the head of a column of secrets.
    Column,
}

/// A place that fits a pattern.
#[derive(Clone)]
pub(super) struct Hit<'t> {
    pub(super) text: &'t [u8],
    pub(super) keyword: Range<usize>,
    /// What may be secret.
    pub(super) value: Range<usize>,
}

/// Declares a table: its name, how keywords are compared, and how many bytes behind them are looked at.
macro_rules! rules {
    (@look column) => { $crate::guard::rule::Look::Column };
    (@look one $by:path) => { $crate::guard::rule::Look::One($by) };
    (@look many $by:path) => { $crate::guard::rule::Look::Many($by) };
    (@look before $before:literal $after:literal $check:path) => {
        $crate::guard::rule::Look::Pattern { before: $before, after: $after, check: $check }
    };
    (@look $after:literal $check:path) => { rules!(@look before "" $after $check) };
    ($table:ident, $case:ident, reach $reach:literal:
        $($label:tt [$($keyword:literal)*] {$($look:tt)+}
            finds [$($finds:literal),* $(,)?] $(leaves [$($leaves:literal),* $(,)?])?;)+) => {
        pub(super) static $table: &[$crate::guard::rule::Rule] = &[$($crate::guard::rule::Rule {
            label: $label,
            keywords: &[$($keyword),*],
            case: $crate::guard::rule::Case::$case,
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
