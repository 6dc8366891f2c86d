//! Counts of checks as text: `9/11`, `82 %`.

use serde::{Serialize, Serializer};

use crate::language::{Language, say};
use input::model::Tally;

/// Shown where there is no figure.
pub(crate) const DASH: &str = "–";

#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Rate {
    /// `82 %`, or a dash.
    pub(crate) percent: String,
    /// Whether the percent is a mean of cases and not that of the counts.
    pub(crate) is_mean: bool,
    /// `9/11`, or a dash. Templates show it after the percent, whose dash is enough.
    #[serde(serialize_with = "counts_with_percent")]
    pub(crate) counts: String,
    /// `1 without a verdict`, or empty.
    pub(crate) rest: String,
}

impl Rate {
    /// The verdicts of one run, or on one check.
    pub(crate) fn new(tally: Tally, language: &Language) -> Self {
        let percent = match tally.pass_rate() {
            Some(rate) => language.percent(rate),
            None => DASH.to_owned(),
        };
        let counts = Self::counts_of(tally);
        Self { percent, is_mean: false, counts, rest: String::new() }
            .without_verdicts(tally.ungraded, language)
    }

    /// The same where `n` more checks have no verdict.
    pub(crate) fn without_verdicts(self, n: usize, language: &Language) -> Self {
        let rest = if n == 0 { String::new() } else { say!(language, "rate.rest", n) };
        Self { rest, ..self }
    }

    /// The pass rate of several cases: its mean over the cases, with the counts of all checks. Large
    /// cases weigh more in the counts, so both may differ, and then the mean is named as such.
    pub(crate) fn over_cases(mean: Option<f64>, tally: Tally, language: &Language) -> Self {
        let own = Self::new(tally, language);
        let Some(mean) = mean else { return own };
        let percent = language.percent(mean);
        Self { is_mean: percent != own.percent, percent, ..own }
    }

    pub(crate) fn counts_of(tally: Tally) -> String {
        match tally.graded() {
            0 => DASH.to_owned(),
            graded => format!("{}/{graded}", tally.passed),
        }
    }

    /// `3/3 → 2/3`.
    pub(crate) fn counts_of_both(before: Tally, after: Tally) -> String {
        format!("{} → {}", Self::counts_of(before), Self::counts_of(after))
    }

    /// `82 % (9/11)` or `82 % (9/11, 1 without a verdict)`; `78 % mean of cases, 9/11`; or a dash.
    pub(crate) fn whole(&self, language: &Language) -> String {
        if self.counts == DASH {
            return DASH.to_owned();
        }
        let key = if self.is_mean { "rate.by_case" } else { "rate.whole" };
        let mut counts = self.counts.clone();
        if !self.rest.is_empty() {
            counts = language.apart([&counts, &self.rest]);
        }
        say!(language, key, percent = self.percent, counts)
    }
}

fn counts_with_percent<S: Serializer>(counts: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(if counts == DASH { "" } else { counts })
}
