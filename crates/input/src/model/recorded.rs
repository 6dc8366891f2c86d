//! Records made by others: version histories, trigger loops, gates, benchmarks and reviews.

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::{
    Expectation, Iteration, Metrics, Outcome, Place, RATE_ROUNDING, RecordedCounts, Tally,
};

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
    /// A description of the version.
    pub description: Option<String>,
    /// The commit it was taken from.
    pub git_hash: Option<String>,
    /// The folder with its files, relative to the workspace.
    pub path: Option<String>,
    /// The iteration that was run with it, where recorded.
    pub iteration: Option<String>,
    /// Mean rubric score over all cases, 1 to 5.
    pub average_score: Option<f64>,
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
    /// The version being worked on, or the best one if the file names it.
    pub current: Option<String>,
    /// The versions, in the order written.
    pub versions: Vec<Version>,
}

/// One query of a trigger round.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct TriggerQuery {
    /// Its id, by which answers of judges in other files name it.
    #[serde(skip)]
    pub id: Option<String>,
    /// The user's words.
    pub query: String,
    /// Whether the skill should trigger, if recorded.
    pub should_trigger: Option<bool>,
    /// How often it triggered.
    pub triggers: Option<f64>,
    /// How often it was tried.
    pub runs: Option<f64>,
    /// Whether the round counts it as correct.
    pub passed: Option<bool>,
    /// Whether it belongs to the held-out part.
    pub held_out: bool,
}

/// One round of a description optimizer.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize)]
pub struct TriggerRound {
    /// The file, relative to the workspace.
    pub path: String,
    /// The subject of the round, if rounds have names instead of numbers.
    pub name: Option<String>,
    /// Number of the round, from 1, where recorded.
    pub number: Option<f64>,
    /// The description tried.
    pub description: Option<String>,
    /// Correct queries, in the part used for tuning.
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
    /// The part of the queries it covers, if its name tells.
    pub fn split(&self) -> Option<Split> {
        Split::new(self.name.as_deref()?)
    }
}

/// A part of the queries of a trigger loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Split {
    /// The part that descriptions are tuned for.
    Tuned,
    /// The part held back to test them.
    HeldOut,
}

impl Split {
    /// The part that a word such as `train` or `held_out` names, in any case; `None` for others.
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

/// Mean and dispersion as recorded; `None` if not written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecordedSpread {
    /// Arithmetic mean, or a plain number in its place.
    pub mean: Option<f64>,
    /// Standard deviation; whether of the sample or the population, only the writer knows.
    pub stddev: Option<f64>,
    /// Smallest value.
    pub min: Option<f64>,
    /// Largest value.
    pub max: Option<f64>,
}

/// What a benchmark states of one configuration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedConfiguration {
    /// The configuration as written; empty for an only one without a name.
    pub name: String,
    /// Its place in the file; `None` if its counts are sums over the listed runs.
    pub place: Option<Place>,
    /// Share passed, in 0..=1.
    pub pass_rate: RecordedSpread,
    /// Seconds.
    pub time_s: RecordedSpread,
    /// Tokens, or characters if the writer took those for tokens.
    pub tokens: RecordedSpread,
    /// Expectations passed, over all its runs; `None` if not written.
    pub passed: Option<f64>,
    /// Expectations in total, over all its runs; `None` if not written.
    pub total: Option<f64>,
}

impl RecordedConfiguration {
    /// Its pass rate, from its counts where it states none.
    pub fn rate(&self) -> Option<f64> {
        self.pass_rate.mean.or_else(|| Some(self.passed? / self.total.filter(|n| *n > 0.0)?))
    }
}

/// Whether a recorded pass rate is none of those that were counted, beyond rounding. Some writers
/// average the runs, others pool their verdicts.
pub fn is_other_rate(recorded: f64, mean: f64, pooled: Option<f64>) -> bool {
    let counted = [Some(mean), pooled];
    counted.into_iter().flatten().all(|rate| (rate - recorded).abs() > RATE_ROUNDING)
}

/// A run in the list of a benchmark.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedRun {
    /// The case's id as written; `None` if the run has none.
    pub case_id: Option<String>,
    /// The case's name as written; `None` if the run has none.
    pub case_name: Option<String>,
    /// The configuration as written; `None` if the run names none.
    pub configuration: Option<String>,
    /// Its number as written; `None` if it has none.
    pub run: Option<u32>,
    /// The counts of its verdicts that the file states.
    pub counts: RecordedCounts,
    /// The cost that the file states.
    pub metrics: Metrics,
    /// Its verdicts; kept only if no grading of the iteration was found.
    pub expectations: Vec<Expectation>,
    /// The tally of its verdicts, always kept.
    pub tally: Tally,
    /// Remarks on it, in the order written.
    pub notes: Vec<String>,
}

