//! The words of verdicts for every page and file, and their order.

use crate::statistics::{Claim, Verdict};

/// What a gain is counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    PassRate,
    /// The mean score, 1 to 5.
    Score,
}

impl Measure {
    pub fn word(self) -> &'static str {
        match self {
            Self::PassRate => "pass rate",
            Self::Score => "score",
        }
    }

    /// The measure of those words; reports without them knew only the pass rate.
    pub fn of_word(word: &str) -> Self {
        if word == Self::Score.word() { Self::Score } else { Self::PassRate }
    }
}

impl Verdict {
    /// The verdict in lower-case words, as programs read it.
    pub fn word(self) -> &'static str {
        match self {
            Self::NoComparison => "no comparison",
            Self::Better(_) => "better",
            Self::Worse(_) => "worse",
            Self::ProbablyBetter => "probably better",
            Self::ProbablyWorse => "probably worse",
            Self::AboutTheSame(_) => "about the same",
            Self::Unclear => "unclear",
        }
    }

    /// The verdict of those words, or of the words that reports had before this scale.
    pub fn of_word(word: &str, claim: Claim) -> Option<Self> {
        Some(match word {
            "no comparison" | "not comparable" => Self::NoComparison,
            "better" | "better, settled" => Self::Better(claim),
            "worse" | "worse, settled" => Self::Worse(claim),
            "probably better" | "better, leaning" => Self::ProbablyBetter,
            "probably worse" | "worse, leaning" => Self::ProbablyWorse,
            "about the same" | "same" => Self::AboutTheSame(claim),
            "unclear" | "no measurable change" | "too few cases" => Self::Unclear,
            _ => return None,
        })
    }

    /// What it speaks of, where it settles something.
    pub fn claim(self) -> Option<Claim> {
        match self {
            Self::Better(claim) | Self::Worse(claim) | Self::AboutTheSame(claim) => Some(claim),
            _ => None,
        }
    }

    /// Whether it is settled as better or worse.
    pub fn is_settled(self) -> bool {
        matches!(self, Self::Better(_) | Self::Worse(_))
    }

    /// Whether it is bad news.
    pub fn is_worse(self) -> bool {
        matches!(self, Self::Worse(_) | Self::ProbablyWorse)
    }

    /// From the worst to the best.
    pub(in crate::analyze) fn rank(self) -> usize {
        match self {
            Self::Worse(_) => 0,
            Self::ProbablyWorse => 1,
            Self::NoComparison => 2,
            Self::Unclear | Self::AboutTheSame(_) => 3,
            Self::ProbablyBetter => 4,
            Self::Better(_) => 5,
        }
    }
}

impl Claim {
    /// Its words, as programs read them.
    pub fn word(self) -> &'static str {
        match self {
            Self::CasesLikeThese => "cases like these",
            Self::TheseCases => "these cases",
        }
    }
}
