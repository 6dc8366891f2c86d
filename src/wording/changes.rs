//! One change as a table row with its reasons in sentences, and what regressed.

use std::borrow::Cow;

use serde::Serialize;

use crate::analyze::{Change, CostKind, Side, is_earlier_version};
use crate::digest::{self, Changes};
use crate::language::{DASH, Language, Rate, say};
use crate::wording::{Facts, costs, headline, sides, verdict};
use text::cut_line;

/// Characters of a name in a sentence.
const NAME_LENGTH: usize = 60;

#[derive(Clone, Debug, Serialize)]
pub(crate) struct ChangeRow {
    /// `with_skill vs without_skill (baseline)`.
    pub(crate) name: String,
    /// The gain with its interval and certainty, or a dash.
    pub(crate) gain: String,
    /// Passed checks of both sides among those compared, `30/40 → 36/40`; or a dash.
    pub(crate) checks: String,
    /// The ratio of time to that of the other side, or a dash.
    pub(crate) time: String,
    /// The ratio of tokens to those of the other side, or a dash.
    pub(crate) tokens: String,
    /// The verdict, what was left out, and what else differs.
    pub(crate) sentences: Vec<String>,
}

impl ChangeRow {
    /// The candidates of an iteration against the baseline, then against earlier iterations.
    pub(crate) fn all(facts: Facts<'_>, iteration: usize) -> Vec<Self> {
        facts.analysis.changes_in(iteration).map(|change| Self::new(facts, change)).collect()
    }

    fn new(facts: Facts<'_>, change: &Change) -> Self {
        let language = facts.language;
        let gain = &change.gain;
        let mut checks = DASH.to_owned();
        if gain.paired().is_some() {
            checks = Rate::counts_of_both(gain.before, gain.after);
        }
        let mut sentences = vec![headline::sentences(facts, change)];
        sentences.extend(reasons(facts, change));
        // The rates of all cases of a side are others than those of the compared cases.
        if digest::compared_in_part(change, facts.analysis).is_some() {
            let names =
                [&change.after, &change.before].map(|side| sides::name_in(facts, change, side));
            let names = names.each_ref().map(String::as_str);
            sentences.extend(verdict::means(gain, names, language));
        }
        sentences.extend(costs::totals(change, language));
        Self {
            name: name(facts, change),
            gain: headline::cell(gain, language).unwrap_or_else(|| DASH.to_owned()),
            checks,
            time: cost(change, CostKind::Time, language),
            tokens: cost(change, CostKind::Tokens, language),
            sentences,
        }
    }
}

fn cost(change: &Change, kind: CostKind, language: &Language) -> String {
    costs::ratio(kind.of(&change.costs), kind, language).unwrap_or_else(|| DASH.to_owned())
}

fn name(facts: Facts<'_>, change: &Change) -> String {
    let language = facts.language;
    // Against an earlier iteration the configuration is the same, so the iteration tells them apart.
    let other = if change.is_within_iteration() {
        &change.before.configuration
    } else {
        &facts.workspace.iterations[change.before.iteration].name
    };
    let mut reasons = Vec::new();
    for against in &change.against {
        reasons.push(language.text(&format!("change.{}", against.word())).to_owned());
    }
    let reasons = language.list(reasons);
    say!(language, "change.name", side = change.after.configuration, other, reasons)
}

/// In how many cases the side is better, what was left out, what else differs, and what so few cases can
/// show.
pub(crate) fn reasons(facts: Facts<'_>, change: &Change) -> Vec<String> {
    let language = facts.language;
    let [after, before] =
        [&change.after, &change.before].map(|side| sides::name_in(facts, change, side));
    let mut sentences = Vec::from_iter(verdict::cases_by_direction(&change.gain, language));
    sentences.extend(verdict::limits(change, language));
    sentences.extend(verdict::in_common(facts, change, [&after, &before]));
    sentences.extend(verdict::omitted(facts, change));
    sentences.extend(sides::difference_sentences(facts, change.sides()));
    sentences.extend(verdict::next_step(facts, change));
    sentences
}

/// The key of a text that says *regressed* or *improved*: against the side without the skill another
/// says *worse* or *better*.
pub(crate) fn key_against<'k>(key: &'k str, [before, after]: [&Side; 2]) -> Cow<'k, str> {
    if is_earlier_version(before, after) {
        Cow::Borrowed(key)
    } else {
        Cow::Owned(format!("{key}_without"))
    }
}

/// What regressed, as a sentence about its number: `3 checks regressed since iteration-1.` With single
/// runs it says only what was seen. `None` if nothing regressed.
pub(crate) fn regressed(facts: Facts<'_>, changes: &Changes<'_>) -> Option<String> {
    let language = facts.language;
    let regressed = changes.regressed();
    let repeated = regressed.iter().filter(|flip| flip.is_repeated()).count();
    let n = if repeated > 0 { repeated } else { regressed.len() };
    if n == 0 {
        return None;
    }
    let key = match (changes.is_within_iteration, repeated > 0) {
        (true, true) => key_against("overview.regressed", changes.sides()),
        (true, false) => key_against("overview.regressed_once", changes.sides()),
        (false, true) => Cow::Borrowed("overview.regressed_since"),
        (false, false) => Cow::Borrowed("overview.regressed_since_once"),
    };
    let iteration = iteration_name(facts, changes);
    Some(say!(language, &key, checks = language.count(n, "check"), iteration))
}

/// The name of the earlier iteration, at a length that a sentence bears.
fn iteration_name(facts: Facts<'_>, changes: &Changes<'_>) -> String {
    cut_line(&facts.workspace.iterations[changes.before.iteration].name, NAME_LENGTH)
}
