//! Blind comparisons and the analyses after them, with what is behind the letters if it is
//! recorded. Nothing is guessed: a letter that was never unblinded stays a letter.

mod analyses;

use std::collections::BTreeMap;
use std::fmt::Display;

use serde_json::{Value, json};

use crate::analyze::{ComparedCases, LabelMapping};
use crate::model::{BlindComparison, JudgedSide, Winner};
use crate::render::context::{DASH, Link, Page, RenderContext, Rows, view::check_row};
use crate::render::html::comparisons::analyses::analysis_view;
use crate::text::Slugs;
use crate::wording::blind::{contests, score};

pub(super) fn lines(page: &Page<'_>, index: usize) -> Rows<Value> {
    let iteration = &page.part.workspace.iterations[index];
    let file = page.to_file("comparisons.html");
    let to = |anchor: &str, text: &str| Link::new(format!("{file}#{anchor}"), text);
    let cases = ComparedCases::new(iteration);
    let compared = iteration.comparisons.iter().map(|comparison| {
        let case = cases.find(comparison).map(|at| &iteration.cases[at].name);
        json!({
            "link": to(&comparison_anchor(comparison), case.or(comparison.case.as_ref()).unwrap_or(&comparison.path)),
            "text": winner(page.context, comparison, &LabelMapping::new(comparison)),
        })
    });
    let analyzed = iteration.analyses.iter().map(|analysis| {
        json!({
            "link": to(&anchor(&analysis.path), &analysis.path),
            "text": page.language.text("comparisons.analysis"),
        })
    });
    compared.chain(analyzed).collect()
}

fn anchor(file: &str) -> String {
    format!("c-{}", Slugs::default().give(file))
}

/// The anchor of a comparison, unique among those in one file.
fn comparison_anchor(comparison: &BlindComparison) -> String {
    let Some(before) = comparison.before else { return anchor(&comparison.path) };
    let case = comparison.case.as_deref().unwrap_or_default();
    anchor(&format!("{} {case} {}", comparison.path, before + 1))
}

pub(super) fn view(page: &Page<'_>) -> Value {
    let iterations = &page.part.workspace.iterations;
    let title = page.language.text("comparisons.title");
    let number = iterations.iter().map(|iteration| iteration.comparisons.len()).sum();
    let number = page.language.count(number, "comparison");
    let analyses = iterations.iter().map(|iteration| iteration.analyses.len()).sum();
    let analyses = page.language.count(analyses, "analysis");
    let (wins, unknown) = wins(page.context);
    let mut shown = Vec::new();
    for (index, iteration) in iterations.iter().enumerate().rev() {
        if iteration.comparisons.is_empty() && iteration.analyses.is_empty() {
            continue;
        }
        let cases = ComparedCases::new(iteration);
        let compared = |one: &BlindComparison| comparison(page, index, cases.find(one), one);
        shown.push(json!({
            "link": page.iteration_link(index),
            "comparisons": Rows::all(iteration.comparisons.iter(), compared),
            "analyses": Rows::all(iteration.analyses.iter(), |one| analysis_view(page.context, one)),
        }));
    }
    let counts: [(&str, &dyn Display); 2] = [("comparisons", &number), ("analyses", &analyses)];
    json!({
        "frame": page.frame(title, None),
        "lead": page.language.fill("comparisons.lead", &counts),
        "wins": wins,
        "unknown": unknown,
        "contests": Rows::all(contests(page.part.facts(page.language)).into_iter(), |contest| contest),
        "iterations": shown,
    })
}

