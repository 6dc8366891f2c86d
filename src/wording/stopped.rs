//! Runs that stopped with an error: on which sides, why, and what they would change.

use crate::analyze::{Change, Side};
use crate::budget::FEW_NAMES;
use crate::digest::StoppedRuns;
use crate::language::{Language, say};
use crate::wording::{Facts, verdict};
use text::cut_line;

/// Characters of an error.
const ERROR_LENGTH: usize = 40;

/// The runs of one side, or of both, that stopped.
pub(super) fn sentence(facts: Facts<'_>, lead: Option<&Change>, stopped: &[StoppedRuns]) -> String {
    match stopped {
        [one] => stopped_on_one_side(facts, lead, one),
        both => stopped_on_both_sides(both, facts.language),
    }
}

fn stopped_on_one_side(facts: Facts<'_>, lead: Option<&Change>, stopped: &StoppedRuns) -> String {
    let language = facts.language;
    let StoppedRuns { side, runs: n, total, errors, .. } = stopped;
    let mut kinds = Vec::new();
    for (error, number) in errors {
        let error = cut_line(error, ERROR_LENGTH);
        kinds.push(say!(language, "overview.error_in", error, n = number));
    }
    let errors = language.first_few(kinds, FEW_NAMES, "list.comma");
    let (name, runs) = (&side.configuration, language.count(*total, "run"));
    let key = if n == total { "overview.all_stopped" } else { "overview.stopped" };
    let text = say!(language, key, n, runs, name, errors);
    // The large word names another iteration, but no side of its own.
    let lead = lead.filter(|lead| lead.is_within_iteration());
    let mut next = had_they_failed(facts, lead, side);
    if next.is_none()
        && let Some(lead) = lead
    {
        let names = [&*lead.after.configuration, &*lead.before.configuration];
        next = verdict::means(&lead.gain, names, language);
    }
    language.sentences([text, next.unwrap_or_default()])
}

/// The pass rate of `side` if its runs in error had failed, and that of the other side; `None` where
/// these count anyway.
fn had_they_failed(facts: Facts<'_>, lead: Option<&Change>, side: &Side) -> Option<String> {
    let Facts { analysis, language, .. } = facts;
    let summary = analysis.summary(side)?;
    let (own, worst) = (summary.by_case?, summary.by_case_if_failed?);
    if own <= worst {
        return None;
    }
    let (mut rate, worst) = (language.percent(own), language.percent(worst));
    let name = &summary.name;
    let Some(lead) = lead else {
        return Some(say!(language, "overview.had_they_failed", name, rate, worst));
    };
    // The rates next to the large word are those of the compared cases.
    let [after, before] = verdict::compared_rates(facts, lead).map(|rate| rate.percent);
    let (other, other_rate);
    if *side == lead.after {
        (rate, other, other_rate) = (after, &lead.before, before);
    } else {
        (rate, other, other_rate) = (before, &lead.after, after);
    }
    let (key, other) = ("overview.had_they_failed_vs", &other.configuration);
    Some(say!(language, key, name, rate, worst, other, other_rate))
}

/// `5 of 20 runs stopped: 1 of with_skill, 4 of without_skill; they are left out.`
fn stopped_on_both_sides(stopped: &[StoppedRuns], language: &Language) -> String {
    let (mut n, mut total, mut sides) = (0, 0, Vec::new());
    for side in stopped {
        n += side.runs;
        total += side.total;
        let name = &side.side.configuration;
        sides.push(say!(language, "overview.stopped_of", n = side.runs, name));
    }
    // Some evaluators grade a run that stopped, as failed.
    let are_counted = stopped.iter().any(|side| side.is_any_graded);
    let key =
        if are_counted { "overview.stopped_on_both" } else { "overview.stopped_and_left_out" };
    let sides = sides.join(language.text("list.comma"));
    say!(language, key, n, runs = language.count(total, "run"), sides)
}
