//! Blind comparisons added up: who is ahead of whom by case, whether the letter or its place
//! decides, and strengths of three or more versions. Versions count only where letters are known;
//! verdicts on a case count as their mean. `with_skill` of two iterations is two versions.

mod ranking;
mod rubric;
mod unblinding;

pub use crate::analyze::blind::ranking::{Ranked, Ranking};
pub use crate::analyze::blind::rubric::{Criterion, Scores};
pub use crate::analyze::blind::unblinding::{ComparedCases, LabelMapping};

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::analyze::Analysis;
use crate::analyze::roles::find_baseline;
use crate::model::{BlindComparison, Winner, Workspace};
use crate::settings::Settings;
use crate::statistics::{HeadToHead, OrderBias, Share, swap_consistency};
use crate::text::{folded, folded_name, natural_order};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blind {
    /// How often each letter won; `None` where nothing was decided.
    pub letters: Option<LetterCounts>,
    /// Two versions each, where letters are unblinded.
    pub contests: Vec<Matchup>,
    /// Strengths, for every set of at least three versions that met.
    pub rankings: Vec<Ranking>,
}

/// Whether A, which a judge reads first, wins more often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LetterCounts {
    pub a: u64,
    pub b: u64,
    pub bias: OrderBias,
    /// Decided comparisons with known letters: those with the later version behind A, and all of
    /// them.
    pub later_is_a: (usize, usize),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Matchup {
    /// Index of the iteration whose configurations the names are.
    pub iteration: Option<usize>,
    /// The later version, or the candidate.
    pub first: String,
    pub second: String,
    pub comparisons: usize,
    /// Comparisons without a readable verdict.
    pub undecided: usize,
    /// Comparisons that name no case, without which they cannot be counted.
    pub without_case: usize,
    /// The verdicts by case, a win of the first version counting +1; `None` where there are none.
    pub verdicts: Option<HeadToHead>,
    /// Pairs of verdicts on one case in both orders, and how many of them agree.
    pub swapped: Option<Share>,
    pub respects: Vec<Criterion>,
}

impl Matchup {
    /// Cases in which the first version is ahead, behind and even.
    pub fn by_case(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        for score in self.verdicts.iter().flat_map(|verdicts| &verdicts.scores) {
            let place = if score.abs() <= TIE { 2 } else { usize::from(*score < 0.0) };
            counts[place] += 1;
        }
        counts
    }
}

/// Mean verdicts closer to 0 are even.
const TIE: f64 = 1e-9;

pub fn blind(workspace: &Workspace, analysis: &Analysis) -> Blind {
    let comparisons = unblinded(workspace, analysis);
    let mut pairs: BTreeMap<Versions, Vec<&Unblinded<'_>>> = BTreeMap::new();
    for contest in &comparisons {
        pairs.entry(contest.versions.clone()).or_default().push(contest);
    }
    let contests =
        pairs.into_iter().map(|(versions, matches)| contest(versions, &matches)).collect();
    Blind {
        letters: letters(workspace, &comparisons),
        rankings: ranking::rankings(&comparisons),
        contests,
    }
}

/// The two versions compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Versions {
    /// Index of the iteration whose configurations the names are.
    iteration: Option<usize>,
    /// The later version, or the candidate.
    first: String,
    second: String,
}

struct Unblinded<'w> {
    versions: Versions,
    /// Identifies its case; `None` where it names none.
    case: Option<String>,
    first_is_a: bool,
    /// [`Ordering::Greater`] is a win of the later version.
    verdict: Option<Ordering>,
    found: &'w BlindComparison,
}

impl Unblinded<'_> {
    /// The scores of the later version and of the other one, from those of the letters.
    fn scores(&self, a: Option<f64>, b: Option<f64>) -> Option<(f64, f64)> {
        let (a, b) = (a?, b?);
        let pair = if self.first_is_a { (a, b) } else { (b, a) };
        (a.is_finite() && b.is_finite()).then_some(pair)
    }
}

