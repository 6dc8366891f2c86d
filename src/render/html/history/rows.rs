//! A row per iteration, the newest first: its verdict, gain and costs, the edits before it, what
//! makes it incomparable, and its comments.

use serde::Serialize;

use crate::analyze::{
    Against, Break, Change, ConfigurationSummary, FlipKind, Gain, Measure, SCORES, Verdict,
    VerdictWord, is_earlier_version,
};
use crate::chart;
use crate::chart::inline::{BarSide, recorded_bar};
use crate::digest::{self, RecordedRound, recorded_rounds};
use crate::language::{DASH, Language, say};
use crate::render::context::{Link, Page, RenderContext, Rows, View, view};
use crate::render::html::comparison_links;
use crate::render::html::feedback;
use crate::render::html::history::breaks::break_view;
use crate::render::html::skill::{EditView, edit_of};
use crate::wording::{headline, verdict};
use text::{fixed, tokens};

/// A number with a drawing of it.
#[derive(Serialize)]
pub(super) struct DrawnNumber {
    pub(super) svg: String,
    pub(super) number: String,
    /// Interval and other side.
    pub(super) rest: String,
    pub(super) tone: &'static str,
}

/// A row for each iteration, the newest first; empty if nothing was run.
pub(super) fn rows(page: &Page<'_>) -> Rows<View> {
    let Some(side) = page.part.analysis.shown_side() else { return Rows::default() };
    let newest = side.iteration;
    let breaks = &page.part.analysis.breaks;
    let scale = scale(page.context);
    let recorded = recorded_rounds(page.part.workspace);
    Rows::all((0..page.part.analysis.iterations.len()).rev(), |index| {
        let found = breaks.iter().find(|found| found.iteration == index);
        let recorded = recorded.iter().find(|round| round.iteration == index);
        row(page, Shown { index, is_newest: index == newest, scale, found, recorded })
    })
}

/// The end of the axis for all gains, in shares of 1.
fn scale(context: RenderContext<'_>) -> f64 {
    let mut largest: f64 = 0.0;
    for index in 0..context.part.analysis.iterations.len() {
        let Some(change) = own_change(context, index) else { continue };
        if let Some(interval) = digest::interval(&change.gain) {
            largest = largest.max(interval.low.abs()).max(interval.high.abs());
        }
        if let Some(paired) = change.gain.shown() {
            largest = largest.max(paired.mean.abs());
        }
    }
    [0.1, 0.25, 0.5].into_iter().find(|end| largest <= *end).unwrap_or(1.0)
}

/// The change against its own baseline, else against the pinned side, else against the previous
/// iteration.
pub(super) fn own_change(context: RenderContext<'_>, index: usize) -> Option<&Change> {
    let after = context.part.analysis.candidate_of(index)?;
    let order = [Against::Baseline, Against::Pinned, Against::Previous];
    order.into_iter().find_map(|against| context.part.analysis.change(&after, against))
}

/// An iteration of the list.
struct Shown<'a> {
    index: usize,
    is_newest: bool,
    scale: f64,
    /// Why it cannot be compared with the iteration before.
    found: Option<&'a Break>,
    /// What its files say, where its runs are not here.
    recorded: Option<&'a RecordedRound<'a>>,
}

fn row(page: &Page<'_>, shown: Shown<'_>) -> View {
    let Shown { index, is_newest, scale, found, recorded } = shown;
    let language = page.language;
    let analysis = &page.part.analysis.iterations[index];
    let candidate = analysis.candidate();
    let recorded = recorded.filter(|_| candidate.is_none_or(|side| side.tally.graded() == 0));
    let is_unmeasured = page.part.is_unmeasured(index);
    let change = own_change(page.context, index).filter(|_| !is_unmeasured);
    // Where either side may be the baseline, the row has both, and no difference.
    let peer = analysis.peers.first().and_then(|peer| page.part.analysis.summary(&peer.before));
    let verdict = change.map_or(Verdict::NoComparison, |change| change.gain.verdict());
    let word = match candidate {
        _ if recorded.is_some() => language.text("screen.as_recorded").to_owned(),
        None => language.text("history.no_candidate").to_owned(),
        Some(candidate) if candidate.tally.graded() == 0 => {
            language.text("history.not_graded").to_owned()
        }
        Some(_) if is_unmeasured => language.text("headline.no_measurement").to_owned(),
        Some(_) if peer.is_some() => language.text("state.which_baseline").to_owned(),
        Some(_) => {
            let word = change.map_or(VerdictWord::NoComparison, |change| change.gain.word());
            headline::word_alone(word, language)
        }
    };
    let time = candidate.and_then(|candidate| candidate.duration_s);
    let used = candidate.and_then(|candidate| candidate.tokens);
    let since = since_previous(page.context, index, change).filter(|_| !is_unmeasured);
    view!({
        "link": page.iteration_link(index),
        // Where nothing says the order, none is named the newest.
        "is_newest": is_newest && !analysis.is_unordered,
        "tone": comparison_links::tone(verdict).class(),
        "sign": change.map_or("", |change| headline::sign(&change.gain)),
        "word": word,
        "notes": notes(page.context, index, change),
        "gain": match recorded {
            Some(round) => recorded_gain(round),
            None => change.and_then(|change| gain(page.context, change, scale)),
        },
        "turned": turned(page, index).filter(|_| !is_unmeasured),
        "since": since.and_then(|change| gain(page.context, change, scale)),
        "passed": recorded.and_then(|round| recorded_rate(round, language)).unwrap_or_else(|| {
            passed(page.context, change, analysis.baseline().or(peer), candidate)
        }),
        "runs": candidate.map(|candidate| runs(language, candidate)),
        "time": time.map_or(DASH.to_owned(), |time| language.seconds(time.mean)),
        "tokens": used.map(|used| language.counted(&tokens(used.mean), false, "token")),
        "edit": edit_before(page, index),
        "changed": found.map(|found| break_view(page.context, found)),
        "comments": comments(page, index),
        "review": if is_newest { review(page) } else { None },
    })
}

