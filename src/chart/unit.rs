//! The unit of the values of a line chart.

use crate::language::Language;
use text::{fixed, percent};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Rates in 0..=1, shown as percent.
    Fraction,
    /// Mean scores, 1 to 5.
    Score,
}

impl Unit {
    /// The lowest and the highest value.
    pub(super) fn bounds(self) -> (f64, f64) {
        match self {
            Self::Fraction => (0.0, 1.0),
            Self::Score => (1.0, 5.0),
        }
    }

    /// Ticks over the whole scale, so that charts can be compared.
    pub(super) fn ticks(self, language: &Language) -> Vec<(f64, String)> {
        const STEPS: u32 = 4;
        let (low, high) = self.bounds();
        let mut ticks = Vec::new();
        for at in 0..=STEPS {
            let value = low + (high - low) * f64::from(at) / f64::from(STEPS);
            let text = match self {
                Self::Fraction => language.percent(value),
                Self::Score => fixed(value, 0),
            };
            ticks.push((value, text));
        }
        ticks
    }

    pub(super) fn text(self, value: f64, language: &Language) -> String {
        match self {
            Self::Fraction => language.percent(value),
            Self::Score => fixed(value, 2),
        }
    }

    /// `value` as written at its point, where the axis shows the unit.
    pub(super) fn bare(self, value: f64) -> String {
        match self {
            Self::Fraction => percent(value),
            Self::Score => fixed(value, 2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Unit;
    use crate::language::Language;

    #[test]
    fn an_axis_shows_its_whole_scale() {
        let texts = |unit: Unit| {
            let ticks = unit.ticks(&Language::default());
            ticks.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" | ")
        };
        let percent = texts(Unit::Fraction).replace('\u{202f}', " ");
        assert_eq!(percent, "0 % | 25 % | 50 % | 75 % | 100 %");
        assert_eq!(texts(Unit::Score), "1 | 2 | 3 | 4 | 5");
    }

    #[test]
    fn values_read() {
        assert_eq!(Unit::Fraction.bare(0.62), "62");
        assert_eq!(Unit::Fraction.bare(0.999), "99");
        assert_eq!(Unit::Score.text(4.25, &Language::default()), "4.25");
        assert_eq!(Unit::Score.bare(4.294), "4.29");
    }
}