/// How often each side won, if known, and a sentence on the rest.
fn wins(context: RenderContext<'_>) -> (Rows<Value>, Option<String>) {
    let mut wins_by_name: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let mut rest = [0; 4];
    for comparison in
        context.part.workspace.iterations.iter().flat_map(|iteration| &iteration.comparisons)
    {
        let behind = LabelMapping::new(comparison);
        let (Some(a), Some(b)) = (&behind.a, &behind.b) else {
            let position = match comparison.winner {
                Some(Winner::A) => 0,
                Some(Winner::B) => 1,
                Some(Winner::Tie) => 2,
                None => 3,
            };
            rest[position] += 1;
            continue;
        };
        for (name, letter) in [(a, Winner::A), (b, Winner::B)] {
            let counts = wins_by_name.entry(name.clone()).or_default();
            match comparison.winner {
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
    let ([a, b, ties, open], total) = (rest, rest.iter().sum());
    let number = context.language.count(total, "comparison");
    let values: [(&str, &dyn Display); 5] =
        [("number", &number), ("a", &a), ("b", &b), ("ties", &ties), ("open", &open)];
    let unknown = (total > 0).then(|| context.language.fill("comparisons.unknown_wins", &values));
    (wins_by_name.into_iter().map(row).collect(), unknown)
}

fn comparison(
    page: &Page<'_>,
    index: usize,
    case: Option<usize>,
    comparison: &BlindComparison,
) -> Value {
    let behind = LabelMapping::new(comparison);
    let scores = comparison
        .dimensions
        .iter()
        .map(|dimension| [dimension.name.clone(), score(dimension.a), score(dimension.b)]);
    json!({
        "anchor": comparison_anchor(comparison),
        "name": comparison.case,
        "case": case.map(|at| page.case_of_iteration(index, at)),
        "path": comparison.path,
        "winner": winner(page.context, comparison, &behind),
        "behind": names_sentence(page.context, &behind),
        "prompt": comparison.prompt.as_ref().filter(|_| case.is_none()),
        "reasoning": comparison.reasoning,
        "scores": scores.collect::<Rows<_>>(),
        "sides": sides(page.context, comparison, &behind),
    })
}

/// The name behind a letter, or a remark that it is unknown.
fn name_behind(context: RenderContext<'_>, behind: &LabelMapping, letter: Winner) -> String {
    let name = if letter == Winner::A { &behind.a } else { &behind.b };
    name.clone().unwrap_or_else(|| context.language.text("comparisons.not_known").to_owned())
}

fn names_sentence(context: RenderContext<'_>, behind: &LabelMapping) -> String {
    let language = context.language;
    match (&behind.a, &behind.b, &behind.pair) {
        (None, None, Some((first, second))) => {
            language.fill("comparisons.pair", &[("first", first), ("second", second)])
        }
        (None, None, None) => language.text("comparisons.blind").to_owned(),
        _ => {
            let [a, b] = [Winner::A, Winner::B].map(|letter| name_behind(context, behind, letter));
            language.fill("comparisons.behind", &[("a", &a), ("b", &b)])
        }
    }
}

/// The winner, with the name behind the letter if it is known.
fn winner(
    context: RenderContext<'_>,
    comparison: &BlindComparison,
    behind: &LabelMapping,
) -> String {
    let (letter, name) = match comparison.winner {
        Some(Winner::A) => ("A", &behind.a),
        Some(Winner::B) => ("B", &behind.b),
        Some(Winner::Tie) => return context.language.text("comparisons.tie").to_owned(),
        None => return context.language.text("comparisons.undecided").to_owned(),
    };
    let Some(name) = name else {
        return context.language.fill("comparisons.won", &[("letter", &letter)]);
    };
    context.language.fill("comparisons.won_by", &[("letter", &letter), ("name", name)])
}

fn sides(
    context: RenderContext<'_>,
    comparison: &BlindComparison,
    behind: &LabelMapping,
) -> Vec<Value> {
    let mut sides = Vec::new();
    let mut is_empty = true;
    for (letter, side, winner) in [("A", &comparison.a, Winner::A), ("B", &comparison.b, Winner::B)]
    {
        let figures = figures(context, side);
        let name = name_behind(context, behind, winner);
        let title: [(&str, &dyn Display); 2] = [("letter", &letter), ("name", &name)];
        is_empty &= figures.is_empty()
            && side.strengths.is_empty()
            && side.weaknesses.is_empty()
            && side.details.is_empty();
        sides.push(json!({
            "title": context.language.fill("comparisons.side", &title),
            "figures": figures,
            "strengths": side.strengths,
            "weaknesses": side.weaknesses,
            "details": side.details.iter().map(check_row).collect::<Vec<_>>(),
        }));
    }
    if is_empty { Vec::new() } else { sides }
}

/// Overall score, quality score, and expectations met among those the judge checked.
fn figures(context: RenderContext<'_>, side: &JudgedSide) -> Vec<String> {
    let scored = |key: &str, value: Option<f64>| {
        value.map(|value| context.language.fill(key, &[("score", &score(Some(value)))]))
    };
    let overall = scored("comparisons.overall", side.score);
    let quality = scored("comparisons.quality", side.quality);
    let checked = side.passed.zip(side.total).map(|(passed, total)| {
        let counts = format!("{}/{}", score(Some(passed)), score(Some(total)));
        context.language.fill("comparisons.checked", &[("counts", &counts)])
    });
    overall.into_iter().chain(quality).chain(checked).collect()
}
