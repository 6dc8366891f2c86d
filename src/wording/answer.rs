//! The answer to "is it better?": the verdict with its reason, both sides, and the caution, as the
//! overview, `check`, `build`, the comment and the brief begin with it.

use crate::analyze::{Against, Analysis, Change, ConfigurationSummary, Side};
use crate::budget::FEW_NAMES;
use crate::digest::{self, FlipCache, Trouble};
use crate::language::{Language, Rate, say};
use crate::wording::bad_news::bad_news;
use crate::wording::headline::{headline, reason};
use crate::wording::{
    Answer, Facts, by_condition, changes, configurations, costs, outcomes, sides, states, stopped,
    verdict,
};
use input::discover::names;
use input::model::{Iteration, Workspace};

/// Sentences on other news after the reason: more would push the number out of sight.
const NEWS_SENTENCES: usize = 2;

impl Answer {
    /// The answer for `workspace`, whatever it has: without a comparison, what there is instead.
    pub fn new(workspace: &Workspace, analysis: &Analysis, language: &Language) -> Self {
        let facts = Facts { workspace, analysis, language };
        let Some(after) = analysis.newest_candidate() else {
            return states::without_verdicts(facts);
        };
        let mut answer = answer_for(facts, &after, analysis.lead(&after)).unwrap_or_default();
        let newer = newer(facts).unwrap_or_default();
        answer.reason = language.sentences([answer.reason, newer]);
        answer
    }

