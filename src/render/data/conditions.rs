//! The part of `summary.json` about conditions: gain and costs under each model or harness.

use serde::{Deserialize, Serialize};

use crate::analyze::{Change, Cost, Side};
use crate::budget::SUMMARY_TEXT;
use crate::digest;
use crate::render::context::{Part, RenderContext};
use text::cut_line;

/// A gain and its costs under one condition.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ConditionSummary {
    /// The model or harness; null where there is a single one.
    pub condition: Option<String>,
    /// The verdict in the words of `report.json`.
    pub verdict: String,
    /// The gain in shares of 1 with its range; null where nothing is compared.
    pub mean: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// Typical ratio by case of the tokens, and of the time, of the candidate to those of the other
    /// side; null where a side has none, and where the ratio of the totals lies on the other side of 1.
    pub tokens: Option<f64>,
    pub time: Option<f64>,
    /// Whether it takes at least half as many tokens again, and not by chance.
    pub has_more_tokens: bool,
}

/// The comparisons of the round of `after`; that of a single condition has no name.
pub(super) fn conditions(context: RenderContext<'_>, after: &Side) -> Vec<ConditionSummary> {
    let Part { workspace, analysis, .. } = context.part;
    let changes = analysis.by_condition(workspace, after);
    if changes.len() < 2 {
        return analysis
            .lead(after)
            .map(|lead| ConditionSummary::new(None, lead))
            .into_iter()
            .collect();
    }
    changes
        .into_iter()
        .map(|(name, change)| ConditionSummary::new(Some(cut_line(name, SUMMARY_TEXT)), change))
        .collect()
}

/// The typical ratio; `None` where the totals point the other way, for which a row has no room.
fn typical(cost: &Cost) -> Option<f64> {
    let ratio = cost.ratio.filter(|_| digest::turned_total(cost).is_none())?;
    Some(ratio.geometric_mean)
}

impl ConditionSummary {
    fn new(condition: Option<String>, change: &Change) -> Self {
        let interval = digest::interval(&change.gain);
        Self {
            condition,
            verdict: change.gain.verdict().word().to_owned(),
            mean: change.gain.shown().map(|paired| paired.mean),
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
            tokens: typical(&change.costs.tokens),
            time: typical(&change.costs.time),
            has_more_tokens: change.costs.tokens.raised().is_some(),
        }
    }
}
