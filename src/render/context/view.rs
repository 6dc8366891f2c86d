//! What the templates see: texts and links, everything decided. Numbers became text here.

use serde::{Serialize, Serializer};

use crate::analyze::{ConfigurationSummary, IterationAnalysis, Reason, Roles, Spent, spent};
use crate::digest::case_mean;
use crate::language::Language;
use crate::model::{
    Claim, ConventionCheck, Expectation, Grading, Metrics, Notes, Outcome, Suggestion, Tally,
};
use crate::render::context::Rows;
pub(crate) use crate::render::context::pages::{Frame, Link};
use crate::settings::Settings;
use crate::statistics::Spread;
use crate::text::{fixed, tokens};

pub(crate) const DASH: &str = "–";

#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Rate {
    /// `82 %`, or a dash.
    pub(crate) percent: String,
    /// `9/11`, or a dash. Templates show it beside the percent, whose dash is enough.
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
    /// What to expect on cases like these, `76 % to 96 %`; a dash for fewer than two cases.
    pub(crate) level: String,
    /// Mean of the runs' pass rates and their spread.
    pub(crate) mean_rate: String,
    pub(crate) time: String,
    pub(crate) tokens: String,
    /// `3 cases, 9 runs`.
    pub(crate) runs: String,
}

impl ConfigurationRow {
    pub(crate) fn new(
        summary: &ConfigurationSummary,
        analysis: &IterationAnalysis,
        language: &Language,
    ) -> Self {
        let role = match &analysis.roles.baseline {
            Some(baseline) if *baseline == summary.name => "baseline",
            Some(_) => "candidate",
            None => "",
        };
        Self {
            name: summary.name.clone(),
            role,
            rate: Rate::new(summary.tally, language),
            level: level(summary, language).unwrap_or_else(|| DASH.to_owned()),
            mean_rate: spread(summary.pass_rate, language, |value| language.percent(value)),
            time: spread(summary.duration_s, language, |value| language.seconds(value)),
            tokens: spread(summary.tokens, language, tokens),
            runs: runs(summary, language),
        }
    }
}

/// The interval of the pass rate by case, with the mean where that is told apart; `None` for fewer
/// than two cases.
pub(crate) fn level(summary: &ConfigurationSummary, language: &Language) -> Option<String> {
    let interval = summary.level.as_ref()?.shown();
    let (low, high) = (language.percent(interval.low), language.percent(interval.high));
    let ends = language.fill("configurations.level_of", &[("low", &low), ("high", &high)]);
    let Some(mean) = case_mean(summary) else { return Some(ends) };
    let mean = language.percent(mean);
    Some(language.fill("configurations.mean_of", &[("mean", &mean), ("ends", &ends)]))
}

/// `9/11`, with the mean of cases where that is told apart.
pub(crate) fn counts(summary: &ConfigurationSummary, language: &Language) -> String {
    counts_and_mean(summary.tally, case_mean(summary), language)
}

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

