//! What a person says of single checks, as lists in the review of a run.

use crate::scaffold::feedback_file::{field, quoted, words_of};
use json::Spanned;
use workspace::read::alias::{Field, feedback};

/// What a person says of one check of a run.
#[derive(Clone, Copy, Debug)]
pub enum CheckMark<'m> {
    /// Whether the grader is wrong on it.
    Disputed { check: &'m str, is: bool },
    /// Whether the output passes it: `passed`, `failed` or `unknown`; `None` takes that back.
    Judged { check: &'m str, outcome: Option<&'m str> },
}

impl CheckMark<'_> {
    /// The list of such marks in a review, and its key.
    pub(super) fn list(&self) -> (&'static Field, &'static str) {
        match self {
            Self::Disputed { .. } => (&feedback::DISPUTED, "disputed"),
            Self::Judged { .. } => (&feedback::JUDGED, "judged"),
        }
    }

    /// The item in that list; `None` where the mark is taken away.
    pub(super) fn item(&self) -> Option<String> {
        match self {
            Self::Disputed { check, is } => is.then(|| quoted(check)),
            Self::Judged { check, outcome } => {
                let (check, outcome) = (quoted(check), quoted(outcome.as_ref()?));
                Some(format!("{{ \"check\": {check}, \"outcome\": {outcome} }}"))
            }
        }
    }

    /// Whether an item of the list is about the same check.
    pub(super) fn is_about(&self, item: &Spanned<'_>) -> bool {
        match self {
            Self::Disputed { check, .. } => words_of(item).as_deref() == Some(*check),
            Self::Judged { check, .. } => {
                field(item, &feedback::CHECK).and_then(|found| found.as_text()) == Some(*check)
            }
        }
    }
}
