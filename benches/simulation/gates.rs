//! How often a gate fails a skill that was run twice, and how often its report names a fallen case.

use evalbook::{Random, alarms};

use super::{Share, heading, row, shares};

const CASES: [usize; 4] = [3, 5, 8, 20];
const RUNS: [usize; 3] = [1, 3, 5];
const CHECKS: usize = 5;

/// The share of checks that pass when nothing flips.
const LEVEL: f64 = 0.7;

const QUESTIONS: [&str; 4] = [
    "The rule worse fails the same skill",
    "The rule regression fails the same skill",
    "The rule regression-strict fails the same skill",
    "A fall of 40 points is named for the same skill",
];

/// Which checks of a skill flip in a run.
#[derive(Clone, Copy)]
struct Noise {
    name: &'static str,
    /// The share of checks that may flip.
    unstable: f64,
    /// How often such a check flips.
    flips: f64,
}

const NOISES: [Noise; 2] = [
    Noise { name: "every check, 6 %", unstable: 1.0, flips: 0.06 },
    Noise { name: "a fifth of the checks, 30 %", unstable: 0.2, flips: 0.3 },
];

impl Noise {
    /// Two sides with so many runs of one case, from the same skill.
    fn draw(self, runs: usize, random: &mut Random) -> [Vec<Vec<bool>>; 2] {
        let checks: Vec<(bool, f64)> = (0..CHECKS)
            .map(|_| {
                let passes = random.unit() < LEVEL;
                let is_unstable = random.unit() < self.unstable;
                (passes, if is_unstable { self.flips } else { 0.0 })
            })
            .collect();
        let mut run =
            || checks.iter().map(|(passes, flips)| passes ^ (random.unit() < *flips)).collect();
        [0, 1].map(|_| (0..runs).map(|_| run()).collect())
    }
}

pub fn print(evaluations: u64) {
    let mut rows = Vec::new();
    for noise in NOISES {
        for runs in RUNS {
            rows.push((noise, runs, CASES.map(|cases| answers(noise, cases, runs, evaluations))));
        }
    }
    for (question, title) in QUESTIONS.into_iter().enumerate() {
        heading(title, &CASES);
        for (noise, runs, cells) in &rows {
            row(noise.name, *runs, cells.iter().map(|cell| cell[question]));
        }
    }
}

fn answers(noise: Noise, cases: usize, runs: usize, evaluations: u64) -> [Share; 4] {
    let seed = (cases * 100 + runs) as u64;
    shares(seed, evaluations, |random| {
        let cases: Vec<_> = (0..cases).map(|_| noise.draw(runs, random)).collect();
        let found = alarms(&cases);
        let [worse, regression, strict] = found.failed_rules;
        [worse, regression, strict, found.names_a_fall].map(Some)
    })
}
