//! Blind comparisons added up: version against version, whether the letter decides, strengths.

use std::fmt::Display;

use serde::Serialize;

use crate::analyze::{Blind, Criterion, LetterCounts, Matchup, Ranked, Ranking, Scores};
use crate::language::Language;
use crate::render::context::{DASH, Part, Rows};
use crate::render::text::verdict;
use crate::statistics::{HeadToHead, Interval, SETTLED_P, Unranked};
use crate::text::{fixed, signed};

/// One comparison tells nothing that its own words do not.
const SEVERAL: usize = 2;

/// So many respects are shown of two versions.
const RESPECTS: usize = 30;

#[derive(Serialize)]
pub(crate) struct BlindSummary {
    pub(crate) contests: Rows<ContestView>,
    /// Whether any of them has scores, which need to be explained.
    pub(crate) has_scores: bool,
    pub(crate) rankings: Rows<RankingView>,
    pub(crate) letters: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct ContestView {
    pub(crate) title: String,
    pub(crate) first: String,
    pub(crate) second: String,
    /// Wins by verdict and by case, and what they settle.
    pub(crate) lead: String,
    /// Verdicts in both orders, and what was left out.
    pub(crate) more: Vec<String>,
    pub(crate) rows: Vec<RespectRow>,
    pub(crate) unshown: String,
}

#[derive(Serialize)]
pub(crate) struct RespectRow {
    pub(crate) name: String,
    pub(crate) first: [String; 2],
    pub(crate) second: [String; 2],
    pub(crate) counts: String,
    pub(crate) chance: String,
    pub(crate) beats: String,
}

/// Strengths of versions that met, each with name, verdicts, rating and chance to win.
#[derive(Serialize)]
pub(crate) struct RankingView {
    pub(crate) title: String,
    pub(crate) rows: Vec<[String; 4]>,
    pub(crate) reason: String,
}

pub(crate) fn sums(part: &Part<'_>, found: &Blind, language: &Language) -> BlindSummary {
    let several_letters = found.letters.filter(|letter| letter.a + letter.b >= SEVERAL as u64);
    let several = found.contests.iter().filter(|contest| contest.comparisons >= SEVERAL);
    let contests: Rows<_> = several.map(|several| contest(part, several, language)).collect();
    BlindSummary {
        has_scores: contests.iter().any(|contest| !contest.rows.is_empty()),
        contests,
        rankings: found.rankings.iter().map(|found| ranking(part, found, language)).collect(),
        letters: several_letters.map(|letter| letters(&letter, language)).unwrap_or_default(),
    }
}

/// A title with two names, and with the iteration where they are configurations of one.
fn versus(
    part: &Part<'_>,
    key: &str,
    iteration: Option<usize>,
    names: [&str; 2],
    language: &Language,
) -> String {
    let places: [(&str, &dyn Display); 2] = [("first", &names[0]), ("second", &names[1])];
    let title = language.fill(key, &places);
    let Some(index) = iteration else { return title };
    let iteration = &part.workspace.iterations[index].name;
    language.fill("contests.within", &[("title", &title), ("iteration", iteration)])
}

fn contest(part: &Part<'_>, found: &Matchup, language: &Language) -> ContestView {
    let names = [found.first.as_str(), found.second.as_str()];
    let sentences = match &found.verdicts {
        Some(verdicts) => verdict_sentences(found, verdicts, language),
        None => vec![language.text("contests.nothing").to_owned()],
    };
    let mut more = Vec::new();
    if let Some(share) = found.swapped {
        let interval = share.wilson();
        let places: [(&str, &dyn Display); 4] = [
            ("same", &share.passed()),
            ("n", &share.total()),
            ("low", &language.percent(interval.low)),
            ("high", &language.percent(interval.high)),
        ];
        more.push(language.fill("contests.swapped", &places));
    }
    let left_out =
        [(found.undecided, "contests.undecided"), (found.without_case, "contests.without_case")];
    for (number, key) in left_out.into_iter().filter(|(number, _)| *number > 0) {
        let comparisons = language.count(number, "comparison");
        more.push(language.fill(key, &[("comparisons", &comparisons)]));
    }
    let respects = &found.respects;
    ContestView {
        title: versus(part, "contests.against", found.iteration, names, language),
        first: found.first.clone(),
        second: found.second.clone(),
        lead: language.sentences(sentences),
        more,
        rows: respects.iter().take(RESPECTS).map(|found| respect(found, language)).collect(),
        unshown: language.beyond("contests.more", respects.len(), RESPECTS),
    }
}

fn verdict_sentences(found: &Matchup, verdicts: &HeadToHead, language: &Language) -> Vec<String> {
    let HeadToHead { wins, losses, ties, .. } = verdicts;
    let places: [(&str, &dyn Display); 6] = [
        ("first", &found.first),
        ("won", wins),
        ("lost", losses),
        ("tied", ties),
        ("n", &(wins + losses + ties)),
        ("rate", &language.percent(verdicts.win_rate)),
    ];
    let [ahead, behind, even] = found.by_case();
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

fn respect(found: &Criterion, language: &Language) -> RespectRow {
    let signs = &found.signs;
    let places: [(&str, &dyn Display); 3] =
        [("better", &signs.better), ("worse", &signs.worse), ("same", &signs.same)];
    let chance =
        |p: f64| language.fill("contests.in_hundred", &[("n", &verdict::in_hundred(p, language))]);
    RespectRow {
        name: found.name.as_deref().unwrap_or(language.text("contests.overall")).to_owned(),
        first: scores(&found.first, language),
        second: scores(&found.second, language),
        counts: language.fill("contests.counts", &places),
        chance: signs.p.map_or(DASH.to_owned(), chance),
        beats: found.beats.map_or(DASH.to_owned(), |chance| language.percent(chance)),
    }
}

/// A score, whole or with one decimal; a dash where there is none.
pub(crate) fn score(value: Option<f64>) -> String {
    match value {
        Some(value) if value.fract() == 0.0 => fixed(value, 0),
        Some(value) => fixed(value, 1),
        None => DASH.to_owned(),
    }
}

fn scores(found: &Scores, language: &Language) -> [String; 2] {
    let count = |(value, cases): &(f64, usize)| {
        let score = score(Some(*value));
        language.fill("contests.score_of", &[("score", &score), ("cases", cases)])
    };
    [score(Some(found.median)), language.list(found.counts.iter().map(count))]
}

fn ranking(part: &Part<'_>, found: &Ranking, language: &Language) -> RankingView {
    let reference = found.reference.as_str();
    let reason = match &found.versions {
        Ok(_) => language.fill("contests.ranking_why", &[("reference", &reference)]),
        Err(Unranked::Disconnected) => language.text("contests.never_met").to_owned(),
        Err(_) => language.text("contests.no_strengths").to_owned(),
    };
    RankingView {
        title: versus(part, "contests.strengths", found.iteration, [reference; 2], language),
        rows: found.versions.iter().flatten().map(|version| ranked(version, language)).collect(),
        reason,
    }
}

fn ranked(found: &Ranked, language: &Language) -> [String; 4] {
    let [won, lost, tied] = found.record;
    let places: [(&str, &dyn Display); 3] = [("won", &won), ("lost", &lost), ("tied", &tied)];
    let [rating, chance] = match found.interval {
        Some(Interval { low, high }) => {
            let [rating, low, high] = [found.rating, low, high].map(|value| signed(value, 0));
            let ends: [(&str, &dyn Display); 3] =
                [("rating", &rating), ("low", &low), ("high", &high)];
            [language.fill("contests.rating", &ends), language.percent(found.chance)]
        }
        None => [language.text("contests.reference"), DASH].map(str::to_owned),
    };
    [found.name.clone(), language.fill("contests.record", &places), rating, chance]
}

/// The least p of a two-sided test by so many signs.
fn smallest_p(signs: usize) -> f64 {
    libm::exp2(1.0 - signs.min(1000) as f64)
}

fn letters(found: &LetterCounts, language: &Language) -> Vec<String> {
    let interval = found.bias.interval;
    let number = found.a + found.b;
    let places: [(&str, &dyn Display); 4] = [
        ("a", &found.a),
        ("n", &number),
        ("low", &language.percent(interval.low)),
        ("high", &language.percent(interval.high)),
    ];
    let chance = verdict::in_hundred(found.bias.p, language);
    let chance = match smallest_p(number as usize) > SETTLED_P {
        true => language.text("contests.letters_too_few").to_owned(),
        false => language.fill("contests.letters_chance", &[("n", &chance)]),
    };
    let mut sentences = vec![language.fill("contests.letters", &places), chance];
    let (later, known) = found.later_is_a;
    if known > 0 {
        let key = match later == 0 || later == known {
            true => "contests.letters_confounded",
            false => "contests.letters_known",
        };
        sentences.push(language.fill(key, &[("a", &later), ("n", &known)]));
    }
    sentences
}
