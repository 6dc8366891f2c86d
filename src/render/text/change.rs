//! One change as a table row with its reasons in sentences; and regressed or improved expectations,
//! in words and as Markdown lists.

use std::fmt::Write;

use serde::Serialize;

use crate::analyze::{Against, Change, Cost, Flip, FlipKind, Side};
use crate::language::Language;
use crate::render::context::{DASH, Part, Rate, escape::markdown};
use crate::render::text::{Words, costs, verdict};

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
pub(crate) fn rows(part: &Part<'_>, iteration: usize, language: &Language) -> Vec<ChangeRow> {
    let words = part.words(language);
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
    part.analysis.changes_in(iteration).map(row).collect()
}

/// Names that tell both sides apart: configurations of one iteration, else iterations, else both.
pub(crate) fn side_names(words: Words<'_>, [before, after]: [&Side; 2]) -> [String; 2] {
    [before, after].map(|side| match () {
        () if before.is_within_iteration(after) => side.configuration.clone(),
        () if before.configuration == after.configuration => {
            words.workspace.iterations[side.iteration].name.clone()
        }
        () => verdict::side(words, side),
    })
}

/// The name of a side of a change: only its configuration if both are in one iteration.
pub(crate) fn side_name(words: Words<'_>, change: &Change, side: &Side) -> String {
    match change.is_within_iteration() {
        true => side.configuration.clone(),
        false => verdict::side(words, side),
    }
}

/// How often chance does the same, what was left out, what else differs, and what so few cases can
/// show.
pub(crate) fn reasons(words: Words<'_>, change: &Change) -> Vec<String> {
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

fn name(words: Words<'_>, change: &Change) -> String {
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

/// A Markdown list item, with the name of its `case` if there is one.
pub(crate) fn flip_item(flip: &Flip, case: &str, words: &Language) -> Option<String> {
    let [whole, partial] = match flip.kind {
        FlipKind::Regressed => ["diff.regressed", "diff.regressed_in_part"],
        FlipKind::Improved => ["diff.improved", "diff.improved_in_part"],
        FlipKind::StillFailing => ["diff.still_failing", "diff.still_failing_in_part"],
        _ => return None,
    };
    let key = if flip.is_partial() { partial } else { whole };
    let mut item = format!("- {}: ", words.text(key));
    if !case.is_empty() {
        let _ = write!(item, "{}: ", markdown(case));
    }
    let counts = Rate::counts_of_both(flip.before, flip.after);
    let _ = write!(item, "{} ({counts})", markdown(flip.text));
    if let Some(earlier) = &flip.earlier_text {
        let reworded = words.fill("diff.reworded_from", &[("text", earlier)]);
        let _ = write!(item, "{}{}", words.text("list.semicolon"), markdown(&reworded));
    }
    item.push('\n');
    Some(item)
}

/// Most changes against a side that are listed, and most checks that fail on both.
const LISTED: usize = 20;

pub(crate) fn flip_section(part: &Part<'_>, words: &Language) -> String {
    let Some(after) = part.analysis.newest_candidate() else { return String::new() };
    let sides = [
        ("overview.against_previous", part.analysis.previous(&after)),
        ("overview.against_baseline", part.analysis.opposite(&after)),
    ];
    let text: String = sides
        .into_iter()
        .filter_map(|(key, before)| flips_against(part, words, key, [&before?, &after]))
        .collect();
    if text.is_empty() { text } else { format!("## {}\n\n{text}", words.text("diff.flips")) }
}

/// The changes against one side, then the failures on both; `None` if there are neither.
fn flips_against(
    part: &Part<'_>,
    words: &Language,
    key: &str,
    sides: [&Side; 2],
) -> Option<String> {
    let changes = part.flips.changes(sides);
    let item = |flip: &Flip| flip_item(flip, &part.analysis.cases[flip.case].name, words);
    let failing = changes.of_kind(FlipKind::StillFailing);
    let changed = changes.flips.iter().filter(|flip| flip.kind != FlipKind::StillFailing);
    let changed: Vec<String> = changed.filter_map(item).collect();
    if changed.is_empty() && failing.is_empty() {
        return None;
    }
    let side = verdict::side(part.words(words), sides[0]);
    let mut text = format!("### {}\n\n", markdown(&words.fill(key, &[("side", &side)])));
    let differs = verdict::sides_differ(part.words(words), sides);
    if !differs.is_empty() {
        let _ = writeln!(text, "{}\n", markdown(&differs));
    }
    text += &match changed.is_empty() {
        true => format!("{}\n\n", words.text("diff.no_flips")),
        false => listed(&changed, words),
    };
    if !failing.is_empty() {
        let expectations = words.count(failing.len(), "expectation");
        let title = words.fill("overview.still_failing", &[("expectations", &expectations)]);
        let items = failing.iter().filter_map(|flip| item(flip)).collect::<Vec<_>>();
        text += &(in_part(title, failing, words) + ":\n\n" + &listed(&items, words));
    }
    Some(text)
}

fn listed(lines: &[String], words: &Language) -> String {
    let mut text: String = lines.iter().take(LISTED).map(String::as_str).collect();
    let more = lines.len().saturating_sub(LISTED);
    if more > 0 {
        let _ = writeln!(text, "- {}", words.fill("overview.more_flips", &[("n", &more)]));
    }
    text.push('\n');
    text
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
