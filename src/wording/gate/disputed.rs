//! How many disputed checks a gate counted.

use crate::analyze::disputed;
use crate::gate::Question;
use crate::language::Language;
use crate::wording::gate::{GateLine, GateMark};

/// A remark on the checks that count as the grader judged them, although a person says otherwise.
pub(super) fn line(question: &Question<'_>, language: &Language) -> Option<GateLine> {
    let change = question.change.or(question.on_baseline())?;
    let number = disputed(question.workspace, &question.analysis.cases, change.sides()).len();
    if number == 0 {
        return None;
    }
    Some(GateLine { mark: GateMark::Remark, text: language.count(number, "disputed_counted") })
}
