//! Where every case of an iteration stands against the iteration before, for its candidate.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::analyze::{Analysis, FlipKind, Flips, Side};
use crate::digest::changes::FlipCache;
use crate::model::{Case, Run, Tally};

pub(crate) struct Standings<'a> {
    /// The candidate of the iteration; `None` where nothing is a candidate.
    pub(crate) after: Option<Side>,
    /// The same configuration in the last earlier iteration that graded it.
    pub(crate) before: Option<Side>,
    /// What changed since; `None` where there is nothing before.
    pub(crate) flips: Option<Arc<Flips<'a>>>,
    /// The expectations that regressed, by their texts, line by line, with their verdicts before.
    regressed: BTreeMap<usize, BTreeMap<&'a str, Tally>>,
    /// The place of each configuration among those of the iteration.
    places: BTreeMap<String, usize>,
}

impl<'a> Standings<'a> {
    /// The standings of every iteration, made once for all pages.
    pub(crate) fn of_all(known: &FlipCache<'a>) -> Vec<Self> {
        (0..known.analysis.iterations.len()).map(|index| Self::new(known, index)).collect()
    }

    /// Those of one iteration.
    pub(crate) fn new(known: &FlipCache<'a>, index: usize) -> Self {
        let analysis: &Analysis = known.analysis;
        let after = analysis.candidate_of(index);
        let before = after.as_ref().and_then(|after| analysis.previous(after));
        let sides = before.as_ref().zip(after.as_ref());
        let flips = sides.map(|(before, after)| known.between(before, after));
        let mut regressed: BTreeMap<usize, BTreeMap<&'a str, Tally>> = BTreeMap::new();
        let all = flips.iter().flat_map(|flips| flips.iter());
        for flip in all.filter(|flip| flip.kind == FlipKind::Regressed) {
            let of_line = regressed.entry(flip.line).or_default();
            of_line.entry(flip.text).or_insert(flip.before);
        }
        let order = analysis.iterations[index].roles.order();
        let places = order.enumerate().map(|(at, name)| (name.to_owned(), at)).collect();
        Self { after, before, flips, regressed, places }
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

    pub(crate) fn runs_in_order<'c>(&self, case: &'c Case) -> Vec<&'c Run> {
        self.run_order(case).into_iter().map(|at| &case.runs[at]).collect()
    }
}
