//! The first screen: a word, a number with its interval, both sides, and the costs.

use serde_json::{Value, json};

use crate::analyze::{
    Against, Change, ClaimScope, ConfigurationSummary, Gain, Measure, SCORES, Side, Verdict,
};
use crate::chart::inline::{BarSide, gain_axis, level_bar};
use crate::digest;
use crate::language::Language;
use crate::render::context::{DASH, Rate, RenderContext};
use crate::render::html::comparison_links;
use crate::render::html::joined;
use crate::render::html::overview::cases::{DrawnCell, undrawn};
use crate::statistics::Spread;
use crate::text::{fixed, tokens};
use crate::wording::gate::GateMark;
use crate::wording::{answer, configurations, costs, headline, loading, sides, verdict};

/// The answer for `change`, else for the candidate `after` alone; `None` without a verdict.
pub(super) fn answer_view(
    context: RenderContext<'_>,
    after: &Side,
    change: Option<&Change>,
    is_newest: bool,
) -> Option<Value> {
    let (analysis, language) = (context.part.analysis, context.language);
    let words = context.part.facts(language);
    let answer = answer::answer_for(words, after, change)?;
    let newer = answer::newer(words).filter(|_| is_newest);
    let summary = analysis.summary(after)?;
    // The sentence may also mention the previous iteration.
    let previous =
        analysis.change(after, Against::Previous).filter(|previous| Some(*previous) != change);
    let both = change.into_iter().chain(previous);
    let differs = both.map(|change| sides::differences(words, change.sides()));
    // The omissions and the certainty of the answer.
    let mut method = vec![answer.sides, answer.caution];
    method.extend(loading::diluted(&summary.loads, language).filter(|_| change.is_some()));
    method.retain(|text| !text.is_empty());
    let alone = (summary.name.clone(), BarSide::Candidate);
    let gate = context.part.gate.iter().filter(|_| is_newest).map(|line| {
        let outcome = language.text(line.mark.key());
        let text = if line.mark == GateMark::Passed { &line.short } else { &line.text };
        language.fill("overview.gate", &[("outcome", &outcome), ("text", text)])
    });
    let view = json!({
        "word": answer.verdict,
        "sentence": language.sentences([answer.reason].into_iter().chain(newer)),
        "differs": language.sentences(differs),
        "gate": gate.collect::<Vec<_>>(),
        "sides": [side(alone, summary, (Measure::PassRate, summary.by_case), language)],
        "chips": [],
        "method": method,
    });
    let compared = change.map(|change| compared_answer(context, change, summary));
    Some(joined(view, compared.unwrap_or_default()))
}

/// The parts of the answer that differ if two sides are compared.
fn compared_answer(
    context: RenderContext<'_>,
    change: &Change,
    candidate: &ConfigurationSummary,
) -> Value {
    let (words, language) = (context.part.facts(context.language), context.language);
    let gain = &change.gain;
    let view = json!({
        "sign": headline::sign(gain.verdict()),
        "tone": comparison_links::tone(gain.verdict()).class(),
        "word": headline::short_word(words, change),
    });
    let other = context.part.analysis.summary(&change.before);
    let Some((paired, other)) = gain.paired().zip(other) else { return view };
    let measure = gain.measure();
    let unit = match measure {
        Measure::PassRate => "answer.points",
        Measure::Score => "answer.of_five",
    };
    let means =
        gain.scores().or(gain.comparison.as_ref().map(|both| both.means)).unwrap_or_default();
    let [before, after] = sides::short_names(words, change.sides());
    let (after, before) = ((after, BarSide::Candidate), (before, BarSide::Other));
    let measured = json!({
        "figure": verdict::number(measure, paired.mean),
        "unit": language.text(unit),
        "sides": [
            side(after, candidate, (measure, Some(means[1])), language),
            side(before, other, (measure, Some(means[0])), language),
        ],
        "chips": chips(change, candidate, other, language),
    });
    joined(joined(view, measured), axis(gain, paired.mean, language))
}

