//! The answer to "is it better?": the verdict with its reason, both sides, and the caution, as the
//! overview, `check`, `build`, the comment and the brief begin with it.

use crate::analyze::{Change, ConfigurationSummary, Roles, Side, Verdict};
use crate::budget::FEW_NAMES;
use crate::digest::news::headline::{Headline, WorstCondition};
use crate::digest::news::{self, Finding, HeadlineChoice, led_by};
use crate::digest::{self, Comparisons, Questions};
use crate::language::{Language, Rate, say};
use crate::wording::headline::{headline, reason, short_word, sign, sign_of};
use crate::wording::news::first_screen;
use crate::wording::{
    Answer, Facts, by_condition, configurations, costs, measured, sides, states, verdict,
};
use input::model::{Iteration, UNNAMED};
use input::names;
use text::cut_line;

/// Characters of a name in the first sentence.
const NAME: usize = 60;

impl Answer {
    /// The answer for a workspace, whatever it has: without a comparison, what there is instead.
    pub(crate) fn new(cache: &Comparisons<'_>, language: &Language) -> Self {
        let Comparisons { workspace, analysis, .. } = *cache;
        match analysis.newest_candidate() {
            Some(after) => {
                answer_for(cache, language, &after, analysis.lead(&after)).unwrap_or_default()
            }
            None => states::without_verdicts(Facts { workspace, analysis, language }),
        }
    }

    pub fn line(&self, language: &Language) -> String {
        language.sentences([self.verdict.clone(), self.reason.clone()])
    }

    /// What changed since, where the runs were made, the author's note and the next step, a line each, which
    /// follow the rows of both questions.
    pub fn last_lines(&self, language: &Language) -> Vec<String> {
        let mut lines = vec![self.stale.clone()];
        lines.extend(self.runs.iter().cloned());
        lines.push(self.note.clone());
        if !self.next.is_empty() {
            lines.push(say!(language, "next.step", step = self.next));
        }
        lines.retain(|line| !line.is_empty());
        lines
    }
}

/// A remark that the last iteration has no verdict yet; `None` if it has.
pub(crate) fn newer(facts: Facts<'_>) -> Option<String> {
    let last = digest::newer_iteration(facts.workspace, facts.analysis)?;
    Some(say!(facts.language, "overview.newer", iteration = last.name))
}

