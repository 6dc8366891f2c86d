//! Blind comparisons added up, version against version.

use serde::Serialize;

use crate::analyze::Matchup;
use crate::language::{DASH, Language, say};
use crate::wording::Facts;
use statistics::{SETTLED_P, sign_test_p};
use text::fixed;

#[derive(Serialize)]
pub(crate) struct MatchupView {
    pub(crate) title: String,
    /// Wins by verdict and by case, and whether they decide.
    pub(crate) lead: String,
    /// What was left out.
    pub(crate) more: Vec<String>,
}

/// Every two versions that were compared several times, or judged by people: a single comparison
/// needs no summary.
pub(crate) fn matchups(facts: Facts<'_>) -> Vec<MatchupView> {
    let matchups = facts.analysis.matchups.iter();
    let shown = matchups.filter(|matchup| matchup.comparisons > 1 || matchup.versions.by_people);
    shown.map(|matchup| matchup_view(facts, matchup)).collect()
}

fn matchup_view(facts: Facts<'_>, matchup: &Matchup) -> MatchupView {
    let language = facts.language;
    // Who knows which version is the new one tends to prefer it.
    let sentences = if matchup.verdicts.total() == 0 && matchup.not_blind > 0 {
        vec![language.text("matchups.none_blind").to_owned()]
    } else if matchup.verdicts.total() == 0 {
        vec![language.text("matchups.nothing").to_owned()]
    } else {
        verdict_sentences(matchup, language)
    };
    let mut more = Vec::new();
    let agreement = matchup.agreement;
    if agreement.pairs > 0 {
        let pairs = language.count(agreement.pairs, "pair");
        more.push(say!(language, "matchups.agreement", same = agreement.same, pairs));
    }
    for (number, key) in [
        (matchup.not_blind, "matchups.not_blind"),
        (matchup.undecided, "matchups.undecided"),
        (matchup.without_case, "matchups.without_case"),
    ] {
        if number > 0 {
            let comparisons = language.count(number, "comparison");
            more.push(say!(language, key, comparisons));
        }
    }
    MatchupView { title: title(facts, matchup), lead: language.sentences(sentences), more }
}

/// Both names, and the iteration if they are its configurations.
fn title(facts: Facts<'_>, matchup: &Matchup) -> String {
    let language = facts.language;
    let versions = &matchup.versions;
    let (first, second) = (&versions.first, &versions.second);
    let key = if versions.by_people { "matchups.judged" } else { "matchups.against" };
    let title = say!(language, key, first, second);
    let Some(index) = versions.iteration else { return title };
    let iteration = &facts.workspace.iterations[index].name;
    say!(language, "matchups.within", title, iteration)
}

fn verdict_sentences(matchup: &Matchup, language: &Language) -> Vec<String> {
    let (verdicts, cases) = (matchup.verdicts, matchup.cases);
    let win_rate = (verdicts.won as f64 + 0.5 * verdicts.tied as f64) / verdicts.total() as f64;
    let mut sentences = vec![
        say!(
            language,
            "matchups.verdicts",
            first = matchup.versions.first,
            won = verdicts.won,
            lost = verdicts.lost,
            tied = verdicts.tied,
            n = verdicts.total(),
            rate = language.percent(win_rate),
        ),
        say!(
            language,
            "matchups.by_case",
            ahead = cases.won,
            behind = cases.lost,
            even = cases.tied,
            cases = language.count(cases.total(), "case"),
        ),
    ];
    if let Some(p) = matchup.p() {
        let smallest_p = sign_test_p((cases.won + cases.lost) as u64, 0).unwrap_or(1.0);
        let conclusion = if smallest_p > SETTLED_P {
            "matchups.too_few"
        } else if p <= SETTLED_P {
            "matchups.settled"
        } else {
            "matchups.open"
        };
        sentences.push(language.text(conclusion).to_owned());
    } else if matchup.versions.by_people {
        sentences.push(language.text("matchups.too_few_judged").to_owned());
    }
    sentences
}

/// A score, whole or with one decimal; a dash if there is none.
pub(crate) fn score(value: Option<f64>) -> String {
    match value {
        Some(value) if value.fract() == 0.0 => fixed(value, 0),
        Some(value) => fixed(value, 1),
        None => DASH.to_owned(),
    }
}
