//! Where every case of an iteration stands against the iteration before, for its candidate.

use std::collections::BTreeMap;

use crate::analyze::{Analysis, Fate, Flip, Side, Status, between, standings};
use crate::model::{Case, Run, Tally, Workspace};

pub(crate) struct Standings {
    /// The candidate of the iteration; `None` where nothing is a candidate.
    pub(crate) after: Option<Side>,
    /// The same configuration in the last earlier iteration that graded it.
    pub(crate) before: Option<Side>,
    pub(crate) flips: Vec<Flip>,
    /// One word per line of the analysis.
    words: Vec<&'static str>,
    /// The expectations that regressed, by their texts, line by line, with their verdicts before.
    regressed: BTreeMap<usize, BTreeMap<String, Tally>>,
    /// The place of each configuration among those of the iteration.
    places: BTreeMap<String, usize>,
}

impl Standings {
    /// The standings of every iteration, made once for all pages.
    pub(crate) fn of_all(workspace: &Workspace, analysis: &Analysis) -> Vec<Self> {
        (0..analysis.iterations.len()).map(|index| Self::of(workspace, analysis, index)).collect()
    }

    fn of(workspace: &Workspace, analysis: &Analysis, index: usize) -> Self {
        let lines = &analysis.lines;
        let after = analysis.candidate_of(index);
        let before = after.as_ref().and_then(|after| analysis.previous(after));
        let flips = match (&before, &after) {
            (Some(before), Some(after)) => between(workspace, lines, before, after),
            _ => Vec::new(),
        };
        let mut words = vec![Status::Absent.word(); lines.len()];
        for standing in standings(workspace, analysis, index) {
            words[standing.line] = standing.status.word();
        }
        let mut regressed: BTreeMap<usize, BTreeMap<String, Tally>> = BTreeMap::new();
        for flip in flips.iter().filter(|flip| flip.fate == Fate::Regressed) {
            let of_line = regressed.entry(flip.line).or_default();
            of_line.entry(flip.text.clone()).or_insert(flip.before);
        }
        let order = analysis.iterations[index].roles.order();
        let places = order.enumerate().map(|(at, name)| (name.to_owned(), at)).collect();
        Self { after, before, flips, words, regressed, places }
    }

    /// The verdicts before of an expectation of a line that regressed; `None` where it did not.
    pub(crate) fn before_loss(&self, line: usize, text: &str) -> Option<Tally> {
        self.regressed.get(&line)?.get(text).copied()
    }

    /// The runs of a case as indices, candidates before the baseline.
    pub(crate) fn run_order(&self, case: &Case) -> Vec<usize> {
        let mut order: Vec<usize> = (0..case.runs.len()).collect();
        order.sort_by_cached_key(|at| {
            let run = &case.runs[*at];
            (self.places.get(&run.configuration).copied(), run.number)
        });
        order
    }

    pub(crate) fn runs_in_order<'a>(&self, case: &'a Case) -> Vec<&'a Run> {
        self.run_order(case).into_iter().map(|at| &case.runs[at]).collect()
    }

    /// `regressed`, `fixed`, `failing`, `passing` or `absent`, as filters spell it.
    pub(crate) fn of_line(&self, line: usize) -> &'static str {
        self.words[line]
    }
}
