//! The adjustment of many p-values.

/// Holm's adjusted p-values (1979), in the order given: p₍ᵢ₎·(m−i+1), running maximum, at most 1.
/// Guards against a single false alarm.
///
/// `None` when a p-value lies outside \[0, 1\].
pub fn holm(p: &[f64]) -> Option<Vec<f64>> {
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

#[cfg(test)]
mod tests {
    use super::holm;

    #[test]
    fn nothing_and_nonsense() {
        assert_eq!(holm(&[]), Some(vec![]));
        assert_eq!(holm(&[0.5, f64::NAN]), None);
    }
}
