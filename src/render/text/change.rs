//! One change as a row of a table, with its reasons in sentences.

use serde::Serialize;

use crate::analyze::{Against, Analysis, Change, Cost, Side};
use crate::language::Language;
use crate::model::Workspace;
use crate::render::context::{DASH, Part, Rate};
use crate::render::text::{costs, verdict};

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

/// Each candidate against the baseline, then against earlier iterations.
pub(crate) fn rows(part: &Part<'_>, iteration: usize, language: &Language) -> Vec<ChangeRow> {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| DASH.to_owned());
    let ratio = |cost: &Cost| {
        let ratio = costs::ratio(cost, language);
        or_dash(ratio.map(|ratio| language.fill("verdict.times", &[("ratio", &ratio)])))
    };
    let row = |change: &Change| {
        let gain = &change.gain;
        let mut sentences = vec![verdict::words(part.workspace, change, language)];
        sentences.extend(reasons(part.workspace, part.analysis, change, language));
        ChangeRow {
            name: name(part.workspace, change, language),
            gain: or_dash(verdict::cell(gain, language)),
            checks: or_dash(gain.paired.map(|_| Rate::counts_of_both(gain.before, gain.after))),
            time: ratio(&change.costs.time),
            tokens: ratio(&change.costs.tokens),
            sentences,
        }
    };
    part.analysis.changes_in(iteration).map(row).collect()
}

/// What tells both sides apart: configurations of one iteration, else iterations, else both.
pub(crate) fn side_names(
    workspace: &Workspace,
    [before, after]: [&Side; 2],
    language: &Language,
) -> [String; 2] {
    [before, after].map(|own| match () {
        () if before.is_within_iteration(after) => own.configuration.clone(),
        () if before.configuration == after.configuration => {
            workspace.iterations[own.iteration].name.clone()
        }
        () => verdict::side(workspace, own, language),
    })
}

/// A side of a change: its configuration alone where both are of one iteration.
pub(crate) fn side_of(
    workspace: &Workspace,
    change: &Change,
    side: &Side,
    language: &Language,
) -> String {
    match change.is_within_iteration() {
        true => side.configuration.clone(),
        false => verdict::side(workspace, side, language),
    }
}

/// How often chance does the same, what was left out, what else differs, what so few cases can show.
pub(crate) fn reasons(
    workspace: &Workspace,
    analysis: &Analysis,
    change: &Change,
    language: &Language,
) -> Vec<String> {
    let [after, before] =
        [&change.after, &change.before].map(|side| side_of(workspace, change, side, language));
    let mut sentences = Vec::from_iter(verdict::chance(&change.gain, language));
    sentences.extend(verdict::limits(change, language));
    sentences.extend(verdict::in_common(change, [&after, &before], analysis, language));
    sentences.extend(verdict::omitted(change, &analysis.lines, language));
    sentences.extend(verdict::conditions_of(change, language));
    sentences.extend(costs::total_costs(change, language));
    sentences.extend(verdict::next_step(change, language));
    sentences
}

fn name(workspace: &Workspace, change: &Change, language: &Language) -> String {
    let reason = |against: &Against| {
        language.text(match against {
            Against::Baseline => "change.baseline",
            Against::Previous => "change.previous",
            Against::First => "change.first",
            Against::Best => "change.best",
            Against::Pinned => "change.pinned",
        })
    };
    let reasons: Vec<&str> = change.against.iter().map(reason).collect();
    let reasons = reasons.join(language.text("list.comma"));
    let other = match change.is_within_iteration() {
        true => &change.before.configuration,
        false => &workspace.iterations[change.before.iteration].name,
    };
    let after = &change.after.configuration;
    language.fill("change.name", &[("side", after), ("other", other), ("reasons", &reasons)])
}