/// The gain with its interval, and a note if the verdict has another scope.
fn axis(gain: &Gain, mean: f64, language: &Language) -> Value {
    let Some(range) = digest::interval(gain) else { return Value::Null };
    let [low, high] = [range.low, range.high].map(|end| verdict::number(gain.measure(), end));
    let sides = [language.text("answer.worse"), language.text("answer.better")];
    let tone = comparison_links::tone(gain.verdict());
    let note = match gain.verdict() {
        Verdict::Better(ClaimScope::TheseCases) | Verdict::Worse(ClaimScope::TheseCases) => {
            language.text("answer.axis_note")
        }
        _ => "",
    };
    json!({
        "axis": DrawnCell {
            svg: gain_axis(mean, range, tone, [&low, &high], sides),
            text: language.fill("answer.interval", &[("low", &low), ("high", &high)]),
        },
        "axis_note": note,
    })
}

/// A side by its mean over cases; the interval is shown if it belongs to this mean.
fn side(
    (name, bar): (String, BarSide),
    summary: &ConfigurationSummary,
    (measure, mean): (Measure, Option<f64>),
    language: &Language,
) -> Value {
    // The rate beside the bar is the mean of cases. That of all checks may differ, so only their
    // counts are shown.
    let title = Rate::counts_of(summary.tally);
    let title = language.list([title].into_iter().chain(configurations::level(summary, language)));
    let drawn = match (measure, mean.or(summary.tally.pass_rate())) {
        (Measure::Score, Some(score)) => DrawnCell {
            svg: level_bar((score - 1.0) / SCORES, None, bar),
            text: language.fill("answer.score", &[("score", &fixed(score, 1))]),
        },
        (Measure::PassRate, Some(rate)) => {
            let is_own = summary.by_case.is_some_and(|own| (own - rate).abs() < 0.005);
            let level = summary.level.filter(|_| is_own).map(|level| level.shown());
            DrawnCell { svg: level_bar(rate, level, bar), text: language.percent(rate) }
        }
        (_, None) => undrawn(DASH),
    };
    json!({ "name": name, "role": bar.class(), "bar": drawn, "title": title })
}

fn chips(
    change: &Change,
    candidate: &ConfigurationSummary,
    other: &ConfigurationSummary,
    language: &Language,
) -> Vec<Value> {
    let seconds = |value: f64| language.seconds(value);
    let means = |spreads: [Option<Spread>; 2], text: &dyn Fn(f64) -> String| {
        let [Some(own), Some(other)] = spreads else { return String::new() };
        let (own, other) = (text(own.mean), text(other.mean));
        language.fill("answer.per_run", &[("own", &own), ("other", &other)])
    };
    let costs = &change.costs;
    let time = means([candidate.duration_s, other.duration_s], &seconds);
    let used = means([candidate.tokens, other.tokens], &tokens);
    let costs = [
        (&costs.time, "costs.time", time),
        (&costs.tokens, "costs.tokens", used),
        (&costs.dollars, "costs.dollars", String::new()),
    ];
    let plain = |strong: String, rest: String| json!({ "strong": strong, "rest": rest });
    let mut chips: Vec<Value> = Vec::new();
    for (cost, key, per_run) in costs {
        let Some([strong, rest]) = costs::chip(cost, key, language) else { continue };
        let ratio = costs::ratio(cost, language).unwrap_or_default();
        let typical = language.fill("answer.typical_ratio", &[("ratio", &ratio)]);
        let title = language.sentences([per_run, typical]);
        chips.push(json!({ "strong": strong, "rest": rest, "title": title }));
    }
    if chips.is_empty() {
        chips.push(plain(String::new(), language.text("costs.unknown").to_owned()));
    }
    let rest = match candidate.runs_per_case {
        0 | 1 => language.text("answer.one_run").to_owned(),
        runs => language.fill("answer.times_runs", &[("runs", &language.count(runs, "run"))]),
    };
    chips.push(plain(language.count(change.gain.shared.len(), "case"), rest));
    chips
}
