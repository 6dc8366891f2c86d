//! Every iteration in a row, the newest first: its verdict, gain and costs, what was edited before
//! it, and what people said.

use std::fmt::Display;

use serde::Serialize;

use crate::analyze::{
    Against, Break, Change, ConfigurationSummary, Gain, Measure, SCORES, Verdict, breaks,
};
use crate::chart::{self, inline::Tone};
use crate::digest;
use crate::render::context::{DASH, Link, Rows, Site, link};
use crate::render::html::compared;
use crate::render::html::feedback;
use crate::render::html::history::changed::{Changed, changed};
use crate::render::html::skill_edit::{Edit, edit};
use crate::render::text::verdict;
use crate::text::{fixed, tokens};

/// One iteration.
#[derive(Serialize)]
pub(super) struct Row {
    link: Link,
    is_newest: bool,
    verdict: Judged,
    /// Which of several candidates, best so far, one run per case, no verdict on some.
    notes: Vec<String>,
    gain: Option<Drawn>,
    /// The gain on the iteration before, where the other is on a baseline.
    since: Option<Drawn>,
    passed: Drawn,
    runs: String,
    time: String,
    tokens: String,
    edit: Option<Edit>,
    changed: Option<Changed>,
    comments: Option<Link>,
    /// The case to look at first.
    review: Option<Link>,
}

impl Row {
    /// Whether a copy of the skill was kept for the iteration.
    pub(super) fn has_edit(&self) -> bool {
        self.edit.is_some()
    }
}

/// A verdict with its sign and color.
#[derive(Serialize)]
pub(super) struct Judged {
    tone: &'static str,
    sign: &'static str,
    word: String,
}

/// A number that is drawn as well.
#[derive(Serialize)]
pub(super) struct Drawn {
    pub(super) svg: String,
    pub(super) number: String,
    /// Interval and other side.
    pub(super) rest: String,
    pub(super) tone: &'static str,
}

/// A row for each iteration, the newest first; none where nothing was graded.
pub(super) fn rows(site: Site<'_>, path: &str) -> Rows<Row> {
    let Some(newest) = site.part.analysis.newest() else { return Rows::default() };
    let breaks = breaks(site.part.workspace, site.part.analysis);
    let scale = scale(site);
    let all = (0..site.part.analysis.iterations.len()).rev();
    let row = |index: usize| {
        let found = breaks.iter().find(|found| found.iteration == index);
        row(site, path, index, (index == newest, scale, found))
    };
    Rows::of(all, row)
}

/// The end of the axis of all gains, in shares of 1.
fn scale(site: Site<'_>) -> f64 {
    let changes = (0..site.part.analysis.iterations.len()).filter_map(|at| own_change(site, at));
    let ends = changes.flat_map(|change| {
        let interval = digest::interval(&change.gain).map(|interval| [interval.low, interval.high]);
        let mean = change.gain.paired.as_ref().map(|paired| paired.mean);
        interval.into_iter().flatten().chain(mean)
    });
    let most = ends.fold(0.0, |most: f64, end| most.max(end.abs()));
    [0.1, 0.25, 0.5].into_iter().find(|end| most <= *end).unwrap_or(1.0)
}

/// What the gain of an iteration is counted from: its own baseline, else what the settings name,
/// else the iteration before.
pub(super) fn own_change(site: Site<'_>, index: usize) -> Option<&Change> {
    let after = site.part.analysis.candidate_of(index)?;
    let order = [Against::Baseline, Against::Pinned, Against::Previous];
    order.into_iter().find_map(|against| site.part.analysis.change(&after, against))
}

fn row(
    site: Site<'_>,
    path: &str,
    index: usize,
    (is_newest, scale, found): (bool, f64, Option<&Break>),
) -> Row {
    let language = site.language;
    let analysis = &site.part.analysis.iterations[index];
    let candidate = analysis.candidate();
    let change = own_change(site, index);
    let after = site.part.analysis.candidate_of(index);
    let previous = after.and_then(|after| site.part.analysis.change(&after, Against::Previous));
    let previous = previous.filter(|previous| change.is_some_and(|own| own != *previous));
    let mean = |value: Option<f64>, text: &dyn Fn(f64) -> String| {
        value.map_or_else(|| DASH.to_owned(), text)
    };
    Row {
        link: Link {
            href: link(path, &site.addresses.iteration(index)),
            text: site.part.workspace.iterations[index].name.clone(),
        },
        is_newest,
        verdict: judged(site, change, candidate),
        notes: notes(site, index, change),
        gain: change.and_then(|change| gain(site, change, scale)),
        since: previous.and_then(|change| gain(site, change, scale)),
        passed: passed(site, change, [analysis.baseline(), candidate]),
        runs: candidate.map(|candidate| runs(site, candidate)).unwrap_or_default(),
        time: mean(candidate.and_then(|candidate| Some(candidate.duration_s?.mean)), &|seconds| {
            language.seconds(seconds)
        }),
        tokens: candidate
            .and_then(|candidate| {
                Some(language.counted(&tokens(candidate.tokens?.mean), false, "token"))
            })
            .unwrap_or_default(),
        edit: edit_before(site, path, index),
        changed: found.map(|found| changed(site, found)),
        comments: comments(site, path, index),
        review: site.first_review().filter(|_| is_newest).map(|to| Link {
            href: link(path, &to),
            text: language.text("history.review").to_owned(),
        }),
    }
}

