//! The judges' scores of two versions. They are ordinal: medians and counts, never means.

use std::collections::BTreeMap;

use crate::analyze::blind::Unblinded;
use crate::model::BlindComparison;
use crate::statistics::{SignCounts, chance_to_beat, median};

/// The scores of one version on one criterion, one per case.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    pub median: f64,
    /// Every score with the number of cases that have it, ascending.
    pub counts: Vec<(f64, usize)>,
}

/// The scores of two versions on one criterion. A case judged several times has the median of its
/// scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Criterion {
    /// What was scored; `None` for the overall score.
    pub name: Option<String>,
    pub first: Scores,
    pub second: Scores,
    pub signs: SignCounts,
    /// How often a score of the later version beats one of the other, regardless of case.
    pub beats: Option<f64>,
}

/// Every criterion scored for both versions, in the order met; the overall score is the last one.
pub(super) fn respects(comparisons: &[&Unblinded<'_>]) -> Vec<Criterion> {
    let mut names: Vec<Option<&str>> = Vec::new();
    let mut scores: BTreeMap<Option<&str>, ScoresByCase<'_>> = BTreeMap::new();
    for contest in comparisons {
        let Some(case) = contest.case.as_deref() else { continue };
        let BlindComparison { a, b, dimensions, .. } = contest.found;
        let named = dimensions.iter().map(|found| (Some(found.name.as_str()), found.a, found.b));
        for (name, a, b) in named.chain([(None, a.score, b.score)]) {
            let Some(pair) = contest.scores(a, b) else { continue };
            if !scores.contains_key(&name) {
                names.push(name);
            }
            let cases = scores.entry(name).or_default();
            let sides = cases.entry(case).or_default();
            sides.0.push(pair.0);
            sides.1.push(pair.1);
        }
    }
    names.sort_by_key(Option::is_none);
    names.into_iter().filter_map(|name| respect(name, scores.get(&name)?)).collect()
}

type ScoresByCase<'a> = BTreeMap<&'a str, (Vec<f64>, Vec<f64>)>;

fn respect(name: Option<&str>, cases: &ScoresByCase<'_>) -> Option<Criterion> {
    let pairs = cases.values().map(|(first, second)| Some((median(first)?, median(second)?)));
    let pairs: Vec<(f64, f64)> = pairs.collect::<Option<_>>()?;
    let (first, second): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    Some(Criterion {
        name: name.map(str::to_owned),
        signs: SignCounts::new(&pairs),
        beats: chance_to_beat(&first, &second),
        first: counted(first)?,
        second: counted(second)?,
    })
}

fn counted(mut scores: Vec<f64>) -> Option<Scores> {
    let median = median(&scores)?;
    scores.sort_by(f64::total_cmp);
    let counts = scores.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len())).collect();
    Some(Scores { median, counts })
}
