//! The guide to the words of the pages, and the way from a word to its entry.

use serde::Serialize;

use crate::analyze::VerdictWord;
use crate::language::Language;
use crate::render::context::{Page, View, view};

/// The entries by their keys in the table of words; the words of the first screen come first.
const ENTRIES: &str = "points range verdict probably unclear all_cases chance passed overlap regressed \
    failing checks inconsistent tries costs best still_earns caught_up sign_flip lost_it gaps agreement blind recorded";

pub(super) fn view(page: &Page<'_>) -> View {
    let entries: Vec<&str> = ENTRIES.split(' ').collect();
    view!({ "frame": page.frame(page.language.text("page.guide"), None), "entries": entries })
}

/// A word that is explained where it is used: its meaning, and the place of its entry.
#[derive(Serialize)]
pub(super) struct Term {
    href: String,
    text: String,
}

impl Term {
    pub(super) fn new(page: &Page<'_>, entry: &str) -> Self {
        let href = format!("{}#{entry}", page.to_file("guide.html"));
        Self { href, text: meaning(page.language, entry).to_owned() }
    }

    /// That of the large word of a comparison; `None` where nothing is compared.
    pub(super) fn of_verdict(page: &Page<'_>, word: VerdictWord) -> Option<Self> {
        let entry = match word {
            VerdictWord::NoComparison | VerdictWord::NotDecided => return None,
            VerdictWord::Better
            | VerdictWord::Worse
            | VerdictWord::BetterOnTheseCases
            | VerdictWord::WorseOnTheseCases => "verdict",
            VerdictWord::ProbablyBetter | VerdictWord::ProbablyWorse => "probably",
            VerdictWord::UpInAll { .. } | VerdictWord::DownInAll { .. } => "all_cases",
            VerdictWord::UpInSome { .. } | VerdictWord::DownInSome { .. } => "unclear",
            VerdictWord::AboutTheSame { .. }
            | VerdictWord::Mixed
            | VerdictWord::NoClearDifference => "unclear",
        };
        Some(Self::new(page, entry))
    }
}

/// What the entry says.
pub(super) fn meaning<'l>(language: &'l Language, entry: &str) -> &'l str {
    language.entry(&["guide", entry, "text"])
}
