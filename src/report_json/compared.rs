//! What was counted over iterations, graders and blind comparisons, as it stands in the file. It is
//! counted from the rest of the workspace and left aside on the way back.

use schemars::JsonSchema;
use serde::Serialize;

/// A share of units with Wilson's 95 % interval.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize)]
pub struct ShareJson {
    /// Units that count.
    pub passed: u64,
    /// All units.
    pub total: u64,
    /// Lower end of the interval, in 0..=1.
    #[schemars(range(min = 0, max = 1))]
    pub low: f64,
    /// Upper end of the interval, in 0..=1.
    #[schemars(range(min = 0, max = 1))]
    pub high: f64,
}

/// The course of the newest candidate over the iterations that can be held against each other.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct CourseJson {
    /// The configuration.
    pub configuration: String,
    /// Names of the iterations, in order.
    pub iterations: Vec<String>,
    /// Cases that all of them graded with the same prompt and expectations.
    pub cases: usize,
    /// Pass rate of each iteration on these cases, the mean over cases, in 0..=1.
    pub levels: Vec<f64>,
    /// Theil and Sen's slope per iteration; null for fewer than four iterations.
    pub slope: Option<f64>,
    /// Two-sided p of Mann and Kendall's test, in 0..=1; null likewise.
    #[schemars(range(min = 0, max = 1))]
    pub p: Option<f64>,
    /// Name of the best iteration; null for fewer than three.
    pub best: Option<String>,
    /// Standard errors by which the best of so many equally good ones looks too good; null likewise.
    pub best_looks_too_good_by: Option<f64>,
}

/// Two graders of the same runs of an iteration.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct GradersJson {
    /// Their names, else those of their files.
    pub names: [String; 2],
    /// Runs in which both gave a verdict on a statement they share.
    pub runs: usize,
    /// Verdicts that are the same, of those on shared statements.
    pub same: ShareJson,
    /// Gwet's AC1; null below 20 statements or with one verdict throughout.
    pub ac1: Option<f64>,
    /// Cohen's kappa; null likewise.
    pub kappa: Option<f64>,
}

/// A recorded figure that is not what the runs give.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct RecordedJson {
    /// The benchmark's file, relative to the workspace.
    pub path: String,
    /// The configuration as the file names it; null where the figure is about all.
    pub configuration: Option<String>,
    /// What the file says; rates in 0..=1, seconds, tokens or counts.
    pub recorded: f64,
    /// What the runs give, in the same unit; null where no run has such a figure.
    pub recomputed: Option<f64>,
    /// Both with the reason in one English sentence.
    pub message: String,
    /// Whether a rule gives the recorded figure.
    pub explained: bool,
}

/// What the blind comparisons add up to.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct BlindJson {
    /// Two versions each.
    pub contests: Vec<ContestJson>,
    /// Versions by strength, for every set of at least three that met.
    pub rankings: Vec<RankingJson>,
    /// Decided comparisons that A won; null where none was decided.
    pub won_by_a: Option<ShareJson>,
    /// Two-sided p of an even chance of both letters, in 0..=1; null likewise.
    #[schemars(range(min = 0, max = 1))]
    pub letters_p: Option<f64>,
}

/// Every comparison of two versions.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct ContestJson {
    /// Name of the iteration where the names are its configurations; else null.
    pub iteration: Option<String>,
    /// The later version, or the candidate.
    pub first: String,
    /// The other.
    pub second: String,
    /// How many comparisons there are.
    pub comparisons: usize,
    /// Verdicts for the first, against it and for neither.
    pub verdicts: [u64; 3],
    /// Cases in which the first is ahead, behind and even.
    pub cases: [usize; 3],
    /// Two-sided p of the sign-flip test by case, in 0..=1; null without a verdict.
    #[schemars(range(min = 0, max = 1))]
    pub p: Option<f64>,
    /// Pairs of verdicts in both orders that are the same; null where no case has such a pair.
    pub same_when_swapped: Option<ShareJson>,
}

/// Strengths of versions that met.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct RankingJson {
    /// Name of the iteration where the names are its configurations; else null.
    pub iteration: Option<String>,
    /// The version that the others are held against.
    pub reference: String,
    /// The versions, the strongest first; empty where there are no strengths.
    pub versions: Vec<RankedJson>,
}

/// One version among others.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct RankedJson {
    /// The version.
    pub name: String,
    /// Verdicts won, lost and tied.
    pub record: [usize; 3],
    /// Bradley and Terry's strength on the scale of chess ratings; 0 is the reference.
    pub rating: f64,
    /// Lower end of its 95 % interval; null for the reference.
    pub low: Option<f64>,
    /// Upper end; null likewise.
    pub high: Option<f64>,
}