/// The rates that the files say, hatched.
fn recorded_rate(round: &RecordedRound<'_>, language: &Language) -> Option<DrawnNumber> {
    let rate = round.candidate.rate.share()?;
    let other = round.baseline.as_ref().and_then(|other| other.rate.share());
    let versus = |other| say!(language, "history.versus", other = language.percent(other));
    Some(DrawnNumber {
        svg: recorded_bar(rate, BarSide::Candidate),
        number: language.percent(rate),
        rest: other.map(versus).unwrap_or_default(),
        tone: "",
    })
}

fn recorded_gain(round: &RecordedRound<'_>) -> Option<DrawnNumber> {
    let number = verdict::number(Measure::PassRate, round.gain()?);
    Some(DrawnNumber { svg: String::new(), number, rest: String::new(), tone: "" })
}

/// The change against the previous iteration, unless the row shows it already.
fn since_previous<'a>(
    context: RenderContext<'a>,
    index: usize,
    shown: Option<&Change>,
) -> Option<&'a Change> {
    let after = context.part.analysis.candidate_of(index)?;
    let previous = context.part.analysis.since_previous(&after)?;
    if previous == shown? { None } else { Some(previous) }
}

/// How many checks were lost and repaired since the iteration before.
fn turned(page: &Page<'_>, index: usize) -> Option<[View; 2]> {
    let after = page.part.analysis.candidate_of(index)?;
    let previous = page.part.analysis.since_previous(&after)?;
    let changes = page.part.comparisons.for_change(previous);
    let is_single = previous.gain.single > 0 && previous.gain.single == previous.gain.shared.len();
    let view = |number: usize, signs: [&str; 2], tone: &str, key: &str| {
        view!({
            "sign": signs[usize::from(is_single)],
            "tone": if number > 0 { tone } else { "zero" },
            "number": number,
            "word": page.language.text(key),
        })
    };
    let [lost, repaired] = [changes.regressed().len(), changes.of_kind(FlipKind::Improved).len()];
    Some([
        view(lost, ["▼", "▽"], "worse", "questions.lost"),
        view(repaired, ["▲", "△"], "better", "questions.repaired"),
    ])
}

fn comments(page: &Page<'_>, index: usize) -> Option<Link> {
    let mut files = page.part.workspace.iterations[index].feedback.iter();
    // A viewer that was opened and closed leaves a file without a comment.
    if files.all(|feedback| feedback.comments().next().is_none()) {
        return None;
    }
    feedback::comments_link(page, index)
}

fn review(page: &Page<'_>) -> Option<Link> {
    let to = page.context.first_review()?;
    Some(Link::new(page.link(&to), page.language.text("history.review")))
}

