//! Views for the templates: texts and links, ready to show. Numbers become text here.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::analyze::{
    BaselineReason, ConfigurationSummary, IterationAnalysis, Roles, RunCost, spent,
};
use crate::digest::case_mean;
use crate::language::Language;
use crate::model::{Claim, Expectation, Grading, Metrics, Notes, Outcome, Tally};
use crate::render::context::Rows;
use crate::settings::Settings;
use crate::statistics::Spread;
use crate::text::{fixed, tokens};

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
    pub(crate) fn new(tally: Tally, language: &Language) -> Self {
        let rest = match tally.ungraded {
            0 => String::new(),
            number => language.fill("rate.rest", &[("n", &number)]),
        };
        let percent = tally.pass_rate().map_or(DASH.to_owned(), |rate| language.percent(rate));
        Self { percent, counts: Self::counts_of(tally), rest }
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
        language.fill("rate.whole", &[("percent", &self.percent), ("counts", &self.counts)])
    }
}

fn counts_with_percent<S: Serializer>(counts: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(if counts == DASH { "" } else { counts })
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct ConfigurationRow {
    pub(crate) name: String,
    /// `candidate`, `baseline` or empty.
    pub(crate) role: &'static str,
    pub(crate) rate: Rate,
    /// The level to expect on cases like these, `76 % to 96 %`; a dash for fewer than two cases.
    pub(crate) level: String,
    /// Mean of the runs' pass rates and their spread.
    pub(crate) mean_rate: String,
    pub(crate) time: String,
    pub(crate) tokens: String,
    /// `3 cases, 9 runs`.
    pub(crate) runs: String,
}

impl ConfigurationRow {
    /// The rows for all configurations of an iteration.
    pub(crate) fn all(analysis: &IterationAnalysis, language: &Language) -> Vec<Self> {
        let row = |summary: &ConfigurationSummary| Self {
            name: summary.name.clone(),
            role: match &analysis.roles.baseline {
                Some(baseline) if *baseline == summary.name => "baseline",
                Some(_) => "candidate",
                None => "",
            },
            rate: Rate::new(summary.tally, language),
            level: level(summary, language).unwrap_or_else(|| DASH.to_owned()),
            mean_rate: spread(summary.pass_rate, language, |value| language.percent(value)),
            time: spread(summary.duration_s, language, |value| language.seconds(value)),
            tokens: spread(summary.tokens, language, tokens),
            runs: runs(summary, language),
        };
        analysis.configurations.iter().map(row).collect()
    }
}

/// The interval of the pass rate by case, with the mean if the counts differ from it; `None` for
/// fewer than two cases.
pub(crate) fn level(summary: &ConfigurationSummary, language: &Language) -> Option<String> {
    let interval = summary.level.as_ref()?.shown();
    let (low, high) = (language.percent(interval.low), language.percent(interval.high));
    let ends = language.fill("configurations.level_of", &[("low", &low), ("high", &high)]);
    let Some(mean) = case_mean(summary) else { return Some(ends) };
    let mean = language.percent(mean);
    Some(language.fill("configurations.mean_of", &[("mean", &mean), ("ends", &ends)]))
}

/// `9/11`, with the mean of cases if the counts differ from it.
pub(crate) fn counts_and_mean(tally: Tally, mean: Option<f64>, language: &Language) -> String {
    let counts = Rate::counts_of(tally);
    let Some(mean) = mean.map(|mean| language.percent(mean)) else { return counts };
    language.fill("rate.by_case", &[("counts", &counts), ("mean", &mean)])
}

fn runs(summary: &ConfigurationSummary, language: &Language) -> String {
    let (ungraded, unjudged) = (summary.ungraded_runs(), summary.unjudged);
    let worst = summary.rate_if_failed().map(|rate| language.percent(rate));
    let key = match (ungraded + unjudged, &worst) {
        (0, _) => "configurations.cases_and_runs",
        (_, Some(_)) => "configurations.some_ungraded",
        (_, None) => "configurations.none_graded",
    };
    language.fill(
        key,
        &[
            ("cases", &language.count(summary.cases, "case")),
            ("runs", &language.count(summary.runs, "run")),
            ("unknown", &language.counts([(ungraded, "run"), (unjudged, "check")])),
            ("worst", &worst.unwrap_or_default()),
        ],
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
    let number = language.count(roles.order().count(), "configuration");
    language.fill(key, &[("name", &name), ("configurations", &number)])
}

/// Mean and spread between runs; no spread for one value.
fn spread(spread: Option<Spread>, language: &Language, format: impl Fn(f64) -> String) -> String {
    let Some(Spread { mean, stddev, .. }) = spread else { return DASH.to_owned() };
    let mean = format(mean);
    let Some(spread) = stddev.map(&format) else { return mean };
    language.fill("configurations.mean_and_spread", &[("mean", &mean), ("spread", &spread)])
}

/// A check as every list shows it.
pub(crate) fn check_row(check: &Expectation) -> Value {
    json!({ "text": check.text, "outcome": check.outcome.word(), "evidence": check.evidence })
}

/// A mark for an outcome: shape before color.
pub(crate) fn mark(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "✓",
        Outcome::Failed => "✗",
        Outcome::Ungraded => "?",
    }
}

pub(crate) fn short(value: f64) -> String {
    if value.fract() == 0.0 { fixed(value, 0) } else { fixed(value, 2) }
}

/// Claims with their state, kind and evidence.
pub(crate) fn claims(grading: &Grading, language: &Language) -> Rows<[String; 3]> {
    let row = |claim: &Claim| {
        let state = language.text(match claim.verified {
            Some(true) => "claim.verified",
            Some(false) => "claim.not_verified",
            None => "claim.not_checked",
        });
        let state = language.list([state].into_iter().chain(claim.kind.as_deref()));
        [claim.text.clone(), state, claim.evidence.clone().unwrap_or_default()]
    };
    grading.claims.iter().map(row).collect()
}

/// Remarks with their headings, without those that are Markdown in the records of a run.
pub(crate) fn notes(notes: &Notes, language: &Language) -> Vec<[String; 2]> {
    let groups = [
        ("note.uncertain", &notes.uncertainties),
        ("note.needs_review", &notes.needs_review),
        ("note.workaround", &notes.workarounds),
    ];
    groups.into_iter().flat_map(|(key, texts)| headed(key, texts, language)).collect()
}

pub(crate) fn headed(key: &str, texts: &[String], language: &Language) -> Vec<[String; 2]> {
    texts.iter().map(|text| [language.text(key).to_owned(), text.clone()]).collect()
}

/// The costs of a run: name and value of each recorded figure, and dollars at the prices of the
/// settings if none were recorded.
pub(crate) fn figures(
    metrics: &Metrics,
    settings: &Settings,
    language: &Language,
) -> Vec<[String; 2]> {
    let seconds = |value| language.seconds(value);
    let called = metrics.tool_calls_by_name.iter().filter(|(_, calls)| **calls > 0.0);
    let by_name = called.map(|(name, calls)| format!("{name} {}", short(*calls)));
    let listed = |names: Vec<String>| (!names.is_empty()).then(|| language.list(names));
    let (cost_key, cost) = match spent(metrics, settings) {
        Some(RunCost::Computed(amount)) => ("cost.computed", Some(language.dollars(amount))),
        Some(RunCost::Recorded(amount)) => ("cost.cost", Some(language.dollars(amount))),
        None => ("cost.cost", None),
    };
    let rows = [
        ("cost.time", metrics.duration_s.map(seconds)),
        ("cost.executor", metrics.executor_s.map(seconds)),
        ("cost.grader", metrics.grader_s.map(seconds)),
        ("cost.tokens", metrics.tokens.map(tokens)),
        ("cost.input_tokens", metrics.input_tokens.map(tokens)),
        ("cost.output_tokens", metrics.output_tokens.map(tokens)),
        ("cost.cached_tokens", metrics.cached_tokens.map(tokens)),
        ("cost.cache_written_tokens", metrics.cache_written_tokens.map(tokens)),
        (cost_key, cost),
        ("cost.model", metrics.model.clone()),
        ("cost.tool_calls", metrics.tool_calls.map(short)),
        ("cost.by_tool", listed(by_name.collect())),
        ("cost.steps", metrics.steps.map(short)),
        ("cost.errors", metrics.errors.map(short)),
        ("cost.output_chars", metrics.output_chars.map(tokens)),
        ("cost.transcript_chars", metrics.transcript_chars.map(tokens)),
        ("cost.files_created", listed(metrics.files_created.clone())),
        ("cost.started", metrics.started.clone()),
        ("cost.ended", metrics.ended.clone()),
    ];
    let recorded =
        |(key, value): (&str, Option<String>)| Some([language.text(key).to_owned(), value?]);
    rows.into_iter().filter_map(recorded).collect()
}
