//! Analyses written after comparisons: who did what well, and what to change.

use serde_json::{Value, json};

use crate::model::{PostHocAnalysis, Proposal};
use crate::render::context::Site;
use crate::render::html::comparisons::{anchor, score};
use crate::render::html::wording;

pub(super) fn analysis_view(site: Site<'_>, found: &PostHocAnalysis) -> Value {
    let winner = side(
        site,
        ["comparisons.winner", "comparisons.strengths"],
        found.winner.as_ref(),
        &found.strengths,
        (found.instruction_following.0, &found.instruction_issues.0),
    );
    let loser = side(
        site,
        ["comparisons.loser", "comparisons.weaknesses"],
        found.loser.as_ref(),
        &found.weaknesses,
        (found.instruction_following.1, &found.instruction_issues.1),
    );
    json!({
        "anchor": anchor(&found.path),
        "path": found.path,
        "summary": found.summary.clone().unwrap_or_default(),
        "sides": winner.into_iter().chain(loser).collect::<Vec<_>>(),
        "proposals": found.proposals.iter().map(proposal).collect::<Vec<_>>(),
        "observations": found.observations,
    })
}

/// The winner or the loser; `None` where nothing is said of it.
fn side(
    site: Site<'_>,
    [title, head]: [&str; 2],
    name: Option<&String>,
    points: &[String],
    (following, issues): (Option<f64>, &Vec<String>),
) -> Option<Value> {
    let is_empty = name.is_none() && points.is_empty() && following.is_none() && issues.is_empty();
    let title = site.language.text(title);
    let following = following.map(|value| {
        site.language.fill("comparisons.instructions", &[("score", &score(Some(value)))])
    });
    (!is_empty).then(|| {
        json!({
            "title": name.map_or(title.to_owned(), |name| format!("{title}: {name}")),
            "instructions": following.unwrap_or_default(),
            "head": site.language.text(head),
            "points": points,
            "issues": issues,
        })
    })
}

fn proposal(found: &Proposal) -> Value {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let both = found.before.as_ref().zip(found.after.as_ref());
    let change = both.and_then(|(before, after)| wording::change(before, after));
    let alone =
        |text: &Option<String>| text.clone().filter(|_| change.is_none()).unwrap_or_default();
    json!({
        "area": text(&found.area),
        "priority": text(&found.priority),
        "before": alone(&found.before),
        "after": alone(&found.after),
        "text": text(&found.text),
        "impact": text(&found.expected_impact),
        "change": change,
    })
}
