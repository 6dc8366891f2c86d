//! The vertical axis: the whole scale of a unit, so that charts can be compared.

use crate::chart::unit::Unit;
use crate::language::Language;
use crate::text::fixed;

#[derive(Debug, PartialEq)]
pub(super) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    /// Values and their texts, from the lowest to the highest.
    pub(super) ticks: Vec<(f64, String)>,
}

impl Axis {
    /// The axis of `unit`; in a small chart with fewer ticks and without the sign of percent.
    pub(super) fn new(unit: Unit, is_whole: bool, language: &Language) -> Self {
        let steps = if is_whole { 4 } else { 2 };
        let (low, high) = unit.ends();
        let tick = |at: u32| {
            let value = low + (high - low) * f64::from(at) / f64::from(steps);
            let text = match unit {
                Unit::Fraction if is_whole => language.percent(value),
                Unit::Fraction => fixed(value * 100.0, 0),
                Unit::Score => fixed(value, 0),
            };
            (value, text)
        };
        Self { low, high, ticks: (0..=steps).map(tick).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, Unit};
    use crate::language::Language;

    #[test]
    fn an_axis_shows_its_whole_scale() {
        let texts = |unit, is_whole| {
            let axis = Axis::new(unit, is_whole, &Language::default());
            axis.ticks.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" | ")
        };
        let percent = texts(Unit::Fraction, true).replace('\u{202f}', " ");
        assert_eq!(percent, "0 % | 25 % | 50 % | 75 % | 100 %");
        assert_eq!(texts(Unit::Fraction, false), "0 | 50 | 100");
        assert_eq!(texts(Unit::Score, true), "1 | 2 | 3 | 4 | 5");
    }
}
