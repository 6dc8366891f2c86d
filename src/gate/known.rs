//! Lost passes, and which of them are known issues.

use crate::analyze::{CaseHistory, Flip, FlipKind};
use crate::gate::Question;
use crate::model::Tally;
use crate::settings::{KnownIssue, Settings};
use crate::statistics::{flip_rate, holm, loss_p};

/// Significance level below which noise does not explain a loss.
const LEVEL: f64 = 0.05;

/// An expectation that lost passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss<'w> {
    pub flip: Flip<'w>,
    /// Index of the matching known issue in the settings.
    pub issue: Option<usize>,
    /// Whether that issue has expired.
    pub is_expired: bool,
    /// Whether noise may explain the loss, judging by repeated runs.
    pub may_be_noise: bool,
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
    let unexplained = unexplained(flips);
    let regressed = flips.iter().filter(|flip| flip.kind == FlipKind::Regressed);
    for (at, flip) in regressed.enumerate() {
        let line = &question.analysis.cases[flip.case];
        let mut matching: Vec<usize> = (0..issues.len()).collect();
        matching.retain(|at| is_about(&issues[*at], line, flip));
        idle.retain(|at| !matching.contains(at));
        // An issue that still counts is preferred to an expired one.
        let open = matching.iter().find(|at| question.today <= issues[**at].expires.as_str());
        let issue = open.or(matching.first()).copied();
        let is_expired = issue.is_some() && open.is_none();
        let may_be_noise = unexplained.get(at) != Some(&true);
        losses.push(Loss { flip: *flip, issue, is_expired, may_be_noise });
    }
    (losses, idle)
}

/// For each loss, whether noise fails to explain it, at a level of 5 % over all compared checks
/// (Holm); empty if no run was repeated.
fn unexplained(flips: &[Flip]) -> Vec<bool> {
    let cells = flips.iter().flat_map(|flip| [counts(flip.before), counts(flip.after)]);
    let Some(rate) = flip_rate(cells) else { return Vec::new() };
    let compared: Vec<&Flip> = flips.iter().filter(|flip| flip.change().is_some()).collect();
    let mut p = Vec::new();
    for flip in &compared {
        // Every compared check was a chance to find a loss, so each counts in the adjustment.
        p.push(match flip.kind {
            FlipKind::Regressed => loss_p(counts(flip.before), counts(flip.after), rate),
            _ => 1.0,
        });
    }
    let mut unexplained = Vec::new();
    for (flip, p) in compared.iter().zip(holm(&p).unwrap_or_default()) {
        if flip.kind == FlipKind::Regressed {
            unexplained.push(p <= LEVEL);
        }
    }
    unexplained
}

/// Passed and failed verdicts.
fn counts(tally: Tally) -> [u64; 2] {
    [tally.passed as u64, tally.failed as u64]
}

/// The known issue about `flip`, expired or not; of several, the last to expire.
pub fn known_issue<'s>(
    settings: &'s Settings,
    line: &CaseHistory,
    flip: &Flip<'_>,
) -> Option<&'s KnownIssue> {
    let matching = settings.known_issues.iter().filter(|issue| is_about(issue, line, flip));
    matching.max_by(|a, b| a.expires.cmp(&b.expires))
}

/// Whether `issue` is about `flip`, by the old or new name of the case and the old or new text.
fn is_about(issue: &KnownIssue, line: &CaseHistory, flip: &Flip<'_>) -> bool {
    // An issue outlives the renaming of its case and the rewording of its check.
    let names = [&line.name, &line.first_name];
    let mut texts = std::iter::once(flip.text).chain(flip.earlier_text);
    names.iter().any(|name| fits(&issue.case, name))
        && texts.any(|text| fits(&issue.expectation, text))
}

/// Whether `text` equals `pattern` or matches it as a glob.
pub(super) fn fits(pattern: &str, text: &str) -> bool {
    pattern == text || glob::Pattern::new(pattern).is_ok_and(|pattern| pattern.matches(text))
}
