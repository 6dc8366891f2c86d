//! Outcomes over time: how often one of *sign flip*, *lost it* and *baseline caught up* is named in
//! histories in which nothing happens, and how often changes of 30 points are found.
//!
//! A case has a true rate of its own on each side. The checks of a run agree with a correlation of
//! 0.2, as in the scale.

use evalbook::{CaseRuns, Evidence, Moves, NamedOutcome, Random, Shift, Verdict, adjusted, mean};

use super::{Share, heading, row, shares};

const CASES: [usize; 4] = [3, 6, 8, 12];
const RUNS: [usize; 2] = [1, 3];
const CHECKS: (usize, usize) = (3, 8);
const CORRELATION: f64 = 0.2;

/// Mean rates with and without the skill in each iteration.
struct History {
    name: &'static str,
    rates: &'static [[f64; 2]],
    conditions: usize,
    /// The outcome to be found; `None` where nothing happens.
    wanted: Option<NamedOutcome>,
}

/// Histories in which nothing happens: either the sides could be permuted within every case, whatever
/// the iterations do, or the iterations within every case and side.
const NOTHING: [History; 11] = [
    still("no gain, 2 iterations", &[[0.5, 0.5]; 2], 1),
    still("no gain, 5 iterations", &[[0.5, 0.5]; 5], 1),
    still("no gain, both sides rise by 30", &[[0.4, 0.4], [0.7, 0.7]], 1),
    still("no gain, both rise after 4 iterations", &RISE, 1),
    still("no gain, both fall after 4 iterations", &FALL, 1),
    still("gain of 15, 2 iterations", &[[0.65, 0.5]; 2], 1),
    still("gain of 15, 5 iterations", &[[0.65, 0.5]; 5], 1),
    still("gain of 25, 5 iterations", &[[0.75, 0.5]; 5], 1),
    still("gain of 25, 10 iterations", &[[0.75, 0.5]; 10], 1),
    still("gain of 15, 5 iterations, 3 models", &[[0.65, 0.5]; 5], 3),
    still("gain of 25, 3 iterations, 3 models", &[[0.75, 0.5]; 3], 3),
];

const RISE: [[f64; 2]; 5] = [[0.4, 0.4], [0.4, 0.4], [0.4, 0.4], [0.4, 0.4], [0.7, 0.7]];
const FALL: [[f64; 2]; 5] = [[0.7, 0.7], [0.7, 0.7], [0.7, 0.7], [0.7, 0.7], [0.4, 0.4]];

const fn still(name: &'static str, rates: &'static [[f64; 2]], conditions: usize) -> History {
    History { name, rates, conditions, wanted: None }
}

const CHANGES: [History; 6] = [
    History {
        name: "baseline rises by 30",
        rates: &[[0.8, 0.5], [0.8, 0.8]],
        conditions: 1,
        wanted: Some(NamedOutcome::BaselineCaughtUp),
    },
    History {
        name: "skill falls by 30",
        rates: &[[0.8, 0.5], [0.5, 0.5]],
        conditions: 1,
        wanted: Some(NamedOutcome::LostIt),
    },
    History {
        name: "skill falls by 60",
        rates: &[[0.8, 0.5], [0.2, 0.5]],
        conditions: 1,
        wanted: Some(NamedOutcome::SignFlip),
    },
    History {
        name: "baseline rises after 3 iterations",
        rates: &[[0.8, 0.5], [0.8, 0.5], [0.8, 0.5], [0.8, 0.8]],
        conditions: 1,
        wanted: Some(NamedOutcome::BaselineCaughtUp),
    },
    History {
        name: "skill falls after 3 iterations",
        rates: &[[0.8, 0.5], [0.8, 0.5], [0.8, 0.5], [0.5, 0.5]],
        conditions: 1,
        wanted: Some(NamedOutcome::LostIt),
    },
    History {
        name: "baseline rises under 3 models",
        rates: &[[0.8, 0.5], [0.8, 0.8]],
        conditions: 3,
        wanted: Some(NamedOutcome::BaselineCaughtUp),
    },
];

pub(super) fn print(evaluations: u64) {
    let nothing = rows(&NOTHING, evaluations);
    table("nothing happens: sign flip, lost it or caught up is named (at most 5)", &nothing, NAMED);
    let cells = nothing.iter().flat_map(|row| row.cells);
    let worst = cells.filter_map(|cell| cell[NAMED].in_percent()).fold(0.0, f64::max);
    println!("worst: {worst:.1}");
    let changes = rows(&CHANGES, evaluations);
    table("changes of 30 points: their outcome is named (8x3 at least 65)", &changes, RIGHT);
    table("changes of 30 points: another one of the three is named", &changes, WRONG);
}

/// What holds of one history.
const NAMED: usize = 0;
const RIGHT: usize = 1;
const WRONG: usize = 2;

struct Row {
    name: &'static str,
    runs: usize,
    cells: [[Share; 3]; CASES.len()],
}

fn rows(histories: &[History], evaluations: u64) -> Vec<Row> {
    let mut rows = Vec::new();
    for (index, history) in histories.iter().enumerate() {
        for runs in RUNS {
            let cells = CASES.map(|cases| {
                let seed = ((index * 100 + cases) * 100 + runs) as u64;
                shares(seed, evaluations, |random| history.answers(cases, runs, random))
            });
            rows.push(Row { name: history.name, runs, cells });
        }
    }
    rows
}

