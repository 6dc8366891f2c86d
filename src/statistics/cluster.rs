//! Runs of one case are alike: the standard error clustered by case, the design effect and the
//! intraclass correlation.

use super::distribution::student_t_quantile;
use super::interval::{ALPHA, Interval, Z};
use super::sum::{finite, mean, squares, sum};

/// The mean of all runs with its error clustered by case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clustered {
    /// How many values.
    pub count: usize,
    /// How many cases with values, G; at least 2.
    pub clusters: usize,
    /// Mean of all values: cases with more runs weigh more.
    pub mean: f64,
    /// s/√n, as if every run were independent.
    pub naive_error: f64,
    /// CR0, √(Σ(Σr)²)/n over the sums of residuals by case (Liang and Zeger 1986).
    pub sandwich_error: f64,
    /// CR1 = CR0·√(G/(G−1)): with equally many runs per case just sd(case means)/√G. The one to use.
    pub error: f64,
    /// Miller 2024, equation for clustered errors: (s/√n)² plus the products within cases over n².
    pub miller_error: f64,
    /// mean ± t₀.₉₇₅,G₋₁ · CR1; not clipped.
    pub interval: Interval,
    /// mean ± z · s/√n, for contrast.
    pub naive_interval: Interval,
    /// (CR1 / naive error)²; `None` when all values are equal.
    pub design_effect: Option<f64>,
    /// n / design effect: as how many independent runs they count. `None` when undefined, also
    /// when the case means are all equal.
    pub effective_count: Option<f64>,
    /// Intraclass correlation by one-way analysis of variance (Fisher 1925); may be negative, which
    /// is shown as 0. `None` with one run per case or no variance at all.
    pub intraclass_correlation: Option<f64>,
}

impl Clustered {
    /// The mean of the values of `cases`, each the runs of one case. Cases without values are left
    /// out. `None` for fewer than two cases with values, or when one is not finite.
    pub fn of<C: AsRef<[f64]>>(cases: &[C]) -> Option<Self> {
        let cases: Vec<&[f64]> =
            cases.iter().map(AsRef::as_ref).filter(|case| !case.is_empty()).collect();
        let clusters = cases.len();
        if clusters < 2 {
            return None;
        }
        let values = cases.concat();
        let count = values.len() as f64;
        let mean = mean(&values)?;
        let naive_error = finite((squares(&values, mean) / (count - 1.0) / count).sqrt())?;
        let residuals = |case: &[f64]| sum(case.iter().map(|value| value - mean));
        let between = sum(cases.iter().map(|case| residuals(case) * residuals(case)));
        let sandwich_error = between.sqrt() / count;
        let error = sandwich_error * (clusters as f64 / (clusters as f64 - 1.0)).sqrt();
        let products = between - squares(&values, mean);
        let miller = naive_error * naive_error + products / (count * count);
        let design_effect = finite((error / naive_error) * (error / naive_error));
        let t = student_t_quantile(1.0 - ALPHA / 2.0, clusters as f64 - 1.0)?;
        Some(Self {
            count: values.len(),
            clusters,
            mean,
            naive_error,
            sandwich_error,
            error,
            miller_error: miller.max(0.0).sqrt(),
            interval: Interval::around(mean, t * error),
            naive_interval: Interval::around(mean, Z * naive_error),
            design_effect,
            effective_count: design_effect.and_then(|effect| finite(count / effect)),
            intraclass_correlation: intraclass_correlation(&cases, mean),
        })
    }
}

/// (MSB − MSW)/(MSB + (n₀−1)·MSW), n₀ the mean number of runs corrected for unequal ones.
fn intraclass_correlation(cases: &[&[f64]], grand_mean: f64) -> Option<f64> {
    let clusters = cases.len() as f64;
    let sizes: Vec<f64> = cases.iter().map(|case| case.len() as f64).collect();
    let count = sum(sizes.iter().copied());
    let mut between = Vec::new();
    let mut within = Vec::new();
    for case in cases {
        let mean = mean(case)?;
        between.push(case.len() as f64 * (mean - grand_mean) * (mean - grand_mean));
        within.push(squares(case, mean));
    }
    let between = sum(between) / (clusters - 1.0);
    let within = sum(within) / (count - clusters);
    let typical_size = (count - sum(sizes.iter().map(|n| n * n)) / count) / (clusters - 1.0);
    finite((between - within) / (between + (typical_size - 1.0) * within))
}

#[cfg(test)]
mod tests {
    use super::Clustered;

    #[test]
    fn what_cannot_be_known_is_absent() {
        assert_eq!(Clustered::of(&[vec![0.5, 0.6]]), None);
        assert_eq!(Clustered::of(&[vec![0.5], vec![]]), None);
        assert_eq!(Clustered::of(&[vec![0.5], vec![f64::NAN]]), None);
        let equal = Clustered::of(&[[0.5, 0.5], [0.5, 0.5]]).unwrap();
        assert_eq!((equal.design_effect, equal.effective_count), (None, None));
        assert_eq!(equal.intraclass_correlation, None);
        let rounded = Clustered::of(&[[0.1, 0.1, 0.1], [0.1, 0.1, 0.1]]).unwrap();
        assert_eq!((rounded.design_effect, rounded.effective_count), (None, None));
        assert_eq!(Clustered::of(&[[0.7; 3]; 5]).unwrap().intraclass_correlation, None);
        let single = Clustered::of(&[[0.0], [1.0]]).unwrap();
        assert_eq!(single.intraclass_correlation, None);
        assert!((single.design_effect.unwrap() - 1.0).abs() < 1e-12);
    }
}
