//! Whether the iterations have a trend, and how much too good the best of them looks, in sentences.

use std::fmt::Display;

use crate::analyze::{Course, course};
use crate::render::context::{Language, Part};
use crate::render::text::verdict;
use crate::statistics::Trend;
use crate::text::fixed;

/// Above this p there is no trend to speak of.
const LEVEL: f64 = 0.05;

/// What the course of the newest candidate says; empty for too few iterations.
pub(crate) fn sentences(part: &Part<'_>, language: &Language) -> Vec<String> {
    let Some(found) = course(part.workspace, part.analysis) else {
        return Vec::new();
    };
    let trend = found.trend.as_ref().map(|trend| trend_told(part, &found, trend, language));
    let best = found
        .best
        .map(|(iteration, errors)| best_told(part, &found, (iteration, errors), language));
    trend.into_iter().flatten().chain(best).collect()
}

/// Up, down or no trend, and that the cases were used for tuning.
fn trend_told(part: &Part<'_>, found: &Course, trend: &Trend, language: &Language) -> Vec<String> {
    let name = |index: usize| &part.workspace.iterations[index].name;
    let key = match trend.p <= LEVEL {
        true if trend.s > 0 => "history.trend_up",
        true => "history.trend_down",
        false => "history.trend_none",
    };
    let (first, last) = (found.iterations[0], found.iterations[found.iterations.len() - 1]);
    let iterations = language.count(found.iterations.len(), "iteration");
    let cases = language.count(found.cases, "case");
    let slope = language.points(trend.slope);
    let chance = verdict::in_hundred(trend.p, language);
    let places: [(&str, &dyn Display); 7] = [
        ("configuration", &found.configuration),
        ("slope", &slope),
        ("iterations", &iterations),
        ("first", name(first)),
        ("last", name(last)),
        ("cases", &cases),
        ("n", &chance),
    ];
    let too_few = (trend.smallest_p > LEVEL).then(|| language.text("history.trend_too_few"));
    let tuned = language.text("history.tuned");
    let told = [Some(language.fill(key, &places)), too_few.map(str::to_owned)];
    told.into_iter().flatten().chain([tuned.to_owned()]).collect()
}

/// That the best of several was picked, and so looks better than it is.
fn best_told(
    part: &Part<'_>,
    found: &Course,
    (best, errors): (usize, f64),
    language: &Language,
) -> String {
    let errors = fixed(errors, 2);
    let iterations = language.count(found.iterations.len(), "iteration");
    let name = &part.workspace.iterations[best].name;
    let places: [(&str, &dyn Display); 3] =
        [("iteration", name), ("iterations", &iterations), ("errors", &errors)];
    language.fill("history.best_of", &places)
}
