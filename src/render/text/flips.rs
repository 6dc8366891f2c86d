//! Changed expectations as Markdown lists.

use std::fmt::Write;

use crate::analyze::{Flip, FlipKind, Side};
use crate::language::{Language, Rate};
use crate::render::context::{Part, escape::markdown};
use crate::wording::{changes::in_part, verdict};

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
    let side = verdict::side(part.facts(words), sides[0]);
    let mut text = format!("### {}\n\n", markdown(&words.fill(key, &[("side", &side)])));
    let differs = verdict::sides_differ(part.facts(words), sides);
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
