//! What became of the gain of a skill since an earlier iteration.

use super::paired::SETTLED_P;
use super::verdict::{Evidence, Verdict};

/// By how much one side moved between two iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    /// The mean difference by case, later minus earlier, in shares of 1.
    pub difference: f64,
    /// Two-sided p of the permutation of runs within cases, at most 1. With one run a side that
    /// permutation is the sign-flip test.
    pub p: f64,
}

impl Shift {
    /// The shift of a side by the evidence of its later runs against its earlier ones.
    pub fn new(evidence: &Evidence) -> Self {
        let p = evidence.permutation.unwrap_or(evidence.paired.p);
        Self { difference: evidence.paired.mean, p }
    }

    /// The shift with its p for so many `looks` (Bonferroni): the earlier iterations among which the
    /// last better one was looked for, times the conditions. An iteration looks better when its
    /// baseline has bad luck, and then the baseline "rises"; without this one of three models in five
    /// iterations that change nothing is named in 14 % of workspaces.
    pub fn among(self, looks: usize) -> Self {
        Self { p: (self.p * looks as f64).min(1.0), ..self }
    }

    fn has_risen(self) -> bool {
        self.difference > 0.0 && self.p <= SETTLED_P
    }

    fn has_fallen(self) -> bool {
        self.difference < 0.0 && self.p <= SETTLED_P
    }
}

/// What became of a gain, in the order of the rules: the first that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedOutcome {
    /// It was better and is worse.
    SignFlip,
    /// It was better and is not, and the side with the skill fell beyond chance.
    LostIt,
    /// It was better and is not; the side without the skill rose beyond chance, and the side with it
    /// did not fall so.
    BaselineCaughtUp,
    /// It is better or probably better.
    StillEarns,
}

impl NamedOutcome {
    /// The outcome of a gain with the verdict `now`. `shifts` are those of the side with the skill and
    /// of the side without it since the last iteration that was better; `None` where none was.
    pub fn new(now: Verdict, shifts: Option<[Shift; 2]>) -> Option<Self> {
        if matches!(now, Verdict::Better(_) | Verdict::ProbablyBetter) {
            return Some(Self::StillEarns);
        }
        let [with_skill, without_skill] = shifts?;
        // A sign flip is the worst of the three, even where the baseline rose as well.
        if matches!(now, Verdict::Worse(_)) {
            Some(Self::SignFlip)
        } else if with_skill.has_fallen() {
            Some(Self::LostIt)
        } else if without_skill.has_risen() {
            Some(Self::BaselineCaughtUp)
        } else {
            None
        }
    }

    /// Whether the gain went since an earlier iteration.
    pub fn is_loss(self) -> bool {
        self != Self::StillEarns
    }

    /// In the order of the variants, with their words.
    const WORDS: [(Self, &'static str); 4] = [
        (Self::SignFlip, "sign flip"),
        (Self::LostIt, "lost it"),
        (Self::BaselineCaughtUp, "baseline caught up"),
        (Self::StillEarns, "still earns"),
    ];

    /// The outcome in lower-case words, for programs.
    pub fn word(self) -> &'static str {
        Self::WORDS[self as usize].1
    }

    /// The outcome with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Some(Self::WORDS.into_iter().find(|(_, known)| *known == word)?.0)
    }
}
