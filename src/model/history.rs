//! Recorded version histories, trigger loops and regression gates.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::problem::Place;

/// One version in a recorded history.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize)]
#[schemars(rename = "RecordedVersion")]
pub struct Version {
    /// Its name, for example `v2` or `iteration-2`.
    pub name: String,
    /// The version it was made from.
    pub parent: Option<String>,
    /// When, as written.
    pub timestamp: Option<String>,
    /// What it represents.
    pub description: Option<String>,
    /// The commit it was taken from.
    pub git_hash: Option<String>,
    /// Where its files lie, relative to the workspace.
    pub path: Option<String>,
    /// Mean rubric score over all cases, 1 to 5.
    pub average_score: Option<f64>,
    /// Where that score is written.
    pub score_place: Option<Place>,
    /// Recorded share of expectations passed, in 0..=1.
    pub pass_rate: Option<f64>,
    /// Precision of triggering, in 0..=1.
    pub precision: Option<f64>,
    /// Recall of triggering, in 0..=1.
    pub recall: Option<f64>,
    /// `baseline`, `won`, `lost` or `tie`, as written.
    pub result: Option<String>,
    /// Whether the file calls it the best.
    pub is_best: bool,
    /// Remarks.
    pub notes: Option<String>,
}

/// One `history.json` of versions.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize)]
pub struct History {
    /// The file, relative to the workspace.
    pub path: String,
    /// The skill's name, where recorded.
    pub skill: Option<String>,
    /// When the loop began, as written.
    pub started_at: Option<String>,
    /// The version being worked on, or the best one where the file names that.
    pub current: Option<String>,
    /// The versions, in the order written.
    pub versions: Vec<Version>,
}

/// One query of a trigger round.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct TriggerQuery {
    /// The words a user might say.
    pub query: String,
    /// Whether the skill ought to trigger, where recorded.
    pub should_trigger: Option<bool>,
    /// Times it did.
    pub triggers: Option<f64>,
    /// Times it was tried.
    pub runs: Option<f64>,
    /// Whether the round counts it as right.
    pub passed: Option<bool>,
    /// Whether it belongs to the held-out part.
    pub held_out: bool,
}

/// One round of a description optimizer.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize)]
pub struct TriggerRound {
    /// The file, relative to the workspace.
    pub path: String,
    /// What was tried, where rounds stand under names instead of numbers.
    pub name: Option<String>,
    /// Number of the round, from 1, where recorded.
    pub number: Option<f64>,
    /// The description tried.
    pub description: Option<String>,
    /// Queries right, of the part used for tuning.
    pub passed: Option<f64>,
    /// Queries tried, of that part.
    pub total: Option<f64>,
    /// Precision of triggering, in 0..=1.
    pub precision: Option<f64>,
    /// Recall of triggering, in 0..=1.
    pub recall: Option<f64>,
    /// The queries.
    pub queries: Vec<TriggerQuery>,
}

impl TriggerRound {
    /// The part of the queries that it is of, where its name says that.
    pub fn split(&self) -> Option<Split> {
        Split::new(self.name.as_deref()?)
    }
}

/// A part of the queries of a trigger loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Split {
    /// The part that descriptions are tuned for.
    Tuned,
    /// The part that is kept back to test them.
    HeldOut,
}

impl Split {
    /// The part of this name.
    pub fn new(name: &str) -> Option<Self> {
        match name.to_lowercase().as_str() {
            "train" | "training" | "tuning" => Some(Self::Tuned),
            "test" | "validation" | "val" | "held_out" | "held-out" | "holdout" => {
                Some(Self::HeldOut)
            }
            _ => None,
        }
    }
}

/// The recorded regression gates.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Gates {
    /// Their file, relative to the workspace.
    pub path: String,
    /// By how much the pass rate must be greater, in -1..=1; null where there is no such rule.
    pub min_pass_rate_delta: Option<f64>,
    /// How many seconds longer a run may take; null where there is no such rule.
    #[serde(rename = "max_time_increase_seconds")]
    pub max_time_increase_s: Option<f64>,
    /// How many more tokens a run may use; null where there is no such rule.
    pub max_token_increase: Option<f64>,
    /// Whether the pass rate may not be smaller; null where nothing is said.
    pub require_non_negative_pass_rate: Option<bool>,
    /// Whether a part of the file could not be read, so that not all its rules are known.
    #[serde(default)]
    pub is_damaged: bool,
}
