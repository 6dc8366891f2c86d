//! What the cases of a workspace can show, in words: a line for each kind of finding, what to do about it, and
//! what became of a check in the runs.

use serde::Serialize;

use crate::analyze::{Audit, AuditFinding, AuditKind, PassedRuns};
use crate::language::{Language, say};

/// The findings of one kind.
#[derive(Serialize)]
struct AuditGroup {
    kind: AuditKind,
    n: usize,
    /// All checks that were looked at.
    checks: usize,
}

/// `3 of 12 checks are answered by the prompt`, about all findings of one kind.
pub(crate) fn headline(group: &[AuditFinding], audit: &Audit, language: &Language) -> String {
    let group = AuditGroup { kind: group[0].kind, n: group.len(), checks: audit.checks };
    language.tell("audit_found", &group).unwrap_or_default()
}

/// What to do about a kind of finding.
pub(crate) fn advice(kind: AuditKind, language: &Language) -> String {
    let group = AuditGroup { kind, n: 0, checks: 0 };
    language.tell("audit_advice", &group).unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use super::{advice, headline};
    use crate::analyze::{Audit, AuditFinding, AuditKind};
    use crate::language::theme::Theme;
    use crate::language::{LANGUAGES, Language};

    #[test]
    fn every_kind_has_its_texts() {
        for tag in LANGUAGES {
            let language = Language::new(tag, &Theme::default()).unwrap();
            for kind in [
                AuditKind::BrokenPattern,
                AuditKind::PatternMissesExpected,
                AuditKind::AnsweredByPrompt,
                AuditKind::MostlyAnswered,
                AuditKind::AsksForSkill,
                AuditKind::CopiedFromSkill,
                AuditKind::Repeated,
                AuditKind::InEveryCase,
                AuditKind::TwoThings,
                AuditKind::AlikePrompts,
                AuditKind::NoCaseWithoutSkill,
            ] {
                let finding = AuditFinding {
                    kind,
                    case: String::new(),
                    text: String::new(),
                    other: String::new(),
                    passed: Vec::new(),
                };
                let text = headline(&[finding], &Audit::default(), &language);
                assert!(!text.is_empty() && !text.contains('{'), "{kind:?}: {text}");
                assert!(!advice(kind, &language).is_empty(), "{kind:?}");
            }
        }
    }
}
