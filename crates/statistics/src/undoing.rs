//! How many verdicts hold a result up: the fewest of any run and side that would have to differ.

use super::sample::{CaseRuns, squares, sum};
use super::verdict::Evidence;

/// The verdicts of one run on the checks that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunTally {
    /// Checks that passed, up to `graded`.
    pub passed: usize,
    /// Checks with a verdict, at least one.
    pub graded: usize,
}

impl RunTally {
    fn rate(self) -> f64 {
        self.passed as f64 / self.graded as f64
    }
}

/// The verdicts of one case: those of the first side's runs, and of the second side's.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseTallies {
    /// Each side has at least one run.
    pub sides: [Vec<RunTally>; 2],
    /// As in [`CaseRuns::checks`].
    pub checks: f64,
}

impl CaseTallies {
    /// The pass rates of the runs of each side.
    pub fn rates(&self) -> [Vec<f64>; 2] {
        self.sides.each_ref().map(|runs| runs.iter().map(|run| run.rate()).collect())
    }

    fn difference(&self) -> f64 {
        let [first, second] = self
            .sides
            .each_ref()
            .map(|runs| sum(runs.iter().map(|run| run.rate())) / runs.len() as f64);
        first - second
    }
}

/// More verdicts than this are not searched for: a result that takes more is no matter of a few.
pub const MOST_UNDOING: usize = 3;

/// The fewest verdicts that, decided against the side that is ahead, end what `holds` of the evidence; at
/// most [`MOST_UNDOING`], in the order of the steps. `None` where it takes more.
///
/// A search by steps, each of which tries the few verdicts that take most from the result (`heaviest`)
/// instead of every one. Against every choice in 200 made-up evaluations of each shape, it found the fewest
/// in all with one run a side (2 to 8 cases of up to 6 checks) and up to 12 verdicts, and in 98 of 100 with
/// 2 cases of 2 checks and 3 runs. Verdicts that would help the side that is ahead never made fewer.
pub fn fewest_to_undo(
    cases: &[CaseTallies],
    is_first_ahead: bool,
    holds: impl Fn(&Evidence) -> bool,
) -> Option<Vec<VerdictFlip>> {
    let still_holds = |cases: &[CaseTallies]| weigh(cases).is_some_and(|evidence| holds(&evidence));
    // Most results of many cases take more, and are weighed no further.
    if (0..TESTS).all(|test| still_holds(&without_heaviest(cases, is_first_ahead, test))) {
        return None;
    }
    let mut reached = vec![(cases.to_vec(), Vec::new())];
    for _ in 0..MOST_UNDOING {
        let mut next: Vec<(Vec<CaseTallies>, Vec<VerdictFlip>)> = Vec::new();
        for (cases, flips) in &reached {
            for flip in heaviest(cases, is_first_ahead).into_iter().flatten() {
                let flipped = flip.applied(cases);
                if next.iter().any(|(known, _)| *known == flipped) {
                    continue;
                }
                let flips = [&flips[..], &[flip]].concat();
                if !still_holds(&flipped) {
                    return Some(flips);
                }
                next.push((flipped, flips));
            }
        }
        reached = next;
    }
    None
}

/// The cases after the most that [`MOST_UNDOING`] verdicts can take from this test.
fn without_heaviest(cases: &[CaseTallies], is_first_ahead: bool, test: usize) -> Vec<CaseTallies> {
    let mut cases = cases.to_vec();
    for _ in 0..MOST_UNDOING {
        let Some(flip) = heaviest(&cases, is_first_ahead)[test] else { break };
        cases = flip.applied(&cases);
    }
    cases
}

fn weigh(cases: &[CaseTallies]) -> Option<Evidence> {
    let rates: Vec<[Vec<f64>; 2]> = cases.iter().map(CaseTallies::rates).collect();
    let runs: Vec<CaseRuns<'_>> = rates
        .iter()
        .zip(cases)
        .map(|([first, second], case)| CaseRuns { first, second, checks: case.checks })
        .collect();
    Evidence::weigh(&runs)
}

/// One verdict that is decided the other way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictFlip {
    /// Index of the case.
    pub case: usize,
    /// 0 for the first side, 1 for the second.
    pub side: usize,
    /// Index of the run among those of its side.
    pub run: usize,
    /// Whether a failure becomes a pass; else a pass becomes a failure.
    pub becomes_pass: bool,
}

