//! The answer to "is it better?": the verdict with its reason, both sides, and the caution, as the
//! overview, `check`, `build`, the comment and the brief begin with it.

use crate::analyze::{Against, Analysis, Change, ConfigurationSummary, Side};
use crate::digest::{self, FlipCache};
use crate::discover::names;
use crate::language::{DASH, Language, Rate, say};
use crate::model::{Iteration, Workspace};
use crate::wording::bad_news::bad_news;
use crate::wording::headline::{headline, reason};
use crate::wording::{Facts, by_condition, configurations, costs, sides, verdict};

/// Other candidates that are named; the rest are counted.
const NAMED_CANDIDATES: usize = 3;

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
    let facts = Facts { workspace, analysis, language };
    let after = analysis.newest_candidate()?;
    let mut answer = answer_for(facts, &after, analysis.lead(&after))?;
    let newer = newer(facts).unwrap_or_default();
    answer.reason = language.sentences([answer.reason, newer]);
    Some(answer)
}

/// A remark that the last iteration has no verdict yet; `None` if it has.
pub(crate) fn newer(facts: Facts<'_>) -> Option<String> {
    let last = digest::newer_iteration(facts.workspace, facts.analysis)?;
    Some(say!(facts.language, "overview.newer", iteration = last.name))
}

/// The answer for the side `after`, led by the comparison `lead`; `None` without such a side.
pub(crate) fn answer_for(facts: Facts<'_>, after: &Side, lead: Option<&Change>) -> Option<Answer> {
    let candidate = facts.analysis.summary(after)?;
    let writer = AnswerWriter { facts, after, candidate, lead };
    Some(match lead {
        Some(change) => writer.compared(change),
        None => writer.alone(),
    })
}

/// The other candidates in the iteration of `after` that have no verdict; `None` if all have.
pub(crate) fn without_verdict(facts: Facts<'_>, after: &Side) -> Option<String> {
    let ungraded = other_candidates(facts, after).filter(|other| other.tally.graded() == 0);
    let names: Vec<String> = ungraded.map(|other| other.name.clone()).collect();
    if names.is_empty() {
        return None;
    }
    let names = facts.language.first_few(names, NAMED_CANDIDATES, "list.comma");
    Some(say!(facts.language, "overview.no_verdict", names))
}

struct AnswerWriter<'a> {
    facts: Facts<'a>,
    after: &'a Side,
    candidate: &'a ConfigurationSummary,
    /// The leading comparison; `None` if there is nothing to compare with.
    lead: Option<&'a Change>,
}

