//! What a run cost in money: as recorded, else its tokens times the prices of the settings.

use crate::model::Metrics;
use crate::settings::Settings;

/// Tokens that a price is for.
const PER: f64 = 1_000_000.0;

/// An amount in US dollars.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spent {
    /// The run's own record of it.
    Recorded(f64),
    /// Tokens read and written at the prices that the settings give for the run's model.
    Computed(f64),
}

impl Spent {
    pub fn amount(self) -> f64 {
        match self {
            Self::Recorded(amount) | Self::Computed(amount) => amount,
        }
    }
}

/// The cost of a run with `metrics`. Nothing is computed where tokens came from a cache or went to
/// one: they have prices of their own, and writers differ on whether the tokens read count them.
pub fn spent(metrics: &Metrics, settings: &Settings) -> Option<Spent> {
    if let Some(recorded) = metrics.cost_usd {
        return Some(Spent::Recorded(recorded));
    }
    let price = settings.prices.get(metrics.model.as_deref()?)?;
    let (input, output) = (metrics.input_tokens?, metrics.output_tokens?);
    let cached = [metrics.cached_tokens, metrics.cache_written_tokens];
    let has_cache = cached.into_iter().flatten().any(|tokens| tokens > 0.0);
    let amount = (input * price.input + output * price.output) / PER;
    (!has_cache).then_some(Spent::Computed(amount))
}

#[cfg(test)]
mod tests {
    use super::{Spent, spent};
    use crate::model::Metrics;
    use crate::settings::Settings;

    #[test]
    fn what_is_recorded_goes_before_what_is_computed() {
        let settings = Settings::read("[prices.m]\ninput = 3\noutput = 15").unwrap();
        let metrics = Metrics {
            model: Some("m".to_owned()),
            input_tokens: Some(100_000.0),
            output_tokens: Some(20_000.0),
            ..Metrics::default()
        };
        assert_eq!(spent(&metrics, &settings), Some(Spent::Computed(0.6)));
        let recorded = Metrics { cost_usd: Some(0.5), ..metrics.clone() };
        assert_eq!(spent(&recorded, &settings), Some(Spent::Recorded(0.5)));
        let unknown = [
            Metrics { model: Some("n".to_owned()), ..metrics.clone() },
            Metrics { model: None, ..metrics.clone() },
            Metrics { output_tokens: None, ..metrics.clone() },
            Metrics { cached_tokens: Some(1.0), ..metrics.clone() },
            Metrics { cache_written_tokens: Some(1.0), ..metrics.clone() },
        ];
        assert!(unknown.iter().all(|metrics| spent(metrics, &settings).is_none()));
        assert_eq!(spent(&metrics, &Settings::default()), None);
    }
}
