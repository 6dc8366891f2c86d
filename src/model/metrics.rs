//! What a run cost.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::fill;

/// What a run cost. The first figures are null where nobody recorded them, the others are left out.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(default)]
pub struct Metrics {
    /// Seconds in total; null where nobody recorded them.
    pub duration_s: Option<f64>,
    /// Seconds of the executor alone; null likewise.
    pub executor_s: Option<f64>,
    /// Seconds of the grader alone; null likewise.
    pub grader_s: Option<f64>,
    /// All tokens of the run, as recorded in total, else the sum of its recorded parts with those of
    /// a cache; null likewise.
    pub tokens: Option<f64>,
    /// US dollars as recorded; null likewise.
    pub cost_usd: Option<f64>,
    /// The model that executed; null likewise.
    pub model: Option<String>,
    /// Calls of tools in total; null likewise.
    pub tool_calls: Option<f64>,
    /// Errors met on the way; null likewise.
    pub errors: Option<f64>,
    /// Tokens read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<f64>,
    /// Tokens written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<f64>,
    /// Tokens read from a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached_tokens: Option<f64>,
    /// Tokens written to a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_written_tokens: Option<f64>,
    /// Calls by the name of the tool.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tool_calls_by_name: BTreeMap<String, f64>,
    /// Steps or turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<f64>,
    /// Characters of the outputs; they are never tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_chars: Option<f64>,
    /// Characters of the transcript.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcript_chars: Option<f64>,
    /// Names of the files that the executor says it made.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files_created: Vec<String>,
    /// When it began, as it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// When it ended, as it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
}

impl Metrics {
    /// Takes from `other` every figure that is absent here.
    pub fn fill_from(&mut self, other: &Self) {
        fill(&mut self.duration_s, &other.duration_s);
        fill(&mut self.executor_s, &other.executor_s);
        fill(&mut self.grader_s, &other.grader_s);
        fill(&mut self.started, &other.started);
        fill(&mut self.ended, &other.ended);
        fill(&mut self.tokens, &other.tokens);
        fill(&mut self.input_tokens, &other.input_tokens);
        fill(&mut self.output_tokens, &other.output_tokens);
        fill(&mut self.cached_tokens, &other.cached_tokens);
        fill(&mut self.cache_written_tokens, &other.cache_written_tokens);
        fill(&mut self.cost_usd, &other.cost_usd);
        fill(&mut self.model, &other.model);
        fill(&mut self.tool_calls, &other.tool_calls);
        fill(&mut self.steps, &other.steps);
        fill(&mut self.errors, &other.errors);
        fill(&mut self.output_chars, &other.output_chars);
        fill(&mut self.transcript_chars, &other.transcript_chars);
        fill(&mut self.tool_calls_by_name, &other.tool_calls_by_name);
        fill(&mut self.files_created, &other.files_created);
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
