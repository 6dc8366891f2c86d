//! Numbers with their units. Fractions become percent only here.

/// A true minus sign, as wide as a plus.
const MINUS: &str = "\u{2212}";

/// `1 run`, `2 runs`; the plural adds an `s`.
pub fn count(number: usize, word: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {word}{plural}", grouped(&number.to_string()))
}

/// A fraction in whole percent, as a number. It is 0 or 100 only where it is exactly that.
pub fn percent(fraction: f64) -> String {
    let value = in_hundredths(fraction);
    let whole = match value.round() {
        0.0 if value > 0.0 => 1.0,
        100.0 if value < 100.0 => 99.0,
        whole => whole,
    };
    fixed(whole, 0)
}

/// A difference of fractions as a signed number of whole percentage points, `+12`, and whether that is
/// one point. It is 100 only where it is exactly that.
pub fn signed_points(difference: f64) -> (String, bool) {
    let value = in_hundredths(difference);
    let whole = match value.round() {
        whole if whole.abs() == 100.0 && value.abs() < 100.0 => 99.0_f64.copysign(value),
        whole => whole,
    };
    (signed(whole, 0), whole.abs() == 1.0)
}

/// As a person would write it: 23 of 40 are 57.5 %, and not 57.499 999 999 999 99.
fn in_hundredths(fraction: f64) -> f64 {
    let value = fraction * 100.0;
    let tidy = (value * 1e7).round() / 1e7;
    if tidy.is_finite() { tidy } else { value }
}

/// Two significant digits from 0.01 to a million: few cases cannot tell more.
pub fn factor(value: f64) -> String {
    match value {
        value if value > LARGEST_FACTOR => format!("> {}", tokens(LARGEST_FACTOR)),
        value if value >= 99.5 => {
            let unit = libm::exp10(libm::log10(value).floor() - 1.0);
            tokens((value / unit).round() * unit)
        }
        value if value >= 9.95 => format!("{value:.0}"),
        value if value >= 0.995 => format!("{value:.1}"),
        value if value >= 0.005 => format!("{value:.2}"),
        _ => "< 0.01".to_owned(),
    }
}

/// Larger ratios are not written in digits.
const LARGEST_FACTOR: f64 = 1e6;

/// A signed number with `decimals` places and a true minus sign.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value.abs(), decimals);
    format!("{}{text}", sign(value, &text))
}

/// A number with `decimals` places and grouped thousands.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let minus = if value < 0.0 && !is_zero(&text) { MINUS } else { "" };
    let point = if rest.is_empty() { "" } else { "." };
    format!("{minus}{}{point}{rest}", grouped(whole))
}

/// A duration in readable units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Duration {
    /// Less than a minute: the seconds with one decimal, such as `8.3`.
    Seconds(String),
    /// Less than an hour: whole minutes, and whole seconds in 0..=59.
    Minutes(u64, u64),
    /// An hour or more: whole hours, and whole minutes in 0..=59. Further seconds are left out.
    Hours(u64, u64),
}

impl Duration {
    /// A duration of `seconds`, from 0 up: to a tenth below a minute, else to whole seconds.
    pub fn new(seconds: f64) -> Self {
        if seconds < 59.95 {
            return Self::Seconds(fixed(seconds, 1));
        }
        match seconds.round() as u64 {
            whole @ ..3600 => Self::Minutes(whole / 60, whole % 60),
            whole => Self::Hours(whole / 3600, whole % 3600 / 60),
        }
    }
}

/// Seconds as `8.3 s`, `2 min 05 s` or `1 h 02 min`.
pub fn seconds(value: f64) -> String {
    match Duration::new(value) {
        Duration::Seconds(seconds) => format!("{seconds} s"),
        Duration::Minutes(minutes, seconds) => format!("{minutes} min {seconds:02} s"),
        Duration::Hours(hours, minutes) => format!("{hours} h {minutes:02} min"),
    }
}

/// A number of tokens without decimals; thousands are grouped from five digits on.
pub fn tokens(value: f64) -> String {
    fixed(value, 0)
}

/// A size as `17 B`, `3.4 kB`, `12 MB`.
pub fn bytes(size: u64) -> String {
    if size < 1000 {
        return format!("{size} B");
    }
    let mut value = size as f64;
    let mut unit = "B";
    for name in ["kB", "MB", "GB", "TB"] {
        if value < 999.5 {
            break;
        }
        value /= 1000.0;
        unit = name;
    }
    let decimals = usize::from(value < 9.95);
    format!("{value:.decimals$} {unit}")
}

fn sign(value: f64, rounded: &str) -> &'static str {
    match value {
        _ if is_zero(rounded) => "±",
        v if v < 0.0 => MINUS,
        _ => "+",
    }
}

/// Whether a number is written as zero.
fn is_zero(text: &str) -> bool {
    !text.bytes().any(|byte| matches!(byte, b'1'..=b'9'))
}

/// Puts a thin space between groups of three digits, from five digits on.
fn grouped(digits: &str) -> String {
    if digits.len() < 5 {
        return digits.to_owned();
    }
    let mut text = String::with_capacity(digits.len() + digits.len() / 3 * 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_carry_their_sign() {
        let points = [1.0 / 3.0, 7.0 / 12.0, 4.0 / 15.0, 0.575, -0.075, 0.004, -0.004, 0.0, 0.996];
        let shown = points.map(|points| signed_points(points).0).join(" ");
        assert_eq!(shown, "+33 +58 +27 +58 \u{2212}8 ±0 ±0 ±0 +99");
        assert_eq!(signed_points(-0.01), ("\u{2212}1".to_owned(), true));
        let percent = [0.0, 0.004, 0.625, 0.575, 0.996, 1.0].map(percent).join(" ");
        assert_eq!(percent, "0 1 63 58 99 100");
        assert_eq!(signed(-1234.5, 1), "\u{2212}1234.5");
        assert_eq!(fixed(-0.04, 1), "0.0");
    }

    #[test]
    fn factors_stay_readable() {
        let all = [1e-9, 0.004, 0.25, 1.0, 9.96, 99.4, 129.4, 996.0, 12_345.0, 1e6, 1e7, 1e300];
        let shown = all.map(factor).join("; ");
        let expected = "< 0.01; < 0.01; 0.25; 1.0; 10; 99; 130; 1000; 12 000; 1 000 000; \
                        > 1 000 000; > 1 000 000";
        assert_eq!(shown.replace('\u{202f}', " "), expected);
    }

    #[test]
    fn units_grow() {
        assert_eq!(seconds(8.25), "8.2 s");
        assert_eq!(seconds(125.0), "2 min 05 s");
        assert_eq!(seconds(3725.0), "1 h 02 min");
        assert_eq!(bytes(999), "999 B");
        assert_eq!(bytes(3_400), "3.4 kB");
        assert_eq!(bytes(12_000_000), "12 MB");
        assert_eq!(tokens(84_852.0), "84\u{202f}852");
        assert_eq!(count(1, "run"), "1 run");
        assert_eq!(count(0, "run"), "0 runs");
    }
}
