//! `benchmark.json` as it is written.
//!
//! The fields outside of [`Evalbook`] have the names and the order of the documented shape.
//! A figure that nobody recorded is `null`, never 0.

use crate::render::data::benchmark::sheet::EvalId;
use crate::report_json::GainJson;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Number;

/// The document.
#[derive(Debug, serde::Serialize)]
pub(super) struct Benchmark<'a> {
    pub(super) metadata: Metadata<'a>,
    /// The graded runs: the viewer averages the pass rates of all it finds here and takes a
    /// missing one for 0, so that ungraded runs are listed in [`Evalbook`] instead.
    pub(super) runs: Vec<RunEntry<'a>>,
    pub(super) run_summary: RunSummary<'a>,
    pub(super) notes: Vec<String>,
    pub(super) evalbook: Evalbook<'a>,
}

/// What was run.
#[derive(Debug, serde::Serialize)]
pub(super) struct Metadata<'a> {
    pub(super) skill_name: Option<&'a str>,
    pub(super) skill_path: Option<&'a str>,
    /// The model that executed every run; `null` when runs differ or one does not say.
    pub(super) executor_model: Option<&'a str>,
    /// Always `null`: the notes are computed, no model analyzed anything.
    pub(super) analyzer_model: Option<&'a str>,
    pub(super) timestamp: Option<&'a str>,
    /// Numbers first, then texts; each once.
    pub(super) evals_run: Vec<EvalId<'a>>,
    /// The largest number of runs of one case in one configuration, as counted.
    pub(super) runs_per_configuration: usize,
}

/// One graded run.
#[derive(Debug, serde::Serialize)]
pub(super) struct RunEntry<'a> {
    pub(super) eval_id: Option<EvalId<'a>>,
    pub(super) eval_name: &'a str,
    pub(super) configuration: &'a str,
    pub(super) run_number: u32,
    pub(super) result: RunResult,
    pub(super) expectations: Vec<ExpectationEntry<'a>>,
    /// Uncertainties, what needs review, workarounds, other remarks.
    pub(super) notes: Vec<&'a str>,
}

/// The figures of one run.
#[derive(Debug, serde::Serialize)]
pub(super) struct RunResult {
    pub(super) pass_rate: Option<f64>,
    pub(super) passed: usize,
    pub(super) failed: usize,
    /// Expectations with a verdict, so that `passed` over `total` is the pass rate.
    pub(super) total: usize,
    pub(super) time_seconds: Option<f64>,
    pub(super) tokens: Option<Number>,
    pub(super) tool_calls: Option<Number>,
    pub(super) errors: Option<Number>,
}

/// One expectation of a run.
#[derive(Debug, serde::Serialize)]
pub(super) struct ExpectationEntry<'a> {
    pub(super) text: &'a str,
    /// `null` without a verdict. The viewer has two marks only and shows that as failed; the
    /// counts beside it do not.
    pub(super) passed: Option<bool>,
    pub(super) evidence: Option<&'a str>,
}

/// An object with a key for every configuration, in order, and `delta` as the last one.
#[derive(Debug)]
pub(super) struct RunSummary<'a> {
    pub(super) configurations: Vec<(&'a str, Figures)>,
    /// The first configuration minus the second; no key at all without a named baseline.
    pub(super) delta: Option<Delta>,
}

impl RunSummary<'_> {
    const DELTA: &'static str = "delta";

    /// The key of a configuration. One that is itself called `delta` gets another key, for two
    /// of the same would hide it.
    fn key(name: &str) -> &str {
        if name == Self::DELTA { "delta (configuration)" } else { name }
    }
}

impl Serialize for RunSummary<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, figures) in &self.configurations {
            map.serialize_entry(Self::key(name), figures)?;
        }
        if let Some(delta) = &self.delta {
            map.serialize_entry(Self::DELTA, delta)?;
        }
        map.end()
    }
}

/// The measures of one configuration; `null` as a whole where no run recorded it.
///
/// The viewer shows a dash for a missing measure and fails on one whose parts are missing. The
/// gate script has no word for a missing measure: it stops with an error, where a 0 would let it
/// pass or fail on a number that nobody measured.
#[derive(Debug, serde::Serialize)]
pub(super) struct Figures {
    pub(super) pass_rate: Option<Stats>,
    pub(super) time_seconds: Option<Stats>,
    pub(super) tokens: Option<Stats>,
}