fn notes(context: RenderContext<'_>, index: usize, change: Option<&Change>) -> Vec<String> {
    let language = context.language;
    let analysis = context.part.analysis;
    let mut notes = Vec::new();
    // With several candidates, the name of the one that the row is about.
    if let [first, second, ..] = &*analysis.iterations[index].roles.candidates {
        if analysis.iterations[index].peers.is_empty() {
            notes.push(first.clone());
        } else {
            notes.push(say!(language, "page.candidate_vs", candidate = first, other = second));
        }
    }
    if let Some(candidate) = analysis.candidate_of(index)
        && let Some(best) = analysis.best.get(&candidate.configuration)
        && best.iteration == index
    {
        notes.push(language.text("history.best").to_owned());
    }
    let Some(change) = change else { return notes };
    let gain = &change.gain;
    if gain.single > 0 && gain.single == gain.shared.len() {
        notes.push(language.text("history.single").to_owned());
    }
    let ungraded = gain.ungraded.iter().sum();
    let unjudged = gain.unjudged.iter().sum();
    let what = language.counts([(ungraded, "run"), (unjudged, "check")]);
    if !what.is_empty() {
        notes.push(say!(language, "history.no_verdict", what));
    }
    notes
}

fn gain(context: RenderContext<'_>, change: &Change, scale: f64) -> Option<DrawnNumber> {
    let language = context.language;
    let (gain, mean) = (&change.gain, change.gain.shown()?.mean);
    let interval = digest::interval(gain);
    let mut rest = Vec::new();
    if let Some(interval) = interval {
        let low = verdict::number(gain.measure(), interval.low);
        let high = verdict::number(gain.measure(), interval.high);
        rest.push(say!(language, "verdict.cell_interval", low, high));
    }
    let other = comparison_links::other_name(context, change);
    rest.push(say!(language, "history.versus", other));
    let rest = language.sentences(rest);
    let size = verdict::gain_size(gain, language)?;
    let tone = comparison_links::tone(gain.verdict());
    let label = language.sentences([size.clone(), rest.clone()]);
    let number = verdict::number(gain.measure(), mean);
    let svg = chart::gain(mean, interval, scale, tone, &label);
    Some(DrawnNumber { svg, number, rest, tone: tone.class() })
}

/// Both sides as the gain counts them; for a single side, its pass rate.
pub(super) fn passed(
    context: RenderContext<'_>,
    change: Option<&Change>,
    before: Option<&ConfigurationSummary>,
    after: Option<&ConfigurationSummary>,
) -> DrawnNumber {
    let language = context.language;
    let gain = change.map(|change| &change.gain).filter(|gain| gain.comparison.is_some());
    let verdict = gain.map_or(Verdict::NoComparison, Gain::verdict);
    let tone = comparison_links::tone(verdict);
    let sides = before.or(after).zip(after.or(before));
    let is_outlined = sides
        .is_some_and(|(before, after)| comparison_links::is_outlined(verdict, [before, after]));
    let shares;
    let texts;
    if let Some(scores) = gain.and_then(|gain| gain.scores()) {
        shares = scores.map(|score| Some((score - 1.0) / SCORES));
        texts = scores.map(|score| Some(fixed(score, 2)));
    } else if let (None, Some(score)) = (gain, after.and_then(|after| after.score)) {
        shares = [None, Some((score - 1.0) / SCORES)];
        texts = [None, Some(fixed(score, 2))];
    } else {
        // A gain may leave cases out, so its means differ from those of all cases.
        shares = match gain.and_then(|gain| gain.comparison.as_ref()) {
            Some(comparison) => comparison.means.map(Some),
            None => [before, after].map(|summary| summary?.by_case),
        };
        texts = shares.map(|rate| Some(language.percent(rate?)));
    }
    let [other, number] = texts;
    let number = number.unwrap_or_else(|| DASH.to_owned());
    let rest = other.map_or(String::new(), |other| say!(language, "history.versus", other));
    let mut svg = String::new();
    if shares != [None, None] {
        let label = language.sentences([number.clone(), rest.clone()]);
        let is_earlier =
            change.is_some_and(|change| is_earlier_version(&change.before, &change.after));
        let other = if is_earlier { BarSide::Earlier } else { BarSide::Other };
        svg = chart::both_sides(shares, other, tone, is_outlined, &label);
    }
    DrawnNumber { svg, number, rest, tone: tone.class() }
}

/// `5 × 3`, or the total of runs if cases have different numbers.
fn runs(language: &Language, summary: &ConfigurationSummary) -> String {
    let cases = summary.cases;
    if summary.runs == cases * summary.runs_per_case {
        say!(language, "history.cases_runs", cases, runs = summary.runs_per_case)
    } else {
        say!(language, "history.cases_uneven", cases, runs = summary.runs)
    }
}

/// The edit of the skill before an iteration; `None` if no copy was kept.
pub(super) fn edit_before(page: &Page<'_>, index: usize) -> Option<EditView> {
    if let Some(edit) = edit_of(page, index) {
        return Some(edit);
    }
    let first = page.part.workspace.snapshots.first()?;
    if first.iteration != Some(index) {
        return None;
    }
    let size = page.language.text("skill.first").to_owned();
    Some(EditView { size, ..EditView::default() })
}
