//! Results computed from the rest of the file, for programs that read it: changes, comparisons,
//! the health of the expectations. They are ignored when a report is read back.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analyze::{Measure, MissingVerdicts, NamedOutcome};

/// One side against another.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct ChangeJson {
    /// Why they are compared: `baseline`, `other_baseline`, `previous`, `first`, `best`, `pinned`.
    pub against: Vec<String>,
    /// The earlier side, or the baseline.
    pub before: SideJson,
    /// The later side, or the candidate.
    pub after: SideJson,
    /// `no comparison`, `better`, `worse`, `probably better`, `probably worse`, `about the same` or
    /// `unclear`.
    pub verdict: String,
    /// The large word for it. Where the verdict is `unclear`: `up in all cases`, `down in all cases`,
    /// `up in some cases, none down`, `down in some cases, none up`, `mixed` or `no clear
    /// difference`. Where missing verdicts could undo good news: `not decided`. Where both sides reach the same end: `both all passed` or `both all failed`.
    pub word: String,
    /// The scope of `better`, `worse` and `about the same`: `cases like these` or `these cases`;
    /// null for other verdicts.
    pub claim: Option<String>,
    /// The missing verdicts that leave it undecided, `not decided`; null where the word holds with all of
    /// them against the later side.
    pub undecided: Option<UndecidedJson>,
    /// The gain by case of what has verdicts; null without a case in common.
    pub gain: Option<GainJson>,
    /// Ratio of seconds, later over earlier; null where one side records none.
    pub time: Option<CostJson>,
    /// Ratio of tokens, likewise.
    pub tokens: Option<CostJson>,
    /// Ratio of US dollars, likewise.
    pub dollars: Option<CostJson>,
    /// Cases whose pass rate fell by at least 40 points, the worst first.
    pub fallen: Vec<FallenJson>,
    /// Names of cases that only the earlier side has.
    pub only_before: Vec<String>,
    /// Names of cases that only the later side has.
    pub only_after: Vec<String>,
    /// Names of cases whose prompt changed, or that share too few statements.
    pub unlike: Vec<String>,
    /// Names of cases in which the skill should not load; they count for no gain.
    pub negative: Vec<String>,
}

/// Missing verdicts of both sides of a change.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct UndecidedJson {
    /// Those of the earlier side.
    pub before: MissingVerdicts,
    /// Those of the later side.
    pub after: MissingVerdicts,
}

/// A case whose pass rate fell.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct FallenJson {
    /// Name of the case.
    pub case: String,
    /// Mean pass rate of the earlier side, in 0..=1.
    #[schemars(range(min = 0, max = 1))]
    pub before: f64,
    /// Mean pass rate of the later side, in 0..=1.
    #[schemars(range(min = 0, max = 1))]
    pub after: f64,
    /// Whether a side has one graded run only.
    pub single_run: bool,
}

/// One side of a change.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct SideJson {
    /// Name of the iteration.
    pub iteration: String,
    /// The configuration.
    pub configuration: String,
    /// Passed checks among those compared.
    pub passed: usize,
    /// Failed checks among those compared.
    pub failed: usize,
}

/// The mean of the differences by case.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct GainJson {
    /// The measure compared.
    pub measure: Measure,
    /// Mean scores of the earlier and of the later side, 1 to 5; null where they are not compared.
    pub scores: Option<[f64; 2]>,
    #[serde(flatten)]
    pub figures: GainFigures,
}

/// The gain and how sure it is.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct GainFigures {
    /// Later minus earlier, in -1..=1; for scores, the difference divided by 4.
    #[schemars(range(min = -1, max = 1))]
    pub mean: f64,
    /// Lower end of the range that is drawn with the verdict; null where there is none, since every
    /// case moved by the same amount.
    pub low: Option<f64>,
    /// Upper end; null likewise.
    pub high: Option<f64>,
    /// Share of such ranges that hold the true gain: 0.95 for `better` and `worse` on cases like
    /// these and for `about the same`, else 31/32, or more with several candidates; null likewise.
    #[schemars(range(min = 0, max = 1))]
    pub level: Option<f64>,
    /// Cases compared.
    pub cases: usize,
    /// Cases in which the later side is ahead.
    pub better: usize,
    /// Cases in which it is behind.
    pub worse: usize,
    /// Cases without a difference.
    pub same: usize,
    /// Cases with a single graded run on one side: how much their runs vary is unknown.
    pub single_run: usize,
    /// Runs of these cases without a verdict, of the earlier and of the later side.
    pub ungraded_runs: [usize; 2],
    /// Checks of these cases without a verdict in runs that have others, likewise.
    pub ungraded_checks: [usize; 2],
    /// Two-sided p of the exact sign-flip test, in 0..=1.
    #[schemars(range(min = 0, max = 1))]
    pub p: f64,
    /// Number of candidates of the iteration that are compared with such a side at once, including
    /// this one.
    pub at_once: usize,
    /// p adjusted for all of them (Holm), in 0..=1; decides `better` on cases like these.
    #[schemars(range(min = 0, max = 1))]
    pub adjusted_p: f64,
    /// Two-sided p of permuting the runs of each case, adjusted likewise; decides `better` on these
    /// cases. 1 where no side of a case has two runs.
    #[schemars(range(min = 0, max = 1))]
    pub permutation_p: f64,
    /// Two-sided p of the moderated t, adjusted likewise; decides `probably better`.
    #[schemars(range(min = 0, max = 1))]
    pub moderated_p: f64,
    /// The fewest verdicts, of any run and side, that would have to be decided the other way for a
    /// weaker word; 4 stands for more than 3. Null where no side is called better or worse, and where
    /// scores are compared.
    #[schemars(range(min = 1, max = 4))]
    pub verdicts_to_undo: Option<usize>,
}

