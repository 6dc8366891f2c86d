//! Blind comparisons: who won, whether the order decided, whether a verdict holds when the order is
//! swapped; scores of a rubric, which are ordinal, so without means; strengths of three or more
//! versions.

use std::cmp::Ordering;
use std::f64::consts::LN_10;

use libm::{exp, log1p};

use super::distribution::binomial_cdf;
use super::proportion::Share;
use super::sample::{Interval, sorted, sum};
use super::sign_flip::sign_flip_p;

/// The record of one version against another. In a verdict, [`Ordering::Greater`] is a win of the
/// first version, [`Ordering::Less`] a loss and [`Ordering::Equal`] a tie.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadToHead {
    pub wins: u64,
    pub losses: u64,
    pub ties: u64,
    /// Share of verdicts won, a tie as half.
    pub win_rate: f64,
    /// Mean verdict (+1, 0, −1) of each case: one that flips with the order counts as a tie.
    pub scores: Vec<f64>,
    /// The p to show, by the sign-flip test of the scores.
    pub p: f64,
}

impl HeadToHead {
    /// Summarizes the verdicts of each case. Cases without verdicts are left out; `None` if there
    /// are no others.
    pub fn from_verdicts(mut cases: Vec<Vec<Ordering>>) -> Option<Self> {
        cases.retain(|case| !case.is_empty());
        // As a number, an ordering is +1, 0 or −1.
        let score = |case: &Vec<Ordering>| {
            sum(case.iter().map(|verdict| f64::from(*verdict as i8))) / case.len() as f64
        };
        let scores: Vec<f64> = cases.iter().map(score).collect();
        let p = sign_flip_p(&scores)?;
        let verdicts = cases.concat();
        let count = |wanted| verdicts.iter().filter(|verdict| **verdict == wanted).count() as u64;
        let [wins, losses, ties] = [Ordering::Greater, Ordering::Less, Ordering::Equal].map(count);
        let win_rate = (wins as f64 + 0.5 * ties as f64) / verdicts.len() as f64;
        Some(Self { wins, losses, ties, win_rate, scores, p })
    }
}

/// Two-sided sign test, 2·P(Bin(better+worse, ½) ≤ min), at most 1 (Arbuthnott 1710): how large the
/// differences are does not matter. `None` when there are none.
pub fn sign_test_p(better: u64, worse: u64) -> Option<f64> {
    let below = binomial_cdf(better.min(worse), better + worse, 0.5)?;
    (better + worse > 0).then_some((2.0 * below).min(1.0))
}

/// Whether the output shown first wins more often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrderBias {
    /// Wilson's interval of that share.
    pub interval: Interval,
    /// Two-sided binomial p of an even chance.
    pub p: f64,
}

impl OrderBias {
    /// From the wins of the first and of the second output shown; ties do not count. Judges do
    /// favor a position, most for close pairs (Shi et al. 2024). `None` if nothing was decided.
    pub fn new(first_wins: u64, second_wins: u64) -> Option<Self> {
        let share = Share::new(first_wins, first_wins + second_wins)?;
        Some(Self { interval: share.wilson(), p: sign_test_p(first_wins, second_wins)? })
    }
}

