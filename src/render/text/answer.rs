//! The answer of a workspace in words: the first of the overview, of `check` and of `build`.

use std::fmt::Display;

use crate::analyze::{Against, Analysis, Change, ConfigurationSummary, FlipKind, Roles, Side};
use crate::digest::{self, FlipCache, Headline};
use crate::discover::names;
use crate::language::Language;
use crate::model::Workspace;
use crate::render::context::{Rate, view};
use crate::render::text::{change, costs, verdict};

const NAMED: usize = 3;

/// What the newest iteration with verdicts says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The verdict in a word with the gain; without anything to compare with, the pass rate.
    pub verdict: String,
    pub reason: String,
    /// Both sides named with k/n, the checks that are compared where those are not all, and the
    /// cost; empty without anything to compare with.
    pub sides: String,
    /// What keeps the verdict from being more: cases, runs, how often chance does the same, what was
    /// left out and what could be seen.
    pub caution: String,
}

impl Answer {
    pub fn line(&self, language: &Language) -> String {
        language.sentences([self.verdict.clone(), self.reason.clone()])
    }
}

/// The answer of `workspace`; `None` when no candidate has a verdict.
pub fn answer(workspace: &Workspace, analysis: &Analysis, language: &Language) -> Option<Answer> {
    let after = analysis.newest_candidate()?;
    let found = answer_of(workspace, analysis, &after, analysis.lead(&after), language)?;
    let newer = newer(workspace, analysis, language).unwrap_or_default();
    Some(Answer { reason: language.sentences([found.reason, newer]), ..found })
}

pub(crate) fn newer(
    workspace: &Workspace,
    analysis: &Analysis,
    language: &Language,
) -> Option<String> {
    let last = digest::newer_iteration(workspace, analysis)?;
    Some(language.fill("overview.newer", &[("iteration", &last.name)]))
}

pub(crate) fn answer_of(
    workspace: &Workspace,
    analysis: &Analysis,
    after: &Side,
    lead: Option<&Change>,
    language: &Language,
) -> Option<Answer> {
    let headline = Headline::new(workspace, analysis, after, lead)?;
    let candidate = headline.candidate;
    let rate = Rate::new(candidate.tally, language).percent;
    let counts = counts(Some(candidate), language);
    let mut places: Vec<(&str, &dyn Display)> = vec![
        ("iteration", &headline.iteration.name),
        ("candidate", &candidate.name),
        ("rate", &rate),
        ("counts", &counts),
    ];
    let Some(change) = headline.lead else {
        let roles = &analysis.iterations[after.iteration].roles;
        let why = view::roles(roles, language);
        places.push(("why", &why));
        let caution = caution(&headline, analysis, language);
        return Some(Answer { caution, ..alone(&headline, roles, &places, language) });
    };
    let other_rate = Rate::new(analysis.tally_of(&change.before), language).percent;
    let other_counts = self::counts(analysis.summary(&change.before), language);
    let name = change::side_of(workspace, change, &change.before, language);
    places.extend([
        ("baseline", &name as &dyn Display),
        ("baseline_rate", &other_rate),
        ("baseline_counts", &other_counts),
    ]);
    let names = [&*candidate.name, &*name];
    let sides = [
        Some(language.fill("overview.sentence", &places)),
        verdict::means(change, names, analysis, language),
        verdict::in_common(change, names, analysis, language),
        Some(verdict::differs(analysis, change, language)),
        costs::costs(change, language),
        recorded_costs(&headline, language),
        Some(others(&headline, language)),
    ];
    let reason = [
        stopped(&headline, language),
        verdict::reason(workspace, change, language),
        also(workspace, analysis, change, language).unwrap_or_default(),
        model(analysis, after, language).unwrap_or_default(),
    ];
    Some(Answer {
        verdict: verdict::headline(workspace, change, language),
        reason: language.sentences(reason),
        sides: language.sentences(sides.into_iter().flatten()),
        caution: caution(&headline, analysis, language),
    })
}

/// The answer where there is nothing to compare with, without its caution.
fn alone(
    headline: &Headline<'_>,
    roles: &Roles,
    places: &[(&str, &dyn Display)],
    language: &Language,
) -> Answer {
    let tally = headline.candidate.tally;
    let counts = Rate::counts_of(tally);
    let verdict = match tally.ungraded {
        // A rate of no verdicts is none.
        _ if tally.pass_rate().is_none() => language.text("overview.nothing_graded").to_owned(),
        0 => language.fill("overview.rate_alone", places),
        n => language.fill("overview.rate_ungraded", &[("counts", &counts), ("n", &n)]),
    };
    let (reason, key) = match &roles.baseline {
        Some(name) => (
            language.fill("overview.ungraded_baseline", &[("name", name)]),
            "overview.sentence_ungraded",
        ),
        None => (language.text("overview.alone").to_owned(), "overview.sentence_alone"),
    };
    let mean = digest::case_mean(headline.candidate).map_or(String::new(), |mean| {
        language.fill("overview.by_case_alone", &[("mean", &language.percent(mean))])
    });
    let sides = [language.fill(key, places), mean, others(headline, language)];
    Answer {
        verdict,
        reason: language.sentences([reason, stopped(headline, language)]),
        sides: language.sentences(sides),
        caution: String::new(),
    }
}

