//! The answer of a workspace in words: the first lines of the overview, of `check` and of `build`.

use std::fmt::Display;

use crate::analyze::{Against, Analysis, Change, ConfigurationSummary, FlipKind, Side};
use crate::digest::{self, FlipCache};
use crate::discover::names;
use crate::language::{Language, Rate};
use crate::model::{Iteration, Run, Workspace};
use crate::wording::{Facts, changes, configurations, costs, verdict};

const NAMED: usize = 3;

/// The result of the newest iteration with verdicts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The verdict in a word with the gain; or the pass rate if there is nothing to compare with.
    pub verdict: String,
    pub reason: String,
    /// Both sides by name with k/n, the compared checks if not all, and the cost; empty without
    /// anything to compare with.
    pub sides: String,
    /// The limits of the verdict: cases, runs, how often chance does the same, what was left out,
    /// and what could be detected.
    pub caution: String,
}

impl Answer {
    pub fn line(&self, language: &Language) -> String {
        language.sentences([self.verdict.clone(), self.reason.clone()])
    }
}

/// The answer for `workspace`; `None` if no candidate has a verdict.
pub fn answer(workspace: &Workspace, analysis: &Analysis, language: &Language) -> Option<Answer> {
    let words = Facts { workspace, analysis, language };
    let after = analysis.newest_candidate()?;
    let answer = answer_for(words, &after, analysis.lead(&after))?;
    let newer = newer(words).unwrap_or_default();
    Some(Answer { reason: language.sentences([answer.reason, newer]), ..answer })
}

pub(crate) fn newer(words: Facts<'_>) -> Option<String> {
    let last = digest::newer_iteration(words.workspace, words.analysis)?;
    Some(words.fill("overview.newer", &[("iteration", &last.name)]))
}

pub(crate) fn answer_for(words: Facts<'_>, after: &Side, lead: Option<&Change>) -> Option<Answer> {
    let candidate = words.analysis.summary(after)?;
    Some(AnswerWriter { words, after, candidate, lead }.answer())
}

struct AnswerWriter<'a> {
    words: Facts<'a>,
    after: &'a Side,
    candidate: &'a ConfigurationSummary,
    /// The leading comparison; `None` if there is nothing to compare with.
    lead: Option<&'a Change>,
}