    pub fn line(&self, language: &Language) -> String {
        language.sentences([self.verdict.clone(), self.reason.clone()])
    }
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
    let names = facts.language.first_few(names, FEW_NAMES, "list.comma");
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
        let language = facts.language;
        let baseline = sides::name_in(facts, change, &change.before);
        let names = [&*candidate.name, &*baseline];
        let [rate, baseline_rate] =
            verdict::compared_rates(facts, change).map(|rate| rate.whole(language));
        let mut sides = vec![say!(
            language,
            "overview.sentence",
            iteration = self.iteration().name,
            candidate = candidate.name,
            rate,
            baseline,
            baseline_rate,
        )];
        sides.extend(verdict::all_checks(facts, change, names));
        sides.push(sides::differences(facts, change.sides()));
        sides.extend(self.models());
        sides.extend(costs::costs(change, language));
        // The skill-creator writes times into benchmark.json that no run folder has.
        sides.extend(self.recorded_costs(change));
        sides.push(self.other_candidates());
        let word = match by_condition::word(facts, self.after) {
            Some(word) => say!(language, "verdict.headline_alone", word),
            None => headline(facts, change),
        };
        Answer {
            verdict: word,
            reason: language.sentences(self.reasons(change)),
            sides: language.sentences(sides),
            caution: self.caution(),
        }
    }

    /// The first that applies: trouble in the runs, all conditions of the round, the verdict. Then
    /// the worst news besides.
    fn reasons(&self, change: &Change) -> Vec<String> {
        let Self { facts, after, .. } = *self;
        if let Some(sentence) = by_condition::sentence(facts, after) {
            let mut reasons: Vec<String> = self.graded_before().into_iter().collect();
            reasons.extend(self.reading_runs(Some(change)));
            reasons.extend(self.trouble(Some(change)));
            reasons.push(sentence);
            reasons.extend(by_condition::regressed_since(facts, after));
            reasons.extend(outcomes::losses(facts, after));
            return reasons;
        }
        let mut reasons: Vec<String> = self.graded_before().into_iter().collect();
        reasons.extend(self.reading_runs(Some(change)));
        reasons.push(self.trouble(Some(change)).unwrap_or_else(|| reason(facts, change)));
        let mut news = outcomes::losses(facts, after);
        news.extend(verdict::not_run(facts, after.iteration));
        news.extend(self.other_not_run(change));
        news.extend(self.one_sided(change));
        news.extend(self.partial_rerun());
        news.extend(self.second_comparison(change));
        news.extend(bad_news(facts, change));
        // The word itself says what is missing.
        if change.gain.undecided().is_none() {
            news.extend(self.missing_verdicts());
        }
        news.extend(self.better_candidate(change));
        if change.gain.paired().is_none() {
            news.extend(states::earlier_comparison(facts, after));
        }
        reasons.extend(news.into_iter().take(NEWS_SENTENCES));
        reasons
    }

    fn trouble(&self, lead: Option<&Change>) -> Option<String> {
        let Facts { workspace, analysis, language } = self.facts;
        let count = |runs| language.count(runs, "run");
        Some(match digest::trouble(workspace, analysis, self.after, lead)? {
            Trouble::Stopped(stopped) => stopped::sentence(self.facts, lead, &stopped),
            Trouble::NoAnswer { side, runs: n, total } => {
                let (name, runs) = (&side.configuration, count(total));
                let key =
                    if n == total { "overview.no_answer_at_all" } else { "overview.no_answer" };
                say!(language, key, n, runs, name)
            }
            Trouble::NotLoaded { runs: n, total, others: Some(means) } => {
                let [before, after] = means.map(|mean| language.percent(mean));
                let before_side = lead.map_or("", |lead| &lead.before.configuration);
                let runs = count(total);
                say!(language, "overview.not_loaded_others", n, runs, before, after, before_side)
            }
            Trouble::NotLoaded { runs: n, total, others: None } => {
                let key = if n == total { "overview.never_loaded" } else { "overview.not_loaded" };
                say!(language, key, n, runs = count(total))
            }
        })
    }

    /// The runs of each side that saw what their result depends on. Whoever reads the checks passes them,
    /// so this comes before everything that follows from the result.
    fn reading_runs(&self, lead: Option<&Change>) -> Vec<String> {
        let Facts { workspace, language, .. } = self.facts;
        let mut sentences = Vec::new();
        for found in digest::reading_runs(workspace, self.after, lead) {
            let key = match (found.read_checks, found.runs == found.total) {
                (true, true) => "overview.answers_always_read",
                (true, false) => "overview.answers_read",
                (false, true) => "overview.outputs_always_read",
                (false, false) => "overview.outputs_read",
            };
            let runs = language.count(found.total, "run");
            let side = lead.filter(|lead| !lead.is_within_iteration());
            let side = side.map(|lead| sides::name_in(self.facts, lead, &found.side));
            let side = side.unwrap_or_else(|| found.side.configuration.clone());
            sentences.push(say!(language, key, n = found.runs, runs, side));
        }
        sentences
    }

    /// The runs of the candidate without a verdict, else its checks without one.
    fn missing_verdicts(&self) -> Option<String> {
        let language = self.facts.language;
        let ConfigurationSummary { name, runs, unjudged, .. } = self.candidate;
        // Runs that stopped have a sentence already.
        let runs_of_side = self.iteration().runs().filter(|run| run.configuration == *name);
        let n = runs_of_side.filter(|run| !run.is_graded() && run.error.is_none()).count();
        if n > 0 {
            let runs = language.count(*runs, "run");
            return Some(say!(language, "overview.missing", n, runs, candidate = name));
        }
        if *unjudged == 0 {
            return None;
        }
        let checks = language.count(*unjudged, "check");
        Some(say!(language, "overview.missing_checks", checks, candidate = name))
    }

    /// That the newest rounds have the gradings of an earlier one.
    fn graded_before(&self) -> Option<String> {
        let Facts { workspace, language, .. } = self.facts;
        let original = digest::graded_before(workspace, self.iteration())?;
        let rounds = workspace.iterations[..=self.after.iteration].iter();
        let copies = rounds.filter(|round| {
            let found = digest::graded_before(workspace, round);
            found.is_some_and(|found| found.path == original.path)
        });
        let names: Vec<String> = copies.map(|round| round.name.clone()).collect();
        let iterations = language.first_few(names, FEW_NAMES, "list.and");
        Some(say!(language, "overview.graded_before", iterations, original = original.name))
    }

    /// The cases that one of the compared sides did not run: a case that was forgotten looks like one
    /// that counts.
    fn one_sided(&self, change: &Change) -> Vec<String> {
        let Facts { workspace, language, .. } = self.facts;
        let mut sentences = Vec::new();
        for (side, cases) in digest::one_sided(workspace, change) {
            if !cases.is_empty() {
                let names = cases.into_iter().map(str::to_owned).collect();
                let names = language.first_few(names, FEW_NAMES, "list.comma");
                sentences.push(say!(language, "overview.one_sided", names, side));
            }
        }
        sentences
    }

    /// That only a few cases of the iteration before were run again: the verdict is about these.
    fn partial_rerun(&self) -> Option<String> {
        let Facts { workspace, analysis, language } = self.facts;
        let before = &analysis.since_previous(self.after)?.before;
        let earlier = analysis.summary(before)?.cases;
        let n = self.candidate.cases;
        if n * 2 > earlier {
            return None;
        }
        let iteration = &workspace.iterations[before.iteration].name;
        let cases = language.count(earlier, "case");
        Some(say!(language, "overview.partial_rerun", n, cases, iteration))
    }

    /// The baseline of the iteration that `lead` compares with, if the newer iteration did not run it.
    fn other_not_run(&self, lead: &Change) -> Option<String> {
        let Facts { workspace, analysis, language } = self.facts;
        if lead.is_within_iteration() || analysis.opposite(self.after).is_some() {
            return None;
        }
        let other = analysis.opposite(&lead.before)?;
        let rate = language.percent(analysis.summary(&other)?.by_case?);
        Some(say!(
            language,
            "overview.other_not_run",
            name = other.configuration,
            iteration = self.iteration().name,
            rate,
            earlier = workspace.iterations[other.iteration].name,
        ))
    }

    /// Another candidate that gained more on the same baseline: roles choose who leads, not results.
    fn better_candidate(&self, lead: &Change) -> Option<String> {
        let Facts { analysis, language, .. } = self.facts;
        let own = lead.gain.shown()?;
        let mut best: Option<(&Change, f64)> = None;
        for change in analysis.changes_in(lead.after.iteration) {
            let Some(paired) = change.gain.shown() else { continue };
            // A larger gain on fewer cases may be that of the easier ones.
            let is_rival = change.before == lead.before && paired.cases >= own.cases;
            let most = best.map_or(own.mean, |(_, mean)| mean);
            let measure = change.gain.measure();
            if is_rival && measure.direction(paired.mean - most).is_gt() {
                best = Some((change, paired.mean));
            }
        }
        let (change, mean) = best?;
        let gain = verdict::size(change.gain.measure(), mean, language);
        Some(say!(language, "overview.did_better", name = change.after.configuration, gain))
    }

    /// The answer if there is nothing to compare with.
    fn alone(&self) -> Answer {
        let (facts, candidate) = (self.facts, self.candidate);
        let language = facts.language;
        let tally = candidate.tally;
        let rate = Rate::over_cases(candidate.by_case, tally, language);
        let mut verdict = if tally.pass_rate().is_none() {
            language.text("state.not_graded").to_owned()
        } else if tally.ungraded == 0 {
            let key =
                if rate.is_mean { "overview.rate_alone_by_case" } else { "overview.rate_alone" };
            say!(language, key, rate = rate.percent)
        } else {
            // A rate would hide how many checks it leaves out.
            let counts = Rate::counts_of(tally);
            say!(language, "overview.rate_ungraded", counts, n = tally.ungraded)
        };
        let roles = &facts.analysis.iterations[self.after.iteration].roles;
        let (mut reason, key) = match &roles.baseline {
            Some(name) => {
                (say!(language, "overview.ungraded_baseline", name), "overview.sentence_ungraded")
            }
            None => (language.text("overview.alone").to_owned(), "overview.sentence_alone"),
        };
        if let Some((question, sides)) = states::which_baseline(facts, self.after) {
            (verdict, reason) = (question, sides);
        }
        let mut reasons = self.reading_runs(None);
        reasons.extend(self.trouble(None));
        reasons.push(reason);
        reasons.extend(verdict::not_run(facts, self.after.iteration));
        reasons.extend(states::earlier_comparison(facts, self.after));
        let mut sides = Vec::new();
        if tally.pass_rate().is_some() {
            sides.push(say!(
                language,
                key,
                iteration = self.iteration().name,
                candidate = candidate.name,
                rate = self.with_unjudged(rate.whole(language)),
                why = configurations::roles(roles, language),
            ));
        }
        sides.extend(self.models());
        sides.push(self.other_candidates());
        Answer {
            verdict,
            reason: language.sentences(reasons),
            sides: language.sentences(sides),
            caution: self.caution(),
        }
    }

    /// `counts` with the number of checks without a verdict.
    fn with_unjudged(&self, counts: String) -> String {
        match self.candidate.unjudged {
            0 => counts,
            n => say!(self.facts.language, "rate.unjudged", counts, n),
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

    /// Beside a comparison with an earlier iteration the one with the baseline, and beside that the
    /// regressions since the previous iteration.
    fn second_comparison(&self, lead: &Change) -> Option<String> {
        let Facts { workspace, analysis, language } = self.facts;
        if !lead.is_within_iteration() {
            let change = analysis.change(&lead.after, Against::Baseline)?;
            let gain = change.gain.shown()?.mean;
            // After a step back the author asks first whether the skill still earns its place.
            let measure = change.gain.measure();
            let is_ahead = lead.gain.verdict().is_worse() && measure.direction(gain).is_gt();
            let key = if is_ahead { "overview.still_ahead" } else { "overview.on_baseline" };
            let size = verdict::size(measure, gain, language);
            return Some(say!(language, key, baseline = change.before.configuration, gain = size));
        }
        // A version may beat the baseline and still have lost what the version before could do.
        let change = analysis.since_previous(&lead.after)?;
        let changes = FlipCache::empty(workspace, analysis).for_change(change);
        changes::rerun(self.facts, &changes).or_else(|| changes::regressed(self.facts, &changes))
    }

    fn other_candidates(&self) -> String {
        let Self { facts, after, .. } = *self;
        let language = facts.language;
        let mut graded = Vec::new();
        let baselines = &facts.analysis.iterations[after.iteration].roles.own_baselines;
        for other in other_candidates(facts, after).filter(|other| other.tally.graded() > 0) {
            // The baseline of a condition is listed among the candidates of its iteration.
            if baselines.values().any(|baseline| *baseline == other.name) {
                continue;
            }
            let counts = Rate::over_cases(other.by_case, other.tally, language).whole(language);
            graded.push(say!(language, "badge.side", name = other.name, counts));
        }
        let mut sentences = Vec::new();
        if !graded.is_empty() {
            let names = language.first_few(graded, FEW_NAMES, "list.comma");
            sentences.push(say!(language, "overview.others", names));
        }
        sentences.extend(without_verdict(facts, after));
        language.sentences(sentences)
    }

    fn caution(&self) -> String {
        let (candidate, language) = (self.candidate, self.facts.language);
        let cases = language.count(candidate.cases, "case");
        let mut sentences = Vec::new();
        if candidate.runs_per_case > 1 {
            let runs = language.count(candidate.runs_per_case, "run");
            sentences.push(say!(language, "overview.caution", cases, runs));
        } else if self.lead.is_none() {
            sentences.push(say!(language, "overview.caution_single", cases));
        }
        let (runs, checks) = (candidate.ungraded_runs(), candidate.unjudged);
        // Graders often give up on the runs that went wrong, so what they left out may have failed.
        if let Some(worst) = candidate.by_case_if_failed
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
            sentences.extend(verdict::cases_by_direction(&change.gain, language));
            sentences.extend(verdict::limits(change, language));
            sentences.extend(verdict::omitted(self.facts, change));
            sentences.extend(verdict::next_step(self.facts, change));
        }
        language.sentences(sentences)
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
