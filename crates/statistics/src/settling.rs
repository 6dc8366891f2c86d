//! What more runs, or more cases, would settle: how often results like these get a word once they are
//! there. A forecast, not a test.
//!
//! The gains of the cases are taken as normal around a common mean, and their mean as normal around 0; what
//! is known of both after the results is what further runs are drawn from. The rules of the scale are
//! applied to the means that come out, the tests of runs and signs by their normal approximations.

use super::distribution::{ln_choose, normal_quantile, student_t_quantile};
use super::paired::{LEAST_SHOWN, PRIOR_FREEDOM, SETTLED_P, usual_variance};
use super::random::Random;
use super::sample::{ALPHA, CaseRuns, differences, finite, mean, squares, sum};
use super::verdict::{ABOUT_THE_SAME, Rivals};

/// How much two runs of one side of a case differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunNoise {
    /// Variance of a run as a multiple of the usual one ([`usual_noise`]).
    scale: f64,
}

/// The part of a run's variance that checks do not reduce: of 50 runs one is broken and passes nothing.
const BROKEN_RUNS: f64 = 0.01;

/// The mean variance of a verdict of one check, with two runs that differ in 1 of 9 verdicts.
const OF_A_CHECK: f64 = 0.055;

/// The correlation of the checks of a run.
const CORRELATION: f64 = 0.15;

/// The usual variance of the pass rate of a run with so many checks.
fn usual_noise(checks: f64) -> f64 {
    BROKEN_RUNS + OF_A_CHECK * (1.0 + CORRELATION * (checks - 1.0)) / checks
}

impl Default for RunNoise {
    /// The usual noise.
    fn default() -> Self {
        Self { scale: 1.0 }
    }
}

impl RunNoise {
    /// The noise that repeated runs show, moderated to the usual one with a weight of 4 degrees of freedom. Of
    /// each group the pass rates of the runs of one side of a case, and their checks.
    pub fn estimate<'r>(groups: impl IntoIterator<Item = (&'r [f64], f64)>) -> Self {
        let (mut seen, mut freedom) = (Vec::new(), PRIOR_FREEDOM);
        for (rates, checks) in groups {
            let Some(center) = mean(rates).filter(|_| rates.len() > 1 && checks >= 1.0) else {
                continue;
            };
            seen.push(squares(rates, center) / usual_noise(checks));
            freedom += (rates.len() - 1) as f64;
        }
        Self { scale: (PRIOR_FREEDOM + sum(seen)) / freedom }
    }

    /// Variance of one run with so many checks.
    fn of_run(self, checks: f64) -> f64 {
        self.scale * usual_noise(checks)
    }
}

/// What may be run next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extension {
    /// So many more runs of each case on each side.
    Runs(usize),
    /// As many cases again, with as many runs.
    TwiceTheCases,
}

/// The share of evaluations with results like these that get a word with `extension`, in 0..=1.
///
/// `None` for no cases or sides without a run.
pub fn chance_to_settle(
    cases: &[CaseRuns<'_>],
    noise: RunNoise,
    rivals: Rivals,
    extension: Extension,
) -> Option<f64> {
    let known = Known::from(cases, noise)?;
    let checks: Vec<f64> = cases.iter().map(|case| case.checks).collect();
    let scale = Scale::new(&known, &checks, rivals, extension)?;
    let draws = (MOST_DRAWN / cases.len()).clamp(FEWEST_DRAWS, MOST_DRAWS);
    let mut random = Random::new(SEED);
    let settled = (0..draws).filter(|_| scale.settles(&known.drawn(extension, &mut random)));
    Some(settled.count() as f64 / draws as f64)
}

/// A case of a planned evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedCase {
    /// Runs of each side.
    pub runs: f64,
    /// Checks of each run.
    pub checks: f64,
}

/// The share of evaluations of these cases that get *better*, or a word close to it, where the skill truly
/// gains `gain` on cases like these, in 0..=1. `None` for no cases, and for one without a run or a check.
pub fn chance_to_show(gain: f64, cases: &[PlannedCase], noise: RunNoise) -> Option<f64> {
    let mut known = Known { cases: Vec::new(), mean: gain, error: 0.0, between: BETWEEN_CASES };
    for case in cases {
        if !(case.runs >= 1.0 && case.checks >= 1.0) {
            return None;
        }
        let noise = finite(2.0 * noise.of_run(case.checks))?;
        known.cases.push(KnownCase { difference: 0.0, runs: case.runs, noise });
    }
    let checks: Vec<f64> = cases.iter().map(|case| case.checks).collect();
    if checks.is_empty() {
        return None;
    }
    let scale = Scale::new(&known, &checks, Rivals::NONE, Extension::Runs(0))?;
    let draws = (MOST_DRAWN / cases.len()).clamp(FEWEST_DRAWS, MOST_DRAWS);
    let mut random = Random::new(SEED);
    let mut shown = 0;
    for _ in 0..draws {
        let differences = known.drawn_anew(&mut random);
        shown += usize::from(differences.iter().sum::<f64>() > 0.0 && scale.decides(&differences));
    }
    Some(shown as f64 / draws as f64)
}

