//! The forms of values of fields, for the JSON Schemas.

use serde_json::Value;

use crate::read::alias::{
    Field, TABLE, benchmark, case, claim, comparison, counts, expectation, feedback, grading,
    history, labels, measured, suggestion,
};

/// The form of a value.
#[derive(Debug)]
pub enum ValueForm {
    /// A text.
    Text,
    /// A JSON number, not one in quotes.
    Number,
    /// `true` or `false`.
    Flag,
    /// A name: a text, or a number used as one.
    Label,
    /// The verdict of a grader: `true`, `false`, or a word such as `pass`. Under one of the
    /// spellings it must be a known word; the others may hold something else.
    Verdict,
    /// Any value: its shape differs from writer to writer.
    Anything,
    /// An object with the fields of this shape.
    Object(Shape),
    /// A list whose items all have this form.
    List(&'static ValueForm),
    /// An object of these values by names of the author's choice.
    ByName(&'static ValueForm),
    /// A value of one of these forms.
    Either(&'static [ValueForm]),
    /// Written by evalbook: the schema of its own types.
    Written(fn() -> Value),
}

/// A list of texts.
pub const TEXTS: ValueForm = ValueForm::List(&ValueForm::Text);
/// A text, or a list of texts.
pub(crate) const TEXT_OR_TEXTS: ValueForm = ValueForm::Either(&[ValueForm::Text, TEXTS]);
/// `true` or `false`, or a word for it.
pub(crate) const FLAG_OR_TEXT: ValueForm = ValueForm::Either(&[ValueForm::Flag, ValueForm::Text]);

/// An object of a schema; the alias table defines its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Fields shared by several objects.
    Labels,
    /// `grading.json`: the verdicts on one run.
    Grading,
    /// An expectation with its verdict.
    Graded,
    /// Numbers of passed and failed expectations, and the pass rate.
    Counts,
    /// A statement that the grader found in an output and checked.
    Claim,
    /// The executor's remarks by heading.
    Notes,
    /// The grader's remarks on the expectations, with a list of suggestions.
    Advice,
    /// One suggestion on an expectation.
    Suggestion,
    /// `timing.json`, `metrics.json`: what a run cost.
    Metrics,
    /// A case in `evals.json`: its task and its planned expectations.
    Case,
    /// A case without required fields.
    Metadata,
    /// An expectation as planned, without a verdict.
    PlannedExpectation,
    /// `evals.json`: all cases of a skill.
    Evals,
    /// `benchmark.json`: the figures of one iteration.
    Benchmark,
    /// The head of a benchmark: skill, models, time, cases run.
    BenchmarkMetadata,
    /// A run in the list of a benchmark.
    BenchmarkRun,
    /// `feedback.json`: a person's reviews.
    Feedback,
    /// One review in it.
    Review,
    /// What a person says of one check.
    Judged,
    /// A judge's choice between two unnamed outputs.
    Comparison,
    /// An analysis of a comparison or of an iteration.
    Analysis,
    /// A change to the skill that an analysis suggests.
    Proposal,
    /// `history.json`: the versions of the skill.
    History,
    /// One version in it.
    Version,
    /// `measured.json`: what a run is measured on.
    Measured,
    /// `reused.json`: which run of an earlier round counts again.
    Reused,
}

impl Shape {
    /// The fields of an object, each with the form of its value.
    pub fn fields(self) -> Vec<(&'static Field, &'static ValueForm)> {
        let home = if self == Self::Metadata { Self::Case } else { self };
        let mut fields = Vec::new();
        for field in TABLE.iter().flat_map(|(_, fields)| *fields) {
            if let Some((shape, form)) = &field.form
                && *shape == home
            {
                fields.push((*field, form));
            }
        }
        for field in self.shared() {
            fields.extend(field.form.as_ref().map(|(_, form)| (*field, form)));
        }
        fields
    }

    /// The fields shared with other objects.
    fn shared(self) -> &'static [&'static Field] {
        use labels::{CASE_ID, CASE_NAME, CONFIGURATION, RUN, SKILL, VERSION};
        match self {
            Self::Grading => {
                &[&counts::PASS_RATE, &CASE_ID, &CASE_NAME, &CONFIGURATION, &RUN, &VERSION]
            }
            Self::BenchmarkRun => &[&CASE_ID, &CASE_NAME, &CONFIGURATION, &RUN],
            Self::Evals | Self::BenchmarkMetadata | Self::History => &[&SKILL],
            _ => &[],
        }
    }

    /// The required fields, under any spelling.
    // Some public gradings have no `evidence` at all.
    pub fn required(self) -> &'static [&'static Field] {
        match self {
            Self::Grading => &[&grading::ITEMS],
            Self::Graded => &[&expectation::TEXT, &expectation::VERDICT],
            Self::Claim => &[&claim::TEXT],
            Self::Suggestion => &[&suggestion::TEXT],
            Self::PlannedExpectation => &[&case::EXPECTATION_TEXT],
            Self::Case => &[&case::PROMPT],
            Self::Evals => &[&case::LIST],
            Self::Benchmark => &[&benchmark::SUMMARIES],
            Self::BenchmarkRun => &[&labels::CONFIGURATION],
            Self::Feedback => &[&feedback::REVIEWS],
            Self::Review => &[&feedback::RUN_ID, &feedback::TEXT],
            Self::Judged => &[&feedback::CHECK, &feedback::OUTCOME],
            Self::Comparison => &[&comparison::WINNER],
            Self::History => &[&history::VERSIONS],
            Self::Version => &[&history::VERSION],
            Self::Reused => &[&measured::SOURCE],
            _ => &[],
        }
    }
}
