//! What the templates see: texts and links, everything decided. Numbers became text here.

use serde::Serialize;

use crate::analyze::{ConfigurationSummary, IterationAnalysis};
use crate::model::{
    Claim, ConventionCheck, Expectation, Grading, Metrics, Outcome, Problem, Suggestion, Tally,
};
use crate::render::addresses::anchor;
use crate::statistics::Spread;
use crate::text::{count, fixed, percent, points, seconds, signed, tokens};

/// A dash for what was not recorded.
pub(super) const DASH: &str = "–";

/// A link with its text.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Link {
    /// Relative address.
    pub(super) href: String,
    /// Text.
    pub(super) text: String,
}

/// A link to one of the pages that stand beside each other.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct PageLink {
    /// Relative address.
    pub(super) href: String,
    /// Text.
    pub(super) text: String,
    /// Whether it leads to the page it stands on.
    pub(super) is_current: bool,
}

/// What every page has.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Frame {
    /// Title of the page.
    pub(super) title: String,
    /// The way from the overview to the page.
    pub(super) crumbs: Vec<Link>,
    /// The pages of the workspace that stand beside each other; none outside of a workspace.
    pub(super) pages: Vec<PageLink>,
    /// Relative way to the folder of assets, with a slash at its end.
    pub(super) assets: String,
    /// Relative way to the folder of the workspace's pages, with a slash at its end; empty beside
    /// the overview.
    pub(super) root: String,
    /// The page before this one among its like; no address where it is the first.
    pub(super) previous: Link,
    /// The page after this one.
    pub(super) next: Link,
}

/// A rate with its counts.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Rate {
    /// `82 %`, or a dash.
    pub(super) percent: String,
    /// `9/11`, or a dash.
    pub(super) counts: String,
    /// `1 without a verdict`, or empty.
    pub(super) rest: String,
}

impl Rate {
    /// The pass rate of `tally`.
    pub(super) fn of(tally: Tally) -> Self {
        let rest = match tally.ungraded {
            0 => String::new(),
            number => format!("{number} without a verdict"),
        };
        match tally.pass_rate() {
            Some(rate) => {
                let counts = format!("{}/{}", tally.passed, tally.graded());
                Self { percent: percent(rate), counts, rest }
            }
            None => Self { percent: DASH.to_owned(), counts: DASH.to_owned(), rest },
        }
    }
}

/// One configuration's row in the benchmark table.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ConfigurationRow {
    /// Its name.
    pub(super) name: String,
    /// `candidate`, `baseline` or empty.
    pub(super) role: &'static str,
    /// Pooled pass rate with counts.
    pub(super) rate: Rate,
    /// Mean of the runs' pass rates and their spread.
    pub(super) mean_rate: String,
    /// Mean seconds and spread.
    pub(super) time: String,
    /// Mean tokens and spread.
    pub(super) tokens: String,
    /// `3 cases, 9 runs`.
    pub(super) runs: String,
}

impl ConfigurationRow {
    /// The row of `summary` among `analysis`.
    pub(super) fn of(summary: &ConfigurationSummary, analysis: &IterationAnalysis) -> Self {
        let role = match &analysis.roles.baseline {
            Some(baseline) if *baseline == summary.name => "baseline",
            Some(_) => "candidate",
            None => "",
        };
        let ungraded = match summary.runs - summary.graded_runs {
            0 => String::new(),
            number => format!(", {number} ungraded"),
        };
        Self {
            name: summary.name.clone(),
            role,
            rate: Rate::of(summary.tally),
            mean_rate: spread(summary.pass_rate, percent),
            time: spread(summary.duration_s, seconds),
            tokens: spread(summary.tokens, tokens),
            runs: format!(
                "{}, {}{ungraded}",
                count(summary.cases, "case"),
                count(summary.runs, "run")
            ),
        }
    }
}

/// Mean and spread between runs; no spread for one value.
fn spread(spread: Option<Spread>, format: impl Fn(f64) -> String) -> String {
    let Some(spread) = spread else {
        return DASH.to_owned();
    };
    let mean = format(spread.mean);
    match spread.stddev {
        Some(stddev) => format!("{mean}, spread {}", format(stddev)),
        None => mean,
    }
}

