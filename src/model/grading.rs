//! What a grader said about one run.

use crate::model::outcome::Outcome;
use crate::model::tally::Tally;

/// One statement that was checked, with its verdict.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expectation {
    /// The grader's or author's id, as text.
    pub id: Option<String>,
    /// The statement; never empty.
    pub text: String,
    /// Longer wording where the statement itself is a short label (scored dialect).
    pub description: Option<String>,
    /// The verdict.
    pub outcome: Outcome,
    /// Why the grader said so.
    pub evidence: Option<String>,
    /// Score on the rubric of 1 to 5 (scored dialect); other graders may use 0 to 1.
    pub score: Option<f64>,
    /// A score that the rubric of 1 to 5 does not have: told as such, and used for nothing; `score`
    /// is absent then.
    pub score_outside: Option<f64>,
    /// Whether the case fails when this one fails; `None` where nobody said.
    pub required: Option<bool>,
}

/// A statement found in an output and checked on its own.
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The expectation it is about, where one was named.
    pub expectation: Option<String>,
    /// The advice.
    pub text: String,
}

/// An executor's remarks on its own work.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// What it was not sure of.
    pub uncertainties: Vec<String>,
    /// What a person should look at.
    pub needs_review: Vec<String>,
    /// What it did instead of what was asked.
    pub workarounds: Vec<String>,
    /// Remarks without one of these headings.
    pub other: Vec<String>,
}

impl Notes {
    /// Whether nothing was remarked.
    pub fn is_empty(&self) -> bool {
        self.all().next().is_none()
    }

    /// Adds the remarks of `other`.
    pub fn append(&mut self, mut other: Self) {
        self.uncertainties.append(&mut other.uncertainties);
        self.needs_review.append(&mut other.needs_review);
        self.workarounds.append(&mut other.workarounds);
        self.other.append(&mut other.other);
    }

    /// Every remark: uncertainties, needs review, workarounds, others.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        let groups = [&self.uncertainties, &self.needs_review, &self.workarounds, &self.other];
        groups.into_iter().flatten().map(String::as_str)
    }
}

/// One of the fixed writing-convention checks of the scored dialect.
#[derive(Clone, Debug, PartialEq)]
pub struct ConventionCheck {
    /// Which convention, for example `frontmatter`.
    pub name: String,
    /// The verdict.
    pub outcome: Outcome,
    /// Why.
    pub details: Option<String>,
}

/// Counts that a document states beside, or instead of, its verdicts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecordedCounts {
    /// Passed expectations.
    pub passed: Option<f64>,
    /// Failed expectations.
    pub failed: Option<f64>,
    /// All expectations.
    pub total: Option<f64>,
    /// Share passed, in 0..=1.
    pub pass_rate: Option<f64>,
}

/// All graded expectations of one run by one grader.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grading {
    /// The file it was read from, relative to the workspace.
    pub path: String,
    /// The verdicts, in the order written.
    pub expectations: Vec<Expectation>,
    /// Counts stated in the document; shown only where they disagree or stand alone.
    pub recorded: RecordedCounts,
    /// The recorded overall verdict (scored dialect), as an outcome.
    pub overall: Option<Outcome>,
    /// Claims found in the outputs.
    pub claims: Vec<Claim>,
    /// Advice on the expectations.
    pub suggestions: Vec<Suggestion>,
    /// Overall remark on the quality of the expectations.
    pub critique: Option<String>,
    /// The executor's remarks as summed up by the grader.
    pub notes: Notes,
    /// Writing-convention checks; they take no part in the pass rate.
    pub conventions: Vec<ConventionCheck>,
    /// The model or person that graded, where named.
    pub grader: Option<String>,
}

impl Grading {
    /// The tally counted from the verdicts, never from recorded counts.
    pub fn tally(&self) -> Tally {
        Tally::of(self.expectations.iter().map(|expectation| expectation.outcome))
    }

    /// Whether both gradings give the same verdicts on the same statements in the same order.
    pub fn same_verdicts(&self, other: &Self) -> bool {
        let verdicts = |grading: &Self| -> Vec<(String, Outcome)> {
            grading.expectations.iter().map(|e| (e.text.clone(), e.outcome)).collect()
        };
        verdicts(self) == verdicts(other)
    }
}
