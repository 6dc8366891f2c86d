//! Every iteration in numbers, the newest first: its levels, what became of it since earlier ones,
//! and what else is different.

use std::collections::BTreeSet;
use std::fmt::Display;

use serde::Serialize;

use crate::analyze::{Against, Change, ConfigurationSummary, Cost, IterationAnalysis};
use crate::language::Language;
use crate::render::context::{DASH, Link, Rate, Rows, Site, link, view};
use crate::render::text::{costs, verdict};

/// One iteration.
#[derive(Serialize)]
pub(super) struct Row {
    link: Link,
    candidate: Level,
    baseline: Level,
    previous: Since,
    first: Since,
    /// Time and tokens in times of the iteration before.
    costs: Vec<String>,
    differs: Vec<String>,
}

impl Row {
    /// Whether anything but the skill is known to differ from the iteration before.
    pub(super) fn differs(&self) -> bool {
        !self.differs.is_empty()
    }
}

/// The pass rate of one configuration.
#[derive(Serialize)]
struct Level {
    rate: String,
    /// Counts and interval; why there is no rate.
    beside: String,
    name: String,
}

/// The gain on an earlier iteration.
#[derive(Serialize)]
struct Since {
    gain: String,
    /// The earlier side, and what of both is compared; why there is nothing.
    beside: Vec<String>,
}

/// A row for each iteration, the newest first. Empty for fewer than two, or when nothing was graded.
pub(super) fn rows(site: Site<'_>, path: &str) -> Rows<Row> {
    let iterations = &site.part.analysis.iterations;
    if iterations.len() < 2 || site.part.analysis.newest().is_none() {
        return Rows::default();
    }
    let all = iterations.iter().enumerate().rev();
    all.map(|(index, analysis)| row(site, path, index, analysis)).collect()
}

fn row(site: Site<'_>, path: &str, index: usize, analysis: &IterationAnalysis) -> Row {
    let language = site.language;
    let change = |against| {
        let side = site.part.analysis.candidate_of(index)?;
        site.part.analysis.change(&side, against)
    };
    let previous = change(Against::Previous);
    let cost = |key: &str, cost: fn(&Change) -> &Cost| {
        let ratio = costs::ratio(cost(previous?), language)?;
        Some(language.fill(key, &[("ratio", &ratio)]))
    };
    let costs = [
        cost("history.cost_time", |it| &it.costs.time),
        cost("history.cost_tokens", |it| &it.costs.tokens),
    ];
    Row {
        link: Link {
            href: link(path, &site.addresses.iteration(index)),
            text: site.part.workspace.iterations[index].name.clone(),
        },
        candidate: level(analysis.candidate(), "history.no_candidate", language),
        baseline: level(analysis.baseline(), "history.no_baseline", language),
        previous: since(site, analysis, previous),
        first: since(site, analysis, change(Against::First)),
        costs: costs.into_iter().flatten().collect(),
        differs: previous.map(|it| differs(site, it)).unwrap_or_default(),
    }
}

fn level(summary: Option<&ConfigurationSummary>, none: &str, language: &Language) -> Level {
    let Some(summary) = summary else {
        let (rate, beside) = (DASH.to_owned(), language.text(none).to_owned());
        return Level { rate, beside, name: String::new() };
    };
    let rate = Rate::of(summary.tally, language);
    let beside = match &summary.level {
        _ if summary.tally.graded() == 0 => language.text("history.not_graded").to_owned(),
        None => view::counts(summary, language),
        Some(level) => {
            let interval = level.shown();
            let ends = [interval.low, interval.high].map(|it| language.percent(it));
            let places: [(&str, &dyn Display); 3] = [
                ("counts", &view::counts(summary, language)),
                ("low", &ends[0]),
                ("high", &ends[1]),
            ];
            language.fill("history.level", &places)
        }
    };
    Level { rate: rate.percent, beside, name: summary.name.clone() }
}

/// The gain since an earlier iteration; the reason where there is none.
fn since(site: Site<'_>, analysis: &IterationAnalysis, change: Option<&Change>) -> Since {
    let language = site.language;
    let Some(change) = change else {
        let graded = analysis.candidate().filter(|it| it.tally.graded() > 0);
        let why = match graded {
            Some(it) => language.fill("history.no_earlier", &[("configuration", &it.name)]),
            None => language.text("history.not_graded").to_owned(),
        };
        return Since { gain: DASH.to_owned(), beside: vec![why] };
    };
    let name = &site.part.workspace.iterations[change.before.iteration].name;
    let against = language.fill("history.against", &[("iteration", name)]);
    let Some(gain) = verdict::cell(&change.gain, language) else {
        let why = language.text("history.nothing_shared").to_owned();
        return Since { gain: DASH.to_owned(), beside: vec![against, why] };
    };
    let [before, after] =
        [change.gain.before, change.gain.after].map(|it| Rate::of(it, language).counts);
    let places: [(&str, &dyn Display); 2] = [("before", &before), ("after", &after)];
    Since { gain, beside: vec![against, language.fill("history.compared", &places)] }
}

/// What else differs from the iteration before.
fn differs(site: Site<'_>, change: &Change) -> Vec<String> {
    let language = site.language;
    let other = &change.comparability;
    let cases = |key: &str, number: usize| {
        (number > 0).then(|| language.fill(key, &[("cases", &language.count(number, "case"))]))
    };
    let names = |key: &str, names: &Option<[BTreeSet<String>; 2]>| {
        Some(super::changed::both(language, key, names.as_ref()?))
    };
    let is_in = |iteration: usize| {
        move |line: &usize| site.part.analysis.lines[*line].meeting(iteration).is_some()
    };
    let (graded, new): (Vec<usize>, Vec<usize>) =
        change.gain.only_after.iter().partition(|line| is_in(change.before.iteration)(line));
    let (ungraded, gone): (Vec<usize>, Vec<usize>) =
        change.gain.only_before.iter().partition(|line| is_in(change.after.iteration)(line));
    let found = [
        cases("history.cases_new", new.len()),
        cases("history.cases_gone", gone.len()),
        cases("history.cases_graded", graded.len()),
        cases("history.cases_ungraded", ungraded.len()),
        cases("history.cases_prompts", other.prompts.len()),
        cases("history.cases_expectations", others(site, change)),
        names("history.models", &other.models),
        names("history.graders", &other.graders),
    ];
    found.into_iter().flatten().collect()
}

/// Cases checked by other statements, not only in other words.
fn others(site: Site<'_>, change: &Change) -> usize {
    let between = change.before.iteration + 1..=change.after.iteration;
    let is_other = |line: &&usize| {
        let met = site.part.analysis.lines[**line].meetings.iter();
        met.filter(|met| between.contains(&met.iteration)).any(|met| met.expectations_changed)
    };
    change.comparability.expectations.iter().filter(is_other).count()
}
