//! What a run cost.

use std::collections::BTreeMap;

/// The cost figures of one run. Every figure is `None` when nobody recorded it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metrics {
    /// Wall-clock duration of the run in seconds, as recorded in total; may include the grader
    /// where the writer added it.
    pub duration_s: Option<f64>,
    /// Seconds the executor took, where recorded apart.
    pub executor_s: Option<f64>,
    /// Seconds the grader took, where recorded apart.
    pub grader_s: Option<f64>,
    /// When the run started, as written.
    pub started: Option<String>,
    /// When the run ended, as written.
    pub ended: Option<String>,
    /// All tokens of the run: as recorded in total, else the sum of every recorded part. Never
    /// characters.
    pub tokens: Option<f64>,
    /// Tokens read.
    pub input_tokens: Option<f64>,
    /// Tokens written.
    pub output_tokens: Option<f64>,
    /// Tokens read from a cache.
    pub cached_tokens: Option<f64>,
    /// Tokens written to a cache.
    pub cache_written_tokens: Option<f64>,
    /// Cost in US dollars.
    pub cost_usd: Option<f64>,
    /// The model that executed the run.
    pub model: Option<String>,
    /// Tool calls in total.
    pub tool_calls: Option<f64>,
    /// Tool calls by tool.
    pub tool_calls_by_name: BTreeMap<String, f64>,
    /// Steps or turns.
    pub steps: Option<f64>,
    /// Errors met on the way.
    pub errors: Option<f64>,
    /// Characters of the outputs.
    pub output_chars: Option<f64>,
    /// Characters of the transcript.
    pub transcript_chars: Option<f64>,
    /// Files the run says it made.
    pub files_created: Vec<String>,
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
        if self.tool_calls_by_name.is_empty() {
            self.tool_calls_by_name.clone_from(&other.tool_calls_by_name);
        }
        if self.files_created.is_empty() {
            self.files_created.clone_from(&other.files_created);
        }
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn fill<T: Clone>(slot: &mut Option<T>, other: &Option<T>) {
    if slot.is_none() {
        slot.clone_from(other);
    }
}
