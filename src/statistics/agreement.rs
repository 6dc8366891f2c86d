//! Agreement between two graders of the same items.

use super::proportion::Share;
use super::sum::{finite, mean, sum};

/// From so many items on chance-corrected figures are worth showing; with fewer, only the share.
pub const CORRECTED_ITEMS: usize = 20;

/// How far two graders agree.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// Items with the same category from both; its Wilson interval is the one to show.
    pub share: Share,
    /// Items by category of the first and of the second grader, categories ascending.
    pub table: Vec<Vec<usize>>,
    /// Cohen's kappa (1960), (pₒ−pₑ)/(1−pₑ) with pₑ from both graders' own shares. Collapses when
    /// nearly everything passes. `None` with one category.
    pub kappa: Option<f64>,
    /// Gwet's AC1 (2008), pₑ = Σπ(1−π)/(q−1) with π the mean share of a category. `None` with one
    /// category.
    pub ac1: Option<f64>,
    /// Krippendorff's alpha (1970) for nominal data without gaps, 1 − Dₒ/Dₑ. `None` with one
    /// category.
    pub alpha: Option<f64>,
}

impl Agreement {
    /// Compares the categories two graders gave to the same items, in the same order. `None`
    /// without items or when the lists differ in length.
    pub fn of<T: Ord>(first: &[T], second: &[T]) -> Option<Self> {
        if first.len() != second.len() {
            return None;
        }
        let mut categories: Vec<&T> = first.iter().chain(second).collect();
        categories.sort();
        categories.dedup();
        let mut table = vec![vec![0; categories.len()]; categories.len()];
        for (a, b) in first.iter().zip(second) {
            let place = |item| categories.binary_search(&item).ok();
            table[place(a)?][place(b)?] += 1;
        }
        let agreed: usize = (0..categories.len()).map(|index| table[index][index]).sum();
        let share = Share::new(agreed as u64, first.len() as u64)?;
        let margins = Margins::of(&table, first.len() as f64);
        let corrected = |by_chance: f64| finite((share.rate() - by_chance) / (1.0 - by_chance));
        Some(Self {
            share,
            kappa: corrected(margins.by_chance()),
            ac1: margins.by_chance_of_ac1().and_then(corrected),
            alpha: margins.alpha(share),
            table,
        })
    }
}

/// The share of every category, by grader.
struct Margins {
    first: Vec<f64>,
    second: Vec<f64>,
}

impl Margins {
    fn of(table: &[Vec<usize>], items: f64) -> Self {
        let row = |row: &Vec<usize>| row.iter().sum::<usize>() as f64 / items;
        let column =
            |index: usize| table.iter().map(|row| row[index]).sum::<usize>() as f64 / items;
        Self {
            first: table.iter().map(row).collect(),
            second: (0..table.len()).map(column).collect(),
        }
    }

    fn by_chance(&self) -> f64 {
        sum(self.first.iter().zip(&self.second).map(|(first, second)| first * second))
    }

    fn means(&self) -> impl Iterator<Item = f64> {
        self.first.iter().zip(&self.second).map(|(first, second)| f64::midpoint(*first, *second))
    }

    fn by_chance_of_ac1(&self) -> Option<f64> {
        let spread = sum(self.means().map(|share| share * (1.0 - share)));
        (self.first.len() > 1).then(|| spread / (self.first.len() - 1) as f64)
    }

    fn alpha(&self, share: Share) -> Option<f64> {
        let values = 2.0 * share.total() as f64;
        let equal = sum(self.means().map(|mean| mean * values * (mean * values - 1.0)));
        let expected = 1.0 - equal / (values * (values - 1.0));
        let observed = (share.total() - share.passed()) as f64 / share.total() as f64;
        (self.first.len() > 1).then(|| 1.0 - observed / expected).and_then(finite)
    }
}

/// Quadratic weighted kappa of two graders' scores of the same items (Cohen 1968): 1 minus the mean
/// squared difference over the one expected from the graders' own scores. For rubrics of 1 to 5.
///
/// `None` without items, for lists of different length, or when both gave one and the same score
/// throughout.
pub fn weighted_kappa(first: &[f64], second: &[f64]) -> Option<f64> {
    if first.len() != second.len() {
        return None;
    }
    let (mean_first, mean_second) = (mean(first)?, mean(second)?);
    let square = |x: f64| x * x;
    let count = first.len() as f64;
    let observed = sum(first.iter().zip(second).map(|(a, b)| square(a - b))) / count;
    let spread = |values: &[f64], centre: f64| super::sum::squares(values, centre) / count;
    let expected =
        spread(first, mean_first) + spread(second, mean_second) + square(mean_first - mean_second);
    finite(1.0 - observed / expected)
}

#[cfg(test)]
mod tests {
    use super::{Agreement, weighted_kappa};

    #[test]
    fn one_category_has_only_a_share() {
        let same = Agreement::of(&[1, 1, 1], &[1, 1, 1]).unwrap();
        assert_eq!((same.share.rate(), same.kappa, same.ac1, same.alpha), (1.0, None, None, None));
        assert_eq!(weighted_kappa(&[3.0, 3.0], &[3.0, 3.0]), None);
    }

    #[test]
    fn nothing_to_compare() {
        assert_eq!(Agreement::of::<u8>(&[], &[]), None);
        assert_eq!(Agreement::of(&[1], &[1, 2]), None);
        assert_eq!(weighted_kappa(&[], &[]), None);
        assert_eq!(weighted_kappa(&[1.0], &[]), None);
    }

    #[test]
    fn perfect_and_reversed() {
        let perfect = Agreement::of(&[0, 1, 2, 1], &[0, 1, 2, 1]).unwrap();
        assert_eq!((perfect.kappa, perfect.ac1, perfect.alpha), (Some(1.0), Some(1.0), Some(1.0)));
        let reversed = Agreement::of(&[0, 1, 0, 1], &[1, 0, 1, 0]).unwrap();
        assert_eq!((reversed.kappa, reversed.ac1), (Some(-1.0), Some(-1.0)));
    }
}