/// The difference between candidate and baseline, both named.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ChangeRow {
    /// `with_skill − old_skill`.
    pub(super) name: String,
    /// Points of the mean pass rate, or a dash.
    pub(super) rate: String,
    /// Seconds, or a dash.
    pub(super) time: String,
    /// Tokens, or a dash.
    pub(super) tokens: String,
}

impl ChangeRow {
    /// The change from `baseline` to `candidate`, of unrounded means.
    pub(super) fn of(candidate: &ConfigurationSummary, baseline: &ConfigurationSummary) -> Self {
        let difference = |a: Option<Spread>, b: Option<Spread>| Some(a?.mean - b?.mean);
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| DASH.to_owned());
        let time = difference(candidate.duration_s, baseline.duration_s);
        let used = difference(candidate.tokens, baseline.tokens);
        Self {
            name: format!("{} \u{2212} {}", candidate.name, baseline.name),
            rate: or_dash(difference(candidate.pass_rate, baseline.pass_rate).map(points)),
            time: or_dash(time.map(|value| format!("{} s", signed(value, 1)))),
            tokens: or_dash(used.map(|value| signed(value, 0))),
        }
    }
}

/// One expectation with its verdict.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ExpectationRow {
    /// The statement.
    pub(super) text: String,
    /// Longer wording, or empty.
    pub(super) description: String,
    /// `passed`, `failed` or `ungraded`.
    pub(super) outcome: &'static str,
    /// A mark that does not need color.
    pub(super) mark: &'static str,
    /// Why, or empty.
    pub(super) evidence: String,
    /// `4 of 5`, or empty.
    pub(super) score: String,
    /// `required`, `optional` or empty.
    pub(super) required: &'static str,
    /// Its anchor; empty where the page has it already.
    pub(super) anchor: String,
}

impl ExpectationRow {
    /// The row of one expectation.
    pub(super) fn of(expectation: &Expectation) -> Self {
        Self {
            text: expectation.text.clone(),
            description: expectation.description.clone().unwrap_or_default(),
            outcome: expectation.outcome.word(),
            mark: mark(expectation.outcome),
            evidence: expectation.evidence.clone().unwrap_or_default(),
            score: expectation.score.map(short).unwrap_or_default(),
            required: match expectation.required {
                Some(true) => "required",
                Some(false) => "optional",
                None => "",
            },
            anchor: anchor(expectation),
        }
    }
}

/// A mark for an outcome: shape before color.
pub(super) fn mark(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "✓",
        Outcome::Failed => "✗",
        Outcome::Ungraded => "?",
    }
}

/// A number without needless decimals.
fn short(value: f64) -> String {
    if value.fract() == 0.0 { fixed(value, 0) } else { fixed(value, 2) }
}

/// One grading of a run.
#[derive(Clone, Debug, Serialize)]
pub(super) struct GradingView {
    /// Its file.
    pub(super) path: String,
    /// Who graded, or empty.
    pub(super) grader: String,
    /// Its tally.
    pub(super) rate: Rate,
    /// Its verdicts.
    pub(super) expectations: Vec<ExpectationRow>,
    /// What it states in sum where it has no verdicts, or empty.
    pub(super) recorded: String,
    /// Claims: statement, verdict, evidence.
    pub(super) claims: Vec<[String; 3]>,
    /// Advice on the expectations: about which, what.
    pub(super) suggestions: Vec<[String; 2]>,
    /// Overall remark on the expectations, or empty.
    pub(super) critique: String,
    /// The executor's remarks as summed up by the grader.
    pub(super) notes: Vec<[String; 2]>,
    /// Writing conventions: name, mark, outcome, details.
    pub(super) conventions: Vec<[String; 4]>,
}

impl GradingView {
    /// The view of one grading.
    pub(super) fn of(grading: &Grading) -> Self {
        Self {
            path: grading.path.clone(),
            grader: grading.grader.clone().unwrap_or_default(),
            rate: Rate::of(grading.tally()),
            expectations: grading.expectations.iter().map(ExpectationRow::of).collect(),
            recorded: recorded(grading),
            claims: grading.claims.iter().map(claim).collect(),
            suggestions: grading.suggestions.iter().map(suggestion).collect(),
            critique: grading.critique.clone().unwrap_or_default(),
            notes: notes(&grading.notes),
            conventions: grading.conventions.iter().map(convention).collect(),
        }
    }
}

