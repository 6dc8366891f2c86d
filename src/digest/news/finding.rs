//! The kinds of news, with their figures. What is said of each is in the tables of words.

use schemars::JsonSchema;
use serde::Serialize;

use crate::analyze::{CostKind, NamedOutcome};
use crate::digest::news::{
    AuthorNote, CheckOfCase, CostMove, GradedCounts, Means, Moved, SinceEarlier,
};
use input::model::Implausible;

/// One piece of news about the newest result.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Finding {
    /// The author's note takes the result back.
    Voided {
        /// The counts that it takes back; null without a comparison.
        graded: Option<GradedCounts>,
        side: String,
        other: Option<String>,
        runs: usize,
        note: AuthorNote,
    },
    /// No run of the candidate loaded the skill.
    NeverLoaded { runs: usize },
    /// Nearly all checks failed.
    NothingPasses {
        failed: usize,
        checks: usize,
        /// Whether they failed on both sides of a comparison.
        is_of_both: bool,
        case: String,
        /// What the graders wrote of most of them; null where they differ.
        evidence: Option<String>,
        /// Whether a run of the round left an output.
        has_answers: bool,
    },
    /// Prompts end in `...` where nearly everything failed.
    PromptsCut { runs: usize, of: usize },
    /// Runs stopped with an error.
    Stopped {
        runs: usize,
        of: usize,
        /// The side; null for runs of both.
        side: Option<String>,
        /// The most frequent error.
        error: String,
        /// Runs that stopped with another one.
        others: usize,
    },
    /// Runs of a side finished and left only empty files.
    EmptyAnswers { runs: usize, of: usize, side: String },
    /// Some runs of the candidate did without the skill.
    NotLoaded {
        runs: usize,
        of: usize,
        /// The means of the other runs and of the other side, on the same cases.
        others: Option<Means>,
    },
    /// Runs of a side read the checks that grade them, or what other runs left, or had the skill that they
    /// should do without.
    ReadAnswers {
        runs: usize,
        of: usize,
        side: String,
        read_checks: bool,
        had_skill: bool,
        /// Whether a document lists these checks among what the runs were given.
        were_given: bool,
    },
    /// Failed checks of a side whose grader reports that a tool was refused.
    ToolDenied {
        checks: usize,
        failed: usize,
        graded: usize,
        side: String,
        /// The tool by its name; null where the graders name none.
        tool: Option<String>,
        /// Their cases, the one with most of them first.
        cases: Vec<String>,
        /// The gain of the other cases, in shares of 1; null where none is left.
        gain: Option<f64>,
    },
    /// Runs of a side whose failures have one reason: there was no answer.
    NoAnswer {
        runs: usize,
        of: usize,
        /// The side; null for runs of both.
        side: Option<String>,
        /// Those whose graders write that they saw the answer to another case.
        misfiled: usize,
        /// The gain of the other cases, in shares of 1; null where none is left.
        /// Null too where it is shown as the gain of all.
        gain: Option<f64>,
        case: String,
        evidence: String,
        /// The first round since which this case gave no answer; null where it did before.
        since: Option<String>,
    },
    /// Runs that took no time, or all the same.
    ImpossibleTimes {
        runs: usize,
        /// Those that took less than a tenth of a second, or than a second where half of all did not.
        too_fast: usize,
        /// The one time of all runs, in seconds; null where they differ.
        seconds: Option<f64>,
        /// Whether no agent can have run: half of them took less than a tenth of a second, or all the
        /// same to the millisecond.
        is_impossible: bool,
    },
    /// The runs of the other side are those of an earlier round.
    Carried { runs: usize, of: usize, side: String, iteration: String },
    /// Cases of the candidate whose runs are those of an earlier round.
    NotRunAgain {
        cases: Vec<String>,
        side: String,
        iteration: String,
        /// Whether the other side did not run them again either.
        is_both: bool,
        /// The gain of the other cases, in shares of 1; null where none is compared.
        gain: Option<f64>,
    },
    /// What both sides passed in the cases with verdicts of both, where others are missing.
    GradedPairs { cases: usize, counts: GradedCounts, side: String, other: String },
    /// The same skill ran again.
    Rerun {
        iteration: String,
        flipped: usize,
        checks: usize,
        /// A case in which a check flipped; null without one.
        case: Option<String>,
        /// The author's word for it; null where the copies of the skill are equal.
        note: Option<AuthorNote>,
    },
    /// Later rounds have no verdict.
    UngradedNewer {
        iterations: Vec<String>,
        /// The last of them.
        iteration: String,
        /// Runs of that one.
        runs: usize,
    },
    /// A graded side of the round with which no row compares the candidate.
    ThirdSide {
        side: String,
        /// Of the candidate over it, in shares of 1.
        gain: f64,
    },
    /// The other side fell, and that makes the gain.
    OtherFell { iteration: String, side: String, checks: usize, lost: usize },
    /// What the last change lost and repaired.
    Since {
        iteration: String,
        lost: usize,
        repaired: usize,
        unsteady: usize,
        checks: usize,
        /// What the side without the skill did meanwhile; null where it did not move.
        other: Option<Moved>,
        /// The first lost check; null without one.
        first_lost: Option<CheckOfCase>,
        /// The candidate, where the round has an earlier version of the skill to compare with as well.
        side: Option<String>,
        /// Since the round before that one, where that one lost more than it repaired: it may be thrown away.
        earlier: Option<SinceEarlier>,
    },
    /// Checks of the candidate that the round before did not have, where they are many.
    NewChecks { checks: usize, of: usize, failed: usize, iteration: String },
    /// No shared check has another verdict than in the round before.
    NothingMoved { iteration: String, checks: usize, other: Option<Moved> },
    /// The side without the change moved as much as the gain.
    RulerMoved { side: String },
    /// Checks that only the other side passes.
    Worse {
        checks: usize,
        is_earlier: bool,
        /// Whether ten times as many checks were gained.
        is_minor: bool,
        /// The other side: its configuration, or its round where that is another one.
        other: String,
        /// Whether the other side ran in the same round.
        is_within: bool,
        first: CheckOfCase,
        /// Whether a run of the round left an output.
        has_answers: bool,
    },
    /// Verdicts of the compared sides that come from a search for keywords, by their evidence.
    KeywordSearch { checks: usize, of: usize },
    /// Checks of the gain that cannot pass without the skill.
    CannotPass {
        checks: usize,
        gained: usize,
        /// The gain without them, in shares of 1.
        gain: f64,
        /// Whether hardly anything else was gained.
        is_whole_gain: bool,
        first: CheckOfCase,
    },
    /// One check in several cases is most of the gain, or two are.
    OneCheck {
        checks: usize,
        gained: usize,
        cases: usize,
        of: usize,
        check: String,
        second: Option<String>,
        is_earlier: bool,
    },
    /// Nearly all checks pass on both sides, so that they can hardly show a difference.
    TooEasy { passing: usize, checks: usize },
    /// A name of code that most gained checks have, and hardly another one.
    OneWord { checks: usize, gained: usize, word: String },
    /// One check of one case is the whole gain.
    OneStep {
        first: CheckOfCase,
        is_repeated: bool,
        is_earlier: bool,
        /// Whether nearly all other checks pass on both sides, so that repeating it settles little.
        is_easy: bool,
    },
    /// One case has most of the gain.
    OneCase { case: String, checks: usize, gained: usize, is_repeated: bool, is_earlier: bool },
    /// Cases that the skill is not for, with checks that fail only with it. They are in no gain.
    StayOut { cases: Vec<String>, checks: usize },
    /// Another candidate gained more against the same side.
    BetterCandidate { side: String, gain: f64, candidate: String },
    /// A changed skill kept all that it passed.
    NoRegression {
        checks: usize,
        failing: usize,
        repaired: usize,
        case: String,
        /// What it costs more, beyond chance, by a fifth and more; empty without such a cost.
        dearer: Vec<CostMove>,
    },
    /// With and without the skill the same checks pass.
    NoDifference { checks: usize, failing: usize },
    /// Checks that fail on both sides.
    FailsOnBoth {
        checks: usize,
        /// The one that fails in most cases.
        check: String,
        cases: usize,
        /// Whether they are few beside a gain.
        is_minor: bool,
        /// Whether it fails in all of several cases, so that it may be the check that is wrong.
        never_passes: bool,
    },
    /// All shared checks that were not gained pass on both sides.
    RestPasses {
        /// Their number.
        checks: usize,
        gained: usize,
        /// Whether so many checks moved one way that chance is no explanation.
        is_one_way: bool,
        /// The case with most of the gained checks, and how many: 0 for fewer than half.
        case: String,
        most: usize,
        /// Whether the runs of the round left outputs.
        has_answers: bool,
    },
    /// Costs that differ by more than a tenth.
    Costs { costs: Vec<CostMove> },
    /// Two files give different times or tokens for most runs.
    TwoFigures { runs: usize, of: usize },
    /// Every time and every number of tokens is round, as if somebody had typed them in.
    RoundFigures { runs: usize },
    /// A cost of one side is many times that of the other: it may be counted in two ways.
    OddCost {
        resource: CostKind,
        factor: f64,
        /// Whether a document lists files of the skill among what its runs were given.
        is_in_prompt: bool,
    },
    /// Costs that only a benchmark records.
    RecordedCosts { file: String, costs: Vec<CostMove> },
    /// Checks that fail, where nothing is compared.
    Fails { checks: usize, first: CheckOfCase },
    /// Checks that pass in every run, and in none of the other side.
    Gained {
        checks: usize,
        /// Those that the other side has in other words, with one run each; they are not among `checks`.
        reworded: usize,
        is_earlier: bool,
        /// The other side: its configuration, or its round where that is another one.
        other: String,
        /// Whether the other side ran in the same round.
        is_within: bool,
        /// The one that was gained in most cases.
        first: CheckOfCase,
        /// The other one of two.
        second: Option<CheckOfCase>,
        /// The cases in which it was; null for one.
        several: Option<usize>,
    },
    /// Checks that pass in every run, and in some of the other side.
    Steadier {
        checks: usize,
        /// The one that the other side failed most often: in how many of its runs.
        first: CheckOfCase,
        failed: usize,
        of: usize,
    },
    /// The graders wrote the same of both sides, word for word.
    SameEvidence { checks: usize },
    /// A pass rate that a file of the round states is another one.
    RecordedDiffers {
        file: String,
        side: Option<String>,
        recorded: f64,
        counted: f64,
        /// How many checks of the side the file counts, where it counts others, and how many are graded.
        listed: Option<usize>,
        graded: usize,
    },
    /// The gain of an earlier round is gone: the skill lost it, or the side without it caught up.
    GainGone {
        outcome: NamedOutcome,
        /// The model; null in a round under one condition.
        condition: Option<String>,
        iteration: String,
        /// The mean of the side that moved, then and now: a pass rate in 0..=1.
        before: f64,
        after: f64,
        /// The mean of the side with the skill now.
        with_skill: f64,
    },
    /// Cases that were prepared and not run.
    NotRun { cases: Vec<String> },
    /// Rounds that have the gradings of an earlier one.
    GradedBefore { iterations: Vec<String>, original: String },
    /// A round whose gradings are those of the round before, word for word, though its runs are not.
    EqualGradings { iteration: String, original: String, runs: usize },
    /// Cases that only one side of the comparison ran.
    OneSided {
        /// The side that did not run them.
        side: String,
        cases: Vec<String>,
        /// Their number, and that of all cases of the round.
        number: usize,
        of: usize,
    },
    /// Only a few cases of the round before ran again.
    PartialRerun { cases: usize, of: usize, iteration: String },
    /// Two graders of the same runs gave other verdicts, and one of them counts.
    GradersDisagree { runs: usize, disputes: usize, checks: u64 },
    /// Runs of the candidate, or checks of its runs, that have no verdict.
    NoVerdict {
        runs: usize,
        of: usize,
        checks: usize,
        side: String,
        /// The first grading of the side that breaks off.
        broken: Option<String>,
    },
    /// A run that cost far more than the others of its case.
    Runaway {
        resource: CostKind,
        case: String,
        run: u32,
        side: String,
        factor: f64,
        /// Whether it makes the totals say something else than a typical case.
        turns_totals: bool,
    },
    /// Runs that record errors on the way.
    HadErrors {
        runs: usize,
        of: usize,
        /// The side; null for runs of both.
        side: Option<String>,
    },
    /// Graded runs without any output, where others left some.
    NoOutput {
        runs: usize,
        of: usize,
        /// The side; null for runs of both.
        side: Option<String>,
    },
    /// A cost without a ratio, since its figures cannot be true or are of different things.
    NoRatio { resource: CostKind, reason: Implausible },
    /// Nothing to compare with.
    NoOther { cases: usize },
    /// The other side is only in a benchmark, with this pass rate in 0..=1.
    RecordedOther {
        file: String,
        side: String,
        rate: f64,
        /// Whether the author says that it is an earlier version of the skill.
        is_earlier: bool,
        /// What the author says that it is; null without a word of it.
        note: Option<AuthorNote>,
    },
    /// What the author wrote.
    Noted {
        note: AuthorNote,
        /// The case of which it says that something other than the skill decided it.
        case: Option<String>,
        /// The gain of the other cases, in shares of 1.
        gain: Option<f64>,
    },
}
