//! Agreement between two graders of the same items.

use super::proportion::Share;
use super::sample::{finite, sum};

/// From so many items on chance-corrected figures are worth showing; with fewer, only the share.
pub const CORRECTED_ITEMS: usize = 20;

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
        let items = first.len() as f64;
        let mut categories: Vec<&T> = first.iter().chain(second).collect();
        categories.sort();
        categories.dedup();
        let margins: Vec<[f64; 2]> = categories
            .iter()
            .map(|category| {
                let share =
                    |list: &[T]| list.iter().filter(|item| item == category).count() as f64 / items;
                [share(first), share(second)]
            })
            .collect();
        let agreed = first.iter().zip(second).filter(|(a, b)| a == b).count();
        let share = Share::new(agreed as u64, first.len() as u64)?;
        let corrected = |by_chance: f64| finite((share.rate() - by_chance) / (1.0 - by_chance));
        let of_kappa = sum(margins.iter().map(|[a, b]| a * b));
        let means = margins.iter().map(|[a, b]| f64::midpoint(*a, *b));
        let spread = sum(means.map(|mean| mean * (1.0 - mean)));
        // Without a second category the division below gives no number.
        let of_ac1 = spread / (margins.len() as f64 - 1.0);
        Some(Self { share, kappa: corrected(of_kappa), ac1: corrected(of_ac1) })
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
