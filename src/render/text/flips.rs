//! Changed expectations as Markdown lists.

use std::fmt::Write;

use crate::analyze::{Flip, FlipKind, Side};
use crate::language::{Language, Rate, say};
use crate::render::context::{Part, escape::markdown};
use crate::wording::changes::key_against;
use crate::wording::sides;

/// Changes against a side that are listed, and checks that fail on both; the rest are counted.
const LISTED: usize = 20;

/// A Markdown list item; `None` for a check that passes on both sides or is on one only.
fn item(
    flip: &Flip,
    is_disputed: bool,
    case: &str,
    sides: [&Side; 2],
    language: &Language,
) -> Option<String> {
    let key = match flip.kind {
        FlipKind::Regressed => key_against("diff.regressed", sides),
        FlipKind::Improved => key_against("diff.improved", sides),
        FlipKind::Unsteady => "diff.unsteady".into(),
        FlipKind::StillFailing => "diff.still_failing".into(),
        _ => return None,
    };
    let mut counts = Rate::counts_of_both(flip.before, flip.after);
    if is_disputed {
        counts = language.apart([&*counts, language.text("review.disputed")]);
    }
    let text = language.detailed(&markdown(flip.text), &counts);
    let text = language.labelled(&markdown(case), &text);
    let mut item = format!("- {}", language.labelled(language.text(&key), &text));
    if let Some(text) = &flip.earlier_text {
        let reworded = say!(language, "diff.reworded_from", text);
        let _ = write!(item, "{}{}", language.text("list.semicolon"), markdown(&reworded));
    }
    item.push('\n');
    Some(item)
}

/// The changes of the newest candidate since the previous iteration and against the baseline.
pub(crate) fn of_newest_candidate(part: &Part<'_>, language: &Language) -> String {
    let Some(after) = part.analysis.newest_candidate() else { return String::new() };
    let mut out = String::new();
    for (key, before) in [
        ("overview.against_previous", part.analysis.previous(&after)),
        ("overview.against_baseline", part.analysis.opposite(&after)),
    ] {
        if let Some(before) = before {
            out += &against(part, language, key, [&before, &after]);
        }
    }
    out
}

/// The changes against one side, then the failures on both; empty if there are neither.
fn against(part: &Part<'_>, language: &Language, key: &str, sides: [&Side; 2]) -> String {
    let changes = part.comparisons.changes(sides);
    let (mut changed, mut failing) = (Vec::new(), Vec::new());
    for flip in changes.flips.iter() {
        let case = &part.analysis.cases[flip.case].name;
        if let Some(item) = item(flip, changes.is_disputed(flip), case, sides, language) {
            // What passes as often on both sides did not change.
            let is_failing = flip.kind == FlipKind::StillFailing || !flip.has_moved();
            if is_failing { failing.push(item) } else { changed.push(item) }
        }
    }
    if changed.is_empty() && failing.is_empty() {
        return String::new();
    }
    let facts = part.facts(language);
    let title = say!(language, key, side = sides::full_name(facts, sides[0]));
    let mut out = format!("### {}\n\n", markdown(&title));
    let differences = sides::differences(facts, sides);
    if !differences.is_empty() {
        let _ = writeln!(out, "{}\n", markdown(&differences));
    }
    if changed.is_empty() {
        let _ = writeln!(out, "{}\n", language.text("diff.no_flips"));
    } else {
        list(&changed, language, &mut out);
    }
    // What fails on both sides is no change, but the next thing to fix.
    if !failing.is_empty() {
        let expectations = language.count(failing.len(), "expectation");
        let title = say!(language, "overview.still_failing", expectations);
        let _ = writeln!(out, "{title}{}\n", language.text("list.colon").trim_end());
        list(&failing, language, &mut out);
    }
    out
}

fn list(items: &[String], language: &Language, out: &mut String) {
    out.extend(items.iter().take(LISTED).map(String::as_str));
    if items.len() > LISTED {
        let _ =
            writeln!(out, "- {}", say!(language, "overview.more_flips", n = items.len() - LISTED));
    }
    out.push('\n');
}
