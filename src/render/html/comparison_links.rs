//! What the pages of cases and runs say of the comparisons they lead to.

use serde_json::{Value, json};

use crate::analyze::{Against, CasePairs, Change, Choice, Flip, FlipKind, Verdict};
use crate::chart::inline::Tone;
use crate::language::Language;
use crate::model::Workspace;
use crate::render::context::{Link, Page, Site};
use crate::render::text::change::{self, in_part};

pub(super) fn rows(page: &Page<'_>, line: usize, iteration: usize) -> Vec<Value> {
    let pairs = &page.part.analysis.pairs[line];
    let row = |choice: &Choice| {
        let pair = &pairs.pairs[choice.pair];
        let flips = page.part.flips.between(&pair.before, &pair.after);
        let words = match pair.before.is_within_iteration(&pair.after) {
            true => ["worse", "better"],
            false => ["regressed", "improved"],
        };
        let counts = [FlipKind::Regressed, FlipKind::Improved].into_iter().zip(words);
        let texts = counts.filter_map(|(kind, key)| {
            let of: Vec<&Flip> = flips.on(line).iter().filter(|flip| flip.kind == kind).collect();
            let counts = page.language.count(of.len(), key);
            (!of.is_empty()).then(|| in_part(counts, of, page.language))
        });
        let flips = texts.collect::<Vec<_>>().join(page.language.text("list.semicolon"));
        json!({ "link": to(page, line, choice), "flips": flips })
    };
    pairs.in_iteration(iteration).map(row).collect()
}

/// Links from a run's page to what its side is compared with, at the run itself.
pub(super) fn links_of_run(
    page: &Page<'_>,
    (line, iteration): (usize, usize),
    configuration: &str,
) -> Vec<Link> {
    let pairs = &page.part.analysis.pairs[line];
    pairs.for_side(iteration, configuration).map(|choice| to(page, line, choice)).collect()
}

fn to(page: &Page<'_>, line: usize, choice: &Choice) -> Link {
    let pairs = &page.part.analysis.pairs[line];
    let address = page.addresses.difference(line, &pairs.pairs[choice.pair], None);
    Link::new(page.link(&address), choice_text(page.part.workspace, page.language, pairs, choice))
}

pub(crate) fn choice_text(
    workspace: &Workspace,
    words: &Language,
    pairs: &CasePairs,
    choice: &Choice,
) -> String {
    let pair = &pairs.pairs[choice.pair];
    let other = if pair.after == choice.side { &pair.before } else { &pair.after };
    let iteration = &workspace.iterations[other.iteration].name;
    let (key, other) = match choice.against {
        Against::Baseline => ("diff.against_baseline", &other.configuration),
        Against::Previous => ("diff.against_previous", iteration),
        _ => ("diff.against_pinned", iteration),
    };
    let configuration = &choice.side.configuration;
    words.fill(key, &[("configuration", configuration), ("other", other)])
}

/// What the candidate of `change` is compared with.
pub(super) fn other_name(site: Site<'_>, change: &Change) -> String {
    let sides = [&change.before, &change.after];
    let [other, _] = change::side_names(site.part.words(site.language), sides);
    other
}

/// Color is for verdicts that point one way.
pub(super) fn tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Better(_) | Verdict::ProbablyBetter => Tone::Better,
        Verdict::Worse(_) | Verdict::ProbablyWorse => Tone::Worse,
        _ => Tone::Neutral,
    }
}
