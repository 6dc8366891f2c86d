//! How far two graders of the same runs agree, in sentences.

use std::fmt::Display;

use crate::analyze::GraderPair;
use crate::render::context::Language;
use crate::statistics::CORRECTED_ITEMS;
use crate::text::fixed;

/// Two graders by name; a grader who graded twice by one name.
pub(crate) fn title(found: &GraderPair, language: &Language) -> String {
    let [first, second] = &found.names;
    match first == second {
        true => language.fill("graders.twice", &[("name", first)]),
        false => language.fill("graders.pair", &[("first", first), ("second", second)]),
    }
}

/// How far they agree, and what that is worth.
pub(crate) fn sentences(found: &GraderPair, language: &Language) -> Vec<String> {
    let share = &found.agreement.share;
    let interval = share.wilson();
    let (low, high) = (language.percent(interval.low), language.percent(interval.high));
    let (agreed, checks) = (share.passed(), share.total());
    let runs = language.count(found.runs, "run");
    let places: [(&str, &dyn Display); 5] =
        [("agreed", &agreed), ("checks", &checks), ("low", &low), ("high", &high), ("runs", &runs)];
    vec![language.fill("graders.agree", &places), corrected(found, language)]
}

/// The agreement beyond chance, where there are items enough for it.
fn corrected(found: &GraderPair, language: &Language) -> String {
    let agreement = &found.agreement;
    if (agreement.share.total() as usize) < CORRECTED_ITEMS {
        return language.fill("graders.too_few", &[("n", &CORRECTED_ITEMS)]);
    }
    let (Some(ac1), Some(kappa)) = (agreement.ac1, agreement.kappa) else {
        return language.text("graders.one_verdict").to_owned();
    };
    let (ac1, kappa) = (fixed(ac1, 2), fixed(kappa, 2));
    language.fill("graders.corrected", &[("ac1", &ac1), ("kappa", &kappa)])
}
