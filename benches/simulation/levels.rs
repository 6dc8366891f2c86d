//! The intervals of levels and the t interval of gains, and the scale of verdicts where the sides
//! differ by case on the logit scale.
//!
//! A run has 3 to 11 checks, as nine of ten real gradings have. Runs of a single check stand apart,
//! below the others and outside the rows over all of them: differences that can only be −1, 0 or 1
//! leave so few results with 3 cases that every interval that holds most of them holds all.

use evalbook::{CaseRuns, CaseWilson, Evidence, PValues, Random, adjusted, mean, mean_interval};

use super::{Share, heading, normal, row, shares};

const CASES: [usize; 6] = [3, 5, 8, 12, 20, 40];
const RUNS: [usize; 3] = [1, 3, 10];

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
    /// Whether the baseline has such an effect of its own, with mean 0.
    both_unequal: bool,
    /// Deviation of the luck of a run.
    luck: f64,
    /// Checks per run: from one number to another.
    checks: (usize, usize),
}

/// Candidates that are compared at once.
const RIVALS: usize = 3;

const MIDDLING: Truth = Truth {
    name: "middling, +10 points",
    level: 0.4,
    effect: 0.55,
    difficulty: 1.0,
    two_kinds: 0.0,
    unequal: 0.5,
    both_unequal: false,
    luck: 0.5,
    checks: (3, 11),
};

const TRUTHS: [Truth; 7] = [
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
    Truth { name: "no difference", effect: 0.0, unequal: 0.0, luck: 0.0, ..MIDDLING },
];

/// Truths without a difference: the sides could be swapped within every case, but for the last, in
/// which only the mean gain is 0.
const NOTHING: [Truth; 7] = [
    Truth { name: "middling", ..ALIKE },
    Truth { name: "cases differ by side", unequal: 1.5, ..ALIKE },
    Truth { name: "same odds everywhere", unequal: 0.0, luck: 0.0, ..ALIKE },
    Truth { name: "nearly all pass", level: 2.5, ..ALIKE },
    Truth { name: "half easy, half hard", two_kinds: 2.5, ..ALIKE },
    Truth { name: "one check", checks: (1, 1), ..ALIKE },
    Truth {
        name: "only the mean is alike",
        both_unequal: false,
        unequal: 1.0,
        effect: 0.050_946,
        ..ALIKE
    },
];

const ALIKE: Truth = Truth { effect: 0.0, both_unequal: true, ..MIDDLING };

pub(super) fn print(evaluations: u64) {
    let covered = all(&TRUTHS, evaluations, coverage);
    table("t interval of the gain holds it, where there is one (wanted 93 to 97)", &covered, 0);
    table("the same of all evaluations, with and without an interval", &covered, 1);
    table("case Wilson interval holds the pass rate (wanted 92.5 or more)", &covered, 2);
    table("case Wilson interval holds the strict success (wanted 92.5 or more)", &covered, 3);
    table("Wilson interval with one unit per case holds the pass rate", &covered, 4);
    // three candidates each, so a quarter of the evaluations takes long enough
    let evaluations = evaluations.div_ceil(4);
    println!("\n{evaluations} evaluations per cell in what follows");
    let alarms = all(&NOTHING, evaluations, alarms);
    table("better or worse on cases like these, without a difference (at most 5)", &alarms, 0);
    table("the same of any of three candidates", &alarms, 1);
    table("at least probably on cases like these, without a difference (at most 8)", &alarms, 2);
    table("probably of any of three candidates", &alarms, 3);
    table("moderated interval holds 0 (wanted 92 or more)", &alarms, 4);
    for truth in NOTHING {
        assert!(truth.gain().abs() < 1e-4, "{}: {}", truth.name, truth.gain());
    }
}

/// What holds of one evaluation; `None` where there is nothing to say.
type Answers = [Option<bool>; 5];

fn coverage(truth: &Truth, evaluation: &Evaluation) -> Answers {
    let Side { strict, checks, runs, .. } = &evaluation.candidates[0];
    let rates = &evaluation.candidates[0].rates();
    let interval = mean_interval(&evaluation.differences(0)).filter(|i| i.width() > 1e-9);
    let holds = |level: Option<CaseWilson>, wanted| level.map(|l| l.shown().contains(wanted));
    let gain_holds = interval.map(|interval| interval.contains(truth.gain()));
    [
        gain_holds,
        Some(gain_holds.unwrap_or(false)),
        holds(CaseWilson::new(rates, *checks), truth.rate()),
        holds(CaseWilson::new(strict, *runs), truth.strict_success()),
        CaseWilson::new(rates, *checks).map(|level| level.one_unit_per_case.contains(truth.rate())),
    ]
}

fn alarms(_: &Truth, evaluation: &Evaluation) -> Answers {
    let weigh = |at: usize| Evidence::weigh(&evaluation.case_runs(at)).expect("cases");
    let together: [Evidence; RIVALS] = std::array::from_fn(weigh);
    let p = adjusted(&together.map(|evidence| evidence.p())).expect("p-values");
    let settled = |evidence: &Evidence, p: PValues| evidence.paired.is_settled_at(p.sign_flip);
    let probably = |p: f64| p <= 1.0 / 32.0;
    let [first, ..] = together;
    let mut adjusted = together.iter().zip(p.iter().copied());
    [
        Some(settled(&first, first.p())),
        Some(adjusted.any(|(evidence, p)| settled(evidence, p))),
        Some(settled(&first, first.p()) || probably(first.p().moderated)),
        Some(p.iter().any(|p| probably(p.moderated))),
        Some(first.interval.contains(0.0)),
    ]
}

