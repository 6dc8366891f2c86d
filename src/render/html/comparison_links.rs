//! Links from the pages of cases and runs to their comparisons.

use serde::Serialize;

use crate::analyze::{Against, Change, Choice, ConfigurationSummary, Flip, FlipKind, Verdict};
use crate::chart::inline::Tone;
use crate::language::Language;
use crate::render::context::{Link, Page, RenderContext};
use crate::render::html::review::REVIEWED_AGAINST;
use crate::wording::changes::key_against;
use crate::wording::sides;

/// A comparison of two sides of a case.
#[derive(Serialize)]
pub(super) struct ComparisonRow {
    pub(super) link: Link,
    /// Both sides, the older first: the iteration and the configuration of each, a line each.
    pub(super) sides: [String; 2],
    /// How many checks changed; empty for none.
    pub(super) flips: String,
}

pub(super) fn rows(page: &Page<'_>, case_index: usize, iteration: usize) -> Vec<ComparisonRow> {
    let pairs = &page.part.analysis.pairs[case_index];
    let mut rows = Vec::new();
    for choice in pairs.in_iteration(iteration) {
        let link = comparison_link(page, case_index, choice);
        let pair = &pairs.pairs[choice.pair];
        let sides = [&pair.before, &pair.after].map(|side| {
            let iteration = &page.part.workspace.iterations[side.iteration].name;
            format!("{iteration}\n{}", side.configuration)
        });
        rows.push(ComparisonRow { link, sides, flips: flips(page, case_index, choice) });
    }
    rows
}

/// The number of regressed and improved checks between two sides of a case.
fn flips(page: &Page<'_>, case_index: usize, choice: &Choice) -> String {
    // Nothing is better or worse where there is no baseline.
    if matches!(choice.against, Against::Peer | Against::Nothing) {
        return String::new();
    }
    let pair = &page.part.analysis.pairs[case_index].pairs[choice.pair];
    let flips = page.part.comparisons.between(&pair.before, &pair.after);
    let flips = flips.on(case_index);
    let sides = [&pair.before, &pair.after];
    let mut counts = Vec::new();
    for (kind, key) in [(FlipKind::Regressed, "regressed"), (FlipKind::Improved, "improved")] {
        counts.extend(count(flips, kind, &key_against(key, sides), page.language));
    }
    counts.extend(count(flips, FlipKind::Unsteady, "unsteady", page.language));
    counts.extend(count(flips, FlipKind::Reworded, "reworded", page.language));
    counts.join(page.language.text("list.semicolon"))
}

fn count(flips: &[Flip<'_>], kind: FlipKind, key: &str, language: &Language) -> Option<String> {
    let matching = flips.iter().filter(|flip| flip.kind == kind).count();
    if matching == 0 { None } else { Some(language.count(matching, key)) }
}

/// Links from a run's page to the comparisons of its side, at the run itself.
pub(super) fn links_of_run(
    page: &Page<'_>,
    case_index: usize,
    iteration: usize,
    configuration: &str,
) -> Vec<Link> {
    let choices = page.part.analysis.pairs[case_index].for_side(iteration, configuration);
    choices.map(|choice| comparison_link(page, case_index, choice)).collect()
}

fn comparison_link(page: &Page<'_>, case_index: usize, choice: &Choice) -> Link {
    let pairs = &page.part.analysis.pairs[case_index];
    let address = page.addresses.difference(case_index, &pairs.pairs[choice.pair], None);
    Link::new(page.link(&address), sides::choice(page.part.workspace, page.language, pairs, choice))
}

/// Whether review pages belong to the comparison.
pub(super) fn has_review_pages(change: &Change) -> bool {
    change.against.iter().any(|against| REVIEWED_AGAINST.contains(against))
}

/// Whether the comparison has an overview of its own: it leads no iteration.
pub(super) fn has_own_page(context: RenderContext<'_>, change: &Change) -> bool {
    let analysis = context.part.analysis;
    let candidate = analysis.candidate_of(change.after.iteration);
    has_review_pages(change) && candidate.and_then(|side| analysis.lead(&side)) != Some(change)
}

/// The page with the overview of a comparison.
pub(super) fn address(context: RenderContext<'_>, change: &Change) -> String {
    let iteration = change.after.iteration;
    if has_own_page(context, change) {
        context.addresses.comparison(&change.before, &change.after)
    } else if context.is_on_first_page(iteration) {
        context.addresses.report_file("index.html")
    } else {
        context.addresses.iteration(iteration)
    }
}

/// The name of the side that the candidate of `change` is compared with.
pub(super) fn other_name(context: RenderContext<'_>, change: &Change) -> String {
    let [other, _] = sides::short_names(context.part.facts(context.language), change.sides());
    other
}

/// Whether both sides of a comparison are drawn as gray outlines: one of them has one run a case, and
/// the cases are too few to make up for it.
pub(super) fn is_outlined(verdict: Verdict, sides: [&ConfigurationSummary; 2]) -> bool {
    tone(verdict) == Tone::Neutral && sides.iter().any(|side| side.runs_per_case <= 1)
}

/// Only verdicts with a direction are colored.
pub(super) fn tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Better(_) | Verdict::ProbablyBetter => Tone::Better,
        Verdict::Worse(_) | Verdict::ProbablyWorse => Tone::Worse,
        _ => Tone::Neutral,
    }
}
