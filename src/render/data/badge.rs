//! A one-line badge, as a drawing and for badge services. Only better or worse results are colored.

use serde::Serialize;

use crate::analyze::Verdict;
use crate::chart::text_width::width;
use crate::language::{Language, say};
use crate::render::context::escape;
use crate::render::data::questions;
use crate::render::data::summary::{GainSummary, WorkspaceSummary};
use crate::wording::headline::word_alone;
use crate::wording::outcomes;
use crate::wording::verdict::size;
use text::cut;

pub(crate) const DRAWING: &str = "badge.svg";
/// The name of the file for services: <https://shields.io/badges/endpoint-badge>.
pub(crate) const ENDPOINT: &str = "badge.json";
const LABEL: usize = 32;
/// In pixels: height, baseline, and padding at both sides of a text.
const HEIGHT: f64 = 20.0;
const BASELINE: f64 = 14.0;
const PADDING: f64 = 7.0;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Badge {
    schema_version: u32,
    label: String,
    message: String,
    color: &'static str,
    #[serde(skip)]
    explanation: String,
}

impl Badge {
    pub(crate) fn new(workspace: &WorkspaceSummary, language: &Language) -> Self {
        let label = cut(&workspace.title, LABEL);
        let mut message = message(workspace, language);
        let lost = questions::lost_checks(&workspace.questions);
        if lost > 0 {
            message = say!(language, "badge.but_lost", message, n = lost);
        }
        if workspace.is_stale {
            message = say!(language, "badge.stale", message);
        }
        let sides = sides(workspace, language);
        let key = if sides.is_empty() { "badge.alone" } else { "badge.all" };
        let explanation = say!(language, key, label, message, sides = language.list(sides));
        let color = color(workspace);
        Self { schema_version: 1, color, label, message, explanation }
    }

    pub(crate) fn endpoint(&self) -> Vec<u8> {
        // Four strings and a number always serialize.
        (serde_json::to_string(self).unwrap_or_default() + "\n").into_bytes()
    }

    /// The drawing. Text lengths are fixed, so that it fits in every font.
    pub(crate) fn drawing(&self) -> Vec<u8> {
        let [label, message] = [&self.label, &self.message].map(|text| width(text).ceil());
        let left = label + 2.0 * PADDING;
        let total = left + message + 2.0 * PADDING;
        let title = escape::xml_attribute(&self.explanation);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{total}\" height=\"{HEIGHT}\" \
             viewBox=\"0 0 {total} {HEIGHT}\" role=\"img\" aria-label=\"{title}\">\
             <title>{}</title>\
             <rect width=\"{total}\" height=\"{HEIGHT}\" rx=\"3\" fill=\"#3c4048\"/>\
             <path d=\"M{left} 0h{}a3 3 0 0 1 3 3v14a3 3 0 0 1 -3 3H{left}z\" fill=\"#{}\"/>\
             <g fill=\"#fff\" font-family=\"Verdana,Geneva,DejaVu Sans,sans-serif\" \
             font-size=\"12\">{}{}</g></svg>\n",
            escape::xml(&self.explanation),
            total - left - 3.0,
            self.color,
            svg_text(PADDING, label, &self.label),
            svg_text(left + PADDING, message, &self.message),
        )
        .into_bytes()
    }
}

fn svg_text(x: f64, length: f64, text: &str) -> String {
    let text = escape::xml(text);
    format!("<text x=\"{x}\" y=\"{BASELINE}\" textLength=\"{length}\">{text}</text>")
}

/// Both sides with their counts; none where one figure would not stand for them.
fn sides(workspace: &WorkspaceSummary, language: &Language) -> Vec<String> {
    let is_undecided = workspace.gain.as_ref().is_some_and(|gain| gain.undecided.is_some());
    let is_unmeasured = questions::is_unmeasured(&workspace.questions);
    if workspace.under_conditions.is_some() || is_undecided || is_unmeasured {
        return Vec::new();
    }
    let compared = workspace.gain.as_ref().and_then(|gain| gain.rates(language));
    let [other, candidate] = compared.map_or([None, None], |rates| rates.map(Some));
    let mut sides = Vec::new();
    for (side, rate) in [(&workspace.candidate, candidate), (&workspace.other, other)] {
        let Some(side) = side else { continue };
        let counts = rate.unwrap_or_else(|| side.rate(language)).whole(language);
        sides.push(say!(language, "badge.side", name = side.configuration, counts));
    }
    sides
}

/// Green only where no row is worse, and gray where one color would not stand for all.
fn color(workspace: &WorkspaceSummary) -> &'static str {
    const RED: &str = "b3261e";
    const GRAY: &str = "5c6370";
    let questions = &workspace.questions;
    let has_one_answer =
        !questions::is_unmeasured(questions) && workspace.under_conditions.is_none();
    if workspace.is_stale || !has_one_answer {
        return GRAY;
    }
    if ["helps", "changed"].iter().any(|name| questions::is_worse(questions, name)) {
        return RED;
    }
    match workspace.verdict() {
        Some(Verdict::Better(_) | Verdict::ProbablyBetter) => "17703a",
        Some(Verdict::Worse(_) | Verdict::ProbablyWorse) => RED,
        _ => GRAY,
    }
}

fn message(workspace: &WorkspaceSummary, language: &Language) -> String {
    let Some(candidate) = &workspace.candidate else {
        let key = match workspace.state.as_str() {
            _ if workspace.recorded_only => "badge.recorded_only",
            "only triggers" => "badge.only_triggers",
            _ => "badge.nothing_graded",
        };
        return language.text(key).to_owned();
    };
    if questions::is_unmeasured(&workspace.questions) {
        return language.text("headline.no_measurement").to_lowercase();
    }
    let counts = candidate.rate(language).whole(language);
    // The counts of one condition would stand for all.
    if let Some(word) = &workspace.under_conditions {
        return word.to_lowercase();
    }
    let Some(gain) = &workspace.gain else { return counts };
    let mut verdict = word_alone(gain.word(), language).to_lowercase();
    // "No clear difference" would hide that there was one.
    if let Some(outcome) = workspace.named_outcome()
        && outcome.is_loss()
    {
        verdict = outcomes::word(outcome, language).to_lowercase();
    }
    if let Some([before, after]) = gain.undecided {
        let [n, total] = if after[0] > 0 { after } else { before };
        return say!(language, "badge.not_decided", verdict, n, total);
    }
    match gain {
        gain @ GainSummary { mean: Some(mean), .. } => {
            // The counts of the cases that the gain is about.
            let counts = gain.rates(language).map_or(counts, |[_, after]| after.whole(language));
            let gain = size(gain.measure, *mean, language);
            say!(language, "badge.verdict", verdict, gain, counts)
        }
        _ => say!(language, "badge.no_comparison", verdict, counts),
    }
}
