//! The first sentences about a result: the verdict in a word with its number, the reason for it,
//! and what follows from it.
//!
//! The overview, `check`, `build`, the comment and the brief begin with them. What the verdict
//! rests on is in [`verdict`](crate::wording::verdict).

use crate::analyze::{
    Against, Analysis, Change, ClaimScope, ConfigurationSummary, FlipKind, Gain, Side, Verdict,
};
use crate::digest::{self, FlipCache};
use crate::discover::names;
use crate::language::{Language, Rate, say};
use crate::model::{Iteration, Workspace};
use crate::statistics::PairedGain;
use crate::text::{self, cut_line};
use crate::wording::{Facts, configurations, costs, sides, verdict};

/// Characters of a name in the first sentences.
const NAME_LENGTH: usize = 60;

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

/// The verdict with the gain: `Better · +24 points.`
pub(crate) fn headline(facts: Facts<'_>, change: &Change) -> String {
    let language = facts.language;
    let gain = &change.gain;
    let word = word(facts, change);
    let Some(paired) = gain.paired() else {
        return say!(language, "verdict.headline_alone", word);
    };
    let is_equal = gain.verdict() == Verdict::AboutTheSame(ClaimScope::TheseCases);
    let size = if is_equal && gain.is_saturated() {
        // Neither side could have been better, so the level says more than a gain of 0.
        say!(language, "verdict.both", rate = language.percent(1.0))
    } else {
        verdict::size(gain.measure(), paired.mean, language)
    };
    say!(language, "verdict.headline", word, size)
}

pub(crate) fn sentences(facts: Facts<'_>, change: &Change) -> String {
    facts.language.sentences([headline(facts, change), reason(facts, change)])
}

/// The verdict in a word; the other side is named if it is from another iteration.
pub(crate) fn word(facts: Facts<'_>, change: &Change) -> String {
    let [alone, named] = word_keys(change.gain.verdict());
    if change.is_within_iteration() {
        return facts.language.text(alone).to_owned();
    }
    let other = &facts.workspace.iterations[change.before.iteration].name;
    say!(facts.language, named, other = cut_line(other, NAME_LENGTH))
}

/// Like [`word`], but only good and bad news name the other iteration.
pub(crate) fn short_word(facts: Facts<'_>, change: &Change) -> String {
    match sign(change.gain.verdict()) {
        // "Unclear vs iteration-2" reads as if something had been found out about that iteration.
        "▲" | "▼" => word(facts, change),
        _ => facts.language.text(word_key(change.gain.verdict())).to_owned(),
    }
}

/// The key of the verdict's word.
pub(crate) fn word_key(verdict: Verdict) -> &'static str {
    word_keys(verdict)[0]
}

/// The keys of the verdict's word, alone and with the name of the other side.
fn word_keys(verdict: Verdict) -> [&'static str; 2] {
    match verdict {
        Verdict::NoComparison => ["verdict.no_comparison"; 2],
        Verdict::Better(_) => ["verdict.better", "verdict.better_than"],
        Verdict::Worse(_) => ["verdict.worse", "verdict.worse_than"],
        Verdict::ProbablyBetter => ["verdict.probably_better", "verdict.probably_better_than"],
        Verdict::ProbablyWorse => ["verdict.probably_worse", "verdict.probably_worse_than"],
        Verdict::AboutTheSame(_) => ["verdict.about_the_same", "verdict.about_the_same_than"],
        Verdict::Unclear => ["verdict.unclear", "verdict.unclear_than"],
    }
}

pub(crate) fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better(_) | Verdict::ProbablyBetter => "▲",
        Verdict::Worse(_) | Verdict::ProbablyWorse => "▼",
        Verdict::AboutTheSame(_) => "=",
        Verdict::Unclear | Verdict::NoComparison => "",
    }
}

/// `▲ +24`, or the gain alone if the verdict has no direction; `None` without a gain.
pub(crate) fn short(change: &Change) -> Option<String> {
    let gain = &change.gain;
    let number = verdict::number(gain.measure(), gain.paired()?.mean);
    Some(format!("{} {number}", sign(gain.verdict())).trim_start().to_owned())
}

/// The reason for the verdict, in sentences that name both sides.
pub(crate) fn reason(facts: Facts<'_>, change: &Change) -> String {
    let language = facts.language;
    let gain = &change.gain;
    let Some(paired) = gain.paired() else {
        return language.text(no_comparison_key(gain)).to_owned();
    };
    let [before, after] = [&change.before, &change.after].map(|side| {
        let name = if change.is_within_iteration() {
            &side.configuration
        } else {
            &facts.workspace.iterations[side.iteration].name
        };
        cut_line(name, NAME_LENGTH)
    });

    let mut sentences = Vec::new();
    let mut key = checks_key(gain, &paired);
    if let Some(means) = gain.scores()
        && let Some(score_key) = score_key(gain.verdict())
    {
        sentences.push(score_means(means, [&before, &after], language));
        key = score_key;
    }
    let interval = digest::interval(gain);
    sentences.push(say!(
        language,
        key,
        a = after,
        b = before,
        cases = language.count(paired.cases, "case"),
        better = paired.better,
        worse = paired.worse,
        ahead = if paired.mean > 0.0 { paired.better } else { paired.worse },
        low = verdict::number(gain.measure(), interval.map_or(0.0, |range| range.low)),
        high = verdict::number(gain.measure(), interval.map_or(0.0, |range| range.high)),
    ));
    // Only a settled verdict says how rare its gap is: readers take "1 time in 4" for a result.
    if let Some(p) = gain.settled_p() {
        let n = text::tokens(verdict::two_digits((1.0 / p.max(1e-9)).floor()));
        sentences.push(say!(language, "verdict.rare", n));
    }
    language.sentences(sentences)
}

