//! Analyses written after comparisons: what each side did well, and what to change.

use serde_json::{Value, json};

use crate::model::{PostHocAnalysis, Proposal};
use crate::render::context::RenderContext;
use crate::render::html::comparisons::{anchor, score};
use crate::render::html::wording;

pub(super) fn analysis_view(context: RenderContext<'_>, analysis: &PostHocAnalysis) -> Value {
    let words = context.language;
    let (following, issues) = (analysis.instruction_following, &analysis.instruction_issues);
    let winner = (words.text("comparisons.winner"), &analysis.winner, following.0, &issues.0);
    let loser = (words.text("comparisons.loser"), &analysis.loser, following.1, &issues.1);
    let sides = [
        (winner, ("comparisons.strengths", &analysis.strengths)),
        (loser, ("comparisons.weaknesses", &analysis.weaknesses)),
    ];
    // A side without any facts is left out.
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
    let proposal = |proposal: &Proposal| {
        let both = proposal.before.as_ref().zip(proposal.after.as_ref());
        let change = both.and_then(|(before, after)| wording::change(before, after));
        json!({
            "area": proposal.area,
            "priority": proposal.priority,
            "before": proposal.before.as_ref().filter(|_| change.is_none()),
            "after": proposal.after.as_ref().filter(|_| change.is_none()),
            "text": proposal.text,
            "impact": proposal.expected_impact,
            "change": change,
        })
    };
    json!({
        "anchor": anchor(&analysis.path),
        "path": analysis.path,
        "summary": analysis.summary,
        "sides": sides.collect::<Vec<_>>(),
        "proposals": analysis.proposals.iter().map(proposal).collect::<Vec<_>>(),
        "observations": analysis.observations,
    })
}
