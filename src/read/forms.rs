//! The forms of values of fields, for the JSON Schemas.

use serde_json::Value;

/// The form of a value.
#[derive(Debug)]
pub(crate) enum ValueForm {
    Text,
    Number,
    Flag,
    /// A name: a text, or a number used as one.
    Label,
    /// The verdict of a grader: `true`, `false`, or a word such as `pass`. Under one of the
    /// spellings it must be a known word; the others may hold something else.
    Verdict,
    Anything,
    Object(Shape),
    List(&'static ValueForm),
    /// An object of these values by names of the author's choice.
    ByName(&'static ValueForm),
    Either(&'static [ValueForm]),
    /// Written by evalbook: the schema of its own types.
    Written(fn() -> Value),
}

pub(crate) const TEXTS: ValueForm = ValueForm::List(&ValueForm::Text);
pub(crate) const TEXT_OR_TEXTS: ValueForm = ValueForm::Either(&[ValueForm::Text, TEXTS]);
pub(crate) const FLAG_OR_TEXT: ValueForm = ValueForm::Either(&[ValueForm::Flag, ValueForm::Text]);

/// An object of a schema; the alias table defines its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Fields shared by several objects.
    Labels,
    Grading,
    Graded,
    Counts,
    Claim,
    Notes,
    Advice,
    Suggestion,
    Metrics,
    Case,
    /// A case without required fields.
    Metadata,
    PlannedExpectation,
    Evals,
    Benchmark,
    BenchmarkMetadata,
    BenchmarkRun,
    Feedback,
    Review,
    Comparison,
    Analysis,
    Proposal,
    History,
    Version,
}
