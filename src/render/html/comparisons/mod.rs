//! Blind comparisons and the analyses after them, with what is behind the letters if it is
//! recorded. Nothing is guessed: a letter that was never unblinded stays a letter.

mod analyses;

use crate::analyze::{BlindCases, UnblindedLabels, WinsAndLosses};
use crate::chart;
use crate::chart::inline::{BarSide, Tone};
use crate::digest::Wins;
use crate::language::{DASH, Language, say};
use crate::render::context::{Link, Page, Rows, View, view, view::check_row};
use crate::render::html::comparisons::analyses::{analysis_view, anchor};
use crate::wording::blind::{matchups, score};
use input::model::{BlindComparison, Iteration, JudgedSide, Winner};

/// The comparisons and analyses of an iteration, each as a link with its result.
pub(super) fn results(page: &Page<'_>, index: usize) -> Rows<View> {
    let iteration = &page.part.workspace.iterations[index];
    let file = page.to_file("comparisons.html");
    let cases = BlindCases::new(iteration);
    let mut results = Vec::new();
    for comparison in &iteration.comparisons {
        let case = cases.find(comparison).map(|at| &iteration.cases[at].name);
        let name = case.or(comparison.case.as_ref()).unwrap_or(&comparison.path);
        let href = format!("{file}#{}", comparison_anchor(comparison));
        let text = winner(page.language, comparison, &UnblindedLabels::new(comparison));
        results.push(view!({ "link": Link::new(href, name), "text": text }));
    }
    for analysis in &iteration.analyses {
        let href = format!("{file}#{}", anchor(&analysis.path));
        let text = page.language.text("comparisons.analysis");
        results.push(view!({ "link": Link::new(href, &analysis.path), "text": text }));
    }
    results.into_iter().collect()
}

/// The anchor of a comparison, unique among those in one file.
fn comparison_anchor(comparison: &BlindComparison) -> String {
    let Some(before) = comparison.before else { return anchor(&comparison.path) };
    let case = comparison.case.as_deref().unwrap_or_default();
    anchor(&format!("{} {case} {}", comparison.path, before + 1))
}

pub(super) fn view(page: &Page<'_>) -> View {
    let (iterations, language) = (&page.part.workspace.iterations, page.language);
    let all = iterations.iter().flat_map(|iteration| &iteration.comparisons);
    let blind = all.filter(|comparison| comparison.is_blind()).count();
    let comparisons = language.count(blind, "comparison");
    let analyses = iterations.iter().map(|iteration| iteration.analyses.len()).sum();
    let analyses = language.count(analyses, "analysis");
    let mut shown = Vec::new();
    for (index, iteration) in iterations.iter().enumerate().rev() {
        if !iteration.comparisons.is_empty() || !iteration.analyses.is_empty() {
            shown.push(iteration_view(page, index, iteration));
        }
    }
    let wins = Wins::count(iterations);
    view!({
        "frame": page.frame(language.text("comparisons.title"), None),
        "lead": say!(language, "comparisons.lead", comparisons, analyses),
        "wins": version_rows(&wins),
        "unknown": unknown_sentence(language, &wins),
        "matchups": matchups(page.part.facts(language)).into_iter().collect::<Rows<_>>(),
        "iterations": shown,
    })
}

fn version_rows(wins: &Wins) -> Rows<View> {
    Rows::all(wins.by_version.iter(), |(name, wins)| {
        let won = match wins.won + wins.lost {
            0 => DASH.to_owned(),
            decided => format!("{}/{decided}", wins.won),
        };
        view!({ "name": name, "won": won, "ties": wins.tied })
    })
}

/// The sentence on comparisons whose letters are unknown; `None` without any.
fn unknown_sentence(language: &Language, wins: &Wins) -> Option<String> {
    let WinsAndLosses { won: a, lost: b, tied: ties } = wins.unknown;
    let open = wins.open;
    let number = a + b + ties + open;
    if number == 0 {
        return None;
    }
    let number = language.count(number, "comparison");
    Some(say!(language, "comparisons.unknown_wins", number, a, b, ties, open))
}

fn iteration_view(page: &Page<'_>, index: usize, iteration: &Iteration) -> View {
    let cases = BlindCases::new(iteration);
    let comparisons = iteration.comparisons.iter();
    let analyses = iteration.analyses.iter();
    view!({
        "link": page.iteration_link(index),
        "comparisons": Rows::all(comparisons, |one| comparison(page, index, cases.find(one), one)),
        "analyses": Rows::all(analyses, |analysis| analysis_view(page.language, analysis)),
    })
}

fn comparison(
    page: &Page<'_>,
    index: usize,
    case: Option<usize>,
    comparison: &BlindComparison,
) -> View {
    let behind = UnblindedLabels::new(comparison);
    let shown = ShownSides::new(page, index, &behind);
    let top = top_of_scale(comparison);
    let scores = Rows::all(comparison.dimensions.iter(), |dimension| {
        let [left, right] = shown.in_order([dimension.a, dimension.b]);
        let shares = [left, right].map(|score| score.map(|score| score / top));
        let [first, second] = shown.in_order(["A", "B"]);
        let label = format!("{first} {}, {second} {}", score(left), score(right));
        let svg = if shown.is_known {
            chart::both_sides(shares, BarSide::Other, Tone::Neutral, false, &label)
        } else {
            chart::lettered(shares, &label)
        };
        [dimension.name.clone(), score(left), svg, score(right)]
    });
    // The page of the case has the prompt.
    let prompt = if case.is_none() { comparison.prompt.as_ref() } else { None };
    view!({
        "anchor": comparison_anchor(comparison),
        "name": comparison.case,
        "case": case.map(|at| page.case_of_iteration(index, at)),
        "path": comparison.path,
        "winner": winner(page.language, comparison, &behind),
        "behind": names_sentence(page.language, &behind),
        "prompt": prompt,
        "reasoning": comparison.reasoning,
        "scores": scores,
        "heads": shown.heads(page.language, &behind),
        "sides": sides(page.language, comparison, &behind, &shown),
    })
}

