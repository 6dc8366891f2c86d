//! The verdicts that decide the answers: a dozen that a person can look at in five minutes. Those that would
//! undo an answer come first, then the others by how far each moves the answers.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::{CheckAt, ComparedRun, FlipKind, Missing, Side, compared_runs, key};
use crate::digest::{ComparedRow, Comparisons, Questions, Row, RowWord};
use input::model::{Outcome, Workspace};

/// More than these nobody looks at.
const MOST: usize = 12;

/// One verdict, and where to see what it is about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DecidingVerdict {
    pub(crate) at: CheckAt,
    /// Index of the case in [`Analysis::cases`](crate::analyze::Analysis::cases).
    pub(crate) case_index: usize,
    /// Both sides of the first answer that it moves: the side of its run, and the other one.
    pub(crate) sides: [Side; 2],
    /// Whether it is one of the fewest that would undo an answer.
    pub(crate) undoes: bool,
}

/// At most twelve verdicts, one of each check, in the order in which a person should look at them.
pub(crate) fn deciding_verdicts(
    comparisons: &Comparisons<'_>,
    questions: &Questions<'_>,
) -> Vec<DecidingVerdict> {
    let mut search = Search { comparisons, found: BTreeMap::new(), first: Vec::new() };
    for row in questions.rows().filter_map(Row::compared) {
        // A score is no single verdict, and what cannot be believed has no answer.
        if row.is_measured() && row.change.gain.scores().is_none() {
            search.add(row);
        }
    }
    search.into_order()
}

struct Search<'s, 'a> {
    comparisons: &'s Comparisons<'a>,
    found: BTreeMap<CheckAt, Weighed>,
    /// Those that would undo an answer.
    first: Vec<CheckAt>,
}

struct Weighed {
    case_index: usize,
    sides: [Side; 2],
    /// By how much it moves all gains together, in shares of 1.
    weight: f64,
    /// Whether the other verdict would make an answer weaker.
    weakens: bool,
}

impl Search<'_, '_> {
    fn workspace(&self) -> &Workspace {
        self.comparisons.workspace
    }

    fn add(&mut self, row: &ComparedRow<'_>) {
        let Comparisons { workspace, analysis, .. } = *self.comparisons;
        let change = row.change;
        let tasks = compared_runs(workspace, &analysis.cases, change, Missing::LeftOut);
        let is_later_ahead = row.direction().is_ge();
        for task in &tasks {
            for (side, runs) in task.iter().enumerate() {
                let own = if side == 0 { [&change.after, &change.before] } else { change.sides() };
                for run in runs {
                    let weight = 1.0 / (run.counted * runs.len() * tasks.len()) as f64;
                    for at in &run.verdicts {
                        let is_passed = at.check(workspace).outcome == Outcome::Passed;
                        let weighed = self.found.entry(*at).or_insert_with(|| Weighed {
                            case_index: run.case_index,
                            sides: own.map(Side::clone),
                            weight: 0.0,
                            weakens: false,
                        });
                        weighed.weight += weight;
                        weighed.weakens |= is_passed == ((side == 0) == is_later_ahead);
                    }
                }
            }
        }
        self.add_undoing(row, tasks);
    }

    /// Those that would undo the word of a row.
    fn add_undoing(&mut self, row: &ComparedRow<'_>, mut tasks: Vec<[Vec<ComparedRun>; 2]>) {
        let kind = match row.word {
            RowWord::Lost(_) => FlipKind::Regressed,
            RowWord::Repaired(_) => FlipKind::Improved,
            RowWord::Verdict(_) => {
                let Some(undoing) = row.undoing else { return };
                if undoing.missing != Missing::LeftOut {
                    let Comparisons { workspace, analysis, .. } = *self.comparisons;
                    tasks = compared_runs(workspace, &analysis.cases, row.change, undoing.missing);
                }
                for flip in &undoing.flips {
                    let run = &tasks[flip.case][flip.side][flip.run];
                    let outcome = Outcome::from(!flip.becomes_pass);
                    self.add_first(&run.verdicts, outcome);
                }
                return;
            }
            RowWord::NoRegression | RowWord::Flipped { .. } | RowWord::Unmeasured => return,
        };
        // A check is lost no more where one of its runs passed it.
        let outcome = Outcome::from(kind == FlipKind::Improved);
        let moved = if kind == FlipKind::Regressed {
            row.changes.regressed()
        } else {
            row.changes.of_kind(kind)
        };
        // After a hard fall single runs count as well.
        let is_each_counted = kind == FlipKind::Regressed && row.surely_lost() == moved.len();
        for flip in moved.into_iter().filter(|flip| is_each_counted || flip.is_repeated()) {
            let mut verdicts = Vec::new();
            for (at, weighed) in &self.found {
                let is_meant = weighed.case_index == flip.case
                    && weighed.sides[0] == row.change.after
                    && at.check(self.workspace()).text == flip.text;
                if is_meant {
                    verdicts.push(*at);
                }
            }
            self.add_first(&verdicts, outcome);
        }
    }

    /// Adds the first of these verdicts with this outcome, of a check that is not yet among them.
    fn add_first(&mut self, verdicts: &[CheckAt], outcome: Outcome) {
        let known: BTreeSet<_> = self.first.iter().map(|at| self.check(at)).collect();
        let found = verdicts.iter().find(|at| {
            at.check(self.workspace()).outcome == outcome
                && self.found.contains_key(at)
                && !known.contains(&self.check(at))
        });
        self.first.extend(found.copied());
    }

    /// What a verdict is about: its case and its check.
    fn check(&self, at: &CheckAt) -> (Option<usize>, String) {
        let case_index = self.found.get(at).map(|weighed| weighed.case_index);
        (case_index, key(at.check(self.workspace())).into_owned())
    }

    fn into_order(self) -> Vec<DecidingVerdict> {
        let mut rest: Vec<(&CheckAt, &Weighed)> = self.found.iter().collect();
        rest.sort_by_key(|(at, weighed)| {
            // Sums of equal shares may differ in the last bit.
            let weight = (weighed.weight * 1e9).round() as u64;
            let place = (weighed.case_index, at.check, at.run, Reverse(at.iteration));
            (Reverse(weight), !weighed.weakens, place)
        });
        let mut order = self.first.clone();
        order.extend(rest.into_iter().map(|(at, _)| *at));
        let mut seen = BTreeSet::new();
        order.retain(|at| seen.insert(self.check(at)));
        order.truncate(MOST);
        let mut verdicts = Vec::new();
        for at in order {
            let Weighed { case_index, sides, .. } = &self.found[&at];
            let undoes = self.first.contains(&at);
            verdicts.push(DecidingVerdict {
                at,
                case_index: *case_index,
                sides: sides.clone(),
                undoes,
            });
        }
        verdicts
    }
}

#[cfg(test)]
mod tests;
