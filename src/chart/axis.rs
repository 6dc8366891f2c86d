//! The vertical axis: from zero, with ticks that people count in.

use crate::chart::unit::Unit;
use crate::language::Language;
use crate::text::fixed;

#[derive(Debug, PartialEq)]
pub(super) struct Axis {
    /// The value at its upper end; above zero.
    pub(super) top: f64,
    /// Values and their texts, from zero to `top`.
    pub(super) ticks: Vec<(f64, String)>,
    /// What the numbers count, when the ticks do not say it.
    pub(super) caption: Option<String>,
}

/// At most this many steps from zero to the top.
const STEPS: f64 = 4.0;

/// Below this the values are as good as zero, and the axis ends at one.
const SMALLEST: f64 = 1e-9;

impl Axis {
    /// The axis for values up to `largest`, not negative.
    pub(super) fn new(unit: Unit, largest: f64, language: &Language) -> Self {
        let largest = if largest < SMALLEST { 1.0 } else { largest };
        match unit {
            Unit::Fraction => Self::of(1.0, 0.25, None, |value| language.percent(value)),
            Unit::Seconds => Self::seconds(largest, language),
            Unit::Tokens => Self::tokens(largest, language),
        }
    }

    fn of(largest: f64, step: f64, caption: Option<String>, text: impl Fn(f64) -> String) -> Self {
        let steps = (largest / step - SMALLEST).ceil().max(1.0);
        let ticks = (0..=steps as u32).map(|index| f64::from(index) * step);
        let ticks = ticks.map(|value| (value, text(value))).collect();
        Self { top: steps * step, ticks, caption }
    }

    fn seconds(largest: f64, language: &Language) -> Self {
        let step = step_of_time(largest / STEPS);
        let (size, key) = match step {
            s if s < 60.0 => (1.0, "axis.seconds"),
            s if s < 3600.0 => (60.0, "axis.minutes"),
            _ => (3600.0, "axis.hours"),
        };
        let text = |value: f64| language.fill(key, &[("n", &number(value / size, step / size))]);
        Self::of(largest, step, None, text)
    }

    fn tokens(largest: f64, language: &Language) -> Self {
        let step = step(largest / STEPS);
        let (size, key) = match step {
            s if s >= 1e12 => (1.0, "axis.tokens"),
            s if s >= 2e8 => (1e9, "axis.billion_tokens"),
            s if s >= 2e5 => (1e6, "axis.million_tokens"),
            _ => (1.0, "axis.tokens"),
        };
        let text = |value: f64| number(value / size, step / size);
        Self::of(largest, step, Some(language.text(key).to_owned()), text)
    }
}

/// The smallest step of 1, 2 or 5 times a power of ten that is not below `least`.
fn step(least: f64) -> f64 {
    let mut decade = 1.0;
    while decade > least {
        decade /= 10.0;
    }
    while decade * 10.0 <= least {
        decade *= 10.0;
    }
    let candidates = [decade, decade * 2.0, decade * 5.0];
    candidates.into_iter().find(|&step| step >= least).unwrap_or(decade * 10.0)
}

/// The same for seconds, minutes and hours.
fn step_of_time(least: f64) -> f64 {
    const CLOCK: [f64; 11] =
        [10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1200.0, 1800.0, 3600.0, 7200.0];
    match least {
        few if few <= 5.0 => step(few),
        many if many > 7200.0 => step(many / 3600.0) * 3600.0,
        some => CLOCK.into_iter().find(|&step| step >= some).unwrap_or(7200.0),
    }
}

/// A tick's number, with as many decimals as its step needs.
fn number(value: f64, step: f64) -> String {
    if value >= 1e12 || (step < 1e-4 && value > 0.0) {
        return format!("{value:.1e}").replace(".0e", "e");
    }
    let mut decimals = 0;
    let mut rest = step;
    while rest < 0.999 && decimals < 6 {
        rest *= 10.0;
        decimals += 1;
    }
    fixed(value, decimals)
}

#[cfg(test)]
mod tests {
    use super::{Axis, Unit};
    use crate::language::Language;

    fn texts(unit: Unit, largest: f64) -> String {
        let axis = Axis::new(unit, largest, &Language::default());
        assert!(axis.top >= largest * 0.999_999 && axis.top.is_finite());
        let ticks = axis.ticks.iter().map(|(_, text)| text.replace('\u{202f}', "'"));
        let caption = axis.caption.map(|caption| format!(" [{caption}]")).unwrap_or_default();
        ticks.collect::<Vec<_>>().join(" | ") + &caption
    }

    #[test]
    fn a_rate_always_goes_to_100_percent() {
        for largest in [0.0, 0.02, 1.0] {
            assert_eq!(texts(Unit::Fraction, largest), "0 % | 25 % | 50 % | 75 % | 100 %");
        }
    }

    #[test]
    fn time_is_counted_in_clock_steps() {
        let table = [
            (0.0, "0.0 s | 0.5 s | 1.0 s"),
            (0.9, "0.0 s | 0.5 s | 1.0 s"),
            (9.0, "0 s | 5 s | 10 s"),
            (47.0, "0 s | 20 s | 40 s | 60 s"),
            (100.0, "0 s | 30 s | 60 s | 90 s | 120 s"),
            (400.0, "0 min | 2 min | 4 min | 6 min | 8 min"),
            (7000.0, "0 min | 30 min | 60 min | 90 min | 120 min"),
            (30_000.0, "0 h | 5 h | 10 h"),
            (1e9, "0 h | 100'000 h | 200'000 h | 300'000 h"),
            (1e-5, "0.000000 s | 5e-6 s | 1e-5 s"),
        ];
        for (largest, expected) in table {
            assert_eq!(texts(Unit::Seconds, largest), expected, "{largest}");
        }
    }

    #[test]
    fn counts_name_their_scale() {
        let table = [
            (0.0, "0.0 | 0.5 | 1.0 [tokens]"),
            (3.0, "0 | 1 | 2 | 3 [tokens]"),
            (87_000.0, "0 | 50'000 | 100'000 [tokens]"),
            (1_900_000.0, "0.0 | 0.5 | 1.0 | 1.5 | 2.0 [million tokens]"),
            (4e9, "0 | 1 | 2 | 3 | 4 [billion tokens]"),
            (1e300, "0 | 5e299 | 1e300 [tokens]"),
        ];
        for (largest, expected) in table {
            assert_eq!(texts(Unit::Tokens, largest), expected, "{largest}");
        }
    }
}
