//! The first screen: one word, one number with its interval, both sides, what it costs.

use serde::Serialize;

use crate::analyze::{
    Against, Change, Claim, ConfigurationSummary, Measure, SCORES, Side, Verdict,
};
use crate::chart::inline::{BarSide, GainLabels, Tone, gain_axis, level_bar};
use crate::digest;
use crate::language::Language;
use crate::render::context::{Rate, Site, view};
use crate::render::html::compared;
use crate::render::html::overview::cases::Drawn;
use crate::render::text::{answer, change, costs, gate::Line, loading, verdict};
use crate::statistics::Spread;
use crate::text::{fixed, tokens};

#[derive(Default, Serialize)]
pub(super) struct AnswerView {
    sign: &'static str,
    tone: &'static str,
    word: String,
    sentence: String,
    /// That another model or grader was at work on one of the sides, or empty.
    differs: String,
    gate: Vec<String>,
    /// `+24`, or empty.
    figure: String,
    /// `points` or `of 5`.
    unit: String,
    axis: Drawn,
    /// What the interval speaks of, where the verdict speaks of something else; else empty.
    axis_note: String,
    sides: Vec<SideView>,
    chips: Vec<Chip>,
    /// What the answer leaves out, and how sure it is.
    method: Vec<String>,
}

#[derive(Serialize)]
struct SideView {
    name: String,
    role: &'static str,
    bar: Drawn,
    title: String,
}

#[derive(Serialize)]
struct Chip {
    strong: String,
    rest: String,
    title: String,
}

/// The answer of `change`, else of the candidate `after` by itself; `None` without a verdict.
pub(super) fn answer_view(
    site: Site<'_>,
    after: &Side,
    change: Option<&Change>,
    is_newest: bool,
) -> Option<AnswerView> {
    let (workspace, analysis, language) = (site.part.workspace, site.part.analysis, site.language);
    let found = answer::answer_of(workspace, analysis, after, change, language)?;
    let newer = answer::newer(workspace, analysis, language).filter(|_| is_newest);
    let summary = analysis.summary(after)?;
    // The sentence may speak of the iteration before too.
    let previous =
        analysis.change(after, Against::Previous).filter(|previous| Some(*previous) != change);
    let mut view = AnswerView {
        tone: Tone::Neutral.class(),
        word: found.verdict,
        sentence: language.sentences([found.reason].into_iter().chain(newer)),
        differs: language.sentences(
            change
                .into_iter()
                .chain(previous)
                .map(|change| verdict::differs(analysis, change, language)),
        ),
        gate: if is_newest { gate_lines(site) } else { Vec::new() },
        sides: vec![side(
            summary.name.clone(),
            summary,
            summary.by_case,
            BarSide::Candidate,
            language,
        )],
        method: vec![found.sides, found.caution],
        ..AnswerView::default()
    };
    view.method.extend(loading::diluted(&summary.loads, language).filter(|_| change.is_some()));
    view.method.retain(|text| !text.is_empty());
    if let Some(change) = change {
        add_comparison(&mut view, site, change, summary);
    }
    Some(view)
}

fn gate_lines(site: Site<'_>) -> Vec<String> {
    let line = |line: &Line| {
        let outcome = site.language.text(line.mark.key());
        site.language.fill("overview.gate", &[("outcome", &outcome), ("text", &line.text)])
    };
    site.part.gate.iter().map(line).collect()
}

fn add_comparison(
    view: &mut AnswerView,
    site: Site<'_>,
    change: &Change,
    candidate: &ConfigurationSummary,
) {
    let (workspace, language) = (site.part.workspace, site.language);
    let gain = &change.gain;
    let tone = compared::tone(gain.verdict());
    view.sign = verdict::sign(gain.verdict());
    view.tone = tone.class();
    view.word = verdict::short_word(workspace, change, language);
    let other = site.part.analysis.summary(&change.before);
    if let Some((paired, other)) = gain.paired.zip(other) {
        let measure = gain.measure();
        view.figure = verdict::number(measure, paired.mean);
        let unit = match measure {
            Measure::PassRate => "answer.points",
            Measure::Score => "answer.of_five",
        };
        view.unit = language.text(unit).to_owned();
        if let Some(range) = digest::interval(gain) {
            let [low, high] = [range.low, range.high].map(|end| verdict::number(measure, end));
            let labels = GainLabels {
                low: &low,
                high: &high,
                worse: language.text("answer.worse"),
                better: language.text("answer.better"),
            };
            view.axis = Drawn {
                svg: gain_axis(paired.mean, [range.low, range.high], tone, labels),
                text: language.fill("answer.interval", &[("low", &low), ("high", &high)]),
            };
            if let Verdict::Better(Claim::TheseCases) | Verdict::Worse(Claim::TheseCases) =
                gain.verdict()
            {
                view.axis_note = language.text("answer.axis_note").to_owned();
            }
        }
        let means = gain.scores.or(gain.means).unwrap_or_default();
        let [before, after] =
            change::side_names(workspace, [&change.before, &change.after], language);
        view.sides = vec![
            measured_side(after, candidate, (measure, means[1]), BarSide::Candidate, language),
            measured_side(before, other, (measure, means[0]), BarSide::Other, language),
        ];
        view.chips = chips(change, candidate, other, language);
    }
}

fn measured_side(
    name: String,
    summary: &ConfigurationSummary,
    (measure, mean): (Measure, f64),
    bar: BarSide,
    language: &Language,
) -> SideView {
    let mut view = side(name, summary, Some(mean), bar, language);
    if measure == Measure::Score {
        let text = language.fill("answer.score", &[("score", &fixed(mean, 1))]);
        view.bar = Drawn { svg: level_bar((mean - 1.0) / SCORES, None, bar), text };
    }
    view
}

/// A side by its mean over cases; the interval is shown where it is that of this mean.
fn side(
    name: String,
    summary: &ConfigurationSummary,
    mean: Option<f64>,
    bar: BarSide,
    language: &Language,
) -> SideView {
    let rate = mean.or(summary.tally.pass_rate()).unwrap_or_default();
    let mut title = Rate::new(summary.tally, language).whole(language);
    if let Some(level) = view::level(summary, language) {
        title += &format!("{}{level}", language.text("list.comma"));
    }
    let is_own = summary.by_case.is_some_and(|own| (own - rate).abs() < 0.005);
    let level = summary.level.filter(|_| is_own).map(|level| level.shown());
    SideView {
        name,
        role: if bar == BarSide::Candidate { "candidate" } else { "baseline" },
        bar: Drawn {
            svg: level_bar(rate, level.map(|level| [level.low, level.high]), bar),
            text: language.percent(rate),
        },
        title,
    }
}

fn chips(
    change: &Change,
    candidate: &ConfigurationSummary,
    other: &ConfigurationSummary,
    language: &Language,
) -> Vec<Chip> {
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
    let plain = |strong: String, rest: String| Chip { strong, rest, title: String::new() };
    let mut chips: Vec<Chip> = Vec::new();
    for (cost, key, per_run) in costs {
        let Some([strong, rest]) = costs::chip(cost, key, language) else { continue };
        let ratio = costs::ratio(cost, language).unwrap_or_default();
        let typical = language.fill("answer.typical_ratio", &[("ratio", &ratio)]);
        chips.push(Chip { strong, rest, title: language.sentences([per_run, typical]) });
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
