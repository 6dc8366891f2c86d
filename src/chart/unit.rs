//! What a chart measures, and how its values read.

use crate::language::Language;
use crate::text::fixed;

/// What the values of a chart are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A fraction in 0..=1, read as percent.
    Fraction,
    Seconds,
    Tokens,
}

/// Above this a number is not a measurement: it is absent.
const LARGEST: f64 = 1e300;

/// From here on a number is written with its power of ten.
const MANY_DIGITS: f64 = 1e15;

impl Unit {
    /// Whether `value` has a place on the axis.
    pub(super) fn holds(&self, value: f64) -> bool {
        let top = if *self == Self::Fraction { 1.0 } else { LARGEST };
        value.is_finite() && (0.0..=top).contains(&value)
    }

    /// `value` as near to the axis as it goes, for the end of an interval.
    pub(super) fn clamped(&self, value: f64) -> Option<f64> {
        let top = if *self == Self::Fraction { 1.0 } else { LARGEST };
        value.is_finite().then(|| value.clamp(0.0, top))
    }

    pub(super) fn text(&self, value: f64, language: &Language) -> String {
        match self {
            Self::Fraction => language.percent(value),
            Self::Seconds if value >= MANY_DIGITS => {
                language.fill("number.seconds", &[("s", &format!("{value:.1e}"))])
            }
            Self::Seconds => language.seconds(value),
            Self::Tokens => language.counted(&number(value), value == 1.0, "token"),
        }
    }

    /// `value` where the unit is known from the axis: without the word for what is counted.
    pub(super) fn short(&self, value: f64, language: &Language) -> String {
        match self {
            Self::Tokens => number(value),
            _ => self.text(value, language),
        }
    }

    /// The change from `first` to `last` in words.
    pub(super) fn change(&self, first: f64, last: f64, language: &Language) -> String {
        let difference = last - first;
        if difference == 0.0 {
            return language.text("chart.unchanged").to_owned();
        }
        let size = match self {
            Self::Fraction => language.points(difference),
            Self::Seconds if difference.abs() < 60.0 => language.signed_seconds(difference, 1),
            _ => self.text(difference.abs(), language),
        };
        let size = size.trim_start_matches(['+', '\u{2212}']);
        let key = if difference > 0.0 { "chart.up" } else { "chart.down" };
        language.fill(key, &[("size", &size)])
    }
}

/// A number of things; a mean of few of them keeps a decimal.
fn number(value: f64) -> String {
    if value >= MANY_DIGITS {
        return format!("{value:.1e}");
    }
    let whole = value.fract() == 0.0 || value >= 100.0;
    fixed(value, if whole { 0 } else { 1 })
}

#[cfg(test)]
mod tests {
    use super::Unit;
    use crate::language::Language;

    #[test]
    fn values_and_changes_read() {
        let (tokens, english) = (Unit::Tokens, Language::default());
        assert_eq!(tokens.text(84_852.4, &english), "84\u{202f}852 tokens");
        assert_eq!(tokens.short(2.5, &english), "2.5");
        assert_eq!(tokens.text(1e300, &english), "1.0e300 tokens");
        let moved =
            |way: &str, size: &str| english.fill(&format!("chart.{way}"), &[("size", &size)]);
        let six = english.count(6, "token");
        assert_eq!(tokens.change(10.0, 4.0, &english), moved("down", &six));
        let point = english.count(1, "point");
        assert_eq!(Unit::Fraction.change(0.5, 0.51, &english), moved("up", &point));
        assert_eq!(Unit::Seconds.change(30.0, 150.0, &english), moved("up", "2 min 00 s"));
        assert_eq!(Unit::Seconds.change(30.0, 28.0, &english), moved("down", "2.0 s"));
        assert_eq!(Unit::Seconds.change(3.0, 3.0, &english), english.text("chart.unchanged"));
    }

    #[test]
    fn only_measurements_have_a_place() {
        assert!(Unit::Fraction.holds(1.0) && !Unit::Fraction.holds(1.01));
        for value in [f64::NAN, f64::INFINITY, -1.0, 1e301] {
            assert!(!Unit::Seconds.holds(value), "{value}");
        }
        assert_eq!(Unit::Fraction.clamped(1.2), Some(1.0));
        assert_eq!(Unit::Fraction.clamped(f64::NAN), None);
    }
}
