//! The items of a brief: joined within a limit, and texts of the data on one line.

use std::fmt::Write;

use crate::analyze::{Hunk, Side};
use crate::digest::Comparisons;
use crate::digest::{FailedCheck, StoppedRun};
use crate::language::{Language, say};
use crate::render::text::brief::{LengthLimit, NAMED_CHECKS};
use crate::wording::{Answer, questions};
use input::model::Proposal;
use text::{cut, cut_line, printable, tokens};

/// Reserved for the line that says what was left out.
pub(super) const RESERVED: usize = 400;

/// Characters of a text, and of a name in a heading.
pub(super) const TEXT_LENGTH: usize = 800;
const NAME_LENGTH: usize = 120;

/// Characters of a check and of its evidence where a brief is about all cases: that of a case has
/// them whole.
pub(super) const SHORT_LENGTH: usize = 120;

/// A check that failed in its only run may pass in the next one.
pub(super) fn regressed_title(regressed: &[FailedCheck<'_>]) -> &'static str {
    let is_repeated = |check: &FailedCheck<'_>| {
        check.tally.graded() > 1 && check.before.is_some_and(|before| before.graded() > 1)
    };
    if regressed.iter().any(is_repeated) { "brief.regressed" } else { "brief.regressed_once" }
}

/// Joins the items that fit under their headings, and a line on those that do not.
pub(super) fn join(
    language: &Language,
    mut text: String,
    sections: Vec<(&str, Vec<String>)>,
    limit: LengthLimit,
) -> String {
    let most = limit.most();
    let key = match limit {
        LengthLimit::Characters(_) => "brief.cut",
        LengthLimit::Bytes(_) => "brief.cut_bytes",
    };
    let mut remaining = limit.remaining(&text);
    let mut left_out = Vec::new();
    for (heading_key, items) in sections {
        let heading = language.text(heading_key);
        let mut section = format!("## {heading}\n\n");
        let (mut used, mut shown) = (limit.measure(&section) + 1, 0);
        for item in &items {
            used += limit.measure(item);
            // A sentence cut in its middle may say the opposite.
            if used > remaining {
                break;
            }
            section.push_str(item);
            shown += 1;
        }
        if shown > 0 {
            section.push('\n');
            remaining -= limit.measure(&section);
            text.push_str(&section);
        }
        if shown < items.len() {
            let counts = format!("{} / {}", items.len() - shown, items.len());
            left_out.push(language.detailed(heading, &counts));
        }
    }
    if !left_out.is_empty() {
        let rest = language.list(left_out);
        let _ = writeln!(text, "{}", say!(language, key, most = tokens(most as f64), rest));
    }
    text
}

/// Errors with the runs that they stopped.
pub(super) fn stopped_runs(stopped: &[StoppedRun<'_>], language: &Language) -> Vec<String> {
    // A rate limit stops many runs in the same words.
    let mut by_error: Vec<(&str, Vec<&StoppedRun<'_>>)> = Vec::new();
    for stopped in stopped {
        match by_error.iter_mut().find(|(error, _)| *error == stopped.error) {
            Some((_, runs)) => runs.push(stopped),
            None => by_error.push((stopped.error, vec![stopped])),
        }
    }
    let mut items = Vec::new();
    for (error, runs) in by_error {
        let mut item = format!("- {}\n", shown(error));
        for stopped in runs.iter().take(NAMED_CHECKS) {
            let (number, folder) = (stopped.run, plain(stopped.folder));
            let run = say!(language, "brief.run_in", number, folder);
            let (case, side) = (name(stopped.case), name(stopped.configuration));
            let _ =
                writeln!(item, "  - {}", language.labelled(&language.apart([case, side]), &run));
        }
        let more = language.beyond("compare.more", runs.len(), NAMED_CHECKS);
        if !more.is_empty() {
            let _ = writeln!(item, "  - {more}");
        }
        items.push(item);
    }
    items
}

/// Whether the failed runs of both checks have the same evidence, such as one missing file.
pub(super) fn has_same_reason(one: &FailedCheck<'_>, other: &FailedCheck<'_>) -> bool {
    let [mine, theirs] = [one, other].map(|check| check.evidence.iter().map(|found| found.text));
    !one.evidence.is_empty() && mine.eq(theirs)
}

/// `None` for a proposal that only says how urgent something is.
pub(super) fn proposal_item(proposal: &Proposal, language: &Language) -> Option<String> {
    let text = proposal.text.as_ref().or(proposal.after.as_ref())?;
    let mut line = shown(text);
    if let Some(area) = &proposal.area {
        line = language.labelled(&format!("**{}**", name(area)), &line);
    }
    let mut item = format!("- {line}\n");
    for (key, words) in [("brief.now", &proposal.before), ("brief.then", &proposal.after)] {
        if let Some(words) = words
            && words != text
        {
            let _ = writeln!(item, "  - {}", say!(language, key, words = shown(words)));
        }
    }
    Some(item)
}

/// A comment, with what it quotes of an output in a fence: an agent must not take it for words of the
/// reviewer.
pub(super) fn feedback_item(run_id: &str, text: &str, language: &Language) -> String {
    let (quoted, own): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with("> "));
    let line = language.labelled(&name(run_id), &shown(&own.join("\n")));
    let mut item = format!("- {line}\n");
    if !quoted.is_empty() {
        let quoted: Vec<&str> = quoted.iter().map(|line| line.trim_start_matches("> ")).collect();
        // On one line between two others it could only end the fence by its own marks.
        let quoted = shown(&quoted.join(" ")).replace("```", "` ` `");
        let _ = write!(item, "  ```\n  {quoted}\n  ```\n");
    }
    item
}

/// A text from the data, cut if long.
pub(super) fn shown(text: &str) -> String {
    plain(&cut(text, TEXT_LENGTH))
}

pub(super) fn name(text: &str) -> String {
    plain(&cut(text, NAME_LENGTH))
}

/// A text as one line. Nothing is escaped: the reader is a program that searches the files for what
/// it reads here.
pub(super) fn plain(text: &str) -> String {
    printable(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Both questions about a side as a list, then the author's note and the next step.
pub(super) fn rows_and_next(
    comparisons: &Comparisons<'_>,
    language: &Language,
    side: &Side,
    answer: &Answer,
) -> Vec<String> {
    let rows = questions::lines_about(comparisons, language, side);
    let mut parts: Vec<String> = rows.iter().map(|line| format!("- {}\n", shown(line))).collect();
    for line in answer.last_lines(language) {
        parts.push(format!("\n{}\n", shown(&line)));
    }
    parts
}

/// Edits of the skill, each with what it removed and added; the rest is counted.
pub(super) fn skill_edits(hunks: &[&Hunk], language: &Language) -> Vec<String> {
    let mut items = Vec::new();
    for hunk in hunks.iter().take(NAMED_CHECKS) {
        let place = say!(language, "quotes.place", file = plain(&hunk.file), line = hunk.line);
        let mut item = format!("- {place}");
        for (sign, text) in [("−", &hunk.removed), ("+", &hunk.added)] {
            if !text.trim().is_empty() {
                let _ = write!(item, " {sign}“{}”", plain(&cut_line(text, SHORT_LENGTH)));
            }
        }
        items.push(item + "\n");
    }
    let more = language.beyond("compare.more", hunks.len(), NAMED_CHECKS);
    if !more.is_empty() {
        items.push(format!("- {more}\n"));
    }
    items
}
