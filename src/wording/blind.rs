//! Summary of blind comparisons: version against version, whether the letter decides, and
//! strengths.

use std::fmt::Display;

use serde::Serialize;

use crate::analyze::{Blind, Criterion, LetterCounts, Matchup, Ranked, Ranking, Scores};
use crate::language::{DASH, Language};
use crate::statistics::{HeadToHead, Interval, SETTLED_P, Unranked};
use crate::text::{fixed, signed};
use crate::wording::{Facts, verdict};

/// A single comparison needs no summary.
const SEVERAL: usize = 2;

/// Most criteria that are shown for two versions.
const MOST_CRITERIA: usize = 30;

#[derive(Serialize)]
pub(crate) struct BlindSummary {
    pub(crate) contests: Vec<ContestView>,
    /// Whether any of them has scores, which need an explanation.
    pub(crate) has_scores: bool,
    pub(crate) rankings: Vec<RankingView>,
    pub(crate) letters: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct ContestView {
    pub(crate) title: String,
    pub(crate) first: String,
    pub(crate) second: String,
    /// Wins by verdict and by case, and whether they decide.
    pub(crate) lead: String,
    /// Verdicts in both orders, and what was left out.
    pub(crate) more: Vec<String>,
    pub(crate) rows: Vec<CriterionRow>,
    pub(crate) unshown: String,
}

#[derive(Serialize)]
pub(crate) struct CriterionRow {
    pub(crate) name: String,
    pub(crate) first: [String; 2],
    pub(crate) second: [String; 2],
    pub(crate) counts: String,
    pub(crate) chance: String,
    pub(crate) beats: String,
}

/// Strengths of versions that were compared, with name, verdicts, rating and chance to win.
#[derive(Serialize)]
pub(crate) struct RankingView {
    pub(crate) title: String,
    pub(crate) rows: Vec<[String; 4]>,
    pub(crate) reason: String,
}

pub(crate) fn blind_summary(facts: Facts<'_>, blind: &Blind) -> BlindSummary {
    let language = facts.language;
    let several_letters = blind.letters.filter(|letter| letter.a + letter.b >= SEVERAL as u64);
    let several = blind.contests.iter().filter(|contest| contest.comparisons >= SEVERAL);
    let contests: Vec<_> = several.map(|several| contest(facts, several, language)).collect();
    BlindSummary {
        has_scores: contests.iter().any(|contest| !contest.rows.is_empty()),
        contests,
        rankings: blind
            .rankings
            .iter()
            .map(|strengths| ranking(facts, strengths, language))
            .collect(),
        letters: several_letters.map(|letter| letters(&letter, language)).unwrap_or_default(),
    }
}

/// A title with two names, and the iteration if they are its configurations.
fn versus(
    facts: Facts<'_>,
    key: &str,
    iteration: Option<usize>,
    names: [&str; 2],
    language: &Language,
) -> String {
    let places: [(&str, &dyn Display); 2] = [("first", &names[0]), ("second", &names[1])];
    let title = language.fill(key, &places);
    let Some(index) = iteration else { return title };
    let iteration = &facts.workspace.iterations[index].name;
    language.fill("contests.within", &[("title", &title), ("iteration", iteration)])
}

fn contest(facts: Facts<'_>, matchup: &Matchup, language: &Language) -> ContestView {
    let names = [matchup.first.as_str(), matchup.second.as_str()];
    let sentences = match &matchup.verdicts {
        Some(verdicts) => verdict_sentences(matchup, verdicts, language),
        None => vec![language.text("contests.nothing").to_owned()],
    };
    let mut more = Vec::new();
    if let Some(share) = matchup.swapped {
        let interval = share.wilson();
        let places: [(&str, &dyn Display); 4] = [
            ("same", &share.passed()),
            ("n", &share.total()),
            ("low", &language.percent(interval.low)),
            ("high", &language.percent(interval.high)),
        ];
        more.push(language.fill("contests.swapped", &places));
    }
    let left_out = [
        (matchup.undecided, "contests.undecided"),
        (matchup.without_case, "contests.without_case"),
    ];
    for (number, key) in left_out.into_iter().filter(|(number, _)| *number > 0) {
        let comparisons = language.count(number, "comparison");
        more.push(language.fill(key, &[("comparisons", &comparisons)]));
    }
    let respects = &matchup.respects;
    ContestView {
        title: versus(facts, "contests.against", matchup.iteration, names, language),
        first: matchup.first.clone(),
        second: matchup.second.clone(),
        lead: language.sentences(sentences),
        more,
        rows: respects
            .iter()
            .take(MOST_CRITERIA)
            .map(|criterion| criterion_row(criterion, language))
            .collect(),
        unshown: language.beyond("contests.more", respects.len(), MOST_CRITERIA),
    }
}

fn verdict_sentences(matchup: &Matchup, verdicts: &HeadToHead, language: &Language) -> Vec<String> {
    let HeadToHead { wins, losses, ties, .. } = verdicts;
    let places: [(&str, &dyn Display); 6] = [
        ("first", &matchup.first),
        ("won", wins),
        ("lost", losses),
        ("tied", ties),
        ("n", &(wins + losses + ties)),
        ("rate", &language.percent(verdicts.win_rate)),
    ];
    let [ahead, behind, even] = matchup.by_case();
    let by_case: [(&str, &dyn Display); 5] = [
        ("ahead", &ahead),
        ("behind", &behind),
        ("even", &even),
        ("cases", &language.count(ahead + behind + even, "case")),
        ("n", &verdict::in_hundred(verdicts.p, language)),
    ];
    let settled = match smallest_p(verdicts.scores.len()) {
        smallest if smallest > SETTLED_P => "contests.too_few",
        _ if verdicts.p <= SETTLED_P => "contests.settled",
        _ => "contests.open",
    };
    vec![
        language.fill("contests.verdicts", &places),
        language.fill("contests.by_case", &by_case),
        language.text(settled).to_owned(),
    ]
}

fn criterion_row(criterion: &Criterion, language: &Language) -> CriterionRow {
    let signs = &criterion.signs;
    let places: [(&str, &dyn Display); 3] =
        [("better", &signs.better), ("worse", &signs.worse), ("same", &signs.same)];
    let chance =
        |p: f64| language.fill("contests.in_hundred", &[("n", &verdict::in_hundred(p, language))]);
    CriterionRow {
        name: criterion.name.as_deref().unwrap_or(language.text("contests.overall")).to_owned(),
        first: scores(&criterion.first, language),
        second: scores(&criterion.second, language),
        counts: language.fill("contests.counts", &places),
        chance: signs.p.map_or(DASH.to_owned(), chance),
        beats: criterion.beats.map_or(DASH.to_owned(), |chance| language.percent(chance)),
    }
}

/// A score, whole or with one decimal; a dash if there is none.
pub(crate) fn score(value: Option<f64>) -> String {
    match value {
        Some(value) if value.fract() == 0.0 => fixed(value, 0),
        Some(value) => fixed(value, 1),
        None => DASH.to_owned(),
    }
}

fn scores(scores: &Scores, language: &Language) -> [String; 2] {
    let count = |(value, cases): &(f64, usize)| {
        let score = score(Some(*value));
        language.fill("contests.score_of", &[("score", &score), ("cases", cases)])
    };
    [score(Some(scores.median)), language.list(scores.counts.iter().map(count))]
}

fn ranking(facts: Facts<'_>, ranking: &Ranking, language: &Language) -> RankingView {
    let reference = ranking.reference.as_str();
    let reason = match &ranking.versions {
        Ok(_) => language.fill("contests.ranking_why", &[("reference", &reference)]),
        Err(Unranked::Disconnected) => language.text("contests.never_met").to_owned(),
        Err(_) => language.text("contests.no_strengths").to_owned(),
    };
    RankingView {
        title: versus(facts, "contests.strengths", ranking.iteration, [reference; 2], language),
        rows: ranking.versions.iter().flatten().map(|version| ranked(version, language)).collect(),
        reason,
    }
}

fn ranked(version: &Ranked, language: &Language) -> [String; 4] {
    let [won, lost, tied] = version.record;
    let places: [(&str, &dyn Display); 3] = [("won", &won), ("lost", &lost), ("tied", &tied)];
    let [rating, chance] = match version.interval {
        Some(Interval { low, high }) => {
            let [rating, low, high] = [version.rating, low, high].map(|value| signed(value, 0));
            let ends: [(&str, &dyn Display); 3] =
                [("rating", &rating), ("low", &low), ("high", &high)];
            [language.fill("contests.rating", &ends), language.percent(version.chance)]
        }
        None => [language.text("contests.reference"), DASH].map(str::to_owned),
    };
    [version.name.clone(), language.fill("contests.record", &places), rating, chance]
}

/// The smallest p of a two-sided sign test with this many signs.
fn smallest_p(signs: usize) -> f64 {
    libm::exp2(1.0 - signs.min(1000) as f64)
}

fn letters(counts: &LetterCounts, language: &Language) -> Vec<String> {
    let interval = counts.bias.interval;
    let number = counts.a + counts.b;
    let places: [(&str, &dyn Display); 4] = [
        ("a", &counts.a),
        ("n", &number),
        ("low", &language.percent(interval.low)),
        ("high", &language.percent(interval.high)),
    ];
    let chance = verdict::in_hundred(counts.bias.p, language);
    let chance = match smallest_p(number as usize) > SETTLED_P {
        true => language.text("contests.letters_too_few").to_owned(),
        false => language.fill("contests.letters_chance", &[("n", &chance)]),
    };
    let mut sentences = vec![language.fill("contests.letters", &places), chance];
    let (later, known) = counts.later_is_a;
    if known > 0 {
        let key = match later == 0 || later == known {
            true => "contests.letters_confounded",
            false => "contests.letters_known",
        };
        sentences.push(language.fill(key, &[("a", &later), ("n", &known)]));
    }
    sentences
}
