//! How often a gate fails a skill that was run twice, and how often it finds one that fell or costs
//! more: by cases and runs, from 1×1 to 8×1, and 3×3 and 5×3.

use evalbook::{CaseSides, MadeUpRun, Random, alarms, rerun_loss};

use super::{Share, normal, shares};

/// Cases and runs of a side.
const PLACES: [(usize, usize); 7] = [(1, 1), (2, 1), (3, 1), (5, 1), (8, 1), (3, 3), (5, 3)];
const CHECKS: usize = 5;

/// The share of the luck of a check that all checks of its run have in common.
const COMMON_LUCK: f64 = 0.3;

/// Of so many runs one is broken, and passes nothing.
const RUNS_TO_A_BROKEN_ONE: f64 = 50.0;

/// The deviation of the logarithm of a run's tokens.
const SPREAD: f64 = 0.25;

/// A skill, and what became of it on the later side.
#[derive(Clone, Copy)]
pub(super) struct Truth {
    pub(super) name: &'static str,
    /// The share of checks that pass on the earlier side.
    level: f64,
    /// The parameters of the beta distribution of the checks' shares of passes add up to this: the
    /// smaller, the more checks always pass or always fail.
    steadiness: f64,
    change: Change,
    /// The tokens of the later side as a multiple of the earlier one's.
    cost: f64,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Change {
    Nothing,
    /// Nothing passes.
    Everything,
    /// Each check fails for good with the chance that makes the level fall so far.
    Points(f64),
    /// So many cases pass nothing, the others are as they were.
    Cases(usize),
}

pub(super) const UNCHANGED: Truth =
    Truth { name: "unchanged", level: 0.8, steadiness: 0.4, change: Change::Nothing, cost: 1.0 };

pub(super) const UNSTEADY: Truth =
    Truth { name: "unchanged and unsteady", level: 0.75, steadiness: 1.5, ..UNCHANGED };

const TRUTHS: [Truth; 7] = [
    UNCHANGED,
    UNSTEADY,
    Truth {
        name: "passed 2 of 3, now nothing",
        level: 0.67,
        change: Change::Everything,
        ..UNCHANGED
    },
    Truth { name: "lost 60 points", level: 0.95, change: Change::Points(0.6), ..UNCHANGED },
    Truth { name: "lost 40 points", level: 0.95, change: Change::Points(0.4), ..UNCHANGED },
    Truth { name: "two cases collapsed", level: 0.95, change: Change::Cases(2), ..UNCHANGED },
    Truth { name: "1.5 times the tokens", cost: 1.5, ..UNCHANGED },
];

impl Truth {
    /// Both sides of all cases.
    pub(super) fn draw(&self, cases: usize, runs: usize, random: &mut Random) -> Vec<CaseSides> {
        (0..cases).map(|case| self.draw_case(case, runs, random)).collect()
    }

    fn draw_case(&self, case: usize, runs: usize, random: &mut Random) -> CaseSides {
        let shares: Vec<f64> = (0..CHECKS).map(|_| self.share_of_passes(random)).collect();
        let later =
            shares.iter().map(|share| if self.is_lost(case, random) { 0.0 } else { *share });
        let later: Vec<f64> = later.collect();
        [(later, self.cost), (shares, 1.0)].map(|(shares, cost)| {
            (0..runs)
                .map(|_| MadeUpRun {
                    verdicts: verdicts(&shares, random),
                    tokens: 10_000.0 * cost * libm::exp(SPREAD * normal(random)),
                })
                .collect()
        })
    }

    fn is_lost(&self, case: usize, random: &mut Random) -> bool {
        match self.change {
            Change::Nothing => false,
            Change::Everything => true,
            Change::Points(points) => random.unit() < points / self.level,
            Change::Cases(count) => case < count,
        }
    }

    /// One draw of the beta distribution with the level as its mean, by Jöhnk's method: both
    /// parameters are small, where it rarely tries again.
    fn share_of_passes(&self, random: &mut Random) -> f64 {
        let [passes, failures] = [self.level, 1.0 - self.level].map(|part| part * self.steadiness);
        loop {
            let x = libm::pow(random.unit(), 1.0 / passes);
            let y = libm::pow(random.unit(), 1.0 / failures);
            if x + y > 0.0 && x + y <= 1.0 {
                return x / (x + y);
            }
        }
    }
}

fn verdicts(shares: &[f64], random: &mut Random) -> Vec<bool> {
    let is_broken = random.unit() * RUNS_TO_A_BROKEN_ONE < 1.0;
    let luck = COMMON_LUCK.sqrt() * normal(random);
    let mut verdicts = Vec::new();
    for share in shares {
        let own = (1.0 - COMMON_LUCK).sqrt() * normal(random);
        let share = share.clamp(1e-9, 1.0 - 1e-9);
        let passes = evalbook::normal_quantile(share).is_some_and(|limit| luck + own < limit);
        verdicts.push(passes && !is_broken);
    }
    verdicts
}

/// What is asked of each evaluation.
const QUESTIONS: [&str; 6] = [
    "worse",
    "loss",
    "20 % more tokens, beyond noise",
    "20 % more tokens on average, which is no rule",
    "a case is named that fell by 40 points",
    "the first check differs between two runs",
];

pub fn print(evaluations: u64) {
    let places: String = PLACES.iter().map(|(cases, runs)| format!("{cases:>5}×{runs}")).collect();
    for truth in TRUTHS {
        let cells = PLACES.map(|(cases, runs)| answers(truth, cases, runs, evaluations));
        println!("\n{}, cases × runs\n{:<48}{places}", truth.name, "fails in");
        for (question, name) in QUESTIONS.iter().enumerate() {
            let shares = cells.map(|cell| cell[question].in_percent().unwrap_or_default());
            line(name, shares);
        }
        if truth.change == Change::Nothing {
            let stated = |(cases, runs)| 100.0 * rerun_loss(vec![[runs; 2]; cases * CHECKS]);
            line("the line of the rule loss states", PLACES.map(stated));
        }
    }
}

fn line(name: &str, shares: [f64; PLACES.len()]) {
    let shares: String = shares.iter().map(|share| format!("{share:>7.1}")).collect();
    println!("{name:<48}{shares}");
}

fn answers(truth: Truth, cases: usize, runs: usize, evaluations: u64) -> [Share; 6] {
    let seed = (cases * 100 + runs) as u64;
    shares(seed, evaluations, |random| {
        let cases = truth.draw(cases, runs, random);
        let found = alarms(&cases);
        let [worse, loss] = found.failed_rules;
        let [after, before] = cases[0].each_ref().map(|runs| runs[0].verdicts[0]);
        let answers = [
            worse,
            loss,
            found.is_over_limit,
            found.is_mean_over_limit,
            found.names_a_fall,
            after != before,
        ];
        answers.map(Some)
    })
}
