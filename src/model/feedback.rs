//! A person's words on runs.

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::problem::Place;

/// What a review is about, in its iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// A run.
    Run {
        /// Index of the case in the iteration.
        case: usize,
        /// Index of the run in the case.
        run: usize,
    },
    /// A case, without saying which run.
    Case {
        /// Index of the case in the iteration.
        case: usize,
    },
    /// Nothing that is there.
    #[default]
    Unknown,
}

impl About {
    /// Index of the case it is about.
    pub fn case(self) -> Option<usize> {
        match self {
            Self::Run { case, .. } | Self::Case { case } => Some(case),
            Self::Unknown => None,
        }
    }
}

/// What a person said about one run.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Review {
    /// The run as the file names it.
    pub run_id: String,
    /// What that name means here.
    pub about: About,
    /// The words; never empty.
    pub text: String,
    /// When, as written.
    pub timestamp: Option<String>,
    /// Where the file names the run.
    pub place: Option<Place>,
}

/// How far the reviewer got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewState {
    /// The file says the review is complete.
    Complete,
    /// The file says it is in progress.
    InProgress,
    /// The file does not say.
    #[default]
    Unknown,
}

/// One `feedback.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Feedback {
    /// The file, relative to the workspace.
    pub path: String,
    /// The reviews with words in them, in the order written.
    pub reviews: Vec<Review>,
    /// How many reviews were stored without a word.
    pub blank: usize,
    /// How far the reviewer got.
    pub state: ReviewState,
    /// Whether the file is a flat map from case to text instead of a list of reviews.
    pub flat: bool,
}