fn judged(
    site: Site<'_>,
    change: Option<&Change>,
    candidate: Option<&ConfigurationSummary>,
) -> Judged {
    let verdict = change.map_or(Verdict::NoComparison, |change| change.gain.verdict());
    let key = match candidate {
        None => "history.no_candidate",
        Some(candidate) if candidate.tally.graded() == 0 => "history.not_graded",
        Some(_) => verdict::word_key(verdict),
    };
    Judged {
        tone: compared::tone(verdict).class(),
        sign: verdict::sign(verdict),
        word: site.language.text(key).to_owned(),
    }
}

fn notes(site: Site<'_>, index: usize, change: Option<&Change>) -> Vec<String> {
    let language = site.language;
    let candidate = site.part.analysis.candidate_of(index);
    let best =
        candidate.and_then(|candidate| site.part.analysis.best.get(&candidate.configuration));
    let is_best = best.is_some_and(|best| best.iteration == index);
    let gain = change.map(|change| &change.gain);
    let is_single = gain.is_some_and(|gain| gain.single > 0 && gain.single == gain.shared.len());
    let sum = |of: fn(&Gain) -> [usize; 2]| gain.map_or(0, |gain| of(gain).iter().sum::<usize>());
    let unknown =
        [(sum(|summary| summary.ungraded), "run"), (sum(|summary| summary.unjudged), "check")];
    let names = &site.part.analysis.iterations[index].roles.candidates;
    let found = [
        names.first().filter(|_| names.len() > 1).cloned(),
        is_best.then(|| language.text("history.best").to_owned()),
        is_single.then(|| language.text("history.single").to_owned()),
        unknown
            .iter()
            .any(|(number, _)| *number > 0)
            .then(|| language.fill("history.no_verdict", &[("what", &language.counts(unknown))])),
    ];
    found.into_iter().flatten().collect()
}

fn gain(site: Site<'_>, change: &Change, scale: f64) -> Option<Drawn> {
    let language = site.language;
    let (gain, paired) = (&change.gain, change.gain.paired.as_ref()?);
    let interval = digest::interval(gain).map(|interval| (interval.low, interval.high));
    let size = verdict::size(gain.measure(), paired.mean, language);
    let ends =
        interval.map(|(low, high)| [low, high].map(|end| verdict::number(gain.measure(), end)));
    let ends = ends.map(|[low, high]| {
        language.fill("verdict.cell_interval", &[("low", &low), ("high", &high)])
    });
    let against =
        language.fill("history.versus", &[("other", &compared::other_name(site, change))]);
    let rest = language.sentences(ends.into_iter().chain([against]));
    let tone = compared::tone(gain.verdict());
    let label = language.sentences([size.clone(), rest.clone()]);
    let svg = chart::gain(paired.mean, interval, scale, tone, &label);
    let number = match gain.measure() {
        Measure::PassRate => verdict::number(Measure::PassRate, paired.mean),
        Measure::Score => size,
    };
    Some(Drawn { svg, number, rest, tone: tone.class() })
}

/// Both sides as the gain counts them; of a side alone its pass rate.
pub(super) fn passed(
    site: Site<'_>,
    change: Option<&Change>,
    summaries: [Option<&ConfigurationSummary>; 2],
) -> Drawn {
    let language = site.language;
    let gain = change.filter(|change| change.gain.means.is_some()).map(|change| &change.gain);
    let tone = gain.map_or(Tone::Neutral, |gain| compared::tone(gain.verdict()));
    let alone = summaries.map(|summary| summary?.by_case);
    let rates = gain.and_then(|gain| gain.means).map_or(alone, |means| means.map(Some));
    let (sides, texts) = match gain.and_then(|gain| gain.scores) {
        Some(scores) => (
            scores.map(|score| Some((score - 1.0) / SCORES)),
            scores.map(|score| Some(fixed(score, 2))),
        ),
        None => (rates, rates.map(|rate| Some(language.percent(rate?)))),
    };
    let [before, after] = texts;
    let number = after.unwrap_or_else(|| DASH.to_owned());
    let rest = before.map(|before| language.fill("history.versus", &[("other", &before)]));
    let rest = rest.unwrap_or_default();
    let label = language.sentences([number.clone(), rest.clone()]);
    let svg = match sides {
        [None, None] => String::new(),
        _ => chart::both_sides(sides, tone, &label),
    };
    Drawn { svg, number, rest, tone: tone.class() }
}

/// `5 × 3`, or all runs where cases have differently many.
fn runs(site: Site<'_>, summary: &ConfigurationSummary) -> String {
    let is_even = summary.runs == summary.cases * summary.runs_per_case;
    let key = if is_even { "history.cases_runs" } else { "history.cases_uneven" };
    let runs = if is_even { summary.runs_per_case } else { summary.runs };
    let places: [(&str, &dyn Display); 2] = [("cases", &summary.cases), ("runs", &runs)];
    site.language.fill(key, &places)
}

/// The edit of the skill that an iteration ran; `None` where no copy of it was kept.
pub(super) fn edit_before(site: Site<'_>, path: &str, index: usize) -> Option<Edit> {
    let snapshots = &site.part.workspace.snapshots;
    let is_meant = |copy: usize| snapshots[copy].iteration == Some(index);
    let pair = site.part.analysis.skill.iter().rev().find(|pair| is_meant(pair.after));
    let first = || Edit { size: site.language.text("skill.first").to_owned(), ..Edit::default() };
    pair.map(|pair| edit(site, pair, path))
        .or_else(|| (!snapshots.is_empty() && is_meant(0)).then(first))
}

/// The way to the comments on an iteration; `None` without any.
fn comments(site: Site<'_>, path: &str, index: usize) -> Option<Link> {
    let files = &site.part.workspace.iterations[index].feedback;
    let has_any = files.iter().any(|feedback| !feedback.reviews.is_empty());
    has_any.then(|| feedback::line(site, path, index)).flatten()
}
