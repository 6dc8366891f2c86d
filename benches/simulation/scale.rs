//! The scale of verdicts: false alarms, coverage and power.
//!
//! A case has a true rate on either side; their difference, the true gain, is the same in every case
//! or differs over cases. The checks of a run agree with a correlation of 0.2.

use evalbook::{CaseRuns, ClaimScope, Evidence, Random, Verdict};

use super::{Share, heading, normal, row, shares};

const CASES: [usize; 8] = [3, 4, 5, 6, 8, 12, 20, 40];
const RUNS: [usize; 4] = [1, 2, 3, 10];

/// The correlation of two checks of a run.
const CORRELATION: f64 = 0.2;

/// How the true gain differs over cases, around its mean.
#[derive(Clone, Copy)]
enum Spread {
    /// Normal with this deviation, in shares of 1.
    Deviation(f64),
    /// Half of the cases so much up, half so much down.
    Either(f64),
}

#[derive(Clone, Copy)]
struct World {
    name: &'static str,
    /// Mean true gain of the cases that are not saturated.
    gain: f64,
    spread: Spread,
    /// Half of the cases always pass, on both sides.
    is_saturated: bool,
    /// Where the means of both sides' true rates lie.
    levels: (f64, f64),
    /// Checks per run: from one number to another.
    checks: (usize, usize),
}

const MIXED: World = World {
    name: "3-8 checks",
    gain: 0.0,
    spread: Spread::Deviation(0.0),
    is_saturated: false,
    levels: (0.05, 0.95),
    checks: (3, 8),
};

const WORLDS: [World; 6] = [
    MIXED,
    World { name: "1 check", checks: (1, 1), ..MIXED },
    World { name: "12 checks", checks: (12, 12), ..MIXED },
    World { name: "1-12 checks, easy", checks: (1, 12), levels: (0.8, 1.0), ..MIXED },
    World { name: "3-8 checks, half saturated", is_saturated: true, ..MIXED },
    World { name: "1 check, half saturated", is_saturated: true, checks: (1, 1), ..MIXED },
];

const SPREADS: [(&str, Spread); 4] = [
    ("none", Spread::Deviation(0.0)),
    ("SD 20", Spread::Deviation(0.2)),
    ("SD 30", Spread::Deviation(0.3)),
    ("±50", Spread::Either(0.5)),
];

/// A case: the true rates of the first and of the second side, and the checks of a run.
struct Case {
    rates: [f64; 2],
    checks: usize,
}

/// The scores of one case's runs on the first and on the second side.
type Scores = [Vec<f64>; 2];

impl World {
    /// The mean true gain over all cases there could be.
    fn mean_gain(&self) -> f64 {
        if self.is_saturated { self.gain / 2.0 } else { self.gain }
    }

    fn draw(&self, cases: usize, random: &mut Random) -> Vec<Case> {
        (0..cases).map(|_| self.case(random)).collect()
    }

    fn case(&self, random: &mut Random) -> Case {
        let (least, most) = self.checks;
        let checks = least + random.below(most - least + 1);
        if self.is_saturated && random.below(2) == 0 {
            return Case { rates: [1.0; 2], checks };
        }
        let apart = match self.spread {
            Spread::Deviation(deviation) => deviation * normal(random),
            Spread::Either(size) if random.below(2) == 0 => size,
            Spread::Either(size) => -size,
        };
        let gain = (self.gain + apart).clamp(-1.0, 1.0);
        let (low, high) = self.levels;
        let half = gain.abs() / 2.0;
        let level = (low + (high - low) * random.unit()).clamp(half, 1.0 - half);
        Case { rates: [level + gain / 2.0, level - gain / 2.0], checks }
    }
}

/// The score of a run: some of its checks take the outcome of one common toss.
fn score(rate: f64, checks: usize, random: &mut Random) -> f64 {
    let common = random.unit() < rate;
    let mut passed = 0;
    for _ in 0..checks {
        let is_common = random.unit() < CORRELATION.sqrt();
        passed += usize::from(if is_common { common } else { random.unit() < rate });
    }
    passed as f64 / checks as f64
}

fn evaluate(cases: &[Case], runs: usize, random: &mut Random) -> Vec<Scores> {
    let mut side =
        |rate: f64, checks| (0..runs).map(|_| score(rate, checks, random)).collect::<Vec<f64>>();
    cases.iter().map(|case| case.rates.map(|rate| side(rate, case.checks))).collect()
}

fn case_runs<'s>(cases: &[Case], scores: &'s [Scores]) -> Vec<CaseRuns<'s>> {
    let both = |(case, [first, second]): (&Case, &'s Scores)| CaseRuns {
        first,
        second,
        checks: case.checks as f64,
    };
    cases.iter().zip(scores).map(both).collect()
}

/// What holds of one evaluation.
const SETTLED: usize = 0;
const ON_THESE: usize = 1;
const DECIDED: usize = 2;
const LIKE_THESE: usize = 3;
const SAID: usize = 4;
const REVERSED: usize = 5;
const COVERED: usize = 6;
const QUESTIONS: usize = 7;

