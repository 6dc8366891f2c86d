//! Whether a skill earns its place, from its verdict and from what became of it over time.

use crate::analyze::{ClaimScope, NamedOutcome, Side, Verdict, is_earlier_version};
use crate::chart::inline::Tone;
use crate::render::data::questions;
use crate::render::data::summary::WorkspaceSummary;

/// In the order of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    /// Worse or probably worse, under any condition.
    Worse,
    /// The last change made it worse, or repeated runs lost a check since then.
    Fell,
    /// It was better and is not: the baseline caught up, or the skill lost it.
    LostGain,
    /// About the same with the skill and without.
    NoGain,
    /// Too little to decide.
    Open,
    /// Better than an earlier version of itself, and not tested without the skill.
    Improved,
    /// Better or probably better, under one condition at least and worse under none.
    Earns,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Attention,
    Open,
    Improved,
    Earns,
}

impl Group {
    pub(super) const ALL: [Self; 4] = [Self::Attention, Self::Open, Self::Improved, Self::Earns];

    /// The keys of its title and of what it says.
    pub(super) fn texts(self) -> [&'static str; 2] {
        match self {
            Self::Attention => ["catalogue.needs_attention", "catalogue.why_attention"],
            Self::Open => ["catalogue.not_decided", "catalogue.why_open"],
            Self::Improved => ["catalogue.improved_group", "catalogue.why_improved"],
            Self::Earns => ["catalogue.earns_place", "catalogue.why_earns"],
        }
    }
}

impl Standing {
    pub(super) const ALL: [Self; 7] = [
        Self::Worse,
        Self::Fell,
        Self::LostGain,
        Self::NoGain,
        Self::Open,
        Self::Improved,
        Self::Earns,
    ];

    pub(super) fn new(workspace: &WorkspaceSummary) -> Self {
        let mut verdicts = Vec::new();
        for condition in &workspace.conditions {
            verdicts.extend(Verdict::from_word(&condition.verdict, ClaimScope::CasesLikeThese));
        }
        let outcome = workspace.named_outcome();
        if questions::is_unmeasured(&workspace.questions) {
            return Self::Open;
        }
        let is_worse = verdicts.iter().any(|verdict| verdict.is_worse());
        if is_worse || questions::is_worse(&workspace.questions, "helps") {
            Self::Worse
        } else if questions::is_worse(&workspace.questions, "changed") {
            Self::Fell
        } else if outcome.is_some_and(NamedOutcome::is_loss) {
            Self::LostGain
        } else if verdicts.iter().copied().any(is_better) {
            if is_against_earlier(workspace) { Self::Improved } else { Self::Earns }
        } else if !verdicts.is_empty()
            && verdicts.iter().copied().all(is_same)
            && !questions::is_parity(&workspace.questions)
        {
            Self::NoGain
        } else {
            Self::Open
        }
    }

    pub(super) fn group(self) -> Group {
        match self {
            Self::Worse | Self::Fell | Self::LostGain | Self::NoGain => Group::Attention,
            Self::Open => Group::Open,
            Self::Improved => Group::Improved,
            Self::Earns => Group::Earns,
        }
    }

    /// In the ids and classes of the page, and as the value that the filter asks for.
    pub(super) fn name(self) -> &'static str {
        ["worse", "fell", "lost", "same", "open", "improved", "earns"][self as usize]
    }

    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Worse => "catalogue.worse",
            Self::Fell => "catalogue.fell",
            Self::LostGain => "catalogue.lost_gain",
            Self::NoGain => "catalogue.no_gain",
            Self::Open => "catalogue.undecided",
            Self::Improved => "catalogue.improved",
            Self::Earns => "catalogue.earning",
        }
    }

    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Worse | Self::Fell => "▼",
            Self::LostGain | Self::NoGain => "=",
            Self::Open => "?",
            Self::Improved | Self::Earns => "▲",
        }
    }

    pub(super) fn tone(self) -> Tone {
        match self {
            Self::Worse | Self::Fell => Tone::Worse,
            Self::LostGain | Self::NoGain | Self::Open => Tone::Neutral,
            Self::Improved | Self::Earns => Tone::Better,
        }
    }
}

/// Whether a skill is compared with an earlier state of itself.
pub(super) fn is_against_earlier(workspace: &WorkspaceSummary) -> bool {
    let WorkspaceSummary { candidate: Some(candidate), other: Some(other), .. } = workspace else {
        return false;
    };
    let [before, after] = [other, candidate].map(|side| Side::new(0, &side.configuration));
    other.iteration != candidate.iteration || is_earlier_version(&before, &after)
}

fn is_better(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Better(_) | Verdict::ProbablyBetter)
}

fn is_same(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::AboutTheSame(_))
}