/// A measure over the runs of one configuration, rounded to four decimals.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub(super) struct Stats {
    pub(super) mean: f64,
    /// Sample standard deviation. Of a single value it is undefined, and 0 here all the same:
    /// the viewer calculates with it and fails on `null`. [`ExactStats`] tells the two apart.
    pub(super) stddev: f64,
    pub(super) min: f64,
    pub(super) max: f64,
}

/// Signed texts, as the viewer and `benchmark.md` show them: from unrounded means.
#[derive(Debug, serde::Serialize)]
pub(super) struct Delta {
    pub(super) pass_rate: Option<String>,
    pub(super) time_seconds: Option<String>,
    pub(super) tokens: Option<String>,
}

/// What the documented shape has no place for.
#[derive(Debug, serde::Serialize)]
pub(super) struct Evalbook<'a> {
    /// Version of this object.
    pub(super) version: u32,
    pub(super) iteration: &'a str,
    pub(super) roles: RoleEntry<'a>,
    pub(super) configurations: Vec<ConfigurationEntry<'a>>,
    /// One for every candidate, against the named baseline.
    pub(super) deltas: Vec<DeltaEntry<'a>>,
    pub(super) executor_models: Vec<ModelEntry<'a>>,
    pub(super) ungraded_runs: Vec<UngradedRun<'a>>,
}

/// Which part the configurations play.
#[derive(Debug, serde::Serialize)]
pub(super) struct RoleEntry<'a> {
    pub(super) candidates: &'a [String],
    pub(super) baseline: Option<&'a str>,
    /// How the baseline was found, in one clause.
    pub(super) reason: String,
}

/// One configuration in exact figures.
#[derive(Debug, serde::Serialize)]
pub(super) struct ConfigurationEntry<'a> {
    pub(super) name: &'a str,
    /// Cases it was tried on.
    pub(super) cases: usize,
    pub(super) runs: usize,
    pub(super) graded_runs: usize,
    /// Largest number of runs of one case.
    pub(super) runs_per_case: usize,
    pub(super) expectations: TallyEntry,
    pub(super) pass_rate: Option<ExactStats>,
    pub(super) time_seconds: Option<ExactStats>,
    pub(super) tokens: Option<ExactStats>,
}

/// Expectations of all runs of a configuration.
#[derive(Debug, serde::Serialize)]
pub(super) struct TallyEntry {
    pub(super) passed: usize,
    pub(super) failed: usize,
    pub(super) ungraded: usize,
}

/// A measure, unrounded, with the number of runs that recorded it.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub(super) struct ExactStats {
    pub(super) n: usize,
    pub(super) mean: f64,
    /// `null` for a single value.
    pub(super) stddev: Option<f64>,
    pub(super) min: f64,
    pub(super) max: f64,
}

/// Mean of a candidate minus mean of the baseline, unrounded.
#[derive(Debug, serde::Serialize)]
pub(super) struct DeltaEntry<'a> {
    pub(super) candidate: &'a str,
    pub(super) baseline: &'a str,
    pub(super) pass_rate: Option<f64>,
    pub(super) time_seconds: Option<f64>,
    pub(super) tokens: Option<f64>,
    /// What the gain amounts to; `null` where one side has no verdict.
    pub(super) verdict: Option<&'static str>,
    /// The gain by case, with its interval; `null` without a case in common.
    pub(super) gain: Option<GainJson>,
}

/// How many runs a model executed; `null` for the runs that do not name theirs.
#[derive(Debug, serde::Serialize)]
pub(super) struct ModelEntry<'a> {
    pub(super) model: Option<&'a str>,
    pub(super) runs: usize,
}

/// A run without a verdict.
#[derive(Debug, serde::Serialize)]
pub(super) struct UngradedRun<'a> {
    pub(super) eval_id: Option<EvalId<'a>>,
    pub(super) eval_name: &'a str,
    pub(super) configuration: &'a str,
    pub(super) run_number: u32,
    /// Relative to the workspace.
    pub(super) path: &'a str,
}
