//! What the values of fields are, for the JSON Schemas.

use serde_json::Value;

/// What a value is.
#[derive(Debug)]
pub(crate) enum ValueForm {
    Text,
    Number,
    Flag,
    /// A name: a text, or a number that stands for one.
    Label,
    /// The verdict of a grader: `true`, `false`, or a word such as `pass`. Under one of the
    /// spellings it must be a word that is known; the others may say something else.
    Verdict,
    Anything,
    Object(Shape),
    List(&'static ValueForm),
    /// An object of such values by a name of the author's.
    ByName(&'static ValueForm),
    Either(&'static [ValueForm]),
    /// What evalbook writes: the schema of its own types.
    Written(fn() -> Value),
}

pub(crate) const TEXTS: ValueForm = ValueForm::List(&ValueForm::Text);
pub(crate) const TEXT_OR_TEXTS: ValueForm = ValueForm::Either(&[ValueForm::Text, TEXTS]);
pub(crate) const FLAG_OR_TEXT: ValueForm = ValueForm::Either(&[ValueForm::Flag, ValueForm::Text]);

/// An object of a schema; the alias table says which fields it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// What several objects have.
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
    /// A case of which nothing has to be there.
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
