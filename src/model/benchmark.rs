//! Aggregates that somebody recorded before us.

use std::sync::LazyLock;

use crate::model::grading::{Expectation, RecordedCounts};
use crate::model::metrics::Metrics;
use crate::model::outcome::Tally;
use crate::model::problem::Place;

/// Mean and dispersion as recorded; each absent where it was not written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecordedSpread {
    pub mean: Option<f64>,
    pub stddev: Option<f64>,
    pub min: Option<f64>,
    pub max: Option<f64>,
}

/// What a recorded benchmark says of one configuration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedConfiguration {
    pub name: String,
    /// Where it is described.
    pub place: Option<Place>,
    /// Share passed, in 0..=1.
    pub pass_rate: RecordedSpread,
    /// Seconds.
    pub time_s: RecordedSpread,
    /// Tokens, or characters where the writer took those for tokens.
    pub tokens: RecordedSpread,
    /// Passed expectations in total.
    pub passed: Option<f64>,
    /// Graded expectations in total.
    pub total: Option<f64>,
}

/// One run as a benchmark lists it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedRun {
    /// The case's id, as text.
    pub case_id: Option<String>,
    pub case_name: Option<String>,
    pub configuration: Option<String>,
    pub run: Option<u32>,
    /// Its counts and pass rate.
    pub counts: RecordedCounts,
    /// What it cost; `None` where nothing of that is recorded.
    pub metrics: Option<Box<Metrics>>,
    /// Its verdicts; kept only where no grading of the iteration was found.
    pub expectations: Vec<Expectation>,
    /// What those verdicts add up to, kept in any case.
    pub tally: Tally,
    pub notes: Vec<String>,
}

/// What a run costs of which nothing is recorded.
static NOTHING: LazyLock<Metrics> = LazyLock::new(Metrics::default);

impl RecordedRun {
    pub fn metrics(&self) -> &Metrics {
        self.metrics.as_deref().unwrap_or(&NOTHING)
    }
}

/// A `benchmark*.json`: recorded, compared with ours, never the source of a number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedBenchmark {
    /// The file, relative to the workspace.
    pub path: String,
    /// The skill's name, where it was filled in.
    pub skill: Option<String>,
    /// The skill's path as written.
    pub skill_path: Option<String>,
    /// The executor's model, where it was filled in.
    pub executor_model: Option<String>,
    /// The analyzer's model, where it was filled in.
    pub analyzer_model: Option<String>,
    /// When it was made, as written.
    pub timestamp: Option<String>,
    /// Per configuration, in the order written.
    pub configurations: Vec<RecordedConfiguration>,
    /// The configuration it calls the baseline.
    pub baseline: Option<String>,
    /// The recorded difference of the pass rates in -1..=1, signed as the writer signed it.
    pub delta_pass_rate: Option<f64>,
    /// The recorded difference of the seconds, signed as the writer signed it.
    pub delta_seconds: Option<f64>,
    /// The recorded difference of the tokens, signed as the writer signed it.
    pub delta_tokens: Option<f64>,
    /// The cases it says it ran, by id or name.
    pub evals_run: Vec<String>,
    /// How many runs it says each configuration had.
    pub runs_per_configuration: Option<f64>,
    /// How many runs the file lists; `None` without a list.
    pub runs: Option<usize>,
    /// Where the list is written.
    pub runs_place: Option<Place>,
    /// Those runs.
    pub listed: Vec<RecordedRun>,
    /// Analysts' notes.
    pub notes: Vec<String>,
}