/// On which side the outputs of a comparison are: the older one on the left, as everywhere, where the letters
/// are resolved.
struct ShownSides {
    is_known: bool,
    is_turned: bool,
}

impl ShownSides {
    fn new(page: &Page<'_>, index: usize, behind: &UnblindedLabels) -> Self {
        let baseline = page.part.analysis.iterations[index].roles.baseline.as_ref();
        let is_baseline =
            [&behind.a, &behind.b].map(|name| name.is_some() && name.as_ref() == baseline);
        let is_known = behind.a.is_some() && behind.b.is_some() && is_baseline[0] != is_baseline[1];
        Self { is_known, is_turned: is_known && is_baseline[1] }
    }

    fn in_order<T>(&self, [a, b]: [T; 2]) -> [T; 2] {
        if self.is_turned { [b, a] } else { [a, b] }
    }

    /// The heads of the columns of scores: the name behind each letter, where it is known.
    fn heads(&self, language: &Language, behind: &UnblindedLabels) -> [View; 2] {
        let names = self.in_order([("A", &behind.a), ("B", &behind.b)]);
        let mut roles = ["baseline", "candidate"].into_iter();
        names.map(|(letter, name)| {
            let text = match name {
                Some(name) => say!(language, "comparisons.side", letter, name),
                None => letter.to_owned(),
            };
            let role = roles.next().filter(|_| self.is_known);
            view!({ "text": text, "role": role })
        })
    }
}

/// Where the scale of the scores ends: judges use 5, 10 or 100.
fn top_of_scale(comparison: &BlindComparison) -> f64 {
    let scores = comparison.dimensions.iter().flat_map(|dimension| [dimension.a, dimension.b]);
    let highest = scores.flatten().fold(0.0, f64::max);
    [5.0, 10.0, 100.0].into_iter().find(|top| highest <= *top).unwrap_or(highest)
}

/// A name behind a letter, or a remark that it is unknown.
fn name_or_unknown<'a>(language: &'a Language, name: &'a Option<String>) -> &'a str {
    name.as_deref().unwrap_or_else(|| language.text("comparisons.not_known"))
}

fn names_sentence(language: &Language, behind: &UnblindedLabels) -> String {
    match (&behind.a, &behind.b, &behind.pair) {
        (None, None, Some((first, second))) => say!(language, "comparisons.pair", first, second),
        (None, None, None) => language.text("comparisons.blind").to_owned(),
        (a, b, _) => {
            let (a, b) = (name_or_unknown(language, a), name_or_unknown(language, b));
            say!(language, "comparisons.behind", a, b)
        }
    }
}

/// The winner, with the name behind the letter if it is known.
fn winner(language: &Language, comparison: &BlindComparison, behind: &UnblindedLabels) -> String {
    let (letter, name) = match comparison.winner {
        Some(Winner::A) => ("A", &behind.a),
        Some(Winner::B) => ("B", &behind.b),
        Some(Winner::Tie) => return language.text("comparisons.tie").to_owned(),
        None => return language.text("comparisons.undecided").to_owned(),
    };
    match name {
        Some(name) => say!(language, "comparisons.won_by", letter, name),
        None => say!(language, "comparisons.won", letter),
    }
}

/// Both sides; none if the judge says nothing about either.
fn sides(
    language: &Language,
    comparison: &BlindComparison,
    behind: &UnblindedLabels,
    shown: &ShownSides,
) -> Vec<View> {
    let (a, b) = (&comparison.a, &comparison.b);
    let (figures_a, figures_b) = (figures(language, a), figures(language, b));
    if has_nothing(a) && has_nothing(b) && figures_a.is_empty() && figures_b.is_empty() {
        return Vec::new();
    }
    let views = [
        side_view(language, "A", &behind.a, a, figures_a),
        side_view(language, "B", &behind.b, b, figures_b),
    ];
    shown.in_order(views).into()
}

fn has_nothing(side: &JudgedSide) -> bool {
    side.strengths.is_empty() && side.weaknesses.is_empty() && side.details.is_empty()
}

fn side_view(
    language: &Language,
    letter: &str,
    name: &Option<String>,
    side: &JudgedSide,
    figures: Vec<String>,
) -> View {
    let name = name_or_unknown(language, name);
    view!({
        "title": say!(language, "comparisons.side", letter, name),
        "figures": figures,
        "strengths": side.strengths,
        "weaknesses": side.weaknesses,
        "details": side.details.iter().map(check_row).collect::<Vec<_>>(),
    })
}

/// Overall score, quality score, and expectations met among those the judge checked.
fn figures(language: &Language, side: &JudgedSide) -> Vec<String> {
    let mut figures = Vec::new();
    for (key, value) in [("comparisons.overall", side.score), ("comparisons.quality", side.quality)]
    {
        if value.is_some() {
            figures.push(say!(language, key, score = score(value)));
        }
    }
    if side.passed.is_some() && side.total.is_some() {
        let counts = format!("{}/{}", score(side.passed), score(side.total));
        figures.push(say!(language, "comparisons.checked", counts));
    }
    figures
}
