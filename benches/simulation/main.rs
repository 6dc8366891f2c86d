//! How often intervals hold the truth and verdicts are wrong or right, in made-up evaluations with
//! known truths.
//!
//! `cargo bench --bench simulation` prints the tables of the scale of verdicts, of the levels, of the
//! gates, of the headlines, of the outcomes over time, of what more runs settle and of a person's agreement
//! with a grader; `-- 4000` asks for so many evaluations per cell, `-- scale`, `-- levels`, `-- gates`,
//! `-- headlines`, `-- outcomes`, `-- settling` or `-- agreement` for these tables only.
//! The seed is fixed: the same tables every time.

mod agreement;
mod gates;
mod headlines;
mod levels;
mod outcomes;
mod scale;
mod settling;

use evalbook::Random;
use rayon::prelude::*;

/// Evaluations per cell when the command line asks for no other number.
const EVALUATIONS: u64 = 400;

/// A part of the tables: its name, and what prints it.
type Part = (&'static str, fn(u64));

const PARTS: [Part; 7] = [
    ("scale", scale::print),
    ("levels", levels::print),
    ("gates", gates::print),
    ("headlines", headlines::print),
    ("outcomes", outcomes::print),
    ("settling", settling::print),
    ("agreement", agreement::print),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let evaluations = arguments.iter().find_map(|argument| argument.parse().ok());
    let evaluations = evaluations.unwrap_or(EVALUATIONS);
    let noise = 196.0 * (0.05 * 0.95 / evaluations as f64).sqrt();
    println!("{evaluations} evaluations per cell; percent; a share of 5 is known to ±{noise:.1}");
    let is_asked = |name: &str| arguments.iter().any(|argument| argument == name);
    let all = !PARTS.iter().any(|(name, _)| is_asked(name));
    for (_, print) in PARTS.iter().filter(|(name, _)| all || is_asked(name)) {
        print(evaluations);
    }
}

/// How often something holds of the evaluations of which there is something to say.
#[derive(Clone, Copy, Default)]
struct Share {
    yes: u32,
    count: u32,
}

impl Share {
    fn add(&mut self, other: Self) {
        self.yes += other.yes;
        self.count += other.count;
    }

    fn in_percent(self) -> Option<f64> {
        (self.count > 0).then(|| 100.0 * f64::from(self.yes) / f64::from(self.count))
    }
}

/// How often each of `N` things holds in a cell of evaluations; what is `None` does not count.
fn shares<const N: usize>(
    seed: u64,
    evaluations: u64,
    answers: impl Fn(&mut Random) -> [Option<bool>; N] + Sync,
) -> [Share; N] {
    let answers: Vec<[Option<bool>; N]> = (0..evaluations)
        .into_par_iter()
        .map(|number| answers(&mut Random::new(seed << 32 | number)))
        .collect();
    std::array::from_fn(|question| {
        let asked = || answers.iter().filter_map(|answers| answers[question]);
        Share { yes: asked().filter(|yes| *yes).count() as u32, count: asked().count() as u32 }
    })
}

/// A heading with a column per number of cases.
fn heading(title: &str, cases: &[usize]) {
    let cases: String = cases.iter().map(|cases| format!("{cases:>7}")).collect();
    println!("\n{title}\n{:<32} {:>4} {cases}", "truth", "runs");
}

fn row(truth: &str, runs: usize, cells: impl Iterator<Item = Share>) {
    let cell = |share: Share| match share.in_percent() {
        Some(share) => format!("{share:>7.1}"),
        None => format!("{:>7}", "–"),
    };
    println!("{truth:<32} {runs:>4} {}", cells.map(cell).collect::<String>());
}

fn normal(random: &mut Random) -> f64 {
    let chance = (random.unit() + f64::EPSILON).min(1.0 - f64::EPSILON);
    evalbook::normal_quantile(chance).expect("inside 0 and 1")
}
