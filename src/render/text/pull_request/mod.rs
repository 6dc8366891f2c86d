//! The newest iteration as one Markdown text of a stated size, for a comment on a pull request or
//! the summary of a CI step: the verdict first, then what regressed and why, what was fixed, the
//! cases, and details folded.
//!
//! Entry point: [`markdown`]. `content` makes the blocks, `fit` chooses those that fit, puts them in
//! order and says what is left out.

mod content;
mod fit;

pub use crate::digest::reference as earlier;

use crate::digest;
use crate::language::Language;
use crate::render::context::{Addresses, Part};
use crate::render::text::{gate::Line, pull_request::content::Content};
use crate::text::Slugs;

/// The words before the name in the hidden first line, by which a comment is found again.
pub const MARKER: &str = "<!-- evalbook:";

/// Where a text is posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A comment, which may hold 65,536 characters.
    PullRequest,
    /// The summary of a step, which may hold 1 MiB.
    StepSummary,
}

impl Target {
    /// The most bytes of its text. No character is less than a byte in any way of counting.
    pub fn budget(self) -> usize {
        match self {
            Self::PullRequest => 60_000,
            Self::StepSummary => 1_000 * 1024,
        }
    }

    /// The most characters of one evidence.
    fn evidence(self) -> usize {
        match self {
            Self::PullRequest => 600,
            Self::StepSummary => 2_000,
        }
    }
}

/// How a text is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    pub target: Target,
    /// The most bytes it may have.
    pub budget: usize,
    /// Where the report is published, ending in `/`.
    pub url: Option<&'a str>,
    /// What became of the gate of each workspace; nothing where none was judged.
    pub gates: &'a [Vec<Line>],
}

/// The text for `parts`, never larger than the budget, with a newline at its end.
pub fn markdown(parts: &[Part<'_>], wanted: Wanted<'_>, language: &Language) -> String {
    let addresses = Addresses::new(parts);
    let mut text = marker(parts);
    let mut missing = 0;
    let reserved = if parts.len() > 1 { omitted(parts.len(), wanted, language).len() } else { 0 };
    for (index, part) in parts.iter().enumerate() {
        let gate = wanted.gates.get(index).map(Vec::as_slice).unwrap_or_default();
        let content = Content::new(part, addresses.part(index), wanted, gate, language);
        let left = wanted.budget.saturating_sub(text.len() + reserved);
        match fit::fit(&content, left / (parts.len() - index), wanted, language) {
            Some(section) => text.push_str(&section),
            None => missing += 1,
        }
    }
    if missing > 0 {
        text.push_str(&omitted(missing, wanted, language));
    }
    if text.len() > wanted.budget {
        return String::new();
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

/// The first line, hidden where it is shown: the same for every text about the same skills.
fn marker(parts: &[Part<'_>]) -> String {
    let names: Vec<&str> = parts.iter().map(Part::title).collect();
    format!("{MARKER}{} -->\n", Slugs::default().give(&names.join(" ")))
}

fn omitted(number: usize, wanted: Wanted<'_>, language: &Language) -> String {
    left_out(&language.count(number, "workspace_left_out"), wanted.url, language)
}

/// The paragraph that the things of `list` are left out, and where they are.
fn left_out(list: &str, url: Option<&str>, language: &Language) -> String {
    let place = match url {
        Some(url) => format!("[{}]({url})", language.text("pull_request.report")),
        None => language.text("pull_request.unpublished").to_owned(),
    };
    language.fill("pull_request.cut", &[("list", &list), ("place", &place)]) + "\n\n"
}

/// Whether there is anything to report of `part`.
pub fn is_changed(part: &Part<'_>) -> bool {
    digest::is_changed(&part.flips)
}
