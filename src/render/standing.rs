//! Where every case of an iteration stands against the iteration before, for its candidate.

use crate::analyze::{Fate, Flip, Side, between};
use crate::model::Tally;
use crate::render::Part;
use crate::render::html::tally;

/// The cases of one iteration.
pub(super) struct Standings {
    /// The candidate of the iteration; `None` where nothing is a candidate.
    pub(super) after: Option<Side>,
    /// The same configuration in the last earlier iteration that graded it.
    pub(super) before: Option<Side>,
    /// What changed between the two.
    pub(super) flips: Vec<Flip>,
    /// One word per line of the analysis.
    words: Vec<&'static str>,
}

impl Standings {
    /// The standings of the iteration at `index`.
    pub(super) fn of(part: &Part<'_>, index: usize) -> Self {
        let lines = &part.analysis.lines;
        let candidate = part.analysis.iterations[index].candidate();
        let after = candidate
            .map(|candidate| Side { iteration: index, configuration: candidate.name.clone() });
        let before = after.as_ref().and_then(|after| part.analysis.previous(after));
        let flips = match (&before, &after) {
            (Some(before), Some(after)) => between(part.workspace, lines, before, after),
            _ => Vec::new(),
        };
        let mut words: Vec<&'static str> =
            (0..lines.len()).map(|line| plain(of_line(part, line, after.as_ref()))).collect();
        // Losses come last, so that they stand above gains.
        for (fate, word) in [(Fate::Fixed, "fixed"), (Fate::Regressed, "regressed")] {
            for flip in flips.iter().filter(|flip| flip.fate == fate) {
                words[flip.line] = word;
            }
        }
        Self { after, before, flips, words }
    }

    /// `regressed`, `fixed`, `failing`, `passing` or `absent`, as filters spell it.
    pub(super) fn of_line(&self, line: usize) -> &'static str {
        self.words[line]
    }
}

/// The candidate's verdicts on one case.
fn of_line(part: &Part<'_>, line: usize, side: Option<&Side>) -> Tally {
    let met =
        side.and_then(|side| Some((side, part.analysis.lines[line].meeting(side.iteration)?)));
    met.map(|(side, met)| {
        let case = &part.workspace.iterations[side.iteration].cases[met.case];
        tally(case, &side.configuration)
    })
    .unwrap_or_default()
}

fn plain(tally: Tally) -> &'static str {
    match tally {
        Tally { passed: 0, failed: 0, .. } => "absent",
        Tally { failed: 0, .. } => "passing",
        _ => "failing",
    }
}
