//! One change as a row of a table, with its reasons in sentences.

use std::fmt::Display;

use serde::Serialize;

use crate::analyze::{Against, Analysis, Change, Fate, Flip, Side};
use crate::model::{Tally, Workspace};
use crate::render::context::{DASH, Language, Part, Rate};
use crate::render::text::verdict;

/// What became of one side, in cells and sentences.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ChangeRow {
    /// `with_skill against the baseline without_skill`.
    pub(crate) name: String,
    /// The gain with its interval and how sure it is, or a dash.
    pub(crate) gain: String,
    /// What both sides passed of the checks compared, `30/40 → 36/40`; a dash without any.
    pub(crate) checks: String,
    /// The time in times of the other side's, or a dash.
    pub(crate) time: String,
    /// The tokens in times of the other side's, or a dash.
    pub(crate) tokens: String,
    /// The verdict, how often chance does the same, what was left out and what else differs.
    pub(crate) sentences: Vec<String>,
}

impl ChangeRow {
    /// The row of `change`.
    pub(crate) fn of(
        workspace: &Workspace,
        analysis: &Analysis,
        change: &Change,
        language: &Language,
    ) -> Self {
        let gain = &change.gain;
        let names = [&change.after, &change.before].map(|side| match change.is_beside() {
            true => side.configuration.clone(),
            false => verdict::side(workspace, side, language),
        });
        let names = names.each_ref().map(String::as_str);
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| DASH.to_owned());
        let ratio = |cost| or_dash(verdict::ratio(cost, language).map(|it| times(&it, language)));
        let mut sentences = vec![verdict::words(change, language)];
        sentences.extend(verdict::chance(gain, language));
        sentences.extend(verdict::in_common(change, names, analysis, language));
        sentences.extend(verdict::caveats(change, &analysis.lines, language));
        sentences.extend(verdict::total_costs(change, language));
        sentences.extend(verdict::outlook(gain, language));
        Self {
            name: name(workspace, change, language),
            gain: or_dash(verdict::cell(gain, language)),
            checks: or_dash(gain.paired.map(|_| checks(gain.before, gain.after, language))),
            time: ratio(&change.costs.time),
            tokens: ratio(&change.costs.tokens),
            sentences,
        }
    }
}

fn times(ratio: &str, language: &Language) -> String {
    language.fill("verdict.times", &[("ratio", &ratio)])
}

fn checks(before: Tally, after: Tally, language: &Language) -> String {
    let [before, after] = [before, after].map(|tally| Rate::of(tally, language).counts);
    format!("{before} → {after}")
}

/// What is compared with what, with every reason for it.
fn name(workspace: &Workspace, change: &Change, language: &Language) -> String {
    let words = change.against.iter().map(|against| match against {
        Against::Baseline => language.text("change.baseline"),
        Against::Previous => language.text("change.previous"),
        Against::First => language.text("change.first"),
        Against::Best => language.text("change.best"),
        Against::Pinned => language.text("change.pinned"),
    });
    let reasons = words.collect::<Vec<_>>().join(language.text("list.comma"));
    let Side { iteration, configuration } = &change.before;
    let other = match change.is_beside() {
        true => configuration,
        false => &workspace.iterations[*iteration].name,
    };
    let after = &change.after.configuration;
    language.fill("change.name", &[("side", after), ("other", other), ("reasons", &reasons)])
}

/// How many expectations lost and gained passes against the side of that name and how many fail on
/// both, in one line; that there is nothing to compare where none has verdicts on both sides.
pub(crate) fn lost_and_gained(
    change: &Change,
    flips: &[Flip],
    side: &str,
    language: &Language,
) -> String {
    let number = |fate| flips.iter().filter(|flip| flip.fate == fate).count();
    let (lost, gained) = (number(Fate::Regressed), number(Fate::Fixed));
    let is_beside = change.is_beside();
    let key = match (flips.iter().any(|flip| flip.change().is_some()), is_beside) {
        (false, true) => "overview.short_baseline_none",
        (false, false) => "overview.short_previous_none",
        (true, true) => "overview.short_baseline",
        (true, false) => "overview.short_previous",
    };
    let places: [(&str, &dyn Display); 3] = [("side", &side), ("lost", &lost), ("gained", &gained)];
    let counts = language.fill(key, &places);
    let failing = number(Fate::StillFailing);
    let key = if is_beside { "failing_both" } else { "still_failing" };
    let failing = (failing > 0).then(|| language.count(failing, key));
    let parts: Vec<String> = std::iter::once(counts).chain(failing).collect();
    parts.join(language.text("list.comma"))
}

/// The rows of one iteration: each candidate against the baseline, then against earlier
/// iterations. Empty where there is nothing to compare with.
pub(crate) fn rows(part: &Part<'_>, iteration: usize, language: &Language) -> Vec<ChangeRow> {
    let changes = part.analysis.changes_in(iteration);
    changes.map(|it| ChangeRow::of(part.workspace, part.analysis, it, language)).collect()
}
