//! The first screen: the headline with its sentences, and what there is instead of both questions.

use serde_json::{Value, json};

use crate::analyze::{Change, ConfigurationSummary, Measure, SCORES, Side, Verdict};
use crate::chart::inline::{BarSide, level_bar, outlined_bar};
use crate::language::{DASH, Language, Rate, say};
use crate::render::context::RenderContext;
use crate::render::html::comparison_links;
use crate::render::html::overview::cases::DrawnCell;
use crate::render::html::overview::chips::{cases_chip, recorded_chip};
use crate::render::html::overview::{commands, state};
use crate::wording::{
    answer, by_condition, configurations, headline, loading, measured, sides, verdict,
};
use statistics::Interval;
use text::fixed;

/// The answer for `change`, else for the candidate `after` alone; `None` without a verdict.
pub(super) fn answer_view(
    context: RenderContext<'_>,
    after: &Side,
    change: Option<&Change>,
    peers: &[Change],
    is_newest: bool,
) -> Option<Value> {
    let language = context.language;
    let answer = answer::answer_for(&context.part.comparisons, language, after, change)?;
    let summary = context.part.analysis.summary(after)?;

    let sentence = [answer.reason];
    // The omissions and the certainty of the answer.
    let mut method = vec![answer.sides, answer.caution];
    let mut measured = answer.runs;
    measured.splice(0..0, measured::same(context.part.facts(language), after));
    if change.is_some() {
        method.extend(loading::diluted(&summary.loads, language));
    }
    method.retain(|text| !text.is_empty());

    let mut view = json!({
        "word": answer.headline,
        "sign": answer.sign,
        "tone": comparison_links::tone(answer.tone.unwrap_or(Verdict::Unclear)).class(),
        "note": answer.note,
        "stale": answer.stale,
        "measured": measured,
        "next": answer.next,
        "sentence": state::with_whole_percentages(&language.sentences(sentence)),
        "differs": differences(context, after, change),
        "gate": if is_newest { gate_lines(context) } else { Vec::new() },
        "sides": [],
        "chips": [],
        "facts_line": [cases_chip(cases_of(change, summary), summary, language)],
        "method": method,
    });
    if let Some(change) = change {
        add_comparison(&mut view, context, change);
    } else if let [change, ..] = peers {
        if let Some(other) = context.part.analysis.summary(&change.before) {
            let sides = [summary, other];
            let is_outlined = sides.iter().any(|side| side.runs_per_case <= 1);
            view["sides"] = json!(compared_sides(context, change, sides, is_outlined));
        }
        view["readings"] = json!(readings(context, peers));
        // The readings have the commands that the sentence of other documents names.
        view["sentence"] = json!(language.text("screen.no_baseline"));
    } else if summary.tally.graded() == 0 {
        let side = AnswerSide {
            name: &summary.name,
            bar: BarSide::Candidate,
            summary,
            mean: summary.by_case,
            rate: None,
            is_outlined: summary.runs_per_case <= 1,
        };
        view["sides"] = json!([side.view(Measure::PassRate, language)]);
        state::add_ungraded(&mut view, context, after, is_newest);
        // The chips have them.
        view["facts_line"] = json!([]);
    }
    if let (Some(chip), Some(facts)) =
        (recorded_chip(context, after), view["facts_line"].as_array_mut())
    {
        facts.push(chip);
    }
    Some(view)
}

/// The cases that a result is about.
fn cases_of(change: Option<&Change>, candidate: &ConfigurationSummary) -> usize {
    change.map_or(candidate.cases, |change| change.gain.shared.len())
}

/// What else differs between the compared sides. The sentence of the answer may also mention the
/// previous iteration, so that side is compared as well.
fn differences(context: RenderContext<'_>, after: &Side, change: Option<&Change>) -> String {
    let mut changes = Vec::from_iter(change);
    changes.extend(context.part.analysis.since_previous(after));
    changes.dedup();
    let facts = context.part.facts(context.language);
    let differences = changes.iter().map(|change| sides::differences(facts, change.sides()));
    context.language.sentences(differences)
}

fn gate_lines(context: RenderContext<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for line in &context.part.gate {
        let outcome = context.language.text(line.mark.key());
        lines.push(say!(context.language, "overview.gate", outcome, text = line.text));
    }
    lines
}

