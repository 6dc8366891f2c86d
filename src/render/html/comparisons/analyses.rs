//! Analyses written after comparisons: who did what well, and what to change.

use serde_json::{Value, json};

use crate::model::{PostHocAnalysis, Proposal};
use crate::render::context::Site;
use crate::render::html::comparisons::{anchor, score};
use crate::render::html::wording;

pub(super) fn analysis_view(site: Site<'_>, found: &PostHocAnalysis) -> Value {
    let words = site.language;
    let (following, issues) = (found.instruction_following, &found.instruction_issues);
    let winner = (words.text("comparisons.winner"), &found.winner, following.0, &issues.0);
    let loser = (words.text("comparisons.loser"), &found.loser, following.1, &issues.1);
    let sides = [
        (winner, ("comparisons.strengths", &found.strengths)),
        (loser, ("comparisons.weaknesses", &found.weaknesses)),
    ];
    // A side of which nothing is known is left out.
    let sides =
        sides.into_iter().filter_map(|((title, name, following, issues), (head, points))| {
            let is_empty =
                name.is_none() && points.is_empty() && following.is_none() && issues.is_empty();
            (!is_empty).then(|| {
            json!({
                "title": name.as_ref().map_or(title.to_owned(), |name| format!("{title}: {name}")),
                "instructions": following.map(|_| {
                    words.fill("comparisons.instructions", &[("score", &score(following))])
                }),
                "head": words.text(head),
                "points": points,
                "issues": issues,
            })
        })
        });
    let proposal = |found: &Proposal| {
        let both = found.before.as_ref().zip(found.after.as_ref());
        let change = both.and_then(|(before, after)| wording::change(before, after));
        json!({
            "area": found.area,
            "priority": found.priority,
            "before": found.before.as_ref().filter(|_| change.is_none()),
            "after": found.after.as_ref().filter(|_| change.is_none()),
            "text": found.text,
            "impact": found.expected_impact,
            "change": change,
        })
    };
    json!({
        "anchor": anchor(&found.path),
        "path": found.path,
        "summary": found.summary,
        "sides": sides.collect::<Vec<_>>(),
        "proposals": found.proposals.iter().map(proposal).collect::<Vec<_>>(),
        "observations": found.observations,
    })
}