/// A `benchmark*.json`: recorded, compared with ours, but never the source of a number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedBenchmark {
    /// The file, relative to the workspace.
    pub path: String,
    /// The skill's name or path; `None` if not written.
    pub skill: Option<String>,
    /// Where the skill was, as written; `None` if not written. It is shown, never opened.
    pub skill_path: Option<String>,
    /// The model that executed the runs; `None` if not written.
    pub executor_model: Option<String>,
    /// The model that wrote the notes; `None` if not written.
    pub analyzer_model: Option<String>,
    /// When it was made, as written.
    pub timestamp: Option<String>,
    /// Its configurations, in the order written; sums of its listed runs if it states none.
    pub configurations: Vec<RecordedConfiguration>,
    /// The configuration that it calls its baseline; `None` if it calls none so.
    pub baseline: Option<String>,
    /// Whether it describes that one as the skill of an earlier round: `Skill of iteration 5 (baseline)`.
    pub is_baseline_old: bool,
    /// The recorded difference of the pass rates in -1..=1, signed as the writer signed it.
    // The skill-creator subtracts the second configuration that it met from the first, whichever of
    // them is the baseline.
    pub delta_pass_rate: Option<f64>,
    /// The recorded difference of the seconds, signed as the writer signed it.
    pub delta_seconds: Option<f64>,
    /// The recorded difference of the tokens, signed as the writer signed it.
    pub delta_tokens: Option<f64>,
    /// The cases listed as run, by id or name.
    pub evals_run: Vec<String>,
    /// Runs of each case under each configuration, as stated; `None` if not written.
    pub runs_per_configuration: Option<f64>,
    /// How many runs the file lists; `None` without a list.
    pub runs: Option<usize>,
    /// The place of that list; `None` without one.
    pub runs_place: Option<Place>,
    /// The runs found anywhere in the file, in the order written.
    pub listed: Vec<RecordedRun>,
    /// The cases of which it says that they did not run, by name.
    pub not_run: Vec<String>,
    /// Its remarks, in the order written.
    pub notes: Vec<String>,
    /// What it says against its own figures, in the order written.
    pub warnings: Vec<String>,
}

impl RecordedBenchmark {
    /// How many runs it lists and how many of `iteration` have verdicts of their own, if these differ.
    // In 32 rounds of 11 public repositories a benchmark counts other runs than there are gradings.
    pub fn other_number_of_runs(&self, iteration: &Iteration) -> Option<[usize; 2]> {
        // Runs that come from a benchmark are as many as it lists with verdicts.
        let graded = iteration.runs().filter(|run| run.is_graded() && !run.is_recorded()).count();
        // An entry of the list may hold the runs of several configurations.
        let listed = self.runs?.max(self.listed.len());
        if graded == 0 || listed == graded { None } else { Some([listed, graded]) }
    }
}

/// The subject of a review, in its iteration.
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
    /// A case, without naming the run.
    Case {
        /// Index of the case in the iteration.
        case: usize,
    },
    /// Nothing that exists.
    #[default]
    Unknown,
}

impl About {
    /// Index of the case in the iteration, from 0; `None` if the subject was not found.
    pub fn case(self) -> Option<usize> {
        match self {
            Self::Run { case, .. } | Self::Case { case } => Some(case),
            Self::Unknown => None,
        }
    }
}

/// A person's review of one run.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Review {
    /// The run as the file names it.
    pub run_id: String,
    /// The run or case that `run_id` names.
    pub about: About,
    /// The words; empty where the review only disputes checks.
    pub text: String,
    /// The texts of the checks on which the reviewer says that the grader is wrong.
    pub disputed: Vec<String>,
    /// What the reviewer says of single checks, without having seen the verdict.
    pub judged: Vec<JudgedCheck>,
    /// When, as written.
    pub timestamp: Option<String>,
    /// The place where the file names the run.
    pub place: Option<Place>,
}

/// What a person says of a check of a run.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct JudgedCheck {
    /// The text of the check.
    pub check: String,
    /// Whether the output passes it; ungraded where the person cannot tell.
    #[schemars(with = "Option<bool>")]
    pub outcome: Outcome,
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
    /// The reviews that say anything, in the order written.
    pub reviews: Vec<Review>,
    /// Reviews stored without any text.
    // The page of the skill-creator saves every run that was shown, with or without a word.
    pub blank: usize,
    /// How far the reviewer got.
    pub state: ReviewState,
    /// Whether the file is a flat map from case to text instead of a list of reviews.
    // The guide of Agent Skills shows a map, and the page of the skill-creator saves a list.
    pub flat: bool,
}

impl Feedback {
    /// The reviews with words.
    pub fn comments(&self) -> impl Iterator<Item = &Review> {
        self.reviews.iter().filter(|review| !review.text.is_empty())
    }
}
