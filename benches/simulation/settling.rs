//! How often "more runs settle results like this n times in 10" holds: evaluations whose result is open are
//! run further, by each plan. Their true gains are from a fifth lost to four fifths won.

use evalbook::{
    CaseRuns, Evidence, Extension, Random, Rivals, RunNoise, Verdict, chance_to_settle,
};

use super::normal;

const EXTENSIONS: [Extension; 3] =
    [Extension::Runs(2), Extension::Runs(4), Extension::TwiceTheCases];

/// The checks of a case with the chance of each to pass, on the side that is ahead and on the other.
type Checks = Vec<[f64; 2]>;

fn made_up_case(gained: f64, random: &mut Random) -> Checks {
    let gained = (gained + 0.25 * normal(random)).clamp(-1.0, 1.0);
    let checks = 3 + random.below(6);
    (0..checks)
        .map(|_| {
            // Most checks always pass or always fail.
            let is_unsteady = random.unit() < 0.35;
            let other = if is_unsteady {
                random.unit()
            } else if random.unit() < 0.55 {
                0.99
            } else {
                0.01
            };
            let is_changed = random.unit() < gained.abs();
            let changed = if gained > 0.0 { 0.97 } else { 0.03 };
            [if is_changed { changed } else { other }, other]
        })
        .collect()
}

fn run(checks: &Checks, side: usize, random: &mut Random) -> f64 {
    if random.below(50) == 0 {
        return 0.0;
    }
    let common = random.unit();
    let passed = checks.iter().filter(|chances| {
        let luck = if random.unit() < 0.4 { common } else { random.unit() };
        luck < chances[side]
    });
    passed.count() as f64 / checks.len() as f64
}

struct Results {
    cases: Vec<Checks>,
    runs: Vec<[Vec<f64>; 2]>,
}

impl Results {
    fn add_cases(&mut self, count: usize, runs: usize, gained: f64, random: &mut Random) {
        for _ in 0..count {
            self.cases.push(made_up_case(gained, random));
            self.runs.push(Default::default());
        }
        let from = self.cases.len() - count;
        self.add_runs(from, runs, random);
    }

    fn add_runs(&mut self, from: usize, runs: usize, random: &mut Random) {
        for (checks, both) in self.cases.iter().zip(&mut self.runs).skip(from) {
            for (side, of_side) in both.iter_mut().enumerate() {
                of_side.extend((0..runs).map(|_| run(checks, side, random)));
            }
        }
    }

    fn weighed(&self) -> Vec<CaseRuns<'_>> {
        let both = self.cases.iter().zip(&self.runs);
        both.map(|(checks, [first, second])| CaseRuns {
            first,
            second,
            checks: checks.len() as f64,
        })
        .collect()
    }

    fn is_open(&self) -> bool {
        Evidence::weigh(&self.weighed()).expect("cases").verdict() == Verdict::Unclear
    }

    fn noise(&self) -> RunNoise {
        let sides = self.cases.iter().zip(&self.runs);
        RunNoise::estimate(
            sides.flat_map(|(checks, both)| {
                both.iter().map(|runs| (&runs[..], checks.len() as f64))
            }),
        )
    }
}

/// Cases and runs of a side.
const SHAPES: [(usize, usize); 7] = [(2, 1), (3, 1), (5, 1), (8, 1), (12, 1), (3, 3), (5, 3)];

const GAINS: [f64; 7] = [-0.2, 0.0, 0.0, 0.2, 0.4, 0.6, 0.8];

/// Forecasts, what they add up to, and how many were settled.
#[derive(Clone, Copy, Default)]
struct Forecasts {
    count: u32,
    forecast: f64,
    settled: u32,
}

impl Forecasts {
    fn add(&mut self, chance: f64, is_settled: bool) {
        self.count += 1;
        self.forecast += chance;
        self.settled += u32::from(is_settled);
    }

    fn shown(self) -> String {
        if self.count < 40 {
            return format!("{:>12}", "–");
        }
        let count = f64::from(self.count);
        let [forecast, settled] =
            [self.forecast, f64::from(self.settled)].map(|share| 10.0 * share / count);
        format!("{forecast:>6.1} → {settled:.1}")
    }
}

pub fn print(evaluations: u64) {
    println!(
        "\nsettled in ten: forecast → found, over all open results and by fifths of the forecast"
    );
    for (cases, runs) in SHAPES {
        for extension in EXTENSIONS {
            let (mut all, mut fifths) = (Forecasts::default(), [Forecasts::default(); 5]);
            for number in 0..evaluations {
                let mut random = Random::new(number);
                let Some((chance, is_settled)) = follow(cases, runs, extension, &mut random) else {
                    continue;
                };
                all.add(chance, is_settled);
                fifths[((chance * 5.0) as usize).min(4)].add(chance, is_settled);
            }
            let fifths: String = fifths.iter().map(|found| found.shown()).collect();
            println!(
                "{cases:>3}×{runs} {:<16} {} |{fifths}",
                format!("{extension:?}"),
                all.shown()
            );
        }
    }
}

/// The forecast for an evaluation, and whether it was settled then; `None` if it is settled from the start.
fn follow(
    cases: usize,
    runs: usize,
    extension: Extension,
    random: &mut Random,
) -> Option<(f64, bool)> {
    let gained = GAINS[random.below(GAINS.len())];
    let mut results = Results { cases: Vec::new(), runs: Vec::new() };
    results.add_cases(cases, runs, gained, random);
    if !results.is_open() {
        return None;
    }
    let chance = chance_to_settle(&results.weighed(), results.noise(), Rivals::NONE, extension)?;
    match extension {
        Extension::Runs(more) => results.add_runs(0, more, random),
        Extension::TwiceTheCases => results.add_cases(cases, runs, gained, random),
    }
    Some((chance, !results.is_open()))
}
