//! What blind comparisons add up to: who is ahead of whom by case, whether the letter decides,
//! whether verdicts stand when the letters are swapped, strengths of three versions and more.
//!
//! Only comparisons whose letters are unblinded tell anything about versions. The case is the unit:
//! all verdicts on one case count as their mean. Configurations are those of their iteration, so
//! `with_skill` of two iterations is two versions.

mod behind;
mod ranking;
mod rubric;

pub use crate::analyze::blind::behind::{Behind, ComparedCases};
pub use crate::analyze::blind::ranking::{Ranked, Ranking};
pub use crate::analyze::blind::rubric::{Respect, Scores};

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::analyze::Analysis;
use crate::analyze::roles::find_baseline;
use crate::model::{BlindComparison, Dimension, Winner, Workspace};
use crate::settings::Settings;
use crate::statistics::{HeadToHead, OrderBias, Share, swap_consistency};
use crate::text::{folded, folded_name, natural_order};

/// What the blind comparisons of a workspace add up to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blind {
    /// How often each letter won; `None` where nothing was decided.
    pub letters: Option<Letters>,
    /// Two versions each, where letters are unblinded.
    pub contests: Vec<Contest>,
    /// Strengths, for every set of at least three versions that met.
    pub rankings: Vec<Ranking>,
}

/// Whether A, which a judge reads first, wins more often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Letters {
    /// Decided comparisons that A won.
    pub a: u64,
    /// Those that B won.
    pub b: u64,
    /// The test of an even chance.
    pub bias: OrderBias,
    /// Of the decided comparisons with known letters, those with the later version behind A; and
    /// all of them.
    pub later_is_a: (usize, usize),
}

/// Every comparison of two versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Contest {
    /// Index of the iteration where the names are its configurations.
    pub iteration: Option<usize>,
    /// The later version, or the candidate.
    pub first: String,
    /// The other.
    pub second: String,
    /// How many comparisons there are.
    pub comparisons: usize,
    /// Those without a readable verdict.
    pub undecided: usize,
    /// Those that name no case, by which alone they could be counted.
    pub without_case: usize,
    /// The verdicts by case, a win of the first version counting +1; `None` where there are none.
    pub verdicts: Option<HeadToHead>,
    /// Pairs of verdicts on one case in both orders, and how many of them are the same.
    pub swapped: Option<Share>,
    /// The judges' scores, respect by respect.
    pub respects: Vec<Respect>,
}

impl Contest {
    /// Cases in which the first version is ahead, behind and even.
    pub fn by_case(&self) -> [usize; 3] {
        let scores = self.verdicts.iter().flat_map(|verdicts| &verdicts.scores);
        scores.fold([0; 3], |mut counts, score| {
            let place = match score {
                score if *score > TIE => 0,
                score if *score < -TIE => 1,
                _ => 2,
            };
            counts[place] += 1;
            counts
        })
    }
}

/// Mean verdicts nearer to 0 are even.
const TIE: f64 = 1e-9;

/// What the blind comparisons of `workspace` add up to.
pub fn blind(workspace: &Workspace, analysis: &Analysis) -> Blind {
    let found = unblinded(workspace, analysis);
    let mut pairs: BTreeMap<Names, Vec<&Unblinded<'_>>> = BTreeMap::new();
    for it in &found {
        pairs.entry(it.names.clone()).or_default().push(it);
    }
    let contests: Vec<Contest> =
        pairs.into_iter().map(|(names, found)| contest(names, &found)).collect();
    Blind { letters: letters(workspace, &found), rankings: ranking::all(&found), contests }
}

/// Where the names are known, the later version, the other one.
type Names = (Option<usize>, String, String);

/// A comparison with known letters.
struct Unblinded<'w> {
    names: Names,
    /// What tells its case from others; `None` where it names none.
    case: Option<String>,
    /// Whether the later version was A.
    first_is_a: bool,
    /// [`Ordering::Greater`] is a win of the later version.
    verdict: Option<Ordering>,
    found: &'w BlindComparison,
}

impl Unblinded<'_> {
    /// Scores of the later version and of the other one.
    fn scores(&self, dimension: &Dimension) -> Option<(f64, f64)> {
        let (a, b) = (dimension.a?, dimension.b?);
        let pair = if self.first_is_a { (a, b) } else { (b, a) };
        (a.is_finite() && b.is_finite()).then_some(pair)
    }
}

