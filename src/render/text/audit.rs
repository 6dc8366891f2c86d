//! What the cases can show, for a terminal and for programs.

use serde_json::json;

use crate::analyze::{Audit, AuditFinding, AuditKind, GAIN_TO_SHOW, PassedRuns, RoundPrice};
use crate::language::Language;
use crate::render::data::ordered_json::{Json, list, object};
use crate::wording;
use input::model::Place;
use text::{count, cut_line, printable};

/// Findings of one kind that are listed; all are in the JSON.
const LISTED: usize = 5;

/// Characters of a check that are quoted.
const QUOTED: usize = 80;

/// Where a finding is: a file with its line.
pub type FindingPlace = Option<(String, Place)>;

/// The audit as text; `places` has the place of each finding.
pub fn text(name: &str, audit: &Audit, places: &[FindingPlace]) -> String {
    let language = Language::default();
    let (cases, checks) = (count(audit.cases, "case"), count(audit.checks, "check"));
    let mut lines = vec![format!("audit of the cases of `{name}`: {cases}, {checks}")];
    let mut at = 0;
    for group in audit.findings.chunk_by(|one, other| one.kind == other.kind) {
        let word = if group[0].kind.is_error() { "error: " } else { "" };
        lines.push(format!("  {word}{}", wording::audit::headline(group, audit, &language)));
        // Half of the words are a hint to look, and no more: the JSON has each of them.
        let is_listed =
            !matches!(group[0].kind, AuditKind::NoCaseWithoutSkill | AuditKind::MostlyAnswered);
        if is_listed {
            for (finding, place) in group.iter().zip(&places[at..]).take(LISTED) {
                lines.push(format!("    {}", line(finding, place)));
            }
        }
        if is_listed && group.len() > LISTED {
            lines.push(format!("    and {} more", group.len() - LISTED));
        }
        lines.push(format!("    {}", wording::audit::advice(group[0].kind, &language)));
        at += group.len();
    }
    if audit.checks > 0 {
        let (left, checks) = (audit.left_to_measure(), audit.checks);
        lines.push(format!("  checks left to measure the skill: {left} of {checks}"));
    }
    if let Some(round) = &audit.price {
        lines.push(price(round));
    }
    lines.iter().map(|line| printable(line) + "\n").collect()
}

fn line(finding: &AuditFinding, place: &FindingPlace) -> String {
    let mut parts = Vec::new();
    if let Some((path, place)) = place {
        parts.push(format!("{path}:{}", place.line));
    }
    if !finding.case.is_empty() {
        parts.push(finding.case.clone());
    }
    match finding.kind {
        AuditKind::AlikePrompts => parts.push(finding.other.clone()),
        _ => parts.push(format!("\"{}\"", cut_line(&finding.text, QUOTED))),
    }
    match finding.kind {
        AuditKind::BrokenPattern => parts.push(finding.other.clone()),
        AuditKind::CopiedFromSkill => {
            parts.push(format!("SKILL.md: \"{}\"", cut_line(&finding.other, QUOTED)))
        }
        _ => {}
    }
    let result = wording::audit::result(finding, &Language::default());
    if !result.is_empty() {
        parts.push(result);
    }
    parts.join("  ")
}

/// What one round costs, as the newest one did, and what it settles.
fn price(price: &RoundPrice) -> String {
    let mut costs = vec![count(price.runs, "run")];
    if let Some(tokens) = price.tokens {
        costs.push(format!("about {} tokens", rounded(tokens)));
    }
    if let Some(seconds) = price.seconds {
        costs.push(Language::default().seconds(seconds));
    }
    let mut line = format!("  a round like {}: {}", price.iteration, costs.join(", "));
    if let Some(chance) = price.chance {
        let times = ((chance * 10.0).round() as usize).min(9);
        let points = Language::default().points(GAIN_TO_SHOW);
        line += &match times {
            0 => format!("; such a round would hardly ever be sure of {points}"),
            _ => format!("; such a round would be sure of {points} in {times} of 10 tries"),
        };
    }
    line
}

/// `1.4 M` or `630 000`: two digits, as runs differ by more.
fn rounded(tokens: f64) -> String {
    if tokens >= 1e6 {
        return format!("{:.1} M", tokens / 1e6);
    }
    let unit = libm::exp10(libm::log10(tokens.max(1.0)).floor() - 1.0).max(1.0);
    let whole = ((tokens / unit).round() * unit) as u64;
    if whole >= 1000 { format!("{} {:03}", whole / 1000, whole % 1000) } else { whole.to_string() }
}

/// The audit as an object, with every finding.
pub(super) fn json<'a>(audit: &'a Audit, places: &'a [FindingPlace]) -> Json<'a> {
    let findings: Vec<_> = audit.findings.iter().zip(places).collect();
    object([
        ("cases", audit.cases.into()),
        ("checks", audit.checks.into()),
        ("left_to_measure", audit.left_to_measure().into()),
        ("findings", list(&findings, |(finding, place)| finding_json(finding, place))),
    ])
}

fn finding_json<'a>(finding: &'a AuditFinding, place: &'a FindingPlace) -> Json<'a> {
    let (path, line) = match place {
        Some((path, place)) => (Some(path.as_str()), Some(place.line)),
        None => (None, None),
    };
    let sum = |count: fn(&PassedRuns) -> usize| -> Option<usize> {
        if finding.passed.is_empty() { None } else { Some(finding.passed.iter().map(count).sum()) }
    };
    let (passed, graded) = (sum(|side| side.passed), sum(|side| side.graded));
    object([
        ("kind", json!(finding.kind).into()),
        ("is_error", finding.kind.is_error().into()),
        ("case", (!finding.case.is_empty()).then_some(&*finding.case).into()),
        ("text", (&*finding.text).into()),
        ("other", (&*finding.other).into()),
        ("path", path.into()),
        ("line", line.into()),
        ("passed", passed.into()),
        ("graded", graded.into()),
    ])
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn tokens_have_two_digits() {
        let table = [
            (1_430_000.0, "1.4 M"),
            (627_300.0, "630 000"),
            (1_049.0, "1 000"),
            (87.0, "87"),
            (0.0, "0"),
        ];
        for (tokens, expected) in table {
            assert_eq!(rounded(tokens), expected);
        }
    }
}
