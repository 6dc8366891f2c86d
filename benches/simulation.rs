//! How often the intervals hold the truth and how often "settled" is said of nothing, in made-up
//! evaluations with known truths.
//!
//! `cargo bench --bench simulation` prints a row per truth and number of runs and a column per
//! number of cases; `-- 20000` asks for so many evaluations per cell. The seed is fixed: the same
//! table every time.

use evalbook::statistics::{
    CaseWilson, PairedGain, Random, Standing, mean, mean_interval, normal_quantile,
};
use rayon::prelude::*;

const CASES: [usize; 6] = [3, 5, 8, 12, 20, 40];
const RUNS: [usize; 3] = [1, 3, 10];

/// Evaluations per cell when the command line asks for no other number.
const EVALUATIONS: u64 = 4_000;

/// How evaluations come about. A case has a difficulty and the candidate an effect on it, each run
/// its luck, all on the logit scale; then every check of the run passes or fails.
#[derive(Clone, Copy)]
struct Truth {
    name: &'static str,
    /// Logit of the baseline on a case of middling difficulty.
    level: f64,
    /// What the candidate adds to the logit.
    effect: f64,
    /// Deviation of the difficulty between cases.
    difficulty: f64,
    /// Half of the cases so much easier, half so much harder.
    two_kinds: f64,
    /// Deviation of the effect between cases.
    unequal: f64,
    /// Deviation of the luck of a run.
    luck: f64,
    /// Checks per run: from one number to another.
    checks: (usize, usize),
}

const MIDDLING: Truth = Truth {
    name: "middling, +10 points",
    level: 0.4,
    effect: 0.55,
    difficulty: 1.0,
    two_kinds: 0.0,
    unequal: 0.5,
    luck: 0.5,
    checks: (3, 7),
};

const TRUTHS: [Truth; 8] = [
    MIDDLING,
    Truth { name: "middling, +25 points", effect: 1.6, ..MIDDLING },
    Truth { name: "effects differ", effect: 0.9, unequal: 1.5, ..MIDDLING },
    Truth { name: "nearly all pass, +6", level: 1.8, effect: 0.7, ..MIDDLING },
    Truth {
        name: "half easy, half hard",
        difficulty: 0.3,
        two_kinds: 1.8,
        effect: 0.7,
        ..MIDDLING
    },
    Truth { name: "one check, +10", checks: (1, 1), ..MIDDLING },
    Truth { name: "no difference", effect: 0.0, ..MIDDLING },
    Truth { name: "no difference at all", effect: 0.0, unequal: 0.0, luck: 0.0, ..MIDDLING },
];

/// Truths without a difference, for false alarms.
const NOTHING: [Truth; 6] = [
    Truth { name: "middling", effect: 0.0, ..MIDDLING },
    Truth { name: "effects differ", effect: 0.0, unequal: 1.5, ..MIDDLING },
    Truth { name: "same odds everywhere", effect: 0.0, unequal: 0.0, luck: 0.0, ..MIDDLING },
    Truth { name: "nearly all pass", effect: 0.0, level: 2.5, ..MIDDLING },
    Truth { name: "half easy, half hard", effect: 0.0, two_kinds: 2.5, ..MIDDLING },
    Truth { name: "one check", effect: 0.0, checks: (1, 1), ..MIDDLING },
];

fn main() {
    let asked = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let evaluations = asked.unwrap_or(EVALUATIONS);
    println!("{evaluations} evaluations per cell; percent");
    table(
        "t interval of the gain holds it, where there is one (wanted 93 to 97)",
        &TRUTHS,
        |cell| {
            cell.share(evaluations, |evaluation| {
                let gain = evaluation.differences();
                mean_interval(&gain)
                    .filter(|interval| interval.width() > 1e-9)
                    .map(|interval| interval.contains(cell.truth.gain()))
            })
        },
    );
    table("gain without an interval, every case moved alike", &TRUTHS, |cell| {
        cell.share(evaluations, |evaluation| {
            let gain = evaluation.differences();
            Some(mean_interval(&gain).is_none_or(|interval| interval.width() <= 1e-9))
        })
    });
    table("case Wilson interval holds the pass rate (wanted 92.5 or more)", &TRUTHS, |cell| {
        cell.share(evaluations, |evaluation| {
            let level = CaseWilson::of(&evaluation.candidate.rates, evaluation.candidate.checks)?;
            Some(level.interval.contains(cell.truth.rate(cell.truth.effect)))
        })
    });
    table("case Wilson interval holds the strict success (wanted 92.5 or more)", &TRUTHS, |cell| {
        let wanted = cell.truth.strict_success(cell.truth.effect);
        cell.share(evaluations, |evaluation| {
            let units = evaluation.candidate.strict.len() * cell.runs;
            let level = CaseWilson::of(&evaluation.candidate.strict, units)?;
            Some(level.interval.contains(wanted))
        })
    });
    table(
        "said to be settled, better or worse, without a difference (at most 5)",
        &NOTHING,
        |cell| {
            cell.share(evaluations, |evaluation| {
                let gain = PairedGain::of(&evaluation.differences())?;
                Some(gain.standing() == Standing::Settled)
            })
        },
    );
    table("said to be settled worse without a difference (at most 5)", &NOTHING, |cell| {
        cell.share(evaluations, |evaluation| {
            let gain = PairedGain::of(&evaluation.differences())?;
            Some(gain.standing() == Standing::Settled && gain.mean < 0.0)
        })
    });
}

