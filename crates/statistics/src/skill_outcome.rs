//! What became of the gain of a skill since an earlier iteration.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::paired::{PairedGain, SETTLED_P};
use super::verdict::{Evidence, Verdict};

/// By how much one side, or the gain, moved between two iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    /// The mean difference by case, later minus earlier, in shares of 1.
    pub difference: f64,
    /// Two-sided p of the permutation of runs within cases, at most 1. With one run a side that
    /// permutation is the sign-flip test, and of a gain it is that test always.
    pub p: f64,
}

/// What moved between two iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moves {
    /// Of the side with the skill.
    pub with_skill: Shift,
    /// Of the side without it.
    pub without_skill: Shift,
    /// Of the gain by case: one gain that is significant and one that is not do not differ by that.
    pub gain: Shift,
}

impl Shift {
    /// The shift of a side by the evidence of its later runs against its earlier ones.
    pub fn new(evidence: &Evidence) -> Self {
        let p = evidence.permutation.unwrap_or(evidence.paired.p);
        Self { difference: evidence.paired.mean, p }
    }

    /// The shift of a gain by its change in each case; `None` without a case.
    pub fn of_gain(changes: &[f64]) -> Option<Self> {
        let paired = PairedGain::new(changes)?;
        Some(Self { difference: paired.mean, p: paired.p })
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    /// The outcome of a gain with the verdict `now`. `moves` are those since the last iteration that was
    /// better; `None` where none was. Nothing is lost unless the gain itself fell.
    pub fn new(now: Verdict, moves: Option<Moves>) -> Option<Self> {
        if matches!(now, Verdict::Better(_) | Verdict::ProbablyBetter) {
            return Some(Self::StillEarns);
        }
        let Moves { with_skill, without_skill, gain } = moves?;
        if !gain.has_fallen() {
            return None;
        }
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
}
