//! `summary.json`: a report in a few lines, from which landing pages, badges and feeds are made.
//!
//! A site of many reports reads one such file per report instead of `report.json`. What is read
//! back may have been changed by anybody: addresses are checked, texts are only ever shown as text.

mod shape;
mod time;

pub use crate::render::data::summary::shape::{
    FlipsSummary, GainSummary, IterationSummary, SideSummary, Summary, WorkspaceSummary,
};

use crate::analyze::{Change, Claim, FlipKind, Measure, Side, Verdict};
use crate::digest::{self, Standings};
use crate::model::Tally;
use crate::render::context::{Look, Part, PartAddresses, Site, cut_line};
use crate::render::text::{answer, recorded};

pub const FILE: &str = "summary.json";

pub const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Version of the JSON object; it grows when a field changes its meaning.
const SCHEMA_VERSION: u32 = 2;

/// The oldest version that is read.
const OLDEST_VERSION: u32 = 1;

/// So many iterations of a workspace are named, the newest.
const ITERATIONS: usize = 100;

/// The most characters of a name or sentence.
const CHARACTERS: usize = 400;

impl Summary {
    pub(crate) fn new(workspaces: impl Iterator<Item = WorkspaceSummary>, look: &Look) -> Self {
        Self {
            generator: "evalbook".to_owned(),
            schema_version: SCHEMA_VERSION,
            noindex: look.publication.is_unlisted,
            workspaces: workspaces.collect(),
        }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        // The structs hold only texts, whole numbers and finite fractions, which always serialize.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text.into_bytes()
    }

    /// The summary in the bytes of its file.
    ///
    /// # Errors
    /// What is wrong with it, in a few words.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let found: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if !(OLDEST_VERSION..=SCHEMA_VERSION).contains(&found.schema_version) {
            return Err(format!("it has the schema version {}", found.schema_version));
        }
        if let Some(page) = found.pages().find(|page| !is_page(page)) {
            return Err(format!("`{page}` is no page of a report"));
        }
        Ok(found)
    }

    /// Every page that it names, relative to the report.
    pub fn pages(&self) -> impl Iterator<Item = &str> {
        self.workspaces.iter().flat_map(|summary| {
            let sides =
                [&summary.candidate, &summary.other].into_iter().flatten().map(|side| &side.page);
            let iterations = summary.iterations.iter().map(|iteration| &iteration.page);
            let own = [&summary.page, &summary.problems_page];
            own.into_iter().chain(sides).chain(iterations).map(String::as_str)
        })
    }
}

/// Whether `path` stays in the report and can stand in an address as it is.
fn is_page(path: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    path.ends_with(".html")
        && path
            .split('/')
            .all(|name| !name.is_empty() && !name.starts_with('.') && name.chars().all(is_plain))
}

/// `text` as one line of bounded length.
fn line(text: &str) -> String {
    cut_line(text, CHARACTERS)
}

impl WorkspaceSummary {
    pub(crate) fn new(site: Site<'_>) -> Self {
        let Site { part, addresses, standings, .. } = site;
        let (workspace, analysis) = (part.workspace, part.analysis);
        let after = analysis.newest_candidate();
        let lead = after.as_ref().and_then(|after| analysis.lead(after));
        let newest = after.as_ref().map(|after| &standings[after.iteration]);
        let all = workspace.iterations.len();
        let shown = all.saturating_sub(ITERATIONS)..all;
        let side = |side: &Side| side_of(part, addresses, side);
        Self {
            title: line(part.title()),
            name: line(&workspace.name),
            page: addresses.report_file("index.html"),
            problems_page: addresses.report_file("problems.html"),
            problems: workspace.problems.len(),
            iterations_total: workspace.totals().iterations,
            iterations: shown.map(|index| iteration(site, index)).collect(),
            candidate: after.as_ref().map(side),
            recorded_only: digest::is_only_recorded(workspace),
            other: lead.map(|lead| side(&lead.before)),
            gain: lead.map(GainSummary::new),
            flips: newest.and_then(FlipsSummary::new),
        }
    }

    /// What a change of its newest candidate amounts to, where there is one.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        self.gain.as_ref().and_then(|gain| Verdict::of_word(&gain.verdict, Claim::CasesLikeThese))
    }
}

impl SideSummary {
    pub(crate) fn tally(&self) -> Tally {
        let Self { passed, failed, ungraded, .. } = *self;
        Tally { passed, failed, ungraded }
    }
}

impl GainSummary {
    pub(crate) fn measure(&self) -> Measure {
        Measure::of_word(&self.measure)
    }

    fn new(change: &Change) -> Self {
        let paired = change.gain.paired.as_ref();
        let interval = digest::interval(&change.gain);
        Self {
            verdict: change.gain.verdict().word().to_owned(),
            measure: change.gain.measure().word().to_owned(),
            scores: change.gain.scores,
            cases: paired.map_or(0, |paired| paired.cases),
            single_run: change.gain.single,
            ungraded_runs: change.gain.ungraded,
            mean: paired.map(|paired| paired.mean),
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
        }
    }
}

impl FlipsSummary {
    /// `None` where no expectation has verdicts on both sides.
    fn new(standings: &Standings<'_>) -> Option<Self> {
        let flips = standings.flips.as_ref()?;
        let of = |kind| flips.iter().filter(|flip| flip.kind == kind).count();
        let any = flips.iter().any(|flip| flip.change().is_some());
        any.then(|| Self { regressed: of(FlipKind::Regressed), fixed: of(FlipKind::Fixed) })
    }
}

fn side_of(part: &Part<'_>, addresses: &PartAddresses, side: &Side) -> SideSummary {
    let found = part.analysis.iterations[side.iteration].configuration(&side.configuration);
    let Tally { passed, failed, ungraded } = found.map(|found| found.tally).unwrap_or_default();
    SideSummary {
        configuration: line(&side.configuration),
        iteration: line(&part.workspace.iterations[side.iteration].name),
        page: addresses.iteration(side.iteration),
        passed,
        failed,
        ungraded,
        by_case: found.and_then(digest::case_mean),
    }
}

fn iteration(site: Site<'_>, index: usize) -> IterationSummary {
    let Site { part: Part { workspace, analysis, .. }, addresses, language, .. } = site;
    let iteration = &workspace.iterations[index];
    let graded = analysis.candidate_of(index).filter(|side| {
        let found = analysis.iterations[index].configuration(&side.configuration);
        found.is_some_and(|found| found.tally.graded() > 0)
    });
    let found = graded.and_then(|side| {
        answer::answer_of(workspace, analysis, &side, analysis.lead(&side), language)
    });
    IterationSummary {
        name: line(&iteration.name),
        page: addresses.iteration(index),
        updated: time::recorded(workspace, iteration),
        recorded: recorded::sentence(iteration, language).map(|sentence| line(&sentence)),
        sides: found.as_ref().map(|found| line(&found.sides)).unwrap_or_default(),
        verdict: found.map(|found| line(&found.line(language))),
    }
}

#[cfg(test)]
mod tests {
    use super::is_page;

    #[test]
    fn only_pages_of_the_report_are_linked() {
        for path in ["index.html", "iterations/iteration-1/index.html", "a_b/c.d.html"] {
            assert!(is_page(path), "{path}");
        }
        for path in [
            "javascript:alert(1)//.html",
            "../index.html",
            "/index.html",
            "a//b.html",
            "https://x.example/a.html",
            "a.htm",
            "a\\b.html",
            "a b.html",
            "",
        ] {
            assert!(!is_page(path), "{path}");
        }
    }
}
