//! Strengths of three or more versions, by Bradley and Terry.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::blind::{Unblinded, Versions};
use crate::statistics::{BradleyTerry, Interval, MOST_VERSIONS, RANKED_VERSIONS, Unranked, Z};
use crate::text::natural_order;

/// Wins added each way for every pair that met; otherwise an unbeaten version is infinitely strong.
const PRIOR: f64 = 0.5;

#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// Index of the iteration whose configurations the names are.
    pub iteration: Option<usize>,
    /// The versions, the strongest first, or why there are no strengths.
    pub versions: Result<Vec<Ranked>, Unranked>,
    /// The version that the others are compared with: the earliest.
    pub reference: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    pub name: String,
    /// Verdicts for it, against it and for neither.
    pub record: [usize; 3],
    /// Its lead over the reference on the scale of chess ratings.
    pub rating: f64,
    /// The interval of that lead at 95 %; `None` for the reference itself.
    pub interval: Option<Interval>,
    pub chance: f64,
}

/// The rankings of all sets of at least three versions, those of configurations by iteration.
pub(super) fn rankings(comparisons: &[Unblinded<'_>]) -> Vec<Ranking> {
    let mut scopes: BTreeMap<Option<usize>, Vec<&Unblinded<'_>>> = BTreeMap::new();
    for contest in comparisons.iter().filter(|found| found.verdict.is_some()) {
        scopes.entry(contest.versions.iteration).or_default().push(contest);
    }
    scopes.into_iter().filter_map(|(iteration, found)| ranking(iteration, &found)).collect()
}

fn ranking(iteration: Option<usize>, comparisons: &[&Unblinded<'_>]) -> Option<Ranking> {
    let versions = comparisons.iter().map(|comparison| &comparison.versions);
    let names: BTreeSet<&str> =
        versions.flat_map(|versions| [&*versions.first, &*versions.second]).collect();
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_by(|a, b| natural_order(a, b));
    let versions = match names.len() {
        count if count < RANKED_VERSIONS => return None,
        count if count > MOST_VERSIONS => Err(Unranked::Count),
        _ => rank(&names, comparisons),
    };
    Some(Ranking { iteration, versions, reference: names[0].to_owned() })
}

fn rank(names: &[&str], comparisons: &[&Unblinded<'_>]) -> Result<Vec<Ranked>, Unranked> {
    // Wins of each over each other, ties as half a win each way; won, lost and tied.
    let mut wins = vec![vec![0.0; names.len()]; names.len()];
    let mut records = vec![[0; 3]; names.len()];
    let places: BTreeMap<&str, usize> =
        names.iter().enumerate().map(|(at, name)| (*name, at)).collect();
    for contest in comparisons {
        let Versions { first, second, .. } = &contest.versions;
        let (first, second) = (places[first.as_str()], places[second.as_str()]);
        let (points, record) = match contest.verdict {
            Some(Ordering::Greater) => (1.0, [0, 1]),
            Some(Ordering::Less) => (0.0, [1, 0]),
            _ => (0.5, [2, 2]),
        };
        wins[first][second] += points;
        wins[second][first] += 1.0 - points;
        records[first][record[0]] += 1;
        records[second][record[1]] += 1;
    }
    let fit = BradleyTerry::new(&wins, PRIOR)?;
    let elo = fit.elo();
    let scale = 400.0 / std::f64::consts::LN_10;
    let mut versions: Vec<Ranked> = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let Some(chance) = fit.chance(at, 0) else { continue };
        let rating = elo[at] - elo[0];
        let half = Z * fit.errors[at] * scale;
        versions.push(Ranked {
            name: (*name).to_owned(),
            record: records[at],
            rating,
            interval: (at > 0).then_some(Interval { low: rating - half, high: rating + half }),
            chance,
        });
    }
    versions.sort_by(|a, b| b.rating.total_cmp(&a.rating));
    Ok(versions)
}
