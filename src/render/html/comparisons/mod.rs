//! Blind comparisons and the analyses after them, with what is behind the letters where that is
//! recorded. Nothing is guessed: a letter that nobody unblinded stays a letter.

mod analyses;

use std::collections::BTreeMap;
use std::fmt::Display;

use serde_json::{Value, json};

use crate::analyze::{ComparedCases, LabelMapping, blind};
use crate::chart;
use crate::model::{BlindComparison, JudgedSide, Winner};
use crate::render::context::{DASH, Link, Page, Rows, Site, view::check_row};
use crate::render::html::comparisons::analyses::analysis_view;
use crate::render::text::contests::{score, sums};
use crate::text::Slugs;

/// The most comparisons whose scores are drawn; the others have them as a table only.
const DRAWN: usize = 30;

/// With more respects the scores of a comparison are a table only.
const MOST_BARS: usize = 100;

pub(super) fn lines(page: &Page<'_>, index: usize) -> Rows<Value> {
    let iteration = &page.part.workspace.iterations[index];
    let file = page.to_file("comparisons.html");
    let to = |anchor: &str, text: &str| Link::new(format!("{file}#{anchor}"), text);
    let cases = ComparedCases::new(iteration);
    let compared = iteration.comparisons.iter().map(|found| {
        let case = cases.find(found).map(|at| &iteration.cases[at].name);
        json!({
            "link": to(&anchor_of(found), case.or(found.case.as_ref()).unwrap_or(&found.path)),
            "text": winner(page.site, found, &LabelMapping::new(found)),
        })
    });
    let analyzed = iteration.analyses.iter().map(|found| {
        json!({
            "link": to(&anchor(&found.path), &found.path),
            "text": page.language.text("comparisons.analysis"),
        })
    });
    compared.chain(analyzed).collect()
}

fn anchor(file: &str) -> String {
    format!("c-{}", Slugs::default().give(file))
}

/// The anchor of a comparison; of several in one file each has its own.
fn anchor_of(found: &BlindComparison) -> String {
    let Some(before) = found.before else { return anchor(&found.path) };
    let case = found.case.as_deref().unwrap_or_default();
    anchor(&format!("{} {case} {}", found.path, before + 1))
}

pub(super) fn view(page: &Page<'_>) -> Value {
    let iterations = &page.part.workspace.iterations;
    let title = page.language.text("comparisons.title");
    let number = iterations.iter().map(|iteration| iteration.comparisons.len()).sum();
    let number = page.language.count(number, "comparison");
    let analyses = iterations.iter().map(|iteration| iteration.analyses.len()).sum();
    let analyses = page.language.count(analyses, "analysis");
    let (wins, unknown) = wins(page.site);
    let blind = blind(page.part.workspace, page.part.analysis);
    let mut left = DRAWN;
    let mut shown = Vec::new();
    for (index, iteration) in iterations.iter().enumerate().rev() {
        if iteration.comparisons.is_empty() && iteration.analyses.is_empty() {
            continue;
        }
        let cases = ComparedCases::new(iteration);
        let compared = |found: &BlindComparison| {
            let is_drawn = left > 0;
            left = left.saturating_sub(1);
            comparison(page, (index, cases.find(found)), found, is_drawn)
        };
        shown.push(json!({
            "link": page.iteration_link(index),
            "comparisons": Rows::all(iteration.comparisons.iter(), compared),
            "analyses": Rows::all(iteration.analyses.iter(), |found| analysis_view(page.site, found)),
        }));
    }
    let counts: [(&str, &dyn Display); 2] = [("comparisons", &number), ("analyses", &analyses)];
    json!({
        "frame": page.frame(title, None),
        "lead": page.language.fill("comparisons.lead", &counts),
        "wins": wins,
        "unknown": unknown,
        "sums": sums(page.part, &blind, page.language),
        "iterations": shown,
    })
}

/// Who won how often where that is known, and a sentence on the rest.
fn wins(site: Site<'_>) -> (Rows<Value>, Option<String>) {
    let mut known: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let mut rest = [0; 4];
    for found in site.part.workspace.iterations.iter().flat_map(|iteration| &iteration.comparisons)
    {
        let behind = LabelMapping::new(found);
        let (Some(a), Some(b)) = (&behind.a, &behind.b) else {
            let place = match found.winner {
                Some(Winner::A) => 0,
                Some(Winner::B) => 1,
                Some(Winner::Tie) => 2,
                None => 3,
            };
            rest[place] += 1;
            continue;
        };
        for (name, letter) in [(a, Winner::A), (b, Winner::B)] {
            let counts = known.entry(name.clone()).or_default();
            match found.winner {
                Some(Winner::Tie) => counts[2] += 1,
                Some(winner) => {
                    counts[0] += usize::from(winner == letter);
                    counts[1] += 1;
                }
                None => {}
            }
        }
    }
    let row = |(name, [won, of, ties]): (String, [usize; 3])| {
        let won = if of > 0 { format!("{won}/{of}") } else { DASH.to_owned() };
        json!({ "name": name, "won": won, "ties": ties })
    };
    let ([a, b, ties, open], all) = (rest, rest.iter().sum());
    let number = site.language.count(all, "comparison");
    let values: [(&str, &dyn Display); 5] =
        [("number", &number), ("a", &a), ("b", &b), ("ties", &ties), ("open", &open)];
    let unknown = (all > 0).then(|| site.language.fill("comparisons.unknown_wins", &values));
    (known.into_iter().map(row).collect(), unknown)
}

