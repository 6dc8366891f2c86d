//! Links from the pages of cases and runs to their comparisons.

use serde_json::{Value, json};

use crate::analyze::{Change, Choice, Flip, FlipKind, Verdict};
use crate::chart::inline::Tone;
use crate::render::context::{Link, Page, RenderContext};
use crate::wording::changes::in_part;
use crate::wording::sides;

pub(super) fn rows(page: &Page<'_>, line: usize, iteration: usize) -> Vec<Value> {
    let pairs = &page.part.analysis.pairs[line];
    let row = |choice: &Choice| {
        let pair = &pairs.pairs[choice.pair];
        let flips = page.part.flips.between(&pair.before, &pair.after);
        let kinds = [(FlipKind::Regressed, "regressed"), (FlipKind::Improved, "improved")];
        let texts = kinds.into_iter().filter_map(|(kind, key)| {
            let matching: Vec<&Flip> =
                flips.on(line).iter().filter(|flip| flip.kind == kind).collect();
            let counts = page.language.count(matching.len(), key);
            (!matching.is_empty()).then(|| in_part(counts, matching, page.language))
        });
        let flips = texts.collect::<Vec<_>>().join(page.language.text("list.semicolon"));
        json!({ "link": comparison_link(page, line, choice), "flips": flips })
    };
    pairs.in_iteration(iteration).map(row).collect()
}

/// Links from a run's page to the comparisons of its side, at the run itself.
pub(super) fn links_of_run(
    page: &Page<'_>,
    (line, iteration): (usize, usize),
    configuration: &str,
) -> Vec<Link> {
    let pairs = &page.part.analysis.pairs[line];
    pairs
        .for_side(iteration, configuration)
        .map(|choice| comparison_link(page, line, choice))
        .collect()
}

fn comparison_link(page: &Page<'_>, line: usize, choice: &Choice) -> Link {
    let pairs = &page.part.analysis.pairs[line];
    let address = page.addresses.difference(line, &pairs.pairs[choice.pair], None);
    Link::new(page.link(&address), sides::choice(page.part.workspace, page.language, pairs, choice))
}

/// The name of the side that the candidate of `change` is compared with.
pub(super) fn other_name(context: RenderContext<'_>, change: &Change) -> String {
    let sides = [&change.before, &change.after];
    let [other, _] = sides::short_names(context.part.facts(context.language), sides);
    other
}

/// Only verdicts with a direction are colored.
pub(super) fn tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Better(_) | Verdict::ProbablyBetter => Tone::Better,
        Verdict::Worse(_) | Verdict::ProbablyWorse => Tone::Worse,
        _ => Tone::Neutral,
    }
}