/// Adds to `view` what only an answer about two sides has.
fn add_comparison(view: &mut Value, context: RenderContext<'_>, change: &Change) {
    let (facts, language) = (context.part.facts(context.language), context.language);
    if by_condition::shared_verdict(facts, &change.after).is_some() {
        return;
    }
    if let Some(missing) = change.gain.undecided() {
        let missing = say!(
            language,
            "verdict.headline_alone",
            word = headline::missing_verdicts(facts, change, missing)
        );
        let rest = view["sentence"].as_str().unwrap_or_default().to_owned();
        view["sentence"] = json!(language.sentences([missing, rest]));
    }
}

/// Candidate and other side of `change`, with the figures whose difference is the gain.
fn compared_sides(
    context: RenderContext<'_>,
    change: &Change,
    summaries: [&ConfigurationSummary; 2],
    is_outlined: bool,
) -> Vec<Value> {
    let (facts, language) = (context.part.facts(context.language), context.language);
    let gain = &change.gain;
    let means = gain.scores().or(gain.comparison.as_ref().map(|both| both.means));
    let names = sides::short_names(facts, change.sides());
    // A rate of few checks looks like any other: it names them where others lack a verdict.
    let [of_after, of_before] = verdict::compared_rates(facts, change);
    let rates = [of_before, of_after].map(|rate| rate.whole(language));
    let mut views = Vec::new();
    for ((at, summary), bar) in
        [1, 0].into_iter().zip(summaries).zip([BarSide::Candidate, BarSide::Other])
    {
        let rate = Some(rates[at].clone()).filter(|_| gain.missing[at].missing > 0);
        let mean = means.map(|means| means[at]);
        let side = AnswerSide { name: &names[at], bar, summary, mean, rate, is_outlined };
        views.push(side.view(gain.measure(), language));
    }
    views
}

/// What the result would be with either configuration as the baseline, and how to say so.
fn readings(context: RenderContext<'_>, peers: &[Change]) -> Vec<Value> {
    let (facts, language) = (context.part.facts(context.language), context.language);
    let mut readings = Vec::new();
    for change in peers {
        let (name, candidate) = (&change.before.configuration, &change.after.configuration);
        let verdict = headline::headline(facts, change);
        let workspace = &context.part.workspace.name;
        readings.push(json!({
            "title": say!(language, "screen.if_baseline", name),
            "text": say!(language, "screen.reading", candidate, verdict),
            "command": commands::build_with_baseline(workspace, name),
        }));
    }
    readings
}

/// One side of the answer.
struct AnswerSide<'a> {
    name: &'a str,
    bar: BarSide,
    summary: &'a ConfigurationSummary,
    /// The mean over cases, in the unit of the measure.
    mean: Option<f64>,
    /// What the bar says where verdicts are missing; else the percent of the mean.
    rate: Option<String>,
    /// Whether the bar is an outline: of one run a case.
    is_outlined: bool,
}

impl AnswerSide<'_> {
    fn view(&self, measure: Measure, language: &Language) -> Value {
        // The rate beside the bar is the mean of cases. That of all checks may differ, so only their
        // counts are shown.
        let mut title = vec![Rate::counts_of(self.summary.tally)];
        title.extend(configurations::range(self.summary, language));
        json!({
            "name": self.name,
            "role": self.bar.class(),
            "bar": self.bar(measure, language),
            "title": language.list(title),
        })
    }

    fn bar(&self, measure: Measure, language: &Language) -> DrawnCell {
        let Some(mean) = self.mean.or(self.summary.tally.pass_rate()) else {
            return DrawnCell { svg: level_bar(0.0, None, self.bar), text: DASH.to_owned() };
        };
        if measure == Measure::Score {
            return DrawnCell {
                svg: self.drawn((mean - 1.0) / SCORES, None),
                text: say!(language, "answer.score", score = fixed(mean, 2)),
            };
        }
        // The interval belongs to the mean of all cases; a comparison may use fewer of them.
        let is_own = self.summary.by_case.is_some_and(|own| (own - mean).abs() < 0.005);
        let mut interval = None;
        if is_own {
            interval = self.summary.range.map(|range| range.shown());
        }
        let text = self.rate.clone().unwrap_or_else(|| language.percent(mean));
        DrawnCell { svg: self.drawn(mean, interval), text }
    }

    fn drawn(&self, share: f64, interval: Option<Interval>) -> String {
        if self.is_outlined {
            outlined_bar(share, self.bar, false)
        } else {
            level_bar(share, interval, self.bar)
        }
    }
}
