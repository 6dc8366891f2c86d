//! What of the news comes first, and which of it makes the figures no measurement.

use crate::digest::news::{AuthorNote, CostMove, Finding};

/// From this rank on news stands in lists only, and on no first screen.
pub(crate) const LISTED_RANK: u32 = 900;

/// Rates that differ by so much, in shares of 1, are those of other checks.
const FAR_APART: f64 = 0.15;

impl Finding {
    /// The order in which news is told: whether the runs can be believed, a rerun, what happened since
    /// the last round, what carries the gain, parity, failures, costs.
    pub(crate) fn rank(&self) -> u32 {
        match self {
            Self::Voided { .. } => 100,
            Self::PromptsCut { .. } => 105,
            // Where the side without the skill fails as well, no description helps.
            Self::NothingPasses { is_of_both: true, .. } => 106,
            Self::NeverLoaded { .. } => 108,
            Self::NothingPasses { .. } => 110,
            Self::ImpossibleTimes { is_impossible: true, .. } => 119,
            // Who read the checks had no need of the skill, and two sides that had it are one.
            Self::ReadAnswers { read_checks: true, .. }
            | Self::ReadAnswers { had_skill: true, .. } => 118,
            Self::NotLoaded { .. } => 120,
            Self::Stopped { .. } => 122,
            Self::EmptyAnswers { .. } => 124,
            Self::ReadAnswers { .. } => 125,
            Self::ToolDenied { .. } => 128,
            Self::NoAnswer { .. } => 130,
            Self::SameEvidence { .. } => 140,
            Self::Carried { .. } => 150,
            Self::ImpossibleTimes { .. } => 160,
            Self::OddCost { .. } => 170,
            // Whoever reads older figures has to know first.
            Self::UngradedNewer { .. } => 190,
            Self::GradedBefore { .. } | Self::EqualGradings { .. } => 180,
            _ => self.rank_of_result(),
        }
    }

    /// The same of what does not doubt the runs.
    fn rank_of_result(&self) -> u32 {
        match self {
            Self::Rerun { .. } => 200,
            Self::GainGone { .. } => 280,
            Self::OtherFell { .. } => 290,
            Self::Since { lost: 1.., .. } => 300,
            Self::Worse { is_earlier: true, .. } => 310,
            Self::NotRunAgain { .. } => 295,
            Self::GradedPairs { .. } => 318,
            Self::NoVerdict { .. } => 320,
            Self::GradersDisagree { .. } => 330,
            Self::NotRun { .. } => 335,
            Self::OneSided { .. } => 337,
            Self::Since { .. } => 340,
            Self::NewChecks { .. } => 342,
            Self::PartialRerun { .. } => 345,
            Self::RulerMoved { .. } => 350,
            Self::NothingMoved { .. } => 360,
            Self::KeywordSearch { .. } => 375,
            Self::StayOut { .. } => 378,
            // One check in fifty is not what the author of a skill wants to hear first.
            Self::Worse { is_minor: false, .. } => 380,
            Self::Noted { case: Some(_), .. } => 390,
            Self::CannotPass { checks, gained, .. } if checks * 4 >= *gained => 400,
            Self::CannotPass { .. } => 540,
            Self::OneCheck { .. } => 410,
            Self::OneWord { .. } => 411,
            Self::OneStep { .. } => 420,
            Self::OneCase { .. } => 421,
            Self::TooEasy { .. } => 425,
            Self::FailsOnBoth { is_minor: false, .. } => 430,
            Self::FailsOnBoth { .. } => 535,
            Self::ThirdSide { .. } => 435,
            Self::NoRegression { .. } | Self::NoDifference { .. } => 440,
            Self::Fails { .. } => 450,
            Self::BetterCandidate { .. } => 490,
            Self::Gained { .. } | Self::Steadier { .. } => 510,
            Self::Worse { .. } => 512,
            Self::TwoFigures { .. } | Self::RoundFigures { .. } => 515,
            // Where the runs have no costs, what is many times the other side's is more than an example.
            Self::RecordedCosts { costs, .. } if costs.iter().any(CostMove::is_large) => 435,
            Self::Costs { .. } | Self::RecordedCosts { .. } => 520,
            Self::RestPasses { .. } => 530,
            // A note in the same file is about those figures.
            Self::RecordedDiffers { recorded, counted, .. }
                if (recorded - counted).abs() >= FAR_APART =>
            {
                470
            }
            Self::RecordedDiffers { .. } => 560,
            Self::Runaway { turns_totals: true, .. } => 480,
            Self::Runaway { .. } | Self::HadErrors { .. } | Self::NoOutput { .. } => LISTED_RANK,
            Self::NoRatio { .. } => 568,
            Self::NoOther { .. } | Self::RecordedOther { .. } => 580,
            // An author's word comes last, and what doubts the runs has its rank above.
            _ => 800,
        }
    }

    /// Whether it makes the figures no measurement of the skill: half of the runs of a side and more.
    pub(crate) fn voids(&self) -> bool {
        match self {
            Self::Voided { .. }
            | Self::NothingPasses { is_of_both: true, .. }
            | Self::SameEvidence { .. } => true,
            Self::ImpossibleTimes { is_impossible, .. } => *is_impossible,
            Self::ReadAnswers { were_given: true, runs, of, .. }
            | Self::ReadAnswers { had_skill: true, runs, of, .. } => runs * 2 >= *of,
            Self::ToolDenied { checks, failed, graded, .. } => {
                checks * 2 >= *failed && checks * 5 >= *graded
            }
            Self::NoAnswer { runs, of, .. } => runs * 2 >= *of && *of >= 2,
            _ => false,
        }
    }

    /// The author's words that it is about.
    pub(crate) fn note(&self) -> Option<&AuthorNote> {
        match self {
            Self::Voided { note, .. } | Self::Noted { note, .. } => Some(note),
            Self::Rerun { note, .. } | Self::RecordedOther { note, .. } => note.as_ref(),
            _ => None,
        }
    }

    /// Whether it says that there is no other side.
    pub(crate) fn is_alone(&self) -> bool {
        matches!(self, Self::NoOther { .. } | Self::RecordedOther { .. })
    }

    /// Whether it is about the runs themselves, so that it is true of what is no measurement, or not
    /// decided, too.
    pub(crate) fn is_about_runs(&self) -> bool {
        !(200..LISTED_RANK).contains(&self.rank())
            || matches!(self, Self::NoVerdict { .. } | Self::GradedPairs { .. })
    }
}