/// The answer for the side `after`, led by the comparison `lead`; `None` without such a side.
pub(crate) fn answer_for(
    cache: &Comparisons<'_>,
    language: &Language,
    after: &Side,
    lead: Option<&Change>,
) -> Option<Answer> {
    let Comparisons { workspace, analysis, .. } = *cache;
    let candidate = analysis.summary(after)?;
    let facts = Facts { workspace, analysis, language };
    let writer = AnswerWriter { cache, facts, after, candidate, lead };
    let answer = match lead {
        Some(change) => writer.compared(change),
        None => writer.alone(),
    };
    let never_run = measured::never_run(facts, after).unwrap_or_default();
    let stale = language.sentences([measured::stale(facts, after), never_run]);
    let next = measured::next_step(facts, after).unwrap_or(answer.next);
    Some(Answer { stale, next, runs: measured::runs_of_round(facts, after), ..answer })
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
    cache: &'a Comparisons<'a>,
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
        let is_leading = facts.analysis.lead(self.after) == Some(change);
        // News is about the row that comes first, whichever comparison leads the pages.
        let of_news = if is_leading { led_by(facts.analysis, self.after) } else { Some(change) };
        let findings = self.cache.news(self.after, of_news);
        let questions = Questions::new(self.cache, self.after);
        let choice = if is_leading { news::headline(&findings, &questions) } else { None };
        let choice = choice.unwrap_or(HeadlineChoice::Word(change));
        let (sign, tone) = self.mark(&choice);
        let (short, verdict) = self.headlines(choice);
        let fallback = self.fallback_step(change);
        let screen = first_screen(&findings, of_news, &short, fallback, language);
        // That some cases have all verdicts says more than what the others may come to.
        let has_pairs = findings.iter().any(|found| matches!(found, Finding::GradedPairs { .. }));
        let mut reasons = if has_pairs { Vec::new() } else { self.reason_first(change) };
        let is_compared = change.gain.paired().is_some();
        // Where nothing is compared, what is newer or broken comes first.
        let at = if is_compared { reasons.len() } else { 0 };
        reasons.splice(at..at, screen.sentences.iter().cloned());
        if let Some(all) = self.whole_round(change, &findings) {
            reasons.insert(0, all);
        }
        // The rows have all figures; a text without news has a sentence all the same.
        if reasons.is_empty() {
            reasons.push(reason(facts, change));
        }
        reasons.extend(screen.caution.clone());
        Answer {
            headline: short,
            sign,
            tone,
            verdict,
            reason: language.sentences(reasons),
            sides: language.sentences(sides),
            caution: self.caution(),
            note: screen.quotation(language).unwrap_or_default(),
            next: screen.next.unwrap_or_default(),
            ..Answer::default()
        }
    }

    /// What the candidate passed in all of its cases, where fewer than half are compared: the answer is about these
    /// alone. In one workspace three reruns that fail stood for a round of eight cases.
    fn whole_round(&self, change: &Change, findings: &[Finding]) -> Option<String> {
        let Self { candidate, facts: Facts { language, .. }, .. } = *self;
        let compared = change.gain.paired()?.cases;
        let tally = candidate.tally;
        if compared * 2 >= candidate.cases
            || tally.graded() == 0
            || findings.iter().any(Finding::voids)
        {
            return None;
        }
        let key = match &*candidate.name {
            UNNAMED => "overview.whole_round_unnamed",
            _ => "overview.whole_round",
        };
        Some(say!(
            language,
            key,
            candidate = cut_line(&candidate.name, NAME),
            counts = Rate::counts_of(tally),
            cases = language.all(candidate.cases, "case"),
        ))
    }

    /// What to do next where no finding says it.
    fn fallback_step(&self, change: &Change) -> Option<String> {
        let (gain, language) = (&change.gain, self.facts.language);
        if let Some(condition) = by_condition::most_down(self.facts, self.after) {
            return Some(say!(language, "next.condition", condition));
        }
        if gain.undecided().is_some() {
            return Some(language.text("next.grade").to_owned());
        }
        if gain.verdict().is_settled() && !gain.verdict().is_worse() {
            return Some(language.text("next.keep").to_owned());
        }
        if gain.verdict() == Verdict::ProbablyBetter {
            return Some(language.text("next.sure").to_owned());
        }
        verdict::next_step(self.facts, change)
    }

    /// The headline without figures, and as a sentence with the gain where it is the word of a row.
    fn headlines(&self, choice: HeadlineChoice<'_>) -> (String, String) {
        let (facts, language) = (self.facts, self.facts.language);
        let word = match choice {
            HeadlineChoice::Word(change) => {
                return (short_word(facts, change), headline(facts, change));
            }
            HeadlineChoice::News(found) => language.tell("headline", &found).unwrap_or_default(),
            HeadlineChoice::Conditions { worst } => {
                let word = by_condition::word(facts, self.after).unwrap_or_default();
                match worst {
                    Some(WorstCondition { name, checks }) => {
                        let checks = language.count(checks, "check");
                        say!(language, "verdict.worse_under_one", word, checks, name)
                    }
                    None => word,
                }
            }
        };
        let sentence = say!(language, "verdict.headline_alone", word);
        (word, sentence)
    }

    /// The mark of a headline, and the verdict whose color it has.
    fn mark(&self, choice: &HeadlineChoice<'_>) -> (&'static str, Option<Verdict>) {
        match choice {
            HeadlineChoice::Word(change) => {
                let sign = match sign(&change.gain) {
                    "▲" if change.gain.is_mostly_single() => "△",
                    "▼" if change.gain.is_mostly_single() => "▽",
                    sign => sign,
                };
                (sign, Some(change.gain.verdict()))
            }
            HeadlineChoice::News(Headline::Lost { .. }) => ("▼", Some(Verdict::ProbablyWorse)),
            HeadlineChoice::News(Headline::Repaired { is_better: true, .. }) => {
                ("▲", Some(Verdict::ProbablyBetter))
            }
            HeadlineChoice::News(_) => ("", None),
            HeadlineChoice::Conditions { worst: Some(_) } => ("▼", Some(Verdict::ProbablyWorse)),
            // No single condition of a round speaks for it.
            HeadlineChoice::Conditions { worst: None } => {
                let shared = by_condition::shared_verdict(self.facts, self.after);
                (shared.map_or("", sign_of), shared)
            }
        }
    }

    /// What comes before all news: why nothing is compared or decided, and what each condition of the
    /// round says.
    fn reason_first(&self, change: &Change) -> Vec<String> {
        let Self { facts, after, .. } = *self;
        if let Some(sentence) = by_condition::sentence(facts, after) {
            let mut reasons = vec![sentence];
            reasons.extend(by_condition::regressed_since(facts, after));
            return reasons;
        }
        if change.gain.paired().is_none() {
            let mut reasons = vec![reason(facts, change)];
            reasons.extend(states::earlier_comparison(facts, after));
            return reasons;
        }
        if change.gain.undecided().is_some() { vec![reason(facts, change)] } else { Vec::new() }
    }

    /// What the candidate passed where nothing is compared.
    fn rate_alone(&self) -> String {
        let (candidate, language) = (self.candidate, self.facts.language);
        let tally = candidate.tally;
        let rate = Rate::over_cases(candidate.by_case, tally, language);
        if tally.pass_rate().is_none() {
            language.text("state.not_graded").to_owned()
        } else if tally.ungraded == 0 {
            let key = match &*candidate.name {
                UNNAMED => "overview.rate_alone_unnamed",
                _ if rate.is_mean => "overview.rate_alone_by_case",
                _ => "overview.rate_alone",
            };
            let checks = language.count(tally.graded(), "check");
            let name = cut_line(&candidate.name, NAME);
            say!(language, key, candidate = name, rate = rate.percent, checks)
        } else {
            // A rate would hide how many checks it leaves out.
            let counts = Rate::counts_of(tally);
            say!(language, "overview.rate_ungraded", counts, n = tally.ungraded)
        }
    }

    /// The answer if there is nothing to compare with.
    fn alone(&self) -> Answer {
        let (facts, candidate) = (self.facts, self.candidate);
        let language = facts.language;
        let tally = candidate.tally;
        let rate = Rate::over_cases(candidate.by_case, tally, language);
        let mut verdict = self.rate_alone();
        let roles = self.roles();
        let (mut reason, key) = match &roles.baseline {
            Some(name) => {
                (say!(language, "overview.ungraded_baseline", name), "overview.sentence_ungraded")
            }
            None => (language.text("overview.alone").to_owned(), "overview.sentence_alone"),
        };
        if let Some((question, sides)) = states::which_baseline(facts, self.after) {
            (verdict, reason) = (question, sides);
        }
        let findings = self.cache.news(self.after, None);
        if findings.iter().any(Finding::voids) {
            let word = language.text("headline.no_measurement");
            verdict = say!(language, "verdict.headline_alone", word);
        }
        let screen = first_screen(&findings, None, &verdict, None, language);
        let mut reasons = screen.sentences.clone();
        // What went wrong in the runs comes first; that there is no other side is said once.
        if !findings.iter().any(Finding::is_alone) {
            reasons.push(reason);
        }
        reasons.extend(screen.caution.clone());
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
        sides.extend(self.other_facts());
        Answer {
            headline: verdict.trim_end_matches(['.', '。']).to_owned(),
            verdict,
            reason: language.sentences(reasons),
            sides: language.sentences(sides),
            caution: self.caution(),
            note: screen.quotation(language).unwrap_or_default(),
            next: screen.next.unwrap_or_default(),
            ..Answer::default()
        }
    }

    fn roles(&self) -> &Roles {
        &self.facts.analysis.iterations[self.after.iteration].roles
    }

    /// What else is said of the candidate: models, and other candidates.
    fn other_facts(&self) -> Vec<String> {
        let mut facts = Vec::from_iter(self.models());
        facts.push(self.other_candidates());
        facts
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