/// How many pairs got the same verdict in both orders, out of all pairs shown both ways; each pair
/// holds the verdicts on the same version in either order. `None` without pairs.
pub fn swap_consistency(pairs: &[(Ordering, Ordering)]) -> Option<Share> {
    let same = pairs.iter().filter(|(one, other)| one == other).count();
    Share::new(same as u64, pairs.len() as u64)
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignCounts {
    pub better: u64,
    pub worse: u64,
    pub same: u64,
    /// Two-sided sign test; `None` if no case differs.
    pub p: Option<f64>,
}

impl SignCounts {
    /// Counts pairs of (score on the first side, score on the second) of one case each.
    /// Incomparable pairs count as equal.
    pub fn new(pairs: &[(f64, f64)]) -> Self {
        let better = pairs.iter().filter(|(a, b)| a > b).count() as u64;
        let worse = pairs.iter().filter(|(a, b)| a < b).count() as u64;
        let same = pairs.len() as u64 - better - worse;
        Self { better, worse, same, p: sign_test_p(better, worse) }
    }
}

/// The chance that a value of `first` beats one of `second`, ties as half: A₁₂ of Vargha and
/// Delaney (2000). `None` if a side is empty or a value is not finite.
///
/// The cut-offs for "small" and "large" found in books are conventions and left out.
pub fn chance_to_beat(first: &[f64], second: &[f64]) -> Option<f64> {
    let (first, second) = (sorted(first)?, sorted(second)?);
    let below = |value: f64| second.partition_point(|other| *other < value);
    let up_to = |value: f64| second.partition_point(|other| *other <= value);
    // a whole number
    let doubled: usize = first.iter().map(|value| below(*value) + up_to(*value)).sum();
    Some(doubled as f64 / (2 * first.len() * second.len()) as f64)
}

/// The fewest versions with strengths; two have a win rate.
pub const RANKED_VERSIONS: usize = 3;

/// The most versions with strengths: the cost grows with the cube.
pub const MOST_VERSIONS: usize = 200;

const MAX_STEPS: usize = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unranked {
    /// Fewer than three versions, or far too many.
    Count,
    /// The table is not square, or holds a number that is negative or not finite.
    Table,
    /// Some versions never met, directly or through others.
    Disconnected,
    /// Some versions won everything against all others, so their strength is infinite.
    Separated,
}

/// Strengths on the log scale: P(i beats j) = 1/(1+e^{θⱼ−θᵢ}).
#[derive(Clone, Debug, PartialEq)]
pub struct BradleyTerry {
    /// θ with the first version at 0.
    pub strengths: Vec<f64>,
    /// Standard error of each θᵢ − θ₁, from the inverse information; 0 for the first.
    pub errors: Vec<f64>,
}

impl BradleyTerry {
    /// Maximum likelihood (Bradley and Terry 1952; Zermelo 1929) from `wins[i][j]`, how often i
    /// beat j, ties as half a win each way. The diagonal is not read.
    ///
    /// `prior` adds that many wins each way for every pair that met; ½ keeps an unbeaten version
    /// finite. Unlike a running Elo number the result does not depend on the order of the games.
    /// The estimate exists and is unique when every version is linked to every other by wins in
    /// both directions (Ford 1957); otherwise the reason is returned.
    pub fn new(wins: &[Vec<f64>], prior: f64) -> Result<Self, Unranked> {
        let count = wins.len();
        if !(RANKED_VERSIONS..=MOST_VERSIONS).contains(&count) {
            return Err(Unranked::Count);
        }
        let is_count = |value: &f64| value.is_finite() && *value >= 0.0;
        let is_table = wins.iter().all(|row| row.len() == count && row.iter().all(is_count));
        if !is_table || !is_count(&prior) {
            return Err(Unranked::Table);
        }
        let more = |i: usize, j: usize| if wins[i][j] + wins[j][i] > 0.0 { prior } else { 0.0 };
        let cell = |i: usize, j: usize| if i == j { 0.0 } else { wins[i][j] + more(i, j) };
        let row = |i: usize| (0..count).map(|j| cell(i, j)).collect();
        let wins: Vec<Vec<f64>> = (0..count).map(row).collect();
        if !reaches_all(&wins, |won, lost| won + lost) {
            return Err(Unranked::Disconnected);
        }
        if !reaches_all(&wins, |won, _| won) || !reaches_all(&wins, |_, lost| lost) {
            return Err(Unranked::Separated);
        }
        fitted(&wins).ok_or(Unranked::Separated)
    }

    /// θ with mean 0 on the scale of chess ratings, 400/ln 10 per unit (Elo 1978).
    pub fn elo(&self) -> Vec<f64> {
        let centre = sum(self.strengths.iter().copied()) / self.strengths.len() as f64;
        self.strengths.iter().map(|strength| 400.0 / LN_10 * (strength - centre)).collect()
    }

    /// The chance that version `a` beats version `b`; `None` for an unknown version.
    pub fn chance(&self, a: usize, b: usize) -> Option<f64> {
        Some(logistic(self.strengths.get(a)? - self.strengths.get(b)?))
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + exp(-x))
}

/// Whether all are reachable from the first version, along pairs where `step(won, lost)` is above
/// 0.
fn reaches_all(wins: &[Vec<f64>], step: fn(f64, f64) -> f64) -> bool {
    let mut reached = vec![false; wins.len()];
    let mut open = vec![0];
    reached[0] = true;
    while let Some(from) = open.pop() {
        for to in 0..wins.len() {
            if !reached[to] && step(wins[from][to], wins[to][from]) > 0.0 {
                reached[to] = true;
                open.push(to);
            }
        }
    }
    reached.into_iter().all(|is_reached| is_reached)
}

/// Newton's method on the log likelihood, which is concave; a step that does not raise it is
/// halved. `None` when the information cannot be inverted.
fn fitted(wins: &[Vec<f64>]) -> Option<BradleyTerry> {
    let count = wins.len();
    let mut strengths = vec![0.0; count];
    let mut likelihood = log_likelihood(wins, &strengths);
    for _ in 0..MAX_STEPS {
        let (slope, inverse) = (slope(wins, &strengths), inverse(information(wins, &strengths))?);
        // The first version stays at 0.
        let mut steps = vec![0.0];
        steps.extend(inverse.iter().map(|row| sum(row.iter().zip(&slope).map(|(a, b)| a * b))));
        let largest = steps.iter().fold(0.0, |largest: f64, step| largest.max(step.abs()));
        let mut scale = 1.0;
        loop {
            let moved = strengths.iter().zip(&steps).map(|(from, step)| from + scale * step);
            let moved: Vec<f64> = moved.collect();
            let value = log_likelihood(wins, &moved);
            if value >= likelihood || scale < 1e-9 || largest < 1e-6 {
                (strengths, likelihood) = (moved, value);
                break;
            }
            scale /= 2.0;
        }
        if largest < 1e-14 {
            break;
        }
    }
    let inverse = inverse(information(wins, &strengths))?;
    let errors = inverse.iter().enumerate().map(|(index, row)| row[index].sqrt());
    let errors: Vec<f64> = std::iter::once(0.0).chain(errors).collect();
    let is_fit = strengths.iter().chain(&errors).all(|value| value.is_finite());
    is_fit.then_some(BradleyTerry { strengths, errors })
}

fn log_likelihood(wins: &[Vec<f64>], strengths: &[f64]) -> f64 {
    let mut terms = Vec::new();
    for (i, row) in wins.iter().enumerate() {
        for (j, won) in row.iter().enumerate().filter(|(_, won)| **won > 0.0) {
            terms.push(-won * log1p(exp(strengths[j] - strengths[i])));
        }
    }
    sum(terms)
}

/// Gradient of the log likelihood by every strength except the first.
fn slope(wins: &[Vec<f64>], strengths: &[f64]) -> Vec<f64> {
    let gradient = |i: usize| {
        sum((0..wins.len()).map(|j| {
            let games = wins[i][j] + wins[j][i];
            wins[i][j] - games * logistic(strengths[i] - strengths[j])
        }))
    };
    (1..wins.len()).map(gradient).collect()
}

/// The information matrix of every strength except the first.
fn information(wins: &[Vec<f64>], strengths: &[f64]) -> Vec<Vec<f64>> {
    let weight = |i: usize, j: usize| {
        let chance = logistic(strengths[i] - strengths[j]);
        (wins[i][j] + wins[j][i]) * chance * (1.0 - chance)
    };
    let cell = |i: usize, j: usize| {
        if i == j {
            sum((0..wins.len()).filter(|other| *other != i).map(|other| weight(i, other)))
        } else {
            -weight(i, j)
        }
    };
    (1..wins.len()).map(|i| (1..wins.len()).map(|j| cell(i, j)).collect()).collect()
}

/// The inverse by Gauss and Jordan's elimination, largest pivot first; `None` for a matrix without
/// one.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let count = matrix.len();
    for (index, row) in matrix.iter_mut().enumerate() {
        row.extend((0..count).map(|column| f64::from(u8::from(column == index))));
    }
    for column in 0..count {
        let by_size =
            |a: &usize, b: &usize| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs());
        let pivot = (column..count).max_by(by_size)?;
        matrix.swap(column, pivot);
        let scale = matrix[column][column];
        if !scale.is_finite() || scale == 0.0 {
            return None;
        }
        matrix[column].iter_mut().for_each(|value| *value /= scale);
        let pivot = matrix[column].clone();
        for row in (0..count).filter(|row| *row != column) {
            let factor = matrix[row][column];
            matrix[row].iter_mut().zip(&pivot).for_each(|(value, above)| *value -= factor * above);
        }
    }
    Some(matrix.into_iter().map(|row| row[count..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::{HeadToHead, OrderBias, SignCounts, chance_to_beat, sign_test_p, swap_consistency};

    #[test]
    fn nothing_compared() {
        assert_eq!(HeadToHead::from_verdicts(vec![]), None);
        assert_eq!(HeadToHead::from_verdicts(vec![vec![]]), None);
        assert_eq!(OrderBias::new(0, 0), None);
        assert_eq!(swap_consistency(&[]), None);
        assert_eq!(sign_test_p(0, 0), None);
    }

    #[test]
    fn only_ties() {
        let ties = HeadToHead::from_verdicts(vec![vec![Ordering::Equal; 2]; 3]).unwrap();
        assert_eq!((ties.win_rate, ties.p), (0.5, 1.0));
    }

    #[test]
    fn nothing_to_compare() {
        assert_eq!(chance_to_beat(&[], &[1.0]), None);
        assert_eq!(chance_to_beat(&[f64::NAN], &[1.0]), None);
        assert_eq!(chance_to_beat(&[3.0], &[3.0]), Some(0.5));
        assert_eq!(
            SignCounts::new(&[(1.0, 1.0)]),
            SignCounts { better: 0, worse: 0, same: 1, p: None }
        );
    }
}

#[cfg(test)]
mod bradley_terry_tests {
    use super::{BradleyTerry, Unranked};

    fn strengths_of(wins: [[f64; 3]; 3], prior: f64) -> Result<BradleyTerry, Unranked> {
        BradleyTerry::new(&wins.map(|row| row.to_vec()), prior)
    }

    #[test]
    fn no_strengths_without_links() {
        let unbeaten = [[0.0, 2.0, 3.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]];
        assert_eq!(strengths_of(unbeaten, 0.0), Err(Unranked::Separated));
        assert!(strengths_of(unbeaten, 0.5).is_ok());
        let beaten = [[0.0, 0.0, 0.0], [2.0, 0.0, 1.0], [2.0, 1.0, 0.0]];
        assert_eq!(strengths_of(beaten, 0.0), Err(Unranked::Separated));
        let apart = [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]];
        assert_eq!(strengths_of(apart, 0.5), Err(Unranked::Disconnected));
        let negative = [[0.0, -1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]];
        assert_eq!(strengths_of(negative, 0.5), Err(Unranked::Table));
        let two = vec![vec![0.0, 1.0], vec![1.0, 0.0]];
        assert_eq!(BradleyTerry::new(&two, 0.5), Err(Unranked::Count));
    }

    #[test]
    fn lopsided_but_linked() {
        let wins = [[0.0, 1e6, 1.0], [1.0, 0.0, 1e6], [1.0, 1.0, 0.0]];
        let fit = strengths_of(wins, 0.0).unwrap();
        assert!(fit.strengths[0] > fit.strengths[1] && fit.strengths[1] > fit.strengths[2]);
        let sure = fit.chance(0, 1).unwrap() * (1e6 + 1.0) + fit.chance(0, 2).unwrap() * 2.0;
        assert!((sure - (1e6 + 1.0)).abs() < 1e-3, "{sure}");
    }

    #[test]
    fn a_hundred_versions() {
        let row = |i: usize| (0..100).map(|j| ((i * 7 + j * 3) % 5) as f64).collect();
        let wins: Vec<Vec<f64>> = (0..100).map(row).collect();
        let fit = BradleyTerry::new(&wins, 0.5).unwrap();
        assert!(fit.elo().iter().sum::<f64>().abs() < 1e-9);
    }
}
