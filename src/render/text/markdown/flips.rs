//! The expectations that changed, and those that fail on both sides, as lists in Markdown.

use std::fmt::Write;

use crate::analyze::{Fate, Flip, Side};
use crate::digest::Changes;
use crate::language::Language;
use crate::render::context::{Part, escape::markdown};
use crate::render::text::{flips, verdict};

/// So many changes against one side are listed, and so many that fail on both; the rest are
/// counted.
const LISTED: usize = 20;

/// What changed since the iteration before and against the baseline; empty where nothing did.
pub(super) fn section(part: &Part<'_>, words: &Language) -> String {
    let Some(after) = part.analysis.newest_candidate() else {
        return String::new();
    };
    let previous = part.analysis.previous(&after).map(|side| ("overview.against_previous", side));
    let baseline = part.analysis.opposite(&after).map(|side| ("overview.against_baseline", side));
    let of = previous.into_iter().chain(baseline);
    let parts: Vec<String> =
        of.filter_map(|(key, before)| against(part, words, key, [&before, &after])).collect();
    if parts.is_empty() {
        return String::new();
    }
    format!("## {}\n\n{}", words.text("diff.flips"), parts.concat())
}

/// The changes against one side under their heading, then what fails on both; `None` where there is
/// neither.
fn against(
    part: &Part<'_>,
    words: &Language,
    key: &str,
    [before, after]: [&Side; 2],
) -> Option<String> {
    let changes = Changes::between(part.workspace, part.analysis, [before, after]);
    let is_beside = before.is_beside(after);
    let item = |flip: &Flip| {
        let name = &part.analysis.lines[flip.line].name;
        flips::item(flip, (name, is_beside), words)
    };
    let failing = changes.that(Fate::StillFailing);
    let changed = changes.flips.iter().filter(|flip| flip.fate != Fate::StillFailing);
    let changed: Vec<String> = changed.filter_map(item).collect();
    if changed.is_empty() && failing.is_empty() {
        return None;
    }
    let side = verdict::side(part.workspace, before, words);
    let mut text = format!("### {}\n\n", markdown(&words.fill(key, &[("side", &side)])));
    let differs = verdict::sides_differ(part.analysis, [before, after], words);
    if !differs.is_empty() {
        let _ = writeln!(text, "{}\n", markdown(&differs));
    }
    match changed.is_empty() {
        true => text.push_str(&format!("{}\n\n", words.text("diff.no_flips"))),
        false => text.push_str(&listed(&changed, words)),
    }
    if !failing.is_empty() {
        let key = if is_beside { "overview.failing_both" } else { "overview.still_failing" };
        let expectations = words.count(failing.len(), "expectation");
        let title = words.fill(key, &[("expectations", &expectations)]);
        let items: Vec<String> = failing.iter().filter_map(|flip| item(flip)).collect();
        let title = flips::in_part(title, failing, words);
        let _ = write!(text, "{title}:\n\n{}", listed(&items, words));
    }
    Some(text)
}

/// The first of `lines`, how many there are besides, and an empty line.
fn listed(lines: &[String], words: &Language) -> String {
    let mut text: String = lines.iter().take(LISTED).map(String::as_str).collect();
    let more = lines.len().saturating_sub(LISTED);
    if more > 0 {
        let _ = writeln!(text, "- {}", words.fill("overview.more_flips", &[("n", &more)]));
    }
    text.push('\n');
    text
}
