//! One change as a table row with its reasons in sentences; and regressed or improved expectations,
//! in words and as Markdown lists.

use serde::Serialize;

use crate::analyze::{Against, CasePairs, Change, Choice, Cost, Flip, Side};
use crate::language::{DASH, Language, Rate};
use crate::model::Workspace;
use crate::wording::{Facts, costs, verdict};

#[derive(Clone, Debug, Serialize)]
pub(crate) struct ChangeRow {
    /// `with_skill against the baseline without_skill`.
    pub(crate) name: String,
    /// The gain with its interval and certainty, or a dash.
    pub(crate) gain: String,
    /// Passed checks of both sides among those compared, `30/40 → 36/40`; or a dash.
    pub(crate) checks: String,
    /// The ratio of time to that of the other side, or a dash.
    pub(crate) time: String,
    /// The ratio of tokens to those of the other side, or a dash.
    pub(crate) tokens: String,
    /// The verdict, how often chance does the same, what was left out, and what else differs.
    pub(crate) sentences: Vec<String>,
}

/// Each candidate against the baseline, then against earlier iterations.
pub(crate) fn rows(words: Facts<'_>, iteration: usize) -> Vec<ChangeRow> {
    let language = words.language;
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| DASH.to_owned());
    let ratio = |cost: &Cost| {
        let ratio = costs::ratio(cost, language);
        or_dash(ratio.map(|ratio| language.fill("verdict.times", &[("ratio", &ratio)])))
    };
    let row = |change: &Change| {
        let gain = &change.gain;
        let mut sentences = vec![verdict::sentences(words, change)];
        sentences.extend(reasons(words, change));
        ChangeRow {
            name: name(words, change),
            gain: or_dash(verdict::cell(gain, language)),
            checks: or_dash(gain.paired.map(|_| Rate::counts_of_both(gain.before, gain.after))),
            time: ratio(&change.costs.time),
            tokens: ratio(&change.costs.tokens),
            sentences,
        }
    };
    words.analysis.changes_in(iteration).map(row).collect()
}

/// Names that tell both sides apart: configurations of one iteration, else iterations, else both.
pub(crate) fn side_names(words: Facts<'_>, [before, after]: [&Side; 2]) -> [String; 2] {
    [before, after].map(|side| match () {
        () if before.is_within_iteration(after) => side.configuration.clone(),
        () if before.configuration == after.configuration => {
            words.workspace.iterations[side.iteration].name.clone()
        }
        () => verdict::side(words, side),
    })
}

/// The name of a side of a change: only its configuration if both are in one iteration.
pub(crate) fn side_name(words: Facts<'_>, change: &Change, side: &Side) -> String {
    match change.is_within_iteration() {
        true => side.configuration.clone(),
        false => verdict::side(words, side),
    }
}

/// How often chance does the same, what was left out, what else differs, and what so few cases can
/// show.
pub(crate) fn reasons(words: Facts<'_>, change: &Change) -> Vec<String> {
    let [after, before] =
        [&change.after, &change.before].map(|side| side_name(words, change, side));
    let mut sentences = Vec::from_iter(verdict::chance(&change.gain, &words));
    sentences.extend(verdict::limits(change, &words));
    sentences.extend(verdict::in_common(words, change, [&after, &before]));
    sentences.extend(verdict::omitted(words, change));
    sentences.extend(verdict::other_conditions(words, change.sides()));
    sentences.extend(costs::total_costs(change, &words));
    sentences.extend(verdict::next_step(change, &words));
    sentences
}

fn name(words: Facts<'_>, change: &Change) -> String {
    let reason = |against: &Against| words.text(&format!("change.{}", against.word())).to_owned();
    let reasons = words.list(change.against.iter().map(reason));
    let other = match change.is_within_iteration() {
        true => &change.before.configuration,
        false => &words.workspace.iterations[change.before.iteration].name,
    };
    let after = &change.after.configuration;
    words.fill("change.name", &[("side", after), ("other", other), ("reasons", &reasons)])
}

/// `counts` of `flips`, with the number of partial ones if there are any.
pub(crate) fn in_part<'f>(
    counts: String,
    flips: impl IntoIterator<Item = &'f Flip<'f>>,
    language: &Language,
) -> String {
    let (partial, whole): (Vec<&Flip>, Vec<&Flip>) =
        flips.into_iter().partition(|flip| flip.is_partial());
    let key = match (partial.len(), whole.len()) {
        (0, _) => return counts,
        (1, 0) => "diff.one_in_part",
        (_, 0) => "diff.all_in_part",
        _ => "diff.of_them_in_part",
    };
    language.fill(key, &[("counts", &counts), ("n", &partial.len())])
}

/// A side and what it is compared with: `with_skill vs old_skill`.
pub(crate) fn choice_text(
    workspace: &Workspace,
    words: &Language,
    pairs: &CasePairs,
    choice: &Choice,
) -> String {
    let pair = &pairs.pairs[choice.pair];
    let other = if pair.after == choice.side { &pair.before } else { &pair.after };
    let iteration = &workspace.iterations[other.iteration].name;
    let (key, other) = match choice.against {
        Against::Baseline => ("diff.against_baseline", &other.configuration),
        Against::Previous => ("diff.against_previous", iteration),
        _ => ("diff.against_pinned", iteration),
    };
    let configuration = &choice.side.configuration;
    words.fill(key, &[("configuration", configuration), ("other", other)])
}

#[cfg(test)]
mod tests {
    use super::in_part;
    use crate::analyze::{Flip, FlipKind};
    use crate::language::Language;
    use crate::model::Tally;

    #[test]
    fn how_many_are_in_part_is_written_where_any_is() {
        let flip = |before: usize| Flip {
            case: 0,
            text: "x",
            earlier_text: None,
            probably_earlier: None,
            before: Tally { passed: before, failed: 2 - before, ungraded: 0 },
            after: Tally { passed: 2, failed: 0, ungraded: 0 },
            kind: FlipKind::Improved,
        };
        let key_of = |of: &[usize]| {
            let flips: Vec<Flip> = of.iter().map(|before| flip(*before)).collect();
            in_part("improved".to_owned(), &flips, &Language::default())
        };
        let improved = |key: &str, n: usize| {
            let values: [(&str, &dyn std::fmt::Display); 2] = [("counts", &"improved"), ("n", &n)];
            Language::default().fill(&format!("diff.{key}"), &values)
        };
        assert_eq!(key_of(&[0, 0]), "improved");
        assert_eq!(key_of(&[1]), improved("one_in_part", 1));
        assert_eq!(key_of(&[1, 1]), improved("all_in_part", 2));
        assert_eq!(key_of(&[1, 0, 1]), improved("of_them_in_part", 2));
    }
}
