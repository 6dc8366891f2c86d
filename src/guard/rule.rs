//! What a row of the tables of rules holds, what all finders share, and what they found in one file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::model::Place;

/// How far before its first byte a finder looks.
pub(super) const BEHIND: usize = 8 * 1024;

/// The longest secret, in bytes; what is longer is no secret of these shapes.
pub(super) const LONGEST: usize = 16 * 1024;

/// What a finding is called in marks, problems and counts.
pub(super) type Label = &'static str;

pub(super) const HOME: Label = "home folder";

pub(super) const WORKSPACE: Label = "workspace folder";

/// Plain ASCII, without a quote, that is text in every format.
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

pub(super) type Ranges = Vec<Range<usize>>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundSecret {
    pub(super) range: Range<usize>,
    /// The number of its rule.
    pub(super) shape: usize,
}

pub(super) struct SecretRule {
    pub(super) label: Label,
    /// Texts, one of which stands right before what the pattern describes.
    pub(super) keywords: &'static [&'static str],
    pub(super) case: LetterCase,
    /// How many bytes behind a keyword are looked at.
    pub(super) reach: usize,
    pub(super) look: RuleContext,
    /// Texts with what is found between `«` and `»`.
    #[cfg(test)]
    pub(super) finds: &'static [&'static str],
    #[cfg(test)]
    pub(super) leaves: &'static [&'static str],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LetterCase {
    /// Letter by letter; where it begins with a letter or digit, it may not go on a word.
    Exact,
    Any,
    /// In whatever case, and no word goes on behind it but with the `s` of several.
    Word,
}

/// How the place of a keyword is looked at.
pub(super) enum RuleContext {
    /// By what stands before the keyword and after it; the check may take less than the pattern did.
    Pattern {
        before: &'static str,
        after: &'static str,
        check: fn(&PatternHit<'_>) -> Option<Range<usize>>,
    },
    /// By a program that finds one.
    One(fn(&[u8], Range<usize>) -> Option<Range<usize>>),
    /// By a program that finds several, and says up to where it looked.
    Many(fn(&[u8], Range<usize>, &mut Ranges) -> usize),
    Column,
}

/// A place that fits a pattern.
#[derive(Clone)]
pub(super) struct PatternHit<'t> {
    pub(super) text: &'t [u8],
    pub(super) keyword: Range<usize>,
    /// What may be secret.
    pub(super) value: Range<usize>,
}

/// Declares a table: its name, how keywords are compared, and how many bytes behind them are looked at.
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

/// What the scan of this run found in one file.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) found: FoundInFile,
    /// Where the mark of each of its places begins in the file as it is shown.
    pub(super) shown: Vec<Place>,
    pub(super) bytes: u64,
}

/// What was found at one path, by label, as a part of a report keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FoundInFile {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub in_name: Vec<String>,
    /// How often each was replaced in the file.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub replaced: BTreeMap<String, usize>,
    /// The first secrets, each with its line and column in the file as it was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<(usize, usize, String)>,
    #[serde(rename = "binary", skip_serializing_if = "std::ops::Not::not")]
    pub is_binary: bool,
}

impl FoundInFile {
    pub(super) fn count(&mut self, label: Label) {
        *self.replaced.entry(label.to_owned()).or_default() += 1;
    }

    /// Whether the secrets of the file stay in it, as it is no text.
    pub(super) fn cannot_be_redacted(&self) -> bool {
        self.is_binary && !self.places.is_empty()
    }

    pub(super) fn is_redacted(&self) -> bool {
        !self.is_binary && !self.replaced.is_empty()
    }

    pub(super) fn labels(&self) -> impl Iterator<Item = &String> {
        let in_places = self.places.iter().map(|(.., label)| label);
        self.in_name.iter().chain(self.replaced.keys()).chain(in_places)
    }
}