impl AnswerWriter<'_> {
    fn compared(&self, change: &Change) -> Answer {
        let Self { facts, candidate, .. } = *self;
        let Facts { analysis, language, .. } = facts;
        let baseline = sides::name_in(facts, change, &change.before);
        let names = [&*candidate.name, &*baseline];
        let [rate, baseline_rate] = self.compared_rates(change);

        let mut sides = vec![say!(
            language,
            "overview.sentence",
            iteration = self.iteration().name,
            candidate = candidate.name,
            rate,
            counts = counts(Some(candidate), language),
            baseline,
            baseline_rate,
            baseline_counts = counts(analysis.summary(&change.before), language),
        )];
        sides.extend(verdict::in_common(facts, change, names));
        sides.push(sides::differences(facts, change.sides()));
        sides.extend(costs::costs(change, language));
        // The skill-creator writes times into benchmark.json that no run folder has.
        sides.extend(self.recorded_costs(change));
        sides.push(self.other_candidates());

        let mut reasons = vec![self.stopped(), reason(facts, change)];
        reasons.extend(bad_news(facts, change));
        let under_conditions = by_condition::word(facts, self.after);
        if let Some(sentence) = by_condition::sentence(facts, self.after) {
            reasons = vec![self.stopped(), sentence];
        }
        reasons.extend(self.second_comparison(change));
        reasons.extend(self.models());
        Answer {
            verdict: match under_conditions {
                Some(word) => say!(language, "verdict.headline_alone", word),
                None => headline(facts, change),
            },
            reason: language.sentences(reasons),
            sides: language.sentences(sides),
            caution: self.caution(),
        }
    }

    /// The pass rates of both sides, the candidate first: those that the gain is the difference of.
    fn compared_rates(&self, change: &Change) -> [String; 2] {
        let Facts { analysis, language, .. } = self.facts;
        if let Some(difference) = verdict::rates(&change.gain, language) {
            return [difference.after, difference.before];
        }
        [Some(self.candidate), analysis.summary(&change.before)].map(|summary| {
            let mean = summary.and_then(|summary| summary.by_case);
            mean.map_or(DASH.to_owned(), |mean| language.percent(mean))
        })
    }

    /// The answer if there is nothing to compare with.
    fn alone(&self) -> Answer {
        let (candidate, language) = (self.candidate, self.facts.language);
        let tally = candidate.tally;
        let rate = Rate::over_cases(candidate.by_case, tally, language).percent;
        let verdict = if tally.pass_rate().is_none() {
            language.text("overview.nothing_graded").to_owned()
        } else if tally.ungraded == 0 {
            say!(language, "overview.rate_alone", rate)
        } else {
            // A rate would hide how many checks it leaves out.
            let counts = Rate::counts_of(tally);
            say!(language, "overview.rate_ungraded", counts, n = tally.ungraded)
        };
        let roles = &self.facts.analysis.iterations[self.after.iteration].roles;
        let (reason, key) = match &roles.baseline {
            Some(name) => {
                (say!(language, "overview.ungraded_baseline", name), "overview.sentence_ungraded")
            }
            None => (language.text("overview.alone").to_owned(), "overview.sentence_alone"),
        };
        let mut sides = vec![say!(
            language,
            key,
            iteration = self.iteration().name,
            candidate = candidate.name,
            rate,
            counts = counts(Some(candidate), language),
            why = configurations::roles(roles, language),
        )];
        sides.push(self.other_candidates());
        Answer {
            verdict,
            reason: language.sentences([reason, self.stopped()]),
            sides: language.sentences(sides),
            caution: self.caution(),
        }
    }

    fn iteration(&self) -> &Iteration {
        &self.facts.workspace.iterations[self.after.iteration]
    }

    /// Where costs are recorded if the runs have none.
    fn recorded_costs(&self, change: &Change) -> Option<String> {
        let iteration = self.iteration();
        let benchmark = digest::recorded_costs(iteration, change)?;
        let file = names::file_name(&benchmark.path);
        Some(say!(self.facts.language, "verdict.costs_elsewhere", file, iteration = iteration.name))
    }

    fn models(&self) -> Option<String> {
        let models = self.facts.analysis.models_of(self.after)?;
        // Runs of several models in one iteration are counted together; a single name would hide that.
        let key = if models.len() == 1 { "overview.model" } else { "overview.models" };
        let model = models.first().map_or("", |model| model);
        Some(say!(self.facts.language, key, model, n = models.len()))
    }

    /// The runs of the candidate that ended with an error; empty if none did.
    fn stopped(&self) -> String {
        let language = self.facts.language;
        let cases = self.iteration().cases.iter();
        let (mut stopped, mut total) = (0, 0);
        for run in cases.flat_map(|case| case.runs_of(&self.candidate.name)) {
            total += 1;
            stopped += usize::from(run.error.is_some());
        }
        if stopped == 0 {
            return String::new();
        }
        say!(language, "overview.stopped", n = stopped, runs = language.count(total, "run"))
    }

    /// Beside a comparison with an earlier iteration the one with the baseline, and beside that the
    /// regressions since the previous iteration.
    fn second_comparison(&self, lead: &Change) -> Option<String> {
        let Facts { workspace, analysis, language } = self.facts;
        if !lead.is_within_iteration() {
            let change = analysis.change(&lead.after, Against::Baseline)?;
            let gain = change.gain.paired()?.mean;
            // After a step back the author asks first whether the skill still earns its place.
            let is_ahead = lead.gain.verdict().is_worse() && gain > 0.0;
            let key = if is_ahead { "overview.still_ahead" } else { "overview.on_baseline" };
            let size = verdict::size(change.gain.measure(), gain, language);
            return Some(say!(language, key, baseline = change.before.configuration, gain = size));
        }
        // A version may beat the baseline and still have lost what the version before could do.
        let change = analysis.since_previous(&lead.after)?;
        let flips = FlipCache::empty(workspace, analysis).for_change(change);
        let regressed = flips.regressed().len();
        if regressed == 0 {
            return None;
        }
        Some(say!(
            language,
            "overview.regressed_since",
            checks = language.count(regressed, "check"),
            iteration = workspace.iterations[change.before.iteration].name,
        ))
    }

    fn other_candidates(&self) -> String {
        let Self { facts, after, .. } = *self;
        let language = facts.language;
        let mut graded = Vec::new();
        for other in other_candidates(facts, after).filter(|other| other.tally.graded() > 0) {
            let counts = Rate::over_cases(other.by_case, other.tally, language).whole(language);
            graded.push(say!(language, "badge.side", name = other.name, counts));
        }
        let mut sentences = Vec::new();
        if !graded.is_empty() {
            let names = language.first_few(graded, NAMED_CANDIDATES, "list.comma");
            sentences.push(say!(language, "overview.others", names));
        }
        sentences.extend(without_verdict(facts, after));
        language.sentences(sentences)
    }

    fn caution(&self) -> String {
        let (candidate, language) = (self.candidate, self.facts.language);
        let is_single = candidate.runs_per_case <= 1 && self.lead.is_none();
        let key = if is_single { "overview.caution_single" } else { "overview.caution" };
        let mut sentences = vec![say!(
            language,
            key,
            cases = language.count(candidate.cases, "case"),
            runs = language.count(candidate.runs_per_case, "run"),
        )];
        let (runs, checks) = (candidate.ungraded_runs(), candidate.unjudged);
        // Graders often give up on the runs that went wrong, so what they left out may have failed.
        if let Some(worst) = candidate.rate_if_failed()
            && runs + checks > 0
        {
            sentences.push(say!(
                language,
                "overview.if_failed",
                candidate = candidate.name,
                unknown = language.counts([(runs, "run"), (checks, "check")]),
                worst = language.percent(worst),
            ));
        }
        if let Some(change) = self.lead {
            sentences.extend(verdict::chance(&change.gain, language));
            sentences.extend(verdict::limits(change, language));
            sentences.extend(verdict::omitted(self.facts, change));
            sentences.extend(verdict::next_step(change, language));
        }
        language.sentences(sentences)
    }
}

/// Passed and graded checks, with the number of those without a verdict.
fn counts(summary: Option<&ConfigurationSummary>, language: &Language) -> String {
    let tally = summary.map(|summary| summary.tally).unwrap_or_default();
    let counts = Rate::counts_of(tally);
    match summary.map_or(0, |summary| summary.unjudged) {
        0 => counts,
        n => say!(language, "rate.unjudged", counts, n),
    }
}

/// The other candidates in the iteration of `after`.
fn other_candidates<'a>(
    facts: Facts<'a>,
    after: &Side,
) -> impl Iterator<Item = &'a ConfigurationSummary> {
    let candidates = facts.analysis.iterations[after.iteration].candidates();
    candidates.filter(|summary| summary.name != after.configuration)
}
