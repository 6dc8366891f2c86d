//! A grader's findings on one run: verdicts, counts of them, and remarks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One expectation with its verdict.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Expectation {
    /// The author's or the grader's id of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The statement that was checked.
    pub text: String,
    /// Further description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The verdict; null without one.
    #[serde(rename = "passed", default)]
    #[schemars(with = "Option<bool>")]
    pub outcome: Outcome,
    /// Why, in the grader's words. Absent in a graded run's own grading: see the iteration's
    /// `benchmark.json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// The score on the grader's rubric.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// A score outside the rubric of 1 to 5: not used for anything, and `score` is absent.
    // agentv has scores from 0 to 1 under the same key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score_outside: Option<f64>,
    /// Whether the case fails if this expectation fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// Whether it counts as failed only because its grader broke.
    // promptfoo counts a judge without an answer so, and marks it.
    #[serde(skip)]
    pub is_grader_failure: bool,
    /// Whether its verdict may say that the statement is true of the output rather than that the output is
    /// good, as `met` does.
    #[serde(skip)]
    pub says_met: bool,
}

impl Expectation {
    /// Whether it makes its run fail: it failed and is not optional.
    pub fn fails_run(&self) -> bool {
        self.outcome == Outcome::Failed && self.required != Some(false)
    }
}

/// A statement found in an output and checked on its own.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Claim {
    /// The statement.
    pub text: String,
    /// `factual`, `process` or `quality`, as the grader wrote it.
    pub kind: Option<String>,
    /// Whether it was found true.
    pub verified: Option<bool>,
    /// Why.
    pub evidence: Option<String>,
}

/// A grader's advice on the expectations themselves, never on the skill.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Suggestion {
    /// The expectation it is about, where one was named.
    pub expectation: Option<String>,
    /// The advice.
    pub text: String,
}

/// Remarks by heading.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(default)]
pub struct Notes {
    /// Uncertain points.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uncertainties: Vec<String>,
    /// Points for somebody to look at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needs_review: Vec<String>,
    /// Workarounds that were used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub workarounds: Vec<String>,
    /// Other remarks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other: Vec<String>,
}

impl Notes {
    /// Whether there is no remark under any heading.
    pub fn is_empty(&self) -> bool {
        self.all().next().is_none()
    }

    /// Adds the remarks of `other`, each under its heading and after those already there.
    pub fn append(&mut self, mut other: Self) {
        self.uncertainties.append(&mut other.uncertainties);
        self.needs_review.append(&mut other.needs_review);
        self.workarounds.append(&mut other.workarounds);
        self.other.append(&mut other.other);
    }

    /// Every remark, in the order of the fields.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        let groups = [&self.uncertainties, &self.needs_review, &self.workarounds, &self.other];
        groups.into_iter().flatten().map(String::as_str)
    }
}

/// One of the fixed writing-convention checks of the scored dialect.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct ConventionCheck {
    /// Which convention, for example `frontmatter`.
    pub name: String,
    /// The verdict; null without one.
    #[serde(rename = "passed", default)]
    #[schemars(with = "Option<bool>")]
    pub outcome: Outcome,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
}

/// Recorded rates may be rounded to two decimals.
// The skill-creator writes four decimals, people who write a benchmark by hand two.
pub const RATE_ROUNDING: f64 = 0.00501;

/// Counts that a document states next to, or instead of, its verdicts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecordedCounts {
    /// Expectations passed; `None` if not written.
    pub passed: Option<f64>,
    /// Expectations failed; `None` if not written.
    pub failed: Option<f64>,
    /// Expectations in total; `None` if not written.
    pub total: Option<f64>,
    /// Share passed, in 0..=1.
    pub pass_rate: Option<f64>,
}

