//! Agreement between two graders of the same items.

use super::proportion::Share;
use super::sum::{finite, sum};

/// From so many items on chance-corrected figures are worth showing; with fewer, only the share.
pub const CORRECTED_ITEMS: usize = 20;

/// How far two graders agree.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// Items with the same category from both; its Wilson interval is the one to show.
    pub share: Share,
    /// Cohen's kappa (1960), (pₒ−pₑ)/(1−pₑ) with pₑ from both graders' own shares. Collapses when
    /// nearly everything passes. `None` with one category.
    pub kappa: Option<f64>,
    /// Gwet's AC1 (2008), pₑ = Σπ(1−π)/(q−1) with π the mean share of a category. `None` with one
    /// category.
    pub ac1: Option<f64>,
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
}

#[cfg(test)]
mod tests {
    use super::Agreement;

    #[test]
    fn one_category_has_only_a_share() {
        let same = Agreement::of(&[1, 1, 1], &[1, 1, 1]).unwrap();
        assert_eq!((same.share.rate(), same.kappa, same.ac1), (1.0, None, None));
    }

    #[test]
    fn nothing_to_compare() {
        assert_eq!(Agreement::of::<u8>(&[], &[]), None);
        assert_eq!(Agreement::of(&[1], &[1, 2]), None);
    }

    #[test]
    fn perfect_and_reversed() {
        let perfect = Agreement::of(&[0, 1, 2, 1], &[0, 1, 2, 1]).unwrap();
        assert_eq!((perfect.kappa, perfect.ac1), (Some(1.0), Some(1.0)));
        let reversed = Agreement::of(&[0, 1, 0, 1], &[1, 0, 1, 0]).unwrap();
        assert_eq!((reversed.kappa, reversed.ac1), (Some(-1.0), Some(-1.0)));
    }
}
