//! The words and the order of verdicts. The rules that lead to them are in
//! [`statistics/verdict.rs`](crate::statistics::Evidence).

use crate::statistics::{ClaimScope, Verdict};

impl Verdict {
    /// The verdict in lower-case words, for programs.
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

    /// The verdict with this word, also one from before the present scale.
    pub fn from_word(word: &str, claim: ClaimScope) -> Option<Self> {
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

    /// The cases that it makes a claim about, where it settles something.
    pub fn claim(self) -> Option<ClaimScope> {
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

    pub(super) fn rank(self) -> usize {
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

impl ClaimScope {
    /// Its word, for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::CasesLikeThese => "cases like these",
            Self::TheseCases => "these cases",
        }
    }
}
