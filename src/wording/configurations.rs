//! The configurations of an iteration: their figures as text, and why one is the baseline.

use serde::Serialize;

use crate::analyze::{BaselineReason, ConfigurationSummary, IterationAnalysis, Roles};
use crate::language::{DASH, Language, Rate, say};
use statistics::Spread;
use text::{fixed, tokens};

#[derive(Clone, Debug, Serialize)]
pub(crate) struct ConfigurationRow {
    pub(crate) name: String,
    /// `candidate`, `baseline` or empty.
    pub(crate) role: &'static str,
    pub(crate) rate: Rate,
    /// The range to expect on cases like these, `76 % to 96 %`; a dash for fewer than two cases.
    pub(crate) range: String,
    /// The standard deviation of the runs' pass rates, `± 12 points`; a dash for one run.
    pub(crate) spread: String,
    pub(crate) time: String,
    pub(crate) tokens: String,
    /// `3 cases, 9 runs`.
    pub(crate) runs: String,
}

impl ConfigurationRow {
    /// The rows for all configurations of an iteration.
    pub(crate) fn all(analysis: &IterationAnalysis, language: &Language) -> Vec<Self> {
        analysis
            .configurations
            .iter()
            .map(|summary| Self::new(analysis, summary, language))
            .collect()
    }

    fn new(
        analysis: &IterationAnalysis,
        summary: &ConfigurationSummary,
        language: &Language,
    ) -> Self {
        Self {
            name: summary.name.clone(),
            role: match &analysis.roles.baseline {
                Some(baseline) if *baseline == summary.name => "baseline",
                Some(_) => "candidate",
                None => "",
            },
            rate: Rate::over_cases(summary.by_case, summary.tally, language),
            range: range(summary, language).unwrap_or_else(|| DASH.to_owned()),
            spread: spread_of_runs(summary, language).unwrap_or_else(|| DASH.to_owned()),
            time: spread(summary.duration_s, language, |value| language.seconds(value)),
            tokens: spread(summary.tokens, language, tokens),
            runs: runs(summary, language),
        }
    }
}

/// The interval of the pass rate by case; `None` for fewer than two cases.
pub(crate) fn range(summary: &ConfigurationSummary, language: &Language) -> Option<String> {
    let interval = summary.range.as_ref()?.shown();
    let (low, high) = (language.percent(interval.low), language.percent(interval.high));
    Some(say!(language, "configurations.range_of", low, high))
}

fn spread_of_runs(summary: &ConfigurationSummary, language: &Language) -> Option<String> {
    let points = fixed(summary.pass_rate?.stddev? * 100.0, 0);
    Some(format!("± {}", language.counted(&points, points == "1", "point")))
}

fn runs(summary: &ConfigurationSummary, language: &Language) -> String {
    let (ungraded, unjudged) = (summary.ungraded_runs(), summary.unjudged);
    let worst = summary.by_case_if_failed.map(|rate| language.percent(rate));
    let key = if ungraded + unjudged == 0 {
        "configurations.cases_and_runs"
    } else if worst.is_some() {
        "configurations.some_ungraded"
    } else {
        "configurations.none_graded"
    };
    say!(
        language,
        key,
        cases = language.count(summary.cases, "case"),
        runs = language.count(summary.runs, "run"),
        unknown = language.counts([(ungraded, "run"), (unjudged, "check")]),
        worst = worst.unwrap_or_default(),
    )
}

/// The reason why a configuration, or none, is the baseline.
pub(crate) fn roles(roles: &Roles, language: &Language) -> String {
    let key = match (roles.reason, &roles.baseline) {
        (BaselineReason::Flag, Some(_)) => "roles.flag",
        (BaselineReason::Settings, Some(_)) => "roles.settings",
        (BaselineReason::Recorded, Some(_)) => "roles.recorded",
        (BaselineReason::KnownName, Some(_)) => "roles.known_name",
        (BaselineReason::EachCondition, _) => "roles.each_condition",
        (BaselineReason::NoRun, _) => "overview.no_run",
        (BaselineReason::Alone, _) => "roles.alone",
        _ => "roles.no_name",
    };
    let name = roles.baseline.as_deref().unwrap_or_default();
    let configurations = language.count(roles.order().count(), "configuration");
    say!(language, key, name, configurations)
}

/// Mean and spread between runs; no spread for one value.
fn spread(spread: Option<Spread>, language: &Language, format: impl Fn(f64) -> String) -> String {
    let Some(Spread { mean, stddev, .. }) = spread else { return DASH.to_owned() };
    let mean = format(mean);
    match stddev {
        Some(stddev) => {
            say!(language, "configurations.mean_and_spread", mean, spread = format(stddev))
        }
        None => mean,
    }
}