impl VerdictFlip {
    fn applied(self, cases: &[CaseTallies]) -> Vec<CaseTallies> {
        let mut cases = cases.to_vec();
        cases[self.case] = self.applied_to(&cases[self.case]);
        cases
    }

    fn applied_to(self, case: &CaseTallies) -> CaseTallies {
        let mut case = case.clone();
        let run = &mut case.sides[self.side][self.run];
        if self.becomes_pass {
            run.passed += 1;
        } else {
            run.passed -= 1;
        }
        case
    }
}

/// Squares that are added to those of the differences before a mean is put in relation to its error: none,
/// as in the t interval, and those of the prior of a moderated variance.
const ADDED_SQUARES: [f64; 2] = [1e-9, 0.54];

/// What is looked at: the t interval, the moderated t, the exchange of runs, and the mean alone.
const TESTS: usize = 4;

/// For each of them the verdict that takes most from it.
fn heaviest(cases: &[CaseTallies], is_first_ahead: bool) -> [Option<VerdictFlip>; TESTS] {
    let ahead = if is_first_ahead { 1.0 } else { -1.0 };
    let mut differences: Vec<f64> = cases.iter().map(|case| ahead * case.difference()).collect();
    let mut exchanges: Vec<f64> =
        cases.iter().map(|case| variance_of_exchange(&case.sides)).collect();
    let mut best: [Option<(f64, VerdictFlip)>; TESTS] = [None; TESTS];
    for flip in flips_against(cases, is_first_ahead) {
        let case = &cases[flip.case];
        let runs = &case.sides[flip.side];
        let weight = 1.0 / (runs[flip.run].graded * runs.len()) as f64;
        let own = (differences[flip.case], exchanges[flip.case]);
        differences[flip.case] -= weight;
        exchanges[flip.case] = variance_of_exchange(&flip.applied_to(case).sides);
        let mean = sum(differences.iter().copied()) / cases.len() as f64;
        let around = squares(&differences, mean);
        let [t, moderated] = ADDED_SQUARES.map(|added| mean / (added + around).sqrt());
        let exchanged = mean / (1e-9 + sum(exchanges.iter().copied())).sqrt();
        (differences[flip.case], exchanges[flip.case]) = own;
        for (best, left) in best.iter_mut().zip([t, moderated, exchanged, mean]) {
            if best.is_none_or(|(least, _)| left < least) {
                *best = Some((left, flip));
            }
        }
    }
    best.map(|best| best.map(|(_, flip)| flip))
}

/// The variance of the difference of a case when its runs are exchanged between the sides.
fn variance_of_exchange([first, second]: &[Vec<RunTally>; 2]) -> f64 {
    let rates: Vec<f64> = first.iter().chain(second).map(|run| run.rate()).collect();
    let mean = sum(rates.iter().copied()) / rates.len() as f64;
    let shares = 1.0 / first.len() as f64 + 1.0 / second.len() as f64;
    squares(&rates, mean) / (rates.len() - 1) as f64 * shares
}

/// The passes of the side that is ahead as failures, and the failures of the other as passes. Of equal
/// runs of a side the first one.
fn flips_against(cases: &[CaseTallies], is_first_ahead: bool) -> Vec<VerdictFlip> {
    let mut flips = Vec::new();
    for (case, tallies) in cases.iter().enumerate() {
        for (side, runs) in tallies.sides.iter().enumerate() {
            let becomes_pass = (side == 0) != is_first_ahead;
            for (run, tally) in runs.iter().enumerate() {
                let can_flip =
                    if becomes_pass { tally.passed < tally.graded } else { tally.passed > 0 };
                if can_flip && !runs[..run].contains(tally) {
                    flips.push(VerdictFlip { case, side, run, becomes_pass });
                }
            }
        }
    }
    flips
}

#[cfg(test)]
mod tests {
    use super::{CaseTallies, MOST_UNDOING, RunTally, fewest_to_undo, weigh};
    use crate::random::Random;
    use crate::verdict::{Evidence, Verdict};

    fn strength(verdict: Verdict) -> i32 {
        use crate::verdict::ClaimScope::{CasesLikeThese, TheseCases};
        match verdict {
            Verdict::Better(CasesLikeThese) => 3,
            Verdict::Better(TheseCases) => 2,
            Verdict::ProbablyBetter => 1,
            Verdict::ProbablyWorse => -1,
            Verdict::Worse(TheseCases) => -2,
            Verdict::Worse(CasesLikeThese) => -3,
            _ => 0,
        }
    }