fn table(title: &str, rows: &[Row], question: usize) {
    heading(title, &CASES);
    for Row { name, runs, cells } in rows {
        row(name, *runs, cells.iter().map(|cell| cell[question]));
    }
}

/// The runs of both sides of each case in one iteration, the side with the skill first.
type Round = Vec<[Vec<f64>; 2]>;

impl History {
    fn answers(&self, cases: usize, runs: usize, random: &mut Random) -> [Option<bool>; 3] {
        let outcomes = self.outcomes(cases, runs, random);
        let losses = outcomes.into_iter().flatten().filter(|found| found.is_loss());
        let losses: Vec<NamedOutcome> = losses.collect();
        let is_right = self.wanted.is_some_and(|wanted| losses.contains(&wanted));
        let is_wrong = losses.iter().any(|found| Some(*found) != self.wanted);
        [!losses.is_empty(), is_right, is_wrong].map(Some)
    }

    /// The outcome under each condition, as `src/analyze/outcomes.rs` puts them together.
    fn outcomes(
        &self,
        cases: usize,
        runs: usize,
        random: &mut Random,
    ) -> Vec<Option<NamedOutcome>> {
        let mut conditions: Vec<(Vec<Task>, Vec<Round>)> = Vec::new();
        for _ in 0..self.conditions {
            let tasks: Vec<Task> = (0..cases).map(|_| Task::draw(random)).collect();
            let mut rounds = Vec::new();
            for rates in self.rates {
                rounds.push(tasks.iter().map(|task| task.sides(*rates, runs, random)).collect());
            }
            conditions.push((tasks, rounds));
        }
        let newest = conditions.iter().map(|(tasks, rounds)| {
            let last = rounds.last().expect("rounds");
            evidence(tasks, last, [0, 1], last)
        });
        let now = verdicts(&newest.collect::<Vec<_>>());
        let moves = conditions.iter().map(|(tasks, rounds)| moves(tasks, rounds, self.conditions));
        now.into_iter().zip(moves).map(|(now, moves)| NamedOutcome::new(now, moves)).collect()
    }
}

/// What moved since the last earlier round that was better.
fn moves(tasks: &[Task], rounds: &[Round], conditions: usize) -> Option<Moves> {
    let (last, earlier) = rounds.split_last()?;
    let found: Vec<Evidence> =
        earlier.iter().map(|round| evidence(tasks, round, [0, 1], round)).collect();
    let better = verdicts(&found).iter().rposition(|found| matches!(found, Verdict::Better(_)))?;
    let looks = earlier.len() * conditions;
    let [with_skill, without_skill] = [0, 1].map(|side| {
        Shift::new(&evidence(tasks, last, [side, side], &earlier[better])).among(looks)
    });
    let mut changes = Vec::new();
    for (now, before) in last.iter().zip(&earlier[better]) {
        changes.push(gain(now)? - gain(before)?);
    }
    Some(Moves { with_skill, without_skill, gain: Shift::of_gain(&changes)?.among(looks) })
}

/// The gain in one case; `None` without runs.
fn gain([with_skill, without_skill]: &[Vec<f64>; 2]) -> Option<f64> {
    Some(mean(with_skill)? - mean(without_skill)?)
}

/// One side of a round against a side of another round.
fn evidence(tasks: &[Task], first: &Round, sides: [usize; 2], second: &Round) -> Evidence {
    let mut cases = Vec::new();
    for ((task, first), second) in tasks.iter().zip(first).zip(second) {
        let (first, second) = (&first[sides[0]], &second[sides[1]]);
        cases.push(CaseRuns { first, second, checks: task.checks as f64 });
    }
    Evidence::weigh(&cases).expect("cases with runs")
}

/// The verdicts of comparisons that are looked at together.
fn verdicts(together: &[Evidence]) -> Vec<Verdict> {
    let p: Vec<_> = together.iter().map(Evidence::p).collect();
    let p = adjusted(&p).expect("p-values");
    together.iter().zip(p).map(|(evidence, p)| evidence.verdict_at(p)).collect()
}

/// A case: how much easier than the mean it is, and its checks.
struct Task {
    easier: f64,
    checks: usize,
}

impl Task {
    fn draw(random: &mut Random) -> Self {
        let (least, most) = CHECKS;
        let checks = least + random.below(most - least + 1);
        Self { easier: 0.3 * random.unit() - 0.15, checks }
    }

    fn sides(&self, rates: [f64; 2], runs: usize, random: &mut Random) -> [Vec<f64>; 2] {
        rates.map(|rate| (0..runs).map(|_| self.run(rate, random)).collect())
    }

    /// The pass rate of a run: some of its checks take the outcome of one common toss.
    fn run(&self, rate: f64, random: &mut Random) -> f64 {
        let rate = (rate + self.easier).clamp(0.0, 1.0);
        let common = random.unit() < rate;
        let mut passed = 0;
        for _ in 0..self.checks {
            let is_common = random.unit() < CORRELATION.sqrt();
            passed += usize::from(if is_common { common } else { random.unit() < rate });
        }
        passed as f64 / self.checks as f64
    }
}