/// One cost.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct CostJson {
    /// Later over earlier, geometric mean over cases.
    pub ratio: f64,
    /// Lower end of its 95 % interval; null for one case.
    pub low: Option<f64>,
    /// Upper end; null likewise.
    pub high: Option<f64>,
    /// Later over earlier of the totals; null where the earlier total is 0.
    pub of_totals: Option<f64>,
    /// Mean of the case means, earlier side, in the unit of the cost; null where it is unknown.
    pub before: Option<f64>,
    /// Mean of the case means, later side; null likewise.
    pub after: Option<f64>,
    /// Cases with the cost on both sides.
    pub cases: usize,
}

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

/// What became of the gain of the newest candidate over no skill, under one condition.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct OutcomeJson {
    /// The model or harness; null where the round has a single one.
    pub condition: Option<String>,
    /// What became of it.
    pub outcome: NamedOutcome,
    /// The newest iteration.
    pub iteration: String,
    /// The configuration with the skill.
    pub configuration: String,
    /// The mean gain in it, in shares of 1.
    pub gain: f64,
    /// The last earlier iteration of this condition that was better and shares cases; null without one.
    pub before: Option<EarlierGainJson>,
}

/// An earlier iteration in which the skill was better.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
pub struct EarlierGainJson {
    /// Its name.
    pub iteration: String,
    /// The mean gain in it, in shares of 1.
    pub gain: f64,
    /// How the side with the skill moved since.
    pub with_skill: SideMoveJson,
    /// How the side without it moved since.
    pub without_skill: SideMoveJson,
    /// The mean change of the gain by case since, in shares of 1.
    pub change: f64,
    /// Two-sided p of the sign-flip test of that change, adjusted like those of the sides.
    #[schemars(range(min = 0, max = 1))]
    pub change_p: f64,
}

/// How one side moved since an earlier iteration, on the cases that both share.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize, Deserialize)]
pub struct SideMoveJson {
    /// The mean then: a pass rate in 0..=1, or a score from 1 to 5.
    pub before: f64,
    /// The mean now.
    pub after: f64,
    /// Two-sided p of the permutation of runs within cases, adjusted for conditions and earlier
    /// iterations.
    #[schemars(range(min = 0, max = 1))]
    pub p: f64,
}

/// Two graders of the same runs of an iteration.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct GradersJson {
    /// Their names, else those of their files.
    pub names: [String; 2],
    /// Runs in which both gave a verdict on the same statement.
    pub runs: usize,
    /// Identical verdicts among those on shared statements.
    pub same: ShareJson,
}

/// A recorded figure that differs from the one computed from the runs.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct RecordedJson {
    /// The benchmark's file, relative to the workspace.
    pub path: String,
    /// The configuration as named in the file; null where the figure is about all.
    pub configuration: Option<String>,
    /// The recorded figure; rates in 0..=1, seconds, tokens or counts.
    pub recorded: f64,
    /// The figure computed from the runs, in the same unit.
    pub recomputed: f64,
    /// Both with the reason in one English sentence.
    pub message: String,
    /// Whether a known rule yields the recorded figure.
    pub explained: bool,
}

/// All blind comparisons of two versions.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct MatchupJson {
    /// Name of the iteration where the names are its configurations; else null.
    pub iteration: Option<String>,
    /// The later version, or the candidate.
    pub first: String,
    /// The other version.
    pub second: String,
    /// Whether people judged on review pages, not an agent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_people: bool,
    /// Pairs of runs of which a person and the grader both prefer one, and those in which it is the
    /// same; null for comparisons by an agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreement: Option<[usize; 2]>,
    /// Number of comparisons.
    pub comparisons: usize,
    /// Verdicts for the first, against it and for neither.
    pub verdicts: [usize; 3],
    /// Cases in which the first is ahead, behind and even.
    pub cases: [usize; 3],
    /// Two-sided p of the sign test over cases, in 0..=1; null where none is ahead or behind.
    #[schemars(range(min = 0, max = 1))]
    pub p: Option<f64>,
}

/// How informative the expectations are together.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct HealthJson {
    /// The iteration they are judged by.
    pub iteration: String,
    /// Expectations checked in it.
    pub expectations: usize,
    /// Those with verdicts on both sides.
    pub compared: usize,
    /// The number of expectations by use.
    pub uses: BTreeMap<&'static str, usize>,
    /// Those on which runs of one configuration disagree; counted in `uses` as well. Null where no
    /// expectation has several runs on a side.
    pub flaky: Option<usize>,
    /// The number of runs with a verdict that an expectation most often has on one side.
    pub runs: usize,
    /// The chance that an expectation which passes in 80 % of all runs looks stable in that many,
    /// in 0..=1; null without a verdict.
    #[schemars(range(min = 0, max = 1))]
    pub looks_stable: Option<f64>,
    /// Passed over passed and failed, for all verdicts of the candidate in that iteration, in
    /// 0..=1; null without a verdict.
    #[schemars(range(min = 0, max = 1))]
    pub candidate_pass_rate: Option<f64>,
    /// The same without those that pass everywhere; null where nothing else is left.
    #[schemars(range(min = 0, max = 1))]
    pub candidate_pass_rate_unsaturated: Option<f64>,
}