const SEED: u64 = 0x5EED_0F5E_771E_0003;
const MOST_DRAWS: usize = 200;
const FEWEST_DRAWS: usize = 50;

/// Cases drawn for one answer.
const MOST_DRAWN: usize = 4000;

/// Deviation of the mean gains of evaluations, around 0: those of 200 public workspaces.
const GAINS: f64 = 0.3;

/// Variance of the gains of cases around the mean of their evaluation, with the weight of
/// [`PRIOR_FREEDOM`] cases: a deviation of 20 points.
const BETWEEN_CASES: f64 = 0.04;

/// What the results say about the cases.
struct Known {
    cases: Vec<KnownCase>,
    /// Of the mean gain of cases like these.
    mean: f64,
    error: f64,
    /// τ²: variance of the gains of cases around it.
    between: f64,
}

struct KnownCase {
    difference: f64,
    /// Runs per side.
    runs: f64,
    /// Variance of the difference of single runs.
    noise: f64,
}

impl Known {
    fn from(cases: &[CaseRuns<'_>], noise: RunNoise) -> Option<Self> {
        let differences = differences(cases)?;
        let observed = mean(&differences)?;
        let mut known = Vec::new();
        for (case, difference) in cases.iter().zip(&differences) {
            let noise = finite(2.0 * noise.of_run(case.checks))?;
            known.push(KnownCase { difference: *difference, runs: case.runs(), noise });
        }
        // The squares of the differences hold the noise of the runs as well.
        let of_runs = sum(known.iter().map(|case| case.noise / case.runs));
        let freedom = (cases.len() - 1) as f64;
        let around = squares(&differences, observed);
        let between = (around - of_runs * freedom / cases.len() as f64).max(0.0);
        let between = (PRIOR_FREEDOM * BETWEEN_CASES + between) / (PRIOR_FREEDOM + freedom);
        let weights: Vec<f64> =
            known.iter().map(|case| 1.0 / (between + case.noise / case.runs)).collect();
        let precision = 1.0 / (GAINS * GAINS) + sum(weights.iter().copied());
        let weighed = sum(weights.iter().zip(&differences).map(|(weight, gain)| weight * gain));
        Some(Self {
            cases: known,
            mean: weighed / precision,
            error: (1.0 / precision).sqrt(),
            between,
        })
    }

    /// The differences of all cases after the extension, in one of the evaluations there could be.
    fn drawn(&self, extension: Extension, random: &mut Random) -> Vec<f64> {
        let center = self.mean + self.error * normal(random);
        let mut differences = Vec::new();
        for case in &self.cases {
            let more = match extension {
                Extension::Runs(more) => more as f64,
                Extension::TwiceTheCases => {
                    let variance = self.between + case.noise / case.runs;
                    differences.push(case.difference);
                    differences.push(center + variance.sqrt() * normal(random));
                    continue;
                }
            };
            let of_runs = case.noise / case.runs;
            let share = self.between / (self.between + of_runs);
            let gain = center + share * (case.difference - center);
            let variance = share * of_runs + case.noise / more;
            let drawn = (gain + variance.sqrt() * normal(random)).clamp(-1.0, 1.0);
            differences.push((case.runs * case.difference + more * drawn) / (case.runs + more));
        }
        for difference in &mut differences {
            *difference = difference.clamp(-1.0, 1.0);
        }
        differences
    }
}

impl Known {
    /// The differences of an evaluation of such cases that is made from nothing.
    fn drawn_anew(&self, random: &mut Random) -> Vec<f64> {
        let mut differences = Vec::new();
        for case in &self.cases {
            let variance = self.between + case.noise / case.runs;
            let drawn = self.mean + variance.sqrt() * normal(random);
            differences.push(drawn.clamp(-1.0, 1.0));
        }
        differences
    }
}

/// The standard normal distribution, by Box and Muller (1958).
fn normal(random: &mut Random) -> f64 {
    let radius = (-2.0 * libm::log(1.0 - random.unit())).sqrt();
    radius * libm::cos(std::f64::consts::TAU * random.unit())
}

/// The rules of the scale for evaluations of one shape.
struct Scale {
    /// The usual variance of a difference, times its weight.
    prior: f64,
    /// The least moderated t of *probably*.
    probably: f64,
    /// The moderated t of a 95 % interval.
    moderated_interval: f64,
    /// The least standardized gain of *on these cases*, and the part of a case's variance under exchange that
    /// is noise; `None` where no arrangement is rare enough.
    exchange: Option<(f64, f64)>,
    runs: f64,
    /// The least standardized sum and t of *on cases like these*; `None` with too few cases.
    signs: Option<(f64, f64)>,
}

impl Scale {
    fn new(known: &Known, checks: &[f64], rivals: Rivals, extension: Extension) -> Option<Self> {
        let more = if let Extension::Runs(more) = extension { more as f64 } else { 0.0 };
        let times = if extension == Extension::TwiceTheCases { 2.0 } else { 1.0 };
        let cases = times * checks.len() as f64;
        let runs =
            checks.len() as f64 / sum(known.cases.iter().map(|case| 1.0 / (case.runs + more)));
        let usual = usual_variance(
            known.cases.iter().zip(checks).map(|(case, checks)| (*checks, case.runs + more)),
        )?;
        let freedom = PRIOR_FREEDOM + cases - 1.0;
        let level = |rivals: usize| SETTLED_P / rivals as f64;
        let quantile = |level: f64| normal_quantile(1.0 - level / 2.0);
        let (of_runs, of_signs) = (level(rivals.permutation), level(rivals.sign_flip));
        let whole_runs = runs.round().max(1.0) as u64;
        let arrangements = ln_choose(2 * whole_runs, whole_runs) * cases;
        let exchange = if runs > 1.0 && libm::log(2.0 / of_runs) <= arrangements + 1e-9 {
            let noise = mean(&known.cases.iter().map(|case| case.noise / 2.0).collect::<Vec<_>>())?;
            Some((quantile(of_runs)?, 2.0 * (runs - 1.0) * noise))
        } else {
            None
        };
        let signs = if libm::exp2(1.0 - cases) <= of_signs {
            Some((quantile(of_signs)?, student_t_quantile(1.0 - ALPHA / 2.0, cases - 1.0)?))
        } else {
            None
        };
        Some(Self {
            prior: PRIOR_FREEDOM * usual,
            probably: student_t_quantile(1.0 - level(rivals.moderated) / 2.0, freedom)?,
            moderated_interval: student_t_quantile(1.0 - ALPHA / 2.0, freedom)?,
            exchange,
            runs,
            signs,
        })
    }

