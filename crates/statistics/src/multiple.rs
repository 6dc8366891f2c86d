//! The adjustment of many p-values.

/// Holm's adjusted p-values (1979), in the order given: p₍ᵢ₎·(m−i+1), running maximum, at most 1.
/// Guards against a single false alarm.
///
/// `None` when a p-value lies outside \[0, 1\].
pub(crate) fn holm(p: &[f64]) -> Option<Vec<f64>> {
    if !p.iter().all(|p| (0.0..=1.0).contains(p)) {
        return None;
    }
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    let mut adjusted = vec![0.0; p.len()];
    let mut largest: f64 = 0.0;
    for (rank, index) in order.into_iter().enumerate() {
        largest = largest.max((p[index] * (p.len() - rank) as f64).min(1.0));
        adjusted[index] = largest;
    }
    Some(adjusted)
}

/// By how much Holm multiplies each p to compare it with `level`, while the others stay as they are: p·f ≤
/// `level` just where `holm` leaves it within `level`. The number of all, less those of the others that
/// are within it whatever this one is.
pub(crate) fn factors(p: &[f64], level: f64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    let mut factors = Vec::new();
    for own in 0..p.len() {
        let mut left = p.len();
        for other in order.iter().filter(|other| **other != own) {
            if p[*other] * left as f64 > level {
                break;
            }
            left -= 1;
        }
        factors.push(left);
    }
    factors
}

#[cfg(test)]
mod tests {
    use super::{factors, holm};
    use crate::random::Random;

    #[test]
    fn a_factor_decides_as_the_adjusted_p_does_whatever_the_own_p_becomes() {
        let mut random = Random::new(1);
        for _ in 0..500 {
            let mut p: Vec<f64> = (0..1 + random.below(6)).map(|_| 0.06 * random.unit()).collect();
            let factor = factors(&p, 0.03)[0];
            for _ in 0..20 {
                p[0] = 0.06 * random.unit();
                let is_within = holm(&p).unwrap()[0] <= 0.03;
                assert_eq!(p[0] * factor as f64 <= 0.03, is_within, "{p:?}");
            }
        }
        assert_eq!(factors(&[0.5], 0.03), [1]);
    }

    #[test]
    fn nothing_and_nonsense() {
        assert_eq!(holm(&[]), Some(vec![]));
        assert_eq!(holm(&[0.5, f64::NAN]), None);
    }
}