/// A truth looked at with so many runs, and per number of cases how often what holds.
type Row = (&'static str, usize, [[Share; 5]; CASES.len()]);

fn all(
    truths: &'static [Truth],
    evaluations: u64,
    of: fn(&Truth, &Evaluation) -> Answers,
) -> Vec<Row> {
    let places = truths.iter().enumerate().flat_map(|place| RUNS.map(|runs| (place, runs)));
    let row = |((index, truth), runs): ((usize, &'static Truth), usize)| {
        let cell = |cases: usize| {
            let seed = ((index * 100 + cases) * 100 + runs) as u64;
            shares(seed, evaluations, |random| of(truth, &truth.evaluation(cases, runs, random)))
        };
        (truth.name, runs, CASES.map(cell))
    };
    let rows: Vec<Row> = places.map(row).collect();
    let is_apart = |row: &Row| truths.iter().any(|truth| truth.name == row.0 && truth.is_apart());
    let (apart, mut rows): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(is_apart);
    let together = RUNS.map(|runs| ("all together", runs, all_truths(&rows, runs)));
    rows.extend(together);
    rows.extend(apart);
    rows
}

/// The evaluations of all truths with so many runs, as if they were of one.
fn all_truths(rows: &[Row], runs: usize) -> [[Share; 5]; CASES.len()] {
    let mut total = [[Share::default(); 5]; CASES.len()];
    for (_, _, cells) in rows.iter().filter(|row| row.1 == runs) {
        for (sum, share) in total.iter_mut().flatten().zip(cells.iter().flatten()) {
            sum.add(*share);
        }
    }
    total
}

fn table(title: &str, rows: &[Row], question: usize) {
    heading(title, &CASES);
    for (truth, runs, cells) in rows {
        row(truth, *runs, cells.iter().map(|cell| cell[question]));
    }
}

/// One side of an evaluation, by case.
#[derive(Default)]
struct Side {
    /// Of every run.
    scores: Vec<Vec<f64>>,
    /// Checks per run.
    each: Vec<usize>,
    strict: Vec<f64>,
    checks: usize,
    runs: usize,
}

struct Evaluation {
    candidates: [Side; RIVALS],
    baseline: Side,
}

impl Evaluation {
    /// By case, of one of the candidates.
    fn differences(&self, candidate: usize) -> Vec<f64> {
        let cases = self.case_runs(candidate);
        cases.iter().map(|case| case.difference().expect("runs")).collect()
    }

    fn case_runs(&self, candidate: usize) -> Vec<CaseRuns<'_>> {
        let (first, second) = (&self.candidates[candidate], &self.baseline);
        let sides = first.scores.iter().zip(&second.scores).zip(&first.each);
        sides
            .map(|((first, second), checks)| CaseRuns { first, second, checks: *checks as f64 })
            .collect()
    }
}

impl Side {
    /// Of every case, the mean over its runs.
    fn rates(&self) -> Vec<f64> {
        self.scores.iter().map(|scores| mean(scores).expect("runs")).collect()
    }
}

impl Truth {
    fn evaluation(&self, cases: usize, runs: usize, random: &mut Random) -> Evaluation {
        let mut evaluation =
            Evaluation { candidates: Default::default(), baseline: Side::default() };
        for _ in 0..cases {
            let kind = if random.unit() < 0.5 { self.two_kinds } else { -self.two_kinds };
            let level = self.level + kind + self.difficulty * normal(random);
            let own = if self.both_unequal { self.unequal * normal(random) } else { 0.0 };
            let (least, most) = self.checks;
            let checks = least + random.below(most - least + 1);
            self.case(&mut evaluation.baseline, level + own, checks, runs, random);
            for candidate in &mut evaluation.candidates {
                let effect = self.effect + self.unequal * normal(random);
                self.case(candidate, level + effect, checks, runs, random);
            }
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
        side.scores.push(rates);
        side.each.push(checks);
        side.strict.push(mean(&strict).expect("runs"));
        side.checks += checks * runs;
        side.runs += runs;
    }

    /// Whether it stands apart from the others: its runs have a single check.
    fn is_apart(&self) -> bool {
        self.checks.1 == 1
    }

    /// The true gain in pass rate over all cases there could be.
    fn gain(&self) -> f64 {
        let unequal = if self.both_unequal { self.unequal } else { 0.0 };
        self.rate() - self.expected(0.0, unequal, |chance| chance)
    }

    fn rate(&self) -> f64 {
        self.expected(self.effect, self.unequal, |chance| chance)
    }

    fn strict_success(&self) -> f64 {
        let (least, most) = self.checks;
        let of = |checks: usize| {
            self.expected(self.effect, self.unequal, |chance| libm::pow(chance, checks as f64))
        };
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
            let weight = libm::exp(-z * z / 2.0);
            for kind in [-self.two_kinds, self.two_kinds] {
                total += weight * of(logistic(self.level + kind + effect + deviation * z));
                weights += weight;
            }
        }
        total / weights
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}