    fn settles(&self, differences: &[f64]) -> bool {
        let gain = differences.iter().sum::<f64>().abs() / differences.len() as f64;
        let error = self.error(differences);
        gain + self.moderated_interval * error <= ABOUT_THE_SAME || self.decides(differences)
    }

    /// The moderated standard error of the mean.
    fn error(&self, differences: &[f64]) -> f64 {
        let cases = differences.len() as f64;
        let center = differences.iter().sum::<f64>() / cases;
        let around =
            differences.iter().map(|gain| gain * gain).sum::<f64>() - cases * center * center;
        ((self.prior + around.max(0.0)) / (PRIOR_FREEDOM + cases - 1.0) / cases).sqrt()
    }

    /// Whether one side is called better than the other.
    fn decides(&self, differences: &[f64]) -> bool {
        let cases = differences.len() as f64;
        let total = differences.iter().sum::<f64>().abs();
        let squares = differences.iter().map(|gain| gain * gain).sum::<f64>();
        let gain = total / cases;
        let around = (squares - gain * total).max(0.0);
        if gain < LEAST_SHOWN {
            return false;
        }
        if gain >= self.probably * self.error(differences) {
            return true;
        }
        if let Some((least, noise)) = self.exchange {
            // Pooled variance of the runs of each case, times 2/K.
            let runs = self.runs;
            let exchanged =
                (cases * noise + runs * squares / 2.0) / (2.0 * runs - 1.0) * 2.0 / runs;
            if total >= least * exchanged.sqrt() {
                return true;
            }
        }
        self.signs.is_some_and(|(least, t)| {
            total >= least * squares.sqrt() && gain >= t * (around / (cases - 1.0) / cases).sqrt()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{
        CaseRuns, Extension, PlannedCase, RunNoise, chance_to_settle, chance_to_show, normal,
    };
    use crate::random::Random;
    use crate::verdict::Rivals;
    use crate::verdict::{Evidence, Verdict};

    /// The chance that so many cases with these pass rates of single runs on either side are settled.
    fn chance(rates: &[[f64; 2]], noise: RunNoise, extension: Extension) -> Option<f64> {
        let cases = rates.iter().map(|[first, second]| CaseRuns {
            first: std::slice::from_ref(first),
            second: std::slice::from_ref(second),
            checks: 4.0,
        });
        chance_to_settle(&cases.collect::<Vec<_>>(), noise, Rivals::NONE, extension)
    }

    #[test]
    fn more_of_everything_settles_more() {
        let runs = |gains: &[f64], more| {
            let rates: Vec<[f64; 2]> = gains.iter().map(|gain| [0.5 + gain, 0.5]).collect();
            chance(&rates, RunNoise::default(), Extension::Runs(more)).unwrap()
        };
        let (small, large) = ([0.0, 0.1, 0.2, 0.0], [0.2, 0.3, 0.4, 0.2]);
        assert!(runs(&small, 2) < runs(&small, 8) && runs(&small, 2) < runs(&large, 2));
        assert!(runs(&large[..2], 2) < runs(&large, 2));
        // Twice five cases that all gained a quarter: most of such evaluations.
        let quarter = [[0.75, 0.5]; 5];
        let twice = chance(&quarter, RunNoise::default(), Extension::TwiceTheCases).unwrap();
        assert!((0.5..1.0).contains(&twice), "{twice}");
        let among = CaseRuns { first: &[0.75], second: &[0.5], checks: 4.0 };
        let rivals = Rivals { sign_flip: 5, permutation: 5, moderated: 5 };
        let noise = RunNoise::default();
        let five = chance_to_settle(&[among; 5], noise, rivals, Extension::Runs(2)).unwrap();
        assert!(five < chance(&quarter, noise, Extension::Runs(2)).unwrap());
    }

    #[test]
    fn noise_is_that_of_repeated_runs() {
        let steady = RunNoise::estimate([(&[0.5, 0.5, 0.5][..], 4.0); 10]);
        let unsteady = RunNoise::estimate([(&[0.0, 1.0, 0.5][..], 4.0); 10]);
        assert_eq!(RunNoise::estimate([(&[0.5][..], 4.0)]), RunNoise::default());
        let rates = [[0.75, 0.5], [0.75, 0.5], [0.5, 0.5]];
        let [steady, unsteady] =
            [steady, unsteady].map(|noise| chance(&rates, noise, Extension::Runs(4)).unwrap());
        assert!(steady > unsteady + 0.1, "{steady} {unsteady}");
    }

    /// How many of 300 made-up evaluations with runs drawn one by one are called better, or probably so.
    fn share_called_better(gain: f64, cases: usize, runs: usize) -> f64 {
        let mut random = Random::new(7);
        let noise = RunNoise::default().of_run(4.0).sqrt();
        let mut better = 0;
        for _ in 0..300 {
            let mut rates = Vec::new();
            for _ in 0..cases {
                let gained = gain + super::BETWEEN_CASES.sqrt() * normal(&mut random);
                let mut side = |level: f64| -> Vec<f64> {
                    (0..runs).map(|_| level + noise * normal(&mut random)).collect()
                };
                rates.push([side(0.5 + gained), side(0.5)]);
            }
            let cases = rates.iter().map(|[first, second]| CaseRuns { first, second, checks: 4.0 });
            let evidence = Evidence::weigh(&cases.collect::<Vec<_>>()).unwrap();
            let is_better =
                matches!(evidence.verdict(), Verdict::Better(_) | Verdict::ProbablyBetter);
            better += u32::from(is_better);
        }
        f64::from(better) / 300.0
    }

    #[test]
    fn a_planned_evaluation_shows_a_gain_as_often_as_made_up_ones_do() {
        for (gain, cases, runs) in
            [(0.25, 3, 1), (0.25, 6, 3), (0.25, 12, 1), (0.0, 6, 3), (0.5, 5, 1)]
        {
            let planned = PlannedCase { runs: runs as f64, checks: 4.0 };
            let chance = chance_to_show(gain, &vec![planned; cases], RunNoise::default()).unwrap();
            let found = share_called_better(gain, cases, runs);
            assert!((chance - found).abs() < 0.12, "{cases}×{runs}: {chance} {found}");
        }
    }

    #[test]
    fn nothing_and_nonsense() {
        let planned = |runs: f64, checks: f64| PlannedCase { runs, checks };
        for cases in
            [&[][..], &[planned(0.0, 4.0)], &[planned(1.0, 0.0)], &[planned(f64::NAN, 1.0)]]
        {
            assert_eq!(chance_to_show(0.25, cases, RunNoise::default()), None);
        }
        assert_eq!(chance(&[], RunNoise::default(), Extension::Runs(2)), None);
        assert_eq!(chance(&[[f64::NAN, 0.5]], RunNoise::default(), Extension::Runs(2)), None);
        let firm = chance(&[[1.0, 0.0]; 200], RunNoise::default(), Extension::TwiceTheCases);
        assert_eq!(firm, Some(1.0));
    }
}
