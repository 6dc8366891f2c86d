//! Numbers with their units, in the words of a language.
//!
//! `text` decides how numbers are rounded; the terminal takes its English units from there.

use crate::language::{Language, say};
use input::model::{Problem, Severity};
use text::{self, Duration, fixed};

impl Language {
    /// A fraction in 0..=1 as `83 %`; never `0 %` for something or `100 %` for less than all.
    pub(crate) fn percent(&self, fraction: f64) -> String {
        say!(self, "number.percent", n = text::percent(fraction))
    }

    /// A difference of fractions as signed percentage points, `+12 points`.
    pub(crate) fn points(&self, difference: f64) -> String {
        let (number, is_one) = text::signed_points(difference);
        self.counted(&number, is_one, "point")
    }

    /// What one side costs compared with the other: `+36 %`, or `22 % fewer` in the words of the key
    /// `less`; `2.1×` from twice on.
    pub(crate) fn ratio(&self, ratio: f64, less: &str) -> String {
        // A mean of logarithms may miss twice by its last bit.
        if ratio >= 2.0 - 1e-9 {
            return format!("{}×", text::factor(ratio));
        }
        let (points, _) = text::signed_points(ratio - 1.0);
        if points == "±0" {
            self.text("verdict.ratio_same").to_owned()
        } else if ratio < 1.0 {
            say!(self, less, share = self.percent(1.0 - ratio))
        } else {
            say!(self, "number.percent", n = points)
        }
    }

    /// Seconds as `8.3 s`, `2 min 05 s` or `1 h 02 min`.
    pub(crate) fn seconds(&self, value: f64) -> String {
        match Duration::new(value) {
            Duration::Seconds(s) => say!(self, "number.seconds", s),
            Duration::Minutes(m, s) => say!(self, "number.minutes", m, s = format!("{s:02}")),
            Duration::Hours(h, m) => say!(self, "number.hours", h, m = format!("{m:02}")),
        }
    }

    /// Seconds with this number of decimals, never as minutes: `125.0 s`.
    pub(crate) fn exact_seconds(&self, value: f64, decimals: usize) -> String {
        say!(self, "number.seconds", s = fixed(value, decimals))
    }

    /// A difference of seconds with its sign and this number of decimals, `+1.5 s`.
    pub(crate) fn signed_seconds(&self, difference: f64, decimals: usize) -> String {
        say!(self, "number.seconds", s = text::signed(difference, decimals))
    }

    pub(crate) fn dollars(&self, amount: f64) -> String {
        say!(self, "number.dollars", n = fixed(amount, 4))
    }

    /// The number of `total` beyond the first `shown`, in the words of `key`; empty for none.
    pub(crate) fn beyond(&self, key: &str, total: usize, shown: usize) -> String {
        // "and 0 more" would be noise on every short list.
        if total <= shown {
            return String::new();
        }
        say!(self, key, n = total - shown)
    }

    pub(crate) fn problems(&self, number: usize, severity: Severity) -> String {
        self.count(number, severity.word())
    }

    /// The number of problems of each severity, in one line.
    pub(crate) fn problem_counts(&self, problems: &[Problem]) -> String {
        let mut counts = Vec::new();
        for severity in [Severity::Error, Severity::Warning, Severity::Note] {
            let number = problems.iter().filter(|problem| problem.severity() == severity).count();
            counts.push(self.problems(number, severity));
        }
        self.list(counts)
    }
}

#[cfg(test)]
mod tests {
    use crate::language::Language;
    use crate::language::theme::Theme;

    #[test]
    fn english_is_what_the_terminal_says() {
        let english = Language::default();
        for value in [0.0, 8.25, 59.96, 125.0, 3725.0] {
            assert_eq!(english.seconds(value), text::seconds(value));
        }
    }

    #[test]
    fn fractions_become_percent_and_points() {
        let english = Language::default();
        for (value, percent) in
            [(0.625, "63 %"), (0.001, "1 %"), (0.999, "99 %"), (1.0, "100 %"), (0.0, "0 %")]
        {
            assert_eq!(english.percent(value), percent);
        }
        let points = [
            (0.12, "+12 points"),
            (-0.01, "\u{2212}1 point"),
            (0.002, "±0 points"),
            (0.0, "±0 points"),
        ];
        for (value, points) in points {
            assert_eq!(english.points(value), points);
        }
    }

    #[test]
    fn costs_have_one_form() {
        let english = Language::default();
        let shown = [0.002, 0.78, 0.997, 1.0, 1.36, 1.996, 2.0, 2.14, 30.0]
            .map(|ratio| english.ratio(ratio, "costs.fewer"));
        let expected = "99 % fewer; 22 % fewer; the same; the same; +36 %; +99 %; 2.0×; 2.1×; 30×";
        assert_eq!(shown.join("; "), expected);
    }

    #[test]
    fn units_are_words() {
        let chinese = Language::new("zh-TW", &Theme::default()).unwrap();
        assert_eq!(chinese.percent(0.001), "1%");
        assert_eq!(chinese.points(0.01), "+1 個百分點");
        assert_eq!(chinese.seconds(3725.0), "1 小時 02 分");
        assert_eq!(chinese.signed_seconds(-2.0, 1), "\u{2212}2.0 秒");
    }
}
