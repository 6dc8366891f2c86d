//! The expectations that changed, and those that fail on both sides, as lists in Markdown.

use std::fmt::{Display, Write};

use crate::analyze::{Fate, Flip, Side, between};
use crate::model::Tally;
use crate::render::context::{Language, Part, escape::markdown};
use crate::render::html::{fate, in_part};
use crate::render::text::verdict;

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
    let flips = between(part.workspace, &part.analysis.lines, before, after);
    let name = |flip: &Flip| part.analysis.lines[flip.line].name.clone();
    let is_beside = before.is_beside(after);
    let of = |flip: &&Flip| line(flip, (&name(flip), is_beside), words);
    let (fail_on_both, others): (Vec<&Flip>, Vec<&Flip>) =
        flips.iter().partition(|flip| flip.fate == Fate::StillFailing);
    let [changed, failing] =
        [&others, &fail_on_both].map(|found| found.iter().filter_map(of).collect::<Vec<String>>());
    if changed.is_empty() && failing.is_empty() {
        return None;
    }
    let values: [(&str, &dyn Display); 2] = [
        ("configuration", &before.configuration),
        ("iteration", &part.workspace.iterations[before.iteration].name),
    ];
    let side = words.fill("page.side", &values);
    let mut text = format!("### {}\n\n", markdown(&words.fill(key, &[("side", &side)])));
    let differs = verdict::sides_differ(part.analysis, [before, after], words);
    if !differs.is_empty() {
        let _ = writeln!(text, "{}\n", markdown(&differs));
    }
    let none = || format!("{}\n\n", words.text("diff.no_flips"));
    text.push_str(&if changed.is_empty() { none() } else { listed(&changed, words) });
    if !failing.is_empty() {
        let key = if is_beside { "overview.failing_both" } else { "overview.still_failing" };
        let expectations = words.count(failing.len(), "expectation");
        let title = words.fill(key, &[("expectations", &expectations)]);
        let title = in_part(title, fail_on_both, words);
        let _ = write!(text, "{title}:\n\n{}", listed(&failing, words));
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

/// One change as an item of a list, after the name of its `case` where there is one; `None` where
/// the expectation neither regressed nor was fixed nor fails on both sides. `is_beside` as in [`fate`].
pub(super) fn line(
    flip: &Flip,
    (case, is_beside): (&str, bool),
    words: &Language,
) -> Option<String> {
    let counts = |tally: Tally| format!("{}/{}", tally.passed, tally.graded());
    let mut line = format!("- {}: ", words.text(fate(flip, is_beside)?));
    if !case.is_empty() {
        let _ = write!(line, "{}: ", markdown(case));
    }
    let (before, after) = (counts(flip.before), counts(flip.after));
    let _ = write!(line, "{} ({before} → {after})", markdown(&flip.text));
    if let Some(earlier) = &flip.earlier_text {
        let reworded = words.fill("diff.reworded_from", &[("text", earlier)]);
        let _ = write!(line, "{}{}", words.text("list.semicolon"), markdown(&reworded));
    }
    line.push('\n');
    Some(line)
}