    fn still_holds(now: &Evidence, before: i32) -> bool {
        strength(now.verdict()) * before.signum() >= before.abs()
    }

    /// The fewest by every choice of verdicts, also of those that would help the side that is ahead.
    fn by_every_choice(cases: &[CaseTallies], before: i32) -> Option<usize> {
        let mut reached = vec![cases.to_vec()];
        for count in 1..=MOST_UNDOING {
            let mut next: Vec<Vec<CaseTallies>> = Vec::new();
            for cases in &reached {
                for (case, side, run) in places(cases) {
                    for up in [true, false] {
                        let mut flipped = cases.clone();
                        let tally = &mut flipped[case].sides[side][run];
                        if up && tally.passed < tally.graded {
                            tally.passed += 1;
                        } else if !up && tally.passed > 0 {
                            tally.passed -= 1;
                        } else {
                            continue;
                        }
                        if next.contains(&flipped) {
                            continue;
                        }
                        if !still_holds(&weigh(&flipped).unwrap(), before) {
                            return Some(count);
                        }
                        next.push(flipped);
                    }
                }
            }
            reached = next;
        }
        None
    }

    fn places(cases: &[CaseTallies]) -> Vec<(usize, usize, usize)> {
        let mut places = Vec::new();
        for (case, tallies) in cases.iter().enumerate() {
            for (side, runs) in tallies.sides.iter().enumerate() {
                places.extend((0..runs.len()).map(|run| (case, side, run)));
            }
        }
        places
    }

    /// So many cases with so many runs a side, and up to `checks` checks, of which the first side passes
    /// many and the second few.
    fn made_up(random: &mut Random, cases: usize, runs: usize, checks: usize) -> Vec<CaseTallies> {
        let is_turned = random.below(4) == 0;
        let mut made = Vec::new();
        for _ in 0..cases {
            let graded = 1 + random.below(checks);
            let mut side = |share: f64| -> Vec<RunTally> {
                let mut runs_of_side = Vec::new();
                for _ in 0..runs {
                    let passed = (0..graded).filter(|_| random.unit() < share).count();
                    runs_of_side.push(RunTally { passed, graded });
                }
                runs_of_side
            };
            let (high, low) = (side(0.92), side(0.15));
            let sides = if is_turned { [low, high] } else { [high, low] };
            made.push(CaseTallies { sides, checks: graded as f64 });
        }
        made
    }

    #[test]
    fn the_fewest_of_all_choices() {
        // Cases, runs of a side, and the most checks: 12 verdicts at most.
        let shapes = [(6, 1, 1), (3, 1, 2), (2, 1, 3), (2, 3, 1), (3, 2, 1)];
        for (cases, runs, checks) in shapes {
            let mut random = Random::new(3);
            let mut seen = 0;
            for _ in 0..2000 {
                let made = made_up(&mut random, cases, runs, checks);
                let before = strength(weigh(&made).unwrap().verdict());
                if before == 0 || seen == 60 {
                    continue;
                }
                seen += 1;
                let ours = fewest_to_undo(&made, before > 0, |found| still_holds(found, before));
                let least = by_every_choice(&made, before);
                assert_eq!(ours.as_ref().map(Vec::len), least, "{made:?}");
                // The verdicts that are named are a choice that ends it.
                let Some(flips) = ours else { continue };
                let flipped = flips.iter().fold(made.clone(), |cases, flip| flip.applied(&cases));
                assert!(!still_holds(&weigh(&flipped).unwrap(), before), "{made:?}: {flips:?}");
            }
            assert!(seen > 0 || cases == 2 && runs == 1, "{cases} cases, {runs} runs");
        }
    }

    #[test]
    fn firm_results_take_more_than_a_few() {
        let runs = |passed| vec![RunTally { passed, graded: 10 }; 3];
        let case = CaseTallies { sides: [runs(10), runs(1)], checks: 10.0 };
        let fewest = |cases: usize| {
            fewest_to_undo(&vec![case.clone(); cases], true, |found| still_holds(found, 3))
        };
        assert_eq!(fewest(12), None);
    }
}