impl AnswerWriter<'_> {
    fn answer(&self) -> Answer {
        let Self { words, candidate, .. } = *self;
        let Facts { analysis, language, .. } = words;
        let rate = Rate::new(candidate.tally, language).percent;
        let counts = self.counts(Some(candidate));
        let mut places: Vec<(&str, &dyn Display)> = vec![
            ("iteration", &self.iteration().name),
            ("candidate", &candidate.name),
            ("rate", &rate),
            ("counts", &counts),
        ];
        let Some(change) = self.lead else {
            let why =
                configurations::roles(&analysis.iterations[self.after.iteration].roles, language);
            places.push(("why", &why));
            return self.alone(&places);
        };
        let other_rate = Rate::new(analysis.tally_of(&change.before), language).percent;
        let other_counts = self.counts(analysis.summary(&change.before));
        let name = changes::side_name(words, change, &change.before);
        places.extend([
            ("baseline", &name as &dyn Display),
            ("baseline_rate", &other_rate),
            ("baseline_counts", &other_counts),
        ]);
        let names = [&*candidate.name, &*name];
        let recorded = digest::recorded_costs(self.iteration(), change).map(|benchmark| {
            let file = names::file_name(&benchmark.path);
            let places = [("file", &file as &dyn Display), ("iteration", &self.iteration().name)];
            language.fill("verdict.costs_elsewhere", &places)
        });
        let sides = [
            Some(language.fill("overview.sentence", &places)),
            verdict::means(words, change, names),
            verdict::in_common(words, change, names),
            Some(verdict::differs(words, change)),
            costs::costs(change, language),
            recorded,
            Some(self.others()),
        ];
        let model = analysis.models_of(self.after).map(|models| {
            let key = if models.len() == 1 { "overview.model" } else { "overview.models" };
            let model = models.first().map_or("", |model| model);
            language.fill(key, &[("model", &model), ("n", &models.len())])
        });
        let reason =
            [Some(self.stopped()), Some(verdict::reason(words, change)), self.also(change), model];
        Answer {
            verdict: verdict::headline(words, change),
            reason: language.sentences(reason.into_iter().flatten()),
            sides: language.sentences(sides.into_iter().flatten()),
            caution: self.caution(),
        }
    }

    /// The answer if there is nothing to compare with.
    fn alone(&self, places: &[(&str, &dyn Display)]) -> Answer {
        let (candidate, language) = (self.candidate, self.words.language);
        let tally = candidate.tally;
        let counts = Rate::counts_of(tally);
        let verdict = match tally.ungraded {
            // There is no rate without verdicts.
            _ if tally.pass_rate().is_none() => language.text("overview.nothing_graded").to_owned(),
            0 => language.fill("overview.rate_alone", places),
            n => language.fill("overview.rate_ungraded", &[("counts", &counts), ("n", &n)]),
        };
        let roles = &self.words.analysis.iterations[self.after.iteration].roles;
        let (reason, key) = match &roles.baseline {
            Some(_) => ("overview.ungraded_baseline", "overview.sentence_ungraded"),
            None => ("overview.alone", "overview.sentence_alone"),
        };
        let baseline = roles.baseline.as_deref().unwrap_or_default();
        let reason = language.fill(reason, &[("name", &baseline)]);
        let mean = digest::case_mean(candidate).map_or(String::new(), |mean| {
            language.fill("overview.by_case_alone", &[("mean", &language.percent(mean))])
        });
        Answer {
            verdict,
            reason: language.sentences([reason, self.stopped()]),
            sides: language.sentences([language.fill(key, places), mean, self.others()]),
            caution: self.caution(),
        }
    }

    fn iteration(&self) -> &Iteration {
        &self.words.workspace.iterations[self.after.iteration]
    }

    fn stopped(&self) -> String {
        let cases = self.iteration().cases.iter();
        let runs: Vec<&Run> = cases.flat_map(|case| case.runs_of(&self.candidate.name)).collect();
        let (stopped, total) = (runs.iter().filter(|run| run.error.is_some()).count(), runs.len());
        let runs = self.words.count(total, "run");
        match stopped {
            0 => String::new(),
            n => self.words.fill("overview.stopped", &[("n", &n), ("runs", &runs)]),
        }
    }

    /// The comparison with the baseline, or the regressions since the previous iteration.
    fn also(&self, lead: &Change) -> Option<String> {
        let Facts { workspace, analysis, language } = self.words;
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
        let changes = FlipCache::empty(workspace, analysis).for_change(previous);
        let lost = changes.count(FlipKind::Regressed);
        let (checks, before) = (language.count(lost, "check"), previous.before.iteration);
        let places: [(&str, &dyn Display); 2] =
            [("checks", &checks), ("iteration", &workspace.iterations[before].name)];
        (lost > 0).then(|| language.fill("overview.regressed_since", &places))
    }

    fn others(&self) -> String {
        let Self { words, after, .. } = *self;
        let counted = |summary: &ConfigurationSummary| {
            let counts =
                configurations::counts_and_mean(summary.tally, digest::case_mean(summary), &words);
            words.fill("badge.side", &[("name", &summary.name), ("counts", &counts)])
        };
        let names: Vec<String> = others(words, after, true).map(counted).collect();
        let graded = (!names.is_empty()).then(|| {
            let names = words.first_few(names, NAMED, "list.comma");
            words.fill("overview.others", &[("names", &names)])
        });
        words.sentences(graded.into_iter().chain(without_verdict(words, after)))
    }

    fn counts(&self, summary: Option<&ConfigurationSummary>) -> String {
        let tally = summary.map(|summary| summary.tally).unwrap_or_default();
        let counts = Rate::counts_of(tally);
        match summary.map_or(0, |summary| summary.unjudged) {
            0 => counts,
            n => self.words.fill("rate.unjudged", &[("counts", &counts), ("n", &n)]),
        }
    }

    fn caution(&self) -> String {
        let (candidate, language) = (self.candidate, self.words.language);
        let cases = language.count(candidate.cases, "case");
        let runs = language.count(candidate.runs_per_case, "run");
        let is_single = candidate.runs_per_case <= 1 && self.lead.is_none();
        let key = if is_single { "overview.caution_single" } else { "overview.caution" };
        let mut sentences = vec![language.fill(key, &[("cases", &cases), ("runs", &runs)])];
        // The pass rate if runs and checks without a verdict had failed.
        let (runs, checks) = (candidate.ungraded_runs(), candidate.unjudged);
        if let Some(worst) = candidate.rate_if_failed().filter(|_| runs + checks > 0) {
            let places: [(&str, &dyn Display); 3] = [
                ("candidate", &candidate.name),
                ("unknown", &language.counts([(runs, "run"), (checks, "check")])),
                ("worst", &language.percent(worst)),
            ];
            sentences.push(language.fill("overview.if_failed", &places));
        }
        if let Some(change) = self.lead {
            sentences.extend(verdict::chance(&change.gain, language));
            sentences.extend(verdict::limits(change, language));
            sentences.extend(verdict::omitted(self.words, change));
            sentences.extend(verdict::next_step(change, language));
        }
        language.sentences(sentences)
    }
}

/// The other candidates of the iteration of `after`: those with verdicts, or those without.
fn others<'a>(
    words: Facts<'a>,
    after: &Side,
    is_graded: bool,
) -> impl Iterator<Item = &'a ConfigurationSummary> {
    let candidates = words.analysis.iterations[after.iteration].candidates();
    let is_other = move |summary: &&ConfigurationSummary| summary.name != after.configuration;
    candidates.filter(is_other).filter(move |other| (other.tally.graded() > 0) == is_graded)
}

pub(crate) fn without_verdict(words: Facts<'_>, after: &Side) -> Option<String> {
    let names: Vec<String> = others(words, after, false).map(|other| other.name.clone()).collect();
    (!names.is_empty()).then(|| {
        let names = words.first_few(names, NAMED, "list.comma");
        words.fill("overview.no_verdict", &[("names", &names)])
    })
}