fn unblinded<'w>(workspace: &'w Workspace, analysis: &Analysis) -> Vec<Unblinded<'w>> {
    let mut lines: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (line, found) in analysis.lines.iter().enumerate() {
        lines.extend(found.meetings.iter().map(|met| ((met.iteration, met.case), line)));
    }
    let mut all = Vec::new();
    for (index, iteration) in workspace.iterations.iter().enumerate() {
        let cases = ComparedCases::of(iteration);
        let names = iteration.configurations.iter().enumerate();
        let places: BTreeMap<&str, usize> = names.map(|(at, it)| (it.as_str(), at)).collect();
        for found in &iteration.comparisons {
            let behind = Behind::of(found);
            let (Some(a), Some(b)) = (behind.a, behind.b) else { continue };
            if a == b {
                continue;
            }
            let place = |name: &str| places.get(name).copied();
            let scope = (place(&a).is_some() || place(&b).is_some()).then_some(index);
            let first_is_a = is_later([&a, &b], scope.map(|_| [place(&a), place(&b)]));
            let (first, second) = if first_is_a { (a, b) } else { (b, a) };
            let met = cases.find(found).and_then(|case| lines.get(&(index, case)));
            let case = met.map(|line| format!("line {line}")).or_else(|| named_case(found));
            let verdict = found.winner.map(|winner| verdict(winner, first_is_a));
            all.push(Unblinded { names: (scope, first, second), case, first_is_a, verdict, found });
        }
    }
    all
}

/// Whether the first of two names is the later version: of configurations the one that stands
/// before the other or that is not the baseline by its name, of versions the higher one.
fn is_later(names: [&String; 2], places: Option<[Option<usize>; 2]>) -> bool {
    match places {
        Some([Some(a), Some(b)]) => a < b,
        Some([a, _]) => a.is_some(),
        None => match find_baseline(&names.map(String::clone), &Settings::default()) {
            Some(baseline) => baseline == *names[1],
            None => natural_order(names[0], names[1]) == Ordering::Greater,
        },
    }
}

/// A case that is not among the runs, by the name or prompt that the judge was given.
fn named_case(found: &BlindComparison) -> Option<String> {
    let name = found.case.as_deref().map(|name| format!("name {}", folded_name(name)));
    name.or_else(|| found.prompt.as_deref().map(|prompt| format!("prompt {}", folded(prompt))))
}

fn verdict(winner: Winner, first_is_a: bool) -> Ordering {
    match (winner, first_is_a) {
        (Winner::Tie, _) => Ordering::Equal,
        (Winner::A, true) | (Winner::B, false) => Ordering::Greater,
        _ => Ordering::Less,
    }
}

fn contest((iteration, first, second): Names, found: &[&Unblinded<'_>]) -> Contest {
    let mut by_case: BTreeMap<&str, Vec<(bool, Ordering)>> = BTreeMap::new();
    for it in found {
        if let (Some(case), Some(verdict)) = (&it.case, it.verdict) {
            by_case.entry(case).or_default().push((it.first_is_a, verdict));
        }
    }
    let all = |verdicts: &Vec<(bool, Ordering)>| -> Vec<Ordering> {
        verdicts.iter().map(|(_, verdict)| *verdict).collect()
    };
    let cases: Vec<Vec<Ordering>> = by_case.values().map(all).collect();
    let swapped: Vec<(Ordering, Ordering)> =
        by_case.values().flat_map(|it| both_ways(it)).collect();
    Contest {
        iteration,
        first,
        second,
        comparisons: found.len(),
        undecided: found.iter().filter(|it| it.verdict.is_none()).count(),
        without_case: found.iter().filter(|it| it.case.is_none()).count(),
        verdicts: HeadToHead::of(&cases),
        swapped: swap_consistency(&swapped),
        respects: rubric::respects(found),
    }
}

/// The verdicts on one case in the one order beside those in the other, in the order met.
fn both_ways(verdicts: &[(bool, Ordering)]) -> Vec<(Ordering, Ordering)> {
    let of = |wanted: bool| {
        verdicts.iter().filter(move |(is_a, _)| *is_a == wanted).map(|(_, verdict)| *verdict)
    };
    of(true).zip(of(false)).collect()
}

fn letters(workspace: &Workspace, unblinded: &[Unblinded<'_>]) -> Option<Letters> {
    let all = workspace.iterations.iter().flat_map(|it| &it.comparisons);
    let winners: Vec<Winner> = all.filter_map(|it| it.winner).collect();
    let won = |letter: Winner| winners.iter().filter(|it| **it == letter).count() as u64;
    let (a, b) = (won(Winner::A), won(Winner::B));
    let is_decided = |it: &&Unblinded<'_>| it.verdict.is_some_and(Ordering::is_ne);
    let known: Vec<bool> = unblinded.iter().filter(is_decided).map(|it| it.first_is_a).collect();
    let later_is_a = (known.iter().filter(|is_a| **is_a).count(), known.len());
    Some(Letters { a, b, bias: OrderBias::of(a, b)?, later_is_a })
}

#[cfg(test)]
mod tests;
