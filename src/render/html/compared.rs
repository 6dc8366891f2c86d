//! What the pages of cases and runs say of the comparisons they lead to.

use serde::Serialize;

use crate::analyze::{Against, CasePairs, Choice, Fate, Flip, run_pairs};
use crate::difference::{Changes, Reader, Summary};
use crate::language::Language;
use crate::model::Workspace;
use crate::render::context::{Link, Site, link};
use crate::render::text::flips::in_part;

/// A comparison in a line.
#[derive(Serialize)]
pub(super) struct ComparedRow {
    /// Its page.
    pub(super) link: Link,
    /// `1 regressed, 2 fixed`, or empty.
    pub(super) flips: String,
    /// What became of the outputs; empty where only the link is wanted.
    pub(super) outputs: String,
}

/// The comparisons of the case in one iteration; with what changed where `in_short`.
pub(super) fn rows(
    site: Site<'_>,
    path: &str,
    line: usize,
    iteration: usize,
    in_short: bool,
) -> Vec<ComparedRow> {
    let pairs = &site.part.analysis.pairs[line];
    let row = |choice: &Choice| ComparedRow {
        link: to(site, path, line, choice),
        flips: flips(site, line, choice),
        outputs: if in_short { outputs(site, line, choice) } else { String::new() },
    };
    pairs.in_iteration(iteration).map(row).collect()
}

/// Links from a run's page to what its side is compared with, at the run itself.
pub(super) fn links_of_run(
    site: Site<'_>,
    path: &str,
    place: (usize, usize),
    configuration: &str,
) -> Vec<Link> {
    let (line, iteration) = place;
    let pairs = &site.part.analysis.pairs[line];
    pairs.of_side(iteration, configuration).map(|choice| to(site, path, line, choice)).collect()
}

fn to(site: Site<'_>, path: &str, line: usize, choice: &Choice) -> Link {
    let pairs = &site.part.analysis.pairs[line];
    let address = site.addresses.difference(line, &pairs.pairs[choice.pair]);
    let text = choice_text(site.part.workspace, site.language, pairs, choice);
    Link { href: link(path, &address), text }
}

/// What a choice compares with what.
pub(in crate::render) fn choice_text(
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

fn flips(site: Site<'_>, line: usize, choice: &Choice) -> String {
    let pair = &site.part.analysis.pairs[line].pairs[choice.pair];
    let flips = site.part.flips.between(&pair.before, &pair.after);
    let words = match pair.before.is_beside(&pair.after) {
        true => ["worse", "better"],
        false => ["regressed", "fixed"],
    };
    let counts = [Fate::Regressed, Fate::Fixed].into_iter().zip(words);
    let texts = counts.filter_map(|(fate, key)| {
        let of: Vec<&Flip> = flips.on(line).iter().filter(|flip| flip.fate == fate).collect();
        let counts = site.language.count(of.len(), key);
        (!of.is_empty()).then(|| in_part(counts, of, site.language))
    });
    texts.collect::<Vec<_>>().join(site.language.text("list.semicolon"))
}

/// What became of the outputs of all runs of both sides.
fn outputs(site: Site<'_>, line: usize, choice: &Choice) -> String {
    let pair = &site.part.analysis.pairs[line].pairs[choice.pair];
    let reader = Reader { source: site.part.source, prefix: site.part.prefix };
    let mut summary = Summary::default();
    for runs in run_pairs(site.part.workspace, &site.part.analysis.lines[line], pair) {
        summary.add(Changes::of(&runs.before.outputs, &runs.after.outputs, reader));
    }
    summary.text(site.language)
}