/// Whether it says so; only with the first side ahead where `right` is true, or behind where it is
/// false. `LIKE_THESE` is "probably" or "better" on cases like these, even where "on these cases"
/// hides "probably"; `SAID` is any of them; `REVERSED` is "on these cases" against the mean of their
/// own true gains.
fn answers(
    world: &World,
    cases: usize,
    runs: usize,
    right: Option<bool>,
    random: &mut Random,
) -> [Option<bool>; QUESTIONS] {
    let cases = world.draw(cases, random);
    let scores = evaluate(&cases, runs, random);
    let evidence = Evidence::weigh(&case_runs(&cases, &scores)).expect("cases with runs");
    let counts = right.is_none_or(|right| right == (evidence.paired.mean >= 0.0));
    let (mut settled, mut on_these, mut probably) = (false, false, false);
    match evidence.verdict() {
        Verdict::Better(ClaimScope::TheseCases) | Verdict::Worse(ClaimScope::TheseCases) => {
            on_these = counts
        }
        Verdict::Better(_) | Verdict::Worse(_) => settled = counts,
        Verdict::ProbablyBetter | Verdict::ProbablyWorse => probably = counts,
        _ => {}
    }
    let decided = settled || on_these;
    let is_hidden = on_these && evidence.moderated.p <= 1.0 / 32.0;
    let gains: f64 = cases.iter().map(|case| case.rates[0] - case.rates[1]).sum();
    [
        settled,
        on_these,
        decided,
        settled || probably || is_hidden,
        decided || probably,
        on_these && gains * evidence.paired.mean < 0.0,
        evidence.interval.contains(world.mean_gain()),
    ]
    .map(Some)
}

/// A world looked at with so many runs: its name, the index of its spread, and per number of cases
/// how often what holds.
struct Row {
    name: String,
    spread: usize,
    runs: usize,
    cells: [[Share; QUESTIONS]; CASES.len()],
}

fn rows(worlds: &[World], runs: &[usize], right: Option<bool>, evaluations: u64) -> Vec<Row> {
    let mut rows = Vec::new();
    for (spread, (label, deviation)) in SPREADS.into_iter().enumerate() {
        for (index, world) in worlds.iter().enumerate() {
            let world = World { spread: deviation, ..*world };
            for runs in runs.iter().copied() {
                let cells = CASES.map(|cases| {
                    let seed = ((spread * 100 + index) * 100 + cases) * 100 + runs;
                    shares(seed as u64, evaluations, |random| {
                        answers(&world, cases, runs, right, random)
                    })
                });
                rows.push(Row { name: format!("{label}, {}", world.name), spread, runs, cells });
            }
        }
    }
    rows
}

/// Prints a question over the first `spreads` spreads, below it the worst cell.
fn table(title: &str, rows: &[Row], question: usize, spreads: std::ops::Range<usize>) {
    heading(title, &CASES);
    let chosen: Vec<&Row> = rows.iter().filter(|row| spreads.contains(&row.spread)).collect();
    for Row { name, runs, cells, .. } in &chosen {
        row(name, *runs, cells.iter().map(|cell| cell[question]));
    }
    let cells = chosen.iter().flat_map(|row| {
        let percent = |cell: &[Share; QUESTIONS]| cell[question].in_percent();
        row.cells
            .iter()
            .zip(CASES)
            .filter_map(move |(cell, cases)| Some((percent(cell)?, row, cases)))
    });
    let worst = match question {
        COVERED => cells.min_by(|a, b| a.0.total_cmp(&b.0)),
        _ => cells.max_by(|a, b| a.0.total_cmp(&b.0)),
    };
    if let Some((percent, row, cases)) = worst {
        println!("worst: {percent:.1} ({}, {cases} cases x {} runs)", row.name, row.runs);
    }
}

pub(super) fn print(evaluations: u64) {
    let nulls = rows(&WORLDS, &RUNS, None, evaluations);
    table("no mean gain: better or worse on cases like these (at most 5)", &nulls, SETTLED, 0..4);
    table(
        "no gain in any case: better or worse on these cases (at most 5)",
        &nulls,
        ON_THESE,
        0..1,
    );
    table("no gain in any case: better or worse, either way", &nulls, DECIDED, 0..1);
    table("gains differ: on these cases, against their own true gain", &nulls, REVERSED, 1..4);
    table(
        "no mean gain: at least probably on cases like these (at most 8)",
        &nulls,
        LIKE_THESE,
        0..3,
    );
    table("the same at ±50 (at most 15)", &nulls, LIKE_THESE, 3..4);
    table("no gain in any case: probably or stronger, of any kind (at most 8)", &nulls, SAID, 0..1);
    table("no mean gain: interval holds it (at least 92)", &nulls, COVERED, 0..3);
    let gaining = WORLDS.map(|world| World { gain: 0.25, ..world });
    let gains = rows(&gaining, &[1, 3, 5], Some(true), evaluations);
    table("+25: interval holds the mean gain (at least 92)", &gains, COVERED, 0..3);
    let usual: Vec<Row> =
        gains.into_iter().filter(|row| row.name.ends_with(", 3-8 checks")).collect();
    power("+25: better on cases like these", &usual, SETTLED);
    power("+25: better (5x3, 3x5 at least 55, 8x3 at least 70)", &usual, DECIDED);
    power("+25: probably or stronger (8x1 at least 26)", &usual, SAID);
}

fn power(title: &str, rows: &[Row], question: usize) {
    heading(title, &CASES);
    for Row { name, runs, cells, .. } in rows {
        row(name, *runs, cells.iter().map(|cell| cell[question]));
    }
}