fn recorded(grading: &Grading) -> String {
    match (grading.recorded.passed, grading.recorded.total) {
        (Some(passed), Some(total)) if grading.expectations.is_empty() => {
            format!("{} of {} passed, as recorded, without verdicts", short(passed), short(total))
        }
        _ => String::new(),
    }
}

fn claim(claim: &Claim) -> [String; 3] {
    let verified = match claim.verified {
        Some(true) => "verified",
        Some(false) => "not verified",
        None => "not checked",
    };
    [claim.text.clone(), verified.to_owned(), claim.evidence.clone().unwrap_or_default()]
}

fn suggestion(suggestion: &Suggestion) -> [String; 2] {
    [suggestion.expectation.clone().unwrap_or_default(), suggestion.text.clone()]
}

fn convention(check: &ConventionCheck) -> [String; 4] {
    [
        check.name.clone(),
        mark(check.outcome).to_owned(),
        check.outcome.word().to_owned(),
        check.details.clone().unwrap_or_default(),
    ]
}

/// Remarks with the heading each stands under.
pub(super) fn notes(notes: &crate::model::Notes) -> Vec<[String; 2]> {
    let groups = [
        ("uncertain", &notes.uncertainties),
        ("needs review", &notes.needs_review),
        ("workaround", &notes.workarounds),
        ("note", &notes.other),
    ];
    let under = |(heading, texts): (&str, &Vec<String>)| -> Vec<[String; 2]> {
        texts.iter().map(|text| [heading.to_owned(), text.clone()]).collect()
    };
    groups.into_iter().flat_map(under).collect()
}

/// What a run cost: name and value of each recorded figure.
pub(super) fn figures(metrics: &Metrics) -> Vec<[String; 2]> {
    let by_name: Vec<String> = metrics
        .tool_calls_by_name
        .iter()
        .filter(|(_, calls)| **calls > 0.0)
        .map(|(name, calls)| format!("{name} {}", short(*calls)))
        .collect();
    let rows = [
        ("time", metrics.duration_s.map(seconds)),
        ("of it executor", metrics.executor_s.map(seconds)),
        ("of it grader", metrics.grader_s.map(seconds)),
        ("tokens", metrics.tokens.map(tokens)),
        ("of them read", metrics.input_tokens.map(tokens)),
        ("of them written", metrics.output_tokens.map(tokens)),
        ("of them cached", metrics.cached_tokens.map(tokens)),
        ("cost", metrics.cost_usd.map(|cost| format!("{} USD", fixed(cost, 4)))),
        ("model", metrics.model.clone()),
        ("tool calls", metrics.tool_calls.map(short)),
        ("by tool", (!by_name.is_empty()).then(|| by_name.join(", "))),
        ("steps", metrics.steps.map(short)),
        ("errors", metrics.errors.map(short)),
        ("characters written", metrics.output_chars.map(tokens)),
        ("characters of transcript", metrics.transcript_chars.map(tokens)),
        ("started", metrics.started.clone()),
        ("ended", metrics.ended.clone()),
    ];
    let recorded = |(name, value): (&str, Option<String>)| Some([name.to_owned(), value?]);
    rows.into_iter().filter_map(recorded).collect()
}

/// One problem.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ProblemRow {
    /// `error`, `warning` or `note`.
    pub(super) severity: &'static str,
    /// Its code.
    pub(super) code: &'static str,
    /// `path:line:column`.
    pub(super) place: String,
    /// What is wrong and what was assumed.
    pub(super) message: String,
    /// What to do, or empty.
    pub(super) help: String,
}

impl ProblemRow {
    /// The row of one problem.
    pub(super) fn of(problem: &Problem) -> Self {
        let place = match problem.place {
            Some(place) => format!("{}:{}:{}", problem.path, place.line, place.column),
            None => problem.path.clone(),
        };
        Self {
            severity: problem.severity().word(),
            code: problem.code.word(),
            place,
            message: problem.sentence(),
            help: problem.help.clone().unwrap_or_default(),
        }
    }
}
