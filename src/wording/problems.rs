//! Problems in words.

use crate::language::Language;
use crate::model::{Problem, Severity};

/// The number of problems of each severity, in one line.
pub(crate) fn problem_counts(language: &Language, problems: &[Problem]) -> String {
    let count = |severity| {
        let number = problems.iter().filter(|problem| problem.severity() == severity).count();
        language.problems(number, severity)
    };
    language.list([Severity::Error, Severity::Warning, Severity::Note].map(count))
}
