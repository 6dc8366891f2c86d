//! How often each headline stands over a skill that was run twice, and over one without any effect. All
//! but *unclear*, *no regression* and *no difference* are wrong there.

use super::gates::{Truth, UNCHANGED, UNSTEADY};
use super::{Share, shares};

/// Cases and runs of a side.
const PLACES: [(usize, usize); 4] = [(3, 1), (5, 1), (8, 1), (5, 3)];

/// Each headline, and whether it is right where nothing differs.
const HEADLINES: [(&str, bool); 11] = [
    ("better", false),
    ("probably better", false),
    ("unclear", true),
    ("about the same", true),
    ("probably worse", false),
    ("worse", false),
    ("lost", false),
    ("repaired", false),
    ("no regression", true),
    ("no difference", true),
    ("not a measurement", false),
];

pub fn print(evaluations: u64) {
    for truth in [UNCHANGED, UNSTEADY] {
        for (is_earlier, against) in [(true, "the skill before"), (false, "no skill")] {
            print_table(truth, is_earlier, against, evaluations);
        }
    }
}

fn print_table(truth: Truth, is_earlier: bool, against: &str, evaluations: u64) {
    let places: String = PLACES.iter().map(|(cases, runs)| format!("{cases:>5}×{runs}")).collect();
    println!("\n{}, against {against}\n{:<32}{places}", truth.name, "headline");
    let cells = PLACES.map(|place| headlines(truth, is_earlier, place, evaluations));
    for (at, (name, _)) in HEADLINES.iter().enumerate() {
        line(name, cells.map(|cell| cell[at].in_percent().unwrap_or_default()));
    }
    let wrong = cells.map(|cell| {
        let shares = cell.iter().zip(HEADLINES).filter(|(_, (_, is_right))| !is_right);
        shares.filter_map(|(share, _)| share.in_percent()).sum::<f64>()
    });
    line("wrong", wrong);
}

fn line(name: &str, shares: [f64; PLACES.len()]) {
    let shares: String = shares.iter().map(|share| format!("{share:>7.1}")).collect();
    println!("{name:<32}{shares}");
}

fn headlines(
    truth: Truth,
    is_earlier: bool,
    (cases, runs): (usize, usize),
    evaluations: u64,
) -> [Share; HEADLINES.len()] {
    let seed = (cases * 100 + runs) as u64;
    shares(seed, evaluations, |random| {
        let found = evalbook::headline(&truth.draw(cases, runs, random), is_earlier);
        HEADLINES.map(|(name, _)| Some(name == found))
    })
}