/// Why a configuration is the baseline, or none is.
pub(crate) fn roles(roles: &Roles, language: &Language) -> String {
    let key = match (roles.reason, &roles.baseline) {
        (Reason::Flag, Some(_)) => "roles.flag",
        (Reason::Settings, Some(_)) => "roles.settings",
        (Reason::Recorded, Some(_)) => "roles.recorded",
        (Reason::KnownName, Some(_)) => "roles.known_name",
        (Reason::EachCondition, _) => "roles.each_condition",
        (Reason::NoRun, _) => "overview.no_run",
        (Reason::Alone, _) => "roles.alone",
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

#[derive(Clone, Debug, Serialize)]
pub(crate) struct ExpectationRow {
    pub(crate) text: String,
    pub(crate) description: String,
    pub(crate) outcome: &'static str,
    pub(crate) evidence: String,
    /// `score 4`, `score – (9 is outside 1 to 5)`, or empty.
    pub(crate) score: String,
    pub(crate) required: String,
    /// Its anchor; empty where the page has it already.
    pub(crate) anchor: String,
    pub(crate) quotes: Vec<String>,
}

impl ExpectationRow {
    pub(crate) fn new(expectation: &Expectation, language: &Language) -> Self {
        let required = match expectation.required {
            Some(true) => language.text("expectation.required"),
            Some(false) => language.text("expectation.optional"),
            None => "",
        };
        let (key, score) = match expectation.score {
            Some(score) => ("expectation.score", Some(score)),
            None => ("expectation.score_outside", expectation.score_outside),
        };
        let score = score.map(|score| language.fill(key, &[("score", &short(score))]));
        Self {
            text: expectation.text.clone(),
            description: expectation.description.clone().unwrap_or_default(),
            outcome: expectation.outcome.word(),
            evidence: expectation.evidence.clone().unwrap_or_default(),
            score: score.unwrap_or_default(),
            required: required.to_owned(),
            anchor: String::new(),
            quotes: Vec::new(),
        }
    }
}

/// A mark for an outcome: shape before color.
pub(crate) fn mark(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "✓",
        Outcome::Failed => "✗",
        Outcome::Ungraded => "?",
    }
}

fn short(value: f64) -> String {
    if value.fract() == 0.0 { fixed(value, 0) } else { fixed(value, 2) }
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct GradingView {
    pub(crate) title: String,
    pub(crate) path: String,
    pub(crate) rate: Rate,
    /// The checks, those that did not pass first.
    pub(crate) expectations: Rows<ExpectationRow>,
    /// `4 passed`, or empty.
    pub(crate) passed: String,
    /// What it states in sum where it has no verdicts, or empty.
    pub(crate) recorded: String,
    pub(crate) claims: Rows<[String; 3]>,
    /// Advice on the expectations: about which, what.
    pub(crate) suggestions: Rows<[String; 2]>,
    pub(crate) critique: String,
    /// The executor's remarks as summed up by the grader.
    pub(crate) notes: Vec<[String; 2]>,
    /// Writing conventions: name, mark, outcome, details.
    pub(crate) conventions: Rows<[String; 4]>,
}

impl GradingView {
    /// The view of one grading, the run's first or another; `anchor` tells where an expectation
    /// is found on the page, `quotes` where its quotations are, by its index.
    pub(crate) fn new(
        grading: &Grading,
        is_first: bool,
        language: &Language,
        mut anchor: impl FnMut(&Expectation) -> String,
        quotes: impl Fn(usize) -> Vec<String>,
    ) -> Self {
        let row = |(at, found): (usize, &Expectation)| {
            let row = ExpectationRow::new(found, language);
            ExpectationRow { anchor: anchor(found), quotes: quotes(at), ..row }
        };
        let suggestion = |found: &Suggestion| {
            [found.expectation.clone().unwrap_or_default(), found.text.clone()]
        };
        let convention = |check: &ConventionCheck| {
            let (mark, word) = (mark(check.outcome).to_owned(), check.outcome.word().to_owned());
            [check.name.clone(), mark, word, check.details.clone().unwrap_or_default()]
        };
        let mut ordered: Vec<(usize, &Expectation)> =
            grading.expectations.iter().enumerate().collect();
        ordered.sort_by_key(|(_, check)| check.outcome == Outcome::Passed);
        Self {
            title: match (&grading.grader, is_first) {
                (None, true) => String::new(),
                (None, false) => language.text("grading.another").to_owned(),
                (Some(grader), true) => language.fill("grading.first_by", &[("grader", grader)]),
                (Some(grader), false) => language.fill("grading.another_by", &[("grader", grader)]),
            },
            path: grading.path.clone(),
            rate: Rate::new(grading.tally(), language),
            passed: match grading.tally().passed {
                0 => String::new(),
                passed => language.fill("grading.passed", &[("n", &passed)]),
            },
            expectations: ordered.into_iter().map(row).collect(),
            recorded: recorded(grading, language),
            claims: claims(grading, language),
            suggestions: grading.suggestions.iter().map(suggestion).collect(),
            critique: grading.critique.clone().unwrap_or_default(),
            notes: [
                notes(&grading.notes, language),
                headed("note.other", &grading.notes.other, language),
            ]
            .concat(),
            conventions: grading.conventions.iter().map(convention).collect(),
        }
    }
}

fn recorded(grading: &Grading, language: &Language) -> String {
    match (grading.recorded.passed, grading.recorded.total) {
        (Some(passed), Some(total)) if grading.expectations.is_empty() => language
            .fill("grading.recorded", &[("passed", &short(passed)), ("total", &short(total))]),
        _ => String::new(),
    }
}

/// Each claim with its state and kind, and the evidence.
pub(crate) fn claims(grading: &Grading, language: &Language) -> Rows<[String; 3]> {
    let row = |claim: &Claim| {
        let state = language.text(match claim.verified {
            Some(true) => "claim.verified",
            Some(false) => "claim.not_verified",
            None => "claim.not_checked",
        });
        let comma = language.text("list.comma");
        let state =
            claim.kind.as_ref().map_or(state.to_owned(), |kind| format!("{state}{comma}{kind}"));
        [claim.text.clone(), state, claim.evidence.clone().unwrap_or_default()]
    };
    grading.claims.iter().map(row).collect()
}

/// Remarks with the heading of each, without those that are Markdown in the records of a run.
pub(crate) fn notes(notes: &Notes, language: &Language) -> Vec<[String; 2]> {
    let groups = [
        ("note.uncertain", &notes.uncertainties),
        ("note.needs_review", &notes.needs_review),
        ("note.workaround", &notes.workarounds),
    ];
    groups.into_iter().flat_map(|(key, texts)| headed(key, texts, language)).collect()
}

fn headed(key: &str, texts: &[String], language: &Language) -> Vec<[String; 2]> {
    texts.iter().map(|text| [language.text(key).to_owned(), text.clone()]).collect()
}

/// What a run cost: name and value of each recorded figure, and money at the prices of the
/// settings where none was recorded.
pub(crate) fn figures(
    metrics: &Metrics,
    settings: &Settings,
    language: &Language,
) -> Vec<[String; 2]> {
    let seconds = |value| language.seconds(value);
    let called = metrics.tool_calls_by_name.iter().filter(|(_, calls)| **calls > 0.0);
    let by_name: Vec<String> =
        called.map(|(name, calls)| format!("{name} {}", short(*calls))).collect();
    let joined =
        |names: &[String]| (!names.is_empty()).then(|| names.join(language.text("list.comma")));
    let (cost_key, cost) = match spent(metrics, settings) {
        Some(Spent::Computed(amount)) => ("cost.computed", Some(language.dollars(amount))),
        Some(Spent::Recorded(amount)) => ("cost.cost", Some(language.dollars(amount))),
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
        ("cost.by_tool", joined(&by_name)),
        ("cost.steps", metrics.steps.map(short)),
        ("cost.errors", metrics.errors.map(short)),
        ("cost.output_chars", metrics.output_chars.map(tokens)),
        ("cost.transcript_chars", metrics.transcript_chars.map(tokens)),
        ("cost.files_created", joined(&metrics.files_created)),
        ("cost.started", metrics.started.clone()),
        ("cost.ended", metrics.ended.clone()),
    ];
    let recorded =
        |(key, value): (&str, Option<String>)| Some([language.text(key).to_owned(), value?]);
    rows.into_iter().filter_map(recorded).collect()
}