fn comparison(
    page: &Page<'_>,
    (index, case): (usize, Option<usize>),
    found: &BlindComparison,
    is_drawn: bool,
) -> Value {
    let behind = LabelMapping::new(found);
    let scores = found
        .dimensions
        .iter()
        .map(|dimension| [dimension.name.clone(), score(dimension.a), score(dimension.b)]);
    let is_drawn = is_drawn && (1..=MOST_BARS).contains(&found.dimensions.len());
    let bars = || {
        let names = [Winner::A, Winner::B].map(|letter| name_behind(page.site, &behind, letter));
        let names = names.each_ref().map(String::as_str);
        chart::bars(&anchor_of(found), names, &found.dimensions, page.language)
    };
    json!({
        "anchor": anchor_of(found),
        "name": found.case,
        "case": case.map(|at| page.case_of_iteration(index, at)),
        "path": found.path,
        "winner": winner(page.site, found, &behind),
        "behind": in_words(page.site, &behind),
        "prompt": found.prompt.as_ref().filter(|_| case.is_none()),
        "reasoning": found.reasoning,
        "figure": is_drawn.then(bars),
        "scores": scores.filter(|_| !is_drawn).collect::<Rows<_>>(),
        "sides": sides(page.site, found, &behind),
    })
}

/// What is behind one letter, or that this is not known.
fn name_behind(site: Site<'_>, behind: &LabelMapping, letter: Winner) -> String {
    let name = if letter == Winner::A { &behind.a } else { &behind.b };
    name.clone().unwrap_or_else(|| site.language.text("comparisons.not_known").to_owned())
}

fn in_words(site: Site<'_>, behind: &LabelMapping) -> String {
    let language = site.language;
    match (&behind.a, &behind.b, &behind.pair) {
        (None, None, Some((first, second))) => {
            language.fill("comparisons.pair", &[("first", first), ("second", second)])
        }
        (None, None, None) => language.text("comparisons.blind").to_owned(),
        _ => {
            let [a, b] = [Winner::A, Winner::B].map(|letter| name_behind(site, behind, letter));
            language.fill("comparisons.behind", &[("a", &a), ("b", &b)])
        }
    }
}

/// Who won, with what is behind the letter where that is known.
fn winner(site: Site<'_>, found: &BlindComparison, behind: &LabelMapping) -> String {
    let (letter, name) = match found.winner {
        Some(Winner::A) => ("A", &behind.a),
        Some(Winner::B) => ("B", &behind.b),
        Some(Winner::Tie) => return site.language.text("comparisons.tie").to_owned(),
        None => return site.language.text("comparisons.undecided").to_owned(),
    };
    let Some(name) = name else {
        return site.language.fill("comparisons.won", &[("letter", &letter)]);
    };
    site.language.fill("comparisons.won_by", &[("letter", &letter), ("name", name)])
}

fn sides(site: Site<'_>, found: &BlindComparison, behind: &LabelMapping) -> Vec<Value> {
    let mut sides = Vec::new();
    let mut is_empty = true;
    for (letter, side, winner) in [("A", &found.a, Winner::A), ("B", &found.b, Winner::B)] {
        let figures = figures(site, side);
        is_empty &= figures.is_empty()
            && side.strengths.is_empty()
            && side.weaknesses.is_empty()
            && side.details.is_empty();
        sides.push(json!({
            "title": chart::side(site.language, letter, &name_behind(site, behind, winner)),
            "figures": figures,
            "strengths": side.strengths,
            "weaknesses": side.weaknesses,
            "details": side.details.iter().map(check_row).collect::<Vec<_>>(),
        }));
    }
    if is_empty { Vec::new() } else { sides }
}

/// Overall score, that of the quality, and expectations met of those the judge checked.
fn figures(site: Site<'_>, side: &JudgedSide) -> Vec<String> {
    let scored = |key: &str, value: Option<f64>| {
        value.map(|value| site.language.fill(key, &[("score", &score(Some(value)))]))
    };
    let overall = scored("comparisons.overall", side.score);
    let quality = scored("comparisons.quality", side.quality);
    let checked = side.passed.zip(side.total).map(|(passed, total)| {
        let counts = format!("{}/{}", score(Some(passed)), score(Some(total)));
        site.language.fill("comparisons.checked", &[("counts", &counts)])
    });
    overall.into_iter().chain(quality).chain(checked).collect()
}