fn table(title: &str, truths: &[Truth], of: impl Fn(&Cell) -> Option<f64>) {
    println!(
        "\n{title}\n{:<24} {:>4}  {}",
        "truth",
        "runs",
        CASES.map(|n| format!("{n:>6}")).concat()
    );
    for truth in truths {
        for runs in RUNS {
            let cells = CASES.map(|cases| of(&Cell { truth: *truth, cases, runs }));
            let cells = cells.map(|share| {
                share.map_or(format!("{:>6}", "–"), |share| format!("{:>6.1}", 100.0 * share))
            });
            println!("{:<24} {:>4}  {}", truth.name, runs, cells.concat());
        }
    }
}

/// A truth looked at with so many cases and runs.
struct Cell {
    truth: Truth,
    cases: usize,
    runs: usize,
}

impl Cell {
    /// How often `holds`, among the evaluations it says something about.
    fn share(
        &self,
        evaluations: u64,
        holds: impl Fn(&Evaluation) -> Option<bool> + Sync,
    ) -> Option<f64> {
        let seed = (self.cases * 1000 + self.runs) as u64;
        let answers: Vec<bool> = (0..evaluations)
            .into_par_iter()
            .filter_map(|index| {
                let mut random = Random::new(seed << 32 | index);
                holds(&self.truth.evaluation(self.cases, self.runs, &mut random))
            })
            .collect();
        let held = answers.iter().filter(|held| **held).count();
        (!answers.is_empty()).then(|| held as f64 / answers.len() as f64)
    }
}

/// One side of an evaluation, by case.
#[derive(Default)]
struct Side {
    rates: Vec<f64>,
    strict: Vec<f64>,
    checks: usize,
}

struct Evaluation {
    candidate: Side,
    baseline: Side,
}

impl Evaluation {
    fn differences(&self) -> Vec<f64> {
        self.candidate.rates.iter().zip(&self.baseline.rates).map(|(a, b)| a - b).collect()
    }
}

impl Truth {
    fn evaluation(&self, cases: usize, runs: usize, random: &mut Random) -> Evaluation {
        let mut evaluation = Evaluation { candidate: Side::default(), baseline: Side::default() };
        for _ in 0..cases {
            let kind = if random.unit() < 0.5 { self.two_kinds } else { -self.two_kinds };
            let level = self.level + kind + self.difficulty * normal(random);
            let effect = self.effect + self.unequal * normal(random);
            let (least, most) = self.checks;
            let checks = least + random.below(most - least + 1);
            self.case(&mut evaluation.baseline, level, checks, runs, random);
            self.case(&mut evaluation.candidate, level + effect, checks, runs, random);
        }
        evaluation
    }

    fn case(&self, side: &mut Side, logit: f64, checks: usize, runs: usize, random: &mut Random) {
        let (mut rates, mut strict) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            let chance = logistic(logit + self.luck * normal(random));
            let passed = (0..checks).filter(|_| random.unit() < chance).count();
            rates.push(passed as f64 / checks as f64);
            strict.push(f64::from(u8::from(passed == checks)));
        }
        side.rates.push(mean(&rates).expect("runs"));
        side.strict.push(mean(&strict).expect("runs"));
        side.checks += checks * runs;
    }

    /// The true gain in pass rate over all cases there could be.
    fn gain(&self) -> f64 {
        self.rate(self.effect) - self.expected(0.0, 0.0, |chance| chance)
    }

    fn rate(&self, effect: f64) -> f64 {
        self.expected(effect, self.unequal, |chance| chance)
    }

    fn strict_success(&self, effect: f64) -> f64 {
        let (least, most) = self.checks;
        let of = |checks: usize| self.expected(effect, self.unequal, |p| p.powf(checks as f64));
        (least..=most).map(of).sum::<f64>() / (most - least + 1) as f64
    }

    /// The mean of a function of the chance of a check, over cases and runs: the deviations add up
    /// to one normal variable, and the trapezoid rule is as good as exact.
    fn expected(&self, effect: f64, unequal: f64, of: impl Fn(f64) -> f64) -> f64 {
        let deviation =
            [self.difficulty, unequal, self.luck].iter().map(|d| d * d).sum::<f64>().sqrt();
        let (mut total, mut weights) = (0.0, 0.0);
        for step in -800..=800 {
            let z = f64::from(step) / 100.0;
            let weight = (-z * z / 2.0).exp();
            for kind in [-self.two_kinds, self.two_kinds] {
                total += weight * of(logistic(self.level + kind + effect + deviation * z));
                weights += weight;
            }
        }
        total / weights
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn normal(random: &mut Random) -> f64 {
    normal_quantile((random.unit() + f64::EPSILON).min(1.0 - f64::EPSILON)).expect("inside 0 and 1")
}
