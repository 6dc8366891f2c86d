//! Lost checks, and which of them are known issues.

use crate::analyze::{CaseHistory, Flip, FlipKind};
use crate::gate::Question;
use input::settings::{KnownIssue, Settings};

/// A check that passed in every run before, and in none now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss<'w> {
    pub flip: Flip<'w>,
    /// Index of the matching known issue in the settings.
    pub issue: Option<usize>,
    /// Whether that issue has expired.
    pub is_expired: bool,
}

impl Loss<'_> {
    pub fn is_excused(&self) -> bool {
        self.issue.is_some() && !self.is_expired
    }
}

/// The losses among `flips`, and the indices of known issues that match none of them.
pub(super) fn losses<'w>(
    question: &Question<'_>,
    flips: &[Flip<'w>],
) -> (Vec<Loss<'w>>, Vec<usize>) {
    let issues = &question.settings.known_issues;
    let mut idle: Vec<usize> = (0..issues.len()).collect();
    let mut losses = Vec::new();
    for flip in flips.iter().filter(|flip| is_lost(flip)) {
        let history = &question.analysis.cases[flip.case];
        let mut matching: Vec<usize> = (0..issues.len()).collect();
        matching.retain(|at| is_about(&issues[*at], history, flip));
        idle.retain(|at| !matching.contains(at));
        // An issue that still counts is preferred to an expired one.
        let open = matching.iter().find(|at| question.today <= issues[**at].expires.as_str());
        let issue = open.or(matching.first()).copied();
        let is_expired = issue.is_some() && open.is_none();
        losses.push(Loss { flip: *flip, issue, is_expired });
    }
    (losses, idle)
}

fn is_lost(flip: &Flip<'_>) -> bool {
    flip.kind == FlipKind::Regressed
}

/// The chance that an unchanged skill, run again, loses one of these checks.
pub(super) fn rerun_loss(flips: &[Flip<'_>]) -> f64 {
    let compared = flips.iter().filter(|flip| flip.change().is_some());
    statistics::rerun_loss(compared.map(|flip| [flip.before.graded(), flip.after.graded()]))
}

/// The known issue about `flip`, expired or not; of several, the last to expire.
pub fn known_issue<'s>(
    settings: &'s Settings,
    history: &CaseHistory,
    flip: &Flip<'_>,
) -> Option<&'s KnownIssue> {
    let matching = settings.known_issues.iter().filter(|issue| is_about(issue, history, flip));
    matching.max_by(|a, b| a.expires.cmp(&b.expires))
}

/// Whether `issue` is about `flip`, by the old or new name of the case and the old or new text.
fn is_about(issue: &KnownIssue, history: &CaseHistory, flip: &Flip<'_>) -> bool {
    // An issue outlives the renaming of its case and the rewording of its check.
    let names = [&history.name, &history.first_name];
    let mut texts = std::iter::once(flip.text).chain(flip.earlier_text);
    names.iter().any(|name| fits(&issue.case, name))
        && texts.any(|text| fits(&issue.expectation, text))
}

/// Whether `text` equals `pattern` or matches it as a glob.
pub(super) fn fits(pattern: &str, text: &str) -> bool {
    pattern == text || glob::Pattern::new(pattern).is_ok_and(|pattern| pattern.matches(text))
}
