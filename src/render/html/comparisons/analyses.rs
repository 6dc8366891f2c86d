//! Analyses written after comparisons: what each side did well, and what to change.

use crate::language::{Language, say};
use crate::render::context::{View, view};
use crate::render::html::reworded;
use crate::wording::blind::score;
use input::model::{PostHocAnalysis, Proposal};
use text::slug;

pub(super) fn analysis_view(language: &Language, analysis: &PostHocAnalysis) -> View {
    let (winner_score, loser_score) = analysis.instruction_following;
    let (winner_issues, loser_issues) = &analysis.instruction_issues;
    let winner = AnalyzedSide {
        title: "comparisons.winner",
        name: analysis.winner.as_deref(),
        points_title: "comparisons.strengths",
        points: &analysis.strengths,
        instructions: winner_score,
        issues: winner_issues,
    };
    let loser = AnalyzedSide {
        title: "comparisons.loser",
        name: analysis.loser.as_deref(),
        points_title: "comparisons.weaknesses",
        points: &analysis.weaknesses,
        instructions: loser_score,
        issues: loser_issues,
    };
    let sides = [winner, loser].into_iter().filter(|side| !side.is_empty());
    view!({
        "anchor": anchor(&analysis.path),
        "path": analysis.path,
        "summary": analysis.summary,
        "sides": sides.map(|side| side.view(language)).collect::<Vec<_>>(),
        "proposals": analysis.proposals.iter().map(proposal_view).collect::<Vec<_>>(),
        "observations": analysis.observations,
    })
}

/// What an analysis says about the winner or the loser.
struct AnalyzedSide<'a> {
    title: &'static str,
    name: Option<&'a str>,
    points_title: &'static str,
    points: &'a [String],
    /// Score for following the instructions of the skill.
    instructions: Option<f64>,
    issues: &'a [String],
}

impl AnalyzedSide<'_> {
    fn is_empty(&self) -> bool {
        self.name.is_none()
            && self.points.is_empty()
            && self.instructions.is_none()
            && self.issues.is_empty()
    }

    fn view(&self, language: &Language) -> View {
        let title = language.text(self.title);
        let title = match self.name {
            Some(name) => language.labelled(title, name),
            None => title.to_owned(),
        };
        let mut instructions = None;
        if self.instructions.is_some() {
            let score = score(self.instructions);
            instructions = Some(say!(language, "comparisons.instructions", score));
        }
        view!({
            "title": title,
            "instructions": instructions,
            "head": language.text(self.points_title),
            "points": self.points,
            "issues": self.issues,
        })
    }
}

fn proposal_view(proposal: &Proposal) -> View {
    let (mut before, mut after) = (proposal.before.as_deref(), proposal.after.as_deref());
    let mut change = None;
    if let (Some(old), Some(new)) = (before, after) {
        change = reworded::change(old, new);
    }
    if change.is_some() {
        (before, after) = (None, None);
    }
    view!({
        "area": proposal.area,
        "priority": proposal.priority,
        "before": before,
        "after": after,
        "text": proposal.text,
        "impact": proposal.expected_impact,
        "change": change,
    })
}

/// The anchor of what a file holds.
pub(super) fn anchor(file: &str) -> String {
    format!("c-{}", slug(file))
}
