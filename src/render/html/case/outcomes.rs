//! The verdicts of one side on a check, as a square and as a change.

use input::model::Tally;

/// The verdicts of a side on a check.
#[derive(Clone, Copy, Default, PartialEq)]
pub(in crate::render::html) struct Outcomes {
    pub(in crate::render::html) tally: Tally,
    /// Whether they are those of one run.
    pub(in crate::render::html) is_single: bool,
}

/// How much of a square is filled: the share of runs that passed. A single run is an outline.
pub(in crate::render::html) fn fill(found: Outcomes) -> &'static str {
    let Some(rate) = found.tally.pass_rate() else { return "none" };
    if found.is_single {
        return if found.tally.failed == 0 { "pencil full" } else { "pencil" };
    }
    match rate {
        0.0 => "empty",
        1.0 => "full",
        rate if rate < 0.4 => "third",
        rate if rate < 0.6 => "half",
        _ => "most",
    }
}

/// The sign and the tone of a change from `before`; hollow for single runs.
pub(super) fn change(after: Outcomes, before: Outcomes) -> [&'static str; 2] {
    let rates = [after, before].map(|found| found.tally.pass_rate());
    let [Some(new), Some(old)] = rates else { return ["", ""] };
    if new == old {
        return if new == 0.0 { ["■", "neutral"] } else { ["", ""] };
    }
    // What passes in some runs of a side only is unsteady, and neither lost nor repaired.
    if (new - old).abs() < 1.0 {
        return ["◇", "neutral"];
    }
    match (new > old, after.is_single || before.is_single) {
        (true, true) => ["△", "better"],
        (true, false) => ["▲", "better"],
        (false, true) => ["▽", "worse"],
        (false, false) => ["▼", "worse"],
    }
}