fn stopped(headline: &Headline<'_>, language: &Language) -> String {
    let (errors, runs) = headline.errors;
    let runs = language.count(runs, "run");
    match errors {
        0 => String::new(),
        n => language.fill("overview.stopped", &[("n", &n), ("runs", &runs)]),
    }
}

/// Where it stands against the baseline, or what regressed since the iteration before.
fn also(
    workspace: &Workspace,
    analysis: &Analysis,
    lead: &Change,
    language: &Language,
) -> Option<String> {
    if !lead.is_within_iteration() {
        let baseline = analysis.change(&lead.after, Against::Baseline)?;
        let gain = baseline.gain.paired?.mean;
        let size = verdict::size(baseline.gain.measure(), gain, language);
        let places: [(&str, &dyn Display); 2] =
            [("baseline", &baseline.before.configuration), ("gain", &size)];
        let is_ahead = lead.gain.verdict().is_worse() && gain > 0.0;
        let key = if is_ahead { "overview.still_ahead" } else { "overview.on_baseline" };
        return Some(language.fill(key, &places));
    }
    let previous = analysis.change(&lead.after, Against::Previous)?;
    let changes = FlipCache::empty(workspace, analysis).of_change(previous);
    let lost = changes.number(FlipKind::Regressed);
    let (checks, before) = (language.count(lost, "check"), previous.before.iteration);
    let places: [(&str, &dyn Display); 2] =
        [("checks", &checks), ("iteration", &workspace.iterations[before].name)];
    (lost > 0).then(|| language.fill("overview.regressed_since", &places))
}

fn model(analysis: &Analysis, after: &Side, language: &Language) -> Option<String> {
    let models = analysis.models_of(after)?;
    Some(match models.first() {
        Some(model) if models.len() == 1 => language.fill("overview.model", &[("model", model)]),
        _ => language.fill("overview.models", &[("n", &models.len())]),
    })
}

fn recorded_costs(headline: &Headline<'_>, language: &Language) -> Option<String> {
    let file = names::file_name(&headline.recorded_costs?.path);
    let iteration = &headline.iteration.name;
    Some(language.fill("verdict.costs_elsewhere", &[("file", &file), ("iteration", iteration)]))
}

fn others(headline: &Headline<'_>, language: &Language) -> String {
    let counted = |summary: &&ConfigurationSummary| {
        let counts = view::counts_and_mean(summary.tally, digest::case_mean(summary), language);
        language.fill("badge.side", &[("name", &summary.name), ("counts", &counts)])
    };
    let names = headline.others.iter().map(counted).collect();
    let names = language.first_few(names, NAMED, "list.comma");
    let mut sentences = Vec::from_iter(without_verdict(&headline.ungraded, language));
    if !headline.others.is_empty() {
        sentences.insert(0, language.fill("overview.others", &[("names", &names)]));
    }
    language.sentences(sentences)
}

pub(crate) fn without_verdict(of: &[&ConfigurationSummary], words: &Language) -> Option<String> {
    let names = of.iter().map(|ungraded| ungraded.name.clone()).collect();
    let names = words.first_few(names, NAMED, "list.comma");
    (!of.is_empty()).then(|| words.fill("overview.no_verdict", &[("names", &names)]))
}

fn counts(summary: Option<&ConfigurationSummary>, language: &Language) -> String {
    let tally = summary.map(|summary| summary.tally).unwrap_or_default();
    let counts = Rate::new(tally, language).counts;
    match summary.map_or(0, |summary| summary.unjudged) {
        0 => counts,
        number => language.fill("rate.unjudged", &[("counts", &counts), ("n", &number)]),
    }
}

fn caution(headline: &Headline<'_>, analysis: &Analysis, language: &Language) -> String {
    let candidate = headline.candidate;
    let cases = language.count(candidate.cases, "case");
    let runs = language.count(candidate.runs_per_case, "run");
    let is_single = candidate.runs_per_case <= 1 && headline.lead.is_none();
    let key = if is_single { "overview.caution_single" } else { "overview.caution" };
    let mut sentences = vec![language.fill(key, &[("cases", &cases), ("runs", &runs)])];
    // What the pass rate would be if the runs and checks without a verdict had failed.
    let (runs, checks) = (candidate.ungraded_runs(), candidate.unjudged);
    if let Some(worst) = candidate.rate_if_failed().filter(|_| runs + checks > 0) {
        let places: [(&str, &dyn Display); 3] = [
            ("candidate", &candidate.name),
            ("unknown", &language.counts([(runs, "run"), (checks, "check")])),
            ("worst", &language.percent(worst)),
        ];
        sentences.push(language.fill("overview.if_failed", &places));
    }
    if let Some(change) = headline.lead {
        sentences.extend(verdict::chance(&change.gain, language));
        sentences.extend(verdict::limits(change, language));
        sentences.extend(verdict::omitted(change, &analysis.lines, language));
        sentences.extend(verdict::next_step(change, language));
    }
    language.sentences(sentences)
}