fn unblinded<'w>(workspace: &'w Workspace, analysis: &Analysis) -> Vec<Unblinded<'w>> {
    let mut lines: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (line, found) in analysis.cases.iter().enumerate() {
        lines.extend(found.appearances.iter().map(|met| ((met.iteration, met.case), line)));
    }
    let mut in_iteration = Vec::new();
    for (index, iteration) in workspace.iterations.iter().enumerate() {
        let cases = ComparedCases::new(iteration);
        let names = iteration.configurations.iter().enumerate();
        let places: BTreeMap<&str, usize> = names.map(|(at, name)| (name.as_str(), at)).collect();
        for found in &iteration.comparisons {
            let LabelMapping { a: Some(a), b: Some(b), .. } = LabelMapping::new(found) else {
                continue;
            };
            if a == b {
                continue;
            }
            let [place_a, place_b] = [&a, &b].map(|name| places.get(name.as_str()).copied());
            let iteration = place_a.or(place_b).map(|_| index);
            let first_is_a = match (place_a, place_b) {
                (None, None) => is_later_version(&a, &b),
                (Some(a), Some(b)) => a < b,
                (a, _) => a.is_some(),
            };
            let (first, second) = if first_is_a { (a, b) } else { (b, a) };
            let met = cases.find(found).and_then(|case| lines.get(&(index, case)));
            let case = met.map(|line| format!("line {line}")).or_else(|| unmet_case(found));
            let verdict = found.winner.map(|winner| match (winner, first_is_a) {
                (Winner::Tie, _) => Ordering::Equal,
                (Winner::A, true) | (Winner::B, false) => Ordering::Greater,
                _ => Ordering::Less,
            });
            let versions = Versions { iteration, first, second };
            in_iteration.push(Unblinded { versions, case, first_is_a, verdict, found });
        }
    }
    in_iteration
}

/// Whether the first of two names outside the configurations is the later version: the one not
/// named like a baseline, else the higher one.
fn is_later_version(a: &str, b: &str) -> bool {
    match find_baseline(&[a.to_owned(), b.to_owned()], &Settings::default()) {
        Some(baseline) => baseline == b,
        None => natural_order(a, b) == Ordering::Greater,
    }
}

/// A case without runs, by the name or prompt that the judge was given.
fn unmet_case(found: &BlindComparison) -> Option<String> {
    let name = found.case.as_deref().map(|name| format!("name {}", folded_name(name)));
    name.or_else(|| found.prompt.as_deref().map(|prompt| format!("prompt {}", folded(prompt))))
}

fn contest(versions: Versions, matches: &[&Unblinded<'_>]) -> Matchup {
    let Versions { iteration, first, second } = versions;
    // Verdicts of each case with the later version behind A, and behind B.
    let mut by_case: BTreeMap<&str, [Vec<Ordering>; 2]> = BTreeMap::new();
    for contest in matches {
        if let (Some(case), Some(verdict)) = (&contest.case, contest.verdict) {
            by_case.entry(case).or_default()[usize::from(!contest.first_is_a)].push(verdict);
        }
    }
    let cases: Vec<Vec<Ordering>> = by_case.values().map(|orders| orders.concat()).collect();
    let both_orders = by_case.values().flat_map(|[a, b]| a.iter().copied().zip(b.iter().copied()));
    Matchup {
        iteration,
        first,
        second,
        comparisons: matches.len(),
        undecided: matches.iter().filter(|comparison| comparison.verdict.is_none()).count(),
        without_case: matches.iter().filter(|comparison| comparison.case.is_none()).count(),
        verdicts: HeadToHead::from_verdicts(cases),
        swapped: swap_consistency(&both_orders.collect::<Vec<_>>()),
        respects: rubric::respects(matches),
    }
}

fn letters(workspace: &Workspace, unblinded: &[Unblinded<'_>]) -> Option<LetterCounts> {
    let comparisons = || workspace.iterations.iter().flat_map(|iteration| &iteration.comparisons);
    let won = |letter| {
        comparisons().filter(|comparison| comparison.winner == Some(letter)).count() as u64
    };
    let (a, b) = (won(Winner::A), won(Winner::B));
    let is_decided = |unblinded: &&Unblinded<'_>| unblinded.verdict.is_some_and(Ordering::is_ne);
    let decided: Vec<&Unblinded<'_>> = unblinded.iter().filter(is_decided).collect();
    let later_is_a = (decided.iter().filter(|decided| decided.first_is_a).count(), decided.len());
    Some(LetterCounts { a, b, bias: OrderBias::new(a, b)?, later_is_a })
}

#[cfg(test)]
mod tests;
