//! What the cases of a workspace can show, in words: a line for each kind of finding, what to do about it, and
//! what became of a check in the runs.

use crate::analyze::{Audit, AuditFinding, AuditKind, PassedRuns};
use crate::language::{Language, say};

/// `3 of 12 checks are answered by the prompt`, about all findings of one kind.
pub(crate) fn headline(group: &[AuditFinding], audit: &Audit, language: &Language) -> String {
    let (number, kind) = (group.len(), group[0].kind);
    let counted = match kind {
        AuditKind::AnsweredByPrompt | AuditKind::MostlyAnswered => {
            say!(language, "audit.of", n = number, all = language.count(audit.checks, "check"))
        }
        AuditKind::BrokenPattern | AuditKind::PatternMissesExpected => {
            language.count(number, "pattern")
        }
        AuditKind::AlikePrompts => language.count(number, "pair"),
        _ => language.count(number, "check"),
    };
    language.counted(&counted, number == 1, keys(kind).0)
}

/// The counted thing of a kind, and the text of what to do.
fn keys(kind: AuditKind) -> (&'static str, &'static str) {
    match kind {
        AuditKind::BrokenPattern => ("audit_broken_pattern", "audit.broken_pattern"),
        AuditKind::PatternMissesExpected => {
            ("audit_pattern_misses_expected", "audit.pattern_misses_expected")
        }
        AuditKind::AnsweredByPrompt => ("audit_answered_by_prompt", "audit.answered_by_prompt"),
        AuditKind::MostlyAnswered => ("audit_mostly_answered", "audit.mostly_answered"),
        AuditKind::AsksForSkill => ("audit_asks_for_skill", "audit.asks_for_skill"),
        AuditKind::CopiedFromSkill => ("audit_copied_from_skill", "audit.copied_from_skill"),
        AuditKind::Repeated => ("audit_repeated", "audit.repeated"),
        AuditKind::InEveryCase => ("audit_in_every_case", "audit.in_every_case"),
        AuditKind::TwoThings => ("audit_two_things", "audit.two_things"),
        AuditKind::AlikePrompts => ("audit_alike_prompts", "audit.alike_prompts"),
        AuditKind::NoCaseWithoutSkill => {
            ("audit_no_case_without_skill", "audit.no_case_without_skill")
        }
    }
}

/// What to do about a kind of finding.
pub(crate) fn advice(kind: AuditKind, language: &Language) -> String {
    language.text(keys(kind).1).to_owned()
}

/// `passed on both sides in 6 of 6 runs`, or the runs of each side; empty before a run.
pub(crate) fn result(finding: &AuditFinding, language: &Language) -> String {
    let [passed, graded] = finding
        .passed
        .iter()
        .fold([0, 0], |sum, side: &PassedRuns| [sum[0] + side.passed, sum[1] + side.graded]);
    if graded == 0 {
        return String::new();
    }
    let runs = language.count(graded, "run");
    let is_equal = finding.passed.iter().all(|side| side.passed == side.graded);
    if finding.passed.len() == 2 && is_equal {
        return say!(language, "audit.passed_both", n = passed, runs);
    }
    if finding.passed.len() == 1 {
        return say!(language, "audit.passed", n = passed, runs);
    }
    let mut sides = Vec::new();
    for side in &finding.passed {
        let runs = language.count(side.graded, "run");
        sides.push(say!(language, "audit.passed_in", side = side.side, n = side.passed, runs));
    }
    language.list(sides)
}

/// What the first page says of the audit: the first kind, and how many findings there are besides; empty without
/// a finding that is more than a hint.
pub(crate) fn first_line(audit: &Audit, language: &Language) -> String {
    let mut groups = audit.findings.chunk_by(|one, other| one.kind == other.kind);
    let Some(first) = groups.find(|group| !group[0].kind.is_hint()) else { return String::new() };
    let found = audit.findings.iter().filter(|finding| !finding.kind.is_hint()).count();
    let headline = say!(language, "audit.sentence", text = headline(first, audit, language));
    let more = language.beyond("audit.more", found, first.len());
    language.sentences([headline, more])
}