/// One grader's findings on one run.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Grading {
    /// Its file relative to the workspace.
    pub path: String,
    /// Who graded; null if unknown.
    pub grader: Option<String>,
    /// The recorded overall verdict, if there is one.
    #[serde(default, skip_serializing_if = "is_without_verdict")]
    #[schemars(with = "Option<bool>")]
    pub overall: Option<Outcome>,
    /// Whether its verdicts are those of a recorded benchmark, because no grading of the iteration
    /// was kept.
    // Repositories that ignore run folders have the benchmark alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(!default)]
    pub is_recorded: bool,
    /// Whether its scores are on the rubric of 1 to 5.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(!default)]
    pub is_scored: bool,
    /// The recorded mean of all its scores, 1 to 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overall_score: Option<f64>,
    /// The recorded mean of the scores of its required expectations, 1 to 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required_score: Option<f64>,
    /// Every expectation listed.
    pub expectations: Vec<Expectation>,
    /// How many planned expectations it lacks, if it has only planned ones.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(!default)]
    pub never_graded: usize,
    /// Whether its file breaks off, so that it may lack verdicts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(!default)]
    pub is_cut_off: bool,
    /// The grader's remarks.
    #[serde(default, skip_serializing_if = "Notes::is_empty")]
    #[schemars(!default)]
    pub notes: Notes,
    /// Counts stated in the document; shown only if they disagree or there are no verdicts.
    #[serde(skip)]
    pub recorded: RecordedCounts,
    /// Claims found in the outputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(!default)]
    pub claims: Vec<Claim>,
    /// Advice on the expectations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(!default)]
    pub suggestions: Vec<Suggestion>,
    /// Overall remark on the quality of the expectations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub critique: Option<String>,
    /// Writing-convention checks; not part of the pass rate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(!default)]
    pub conventions: Vec<ConventionCheck>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn is_without_verdict(overall: &Option<Outcome>) -> bool {
    overall.is_none_or(|outcome| outcome == Outcome::Ungraded)
}

impl Grading {
    /// The tally counted from the verdicts, never from recorded counts.
    pub fn tally(&self) -> Tally {
        Tally::new(self.expectations.iter().map(|expectation| expectation.outcome))
    }

    /// Whether both gradings have the same verdicts on the same statements in the same order.
    pub fn same_verdicts(&self, other: &Self) -> bool {
        let [own, others] = [self, other]
            .map(|grading| grading.expectations.iter().map(|found| (&found.text, found.outcome)));
        own.eq(others)
    }
}

/// The verdict on one expectation. Absent is not failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "Option<bool>", into = "Option<bool>")]
pub enum Outcome {
    /// The grader found it met.
    Passed,
    /// The grader found it not met.
    Failed,
    /// There is no verdict: the grader gave none, or skipped the expectation.
    // `"passed": null` is met, and agent-skill-eval skips a check with `"skipped": true`.
    #[default]
    Ungraded,
}

impl Outcome {
    /// `passed`, `failed` or `ungraded`, whatever the language of the pages.
    pub fn word(self) -> &'static str {
        ["passed", "failed", "ungraded"][self as usize]
    }
}

impl From<Outcome> for Option<bool> {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Passed => Some(true),
            Outcome::Failed => Some(false),
            Outcome::Ungraded => None,
        }
    }
}

impl From<Option<bool>> for Outcome {
    fn from(passed: Option<bool>) -> Self {
        passed.map_or(Self::Ungraded, Self::from)
    }
}

impl From<bool> for Outcome {
    fn from(passed: bool) -> Self {
        if passed { Self::Passed } else { Self::Failed }
    }
}

/// How many expectations passed, failed and were left without a verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Expectations with the verdict passed.
    pub passed: usize,
    /// Expectations with the verdict failed.
    pub failed: usize,
    /// Expectations without a verdict; not part of the pass rate.
    pub ungraded: usize,
}

impl Tally {
    /// Counts `outcomes`, each as one expectation.
    pub fn new(outcomes: impl IntoIterator<Item = Outcome>) -> Self {
        let mut tally = Self::default();
        for outcome in outcomes {
            tally.count(outcome);
        }
        tally
    }

    /// Counts one more expectation with this outcome.
    pub fn count(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Passed => self.passed += 1,
            Outcome::Failed => self.failed += 1,
            Outcome::Ungraded => self.ungraded += 1,
        }
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ungraded += other.ungraded;
    }

    /// Expectations with a verdict, the denominator of the pass rate.
    pub fn graded(self) -> usize {
        self.passed + self.failed
    }

    /// All expectations, with a verdict or without.
    pub fn total(self) -> usize {
        self.graded() + self.ungraded
    }

    /// Passed over graded, in 0..=1; `None` when nothing was graded.
    pub fn pass_rate(self) -> Option<f64> {
        (self.graded() > 0).then(|| self.passed as f64 / self.graded() as f64)
    }
}

impl std::iter::Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), |mut sum, tally| {
            sum.add(tally);
            sum
        })
    }
}
