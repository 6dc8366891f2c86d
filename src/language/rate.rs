//! Counts of checks as text: `9/11`, `82 %`.

use serde::{Serialize, Serializer};

use crate::language::{Language, say};
use crate::model::Tally;

/// Shown where there is no figure.
pub(crate) const DASH: &str = "–";

#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Rate {
    /// `82 %`, or a dash.
    pub(crate) percent: String,
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
        let rest = match tally.ungraded {
            0 => String::new(),
            n => say!(language, "rate.rest", n),
        };
        Self { percent, counts: Self::counts_of(tally), rest }
    }

    /// The pass rate of several cases: its mean over the cases, beside the counts of all checks. The
    /// rate of all checks together would be another number, in which large cases weigh more.
    pub(crate) fn over_cases(mean: Option<f64>, tally: Tally, language: &Language) -> Self {
        let percent = mean.map_or(DASH.to_owned(), |mean| language.percent(mean));
        Self { percent, ..Self::new(tally, language) }
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

    /// `82 % (9/11)`, or a dash.
    pub(crate) fn whole(&self, language: &Language) -> String {
        if self.counts == DASH {
            return DASH.to_owned();
        }
        say!(language, "rate.whole", percent = self.percent, counts = self.counts)
    }
}

fn counts_with_percent<S: Serializer>(counts: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(if counts == DASH { "" } else { counts })
}