/// Why two sides with runs cannot be compared.
fn no_comparison_key(gain: &Gain) -> &'static str {
    if !gain.unlike.is_empty() {
        "verdict.why_unlike"
    } else if !gain.negative.is_empty() {
        "verdict.why_negative"
    } else {
        "verdict.why_nothing"
    }
}

/// The sentence on checks.
fn checks_key(gain: &Gain, paired: &PairedGain) -> &'static str {
    let is_one_way = paired.better.min(paired.worse) == 0;
    match gain.verdict() {
        Verdict::NoComparison => "verdict.why_nothing",
        Verdict::Better(ClaimScope::CasesLikeThese) => "verdict.why_better",
        Verdict::Better(_) => "verdict.why_better_here",
        Verdict::Worse(ClaimScope::CasesLikeThese) => "verdict.why_worse",
        Verdict::Worse(_) => "verdict.why_worse_here",
        Verdict::ProbablyBetter if is_one_way => "verdict.why_probably_better",
        Verdict::ProbablyWorse if is_one_way => "verdict.why_probably_worse",
        Verdict::ProbablyBetter | Verdict::ProbablyWorse => "verdict.why_mixed",
        Verdict::AboutTheSame(ClaimScope::CasesLikeThese) => "verdict.why_near",
        Verdict::AboutTheSame(_) if gain.is_saturated() => "verdict.why_easy",
        Verdict::AboutTheSame(_) => "verdict.why_same",
        Verdict::Unclear if paired.cases == 1 => "verdict.why_one_case",
        Verdict::Unclear if paired.cases >= gain.cases_to_settle() => "verdict.why_wide",
        Verdict::Unclear if !is_one_way => "verdict.why_few",
        Verdict::Unclear if paired.mean > 0.0 => "verdict.why_few_better",
        Verdict::Unclear => "verdict.why_few_worse",
    }
}

/// The sentence after the mean scores; `None` if one about checks follows.
fn score_key(verdict: Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Better(ClaimScope::TheseCases) => Some("verdict.score_ahead_here"),
        Verdict::Worse(ClaimScope::TheseCases) => Some("verdict.score_behind_here"),
        Verdict::Better(_) | Verdict::ProbablyBetter => Some("verdict.score_ahead"),
        Verdict::Worse(_) | Verdict::ProbablyWorse => Some("verdict.score_behind"),
        Verdict::Unclear | Verdict::AboutTheSame(ClaimScope::CasesLikeThese) => {
            Some("verdict.score_range")
        }
        Verdict::NoComparison | Verdict::AboutTheSame(_) => None,
    }
}

fn score_means(means: [f64; 2], [before, after]: [&str; 2], language: &Language) -> String {
    // Two means that differ should not look equal.
    let decimals = if (means[1] - means[0]).abs() < 0.1 { 2 } else { 1 };
    let [mean_before, mean_after] = means.map(|mean| text::fixed(mean, decimals));
    say!(
        language,
        "verdict.score_means",
        a = after,
        b = before,
        after = mean_after,
        before = mean_before,
    )
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

        let mut sides = vec![say!(
            language,
            "overview.sentence",
            iteration = self.iteration().name,
            candidate = candidate.name,
            rate = Rate::new(candidate.tally, language).percent,
            counts = counts(Some(candidate), language),
            baseline,
            baseline_rate = Rate::new(analysis.tally_of(&change.before), language).percent,
            baseline_counts = counts(analysis.summary(&change.before), language),
        )];
        sides.extend(verdict::means(facts, change, names));
        sides.extend(verdict::in_common(facts, change, names));
        sides.push(sides::differences(facts, change.sides()));
        sides.extend(costs::costs(change, language));
        // The skill-creator writes times into benchmark.json that no run folder has.
        sides.extend(self.recorded_costs(change));
        sides.push(self.other_candidates());

        let mut reasons = vec![self.stopped(), reason(facts, change)];
        reasons.extend(self.second_comparison(change));
        reasons.extend(self.models());
        Answer {
            verdict: headline(facts, change),
            reason: language.sentences(reasons),
            sides: language.sentences(sides),
            caution: self.caution(),
        }
    }

    /// The answer if there is nothing to compare with.
    fn alone(&self) -> Answer {
        let (candidate, language) = (self.candidate, self.facts.language);
        let tally = candidate.tally;
        let rate = Rate::new(tally, language).percent;
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
        if let Some(mean) = digest::case_mean(candidate) {
            sides.push(say!(language, "overview.by_case_alone", mean = language.percent(mean)));
        }
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
        let change = analysis.change(&lead.after, Against::Previous)?;
        let flips = FlipCache::empty(workspace, analysis).for_change(change);
        let regressed = flips.count(FlipKind::Regressed);
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
            let mean = digest::case_mean(other);
            let counts = configurations::counts_and_mean(other.tally, mean, language);
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
